"""The titles that rating systems award: those of the FMJD, and what two systems may not both claim."""

import pytest

from ratings.federations.fmjd.titles import SECTIONS, TITLES
from reporting.rules.register import titles
from reporting.rules.register.titles import Title, all_titles, register_titles, title_sections


@pytest.fixture(autouse=True)
def _registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(titles, "_sections", dict(titles._sections))


def test_the_fmjd_awards_four_titles_and_four_of_women_in_two_sections() -> None:
    """Annex 10 art. 5 to 9; R33: titles of 64 squares count on 64 squares only."""
    assert [title.code for title in TITLES if not title.is_womens] == ["GMI", "MI", "MF", "CMF"]
    assert [title.code for title in TITLES if title.is_womens] == ["GMIF", "MIF", "MFF", "CMFF"]
    assert [title.rank for title in TITLES] == [1, 2, 3, 4, 5, 6, 7, 8]
    of_fmjd = {
        (section.section, field)
        for field, section in title_sections().items()
        if section.awarded_by == "fmjd"
    }
    assert of_fmjd == {("100", "title"), ("64", "title_64")}


def test_another_system_brings_titles_and_sections_of_its_own() -> None:
    register_titles("toy", [Title("TM", "Toy master", 1)], {"toy": ("title_toy", "Toy title")})
    section = title_sections()["title_toy"]
    assert (section.awarded_by, section.section, list(section.titles)) == ("toy", "toy", ["TM"])
    assert all_titles()["TM"].label == "Toy master"
    assert "TM" not in title_sections()["title"].titles


def test_two_systems_do_not_share_a_field() -> None:
    with pytest.raises(ValueError, match="the field title is of fmjd 100"):
        register_titles("toy", [Title("TM", "Toy master", 1)], {"toy": ("title", "Toy title")})
    register_titles("fmjd", TITLES, SECTIONS)  # the same again is the same


def test_of_equal_codes_the_name_is_that_of_the_first_awarder() -> None:
    register_titles("toy", [Title("MI", "Toy master", 1)], {"toy": ("title_toy", "Toy title")})
    assert all_titles()["MI"].label == "International master"
