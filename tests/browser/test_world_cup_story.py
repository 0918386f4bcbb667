"""A World Cup event from the proposal to an invitation in the browser: reported, classified, replaced by a reserve.

Every list is signed by two persons. How the pages look: layout/test_office_layout.py, layout/test_public_layout.py.
"""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from reporting.models import Role, Tournament, User
from tests.databases import as_worker, work_as_worker
from tests.people import create_user
from tests.services.conftest import Office, small_office

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database_role("web")]

TODAY = timezone.localdate()
LAST_DAY = TODAY - timedelta(days=2)
FIRST_DAY = LAST_DAY - timedelta(days=2)
YEAR = TODAY.year + 1
NAME = "Harbour Cup"
GAMES = ["1 1 2 2-0", "1 3 4 1-1", "2 3 1 0-2", "2 4 2 0-2", "3 1 4 2-0", "3 2 3 1-1"]
"""Number 1 beats all (6 points); 2 beats 4 and draws with 3 (3); 3 draws twice (2); 4 draws once (1): places 1 to 4."""


@pytest.fixture
def office() -> Office:
    """A list of 11, 16 and 17 with 60 games in three years each; 13 and 14 are in the register, and 12, a woman."""
    with as_worker():
        office = small_office()
        office.opening(
            "fmjd_id rating games last_game games_3_years\n11 2300 90 2024-12-01 60\n16 2250 90 2024-12-01 60\n"
            "17 2240 90 2024-12-01 60",
            in_force=date(2025, 1, 1),
        )
        office.register(13, 14)
        office.register(12, sex="W")
    return office


@pytest.fixture
def people(office: Office) -> dict[Role, User]:
    found = {role: create_user(f"{name.split()[0].lower()}@example.org", name, roles=[role]) for role, name in (
        (Role.REFEREE, "Rita Referee"), (Role.RATING_OFFICER, "Olga Officer"),
        (Role.TOURNAMENT_DIRECTOR, "Dora Director"), (Role.RELEASING_OFFICER, "Rolf Releaser"),
    )}  # fmt: skip
    found[Role.NATIONAL_OFFICIAL] = create_user(
        "nina@example.org", "Nina Official", roles=[Role.NATIONAL_OFFICIAL], federation_id="NED"
    )
    return found


@pytest.fixture
def announced(people: dict[Role, User]) -> Tournament:
    """Announced in time by its referee; it has ended two days ago."""
    return Tournament.objects.create(
        name=NAME, place="Utrecht", country_id="NED", played_from=FIRST_DAY, played_to=LAST_DAY, discipline="100",
        time_control="80+30", system="round-robin", announced_on=FIRST_DAY - timedelta(days=40),
        announced_by=people[Role.REFEREE],
    )  # fmt: skip


def report_file(office: Office) -> dict[str, Any]:
    """The report of the round robin with its final places, as a browser uploads it."""
    text = office.report_file(NAME, [11, 12, 13, 14], GAMES, FIRST_DAY, LAST_DAY).decode()
    text = text.replace("type = OTHER", "type = ROUND")
    for place in range(1, 5):
        text = text.replace(f",{place},,0,", f",{place},,{place},", 1)
    return {"name": "harbour.txt", "mimeType": "text/plain", "buffer": text.encode()}


def propose(official: Any) -> None:
    """A national official proposes three stars with the printed prizes."""
    official.goto("/reports/announce/")
    official.get_by_role("link", name="World Cup event").click()
    official.get_by_label("Stars").select_option("3")
    official.get_by_label("Rounds").fill("3")
    official.get_by_label("Prizes, open").fill("1200\n900\n800\n600\n450\n350\n250\n150")
    official.get_by_label("Prizes, women").fill("600\n400\n300")
    official.get_by_label("Level of the main referee").select_option("fmjd")
    official.get_by_label("Entry fee in euros").fill("50")
    official.get_by_role("button", name="Propose event").click()
    expect(official.get_by_text("Proposal saved. A tournament director decides about it.")).to_be_visible()
    expect(official.get_by_role("button", name="Approve event")).to_have_count(0)


def approve(director: Any) -> None:
    director.goto("/office/")
    director.get_by_role("link", name=NAME).click()
    director.get_by_role("button", name="Approve event").click()
    expect(director.get_by_text("World Cup event approved.")).to_be_visible()


def upload(referee: Any, office: Office) -> None:
    """The referee uploads the report for the announcement: stars and groups come from the approved event."""
    referee.goto("/reports/")
    referee.get_by_role("link", name="Upload report of Harbour Cup").click()
    referee.get_by_label("Report file").set_input_files(report_file(office))
    referee.get_by_role("button", name="Upload report").click()
    referee.get_by_role("link", name="Submission").click()
    for comment in referee.get_by_role("textbox").all():
        comment.fill("A round robin of four, as announced.")
    referee.get_by_role("button", name="Submit report").click()
    expect(referee.get_by_text("Report submitted.")).to_be_visible()


