"""The clock freezes what is due, once, in the office's zone, and leaves alone what an officer has frozen by hand."""

from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.db.models import Value
from django.db.models.functions import Now
from django.utils import timezone

from ratings.models import CalculationRun, PastQuarters, Period, PeriodReport, Pool
from ratings.office.selectors.dashboard import office_dashboard
from ratings.office.views.periods.past_quarters import reports_of
from ratings.production.periods import freeze_period as freezing
from ratings.production.periods.freeze_period import REASON, ensure_period, freeze_due_periods, freeze_period
from ratings.queries.counted_results import reports_to_count
from ratings.queries.periods import counting_periods
from ratings.tasks import freeze_due_periods as task
from reporting.models import LogEntry
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.version_changes import refuse_changed_results
from reporting.reports.services import submit
from reporting.reports.services.review import Remark, accept_report, return_report, undo_acceptance
from reporting.web.forms import shown_digest
from tests.concurrency import run_concurrently
from tests.databases import open_results
from tests.services.report_helpers import resubmit

OPENING = "fmjd_id rating games\n11 2000 100\n12 2000 100"
GAME = ["1 1 2 2-0"]
APRIL = date(2026, 4, 1)
FAR = date(date.today().year + 1, 1, 1)  # a list that is not due for another quarter

quick = pytest.mark.django_db
whole = pytest.mark.django_db(transaction=True)


def opened(office, in_force=APRIL):
    return ensure_period(pool=Pool.objects.get(code="fmjd-100"), in_force=in_force, by=office.officer)


def confirmed(office):
    """An officer's word that April's quarter, which is past, is calculated (decision 0024)."""
    pool, quarter = Pool.objects.get(code="fmjd-100"), {"first": APRIL, "last": APRIL, "reason": "a test"}
    PastQuarters.objects.create(pool=pool, confirmed_by=office.officer.user, **quarter)


@quick
def test_the_clock_opens_freezes_says_why_and_asks_for_the_calculation(office):
    office.opening(OPENING)
    office.accept("Open", [11, 12], GAME)
    confirmed(office)
    assert task() == 1
    (period,) = Period.objects.all()
    assert (period.in_force, period.state, period.freeze_reason) == (APRIL, "frozen", REASON)
    assert period.frozen_by == office.officer.user
    assert PeriodReport.objects.get().period == period
    assert CalculationRun.objects.get().period == period
    entry = LogEntry.objects.get(action="period.freeze")
    assert (entry.reason, entry.by_command) == (REASON, True)
    # The next one waits for this one's list.
    assert task() == 0
    assert Period.objects.count() == CalculationRun.objects.count() == 1


@quick
def test_every_pool_with_a_list_has_its_next_period_and_none_is_frozen_before_its_day(office):
    office.opening(OPENING, in_force=FAR)
    office.opening(OPENING, in_force=FAR, pool="fmjd-64")
    assert freeze_due_periods() == []
    assert set(Period.objects.values_list("pool__code", "in_force", "state")) == {
        ("fmjd-100", FAR.replace(month=4), "open"), ("fmjd-64", FAR.replace(month=4), "open")
    }  # fmt: skip
    assert not CalculationRun.objects.exists()


@quick
def test_the_database_s_clock_decides(office, monkeypatch):
    """This machine's clock may be some minutes ahead: what is due is asked of the database."""
    office.opening(OPENING)
    period = opened(office)
    Period.objects.update(freezes_at=Now() + Value(timedelta(minutes=1)))
    ahead = timezone.now() + timedelta(minutes=4)
    monkeypatch.setattr(timezone, "now", lambda: ahead)
    assert freeze_due_periods() == []
    Period.objects.update(freezes_at=Now())
    assert freeze_due_periods() == [period]


