"""The rules of the toy league: each game changes a rating by 10 × (W − We).

W is 1, ½ or 0. We is a half, and a thousandth for each point of the player's rating over that of the opponent, from
0.1 to 0.9. Both ratings are those of the list before; who has none starts at the rating of the newest list of FIDE that
has them, else at what the officer set for their year of birth, else at 1000. Figures have ten decimals. A row has the
rating before it is rounded, and is marked `new` for a new player and `won` for one who won each game. The office
chooses the dates. A player whose last game is more than a year before the closing date is on no list and keeps the
rating until the next game.

The games of a grown-up newcomer who starts at 1000 wait until one of them brings a point; the list of that one counts
all for the newcomer. The game of a substitute counts for the player replaced.

By hand: 1000 beats 1200: d = −200, We = 0.5 − 0.2 = 0.3, 10 × (1 − 0.3) = +7; 1200 has We = 0.7 and loses 7.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any

from ratings.rules.columns import NO_DAY, Columns, Integers, ListColumns, Words
from ratings.rules.days import day_number
from ratings.rules.declared import (
    Column,
    Declaration,
    Kind,
    ListValue,
    ShownFigure,
    Sort,
    SourceUse,
    Unit,
)
from ratings.rules.derived_lists import DerivedList, FederationColumns
from ratings.rules.scaled_numbers import E4, rounded
from ratings.rules.values import FoundAnomaly, OpeningLine, PlayerStart, RowDifference
from tests.toy_federation import rules as toy

E10 = 10**10


@dataclass(frozen=True, eq=False)
class LeagueChangeColumns(Columns):
    """One row a game and player. `_e10` is times ten to the tenth; `black` is 1 or 0.

    `own_list` is the place in `lists` of the list that has the player's rating.
    """

    player: Integers
    sequence: Integers
    tournament: Integers
    game: Integers
    opponent: Integers
    black: Integers
    games: Integers
    points: Integers
    own: Integers
    own_list: Integers
    opponent_rating: Integers
    expected_e10: Integers
    added_e10: Integers
    first_day: Integers
    last_day: Integers
    lists: Words


@dataclass(frozen=True, eq=False)
class LeagueListColumns(ListColumns):
    """`club` is the number of the player's club on the day of the list, 0 for none; `marks` names one of `MARKS`."""

    club: Integers
    sum_e10: Integers
    marks: Integers


MARKS = ("", "new", "won", "new won")


DECLARATION = Declaration(
    rows=(
        Column(name="position"),
        Column(name="player_id", array="player"),
        Column(name="register_number", header="league_id"),
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
        Column(name="period_games", label="Games"),
        Column(name="games"),
        Column(name="last_game", array="last_game_day", kind=Kind.DAY),
        Column(name="rank"),
        Column(name="club", kind=Kind.CLUB, label="Club"),
        Column(
            name="sum_e10",
            kind=Kind.SCALED,
            decimals=10,
            given="period_games",
            header="sum",
            label="Sum",
            wide=True,
        ),
        Column(name="marks", kind=Kind.WORD, words=MARKS, label="Marks", wide=True),
    ),
    changes=(
        Column(name="player_id", array="player"),
        Column(name="sequence"),
        Column(name="result_set_id", array="tournament"),
        Column(name="game_id", array="game"),
        Column(name="opponent_id", array="opponent", kind=Kind.PLAYER),
        Column(name="colour", array="black", kind=Kind.WORD, words=("w", "b")),
        Column(name="games"),
        Column(name="points", kind=Kind.HALVES, header="w"),
        Column(name="own_rating", array="own", header="own"),
        Column(name="own_list", kind=Kind.WORD, words_from="lists"),
        Column(name="opponent_rating"),
        Column(name="expected_e10", kind=Kind.SCALED, decimals=10, header="we"),
        Column(name="added_e10", kind=Kind.SCALED, decimals=10, header="change"),
        Column(name="first_game", array="first_day", kind=Kind.DAY),
        Column(name="last_game", array="last_day", kind=Kind.DAY, header="date"),
    ),
    held=(
        Column(name="player_id", array="player"),
        Column(name="register_number", label="Number"),
        Column(name="rating", label="Rating"),
        Column(name="games", label="Games"),
        Column(name="last_game", array="last_game_day", kind=Kind.DAY, label="Last game"),
    ),
    figures=(
        "register_number",
        "rating",
        "change",
        "period_games",
        "games",
        "rank",
        "last_game",
        "sum_e10",
        "marks",
    ),
    list_file=(
        "rank",
        "register_number",
        "name",
        "federation",
        "rating",
        "change",
        "period_games",
        "games",
        "sum_e10",
        "marks",
    ),
    text_file=("rank", "register_number", "name", "federation", "rating"),
    list_page=("federation", "club", "rating", "change", "period_games", "sum_e10", "marks"),
    change_file=(
        "last_game",
        "colour",
        "opponent_id",
        "own_rating",
        "own_list",
        "opponent_rating",
        "expected_e10",
        "points",
        "added_e10",
    ),
    unit=Unit.GAME,
    change_page=(
        ShownFigure(name="own_rating", label="Own rating"),
        ShownFigure(name="own_list", label="List", title="List of the own rating"),
        ShownFigure(name="expected_e10", label="We", title="Expected score"),
    ),
    compared=("rating", "change", "period_games", "games", "last_game", "sum_e10", "marks"),
    sources=(SourceUse(source="fide", kinds=("standard",), years=1),),
    reads_pools=True,
    reads_memberships=True,
    divided_by=("club",),
    values=(
        ListValue(name="born", label="Born", least=1900, most=2100, meaning="Year of birth."),
        ListValue(
            name="rating",
            label="Rating",
            least=100,
            most=3000,
            meaning="Rating at which such newcomers start.",
        ),
    ),
)


