"""A published list put right: what is asked for, refused and withdrawn, and what becomes of the lists after it.

Ratings by hand: all play at 120 minutes (100 % of K), with over 30 games and under 2300, so K = 15 and
ΔR = 7.5 × (W − We) (Annex 9 art. 3.2); against an equal a win is 7.5 points, and We is 1 a game.
"""

from datetime import date

import pytest
from django.db import connection, transaction

from ratings.facts import period_facts, sources_of
from ratings.models import (
    CalculationRun,
    CarriedDifference,
    Correction,
    Period,
    PeriodReport,
    Pool,
    RatingList,
    RatingListRow,
)
from ratings.selectors.periods import reports_to_count
from ratings.services.approve_list import approve_list, open_for_approval
from ratings.services.calculate import MOST_ATTEMPTS, calculate_period, request_calculation
from ratings.services.correct_list import correct_list, corrected_reports, withdraw_correction
from ratings.services.freeze_period import ensure_period, freeze_and_calculate, freeze_period
from ratings.services.publish_list import release_list
from reporting.errors import DomainError
from reporting.models import LogEntry, Player, Report, Role, Tournament, User
from reporting.services.audit import Actor
from reporting.services.review import accept_report

APRIL, JULY, OCTOBER, JANUARY = date(2025, 4, 1), date(2025, 7, 1), date(2025, 10, 1), date(2026, 1, 1)
SPRING = {"played_from": date(2025, 2, 7), "played_to": date(2025, 2, 9)}
MAY = {"played_from": date(2025, 5, 2), "played_to": date(2025, 5, 4)}
SUMMER = {"played_from": date(2025, 8, 1), "played_to": date(2025, 8, 3)}
OPENING = "fmjd_id rating games\n" + "\n".join(f"{number} 2000 100" for number in range(11, 17))
TWO_WINS, ONE_EACH, TWO_LOSSES = (
    ["1 1 2 2-0", "2 2 1 0-2"],
    ["1 1 2 2-0", "2 2 1 2-0"],
    ["1 1 2 0-2", "2 2 1 2-0"],
)

quick = pytest.mark.django_db
whole = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own


def refusal(call, *args, **kwargs):
    with pytest.raises(DomainError) as refused:
        call(*args, **kwargs)
    return refused.value


def opened(office):
    office.opening(OPENING, in_force=date(2025, 1, 1))


def correct(office, rating_list, later="carry", **changes):
    values = {"reason": "A wrong result.", "by": office.officer} | changes
    return correct_list(rating_list=rating_list, later=later, **values)


def again(office, code, name, players, games, **facts):
    """A corrected report of a tournament, accepted."""
    return office.accept(name, players, games, corrects=f'"{code}"', **facts)


def ratings(rating_list, *numbers):
    return tuple(office_row.rating for office_row in rows(rating_list, *numbers))


def rows(rating_list, *numbers):
    found = {row.register_number: row for row in RatingListRow.objects.filter(list=rating_list)}
    return [found[number] for number in numbers]


def listed(rating_list):
    return set(RatingListRow.objects.filter(list=rating_list).values_list("register_number", flat=True))


def manifest(rating_list):
    lines = PeriodReport.objects.filter(period=rating_list.period, correction=rating_list.correction)
    return set(lines.values_list("tournament__code", "tournament__correction"))


def carried(rating_list):
    return {
        each.player.fmjd_id: (each.rating, each.games)
        for each in CarriedDifference.objects.filter(list=rating_list).select_related("player")
    }


def one_list(office):
    """The list of April with the Spring: 11 beats 12 twice, 2015 and 1985."""
    opened(office)
    report = office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    april = office.run(APRIL)
    assert ratings(april, 11, 12) == (2015, 1985)
    return april, report


# --- asking


