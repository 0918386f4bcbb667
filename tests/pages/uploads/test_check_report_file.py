"""The page that checks a file: reads and checks as an upload does, stores nothing, says nothing that is not public."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reporting.formats.detect import read_report
from reporting.formats.spreadsheets.template import template_csv, template_xlsx
from reporting.models import PersonalData, Player, Report, Role
from reporting.reports.reading import read_file
from reporting.reports.reading.validate import match_report
from reporting.reports.views.check_file import EXAMPLES, MAX_CHECKS, example_file
from reporting.reports.views.steps.preview import preview_lines
from reporting.rules.details.known_details import known_details
from reporting.rules.report import MAX_FILE_BYTES, ReadReport, ReportedGame, ReportedPlayer
from tests.call_count import counted
from tests.formats.report_files import read_submission
from tests.people import create_player, create_user, logged_in
from tests.processes.faults.fault_tools import rounds
from tests.pseudo_language import pseudo, pseudo_language
from tests.visitor import Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

FILES = Path(__file__).parents[2] / "files"
SIX = Path(__file__).parents[1] / "harlow-six-2026.trf"
DETAILS = {"discipline": "100", "time_control": "80+30"}


@pytest.fixture(autouse=True)
def _no_checks_before() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def ask(client: Client, content: bytes, name: str = "open.txt", **details: str) -> Any:
    return client.post("/check/", {"file": SimpleUploadedFile(name, content), **details})


def said(page: Any) -> list[Any]:
    """The findings of a page: next to lines, of no line, and about the submission."""
    lines = [line for span in page.context["source_spans"] for line in span.lines]
    at_lines = [finding for line in lines for finding in line.findings]
    return [*at_lines, *page.context["general_findings"], *page.context["submission_findings"]]


def rows() -> dict[str, int]:
    return {model._meta.label: model._base_manager.count() for model in apps.get_models()}


def test_while_many_files_are_read_it_asks_to_try_again_and_loses_no_input(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_file, "READERS_AT_ONCE", 0)
    monkeypatch.setattr(read_file, "SECONDS_TO_WAIT", 0)
    page = ask(client, (FILES / "zonnebeek-lakes-2026.txt").read_bytes(), time_control="81+31")
    assert (page.status_code, page["Retry-After"]) == (503, "60")
    assert "Many files are being read at the moment. Please try again in a minute." in page.content.decode()
    assert 'value="81+31"' in page.content.decode()


# --- what it says


def test_it_says_what_an_upload_would_say(client: Client) -> None:
    content = (FILES / "zonnebeek-lakes-2026.txt").read_bytes()
    page = ask(client, content, **DETAILS)
    sidecar = b'discipline = "100"\ntime_control = "80+30"\n'
    submission = read_submission(content=content, sidecar=sidecar, today=timezone.localdate())
    expected = match_report(submission).findings
    assert len(expected) > 5
    assert sorted(map(str, said(page))) == sorted(map(str, expected))
    assert page.context["lines"].rows[0].player.name == "Emile Kerckhoven"
    assert "Crosstable by rounds" in page.text


def test_board_and_clock_are_asked_at_submission_and_are_no_faults_of_the_file(
    client: Client,
) -> None:
    page = ask(client, example_file("clean"))
    assert not page.context["counts"]
    missing = [(finding.code, finding.field) for finding in page.context["submission_findings"]]
    assert missing == [("detail-missing", "discipline"), ("detail-missing", "time_control")]
    page = ask(client, example_file("clean"), discipline="100", time_control="quick")
    assert page.status_code == 200
    assert 'value="quick"' in page.text
    general = [(finding.code, finding.field) for finding in page.context["general_findings"]]
    assert general == [("detail-unreadable", "time_control")]


def test_it_says_in_which_pool_the_time_control_puts_a_tournament(client: Client) -> None:
    """80 minutes and 30 seconds are classical, 5 minutes and 3 seconds are not (R6)."""
    for control, pool in (("80+30", "100 squares, classical"), ("5+3", "100 squares, rapid-blitz")):
        page = ask(client, SIX.read_bytes(), SIX.name, discipline="100", time_control=control)
        assert [summary.pool for summary in page.context["time_control_summary"]] == [pool]
        assert pool in page.text


def test_another_encoding_is_chosen_from_how_the_names_read(client: Client) -> None:
    content = example_file("clean").decode().replace("Joost", "Zoë").encode("cp1252")
    page = ask(client, content, **DETAILS)
    assert [finding.code for finding in page.context["general_findings"]] == ["encoding-unreadable"]
    assert "Zoë" in page.text
    page = ask(client, content, **DETAILS, encoding="cp1252")
    assert page.context["players"] == 8


def test_encodings_are_named_in_the_language_of_the_page(client: Client) -> None:
    content = example_file("clean").decode().replace("Joost", "Zoë").encode("cp1252")
    with pseudo_language() as prefix:
        page = client.post(f"{prefix}/check/", {"file": SimpleUploadedFile("open.txt", content)})
    assert pseudo("Western Europe (Windows-1252)") in page.text


def test_a_spreadsheet_that_was_downloaded_here_is_read(client: Client) -> None:
    for name, content in (("xlsx", template_xlsx()), ("csv", template_csv())):
        assert client.get(f"/check/template.{name}").content == content
        page = ask(client, content, f"form.{name}")
        assert page.context["read"].format == "spreadsheet"


@pytest.mark.parametrize(("name", "codes"), [
    ("clean", []),
    ("faulty", ["date-unknown", "name-shortened", "country-unknown", "points-differ", "result-unknown"]),
    ("newcomer", ["born-missing", "sex-missing"]),
])  # fmt: skip
def test_examples_show_their_findings(
    season_shared: None, client: Client, name: str, codes: list[str]
) -> None:
    page = client.post("/check/", {"example": name})
    assert [finding.code for finding in said(page)] == codes
    assert client.get(f"/check/examples/{name}/").content == example_file(name)
    assert client.get("/check/examples/details/").status_code == 404


def test_every_example_is_offered(client: Client) -> None:
    page = client.get("/check/").text
    for name in EXAMPLES:
        assert f'value="{name}"' in page
        assert f"/check/examples/{name}/" in page


# --- what it keeps: nothing


def test_nothing_is_stored_and_no_file_is_left(
    season_shared: None, client: Client, tmp_path: Path, settings: Any
) -> None:
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path
    settings.MEDIA_ROOT = tmp_path
    before, stat = rows(), database_writes()
    assert before["reporting.Player"] > 500
    for content in (
        (FILES / "zonnebeek-lakes-2026.txt").read_bytes(), example_file("faulty"), b"\x00" * 1_999_999,
        b"x" * (MAX_FILE_BYTES + 500_000), b"PK\x03\x04", b"",
    ):  # fmt: skip
        ask(client, content, **DETAILS)
    assert rows() == before
    assert database_writes() == stat
    assert not list(tmp_path.iterdir())
    assert not client.cookies


def database_writes() -> tuple[int, ...]:
    """Rows written in this transaction, of all tables: also those written and deleted again."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select coalesce(sum(n_tup_ins), 0), coalesce(sum(n_tup_upd), 0), coalesce(sum(n_tup_del), 0)"
            " from pg_stat_xact_user_tables"
        )
        return tuple(map(int, cursor.fetchone()))


