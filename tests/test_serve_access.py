"""Who may do what, and how much of it."""

from __future__ import annotations

import hashlib
import sqlite3

import pytest
from serving import Running, copied, new_key, serving

from twicetold.errors import BadInput, NewerFormat
from twicetold.serve.audit import written
from twicetold.serve.keys import Keys
from twicetold.serve.ledger import Ledger
from twicetold.serve.limits import RateLimit
from twicetold.serve.middleware import check_sizes
from twicetold.serve.options import Options
from twicetold.serve.problems import Problem
from twicetold.serve.startup import application

HTML = {"accept": "text/html"}
CHECK = {"claim": "The moon is made of cheese."}


@pytest.fixture(scope="module")
def folder(demo_folder, tmp_path_factory):
    return copied(demo_folder, tmp_path_factory.mktemp("access") / "demo")


@pytest.fixture(scope="module")
def client(folder):
    with serving(folder) as client:
        yield client


@pytest.fixture(scope="module")
def public(folder):
    with serving(folder, host="0.0.0.0") as client:
        yield client


def problem(answer):
    return answer.status_code, answer.json()["type"].removeprefix("/problems#")


def test_a_key_is_kept_only_as_a_hash(tmp_path):
    keys = Keys(Ledger(tmp_path))
    key = keys.new("newsroom", "read")
    assert keys.find(key).name == "newsroom"
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert key.encode() not in stored


def test_a_revoked_key_is_worthless_at_once(tmp_path):
    keys = Keys(Ledger(tmp_path))
    key = keys.new("newsroom", "read")
    assert keys.revoke("newsroom")
    assert keys.find(key) is None


def test_a_name_is_given_to_one_key_only(tmp_path):
    keys = Keys(Ledger(tmp_path))
    keys.new("newsroom", "read")
    with pytest.raises(BadInput, match="newsroom"):
        keys.new("newsroom", "write")


WRITES = [
    ("PUT", "/v1/fact-checks/x"),
    ("DELETE", "/v1/fact-checks/x"),
    ("POST", "/v1/imports"),
    ("POST", "/v1/judgements"),
    ("POST", "/judgements"),
    ("POST", "/collection/imports"),
]


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_whatever_writes_wants_a_key_also_on_loopback(client, method, path):
    assert problem(client.request(method, path, json={})) == (401, "no-key")


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_a_key_that_may_read_may_not_write(client, method, path):
    assert problem(client.request(method, path, json={}, headers=new_key(client, "read"))) == (403, "no-right")


@pytest.mark.parametrize(
    "path", ["/v1/match?text=x", "/v1/fact-checks", "/v1/health", "/v1/metrics", "/v1/imports", "/v1/claims:search?query=x", "/"]
)
def test_a_server_beyond_loopback_wants_a_key_for_everything(public, path):
    assert public.get(path).status_code == 401
    assert public.get(path, headers=new_key(public, "read")).status_code == 200


def test_a_wrong_key_is_refused_even_where_none_is_needed(client):
    assert problem(client.get("/v1/health", headers={"Authorization": "Bearer tt_wrong"})) == (401, "no-key")


def test_a_request_that_came_through_a_proxy_is_not_taken_for_loopback(client):
    assert problem(client.get("/v1/health", headers={"X-Forwarded-For": "203.0.113.7"})) == (401, "no-key")


def test_a_page_of_another_site_cannot_reach_a_server_on_loopback_by_another_name(client):
    assert problem(client.get("/v1/health", headers={"Host": "attacker.example"})) == (421, "wrong-host")


def test_a_server_told_its_name_answers_to_it(folder):
    with serving(folder, names=("checks.example.org",)) as client:
        host = {"Host": "checks.example.org"}
        assert problem(client.get("/v1/health", headers=host)) == (401, "no-key")
        assert client.get("/v1/health", headers={**host, **new_key(client, "read")}).status_code == 200


