"""Games of any pool by the rules of each system: small examples by hand, and made-up seasons calculated a second time.

A season is a list of ratings, then three lists: tournaments of some days, one of them on all three lists; newcomers,
youth, players near the limits of the regulations. The second calculations call nothing of the engines.
"""

from dataclasses import replace
from datetime import date, timedelta
from itertools import count
from random import Random

import numpy as np
import pytest

from ratings.federations.fmjd.rules.compare import compare as by_fmjd
from ratings.federations.fmjd.rules.parameters import ANNEX_9_2024_04
from ratings.federations.iccf.rules.compare import compare as by_iccf
from ratings.federations.iccf.rules.parameters import ICCF_2009
from ratings.federations.knsb.rules import engine_input as knsb
from ratings.federations.knsb.rules.compare import compare as by_knsb
from ratings.federations.knsb.rules.parameters import KNSB_2024_10, TEMPOS
from ratings.rules.columns import NO_DAY
from ratings.rules.compared_games import ComparedGames, ComparedPlayers
from ratings.rules.days import day_number, day_of_number
from tests.rules.iccf.second_calculation import SecondCalculation as SecondIccf
from tests.rules.knsb.seasons import table
from tests.rules.knsb.second_calculation import SecondCalculation as SecondKnsb
from tests.rules.test_annex9_against_fractions import Inputs, second_calculation

LISTS = np.array([day_number(date(2025, month, 1)) for month in (1, 4, 7, 10)])
SYSTEMS = {
    "fmjd": (by_fmjd, ANNEX_9_2024_04),
    "knsb-klassiek": (by_knsb, KNSB_2024_10, "klassiek"),
    "knsb-rapid": (by_knsb, KNSB_2024_10, "rapid"),
    "knsb-blitz": (by_knsb, KNSB_2024_10, "blitz"),
    "iccf": (by_iccf, ICCF_2009, ""),
}


def of_system(name, players, lists, games):
    """The rating of each player by a system."""
    compare, *rules = SYSTEMS[name]
    ratings = compare(*rules, players, lists, games)
    return dict(zip(players.player.tolist(), ratings.tolist(), strict=True))


# --- Examples by hand


def listed(**players):
    """Players as columns: `p7="1500/80"` has the number 7, rating 1500 on 80 games; none are 0/0."""
    rows = sorted((int(name[1:]), *map(int, figures.split("/"))) for name, figures in players.items())
    number, rating, games = np.array(rows).T
    return ComparedPlayers(number, rating, games, np.zeros_like(number), number < 0)


def played(*lines):
    """Games as `LIST WHITE BLACK POINTS-OF-WHITE`, all of a list a tournament of one day, 40 days before the list."""
    rows = np.array([[int(cell) for cell in line.split()] for line in lines])
    of_list, white, black, points = rows.T
    day = LISTS[of_list] - 40
    return ComparedGames(of_list, of_list, day, day, np.arange(len(rows)), day, white, black, points)


def test_fmjd_by_hand():
    """Annex 9 art. 3.2, R3: all have 100 games, so ΔR = 0.5 × 15 × (W − We).

    April: 11 beats 12 (2000 both) twice: 7.5 × (4 − 2) = 15: 2015 and 1985.
    July: 11 beats 13 (2000) twice. D = 15, Pe = 52 + (15 − 14.34) / 7.14 = 52.0924, We = 4 × 0.520924 = 2.0837;
    7.5 × 1.9163 = 14.3723: 2029, and 13 has 1986.
    """
    players = listed(p11="2000/100", p12="2000/100", p13="2000/100")
    games = played("1 11 12 2", "1 12 11 0", "2 11 13 2", "2 13 11 0")
    assert of_system("fmjd", players, LISTS[:3], games) == {11: 2029, 12: 1985, 13: 1986}