def test_the_twin_an_upload_is_stored(client: Client) -> None:
    client.force_login(create_user("rina@example.org", "Rina", "long-enough", roles=["referee"]))
    before, stat = rows(), database_writes()
    client.post("/reports/new/", {"file": SimpleUploadedFile("a.txt", example_file("clean"))})
    assert rows() != before
    assert database_writes() != stat


# --- what it does not say


def test_no_day_of_birth_can_be_tried_out(client: Client) -> None:
    """The register's day or another one: the same words."""
    player = create_player(
        number=77001, last_name="Veldhoek", first_name="Joost", sort_name="veldhoek, joost",
        federation_id=ensured("NED"), sex="M", birth_year=1988,
    )  # fmt: skip
    PersonalData.objects.create(player=player, born="1988-03-14")
    pages = []
    for number in ("0", "77001"):
        for day in ("14/03/1988", "15/03/1988"):
            line = f"{number},1,,1,12,Joost,Veldhoek,NED,{day},M"
            joost = b"0,1,,1,12,Joost,Veldhoek,NED,14/03/1988,M"
            content = example_file("clean").replace(joost, line.encode())
            findings = [str(finding).replace(day, "") for finding in said(ask(client, content, **DETAILS))]
            assert not any("day of birth" in finding or "birth-date" in finding for finding in findings)
            pages.append(findings)
    assert pages[0] == pages[1]
    assert pages[2] == pages[3]


