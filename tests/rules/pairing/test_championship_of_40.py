"""The groups and the final of the championship of 40: cases worked by hand from R67a."""

import tomllib
from itertools import combinations
from pathlib import Path

import pytest

from reporting.rules.regulations.championship_of_40 import (
    FINAL_ROUNDS,
    GROUPS,
    Entrant,
    Finalist,
    final_numbers,
    groups_of_40,
)

FOLDER = Path(__file__).parents[2] / "cases/fmjd-pairing"
GROUPS_CASE = tomllib.loads((FOLDER / "annex-17-b1-groups.toml").read_text())
FINAL_CASE = tomllib.loads((FOLDER / "annex-17-b1-final.toml").read_text())
POOLS = ({1, 4, 7, 10}, {2, 5, 8, 11}, {3, 6, 9, 12})


@pytest.mark.parametrize("case", GROUPS_CASE["championships"])
def test_the_groups(case):
    country = {place: name for name, places in case["countries"].items() for place in places}
    entrants = [Entrant(place, 2500 - place, country.get(place, "")) for place in range(1, 41)]
    assert groups_of_40(entrants[::-1]) == case["groups"]


def test_of_equal_ratings_the_lower_number_comes_first():
    assert groups_of_40([Entrant(number, 2000, "") for number in range(40, 0, -1)])["A"][:2] == [1, 8]


def test_the_games_of_the_final():
    printed = [[tuple(map(int, pair.split("-"))) for pair in line.split()] for line in FINAL_CASE["rounds"]]
    assert [list(pairs) for pairs in FINAL_ROUNDS] == printed
    # Each player once in a round, and each pair of two blocks of three once: 66 games less 3 in each of 4 groups.
    assert all(sorted(sum(pairs, ())) == list(range(1, 13)) for pairs in printed)
    met = sorted(tuple(sorted(pair)) for pairs in printed for pair in pairs)
    assert met == [pair for pair in combinations(range(1, 13), 2) if (pair[0] - 1) // 3 != (pair[1] - 1) // 3]


@pytest.mark.parametrize("case", FINAL_CASE["finals"])
def test_the_numbers_of_the_final(case):
    names = [f"{group}{place}" for group in GROUPS for place in (1, 2, 3)]
    country = {name: country for country, own in case["countries"].items() for name in own}
    finalists = [
        Finalist(100 + index, name[0], int(name[1]), country.get(name, ""))
        for index, name in enumerate(names)
    ]
    for seed in range(2):
        numbers = final_numbers(finalists, seed)
        assert numbers == final_numbers(finalists[::-1], seed)
        drawn = [names[player - 100] for _, player in sorted(numbers.items())]
        assert [name[0] for name in drawn] == [group for group in case["blocks"] for _ in range(3)]
        for own in case["countries"]:
            theirs = {number for number, name in enumerate(drawn, start=1) if country.get(name) == own}
            if own in case.get("numbers", {}):
                assert theirs == set(case["numbers"][own])
            else:
                most = case.get("most", {}).get(own, len(theirs))
                assert max(len(theirs & pool) for pool in POOLS) == most
