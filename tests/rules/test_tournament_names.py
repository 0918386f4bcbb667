"""Tournaments are found by words in any spelling, and recognised in other years; places that contradict points."""

import pytest

from reporting.rules.names.tournament_names import TextSearch, series_name
from reporting.rules.points import places_with_fewer_points

TEXTS = (
    "Żywiec Open 2025 Poland POL",
    "Zywiec Open 2026 Poland POL",
    "Brunssum Open 2026 Netherlands NED NL",
)


@pytest.mark.parametrize(
    ("typed", "found", "is_similar"),
    [
        ("zywiec", {0, 1}, False),
        ("ŻYW 2026", {1}, False),
        ("nl open", {2}, False),
        ("unssum", {2}, False),  # within a word
        ("brunsum", {2}, True),  # a letter differs
        ("2027", set(), False),  # a year is never like another one
        ("open", {0, 1, 2}, False),
        ("", set(), False),
        ("x" * 81, set(), False),
    ],
)
def test_words_are_found_as_typed_and_else_in_another_spelling(typed, found, is_similar):
    assert TextSearch(TEXTS).find(typed) == (found, is_similar)


@pytest.mark.parametrize(
    "name",
    [
        "37th Harbour Open 2026", "XXXVIII Harbour Open", "Harbour Open, 39th edition", "2. Harbour Open",
        "1er HARBOUR open 1999", "Hárbour Open LXI", "harbour-open 2030",
    ],
)  # fmt: skip
def test_years_and_ordinals_are_no_part_of_the_name(name):
    assert series_name(name) == "harbour open"


def test_other_words_are_part_of_the_name():
    assert series_name("Li Memorial") == "li memorial"
    assert series_name("Harbour Open Women") != series_name("Harbour Open")
    assert series_name("2026") == ""


def test_a_place_contradicts_the_points_where_a_later_one_has_more():
    # Place 2 has 5, place 3 has 6 and place 4 has 5; place 5 shares nothing and has 7.
    assert places_with_fewer_points([(1, 8), (2, 5), (3, 6), (4, 5), (5, 7)]) == {2: 3, 3: 5, 4: 5}
    assert places_with_fewer_points([(1, 8), (2, 6), (2, 6), (4, 6)]) == {}
    assert places_with_fewer_points([]) == {}
