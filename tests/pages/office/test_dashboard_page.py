"""The dashboard: what is waiting agrees with the inbox and the period status; each problem is shown once."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from ratings.models import CalculationRun, Period, Pool
from ratings.office.selectors.dashboard import office_dashboard
from ratings.office.selectors.period_status import period_status_of
from ratings.office.selectors.periods_in_work import ExclusionReason
from ratings.production.answer_anomaly import answer_anomaly
from ratings.production.periods.freeze_period import freeze_and_calculate, freeze_due_periods
from ratings.publishing.list_norms import list_norms
from ratings.tasks import look_for_work
from ratings.worker import heartbeat
from reporting.accounts.services.accounts import invite
from reporting.log.audit import Actor, acting_worker
from reporting.models import (
    CorrectionRequest,
    Invitation,
    LogEntry,
    Message,
    Player,
    Report,
    Role,
    Tournament,
    User,
)
from reporting.reports.selectors.inbox import waiting_report_count
from tests.pages.office.office_pages import PAGE, person, text_of
from tests.people import client_of

pytestmark = pytest.mark.django_db(transaction=True)

NORMAL = "All systems normal: worker and scheduler are running, mail and calculations are on time."


@pytest.fixture(autouse=True)
def _heard(season: None) -> Iterator[None]:
    """The worker looks for work, as the clock rings it; what the demonstration wrote has been mailed."""
    freeze_due_periods()
    look_for_work()
    Message.objects.filter(sent_at=None).update(sent_at=timezone.now())
    yield
    cache.delete_many([heartbeat.KEY, heartbeat.SCHEDULING])


@pytest.fixture
def period() -> Period:
    return Period.objects.get(pool__code="fmjd-100", in_force="2027-01-01")


def dashboard_text(user: User) -> str:
    return text_of(client_of(user).get("/office/"))


def problems() -> list[str]:
    return [problem.kind.value for problem in office_dashboard().problems]


# --- what waits


def test_the_figures_of_the_dashboard_agree_with_the_inbox_and_the_periods(period: Period) -> None:
    """One report returned, one admitted to be late; each list still open against its own period_status."""
    waiting = [line.report for line in period_status_of(period).waiting if line.report]
    returned = waiting[0]
    Report.objects.filter(pk=returned.pk).update(state="returned")
    late = Report.objects.filter(state="submitted").order_by("-pk")[0]
    Report.objects.filter(pk=late.pk).update(received_on=late.result_set.played_to + timedelta(days=8))
    dashboard = office_dashboard()
    assert dashboard.waiting.reports == waiting_report_count() >= 1
    assert (dashboard.waiting.late, dashboard.waiting.with_referees) == (1, 1)
    assert dashboard.waiting.overdue == Tournament.objects.announced().filter(reports=None).count() == 0
    lines = [line for pool in dashboard.pools for line in pool.open_periods]
    assert [line.overview.period for line in lines] == [period]
    period_status = period_status_of(period)
    (hand,) = (line.open_reports for line in lines)
    assert hand.accepted == len(period_status.counted) == 2
    assert hand.with_the_office == period_status.with_the_office
    assert hand.with_the_referee == period_status.with_the_referee
    assert hand.late == sum(line.is_pending and line.days_late > 0 for line in period_status.lines)
    reasons = [line.reason for line in period_status.lines if line.report == returned]
    assert reasons == [ExclusionReason.RETURNED]


def test_every_figure_leads_to_its_lines_for_those_who_see_the_inbox(officer: User) -> None:
    page = client_of(officer).get("/office/").content.decode()
    assert 'href="/office/reports/?state=office"' in page
    releaser = client_of(person("Rolf", Role.RELEASING_OFFICER)).get("/office/").content.decode()
    assert "Reports to review" in releaser
    assert "/office/reports/" not in releaser


def test_an_open_list_leads_to_its_preview_and_a_draft_to_its_changes(period: Period, officer: User) -> None:
    assert "Reports: 2 accepted," in dashboard_text(officer)
    assert f"{PAGE}preview/" in client_of(officer).get("/office/").content.decode()
    freeze_and_calculate(period=period, reason="a test", by=Actor(officer))
    look_for_work()
    draft = period.lists.get(state="ready")
    page = client_of(officer).get("/office/")
    assert f"{draft.anomalies.count()} anomalies need an answer" in text_of(page)
    for anomaly in draft.anomalies.all():
        answer_anomaly(anomaly=anomaly, text="Checked.", by=Actor(officer))
    waiting = list_norms().undecided(draft)
    assert waiting > 1
    answered = "All anomalies are answered."
    assert f"{answered} {waiting} norms wait for the title council." in dashboard_text(officer)
    list_norms().confirm(draft, "a test", acting_worker())
    assert f"{answered} A rating officer can approve." in dashboard_text(officer)
    assert f"{PAGE}differences/" in page.content.decode()


def test_requests_of_the_public_are_counted_until_they_are_answered(officer: User) -> None:
    for place, state in enumerate(("open", "taken", "asked", "answered")):
        CorrectionRequest.objects.create(
            figure="rating", reference=f"rating {place}", player=Player.objects.first(), pool="fmjd-100",
            published_values={"rating": 2300}, error_description="It is 2310.",
            name="Vera", email="vera@example.org", state=state,
            taken_by=None if state == "open" else officer,
            answered_at=timezone.now() if state == "answered" else None,
        )  # fmt: skip
    # The one asked waits for its sender, the answered one for no one.
    assert office_dashboard().waiting.requests == 2
    assert "Public requests 2 to be answered" in dashboard_text(officer)


# --- what is wrong


def test_the_dashboard_says_when_all_systems_are_normal(officer: User) -> None:
    assert problems() == []
    assert NORMAL in dashboard_text(officer)


def test_a_worker_without_a_heartbeat_for_two_minutes_is_a_problem(officer: User) -> None:
    now = timezone.now()
    cache.set(heartbeat.KEY, now - timedelta(seconds=110))
    assert problems() == []
    cache.set(heartbeat.KEY, now - timedelta(seconds=130))
    assert problems() == ["no_worker_heartbeat"]
    assert "Last heartbeat:" in dashboard_text(officer)
    cache.delete(heartbeat.KEY)
    assert "No heartbeat since the cache was emptied" in dashboard_text(officer)
    look_for_work()
    assert problems() == []


@pytest.mark.parametrize(("action", "problem", "words"), [
    ("backup.write", "no_backup", "The machine’s scheduler writes one every night."),
    ("published.verify", "not_verified", "The worker verifies them every night."),
])  # fmt: skip
def test_a_night_without_a_backup_or_a_verification_is_a_problem(
    officer: User, settings: LazySettings, action: str, problem: str, words: str
) -> None:
    """For longer than 26 hours: a minute too long, then a minute less. A demonstration does not run at night."""

    def succeeded(minutes: int) -> None:
        at = timezone.now() - timedelta(minutes=minutes)
        LogEntry.objects.create(actor=officer, action=action, subject="a test", at=at)

    succeeded(26 * 60 + 1)
    assert problems() == []
    settings.DEMO = False
    assert problems() == [problem]
    assert words in dashboard_text(officer)
    succeeded(26 * 60 - 1)
    assert problems() == []


def test_a_calculation_that_failed_or_has_not_begun_is_named(period: Period, officer: User) -> None:
    run = freeze_and_calculate(period=period, reason="a test", by=Actor(officer))
    assert run is not None
    assert problems() == []  # asked for a moment ago
    runs = CalculationRun.objects.filter(pk=run.pk)
    runs.update(requested_at=timezone.now() - timedelta(minutes=3))
    assert problems() == ["run_not_started"]
    runs.update(attempts=1)
    assert problems() == []  # the worker is on it
    runs.update(state="failed", attempts=5, finished_at=timezone.now(), error="Given up")
    assert problems() == ["run_failed"]
    assert "A calculation failed" in dashboard_text(officer)


def test_a_due_period_that_the_scheduler_left_open_is_named(period: Period, officer: User) -> None:
    past = timezone.now() - timedelta(minutes=3)
    Period.objects.filter(pk=period.pk).update(played_before=past, freezes_at=past)
    assert problems() == ["not_frozen"]
    assert "The scheduler has not frozen a due period" in dashboard_text(officer)


def test_what_the_scheduler_says_prevents_a_freeze_is_named_instead(period: Period, officer: User) -> None:
    past = timezone.now() - timedelta(minutes=3)
    Period.objects.filter(pk=period.pk).update(played_before=past, freezes_at=past)
    heartbeat.record_scheduling(heartbeat.Scheduling(timedelta(minutes=-7), {period.pk: "Tampered Open"}))
    assert problems() == ["results_changed", "clocks_differ"]
    page = dashboard_text(officer)
    assert "The stored results of Tampered Open differ from the accepted version." in page
    assert "They are 7 minutes apart." in page


def test_mail_that_fails_and_mail_that_waits_are_distinguished(officer: User) -> None:
    message = Message.objects.create(
        kind="list_published", recipient=officer, about="/lists/", title="Published", text="It is."
    )
    messages = Message.objects.filter(pk=message.pk)
    assert problems() == []
    messages.update(attempts=2)
    assert problems() == ["mail_failed"]
    assert "1 message, written" in dashboard_text(officer)
    messages.update(sent_at=timezone.now())
    assert problems() == []


def test_an_invitation_that_lapsed_is_shown_until_it_is_sent_again(officer: User) -> None:
    invitation = invite(
        email="r@example.org", name="Rina", role=Role.REFEREE, federation="NED", by=Actor(officer)
    )
    Message.objects.filter(sent_at=None).update(sent_at=timezone.now())
    assert problems() == []
    Invitation.objects.filter(pk=invitation.pk).update(sent_at=timezone.now() - timedelta(days=8))
    assert problems() == ["invitations_expired"]
    assert "1 invitation was not accepted within seven days" in dashboard_text(officer)


def test_a_pool_without_periods_has_no_open_periods() -> None:
    assert Pool.objects.count() == 8
    assert [len(pool.open_periods) for pool in office_dashboard().pools] == [1, *[0] * 7]
    assert Client().get("/office/").status_code == 302