def test_fmjd_reads_the_list_in_force_on_the_first_day_and_who_has_reached_2300():
    """July from a tournament that began in March: 11 and 13 have 2000 each by January: 7.5 × 2 = 15 more.

    21 (2300) has K 10: a draw with 22 (2300) changes nothing, a win is 5 × (2 − 1) = 5. 31 (2299) has K 15: 7.5 × 1 is
    7.5 against an equal 32: 2306.5 → 2307, and 32 2291.5 → 2292. In July 31, whom April shows with 2307, beats 33, who
    has 2307 too: K 10: 5.
    """
    players = listed(
        p11="2000/100", p12="2000/100", p13="2000/100", p21="2300/100", p22="2300/100", p31="2299/100",
        p32="2299/100", p33="2307/100",
    )  # fmt: skip
    games = played("1 11 12 2", "1 12 11 0", "2 11 13 2", "2 13 11 0", "1 21 22 2")
    games.first_day[2:4] = LISTS[1] - 10
    found = of_system("fmjd", players, LISTS[:3], games)
    assert [found[number] for number in (11, 13, 21, 22)] == [2030, 1985, 2305, 2295]
    found = of_system("fmjd", players, LISTS[:3], played("1 31 32 2", "2 31 33 2"))
    # 33 had 2300 on the first list, so K is 10 for both
    assert [found[number] for number in (31, 32, 33)] == [2312, 2292, 2302]


def test_knsb_by_hand():
    """R82: 1600 (N_v 80, so k 25) beats 1700, draws 1500: 25 × (0.6368306512 − 0.1368306512) = 12.5: 1612.5: 1613.

    1700 loses: −25 × 0.6368306512 = −15.92: 1684. 1500 draws: 25 × 0.1368306512 = 3.42: 1503.
    R82b: without a game in July all keep these.
    """
    players = listed(p1="1600/80", p2="1700/80", p3="1500/80", p4="1300/80")
    games = played("1 1 2 2", "1 3 1 1")
    assert of_system("knsb-klassiek", players, LISTS[:3], games) == {1: 1613, 2: 1684, 3: 1503, 4: 1300}


def test_knsb_games_of_a_newcomer_wait_for_a_later_list():
    """R81b: five games (2½ points against 1500) wait, then a loss: R_s 1433, k 216, sum +12.1413, LPR 1439.878: 1445.

    The opponents have no change: klassiek asks for a rating of the opponent (6.1.a).
    """
    players = listed(p1="1500/80", p2="1500/80", p9="0/0")
    waiting = ["1 9 1 2", "1 9 2 2", "1 9 1 1", "1 9 2 0", "1 9 1 0"]
    assert of_system("knsb-klassiek", players, LISTS[:2], played(*waiting)) == {1: 1500, 2: 1500, 9: 0}
    found = of_system("knsb-klassiek", players, LISTS[:3], played(*waiting, "2 9 2 0"))
    assert found == {1: 1500, 2: 1500, 9: 1445}


def test_iccf_by_hand():
    """R91: 2200 (50 games, k 17.25) beats 2300 and draws 2100: 17.25 × (0.64 − 0.14) = 8.625: 2209.

    R92a: 1875 on 12 games stands as 12 draws against itself. April: a win over 1875: p = 14/26, 1903.914: 1904.
    July: another win over a 1875: 14 games, Rc 1875, p = 16/28 = 0.571…: D(57) = 50,
    F = −2 × (4/7)² + 2 × 4/7 + 0.5 = 97/98; 1875 + 50 × 97/98 = 1924.49: 1924.
    """
    players = listed(p1="2200/50", p2="2300/90", p3="2100/90", p5="1875/12", p6="1875/90", p7="1875/90")
    games = played("1 1 2 2", "1 3 1 1", "1 5 6 2", "2 7 5 0")
    found = of_system("iccf", players, LISTS[:3], games)
    assert [found[number] for number in (1, 5)] == [2209, 1924]
    assert of_system("iccf", players, LISTS[:2], games.rows(games.list == 1))[5] == 1904


def test_iccf_players_without_a_rating_have_the_level_of_a_friendly_match():
    """R90: a loss to 2400 by an assumed 1800: 2150 − 338.5 = 1811.5: 1812."""
    players = listed(p1="2400/90", p2="0/0")
    assert of_system("iccf", players, LISTS[:2], played("1 1 2 2"))[2] == 1812


# --- Seasons


