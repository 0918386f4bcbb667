"""A published list put right: what is asked for, refused and withdrawn, and what waits for it in the next period.

Ratings by hand: all play at 120 minutes (100 % of K), with over 30 games and under 2300, so K = 15 and
ΔR = 7.5 × (W − We) (Annex 9 art. 3.2); against an equal a win is 7.5 points, and We is 1 a game.
"""

from datetime import date
from unittest.mock import patch

import pytest
from django.db import connection, transaction

from ratings.models import CalculationRun, Correction, Period, RatingList
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.calculate import MAX_ATTEMPTS, calculate_period
from ratings.production.correct_list import withdraw_correction
from ratings.production.periods.freeze_period import ensure_period, freeze_and_calculate
from ratings.production.publish_list import publish_list
from ratings.production.request_calculation import request_calculation
from ratings.queries.counted_results import reports_to_include
from reporting.log.acting_person import acting_as
from reporting.log.audit import Actor
from reporting.models import LogEntry, Report, ResultSet, Role, User
from tests.databases import point_connections_at
from tests.people import create_user, give_roles
from tests.services.correction_helpers import (
    APRIL,
    JULY,
    MAY,
    OCTOBER,
    ONE_EACH,
    OPENING,
    SPRING,
    SUMMER,
    TWO_WINS,
    again,
    carried,
    correct,
    correct_spring,
    manifest,
    ratings,
)
from tests.services.report_helpers import refusal, whole
from titles.norms.selectors import waiting_for_council

LATE = {"received": "2025-05-01", "admitted_reason": "the post was on strike"}

# --- asking


@whole
def test_a_correction_is_asked_for_with_a_reason_by_an_officer_on_the_newest_revision(office, april_list):
    april, report = april_list
    opening = RatingList.objects.get(is_opening=True)
    july = office.run(JULY, publish=False)
    before = (Correction.objects.count(), CalculationRun.objects.count(), LogEntry.objects.count())
    for somebody in (office.referee, office.director, office.releaser):
        assert refusal(correct, office, april, by=somebody).code == "forbidden"
    for changes, code in (
        ({"reason": " \n"}, "reason_missing"),
        ({"later": "never"}, "choice_unknown"),
        ({"excluded_tournaments": ["2025-autumn"]}, "tournament_unknown"),
        ({"included_reports": [report.pk]}, "report_unfit"),  # counted already, and not corrected
        ({"included_reports": [999_999]}, "report_unfit"),
    ):
        assert refusal(correct, office, april, **changes).code == code
    assert refusal(correct, office, opening).code == "opening_list"
    assert refusal(correct, office, july).code == "not_newest"  # a draft
    assert (Correction.objects.count(), CalculationRun.objects.count(), LogEntry.objects.count()) == before

    run = correct(office, april, excluded_tournaments=["2025-spring"])  # the twin
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
def test_one_correction_at_a_time_in_a_pool_and_nothing_after_it_is_published_meanwhile(office, april_list):
    april, _ = april_list
    july = office.run(JULY)
    correct(office, april)
    assert refusal(correct, office, july).code == "correction_under_way"
    refused = refusal(office.run, OCTOBER)
    assert refused.code == "correction_under_way"
    assert "1 Apr 2025" in str(refused)
    # Another pool is not held up.
    office.opening(OPENING, in_force=date(2025, 1, 1), pool="fmjd-64")
    assert office.run(APRIL, pool="fmjd-64").state == "published"
    office.run(APRIL)
    assert office.run(OCTOBER).state == "published"


@whole
def test_a_report_of_another_pool_or_of_a_later_period_is_not_taken_in(office, april_list):
    april, _ = april_list
    rapid = office.accept("Rapid", [11, 12], TWO_WINS, time_control='"15+0"', **SPRING)
    may = office.accept("May", [11, 12], TWO_WINS, **MAY)
    late = office.accept("Late", [13, 14], TWO_WINS, **LATE, **SPRING)
    assert reports_to_include(april) == [late]
    for report in (rapid, may):
        assert refusal(correct, office, april, included_reports=[report.pk]).code == "report_unfit"
    correct(office, april, included_reports=[late.pk])
    revision = office.run(APRIL)
    assert manifest(revision) == {("2025-spring", 0), ("2025-late", 0)}
    assert ratings(revision, 11, 12, 13, 14) == (2015, 1985, 2015, 1985)
    july = office.run(JULY)
    assert manifest(july) == {("2025-may", 0)}  # what April counts now, July does not


