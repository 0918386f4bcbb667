"""The public pages of the World Cup and of youth teams, from what published lists count."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from http import HTTPStatus

import pytest
from django.test import Client
from django.utils import timezone

from reporting.log.audit import Actor
from reporting.models import ResultSet, Role
from tests.pages.office.office_pages import text_of
from tests.people import create_user
from tests.services.conftest import Office
from tests.services.test_world_cup_commands import CUP, accept
from tests.services.test_world_cup_events import announced, propose
from titles.federations.fmjd.world_cup.events.services import approve_event
from titles.federations.fmjd.world_cup.publications.selectors import key_of_classification
from titles.federations.fmjd.world_cup.publications.steps import publish_by_command

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("published")]

SCORE = "/world-cup/what-must-i-score/"
LATER = f"{SCORE}?player=11&section=100&stars=3&rounds=2&last_day=2027-01-20&rank=1"


def publish_june() -> None:
    director, releaser = (Actor(create_user(f"{name}@example.org", name, roles=[role])) for name, role in (
        ("Dora", Role.TOURNAMENT_DIRECTOR), ("Rob", Role.RELEASING_OFFICER),
    ))  # fmt: skip
    key = key_of_classification("100", date(2026, 6, 30), women=False)
    publish_by_command(key=key, reason="", by=director, releaser=releaser)


@pytest.fixture
def published(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five stars, one group, 11 M, 12 W, 13 M, 14 M with 6, 4, 1 and 1 points, counted by the list of April 2026.

    It is 14 November 2026.
    """
    office.opening("fmjd_id rating games\n11 2300 90\n16 2250 90\n17 2250 90")
    office.register(13, 14)
    office.register(12, sex="W")
    accept(office, "Cup", [11, 12, 13, 14], **CUP)
    office.run(date(2026, 4, 1))
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 14, 12, tzinfo=UTC))


def test_what_must_i_score_shows_total_and_rank_by_place_and_points(client: Client, office: Office) -> None:
    page = text_of(client.get(LATER))
    # 11 has 130, 14 has 55. 3 stars: place 1 with 4 points 100 + 3 * 4 = 112: 242.
    for words in ("Now 130 points, rank 1.", "New total and rank by place and points", "4 242"):
        assert words in page, words
    # 14 reaches rank 1 by 131 - 55 = 76 points: place 1 with 0 (100), place 2 with 2 (70 + 6); place 3 has at most 62.
    page = text_of(client.get(LATER.replace("player=11", "player=14")))
    least = page[page.index("Least results for rank 1") : page.index("Results that leave")]
    assert least.split("New rank")[1].split() == ["1", "0", "155", "1", "2", "2", "131", "1"]


def test_the_results_that_leave_the_24_months_are_named(client: Client) -> None:
    # The cup ended on 8 March 2026: on 7 March 2028 it counts, on 8 March 2028 it has left.
    stays = text_of(client.get(LATER.replace("2027-01-20", "2028-03-07")))
    assert "None: all results that count now have a last round on 8 Mar 2026 or later." in stays
    leaves = text_of(client.get(LATER.replace("2027-01-20", "2028-03-08")))
    assert "100 + 5 × 6 130" in leaves
    assert "On 8 Mar 2028 without this tournament: no result." in leaves


def test_a_woman_is_among_the_women(client: Client) -> None:
    # 12 has 120 and is the only woman: 120 + 100 + 3 * 4 = 232.
    page = text_of(client.get(LATER.replace("player=11", "player=12")))
    assert "Women’s classification. Now 120 points, rank 1." in page
    assert "4 232" in page


def test_what_no_published_list_counts_is_not_public(client: Client, office: Office) -> None:
    accept(office, "Secret", [11, 14, 16, 17], month=6, **CUP)
    page = text_of(client.get(LATER))
    assert "Now 130 points, rank 1." in page


