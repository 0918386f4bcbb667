"""The step People: a row for each player who is not identified, filled from the file; look-up; several rows at once."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from reporting.formats.tournament_details.sidecar import detail_values
from reporting.models import Report, Role, User
from tests.people import create_federation, create_player, create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web"), pytest.mark.usefixtures("referee")]

NEWCOMERS = 68
FIRST_NAMES = ("Ada", "Ben", "Cleo", "Dirk", "Elia", "Finn", "Gus", "Hanna")
SYLLABLES = ("ka", "lo", "mi", "nu", "re", "so", "ti", "va", "we", "zo")


def newcomer(number: int) -> str:
    return f"{SYLLABLES[number // 10]}{SYLLABLES[number % 10]}berg".capitalize()


def trf(players: int = NEWCOMERS) -> bytes:
    """A file of a pairing program with one round; by columns as docs/reference/report-formats.md has them.

    Player 2 has no sex, player 3 only a year of birth.
    """
    lines = ["012 Newcomers Cup 2026", "022 Ghent", "032 BEL", "042 2026/10/10", "052 2026/10/10"]
    for number in range(1, players + 1):
        against = number + 1 if number % 2 else number - 1
        won = number % 2
        name = f"{newcomer(number)}, {FIRST_NAMES[number % 8]}"
        sex = " " if number == 2 else "mw"[number % 2]
        born = "1990      " if number == 3 else "1990/02/01"
        points, place = (2.0, (number + 1) // 2) if won else (0.0, (players + number) // 2)
        lines.append(
            f"001 {number:>4} {sex}    {name:<33} {'':>4} BEL {'':>11} {born} {points:>4} {place:>4}"
            f"  {against:>4} {'w' if won else 'b'} {'1' if won else '0'}"
        )
    return "\n".join([*lines, ""]).encode()


@pytest.fixture
def referee(client: Client) -> User:
    create_federation("BEL")
    user = create_user("r@example.org", "Pieter Ostrava", roles=[Role.REFEREE])
    client.force_login(user)
    return user


def uploaded(client: Client, players: int = NEWCOMERS) -> Report:
    sent = {"file": SimpleUploadedFile("newcomers.trf", trf(players))}
    assert client.post(reverse("report-new"), sent).status_code == 302
    return Report.objects.latest("pk")


@pytest.fixture
def report(client: Client, referee: User) -> Report:
    """Of eight newcomers."""
    return uploaded(client, 8)


def people(report: Report) -> str:
    return reverse("report-people", args=[report.pk])


def saved(report: Report) -> dict[str, Any]:
    return detail_values(bytes(report.versions.latest("number").sidecar))


def rows_of(page: Any) -> dict[int, Any]:
    return {person.reported.number: person for person in page.context["unmatched_people"]}


@pytest.fixture
def known_player() -> None:
    """Player 1 by name, of another federation: similar, and not certain."""
    create_federation("NED")
    create_player(
        10777, last_name=newcomer(1), first_name="Ben", sort_name=f"{newcomer(1).lower()}, ben",
        federation_id="NED", sex="W", birth_year=1970,
    )  # fmt: skip


def test_68_newcomers_are_rows_of_one_page_filled_from_the_file(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    report = uploaded(client)
    with django_assert_max_num_queries(11):
        page = client.get(people(report))
    rows = rows_of(page)
    assert len(rows) == NEWCOMERS
    assert rows[1].entered == {
        "last_name": newcomer(1), "first_name": "Ben", "country": "BEL", "sex": "W", "born": "1 Feb 1990",
        "who": "", "fmjd_id": "",
    }  # fmt: skip
    # What is missing is an empty input of the row: none needs more.
    assert [number for number, row in rows.items() if row.is_open] == []
    for words in ("68 players to identify", "66 complete", "2 values to fill in.", "All 68 are new"):
        assert words in page.text, words


def shown(page: Any) -> dict[str, str]:
    """The fields of all rows as a browser sends them when nothing was typed."""
    entered = ((number, *field) for number, row in rows_of(page).items() for field in row.entered.items())
    return {f"{name}-{number}": value for number, name, value in entered}


def test_one_button_makes_all_new_with_what_was_typed_and_asks_only_what_is_missing(client: Client) -> None:
    report = uploaded(client)
    sent = {"based_on": "1", "action": "all-new", **shown(client.get(people(report))), "sex-2": "M"}
    assert client.post(people(report), sent).status_code == 302
    newcomers = saved(report)["newcomers"]
    assert sorted(map(int, newcomers)) == list(range(1, NEWCOMERS + 1))
    assert newcomers["2"]["sex"] == "M"
    assert newcomers["68"]["last_name"] == newcomer(68)
    page = client.get(people(report))
    assert list(rows_of(page)) == [3]
    assert "all-new" not in page.text
    # On another page only those of whom the file has everything become new.
    other = uploaded(client, 8)
    assert client.post(people(other), {"based_on": "1", "action": "all-new"}).status_code == 302
    assert sorted(saved(other)["newcomers"]) == ["1", "4", "5", "6", "7", "8"]


def test_people_to_identify_and_missing_details_are_errors_on_no_page(client: Client, report: Report) -> None:
    """8 players of no register; a TRF file without 092, 222 and a referee leaves details to fill in."""
    counts = report.versions.get().counts
    assert (counts.errors, counts.people) == (0, 8)
    assert counts.missing > 1
    details = reverse("report-details", args=[report.pk])
    said = (
        f'<a href="{people(report)}">8 people to identify</a>, '
        f'<a href="{details}">{counts.missing} details missing</a>'
    )
    for address in ("reports", "report", "report-submit"):
        page = client.get(reverse(address, args=[report.pk] if address != "reports" else []))
        assert said in page.text, address
        assert not re.search(r"[0-9] errors?", page.text), address
    saved_page = client.post(people(report), {"based_on": "1", "action": "all-new"}, follow=True)
    assert "Saved as version 2: " in saved_page.text
    assert "<a href" in saved_page.text.partition("Saved as version 2: ")[2][:200]
    refused = client.post(reverse("report-submit", args=[report.pk]), {"based_on": "2", "action": "submit"})
    # Player 2 has no sex, player 3 no date of birth.
    assert f"Errors to correct: 0; people to identify: 2; details missing: {counts.missing}." in refused.text


def test_a_row_that_looks_registered_asks_first_and_one_with_an_answer_keeps_it(
    client: Client, known_player: None, report: Report
) -> None:
    # 1 looks like a registered player; 5 has a number.
    page = client.get(people(report))
    assert [choice.address for choice in rows_of(page)[1].choices] == ["10777"]
    assert "7 of 8 are new" in page.text
    assert "1 looks like a player of the register" in page.text
    sent = {"based_on": "1", "action": "all-new", **shown(page), "fmjd_id-5": "10777"}
    assert client.post(people(report), sent).status_code == 302
    details = saved(report)
    assert details["players"] == {"5": 10777}
    assert sorted(details["newcomers"]) == ["2", "3", "4", "6", "7", "8"]


def test_a_row_that_looks_registered_is_answered_by_one_button(
    client: Client, known_player: None, report: Report
) -> None:
    page = client.get(people(report))
    assert re.findall(r'name="one" value="([^"]+)"', page.text) == ["1:10777", "1:new"]
    sent = {"based_on": "1", **shown(page), "sex-2": "M", "one": "1:10777"}
    assert client.post(people(report), sent).status_code == 302
    details = saved(report)
    assert details["players"] == {"1": 10777}
    # What was typed in another row is saved with it.
    assert details["newcomers"]["2"]["sex"] == "M"
    # Someone else: the page says no more about it, the warning is for the submission.
    sent = {"based_on": "2", "one": "1:new"}
    assert client.post(people(report), sent).status_code == 302
    details = saved(report)
    assert "players" not in details
    assert details["newcomers"]["1"]["last_name"] == newcomer(1)
    assert 1 not in rows_of(client.get(people(report)))
    for wrong in ("1:", "x:new", "99:new", "1:10777:5"):
        assert client.post(people(report), {"based_on": "3", "one": wrong}).status_code == 302
    assert saved(report) == details


def test_pasted_rows_fill_in_the_table_and_save_nothing(client: Client, report: Report) -> None:
    rows = f"2\tf\t5-3-1991\n{FIRST_NAMES[3]} {newcomer(3)};1990-04-05;m\nNomen Nescio;w;1 Jan 2007\n4;x;1990"
    sent = {"based_on": "1", "action": "paste", "pasted": rows, "fmjd_id-5": "typed", "sex-2": "M"}
    page = client.post(people(report), sent)
    assert page.status_code == 200
    assert report.versions.count() == 1
    filled = rows_of(page)
    assert (filled[2].entered["sex"], filled[2].entered["born"]) == ("W", "5 Mar 1991")
    assert (filled[3].entered["sex"], filled[3].entered["born"]) == ("M", "5 Apr 1990")
    assert filled[5].entered["fmjd_id"] == "typed"
    assert "2 rows filled in. They are not saved yet." in page.text
    assert "No player of the table has this number or name: “Nomen Nescio”." in page.text
    assert "“x” is not a sex. Enter w, f or m. “1990” is not a day." in " ".join(page.text.split())
    assert f"{rows}</textarea>" in page.text
    # As the page shows it, it is saved.
    assert client.post(people(report), {"based_on": "1", **shown(page), "fmjd_id-5": ""}).status_code == 302
    newcomers = saved(report)["newcomers"]
    assert (newcomers["2"]["sex"], str(newcomers["2"]["born"])) == ("W", "1991-03-05")
    assert str(newcomers["3"]["born"]) == "1990-04-05"


def test_a_look_up_of_all_offers_players_of_the_register_and_saves_nothing(
    client: Client, known_player: None, report: Report, django_assert_max_num_queries: Any
) -> None:
    create_player(
        10778, last_name=f"{newcomer(4)}-Maas", first_name="Other", sort_name=f"{newcomer(4).lower()}-maas, other",
        federation_id="NED", sex="W", birth_year=1950,
    )  # fmt: skip
    sent = {"based_on": "1", "action": "look-up", **shown(client.get(people(report))), "born-5": "soon"}
    with django_assert_max_num_queries(18):
        page = client.post(people(report), sent)
    assert (page.status_code, report.versions.count()) == (200, 1)
    rows = rows_of(page)
    assert rows[4].choices[0].address == "10778"
    assert 'name="one" value="4:10778"' in page.text
    assert rows[5].entered["born"] == "soon"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1251", "koi8-r"])
def test_players_of_a_template_are_entered_here_and_a_number_that_the_register_lacks_is_no_answer(
    client: Client, encoding: str
) -> None:
    lines = [
        "Info", "Name;Chestnut Cup", "Played from;10/10/2026", "Played to;10/10/2026", "Type;OTHER",
        "Name of referee;Pieter Ostrava", "Place;Ghent", "Country;BEL", "", "Players",
        "No.;FMJD-ID;Last name;First name;Country;Sex;Born;Place;Points", "1;19001;Kometa;Nova;BEL;;;1;2",
        "2;;Иванов;Пётр;UKR;;;2;0", "", "Results", "Round;White;Black;Result", "1;1;2;2-0",
    ]  # fmt: skip
    sent = {"file": SimpleUploadedFile("cup.csv", "\n".join(lines).encode(encoding))}
    assert client.post(reverse("report-new"), sent).status_code == 302
    report = Report.objects.latest("pk")
    if encoding != "utf-8":  # it cannot be known, and is asked for next to its finding
        sent = {"based_on": "1", "detail": "encoding", "encoding": encoding}
        assert client.post(reverse("report-detail", args=[report.pk]), sent).status_code == 302
    page = client.get(people(report))
    rows = rows_of(page)
    assert (rows[1].unknown_number, rows[1].entered["fmjd_id"]) == ("19001", "")
    assert "19001 is not in the register" in page.text
    # The name of the second is not in English letters: its row is open.
    assert [number for number, row in rows.items() if row.is_open] == [2]
    assert rows[2].entered["last_name"] == "Иванов"
    typed = {
        "sex-1": "W", "born-1": "2001-02-03", "sex-2": "M", "born-2": "4 May 1970", "last_name-2": "Ivanov",
    }  # fmt: skip
    based_on = str(report.versions.count())
    sent = {"based_on": based_on, "action": "all-new", **shown(page), **typed, "first_name-2": "Petro"}
    assert client.post(people(report), sent).status_code == 302
    page = client.get(people(report))
    assert list(rows_of(page)) == []
    assert "The report gives 19001, which no player has." in page.text
    steps = {step.name: step.done for step in page.context["steps"]}
    assert (steps["people"], steps["file"]) == (True, True)


def test_several_rows_are_saved_at_once_and_a_wrong_one_stays_with_its_message(
    client: Client, known_player: None, report: Report
) -> None:
    data = {
        "last_name-2": newcomer(2), "first_name-2": "Cleo", "country-2": "XYZ", "sex-2": "W", "born-2": "soon",
    }  # fmt: skip
    sent = {"based_on": "1", "who-1": "10777", "fmjd_id-1": "", "who-2": "new", "fmjd_id-2": "", **data}
    page = client.post(people(report), sent | {"action": "continue"})
    assert page.status_code == 409
    assert re.findall(r'<li><a href="#(\w+-2)">', page.text) == ["country-2", "born-2"]
    assert saved(report)["players"] == {"1": 10777}
    rows = rows_of(page)
    assert 1 not in rows or rows[1].known
    assert (rows[2].entered["country"], rows[2].entered["born"]) == ("XYZ", "soon")
    assert rows[2].at_cells["born"] == (
        "This date of birth cannot be used."
        " Expected: a day from 1900 to 2100 that exists, for example 14 Mar 2009."
    )
    assert rows[2].at_cells["country"] == (
        "This country cannot be used. Expected: a country by code or name, for example NED."
    )
    assert re.search(r'id="born-2"[^>]*value="soon"[^>]*aria-describedby="m-born-2"', page.text)
    assert 'id="m-born-2"' in page.text


def test_a_row_with_two_answers_stays_as_typed_and_the_others_are_saved(
    client: Client, known_player: None, report: Report
) -> None:
    sent = {
        "based_on": "1", "who-1": "10777", "fmjd_id-1": "10888", "sex-1": "M", "who-4": "",
        "fmjd_id-4": "10777",
    }  # fmt: skip
    refused = client.post(people(report), sent)
    assert refused.status_code == 409
    assert saved(report)["players"] == {"4": 10777}
    row = rows_of(refused)[1]
    assert (row.entered["who"], row.entered["fmjd_id"], row.entered["sex"]) == ("10777", "10888", "M")
    assert "Two answers: choose one of the list, or give a number." in refused.text
    assert 'name="based_on" value="2"' in refused.text
    # The number that is now another row's is a finding of the report, not a second player without a word.
    sent = {"based_on": "2", "who-1": "10777", "fmjd_id-1": ""}
    assert client.post(people(report), sent).status_code == 302
    codes = [finding["code"] for finding in report.versions.latest("number").findings]
    assert "player-entered-twice" in codes


def test_what_is_changed_in_a_row_counts_not_what_was_filled_in(
    client: Client, known_player: None, report: Report
) -> None:
    assert client.post(people(report), {"based_on": "1", "who-1": "10777"}).status_code == 302
    # The field has the saved number; another one typed there is the answer.
    row = rows_of(client.get(f"{people(report)}?number=1"))[1]
    assert (row.entered["who"], row.entered["fmjd_id"]) == ("", "10777")
    sent = {"based_on": "2", "who-1": "", "fmjd_id-1": "10999"}
    assert client.post(people(report), sent).status_code == 302
    assert saved(report)["players"] == {"1": 10999}
    # The saved number next to a new choice is not.
    sent = {"based_on": "3", "who-1": "10777", "fmjd_id-1": "10999"}
    assert client.post(people(report), sent).status_code == 302
    assert saved(report)["players"] == {"1": 10777}


def test_a_name_of_two_words_is_shown_split_and_saved_as_shown(client: Client) -> None:
    content = trf(8)
    for old, new in (
        (f"{newcomer(1)}, {FIRST_NAMES[1]}", f"{FIRST_NAMES[1]} {newcomer(1)}"),
        (f"{newcomer(4)}, {FIRST_NAMES[4]}", f"{FIRST_NAMES[4]} van {newcomer(4)}"),
    ):
        content = content.replace(f"{old:<33}".encode(), f"{new:<33}".encode())
    sent = {"file": SimpleUploadedFile("newcomers.trf", content)}
    assert client.post(reverse("report-new"), sent).status_code == 302
    report = Report.objects.latest("pk")
    page = client.get(people(report))
    assert "Names of two words are shown as last and first name." in page.text
    row = rows_of(page)[1]
    assert (row.entered["first_name"], row.entered["last_name"]) == (FIRST_NAMES[1], newcomer(1))
    assert (row.name, row.is_open) == (f"{newcomer(1)}, {FIRST_NAMES[1]}", False)
    # Three words are not split: the row is open, and asks for the surname also once the player is new.
    assert (rows_of(page)[4].entered["last_name"], rows_of(page)[4].is_open) == ("", True)
    # A proposed name that the page does not show is not saved.
    assert client.post(people(report), {"based_on": "1", "action": "all-new"}).status_code == 302
    assert "1" not in saved(report)["newcomers"]
    sent = {"based_on": "2", "action": "all-new", **shown(client.get(people(report)))}
    assert client.post(people(report), sent).status_code == 302
    assert saved(report)["newcomers"]["1"]["last_name"] == newcomer(1)
    asked = rows_of(client.get(people(report)))[4]
    assert "name-not-split" in [finding.code for finding in asked.findings]


def test_a_second_window_keeps_what_was_typed(client: Client, known_player: None, report: Report) -> None:
    assert client.post(people(report), {"based_on": "1", "who-5": "new", "sex-5": "W"}).status_code == 302
    typed = {"who-1": "new", "fmjd_id-1": "abc", "last_name-1": "Typed", "born-1": "1 May", "country-1": "B"}
    refused = client.post(people(report), {"based_on": "1", **typed})
    assert refused.status_code == 409
    row = rows_of(refused)[1].entered
    assert all(row[name.removesuffix("-1")] == text for name, text in typed.items())


def test_the_look_up_offers_players_by_name_and_number(
    client: Client, known_player: None, django_assert_max_num_queries: Any
) -> None:
    report = uploaded(client, 2)
    address = reverse("report-people-look-up", args=[report.pk])
    label = f'<option value="10777">10777 {newcomer(1)}, Ben, NED</option>'
    for typed in (newcomer(1), f"{newcomer(1)} ben", "10777", "107"):
        with django_assert_max_num_queries(10):
            assert client.get(address, {"fmjd_id-1": typed}).text.count(label) == 1, typed
    for typed in ("", "ka", "x" * 61, "\x00\x00\x00", "nobody of that name"):
        assert "<option" not in client.get(address, {"fmjd_id-1": typed}).text, typed
    assert "1970" not in client.get(address, {"fmjd_id-1": "10777"}).text


def test_queries_of_file_and_people_do_not_grow_with_the_players(client: Client, known_player: None) -> None:
    """The matches are stored with the version: after the upload no page looks the players up."""
    counted = []
    for players in (4, NEWCOMERS):
        report = uploaded(client, players)
        for name in ("report-file", "report-people"):
            with CaptureQueriesContext(connection) as queries:
                assert client.get(reverse(name, args=[report.pk])).status_code == 200
            assert not [query for query in queries if "reporting_playerspelling" in query["sql"]]
            counted.append(len(queries))
    assert counted == [7, 9, 7, 9]


def test_of_two_players_in_one_row_of_a_table_of_games_the_unknown_one_is_asked(
    client: Client, known_player: None
) -> None:
    content = (
        "round,date,white_id,white_name,black_id,black_name,result\n"
        f"1,2026-10-10,10777,Ben {newcomer(1)},,Nova van Kometa,1-0\n"
    )
    sent = {"file": SimpleUploadedFile("league.csv", content.encode())}
    assert client.post(reverse("report-new"), sent).status_code == 302
    page = client.get(people(Report.objects.latest("pk")))
    names = {number: person.reported.name for number, person in rows_of(page).items()}
    assert names == {2: "Nova van Kometa"}
