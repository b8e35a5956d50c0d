"""The page in a real browser: every flow, by keyboard, on a phone, in the dark, over a slow line, with hostile text."""

from __future__ import annotations

import gzip
import importlib.util
import json
import re
import shutil
import time
from base64 import b64encode
from pathlib import Path

import pytest
from click.testing import CliRunner
from serving import Running, copied
from test_ingest_images import picture

from twicetold import demo
from twicetold.cli import main
from twicetold.models import shipped

playwright = pytest.importorskip("playwright.sync_api", reason="the page tests need playwright (pip install playwright)")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="the page tests need a browser: apt-get install -y chromium"),
]
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
GARLIC = "Garlic water cures the coronavirus"
HOSTILE = "<script>window.hacked=1</script><img src=x onerror='window.hacked=2'>\"'><svg onload=window.hacked=3> garlic coronavirus"
PAGES = [
    "/",
    f"/?claim={GARLIC}",
    "/?claim=My aunt's parrot won the chess club's autumn raffle",
    "/debate",
    "/contested",
    "/watch",
    "/collection",
    "/fact-checks/demo-health-garlic-covid",
    "/about",
    "/docs",
    "/problems",
    "/sign-in",
]


@pytest.fixture(scope="module")
def server(demo_folder, tmp_path_factory):
    folder = copied(demo_folder, tmp_path_factory.mktemp("page") / "demo")
    posts = Path(demo.__path__[0]) / "posts.jsonl"
    assert CliRunner().invoke(main, ["--data", str(folder), "-q", "ingest-posts", str(posts)]).exit_code == 0
    with Running(folder) as server:
        yield server


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium, server):
    """Opens pages in a fresh browser profile each; `signed_in` follows the link the server printed."""
    contexts = []

    def open_one(*, signed_in: bool = False, **settings):
        context = chromium.new_context(base_url=server.address, **settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        if signed_in:
            page.goto(f"/sign-in?code={server.code}")
        return page

    yield open_one
    for context in contexts:
        context.close()


def put(server, id: str, **fields) -> None:
    answer = server.client.put(f"/v1/fact-checks/{id}", json=fields, headers={"Authorization": f"Bearer {server.key}"})
    assert answer.status_code in (200, 201)


def until_found(server, claim: str, id: str) -> None:
    """Wait until the indexes have followed and a fact-check answers a claim first."""
    until = time.monotonic() + 90
    while not (found := server.client.post("/v1/match", json={"text": claim}).json()["matches"]) or found[0]["doc"]["id"] != id:
        assert time.monotonic() < until, f"{id} is not found"
        time.sleep(0.2)


def look_up(page, claim: str) -> None:
    """Go to the answer to a claim, and wait until it has been looked at closely."""
    page.goto(f"/?claim={claim}")
    settled(page)


def settled(page) -> None:
    page.wait_for_selector("#answer")
    playwright.expect(page.locator("[data-looking]")).to_have_count(0, timeout=60_000)


def test_a_claim_that_is_typed_finds_its_fact_check_with_rating_reason_and_link(open_page):
    page = open_page()
    page.goto("/")
    page.get_by_label("Paste a post").fill(GARLIC)
    page.get_by_role("button", name="Check").click()
    settled(page)
    card = page.locator(".card").first
    assert card.locator(".rating").inner_text() == "False"
    assert "Demo Health Desk" in card.locator(".source").inner_text()
    assert "6 March 2020" in card.locator(".source").inner_text()
    assert "garlic" in [word.lower() for word in card.locator("mark").all_text_contents()]
    assert card.locator(".why").inner_text() != ""
    assert card.get_by_role("link", name="Read the fact-check").get_attribute("href").startswith("https://www.who.int/")


def test_the_address_of_an_answer_gives_the_same_answer_again(open_page):
    first, again = open_page(), open_page()
    first.goto("/")
    first.get_by_label("Paste a post").fill(GARLIC)
    first.get_by_role("button", name="Check").click()
    first.wait_for_url("**/?claim=*")
    settled(first)
    again.goto(first.url)
    settled(again)
    assert again.locator(".card .claim").all_inner_texts() == first.locator(".card .claim").all_inner_texts()


def test_filters_stay_in_the_form_and_in_the_address(open_page):
    page = open_page()
    page.goto("/")
    page.get_by_label("Paste a post").fill("abejas Einstein")
    page.get_by_text("Filters").click()
    page.get_by_label("Language").select_option("es")
    page.get_by_role("button", name="Check").click()
    page.wait_for_url("**lang=es*")
    settled(page)
    assert page.get_by_label("Language").input_value() == "es"
    assert {text.rsplit(" · ", 1)[-1] for text in page.locator(".card .source").all_text_contents()} == {"Spanish"}


def test_everything_can_be_done_by_keyboard(open_page):
    page = open_page()
    page.goto("/")
    page.keyboard.type(GARLIC)  # the claim has the focus when the page opens
    page.keyboard.press("Enter")
    settled(page)
    focused = "document.activeElement.textContent.trim()"
    assert page.evaluate("document.activeElement.id") == "answer"
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(focused))
        if seen[-1].startswith("Eating raw garlic"):
            break
    assert "Copy link" in seen
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_url("**/fact-checks/demo-health-garlic-covid")