@contextmanager
def database_ahead(by):
    """The database's clock jumps, for statements that ask for the time. For the owner only, and rolled back."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE SCHEMA jumped; CREATE FUNCTION jumped.statement_timestamp() RETURNS timestamptz LANGUAGE sql AS"
            f" $$ SELECT pg_catalog.statement_timestamp() + interval '{by.total_seconds()} seconds' $$;"
            " SET LOCAL search_path = jumped, pg_catalog, public"
        )
        yield
        cursor.execute("RESET search_path; DROP SCHEMA jumped CASCADE")


def named(kind):
    return [problem for problem in office_dashboard().problems if problem.kind == kind]


def whole_state():
    periods = list(Period.objects.values_list("in_force", "state"))
    return periods, CalculationRun.objects.count(), LogEntry.objects.count()


@quick
@pytest.mark.database_role("owner")
@pytest.mark.parametrize("days", [400, 1, -1, -400])
def test_a_clock_that_jumps_freezes_nothing_and_is_named(office, days, caplog):
    """A freeze too early cannot be undone; one that waits for a right clock loses nothing (decision 0106)."""
    office.opening(OPENING)
    period = opened(office)
    due = timezone.now() + timedelta(hours=12) if days > 0 else timezone.now()
    Period.objects.update(freezes_at=due, played_before=due)
    before = whole_state()
    with database_ahead(timedelta(days=days)):
        assert Pool.objects.annotate(now=Now())[0].now - timezone.now() > timedelta(days=days - 0.1)
        assert freeze_due_periods() == []
    # The dashboard, on another machine maybe, asks no clock: it shows what the scheduler found.
    (problem,) = named("clocks_differ")
    assert problem.count == pytest.approx(abs(days) * 1440, abs=1)
    assert whole_state() == before
    assert round(caplog.records[-1].seconds / 86_400) == days
    assert freeze_due_periods() == ([] if days > 0 else [period])
    assert named("clocks_differ") == []


@quick
@pytest.mark.database_role("owner")
def test_what_a_clock_set_back_lets_in_after_the_freeze_counts_in_the_next_list(office):
    """Office and database jump together, so neither shows it: what is frozen stays, and no report is lost or twice."""
    office.opening(OPENING)
    office.accept("In time", [11, 12], GAME)
    confirmed(office)
    (frozen,) = freeze_due_periods()
    with database_ahead(timedelta(minutes=-4)):  # less than is noticed
        Period.objects.update(freezes_at=Now(), played_before=Now())
        assert freeze_due_periods() == []
        late = office.accept("After", [11, 12], GAME)
    assert reports_to_count(frozen) == [late]  # of no list yet, so the next one begins with it
    assert list(PeriodReport.objects.values_list("result_set__name", flat=True)) == ["In time"]
    ((period,),) = counting_periods([late.result_set]).values()
    assert period.period.in_force == date(2026, 7, 1)


def days_late_with_the_web_ahead(office, monkeypatch, days):
    """Of a report submitted on its last day, 7 days after the last round (Annex 9 art. 4.1)."""
    office.opening(OPENING)
    last, now = timezone.localdate() - timedelta(days=7), timezone.now
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(days=days))
    report = office.submit("Last day", [11, 12], GAME, played_from=last, played_to=last, received=None)
    return report.days_late


@quick
@pytest.mark.parametrize("days", [400, 1, -1])
def test_a_web_whose_clock_jumps_takes_a_report_on_its_day_by_the_database_s(office, monkeypatch, days):
    assert days_late_with_the_web_ahead(office, monkeypatch, days) == 0


@quick
def test_twin_by_the_web_s_own_clock_a_report_in_time_is_late(office, monkeypatch):
    """The guard off: the moment of the submission is that of the process."""
    monkeypatch.setattr(submit, "Now", lambda: timezone.now())  # noqa: PLW0108 - which jumps later
    assert days_late_with_the_web_ahead(office, monkeypatch, 1) == 1


@quick
def test_a_period_frozen_by_hand_earlier_is_left_alone(office):
    office.opening(OPENING)
    freeze_period(period=opened(office), reason="the council meets on Monday", by=office.officer)
    office.accept("After", [11, 12], GAME)
    assert freeze_due_periods() == []
    period = Period.objects.get()
    assert period.freeze_reason == "the council meets on Monday"
    assert not PeriodReport.objects.exists()
    assert not CalculationRun.objects.exists()  # who froze by hand asks for the calculation by hand


SET_RESULT = "UPDATE reporting_game SET white_points = 2 - white_points, black_points = 2 - black_points"


@quick
@pytest.mark.parametrize(
    "changed", [SET_RESULT, "UPDATE reporting_game SET round = 2", "DELETE FROM reporting_game"]
)
def test_results_changed_since_the_acceptance_are_not_frozen(office, changed, caplog):
    """By SQL of the owner. Undone, returned and submitted again they are those of the file, and count."""
    office.opening(OPENING)
    period = opened(office)
    report = office.accept("Tampered", [11, 12], GAME)
    open_results()
    with connection.cursor() as cursor:
        cursor.execute(changed)
        assert cursor.rowcount > 0
    Period.objects.update(freezes_at=Now())
    with pytest.raises(DomainError, match="results of Tampered differ") as refused, transaction.atomic():
        freeze_period(period=period, reason="a test", by=office.officer)
    assert refused.value.code == "results_changed"
    assert freeze_due_periods() == []
    failed = [record for record in caplog.records if record.message == "period not frozen"]
    assert [record.levelname for record in failed] == ["ERROR"]
    (problem,) = named("results_changed")
    assert (problem.period, problem.tournament, named("not_frozen")) == (period, "Tampered", [])
    undo_acceptance(report=report, reason="results changed", by=office.officer)
    with pytest.raises(DomainError, match="The stored results of Tampered differ"):
        accept_report(report=report, by=office.officer)
    returned = return_report(report=report, remarks=[Remark("Submit it again.")], by=office.officer)
    resubmit(office, returned)
    accept_report(report=report, by=office.officer)
    assert freeze_due_periods() == [period]
    assert PeriodReport.objects.count() == 1
    assert named("results_changed") == []


@quick
def test_the_results_of_all_reports_are_compared_in_three_queries(office, django_assert_num_queries):
    office.opening(OPENING)
    reports = [office.accept(name, [11, 12], GAME) for name in ("First", "Second", "Third")]
    with django_assert_num_queries(3):
        refuse_changed_results(reports)
    open_results()
    with connection.cursor() as cursor:
        renumber = "UPDATE reporting_entry SET number = 7 WHERE number = 2 AND result_set_id = %s"
        cursor.execute(renumber, [reports[2].result_set_id])
        assert cursor.rowcount == 1
    with pytest.raises(DomainError, match="Third"):
        refuse_changed_results(reports)


@quick
def test_past_quarters_are_compared_by_their_reports_not_by_how_many(office):
    """While the page is open one acceptance is undone and another made: as many, but others are counted."""
    office.opening(OPENING)
    pool = Pool.objects.get(code="fmjd-100")
    first = office.accept("First", [11, 12], GAME)
    second = office.submit("Second", [11, 12], GAME, played_to=date(2026, 2, 20))
    (before,) = reports_of(pool, [APRIL])
    undo_acceptance(report=first, reason="x", by=office.officer)
    accept_report(report=second, by=office.officer, different_because="Another week-end")
    (after,) = reports_of(pool, [APRIL])
    assert (before.accepted, before.with_the_office) == (after.accepted, after.with_the_office) == (1, 1)
    assert shown_digest([before]) != shown_digest([after])


@quick
def test_a_pool_without_a_list_has_no_period(office):
    assert freeze_due_periods() == []
    assert not Period.objects.exists()


@whole
@pytest.mark.parametrize("already_open", [True, False])
def test_two_clocks_at_once_freeze_once(office, already_open):
    office.opening(OPENING)
    confirmed(office)
    if already_open:
        opened(office)
    outcomes = run_concurrently(*[lambda: len(freeze_due_periods())] * 4)
    assert sorted(outcomes) == [0, 0, 0, 1]
    assert Period.objects.count() == CalculationRun.objects.count() == 1
    for action in ("period.open", "period.freeze", "calculation.request"):
        assert LogEntry.objects.filter(action=action).count() == 1


@whole
def test_a_freeze_whose_calculation_can_not_be_asked_for_is_none(office, monkeypatch):
    """Both or neither: no period is left frozen with no one to calculate it."""
    office.opening(OPENING)

    def refuse(**_):
        raise ConnectionError

    opened(office)
    monkeypatch.setattr(freezing, "request_calculation", refuse)
    with pytest.raises(ConnectionError):
        freeze_due_periods()
    assert Period.objects.get().state == "open"


ZONES = [
    # In Morocco the clock goes one hour forward between the two instants, on 22 March 2026 at the end of Ramadan.
    ("Africa/Casablanca", "2026-03-16T00:00+00:00", "2026-03-22T23:00+00:00"),
    ("Pacific/Kiritimati", "2026-03-15T10:00+00:00", "2026-03-22T10:00+00:00"),
    ("Asia/Kolkata", "2026-03-15T18:30+00:00", "2026-03-22T18:30+00:00"),
    ("America/St_Johns", "2026-03-16T02:30+00:00", "2026-03-23T02:30+00:00"),
    ("Europe/Zurich", "2026-03-15T23:00+00:00", "2026-03-22T23:00+00:00"),
]


@quick
@pytest.mark.parametrize(("zone", "played_before", "freezes_at"), ZONES, ids=[zone for zone, *_ in ZONES])
def test_both_instants_are_midnights_of_the_office_s_zone(office, settings, zone, played_before, freezes_at):
    settings.TIME_ZONE = zone
    office.opening(OPENING)
    with timezone.override("Asia/Tokyo"):  # the zone of somebody's page decides nothing
        period = opened(office)
    period.refresh_from_db()
    assert period.played_before == datetime.fromisoformat(played_before)
    assert period.freezes_at == datetime.fromisoformat(freezes_at)


@quick
def test_where_midnight_is_skipped_the_day_begins_at_the_first_instant_after_it(office, settings):
    """In Cuba the clock goes from 0:00 to 1:00 on a Sunday of March, in 2026 on the 8th."""
    from ratings.queries.periods import start_of

    settings.TIME_ZONE = "America/Havana"
    assert start_of(date(2026, 3, 8)).astimezone(UTC) == datetime(2026, 3, 8, 5, tzinfo=UTC)
