"""The server against its own description: whatever fits the OpenAPI schema, or does not, gets an answer that the schema foresees."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from serving import Running, copied

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis (the extra dev)")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
OPERATIONS = [
    ("POST", "/v1/match"), ("GET", "/v1/match"), ("POST", "/v1/match/batch"), ("POST", "/v1/judgements"), ("POST", "/v1/scan"),
    ("POST", "/v1/ask"), ("POST", "/v1/images"), ("GET", "/v1/fact-checks"), ("GET", "/v1/fact-checks/{id}"),
    ("PUT", "/v1/fact-checks/{id}"), ("DELETE", "/v1/fact-checks/{id}"), ("POST", "/v1/imports"), ("GET", "/v1/imports"),
    ("GET", "/v1/imports/{id}"), ("GET", "/v1/imports/{id}/problems"), ("POST", "/v1/watches"), ("GET", "/v1/watches"),
    ("DELETE", "/v1/watches/{id}"), ("GET", "/v1/feed.json"), ("GET", "/v1/feed.rss"), ("GET", "/v1/health"), ("GET", "/v1/stats"),
    ("GET", "/v1/metrics"), ("GET", "/v1/claims:search"),
]  # fmt: skip


@pytest.fixture(scope="module")
def server(demo_folder, tmp_path_factory):
    with Running(copied(demo_folder, tmp_path_factory.mktemp("schema") / "demo"), "--seconds", "60", "--require-keys") as server:
        yield server


@pytest.fixture(scope="module")
def schema(server):
    return schemathesis.openapi.from_url(f"{server.address}/openapi.json")


def test_every_operation_of_the_description_is_tried_here(server):
    paths = server.client.get("/openapi.json").json()["paths"]
    assert {(method.upper(), path) for path, methods in paths.items() for method in methods} == set(OPERATIONS)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_operation_keeps_to_its_description(server, schema, method, path):
    operation = schema[path][method]
    headers = {"Authorization": f"Bearer {server.key}"}

    @given(case=operation.as_strategy())
    @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def answers_as_described(case):
        answer = case.call(headers=headers, timeout=60)
        assert answer.status_code < 500 or answer.status_code == 501, answer.text
        assert str(answer.status_code) in operation.definition.raw["responses"]
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == ["application/problem+json"]
            assert answer.json()["status"] == answer.status_code
        else:
            case.validate_response(answer)

    answers_as_described()