@whole
def test_a_correction_is_asked_for_with_a_reason_by_a_rating_officer_on_the_newest_revision(office):
    april, report = one_list(office)
    opening = RatingList.objects.get(is_opening=True)
    july = office.run(JULY, publish=False)
    before = (Correction.objects.count(), CalculationRun.objects.count(), LogEntry.objects.count())
    for somebody in (office.referee, office.director, office.releaser):
        assert refusal(correct, office, april, by=somebody).code == "forbidden"
    for changes, code in (
        ({"reason": " \n"}, "reason_missing"),
        ({"later": "never"}, "choice_unknown"),
        ({"leave_out": ["2025-autumn"]}, "tournament_unknown"),
        ({"take_in": [report.pk]}, "report_unfit"),  # counted already, and not corrected
        ({"take_in": [999_999]}, "report_unfit"),
    ):
        assert refusal(correct, office, april, **changes).code == code
    assert refusal(correct, office, opening).code == "opening_list"
    assert refusal(correct, office, july).code == "not_newest"  # a draft
    assert (Correction.objects.count(), CalculationRun.objects.count(), LogEntry.objects.count()) == before

    run = correct(office, april, leave_out=["2025-spring"])  # the twin
    asked = Correction.objects.get()
    assert (asked.replaces, asked.later, asked.requested_by) == (april, "carry", office.officer.user)
    assert (run.correction, run.state, run.period.state) == (asked, "requested", "correcting")
    entry = LogEntry.objects.get(action="list.correct")
    assert (entry.reason, entry.before) == ("A wrong result.", {"revision": 1})
    assert refusal(correct, office, april).code == "wrong_state"  # it is being corrected
    revision = office.run(APRIL)
    assert (revision.revision, revision.tournaments, ratings(revision, 11, 12)) == (2, 0, (2000, 2000))
    assert refusal(correct, office, april).code == "not_newest"
    assert correct(office, revision).correction.replaces == revision


@whole
def test_one_correction_at_a_time_in_a_pool_and_nothing_after_it_is_published_meanwhile(office):
    april, _ = one_list(office)
    july = office.run(JULY)
    correct(office, april)
    assert refusal(correct, office, july).code == "correction_under_way"
    refused = refusal(office.run, OCTOBER)
    assert refused.code == "correction_under_way"
    assert "2025-04-01" in str(refused)
    # Another pool is not held up.
    office.opening(OPENING, in_force=date(2025, 1, 1), pool="fmjd-64")
    assert office.run(APRIL, pool="fmjd-64").state == "published"
    office.run(APRIL)
    assert office.run(OCTOBER).state == "published"


@whole
def test_a_report_of_another_pool_or_of_a_later_period_is_not_taken_in(office):
    april, _ = one_list(office)
    rapid = office.accept("Rapid", [11, 12], TWO_WINS, time_control='"15+0"', **SPRING)
    may = office.accept("May", [11, 12], TWO_WINS, **MAY)
    late = office.accept(
        "Late", [13, 14], TWO_WINS, received="2025-05-01", admitted_reason="the post was on strike", **SPRING
    )
    assert corrected_reports(april) == [late]
    for report in (rapid, may):
        assert refusal(correct, office, april, take_in=[report.pk]).code == "report_unfit"
    correct(office, april, take_in=[late.pk])
    revision = office.run(APRIL)
    assert manifest(revision) == {("2025-spring", 0), ("2025-late", 0)}
    assert ratings(revision, 11, 12, 13, 14) == (2015, 1985, 2015, 1985)
    july = office.run(JULY)
    assert manifest(july) == {("2025-may", 0)}  # what April counts now, July does not


# --- withdrawing


