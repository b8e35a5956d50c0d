"""What only an index on a Milvus server has: its address, its errors, following the store over a wire, and agreement with the folder.

What every index does (finding, filters, ties, updates, removals) is tested in test_find.py and test_collection.py in both places.
"""

from __future__ import annotations

import json
import random
import shutil
import socket
import socketserver
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from click.testing import CliRunner
from serving import serving

from twicetold.answer import HYBRID
from twicetold.cli import main
from twicetold.collection import Collection, Settings, write_settings
from twicetold.errors import BadData, BadInput
from twicetold.filters import Filters
from twicetold.find import prepare
from twicetold.index.encoder import NO_ENCODER, SHIPPED, EncoderChoice
from twicetold.index.milvus.address import Address
from twicetold.index.milvus.words import spelt
from twicetold.stage import ask
from twicetold.types import Claim, FactCheck, Verdict

GARLIC = FactCheck("a", claim="Garlic cures the flu", title="No, garlic does not cure the flu", lang="en")
MOON = FactCheck("b", claim="The moon landing was staged", body="The flag waved.", publisher='Desk "Ä" \\ Co', published="2019-07-20")
NOBODY = "milvus://127.0.0.1:9/checks"


@pytest.fixture
def address(milvus) -> str:
    return f"{milvus}/t{uuid.uuid4().hex}"


def filled(folder, address: str, *checks: FactCheck, encoder: EncoderChoice = NO_ENCODER) -> Collection:
    collection = Collection.create(folder, Settings(encoder=encoder, index=address))
    list(collection.add(checks))
    collection.index()
    return collection


def found(collection: Collection, text: str, **options) -> list[str]:
    [ranking] = ask(HYBRID.stage(collection, **options), [Claim("c", text)])
    return [match.doc.id for match in ranking.matches]


@contextmanager
def door_that_opens_late(milvus: str, *, seconds: float) -> Iterator[str]:
    """The address of a server that takes connections at once and passes on what comes through them only after a while."""
    host, _, port = milvus.removeprefix("milvus://").partition(":")
    opens = time.monotonic() + seconds

    def carry(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while some := source.recv(65536):
                sink.sendall(some)

    class Door(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            time.sleep(max(0.0, opens - time.monotonic()))
            with suppress(OSError), socket.create_connection((host, int(port))) as there:
                threading.Thread(target=carry, args=(there, self.request), daemon=True).start()
                carry(self.request, there)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Door) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"milvus://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


# --- the address


def test_an_address_says_how_the_server_is_to_keep_the_index():
    address = Address.parse("milvus://box:19531/checks?shards=4&replicas=2&consistency=bounded&vectors=diskann&database=news&tls=yes")
    assert address == Address("box", 19531, "checks", 4, 2, "Bounded", "DISKANN", "news", tls=True)
    assert str(address) == "milvus://box:19531/checks"


def test_an_address_needs_only_a_host_and_a_name():
    assert Address.parse("milvus://box/checks") == Address("box", 19530, "checks")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("http://box/checks", "wants milvus://HOST:PORT/NAME"),
        ("milvus://box:many/checks", "wants milvus://HOST:PORT/NAME"),
        ("milvus://box/", "a name of letters"),
        ("milvus://box/a-b", "a name of letters"),
        ("milvus://box/checks?shards=0", "shards from 1 to 64"),
        ("milvus://box/checks?consistency=some", "one of Strong, Bounded"),
        ("milvus://box/checks?colour=red", "no setting 'colour'"),
        ("milvus://me:secret@box/checks", "TWICETOLD_INDEX_TOKEN"),
    ],
)
def test_an_address_that_cannot_be_meant_is_refused_with_what_is_wanted(text, said):
    with pytest.raises(BadInput, match=said):
        Address.parse(text)


def test_a_word_of_any_script_is_spelt_with_ascii_letters_and_digits():
    terms = ["covid19", "新冠", "школ", "don't", "हिन"]
    assert all(term.isascii() and term.isalnum() for term in spelt(terms))
    assert len(set(spelt(terms))) == len(terms)


