"""Saved pages of differently built sites, written for these tests after the ways real publishers build theirs."""

from pathlib import Path

import pytest

from twicetold.ingest import Problem, read

PAGES = Path(__file__).parent / "pages"
FIELDS = ("claim", "claimant", "claimed_on", "title", "rating", "verdict", "publisher", "published", "lang")


def checks(name: str):
    return list(read(PAGES / name))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "meter.html",
            ("The new harbour bridge has cost ten times what the city first estimated.", "Ana Ruiz", "2021-03-04",
             "The bridge did not cost ten times its estimate", "mostly-false", "false", "Meter Desk", "2021-03-09", "en"),
        ),
        (
            "rumour.html",
            ("The colour of the small bar at the end of a toothpaste tube tells whether its ingredients are natural.", "Viral posts", "",
             "Do Toothpaste Stripes Reveal Its Ingredients?", "False", "false", "Rumour Ledger", "2020-06-18", "en"),
        ),
        (
            "agency.html",
            ("A video shows a dam in Turkey that burst after the earthquake & flooded the valley", "Multiple sources", "2023-02-08",
             "Video shows a dam test in 2016, not a breach after the quake", "False", "false", "Wire Fact Check", "2023-02-14", "en"),
        ),
        (
            "bulo.html",
            ("Beber agua con limón en ayunas cura la diabetes en un mes.", "", "",
             "No, beber agua con limón en ayunas no cura la diabetes", "Bulo", "false", "Cazabulos", "2019-10-22", "es"),
        ),
        (
            "decodage.html",
            ('La tour "penchée" du vieux port s\'est inclinée de deux mètres.', "Un tract municipal", "",
             "La tour penche-t-elle de deux mètres ?", "C'est plus compliqué", "mixed", "Le Décodage", "2018-08-01", "fr"),
        ),
        (
            "chahe.html",
            ("喝冰水會讓血管立刻收縮，導致心肌梗塞。", "", "",
             "【錯誤】網傳「喝冰水會讓血管立刻收縮並導致心肌梗塞」？", "錯誤", "false", "查證小站", "2021-03-05", "zh"),
        ),
        (
            "blog.html",
            ("", "", "", "Does a café in Oslo pay its guests?", "", "other", "", "2016-09-07", "en"),
        ),
        (
            "microdata.html",
            ("“Crime in the capital has doubled since the spring.”", "Sheriff Dale Oake", "2017-05-21",
             "Has crime doubled?", "Three Pinocchios", "false", "Capital Courier", "2017-05-30", "en"),
        ),
    ],
)  # fmt: skip
def test_a_page_gives_its_fact_check(name, told):
    [check] = checks(name)
    assert tuple(getattr(check, field) for field in FIELDS) == told


def test_a_page_with_two_reviews_gives_two_fact_checks_with_one_article():
    first, second = checks("charity.html")
    assert (first.claim, first.verdict.value) == ("Hospital waiting lists have halved in two years.", "false")
    assert (second.claim, second.verdict.value) == ("There are more nurses than two years ago.", "true")
    assert first.body == second.body
    assert first.id != second.id


@pytest.mark.parametrize(
    ("name", "opening", "ending"),
    [
        ("meter.html", "At a council meeting on March 4,", "mixes two different projects."),
        ("rumour.html", "A picture that comes back every few years", "where the law wants it."),
        ("agency.html", "Hours after the earthquake,", "that none had burst."),
        ("bulo.html", "Publicado el martes", "que produce el páncreas."),
        ("decodage.html", "Ce qu'on dit", "stable depuis les travaux de 1974."),
        ("chahe.html", "發佈：2021年3月5日", "不要自行判斷。"),
        ("blog.html", "No. A photo of a blackboard", "as a table in her workshop."),
        ("microdata.html", "The sheriff compared", "the middle of May."),
    ],
)
def test_the_article_is_taken_without_menus_notices_and_comments(name, opening, ending):
    body = checks(name)[0].body
    assert body.startswith(opening)
    assert body.endswith(ending)


def test_appearances_are_taken_once_however_their_links_are_written():
    [check] = checks("agency.html")
    assert check.appearances == (
        "https://www.facebook.com/watch/?v=111",
        "https://twitter.com/some_one/status/222",
        "https://www.tiktok.com/@a/video/333",
    )


def test_json_ld_that_cannot_be_mended_is_reported_with_the_pages_address_and_the_page_read_without_it():
    problem, check = checks("broken.html")
    assert problem.place.endswith("broken.html (https://wellwatch.example/well/), JSON-LD block 1")
    assert (check.title, check.rating) == ("The well was not poisoned", "False")


def test_a_folder_of_saved_pages_is_read_in_the_order_of_names_and_its_assets_left_aside(tmp_path):
    for name in ("meter.html", "bulo.html"):
        (tmp_path / name).write_bytes((PAGES / name).read_bytes())
    (tmp_path / "meter_files").mkdir()
    (tmp_path / "meter_files" / "frame.html").write_text("<title>Advertisement</title>")
    (tmp_path / "meter.css").write_text("p {}")
    assert [check.publisher for check in read(tmp_path)] == ["Cazabulos", "Meter Desk"]


def test_one_unreadable_page_in_a_folder_is_a_problem_of_that_page(tmp_path):
    (tmp_path / "a.html").write_bytes(b"")
    (tmp_path / "b.html").write_bytes((PAGES / "bulo.html").read_bytes())
    problem, check = read(tmp_path)
    assert problem == Problem(str(tmp_path / "a.html"), f"{tmp_path / 'a.html'} is empty")
    assert check.publisher == "Cazabulos"


def test_a_page_that_lists_reviews_of_other_pages_lends_them_nothing_of_its_own(tmp_path):
    reviews = ",".join(
        f'{{"@type": "ClaimReview", "claimReviewed": "Claim {n}.", "url": "https://desk.example/{n}", "headline": "Title {n}"}}'
        for n in (1, 2)
    )
    page = f'<html lang="en"><link rel="canonical" href="https://desk.example/"><script type="application/ld+json">[{reviews}]</script>'
    (tmp_path / "list.html").write_text(page + "<h1>All our checks</h1><p>" + "A long introduction to all our checks. " * 5)
    assert [(check.title, check.body) for check in read(tmp_path / "list.html")] == [("Title 1", ""), ("Title 2", "")]


def test_reading_a_page_twice_gives_the_same_ids():
    assert [check.id for check in checks("charity.html")] == [check.id for check in checks("charity.html")]


def test_a_file_of_one_script_element_a_line_gives_a_fact_check_for_each(tmp_path):
    line = '<script type="application/ld+json">{{"@type": "ClaimReview", "claimReviewed": "Claim {n}.", "url": "https://desk.example/{n}"}}</script>\n'
    (tmp_path / "fact_checks.txt").write_text("".join(line.format(n=n) for n in range(3)))
    assert [(check.claim, check.publisher) for check in read(tmp_path / "fact_checks.txt")] == [
        (f"Claim {n}.", "desk.example") for n in range(3)
    ]
