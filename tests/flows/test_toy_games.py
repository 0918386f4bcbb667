"""A federation rated by the game, tests/toy_games: each game of a player is a change of its own.

By hand, 10 × (W − We), We by the ratings of the list before (rules.py):

    list         games of League                            21             22
    2025-01-01   opening                                    1000           1200
    2025-07-01   21 beats 22 twice: We 0.3, +7 and +7       1014           1186
                 21 draws with Nova, 1000: We 0.5           + 0            Nova has no number: on no list
"""

import csv
import gzip
import hashlib
import io
import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core.management import call_command

from ratings.models import ExportFile, Pool, RatingList
from ratings.production.correct_list import correct_list
from ratings.publishing.open_data.export import make_export
from ratings.publishing.published_files import published_files
from reporting.log.audit import Actor
from reporting.log.invariants.registry import broken_invariants, invariants
from reporting.models import Player, Role
from reporting.refusals.domain_error import DomainError
from tests.databases import built_on
from tests.flows.test_toy_federation import file_rows
from tests.people import create_user
from tests.toy_games.installed import league_installed
from tests.visitor import Visitor, text_of

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own

LEAGUE = """round,date,white_id,white_name,black_id,black_name,result
1,2025-02-07,21,"Familya, Givena",22,"Familyb, Givenb",1-0
1,2025-02-07,22,"Familyb, Givenb",21,"Familya, Givena",0-1
1,2025-02-08,,Nova van Kometa,21,"Familya, Givena",1/2-1/2
"""
OPENING = "league_id,rating,games\n21,1000,30\n22,1200,9\n"
DETAILS = """
rating_system = "league"
name = "League"
place = "Utrecht"
country = "NED"
referee = "Piet Fluit"
system = "other"
played_from = 2025-02-07
played_to = 2025-02-09
"""


@pytest.fixture
def league(transactional_db, _database_of_its_own):
    with league_installed():
        yield Pool.objects.get(code="league")


@built_on("empty")
def league_opening():
    """The opening list, by command."""
    with league_installed(), TemporaryDirectory() as folder:
        register, rows = Path(folder, "register.csv"), Path(folder, "list.csv")
        register.write_text(
            "league_id,last_name,first_name,federation,sex,born,title\n"
            "21,Familya,Givena,NED,M,1990,\n22,Familyb,Givenb,NED,W,1991,\n"
        )
        rows.write_text(OPENING)
        call_command("import_register", str(register), "--register", "league")
        call_command("import_list", str(rows), "--pool", "league", "--in-force", "2025-01-01")


@built_on("league_opening")
def league_published():
    """The list of 1 July 2025 too."""
    with league_installed(), TemporaryDirectory() as folder:
        Path(folder, "league.csv").write_text(LEAGUE)
        Path(folder, "league.toml").write_text(DETAILS)
        call_command("import_reports", folder, "--accept")
        call_command("run_period", "league", "--in-force", "2025-07-01", "--closing", "2025-06-30")


@pytest.fixture(name="league_opening")
def _league_opening(league):
    """A copy of the database with the opening list."""


@pytest.fixture(name="league_published")
def _league_published(league):
    """A copy with the list that is returned."""
    return RatingList.objects.get(system="league", in_force="2025-07-01")


def figures(rating_list):
    return [
        (row.register_number, row.rating, row.change, row.period_games)
        for row in rating_list.rows.order_by("position")
    ]


def test_each_game_of_a_player_is_a_change_and_the_list_is_verified(league_published, capfdbinary):
    assert Player.objects.get(last_name="Nova van Kometa").numbers == {"office": 1}
    assert figures(league_published) == [(22, 1186, -14, 2), (21, 1014, 14, 3)]
    of_21 = league_published.changes.filter(player__numbers__league=21).order_by("sequence")
    assert [(one.game.round, one.opponent.numbers.get("league"), one.added) for one in of_21] == [
        (1, 22, 70_000_000_000), (1, 22, 70_000_000_000), (1, None, 0)
    ]  # fmt: skip
    capfdbinary.readouterr()
    call_command("verify_lists", "--pool", "league", "--recalculate")
    out = capfdbinary.readouterr().out.decode()
    assert "2 rows recalculated, 5 changes recalculated: no differences" in out
    assert "2 lists, all as they were published" in out
    assert list(broken_invariants(invariants())) == []