# --- errors


@pytest.fixture
def deserted(tmp_path):
    """A collection whose server has gone away since it was made."""
    with Collection.create(tmp_path / "deserted", Settings(encoder=NO_ENCODER)) as collection:
        list(collection.add([GARLIC]))
        collection.index()
    write_settings(tmp_path / "deserted", Settings(encoder=NO_ENCODER, index=NOBODY))
    return tmp_path / "deserted"


@pytest.mark.parametrize("host", ["127.0.0.1:9", "nowhere.invalid:19530"])
def test_a_wrong_address_is_named_and_neither_it_nor_a_record_is_kept(tmp_path, write_jsonl, host):
    source = write_jsonl("checks.jsonl", [{"id": "a", "claim": "Garlic cures the flu"}])
    data = ["--data", str(tmp_path / "c")]
    refused = CliRunner().invoke(main, [*data, "--index", f"milvus://{host}/typo", "ingest", str(source), "--encoder", "none"])
    assert refused.exit_code == 3
    assert f"no Milvus server answers at {host} (" in refused.output
    assert "start it, or correct the address; nothing was stored" in refused.output
    assert not (tmp_path / "c").exists()


def test_a_server_that_has_gone_is_named_with_how_to_move_the_index(deserted):
    asked = CliRunner().invoke(main, ["--data", str(deserted), "match", "garlic flu"])
    assert asked.exit_code == 3
    assert "no Milvus server answers at 127.0.0.1:9 (" in asked.output
    moving = f"start it, or move the index: twicetold --data {deserted} --index ADDRESS index --rebuild"
    assert f"{moving}, with the ADDRESS milvus://HOST:PORT/NAME or folder" in asked.output
    moved = CliRunner().invoke(main, ["--data", str(deserted), "--index", "folder", "index", "--rebuild"])
    assert moved.exit_code == 0, moved.output
    assert "Garlic cures the flu" in CliRunner().invoke(main, ["--data", str(deserted), "match", "garlic flu", "--recipe", "bm25"]).output


def test_what_the_store_knows_is_told_while_the_server_is_away(deserted):
    shown = CliRunner().invoke(main, ["--data", str(deserted), "show", "a"])
    assert (shown.exit_code, "Garlic cures the flu" in shown.stdout) == (0, True)
    told = CliRunner().invoke(main, ["--data", str(deserted), "stats"])
    assert (told.exit_code, "1 fact-checks, 0 judgements." in told.stdout) == (0, True)
    assert "no Milvus server answers" in told.stderr
    exact = CliRunner().invoke(main, ["--data", str(deserted), "stats", "--json"])
    assert json.loads(exact.stdout)["waiting"] is None


def test_doctor_promises_no_repair_of_a_server_that_is_away(deserted):
    for arguments in ([], ["--repair"]):
        looked = CliRunner().invoke(main, ["--data", str(deserted), "doctor", *arguments])
        assert looked.exit_code == 3
        assert "CARE index of text: no Milvus server answers" in looked.output
        assert "doctor --repair" not in looked.output


def test_records_are_stored_while_the_server_is_away(deserted, write_jsonl):
    source = write_jsonl("checks.jsonl", [{"id": "b", "claim": "The moon landing was staged"}])
    told = CliRunner().invoke(main, ["--data", str(deserted), "ingest", str(source)])
    assert told.exit_code == 3
    assert "no Milvus server answers" in told.output
    assert f"What was read is stored, and can be indexed later: twicetold --data {deserted} index" in told.output
    with Collection.open(deserted) as collection:
        assert len(collection.store) == 2


def test_a_server_that_listens_but_is_busy_is_waited_for(tmp_path, milvus):
    """The door opens at once, as a busy server's does; what is said through it is passed on seven seconds later."""
    with door_that_opens_late(milvus, seconds=7) as late:
        assert len(filled(tmp_path, f"{late}/t{uuid.uuid4().hex}", GARLIC).text) == 1


