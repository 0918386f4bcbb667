"""Made-up years of ICCF: reports of four quarters from a seed, and the engine's input of each of their lists.

Tournaments last over quarters and are reported in parts; two players each quarter have as many games as 800/k, or one
more; there are substitutes on one or both sides, players without a rating or a number, and games that began before the
earliest list.
"""

from datetime import date
from random import Random

import numpy as np

from ratings.federations.iccf.rules.engine_input import (
    EventColumns,
    GameColumns,
    IccfColumns,
    ListRead,
    ParticipantColumns,
    PlayerColumns,
    RatingColumns,
)
from ratings.federations.iccf.rules.parameters import KINDS
from ratings.rules.columns import NO_DAY
from ratings.rules.days import day_number

OPENING_DAY = day_number(date(2025, 1, 1))
QUARTERS = [
    day_number(date(2025, 4, 1)),
    day_number(date(2025, 7, 1)),
    day_number(date(2025, 10, 1)),
    day_number(date(2026, 1, 1)),
]
RATINGS = (1450, 1790, 1999, 2000, 2000, 2001, 2150, 2150, 2390, 2399, 2400, 2560)
GAMES = (1, 12, 25, 29, 30, 31, 50, 79, 80, 200)


class Year:
    """Players, an opening list, and the reports of a quarter from the rows before it."""

    def __init__(self, seed):
        self.random = Random(seed)  # noqa: S311
        players = [3 * place + 2 for place in range(26)]
        self.numbers = {player: 910_000 + player * 37 % 101 for player in players}
        for player in players[22:]:
            self.numbers[player] = 0
        self.opening = {
            player: (self.random.choice(RATINGS), self.random.choice(GAMES)) for player in players[:16]
        }
        self.players = players
        self.newcomer = players[16]
        self.tournaments, self.line = [], 0
        for number in range(1, 13):
            kind = self.random.choice([*KINDS[:-1], "national", "national", "national", "other"])
            stated = self.random.choice([1500, 2250]) if kind in ("friendly", "national") else 0
            entrants = self.random.sample(players, 9)
            if number >= 11:  # with the strongest players; with players of whom none has a rating at first
                strongest = sorted(self.opening, key=self.opening.get)[-2:]
                kind, stated, entrants = (
                    "national",
                    0,
                    [*strongest, *players[20:]] if number == 11 else players[17:],
                )
            self.tournaments.append(
                {
                    "number": number,
                    "kind": kind,
                    "level": 1950 if kind == "other" else stated if self.random.random() < 0.4 else 0,
                    "first_day": self.random.choice([OPENING_DAY - 200, *(day - 40 for day in QUARTERS[:2])]),
                    "players": entrants,
                    "parts": 0,
                }
            )

    def reports(self, in_force, rows):
        """What is reported for a list; `rows` are those of the list before, with rating and games."""
        fixed = [
            player
            for player in sorted(rows)
            if rows[player]["games"] >= 30 and player != self.newcomer and player in self.players[8:16]
        ]
        busy = self.random.sample(fixed, min(2, len(fixed)))
        reports = []
        for tournament in self.tournaments:
            if tournament["first_day"] >= in_force - 35 or self.random.random() < 0.3:
                continue
            entrants = [player for player in tournament["players"] if player not in busy]
            for _ in range(self.random.choice([1, 1, 2])):
                pairs = [self.random.sample(entrants, 4) for _ in range(self.random.randint(2, 5))]
                reports.append(self.report(tournament, in_force, pairs, self.random.random() < 0.3))
        others = [player for player in self.players[:8] if player not in busy]
        for player in busy:
            r_and_g = self.limits(rows[player]["rating"], rows[player]["games"])
            games = r_and_g + self.random.randint(0, 2)
            pairs = [(player, self.random.choice(others), 0, 0) for _ in range(games)]
            reports.append(self.report(self.new_tournament(in_force), in_force, pairs, has_substitutes=False))
        if in_force == QUARTERS[0]:
            pairs = [(self.newcomer, self.random.choice(others), 0, 0) for _ in range(31)]
            reports.append(self.report(self.new_tournament(in_force), in_force, pairs, has_substitutes=False))
        if in_force == QUARTERS[1]:  # it began before the list on which the newcomer has a rating
            pairs = [(self.newcomer, self.random.choice(others), 0, 0) for _ in range(3)]
            old = self.new_tournament(in_force) | {"first_day": QUARTERS[0] - 5}
            reports.append(self.report(old, in_force, pairs, has_substitutes=False))
        return reports

    def limits(self, rating, games):
        """The whole part of 800/k, by item 9 with floats: it only aims at the limit."""
        r = min(max(70 - rating / 40, 10), 20)
        g = min(max(1.4 - games / 200, 1), 1.25)
        return int(800 / (r * g))

    def new_tournament(self, in_force):
        number = max(tournament["number"] for tournament in self.tournaments) + 1
        self.tournaments.append(
            {
                "number": number, "kind": "open-class", "level": 0, "first_day": in_force,
                "players": self.players[:8], "parts": 0,
            }
        )  # fmt: skip
        return self.tournaments[-1] | {"first_day": in_force - 80}

    def report(self, tournament, in_force, pairs, has_substitutes):
        tournament["parts"] += 1
        games = []
        for white, black, white_for, black_for in pairs:
            self.line += 1
            both = has_substitutes and self.random.random() < 0.3
            games.append(
                {
                    "game": 1000 + self.line, "round": self.random.randint(1, 3), "line": self.line, "white": white,
                    "black": black,
                    "white_for": white_for if has_substitutes else 0,
                    "black_for": black_for if both else 0,
                    "white_points": self.random.randint(0, 2),
                    "first_day": tournament["first_day"] + self.random.choice([0, 0, 3]),
                    "last_day": in_force - self.random.randint(32, 34),
                }
            )  # fmt: skip
        report = {name: tournament[name] for name in ("number", "kind", "level", "first_day", "players")}
        result_set = 100 * tournament["number"] + tournament["parts"]
        named = {game[seat] for game in games for seat in ("white", "black", "white_for", "black_for")} - {0}
        return report | {
            "part": tournament["parts"],
            "result_set": result_set,
            "games": games,
            "players": sorted({*tournament["players"], *named}),
        }


