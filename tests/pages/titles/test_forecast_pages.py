"""Forecasts of norms: a list of entrants before a tournament, a report file during it; nothing is stored."""

import html
import re
from http import HTTPStatus
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from ratings.models import RatingList
from reporting.models import Player, Report, Role
from tests.people import create_user

pytestmark = [pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared")]

ENTRANTS, RUNNING = "/titles/forecast/", "/titles/forecast/report/"
DETAILS = {
    "discipline": "100", "rounds": "7", "system": "swiss", "country": "NED", "time_control": "80+60",
    "referee_level": "fmjd",
}  # fmt: skip
# The usual opponents of the cases of Annex 10, and the player.
FIELD = """name,rating,title,sex,federation
Ann,2200,,W,NED
B1,2260,MI,M,BLR
B2,2260,MI,M,BLR
B3,2260,MI,M,BLR
L1,2220,,M,LTU
L2,2220,,M,LTU
L3,2220,,M,LAT
L4,2180,MF,M,LAT
N1,2180,MF,M,NED
N2,2180,MF,M,NED
"""


def words(page: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page.text)).split())


def forecast(client: Client, entrants: str, **details: str) -> Any:
    return client.post(ENTRANTS, DETAILS | {"entrants": entrants} | details)


def test_a_field_makes_norms_possible_with_points_and_reasons(client: Client) -> None:
    """The best 7 for Ann: 3 x 2260 + 3 x 2220 + 2180 = 15620; / 7 = 2231.4: XII, MI 50 %: 7, MF 36 %: 6 points."""
    page = forecast(client, FIELD)
    assert (page.status_code, page["Cache-Control"]) == (HTTPStatus.OK, "private, no-store")
    (ann,) = [row for row in page.context["rows"] if row.entrant.name == "Ann"]
    possible = [(norm.title, norm.points, norm.games) for norm in ann.possible]
    assert possible[:2] == [("MI", 7, 7), ("MF", 6, 7)]
    # No GMI among them: three MI of 2250 or more count as one GMI, and three are asked.
    (gmi,) = [row for row in page.context["titles"] if row.title == "GMI"]
    assert gmi.players == 0
    assert "3 GMI met (4.5.3, 4.5.9, 4.5.10): at best: 0 GMI, 3 MI, 3 MF: counted as 1 GMI" in words(page)
    # The average of the opponents to come decides: XI from 2202 (53 %: 7.42, so 8 points), XII from 2226.
    mi = next(norm for norm in ann.possible if norm.title == "MI")
    assert mi.by_average[-1] == (2226, 7)
    assert "7 points if the opponents to come have an average of at least 2226 (4.3)" in words(page)
    assumed = "one round a day, that the tournament is announced and reported in time, and that the Council"
    assert assumed in words(page)


def test_a_forecast_names_the_colours_that_stay_possible(client: Client) -> None:
    """A red norm asks an FMJD or international referee (4.4.1.5). MI for the seven who meet three MI."""
    assert "MI 7 from 7 points in 7 games; red for 7 players" in words(forecast(client, FIELD))
    without = words(forecast(client, FIELD, referee_level="national"))
    assert "MI 7 from 7 points in 7 games; red for 0 players" in without
    assert "MI 7 points in 7 games black only" in without
    assert "No red norm: An FMJD or international referee (4.4.1.5): at best: national" in without


def test_a_forecast_asks_the_disciplines_and_the_details_of_the_rules_of_titles(client: Client) -> None:
    form = client.get(ENTRANTS).context["form"]
    assert list(form.fields["discipline"].choices) == [("100", "100 squares"), ("64", "64 squares")]
    assert [(field.name, field.initial, field.widget_type) for field in form.detail_fields()] == [
        ("discipline", None, "select"), ("rounds", None, "number"), ("system", "swiss", "select"),
        ("country", None, "text"), ("time_control", "80+60", "text"),
        ("referee_level", "international", "select"), ("competition", "", "select"),
        ("national_championship", "", "select"), ("youth", "", "select"), ("official", None, "checkbox"),
        ("women_only", None, "checkbox"),
    ]  # fmt: skip


def test_a_round_robin_knows_its_opponents(client: Client) -> None:
    """Ann meets all nine: MI 10 points in 9 games, MF 8 (art. 4.5.8)."""
    page = forecast(client, FIELD, system="round-robin", rounds="9")
    ann = page.context["rows"][0]
    assert [(norm.title, norm.points) for norm in ann.possible][:2] == [("MI", 10), ("MF", 8)]
    assert "The opponents to come are not known" not in page.text


def test_numbers_take_rating_and_titles_from_list_and_register(client: Client) -> None:
    newest = RatingList.objects.filter(state="published", pool__code="fmjd-100").latest(
        "in_force", "revision"
    )
    rated = list(newest.rows.order_by("-rating").values_list("player", "rating")[:8])
    players = Player.objects.in_bulk([player for player, _ in rated])
    page = forecast(client, "\n".join(str(players[player].number.value) for player, _ in rated))
    assert page.status_code == HTTPStatus.OK
    assert [row.entrant.rating for row in page.context["rows"]] == [rating for _, rating in rated]


def test_every_fault_of_a_list_is_found_at_once(client: Client) -> None:
    entrants = (
        "number,name,rating,title,sex,federation\n13368,,,,,\n13368,,,,,\n99999999,,,,,\n"
        ",Ann,,,,NED\n,Ben,2100,,,XQX\n,Cas,abc,,,NED\n,Dan\n"
    )
    page = forecast(client, entrants)
    assert page.status_code == HTTPStatus.BAD_REQUEST
    found = {(finding.code, finding.line) for finding in page.context["findings"]}
    assert {
        ("id-repeated", 3), ("fmjd-id-unknown", 4), ("sex-missing", 5), ("federation-unknown", 6),
        ("number-unreadable", 7), ("field-count", 8),
    } <= found  # fmt: skip
    # Nothing that was entered is lost.
    assert page.context["form"]["entrants"].value() == entrants
    assert "99999999" in words(page)


