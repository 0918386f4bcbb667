"""The pages of a World Cup event before its report: proposed, approved, and what visitors and programs see."""

from datetime import timedelta
from http import HTTPStatus

import pytest
from django.test import Client
from django.utils import timezone

from reporting.models import Role
from tests.pages.office.office_pages import text_of
from tests.people import client_of, create_user
from tests.services.test_world_cup_events import announced, official, propose, states
from titles.federations.fmjd.world_cup.events.services import approve_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cleared_rate_limits")]

SENT = {
    "action": "propose",
    "seen": "0",
    "stars": "3",
    "groups": "one",
    "prizes_open": "1 200\n900\n€ 800\n600\n450\n350\n250\n100\n",
    "prizes_women": "600\n400\n300",
    "system": "swiss",
    "rounds": "9",
    "tie_breaks_0": "short",
    "tie_breaks_1": "plus",
    "tie_breaks_2": "baliakin",
    "tie_breaks_3": "full",
    "referee": "Ada Referee",
    "referee_level": "national",
    "entry_fee": "75",
    "regulations": "https://cup.example/regulations",
    "regulations_on": "",
}


@pytest.fixture
def belgium(office):
    return official()


@pytest.fixture
def cup(belgium):
    return announced(belgium)


def address(cup):
    return f"/reports/announcements/{cup.pk}/world-cup/"


def test_an_event_is_proposed_and_approved_on_its_page(office, belgium, cup):
    own, director = client_of(belgium.user), client_of(office.director.user)
    assert "Propose this tournament as a World Cup event" in own.get(f"/reports/announcements/{cup.pk}/").text
    assert own.post(address(cup), SENT).status_code == HTTPStatus.FOUND
    proposal = cup.world_cup_proposals.get()
    assert (proposal.prizes_open, proposal.tie_breaks) == (
        [1200, 900, 800, 600, 450, 350, 250, 100], ["short", "plus", "baliakin", "full"],
    )  # fmt: skip

    # Both see what is not met: the eighth open prize is 50 short of 150. The dashboard leads the director there.
    said = []
    assert address(cup) in director.get("/office/").text
    for reader in (own, director):
        page = text_of(reader.get(address(cup)))
        said.append(page)
        for sentence in (
            "The main referee is at least FMJD referee (condition 6).",
            "The entry fee is at most €60 (condition 13).", "Prizes are below Appendix A, together by €50.",
            "50\xa0short", "Ada Referee",
        ):  # fmt: skip
            assert sentence in page
    assert ("Approve event" in said[0], "Approve event" in said[1]) == (False, True)

    stale = director.post(address(cup), {"action": "approve", "seen": "0"})
    assert (stale.status_code, states(cup)) == (HTTPStatus.CONFLICT, [(3, "proposed")])
    assert director.post(address(cup), {"action": "return", "seen": str(proposal.pk)}).status_code == 400
    director.post(address(cup), {"action": "approve", "seen": str(proposal.pk)})
    assert states(cup) == [(3, "approved")]
    assert "World Cup event approved" in text_of(director.get("/office/log/"))


def test_an_event_of_one_star_needs_no_prizes_and_others_are_warned(office, belgium, cup):
    """Appendix A prints no prizes of one star; of three 1200, 900, 800, 600, 450, 350, 250, 150 and for women 1300."""
    own, without = client_of(belgium.user), {"prizes_open": "", "prizes_women": ""}
    assert own.post(address(cup), SENT | without).status_code == HTTPStatus.FOUND
    assert "Prizes are below Appendix A, together by €6,000." in text_of(own.get(address(cup)))
    proposal = cup.world_cup_proposals.get()
    one_star = SENT | without | {"stars": "1", "seen": str(proposal.pk)}
    assert own.post(address(cup), one_star).status_code == HTTPStatus.FOUND
    assert states(cup) == [(3, "replaced"), (1, "proposed")]
    page = own.get(address(cup))
    assert "Appendix A" not in text_of(page)
    assert "Prizes in euros" not in page.text
    approve_event(proposal=cup.world_cup_proposals.latest("pk"), by=office.director)
    public = own.get(f"/world-cup/events/{cup.pk}/")
    assert "Prizes in euros" not in public.text
    # No amount where there is none, on the event's page and in the calendar.
    assert "Prize money none" in text_of(public)
    assert "World Cup event, 1 star" in text_of(own.get("/tournaments/calendar/"))
    assert "prize money" not in text_of(own.get("/tournaments/calendar/"))
    file = own.get("/tournaments/calendar.ics").text.replace("\r\n ", "")
    assert "World Cup: 1 star" in file
    assert "prize money" not in file


