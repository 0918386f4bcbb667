"""A report put right takes the place of the first one, in the list that counts it or the one it belongs to.

Ratings by hand: all play at 120 minutes (100 % of K), with over 30 games and under 2300, so K = 15 and
ΔR = 7.5 × (W − We) (Annex 9 art. 3.2); against an equal a win is 7.5 points, and We is 1 a game.
"""

from datetime import date

import pytest

from ratings.models import Pool
from ratings.selectors.periods import reports_to_count
from ratings.services.correct_list import corrected_reports
from ratings.services.freeze_period import ensure_period
from reporting.models import Player
from reporting.services.review import accept_report
from tests.services.correction_work import (
    APRIL,
    JANUARY,
    JULY,
    MAY,
    OCTOBER,
    ONE_EACH,
    OPENING,
    SPRING,
    TWO_LOSSES,
    TWO_WINS,
    again,
    carried,
    correct,
    manifest,
    one_list,
    opened,
    ratings,
    rows,
)
from tests.services.report_work import quick, whole


@whole
@pytest.mark.parametrize(
    ("what", "expected"),
    [
        # 7.5 × (2 − 2) = 0
        ("another result", {11: 2000, 12: 2000, 13: 2000}),
        # 60 minutes give 40 % of K (R6): 7.5 × 0.4 × (4 − 2) = 6
        ("another time control", {11: 2006, 12: 1994, 13: 2000}),
        ("another player", {11: 2015, 12: 2000, 13: 1985}),
    ],
)
def test_a_corrected_report_takes_the_place_of_the_first(office, what, expected):
    april, first = one_list(office)
    players, games, facts = {
        "another result": ([11, 12], ONE_EACH, {}),
        "another time control": ([11, 12], TWO_WINS, {"time_control": '"60+0"'}),
        "another player": ([11, 13], TWO_WINS, {}),
    }[what]
    report = again(office, "2025-spring", "Spring", players, games, **SPRING, **facts)
    assert report.corrects == first.tournament
    assert (report.tournament.code, report.tournament.correction) == ("2025-spring", 1)
    assert report.tournament.number == first.tournament.number
    assert corrected_reports(april) == [report]
    correct(office, april, take_in=[report.pk])
    revision = office.run(APRIL)
    assert manifest(revision) == {("2025-spring", 1)}
    assert dict(zip(expected, ratings(revision, *expected), strict=True)) == expected


@quick
def test_a_newcomer_of_the_first_report_is_the_same_person_in_the_corrected_one(office):
    """Both files print 0 for his FMJD-ID: he is entered once (R24)."""
    opened(office)
    nova = office.newcomer("Nova", "Tara")
    games = ["1 1 3 2-0", "2 2 3 2-0"]
    first = office.accept("Spring", [11, 12, nova], games, **SPRING)
    entered = first.tournament.entries.get(number=3).player
    people = Player.objects.count()
    second = again(office, "2025-spring", "Spring", [11, 12, nova], ["1 1 3 2-0", "2 2 3 1-1"], **SPRING)
    assert second.tournament.entries.get(number=3).player == entered
    assert Player.objects.count() == people


@quick
def test_a_code_that_nobody_accepted_is_a_finding_and_touches_no_other_report(office):
    opened(office)
    first = office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    uploaded = office.upload("Spring", [11, 12], TWO_WINS, corrects='"2025-sprong"', **SPRING)
    assert uploaded.report != first
    finding = next(each for each in uploaded.matching.findings if each.code == "corrects-unknown")
    assert (finding.severity, finding.found, finding.field) == ("error", "2025-sprong", "corrects")
    # The same once more is already there; handed in it is not.
    assert office.upload("Spring", [11, 12], TWO_WINS, corrects='"2025-sprong"', **SPRING).already_there
    submitted = office.submit("Waiting", [11, 12], TWO_WINS, **SPRING)
    unknown = office.upload("Spring", [11, 12], ONE_EACH, corrects=f'"{submitted.tournament.code}"', **SPRING)
    assert "corrects-unknown" in [each.code for each in unknown.matching.findings]
    first.refresh_from_db()
    assert first.state == "accepted"


@quick
def test_the_same_bytes_are_put_right_by_their_facts_twice(office):
    opened(office)
    first = office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    second = again(office, "2025-spring", "Spring", [11, 12], TWO_WINS, time_control='"60+0"', **SPRING)
    third = again(office, "2025-spring", "Spring", [11, 12], TWO_WINS, time_control='"70+0"', **SPRING)
    assert [each.tournament.correction for each in (first, second, third)] == [0, 1, 2]
    assert {each.corrects for each in (second, third)} == {first.tournament}
    # Each of the three, uploaded again, is the one it was.
    for report, facts in (
        (first, {}),
        (second, {"corrects": '"2025-spring"', "time_control": '"60+0"'}),
        (third, {"corrects": '"2025-spring"', "time_control": '"70+0"'}),
    ):
        uploaded = office.upload("Spring", [11, 12], TWO_WINS, **SPRING, **facts)
        assert (uploaded.already_there, uploaded.report) == (True, report)
    # A draft of such a correction is mended, not doubled.
    draft = office.upload("Spring", [11, 12], ONE_EACH, corrects='"2025-spring"', **SPRING)
    mended = office.upload(
        "Spring", [11, 12], ONE_EACH, corrects='"2025-spring"', place='"Utrecht"', **SPRING
    )
    assert (mended.report, mended.version.number) == (draft.report, 2)


