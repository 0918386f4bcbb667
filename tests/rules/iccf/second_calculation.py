"""ICCF lists a second time, straight from items 3 to 18 and rulings R90 to R94, with fractions and one game at a time.

Nothing of the engine is used but its printed tables. A report is a dictionary: `result_set, number, part, first_day,
kind, level` (0: none stated), `players`, and `games` with `game, round, line, white, black, white_for, black_for` (0:
no substitute), `white_points` in halves, `first_day, last_day`.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from fractions import Fraction
from math import floor
from pathlib import Path

from ratings.federations.iccf.rules import formulas

HALF = Fraction(1, 2)
TABLES = Path(formulas.__file__).parent / "tables"
with (TABLES / "item3.csv").open(encoding="utf-8") as file:
    ITEM_3 = {int(row["percentage"]): int(row["rating_difference"]) for row in csv.DictReader(file)}
with (TABLES / "item4.csv").open(encoding="utf-8") as file:
    ITEM_4 = [
        (range(int(row["difference_min"]), int(row["difference_max"] or 5000) + 1), row["higher"], row["lower"])
        for row in csv.DictReader(file)
    ]  # fmt: skip
ITEM_11 = {
    1800: "open-class cup-preliminary international-open-preliminary friendly",
    1900: "ladies-wc-semifinal ladies-olympiad",
    2000: "higher-class cup-semifinal international-open-semifinal",
    2100: "ladies-wc-final money-prize",
    2200: "master-class cup-final olympiad zonal-preliminary invitation international-open-final",
    2300: "master-norm",
    2400: "wc-semifinal zonal-semifinal",
    2450: "grandmaster-norm",
    2500: "wc-candidates zonal-final",
}


def half_up(value):
    """A whole number; halves go up."""
    return floor(value + HALF)


class SecondCalculation:
    """The lists of a pool, one after another: `rows` are those of the newest, by player.

    `opening` are rating and games by player, `numbers` the ICCF numbers. `branches` counts the cases that were met.
    """

    def __init__(self, day, opening, numbers):
        self.numbers = numbers
        self.branches = Counter()
        self.lists = {day: {player: rating for player, (rating, _) in opening.items()}}
        self.rows = {
            player: {"rating": rating, "games": games, "last_game_day": day}
            for player, (rating, games) in opening.items()
        }
        self.all_games = defaultdict(list)
        for player, (rating, games) in opening.items():
            if games < 30:  # R92a
                self.all_games[player] = [(rating, rating, HALF)] * games

    def met(self, case):
        self.branches[case] += 1

    def rating(self, player, day):
        """Item 8, R91: the rating on the newest list on or before the day, else on the earliest; and which list it is.

        None and 0 for no rating.
        """
        days = [list_day for list_day in self.lists if list_day <= day]
        if not days:
            self.met("8 before the earliest list")
        rating = self.lists[max(days, default=min(self.lists))].get(player)
        return rating, max(1, len(days)) if rating else 0

    def level(self, report):
        """Item 11, R93, R93c."""
        if report["level"]:
            self.met("11 level stated")
            return report["level"]
        for level, kinds in ITEM_11.items():
            if report["kind"] in kinds.split():
                self.met(f"11 {level}")
                return level
        assert report["kind"] == "national"
        ratings = [self.rating(player, report["first_day"])[0] for player in report["players"]]
        known = [rating for rating in ratings if rating]
        if not known:
            self.met("11 national, none rated")
            return 1800
        mean = half_up(Fraction(sum(known), len(known)))
        self.met("11 national, mean" if mean <= 2400 else "11 national, 2400")
        return min(mean, 2400)

    def expectation(self, own, opponent):
        """We of items 4 and 8."""
        difference = own - opponent
        if abs(difference) > 350:
            self.met("8 difference over 350")
            difference = 350 if difference > 0 else -350
        for differences, higher, lower in ITEM_4:
            if abs(difference) in differences:
                return Fraction(higher if difference >= 0 else lower)
        raise AssertionError(difference)

    def formula_5(self, games):
        """Rp of item 5, R90, of games as own rating, opponent's rating, score."""
        limited = [min(max(opponent, own - 350), own + 350) for own, opponent, _ in games]
        if limited != [opponent for _, opponent, _ in games]:
            self.met("5 opponent limited")
        p = sum((score for _, _, score in games), Fraction(0)) / len(games)
        if p >= HALF:
            self.met("5 half or more")
            difference = ITEM_3[half_up(100 * p)]
        else:
            self.met("5 less than half")
            difference = -ITEM_3[half_up(100 * (1 - p))]
        factor = -2 * p**2 + 2 * p + HALF
        return half_up(Fraction(sum(limited), len(games)) + difference * factor)

    def coefficient(self, rating, games):
        """Item 9: k = r · g."""
        if rating >= 2400:
            self.met("9 r from 2400")
            r = Fraction(10)
        elif rating > 2000:
            self.met("9 r between")
            r = 70 - Fraction(rating, 40)
        else:
            self.met("9 r up to 2000")
            r = Fraction(20)
        if games >= 80:
            self.met("9 g from 80")
            g = Fraction(1)
        elif games > 30:
            self.met("9 g between")
            g = Fraction(14, 10) - Fraction(games, 200)
        else:
            self.met("9 g at 30")
            g = Fraction(125, 100)
        return r * g

    def sides(self, report, game):
        """Item 18, R94: for whom a game counts, against whom, colour, score and whether it is a substitute's.

        Players are with their rating and its list, 0 for the assumed rating.
        """
        level = self.level(report)

        def rated(player):
            rating, of_list = self.rating(player, game["first_day"])
            return player, rating or level, of_list

        seats = [
            (rated(game["white"]), rated(game["white_for"]) if game["white_for"] else None),
            (rated(game["black"]), rated(game["black_for"]) if game["black_for"] else None),
        ]
        white = Fraction(game["white_points"], 2)
        for colour, score in ((0, white), (1, 1 - white)):
            finished, replaced = seats[colour]
            opponent, other = seats[1 - colour]
            if other:
                self.met("18 b the player replaced" if other[1] > opponent[1] else "18 b the substitute")
                opponent = other if other[1] > opponent[1] else opponent
            own, word = finished, ""
            if replaced:
                surplus = score - self.expectation(finished[1], opponent[1])
                word = "substitute" if surplus > 0 else "replaced"
                own = finished if surplus > 0 else replaced
                self.met(
                    f"18 a {word}{', exactly 0' if surplus == 0 else ''}{', both sides' if other else ''}"
                )
            yield own, opponent, colour, score, word

    def calculate(self, in_force, reports):
        """The list of a day: its rows and changes by player, as the columns of the engine name them."""
        counted = defaultdict(list)
        for report in sorted(reports, key=lambda report: (report["number"], report["part"])):
            for game in sorted(report["games"], key=lambda game: (game["round"], game["line"])):
                for own, opponent, colour, score, word in self.sides(report, game):
                    if not self.numbers[own[0]]:
                        self.met("14 no number")
                        continue
                    counted[own[0]].append((report, game, own, opponent, colour, score, word))
        rows, changes = {}, {}
        for player in sorted(self.rows.keys() | counted.keys()):
            rows[player], changes[player] = self.player(player, counted[player])
        for row in rows.values():
            row["rank"] = 1 + sum(other["rating"] > row["rating"] for other in rows.values())
            row["position"] = row["rank"] + sum(
                other["rating"] == row["rating"] and other["register_number"] < row["register_number"]
                for other in rows.values()
            )
        self.rows = rows
        self.lists[in_force] = {player: row["rating"] for player, row in rows.items()}
        return rows, changes

    def player(self, player, games):
        """Items 14 to 17: the row and the changes of a player."""
        before = self.rows.get(player, {"rating": 0, "games": 0, "last_game_day": -(2**31)})
        k = Fraction(0)
        played = [(own[1], opponent[1], score) for _, _, own, opponent, _, score, _ in games]
        self.all_games[player] += played
        used = []
        if not games:
            self.met("no games")
            method, rating = "", before["rating"]
        elif before["games"] < 30:
            self.met("15 all games" if before["games"] else "14 first rating")
            method, used = "5-all", self.all_games[player]
        else:
            k = self.coefficient(before["rating"], before["games"])
            if len(games) > 800 / k:
                self.met("16 more than 800/k" if len(games) - 1 > 800 / k else "16 one more than 800/k")
                method, used = "5-period", played
            else:
                self.met("16 as many as 800/k" if len(games) + 1 > 800 / k else "16 fewer than 800/k")
                method = "6"
        if used:
            rating = self.formula_5(used)
        changes, total = [], Fraction(0)
        for report, game, own, opponent, colour, score, word in games:
            expectation = self.expectation(own[1], opponent[1]) if method == "6" else Fraction(0)
            added = k * (score - expectation) if method == "6" else Fraction(0)
            if method == "6" and not own[2]:
                self.met("8 own rating assumed")
            total += added
            changes.append(
                {
                    "sequence": len(changes), "tournament": report["result_set"], "game": game["game"],
                    "opponent": opponent[0], "black": colour, "games": 1, "points": 2 * score,
                    "first_day": game["first_day"], "last_day": game["last_day"], "own": own[1],
                    "own_from": "list" if own[2] else "assumed", "own_list": own[2], "opponent_rating": opponent[1],
                    "opponent_from": "list" if opponent[2] else "assumed", "opponent_list": opponent[2],
                    "method": method, "k_e6": k * 10**6 if method == "6" else 0, "expected_e2": 100 * expectation,
                    "added_e8": added * 10**8, "substitute": word,
                }
            )  # fmt: skip
        if method == "6":
            rating = half_up(before["rating"] + total)
        limited = [min(max(opponent, own - 350), own + 350) for own, opponent, _ in used]
        row = {
            "register_number": self.numbers[player],
            "rating": rating,
            "previous": before["rating"],
            "change": rating - before["rating"] if before["rating"] else 0,
            "period_games": len(games),
            "games": before["games"] + len(games),
            "last_game_day": max([before["last_game_day"], *(game["last_day"] for _, game, *_ in games)]),
            "method": method, "k_e6": k * 10**6, "formula_games": len(used), "opponents_sum": sum(limited),
            "points_sum": 2 * sum(score for _, _, score in used),
        }  # fmt: skip
        return row, changes