def test_tie_breaks_have_their_names_on_the_pages_of_an_event(office, belgium, cup):
    """Annex 18 condition 1: below five stars a Swiss event has Short, Plus, Baliakin and Full."""
    proposal = propose(cup, belgium, tie_breaks=["full", "sb"])
    page = text_of(client_of(belgium.user).get(address(cup)))
    assert "Full truncated Solkoff, Sonneborn-Berger" in page
    printed = "Short truncated Solkoff, Solkoff plus, Solkoff Baliakin, Full truncated Solkoff"
    assert f"The tie-breaks of a Swiss event with these stars are {printed} (condition 1)." in page
    approve_event(proposal=proposal, by=office.director)
    public = text_of(Client().get(f"/world-cup/events/{cup.pk}/"))
    assert "Full truncated Solkoff, Sonneborn-Berger" in public
    assert "full, sb" not in public


@pytest.mark.parametrize(("changed", "message"), [
    ({"prizes_open": "1200\nnine hundred"}, "Line 2: enter whole euros, for example 1200."),
    ({"prizes_open": "1200.50"}, "Line 1: enter whole euros"),
    ({"regulations": "", "regulations_on": "2026-11-01"}, "Enter where the regulations are."),
    ({"regulations": "javascript:alert(1)"}, "Enter the address of a page"),
    ({"regulations_on": "2099-01-01"}, "This day is in the future."),
    ({"entry_fee": "sixty"}, "Enter an amount"),
    ({"tie_breaks_1": "luck"}, "“luck” is no tie-break."),
])  # fmt: skip
def test_a_refused_form_keeps_what_was_typed(belgium, cup, changed, message):
    response = client_of(belgium.user).post(address(cup), SENT | changed)
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert message in text_of(response)
    sent = SENT | changed
    for typed in ("Ada Referee", f'value="{sent["entry_fee"]}"', sent["prizes_open"].splitlines()[-1]):
        assert typed in response.text
    assert not cup.world_cup_proposals.exists()


def test_fewer_stars_are_refused_on_the_page(office, belgium, cup):
    approve_event(proposal=propose(cup, belgium, stars=5), by=office.director)
    newest = str(cup.world_cup_proposals.get().pk)
    response = client_of(belgium.user).post(address(cup), SENT | {"seen": newest})
    assert response.status_code == HTTPStatus.CONFLICT
    assert "The stars of an event never go down. Choose 5 or more" in text_of(response)
    assert "Ada Referee" in response.text


@pytest.mark.parametrize(("role", "country", "answer"), [
    (Role.NATIONAL_OFFICIAL, "BEL", HTTPStatus.OK),
    (Role.NATIONAL_OFFICIAL, "NED", HTTPStatus.NOT_FOUND),
    (Role.REFEREE, "BEL", HTTPStatus.NOT_FOUND),
    (Role.RATING_OFFICER, None, HTTPStatus.OK),
    (Role.ADMINISTRATOR, None, HTTPStatus.OK),
    (Role.TITLE_COUNCIL, None, HTTPStatus.FORBIDDEN),
])  # fmt: skip
def test_who_sees_the_proposals(cup, role, country, answer):
    person = create_user("p@example.org", "P", roles=[role], federation_id=country)
    response = client_of(person).get(address(cup))
    assert response.status_code == answer
    if role is Role.ADMINISTRATOR:
        assert "Propose event" not in response.text
        assert client_of(person).post(address(cup), SENT).status_code == HTTPStatus.FORBIDDEN


def test_visitors_and_programs_see_the_approved_event(office, belgium, cup):
    visitor, public = Client(), f"/world-cup/events/{cup.pk}/"
    proposal = propose(cup, belgium)
    assert visitor.get(public).status_code == HTTPStatus.NOT_FOUND
    assert "★" not in visitor.get("/tournaments/calendar/").text
    announced(office.director, timezone.localdate() + timedelta(days=300))
    approve_event(proposal=proposal, by=office.director)

    page = text_of(visitor.get(public))
    # 4,700 open and 1,300 women.
    for sentence in ("€6,000", "One group for all", "FMJD", "Swiss", "Stars go up"):
        assert sentence in page
    assert "Ada Referee" not in page
    calendar = visitor.get("/tournaments/calendar/")
    assert "★★★" in calendar.text
    assert "World Cup event, 3 stars" in text_of(calendar)
    assert "prize money €6,000" in text_of(calendar)
    only = visitor.get("/tournaments/calendar/?with_stars=yes")
    assert "1 tournament" in text_of(only)
    file = visitor.get("/tournaments/calendar.ics").text.replace("\r\n ", "")
    assert "World Cup: 3 stars\\, prize money €6\\,000" in file
    rows = visitor.get("/api/v1/calendar/").json()["results"]
    assert [(row["stars"], row["prize_money"]) for row in rows] == [(3, 6000), (None, None)]
