"""A federation of its own folder, tests/toy_federation, from report to verified list: nothing else knows its rules.

By hand, 5 points for each half point over a draw, against a player of the list before:

    list         tournament                        21          22          23 (new)
    2025-01-01   opening                           1000        1200
    2025-07-01   Spring: 21 beats 22, 21 and 23    1000 + 5    1200 − 5    1000 + 0
                 draw, 22 beats 23                             + 0: 23 is not on the list before
"""

import csv
import io
from dataclasses import replace
from datetime import date, timedelta
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from ratings.federations import registry
from ratings.models import Pool, RatingList
from ratings.published.api.columns import EntrySerializer, by_system, own_columns
from ratings.tasks import look_for_work
from reporting.models import Game, Player, Report, ResultSet, Role, Tournament
from reporting.reports.reading.validate import match_report
from tests.databases import built_on
from tests.formats.report_files import read_submission
from tests.people import create_user
from tests.toy_federation.installed import toy_installed
from tests.toy_federation.rules import RULES
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own


@pytest.fixture
def toy(transactional_db, _database_of_its_own):
    with toy_installed():
        yield Pool.objects.get(code="toy")


REPORT = """<section Info>
name = {name}
played from = {first}
played to = {last}
type = OTHER
national championship = N
women championship = N
name of referee = Piet Fluit
place = Utrecht
country = NED
remarks = <remark></end remark>
winner =
</end info>
<section players>
{players}
</end players>
<section results>
{games}
</end results>
"""
DETAILS = """
rating_system = "toy"
announced = {announced}
received = {received}
"""


def write_report(folder, name, first, last, *, players, games, details=""):
    """A report in the form of Annex 9 art. 11, whose format any federation may use, with its details."""
    points = dict.fromkeys(range(1, len(players) + 1), 0)
    for line in games:
        _, white, black, result = line.split(",")
        points[int(white)] += int(result[0])
        points[int(black)] += int(result[2])
    lines = [
        f"{number},{place},,0,{points[place]},Given{word},Family{word},NED,{born},M"
        for place, (number, word, born) in enumerate(players, start=1)
    ]
    folder.mkdir(exist_ok=True)
    report = folder / f"{name.lower()}.txt"
    report.write_text(
        REPORT.format(
            name=name, first=f"{first:%d/%m/%Y}", last=f"{last:%d/%m/%Y}", players="\n".join(lines),
            games="\n".join(games),
        )
    )  # fmt: skip
    report.with_suffix(".toml").write_text(
        DETAILS.format(
            announced=date.fromordinal(first.toordinal() - 30),
            received=date.fromordinal(last.toordinal() + 1),
        )
        + details
    )
    return report


def exported(capfdbinary, *arguments):
    capfdbinary.readouterr()
    call_command("export_list", "toy", *arguments)
    return list(csv.DictReader(io.StringIO(capfdbinary.readouterr().out.decode())))


def import_opening():
    """The opening list, by command."""
    with TemporaryDirectory() as folder:
        register, rows = Path(folder, "register.csv"), Path(folder, "list.csv")
        register.write_text(
            "toy_id,last_name,first_name,federation,sex,born,title\n"
            "21,Familya,Givena,NED,M,1990,\n22,Familyb,Givenb,NED,W,1991,\n"
        )
        rows.write_text("toy_id,rating,games\n21,1000,30\n22,1200,9\n")
        call_command("import_register", str(register), "--register", "toy")
        call_command("import_list", str(rows), "--pool", "toy", "--in-force", "2025-01-01")


def publish_july():
    """The list of 1 July 2025, by command."""
    with TemporaryDirectory() as folder:
        write_report(
            Path(folder), "Spring", date(2025, 2, 7), date(2025, 2, 9),
            players=[(21, "a", ""), (22, "b", ""), (0, "c", "01/02/2001")],
            games=["1,1,2,2-0", "2,3,1,1-1", "3,2,3,2-0"],
        )  # fmt: skip
        call_command("import_reports", folder, "--accept")
        call_command("run_period", "toy", "--in-force", "2025-07-01")


