"""Quarters of the past are opened by an officer's word, never by the scheduler alone (decision 0024)."""

from datetime import date

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from ratings.federations.fmjd.rules.calendar import period_of, previous_period
from ratings.federations.fmjd.rules.parameters import edition_in_force
from ratings.models import CalculationRun, PastQuarters, Period, Pool, RatingList
from ratings.production.periods.confirm_past_quarters import confirm_past_quarters
from ratings.production.periods.freeze_period import freeze_due_periods
from ratings.queries.periods import due_period, past_quarters
from reporting.models import LogEntry
from tests.services.report_helpers import refusal

OPENING = "fmjd_id rating games\n11 2000 100\n12 2000 100"
# From an opening list of 1 January 2026 on: the quarters that had closed by 20 November 2026.
JANUARY, APRIL, JULY, OCTOBER = date(2026, 1, 1), date(2026, 4, 1), date(2026, 7, 1), date(2026, 10, 1)
NOVEMBER = date(2026, 11, 20)
TODAY = timezone.localdate()
RUNNING = period_of(edition_in_force(TODAY), TODAY)
LAST = previous_period(edition_in_force(TODAY), RUNNING)
BEFORE = previous_period(edition_in_force(TODAY), LAST)
EARLIER = previous_period(edition_in_force(TODAY), BEFORE)

quick = pytest.mark.django_db
whole = pytest.mark.django_db(transaction=True)


def the_pool():
    return Pool.objects.get(code="fmjd-100")


def confirm(office, *days, **changes):
    values = {"pool": the_pool(), "in_force": days, "reason": "nothing was played", "by": office.officer}
    return confirm_past_quarters(**values | changes)


def days_of(quarters):
    return [quarter.in_force for quarter in quarters]


@quick
def test_the_quarters_of_the_past_are_those_whose_closing_date_is_over(office):
    office.opening(OPENING, in_force=JANUARY)
    due = due_period(the_pool())
    assert days_of(past_quarters(the_pool(), due, NOVEMBER)) == [APRIL, JULY, OCTOBER]
    # The closing date of April's list is 15 March: on it the quarter is still running, on the next day it is past.
    assert past_quarters(the_pool(), due, date(2026, 3, 15)) == []
    assert days_of(past_quarters(the_pool(), due, date(2026, 3, 16))) == [APRIL]


@quick
def test_the_scheduler_opens_no_quarter_of_the_past_by_itself(office):
    office.opening(OPENING, in_force=EARLIER.in_force)
    assert freeze_due_periods() == []
    assert not Period.objects.exists()
    assert not CalculationRun.objects.exists()


@quick
def test_it_opens_the_one_that_is_running_without_a_word(office):
    office.opening(OPENING, in_force=LAST.in_force)
    freeze_due_periods()
    assert Period.objects.get().in_force == RUNNING.in_force
    assert not PastQuarters.objects.exists()


@quick
def test_after_a_confirmation_the_first_is_opened_and_the_log_has_its_reason(office):
    office.opening(OPENING, in_force=EARLIER.in_force)
    confirm(office, BEFORE.in_force, LAST.in_force)
    entry = LogEntry.objects.get(action="period.confirm_past")
    assert (entry.actor, entry.reason) == (office.officer.user, "nothing was played")
    assert entry.after == {"first": str(BEFORE.in_force), "last": str(LAST.in_force), "quarters": 2}
    assert past_quarters(the_pool(), due_period(the_pool()), TODAY) == []
    # Opened and frozen in one go, for the days to report are over: a quarter lies behind it.
    assert BEFORE.freezes_on <= TODAY
    assert [freeze_due_period.in_force for freeze_due_period in freeze_due_periods()] == [BEFORE.in_force]
    assert Period.objects.get().in_force == BEFORE.in_force


@quick
def test_what_is_confirmed_is_what_the_officer_saw(office):
    office.opening(OPENING, in_force=EARLIER.in_force)
    for days in ([], [BEFORE.in_force], [LAST.in_force], [BEFORE.in_force, LAST.in_force, RUNNING.in_force]):
        assert refusal(confirm, office, *days).code == "quarters_changed"
    assert refusal(confirm, office, BEFORE.in_force, LAST.in_force, reason=" ").code == "reason_missing"
    for somebody in (office.referee, office.director, office.releaser):
        refused = refusal(confirm, office, BEFORE.in_force, LAST.in_force, by=somebody)
        assert refused.code == "forbidden"
    assert not PastQuarters.objects.exists()
    assert not Period.objects.exists()
    confirm(office, BEFORE.in_force, LAST.in_force)
    assert refusal(confirm, office, BEFORE.in_force, LAST.in_force).code == "quarters_changed"
    assert refusal(confirm, office, pool=Pool.objects.get(code="fmjd-64")).code == "no_list"


@whole
def test_each_confirmed_quarter_is_opened_once_the_list_before_it_is_published(office):
    office.opening(OPENING, in_force=EARLIER.in_force)
    confirm(office, BEFORE.in_force, LAST.in_force)
    office.run(BEFORE.in_force)
    freeze_due_periods()
    assert Period.objects.get(in_force=LAST.in_force).state in {"open", "frozen"}
    office.run(LAST.in_force)
    freeze_due_periods()
    assert Period.objects.get(in_force=RUNNING.in_force).state == "open"
    assert RatingList.objects.filter(state="published").count() == 3
    assert PastQuarters.objects.count() == 1


@whole
def test_a_command_names_the_quarter_it_opens_and_no_other(office):
    """By command the day on the line is the officer's word; the reason is next to the freeze."""
    office.opening(OPENING, in_force=EARLIER.in_force)
    office.run(BEFORE.in_force)
    assert list(Period.objects.values_list("in_force", flat=True)) == [BEFORE.in_force]
    assert LogEntry.objects.get(action="period.freeze").reason == "a test"
    assert freeze_due_periods() == []
    assert Period.objects.count() == 1


@quick
def test_a_confirmation_is_never_changed(office):
    office.opening(OPENING, in_force=EARLIER.in_force)
    confirm(office, BEFORE.in_force, LAST.in_force)
    for statement in ("UPDATE ratings_pastquarters SET reason = 'x'", "DELETE FROM ratings_pastquarters"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
