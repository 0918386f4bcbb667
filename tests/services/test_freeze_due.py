"""The clock freezes what is due, once, in the office's zone, and leaves alone what an officer has frozen by hand."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db.models import Value
from django.db.models.functions import Now
from django.utils import timezone

from ratings.models import CalculationRun, PastQuarters, Period, PeriodReport, Pool
from ratings.production.periods import freeze_period as freezing
from ratings.production.periods.freeze_period import REASON, ensure_period, freeze_due_periods, freeze_period
from ratings.tasks import freeze_due_periods as task
from reporting.models import LogEntry
from tests.concurrency import run_concurrently

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
    PastQuarters.objects.create(
        pool=Pool.objects.get(code="fmjd-100"),
        first=APRIL,
        last=APRIL,
        reason="a test",
        confirmed_by=office.officer.user,
    )


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
    """This machine's clock may be a year ahead: what is due is asked of the database."""
    office.opening(OPENING)
    period = opened(office)
    Period.objects.update(freezes_at=Now() + Value(timedelta(minutes=1)))
    monkeypatch.setattr(timezone, "now", lambda: datetime(2090, 1, 1, tzinfo=UTC))
    assert freeze_due_periods() == []
    Period.objects.update(freezes_at=Now())
    assert freeze_due_periods() == [period]


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
    from ratings.production.periods.freeze_period import start_of

    settings.TIME_ZONE = "America/Havana"
    assert start_of(date(2026, 3, 8)).astimezone(UTC) == datetime(2026, 3, 8, 5, tzinfo=UTC)
