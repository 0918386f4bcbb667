"""Sessions: several games a round, each in the pool of its own tempo (R25), from the file to both published lists.

Three rounds, each of a classical game 80+30 (110 minutes: 60 %), a rapid game 15+5 (20 minutes: 50 %) and a blitz game
5+3 (8 minutes: 100 %; R6). The file has a round for each game: its rounds 1, 4 and 7 are classical, 2, 5 and 8 rapid,
3, 6 and 9 blitz.

Player 11 (2000 on both lists, 100 games: K 15) meets 12 (2100 classical, 1900 rapid-blitz) in every game.

Classical: 11 wins one game and draws two: W = 4 of 3 games. Pe(2000 - 2100) = 100 - Pe(100);
Pe(100) = 63 + (100 - 94.80) / (102.40 - 94.80) = 63.6842, so Pe = 36.3158; We = 36.3158 × 2 × 3 / 100 = 2.178948, which
is 2.1789. ΔR = 15 / 2 × 0.60 × (4 - 2.1789) = 8.19495, half away from zero 8.1950 (R3). 2000 + 8.1950 → 2008;
player 12: Pe 63.6842, We 3.8211, W = 2: ΔR = 4.5 × (2 - 3.8211) = -8.19495 → -8.1950; 2100 - 8.1950 → 2092.

Rapid: 11 loses twice, wins once: W = 2. Against 1900: Pe 63.6842, We 3.8211; ΔR = 7.5 × 0.50 × (2 - 3.8211) =
-6.829125 → -6.8291. Blitz: 11 wins all: W = 6: ΔR = 7.5 × 1.00 × (6 - 3.8211) = 16.34175 → 16.3418.
2000 - 6.8291 + 16.3418 = 2009.5127 → 2010. Player 12: We 2.1789; rapid W = 4: 3.75 × 1.8211 = 6.829125 → 6.8291; blitz
W = 0: 7.5 × -2.1789 = -16.34175 → -16.3418; 1900 + 6.8291 - 16.3418 = 1890.4873 → 1890.
"""

import csv
import io
import re
from datetime import date

import pytest

from ratings.federations.fmjd.recompute import recompute
from ratings.models import Pool, RatingList
from ratings.production.periods.freeze_period import ensure_period
from ratings.publishing.verification.verify_lists import verify_list, verify_lists
from ratings.queries.counted_results import reports_to_count
from ratings.queries.counting import CountingState, list_of_report
from ratings.queries.periods import due_period
from reporting.formats.trf.trf16 import read_trf16
from reporting.models import Game, ResultSet
from tests.databases import built_on
from tests.services.conftest import small_office
from tests.services.correction_helpers import again, correct, published_files_by_list, ratings

pytestmark = pytest.mark.django_db(transaction=True)

SESSION = '["80+30", "15+5", "5+3"]'
GAMES = [
    "1 1 2 2-0", "2 2 1 2-0", "3 1 2 2-0",
    "4 2 1 1-1", "5 1 2 0-2", "6 2 1 0-2",
    "7 1 2 1-1", "8 2 1 0-2", "9 1 2 2-0",
]  # fmt: skip
CHANGED = ("games.csv", "changes.csv")
CLASSICAL, RAPID, BLITZ = 110 * 60, 20 * 60, 8 * 60


