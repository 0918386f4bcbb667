"""From a file on a laptop to a submitted report, in a real browser, with JavaScript and without."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from reporting.models import Announcement, Player, Report, User
from tests.browser.conftest import check_page
from tests.people import create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]


def faulty_file() -> bytes:
    """Four registered players, all against all, with three errors: points, a result, and a day."""
    players = list(Player.objects.filter(fmjd_id__isnull=False, birth_year__gt=0).order_by("fmjd_id")[:4])
    last = timezone.localdate() - timedelta(days=2)
    first = last - timedelta(days=2)
    lines = [
        "<section Info>",
        "name = Riverside Open",
        f"played from = 31/02/{first.year}",
        f"played to = {last:%d/%m/%Y}",
        "type = ROUND",
        "national championship = N",
        "women championship = N",
        "name of referee = Pieter Ostrava",
        "place = Ghent",
        "country = BEL",
        "remarks = <remark></end remark>",
        f"winner = {players[0].first_name} {players[0].last_name}",
        "</end info>",
        "<section players>",
    ]
    # Points: 1 beats all (6); 2 beats 3, draws 4 (3); 3 beats 4 (2); 4 draws 2 (1). The file says 5 for the first.
    for place, (player, points) in enumerate(zip(players, (5, 3, 2, 1), strict=True), 1):
        lines.append(
            f"{player.fmjd_id},{place},,{place},{points},{player.first_name},{player.last_name},"
            f"{player.federation_id},,{player.sex}"
        )
    lines += [
        "</end players>",
        "<section results>",
        "1,1,2,2-0", "1,3,4,2-0", "2,3,1,0-2", "2,2,4,1-1", "3,1,4,3-0", "3,2,3,2-0",
        "</end results>",
    ]  # fmt: skip
    return ("\n".join(lines) + "\n").encode()


@pytest.fixture
def referee() -> User:
    user = create_user("pieter@example.org", "Pieter Ostrava", "long-enough-for-all", roles=["referee"])
    Announcement.objects.create(
        name="Riverside Open",
        place="Ghent",
        country_id=Player.objects.first().federation_id,
        played_from=timezone.localdate() - timedelta(days=4),
        played_to=timezone.localdate() - timedelta(days=2),
        discipline="100",
        time_control="80+30",
        system="round-robin",
        announced_on=timezone.localdate() - timedelta(days=40),
        announced_by=user,
    )
    return user


def log_in(page: Any, live_server: Any, person: User, then: str) -> None:
    page.goto(f"{live_server.url}/login/?next={then}")
    page.get_by_label("E-mail address").fill(person.email)
    page.get_by_label("Password", exact=True).fill("long-enough-for-all")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"**{then}")


@pytest.mark.parametrize("javascript", [True, False])
def test_a_referee_corrects_and_submits_a_report(
    browser: Any, live_server: Any, referee: User, javascript: bool
) -> None:
    context = browser.new_context(java_script_enabled=javascript)
    page = context.new_page()
    log_in(page, live_server, referee, "/reports/")
    page.get_by_role("link", name="Upload report of Riverside Open").click()
    page.get_by_label("Report file").set_input_files(
        {"name": "riverside.txt", "mimeType": "text/plain", "buffer": faulty_file()}
    )
    page.get_by_role("button", name="Upload report").click()

    assert "error" in page.get_by_role("heading", name="errors").inner_text()
    day = timezone.localdate() - timedelta(days=4)
    page.get_by_label("“31/02/").fill(f"{day:%d/%m/%Y}")
    page.get_by_label("“3-0” in line").fill("2-0")
    page.get_by_role("button", name="Save changes").last.click()
    assert "Saved as version 2" in page.locator("main").inner_text()
    # Only now that every result can be read the points can be added up.
    page.get_by_label("“5” in line").fill("6")
    page.get_by_role("button", name="Save changes").last.click()
    assert "Saved as version 3" in page.locator("main").inner_text()
    page.get_by_role("link", name="Changes since version 1").click()
    expect(page.locator("ins", has_text="3,1,4,2-0")).to_have_count(1)
    expect(page.locator("del", has_text="3,1,4,3-0")).to_have_count(1)

    page.get_by_role("link", name="Details").first.click()
    assert "110 min" in page.locator("main").inner_text()
    page.get_by_label("Main referee", exact=True).fill("Pieter Ostrava")
    page.get_by_role("button", name="Save details").click()

    page.get_by_role("link", name="People").first.click()
    page.get_by_role("link", name="Preview").first.click()
    assert "Crosstable by rounds" in page.locator("main").inner_text()
    page.get_by_role("link", name="Submission").first.click()
    for box in page.get_by_role("textbox").all():
        box.fill("A round robin of four, as announced.")
    page.get_by_role("button", name="Submit report").click()
    expect(page.locator("main")).to_contain_text("Report submitted")
    report = Report.objects.get(submitted_by=referee)
    assert report.state == "submitted"
    assert report.versions.count() >= 3
    context.close()


STEPS = ("", "file/", "details/", "people/", "preview/", "submit/", "changes/1-2/")


def test_each_step_is_without_barrier_and_fits(page: Any, live_server: Any, referee: User) -> None:
    log_in(page, live_server, referee, "/reports/new/")
    page.get_by_label("Report file").set_input_files(
        {"name": "riverside.txt", "mimeType": "text/plain", "buffer": faulty_file()}
    )
    page.get_by_role("button", name="Upload report").click()
    page.get_by_label("“3-0” in line").fill("2-0")
    page.get_by_role("button", name="Save changes").last.click()
    number = Report.objects.get(submitted_by=referee).pk
    for step in ("/reports/", "/reports/new/", *(f"/reports/{number}/{step}" for step in STEPS)):
        page.goto(f"{live_server.url}{step}")
        check_page(page)
