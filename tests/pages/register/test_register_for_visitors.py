"""What visitors learn of the register: values of players on published lists, never of others (decision 0088)."""

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from ratings.models import RatingList
from reporting.models import Player
from reporting.register.services.federations import ensure_federations
from reporting.rules.names.normalize_name import sort_name
from reporting.rules.register.registers import register_by_code
from tests.people import create_player

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

NUMBER = 78123
DIFFERS = ("register-differs", "fmjd_id")
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
def newcomers(newcomer: Player) -> list[int]:
    """The numbers of 30 players on no list: the one above, and 29 of one first name, country and sex."""
    others = range(NUMBER + 1, NUMBER + 30)
    Player.objects.create_with_numbers(
        register_by_code("fmjd"),
        [
            (number, Player(
                last_name=word(place), first_name="Vita", sort_name=sort_name(word(place), "Vita"),
                federation_id="LTU", sex="W",
            ))
            for place, number in enumerate(others)
        ],
    )  # fmt: skip
    return [NUMBER, *others]


def word(place: int) -> str:
    """A surname of its own for each place."""
    return f"Kazlau{chr(97 + place // 6) * 2}{chr(97 + place % 6) * 2}"


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
    lines = [line for span in page.context["source_spans"] for line in span.lines]
    of_page: list[Any] = [finding for line in lines for finding in line.findings]
    file = SimpleUploadedFile("open.txt", content)
    api = client.post("/api/v1/check/", {"file": file, "details": json.dumps(DETAILS)})
    in_api = [(finding["code"], finding["field"]) for finding in api.json()["findings"]]
    return [(page.text, [(finding.code, finding.field) for finding in of_page]), (api.text, in_api)]


@pytest.mark.parametrize("line", [
    "Anna,Wrongname,LTU,,", "Rasita,Kalvaitiene,LAT,,", "Rasita,Kalvaitiene,LTU,,M",
    "Anna,Wrongname,NED,01/01/1990,M",
])  # fmt: skip
def test_a_number_tells_only_that_something_differs(client: Client, newcomer: Player, line: str) -> None:
    written = line.split(",")
    hidden = [
        text
        for text in ("Kalvaitiene", "Rasita", "LTU", "Lithuania", "2011")
        if text not in written and not (text == "Lithuania" and "LTU" in written)
    ]
    for text, findings in answers(client, art_11(f"{NUMBER},{line}")):
        differing = [found for found in findings if found[0].startswith("register-differs")]
        assert differing == [("register-differs", "fmjd_id")]
        shown = text.partition("<main")[2] or text
        assert [value for value in hidden if value in shown.partition("<datalist")[0]] == []


def test_the_cell_of_a_table_does_not_say_which_value_differs(client: Client, newcomer: Player) -> None:
    head = "Info\nName;Open\n\nPlayers\nNo.;FMJD-ID;Last name;First name;Country;Sex;Place;Points\n"
    cells = set()
    for guess in ("Wrongname;Anna;LTU;W", "Kalvaitiene;Rasita;LAT;W", "Kalvaitiene;Rasita;LTU;M"):
        table = f"{head}1;{NUMBER};{guess};1;0\n\nResults\nRound;White;Black;Result\n"
        response = client.post("/api/v1/check/", {"file": SimpleUploadedFile("open.csv", table.encode())})
        found = response.json()["findings"]
        (finding,) = [finding for finding in found if finding["code"] == "register-differs"]
        cell = finding["field"], finding["line"], finding["column"], finding["expected"]
        cells.add(cell)
    assert len(cells) == 1


def test_a_year_of_birth_cannot_be_guessed(client: Client, newcomer: Player) -> None:
    for born in ("", "01/01/2011", "01/01/1990"):
        for _, findings in answers(client, art_11(f"{NUMBER},Rasita,Kalvaitiene,LTU,{born},W")):
            assert "register-differs" not in {code for code, _ in findings}