def test_files_have_a_line_a_game_with_register_numbers_and_all_decimals(league_published, capfdbinary):
    changes = file_rows(league_published, "changes.csv")
    assert changes[0] == {
        "league_id": "21", "tournament": "2025-league", "part": "1", "round": "1", "date": "2025-02-07",
        "colour": "w", "opponent_id": "22", "own": "1000", "own_list": "league/2025-01-01/r1",
        "opponent_rating": "1200", "we": "0.3000000000", "w": "1", "change": "7.0000000000",
    }  # fmt: skip
    assert [(row["league_id"], row["colour"], row["opponent_id"], row["change"]) for row in changes[1:]] == [
        ("21", "b", "22", "7.0000000000"), ("21", "b", "", "0.0000000000"),
        ("22", "b", "21", "-7.0000000000"), ("22", "w", "21", "-7.0000000000"),
    ]  # fmt: skip
    capfdbinary.readouterr()
    call_command("export_list", "league", "--changes", "--format", "json")
    exported = json.loads(capfdbinary.readouterr().out)["changes"]
    assert [{name: str(value or "") for name, value in row.items()} for row in exported] == changes
    # Figures of more than 32 bits and words are columns of rows too; 22 beats Nova later, the only game of a list.
    assert [(row["league_id"], row["sum"], row["marks"]) for row in file_rows(league_published, "list.csv")] == [
        ("22", "1186.0000000000", ""), ("21", "1014.0000000000", "")
    ]  # fmt: skip
    # Who counted is read from the changes; each game has its own ratings, so the tournament has none.
    assert [row["counted"] for row in file_rows(league_published, "games.csv")] == ["both", "both", "black"]
    assert [row["ratings_of"] for row in file_rows(league_published, "tournaments.csv")] == [""]
    assert make_export()
    (exported,) = ExportFile.objects.filter(name="league-changes.csv")
    rows = csv.DictReader(io.StringIO(gzip.decompress(bytes(exported.compressed)).decode()))
    assert [{name: row[name] for name in changes[0] if name != "we"} for row in rows] == [
        {name: value for name, value in row.items() if name != "we"} for row in changes
    ]


@pytest.mark.usefixtures("cleared_rate_limits", "league_published")
def test_pages_sum_the_games_of_a_tournament_and_unfold_each(client):
    visitor = Visitor()
    visitor.open("/tournaments/2025-league/changes/")
    first = visitor.texts(".//tbody/tr[1]/td")
    assert first[2:5] == ["2½", "3", "+14+14.0000"]
    visitor.open("/players/league-21/")
    (score,) = visitor.texts(".//section[@id='explanation']/details/summary/*[@class='explanation__score']")
    assert score == "+14.0000 2½ of 3 points, 3 games"
    games = visitor.texts(".//details[@class='explanation explanation--game']/summary")
    assert [game.split("round")[0].strip() for game in games] == [
        "white Familyb, Givenb", "black Familyb, Givenb", "black Nova van Kometa"
    ]  # fmt: skip
    assert "10 × (1 − 0.3000000000)" in visitor.text
    assert visitor.texts(".//details[@class='explanation explanation--game'][1]//dd") == [
        "1000", "league/2025-01-01/r1", "0.3000000000",
    ]  # fmt: skip
    assert "1000 +14.0000000000 = 1014.0000000000" in visitor.text
    # The list: what it starts from, before the games; the sum and the rating after them.
    results = visitor.texts(".//section[@id='explanation']/ol/li/*[@class='explanation__result']")
    assert results == ["1000", "+14.0000000000", "1014"]
    read = ".//details[@class='explanation explanation--game'][1]//li[1]//a[@href='/lists/league/2025-01-01/r1/']"
    assert visitor.texts(read) == ["list of 1 Jan 2025"]
    for address in ("/tournaments/2025-league/", "/players/league-21/tournaments/"):
        visitor.open(address)
        assert "+14" in visitor.text, address
    # Nor the league nor its report names tie-breaks: 21 has 2½ of 3 points, Nova ½ of 1, 22 none of 2.
    visitor.open("/tournaments/2025-league/")
    assert "Annex" not in visitor.text
    assert "equal points share a place" in visitor.text
    tabs = visitor.texts(".//nav[@aria-label='Pages of the tournament']/a")
    assert tabs == ["Standings", "Crosstable", "Rounds", "Rating changes"]
    visitor.open("/lists/league/2025-07-01/r1/")
    assert "fficial" not in visitor.text
    visitor.open("/tournaments/2025-league/crosstable/")
    visitor.open("/players/league-21/opponents/")
    visitor.open("/records/?pool=league")
    visitor.open("/requests/new/?about=change:league:2025-07-01:1:2025-league:21")
    assert "2.5 points in 3 games" in visitor.text
    # One object a game.
    explained = client.get("/api/v1/players/league-21/changes/league/2025-07-01/").json()
    changes = explained["changes"]
    assert [step["code"] for step in (*explained["steps"], explained["total"])] == [
        "start", "sum", "new_rating",
    ]  # fmt: skip
    assert changes[0]["steps"][0]["list"] == "league/2025-01-01/r1"
    assert [(one["figures"]["opponent_id"], one["figures"]["change"], len(one["games"])) for one in changes] == [
        (22, 7.0, 1), (22, 7.0, 1), (None, 0.0, 1)
    ]  # fmt: skip
    assert [one["figures"]["own_list"] for one in changes] == ["league/2025-01-01/r1"] * 3
    (second,) = client.get("/api/v1/lists/league/2025-07-01/r1/entries/?q=21").json()["results"]
    assert (second["sum"], second["marks"]) == (1014.0, None)
    assert [one["games"][0]["opponent_rating"] for one in changes] == [1200, 1200, 1000]
    (played,) = client.get("/api/v1/players/league-21/tournaments/").json()["results"]
    assert (played["points"], played["counted_games"], played["change"]) == (5, 3, 14.0)