def test_claims_search_takes_its_key_from_the_address_as_its_clients_send_it(public):
    key = new_key(public, "read")["Authorization"].removeprefix("Bearer ")
    assert public.get("/v1alpha1/claims:search", params={"query": "garlic", "key": key}).status_code == 200
    refused = public.get("/v1alpha1/claims:search", params={"query": "garlic", "key": "tt_no"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (401, 401)


def signed_in(client):
    key = new_key(client)["Authorization"].removeprefix("Bearer ")
    answer = client.post("/sign-in", data={"key": key, "to": "/collection"})
    return answer, {"Cookie": answer.headers["set-cookie"].partition(";")[0]}


def test_signing_in_leaves_a_cookie_that_scripts_and_other_sites_cannot_use(client):
    answer, _ = signed_in(client)
    assert (answer.status_code, answer.headers["location"]) == (303, "/collection")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    client.cookies.clear()


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_signing_in_never_leads_to_another_site(client, to):
    key = new_key(client)["Authorization"].removeprefix("Bearer ")
    assert client.post("/sign-in", data={"key": key, "to": to}).headers["location"] == "/"
    client.cookies.clear()


def test_a_wrong_key_does_not_sign_in(client):
    answer = client.post("/sign-in", data={"key": "tt_wrong"}, headers=HTML)
    assert (answer.status_code, "set-cookie" in answer.headers) == (401, False)


def test_a_signed_in_browser_writes_only_from_our_own_pages(client):
    _, cookie = signed_in(client)
    client.cookies.clear()
    judgement = {"claim": "x", "check_id": "demo-health-garlic-covid", "grade": "0"}
    assert problem(client.post("/judgements", data=judgement, headers=cookie)) == (403, "wrong-site")
    elsewhere = {**cookie, "Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}
    assert problem(client.post("/judgements", data=judgement, headers=elsewhere)) == (403, "wrong-site")
    ours = {**cookie, "Origin": "http://127.0.0.1:8321"}
    assert client.post("/judgements", data=judgement, headers=ours).status_code == 200


def test_other_sites_scripts_may_not_read_answers_unless_named(client, folder):
    origin = {"Origin": "https://newsroom.example"}
    assert "access-control-allow-origin" not in client.get("/v1/health", headers=origin).headers
    with serving(folder, origins=("https://newsroom.example",)) as open_to_one:
        assert open_to_one.get("/v1/health", headers=origin).headers["access-control-allow-origin"] == "https://newsroom.example"
        assert "access-control-allow-origin" not in open_to_one.get("/v1/health", headers={"Origin": "https://other.example"}).headers


def test_every_answer_forbids_scripts_from_elsewhere(client):
    for path in ("/", "/v1/health", "/nope", "/static/page.js"):
        assert "script-src 'self'" in client.get(path).headers["content-security-policy"]
        assert client.get(path).headers["x-content-type-options"] == "nosniff"


def test_a_body_that_says_it_is_too_large_is_refused_unread(folder):
    with serving(folder, max_body=1000) as client:
        assert problem(client.post("/v1/match", json={"text": "x" * 2000})) == (413, "too-large")


def test_a_body_that_hides_its_size_is_refused_when_it_has_come_too_far(folder):
    def endless():
        yield b'{"text": "'
        for _ in range(10_000):
            yield b"x" * 1000
        yield b'"}'

    with serving(folder, max_body=100_000) as client:
        assert problem(client.post("/v1/match", content=endless(), headers={"content-type": "application/json"})) == (413, "too-large")


def test_an_upload_may_be_larger_than_a_question_up_to_its_own_limit(folder):
    with serving(folder, max_body=1000, max_upload=5000) as client:
        headers = new_key(client)
        assert client.post("/v1/imports", files={"file": ("a.jsonl", b" " * 2000)}, headers=headers).status_code == 202
        assert problem(client.post("/v1/imports", files={"file": ("a.jsonl", b" " * 9000)}, headers=headers)) == (413, "too-large")


def test_a_client_that_asks_too_often_is_told_when_to_come_back(folder):
    with serving(folder, rate=1.0) as client:
        answers = [client.get("/v1/health") for _ in range(8)]
    assert [answer.status_code for answer in answers[:4]] == [200] * 4
    assert problem(answers[-1]) == (429, "too-many")
    assert int(answers[-1].headers["retry-after"]) == 1


def test_a_quiet_client_earns_its_requests_back():
    now = 0.0
    limit = RateLimit(2.0, clock=lambda: now)
    assert [limit.wait("a") for _ in range(8)] == [0.0] * 8
    assert limit.wait("a") == pytest.approx(1 / 2)
    assert limit.wait("b") == 0.0
    now = 0.5
    assert limit.wait("a") == 0.0


def test_an_answer_that_takes_too_long_is_given_up(folder):
    with serving(folder, seconds=0) as client:
        assert problem(client.post("/v1/match", json={"text": "garlic"})) == (504, "too-slow")


def test_a_page_that_has_begun_says_within_itself_that_its_answer_took_too_long(folder):
    with serving(folder, seconds=0) as client:
        answer = client.get("/", params={"claim": "garlic"}, headers=HTML)
        assert answer.status_code == 200
        assert "No answer within 0 seconds" in answer.text
        assert answer.text.rstrip().endswith("</html>")


def test_a_ledger_that_cannot_be_opened_says_so(tmp_path):
    (tmp_path / "serve.db").write_bytes(b"not a database, whatever its name says" * 100)
    from twicetold.errors import BadData

    with pytest.raises(BadData, match=r"serve\.db"):
        Ledger(tmp_path)


def test_the_page_of_a_problem_is_for_people(client):
    answer = client.get("/fact-checks/nobody", headers=HTML)
    assert answer.status_code == 404
    assert "<h1>There is nothing here</h1>" in answer.text


def test_a_failure_is_logged_without_keys_claims_or_addresses(folder, tmp_path, caplog):
    broken = copied(folder, tmp_path / "broken")
    with serving(broken) as client:
        with sqlite3.connect(broken / "store.db") as db:
            db.execute("DROP TABLE judgements")
        db.close()
        key = new_key(client)
        answer = client.get("/fact-checks/demo-health-garlic-covid?claim=A+whispered+claim&key=a-key-in-the-address", headers=HTML | key)
        assert answer.status_code == 500
        client.post("/v1/match", json={"text": "Another whispered claim"}, headers=key)
    assert "GET /fact-checks/demo-health-garlic-covid failed" in caplog.text
    for secret in ("whispered", "a-key-in-the-address", key["Authorization"].split()[1]):
        assert secret not in caplog.text


def test_a_collection_may_be_copied_while_it_is_served_and_written_to(folder, client, tmp_path):
    key = new_key(client)
    judgement = {"claim": "x", "check_id": "demo-health-garlic-covid", "grade": 0}
    for turn in range(2):
        copied(folder, tmp_path / f"copy {turn}")
        with serving(folder) as other:
            assert other.post("/v1/imports", files={"file": ("a.jsonl", b"\n")}, headers=key).status_code == 202
        assert client.post("/v1/judgements", json=judgement, headers=key).status_code == 201
        assert client.get("/fact-checks/demo-health-garlic-covid", headers=HTML).status_code == 200


def test_a_collection_written_by_a_later_version_is_refused_before_anything_is_served(folder, tmp_path):
    later = copied(folder, tmp_path / "later")
    (later / "settings.json").write_text('{"format": 99, "encoder": "", "analysis": "standard"}')
    with pytest.raises(NewerFormat, match="upgrade"):
        application(Options(data=str(later)))


# --- sessions, keys, what is written down


def test_the_cookie_holds_a_session_and_never_the_key(client):
    key = new_key(client)["Authorization"].removeprefix("Bearer ")
    cookie = client.post("/sign-in", data={"key": key}).headers["set-cookie"]
    client.cookies.clear()
    assert key not in cookie
    assert "tt_" not in cookie


def test_signing_out_ends_the_session_wherever_its_cookie_was_copied(client):
    _, cookie = signed_in(client)
    client.cookies.clear()
    assert client.get("/watch", headers=cookie).status_code == 200
    client.post("/sign-out", headers=cookie)
    assert client.get("/watch", headers=cookie).status_code == 401


def test_revoking_a_key_ends_what_was_signed_in_with_it(client):
    _, cookie = signed_in(client)
    client.cookies.clear()
    service = client.app.state.service
    service.keys.revoke(service.sessions.find(cookie["Cookie"].partition("=")[2]).name)
    assert client.get("/watch", headers=cookie).status_code == 401


def test_a_session_among_many_other_cookies_is_found(client):
    _, cookie = signed_in(client)
    client.cookies.clear()
    others = "; ".join(f"other{number}=x" for number in range(100))
    assert client.get("/watch", headers={"Cookie": f'{others}; {cookie["Cookie"]}; last="y\\""'}).status_code == 200


def test_the_code_of_a_sign_in_link_works_once(client):
    service = client.app.state.service
    service.keys.new("console for a test", "write")
    code = service.sessions.code(service.keys.named("console for a test"))
    first = client.get("/sign-in", params={"code": code})
    client.cookies.clear()
    assert (first.status_code, "set-cookie" in first.headers) == (303, True)
    assert client.get("/sign-in", params={"code": code}, headers=HTML).status_code == 401


def test_a_key_may_end_by_itself_and_says_when_it_was_last_used(tmp_path):
    keys = Keys(Ledger(tmp_path))
    over, good = keys.new("over", "read", ends_on="2020-01-31"), keys.new("good", "read", ends_on="9999-12-31")
    assert keys.find(over) is None
    assert keys.find(good).name == "good"
    used = {key.name: key.used_at for key in keys.every()}
    assert (used["over"], used["good"] > "2020") == ("", True)


def test_a_ledger_of_the_first_version_gains_what_it_lacks_and_keeps_its_keys(tmp_path):
    key = "tt_" + "a" * 43
    with sqlite3.connect(tmp_path / "serve.db") as db:
        db.execute("CREATE TABLE keys (digest BLOB PRIMARY KEY, name TEXT UNIQUE, scope TEXT, hint TEXT, made_on TEXT)")
        db.execute("INSERT INTO keys VALUES (?, 'old', 'write', 'tt_aaaa', '2025-01-01')", (hashlib.sha256(key.encode()).digest(),))
    db.close()
    assert Keys(Ledger(tmp_path)).find(key).name == "old"


def test_only_the_owner_of_the_ledger_may_read_it(tmp_path):
    (tmp_path / "serve.db").touch(0o644)
    ledger = Ledger(tmp_path)
    ledger.run("INSERT INTO writes (at, who, what, target, status) VALUES ('', '', '', '', 0)")
    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("serve.db*")} == dict.fromkeys(
        [path.name for path in tmp_path.glob("serve.db*")], 0o600
    )


def test_a_server_whose_messages_go_to_a_file_writes_no_key_and_no_code_there(demo_folder, tmp_path):
    with Running(copied(demo_folder, tmp_path / "demo")) as server:
        said = server.said()
    assert "Sign in at" in said
    assert "tt_" not in said
    assert "code=" not in said


def test_who_changed_what_is_written_down_without_texts(client):
    key = new_key(client)
    client.put("/v1/fact-checks/audited", json={"claim": "A whispered claim."}, headers=key)
    client.post("/v1/judgements", json={"claim": "Another whispered claim", "check_id": "audited", "grade": 1}, headers=key)
    client.delete("/v1/fact-checks/audited", headers=key)
    client.delete("/v1/fact-checks/audited", headers=key)
    newest = list(written(client.app.state.service.ledger, 4))
    assert [(line.what, line.target, line.status) for line in reversed(newest)] == [
        ("PUT", "/v1/fact-checks/audited", 201),
        ("POST", "/v1/judgements", 201),
        ("DELETE", "/v1/fact-checks/audited", 204),
        ("DELETE", "/v1/fact-checks/audited", 404),
    ]
    assert {line.who for line in newest} == {client.app.state.service.keys.find(key["Authorization"].split()[1]).name}
    assert "whispered" not in str(newest)


# --- proxies, bodies, headers


@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Real-IP", "X-Forwarded-Proto", "Forwarded", "Via", "CF-Connecting-IP"])
def test_whatever_gives_a_proxy_away_does(client, header):
    assert problem(client.get("/v1/health", headers={header: "203.0.113.7"})) == (401, "no-key")


def test_a_client_cannot_have_more_by_saying_that_it_is_many(folder):
    with serving(folder, rate=1.0) as client:
        key = new_key(client, "read")
        answers = [client.get("/v1/health", headers={**key, "X-Forwarded-For": f"203.0.113.{number}"}).status_code for number in range(20)]
    assert answers.count(200) <= 6


def test_a_named_proxy_is_believed_and_what_its_clients_say_is_not(folder):
    with serving(folder, rate=1.0, proxies=("127.0.0.0/8", "testclient")[:1]) as client:
        client._transport.client = ("127.0.0.1", 50_000)
        key = new_key(client, "read")
        one = [client.get("/v1/health", headers={**key, "X-Forwarded-For": f"198.51.100.{n}, 203.0.113.7"}).status_code for n in range(12)]
        assert one.count(429) >= 4
        assert client.get("/v1/health", headers={**key, "X-Forwarded-For": "203.0.113.8"}).status_code == 200


def test_a_writer_without_a_key_is_refused_before_the_body_is_read(client):
    sent = []

    def body():
        for _ in range(100):
            sent.append(1)
            yield b" " * 1000

    scope = {"path": "/v1/imports", "content-type": "multipart/form-data; boundary=x"}
    answer = client.post("/v1/imports", content=body(), headers={"content-type": scope["content-type"]})
    assert problem(answer) == (401, "no-key")
    assert answer.headers["connection"] == "close"


def test_headers_without_end_are_refused(client):
    assert problem(client.get("/v1/health", headers={"X-Long": "x" * 40_000})) == (431, "headers-too-large")
    assert problem(client.get("/v1/health", headers={f"X-{number}": "x" for number in range(200)})) == (431, "headers-too-large")
    with pytest.raises(Problem, match="address-too-long"):  # longer than the test's own client sends
        check_sizes({"headers": [], "raw_path": b"/", "query_string": b"x" * 70_000})


def test_uploads_on_their_way_lie_in_the_data_folder_and_have_a_limit(folder, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", "/nowhere at all")
    with serving(folder, max_spool=300_000) as client:
        key = new_key(client)
        assert client.post("/v1/imports", files={"file": ("a.jsonl", b"\n" * 200_000)}, headers=key).status_code == 202
        assert problem(client.post("/v1/imports", files={"file": ("a.jsonl", b"\n" * 400_000)}, headers=key)) == (503, "busy")
        assert list((folder / "uploads").iterdir()) == []


def test_a_request_costs_what_it_asks_for(folder):
    with serving(folder, rate=1.0) as client:
        batch = {"claims": [{"id": str(number), "text": "garlic"} for number in range(20)], "recipe": "bm25"}
        assert client.post("/v1/match/batch", json=batch).status_code == 200
        answer = client.post("/v1/match", json={"text": "garlic", "recipe": "bm25"})
        assert problem(answer) == (429, "too-many")
        assert int(answer.headers["retry-after"]) > 5