def accept(officer: Any) -> None:
    officer.goto("/office/reports/")
    officer.get_by_role("link", name=NAME).click()
    expect(officer.get_by_role("heading", name="Approved World Cup event")).to_be_visible()
    officer.get_by_role("button", name="Accept report").click()
    expect(officer.get_by_text("Report accepted.")).to_be_visible()


def sign(director: Any, releaser: Any, label: str) -> None:
    """From a request to the public page: the worker calculates, the director approves, the releaser publishes."""
    expect(director.get_by_text("The worker calculates it.")).to_be_visible()
    work_as_worker()
    director.get_by_role("button", name="Approve figures").click()
    expect(director.get_by_text("Approved. A releasing officer publishes it.")).to_be_visible()
    expect(director.get_by_role("button", name="Publish for all readers")).to_have_count(0)
    releaser.goto("/office/")
    releaser.get_by_role("link", name=label).click()
    releaser.get_by_role("button", name="Publish for all readers").click()
    releaser.locator(".title-block").get_by_role("link", name="/r").click()


def request_list(director: Any, kind: str, reason: str = "") -> None:
    director.goto(f"/office/championships/world-{YEAR}/")
    form = director.locator("form", has=director.get_by_role("button", name="Request a publication"))
    form.get_by_label("List").select_option(kind)
    form.get_by_label("Reason").fill(reason)
    form.get_by_role("button").click()


def rows(page: Any) -> list[str]:
    """The rows of the first table that name a player."""
    page.wait_for_load_state()
    shown = page.get_by_role("table").first.get_by_role("row").all_inner_texts()
    return [row for row in shown if "Family" in row]


def test_from_the_proposal_of_an_event_to_the_reserve_who_travels(
    window: Callable[..., Any], office: Office, people: dict[Role, User], announced: Tournament
) -> None:
    official, referee, officer, director, releaser = (
        window(people[role])
        for role in (
            Role.NATIONAL_OFFICIAL, Role.REFEREE, Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR,
            Role.RELEASING_OFFICER,
        )
    )  # fmt: skip
    propose(official)
    approve(director)
    upload(referee, office)
    accept(officer)

    # Three stars: the bonus of the place among men, and three for each point (R70). 100 + 3 * 6 = 118 of 11,
    # 70 + 3 * 2 = 76 of 13, 50 + 3 * 1 = 53 of 14; 12 is in the classification of women.
    director.goto("/office/")
    director.get_by_role("link", name="World Cup, if published now").click()
    director.get_by_role("link", name="Publish this classification").click()
    director.get_by_role("button", name="Request draft").click()
    sign(director, releaser, "World Cup, 100 squares")
    assert [row.split("\t")[1:4] for row in rows(releaser)] == [
        ["Familyal, Givenal", "NED", "118"], ["Familyan, Givenan", "NED", "76"], ["Familyao, Givenao", "NED", "53"],
    ]  # fmt: skip

    # 16 is the champion, 11 number 1 of the list, 13 the best of the World Cup without a place. In turn, the reserve
    # list has 14 of the World Cup and 17 of the list (R72).
    director.goto("/office/championships/")
    director.get_by_role("link", name="New championship").click()
    director.get_by_label("First day").fill(f"{YEAR}-09-12")
    director.get_by_label("Council’s day for withdrawals").fill(TODAY.isoformat())
    director.get_by_label("Place", exact=True).fill("Abidjan")
    director.get_by_label("World champion: FMJD-ID").fill("16")
    director.get_by_role("button", name="Create championship").click()
    expect(director.get_by_text("3 of 20 places have a player")).to_be_visible()
    request_list(director, "reserves")
    sign(director, releaser, "Reserve list")
    assert [row.split("\t")[:2] for row in rows(releaser)] == [
        ["1", "Familyao, Givenao NED"], ["2", "Familyar, Givenar NED"],
    ]  # fmt: skip
    request_list(director, "participants")
    sign(director, releaser, "Participants")
    assert "Familyan, Givenan" in rows(releaser)[-1]

    # From the Council's day on the first reserve follows (R74c).
    director.goto(f"/office/championships/world-{YEAR}/")
    director.get_by_label("FMJD-ID of the player").fill("13")
    director.get_by_label("What to record").select_option("decline")
    director.get_by_role("button", name="Record an answer").click()
    expect(director.get_by_role("row", name="Familyao, Givenao")).to_contain_text(
        "Familyan, Givenan withdrew"
    )
    request_list(director, "participants", "A player withdrew.")
    sign(director, releaser, "Participants")
    assert releaser.url.endswith(f"/championships/world-{YEAR}/participants/r2/")
    assert "Familyao, Givenao" in rows(releaser)[2]
    expect(releaser.get_by_text("Reason: A player withdrew.")).to_be_visible()
    for page in (official, referee, officer, director, releaser):
        assert page.console_errors == []
