"""The largest legal file of each format (U15): every page of its report is at most a megabyte, in bounded queries."""

import io
import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from ratings.models import RatingList
from ratings.queries.tournaments import tournaments_of
from reporting.log.audit import Actor
from reporting.models import Entry, Federation, Player, Report, ResultSet, Role, User
from reporting.reports.reading import read_file
from reporting.reports.services.upload import upload_report
from reporting.rules.register.registers import register_by_code
from reporting.rules.report import MAX_FILE_BYTES, MAX_PLAYERS, MAX_ROUNDS
from tests.databases import open_results
from tests.formats.test_limits import FORMATS
from tests.people import client_of, create_user
from tests.processes.faults.fault_tools import rounds
from tests.program import Program
from titles.forecasts.field import MAX_ENTRANTS

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

MOST_BYTES, MOST_QUERIES = 1_000_000, 40
ROUNDS = 13  # 5,000 players, 2,500 games a round
LAST = "99999"  # a page behind the last one is the last one


def largest(name: str) -> bytes:
    content = FORMATS[name](MAX_PLAYERS, ROUNDS)
    assert len(content) <= MAX_FILE_BYTES
    return content


def workbook(players: int) -> bytes:
    """The spreadsheet form with as many rounds."""
    book = openpyxl.Workbook(write_only=True)
    for text in FORMATS["spreadsheet"](players, ROUNDS).decode().splitlines():
        cells = text.split(";")
        if len(cells) == 1:
            sheet = book.create_sheet(cells[0])
        else:
            sheet.append(cells)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def uploaded(by: User, content: bytes) -> Report:
    return upload_report(content=content, filename="largest", sidecar=b"", by=Actor(by)).report


@pytest.fixture
def officer() -> Iterator[Client]:
    return client_of(create_user("o@example.org", "Olga Ames", roles=[Role.RATING_OFFICER]))


def page_of(client: Client, address: str, query: dict[str, str] | None = None) -> str:
    with CaptureQueriesContext(connection) as queries:
        response = client.get(address, query or {})
    assert response.status_code == 200, address
    assert len(queries) <= MOST_QUERIES, address
    assert len(response.content) <= MOST_BYTES, f"{address} {query}: {len(response.content):,} bytes"
    return response.text


@pytest.mark.parametrize("name", rounds(["table-form"], list(FORMATS)))
def test_file_and_crosstable_of_a_large_report_are_in_pages(client: Client, referee: User, name: str) -> None:
    report = uploaded(referee, largest(name))
    version = report.versions.get()
    assert (version.format, version.players, version.games) == (name, MAX_PLAYERS, 32_500)
    file = page_of(client, reverse("report-file", args=[report.pk]), {"lines": LAST})
    assert re.search(r"Lines [0-9,]+ to ([0-9,]+) of \1\s*<", file)
    preview = page_of(client, reverse("report-preview", args=[report.pk]), {"page": "50", "rounds": LAST})
    assert "Players 4,901 to 5,000 of 5,000" in preview
    # 12 rounds of 100 players are 1,200 cells: the last page has round 13.
    assert "Rounds 13 to 13 of 13" in preview