def report(folder, name, day, lines, *, newcomer="", more_columns=""):
    """A table of games of one day, accepted by command."""
    folder.mkdir()
    (folder / f"{name}.csv").write_text(
        LEAGUE.partition("\n")[0] + more_columns + "\n" + "".join(f"{line}\n" for line in lines)
    )
    head = (
        DETAILS.partition("[")[0]
        .replace("League", name)
        .replace("2025-02-07", day)
        .replace("2025-02-09", day)
    )
    (folder / f"{name}.toml").write_text(head + newcomer)
    call_command("import_reports", str(folder), "--accept")


@pytest.fixture
def held(league_published, tmp_path):
    """The list of 1 April 2026: 22 beats Nova, d = 186, We 0.686, +3.14: 1189.14. 21 has not played for a year."""
    line = '1,2026-02-07,22,"Familyb, Givenb",,Nova,1-0'
    report(tmp_path / "again", "Again", "2026-02-07", [line], newcomer='[newcomers.2]\ncountry = "NED"\n')
    call_command("run_period", "league", "--in-force", "2026-04-01", "--closing", "2026-03-31")
    return RatingList.objects.get(system="league", in_force="2026-04-01")


@pytest.mark.usefixtures("cleared_rate_limits")
def test_no_public_answer_has_a_held_player_and_the_office_does(held, client, capfdbinary):
    page, api = "/lists/league/2026-04-01", "/api/v1/lists/league/2026-04-01/r1"
    answers = [
        *(f"{page}/r1/{part}/" for part in ("official", "full", "women", "tournaments", "statistics")), f"{page}/r1/",
        "/api/v1/players/?pool=league", "/changes.atom", "/lists/feed.atom", "/lists/league/",
        "/federations/NED/?pool=league", "/tournaments/2026-again/changes/",
        *(f"{page}/r1/files/{file.name}" for file in held.files.all()), f"{api}/", f"{api}/entries/", "/",
        "/players/league-22/", "/api/v1/players/league-22/changes/league/2026-04-01/",
    ]  # fmt: skip
    for address in answers:
        answer = client.get(address, follow=True)
        content = answer.getvalue() if answer.streaming else answer.content
        assert answer.status_code in {200, 404}, address
        assert b"Familya" not in content, address
    files = {file.name: bytes(file.content) for file in held.files.exclude(name__endswith="xlsx")}
    assert [
        name for name, content in files.items() if re.search(rb"(?<![0-9a-f])(21|1014)(?![0-9a-f])", content)
    ] == []
    for form in ("csv", "json", "txt"):
        capfdbinary.readouterr()
        call_command("export_list", "league", "--in-force", "2026-04-01", "--format", form)
        assert b"Familya" not in capfdbinary.readouterr().out
    player = client.get("/api/v1/players/league-21/").json()
    assert (player["ratings"], player["lists"]["league"]["in_force"]) == ({"league": 1014}, "2025-07-01")
    assert [one["in_force"] for one in client.get("/api/v1/players/league-21/history/").json()] == [
        "2025-01-01", "2025-07-01"
    ]  # fmt: skip
    content = files["figures.csv"].decode()
    assert content.splitlines()[0].endswith(",list,previous_sha256,held_sha256")
    assert hashlib.sha256(content.encode()).hexdigest() == held.sha256
    account = create_user("olga@example.org", "Olga", roles=[Role.RATING_OFFICER])
    officer = Visitor()
    officer.log_in(account.email, then=f"/office{page}/")
    assert officer.texts(".//section[@aria-labelledby='held']//tbody//th") == ["Familya, Givena"]
    assert officer.texts(".//section[@aria-labelledby='held']//tbody//td") == [
        "21", "1014", "33", "2025-02-08",
    ]  # fmt: skip