def text_of(response):
    """The words of a page, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", "", response.content.decode()).split())


@built_on("empty")
def two_pools():
    """Opening lists of the classical and the rapid-blitz pool."""
    office = small_office()
    office.opening("fmjd_id rating games\n11 2000 100\n12 2100 100")
    office.opening("fmjd_id rating games\n11 2000 100\n12 1900 100", pool="fmjd-100-rapidblitz")


@built_on("two_pools")
def three_in_one():
    """With the report of the three rounds, accepted, and the lists that count it."""
    office = small_office()
    office.accept("Three in one", [11, 12], GAMES, time_control=None, session=SESSION)
    office.run()
    office.run(pool="fmjd-100-rapidblitz")


@pytest.fixture(name="two_pools")
def _two_pools(transactional_db, _database_of_its_own):
    """A copy of the database with both opening lists."""


@pytest.fixture(name="three_in_one")
def _three_in_one(transactional_db, _database_of_its_own):
    """A copy with the report: both lists that count it."""
    newest = RatingList.objects.filter(is_opening=False)
    return newest.get(pool__code="fmjd-100"), newest.get(pool__code="fmjd-100-rapidblitz")


def test_the_games_of_a_round_are_stored_with_number_and_clock(office, two_pools):
    office.accept("Three in one", [11, 12], GAMES, time_control=None, session=SESSION)
    tournament = ResultSet.objects.get()
    assert tournament.session == ["80+30", "15+5", "5+3"]
    assert tournament.seconds_of_games == (CLASSICAL, RAPID, BLITZ)
    stored = Game.objects.order_by("round", "number").values_list(
        "round", "number", "time_control", "seconds_for_60_moves", "white_points"
    )
    assert list(stored) == [
        (1, 1, "80+30", CLASSICAL, 2), (1, 2, "15+5", RAPID, 2), (1, 3, "5+3", BLITZ, 2),
        (2, 1, "80+30", CLASSICAL, 1), (2, 2, "15+5", RAPID, 0), (2, 3, "5+3", BLITZ, 0),
        (3, 1, "80+30", CLASSICAL, 1), (3, 2, "15+5", RAPID, 0), (3, 3, "5+3", BLITZ, 2),
    ]  # fmt: skip
    assert sorted(tournament.rounds.values_list("number", flat=True)) == [1, 2, 3]


def test_each_game_counts_in_the_pool_of_its_tempo(office, three_in_one):
    classical, rapid_blitz = three_in_one

    def figures(rating_list, fmjd_id):
        return [
            (change.clock, change.games, change.points, change.k, change.development, change.delta_e4)
            for change in office.changes(rating_list, fmjd_id)
        ]

    assert figures(classical, 11) == [(CLASSICAL, 3, 4, 15, 60, 81_950)]
    assert figures(classical, 12) == [(CLASSICAL, 3, 2, 15, 60, -81_950)]
    assert figures(rapid_blitz, 11) == [
        (RAPID, 3, 2, 15, 50, -68_291), (BLITZ, 3, 6, 15, 100, 163_418),
    ]  # fmt: skip
    assert figures(rapid_blitz, 12) == [
        (RAPID, 3, 4, 15, 50, 68_291), (BLITZ, 3, 0, 15, 100, -163_418),
    ]  # fmt: skip
    for rating_list, number, expected in (
        (classical, 11, (2008, 8, 3, 103)),
        (classical, 12, (2092, -8, 3, 103)),
        (rapid_blitz, 11, (2010, 10, 6, 106)),
        (rapid_blitz, 12, (1890, -10, 6, 106)),
    ):
        row = office.row(rating_list, number)
        assert (row.rating, row.change, row.period_games, row.games) == expected
    assert [(one.tournaments, one.games) for one in (classical, rapid_blitz)] == [(1, 3), (1, 6)]
    assert Pool.objects.count() == 8


def test_the_files_of_both_lists_say_which_games_they_count(office, three_in_one):
    classical, rapid_blitz = three_in_one

    def table(rating_list, name, *columns):
        content = bytes(rating_list.files.get(name=name).content).decode()
        return [tuple(row[column] for column in columns) for row in csv.DictReader(io.StringIO(content))]

    clock = ("time_control", "minutes_for_60_moves", "development", "pool")
    assert table(classical, "tournaments.csv", *clock) == [("80+30", "110", "60", "fmjd-100")]
    assert table(rapid_blitz, "tournaments.csv", *clock) == [
        ("15+5", "20", "50", "fmjd-100-rapidblitz"), ("5+3", "8", "100", "fmjd-100-rapidblitz"),
    ]  # fmt: skip
    game = ("round", "game", "minutes_for_60_moves", "white_id", "result")
    assert table(classical, "games.csv", *game) == [
        ("1", "1", "110", "11", "2-0"), ("2", "1", "110", "12", "1-1"), ("3", "1", "110", "11", "1-1"),
    ]  # fmt: skip
    assert table(rapid_blitz, "games.csv", *game) == [
        ("1", "2", "20", "12", "2-0"), ("1", "3", "8", "11", "2-0"),
        ("2", "2", "20", "11", "0-2"), ("2", "3", "8", "12", "0-2"),
        ("3", "2", "20", "12", "0-2"), ("3", "3", "8", "11", "2-0"),
    ]  # fmt: skip
    change = ("fmjd_id", "minutes_for_60_moves", "development", "delta", "after")
    assert table(rapid_blitz, "changes.csv", *change) == [
        ("11", "20", "50", "-6.8291", "1993.1709"), ("11", "8", "100", "16.3418", "2009.5127"),
        ("12", "20", "50", "6.8291", "1906.8291"), ("12", "8", "100", "-16.3418", "1890.4873"),
    ]  # fmt: skip
    assert recompute(published_files_by_list()).different == []
    for rating_list in (classical, rapid_blitz):
        assert list(verify_list(rating_list, recalculate=True).differences) == []


def test_a_list_without_a_session_has_files_as_before(office, two_pools):
    office.accept("One game a round", [11, 12], ["1 1 2 2-0"])
    published = office.run()
    header = {name: bytes(published.files.get(name=name).content).decode().split("\n")[0] for name in CHANGED}
    assert header == {
        "games.csv": "tournament,round,date,white_id,black_id,result,counted",
        "changes.csv": "fmjd_id,tournament,method,own,average,games,points,pe,we,k,development,delta,performance,after",
    }
    assert [change.clock for change in office.changes(published, 11)] == [None]


def test_the_pages_name_the_games_that_each_list_counts(office, two_pools, client):
    """The points of the rounds are for the standings alone: ratings count each game as 2-1-0 (R54)."""
    office.accept(
        "Three in one", [11, 12], GAMES, time_control=None, session=SESSION,
        round_scores='["12-0", "9-3", "8-4"]', plus_draws='["2.1: 2-1"]',
    )  # fmt: skip
    office.run()
    office.run(pool="fmjd-100-rapidblitz")
    code = ResultSet.objects.get().code
    page = text_of(client.get(f"/tournaments/{code}/changes/"))
    for sentence in (
        "100 squares, classical: 80 min + 30 s. 80 min + 60 moves × 30 s = 110 min for 60 moves.",
        "100 squares, rapid-blitz: 15 min + 5 s. 15 min + 60 moves × 5 s = 20 min for 60 moves.",
        "100 squares, rapid-blitz: 5 min + 3 s. 5 min + 60 moves × 3 s = 8 min for 60 moves.",
        "3 games counted in the list of 1 Apr 2026",
        "Rating changes in 100 squares, classical: games with 80 min + 30 s",
        "Rating changes in 100 squares, rapid-blitz: games with 15 min + 5 s",
        "Rating changes in 100 squares, rapid-blitz: games with 5 min + 3 s",
    ):
        assert sentence in page, sentence
    # Points, games counted, mean of the opponents, performance, change: those of the games of each table alone; each
    # figure rounded and exact.
    for figures in (
        "4 3 21002100.0000 22232223.0800 +8+8.1950",  # 2100 + D(4/6), D(66.6667) = 123.08
        "2 3 19001900.0000 17771776.9200 −7−6.8291",
        "6 3 19001900.0000 28352835.0000 +16+16.3418",
    ):
        assert f"NED 2000 {figures}" in page, figures
    tournaments = text_of(client.get("/tournaments/"))
    assert tournaments.count("Three in one") == 2
    assert "100 squares, classical, 1 Apr 2026" in tournaments
    assert "100 squares, rapid-blitz, 1 Apr 2026" in tournaments
    player = text_of(client.get("/players/11/?pool=fmjd-100-rapidblitz"))
    clocks, points = ("15 min + 5 s", "5 min + 3 s"), ("2 of 6 points, 3 games", "6 of 6 points, 3 games")
    for sentence in (*clocks, *points, "2.3"):
        assert sentence in player, sentence
    assert "80 min" not in player
    # Number 1 won the classical game of round 1 (12-0) and the rapid game of round 3 (9-3), number 2 that of round 2.
    standings = client.get(f"/tournaments/{code}/", {"tie_break_1": "wins"})
    assert "Points of a round by the game that decided it: 12-0, 9-3, 8-4." in text_of(standings)
    assert [(one.number, one.points, one.values) for one, _, _ in standings.context["players"]] == [
        (1, "24", ["2"]), (2, "12", ["1"]),
    ]  # fmt: skip
    card = client.get(f"/tournaments/{code}/standings/2/")
    assert [(one.number, one.points) for one in card.context["rounds"]] == [(1, "0"), (2, "9+"), (3, "3")]
    crosstable = text_of(client.get(f"/tournaments/{code}/crosstable/"))
    assert crosstable.count(", plus draw") == crosstable.count(", minus draw") == 1
    assert "+ marks a plus draw, − a minus draw. Here each game counts as for ratings" in crosstable
    second = text_of(client.get(f"/tournaments/{code}/rounds/", {"round": 2}))
    assert "Round 2, 80 min + 30 s" in second
    assert "Round 2, 5 min + 3 s" in second
    assert second.count("plus draw") == 1
    # In a file the games of a round are rounds: three rounds of three games are nine, each with its result.
    written = client.get(f"/tournaments/{code}/files/games.trf").content.decode()
    read = read_trf16(tuple(written.splitlines()))
    assert [
        (game.round, game.white, game.white_points, game.black_points, game.played) for game in read.games
    ] == [
        (3 * game.round - 3 + game.number, game.white.number, game.white_points, game.black_points, True)
        for game in Game.objects.order_by("round", "number").select_related("white")
    ]
    refused = client.get(f"/tournaments/{code}/", {"tie_break_1": "BH"})
    assert "Buchholz cannot be calculated with this choice." in text_of(refused)
    methods = client.get(f"/tournaments/{code}/methods/")
    assert "Rounds of this tournament have points of their own." in text_of(methods)


def test_the_report_names_both_lists_before_and_after_the_freeze(office, two_pools):
    report = office.accept("Three in one", [11, 12], GAMES, time_control=None, session=SESSION)

    def lists():
        return [(one.counts, one.pool.code, one.in_force) for one in list_of_report(report).every]

    day, both = date(2026, 4, 1), ("fmjd-100", "fmjd-100-rapidblitz")
    assert lists() == [(CountingState.NEXT_LIST, pool, day) for pool in both]
    office.run()
    assert lists() == [
        (CountingState.PUBLISHED, "fmjd-100", day), (CountingState.NEXT_LIST, "fmjd-100-rapidblitz", day),
    ]  # fmt: skip
    office.run(pool="fmjd-100-rapidblitz")
    assert lists() == [(CountingState.PUBLISHED, pool, day) for pool in both]


def test_a_correction_changes_each_list_by_its_own_revision(office, three_in_one, client):
    """Round 1 rapid was 11's: rapid W = 4 instead of 2, ΔR = 3.75 × (4 - 3.8211) = 0.670875 → 0.6709 (12: -0.6709).

    2000 + 0.6709 + 16.3418 = 2017.0127 → 2017; 1900 - 0.6709 - 16.3418 = 1882.9873 → 1883. Classical stays.
    """
    _, rapid_blitz = three_in_one
    code = ResultSet.objects.get().code
    corrected = ["2 2 1 0-2" if game == "2 2 1 2-0" else game for game in GAMES]
    report = again(
        office, code, "Three in one", [11, 12], corrected, time_control=None, session=SESSION,
        admitted_reason="A wrong result.",
    )  # fmt: skip
    assert [one.pool.code for one in list_of_report(report).every] == ["fmjd-100", "fmjd-100-rapidblitz"]
    correct(office, rapid_blitz, included_reports=[report.pk])
    revision = office.run(pool="fmjd-100-rapidblitz")
    assert revision.revision == 2
    assert ratings(revision, 11, 12) == (2017, 1883)
    states = [one.counts for one in list_of_report(report).every]
    assert states == [CountingState.NEXT_REVISION, CountingState.PUBLISHED]
    answer = client.get(f"/api/v1/tournaments/{code}/games/").json()["results"]
    points = {
        (game["round"], game["number"]): (game["white_points"], game["black_points"]) for game in answer
    }
    # As its page, by the report that the newest revision counts.
    assert (points[1, 2], len(points)) == ((0, 2), 9)
    assert recompute(published_files_by_list()).different == []
    for found in verify_lists(recalculate=True):
        assert found.differences == []


def test_newcomers_and_provisional_players_are_rated_clock_by_clock(office):
    """A newcomer N beats 11 (2000 rapid-blitz) once rapid and loses once blitz; the rapid games come first.

    Rapid: Rp = 2000 + 935, limited to 2400 (R4): the first result, 2400. Blitz: Rp = 2000 - 935, limited to 1900;
    (1 × 2400 + 1 × 1900) / 2 = 2150 (R7).
    """
    office.opening("fmjd_id rating games\n11 2000 100", pool="fmjd-100-rapidblitz")
    office.accept(
        "Quick", [office.newcomer("Nova", "Kometa"), 11], ["1 1 2 2-0", "2 2 1 2-0"],
        time_control=None, session='["15+5", "5+3"]',
    )  # fmt: skip
    published = office.run(pool="fmjd-100-rapidblitz")
    first, second = office.changes(published, 12)
    assert (first.clock, first.after_e4) == (RAPID, 24_000_000)
    assert (second.clock, second.after_e4) == (BLITZ, 21_500_000)
    assert office.row(published, 12).rating == 2150
    assert recompute(published_files_by_list()).different == []


def test_a_tournament_with_a_session_waits_for_the_list_that_has_not_counted_it(office, two_pools):
    """The classical list is frozen and published; the rapid-blitz list of the same quarter still counts its games."""
    office.accept("Three in one", [11, 12], GAMES, time_control=None, session=SESSION)
    office.run()
    assert uncounted_in(office, "fmjd-100") == []
    assert uncounted_in(office, "fmjd-100-rapidblitz") == ["Three in one"]


def uncounted_in(office, code):
    pool = Pool.objects.get(code=code)
    period = ensure_period(pool=pool, in_force=due_period(pool).in_force, by=office.officer)
    return [report.result_set.name for report in reports_to_count(period)]