@whole
def test_a_withdrawn_correction_leaves_everything_as_it_was_and_can_be_asked_for_again(office):
    april, _ = one_list(office)
    period = april.period
    for reason, by, code in (
        ("x", office.officer, "wrong_state"),
        (" ", office.officer, "reason_missing"),
        ("x", office.referee, "forbidden"),
    ):
        assert refusal(withdraw_correction, period=period, reason=reason, by=by).code == code
    report = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    late = office.accept(
        "Late", [13, 14], TWO_WINS, received="2025-05-01", admitted_reason="the post was on strike", **SPRING
    )
    correct(office, april, take_in=[report.pk, late.pk])
    draft = office.run(APRIL, publish=False)
    waiting = request_calculation(period=period, by=office.officer)
    withdraw_correction(period=period, reason="another day", by=office.officer)
    draft.refresh_from_db()
    waiting.refresh_from_db()
    period.refresh_from_db()
    assert (draft.state, waiting.state, period.state) == ("superseded", "failed", "published")
    assert Correction.objects.get().withdrawn_at is not None
    assert refusal(calculate_period, run=waiting).code == "calculation_failed"
    assert refusal(office.run, APRIL).code == "already_published"
    # What it had taken in is as free as before: for the list again, and for the next one.
    assert set(corrected_reports(april)) == {report, late}
    correct(office, april, later="revise", take_in=[report.pk])
    revision = office.run(APRIL)
    assert (revision.revision, ratings(revision, 11, 12)) == (2, (2000, 2000))
    july = office.run(JULY)
    assert manifest(july) == {("2025-late", 0)}
    assert ratings(july, 11, 12, 13, 14) == (2000, 2000, 2015, 1985)


@whole
def test_a_follower_is_not_withdrawn(office):
    april, _ = one_list(office)
    july = office.run(JULY)
    correct(office, april, later="revise")
    office.run(APRIL)
    assert (
        refusal(withdraw_correction, period=july.period, reason="x", by=office.officer).code
        == "follows_published"
    )
    assert office.run(JULY).revision == 2


@whole
def test_a_run_given_up_can_be_asked_for_again_or_withdrawn(office):
    april, _ = one_list(office)
    run = correct(office, april)
    CalculationRun.objects.filter(pk=run.pk).update(attempts=MOST_ATTEMPTS)
    assert refusal(calculate_period, run=run).code == "calculation_failed"
    second = request_calculation(period=april.period, by=office.officer)
    assert (second.pk != run.pk, second.correction) == (True, run.correction)
    assert calculate_period(run=second).revision == 2
    withdraw_correction(period=april.period, reason="x", by=office.officer)  # the twin
    assert RatingList.objects.filter(period=april.period, revision=2).get().state == "superseded"


@whole
def test_a_follower_is_calculated_though_the_officer_who_asked_has_left(office):
    april, _ = one_list(office)
    office.run(JULY)
    leaver = User.objects.create_user("leaver@example.org", "Leaver", roles=[Role.RATING_OFFICER])
    correct(office, april, later="revise", by=Actor(leaver))
    leaver.roles = []
    leaver.save()
    assert office.run(APRIL).revision == 2
    assert office.run(JULY).revision == 2


@whole
def test_a_calculation_asked_for_and_not_begun_does_not_outlive_the_release(office):
    april, _ = one_list(office)
    correct(office, april)
    draft = open_for_approval(rating_list=office.run(APRIL, publish=False), by=office.officer)
    draft = approve_list(rating_list=draft, sha256=draft.sha256, by=office.officer)
    idle = request_calculation(period=april.period, by=office.officer)
    revision = release_list(rating_list=draft, sha256=draft.sha256, by=office.releaser)
    idle.refresh_from_db()
    assert (idle.state, idle.list) == ("failed", None)
    run = correct(office, revision, leave_out=["2025-spring"])
    assert (run.pk != idle.pk, run.correction.replaces) == (True, revision)
    assert calculate_period(run=run).revision == 3


# --- corrected reports


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


# --- carrying


@whole
def test_the_newest_list_is_corrected_and_the_next_one_simply_starts_from_it(office):
    april, _ = one_list(office)
    report = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    correct(office, april, take_in=[report.pk])
    revision = office.run(APRIL)
    july = office.run(JULY)
    assert (july.previous, carried(july), ratings(july, 11, 12)) == (revision, {}, (2000, 2000))