@built_on("empty")
def toy_opening():
    """The opening list of the toy federation."""
    with toy_installed():
        import_opening()


@built_on("toy_opening")
def toy_published():
    """With the list of July too."""
    with toy_installed():
        publish_july()


@pytest.fixture(name="toy_opening")
def _toy_opening(toy):
    """A copy of the database with the opening list."""


@pytest.fixture(name="toy_published")
def _toy_published(toy):
    """A copy with the list of July, which is returned."""
    return RatingList.objects.get(system="toy", in_force="2025-07-01")


def file_rows(rating_list, name):
    """The rows of a published file."""
    content = rating_list.files.get(name=name).content
    return list(csv.DictReader(io.StringIO(bytes(content).decode())))


def figures(rating_list):
    return [
        (row.register_number, row.rating, row.change, row.games, row.wins)
        for row in rating_list.rows.order_by("position")
    ]


def ratings(in_force):
    """Number, rating and change on the newest revision of a list, the highest rating first."""
    newest = RatingList.objects.filter(system="toy", in_force=in_force, state="published").latest("revision")
    return [row[:3] for row in figures(newest)]


def test_a_toy_report_becomes_a_published_and_verified_list_by_command(toy_published, capfdbinary):
    newcomer = Player.objects.get(last_name="Familyc").numbers["toy"]
    assert figures(toy_published) == [
        (22, 1195, -5, 10, 0), (21, 1005, 5, 31, 1), (newcomer, 995, None, 2, 0),
    ]  # fmt: skip
    # Each change: before, games, half points over a draw, after.
    changes = toy_published.changes.order_by("player__last_name")
    assert [(change.before_e4, change.games, change.halves_over, change.after_e4) for change in changes] == [
        (10_000_000, 1, 1, 10_050_000), (12_000_000, 1, -1, 11_950_000), (None, 2, -1, 9_950_000)
    ]  # fmt: skip
    rows = exported(capfdbinary)
    assert [(row["toy_id"], row["rating"], row["wins"]) for row in rows] == [
        ("22", "1195", "0"), ("21", "1005", "1"), (str(newcomer), "995", "0")
    ]  # fmt: skip
    rows = exported(capfdbinary, "--changes")
    # A win is a point, a draw half a point; 22's win against a player who was not on the list does not count.
    assert [(row["points"], row["halves_over"]) for row in rows] == [("1", "1"), ("0", "-1"), ("0.5", "-1")]
    assert [row["result"] for row in file_rows(toy_published, "games.csv")] == ["1-0", "0.5-0.5", "1-0"]
    (tournament,) = file_rows(toy_published, "tournaments.csv")
    assert (tournament["time_control"], tournament["minutes_for_60_moves"]) == ("", "")
    (stored,) = ResultSet.objects.all()
    assert (stored.rating_system, stored.discipline, stored.seconds_for_60_moves) == ("toy", "", None)
    assert stored.points == "1-0.5-0"
    capfdbinary.readouterr()
    call_command("verify_lists", "--pool", "toy", "--recalculate")
    out = capfdbinary.readouterr().out.decode()
    assert "toy/2025-07-01" in out
    assert "3 rows recalculated, 3 changes recalculated: no differences" in out
    # In time by its own edition: 14 days after the last round.
    assert Report.objects.get().due == date(2025, 2, 23)
    # It changes nothing of the other systems: their tables have no row of it.
    assert [found.system for found in RatingList.objects.all()] == ["toy", "toy"]


BY_POST = """Info;
Name;By Post
Played from;2024-01-10
Played to;2025-06-20
Type;OTHER
Name of referee;Piet Fluit
Place;Utrecht
Country;NED

Players;;;;;
No.;FMJD-ID;Last name;First name;Country;Points
1;21;Familya;Givena;NED;3
2;22;Familyb;Givenb;NED;1

Results;;;;;
Round;White;Black;Result;Started;Finished
1;1;2;2-0;2024-01-10;2024-05-01
2;2;1;1-1;;2025-06-20
"""