def test_a_name_taken_by_another_collection_is_refused_until_it_is_taken_over(tmp_path, address):
    filled(tmp_path / "one", address, GARLIC).close()
    with pytest.raises(BadData, match="another collection's fact-checks; choose another name"):
        filled(tmp_path / "two", address, MOON)
    two = Collection.create(tmp_path / "two")
    two.rebuild()
    assert found(two, "moon landing") == ["b"]


def test_a_name_taken_by_something_else_is_never_touched(tmp_path, milvus_client, address):
    name = address.rpartition("/")[2] + "_words"
    milvus_client.create_collection(name, dimension=4)
    collection = Collection.create(tmp_path, Settings(encoder=NO_ENCODER, index=address))
    list(collection.add([GARLIC]))
    for attempt in (collection.index, collection.rebuild):
        with pytest.raises(BadData, match="not an index of twicetold; choose another name"):
            attempt()
    assert milvus_client.has_collection(name)
    milvus_client.drop_collection(name)


def test_an_index_made_with_another_analysis_is_refused_with_what_to_do(tmp_path, address):
    filled(tmp_path, address, GARLIC).close()
    other = Collection.create(tmp_path)
    other.settings = Settings(encoder=NO_ENCODER, analysis="plain", index=address)
    with pytest.raises(
        BadData, match=r"made with analysis standard, not with analysis plain; run: twicetold --data \S+ --index \S+ index --rebuild"
    ):
        found(other, "garlic")


def test_vectors_of_another_encoder_are_refused_with_what_to_do(tmp_path, address):
    collection = filled(tmp_path, address, GARLIC, encoder=SHIPPED)
    collection.close()
    again = Collection.open(tmp_path)
    again.encoder.version = "another"
    with pytest.raises(BadData, match=r"not with encoder another, dim 384; run: twicetold --data \S+ --index \S+ index --rebuild"):
        again.refresh()


def test_without_the_extra_the_message_is_the_command_that_installs_it(tmp_path):
    code = (
        "import sys; sys.modules['pymilvus'] = None\n"
        "from twicetold.cli import main\n"
        f"main(['--data', {str(tmp_path)!r}, '--index', 'milvus://box/checks', 'ingest', '-', '--encoder', 'none'])"
    )
    line = '{"id": "a", "claim": "Garlic cures the flu"}\n'
    run = subprocess.run([sys.executable, "-c", code], input=line, capture_output=True, text=True)
    assert run.returncode == 4, run.stderr
    assert "pip install 'twicetold[milvus]'" in run.stderr


# --- copies


@pytest.fixture
def copied(tmp_path, address):
    """A collection with its index on a server, and a copy of it that was made ready and then changed."""
    filled(tmp_path / "here", address, GARLIC, MOON).close()
    here, copy = ["--data", str(tmp_path / "here")], ["--data", str(tmp_path / "copy")]
    told = [CliRunner().invoke(main, [*here, "backup", str(tmp_path / "copy")])]
    told += [CliRunner().invoke(main, [*copy, *verb]) for verb in (["doctor", "--repair"], ["remove", "a"])]
    assert [(done.exit_code, done.output) for done in told if done.exit_code] == []
    return tmp_path, told[0].output


def test_a_copy_has_its_index_in_its_own_folder_and_changing_it_leaves_the_original_alone(copied):
    place, told = copied
    assert "the copy keeps its index in its own folder, not at milvus://" in told
    assert (place / "copy" / "text").is_dir()
    asked = CliRunner().invoke(main, ["--data", str(place / "here"), "match", "garlic flu", "--recipe", "bm25"])
    assert asked.exit_code == 0, asked.output
    assert "Garlic cures the flu" in asked.output


