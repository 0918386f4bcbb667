"""A quarter in the browser: frozen by an officer, calculated, anomalies answered, signed by two persons, published.

With script; without it in tests/pages/office/test_quarter_story.py. How its pages look: layout/test_office_layout.py.
"""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from playwright.sync_api import expect

from ratings.federations.fmjd.system import FmjdSystem
from ratings.models import Period, Pool, RatingList
from ratings.production.periods.freeze_period import freeze_due_periods
from ratings.publishing.list_norms import list_norms
from ratings.worker.progress import Progress
from reporting.log.audit import Actor
from reporting.models import LogEntry, Report, Role, User
from tests.databases import as_worker, work_as_worker
from tests.editions import K_20
from tests.people import create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season", "demonstration"),
]

PAGE = "/office/lists/fmjd-100/2027-01-01/"
PUBLISHED = "/office/lists/fmjd-100/2026-10-01/"
REASON = "The congress meets before the scheduler runs."


@pytest.fixture
def officer() -> User:
    return create_user("olga@example.org", "Olga Officer", roles=[Role.RATING_OFFICER])


@pytest.fixture
def releaser() -> User:
    return create_user("rolf@example.org", "Rolf Releaser", roles=[Role.RELEASING_OFFICER])


@pytest.fixture
def opened() -> Period:
    """The scheduler has opened the period of the next list; one of its reports is returned."""
    with as_worker():
        freeze_due_periods()
        report = Report.objects.filter(state="submitted").first()
        Report.objects.filter(pk=report.pk).update(state="returned")
    return Period.objects.get(pool=Pool.objects.get(code="fmjd-100"), in_force=date(2027, 1, 1))


def freeze_period(page: Any) -> None:
    """From the dashboard to the frozen period."""
    page.get_by_role("link", name="List of 1 Jan 2027").click()
    expect(page.get_by_role("heading", name="Tournaments of this list")).to_be_visible()
    page.get_by_role("link", name="Calculate preview").click()
    expect(page.get_by_text("It is not stored and not signed")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Freeze period …").click()
    page.get_by_role("button", name="Freeze period").click()
    page.get_by_label("Reason").fill(REASON)
    page.get_by_label("I have seen").check()
    page.get_by_role("button", name="Freeze period").click()
    expect(page.get_by_text("Frozen with 2 reports.")).to_be_visible()


def confirm_norms(draft: RatingList) -> None:
    command = Actor(User.objects.get(email="officer@office.invalid"), by_command=True)
    list_norms().confirm(draft, "command.run_period", command)


def sign(page: Any, act: str) -> None:
    """From the draft to the page that shows what is signed."""
    page.get_by_role("link", name=act).click()
    page.get_by_role("button", name=act).click()


def answer_all_with_script(page: Any, count: int) -> None:
    """One answer that is refused, then one to each anomaly; the page is never reloaded."""
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    open_anomalies = page.locator("section.callout--warn")
    first = open_anomalies.first
    first.get_by_role("button", name="Save answer").click()  # the browser itself asks for words
    expect(open_anomalies).to_have_count(count)
    first.get_by_label("Answer, stored in the audit log").evaluate(
        "field => field.removeAttribute('required')"
    )
    first.get_by_role("button", name="Save answer").click()
    expect(first.get_by_role("alert")).to_have_text("Fill this in.")
    for rest in range(count - 1, -1, -1):
        open_anomalies.first.get_by_label("Answer, stored in the audit log").fill(f"Checked, {rest} to go.")
        open_anomalies.first.get_by_role("button", name="Save answer").click()
        expect(open_anomalies).to_have_count(rest)
    assert not loads, "htmx takes the answers into the page"
    expect(page.locator("#open-anomalies")).to_have_text(f"all {count} answered")
    expect(page.locator("#open-anomalies-figure")).to_have_text("0 open")


def test_a_quarter_with_script(
    window: Callable[..., Any],
    officer: User,
    releaser: User,
    opened: Period,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(FmjdSystem, "editions", (*FmjdSystem.editions, K_20))
    page = window(officer)
    page.goto("/office/")
    freeze_period(page)
    expect(page.get_by_text("Waiting for the worker", exact=True)).to_be_visible()
    with as_worker():
        progress = Progress(opened.runs.get())
    progress.begin("read")
    progress.add_rows(4321)
    progress.end()
    progress.begin("calculate", of=640)
    progress.add_rows(160)
    expect(page.get_by_text("160 of 640 rows")).to_be_visible()
    assert page.get_by_text("4321 rows").is_visible()
    region = page.locator("#status").element_handle()
    work_as_worker()
    expect(page.get_by_role("heading", name="Biggest movers")).to_be_visible()
    assert region.text_content() == "The calculation is finished.", "the region stays, its text changes"
    expect(page.locator("body")).to_match_aria_snapshot("- status: The calculation is finished.")

    draft = RatingList.objects.get(period=opened, state="ready")
    count = draft.anomalies.count()
    assert count >= 2
    expect(page.get_by_role("button", name="Approve list")).to_be_disabled()
    expect(page.locator("#why-approve")).to_have_text(f"{count} anomalies have no answer yet.")
    answer_all_with_script(page, count)
    # The title council's own pages: tests/browser/layout/test_title_story.py, tests/pages/office/test_quarter_story.py.
    with as_worker():
        confirm_norms(draft)
    page.goto(PAGE)
    sign(page, "Approve list")
    expect(page.get_by_text("Approved. Another person publishes the list.")).to_be_visible()
    expect(page.get_by_role("button", name="Publish list")).to_be_disabled()

    work_as_worker()  # the norms that were confirmed are in the files

    other = window(releaser)
    other.goto("/office/")
    other.get_by_role("link", name="List of 1 Jan 2027").click()
    sign(other, "Publish list")
    expect(other.get_by_text("Published: the list of")).to_be_visible()
    other.get_by_role("link", name="Revision 1").click()
    assert other.url.endswith("/lists/fmjd-100/2027-01-01/r1/")
    expect(other.locator(".title-block")).to_contain_text("Approved by Olga Officer")
    expect(other.locator(".title-block")).to_contain_text("Published by Rolf Releaser")
    # The browser logs the answer that was refused on purpose.
    assert [
        error
        for error in page.console_errors
        if "400 (Bad Request)" not in error and "Status Error Code 400" not in error
    ] == []
    assert other.console_errors == []
    signed = LogEntry.objects.filter(action__in=["list.approve", "list.publish"], by_command=False)
    assert [entry.actor.name for entry in signed.order_by("pk")] == ["Olga Officer", "Rolf Releaser"]