@pytest.mark.parametrize("path", PAGES)
def test_a_phone_needs_no_sideways_scrolling(open_page, path):
    page = open_page(viewport={"width": 340, "height": 700})
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 340


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_its_landmarks_and_every_field_its_name(open_page, path):
    page = open_page(signed_in=True)
    page.goto(path)
    assert page.evaluate("document.documentElement.lang") == "en"
    assert (page.locator("main").count(), page.locator("h1").count()) == (1, 1)
    nameless = (
        """[...document.querySelectorAll('input:not([type=hidden]), textarea, select')].filter(e => !e.labels.length).map(e => e.name)"""
    )
    assert page.evaluate(nameless) == []
    mute = """[...document.querySelectorAll('a, button, summary')].filter(e => !e.textContent.trim() && !e.ariaLabel).length"""
    assert page.evaluate(mute) == 0


CONTRAST = """(() => {
  const light = (text) => {
    const parts = text.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const back = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    return colour === 'rgba(0, 0, 0, 0)' && element.parentElement ? back(element.parentElement) : colour;
  };
  return [...document.querySelectorAll('main *')].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
    .map((e) => { const a = light(getComputedStyle(e).color), b = light(back(e));
      return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.className + ' ' + e.textContent.trim().slice(0, 30)]; })
    .filter(([ratio]) => ratio < 4.5);
})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/about", f"/?claim={GARLIC}", "/collection"])
def test_every_text_stands_out_from_its_ground_in_light_and_dark(open_page, scheme, path):
    page = open_page(color_scheme=scheme)
    page.goto(path)
    assert page.evaluate(CONTRAST) == []


def test_the_dark_scheme_is_dark(open_page):
    page = open_page(color_scheme="dark")
    page.goto("/")
    red, green, blue = map(int, re.findall(r"\d+", page.evaluate("getComputedStyle(document.documentElement).backgroundColor")))
    assert red + green + blue < 150


def test_over_a_slow_line_the_page_says_that_it_is_working(open_page):
    page = open_page()
    page.goto("/")
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send(
        "Network.emulateNetworkConditions", {"offline": False, "latency": 1500, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
    )
    page.get_by_label("Paste a post").fill(GARLIC)
    # The driver looks away while a page is being left, so the page itself notes what it says a moment after sending.
    page.evaluate("""ask.addEventListener('submit', () => setTimeout(() => {
      sessionStorage.said = document.querySelector('button.main').textContent + '|' + said.textContent; }, 300))""")
    page.locator("button.main").click()
    playwright.expect(page.locator(".card").first).to_be_visible(timeout=60_000)
    assert page.evaluate("sessionStorage.said") == "Checking…|Checking"
    assert page.locator("button.main").inner_text() == "Check"


def test_nothing_moves_while_a_page_loads_and_it_is_light(open_page):
    page = open_page()
    weight = []
    page.on("response", lambda answer: weight.append(len(answer.body()) if answer.ok else 0))
    page.goto(f"/?claim={GARLIC}")
    page.wait_for_load_state("networkidle")
    settled(page)
    shift = """new Promise((done) => { let sum = 0;
      new PerformanceObserver((list) => { for (const e of list.getEntries()) sum += e.value; }).observe(
        { type: 'layout-shift', buffered: true }); setTimeout(() => done(sum), 800); })"""
    assert page.evaluate(shift) == 0
    assert 0 < sum(weight) < 150_000


def test_no_page_asks_another_site_for_anything(open_page, server):
    page = open_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for path in PAGES:
        page.goto(path)
    assert {url for url in asked if not url.startswith(server.address)} == set()


def test_a_claim_full_of_html_is_shown_and_never_run(open_page):
    page = open_page(signed_in=True)
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.goto("/")
    page.get_by_label("Paste a post").fill(HOSTILE)
    page.get_by_role("button", name="Check").click()
    settled(page)
    assert page.get_by_label("Paste a post").input_value() == HOSTILE
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main svg").count() == 0
    assert dialogs == []


def test_a_fact_check_full_of_html_is_shown_and_never_run(open_page, server):
    put(server, "hostile<b>", claim=HOSTILE, title=HOSTILE, rating=HOSTILE, publisher=HOSTILE, claimant=HOSTILE,
        body=f"{HOSTILE}\n{HOSTILE}", url="javascript:window.hacked=4", lang="en")  # fmt: skip
    until_found(server, HOSTILE, "hostile<b>")
    page = open_page(signed_in=True)
    look_up(page, "script window hacked svg onload garlic coronavirus")
    assert page.locator(".rating", has_text="<script>").count() >= 1
    page.goto("/fact-checks/hostile%3Cb%3E")
    assert page.locator("h1").inner_text().startswith("<script>")
    page.goto("/collection")
    assert page.evaluate("window.hacked") is None
    page.goto("/fact-checks/hostile%3Cb%3E")
    assert page.locator("a[href^='javascript' i]").count() == 0
    server.client.delete("/v1/fact-checks/hostile<b>", headers={"Authorization": f"Bearer {server.key}"})


def test_arabic_runs_from_right_to_left_and_chinese_is_found(open_page, server):
    put(server, "arabic", claim="شرب الماء الساخن يقتل فيروس كورونا في الحلق", rating="خطأ", publisher="مكتب التحقق", lang="ar",
        body="يقول المنشور إن شرب الماء الساخن يقتل الفيروس. لا يوجد دليل على ذلك.")  # fmt: skip
    until_found(server, "الماء الساخن يقتل فيروس كورونا", "arabic")
    page = open_page()
    look_up(page, "الماء الساخن يقتل فيروس كورونا")
    heading = page.locator(".card .claim", has_text="شرب الماء").first
    assert heading.evaluate("e => getComputedStyle(e).direction") == "rtl"
    assert page.get_by_label("Paste a post").evaluate("e => getComputedStyle(e).direction") == "rtl"
    [chinese] = server.client.get("/v1/fact-checks", params={"lang": "zh", "limit": 1}).json()["fact_checks"]
    page.goto("/")
    page.get_by_label("Paste a post").fill(chinese["claim"])
    page.get_by_role("button", name="Check").click()
    settled(page)
    assert page.locator(".card .claim").first.inner_text() == chinese["claim"]


def test_without_scripts_a_claim_is_checked_and_a_debate_is_read(open_page):
    page = open_page(java_script_enabled=False)
    page.goto("/")
    page.get_by_label("Paste a post").fill(GARLIC)
    page.get_by_role("button", name="Check").click()
    page.get_by_role("link", name="Look closer").click()
    assert page.locator(".card .claim").first.inner_text() == "Eating raw garlic prevents or cures infection with the coronavirus."
    assert "% sure" in page.locator(".sure").inner_text()
    page.goto("/debate")
    page.get_by_label("Paste a speech").fill("ANNA: Volcanoes emit more carbon dioxide than all human activity.")
    page.get_by_role("button", name="Read").click()
    assert page.locator(".speech li").count() == 1


@pytest.mark.parametrize(
    ("button", "noted", "told"), [("Not this one", "not this one", "not this one"), ("This answers it", "answers it", "answers")]
)
def test_a_word_on_an_answer_is_kept_as_a_judgement(open_page, button, noted, told):
    page = open_page(signed_in=True)
    look_up(page, GARLIC)
    card = page.locator(".card").first
    card.get_by_role("button", name=button).click()
    playwright.expect(card.get_by_text(f"Noted: {'this ' * (button != 'Not this one')}{noted}")).to_be_visible()
    page.goto("/fact-checks/demo-health-garlic-covid")
    assert page.locator(".judged li", has_text=GARLIC).locator(".tag").inner_text() == told
    look_up(page, GARLIC)
    page.locator("details.more").evaluate_all("folds => folds.forEach((fold) => { fold.open = true; })")
    page.get_by_role("button", name="Undo what was said of: Eating raw garlic").click()
    playwright.expect(page.locator("#answered").get_by_text("Taken back.")).to_be_visible()


def test_copying_gives_text_and_claimreview(open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    look_up(page, GARLIC)
    card = page.locator(".card").first
    card.get_by_text("More", exact=True).click()
    card.get_by_role("button", name="Copy as text").click()
    assert page.evaluate("navigator.clipboard.readText()").startswith("Claim: Eating raw garlic")
    card.get_by_role("button", name="Copy ClaimReview").click()
    playwright.expect(card.get_by_role("button", name="Copy ClaimReview")).to_have_text("Copied")
    assert json.loads(page.evaluate("navigator.clipboard.readText()"))["@type"] == "ClaimReview"


def test_a_debate_is_read_line_by_line_and_can_be_exported(open_page):
    page = open_page()
    page.goto("/debate")
    page.get_by_label("Paste a speech").fill("ANNA: Volcanoes emit more carbon dioxide than all human activity.\nBOB: Thank you.")
    page.get_by_role("button", name="Read").click()
    playwright.expect(page.locator(".speech li")).to_have_count(2)
    playwright.expect(page.locator("#cards .card").first).to_contain_text("Volcanoes")
    with page.expect_download() as download:
        page.get_by_role("button", name="report").click()
    assert "Volcanoes" in Path(download.value.path()).read_text(encoding="utf-8")


def test_a_debate_that_cannot_be_read_says_why(open_page):
    page = open_page()
    page.goto("/debate")
    page.get_by_role("button", name="Read").click()
    playwright.expect(page.get_by_role("alert")).to_contain_text("wanted a `file` or a `text`")


def test_an_import_is_followed_to_its_end_and_can_then_be_found(open_page, server, tmp_path):
    table = tmp_path / "checks.csv"
    table.write_text("id,claim,rating,publisher\nz1,Zebras are painted horses.,False,Stripe Desk\nbroken\n")
    page = open_page(signed_in=True)
    page.goto("/collection")
    page.set_input_files("#file", table)
    page.get_by_role("button", name="Import").click()
    playwright.expect(page.locator(".state")).to_have_text("done", timeout=90_000)
    assert page.locator("[data-field=added]").inner_text() == "1"
    until_found(server, "zebras are painted horses", "z1")
    look_up(page, "zebras are painted horses")
    assert page.locator(".card .claim").first.inner_text() == "Zebras are painted horses."


def test_an_import_that_fails_half_way_says_where_and_what_is_kept(open_page, tmp_path):
    whole = gzip.compress("".join(json.dumps({"id": f"h{n}", "claim": f"Half claim {n} of many."}) + "\n" for n in range(3000)).encode())
    half = tmp_path / "half.jsonl.gz"
    half.write_bytes(whole[: len(whole) // 2])
    page = open_page(signed_in=True)
    page.goto("/collection")
    page.set_input_files("#file", half)
    page.get_by_label("Leave out records").uncheck()
    page.get_by_role("button", name="Import").click()
    playwright.expect(page.locator(".state")).to_have_text("failed", timeout=180_000)
    assert "half.jsonl.gz" in page.locator("[data-field=message]").inner_text()
    assert "are kept" in page.locator("[data-field=message]").inner_text()


def test_a_watched_claim_stands_on_the_list_until_it_is_dropped(open_page):
    page = open_page(signed_in=True)
    page.goto("/watch")
    page.get_by_label("Claim", exact=True).fill("The moon will be painted green in 2031")
    page.get_by_role("button", name="Watch", exact=True).click()
    page.get_by_role("link", name="The moon will be painted green").wait_for()
    page.get_by_role("button", name="Stop watching The moon").click()
    playwright.expect(page.get_by_role("link", name="The moon will be painted green")).to_have_count(0)


def test_a_visitor_who_has_not_signed_in_is_not_offered_what_needs_a_key(open_page):
    page = open_page()
    page.goto("/collection")
    assert page.get_by_role("button", name="Import").count() == 0
    page.goto(f"/?claim={GARLIC}")
    assert page.get_by_role("button", name="Not this one").count() == 0
    page.goto("/sign-in")
    page.get_by_label("Your key").fill("tt_wrong")
    page.get_by_role("button", name="Sign in").click()
    assert page.get_by_role("alert").inner_text() == "That is not a key of this server."


def test_an_empty_collection_says_how_to_fill_it(chromium, tmp_path):
    with Running(tmp_path / "new") as server:
        page = chromium.new_page(base_url=server.address)
        page.goto("/")
        assert page.get_by_role("heading", name="The collection is empty").count() == 1
        page.close()


def test_a_claim_nobody_has_checked_is_said_to_be_so_with_what_to_do_next(open_page):
    page = open_page(signed_in=True)
    look_up(page, "My aunt's parrot won the chess club's autumn raffle")
    assert page.locator("#answer").inner_text() == "Not checked before, as far as this collection goes"
    assert page.locator(".card").count() == 0
    page.get_by_role("button", name="Watch this claim").click()
    page.get_by_role("link", name="My aunt's parrot").wait_for()


def test_the_quick_answer_stands_at_once_and_a_closer_look_takes_its_place(open_page):
    page = open_page()
    page.route("**/refined?*", lambda route: (page.wait_for_timeout(1500), route.continue_()))
    page.goto(f"/?claim={GARLIC}", wait_until="commit")
    page.wait_for_selector(".card")
    assert page.get_by_text("Looking closer …").is_visible()
    assert page.locator("#answer").inner_text() == "The nearest fact-checks"
    settled(page)
    assert "% sure" in page.locator(".sure").inner_text()


def test_a_closer_look_does_not_take_a_card_from_under_a_hand(open_page):
    page = open_page()
    page.route("**/refined?*", lambda route: (page.wait_for_timeout(1500), route.continue_()))
    page.goto(f"/?claim={GARLIC}", wait_until="commit")
    link = page.locator(".card a").first
    link.focus()
    settled(page)
    assert link.evaluate("e => e === document.activeElement")
    assert "% sure" in page.locator(".sure").inner_text()


def test_publishers_that_disagree_stand_side_by_side_as_one_case(open_page, server):
    said = "The lighthouse of Port Ombra was painted by a trained octopus in 1998."
    put(server, "octopus-1", claim=said, rating="False", publisher="Harbour Desk", lang="en")
    put(server, "octopus-2", claim=said, rating="True", publisher="Island Desk", lang="en")
    until_found(server, said, "octopus-1")
    page = open_page()
    look_up(page, "An octopus painted the lighthouse of Port Ombra")
    sides = page.locator(".sides section")
    assert "Harbour Desk" in sides.filter(has_text="Rated false").inner_text()
    assert "Island Desk" in sides.filter(has_text="Rated true").inner_text()
    assert page.locator(".card", has_text="Port Ombra").count() == 1
    assert page.locator(".card").first.locator(".twins li").count() == 1


@pytest.mark.skipif(not shipped("stance").is_dir(), reason="this build ships no stance model")
def test_a_question_is_answered_with_what_posts_say_on_either_side(open_page):
    page = open_page()
    page.goto("/contested")
    page.get_by_label("Ask the posts").fill("Can drinking bleach cure the coronavirus?")
    page.get_by_role("button", name="Ask").click()
    page.wait_for_url("**question=*")
    assert page.locator(".columns h4").all_inner_texts()[0].startswith("Supporting")
    assert page.locator(".columns h4").all_inner_texts()[1].startswith("Refuting")
    assert page.get_by_role("button", name="Ask").is_visible()


def drop(page, name: str, content: bytes) -> None:
    """Drop a picture on the page."""
    page.evaluate(
        """([name, content]) => { const files = new DataTransfer();
          files.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], name, { type: 'image/png' }));
          document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true })); }""",
        [name, b64encode(content).decode()],
    )


@pytest.mark.skipif(importlib.util.find_spec("rapidocr") is None, reason="needs the extra ocr")
def test_a_screenshot_dropped_on_the_page_becomes_the_claim(open_page):
    page = open_page()
    page.goto("/")
    drop(page, "claim.png", picture("FALSE"))
    playwright.expect(page.get_by_label("Paste a post")).to_have_value("FALSE", timeout=60_000)


@pytest.mark.skipif(importlib.util.find_spec("rapidocr") is not None, reason="the extra ocr is installed")
def test_a_screenshot_that_cannot_be_read_here_is_answered_with_how_to_change_that(open_page):
    page = open_page()
    page.goto("/")
    drop(page, "claim.png", picture("FALSE"))
    playwright.expect(page.get_by_role("alert")).to_contain_text("pip install 'twicetold[ocr]'")
    assert page.get_by_label("or a screenshot").count() == 0


def test_a_fact_check_names_the_watched_claims_it_answers(open_page):
    page = open_page(signed_in=True)
    page.goto("/watch")
    page.get_by_label("Claim", exact=True).fill("Raw garlic cures infection with the coronavirus")
    page.get_by_role("button", name="Watch", exact=True).click()
    page.goto("/fact-checks/demo-health-garlic-covid")
    assert "Raw garlic cures infection with the coronavirus" in page.locator(".judged").inner_text()