@pytest.mark.usefixtures("cleared_rate_limits", "league_published")
def test_a_correction_revises_all_later_lists_where_no_difference_is_carried():
    account = create_user("olga@example.org", "Olga", roles=[Role.RATING_OFFICER])
    officer = Visitor()
    officer.log_in(account.email, then="/office/lists/league/2025-07-01/correct/")
    radios = officer.page.findall(".//input[@name='later']")
    assert [(one.get("value"), one.get("checked") is not None) for one in radios] == [("revise", True)]
    with pytest.raises(DomainError, match="later lists: revise"):
        correct_list(
            rating_list=RatingList.objects.get(in_force="2025-07-01"), reason="x", later="carry", by=Actor(account),
            excluded_tournaments=["2025-league"],
        )  # fmt: skip


def test_a_later_number_changes_no_answer_about_a_list(league_published, client, tmp_path, capfdbinary):
    """Nova, opponent of 21 in the third game, gets number 40: files and API still have what the list read."""
    address = "/api/v1/players/league-21/changes/league/2025-07-01/"
    before = client.get(address).json()
    (tmp_path / "later.csv").write_text("league_id,office\n40,1\n")
    call_command("import_register", str(tmp_path / "later.csv"), "--register", "league")
    assert Player.objects.get(last_name="Nova van Kometa").numbers["league"] == 40
    made = {file.name: file.sha256 for file in published_files(league_published)}
    assert made == dict(league_published.files.values_list("name", "sha256"))
    figures_of_changes = [change["figures"] for change in client.get(address).json()["changes"]]
    assert figures_of_changes == [change["figures"] for change in before["changes"]]
    assert [one["opponent_id"] for one in figures_of_changes] == [22, 22, None]


@pytest.fixture
def waited(league_published, tmp_path):
    """The lists of 1 August and 1 September 2025. In July newcomer 31 loses to 22, and 32 plays for 21 and beats 22.

    By hand, August, by the ratings of July, 1014 and 1186. The game of 31 waits; 22 wins it: d = 186, We 0.686: +3.14.
    The game of the substitute counts for 21: d = -172, We 0.328: +6.72; 22 loses 6.72: 1186 - 3.58 = 1182, 1021.
    In August 31 beats 21: both games of 31 count, by the ratings of August. d = 1000 - 1182, We 0.318: -3.18;
    d = 1000 - 1021, We 0.479: +5.21: 1002. 21 loses at We 0.521: -5.21: 1016.
    """
    (tmp_path / "more.csv").write_text(
        "league_id,last_name,first_name,federation,sex,born,title\n"
        "31,Familyc,Givenc,NED,M,1992,\n32,Familyd,Givend,NED,M,1993,\n"
    )
    call_command("import_register", str(tmp_path / "more.csv"), "--register", "league")
    folder = tmp_path / "july"
    report(
        folder, "July", "2025-07-07",
        [
            '1,2025-07-07,31,"Familyc, Givenc",22,"Familyb, Givenb",0-1,,',
            '2,2025-07-07,22,"Familyb, Givenb",32,"Familyd, Givend",0-1,,21',
        ],
        more_columns=",white_for_id,black_for_id",
    )  # fmt: skip
    call_command("run_period", "league", "--in-force", "2025-08-01", "--closing", "2025-07-31")
    report(
        tmp_path / "august", "August", "2025-08-07",
        ['1,2025-08-07,31,"Familyc, Givenc",21,"Familya, Givena",1-0'],
    )  # fmt: skip
    call_command("run_period", "league", "--in-force", "2025-09-01", "--closing", "2025-08-31")
    return {
        one.in_force.month: one
        for one in RatingList.objects.filter(system="league", in_force__gt="2025-07-01")
    }