def test_a_game_counts_by_the_day_of_its_result(toy_opening, tmp_path):
    """On 30 June 2025 the win of May 2024 is more than a year old: only the draw counts, 1000 + 0 and 1200 + 0."""
    reports = tmp_path / "reports"
    reports.mkdir()
    (reports / "post.csv").write_text(BY_POST)
    (reports / "post.toml").write_text(DETAILS.format(announced="2023-12-01", received="2025-06-21"))
    call_command("import_reports", str(reports), "--accept")
    assert list(Game.objects.order_by("pk").values_list("started_on", "finished_on")) == [
        (date(2024, 1, 10), date(2024, 5, 1)), (None, date(2025, 6, 20))
    ]  # fmt: skip
    call_command("run_period", "toy", "--in-force", "2025-07-01")
    rating_list = RatingList.objects.get(system="toy", in_force="2025-07-01")
    assert figures(rating_list) == [(22, 1200, 0, 10, 0), (21, 1000, 0, 31, 0)]
    changes = rating_list.changes.order_by("player__last_name")
    assert [(one.games, one.points, one.first_game, one.last_game) for one in changes] == [
        (1, 1, date(2025, 6, 20), date(2025, 6, 20))
    ] * 2
    assert [(row["date"], row["result"]) for row in file_rows(rating_list, "games.csv")] == [
        ("2024-05-01", "1-0"), ("2025-06-20", "0.5-0.5")
    ]  # fmt: skip


def logged_in(name, role):
    account = create_user(f"{name.lower()}@example.org", name, roles=[role])
    page = Visitor()
    page.log_in(account.email, then="/")
    return page


def assert_of_no_other_federation(visitor):
    assert "Annex" not in visitor.text, visitor.address
    assert "FMJD" not in visitor.text, visitor.address
    assert [link.attrib["href"] for link in visitor.links() if "/method/fmjd/#" in link.attrib["href"]] == []


def submit(page, report, *articles, wins=2):
    """Upload a report, say on its pages what it lacks, look at the preview and submit it.

    Its findings cite these articles, and none of another federation; the rest is what a check of its own says.
    """
    page.open("/reports/new/")
    page.attach("Report file", report.name, report.read_bytes())
    page.press("Upload report")
    page.open_link("Details", nth=0)
    page.choose("Rating system", "toy")
    page.press("Save details")
    page.open_link("Preview", nth=0)
    assert "Toy board" in page.text
    # One player wins each game: 2 games are 2 points, which the file writes as 4.
    assert page.texts(".//*[@class='crosstable__points crosstable__points--2']") == ["1"] * wins
    assert page.texts(".//td[@class='table__num table__strong']") == [str(wins), "0"] * 2
    page.open(reverse("report-results-entry-round", args=[Report.objects.latest("pk").pk, 1]))
    assert page.texts(".//*[@id='result-1']/option")[1:4] == ["1-0", "½-½", "0-1"]
    assert page.value(page.by_id("result-1")) == "2-0"
    page.open_link("Submission", nth=0)
    assert [article for article in articles if article not in page.text] == []
    assert "Annex" not in page.text.replace("Annex 9 art. 11, UTF-8", "the name of the format")
    for box in page.textboxes():
        page.fill(box, "As it was.")
    page.press("Submit report")
    assert "Report submitted" in page.text


@pytest.mark.usefixtures("toy", "cleared_rate_limits")
def test_a_tournament_without_board_and_clock_is_announced():
    page = logged_in("Rina", Role.REFEREE)
    page.open("/reports/announce/")
    first = timezone.localdate() + timedelta(days=10)
    page.fill("Name", "By Post", exact=True)
    page.fill("Country", "NED", exact=True)
    page.fill("First round", first.isoformat())
    page.fill("Last round", (first + timedelta(days=90)).isoformat())
    # Without a system the board and the clock are missing.
    page.press("Announce tournament", status=400)
    assert page.text.count("is missing") == 4  # two fields, each at its field and in the summary
    page.choose("Rating system", "toy")
    page.press("Announce tournament", status=400)  # more than 31 days: asked, not refused
    page.check("The day is right")
    page.press("Announce tournament")
    # In time by its own edition: 7 days before the first round.
    assert "is announced in time, 10 days before its first round" in page.text
    (stored,) = Tournament.objects.announced().all()
    assert (stored.rating_system, stored.discipline, stored.time_control) == ("toy", "", "")