def columns_of_list(in_force, numbers, opening, earlier, reports):
    """The engine's input of a list, from the opening list and the calculations of earlier lists, by day."""
    lists = [ListRead(OPENING_DAY, "iccf/opening/r1"), *(ListRead(day, f"iccf/{day}/r1") for day in earlier)]
    ratings = [(0, player, rating) for player, (rating, _) in opening.items()]
    for place, calculation in enumerate(earlier.values(), start=1):
        ratings += [
            (place, *row)
            for row in zip(calculation.rows.player.tolist(), calculation.rows.rating.tolist(), strict=True)
        ]
    before = {player: (*row, OPENING_DAY) for player, row in opening.items()}
    past = {player: np.array([games, games * rating, games]) for player, (rating, games) in opening.items()}
    for calculation in earlier.values():
        rows, changes = calculation.rows, calculation.changes
        figures = (rows.player, rows.rating, rows.games, rows.last_game_day)
        before = {row[0]: row[1:] for row in zip(*(figure.tolist() for figure in figures), strict=True)}
        limited = np.clip(changes.opponent_rating, changes.own - 350, changes.own + 350)
        for player, opponent, points in zip(
            changes.player.tolist(), limited.tolist(), changes.points.tolist(), strict=True
        ):
            past[player] = past.get(player, np.zeros(3, dtype=np.int64)) + np.array([1, opponent, points])
    named = {player for report in reports for player in report["players"]}
    first_part = {report["number"]: report["part"] for report in reversed(reports)}
    players = []
    for player in sorted(before.keys() | named):
        rating, games, last_game = before.get(player, (0, 0, NO_DAY))
        sums = past.get(player, np.zeros(3, dtype=np.int64)).tolist()
        players.append((player, numbers[player], rating, rating, games, last_game, *sums))
    seats = ("white", "black", "white_for", "black_for", "white_points", "first_day", "last_day")
    return IccfColumns(
        in_force=in_force, players=PlayerColumns(*zip(*players, strict=True)), lists=tuple(lists),
        ratings=RatingColumns(*zip(*sorted(ratings), strict=True)),
        events=EventColumns(
            *zip(
                *(
                    (report["result_set"], report["number"], report["part"], first_part[report["number"]] - 1,
                     report["first_day"], KINDS.index(report["kind"]), report["level"])
                    for report in reports
                ),
                strict=True,
            )
        ),
        participants=ParticipantColumns(
            *zip(
                *((event, player) for event, report in enumerate(reports) for player in report["players"]),
                strict=True,
            )
        ),
        games=GameColumns(
            *zip(
                *(
                    (game["game"], event, game["round"], game["line"], *(game[seat] for seat in seats))
                    for event, report in enumerate(reports)
                    for game in report["games"]
                ),
                strict=True,
            )
        ),
    )  # fmt: skip