def test_rounds_that_the_entrants_cannot_play_are_refused(client: Client) -> None:
    for rounds in ("0", "10", "100", "x", ""):
        page = forecast(client, FIELD, rounds=rounds)
        assert page.status_code == HTTPStatus.BAD_REQUEST
        assert page.context["form"].errors["rounds"], rounds
        assert "N2,2180,MF,M,NED" in page.text


def test_a_list_that_is_none_is_no_500(client: Client) -> None:
    for entrants in ("", "\n", "5", "name\n", "\x00", "\t;,\n", '"', "1\n" * 300):
        assert forecast(client, entrants).status_code == HTTPStatus.BAD_REQUEST, entrants


def test_a_table_pasted_from_a_spreadsheet_is_read(client: Client) -> None:
    page = forecast(client, FIELD.replace(",", "\t"))
    assert page.status_code == HTTPStatus.OK
    file = SimpleUploadedFile("field.csv", FIELD.replace(",", ";").encode())
    assert client.post(ENTRANTS, DETAILS | {"file": file}).status_code == HTTPStatus.OK


def report(rounds: int) -> bytes:
    """The field as a report: Ann has won against B1, then drawn."""
    people = [line.split(",") for line in FIELD.splitlines()[1:]]
    players = (
        "".join(
            f"0,{n},,{n},0,{name},Vroom{'abcdefghij'[n - 1]},{federation},01/01/1990,{sex}\n"
            for n, (name, _, _, sex, federation) in enumerate(people, start=1)
        )
        .replace("B1", "Bob")
        .replace("B2", "Bart")
    )
    results = "".join(
        f"{turn},1,{turn + 1},{'2-0' if turn == 1 else '1-1'}\n" for turn in range(1, rounds + 1)
    )
    return (
        "<section Info>\nname = Lakeside Open\nplayed from = 06/11/2026\nplayed to = 14/11/2026\ntype = SWISS\n"
        "national championship = N\nwomen championship = N\nname of referee = Piet Fluit\nplace = Utrecht\n"
        f"country = NED\nremarks = <remark></end remark>\nwinner = Ann\n</end info>\n<section players>\n{players}"
        f"</end players>\n<section results>\n{results}</end results>\n"
    ).encode()


def test_a_report_file_with_some_rounds_gives_the_points_still_asked(client: Client) -> None:
    file = SimpleUploadedFile("open.txt", report(3))
    page = client.post(RUNNING, DETAILS | {"rounds": "9", "file": file})
    assert page.status_code == HTTPStatus.OK, words(page)[:2000]
    ann = page.context["rows"][0]
    assert (ann.points, page.context["rounds_played"], page.context["rounds_left"]) == (4, 3, 6)
    # Without number and rating in the file all count 2100 or 2000: no category of MI, and too few rated.
    assert not ann.possible
    assert "rated" in words(page)
    late = client.post(RUNNING, DETAILS | {"rounds": "2", "file": SimpleUploadedFile("open.txt", report(3))})
    assert late.status_code == HTTPStatus.BAD_REQUEST
    assert late.context["form"].errors["rounds"]


@pytest.mark.parametrize("content", [b"", b"\xff\x00\xfe", b"no report", b"PK\x03\x04"])
def test_a_file_that_is_no_report_is_no_500(client: Client, content: bytes) -> None:
    page = client.post(RUNNING, DETAILS | {"file": SimpleUploadedFile("x.txt", content)})
    assert page.status_code == HTTPStatus.BAD_REQUEST
    assert page.context["findings"]


def test_a_source_makes_sixty_forecasts_in_a_quarter_of_an_hour() -> None:
    client = Client(REMOTE_ADDR="192.0.2.77")
    pages = [client.post(ENTRANTS, {}) for _ in range(61)]
    assert [page.status_code for page in pages] == [400] * 60 + [429]
    assert pages[-1]["Retry-After"] == "900"


def test_the_forecast_of_a_report_starts_from_its_details(client: Client) -> None:
    """Those who may see the report choose what it leaves open; the games are those of its newest version."""
    report = Report.objects.filter(versions__players__gt=0, result_set__system="swiss").earliest("pk")
    address = f"/titles/forecast/reports/{report.pk}/"
    assert client.get(address)["Location"] == f"/login/?next={address}"
    stranger = create_user("s@example.org", "S", roles=[Role.REFEREE], federation_id="NED")
    client.force_login(stranger)
    assert (
        client.get(address).status_code == client.post(address, DETAILS).status_code == HTTPStatus.NOT_FOUND
    )

    client.force_login(create_user("o@example.org", "O", roles=[Role.RATING_OFFICER]))
    page = client.get(address)
    assert page.status_code == HTTPStatus.OK
    assert page.context["form"]["time_control"].value() == report.result_set.time_control
    assert page.context["form"]["system"].value() == "swiss"
    assert f'href="/reports/{report.pk}/"' in page.text
    played = report.result_set.games.latest("round").round
    few = client.post(address, DETAILS | {"rounds": played - 1})
    assert few.status_code == HTTPStatus.BAD_REQUEST
    assert f"The file has {played} rounds already." in few.text
    page = client.post(address, DETAILS | {"rounds": played + 1})
    assert page.status_code == HTTPStatus.OK
    assert len(page.context["rows"]) == report.versions.latest("number").players
    assert (page.context["rounds_played"], page.context["rounds_left"]) == (played, 1)
    assert client.put(address).status_code == HTTPStatus.METHOD_NOT_ALLOWED
