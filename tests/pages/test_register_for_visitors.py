"""What visitors learn of the register: values of players on published lists, never of others (decision 0088)."""

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from ratings.models import RatingList
from reporting.models import Player
from reporting.register.services.import_register import ensure_federations
from reporting.rules.names.normalize_name import sort_name
from tests.people import create_player

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

NUMBER = 78123
DETAILS = {"discipline": "100", "time_control": "80+30"}


@pytest.fixture
def newcomer(season_shared: None) -> Player:
    """A player whom no list has named yet."""
    cache.clear()
    ensure_federations(["LTU"])
    return create_player(
        NUMBER, last_name="Kalvaitiene", first_name="Rasita", sort_name=sort_name("Kalvaitiene", "Rasita"),
        federation_id="LTU", sex="W", birth_year=2011,
    )  # fmt: skip


@pytest.fixture
def listed(newest: RatingList) -> Player:
    return newest.rows.select_related("player").order_by("position")[0].player


def art_11(*players: str) -> bytes:
    lines = [f"{line.split(',')[0]},{n},,{n},0,{line.split(',', 1)[1]}" for n, line in enumerate(players, 1)]
    return "\n".join(
        ["<section Info>", "</end info>", "<section players>", *lines, "</end players>", "<section results>",
         "</end results>"]
    ).encode()  # fmt: skip


def answers(client: Client, content: bytes) -> list[tuple[str, list[tuple[str, str]]]]:
    """Text and findings of the page and of the API."""
    page = client.post("/check/", {"file": SimpleUploadedFile("open.txt", content), **DETAILS})
    of_page: list[Any] = [
        finding for span in page.context["source_spans"] for line in span.lines for finding in line.findings
    ]
    api = client.post(
        "/api/v1/check/",
        {"file": SimpleUploadedFile("open.txt", content), "details": json.dumps(DETAILS)},
    )
    return [
        (page.text, [(finding.code, finding.field) for finding in of_page]),
        (api.text, [(finding["code"], finding["field"]) for finding in api.json()["findings"]]),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Anna,Wrongname,LTU,,",
        "Rasita,Kalvaitiene,LAT,,",
        "Rasita,Kalvaitiene,LTU,,M",
        "Anna,Wrongname,NED,01/01/1990,M",
    ],
)
def test_a_number_tells_that_something_differs_and_nothing_else(
    client: Client, newcomer: Player, line: str
) -> None:
    written = line.split(",")
    hidden = [
        text
        for text in ("Kalvaitiene", "Rasita", "LTU", "Lithuania", "2011")
        if text not in written and not (text == "Lithuania" and "LTU" in written)
    ]
    for text, findings in answers(client, art_11(f"{NUMBER},{line}")):
        assert [found for found in findings if found[0].startswith("register-differs")] == [
            ("register-differs", "fmjd_id")
        ]
        shown = text.partition("<main")[2] or text
        assert [value for value in hidden if value in shown.partition("<datalist")[0]] == []


def test_a_year_of_birth_cannot_be_guessed(client: Client, newcomer: Player) -> None:
    for born in ("", "01/01/2011", "01/01/1990"):
        for _, findings in answers(client, art_11(f"{NUMBER},Rasita,Kalvaitiene,LTU,{born},W")):
            assert "register-differs" not in {code for code, _ in findings}


def test_the_age_of_a_player_on_no_list_is_not_told(client: Client, newcomer: Player) -> None:
    """Born in 2011, in a tournament of those up to 8 years (R73a)."""
    content = art_11(f"{NUMBER},Rasita,Kalvaitiene,LTU,,W").replace(
        b"<section Info>\n", b"<section Info>\nplayed from = 01/11/2026\nplayed to = 07/11/2026\n"
    )
    details = DETAILS | {"youth": "young-stars"}
    page = client.post("/check/", {"file": SimpleUploadedFile("open.txt", content), **details})
    assert "over-age" not in page.text
    assert "2011" not in page.text


def test_a_number_on_several_lines_is_compared_on_none(client: Client, newcomer: Player) -> None:
    guesses = ("Rasita,Kalvaitiene,LTU,,", "Rasa,Kalvaityte,LTU,,", "Rasita,Kalvaityte,LTU,,")
    for _, findings in answers(client, art_11(*(f"{NUMBER},{line}" for line in guesses))):
        codes = [code for code, _ in findings]
        assert "register-differs" not in codes
        assert "player-entered-twice" in codes


@pytest.mark.parametrize("line", ["0,Rasita,Kalvaitiene,LTU,01/01/2011,W", "78124,Rasita,Kalvaitiene,LTU,,"])
def test_a_player_on_no_list_is_nobodys_look_alike(client: Client, newcomer: Player, line: str) -> None:
    for text, findings in answers(client, art_11(line)):
        assert "looks-registered" not in {code for code, _ in findings}
        assert str(NUMBER) not in text


def test_a_name_of_an_export_does_not_find_a_player_on_no_list(client: Client, newcomer: Player) -> None:
    content = (
        b";Tournament table\nOpen\nPlace;S.No.;Title;Name;Fed.;FMJD;R1;Total\n"
        b"1;1;;Kalvaitiene, Rasita;LTU;;0w0;0\n"
    )
    for text, findings in answers(client, content):
        assert ("player-not-identified", "name") in findings
        assert str(NUMBER) not in text


def test_of_a_player_on_a_published_list_the_values_are_shown(client: Client, listed: Player) -> None:
    for text, findings in answers(
        client, art_11(f"{listed.numbers['fmjd']},Anna,Wrongname,{listed.federation_id},,")
    ):
        assert ("register-differs", "name") in findings
        assert listed.last_name in text


def test_a_forecast_takes_numbers_of_published_lists_only(
    client: Client, newcomer: Player, listed: Player
) -> None:
    form = {
        "discipline": "100", "rounds": "1", "system": "swiss", "country": "NED", "time_control": "80+60",
        "referee_level": "fmjd",
    }  # fmt: skip
    page = client.post(
        "/titles/forecast/", form | {"entrants": f"{listed.numbers['fmjd']}\n{NUMBER}\n78124\n"}
    )
    assert [(finding.code, finding.line) for finding in page.context["findings"]] == [
        ("fmjd-id-unknown", 2),
        ("fmjd-id-unknown", 3),
    ]
    assert "Kalvaitiene" not in page.text
