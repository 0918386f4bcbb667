"""A report between referee and office in a real browser: returned, corrected, accepted, undone, accepted again."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from reporting.log.audit import Actor
from reporting.models import Announcement, LogEntry, Player, Report, User
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from tests.browser.conftest import check_page, main_text
from tests.people import create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]

PLACE_LINE = 9


def submitted(by: User, name: str, days_ago: int) -> Report:
    """A report submitted now: a round robin of three registered players and an unknown one."""
    players = list(Player.objects.filter(fmjd_id__isnull=False, birth_year__gt=0).order_by("fmjd_id")[:3])
    last = timezone.localdate() - timedelta(days=days_ago)
    first = last - timedelta(days=2)
    lines = [
        "<section Info>", f"name = {name}", f"played from = {first:%d/%m/%Y}", f"played to = {last:%d/%m/%Y}",
        "type = ROUND", "national championship = N", "women championship = N", "name of referee = Pieter Ostrava",
        "place = Gent", "country = BEL", "remarks = <remark></end remark>",
        f"winner = {players[0].first_name} {players[0].last_name}", "</end info>", "<section players>",
    ]  # fmt: skip
    # Points: 1 beats all (6); 2 beats 3, draws 4 (3); 3 beats 4 (2); 4 draws 2 (1).
    for place, (player, points) in enumerate(zip(players, (6, 3, 2), strict=True), 1):
        who = f"{player.first_name},{player.last_name},{player.federation_id},,{player.sex}"
        lines.append(f"{player.fmjd_id},{place},,{place},{points},{who}")
    lines += [
        "0,4,,4,1,Zora,Zettevall,BEL,01/02/2001,W", "</end players>", "<section results>",
        "1,1,2,2-0", "1,3,4,2-0", "2,3,1,0-2", "2,2,4,1-1", "3,1,4,2-0", "3,2,3,2-0", "</end results>",
    ]  # fmt: skip
    announced = first - timedelta(days=30)
    details = f'discipline = "100"\ntime_control = "80+30"\nannounced = {announced.isoformat()}\n'
    uploaded = upload_report(
        content=("\n".join(lines) + "\n").encode(),
        filename="ferry.txt",
        sidecar=details.encode(),
        by=Actor(by),
    )
    comments = {
        index: "A round robin of four, as announced."
        for index, finding in enumerate(uploaded.matching.findings)
        if finding.severity == "warning"
    }
    return submit_report(report=uploaded.report, comments=comments, by=Actor(by))


@pytest.fixture
def referee() -> User:
    return create_user("pieter@example.org", "Pieter Ostrava", "long-enough-for-all", roles=["referee"])


@pytest.fixture
def officer() -> User:
    return create_user("olga@example.org", "Olga Officer", "long-enough-for-all", roles=["rating_officer"])


def log_in(page: Any, person: User, then: str) -> None:
    page.goto(f"/login/?next={then}")
    page.get_by_label("E-mail address").fill(person.email)
    page.get_by_label("Password", exact=True).fill("long-enough-for-all")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"**{then}")


def correct(home: Any, referee: User, report: Report) -> None:
    """Correct the remarked line and submit the report again."""
    log_in(home, referee, f"/reports/{report.pk}/")
    assert "Almost there." in main_text(home)
    home.get_by_role("link", name=f"line {PLACE_LINE}").click()
    line = home.locator(f"#L{PLACE_LINE}")
    assert "In English, please." in line.inner_text()
    line.get_by_role("textbox").fill("place = Ghent")
    line.get_by_role("button", name="Save").click()
    assert "Saved as version 2" in main_text(home)
    home.get_by_role("link", name="Submission").first.click()
    for box in home.get_by_role("textbox").all():
        box.fill("A round robin of four, as announced.")
    home.get_by_role("button", name="Submit report").click()
    assert "Report submitted." in main_text(home)


@pytest.mark.parametrize("javascript", [True, False])
def test_a_report_is_returned_corrected_and_accepted(
    window: Callable[..., Any], referee: User, officer: User, javascript: bool
) -> None:
    report = submitted(referee, "Ferry Lane Cup", 2)
    office = window(java_script_enabled=javascript)
    log_in(office, officer, "/office/reports/")
    waiting = Report.objects.filter(state="submitted").count()
    assert office.get_by_role("link", name=f"Inbox ({waiting})").get_attribute("aria-current") == "page"
    office.get_by_role("link", name="Ferry Lane Cup").click()
    assert "A round robin of four, as announced." in main_text(office)
    assert "Zettevall" in main_text(office)
    office.get_by_label("General remark").fill("Almost there.")
    office.get_by_label("Line of remark 1", exact=True).fill("900")
    office.get_by_label("Remark 1 on this line").fill("In English, please.")
    office.get_by_role("button", name="Return report").click()
    assert "“900” is not a line of the file" in office.get_by_role("alert").inner_text()
    assert office.get_by_label("Remark 1 on this line").input_value() == "In English, please."
    office.get_by_label("Line of remark 1", exact=True).fill(str(PLACE_LINE))
    office.get_by_role("button", name="Return report").click()
    assert "Report returned. The referee gets a message with the remarks." in main_text(office)
    home = window(java_script_enabled=javascript)
    correct(home, referee, report)

    office.goto("/office/reports/")
    office.get_by_role("link", name="Ferry Lane Cup").click()
    office.get_by_role("link", name="Changes in version 2").click()
    expect(office.locator("ins", has_text="place = Ghent")).to_have_count(1)
    office.goto(f"/office/reports/{report.pk}/")
    office.get_by_role("button", name="Accept report").click()
    assert "Report accepted. The referee gets a message." in main_text(office)
    office.get_by_label("Reason for undoing the acceptance").fill("The wrong button.")
    office.get_by_role("button", name="Undo acceptance").click()
    assert "Acceptance undone. The report waits for a decision." in main_text(office)
    office.get_by_role("button", name="Accept report").click()
    assert "Report accepted. The referee gets a message." in main_text(office)
    office.goto("/office/reports/")
    assert office.get_by_role("link", name="Ferry Lane Cup").count() == 0
    office.goto("/office/reports/?state=accepted")
    assert office.get_by_role("link", name="Ferry Lane Cup").count() == 1

    report.refresh_from_db()
    assert report.state == "accepted"
    assert Player.objects.filter(last_name="Zettevall").count() == 1
    acts = LogEntry.objects.filter(subject=f"report {report.pk}", actor=officer).order_by("pk")
    assert [act.action for act in acts] == [
        "report.return", "report.accept", "report.undo_acceptance", "report.accept",
    ]  # fmt: skip
    assert [error for error in office.console_errors + home.console_errors if "409" not in error] == []


def test_the_pages_of_a_review_are_accessible_and_fit_the_screen(
    window: Callable[..., Any], referee: User, officer: User
) -> None:
    late, plain = submitted(referee, "Ferry Lane Cup", 9), submitted(referee, "Lakeside Open", 1)
    returned = submitted(referee, "Hillside Open with a long name", 3)
    alike = submitted(referee, "Seaside Open", 2)
    for name, days_ago in (("Winter Cup", 12), ("Autumn Cup", 2)):
        last = timezone.localdate() - timedelta(days=days_ago)
        Announcement.objects.create(
            name=name, place="Ghent", country_id="BEL", played_from=last, played_to=last, discipline="100",
            time_control="80+30", announced_on=last - timedelta(days=30), announced_by=referee,
        )  # fmt: skip
    page = window()
    log_in(page, officer, f"/office/reports/{returned.pk}/")
    page.get_by_label("General remark").fill("Almost there.")
    page.get_by_label("Line of remark 1", exact=True).fill(str(PLACE_LINE))
    page.get_by_label("Remark 1 on this line").fill("In English, please.")
    page.get_by_role("button", name="Return report").click()
    page.goto(f"/office/reports/{plain.pk}/")
    page.get_by_role("button", name="Accept report").click()

    def look(name: str, path: str = "") -> None:
        if path:
            page.goto(path)
        check_page(page, name)

    look("inbox", "/office/reports/")
    look("inbox-none", "/office/reports/?federation=XXX")
    look("returned", f"/office/reports/{returned.pk}/")
    look("accepted", f"/office/reports/{plain.pk}/")
    look("look_alike", f"/office/reports/{alike.pk}/")
    expect(page.get_by_label("It corrects Lakeside Open")).to_be_visible()
    look("late", f"/office/reports/{late.pk}/")
    page.get_by_role("button", name="Accept report").click()
    look("refused")
    page.context.clear_cookies()
    log_in(page, referee, f"/reports/{returned.pk}/")
    look("remarks")
    look("remarks-beside-lines", f"/reports/{returned.pk}/file/")
