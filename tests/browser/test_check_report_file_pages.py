"""A stranger checks a file, a referee without a program announces, types and submits: in a real browser."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
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


@pytest.fixture
def referee() -> User:
    cache.clear()
    return create_user("pieter@example.org", "Pieter Ostrava", "long-enough-for-all", roles=["referee"])


def log_in(page: Any, live_server: Any, then: str) -> None:
    page.goto(f"{live_server.url}/login/?next={then}")
    page.get_by_label("E-mail address").fill("pieter@example.org")
    page.get_by_label("Password", exact=True).fill("long-enough-for-all")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"**{then}")


@pytest.mark.parametrize("javascript", [True, False])
def test_a_referee_without_a_program_announces_enters_and_submits(
    browser: Any, live_server: Any, referee: User, javascript: bool
) -> None:
    context = browser.new_context(java_script_enabled=javascript)
    page = context.new_page()
    log_in(page, live_server, "/reports/announce/")
    last = timezone.localdate() - timedelta(days=1)
    page.get_by_label("Name", exact=True).fill("Riverside Open")
    page.get_by_label("Town").fill("Ghent")
    page.get_by_label("Country").fill("BEL")
    page.get_by_label("First round").fill(last.isoformat())
    page.get_by_label("Last round").fill(last.isoformat())
    page.get_by_label("System").select_option("round-robin")
    page.get_by_label("Board").select_option("100")
    page.get_by_label("Time control", exact=True).fill("80+30")
    page.get_by_role("button", name="Announce tournament").click()
    assert "is announced late, not before its first round" in page.locator("main").inner_text()

    page.get_by_role("link", name="My reports").first.click()
    page.get_by_role("link", name="enter results of").click()
    assert page.get_by_label("Name", exact=True).input_value() == "Riverside Open"
    page.get_by_label("National championship").select_option("no")
    page.get_by_label("Women only").select_option("false")
    known = list(Player.objects.filter(fmjd_id__isnull=False, birth_year__gt=0).order_by("fmjd_id")[:4])
    for index, player in enumerate(known, 1):
        page.locator(f"#fmjd_id-{index}").fill(str(player.fmjd_id))
    page.get_by_role("button", name="Fill in names").click()
    assert page.locator("#last_name-4").input_value() == known[3].last_name
    page.get_by_role("button", name="Save and enter rounds").click()
    # All against all: 1 wins three (6), 2 two (4), 3 one (2), 4 none.
    for pairs in (((1, 4), (2, 3)), ((3, 1), (4, 2)), ((1, 2), (3, 4))):
        for index, (white, black) in enumerate(pairs, 1):
            page.locator(f"#white-{index}").fill(str(white))
            page.locator(f"#black-{index}").fill(str(black))
            page.locator(f"#result-{index}").select_option("2-0" if white < black else "0-2")
        page.get_by_label("Fill in the places by points").check()
        page.get_by_role("button", name="Save and go to next round").click()
    page.get_by_role("link", name="File").first.click()
    assert "0 errors" in page.locator("#verdict").inner_text()
    expect(page.locator(".source__text", has_text=f"{known[0].fmjd_id},1,,1,6")).to_have_count(1)

    page.get_by_role("link", name="Submission").first.click()
    for box in page.get_by_role("textbox").all():
        box.fill("A round robin of four.")
    page.get_by_role("button", name="Submit report").click()
    expect(page.locator("main")).to_contain_text("Report submitted")
    assert Report.objects.get(submitted_by=referee).announcement == Announcement.objects.get()
    context.close()


@pytest.mark.parametrize("javascript", [True, False])
def test_a_stranger_checks_a_file_and_leaves_no_trace(
    browser: Any, live_server: Any, referee: User, javascript: bool
) -> None:
    reports = Report.objects.count()
    context = browser.new_context(java_script_enabled=javascript)
    page = context.new_page()
    page.goto(live_server.url)
    page.get_by_role("link", name="Check a report file").click()
    page.locator("button[value=faulty]").click()
    expect(page.get_by_role("heading", name="5 errors, 0 warnings")).to_be_visible()
    page.get_by_role("link", name="3, error").click()
    assert page.locator("#L3 mark").inner_text() == "31/02/2026"
    assert page.get_by_role("button", name="Save").count() == 0
    page.get_by_label("Report file").set_input_files(
        {"name": "mine.txt", "mimeType": "text/plain", "buffer": b"1;2;3\n"}
    )
    page.get_by_role("button", name="Check file", exact=True).click()
    assert "mine.txt: the format is unknown." in page.locator("main").inner_text()
    page.get_by_label("Report file").set_input_files(
        {"name": "large.bin", "mimeType": "text/plain", "buffer": b"x" * 6_000_000}
    )
    page.get_by_role("button", name="Check file", exact=True).click()
    assert "Too large: you sent" in page.locator("main").inner_text()
    assert not context.cookies()
    assert Report.objects.count() == reports
    context.close()


def test_each_page_is_without_barrier_and_fits(page: Any, live_server: Any, referee: User) -> None:
    page.goto(f"{live_server.url}/check/")
    check_page(page, "check-file")
    for example in ("clean", "faulty", "newcomer"):
        page.locator(f"button[value={example}]").click()
        check_page(page, f"check-{example}")

    day = timezone.localdate()
    for name, first in (
        ("Riverside Open", day + timedelta(days=30)),
        ("Harbour Cup", day + timedelta(days=3)),
    ):
        Announcement.objects.create(
            name=name, place="Ghent", country_id=Player.objects.first().federation_id, played_from=first,
            played_to=first, discipline="100", time_control="80+30", announced_by=referee, announced_on=day,
        )  # fmt: skip
    log_in(page, live_server, "/reports/announce/")
    check_page(page, "announce")
    page.get_by_label("Country").fill("Atlantis")
    page.get_by_role("button", name="Announce tournament").click()
    check_page(page, "announce-faults")

    page.goto(f"{live_server.url}/reports/new/results/")
    known = Player.objects.filter(fmjd_id__isnull=False).order_by("fmjd_id")[:3]
    for index, player in enumerate(known, 1):
        page.locator(f"#fmjd_id-{index}").fill(str(player.fmjd_id))
    page.locator("#fmjd_id-4").fill("twelve")
    page.get_by_role("button", name="Save and enter rounds").click()
    check_page(page, "grid-players-faults")
    page.locator("#fmjd_id-4").fill("")
    page.get_by_role("button", name="Save and enter rounds").click()
    page.locator("#white-1").fill("1")
    page.locator("#result-1").select_option("2-0")
    page.get_by_role("button", name="Save and check report").click()
    check_page(page, "grid-round-faults")
    page.locator("#black-1").fill("2")
    page.get_by_role("button", name="Save and go to next round").click()
    check_page(page, "grid-round")
    page.get_by_role("navigation", name="Results entry").get_by_role("link", name="Players").click()
    check_page(page, "grid-players")
    page.goto(f"{live_server.url}/reports/{Report.objects.get(submitted_by=referee).pk}/details/")
    check_page(page, "details")