def test_a_classification_makes_its_tournaments_count_before_any_list(client: Client, office: Office) -> None:
    other = accept(office, "Other", [11, 14, 16, 17], month=6, **CUP)
    publish_june()
    # 11 wins both with 6 points: 130 + 130. 14 has 4 points and place 2: 70 + 5 * 4 = 90, and 55 before.
    assert "Now 260 points, rank 1." in text_of(client.get(LATER))
    page = client.get(LATER.replace("player=11", "player=14"))
    assert "Now 145 points, rank 2." in text_of(page)
    assert "Tournaments in this calculation" in text_of(page)
    assert f"/tournaments/{other.result_set.code}/" in page.content.decode()


def test_of_a_corrected_report_what_was_published_last_counts(client: Client, office: Office) -> None:
    """The list counts the first report; the classification has the correction, by which 11 was absent."""
    code = ResultSet.objects.get(name="Cup").code
    accept(office, "Cup", [11, 12, 13, 14], corrects=f'"{code}"', absent_from_closing="[1]", **CUP)
    assert "Now 130 points, rank 1." in text_of(client.get(LATER))
    publish_june()
    assert "Now without a result." in text_of(client.get(LATER))


def test_an_approved_event_fills_in_stars_rounds_and_last_day(client: Client, office: Office) -> None:
    official = Actor(
        create_user("olga@example.org", "Olga", roles=[Role.NATIONAL_OFFICIAL], federation_id="BEL")
    )
    director = Actor(create_user("dora@example.org", "Dora", roles=[Role.TOURNAMENT_DIRECTOR]))
    event = announced(official, date(2027, 5, 3))
    assert client.get(f"{SCORE}?event={event.pk}").status_code == HTTPStatus.NOT_FOUND
    approve_event(proposal=propose(event, official, stars=5), by=director)
    form = client.get(f"{SCORE}?event={event.pk}")
    assert form.status_code == HTTPStatus.OK
    assert 'value="2027-05-11"' in form.content.decode()
    page = client.get(f"{SCORE}?player=11").content.decode()
    assert f'href="{SCORE}?player=11&amp;event={event.pk}"' in page
    # 130 now; the place 1 with 9 wins of 5 stars: 100 + 5 * 18 = 190.
    page = text_of(client.get(f"{SCORE}?player=11&event={event.pk}"))
    assert "Riverside Cup ★★★★★ 5 stars 9 rounds, last day 11 May 2027." in page
    assert "18 320" in page
    assert f'href="{SCORE}?event={event.pk}"' in client.get(f"/world-cup/events/{event.pk}/").content.decode()
    for rubbish in ("x", "0", "99999", "99999999999"):
        assert client.get(f"{SCORE}?event={rubbish}").status_code == HTTPStatus.NOT_FOUND


def test_a_rank_that_is_reached_already_needs_no_result(client: Client) -> None:
    assert "The results so far are enough for rank 1" in text_of(client.get(LATER))


def test_what_cannot_be_calculated_is_an_error_of_its_field(client: Client) -> None:
    for changed, said in (
        ("player=99", "No player of a published list has this number."),
        ("player=x", "This is no whole number."),
        ("stars=4", "“4” is not offered here."),
        ("rounds=26", "Enter at most 25."),
        ("last_day=2020-01-01", "Enter a day from today on"),
        ("section=32", "“32” is not offered here."),
    ):
        name = changed.partition("=")[0]
        response = client.get(re.sub(rf"{name}=[^&]*", changed, LATER))
        assert response.status_code == HTTPStatus.BAD_REQUEST, changed
        assert said in text_of(response)
        assert "field--bad" in response.content.decode()


def test_the_page_of_a_player_leads_to_the_form_with_the_number(client: Client) -> None:
    assert f'href="{SCORE}?player=11"' in client.get("/players/11/").content.decode()
    response = client.get(f"{SCORE}?player=11")
    assert response.status_code == HTTPStatus.OK
    assert 'value="11"' in response.content.decode()
