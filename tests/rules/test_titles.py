"""The titles that rating systems award: those of the FMJD, and what two systems may not both claim."""

import pytest

from reporting.federations import registry
from reporting.federations.fmjd.titles import TITLES
from reporting.federations.registry import register_report_rules, report_rules
from reporting.rules.register.titles import DisciplineTitles, Title, all_titles, discipline_titles
from tests.toy_federation.report_rules import ToyReportRules


@pytest.fixture(autouse=True)
def _registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_rules", dict(registry._rules))


def register_toy(code: str, field: str) -> None:
    rules = ToyReportRules()
    of_discipline = DisciplineTitles("toy", "toy", field, "Toy title", {code: Title(code, "Toy master", 1)})
    vars(rules).update(discipline_titles=(of_discipline,), finding_codes={})
    register_report_rules(rules)


def test_the_fmjd_awards_four_titles_and_four_of_women_in_two_disciplines() -> None:
    """Annex 10 art. 5 to 9; R33: titles of 64 squares count on 64 squares only."""
    assert [title.code for title in TITLES if not title.ladder] == ["GMI", "MI", "MF", "CMF"]
    assert [title.code for title in TITLES if title.ladder == "women"] == ["GMIF", "MIF", "MFF", "CMFF"]
    assert [title.rank for title in TITLES] == [1, 2, 3, 4, 5, 6, 7, 8]
    of_fmjd = {
        (of_discipline.discipline, field)
        for field, of_discipline in discipline_titles().items()
        if of_discipline.awarded_by == "fmjd"
    }
    assert of_fmjd == {("100", "title"), ("64", "title_64")}


def test_another_system_brings_titles_and_disciplines_of_its_own() -> None:
    register_toy("TM", "title_toy")
    of_discipline = discipline_titles()["title_toy"]
    assert (of_discipline.awarded_by, of_discipline.discipline, list(of_discipline.titles)) == (
        "toy", "toy", ["TM"],
    )  # fmt: skip
    assert all_titles()["TM"].label == "Toy master"
    assert "TM" not in discipline_titles()["title"].titles


def test_two_systems_do_not_share_a_field() -> None:
    with pytest.raises(ValueError, match="the field title is of fmjd 100"):
        register_toy("TM", "title")
    register_report_rules(report_rules("fmjd"))  # the same again is the same


def test_of_equal_codes_the_name_is_that_of_the_first_awarder() -> None:
    register_toy("MI", "title_toy")
    assert all_titles()["MI"].label == "International master"