def season(seed):
    """Players, and the games of three lists."""
    random = Random(seed)  # noqa: S311
    ratings = (400, 1290, 1300, 1500, 1760, 1900, 1999, 2000, 2100, 2290, 2299, 2300, 2399, 2400, 2560)
    players, strong = [], []
    for number in range(3, 120, 4):
        rating, born = random.choice(ratings), random.choice((0, 1960, 1990, 2006, 2007, 2012))
        counted = random.choice((1, 12, 24, 25, 29, 30, 31, 74, 75, 80, 200))
        is_new = random.random() < 0.3
        players.append(
            (number, 0 if is_new else rating, 0 if is_new else counted, born, random.random() < 0.3)
        )
        strong.append(number)
    rows = []
    for tournament in range(1, 15):
        places = (1, 2, 3) if tournament == 7 else (random.randint(1, 3),)
        length = random.choice((0, 5, 29, 30)) if tournament != 7 else 250
        last_day = int(LISTS[max(places)]) - random.randint(16, 60)
        field = random.sample(strong, 8)
        for place in places:
            for _ in range(random.choice((4, 12, 40))):
                white, black = random.sample(field, 2)
                day = min(int(LISTS[place]) - 16, last_day) - random.randint(0, length and min(length, 60))
                rows.append(
                    (place, tournament, last_day - length, last_day, random.randint(1, 9), max(day, last_day - length),
                     white, black, random.choice((0, 1, 1, 2)))
                )  # fmt: skip
    return ComparedPlayers(*map(np.array, zip(*players, strict=True))), ComparedGames(*np.array(rows).T)


def rows_of(columns):
    names = columns.__dataclass_fields__
    return [
        dict(zip(names, row, strict=True))
        for row in zip(*(getattr(columns, name).tolist() for name in names), strict=True)
    ]


def second_fmjd(players, games):
    """Annex 9 by fractions, list after list; every game at two hours (art. 1.2.2)."""
    start = rows_of(players)
    lists = [{row["player"]: row["rating"] for row in start if row["rating"]}]
    known = {
        row["player"]: (row["games"], date(1900, 1, 1) if row["rating"] >= 2300 else None, None, 0)
        for row in start
    }
    for place, in_force in enumerate(LISTS.tolist()[1:], start=1):
        own = [row for row in rows_of(games) if row["list"] == place]
        numbers = sorted({row["tournament"] for row in own})
        days = {row["tournament"]: (row["first_day"], row["last_day"]) for row in own}
        events = [
            (number, *map(day_of_number, days[number]), number, 7200,
             max(sum(day <= days[number][0] for day in LISTS.tolist()[:place]) - 1, 0))
            for number in numbers
        ]  # fmt: skip
        told = [
            (numbers.index(row["tournament"]), row["white"], row["black"], row["white_points"],
             2 - row["white_points"], True, day_of_number(row["day"]))
            for row in own
        ]  # fmt: skip
        closing = day_of_number(in_force) - timedelta(1)
        _, rated = second_calculation(Inputs(closing, lists, known, events, told, {}))
        lists = [*lists, {player: row["rating"] for player, row in rated.items()}]
        for player, row in rated.items():
            first_2300 = known[player][1] or (day_of_number(in_force) if row["rating"] >= 2300 else None)
            known[player] = (row["games"], first_2300, None, 0)
    return lists[-1]


def second_iccf(players, games):
    """Items 5 to 17 by fractions, list after list; every tournament is a friendly match, begun on the day of a game."""
    start = rows_of(players)
    second = SecondIccf(
        int(LISTS[0]),
        {row["player"]: (row["rating"], row["games"]) for row in start if row["rating"]},
        {row["player"]: row["player"] for row in start},
    )
    line = count(1)
    for place, in_force in enumerate(LISTS.tolist()[1:], start=1):
        reports = {}
        for row in rows_of(games):
            if row["list"] != place:
                continue
            report = reports.setdefault(
                row["tournament"],
                {
                    "result_set": row["tournament"], "number": row["tournament"], "part": 1, "kind": "friendly",
                    "level": 0, "first_day": row["first_day"], "players": [], "games": [],
                },
            )  # fmt: skip
            number = next(line)
            report["games"].append(
                {name: row[name] for name in ("round", "white", "black", "white_points")}
                | {"game": number, "line": number, "white_for": 0, "black_for": 0}
                | {"first_day": row["day"], "last_day": row["day"]}
            )
        second.calculate(in_force, list(reports.values()))
    return {player: row["rating"] for player, row in second.rows.items()}