@whole
def test_the_title_council_waits_for_a_tournament_until_a_published_list_counts_it(office, april_list):
    """Also where its period has a published list: the correction that includes it is not published yet."""
    april, _ = april_list
    late = office.accept("Late", [13, 14], TWO_WINS, **LATE, **SPRING)

    def waiting():
        with patch("titles.norms.selectors._may_bring_norms", return_value=True):  # in two rounds
            return [state.tournament.code for state in waiting_for_council()]

    assert waiting() == ["2025-late"]
    correct(office, april, included_reports=[late.pk])
    assert waiting() == ["2025-late"]
    office.run(APRIL)
    assert waiting() == []


# --- withdrawing


@whole
def test_a_withdrawn_correction_leaves_everything_as_it_was_and_can_be_asked_for_again(office, april_list):
    april, _ = april_list
    period = april.period
    for reason, by, code in (
        ("x", office.officer, "wrong_state"),
        (" ", office.officer, "reason_missing"),
        ("x", office.referee, "forbidden"),
    ):
        assert refusal(withdraw_correction, period=period, reason=reason, by=by).code == code
    report = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    late = office.accept("Late", [13, 14], TWO_WINS, **LATE, **SPRING)
    correct(office, april, included_reports=[report.pk, late.pk])
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
    assert set(reports_to_include(april)) == {report, late}
    correct(office, april, later="revise", included_reports=[report.pk])
    revision = office.run(APRIL)
    assert (revision.revision, ratings(revision, 11, 12)) == (2, (2000, 2000))
    july = office.run(JULY)
    assert manifest(july) == {("2025-late", 0)}
    assert ratings(july, 11, 12, 13, 14) == (2000, 2000, 2015, 1985)


@whole
def test_a_follower_is_not_withdrawn(office, april_list):
    april, _ = april_list
    july = office.run(JULY)
    correct(office, april, later="revise")
    office.run(APRIL)
    refused = refusal(withdraw_correction, period=july.period, reason="x", by=office.officer)
    assert refused.code == "follows_published"
    assert office.run(JULY).revision == 2


@whole
def test_a_run_given_up_can_be_asked_for_again_or_withdrawn(office, april_list):
    april, _ = april_list
    run = correct(office, april)
    CalculationRun.objects.filter(pk=run.pk).update(attempts=MAX_ATTEMPTS)
    assert refusal(calculate_period, run=run).code == "calculation_failed"
    second = request_calculation(period=april.period, by=office.officer)
    assert (second.pk != run.pk, second.correction) == (True, run.correction)
    assert calculate_period(run=second).revision == 2
    withdraw_correction(period=april.period, reason="x", by=office.officer)  # the twin
    assert RatingList.objects.filter(period=april.period, revision=2).get().state == "superseded"


@whole
def test_a_follower_is_calculated_though_the_officer_who_asked_has_left(office, april_list):
    april, _ = april_list
    office.run(JULY)
    leaver = create_user("leaver@example.org", "Leaver", roles=[Role.RATING_OFFICER])
    correct(office, april, later="revise", by=Actor(leaver))
    give_roles(leaver)
    assert office.run(APRIL).revision == 2
    assert office.run(JULY).revision == 2


@whole
@pytest.mark.parametrize("asks", ["open", "closed", "command", "without the role"])
def test_a_publication_on_the_web_begins_the_follower_in_the_name_of_who_asked(office, april_list, asks):
    """The web writes nothing for a closed account, one without its role or a command: then for the publisher."""
    april, _ = april_list
    office.run(JULY)
    ruth = create_user("ruth@example.org", "Ruth", roles=[Role.RATING_OFFICER])
    rene = create_user("rene@example.org", "Rene", roles=[Role.RELEASING_OFFICER])
    correct(office, april, later="revise", by=office.officer if asks == "command" else Actor(ruth))
    draft = office.run(APRIL, publish=False)
    draft = open_for_approval(rating_list=draft, by=office.officer)
    approve_list(rating_list=draft, sha256=draft.sha256, by=office.officer)
    User.objects.filter(pk=ruth.pk).update(is_active=asks != "closed")
    if asks == "without the role":
        give_roles(ruth, Role.REFEREE)
    point_connections_at(USER="app_web")
    with acting_as(rene):  # as in their request
        publish_list(rating_list=draft, sha256=draft.sha256, by=Actor(rene))
    follower = Correction.objects.get(follows__isnull=False)
    entry = LogEntry.objects.filter(action="list.correct").latest("pk")
    expected = ruth if asks == "open" else rene
    assert (follower.requested_by, entry.actor, entry.by_command) == (expected, expected, False)
    assert CalculationRun.objects.get(correction=follower).requested_by == expected
    subject = entry.subject.replace(str(JULY), str(APRIL))
    assert LogEntry.objects.get(action="list.publish", actor=rene).subject == subject