def accept(page, name):
    page.open("/office/reports/")
    page.open_link(name)
    page.fill("Reason for admission", "Late, and right.")
    page.press("Accept report")
    assert "Report accepted" in page.text


def answer_anomalies(page, address, *titles):
    """Answer each anomaly of a draft, with its title, on its page."""
    page.open(address)
    assert [title for title in titles if title not in page.text] == []
    for _ in page.fields("Answer"):  # those without an answer are first
        page.fill("Answer", "Seen, and right.", nth=0)
        page.press("Save answer", nth=0)
        page.open(address)


def exclude(officer, releaser, name):
    """A correction of the list of July 2025 without a tournament, signed by two people."""
    address = "/office/lists/toy/2025-07-01/"
    officer.open(address)
    officer.open_link("Correct this list")
    officer.fill("Reason for the correction", "It was not played.")
    officer.check(name)
    officer.press("Calculate revision 2")
    assert look_for_work() == 1
    # A sentence of its own system, with its ruling.
    answer_anomalies(
        officer, address, "Givenb Familyb has 1200", "Ratings over 1190 are looked at (T1).", "High rating"
    )
    assert_of_no_other_federation(officer)
    officer.open_link("Approve list")
    officer.press("Approve list")
    releaser.open(address)
    releaser.open_link("Publish list")
    releaser.press("Publish list")


def read_pages():
    """Every public page of the list answers, with the words of its own federation."""
    visitor = Visitor()
    visitor.open("/")
    visitor.open_link("How a rating is calculated: Toy federation")
    visitor.open("/lists/")
    assert {"FMJD", "Toy federation"} <= set(visitor.texts(".//h2"))  # the pools of each
    list_page = "/lists/toy/2025-07-01"
    for address in (
        "/lists/toy/", f"{list_page}/r1/full/", f"{list_page}/r2/differences/",
        f"{list_page}/r1/tournaments/", f"{list_page}/r1/women/",
        "/federations/", "/federations/NED/", "/tournaments/", "/players/", "/method/toy/",
    ):  # fmt: skip
        visitor.open(address)
        assert_of_no_other_federation(visitor)
    visitor.open("/tournaments/")
    visitor.open_link("Spring")
    assert_of_no_other_federation(visitor)
    # 21 has won and drawn, 22 lost and won, 23 drawn and lost; then what the changes count of it.
    for link in ("", "Crosstable"):
        if link:
            visitor.open_link(link)
            assert visitor.texts(".//*[@class='crosstable__points crosstable__points--1']") == ["½", "½"]
        totals = visitor.texts(".//td[@class='table__num table__strong']")
        assert [text for text in totals if text in {"1½", "1", "½"}] == ["1½", "1", "½"]
    visitor.open_link("Rating changes")
    assert_of_no_other_federation(visitor)
    assert "Half points over a draw" in visitor.text
    visitor.open("/players/toy-21/?list=2026-01-01")
    assert_of_no_other_federation(visitor)
    assert "1005 + 5 × 2" in visitor.text
    assert "2 of 2 points, 2 games" in visitor.text
    assert {link.attrib["href"] for link in visitor.links("T1")} == {"/method/toy/#T1"}
    # It shows readers rulings and parameters only.
    for page in ("calculator", "tables"):
        visitor.open(f"/method/toy/{page}/", status=HTTPStatus.NOT_FOUND)