def test_it_does_not_say_which_reports_are_waiting(season_shared: None, client: Client) -> None:
    report = Report.objects.filter(state="submitted").select_related("result_set")[0]
    version = report.versions.latest("number")
    stored = {"content": bytes(version.content), "sidecar": bytes(version.sidecar)}
    expected = match_report(read_submission(**stored, today=timezone.localdate()))
    assert "looks-reported" in [finding.code for finding in expected.findings]
    page = ask(client, bytes(version.content), **DETAILS)
    assert "looks-reported" not in [finding.code for finding in said(page)]
    assert report.result_set.code not in page.text


# --- what it bears


def test_limits_are_shown_before_and_after_an_upload(client: Client) -> None:
    page = client.get("/check/").text
    assert "At most 5 MB, 5,000 players, 99 rounds and 35,000 games." in page
    page = ask(client, b"x" * (MAX_FILE_BYTES + 1))
    assert [finding.code for finding in page.context["general_findings"]] == ["file-too-large"]
    page = ask(client, b"x" * (MAX_FILE_BYTES + 200_000))
    assert page.status_code == 413
    assert "Too large: you sent" in page.text


def test_an_address_checks_so_many_files_and_no_more(client: Client) -> None:
    for _ in range(MAX_CHECKS):
        assert client.post("/check/").status_code == 400
    page = client.post("/check/", {"example": "clean"})
    assert (page.status_code, page["Retry-After"]) == (429, "900")
    assert client.get("/check/").status_code == 200
    other = client.post("/check/", {"example": "clean"}, REMOTE_ADDR="198.51.100.7")
    assert other.status_code == 200


CLEAN, FAULTY = example_file("clean"), example_file("faulty")
PIECES = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b",", b";", b"<section results>", b"</end players>",
    b"9" * 5000, b"<remark>", b"\xe2\x80\xae", b"PK\x03\x04", b"<script>alert(1)</script>", b"{{ x }}", b"\t", b"-1",
)  # fmt: skip


@st.composite
def mutations(draw: st.DrawFn) -> bytes:
    content = draw(st.sampled_from([CLEAN, FAULTY, *SEEDS]))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(content)))
        until = min(len(content), at + draw(st.integers(0, 40)))
        content = content[:at] + draw(st.sampled_from(PIECES) | st.binary(max_size=12)) + content[until:]
    return content


SEEDS = [path.read_bytes() for path in sorted(FILES.iterdir()) if path.suffix != ".toml"] + [template_xlsx()]


@settings(
    max_examples=rounds(30, 600),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    content=mutations(),
    name=st.text(max_size=30).filter(lambda name: not name.endswith("/")),  # a path without a file is no file
    details=st.fixed_dictionaries(
        {},
        optional={
            "discipline": st.sampled_from(["100", "64", "65", "\x00"]),
            "time_control": st.text(max_size=60),
            "encoding": st.sampled_from(["cp1252", "utf-8", "koi8-r", "rot13"]),
        },
    ),
)
def test_no_bytes_make_it_fail(client: Client, content: bytes, name: str, details: dict[str, str]) -> None:
    cache.clear()
    page = ask(client, content, f"x{name}", **details)
    assert page.status_code in {200, 400}
    assert "<script>alert" not in page.text