def test_a_game_that_waited_is_in_the_files_and_pages_of_the_list_that_counts_it(waited, client, capfdbinary):
    assert figures(waited[8]) == [(22, 1182, -4, 2), (21, 1021, 7, 1)]
    assert figures(waited[9]) == [(22, 1182, 0, 0), (21, 1016, -5, 1), (31, 1002, None, 2)]
    assert [(row["white_id"], row["black_id"], row["counted"]) for row in file_rows(waited[8], "games.csv")] == [
        ("31", "22", "black"), ("22", "32", "both")
    ]  # fmt: skip
    assert [
        (row["tournament"], row["white_id"], row["black_id"], row["counted"])
        for row in file_rows(waited[9], "games.csv")
    ] == [("2025-july", "31", "22", "white"), ("2025-august", "31", "21", "both")]
    capfdbinary.readouterr()
    call_command("verify_lists", "--pool", "league", "--recalculate")
    assert "4 lists, all as they were published" in capfdbinary.readouterr().out.decode()
    assert list(broken_invariants(invariants())) == []
    # The page of the report's tournament: 21, replaced in August; 31, counted in September.
    visitor = Visitor()
    visitor.open("/tournaments/2025-july/changes/")
    tables = [
        [
            (text_of(row.find("th")).split(",")[0], text_of(row.findall("td")[-2]))
            for row in table.findall(".//tbody/tr")
        ]
        for table in visitor.page.findall(".//table")
    ]
    assert tables == [
        [("Familyb", "−4−3.5800"), ("Familyd", "–"), ("Familyc", "–"), ("Familya", "+7+6.7200")],
        [("Familyc", "−3−3.1800")],
    ]
    assert "Familya, Givena NED, 1014 Replaced by a substitute" in visitor.text
    assert "Games that waited: in the list Toy league, 1 Sep 2025, revision 1" in visitor.text
    for about, sentence in (
        ("2025-09-01:1:2025-july:31", "0 points in 1 games"), ("2025-08-01:1:2025-july:21", "1 points in 1 games")
    ):  # fmt: skip
        visitor.open(f"/requests/new/?about=change:league:{about}")
        assert sentence in visitor.text
    visitor.open("/tournaments/2025-july/changes/")
    visitor.open("/tournaments/2025-july/rounds/")
    assert "for Familya, Givena" in visitor.text
    # Their tournaments: each game on the list that counts it.
    answers = {
        number: client.get(f"/api/v1/players/league-{number}/tournaments/").json()["results"]
        for number in (21, 31)
    }
    assert [(one["tournament"], one["list"]["in_force"], one["games"], one["change"]) for one in answers[31]] == [
        ("2025-august", "2025-09-01", 1, 5.21), ("2025-july", "2025-09-01", 1, -3.18)
    ]  # fmt: skip
    assert [(one["tournament"], one["games"], one["counted_games"], one["change"]) for one in answers[21]][1] == (
        "2025-july", 0, 1, 6.72
    )  # fmt: skip
    visitor.open("/players/league-21/tournaments/")
    assert "by a substitute" in visitor.text
    visitor.open("/players/league-21/?list=2025-08-01")
    assert "played by Familyd, Givend" in visitor.text
    visitor.open("/players/league-22/?list=2025-08-01")
    assert "the opponent played for Familya, Givena" in visitor.text