@pytest.mark.usefixtures("cleared_rate_limits", "toy_published")
def test_the_api_has_the_columns_of_each_system_with_their_types(client):
    """By hand: of 21's games one counts, won. Draws are declared since 2026, so that this list has none."""
    entries = client.get("/api/v1/lists/toy/2025-07-01/r1/entries/").json()["results"]
    described = by_system(EntrySerializer, own_columns).serializers
    assert [one.__name__ for one in described] == [
        "FmjdEntrySerializer", "KnsbEntrySerializer", "IccfEntrySerializer", "ToyEntrySerializer",
    ]  # fmt: skip
    own = {row["toy_id"]: row for row in entries}
    assert {*own[21]} == {*described[-1]().fields}
    assert [own[21][name] for name in ("rating", "change", "wins", "draws")] == [1005, 5, 1, None]
    address = own[21]["player"]
    (change,) = client.get(f"/api/v1/players/{address}/changes/toy/2025-07-01/").json()["changes"]
    assert change["figures"] == {"games": 1, "points": 1.0, "halves_over": 1, "after": 1005.0}
    compared = client.get("/api/v1/lists/toy/compare/?a=2025-01-01-r1&b=2025-07-01-r1").json()
    assert [(row["toy_id"], row["rating_before"], row["rating_after"]) for row in compared["results"]] == [
        (21, 1000, 1005)
    ]


@pytest.mark.usefixtures("cleared_rate_limits")
def test_a_toy_list_goes_from_report_to_correction_by_its_pages(toy_published, tmp_path, capfdbinary):
    """In autumn 21 beats 22 twice: 1005 + 10 and 1195 − 10. The correction of July leaves Spring out: 1000 and 1200.

    Its difference is carried into the list of July 2026, without tournaments: 1015 − 5, 1185 + 5, and 23 is on no list.
    """
    officer = logged_in("Olga", Role.RATING_OFFICER)
    report = write_report(
        tmp_path, "Autumn", date(2025, 10, 3), date(2025, 10, 5), players=[(21, "a", ""), (22, "b", "")],
        games=["1,1,2,2-0", "2,2,1,0-2"],
    )  # fmt: skip
    submit(
        logged_in("Rina", Role.REFEREE), report, "Toy rules art. 3", "Toy rules art. 5",
        "The player won all 2 games.",
    )  # fmt: skip
    accept(officer, "Autumn")
    call_command("run_period", "toy", "--in-force", "2026-01-01")
    newcomer = Player.objects.get(last_name="Familyc").numbers["toy"]
    assert ratings(date(2026, 1, 1)) == [(22, 1185, -10), (21, 1015, 10), (newcomer, 995, 0)]

    exclude(officer, logged_in("Rolf", Role.RELEASING_OFFICER), "Spring")
    assert ratings(date(2025, 7, 1)) == [(22, 1200, 0), (21, 1000, 0)]
    call_command("run_period", "toy", "--in-force", "2026-07-01")
    assert ratings(date(2026, 7, 1)) == [(22, 1190, 5), (21, 1010, -5)]
    read_pages()
    capfdbinary.readouterr()
    call_command("verify_lists", "--pool", "toy", "--recalculate")
    assert "5 lists, all as they were published" in capfdbinary.readouterr().out.decode()


@pytest.mark.usefixtures("cleared_rate_limits")
def test_the_office_compares_a_draft_by_the_columns_of_its_system(toy_published, tmp_path):
    """In autumn 21 beats 22 twice: 2 wins after 1 in spring. 22 has none in both, and so has the newcomer."""
    write_report(
        tmp_path / "later", "Autumn", date(2025, 10, 3), date(2025, 10, 5), players=[(21, "a", ""), (22, "b", "")],
        games=["1,1,2,2-0", "2,2,1,0-2"],
    )  # fmt: skip
    call_command("import_reports", str(tmp_path / "later"), "--accept")
    call_command("run_period", "toy", "--in-force", "2026-01-01", "--draft")
    look_for_work()
    page = logged_in("Olga", Role.RATING_OFFICER)
    page.open("/office/lists/toy/2026-01-01/")
    assert "1 to 2 wins" in page.text
    assert "Category" not in page.text
    page.open_link("All differences by player", nth=0)
    page.open_link("Other wins")
    assert "Givena Familya" in page.text.replace("Familya, Givena", "Givena Familya")
    assert "Familyb" not in page.text
    assert page.texts(".//table//th[@scope='col']")[-1] == "Wins"
    assert page.texts(".//table//tbody//td")[-1] == "1 to 2"
    page.open("/office/lists/toy/2026-01-01/differences/?against=last&show=category", status=404)
    council = logged_in("Carla", Role.TITLE_COUNCIL)
    council.open("/titles/norms/toy/2026-01-01/claim/", status=404)


