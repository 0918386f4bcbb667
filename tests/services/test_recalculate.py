"""A draft is calculated again: with a reason, by a rating officer, once however many ask at once."""

import pytest

from ratings.models import CalculationRun, Pool
from ratings.production.calculate import calculate_period
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from ratings.production.request_calculation import recalculate_period, request_calculation
from ratings.production.run_period import run_period
from reporting.models import LogEntry
from reporting.refusals.domain_error import DomainError
from tests.concurrency import run_concurrently
from tests.services.test_periods import APRIL, GAME

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("three_players_shared")]


@pytest.fixture
def period(office):
    """Frozen, with a draft."""
    office.accept("Open", [11, 12], GAME)
    period = ensure_period(pool=Pool.objects.get(code="fmjd-100"), in_force=APRIL, by=office.officer)
    freeze_period(period=period, reason="a test", by=office.officer)
    calculate_period(run=request_calculation(period=period, by=office.officer, wake_worker=False))
    period.refresh_from_db()
    return period


def refusal(**act) -> str:
    with pytest.raises(DomainError) as refused:
        recalculate_period(**act)
    return refused.value.code


def test_a_reason_is_asked_where_there_is_a_draft_and_kept_in_the_log(office, period):
    for reason in ("", "  "):
        assert refusal(period=period, reason=reason, by=office.officer) == "reason_missing"
    assert not CalculationRun.objects.filter(state="requested").exists()
    draft = period.lists.get()
    run = recalculate_period(period=period, reason=" two records were merged ", by=office.officer)
    entry = LogEntry.objects.get(action="calculation.recalculate")
    assert (entry.reason, entry.after) == ("two records were merged", {"run": run.pk})
    assert entry.before == {"list": draft.pk, "state": "calculated", "sha256": draft.sha256}
    calculate_period(run=run)
    assert [rating_list.state for rating_list in period.lists.order_by("pk")] == ["superseded", "calculated"]


def test_no_one_else_asks_for_it_and_not_of_a_list_that_is_published(office, period):
    for somebody in (office.referee, office.director, office.releaser):
        assert refusal(period=period, reason="why", by=somebody) == "forbidden"
    run_period(pool=period.pool, in_force=APRIL, by=office.officer, releaser=office.releaser, reason="a test")
    assert refusal(period=period, reason="why", by=office.officer) == "already_published"


def test_without_a_draft_no_reason_is_needed(office):
    """A calculation that was given up has left none."""
    period = ensure_period(pool=Pool.objects.get(code="fmjd-100"), in_force=APRIL, by=office.officer)
    assert refusal(period=period, reason="", by=office.officer) == "not_frozen"
    freeze_period(period=period, reason="a test", by=office.officer)
    assert recalculate_period(period=period, reason="", by=office.officer).state == "requested"
    assert not LogEntry.objects.filter(action="calculation.recalculate").exists()


def test_four_at_once_ask_for_one_calculation(office, period):
    def ask():
        return recalculate_period(period=period, reason="a name was corrected", by=office.officer).pk

    runs = run_concurrently(*[ask] * 4)
    assert len(runs) == 4
    assert len(set(runs)) == 1
    assert LogEntry.objects.filter(action="calculation.recalculate").count() == 1