def two_lists(office):
    """April with the Spring, July with the May: 11 beats 12, 13 beats 14, twice each."""
    april, _ = one_list(office)
    office.accept("May", [13, 14], TWO_WINS, **MAY)
    july = office.run(JULY)
    assert ratings(july, 11, 12, 13, 14) == (2015, 1985, 2015, 1985)
    return april, july


@whole
def test_two_corrections_of_one_list_are_carried_together(office):
    """2015 → 2000 → 1985 in April: 11 loses 30 points, 12 wins them."""
    april, _july = two_lists(office)
    for games in (ONE_EACH, TWO_LOSSES):
        report = again(office, "2025-spring", "Spring", [11, 12], games, **SPRING)
        correct(office, RatingList.objects.filter(in_force=APRIL, state="published").latest("revision"),
                take_in=[report.pk])  # fmt: skip
        april = office.run(APRIL)
    assert (april.revision, ratings(april, 11, 12)) == (3, (1985, 2015))
    october = office.run(OCTOBER)
    assert carried(october) == {11: (-30, 0), 12: (30, 0)}
    assert october.carried.count() == 2
    assert ratings(october, 11, 12, 13, 14) == (1985, 2015, 2015, 1985)
    january = office.run(JANUARY)
    assert (carried(january), ratings(january, 11, 12)) == ({}, (1985, 2015))


@whole
def test_corrections_of_two_lists_are_each_carried_once_in_whatever_order(office):
    """April: 11 and 12 by −15 and +15; July, corrected before it: 13 and 14 by −15 and +15."""
    april, july = two_lists(office)
    may = again(office, "2025-may", "May", [13, 14], ONE_EACH, **MAY)
    correct(office, july, take_in=[may.pk])
    july_2 = office.run(JULY)
    spring = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    correct(office, april, take_in=[spring.pk])
    april_2 = office.run(APRIL)
    # July's third revision still rests on April's first: a carried correction moves nothing but itself.
    may_again = again(office, "2025-may", "May", [13, 14], TWO_LOSSES, **MAY)
    correct(office, july_2, take_in=[may_again.pk])
    july_3 = office.run(JULY)
    assert july_3.read_lists == july.read_lists
    assert april.pk in july_3.read_lists
    assert ratings(july_3, 11, 12, 13, 14) == (2015, 1985, 1985, 2015)
    october = office.run(OCTOBER)
    assert october.read_lists[-2:] == [april_2.pk, july_3.pk]
    # It starts from July's third revision, which has the May as it was; only April's is left to carry.
    assert carried(october) == {11: (-15, 0), 12: (15, 0)}
    assert ratings(october, 11, 12, 13, 14) == (2000, 2000, 1985, 2015)


@whole
def test_after_one_list_carried_all_later_ones_are_revised_and_it_counts_once(office):
    """April corrected and carried into October; then July is revised with all after it, then April itself."""
    april, july = two_lists(office)
    spring = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    correct(office, april, take_in=[spring.pk])
    april_2 = office.run(APRIL)
    october = office.run(OCTOBER)
    assert (carried(october), ratings(october, 11, 12)) == ({11: (-15, 0), 12: (15, 0)}, (2000, 2000))

    # From July on: July's revision starts from April's second one, so October has nothing to carry any more.
    correct(office, july, later="revise")
    july_2 = office.run(JULY)
    assert (july_2.previous, ratings(july_2, 11, 12)) == (april_2, (2000, 2000))
    october_2 = office.run(OCTOBER)
    assert (carried(october_2), ratings(october_2, 11, 12)) == ({}, (2000, 2000))

    # And from April on, put right once more: 12 won both games.
    third = again(office, "2025-spring", "Spring", [11, 12], TWO_LOSSES, **SPRING)
    correct(office, april_2, later="revise", take_in=[third.pk])
    assert [ratings(office.run(day), 11, 12) for day in (APRIL, JULY, OCTOBER, JANUARY)] == [(1985, 2015)] * 4
    assert CarriedDifference.objects.count() == 2  # October's first revision alone