@whole
def test_before_the_freeze_the_last_corrected_report_counts_and_never_both(office):
    opened(office)
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    again(office, "2025-spring", "Spring", [11, 12], TWO_LOSSES, **SPRING)
    april = office.run(APRIL)
    assert (manifest(april), ratings(april, 11, 12)) == ({("2025-spring", 2)}, (1985, 2015))
    assert manifest(office.run(JULY)) == set()


@whole
def test_a_corrected_report_that_is_only_handed_in_leaves_the_first_one_counted(office):
    opened(office)
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    office.submit("Spring", [11, 12], ONE_EACH, corrects='"2025-spring"', **SPRING)
    april = office.run(APRIL)
    assert (manifest(april), ratings(april, 11, 12)) == ({("2025-spring", 0)}, (2015, 1985))


@whole
def test_a_report_whose_days_are_put_right_counts_in_the_period_of_those(office):
    opened(office)
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    again(office, "2025-spring", "Spring", [11, 12], TWO_WINS, **MAY)
    assert manifest(office.run(APRIL)) == set()
    assert manifest(office.run(JULY)) == {("2025-spring", 1)}


@whole
def test_a_tournament_left_out_stays_out_until_it_is_taken_in_again(office):
    april, first = one_list(office)
    office.run(JULY)
    correct(office, april, leave_out=["2025-spring"])
    second = office.run(APRIL)
    assert manifest(second) == set()
    october = office.run(OCTOBER)
    # 11 lost 15 points, 12 won them back; and with them two games each, the only ones of theirs with a day.
    assert (manifest(october), carried(october)) == (set(), {11: (-15, -2), 12: (15, -2)})
    assert [(row.rating, row.games, row.last_game) for row in rows(october, 11, 12)] == [
        (2000, 100, date(2024, 12, 31))
    ] * 2
    assert corrected_reports(second) == [first]
    correct(office, second, take_in=[first.pk])
    third = office.run(APRIL)
    assert (third.revision, manifest(third), ratings(third, 11, 12)) == (
        3,
        {("2025-spring", 0)},
        (2015, 1985),
    )
    january = office.run(JANUARY)
    assert carried(january) == {11: (15, 2), 12: (-15, 2)}
    assert [(row.rating, row.games, row.last_game) for row in rows(january, 11, 12)] == [
        (2015, 102, date(2025, 2, 9)), (1985, 102, date(2025, 2, 9))
    ]  # fmt: skip


@whole
def test_a_game_that_a_correction_brings_is_the_last_one_where_it_is_later_than_all_others(office):
    """July counted a late report of January's games; the Spring of February, taken in late itself, is later."""
    opened(office)
    spring = office.submit("Spring", [11, 12], ONE_EACH, **SPRING)
    april = office.run(APRIL)
    office.accept(
        "Early", [11, 13], ONE_EACH, played_from=date(2025, 1, 3), played_to=date(2025, 1, 5),
        received="2025-05-01", admitted_reason="the post was on strike",
    )  # fmt: skip
    july = office.run(JULY)
    assert rows(july, 11)[0].last_game == date(2025, 1, 5)
    accept_report(report=spring, by=office.officer)
    correct(office, april, take_in=[spring.pk])
    office.run(APRIL)
    october = office.run(OCTOBER)
    assert (carried(october)[11], rows(october, 11)[0].last_game) == ((0, 2), date(2025, 2, 9))


@whole
def test_a_time_control_put_right_moves_a_tournament_to_the_other_list(office):
    """Too fast for the classical list after all: left out there, it counts in the next list of rapid and blitz."""
    april, _ = one_list(office)
    office.opening(OPENING, in_force=date(2025, 1, 1), pool="fmjd-100-rapidblitz")
    report = again(office, "2025-spring", "Spring", [11, 12], TWO_WINS, time_control='"15+0"', **SPRING)
    rapid = ensure_period(
        pool=Pool.objects.get(code="fmjd-100-rapidblitz"), in_force=APRIL, by=office.officer
    )
    assert corrected_reports(april) == reports_to_count(rapid) == []
    correct(office, april, leave_out=["2025-spring"])
    assert reports_to_count(rapid) == []  # it may be withdrawn yet
    office.run(APRIL)
    assert reports_to_count(rapid) == [report]
    assert manifest(office.run(APRIL, pool="fmjd-100-rapidblitz")) == {("2025-spring", 1)}
