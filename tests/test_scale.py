from __future__ import annotations

import pytest

from bench.scale import PAGE, rendered
from bench.scaling import cluster, fit, server_bytes


def points(*counts: int) -> list[dict]:
    """What a machine would measure whose words cost 1 ms and 10 ns a fact-check, and whose rows cost 20 ns each."""
    return [
        {
            "fact_checks": n,
            "words_ms": 1 + 10e-6 * n,
            "vectors_ms": 20e-6 * (2 * n if 2 * n < 500_000 else 2 * n / 5),
            "encode_ms": 8.0,
            "claim_p50_ms": 8 + 4 + 1 + 10e-6 * n + 20e-6 * (2 * n if 2 * n < 500_000 else 2 * n / 5),
            "resident_bytes": 3e8,
            "text_bytes": 500 * n,
            "store_bytes": 4_500 * n,
        }
        for n in counts
    ]


GRAPH = [{"rows": 2**power, "ms": 0.1 * power} for power in (11, 12, 13)]


def test_the_model_finds_the_law_that_made_the_points():
    law = fit(points(10**4, 10**5, 10**6), GRAPH)
    assert (law.words_fixed, law.words_a_check) == (pytest.approx(0.001), pytest.approx(10e-9))
    assert law.vectors_a_row == pytest.approx(20e-9)
    assert law.claim(10**7) == pytest.approx(0.008 + 0.004 + 0.001 + 0.1 + 20e-9 * 2e7 / 5)


def test_points_without_the_largest_foretell_it():
    law = fit(points(10**4, 10**5), GRAPH)
    assert law.claim(10**6) * 1e3 == pytest.approx(points(10**6)[0]["claim_p50_ms"])


def test_claims_alone_have_one_vector_each():
    short = [{**point, "fact_checks": 2 * point["fact_checks"]} for point in points(10**4, 10**5)]
    assert fit(short, GRAPH, vectors=1).claim(2 * 10**6) * 1e3 == pytest.approx(points(10**6)[0]["claim_p50_ms"])


def test_twice_the_claims_need_twice_the_cores_and_no_more_memory():
    law = fit(points(10**4, 10**5, 10**6), GRAPH)
    one, two = cluster(law, 1e8, 1_000), cluster(law, 1e8, 2_000)
    assert two.cores == pytest.approx(2 * one.cores)
    assert (two.memory, two.shards) == (one.memory, one.shards)


def test_a_cluster_holds_every_fact_check_twice_in_half_its_memory():
    law = fit(points(10**4, 10**5, 10**6), GRAPH)
    one = cluster(law, 1e9, 1)
    assert one.memory == 2 * 1e9 * server_bytes()
    assert one.nodes * 256e9 / 2 >= one.memory


def test_the_page_shows_what_was_measured():
    assert PAGE.read_text(encoding="utf-8") == rendered(), "run: python -m bench.scale page"


def test_bytes_are_those_of_the_page():
    assert server_bytes() == 2 * (384 * 4 + 32 * 4 + 16) + 234 * 8
