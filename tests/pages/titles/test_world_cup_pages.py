"""The pages of the World Cup: for the office before anything is published."""

from __future__ import annotations

import re
from datetime import date
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client

from reporting.models import Role
from tests.pages.office.office_pages import person, text_of
from tests.people import client_of
from tests.services.conftest import Office
from tests.services.test_world_cup_commands import CUP, accept

pytestmark = pytest.mark.django_db

ADDRESS = "/office/world-cup/"
ON = f"{ADDRESS}?on=2026-12-31"


@pytest.fixture
def director(office: Office) -> Client:
    return client_of(person("Dora", Role.TOURNAMENT_DIRECTOR))


@pytest.fixture
def cup(office: Office) -> None:
    """Five stars, one group: 11 M, 12 W, 13 M absent from the closing ceremony, 14 M, with 6, 4, 1 and 1 points."""
    office.opening(
        "fmjd_id rating games last_game games_3_years\n11 2300 90 2024-12-01 60\n16 2250 90 2024-12-01 60\n"
        "17 2250 90 2024-12-01 60",
        in_force=date(2025, 1, 1),
    )
    office.register(13, 14)
    office.register(12, sex="W")
    accept(office, "Cup", [11, 12, 13, 14], absent_from_closing="[3]", **CUP)


def rows_of(response: Any) -> list[list[str]]:
    """The cells of the classification, without the unfolded part."""
    rows = re.findall(r'<tbody class="unfold">\s*<tr>(.*?)</tr>', response.content.decode(), re.DOTALL)
    cells = (re.findall(r"<td.*?</td>", row, re.DOTALL) for row in rows)
    return [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row] for row in cells]


def test_each_row_unfolds_to_its_results_and_what_separates_neighbours(
    office: Office, cup: None, director: Client
) -> None:
    # Open places are counted among men: 11 is first: 100 + 5 * 6 = 130. 13 is second, but absent: 0. 14 is third:
    # 50 + 5 * 1 = 55. Columns: rank, federation, points, first, second and third places, games won.
    response = director.get(ON)
    assert [row[:7] for row in rows_of(response)] == [
        ["1", "NED", "130", "1", "0", "0", "3"], ["2", "NED", "55", "0", "0", "1", "0"],
    ]  # fmt: skip
    said = text_of(response)
    assert "100 + 5 × 6 130 counts" in said
    # 14 has final place 4; without the woman it is bonus place 3.
    assert "4 bonus of place 3 50 + 5 × 1 55 counts" in said
    assert f"Ahead of {office.names[14][1]}, {office.names[14][0]} by World Cup points: 130 to 55." in said
    assert f"Behind {office.names[11][1]}, {office.names[11][0]} by World Cup points: 55 to 130." in said
    assert "Last rounds from 1 Jan 2025 to 31 Dec 2026; the best 4 results of each player count." in said
    # The woman: first of the women, 100 + 5 * 4 = 120.
    women = director.get(f"{ON}&classification=women")
    assert [row[:3] for row in rows_of(women)] == [["1", "NED", "120"]]


def test_what_does_not_count_says_why(office: Office, cup: None, director: Client) -> None:
    # 13 wins the second one: 100 + 5 * 6 = 130 counts, and the 0 of the first is an absence.
    accept(office, "Other", [13, 11, 14, 17], month=5, **CUP)
    said = text_of(director.get(ON))
    assert "– 0 absent from the closing ceremony" in said
    # Five tournaments of 11 and 14 with the same points: the fifth result of each is left out.
    for month in (6, 7, 8):
        accept(office, f"Cup {month}", [11, 14, 16, 17], month=month, **CUP)
    # Each says it in its last cell, and on a phone below the tournament.
    assert text_of(director.get(ON)).count("not one of the best 4") == 2 * 2


def test_the_reserve_list_stands_below(office: Office, cup: None, director: Client) -> None:
    # World Cup 11, 14; ratings 11, then 16 and 17, equal in rating and games: a lot decides. 11, 16, 14, 17.
    said = text_of(director.get(ON))
    assert "Reserve list for 2027" in said
    family = {number: name for number, (_, name) in office.names.items()}
    order = re.findall(r"Family\w+", said[said.index("Reserve list for 2027") :])
    assert order == [family[11], family[16], family[14], family[17]]
    assert said.count("a lot decides") == 2
    assert "Reserve list" not in text_of(director.get(f"{ON}&section=64"))


def test_a_tournament_that_is_not_counted_says_what_it_needs(office: Office, director: Client) -> None:
    office.register(11, 12, 13, 14)
    accept(office, "Half", [11, 12, 13, 14], competition='"world-cup"')
    accept(office, "Places", [11, 12, 13, 14], places=(0, 0, 0, 0), month=5, **CUP)
    said = text_of(director.get(ON))
    assert "2026-half: “World Cup stars” is missing." in said
    assert "2026-places: the report has no final places." in said
    assert "A tournament counts once its report is accepted as a World Cup event" in said
    accept(office, "One", [11, 12, 13, 14], places=(1, 2, 0, 3), month=6, **CUP)
    assert "2026-one: player 13 has no final place, and so no result." in text_of(director.get(ON))


@pytest.mark.parametrize(("query", "said"), [
    ("on=1982-12-31", "1983"), ("on=2026-02-30", "Enter one that exists"),
    ("section=32", "“32” is not offered here."), ("classification=men", "“men” is not offered here."),
])  # fmt: skip
def test_what_there_is_not_is_an_error_of_its_field(director: Client, query: str, said: str) -> None:
    response = director.get(f"{ADDRESS}?{query}")
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert said in text_of(response)
    assert "field--bad" in response.content.decode()


def test_a_page_number_that_there_is_not(director: Client) -> None:
    assert director.get(f"{ADDRESS}?page=x").status_code == HTTPStatus.BAD_REQUEST
    assert director.get(f"{ADDRESS}?page=9").status_code == HTTPStatus.NOT_FOUND


def test_dashboard_and_norms_lead_to_it(director: Client) -> None:
    assert f'href="{ADDRESS}"' in director.get("/office/").content.decode()
    council = client_of(person("Cleo", Role.TITLE_COUNCIL))
    assert f'href="{ADDRESS}"' in council.get("/titles/norms/").content.decode()
    assert council.get(ADDRESS).status_code == HTTPStatus.OK