@whole
def test_all_lists_revised_from_the_one_that_was_carried_over(office):
    april, _july = two_lists(office)
    spring = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    correct(office, april, take_in=[spring.pk])
    april_2 = office.run(APRIL)
    office.run(OCTOBER)
    correct(office, april_2, later="revise")
    revised = [office.run(day) for day in (APRIL, JULY, OCTOBER)]
    assert [each.revision for each in revised] == [3, 2, 2]
    assert [(carried(each), ratings(each, 11, 12)) for each in revised] == [({}, (2000, 2000))] * 3


@whole
def test_an_earlier_correction_not_carried_yet_outlives_the_revision_of_a_later_list(office):
    """April corrected, not carried yet; then October, not July, is revised: the difference is still to be carried."""
    april, _july = two_lists(office)
    october = office.run(OCTOBER)
    spring = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    correct(office, april, take_in=[spring.pk])
    office.run(APRIL)
    correct(office, october, later="revise")
    october_2 = office.run(OCTOBER)
    assert (carried(october_2), ratings(october_2, 11, 12)) == ({}, (2015, 1985))
    january = office.run(JANUARY)
    assert (carried(january), ratings(january, 11, 12)) == ({11: (-15, 0), 12: (15, 0)}, (2000, 2000))
    # A revision of the list that carried it carries it again, not twice.
    for later in ("carry", "revise"):
        correct(office, january, later=later)
        january = office.run(JANUARY)
        assert (carried(january), ratings(january, 11, 12)) == ({11: (-15, 0), 12: (15, 0)}, (2000, 2000))
    assert january.revision == 3


@whole
def test_the_carried_points_are_added_once_and_never_own_rating_of_an_event(office):
    """Own rating of the Summer is July's, 2015: 11 beats 15, also 2015, twice: 7.5 × (4 − 2) = 15.

    Start 2015 − 15 (carried) = 2000, and 15 more: 2015.
    """
    office.opening(OPENING + "\n17 2015 100", in_force=date(2025, 1, 1))
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    april = office.run(APRIL)
    office.run(JULY)
    spring = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    correct(office, april, take_in=[spring.pk])
    office.run(APRIL)
    office.accept("Summer", [11, 17], TWO_WINS, **SUMMER)
    october = office.run(OCTOBER)
    (change,) = office.changes(october, 11)
    assert (change.own_e4, change.delta_e4, change.before_e4) == (20_150_000, 150_000, 20_000_000)
    assert change.after_e4 == 20_150_000
    assert (ratings(october, 11), rows(october, 11)[0].change) == ((2015,), 0)


@whole
def test_the_facts_digest_knows_what_is_carried(office):
    april, _july = two_lists(office)
    period = ensure_period(pool=april.pool, in_force=OCTOBER, by=office.officer)
    freeze_period(period=period, reason="a test", by=office.officer)
    before = period_facts(sources_of(period, None)).digest()
    correct(office, april)  # the same reports once more: nothing differs
    office.run(APRIL)
    sources = sources_of(period, None)
    assert (len(sources.carried), period_facts(sources).digest()) == (1, before)
    spring = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    revision = RatingList.objects.get(in_force=APRIL, revision=2)
    correct(office, revision, take_in=[spring.pk])
    office.run(APRIL)
    assert period_facts(sources_of(period, None)).digest() != before


# --- who comes and who goes


