"""Any report opens in the results grid: nothing of it changes by itself, and nothing typed there is a dead end."""

import itertools
import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from reporting.formats.tournament_details.sidecar import detail_values
from reporting.log.audit import Actor
from reporting.models import Report, User
from reporting.register.services.federations import ensure_federations
from reporting.reports.reading.open_report import open_report
from reporting.reports.services.review import Remark, accept_report, return_report
from reporting.reports.services.upload import upload_report
from reporting.reports.views.check_file import example_file
from reporting.rules.report import ReadReport
from tests.formats.spreadsheet_files import XLSX
from tests.pages.inbox.office_reports import content_of, newest
from tests.people import create_player
from tests.services.conftest import Office
from tests.visitor import form_with

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

FILES = Path(__file__).parents[2] / "files"
FICTIONAL = sorted(path.name for path in FILES.iterdir() if path.suffix != ".toml")
SAMPLES = [
    "draughts-arbiter-2022-ouagadougou.csv", "toernooibase-1948-world-championship.csv",
    "toernooibase-1960-world-championship.csv",
]  # fmt: skip
DETAILS = b'discipline = "100"\ntime_control = "80+30"\n'


def stored(referee: User, content: bytes, details: bytes = DETAILS, filename: str = "report.txt") -> Report:
    return upload_report(content=content, filename=filename, sidecar=details, by=Actor(referee)).report


def stored_file(referee: User, folder: Path, name: str) -> Report:
    sidecar = (folder / name).with_suffix(".toml")
    details = sidecar.read_bytes() if sidecar.exists() else DETAILS
    return stored(referee, (folder / name).read_bytes(), details, name)


def read(report: Report) -> ReadReport:
    return open_report(report.pk).submission.read


def games(report: Report) -> list[tuple[Any, ...]]:
    return sorted((game.round, game.white, game.black, game.result) for game in read(report).games)


def people(report: Report) -> list[tuple[Any, ...]]:
    """Who the players are for all that follows: number, ID, words of the name, country, birth, sex, place, sum."""
    opened = open_report(report.pk)
    ids = {**opened.submission.details.players} if opened.submission.details else {}
    return [
        (
            player.number,
            ids.get(player.number) or player.fmjd_id,
            sorted(player.name.replace(",", " ").split()),
            player.federation_code,
            player.born,
            player.sex,
            player.place,
            opened.submission.read.points_summed[player.number],
        )
        for player in opened.submission.read.players
    ]


def tournament(report: Report) -> dict[str, Any]:
    details = open_report(report.pk).submission.details
    assert details is not None
    names = (
        "name", "place", "country", "played_from", "played_to", "system", "referee", "rounds", "time_control",
    )  # fmt: skip
    return {
        name: getattr(details, name) for name in (*names, "women_only", "national_championship", "announced")
    }