def test_an_edition_whose_day_lies_before_a_published_list_is_a_difference(toy_published, capfdbinary):
    """It would change nothing that is published, and be in force for revisions and replays: verification says so."""
    early = replace(RULES, id="toy-2025", in_force_from=date(2025, 7, 1), points_per_half=10)
    system = registry.rating_system("toy")
    vars(system).update(editions=(RULES, early))
    capfdbinary.readouterr()
    with pytest.raises(CommandError, match=r"1 differences? in 2 lists"):
        call_command("verify_lists", "--pool", "toy")
    (difference,) = capfdbinary.readouterr().err.decode().splitlines()
    assert "edition: found toy-2024, expected toy-2025" in difference


LEAGUE = """round,date,white_id,white_name,black_id,black_name,result
1,2025-02-07,21,"Familya, Givena",22,"Familyb, Givenb",1-0
1,2025-02-07,22,"Familyb, Givenb",21,"Familya, Givena",0-1
1,2025-02-08,,Nova van Kometa,21,"Familya, Givena",1/2-1/2
"""
IN_DETAILS = """
name = "League"
place = "Utrecht"
country = "NED"
referee = "Piet Fluit"
system = "other"
played_from = 2025-02-07
played_to = 2025-02-09
[newcomers.3]
country = "NED"
"""


def test_several_games_of_a_round_are_rated_and_a_new_name_stays_as_printed(toy_opening, tmp_path):
    """21 beats 22 twice, 1000 + 5 + 5 and 1200 - 5 - 5, by two games each; the draw counts for the new player alone.

    The toy federation has no rounds, and its register asks no birth, no sex and no surname of a new player.
    """
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "league.csv").write_text(LEAGUE)
    details = DETAILS.format(announced="2025-01-01", received="2025-02-10") + IN_DETAILS
    (tmp_path / "reports" / "league.toml").write_text(details)
    call_command("import_reports", str(tmp_path / "reports"), "--accept")
    assert list(Game.objects.order_by("pk").values_list("round", "number", "started_on__day")) == [
        (1, 1, 7), (1, 2, 7), (1, 3, 8)
    ]  # fmt: skip
    new = Player.objects.get(last_name="Nova van Kometa")
    assert (new.first_name, new.sex, new.birth_year, new.sort_name) == ("", "", None, "nova van kometa, ")
    call_command("run_period", "toy", "--in-force", "2025-07-01")
    rating_list = RatingList.objects.get(system="toy", in_force="2025-07-01")
    assert figures(rating_list) == [
        (22, 1190, -10, 11, 0), (21, 1010, 10, 32, 2), (new.numbers["toy"], 1000, None, 1, 0)
    ]  # fmt: skip


def test_a_player_whom_a_substitute_replaces_is_a_stored_registered_number(toy_opening, tmp_path):
    reports = tmp_path / "reports"
    reports.mkdir()
    league = (
        LEAGUE.replace("result\n", "result,black_for_id\n")
        .replace("1-0\n", "1-0,{}\n")
        .replace("/2\n", "/2,\n")
    )
    details = DETAILS.format(announced="2025-01-01", received="2025-02-10") + IN_DETAILS
    (reports / "league.toml").write_text(details)
    (reports / "league.csv").write_text(league.format("23"))
    submission = read_submission(
        content=(reports / "league.csv").read_bytes(), sidecar=details.encode(), today=date(2025, 2, 10)
    )
    (unknown,) = [found for found in match_report(submission).findings if found.code == "fmjd-id-unknown"]
    assert (unknown.place, unknown.field, unknown.found) == ("line 2, column 8", "H2", "23")
    assert (
        unknown.message == "Numbers 1 (Familya, Givena), 2 (Familyb, Givenb): No player has this Toy number."
    )
    (reports / "league.csv").write_text(league.format("22"))
    call_command("import_reports", str(reports), "--accept")
    assert list(Game.objects.order_by("pk").values_list("white_for", "black_for")) == [
        (None, 22), (None, None), (None, None)
    ]  # fmt: skip