def test_a_copy_told_to_use_the_original_s_index_is_refused_and_repairing_it_takes_nothing_over(copied, address, monkeypatch):
    place, _ = copied
    monkeypatch.setenv("TWICETOLD_INDEX", address)
    asked = CliRunner().invoke(main, ["--data", str(place / "copy"), "match", "garlic flu", "--recipe", "bm25"])
    assert asked.exit_code == 3
    assert "holds another collection's fact-checks" in asked.output
    repaired = CliRunner().invoke(main, ["--data", str(place / "copy"), "doctor", "--repair"])
    assert repaired.exit_code == 3
    assert "CARE index of text" in repaired.output
    with Collection.open(place / "here") as original:
        assert found(original, "garlic flu") == ["a"]


def test_a_folder_without_its_share_of_the_index_is_told_in_plain_words_what_to_type(tmp_path, address):
    filled(tmp_path, address, GARLIC).close()
    shutil.rmtree(tmp_path / "milvus")
    said = f"in how many fact-checks each word stands.*run: twicetold --data {tmp_path} --index {address} index --rebuild"
    with Collection.open(tmp_path) as collection, pytest.raises(BadData, match=said):
        collection.refresh()


# --- following the store


def test_what_the_server_did_not_get_before_a_crash_it_gets_afterwards(tmp_path, address):
    with filled(tmp_path, address, GARLIC) as collection:
        collection.store.put([MOON])  # on disk, and then the process is gone
    again = Collection.open(tmp_path)
    assert again.pending == 1
    assert again.refresh() == 0
    assert found(again, "moon landing") == ["b"]


_WRITER = """
import sys
from twicetold.collection import Collection, Settings
from twicetold.index.encoder import NO_ENCODER
from twicetold.types import FactCheck
collection = Collection.create(sys.argv[1], Settings(encoder=NO_ENCODER, index=sys.argv[2]))
start = len(collection.store)
checks = (FactCheck(f"d{i}", claim=f"claim number {i} about topic{i % 17}") for i in range(start, start + 4000))
for written in collection.add(checks, batch=25):
    print(written.added, flush=True)
    collection.index()
"""


@pytest.mark.parametrize("rounds", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_killed_at_any_moment_the_server_has_in_the_end_what_the_store_has(tmp_path, address, rounds):
    rng = random.Random(rounds)
    for _ in range(rounds):
        writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path), address], stdout=subprocess.PIPE, text=True)
        writer.stdout.readline()
        time.sleep(rng.uniform(0.0, 2.0))
        writer.kill()
        writer.communicate()
        with Collection.create(tmp_path) as collection:
            collection.index()
            last = len(collection.store) - 1
            assert (len(collection.text), collection.text._counts.documents) == (last + 1, last + 1)
            assert found(collection, f"claim number {last} about topic{last % 17}")[0] == f"d{last}"


def test_a_batch_written_twice_changes_nothing(tmp_path, address):
    collection = filled(tmp_path, address, GARLIC, MOON, encoder=SHIPPED)
    before = [(m.doc.id, m.signals) for m in ask(HYBRID.stage(collection), [Claim("c", "garlic flu moon")])[0].matches]
    for part in ("words", "meanings"):  # as if killed between the rows and the counter
        made = {"words": collection.text, "meanings": collection.vectors}[part]._made
        collection._server.remember(part, made, 0)
    assert collection.pending == 2
    collection.index()
    assert (len(collection.text), len(collection.vectors)) == (2, 3)
    assert [(m.doc.id, m.signals) for m in ask(HYBRID.stage(collection), [Claim("c", "garlic flu moon")])[0].matches] == before


