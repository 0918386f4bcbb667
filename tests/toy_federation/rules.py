"""The rules of the toy federation: 5 points for each half point over a draw, against a player of the list before.

A newcomer starts at 1000 with the first counted game. Lists come out on 1 January and 1 July. A game counts for a year
from the day of its result. Reports name no board and no clock; a win is a point, a draw half a point.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, timedelta
from typing import Any

import numpy as np

from ratings.rules.columns import NO_DAY, Columns, Integers, Letters, ListColumns
from ratings.rules.days import CalendarPeriod, day_number
from ratings.rules.declared import CheckedColumn, Column, Declaration, Kind, ShownFigure, Sort
from ratings.rules.derived_lists import DerivedList, FederationColumns
from ratings.rules.scaled_numbers import E4
from ratings.rules.values import ExplanationNote, FoundAnomaly, OpeningLine

CLOSING_DAYS = ((6, 30), (12, 31))
HIGH = 1190


@dataclass(frozen=True, eq=False)
class ToyListColumns(ListColumns):
    """Every player is on the official list. `wins` and `draws` are the counted games won and drawn in the period."""

    category: Letters
    official_position: Integers
    official_rank: Integers
    wins: Integers
    draws: Integers


@dataclass(frozen=True, eq=False)
class ToyChangeColumns(Columns):
    player: Integers
    sequence: Integers
    tournament: Integers
    basis: Integers
    before_e4: Integers
    games_before: Integers
    games: Integers
    points: Integers
    halves_over: Integers
    after_e4: Integers
    first_day: Integers
    last_day: Integers


DECLARATION = Declaration(
    rows=(
        Column(name="position"),
        Column(name="official_position"),
        Column(name="player_id", array="player"),
        Column(name="register_number", header="toy_id"),
        Column(
            name="rating",
            label="Rating",
            sort=Sort(
                key="rating",
                rising="by rating, lowest first",
                falling="by rating",
                falls_first=True,
                position="position",
            ),
        ),
        Column(name="change", kind=Kind.DIFFERENCE, given="previous", label="Change"),
        Column(name="period_games"),
        Column(name="games"),
        Column(name="wins", label="Wins"),
        Column(name="draws", label="Draws", since=date(2026, 1, 1)),
        Column(name="last_game", array="last_game_day", kind=Kind.DAY),
        Column(name="category", kind=Kind.LETTER),
        Column(name="rank"),
        Column(name="official_rank"),
    ),
    changes=(
        Column(name="player_id", array="player"),
        Column(name="sequence"),
        Column(name="result_set_id", array="tournament"),
        Column(name="basis_list_id", array="basis"),
        Column(name="before_e4", kind=Kind.SCALED, given="before_e4"),
        Column(name="games_before"),
        Column(name="games"),
        Column(name="points", kind=Kind.HALVES),
        Column(name="halves_over"),
        Column(name="after_e4", kind=Kind.SCALED, header="after"),
        Column(name="first_game", array="first_day", kind=Kind.DAY),
        Column(name="last_game", array="last_day", kind=Kind.DAY),
    ),
    figures=(
        "register_number", "rating", "change", "period_games", "games", "wins", "draws", "rank", "last_game",
    ),
    list_file=("rank", "register_number", "name", "federation", "rating", "change", "games", "wins", "draws"),
    text_file=("rank", "register_number", "name", "federation", "rating", "wins", "draws"),
    list_page=("federation", "rating", "change", "wins", "draws"),
    change_file=("games", "points", "halves_over", "after_e4"),
    change_page=(
        ShownFigure(name="points", label="Counted points"),
        ShownFigure(name="halves_over", label="Half points over a draw"),
    ),
    basis="basis_list",
    before="before_e4",
    compared=("rating", "change", "period_games", "games", "wins", "draws", "last_game"),
    checked=(CheckedColumn(name="wins", other="Other wins", moved="%(before)s to %(after)s wins"),),
)  # fmt: skip


@dataclass(frozen=True)
class Step:
    """The one line by which a change is explained."""

    code: str
    name: str
    working: str
    result: str
    article: str = "1"
    rulings: tuple[str, ...] = ("T1",)
    symbol: str = ""
    notes: tuple[ExplanationNote, ...] = ()
    list_read: str = ""


@dataclass(frozen=True)
class OnlyEdition:
    """What the rules of tests have in common: no pool of a clock, and the list before counts."""

    @property
    def rating_goal(self) -> None:
        return None

    @property
    def numbers(self) -> dict[str, object]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def tempo(self, seconds: int | None) -> str:
        return "any"

    def weight_percentage(self, seconds: int | None) -> int:
        return 100

    def basis_of(self, lists_in_force: Sequence[date], first_round: date) -> int:
        """The list before, whenever a tournament began."""
        return len(lists_in_force) - 1


@dataclass(frozen=True)
class ToyRules(OnlyEdition):
    """The only edition."""

    id: str = "toy-2024"
    source: str = "Rules of the toy federation"
    in_force_from: date = date(2024, 1, 1)
    points_per_half: int = 5
    days_counted: int = 365
    first_rating: int = 1000
    freeze_days: int = 1
    derived_lists: tuple[DerivedList, ...] = (DerivedList("women", "Women", sex="W"),)
    federation_ranking_size: int = 2

    def rank_federations(self, federation: Integers, rating: Integers) -> FederationColumns:
        """By the sum of all ratings."""
        totals = [
            (int(rating[federation == one].sum()), one, int((federation == one).sum()))
            for one in set(federation.tolist())
        ]
        totals.sort(reverse=True)
        return FederationColumns(
            rank=column(1 + sum(other > total for other, _, _ in totals) for total, _, _ in totals),
            federation=column(one for _, one, _ in totals),
            players=column(players for _, _, players in totals),
            total=column(total for total, _, _ in totals),
            mean_e4=column(total * E4 // players for total, _, players in totals),
        )


RULES = ToyRules()


class ToyCalendar:
    """Two closing days a year; the list comes into force the day after, when it is also frozen."""

    def period_of(self, day: date) -> CalendarPeriod:
        closing = min(
            date(day.year, month, last) for month, last in CLOSING_DAYS if date(day.year, month, last) >= day
        )
        return self._period(closing)

    def next_period(self, period: CalendarPeriod) -> CalendarPeriod:
        return self.period_of(period.played_before)

    def previous_period(self, period: CalendarPeriod) -> CalendarPeriod:
        days = [
            date(year, month, last)
            for year in (period.closing.year - 1, period.closing.year)
            for month, last in CLOSING_DAYS
        ]
        return self._period(max(day for day in days if day < period.closing))

    def _period(self, closing: date) -> CalendarPeriod:
        after = closing + timedelta(days=1)
        return CalendarPeriod(closing=closing, played_before=after, freezes_on=after, in_force=after)


@dataclass
class Player:
    """A player before the period, and while it is calculated."""

    player: int
    register_number: int
    rating: int
    games: int
    last_game: int
    previous: int = 0
    period_games: int = 0
    wins: int = 0
    draws: int = 0


@dataclass(frozen=True)
class Game:
    tournament: int
    day: int
    white: int
    black: int
    white_points: int
    black_points: int


@dataclass(frozen=True)
class ToyCalculation:
    rows: ToyListColumns
    changes: ToyChangeColumns
    held: None = None

    def anomalies(self) -> Iterator[FoundAnomaly]:
        """Players with a rating over 1190."""
        for player, rating in zip(self.rows.player.tolist(), self.rows.rating.tolist(), strict=True):
            if rating > HIGH:
                yield FoundAnomaly("high", player, {"rating": rating})


@dataclass(frozen=True)
class ToyInput:
    """Players rise by number; games are in the order of their tournaments. `rated` are on the list before."""

    closing: date
    basis: int
    players: Sequence[Player]
    rated: frozenset[int]
    games: Sequence[Game]
    tournament_count: int
    game_count: int
    differences: Sequence[Any] = ()
    rules: ToyRules = field(default=RULES)

    @property
    def player_count(self) -> int:
        return len(self.players)

    @property
    def played_game_count(self) -> int:
        return len(self.games)

    def digest(self) -> str:
        return hashlib.sha256(
            repr((self.rules.id, self.closing, self.players, self.games)).encode()
        ).hexdigest()

    def calculate(self) -> ToyCalculation:
        players = {one.player: Player(**vars(one)) for one in self.players}
        changes: dict[tuple[int, int], dict[str, int]] = {}
        for game in self.games:
            if day_number(self.closing) - game.day > self.rules.days_counted:
                continue
            for own, opponent, points in (
                (game.white, game.black, game.white_points),
                (game.black, game.white, game.black_points),
            ):
                if opponent in self.rated:
                    self._count(players[own], game, points, changes)
        rated = [player for player in players.values() if player.rating]
        in_order = sorted(changes.values(), key=lambda change: (change["player"], change["sequence"]))
        return ToyCalculation(_arranged(rated), _changes(in_order))

    def _count(
        self, player: Player, game: Game, points: int, changes: dict[tuple[int, int], dict[str, int]]
    ) -> None:
        change = changes.get((player.player, game.tournament))
        if change is None:
            sequence = sum(one == player.player for one, _ in changes)
            change = changes[player.player, game.tournament] = {
                "player": player.player, "sequence": sequence, "tournament": game.tournament, "basis": self.basis,
                "before_e4": player.rating * E4, "games_before": player.games, "games": 0, "points": 0,
                "halves_over": 0, "after_e4": 0, "first_day": game.day, "last_day": game.day,
            }  # fmt: skip
        player.rating = (player.rating or self.rules.first_rating) + self.rules.points_per_half * (points - 1)
        player.games += 1
        player.period_games += 1
        player.wins += points == 2
        player.draws += points == 1
        player.last_game = max(player.last_game, game.day)
        change["games"] += 1
        change["points"] += points
        change["halves_over"] += points - 1
        change["after_e4"] = player.rating * E4


def opening_list(rules: ToyRules, in_force: date, lines: Sequence[OpeningLine]) -> "ToyCalculation":
    players = [
        Player(line.player, line.register_number, line.rating, line.games, day_number(line.last_game))
        for line in lines
    ]
    return ToyCalculation(_arranged(players), _changes([]))


def arranged(rules: ToyRules, closing: date, rows: Sequence[Any]) -> ToyListColumns:
    return _arranged(
        Player(
            row.player_id,
            row.register_number,
            row.rating,
            row.games,
            day_number(row.last_game) if row.last_game else NO_DAY,
        )
        for row in rows
    )


def column(values: Any) -> Integers:
    return np.array(list(values), dtype=np.int64)


def _changes(rows: Sequence[dict[str, int]]) -> ToyChangeColumns:
    return ToyChangeColumns(*(column(row[one.name] for row in rows) for one in fields(ToyChangeColumns)))


def columns_of(rows: Sequence[Any]) -> dict[str, Integers]:
    """The columns that every list has, of players in the order of their ratings."""
    return {
        "position": column(range(1, len(rows) + 1)),
        "rank": column(1 + sum(other.rating > row.rating for other in rows) for row in rows),
        "change": column(row.rating - row.previous if row.previous else 0 for row in rows),
        "last_game_day": column(row.last_game for row in rows),
        **{
            name: column(getattr(row, name) for row in rows)
            for name in ("player", "register_number", "rating", "previous", "period_games", "games")
        },
    }


def _arranged(players: Any) -> ToyListColumns:
    rows = sorted(players, key=lambda player: (-player.rating, player.register_number))
    shared = columns_of(rows)
    return ToyListColumns(
        **shared,
        category=np.array(["A" if row.games >= 10 else "B" for row in rows], dtype="S1"),
        official_position=shared["position"],
        official_rank=shared["rank"],
        wins=column(row.wins for row in rows),
        draws=column(row.draws for row in rows),
    )
