"""Pages that read a file without log-in, an announcement and results entry in a real browser."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import expect

from reporting.log.acting_person import acting_as
from reporting.log.audit import Actor
from reporting.models import Player, Report, Tournament, User
from reporting.reports.views.check_file import example_file
from tests.browser.conftest import check_page
from tests.pages.titles.test_forecast_pages import FIELD
from tests.people import create_user
from tests.services.test_world_cup_events import propose
from titles.federations.fmjd.world_cup.events.services import approve_event

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]


@pytest.fixture
def referee() -> User:
    cache.clear()
    return create_user("pieter@example.org", "Pieter Ostrava", roles=["referee"])


PAIRING = """{"system":"solkoff","rounds":3,"players":[{"number":1},{"number":2},{"number":3},{"number":4},
{"number":5}],"games":[{"round":1,"white":1,"black":3,"result":"2-0"},
{"round":1,"white":2,"black":4,"result":"2-0"},{"round":1,"white":5,"black":0,"result":"2-0"}]}"""
"""Five players after round 1, of whom the last one had the pause."""


def fill_forecast(page: Any, *, rounds: str, system: str) -> None:
    page.get_by_label("Number of rounds").fill(rounds)
    page.get_by_label("System").select_option(system)
    page.get_by_label("Country of the organiser").fill("NED")
    page.get_by_role("button", name="Make forecast").click()
    page.locator("details > summary").first.click()


def search_tie_breaks(page: Any) -> None:
    first, second = (page.get_by_label(f"Tie-break {place}", exact=True) for place in (1, 2))
    first.fill("short trunc")
    second.fill("average")  # of several
    page.get_by_role("button", name="Show standings").click()
    assert second.evaluate("field => field.validationMessage") == "Choose one of the list."
    second.fill("aro")
    page.get_by_role("button", name="Show standings").click()
    expect(first).to_have_value("short – Short truncated Solkoff")
    expect(second).to_have_value("aro – Average rating of opponents")
    expect(page.locator("select[name=tie_break_1]")).to_have_value("short")


def check_world_cup_pages(page: Any, announced_by: User) -> None:
    """The proposals of an announcement as its reader sees them, and the approved one."""
    cup = Tournament.objects.filter(announced_by=announced_by).latest("pk")
    country = create_user(
        "olga@example.org", "Olga", roles=["national_official"], federation_id=cup.country_id
    )
    director = create_user("dora@example.org", "Dora", roles=["tournament_director"])
    with acting_as(country):
        proposal = propose(cup, Actor(country), prizes_women=[600], entry_fee=Decimal(75))
    page.goto(f"/reports/announcements/{cup.pk}/world-cup/")
    check_page(page, "world-cup-proposed")
    with acting_as(director):
        approve_event(proposal=proposal, by=Actor(director))
    page.goto(f"/world-cup/events/{cup.pk}/")
    check_page(page, "world-cup-event")


def check_pairing_pages(page: Any) -> None:
    page.goto("/pair/")
    page.get_by_label("Or paste its text").fill(PAIRING)
    page.get_by_role("button", name="Pair the round").click()
    check_page(page, "pair")
    page.get_by_label("Or paste its text").fill(PAIRING)
    page.get_by_role("button", name="Check its rounds").click()
    check_page(page, "pair-checked")


def test_each_page_is_without_barrier_and_fits(window: Callable[..., Any], referee: User) -> None:
    page = window(referee)
    page.goto("/check/")
    check_page(page, "check-file")
    for example in ("clean", "faulty", "newcomer"):
        page.locator(f"button[value={example}]").click()
        check_page(page, f"check-{example}")

    page.goto("/standings/")
    page.get_by_label("Or paste its text").fill(example_file("clean").decode())
    search_tie_breaks(page)
    page.locator("details > summary").first.click()
    check_page(page, "standings")
    check_pairing_pages(page)
    page.goto("/titles/forecast/")
    page.get_by_label("Entrants").fill(FIELD)
    fill_forecast(page, rounds="7", system="swiss")
    check_page(page, "forecast")
    page.goto("/titles/forecast/report/")
    page.get_by_label("Report file").set_input_files(
        {"name": "clean.txt", "mimeType": "text/plain", "buffer": example_file("clean")}
    )
    fill_forecast(page, rounds="7", system="round-robin")
    check_page(page, "forecast-running")

    day = timezone.localdate()
    for name, first in (
        ("Riverside Open", day + timedelta(days=30)),
        ("Harbour Cup", day + timedelta(days=3)),
    ):
        Tournament.objects.create(
            name=name, place="Ghent", country_id=Player.objects.first().federation_id, played_from=first,
            played_to=first, discipline="100", time_control="80+30", announced_by=referee, announced_on=day,
        )  # fmt: skip
    for path in (f"/reports/announcements/{Tournament.objects.latest('pk').pk}/", "/reports/announce/"):
        page.goto(path)
        check_page(page)
    check_world_cup_pages(page, referee)
    page.goto("/reports/announce/")
    page.get_by_label("Country").fill("Atlantis")
    page.get_by_role("button", name="Announce tournament").click()
    check_page(page, "announce-faults")

    page.goto("/reports/new/results/")
    known = Player.objects.filter(numbers__has_key="fmjd").order_by("numbers__fmjd")[:3]
    for index, player in enumerate(known, 1):
        page.locator(f"#fmjd_id-{index}").fill(player.address)
    page.locator("#fmjd_id-4").fill("12 13")
    page.get_by_role("button", name="Save and enter results").click()
    check_page(page, "grid-players-faults")
    page.locator("#fmjd_id-4").fill("")
    page.get_by_role("button", name="Save and enter results").click()
    page.goto(f"/reports/{Report.objects.get(submitted_by=referee).pk}/delete/")
    check_page(page, "report-delete")
    page.go_back()
    page.locator("#white-1").fill("1")
    page.locator("#result-1").select_option("2-0")
    page.get_by_role("button", name="Save round 1 and check report").click()
    check_page(page, "grid-round-faults")
    page.locator("#black-1").fill("2")
    page.get_by_role("button", name="Save round 1 and go to next round").click()
    page.get_by_role("navigation", name="Results entry").get_by_role("link", name="Players").click()
    check_page(page, "grid-players")
    assert [each for each in page.console_errors if "400 (Bad Request)" not in each] == []