def test_shares_follow_updates_and_removals(tmp_path, address):
    rng = random.Random(3)
    texts = [" ".join(rng.choices(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"], k=5)) for _ in range(30)]
    one = filled(tmp_path / "one", address, *(FactCheck(f"d{at}", claim=text) for at, text in enumerate(texts)))
    list(one.add(FactCheck(f"d{at}", claim=texts[at + 1]) for at in range(10)))
    one.remove([f"d{at}" for at in range(20, 30)])
    one.index()
    final = [FactCheck(f"d{at}", claim=texts[at + 1] if at < 10 else texts[at]) for at in range(20)]
    two = filled(tmp_path / "two", f"{address}_two", *final)
    for word in ("alpha", "theta", "nothere"):
        assert one.text.most("claim", word, "en") == two.text.most("claim", word, "en")
        assert one.text.weight("claim", word, most=0.5) == two.text.weight("claim", word, most=0.5)


def test_an_unchanged_text_is_not_encoded_again_though_its_publisher_changed(tmp_path, address):
    collection = filled(tmp_path, address, GARLIC, encoder=SHIPPED)
    encoded = []

    def encode(texts):
        encoded.extend(texts)
        return collection.encoder.encode(texts)

    changed = FactCheck(GARLIC.id, claim=GARLIC.claim, title="Another title", lang="en", publisher="Desk")
    collection.vectors.take([(1, 5, changed)], encode)
    assert encoded == ["Another title"]
    assert collection.vectors.reached == 5


# --- filters


@pytest.mark.parametrize(
    ("filters", "passing"),
    [
        (Filters(publishers=('desk "ä" \\ co',)), ["b"]),
        (Filters(langs=("en",)), ["a"]),
        (Filters(before="2019"), ["b"]),
        (Filters(before="2019-06"), []),
        (Filters(after="2019-07-20", before="2019-07-20"), ["b"]),
        (Filters(verdicts=(Verdict.OTHER,), after="2020"), []),
    ],
)
def test_the_server_filters_as_the_store_does(tmp_path, milvus, filters, passing):
    collection = filled(tmp_path, f"{milvus}/filtered{uuid.uuid4().hex}", GARLIC, MOON, encoder=SHIPPED)
    assert found(collection, "garlic flu moon landing", filters=filters) == passing


# --- agreement with the index in the folder


@pytest.mark.parametrize("field", ["claim", "title", "body"])
def test_the_first_ten_by_words_are_those_of_the_index_in_the_folder(demo, demo_on_milvus, demo_claims, field):
    shares = []
    for query in map(prepare, demo_claims[::3]):
        ours, theirs = ([num for num, _ in one.text.search(field, query.text, query.lang, depth=10)] for one in (demo, demo_on_milvus))
        shares += [len(set(ours) & set(theirs)) / len(ours)] if ours else []
    assert len(shares) >= 30
    assert sum(shares) / len(shares) >= 0.95


def test_the_first_ten_by_meaning_are_those_of_the_index_in_the_folder(demo, demo_on_milvus, demo_claims):
    for claim in demo_claims[::5]:
        vector = demo.encoder.encode([prepare(claim).text])[0]
        ours, theirs = (set(one.vectors.search(vector, depth=10)) for one in (demo, demo_on_milvus))
        assert len(ours & theirs) >= 9


def test_signals_are_those_of_the_index_in_the_folder(demo, demo_on_milvus, demo_claims):
    for claim in demo_claims[:5]:
        ours, theirs = ({m.doc.id: m.signals for m in ask(HYBRID.stage(one), [claim])[0].matches} for one in (demo, demo_on_milvus))
        for id in list(ours)[:5]:
            # Lengths up to 40 words are exact in both; longer ones are rounded in the folder.
            assert theirs[id]["share.claim"] == pytest.approx(ours[id]["share.claim"], abs=0.02)
            assert theirs[id]["share.body"] == pytest.approx(ours[id]["share.body"], abs=0.05)
            assert theirs[id]["dense.best"] == pytest.approx(ours[id]["dense.best"], abs=2e-3)


# --- the verbs


def test_who_ingests_with_another_index_than_the_collection_s_own_is_told_where_it_is_searched(tmp_path, address, write_jsonl):
    filled(tmp_path / "c", address, GARLIC).close()
    source = write_jsonl("checks.jsonl", [{"id": "b", "claim": "The moon landing was staged"}])
    other = f"{address}_other"
    done = CliRunner().invoke(main, ["--data", str(tmp_path / "c"), "--index", other, "ingest", str(source)])
    assert done.exit_code == 0, done.output
    staying = f"To stay with it: twicetold --data {tmp_path / 'c'} --index {other} index --rebuild"
    assert f"indexed at {other}, but without --index this collection is searched at {address}. {staying}" in done.stderr
    again = CliRunner().invoke(main, ["--data", str(tmp_path / "c"), "ingest", str(source)])
    assert "To stay with it" not in again.stderr


def test_a_collection_made_with_an_index_elsewhere_remembers_it(tmp_path, address, write_jsonl):
    source = write_jsonl("checks.jsonl", [{"id": "a", "claim": "Garlic cures the flu", "rating": "False"}])
    data = ["--data", str(tmp_path / "c")]
    runner = CliRunner()
    made = runner.invoke(main, [*data, "--index", address, "ingest", str(source), "--encoder", "none"])
    assert made.exit_code == 0, made.output
    assert not (tmp_path / "c" / "text").exists()
    asked = runner.invoke(main, [*data, "match", "garlic flu", "--recipe", "bm25"])
    assert "Garlic cures the flu" in asked.output


def test_the_index_in_the_folder_can_be_used_beside_it(tmp_path, address):
    filled(tmp_path, address, GARLIC).close()
    runner = CliRunner()
    assert runner.invoke(main, ["--data", str(tmp_path), "--index", "folder", "index"]).exit_code == 0
    assert (tmp_path / "text").exists()
    asked = runner.invoke(main, ["--data", str(tmp_path), "--index", "folder", "match", "garlic flu", "--recipe", "bm25"])
    assert "Garlic cures the flu" in asked.output


def test_evaluating_leaves_nothing_behind_on_the_server(tmp_path, milvus, milvus_client, write_jsonl):
    checks = write_jsonl("checks.jsonl", [{"id": "a", "claim": GARLIC.claim}, {"id": "b", "claim": MOON.claim}])
    queries = write_jsonl("queries.jsonl", [{"id": "q", "text": "does garlic cure flu"}])
    (tmp_path / "qrels.txt").write_text("q 0 a 1\n")
    asked = ["--corpus", str(checks), "--queries", str(queries), "--qrels", f"{tmp_path}/qrels.txt"]
    done = CliRunner().invoke(main, ["--index", f"{milvus}/evaluated", "eval", "bm25", *asked, "--json"], env={"TWICETOLD_CACHE": ""})
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["measures"]["MAP@5"]["value"] == 1.0
    left = milvus_client.list_collections()
    assert [name for name in left if name.startswith("evaluated")] == []


def test_the_server_of_pages_answers_from_the_index_elsewhere(tmp_path, address):
    filled(tmp_path, address, GARLIC, MOON).close()
    with serving(tmp_path) as client:
        answer = client.post("/v1/match", json={"text": "was the moon landing staged", "recipe": "bm25"}).json()
    assert answer["matches"][0]["doc"]["id"] == "b"
    assert not (tmp_path / "text").exists()


def test_a_speech_is_scanned_with_the_index_elsewhere(tmp_path, demo_on_milvus):
    speech = tmp_path / "speech.txt"
    speech.write_text("MODERATOR: Good evening to all of you.\nHOLT: We all know that the moon landing of 1969 was filmed in a studio.\n")
    done = CliRunner().invoke(main, ["--data", str(demo_on_milvus.folder), "scan", str(speech), "--json"])
    assert done.exit_code == 0, done.output
    assert '"demo-hoax-moon-landing-faked"' in done.stdout


def test_a_wrong_address_is_a_wrong_usage():
    ended = CliRunner().invoke(main, ["--index", "http://box", "stats"])
    assert (ended.exit_code, "wants milvus://HOST:PORT/NAME" in ended.output) == (2, True)
