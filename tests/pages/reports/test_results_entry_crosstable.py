"""The crosstable to type in: all rounds on one page, by cells, by a pasted table, by a Berger table."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from reporting.log.audit import Actor
from reporting.models import Report, User
from reporting.reports.reading.open_report import open_report
from reporting.reports.services.upload import upload_report
from reporting.rules.report import RESULTS
from tests.visitor import form_with

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

DETAILS = b'discipline = "100"\ntime_control = "80+30"\n'


def file_of(players: int, results: str = "", system: str = "SWISS") -> bytes:
    letters = [f"{chr(97 + turn // 26)}{chr(97 + turn % 26)}" for turn in range(players)]
    lines = "".join(
        f"0,{number},,0,0,Given{letter},Family{letter},NED,01/01/1990,M\n"
        for number, letter in enumerate(letters, 1)
    )
    return (
        f"<section Info>\nname = Harbour Club\ntype = {system}\n</end info>\n<section players>\n{lines}</end players>\n"
        f"<section results>\n{results}</end results>\n"
    ).encode()


def stored(referee: User, *file: Any) -> Report:
    return upload_report(
        content=file_of(*file), filename="report.txt", sidecar=DETAILS, by=Actor(referee)
    ).report


@pytest.fixture
def report(referee: User) -> Report:
    """Four players, one round."""
    return stored(referee, 4, "1,1,2,2-0\n1,4,3,1-1\n")


def address(report: Report) -> str:
    return f"/reports/{report.pk}/results/crosstable/"


def games(report: Report) -> list[tuple[Any, ...]]:
    read = open_report(report.pk).submission.read
    return [(game.round, game.white, game.black, game.result) for game in read.games]


def send(
    client: Client, report: Report, cells: Mapping[str, str], action: str = "save", **others: str
) -> Any:
    form = form_with(client.get(address(report)).content.decode(), "based_on")
    return client.post(address(report), form | cells | others | {"action": action})


def test_cells_are_typed_on_one_side_and_saved(client: Client, report: Report) -> None:
    page = client.get(address(report)).content.decode()
    form = form_with(page, "c-1-1")
    assert [form[f"c-{number}-1"] for number in range(1, 5)] == ["2w2", "1b0", "4b1", "3w1"]
    assert "White against Givenab Familyab" in page
    answered = send(client, report, {"c-3-2": "w1 2", "c-2-2": "4b0x", "c-1-1": "2w1"}, at="c-3-2")
    assert answered.status_code == 302
    assert answered["Location"] == f"{address(report)}?rounds=2&at=c-3-2&page=1"
    assert games(report) == [
        (1, 1, 2, "1-1"), (1, 4, 3, "1-1"), (2, 4, 2, "2x0"), (2, 3, 1, "2-0"),
    ]  # fmt: skip
    page = client.get(answered["Location"]).content.decode()
    form = form_with(page, "c-1-1")
    assert [form[f"c-{number}-2"] for number in range(1, 5)] == ["3b0", "4b0x", "1w2", "2w2x"]
    # The focus is where it was.
    assert page.count("autofocus") == 1
    assert 'id="c-3-2"' in page.partition("autofocus")[0].rpartition("<input")[2]
    # The round has the same games: one model.
    rows = client.get(f"/reports/{report.pk}/results/2/").context["rows"]
    assert [tuple(row.entered.values()) for row in rows] == [("4", "2", "2x0"), ("3", "1", "2-0")]
    # Saved again unchanged, it is no other version.
    number = report.versions.latest("number").number
    assert send(client, report, {}).status_code == 302
    assert report.versions.latest("number").number == number


def test_a_contradiction_is_shown_at_both_cells_and_nothing_is_lost(client: Client, report: Report) -> None:
    typed = {"c-1-2": "2w2", "c-2-2": "1b1", "c-3-2": "9w2", "c-4-2": "draw <b>"}
    answered = send(client, report, typed)
    assert answered.status_code == 400
    page = answered.content.decode()
    form = form_with(page, "c-1-2")
    assert {name: form[name] for name in typed} == typed
    assert page.count('aria-invalid="true"') == 4
    for cell, sentence in (
        ("c-1-2", "The cell of number 2 has another result."),
        ("c-2-2", "The cell of number 1 has another result."),
        ("c-3-2", "No player has number 9."),
        ("c-4-2", "Enter opponent, colour and points"),
    ):
        assert sentence in page.partition(f'id="{cell}-message"')[2].partition("</li>")[0]
    assert games(report) == [(1, 1, 2, "2-0"), (1, 4, 3, "1-1")]


def test_a_typed_crosstable_on_an_older_version_is_not_lost(client: Client, report: Report) -> None:
    form = form_with(client.get(address(report)).content.decode(), "c-1-1")
    send(client, report, {"c-1-2": "3w2"})
    answered = client.post(address(report), form | {"c-2-2": "4w2", "action": "save"})
    assert answered.status_code == 409
    assert form_with(answered.content.decode(), "c-1-1")["c-2-2"] == "4w2"


def test_a_round_is_added_and_typed_cells_stay(client: Client, report: Report) -> None:
    answered = send(client, report, {"c-1-2": "3w"}, "more")
    form = form_with(answered.content.decode(), "c-1-1")
    assert (answered.status_code, form["c-1-2"], "c-4-3" in form, "c-4-4" in form) == (200, "3w", True, False)
    assert "to correct" not in answered.content.decode()


PASTED = """No.;Name;R2;R3;Points
1;Givenaa;3w2;4b1;5
2;Givenab;;3b;1
3;Givenac;1b0;;3
4;Givenad;;;
4;Givenad;2w2;;
7;Gone;;1w2;
Total;;;;
"""


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_pasted_table_fills_cells_and_names_holes(client: Client, report: Report, separator: str) -> None:
    answered = send(client, report, {"c-2-2": "4w1"}, "paste", pasted=PASTED.replace(";", separator))
    form = form_with(answered.content.decode(), "c-1-1")
    assert answered.status_code == 200
    # What the table has replaces what was typed; what it has not stays. Holes follow the cells of the opponents.
    assert [form[f"c-{number}-2"] for number in range(1, 5)] == ["3w2", "4w1", "1b0", "2b1"]
    assert [form[f"c-{number}-3"] for number in range(1, 5)] == ["4b1", "3b", "", "1w1"]
    paste = answered.context["paste"]
    assert (paste["filled"], paste["empty"]) == ([(4, 2), (4, 3)], [(3, 3)])
    assert [cell for cell, _, _ in answered.context["invalid_fields"]] == ["c-2-3"]
    # Lines that were not used are still in the field.
    unused = [line.replace(";", separator) for line in PASTED.splitlines()[5:]]
    assert form["pasted"].splitlines() == unused
    assert len(games(report)) == 2
    saved = client.post(address(report), form | {"c-2-3": "3b1", "action": "save"})
    assert saved.status_code == 302
    assert games(report)[2:] == [
        (2, 1, 3, "2-0"), (2, 2, 4, "1-1"), (3, 4, 1, "1-1"), (3, 3, 2, "1-1"),
    ]  # fmt: skip


@pytest.mark.parametrize(("pasted", "status", "message"), [
    ("No;1;1\n1;2w2;3w2", 200, "Two headings are the number of one round"),
    ("1;2w2\n" * 40_000, 409, "Enter text of at most 200000 characters."),
])  # fmt: skip
def test_a_table_that_cannot_be_read_stays_in_its_field(
    client: Client, report: Report, pasted: str, status: int, message: str
) -> None:
    answered = send(client, report, {"c-2-2": "4w1"}, "paste", pasted=pasted)
    assert (answered.status_code, answered.context["pasted"].strip()) == (status, pasted.strip())
    assert message in answered.text
    assert form_with(answered.text, "c-1-1")["c-2-2"] == "4w1"
    # So it does when another button is pressed before its own.
    refused = send(client, report, {"c-2-2": "9w1"}, "save", pasted=pasted[:40])
    assert refused.context["pasted"] == pasted[:40]


def test_a_table_without_headings_is_pasted(client: Client, report: Report) -> None:
    answered = send(client, report, {}, "paste", pasted="1\tGivenaa\t2w2\t3w2\n2\tGivenab\t1b0\t4w2\n")
    assert answered.context["paste"]["cells"] == 4
    form = form_with(answered.content.decode(), "c-1-1")
    assert [form[f"c-{number}-2"] for number in (1, 2)] == ["3w2", "4w2"]


def test_a_round_robin_is_paired_by_table(client: Client, referee: User) -> None:
    """FIDE Handbook C.05, Annex 1, for four: 1-4 2-3, 4-3 1-2, 2-4 3-1."""
    report = stored(referee, 4, "1,1,3,2-0\n", "ROUND")
    answered = send(client, report, {}, "", pairing="berger")
    form = form_with(answered.content.decode(), "c-1-1")
    # Round 1 has another pair: it stays. Nothing is saved.
    assert [form[f"c-{number}-1"] for number in range(1, 5)] == ["3w2", "", "1b0", ""]
    assert [form[f"c-{number}-2"] for number in range(1, 5)] == ["2w", "1b", "4b", "3w"]
    assert [form[f"c-{number}-3"] for number in range(1, 5)] == ["3b", "4w", "1w", "2b"]
    assert games(report) == [(1, 1, 3, "2-0")]
    # One result of round 2; the other pairs wait and are filled in again.
    # The points alone are enough in the cell of a pair.
    answered = client.post(address(report), form | {"c-1-2": "0", "action": "save"})
    assert games(report)[1:] == [(2, 1, 2, "0-2")]
    form = form_with(client.get(answered["Location"]).content.decode(), "c-1-1")
    assert [form[f"c-{number}-2"] for number in range(1, 5)] == ["2w0", "1b2", "4b", "3w"]
    answered = send(client, report, {}, "", pairing="berger-double")
    form = form_with(answered.content.decode(), "c-1-1")
    assert [form[f"c-{number}-6"] for number in range(1, 5)] == ["3w", "4b", "1b", "2w"]
    # Without a pair of the table points alone are no game: round 1 has another pair.
    answered = client.post(address(report), form | {"c-2-1": "2", "action": "save"})
    assert (answered.status_code, len(games(report))) == (400, 2)


@pytest.mark.parametrize(
    ("typed", "result"), [("110w", "1-1"), ("210w", "2-0"), ("010w", "0-2"), ("10w2", "2-0"), ("2", "2-0")]
)
def test_points_typed_before_a_pair_are_no_digit_of_its_number(
    client: Client, referee: User, typed: str, result: str
) -> None:
    """The table of ten begins with 1-10; none has the number 110 or 210."""
    report = stored(referee, 10, "", "ROUND")
    form = form_with(send(client, report, {}, "", pairing="berger").content.decode(), "c-1-1")
    assert form["c-1-1"] == "10w"
    client.post(address(report), form | {"c-1-1": typed, "action": "save"})
    assert games(report) == [(1, 1, 10, result)]


def test_every_result_and_an_odd_file_are_saved_unchanged(client: Client, referee: User) -> None:
    """All results of art. 11, pauses, a number that no player has, two games in a round, a game against oneself."""
    lines = [f"{turn},1,2,{result}" for turn, result in enumerate(RESULTS, 1)]
    lines += ["8,1,0,2-0", "8,0,2,0-2", "9,1,9,2-0", "9,2,3,2-0", "9,2,4,0-2", "10,3,3,1-1"]
    report = stored(referee, 4, "".join(f"{line}\n" for line in lines))
    before = games(report)
    assert len(before) == 13
    for _ in range(2):
        # Saving sums the points, once.
        assert send(client, report, {}).status_code == 302
        assert (games(report), report.versions.latest("number").number) == (before, 2)
    assert send(client, report, {"c-3-1": "4w2"}).status_code == 302
    assert sorted(games(report)) == sorted([*before, (1, 3, 4, "2-0")])


def test_200_players_fit_a_page(client: Client, referee: User, django_assert_max_num_queries: Any) -> None:
    results = "".join(
        f"{turn},{2 * pair + 1},{2 * pair + 2},2-0\n" for turn in range(1, 10) for pair in range(100)
    )
    report = stored(referee, 200, results)
    client.get(address(report))
    with django_assert_max_num_queries(6):
        page = client.get(address(report)).content
    assert len(page) < 1_000_000
    form = form_with(page.decode(), "c-1-1")
    assert sum(name.startswith("c-") for name in form) == 2000
    answered = client.post(address(report), form | {"c-1-9": "2w1", "c-200-10": "1w2", "action": "save"})
    assert answered.status_code == 302
    assert len(games(report)) == 901


def test_a_round_is_paired_by_table_and_saved_in_parts(client: Client, referee: User) -> None:
    """For five the table is that of six without number 6, in round 2: 5-3 1-2; number 4 has no game."""
    report = stored(referee, 5, "1,1,2,2-0\n", "ROUND")
    place = f"/reports/{report.pk}/results/2/"
    page = client.get(place)
    assert page.context["tables"][0][2] == [(5, 3), (1, 2)]
    assert "?pairing=berger" in page.content.decode()
    page = client.get(f"{place}?pairing=berger")
    form = form_with(page.content.decode(), "based_on")
    assert [form[f"{side}-{row}"] for row in (1, 2) for side in ("white", "black")] == ["5", "3", "1", "2"]
    assert page.context["focus"] == ("result", 1)
    answered = client.post(f"{place}?pairing=berger", form | {"result-2": "1-1", "action": "next"})
    assert answered["Location"] == f"/reports/{report.pk}/results/3/?pairing=berger"
    assert games(report)[1:] == [(2, 1, 2, "1-1")]
    form = form_with(client.get(f"{place}?pairing=berger").content.decode(), "based_on")
    assert [form[f"{side}-2"] for side in ("white", "black", "result")] == ["5", "3", ""]
    # Another pair without a result is refused as before, and round 1, which has another pair, is left alone.
    refused = client.post(f"{place}?pairing=berger", form | {"white-2": "4", "action": "next"})
    assert refused.status_code == 400
    page = client.get(f"/reports/{report.pk}/results/1/?pairing=berger")
    assert [row.entered["white"] for row in page.context["rows"]] == ["1", "", ""]
    # A number that no player has is named at its cell, and left to the check of the report.
    form |= {"white-2": "9", "result-2": "2-0", "based_on": "2", "action": "next"}
    assert client.post(place, form).status_code == 302
    assert "No player has this number." in client.get(place).content.decode().partition("white-2-message")[2]