@pytest.mark.parametrize(("body", "kind"), [
    (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
    (b"", "multipart/form-data; boundary="),
    (b"a=b", "application/x-www-form-urlencoded"),
    (b"{}", "application/json"),
    (b"\xff" * 200, "multipart/form-data; boundary=" + "y" * 3000),
])  # fmt: skip
def test_no_body_makes_it_fail(client: Client, body: bytes, kind: str) -> None:
    assert client.post("/check/", body, content_type=kind).status_code == 400


def test_a_thousand_players_and_eleven_rounds_are_shown(season_shared: None, client: Client) -> None:
    """Next to the demonstration's register, and without a look at each player for each other one."""
    players = list(Player.objects.filter(numbers__has_key="fmjd").order_by("numbers__fmjd"))
    content = large_report(players, 1000, 11)
    read = read_report(content)
    assert (len(read.players), read.rounds, len(read.games)) == (1000, 11, 5500)
    page, calls = counted(lambda: ask(client, content, **DETAILS))
    assert page.context["players"] == 1000
    assert page.context["matched_players"] > 500
    assert calls < 5_000_000


def test_the_results_of_a_number_on_many_lines_are_put_together_once() -> None:
    """100 lines are shown: the 1,000 games once take 2 or 3 calls each, once for each line they took 200,000."""
    players = tuple(ReportedPlayer(number=1, name="A B", line=line) for line in range(1, 201))
    games = tuple(ReportedGame(1 + turn % 9, 1, 2, 2, 0, played=True) for turn in range(1000))
    read = ReadReport("fmjd", "utf-8", players=players, games=games)
    (lines, _), calls = counted(lambda: preview_lines(None, read, None, {}, {}))
    assert [sum(map(len, line.cells)) for line in lines.rows] == [1000] * 100
    assert calls < 20_000


def large_report(known: list[Player], players: int, rounds: int) -> bytes:
    half = players // 2
    lines = example_file("clean").decode().splitlines()[:13]
    games, points = [], [0] * (players + 1)
    for turn in range(rounds):
        for place in range(half):
            white, black = place + 1, half + 1 + (place + turn) % half
            games.append(f"{turn + 1},{white},{black},2-0")
            points[white] += 2
    lines.append("<section players>")
    for number in range(1, players + 1):
        if number <= len(known):
            player = known[number - 1]
            line = (player.numbers["fmjd"], player.first_name, player.last_name, player.federation_id, "", "")
        else:
            letters = "".join(chr(ord("a") + number // 26**place % 26) for place in range(4))
            line = (0, f"Given{letters}", f"Family{letters}", "NED", "01/02/1990", "M")
        lines.append("{},{},,0,{},{},{},{},{},{}".format(line[0], number, points[number], *line[1:]))
    return "\n".join([*lines, "</end players>", "<section results>", *games, "</end results>"]).encode()


def test_a_check_asks_the_database_no_more_than_an_upload(
    season_shared: None, client: Client, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(8):
        client.post("/check/", {"example": "faulty"})


def ensured(code: str) -> str:
    from reporting.register.services.federations import ensure_federations

    ensure_federations([code])
    return code


# --- details, and on to a report


def test_it_offers_every_detail_that_its_findings_ask_for(client: Client) -> None:
    page = ask(client, SIX.read_bytes(), SIX.name, **DETAILS)
    named = {finding.field for finding in said(page) if finding.line is None} & set(known_details())
    assert "points" in {finding.field for finding in said(page)}
    assert "points" in page.context["form"].fields
    assert "name" not in page.context["form"].fields  # that of a player, in a column of the file
    # The day of the announcement comes with the announcement, that of receipt from the office.
    assert named - {"announced", "received"} <= set(page.context["form"].fields)
    again = ask(client, SIX.read_bytes(), SIX.name, **DETAILS, points="1-0.5-0")
    assert "points" not in {finding.field for finding in said(again)}
    assert again.context["form"]["points"].value() == "1-0.5-0"
    corrects = ask(client, example_file("clean"), **DETAILS, corrects="2026-open", official="maybe")
    assert "corrects" not in corrects.context["form"].fields
    assert "official" in corrects.context["form"].fields


def test_places_are_compared_with_the_entered_tie_breaks(client: Client) -> None:
    """3 and 4 have 1 point each. Opponents of 3: 4 and 2, Solkoff 1 + 2 = 3; of 4: 3 and 1, 1 + 4 = 5."""
    lines = example_file("clean").decode().split("<section players>")[0]
    four = f"""{lines}<section players>
0,1,,1,4,Ada,Vroom,BEL,01/01/1990,W
0,2,,2,2,Ben,Kuil,BEL,02/02/1991,M
0,3,,3,1,Cor,Maas,BEL,03/03/1992,M
0,4,,4,1,Dirk,Roos,BEL,04/04/1993,M
</end players>
<section results>
1,1,2,2-0
1,3,4,1-1
2,1,4,2-0
2,2,3,2-0
</end results>
"""
    codes = {finding.code for finding in said(ask(client, four.encode(), **DETAILS))}
    assert "places-contradict-tie-breaks" not in codes
    page = ask(client, four.encode(), **DETAILS, standings="solkoff")
    (finding,) = [each for each in said(page) if each.code == "places-contradict-tie-breaks"]
    assert finding.place
    for text in (
        "Numbers 3 (Cor Maas), 4 (Dirk Roos):", "Deciding tie-break: Solkoff.", "Annex 5 art. 3.1 a",
    ):  # fmt: skip
        assert text in page.text
    assert "3. Dirk Roos, 4. Cor Maas" in page.text
    assert page.context["form"]["standings"].value()


def test_a_checked_file_is_uploaded_after_log_in_with_the_entered_details(season_shared: None) -> None:
    referee = create_user("rina@example.org", "Rina Reader", roles=[Role.REFEREE])
    visitor = Visitor()
    visitor.open("/check/")
    visitor.attach("Report file", "open.txt", example_file("clean"))
    visitor.choose("Discipline", "100")
    visitor.fill("Time control", "80+30")
    before = rows()
    visitor.press("Check file")
    assert rows() == before
    council = logged_in(Role.TITLE_COUNCIL)  # whom the link would lead to a refusal
    assert "Upload as report" not in council.post("/check/", {"example": "clean"}).text
    visitor.open_link("Upload as report")
    visitor.fill("E-mail", referee.email)
    visitor.fill("Password", "long-enough-for-all")
    visitor.press("Log in", within=visitor.page.find(".//main"))
    assert visitor.address.startswith("/reports/new/")
    assert "Entered when the file was checked:" in visitor.text
    visitor.attach("Report file", "open.txt", example_file("clean"))
    visitor.press("Upload report")
    report = Report.objects.get(submitted_by=referee)
    assert tomllib.loads(bytes(report.versions.get().sidecar).decode()) == DETAILS


def test_entered_details_belong_to_one_file_and_are_not_lost(client: Client, season_shared: None) -> None:
    client.force_login(create_user("rina@example.org", "Rina Reader", roles=[Role.REFEREE]))
    files = [SimpleUploadedFile("a.txt", b"one"), SimpleUploadedFile("b.txt", b"two")]
    page = client.post("/reports/new/", DETAILS | {"file": files})
    assert (page.status_code, page.context["problem"].code) == (409, "details_of_one_file")
    page = client.post("/reports/new/", {"name": "x" * 2000, "file": SimpleUploadedFile("a.txt", b"one")})
    assert (page.status_code, page.context["problem"].code) == (409, "too_long")
    assert f'name="name" value="{"x" * 2000}"' in page.text
    assert not Report.objects.filter(submitted_by__email="rina@example.org").exists()