@whole
def test_who_comes_by_a_correction_joins_the_next_list_and_who_goes_leaves_it(office):
    """The first report had a newcomer, 17, by mistake; it was another, 18. Two draws with 2000: 2000 (art. 3.3.2)."""
    opened(office)
    draws = ["1 1 2 1-1", "2 2 1 1-1"]
    office.accept("Spring", [11, office.newcomer("Nova", "Kometa")], draws, **SPRING)
    april = office.run(APRIL)
    july = office.run(JULY)
    assert rows(july, 17)[0].rating == 2000
    other = [11, office.newcomer("Stella", "Polaris")]
    assert refusal(again, office, "2025-spring", "Spring", other, draws, **SPRING).code == "newcomers_unclear"
    waiting = Report.objects.get(state="submitted")
    report = accept_report(report=waiting, by=office.officer, newcomers_are_others=True)
    correct(office, april, take_in=[report.pk])
    revision = office.run(APRIL)
    assert (17 in listed(revision), 18 in listed(revision)) == (False, True)
    october = office.run(OCTOBER)
    assert carried(october) == {17: (-2000, -2), 18: (2000, 2)}
    assert (17 in listed(october), 18 in listed(october)) == (False, True)
    row = rows(october, 18)[0]
    assert (row.rating, row.games, row.last_game) == (2000, 2, date(2025, 2, 9))


@whole
def test_who_went_and_played_later_can_t_be_carried_but_revised(office):
    opened(office)
    draws = ["1 1 2 1-1", "2 2 1 1-1"]
    office.accept("Spring", [11, office.newcomer("Nova", "Kometa")], draws, **SPRING)
    april = office.run(APRIL)
    office.names[17] = ("Nova", "Kometa")
    office.accept("May", [17, 12], draws, **MAY)
    office.run(JULY)
    report = again(office, "2025-spring", "Spring", [11, 13], draws, **SPRING)
    correct(office, april, take_in=[report.pk])
    assert refusal(office.run, APRIL).code == "carry_impossible"
    withdraw_correction(period=april.period, reason="he played later", by=office.officer)
    correct(office, april, later="revise", take_in=[report.pk])
    assert 17 not in listed(office.run(APRIL))
    july = office.run(JULY)
    # His two draws of the May are his first now.
    assert (rows(july, 17)[0].rating, rows(july, 17)[0].games) == (2000, 2)


@whole
def test_who_would_come_by_two_corrections_is_not_added_twice(office):
    """A newcomer whose two tournaments were reported under a wrong name: 2000 and 2000 are not 4000."""
    april, july = two_lists(office)
    draws = ["1 1 2 1-1", "2 2 1 1-1"]
    spring = again(office, "2025-spring", "Spring", [11, office.newcomer("Nova", "Kometa")], draws, **SPRING)
    office.names[17] = ("Nova", "Kometa")
    may = again(office, "2025-may", "May", [13, 17], draws, **MAY)
    correct(office, april, take_in=[spring.pk])
    office.run(APRIL)
    correct(office, july, take_in=[may.pk])
    # July is the newest list: its revision would list him, and April's difference brings him too.
    assert refusal(office.run, JULY).code == "carry_impossible"
    withdraw_correction(period=july.period, reason="he came twice", by=office.officer)
    # The way that is left: all from April on.
    correct(office, RatingList.objects.get(in_force=APRIL, revision=2), later="revise")
    office.run(APRIL)
    july_2 = office.run(JULY)
    correct(office, july_2, take_in=[may.pk])
    july_3 = office.run(JULY)
    assert (rows(july_3, 17)[0].rating, rows(july_3, 17)[0].games) == (2000, 4)
    october = office.run(OCTOBER)
    assert (carried(october), rows(october, 17)[0].rating) == ({}, 2000)