def test_every_other_page_of_the_largest_report(client: Client, referee: User, officer: Client) -> None:
    players = rounds(2_000, MAX_PLAYERS)
    report = uploaded(referee, FORMATS["fmjd"](players, ROUNDS))
    for name in (
        "report", "report-details", "report-people", "report-submit", "report-results-entry-players",
    ):  # fmt: skip
        page_of(client, reverse(name, args=[report.pk]))
    last = {
        "page": LAST, "settled": LAST, "lines": LAST, "findings": LAST, "general": LAST, "newcomers": LAST,
    }  # fmt: skip
    page_of(client, reverse("report-people", args=[report.pk]), last)
    page_of(client, reverse("report-results-entry-players", args=[report.pk]), {"page": "9999"})
    page_of(client, reverse("report-results-entry-crosstable", args=[report.pk]))
    page_of(client, reverse("report-results-entry-round", args=[report.pk, 1]), {"page": str(players // 200)})
    page_of(officer, reverse("office-report", args=[report.pk]))
    page_of(officer, reverse("office-report", args=[report.pk]), last | {"rounds": LAST, "register": LAST})


def test_pages_of_a_large_report_wait_for_a_place_and_those_of_others_do_not(
    client: Client, referee: User, officer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    large, small = (uploaded(referee, FORMATS["fmjd"](players, 2)) for players in (1_002, 8))
    monkeypatch.setattr(read_file, "READERS_AT_ONCE", 0)
    monkeypatch.setattr(read_file, "SECONDS_TO_WAIT", 0)
    for reader, name in (
        (client, "report-preview"), (client, "report-people"), (client, "title-forecast-of-report"),
        (officer, "office-report"),
    ):  # fmt: skip
        with CaptureQueriesContext(connection) as asked:
            refused = reader.get(reverse(name, args=[large.pk]))
        assert (name, refused.status_code) == (name, 503)
        assert "Please try again in a minute." in refused.text
        assert not [query for query in asked if '"reading"' in query["sql"]]  # up to half a megabyte
        assert reader.get(reverse(name, args=[small.pk])).status_code == 200
    for address in ("/check/", "/standings/", "/api/v1/check/"):
        file = SimpleUploadedFile("small.txt", FORMATS["fmjd"](8, 2))
        assert client.post(address, {"file": file}).status_code == 503
    program = Program(referee)
    for path in ("", "details/", "findings/"):
        assert program.ask("GET", f"reports/{large.pk}/{path}").status_code == 503
        assert program.ask("GET", f"reports/{small.pk}/{path}").status_code == 200
    monkeypatch.undo()
    for _ in range(3):  # each gives its place back
        page_of(client, reverse("report-preview", args=[large.pk]))


def test_the_changes_of_a_file_whose_lines_are_all_others(client: Client, referee: User) -> None:
    """Its games in the reverse order: no two lines are next to each other as before."""
    content = FORMATS["fmjd"](rounds(1_000, MAX_PLAYERS), ROUNDS)
    report = uploaded(referee, content)
    head, games = content.split(b"<section results>\n")
    lines = games.splitlines(keepends=True)
    other = b"".join([head, b"<section results>\n", *lines[-2::-1], lines[-1]])
    address = reverse("report-file", args=[report.pk])
    sent = {"based_on": "1", "file": SimpleUploadedFile("other.txt", other)}
    assert client.post(address, sent).status_code == 302
    changes = reverse("report-changes", args=[report.pk, 1, 2])
    assert "Changed lines 1 to 100 of " in page_of(client, changes)
    page_of(client, changes, {"page": LAST})


def test_the_check_page_shows_the_beginning_and_says_of_how_much(client: Client) -> None:
    players = rounds(2_000, MAX_PLAYERS)
    file = SimpleUploadedFile("large.txt", FORMATS["toernooibase"](players, ROUNDS))
    response = client.post("/check/", {"file": file})
    assert response.status_code == 200
    assert len(response.content) <= MOST_BYTES
    assert f"1 to 100 of {players:,}" in response.text
    assert "This page shows the first findings only." in response.text


@pytest.mark.parametrize(
    ("players", "played"), [(rounds(1_500, MAX_PLAYERS), ROUNDS), (500, rounds(50, MAX_ROUNDS))]
)
def test_the_standings_of_a_large_file_are_its_first_places(
    client: Client, players: int, played: int
) -> None:
    """Each with five tie-breaks and the sums behind them: without a limit 2.7 MB."""
    file = SimpleUploadedFile("largest.txt", FORMATS["toernooibase"](players, played))
    keys = ("BH", "BH/C1", "BH/M1", "SB", "WIN")
    chosen = {f"tie_break_{place}": key for place, key in enumerate(keys, 1)}
    response = client.post("/standings/", {"file": file, **chosen})
    assert response.status_code == 200
    assert len(response.context["tie_breaks"]) == 5
    assert len(response.content) <= MOST_BYTES
    assert (f"The first 500 of {players:,} places are shown." in response.text) == (players > 500)
    assert len(response.context["players"]) == 500


@pytest.mark.usefixtures("season_shared")
def test_the_forecast_of_the_largest_field_is_a_page(client: Client) -> None:
    """200 players, each with what six titles ask of them."""
    file = SimpleUploadedFile("field.txt", FORMATS["fmjd"](MAX_ENTRANTS, MAX_ROUNDS - 1))
    details = {"discipline": "100", "system": "swiss", "rounds": str(MAX_ROUNDS), "time_control": "80+30"}
    sent = {"file": file, **details, "country": "NED", "referee_level": "international"}
    response = client.post(reverse("title-forecast-running"), sent)
    assert (response.status_code, len(response.context["rows"])) == (200, MAX_ENTRANTS)
    assert len(response.content) <= MOST_BYTES


def test_the_rows_of_a_large_workbook(client: Client, referee: User) -> None:
    players = rounds(600, MAX_PLAYERS)
    report = uploaded(referee, workbook(players))
    assert report.versions.get().players == players
    # Its strangers are rows of the page People, not errors of the file.
    file = page_of(client, reverse("report-file", args=[report.pk]), {"lines": LAST})
    assert re.search("Identify [0-9]{3,} players", file)
    page_of(client, reverse("report-people", args=[report.pk]), {"page": LAST})
    page_of(client, reverse("report-preview", args=[report.pk]), {"page": str(players // 100)})


@pytest.mark.database_role("owner")  # who alone can put players into a tournament that a list counts
def test_the_public_page_of_a_tournament_of_5000_players(client: Client, newest: RatingList) -> None:
    tournament = tournaments_of(newest)[0]
    open_results()
    fill(ResultSet.objects.get(pk=tournament.pk), players=MAX_PLAYERS, rounds=rounds(4, 20))
    for name, what in (("tournament", "Places"), ("tournament-changes", "Players")):
        address = reverse(name, args=[tournament.code])
        assert f"{what} 1 to 100 of 5,000" in page_of(client, address)
        assert f"{what} 4,901 to 5,000 of 5,000" in page_of(client, address, {"page": "50"})
        assert client.get(address, {"page": "52"}).status_code == 404


def create_players(register: str, numbers: Iterable[int]) -> list[Player]:
    names = {number: {"last_name": f"Name{number}", "sort_name": f"name{number} other"} for number in numbers}
    players = {n: Player(first_name="Other", federation_id="NED", **name) for n, name in names.items()}
    return Player.objects.create_with_numbers(register_by_code(register), players.items())


def fill(tournament: ResultSet, players: int, rounds: int) -> None:
    after = 1 + max(tournament.entries.values_list("number", flat=True))
    numbers = range(1, 1 + players - tournament.entries.count())
    others = create_players("knsb", numbers)
    entries = Entry.objects.bulk_create(
        Entry(result_set=tournament, player=finding, number=number, reported_name=str(number))
        for number, finding in enumerate(others, after)
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "insert into reporting_game (result_set_id, round, white_id, black_id, white_points, black_points, played) "
            "select %s, turn, white, black, 1, 1, true "
            "from generate_series(1, %s) turn, unnest(%s::bigint[], %s::bigint[]) pair (white, black)",
            [tournament.pk, rounds, [each.pk for each in entries[::2]], [each.pk for each in entries[1::2]]],
        )


# --- nothing is out of reach, and nothing that was typed is lost


def test_every_finding_is_reached_by_its_link(client: Client, referee: User) -> None:
    # Each first name has another letter outside the English alphabet: each is a kind of its own.
    letters = map(chr, range(0x4E00, 0x4E00 + 400))
    content = re.sub(",An,Bo,", lambda _: f",A{next(letters)},Bo,", FORMATS["fmjd"](400, 2).decode())
    report = uploaded(referee, content.encode())
    at_lines = [finding for finding in report.versions.get().findings if finding["line"]]
    lines = {finding["line"] for finding in at_lines if finding["code"] != "fmjd-id-unknown"}
    assert len(lines) > 300
    address = reverse("report-file", args=[report.pk])
    links: set[str] = set()
    for number in range(1, 12):
        page = unescape(page_of(client, address, {"findings": str(number)}))
        links |= set(
            re.findall(r'(?:<a href="(?:\?at=L[0-9]+)?#L|<div class="line-edit" id="L)([0-9]+)">', page)
        )
    assert links == {str(line) for line in lines}
    for line in (min(lines), max(lines)):
        assert f'id="L{line}"' in page_of(client, address, {"at": f"L{line}"})


def test_what_was_typed_on_one_page_of_the_file_is_saved_from_another(client: Client, referee: User) -> None:
    report = uploaded(referee, FORMATS["fmjd"](400, 2))
    address = reverse("report-file", args=[report.pk])
    typed = {"based_on": "1", "edit-2-1-11": "name = Closed"}
    assert report_line(report, 2) == "name = Open"
    turned = client.post(address, typed | {"lines": "3"})
    assert turned.status_code == 200
    assert 'type="hidden" name="edit-2-1-11" value="name = Closed"' in turned.text
    assert report.versions.count() == 1
    assert client.post(address, dict(fields_of(turned.text)) | {"based_on": "1"}).status_code == 302
    assert report_line(report, 2) == "name = Closed"


def fields_of(page: str) -> list[tuple[str, str]]:
    return [(name, unescape(text)) for name, text in re.findall(r'name="(edit-[^"]+)" value="([^"]*)"', page)]


def report_line(report: Report, number: int) -> str:
    content = bytes(report.versions.latest("number").content)
    return content.decode().splitlines()[number - 1]


def test_many_warnings_of_a_kind_are_one_comment_and_none_is_lost(client: Client, referee: User) -> None:
    # The register has other names for them: a warning for each.
    Federation.objects.create(code="NED", name="Netherlands")
    create_players("fmjd", range(1, 121))
    report = uploaded(referee, FORMATS["fmjd"](120, 2))
    address = reverse("report-submit", args=[report.pk])
    findings: Any = report.versions.get().findings
    warnings = [index for index, finding in enumerate(findings) if finding["code"] == "register-differs"]
    assert len(warnings) > 50
    last = warnings[-1]
    page = client.get(address).text
    assert page.count("<textarea") < 50
    assert f'name="comment-{last}"' not in page
    refused = client.post(address, {"based_on": "1", f"comment-{last}": "so it <is>"})
    assert f'name="comment-{last}"' in refused.text
    assert "so it &lt;is&gt;" in refused.text