@dataclass(frozen=True)
class Step(toy.Step):
    """A line by which a game or a rating is explained."""

    rulings: tuple[str, ...] = ("G1",)


@dataclass(frozen=True)
class LeagueRules(toy.OnlyEdition):
    """The only edition."""

    id: str = "league-2024"
    source: str = "Rules of the toy league"
    in_force_from: date = date(2024, 1, 1)
    points_a_game: int = 10
    first_rating: int = 1000
    largest_difference: int = 400
    listed_days: int = 366
    grown_up_age: int = 18
    freeze_days: int = 1
    derived_lists: tuple[DerivedList, ...] = (
        DerivedList("women", "Women", sex="W"),
        DerivedList("youth-a", "Youth A (up to 18)", oldest=18),
        DerivedList("youth-b", "Youth B (up to 16)", oldest=16),
        DerivedList("youth-c", "Youth C (up to 14)", oldest=14),
        DerivedList("youth-d", "Youth D (up to 12)", oldest=12),
        DerivedList("youth-e", "Youth E (up to 10)", oldest=10),
    )
    federation_ranking_size: int = 2

    def rank_federations(self, federation: Integers, rating: Integers) -> FederationColumns:
        """By the number of players."""
        totals = sorted(
            (-int((federation == one).sum()), one, int(rating[federation == one].sum()))
            for one in set(federation.tolist())
        )
        return FederationColumns(
            rank=toy.column(1 + sum(other < count for other, _, _ in totals) for count, _, _ in totals),
            federation=toy.column(one for _, one, _ in totals),
            players=toy.column(-count for count, _, _ in totals),
            total=toy.column(total for _, _, total in totals),
            mean_e4=toy.column(total * E4 // -count for count, _, total in totals),
        )

    def expected_e10(self, own: int, opponent: int) -> int:
        """We, exact."""
        difference = max(-self.largest_difference, min(self.largest_difference, own - opponent))
        return (500 + difference) * E10 // 1000

    def added_e10(self, own: int, opponent: int, points: int) -> int:
        """10 × (W − We) of one game, exact; `points` are 2, 1 or 0."""
        return self.points_a_game * (points * E10 // 2 - self.expected_e10(own, opponent))


RULES = LeagueRules()


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
    start: int = 0
    own_list: int = 0
    club: int = 0
    sum_e10: int = 0
    marks: int = 0
    born: int = 0


@dataclass(frozen=True)
class Game:
    game: int
    tournament: int
    day: int
    white: int
    black: int
    white_points: int
    black_points: int
    waited: bool
    """Of the report of an earlier list, which counted it for whom it did not wait."""


@dataclass(frozen=True)
class LeagueCalculation:
    rows: LeagueListColumns
    changes: LeagueChangeColumns
    held: ListColumns

    def anomalies(self) -> Iterator[FoundAnomaly]:
        return iter(())


@dataclass(frozen=True)
class LeagueInput:
    """Players rise by number; games are in the order of their tournaments.

    `lists` are the addresses of the lists that have ratings of players, with an empty one for no list.
    """

    closing: date
    players: Sequence[Player]
    games: Sequence[Game]
    tournament_count: int
    game_count: int
    lists: Words
    differences: Sequence[Any] = ()
    rules: LeagueRules = field(default=RULES)

    @property
    def player_count(self) -> int:
        return len(self.players)

    @property
    def played_game_count(self) -> int:
        return sum(not game.waited for game in self.games)

    def digest(self) -> str:
        return hashlib.sha256(
            repr((self.rules.id, self.closing, self.players, self.games, self.lists)).encode()
        ).hexdigest()

    def calculate(self) -> LeagueCalculation:
        players = {one.player: Player(**vars(one)) for one in self.players}
        start = {one.player: one.rating or one.start or self.rules.first_rating for one in self.players}
        added, won = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
        grown_up = self.closing.year - self.rules.grown_up_age
        newcomers = {
            one.player
            for one in self.players
            if not one.rating and not one.start and 0 < one.born <= grown_up
        }
        points_of = dict.fromkeys(newcomers, 0)
        for game in self.games:
            for own, points in ((game.white, game.white_points), (game.black, game.black_points)):
                if own in newcomers:
                    points_of[own] += points
        changes = []
        for game in self.games:
            for own, opponent, points, black in (
                (game.white, game.black, game.white_points, 0),
                (game.black, game.white, game.black_points, 1),
            ):
                player = players[own]
                if not player.register_number:
                    continue  # without a number: an opponent, and on no list
                if not points_of[own] if own in points_of else game.waited:
                    continue  # waits for a later list; has counted on an earlier one
                added_e10 = self.rules.added_e10(start[own], start[opponent], points)
                changes.append(
                    {
                        "player": own, "sequence": player.period_games, "tournament": game.tournament,
                        "game": game.game, "opponent": opponent, "black": black, "games": 1, "points": points,
                        "own": start[own], "own_list": player.own_list, "opponent_rating": start[opponent],
                        "expected_e10": self.rules.expected_e10(start[own], start[opponent]),
                        "added_e10": added_e10, "first_day": game.day, "last_day": game.day,
                    }
                )  # fmt: skip
                added[own] += added_e10
                won[own] += points == 2
                player.games += 1
                player.period_games += 1
                player.last_game = max(player.last_game, game.day)
        for player in players.values():
            if player.period_games:
                is_new, has_won = not player.previous, won[player.player] == player.period_games
                player.marks = MARKS.index(" ".join(["new"] * is_new + ["won"] * has_won))
            if player.rating or player.period_games:
                player.sum_e10 = start[player.player] * E10 + added[player.player]
                player.rating = start[player.player] + rounded(added[player.player], 10, 0)
        rated = [player for player in players.values() if player.rating and player.register_number]
        first = day_number(self.closing) - self.rules.listed_days
        listed = [player for player in rated if player.last_game >= first]
        held = [player for player in rated if player.last_game < first]
        in_order = sorted(changes, key=lambda change: (change["player"], change["sequence"]))
        return LeagueCalculation(_arranged(listed), _changes(in_order, self.lists), _arranged(held))


def opening_list(rules: LeagueRules, in_force: date, lines: Sequence[OpeningLine]) -> LeagueCalculation:
    players = [
        Player(line.player, line.register_number, line.rating, line.games, day_number(line.last_game))
        for line in lines
    ]
    return LeagueCalculation(_arranged(players), _changes([], ()), _arranged([]))


def arranged(rules: LeagueRules, closing: date, rows: Sequence[Any]) -> LeagueListColumns:
    return _arranged(
        Player(
            row.player_id,
            row.register_number,
            row.rating,
            row.games,
            day_number(row.last_game) if row.last_game else NO_DAY,
            club=int(row.club or 0),
            sum_e10=row.sum_e10 or 0,
            marks=MARKS.index(row.marks),
        )
        for row in rows
    )


def check_rows(
    _: Any, before: Mapping[int, PlayerStart], rows: Sequence[Any], changes: Mapping[int, Sequence[Any]]
) -> Iterator[RowDifference]:
    """A rating is that of the start, or where a newcomer starts, and the sum of what the games add, rounded once."""
    for row in rows:
        start, own = before[row.player_id], changes.get(row.player_id, ())
        added = rounded(sum(change.added_e10 for change in own), 10, 0)
        expected = (start.rating or (own[0].own_rating if own else RULES.first_rating)) + added
        if row.rating != expected:
            yield RowDifference(row.player_id, "rating", row.rating, expected)
        if row.games != start.games + len(own):
            yield RowDifference(row.player_id, "games", row.games, start.games + len(own))


def _changes(rows: Sequence[dict[str, int]], lists: Words) -> LeagueChangeColumns:
    *columns, _ = fields(LeagueChangeColumns)
    return LeagueChangeColumns(*(toy.column(row[one.name] for row in rows) for one in columns), lists)


def _arranged(players: Any) -> LeagueListColumns:
    rows = sorted(players, key=lambda player: (-player.rating, player.register_number))
    return LeagueListColumns(
        **toy.columns_of(rows),
        club=toy.column(row.club for row in rows),
        sum_e10=toy.column(row.sum_e10 for row in rows),
        marks=toy.column(row.marks for row in rows),
    )