@whole
def test_who_went_by_mistake_comes_back_by_the_next_correction(office):
    opened(office)
    draws = ["1 1 2 1-1", "2 2 1 1-1"]
    first = office.accept("Spring", [11, office.newcomer("Nova", "Kometa")], draws, **SPRING)
    april = office.run(APRIL)
    office.run(JULY)
    correct(office, april, leave_out=["2025-spring"])
    correct(office, office.run(APRIL), take_in=[first.pk])
    office.run(APRIL)
    october = office.run(OCTOBER)
    assert (rows(october, 17)[0].rating, rows(october, 17)[0].games) == (2000, 2)
    assert {number for number, difference in carried(october).items() if difference != (0, 0)} == set()


# --- beside a period that is frozen already


@whole
def test_an_approved_draft_of_the_next_list_waits_and_is_calculated_again(office):
    april, _july = two_lists(office)
    draft = open_for_approval(rating_list=office.run(OCTOBER, publish=False), by=office.officer)
    draft = approve_list(rating_list=draft, sha256=draft.sha256, by=office.officer)
    release = {"rating_list": draft, "sha256": draft.sha256, "by": office.releaser}
    spring = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    correct(office, april, take_in=[spring.pk])
    assert refusal(release_list, **release).code == "correction_under_way"
    assert refusal(request_calculation, period=draft.period, by=office.officer).code == "correction_under_way"
    withdraw_correction(period=april.period, reason="not yet", by=office.officer)
    with transaction.atomic():  # the twin: withdrawn, it holds up nothing
        assert release_list(**release).state == "published"
        transaction.set_rollback(True)
    correct(office, april, take_in=[spring.pk])
    office.run(APRIL)
    assert refusal(release_list, **release).code == "predecessor_changed"
    october = office.run(OCTOBER)
    assert (carried(october), ratings(october, 11, 12)) == ({11: (-15, 0), 12: (15, 0)}, (2000, 2000))


@whole
def test_releases_and_corrections_of_a_pool_wait_for_each_other(office):
    april, _ = one_list(office)
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("SELECT 1 FROM ratings_pool WHERE id = %s FOR NO KEY UPDATE", [april.pool_id])
            with transaction.atomic(), connection.cursor() as ours:
                ours.execute("SET LOCAL lock_timeout = '200ms'")
                with pytest.raises(Exception, match="lock timeout"), transaction.atomic():
                    correct(office, april)
        other.rollback()
        assert correct(office, april).state == "requested"  # the twin
    finally:
        other.close()
    assert Period.objects.get(pk=april.period_id).state == "correcting"
    assert Report.objects.count() == Tournament.objects.count() == 1


@whole
@pytest.mark.parametrize("end", ["released", "withdrawn"])
def test_the_freeze_waits_for_no_correction_and_the_calculation_for_its_end(office, end):
    april, _july = two_lists(office)
    spring = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    correct(office, april, take_in=[spring.pk])
    office.accept("Summer", [15, 16], TWO_WINS, **SUMMER)
    period = ensure_period(pool=april.pool, in_force=OCTOBER, by=office.officer)
    assert freeze_and_calculate(period=period, reason="the clock", by=office.officer) is None
    period.refresh_from_db()
    assert (period.state, period.manifest.count(), period.runs.count()) == ("frozen", 1, 0)
    if end == "released":
        office.run(APRIL)
    else:
        withdraw_correction(period=april.period, reason="x", by=office.officer)
    run = period.runs.get()
    assert (run.state, run.correction) == ("requested", None)
    expected = (2000, 2000) if end == "released" else (2015, 1985)
    assert ratings(calculate_period(run=run), 11, 12) == expected


@whole
def test_a_draft_that_rests_on_what_was_revised_is_calculated_again_and_another_one_is_not(office):
    april, _july = two_lists(office)
    office.run(OCTOBER, publish=False)
    period = Period.objects.get(in_force=OCTOBER)
    correct(office, april)
    withdraw_correction(period=april.period, reason="x", by=office.officer)
    assert not period.runs.filter(state="requested").exists()
    correct(office, april)
    office.run(APRIL)
    assert period.runs.filter(state="requested").count() == 1
