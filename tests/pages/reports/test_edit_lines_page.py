"""The lines of a report's file, edited as a browser does: the whole rendered form is sent, one value changed."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from reporting.log.audit import Actor
from reporting.models import Report, User
from reporting.reports.services.upload import upload_report
from tests.pages.inbox.office_reports import content_of, newest
from tests.pages.locked_rows import held
from tests.visitor import Visitor
from tests.visitor import form_with as form_of_field

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

FILES = Path(__file__).parents[2] / "files"
SAMPLES = (
    "draughts-arbiter-2022-ouagadougou.csv", "toernooibase-1948-world-championship.csv",
    "toernooibase-1960-world-championship.csv",
)  # fmt: skip


def stored(referee: User, path: Path, content: bytes | None = None) -> Report:
    """The file as a draft, with the details next to it where there are any."""
    sidecar = path.with_suffix(".toml")
    details = sidecar.read_bytes() if sidecar.exists() else b'discipline = "100"\ntime_control = "80+30"\n'
    content = path.read_bytes() if content is None else content
    return upload_report(content=content, filename=path.name, sidecar=details, by=Actor(referee)).report


def replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def page_of(client: Client, report: Report, query: str = "") -> str:
    response = client.get(f"/reports/{report.pk}/file/{query}")
    assert response.status_code == 200
    return response.content.decode()


def form_with(page: str) -> dict[str, str]:
    """The form of the lines: that of the new file. Details that findings ask for have forms of their own."""
    return form_of_field(page, "file")


def fields_of_line(form: dict[str, str], line: int) -> dict[str, str]:
    return {name: value for name, value in form.items() if name.startswith(f"edit-{line}-")}


def save(client: Client, report: Report, form: dict[str, str]) -> Any:
    return client.post(f"/reports/{report.pk}/file/", form)


# Each broken file has a line with a finding about the line and one about a piece of it.
BROKEN = (
    # The game between 1 and 9 is deleted: 9 has 5 of 7 points, and both have no result in round 5.
    ("zonnebeek-lakes-2026.txt", "\n5,1,9,0x2\n", "\n", 25, "7", "5"),
    # One of two cells of a game says that Bobrikov drew the game that player lost: the other one is edited with it.
    ("kaba-tougan-2025.csv", "A 2188;5b0;", "A 2188;5b1;", 8, "2w2", "2w1"),
    # A game has lost one of its two cells: the other one is alone, and the total decides nothing.
    ("eikhaven-1951.csv", "1/5w;2/1w;;10", "1/5w;;;10", 6, "0/2b", "1/2b"),
    # A name is not split, and no result is there in a round.
    ("hollebeke-open-2026.txt", "Willem Oosterhuis nl", "Willem Oosterhuis xx", 9, "Bigge", "Biggen"),
)


@pytest.mark.parametrize("case", BROKEN, ids=[case[0] for case in BROKEN])
def test_a_line_with_findings_about_itself_and_about_a_piece_is_saved(
    client: Client, referee: User, case: tuple[str, str, str, int, str, str]
) -> None:
    name, good, bad, line, old, new = case
    before = replaced((FILES / name).read_text(), good, bad)
    report = stored(referee, FILES / name, before.encode())
    form = form_with(page_of(client, report))
    field = next(field for field, value in fields_of_line(form, line).items() if old in value)
    answered = save(client, report, form | {field: form[field].replace(old, new)})
    assert answered.status_code == 302, answered.content.decode()
    lines = before.split("\n")
    column, length = map(int, field.split("-")[2:])
    start, end = lines[line - 1][: column - 1], lines[line - 1][column - 1 + length :]
    lines[line - 1] = start + form[field].replace(old, new) + end
    assert content_of(report) == "\n".join(lines)


def test_a_contradiction_is_said_once_with_both_lines_to_edit(client: Client, referee: User) -> None:
    path = FILES / "kaba-tougan-2025.csv"
    before = replaced(path.read_text(), "A 2188;5b0;", "A 2188;5b1;")
    page = page_of(client, stored(referee, path, before.encode()))
    assert page.count("The two cells of this game contradict each other.") == 1
    # 5 lost in line 8, where 2 points are the opponent's; the errors about the 17 strangers are one group elsewhere.
    form = form_with(page)
    assert [*fields_of_line(form, 5).values(), *fields_of_line(form, 8).values()] == ["5b1", "2w2"]
    assert "Identify 17 players" in page
    assert "player-not-identified" not in page


def test_two_pieces_of_one_line_are_saved_at_once(client: Client, referee: User) -> None:
    """A country no one knows and a total that is not the sum, on one line of art. 11."""
    path = FILES / "zonnebeek-lakes-2026.txt"
    good, bad = "11285,1,,2,9,Willem,Zonnebeek,nl,,", "11285,1,,2,4,Willem,Zonnebeek,xq,,"
    before = replaced(path.read_text(), good, bad)
    report = stored(referee, path, before.encode())
    form = form_with(page_of(client, report))
    by_value = {value: field for field, value in fields_of_line(form, 17).items()}
    assert set(by_value) == {"4", "xq"}  # no one is in this register: that is for the page People
    answered = save(client, report, form | {by_value["4"]: "9", by_value["xq"]: "nl"})
    assert answered.status_code == 302
    assert content_of(report) == path.read_text()


@pytest.mark.parametrize(
    "name", [*sorted(path.name for path in FILES.iterdir() if path.suffix != ".toml"), *SAMPLES]
)
def test_every_line_is_opened_and_saved_alone(
    client: Client, referee: User, request: pytest.FixtureRequest, name: str
) -> None:
    """Of every form: a line without a finding is opened, one letter is added to it, every other byte stays.

    Of one file the first line and the last one too.
    """
    folder = request.getfixturevalue("samples") if name in SAMPLES else FILES
    before = (folder / name).read_bytes()
    report = stored(referee, folder / name)
    lines = before.decode().removeprefix("\ufeff").split("\n")
    last = max(number for number, line in enumerate(lines, 1) if line.strip())
    for number in (1, last // 2, last) if name == "kaba-tougan-2025.csv" else (last // 2,):
        plain = lines[number - 1].removesuffix("\r")
        form = form_with(page_of(client, report, f"?line={number}"))
        (field,) = fields_of_line(form, number)
        assert form[field] == plain
        answered = save(client, report, form | {field: plain + "."})
        assert answered.status_code == 302, answered.content.decode()
        lines[number - 1] = lines[number - 1].replace(plain, plain + ".") if plain else "."
        mark = "\ufeff" if before.startswith(b"\xef\xbb\xbf") else ""
        assert content_of(report) == mark + "\n".join(lines)


def test_a_result_of_two_lines_is_corrected_in_one_save(client: Client, referee: User) -> None:
    """TRF16: number 1 won against number 11 in round 2; each of the two lines says so (1 won, 0 lost)."""
    path = FILES / "lindmarsh-open-2026.trf"
    report = stored(referee, path)
    lines = path.read_text().split("\n")
    one, eleven = (
        next(n for n, line in enumerate(lines, 1) if line.startswith(f"001 {number:>4}"))
        for number in (1, 11)
    )
    form = form_with(page_of(client, report, f"?line={one}&line={eleven}"))
    (first,), (second,) = fields_of_line(form, one), fields_of_line(form, eleven)
    # A draw: half a point less for 1 (5.5 to 5.0), half a point more for 11 (3.0 to 3.5).
    draw = {
        first: replaced(replaced(form[first], "11 w 1", "11 w ="), "5.5", "5.0"),
        second: replaced(replaced(form[second], " 1 b 0", " 1 b ="), "3.0", "3.5"),
    }
    assert save(client, report, form | draw).status_code == 302
    # The twelve players are strangers to this register, as before; nothing else is wrong.
    errors = [
        [finding["code"] for finding in version.findings if finding["severity"] == "error"]
        for version in report.versions.order_by("number")
    ]
    assert errors[0] == errors[1]
    assert newest(report).number == 2
    games = client.get(f"/reports/{report.pk}/preview/").context["opened"].submission.read.games
    (game,) = (game for game in games if game.round == 2 and {game.white, game.black} == {1, 11})
    assert (game.white, game.result) == (1, "1-1")


# --- opening lines


BROKEN_ONCE = BROKEN[0][:3]


@pytest.fixture
def broken(referee: User) -> Report:
    """Line 25 has a piece to edit, its points; its FMJD-ID, which this register lacks, is on the page People."""
    name, good, bad = BROKEN_ONCE
    return stored(referee, FILES / name, replaced((FILES / name).read_text(), good, bad).encode())


def test_a_line_has_one_way_to_edit_it(client: Client, broken: Report) -> None:
    form = form_with(page_of(client, broken))
    assert fields_of_line(form, 25) == {"edit-25-13-1": "7"}
    opened = form_with(page_of(client, broken, "?line=25"))
    assert fields_of_line(opened, 25) == {"edit-25-1-47": "12999,9,,10,7,Delroy,Winterdal,SUR,14/07/1961,M"}


def test_each_line_can_be_opened_from_the_page_without_script(client: Client, broken: Report) -> None:
    """A button a line; what was typed elsewhere stands there again, and nothing is saved."""
    page = page_of(client, broken, "?line=17")
    lines = content_of(broken).rstrip("\n").split("\n")
    buttons = {int(number) for number in re.findall(r'<button[^>]* name="open" value="([0-9]+)"', page)}
    assert buttons == set(range(1, len(lines) + 1)) - {17}
    form = form_with(page) | {"edit-25-13-1": "5"}
    answered = client.post(f"/reports/{broken.pk}/file/", form | {"open": "30"})
    assert answered.status_code == 200
    form = form_with(answered.content.decode())
    assert form["edit-25-13-1"] == "5"
    assert list(fields_of_line(form, 30).values()) == [lines[29]]
    # The line whose piece was changed is opened as a whole, with the piece as it was typed.
    answered = client.post(f"/reports/{broken.pk}/file/", form | {"open": "25"})
    form = form_with(answered.content.decode())
    assert list(fields_of_line(form, 25).values()) == ["12999,9,,10,5,Delroy,Winterdal,SUR,14/07/1961,M"]
    assert len(fields_of_line(form, 30)) == 1
    assert newest(broken).number == 1
    assert save(client, broken, form).status_code == 302
    lines[24] = "12999,9,,10,5,Delroy,Winterdal,SUR,14/07/1961,M"
    assert content_of(broken).rstrip("\n").split("\n") == lines


@pytest.mark.parametrize(
    "query", ["?line=0", "?line=-1", "?line=99999999", "?line=x", "?line=1&line=1", "?line="]
)
def test_lines_that_are_not_there_are_not_opened(client: Client, broken: Report, query: str) -> None:
    form = form_with(page_of(client, broken, query))
    assert len(fields_of_line(form, 1)) == (1 if query == "?line=1&line=1" else 0)


def test_a_file_that_may_not_be_changed_has_nothing_to_edit(client: Client, broken: Report) -> None:
    Report.objects.filter(pk=broken.pk).update(state="withdrawn")
    page = page_of(client, broken, "?line=3")
    assert "edit-" not in page
    assert 'name="open"' not in page


# --- nothing typed is lost


def test_no_input_is_lost_when_there_is_a_newer_version(client: Client, broken: Report) -> None:
    """The lines typed are opened with what was typed, also where the newest version has no input for them."""
    first = form_with(page_of(client, broken, "?line=3&line=40"))
    moved = "<section Info>\n"
    other = replaced(content_of(broken), "9,,10,7,Delroy", "9,,10,5,Delroy")
    sent = {"based_on": "1", "file": SimpleUploadedFile("a.txt", other.encode())}
    client.post(f"/reports/{broken.pk}/file/", sent)
    assert newest(broken).number == 2
    (third,), (fortieth,) = fields_of_line(first, 3), fields_of_line(first, 40)
    late = first | {third: "played from = 07/11/2026", fortieth: "1,2,3,0-2", "edit-25-13-1": "6"}
    answered = save(client, broken, late)
    assert answered.status_code == 409
    page = answered.content.decode()
    assert "has been changed since you opened it" in page
    form = form_with(page)
    assert list(fields_of_line(form, 3).values()) == ["played from = 07/11/2026"]
    assert list(fields_of_line(form, 40).values()) == ["1,2,3,0-2"]
    assert list(fields_of_line(form, 25).values()) == ["12999,9,,10,6,Delroy,Winterdal,SUR,14/07/1961,M"]
    assert moved in content_of(broken)
    assert newest(broken).number == 2


def test_input_for_a_removed_line_is_shown(client: Client, broken: Report) -> None:
    last = len(content_of(broken).rstrip("\n").split("\n"))
    form = form_with(page_of(client, broken, f"?line={last}"))
    (field,) = fields_of_line(form, last)
    file = SimpleUploadedFile("a.txt", b"<section Info>\nname = Short\n</end info>\n")
    short = {"based_on": "1", "file": file}
    client.post(f"/reports/{broken.pk}/file/", short)
    answered = save(client, broken, form | {field: "</end results> typed late"})
    assert answered.status_code == 409
    assert "&lt;/end results&gt; typed late" in answered.content.decode()


@pytest.mark.django_db(transaction=True)
def test_opened_lines_stay_open_while_the_report_is_locked(client: Client, broken: Report) -> None:
    form = form_with(page_of(client, broken, "?line=3"))
    (field,) = fields_of_line(form, 3)
    typed = form | {field: "played from = 07/11/2026", "edit-25-13-1": "5"}
    with held(broken):
        answered = save(client, broken, typed)
    assert (answered.status_code, answered["Retry-After"]) == (503, "5")
    again = form_with(answered.content.decode())
    del again["csrfmiddlewaretoken"], typed["csrfmiddlewaretoken"]
    assert again == typed
    assert save(client, broken, again).status_code == 302
    assert newest(broken).number == 2


def test_a_letter_outside_the_encoding_is_refused_and_not_lost(client: Client, referee: User) -> None:
    before = (FILES / "zonnebeek-lakes-2026.txt").read_text().replace("Emile", "Émile").encode("cp1252")
    report = upload_report(
        content=before, filename="a.txt", sidecar=b'discipline = "100"\ntime_control = "80+30"\nencoding = "cp1252"\n',
        by=Actor(referee),
    ).report  # fmt: skip
    form = form_with(page_of(client, report, "?line=2"))
    answered = save(client, report, form | dict.fromkeys(fields_of_line(form, 2), "name = Жанна"))
    assert answered.status_code == 409
    refusal = "cannot be written in the encoding of this file, Western Europe (Windows-1252)."
    assert refusal in answered.content.decode()
    assert list(fields_of_line(form_with(answered.content.decode()), 2).values()) == ["name = Жанна"]
    assert bytes(newest(report).content) == before


def test_day_numbers_of_a_spreadsheet_become_dates_by_one_button(client: Client, referee: User) -> None:
    """From 30 December 1899, by hand: 73 years with 18 leap days to 30 December 1972 are 26,663 days."""
    path = FILES / "zonnebeek-lakes-2026.txt"
    before = path.read_text()
    births = re.findall(r"[0-9]{2}/[0-9]{2}/[0-9]{4}(?=,[MW])", before)[:2]
    changed = replaced(replaced(before, births[0], "26663"), births[1], "26664")
    report = stored(referee, path, changed.encode())
    first, second = Visitor(referee), Visitor(referee)
    for window in (first, second):
        window.open(f"/reports/{report.pk}/file/")
        assert "Proposed: 30/12/1972." in window.text
    first.press("Write all 2 as proposed")
    assert content_of(report) == replaced(replaced(before, births[0], "30/12/1972"), births[1], "31/12/1972")
    assert "day number" not in first.text
    # An old page changes nothing.
    second.press("Write all 2 as proposed", status=409)
    assert newest(report).number == 2


def test_hidden_letters_outside_the_edit_stay_in_their_bytes(client: Client, referee: User) -> None:
    """A page shows U+FFFD for a letter that can't be seen; the file keeps its own where no one typed."""
    path = FILES / "zonnebeek-lakes-2026.txt"
    before = replaced(path.read_text(), "Willem,Zonnebeek", "Wil\u200blem,Zonnebeke")
    report = stored(referee, path, before.encode())
    form = form_with(page_of(client, report, "?line=17"))
    (field,) = fields_of_line(form, 17)
    response = save(client, report, form | {field: form[field].replace("Zonnebeke", "Zonnebeek")})
    assert response.status_code == 302
    assert content_of(report) == before.replace("Zonnebeke", "Zonnebeek")


def test_a_workbook_has_no_lines_and_says_where_its_results_are_edited(client: Client, referee: User) -> None:
    from tests.formats.spreadsheet_files import XLSX

    report = stored(referee, FILES / "oostwaarde-2026.csv", XLSX)
    page = page_of(client, report, "?line=3")
    assert "edit-" not in page
    assert f'href="/reports/{report.pk}/results/1/"' in page
