"""Youth teams: a world youth championship of boys and girls in three tempos, as pages, files and API (R73)."""

from __future__ import annotations

import re
from datetime import date
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client

from reporting.register.services.import_register import import_register
from tests.pages.office.office_pages import text_of
from tests.services.conftest import REGISTER_HEADER, Office, small_office, word
from tests.services.test_world_cup_commands import accept
from titles.federations.fmjd.world_cup.youth_teams.selectors import published_teams

pytestmark = pytest.mark.django_db(transaction=True)

YOUTH = {"competition": '"world-championship"', "youth": '"juniors"', "born": "01/02/2010"}
BOYS, GIRLS = [11, 12, 13, 14], [23, 21, 24, 22]
CLASSIC = "/youth-teams/2026/classic/"


def register(office: Office, federation: str, *numbers: int, sex: str = "M") -> None:
    lines = [REGISTER_HEADER]
    for number in numbers:
        office.names[number] = (f"Given{word(number).lower()}", f"Family{word(number).lower()}")
        first, last = office.names[number]
        lines.append(f"{number},{last},{first},{federation},{sex},01/02/2010,")
    import_register(content="\n".join(lines).encode(), by=office.officer)


@pytest.fixture
def office(db: None) -> Office:
    """11, 12, 21, 22 of NED and 13, 14, 23, 24 of ITA; each group is won by its first number."""
    office = small_office()
    for pool in ("fmjd-100", "fmjd-100-rapidblitz"):
        office.opening("fmjd_id rating games\n15 2000 90", pool=pool)
    register(office, "NED", 11, 12, 31, 32, 33, 34)
    register(office, "ITA", 13, 14)
    register(office, "NED", 21, 22, sex="W")
    register(office, "ITA", 23, 24, sex="W")
    return office


@pytest.fixture
def published(office: Office) -> None:
    """Boys and girls in classic; boys in rapid, girls in blitz; counted by the lists of April 2026."""
    accept(office, "Boys", BOYS, **YOUTH)
    accept(office, "Girls", GIRLS, women_only="true", **YOUTH)
    accept(office, "Rapid", BOYS, month=2, time_control='"20+5"', **YOUTH)
    accept(office, "Blitz", GIRLS, month=2, time_control='"5+3"', women_only="true", **YOUTH)
    office.run(date(2026, 4, 1))
    office.run(date(2026, 4, 1), pool="fmjd-100-rapidblitz")


def of_teams(page: str) -> list[str]:
    return re.findall(r"\d (?:Netherlands|Italy) \d+ \d \d \d", page)


def test_boys_and_girls_are_added_up_in_each_tempo(client: Client, published: None) -> None:
    # Three rounds: 6 of 6 points 100 %, 4 of 6 67 %, 1 of 6 17 %. Bonus of places 1 to 4: 100, 70, 50, 40.
    # Boys: NED 200 + 137, ITA 67 + 57. Girls: ITA 200 (23) + 67 (24), NED 137 (21) + 57 (22).
    # NED 337 + 194 = 531 with places 1, 2, 2, 4; ITA 124 + 267 = 391 with places 3, 4, 1, 3.
    assert of_teams(text_of(client.get(CLASSIC))) == ["1 Netherlands 531 1 2 0", "2 Italy 391 1 0 2"]
    rapid = text_of(client.get("/youth-teams/2026/rapid/"))
    assert of_teams(rapid) == ["1 Netherlands 337 1 1 0", "2 Italy 124 0 0 1"]
    blitz = text_of(client.get("/youth-teams/2026/blitz/"))
    assert of_teams(blitz) == ["1 Italy 267 1 0 1", "2 Netherlands 194 0 1 0"]
    empty = text_of(client.get(f"{CLASSIC}?section=64"))
    assert "No published list counts a world youth championship of this year and tempo." in empty


def test_the_queries_do_not_grow_with_the_groups(published: None, django_assert_num_queries: Any) -> None:
    for tempo, groups in (("rapid", 1), ("classic", 2)):
        with django_assert_num_queries(8):
            rows = published_teams(2026, tempo, "100")
        tournaments = {result["tournament"] for row in rows for result in row["results"]}
        assert len(tournaments) == groups


def test_the_index_leads_to_each_year_and_tempo(client: Client, published: None) -> None:
    page = client.get("/youth-teams/")
    assert "2026 100 squares 2 groups 100 squares 1 group 100 squares 1 group" in text_of(page)
    assert f'href="{CLASSIC}"' in page.content.decode()
    assert f'href="{CLASSIC}teams.csv"' in client.get(CLASSIC).content.decode()


def test_files_and_api_have_the_same_figures(client: Client, published: None) -> None:
    assert client.get(f"{CLASSIC}teams.csv").content.decode().split() == [
        "rank,federation,points,first,second,third", "1,NED,531,1,2,0", "2,ITA,391,1,0,2",
    ]  # fmt: skip
    results = client.get(f"{CLASSIC}results.csv").content.decode().split()
    assert results[0] == "federation,tournament,fmjd_id,place,tp,percent,bonus,points,counts"
    assert "NED,2026-girls,21,2,4,67,70,137,yes" in results
    assert len(results) == 1 + 8
    file, answer = client.get(f"{CLASSIC}teams.json").json(), client.get(f"/api/v1{CLASSIC}").json()
    assert {key: file[key] for key in ("year", "tempo", "section")} == {
        "year": 2026, "tempo": "classic", "section": "100",
    }  # fmt: skip
    assert file["rows"] == answer["results"]
    teams = [(team["federation"], team["points"]) for team in answer["results"]]
    assert teams == [("NED", 531), ("ITA", 391)]
    championships = client.get("/api/v1/youth-teams/").json()["results"]
    assert championships[0] == {"year": 2026, "tempo": "blitz", "section": "100", "groups": 1}
    assert [one["tempo"] for one in championships] == ["blitz", "classic", "rapid"]


def test_the_fourth_of_a_federation_does_not_count_and_what_no_list_counts_is_not_public(
    client: Client, office: Office
) -> None:
    accept(office, "Boys", [31, 32, 33, 34], **YOUTH)
    assert "No published list counts a world youth championship." in text_of(client.get("/youth-teams/"))
    assert client.get(f"/api/v1{CLASSIC}").json()["results"] == []
    office.run(date(2026, 4, 1))
    # Best three: 200 + 137 + 67 = 404; the fourth, 17 + 40 = 57, does not count.
    page = text_of(client.get(CLASSIC))
    assert of_teams(page) == ["1 Netherlands 404 1 1 1"]
    counting, others = page.split("that do not count")
    assert [sum_ in counting for sum_ in ("100 + 100 200", "67 + 70 137", "17 + 50 67")] == [True] * 3
    assert "17 + 40 57" in others


@pytest.mark.parametrize("path", [
    "/youth-teams/1983/classic/", "/youth-teams/2026/bullet/", f"{CLASSIC}?section=32", f"{CLASSIC}list.csv",
    "/api/v1/youth-teams/2026/bullet/",
])  # fmt: skip
def test_youth_teams_that_there_are_not_are_404(client: Client, db: None, path: str) -> None:
    assert client.get(path).status_code == HTTPStatus.NOT_FOUND