@whole
def test_no_draft_is_signed_that_is_being_calculated_again(office, april_list):
    april, _ = april_list
    correct(office, april)
    draft = open_for_approval(rating_list=office.run(APRIL, publish=False), by=office.officer)
    signing = {"rating_list": draft, "sha256": draft.sha256}
    run = request_calculation(period=april.period, by=office.officer)
    assert refusal(approve_list, **signing, by=office.officer).code == "calculation_waiting"
    draft = open_for_approval(rating_list=calculate_period(run=run), by=office.officer)
    signing = {"rating_list": draft, "sha256": draft.sha256}
    approve_list(**signing, by=office.officer)
    run = request_calculation(period=april.period, by=office.officer)
    assert refusal(publish_list, **signing, by=office.releaser).code == "calculation_waiting"
    # The twin: of a calculation that is given up the draft before is as good as it was.
    CalculationRun.objects.filter(pk=run.pk).update(attempts=MAX_ATTEMPTS)
    assert refusal(calculate_period, run=run).code == "calculation_failed"
    revision = publish_list(**signing, by=office.releaser)
    assert calculate_period(run=correct(office, revision, excluded_tournaments=["2025-spring"])).revision == 3


# --- next to a period that is frozen already


@whole
def test_an_approved_draft_of_the_next_list_waits_and_is_calculated_again(office, july_list):
    april, _july = july_list
    draft = open_for_approval(rating_list=office.run(OCTOBER, publish=False), by=office.officer)
    draft = approve_list(rating_list=draft, sha256=draft.sha256, by=office.officer)
    release = {"rating_list": draft, "sha256": draft.sha256, "by": office.releaser}
    spring = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    correct(office, april, included_reports=[spring.pk])
    assert refusal(publish_list, **release).code == "correction_under_way"
    assert refusal(request_calculation, period=draft.period, by=office.officer).code == "correction_under_way"
    withdraw_correction(period=april.period, reason="not yet", by=office.officer)
    with transaction.atomic():  # the twin: withdrawn, it holds up nothing
        assert publish_list(**release).state == "published"
        transaction.set_rollback(True)
    correct(office, april, included_reports=[spring.pk])
    office.run(APRIL)
    assert refusal(publish_list, **release).code == "calculation_waiting"
    waiting = CalculationRun.objects.filter(period=draft.period, state="requested")
    waiting.update(state="failed", error="a test")
    assert refusal(publish_list, **release).code == "predecessor_changed"
    october = office.run(OCTOBER)
    assert (carried(october), ratings(october, 11, 12)) == ({11: (-15, 0), 12: (15, 0)}, (2000, 2000))


@whole
def test_releases_and_corrections_of_a_pool_wait_for_each_other(office, april_list):
    april, _ = april_list
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
    assert Report.objects.count() == ResultSet.objects.count() == 1


@whole
@pytest.mark.parametrize("end", ["released", "withdrawn"])
def test_the_freeze_waits_for_no_correction_and_the_calculation_for_its_end(office, july_list, end):
    april, _july = july_list
    correct_spring(office, april)
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
def test_a_draft_that_rests_on_what_was_revised_is_calculated_again_and_another_one_is_not(office, july_list):
    april, _july = july_list
    office.run(OCTOBER, publish=False)
    period = Period.objects.get(in_force=OCTOBER)
    correct(office, april)
    withdraw_correction(period=april.period, reason="x", by=office.officer)
    assert not period.runs.filter(state="requested").exists()
    correct(office, april)
    office.run(APRIL)
    assert period.runs.filter(state="requested").count() == 1
