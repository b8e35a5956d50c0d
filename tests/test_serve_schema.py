"""The server against its own description: whatever fits the OpenAPI schema, or does not, gets an answer that the schema foresees."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from serving import copied, new_key, serving

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis (the extra dev)")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def described(demo_folder, tmp_path_factory):
    with serving(copied(demo_folder, tmp_path_factory.mktemp("schema") / "demo"), seconds=60.0) as client:
        schema = schemathesis.openapi.from_asgi("/openapi.json", client.app, headers={"Host": "127.0.0.1"})
        schema.key = new_key(client)
        yield schema


schema = schemathesis.pytest.from_fixture("described")


@schema.parametrize()
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_operation_keeps_to_its_description(case, described):
    case.headers = {**(case.headers or {}), "Host": "127.0.0.1", **described.key}
    answer = case.call()
    assert answer.status_code != 500, answer.text
    known = {int(status) for status in case.operation.definition.raw["responses"]}
    assert answer.status_code in known | {405}
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == ["application/problem+json"]
        assert answer.json()["status"] == answer.status_code
    elif answer.status_code == 200:
        case.validate_response(answer, checks=[schemathesis.checks.CHECKS.get_by_names(["response_schema_conformance"])[0]])