def test_the_age_of_a_player_on_no_list_is_not_told(client: Client, newcomer: Player) -> None:
    """Born in 2011, in a tournament of those up to 8 years (R73a)."""
    played = b"<section Info>\nplayed from = 01/11/2026\nplayed to = 07/11/2026\n"
    content = art_11(f"{NUMBER},Rasita,Kalvaitiene,LTU,,W").replace(b"<section Info>\n", played)
    details = DETAILS | {"youth": "young-stars"}
    page = client.post("/check/", {"file": SimpleUploadedFile("open.txt", content), **details})
    assert "over-age" not in page.text
    assert "2011" not in page.text


def test_a_number_on_several_lines_is_compared_on_none(client: Client, newcomer: Player) -> None:
    guesses = ("Rasita,Kalvaitiene,LTU,,W", "Rasa,Kalvaityte,LTU,,W", "Rasita,Kalvaityte,LTU,,W")
    for _, findings in answers(client, art_11(*(f"{NUMBER},{line}" for line in guesses))):
        assert findings.count(DIFFERS) == 3
        assert "player-entered-twice" in {code for code, _ in findings}


def numbers_without_an_answer(client: Client, *lines: str) -> set[int]:
    """The numbers of a file about which the check has nothing to say; page and API agree."""
    content = art_11(*lines)
    (_, of_page), (text, of_api) = answers(client, content)
    assert of_page.count(DIFFERS) == of_api.count(DIFFERS)
    told = [finding for finding in json.loads(text)["findings"] if finding["code"] == "register-differs"]
    return {int(line.split(",")[0]) for line in lines} - {int(finding["found"]) for finding in told}


def test_one_name_for_many_numbers_finds_nobody(
    client: Client, newcomer: Player, newcomers: list[int]
) -> None:
    """The same name, however it is written, with each of 30 numbers; with and without country and sex."""
    written = ("Rasita,Kalvaitiene", "Kalvaitiene,Rasita", "RASITA,Kalvaitienė", "Rasita,kalvaitiene")
    for rest in ("LTU,,W", "LTU,,", ",,W", ",,"):
        lines = [f"{number},{written[place % 4]},{rest}" for place, number in enumerate(newcomers)]
        assert numbers_without_an_answer(client, *lines) == set()
    # Each number with a name of its own is one guess of a whole person.
    lines = [f"{number},Anna,{word(place)},LTU,,W" for place, number in enumerate(newcomers)]
    assert numbers_without_an_answer(client, *lines) == set()
    lines[newcomers.index(NUMBER)] = f"{NUMBER},Rasita,Kalvaitiene,LTU,,W"
    assert numbers_without_an_answer(client, *lines) == {NUMBER}


@pytest.mark.parametrize("rest", ["LTU,,", ",,W", ",,"])
def test_country_and_sex_are_not_confirmed_one_at_a_time(client: Client, newcomer: Player, rest: str) -> None:
    assert numbers_without_an_answer(client, f"{NUMBER},Rasita,Kalvaitiene,{rest}") == set()


def test_a_file_is_compared_with_twenty_players_on_no_list(client: Client, newcomers: list[int]) -> None:
    lines = [f"{number},Vita,{word(place)},LTU,,W" for place, number in enumerate(newcomers[1:])]
    assert numbers_without_an_answer(client, *lines) == set(newcomers[1:21])


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


def test_a_forecast_takes_published_numbers_only(client: Client, newcomer: Player, listed: Player) -> None:
    form = {
        "discipline": "100", "rounds": "1", "system": "swiss", "country": "NED", "time_control": "80+60",
        "referee_level": "fmjd",
    }  # fmt: skip
    entrants = f"{listed.numbers['fmjd']}\n{NUMBER}\n78124\n"
    page = client.post("/titles/forecast/", form | {"entrants": entrants})
    found = [(finding.code, finding.line) for finding in page.context["findings"]]
    assert found == [("fmjd-id-unknown", 2), ("fmjd-id-unknown", 3)]
    assert "Kalvaitiene" not in page.text