def opens(client: Client, report: Report) -> None:
    """Every page of the report; of its rounds the first, one between, the last, and the one after it."""
    last = read(report).rounds
    turns = sorted({1, last // 2, last, last + 1} - {0})
    steps = ("", "file/", "details/", "people/", "preview/", "submit/", "results/")
    for step in (*steps, *(f"results/{turn}/" for turn in turns)):
        assert client.get(f"/reports/{report.pk}/{step}").status_code == 200, step


def form_of(client: Client, report: Report, step: str) -> dict[str, str]:
    response = client.get(f"/reports/{report.pk}/{step}")
    assert response.status_code == 200
    return form_with(response.content.decode())


# --- opened and saved without a change


def saved_unchanged(client: Client, report: Report, step: str) -> tuple[bytes, bytes]:
    """The file and the details of the version that saving a page without a change makes; they say the same."""
    before = games(report), people(report), tournament(report)
    form, button = form_of(client, report, step), "save" if step == "results/" else "check"
    answered = client.post(f"/reports/{report.pk}/{step}", form | {"action": button})
    assert answered.status_code == 302, answered.content.decode()
    saved = newest(report)
    assert saved.format == "fmjd"
    assert (games(report), people(report), tournament(report)) == before
    # A second time nothing is left to change: no version.
    client.post(f"/reports/{report.pk}/{step}", form_of(client, report, step) | {"action": button})
    assert newest(report).number == saved.number
    return bytes(saved.content), bytes(saved.sidecar)


@pytest.mark.parametrize("name", [*FICTIONAL, "workbook", *SAMPLES])
def test_what_is_saved_unchanged_says_the_same(
    client: Client, referee: User, request: pytest.FixtureRequest, name: str
) -> None:
    """From the page of the players as from that of a round."""
    if name == "workbook":
        report = stored(referee, XLSX, (FILES / "oostwaarde-2026.toml").read_bytes(), "oostwaarde.xlsx")
    else:
        folder = request.getfixturevalue("samples") if name in SAMPLES else FILES
        report = stored_file(referee, folder, name)
    with transaction.atomic():
        from_players = saved_unchanged(client, report, "results/")
        opens(client, report)
        transaction.set_rollback(True)
    if saved_unchanged(client, report, "results/1/") != from_players:  # else its pages are those just opened
        opens(client, report)


@pytest.mark.parametrize(("name", "words"), [
    ("zonnebeek-lakes-2026.txt", ()),
    # Titles of 7, 6, 17 and eight others; the IDs are names of the details.
    ("kaba-tougan-2025.csv", ("Titles: number 7, 6, 17, 3,", "Printed ratings")),
    (
        "lindmarsh-open-2026.trf",
        ("Years of birth without a day: number 2, 9.", "Local IDs: number 4, 7."),
    ),
    ("oostwaarde-2026.csv", ("Titles: number 1, 3, 5, 7.",)),
])  # fmt: skip
def test_data_that_saving_does_not_keep_is_shown_before(
    client: Client, referee: User, name: str, words: tuple[str, ...]
) -> None:
    report = stored_file(referee, FILES, name)
    for step in ("results/", "results/1/"):
        page = client.get(f"/reports/{report.pk}/{step}").content.decode()
        assert ("The next version does not keep:" in page) is bool(words)
        for word in words:
            assert word in page


def test_an_export_gets_the_ids_and_names_of_the_register(client: Client, referee: User) -> None:
    """Matched by name and country; in the new file the ID says it, so no one is matched by name again."""
    ensure_federations(["NED"])
    create_player(
        number=10077, last_name="van der Plasse", first_name="Jorrit", sort_name="van der plasse, jorrit",
        federation_id="NED",
    )  # fmt: skip
    report = stored_file(referee, FILES, "eikhaven-1951.csv")
    form = form_of(client, report, "results/")
    row = next(name.split("-")[1] for name, value in form.items() if value == "10077")
    assert (form[f"first_name-{row}"], form[f"last_name-{row}"]) == ("Jorrit", "van der Plasse")
    client.post(f"/reports/{report.pk}/results/", form | {"action": "save"})
    assert "10077,5,,2,10,Jorrit,van der Plasse,nl,," in content_of(report)


def test_ids_and_newcomers_of_details_are_in_the_file_and_only_there(client: Client, referee: User) -> None:
    details = DETAILS + (
        b'encoding = "cp1252"\nname = "A name that has more than the thirty letters of the file"\nwomen_only = true\n'
        b"[players]\n1 = 30101\n2 = 123456\n99 = 30199\n"
        b'[newcomers.3]\nlast_name = "Kolanga"\nfirst_name = "Zoe"\nsex = "W"\nborn = 2001-02-03\ncountry = "CMR"\n'
    )
    content = (FILES / "kaba-tougan-2025.csv").read_text().encode("cp1252")
    report = stored(referee, content, details)
    page = client.get(f"/reports/{report.pk}/results/1/").content.decode()
    assert "FMJD-ID 123456 of number 2: too long for the file. It stays in the tournament details." in page
    client.post(f"/reports/{report.pk}/results/1/", form_with(page) | {"action": "check"})
    assert "30101,1," in content_of(report)
    assert re.search(r",Zoe,Kolanga,C(AR|IV),03/02/2001,W", content_of(report))
    assert "name = \n" in content_of(report)
    assert detail_values(bytes(newest(report).sidecar)) == {
        "discipline": "100",
        "time_control": "80+30",
        "name": "A name that has more than the thirty letters of the file",
        "women_only": True,
        "players": {"2": 123456, "99": 30199},
    }
    assert "women championship = Y\n" in content_of(report)
    # é, which the old file wrote in its own encoding
    assert "é" in content_of(report)


def test_entered_values_replace_the_details(client: Client, referee: User) -> None:
    """The details hold over the file: typed in the grid only, a day or an ID would change nothing."""
    report = stored_file(referee, FILES, "kaba-tougan-2025.csv")
    form = form_of(client, report, "results/")
    assert (form["played_to"], form["number-1"]) == ("2025-02-08", "7")
    numbers = [name for name, value in form.items() if name.startswith("number-") and value == "1"]
    first = numbers[0].partition("-")[2]
    assert form[f"fmjd_id-{first}"] == "30101"
    typed = {"played_to": "2025-02-09", f"fmjd_id-{first}": "30177", "national_championship": "qualification"}
    client.post(f"/reports/{report.pk}/results/", form | typed | {"action": "save"})
    opened = open_report(report.pk)
    assert opened.submission.details is not None
    assert opened.submission.details.played_to == date(2025, 2, 9)
    assert opened.submission.details.national_championship == "qualification"
    assert next(player.fmjd_id for player in opened.submission.read.players if player.number == 1) == 30177
    about_last = [finding.code for finding in opened.findings if finding.field == "played_to"]
    assert "details-differ" not in about_last


# --- one result


@pytest.mark.parametrize(
    "name", ["zonnebeek-lakes-2026.txt", "lindmarsh-open-2026.trf", "oostwaarde-2026.csv"]
)
def test_one_result_is_corrected_in_three_clicks(client: Client, referee: User, name: str) -> None:
    """The round from the page of the file, the result, save; only this game is another one."""
    report = stored_file(referee, FILES, name)
    before = games(report)
    turn = next(game[0] for game in before if game[3] in {"2-0", "0-2"} and 0 not in game[1:3])
    page = client.get(f"/reports/{report.pk}/file/").content.decode()
    assert f'href="/reports/{report.pk}/results/{turn}/"' in page
    form = form_of(client, report, f"results/{turn}/")
    decided = (field for field, value in form.items() if value in {"2-0", "0-2"})
    row = next(decided).partition("-")[2]
    pair = (turn, int(form[f"white-{row}"]), int(form[f"black-{row}"]))
    drawn = form | {f"result-{row}": "1-1", "action": "check"}
    answered = client.post(f"/reports/{report.pk}/results/{turn}/", drawn)
    assert answered.status_code == 302
    assert set(before) - set(games(report)) == {(*pair, form[f"result-{row}"])}
    assert set(games(report)) - set(before) == {(*pair, "1-1")}
    # The sums follow: no one's points differ from their results.
    assert "points-differ" not in [finding["code"] for finding in newest(report).findings]


@pytest.mark.parametrize(("state", "status"), [("returned", 200), ("submitted", 409), ("accepted", 409)])
def test_results_entry_opens_in_every_state_that_can_be_edited(
    client: Client, office: Office, state: str, status: int
) -> None:
    client.force_login(office.referee.user)
    office.register(11, 12)
    report = office.submit("Open", [11, 12], ["1 1 2 2-0"])
    if state == "returned":
        return_report(report=report, remarks=[Remark("Please look again.")], by=office.officer)
    if state == "accepted":
        accept_report(report=report, by=office.officer)
    for step in ("results/", "results/1/"):
        assert client.get(f"/reports/{report.pk}/{step}").status_code == status
    page = client.get(f"/reports/{report.pk}/file/").content.decode()
    links = f'href="/reports/{report.pk}/results/' in page
    assert links is (status == 200)


# --- what could not be read


def test_an_id_that_was_stored_too_long_opens_with_its_value_marked(client: Client, referee: User) -> None:
    """Saved by an older grid: seven digits, which the format does not have (Annex 9 art. 11: five)."""
    content = example_file("clean").decode()
    rows = [line for line in content.split("\n") if line.count(",") == 9]
    line = next(line for line in rows if line.split(",")[1] == "1")
    report = stored(referee, content.replace(line, "1234567" + line[line.index(",") :]).encode())
    opens(client, report)
    page = client.get(f"/reports/{report.pk}/results/")
    assert page.context["rows"][0].entered["fmjd_id"] == "1234567"
    assert "at most 5 digits" in page.context["rows"][0].messages["fmjd_id"]
    form = form_with(page.content.decode())
    assert form["fmjd_id-1"] == "1234567"
    answered = client.post(f"/reports/{report.pk}/results/", form | {"action": "save"})
    assert answered.status_code == 400
    assert form_with(answered.content.decode())["fmjd_id-1"] == "1234567"
    assert "“1234567” of number 1 (" in client.get(f"/reports/{report.pk}/results/1/").content.decode()
    response = client.post(f"/reports/{report.pk}/results/", form | {"fmjd_id-1": "", "action": "save"})
    assert response.status_code == 302
    opens(client, report)


def test_an_unreadable_result_and_day_are_shown_in_their_cells(client: Client, referee: User) -> None:
    content = (FILES / "zonnebeek-lakes-2026.txt").read_text()
    content = content.replace("\n1,1,2,2-0\n", "\n1,1,2,3-0\n")
    content = content.replace("played to = 12/11/2026", "played to = 32/11/2026")
    report = stored(referee, content.encode())
    page = client.get(f"/reports/{report.pk}/results/1/")
    (row,) = (row for row in page.context["rows"] if row.entered["result"] == "3-0")
    assert (row.entered["white"], row.entered["black"], next(iter(row.messages))) == ("1", "2", "result")
    form = form_with(page.content.decode())
    assert client.post(f"/reports/{report.pk}/results/1/", form | {"action": "next"}).status_code == 400
    other = client.get(f"/reports/{report.pk}/results/2/").content.decode()
    assert "Round 1: “1, 1, 2, 3-0”" in other
    assert "“32/11/2026”" in other
    players = client.get(f"/reports/{report.pk}/results/")
    assert 'value="32/11/2026"' in players.content.decode()
    fixed = form | {f"result-{row.index}": "2-0", "action": "check"}
    assert client.post(f"/reports/{report.pk}/results/1/", fixed).status_code == 302
    assert "\n1,1,2,2-0\n" in content_of(report)


def test_a_name_that_the_form_cannot_hold_is_marked_and_blocks_rounds(client: Client, referee: User) -> None:
    """A spreadsheet holds a comma in a name; the lines of art. 11 do not."""
    content = (FILES / "oostwaarde-2026.csv").read_text().replace(";Kranenbroek;", ";Kranenbroek, jr;")
    report = stored(referee, content.encode(), (FILES / "oostwaarde-2026.toml").read_bytes(), "a.csv")
    opens(client, report)
    form = form_of(client, report, "results/1/")
    answered = client.post(f"/reports/{report.pk}/results/1/", form | {"action": "next"})
    assert answered.status_code == 400
    assert answered.context["unwritable"] == ["1"]
    form = form_of(client, report, "results/")
    assert client.post(f"/reports/{report.pk}/results/", form | {"action": "save"}).status_code == 400
    typed = form | {"last_name-1": "Kranenbroek", "action": "save"}
    assert client.post(f"/reports/{report.pk}/results/", typed).status_code == 302


def test_an_unreadable_line_is_shown_before_saving_drops_it(client: Client, referee: User) -> None:
    content = (FILES / "zonnebeek-lakes-2026.txt").read_text().replace("\n2,10,0,2-0\n", "\n2,10,0,2-0,yes\n")
    report = stored(referee, content.encode())
    page = client.get(f"/reports/{report.pk}/results/2/").content.decode()
    assert "2,10,0,2-0,yes" in page
    assert "wrong number of fields" in page


# --- no dead ends

NEW = {
    "number-1": "1", "fmjd_id-1": "", "first_name-1": "Joost", "last_name-1": "Veldhoek", "country-1": "NED",
    "born-1": "1988-03-14", "sex-1": "M", "place-1": "",
}  # fmt: skip


@pytest.mark.parametrize("digits", [6, 7, 8, 9, 10, 30])
def test_an_id_of_six_digits_or_more_is_refused_at_its_cell(
    client: Client, referee: User, digits: int
) -> None:
    typed = NEW | {"fmjd_id-1": "1" * digits, "action": "save"}
    answered = client.post("/reports/new/results/", typed)
    assert answered.status_code == 400
    assert "at most 5 digits" in answered.context["rows"][0].messages["fmjd_id"]
    assert form_with(answered.content.decode(), "number-1")["fmjd_id-1"] == "1" * digits
    assert not Report.objects.exists()


def test_results_entry_without_players_is_refused(client: Client, referee: User) -> None:
    empty_grid = NEW | dict.fromkeys(NEW, "") | {"number-1": "1"}
    answered = client.post("/reports/new/results/", empty_grid | {"name": "Harbour Club", "action": "save"})
    assert answered.status_code == 400
    assert "Enter at least one player." in answered.content.decode()
    assert 'value="Harbour Club"' in answered.content.decode()
    assert not Report.objects.exists()
    client.post("/reports/new/results/", NEW | {"action": "save"})
    report = Report.objects.get()
    answered = client.post(f"/reports/{report.pk}/results/", empty_grid | {"based_on": "1", "action": "save"})
    assert answered.status_code == 400
    assert newest(report).number == 1


def test_a_stored_report_of_no_players_opens_with_empty_rows(client: Client, referee: User) -> None:
    sections = (f"<section {name}>\n</end {name}>\n" for name in ("info", "players", "results"))
    report = stored(referee, "".join(sections).encode())
    opens(client, report)
    assert "number-1" in form_of(client, report, "results/")


CELLS = ("fmjd_id", "first_name", "last_name", "country", "born", "sex", "place")
GAME = ("white", "black", "result")
INFO = (
    "name", "place", "country", "played_from", "played_to", "system", "national_championship", "women_only", "referee",
)  # fmt: skip
ODD = (
    "0", "-1", "7", "00007", "12345", "123456", "1234567890", "9" * 40, "1e3", "1.5", "١٢", "²", "x", "W", "F",
    "pause", "2-0", "2x0", "0-0", "3-0", "2026-02-30", "1899-12-31", "2101-01-01", "31/12/2026", "a,b", "a;b", "a\tb",
    "\ta", "a\nb", "a\rb", "a\x00b", "a\x07b", "a\u200bb", "a\u2028b", "a\ufeffb", "\ufffd", "e\u0301",
    "a" + "\u0301" * 20, " ", "\u00a0", "\u3000a\u3000", "<section players>", "</end info>", "<remark>", "=", "#",
    '"', "é", "Ж", "\U0001f600", "\U000e0041", "\ue000", "a" * 81, "a" * 3000, "true", "final", "swiss", "XQX",
)  # fmt: skip


ROWS = 90


@pytest.fixture
def typed_report(client: Client, referee: User) -> Report:
    """Ninety players with a game between 1 and 2: each odd value of a table has a row of its own."""
    rows = {f"number-{number}": str(number) for number in range(1, ROWS + 1)}
    letters = [f"{chr(97 + turn // 26)}{chr(97 + turn % 26)}" for turn in range(ROWS)]
    rows |= {f"first_name-{number}": f"Given{letter}" for number, letter in enumerate(letters, 1)}
    rows |= {f"last_name-{number}": f"Family{letter}" for number, letter in enumerate(letters, 1)}
    client.post("/reports/new/results/", rows | {"name": "Harbour Club", "action": "save"})
    report = Report.objects.get()
    game = {"white-1": "1", "black-1": "2", "result-1": "2-0"}
    client.post(f"/reports/{report.pk}/results/1/", game | {"based_on": "1", "action": "next"})
    return report


def as_shown(value: str) -> set[str]:
    """A text as a cell may show it again: spaces around it say nothing, and letters are composed."""
    return {value, value.strip(), value.strip(" "), unicodedata.normalize("NFC", value).strip()}


def problems_at(answered: Any) -> set[str]:
    """The fields with a message, as the page shows them."""
    rows = {
        f"{name}-{row.index}"
        for row in answered.context["rows"]
        if row.blocks
        for name, words in row.messages.items()
        if words and name not in ("white_name", "black_name") and words != "No player has this FMJD-ID."
    }
    groups = answered.context.get("groups", ())
    return rows | {field.name for _, fields in groups for field, words in fields if words or field.errors}


def saved_or_problems(
    client: Client, report: Report, step: str, cells: dict[str, str], save: str
) -> set[str]:
    """The values are sent, then those alone that got no message, which must be saved. Returns those with one."""
    before = newest(report).number
    form = form_of(client, report, step)
    answered = client.post(f"/reports/{report.pk}/{step}", form | cells | {"action": save})
    assert answered.status_code in (302, 400), cells
    problems: set[str] = set()
    if answered.status_code == 400:
        assert newest(report).number == before
        problems = problems_at(answered)
        assert problems, "refused without a word"
        assert problems <= set(cells)
        shown: Mapping[str, str] = form_with(answered.content.decode())
        for name, value in cells.items():
            assert shown[name] in as_shown(value), (name, value)
        left = {name: value for name, value in cells.items() if name not in problems}
        if "result-1" in form:  # half a result is one problem
            rows = {name.partition("-")[2] for name in problems}
            left = {name: value for name, value in left.items() if name.partition("-")[2] not in rows}
        answered = client.post(f"/reports/{report.pk}/{step}", form | left | {"action": save})
    assert answered.status_code == 302, {name: cells.get(name) for name in problems_at(answered)}
    # What was taken reads back as it was typed: saved again unchanged, it is no other version.
    number = newest(report).number
    again = client.post(f"/reports/{report.pk}/{step}", form_of(client, report, step) | {"action": save})
    assert (again.status_code, newest(report).number) == (302, number)
    return problems


def test_every_input_for_a_player_is_saved_or_gets_a_message_at_its_cell(
    client: Client, typed_report: Report
) -> None:
    every = list(itertools.product(CELLS, ODD))
    for start in range(0, len(every), ROWS):
        cells = {f"{cell}-{row}": value for row, (cell, value) in enumerate(every[start : start + ROWS], 1)}
        problems = saved_or_problems(client, typed_report, "results/", cells, "save")
        ids = {name: value.strip() for name, value in cells.items() if name.startswith("fmjd_id")}
        too_long = {name for name, value in ids.items() if len(value) > 5}
        assert too_long <= problems
    opens(client, typed_report)


def test_every_input_for_a_game_is_saved_or_gets_a_message(client: Client, typed_report: Report) -> None:
    every = list(itertools.product(GAME, ODD))
    for start in range(0, len(every), ROWS):
        part, cells = every[start : start + ROWS], dict[str, str]()
        for row, (cell, value) in enumerate(part, 2):
            cells |= {f"white-{row}": "1", f"black-{row}": "2", f"result-{row}": "1-1"}
            cells[f"{cell}-{row}"] = value
        rows = {f"{cell}-{row}": "" for cell in GAME for row in range(1, len(part) + 2)}
        saved_or_problems(client, typed_report, "results/1/", rows | cells, "check")
    opens(client, typed_report)


def test_every_input_for_the_tournament_is_saved_or_gets_a_message(client: Client, referee: User) -> None:
    client.post("/reports/new/results/", NEW | {"action": "save"})
    report = Report.objects.get()
    for value in (
        *ODD[::5],
        "2026-02-30",
        "1899-12-31",
        "a\nb",
        "a\x00b",
        "a\u200bb",
        "final",
        "true",
        "a" * 3000,
    ):
        saved_or_problems(client, report, "results/", dict.fromkeys(INFO, value), "save")
    opens(client, report)


# --- many players


def test_more_than_a_hundred_players_are_edited_a_page_at_a_time(client: Client, referee: User) -> None:
    letters = [f"{chr(97 + turn // 26)}{chr(97 + turn % 26)}" for turn in range(230)]
    players = "".join(
        f"0,{number},,0,0,Given{letter},Family{letter},NED,01/01/1990,M\n"
        for number, letter in enumerate(letters, 1)
    )
    results = "".join(f"1,{2 * turn + 1},{2 * turn + 2},1-1\n" for turn in range(115))
    head = "<section Info>\nname = A\n</end info>\n<section players>\n"
    content = f"{head}{players}</end players>\n<section results>\n{results}</end results>\n"
    report = stored(referee, content.encode())
    form = form_of(client, report, "results/?page=2")
    assert (form["number-1"], form["number-100"], "number-101" in form) == ("101", "200", False)
    assert 'href="?page=3"' in client.get(f"/reports/{report.pk}/results/").content.decode()
    typed = form | {"last_name-7": "Other", **{f"{cell}-9": "" for cell in CELLS}}
    answered = client.post(f"/reports/{report.pk}/results/?page=2", typed | {"action": "stay"})
    assert (answered.status_code, answered["Location"]) == (302, f"/reports/{report.pk}/results/?page=2")
    names = {player.number: player.last_name for player in read(report).players}
    assert (len(names), names[107], 109 in names, names[1], names[230]) == (
        229, "Other", False, "Familyaa", "Familyiv",
    )  # fmt: skip
    # The last page of the round holds its games 101 to 115 alone.
    form = form_of(client, report, "results/1/?page=2")
    assert (form["white-1"], form["white-15"]) == ("201", "229")
    sent = form | {"result-1": "2-0", "action": "check"}
    assert client.post(f"/reports/{report.pk}/results/1/?page=2", sent).status_code == 302
    assert [game[3] for game in games(report)].count("1-1") == 114
    assert (1, 201, 202, "2-0") in games(report)
    for page in ("0", "-1", "x", "99999", "4"):
        assert client.get(f"/reports/{report.pk}/results/?page={page}").status_code == 200
    # Page 3 has thirty rows and room: numbers go on after the last.
    form = form_of(client, report, "results/?page=3")
    more = client.post(f"/reports/{report.pk}/results/?page=3", form | {"action": "more"}).context["rows"]
    assert [row.player_number for row in more][-2:] == ["233", "234"]