def second_knsb(players, games, tempo):
    """Articles 2 to 13 by fractions, list after list; each list reads all earlier games."""
    start, kind = rows_of(players), TEMPOS.index(tempo)
    lists = [
        {
            row["player"]: {
                "rating": row["rating"], "n_v": min(row["games"], 100), "games": row["games"], "last_game_day": NO_DAY,
            }
            for row in start
            if row["rating"]
        }
    ]  # fmt: skip
    for place, in_force in enumerate(LISTS.tolist()[1:], start=1):
        own = [row for row in rows_of(games) if row["list"] <= place]
        keys = sorted({(row["tournament"], row["list"]) for row in own})
        days = {(row["tournament"], row["list"]): (row["first_day"], row["last_day"]) for row in own}
        own.sort(key=lambda row: (row["tournament"], row["list"]))
        known = {
            player: [number for number, rows in enumerate(lists) if player in rows][-1]
            for player in set().union(*lists)
        }
        columns = knsb.KnsbColumns(
            tempo=kind, in_force=in_force, previous_day=int(LISTS[place - 1]),
            players=table(
                knsb.PlayerColumns,
                [
                    {
                        "player": row["player"], "register_number": row["player"], "fide_number": 0,
                        "birth_year": row["birth_year"], "is_foreign": row["is_foreign"],
                        "was_published": row["player"] in known,
                        "previous": lists[-1].get(row["player"], {"rating": 0})["rating"],
                        "last_known_list": known.get(row["player"], -1),
                        "last_known_rating": lists[known[row["player"]]][row["player"]]["rating"]
                        if row["player"] in known else 0,
                        "games_elsewhere": 0, "title": 0,
                    }
                    for row in start
                ],
            ),
            memberships=None,
            lists=tuple(knsb.ListRead(kind, int(day), f"list-{day}") for day in LISTS[:place]),
            ratings=table(
                knsb.RatingColumns,
                [
                    {"list": number, "player": player, "k_factor": 0, "last_game": row["last_game_day"]}
                    | {name: row[name] for name in ("rating", "n_v", "games")}
                    for number, rows in enumerate(lists)
                    for player, row in sorted(rows.items())
                ],
            ),
            events=table(
                knsb.EventColumns,
                [
                    {
                        "result_set": 10 * number + part, "number": number, "part": part,
                        "first_day": days[number, part][0], "last_day": days[number, part][1],
                        "in_force": int(LISTS[part]), "is_abroad": False, "is_fide_processed": False,
                        "is_admitted": True,
                    }
                    for number, part in keys
                ],
            ),
            games=table(
                knsb.GameColumns,
                [
                    {
                        "game": line, "event": keys.index((row["tournament"], row["list"])), "line": line,
                        "planned_day": NO_DAY,
                    }
                    | {name: row[name] for name in ("round", "white", "black", "white_points", "day")}
                    for line, row in enumerate(own, start=1)
                ],
            ),
        )  # fmt: skip
        lists.append(SecondKnsb(columns).rows)
    return {player: row["rating"] for player, row in lists[-1].items()}


def second(name, players, games):
    if name == "fmjd":
        return second_fmjd(players, games)
    return second_iccf(players, games) if name == "iccf" else second_knsb(players, games, SYSTEMS[name][2])


@pytest.mark.parametrize("name", SYSTEMS)
def test_ratings_are_those_of_a_second_calculation_list_after_list(name):
    """A pool that is as the system assumes, by the rules of its own system: nothing differs from its lists."""
    unrated = changed = 0
    for seed in range(6):
        players, games = season(seed)
        found = of_system(name, players, LISTS, games)
        expected = second(name, players, games)
        assert {player: rating for player, rating in found.items() if rating} == expected
        unrated += len(found) - len(expected)
        changed += int(np.count_nonzero(np.array(list(found.values())) != players.rating))
    assert changed > 60
    assert unrated > 0 or name == "iccf"  # one game gives a rating of the ICCF


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_order_of_games_changes_nothing(name):
    """Games of other tournaments, lists and rounds may come in any order."""
    players, games = season(1)
    games = replace(
        games, round=np.arange(len(games))
    )  # no two games of a round: none are told apart by their lines
    mixed = Random(5).sample(range(len(games)), len(games))  # noqa: S311
    assert of_system(name, players, LISTS, games.rows(np.array(mixed))) == of_system(
        name, players, LISTS, games
    )


@pytest.mark.parametrize("name", SYSTEMS)
def test_without_games_nothing_changes(name):
    players, games = season(2)
    players = players.rows(players.rating >= 1200)
    start = dict(zip(players.player.tolist(), players.rating.tolist(), strict=True))
    assert of_system(name, players, LISTS, games.rows(np.zeros(0, dtype=np.int64))) == start
