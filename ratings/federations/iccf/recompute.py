"""Recalculate the published ICCF rating lists from their published files alone.

    python recompute.py https://OFFICE/lists/iccf/2026-04-01/r1/   # loads this list and the ones it needs
    python recompute.py FOLDER                                     # FOLDER/iccf/2026-04-01/r1/figures.csv …

One file, Python 3.11 or later, nothing to install. It is written from the Working Rules (items 1 to 18), the rulings on
them (R90 to R94) and the description of the published files, player by player and game by game in exact fractions; it
shares nothing with the calculation of the rating office. What only the office knows (kinds and levels of tournaments,
when a result was registered) it takes as given, says so, and compares in what follows from
it: all players of a tournament without a rating have the same assumed one.

Exit status: 0 all the same, 1 something is different, 2 files are missing.
"""

import csv
import hashlib
import io
import math
import sys
import urllib.error
import urllib.request
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import cached_property
from itertools import groupby, zip_longest
from pathlib import Path

EDITION = "iccf-2009"
COLUMNS = {
    "figures.csv": (
        "iccf_id", "rating", "change", "period_games", "games", "method", "k", "formula_games", "opponents_sum",
        "points_sum", "rank", "last_game", "list", "previous_sha256",
    ),
    "calculation.csv": (
        "list", "in_force", "closing", "system", "edition", "players", "tournaments", "games", "sha256",
        "previous_sha256", "input_sha256",
    ),
    "lists-read.csv": ("list", "sha256", "use"),
    "tournaments.csv": (
        "code", "part", "name", "place", "country", "played_from", "played_to", "time_control",
        "minutes_for_60_moves", "development", "pool", "report_sha256", "ratings_of", "number",
    ),
    "games.csv": (
        "tournament", "round", "date", "white_id", "black_id", "result", "counted", "white_for_id", "black_for_id",
    ),
    "changes.csv": (
        "iccf_id", "tournament", "part", "round", "date", "colour", "opponent_id", "own", "own_from",
        "opponent_rating", "opponent_from", "k", "we", "w", "change", "method", "substitute",
    ),
    "differences.csv": (
        "iccf_id",
        *(
            f"{column}_{when}"
            for column in (
                "rating", "change", "period_games", "games", "method", "k", "formula_games", "opponents_sum",
                "points_sum", "last_game",
            )
            for when in ("before", "after")
        ),
    ),
    "merged.csv": ("order", "iccf_id", "surviving_iccf_id", "state", "rating_of", "rating", "games", "list"),
    "decisions.csv": ("tournament", "item", "value", "players"),
}  # fmt: skip
GIVEN = {
    "calculation.csv": "closing input_sha256",
    "tournaments.csv": (
        "name place country played_from played_to time_control minutes_for_60_moves number report_sha256"
    ),
    "games.csv": "round date white_id black_id result white_for_id black_for_id",
    "changes.csv": "date",
    "decisions.csv": "tournament item value players",
    "merged.csv": "iccf_id surviving_iccf_id state rating_of rating games list",
    "figures.csv": "last_game of a player with games, between their first days and the closing date",
    "figures.csv of an opening list": "iccf_id rating games last_game",
}
"""What no file proves: what was played, reported and decided, and where the ratings begin."""
NOT_READ = "list.csv list.json list.txt list.xlsx"

Row = dict[str, str]
Published = Mapping[str, Mapping[str, bytes]]  # iccf/2026-04-01/r1 → name → content
Where = tuple[str, ...]


# --- the arithmetic of items 3 to 9 and 14 to 17

DIFFERENCES = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
    202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589,
    677, 677,
)  # fmt: skip
"""Item 3: the difference of ratings for 50 to 100 percent."""
LEAST = (
    0, 4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114, 122, 130, 138, 146, 154, 163, 171, 180, 189,
    198, 207, 216, 226, 236, 246, 257, 268, 279, 291, 303, 316, 329, 345, 358, 375, 392, 412, 433, 457, 485, 518, 560,
    620,
)  # fmt: skip
"""Item 4: from which difference on the higher rated player expects 50, 51, … 99 percent."""
MOST = 350
"""Items 5 and 8: no opponent counts as further away (R90, R91)."""
FEW = 30
"""Items 14 to 16: with fewer games the rating is by formula 5 over all games ever."""


def half_up(value: Fraction) -> int:
    return math.floor(value + Fraction(1, 2))


def limited(own: int, opponent: int) -> int:
    return max(own - MOST, min(own + MOST, opponent))


def expected(own: int, opponent: int) -> Fraction:
    """We of item 4 with the difference of item 8 (R91)."""
    difference = own - limited(own, opponent)
    higher = Fraction(49 + bisect_right(LEAST, abs(difference)), 100)
    return higher if difference >= 0 else 1 - higher


def coefficient(rating: int, games: int) -> Fraction:
    """k = r · g of item 9, by rating and games of the list before (R91)."""
    r = 70 - Fraction(max(2000, min(2400, rating)), 40)
    return r * (Fraction(14, 10) - Fraction(max(30, min(80, games)), 200))


def performance(opponents: int, games: int, points: Fraction) -> int:
    """Rp = Rc + D(p) · F of item 5 from the sum of the opponents' limited ratings (R90, R92c)."""
    p = points / games
    difference = DIFFERENCES[half_up(100 * max(p, 1 - p)) - 50] * (1 if p >= Fraction(1, 2) else -1)
    return half_up(Fraction(opponents, games) + difference * (-2 * p * p + 2 * p + Fraction(1, 2)))


def decimals(value: Fraction, places: int) -> str:
    """A number as the files print it, halves away from zero."""
    size = half_up(abs(value) * 10**places)
    return f"{'-' if value < 0 and size else ''}{size // 10**places}.{size % 10**places:0{places}}"


# --- the files of one list

POINTS = {"0": Fraction(0), "0.5": Fraction(1, 2), "1": Fraction(1)}
COUNTED = {(True, True): "both", (True, False): "white", (False, True): "black", (False, False): "none"}


@dataclass(slots=True)
class Standing:
    """A row of a list, as later lists read it."""

    rating: int
    games: int


class Change:
    """A line of changes.csv. `event` is tournament and part."""

    def __init__(self, row: Row) -> None:
        self.row, self.number, self.opponent = row, row["iccf_id"], row["opponent_id"]
        self.event = (row["tournament"], row["part"])
        self.place = (row["tournament"], row["round"], row["colour"], row["w"])
        self.day, self.points = date.fromisoformat(row["date"]), POINTS[row["w"]]
        self.own, self.opponent_rating = int(row["own"]), int(row["opponent_rating"])
        self.is_of_player_replaced = row["substitute"] == "replaced"
        self.counts = (self.number, row["substitute"], self.opponent)


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a line of games.csv: tournament, round, colour and points; who finished the game, and who was replaced,
    empty for none; the same of the other side.
    """

    place: Where
    is_played: bool
    own: str
    replaced: str
    other: str
    other_replaced: str


@dataclass
class ListFiles:
    """The files of one published list, as tables."""

    address: str
    files: Mapping[str, bytes]

    def __post_init__(self) -> None:
        self.pool, day, revision = self.address.split("/")
        self.in_force, self.revision = date.fromisoformat(day), int(revision.removeprefix("r"))
        self.is_opening = "lists-read.csv" not in self.files
        self.before = f"{self.pool}/{day}/r{self.revision - 1}"

    def rows(self, name: str) -> Iterator[Row]:
        """The lines of a file, one after the other; none where the list does not have it."""
        return iter(csv.DictReader(io.StringIO(self.files.get(name, b"").decode(), newline="")))

    def header(self, name: str) -> list[str]:
        return next(csv.reader(io.StringIO(self.files[name].decode(), newline="")), [])

    @cached_property
    def figures(self) -> dict[str, Row]:
        return {row["iccf_id"]: row for row in self.rows("figures.csv")}

    @cached_property
    def standings(self) -> dict[str, Standing]:
        return {
            number: Standing(int(row["rating"]), int(row["games"])) for number, row in self.figures.items()
        }

    @cached_property
    def changes(self) -> list[Change]:
        return [Change(row) for row in self.rows("changes.csv")]

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.files["figures.csv"]).hexdigest()

    @cached_property
    def calculation(self) -> Row:
        return next(self.rows("calculation.csv"))

    @cached_property
    def read(self) -> list[str]:
        return [row["list"] for row in self.rows("lists-read.csv")]


@dataclass
class Comparison:
    """How many cells are the same, each difference, and how often what was taken as given."""

    address: str
    same: int = 0
    different: list[str] = field(default_factory=list)
    given: Counter[str] = field(default_factory=Counter)

    def expect(self, found: object, expected: object, *where: str) -> None:
        if found == expected:
            self.same += 1
        else:
            self.differ(f"published {found}, calculated {expected}", *where)

    def differ(self, what: str, *where: str) -> None:
        self.different.append(f"{self.address} {' '.join(where)}: {what}")

    def expect_lines(self, found: list[str], expected: list[str], name: str) -> None:
        """The lines of a file by what names them, in their order: the first difference is enough."""
        pairs = zip_longest(found, expected, fillvalue="no line")
        place, (one, other) = next(
            ((place, pair) for place, pair in enumerate(pairs, start=2) if pair[0] != pair[1]),
            (0, ("all", "all")),
        )
        self.expect(one, other, f"{name} line {place}")


@dataclass(slots=True)
class Sums:
    """What all games ever of a player add up to: how many, limited ratings of the opponents, points."""

    games: int = 0
    opponents: int = 0
    points: Fraction = Fraction(0)

    def add(self, games: int, opponents: int, points: Fraction) -> None:
        self.games, self.opponents, self.points = (
            self.games + games,
            self.opponents + opponents,
            self.points + points,
        )


class ListsRead:
    """The published lists that ratings and earlier games are taken from, read with the merges of a list (R24)."""

    def __init__(self, lists: Mapping[str, ListFiles], files: ListFiles) -> None:
        self.lists = [lists[address] for address in files.read]
        self.days = [one.in_force for one in self.lists]
        merged = list(files.rows("merged.csv"))
        self.surviving = {
            row["iccf_id"]: row["surviving_iccf_id"] for row in merged if row["state"] == "merged"
        }
        self.undone = {
            row[name]
            for row in merged
            if row["state"] == "undone"
            for name in ("iccf_id", "surviving_iccf_id")
        }
        self.standings = [self._standings(one) for one in self.lists]

    def survivor(self, number: str) -> str:
        while number in self.surviving:
            number = self.surviving[number]
        return number

    def _standings(self, files: ListFiles) -> dict[str, Standing]:
        """Of several records of a person the rating of the surviving one, else of the first merged; games of all."""
        read = dict(files.standings)
        for duplicate, surviving in self.surviving.items():
            merged, other = read.pop(duplicate, None), read.get(surviving)
            if merged and other:
                merged = Standing(other.rating, other.games + merged.games)
            if merged:
                read[surviving] = merged
        return read

    def on(self, number: str, day: date) -> Standing | None:
        """The row of the newest list on a day; before the earliest one, of that (R91)."""
        return self.standings[max(bisect_right(self.days, day) - 1, 0)].get(number)

    @cached_property
    def past(self) -> defaultdict[str, Sums]:
        """All games ever: an opening rating is so many draws against itself (R92a)."""
        found: defaultdict[str, Sums] = defaultdict(Sums)
        for files in self.lists:
            for change in files.changes:
                found[self.survivor(change.number)].add(
                    1, limited(change.own, change.opponent_rating), change.points
                )
            for number, standing in files.standings.items() if files.is_opening else ():
                found[self.survivor(number)].add(
                    standing.games, standing.games * standing.rating, Fraction(standing.games, 2)
                )
        return found


# --- one list


class Recalculation:
    """A list from the files of itself and of those it names."""

    def __init__(self, lists: Mapping[str, ListFiles], files: ListFiles, found: Comparison) -> None:
        self.files, self.found, self.expect = files, found, found.expect
        self.read = ListsRead(lists, files)
        if not self.read.lists:
            raise ValueError("lists-read.csv names no list")
        self.before = self.read.standings[-1]
        self.shown = self.read.lists[-1].standings
        self.changes = {
            number: list(changes) for number, changes in groupby(files.changes, key=lambda one: one.number)
        }
        self.levels: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        self.added: defaultdict[str, Fraction] = defaultdict(Fraction)

    def compare(self) -> None:
        self._compare_order()
        for number in self.changes:
            self.expect(number in self.files.figures, True, "changes.csv", number, "is on the list")
        for change in self.files.changes:
            self._compare_change(change)
        for event, levels in self.levels.items():
            self.found.given["assumed ratings of tournaments"] += 1
            self.expect(len(levels), 1, "changes.csv different assumed ratings:", *event)
        self._compare_games()
        listed = {*self.before, *self.changes} - self.read.undone
        self.expect(
            sorted(self.files.figures.keys() - self.read.undone), sorted(listed), "figures.csv players"
        )
        for number, row in self.files.figures.items():
            self._compare_row(number, row, self.changes.get(number, []))

    def _compare_order(self) -> None:
        """By number, tournament number, part, round; every change is of a tournament of the list."""
        events = {
            (row["code"], row["part"]): int(row["number"]) for row in self.files.rows("tournaments.csv")
        }

        def place(change: Change) -> tuple[int, ...]:
            part, in_round = int(change.row["part"]), int(change.row["round"])
            return int(change.number), events[change.event], part, in_round

        printed, in_order = (
            [f"{change.number} {' '.join(change.event)} {change.row['round']}" for change in table]
            for table in (self.files.changes, sorted(self.files.changes, key=place))
        )
        self.found.expect_lines(printed, in_order, "changes.csv")

    def _compare_change(self, change: Change) -> None:
        """Both ratings by the day the game began (items 8, 11); by formula 6 k, We and the change (items 6 to 9)."""
        line, where = change.row, ("changes.csv", change.number, *change.event, change.row["round"])
        for number, rating, name in (
            (change.number, change.own, "own"),
            (change.opponent, change.opponent_rating, "opponent"),
        ):
            standing = self.read.on(number, change.day) if number else None
            source = line[f"{name}_from"]
            if number not in self.read.undone:
                self.expect(source, "list" if standing else "assumed", *where, f"{name}_from")
            if standing is None:
                self.levels[change.event].add(rating)
            else:
                self.expect(rating, standing.rating, *where, name)
        start = self.before.get(change.number, Standing(0, 0))
        k = coefficient(start.rating, start.games)
        method = self._method(change.number)
        self.expect(line["method"], method, *where, "method")
        if method != "6":
            self.expect((line["k"], line["we"], line["change"]), ("", "", ""), *where, "k, we, change")
            return
        we = expected(change.own, change.opponent_rating)
        self.expect(line["k"], decimals(k, 6), *where, "k")
        self.expect(line["we"], decimals(we, 2), *where, "we")
        added = k * (change.points - we)
        self.added[change.number] += added
        self.expect(line["change"], decimals(added, 4), *where, "change")

    def _method(self, number: str) -> str:
        """Items 14 to 16 (R92)."""
        start, games = self.before.get(number, Standing(0, 0)), len(self.changes.get(number, ()))
        if not games:
            return ""
        if start.games < FEW:
            return "5-all"
        return "5-period" if games * coefficient(start.rating, start.games) > 800 else "6"

    def _compare_games(self) -> None:
        """Each change has its game, and `counted` says for whom there is one (item 18)."""
        lines: defaultdict[tuple[str, ...], list[Change]] = defaultdict(list)
        for change in self.files.changes:
            lines[change.place].append(change)
        games = list(self.files.rows("games.csv"))
        sides = [side for game in games for side in self._sides(game)]
        of_side: list[Change | None] = [None] * len(sides)
        # Of several games of the same players each has the line that fits it best.
        for fits in (self._is_as_expected, self._is_of):
            for number, side in enumerate(sides):
                if of_side[number] is None and side.is_played:
                    line = next((one for one in lines[side.place] if fits(side, one)), None)
                    if line is not None:
                        lines[side.place].remove(line)
                        of_side[number] = line
        for number, game in enumerate(games):
            where = ("games.csv", game["tournament"], game["round"], f"{game['white_id']}-{game['black_id']}")
            pair = of_side[2 * number : 2 * number + 2]
            self.expect(game["counted"], COUNTED[pair[0] is not None, pair[1] is not None], *where, "counted")
            for side, line in zip(sides[2 * number : 2 * number + 2], pair, strict=True):
                self._compare_side(side, line, where)
        for left in (one for of_place in lines.values() for one in of_place):
            self.found.differ("no such game", "changes.csv", left.number, *left.event)
        played = sum("-" in game["result"] for game in games)
        self.expect(self.files.calculation["games"], str(played), "calculation.csv games")
        events = {row["code"] for row in self.files.rows("tournaments.csv")}
        for game in games:
            self.expect(
                game["tournament"] in events, True, "games.csv", game["tournament"], "is a tournament"
            )

    def _sides(self, game: Row) -> Iterator[Side]:
        """White and Black of a game, each with the player replaced and those of the other side."""
        white, black = (
            tuple(self.read.survivor(game[f"{colour}{who}_id"]) for who in ("", "_for"))
            for colour in ("white", "black")
        )
        points = game["result"].replace("x", "-").split("-")
        for colour, own, other, scored in (("w", white, black, points[0]), ("b", black, white, points[1])):
            place = (game["tournament"], game["round"], colour, scored)
            yield Side(place, "-" in game["result"], *own, *other)

    def _is_of(self, side: Side, line: Change) -> bool:
        own = side.replaced if line.is_of_player_replaced else side.own
        return line.number == own and line.opponent in {side.other, side.other_replaced or side.other}

    def _is_as_expected(self, side: Side, line: Change) -> bool:
        return self._is_of(side, line) and self._expected(side, line) in (None, line.counts)

    def _expected(self, side: Side, line: Change) -> tuple[str, str, str] | None:
        """For whom a game begun on the day of a line counts, with the word of it, and against whom (item 18, R94).

        None where a rating is assumed that no line of the tournament has, or is that of an undone merge.
        """
        if not side.replaced and not side.other_replaced:
            return side.own, "", side.other
        numbers = {side.own, side.other, side.other_replaced or side.other}
        ratings = {number: self._rating(line, number) for number in numbers - self.read.undone}
        rating = {number: found for number, found in ratings.items() if found is not None}
        if rating.keys() != numbers:
            return None
        other = side.other
        if side.other_replaced and rating[side.other_replaced] > rating[side.other]:
            other = side.other_replaced
        if not side.replaced:
            return side.own, "", other
        is_gain = line.points > expected(rating[side.own], rating[other])
        return (side.own, "substitute", other) if is_gain else (side.replaced, "replaced", other)

    def _compare_side(self, side: Side, line: Change | None, where: Where) -> None:
        """Item 18; players with a number and a game are on the list."""
        if line is not None:
            counts = self._expected(side, line)
            if counts is None:
                self.found.given["games of substitutes"] += 1
            else:
                self.expect(line.counts, counts, *where, f"{line.number} counts, against")
        elif side.is_played and side.own != side.other:
            is_listed = [number in self.files.figures for number in (side.own, side.replaced) if number]
            is_missing = bool(is_listed) and all(is_listed) and bool(side.own)
            self.expect(is_missing, False, *where, f"game of {side.own} is missing")

    def _rating(self, line: Change, number: str) -> int | None:
        """Of a player on the day a game began: that of the list, else the assumed one, if the files have it."""
        standing = self.read.on(number, line.day) if number else None
        return standing.rating if standing else min(self.levels.get(line.event, ()), default=None)

    def _compare_row(self, number: str, row: Row, changes: Sequence[Change]) -> None:
        where = ("figures.csv", number)
        start, shown = self.before.get(number), self.shown.get(number)
        self.expect(row["period_games"], str(len(changes)), *where, "period_games")
        last = [change.row["date"] for change in changes]
        if last:
            is_possible = max(last) <= row["last_game"] <= self.files.in_force.isoformat()
            self.expect(is_possible, True, *where, "last_game")
        elif number not in self.read.surviving.values() and number not in self.read.undone:
            earlier = self.read.lists[-1].figures.get(number, {})
            self.expect(row["last_game"], earlier.get("last_game"), *where, "last_game")
        self.expect(row["change"], str(int(row["rating"]) - shown.rating) if shown else "", *where, "change")
        if number in self.read.undone:
            self.found.given["players of undone merges"] += 1
            return
        begun = start or Standing(0, 0)
        method, k = self._method(number), coefficient(begun.rating, begun.games)
        self.expect(row["games"], str(begun.games + len(changes)), *where, "games")
        self.expect(row["method"], method, *where, "method")
        self.expect(row["k"], decimals(k, 6) if method in ("5-period", "6") else "", *where, "k")
        sums, rating = None, begun.rating
        if method.startswith("5"):
            sums = Sums()
            for change in changes:
                sums.add(1, limited(change.own, change.opponent_rating), change.points)
            if method == "5-all":
                past = self.read.past[number]
                sums.add(past.games, past.opponents, past.points)
            rating = performance(sums.opponents, sums.games, sums.points)
        elif method:
            rating = half_up(begun.rating + self.added[number])
        self.expect(row["rating"], str(rating), *where, "rating")
        cells = ("", "", "")
        if sums:
            halves = int(2 * sums.points)
            cells = str(sums.games), str(sums.opponents), f"{halves // 2}{'.5' * (halves % 2)}"
        for column, cell in zip(("formula_games", "opponents_sum", "points_sum"), cells, strict=True):
            self.expect(row[column], cell, *where, column)


# --- all lists


class MissingFilesError(Exception):
    """A list needs another one, or a file of its own, that is not there."""


@dataclass
class Result:
    """What came out for each list: address → cells that are the same; each difference; what was taken as given."""

    same: dict[str, int]
    different: list[str]
    given: list[str]


def recompute(published: Published, only: str | None = None) -> Result:
    """Recalculate all these lists, or one of them. Raises MissingFilesError."""
    lists = {address: ListFiles(address, files) for address, files in published.items()}
    result = Result({}, [], [])
    for address in sorted(lists) if only is None else [only]:
        files = lists[address]
        if missing := needed_by(files) - lists.keys():
            raise MissingFilesError(f"{address} needs {', '.join(sorted(missing))}")
        found = Comparison(address)
        try:
            compare(lists, files, found)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            found.different.append(f"{address} cannot be calculated: {type(error).__name__}: {error}")
        result.same[address] = found.same
        result.different += found.different
        result.given += [f"{address} {what}: {count}" for what, count in sorted(found.given.items())]
    return result


def needed_by(files: ListFiles) -> set[str]:
    """The addresses of the lists that a list is read from; of a revision also the one it replaced."""
    return {*files.read, *([files.before] if files.revision > 1 else [])}


def compare(lists: Mapping[str, ListFiles], files: ListFiles, found: Comparison) -> None:
    """Every cell of the files of a list but those in GIVEN."""
    compare_columns(files, found)
    compare_order(files, found)
    compare_calculation(lists, files, found)
    if files.is_opening:
        empty = dict.fromkeys(("change", "method", "k", "formula_games", "opponents_sum", "points_sum"), "")
        for number, row in files.figures.items():
            for column, cell in (empty | {"period_games": "0"}).items():
                found.expect(row[column], cell, "figures.csv", number, column)
        return
    compare_lists_read(lists, files, found)
    compare_tournaments(files, found)
    Recalculation(lists, files, found).compare()
    if files.revision > 1:
        compare_differences(lists[files.before], files, found)


def compare_columns(files: ListFiles, found: Comparison) -> None:
    """Which files the list has, and their first lines."""
    names = {"figures.csv", "calculation.csv", "tournaments.csv", "games.csv", "changes.csv"}
    if not files.is_opening:
        names |= {"lists-read.csv"} | ({"merged.csv", "decisions.csv"} & files.files.keys())
        names |= {"differences.csv"} if files.revision > 1 else set()
    found.expect(sorted(COLUMNS.keys() & files.files.keys()), sorted(names), "files")
    for name in sorted(COLUMNS.keys() & files.files.keys()):
        found.expect_lines(files.header(name), list(COLUMNS[name]), f"{name} columns,")


def compare_order(files: ListFiles, found: Comparison) -> None:
    """The order of figures.csv, ranks, and the chain on its first line."""
    numbers = [row["iccf_id"] for row in files.rows("figures.csv")]
    order = sorted(files.figures.values(), key=lambda row: (-int(row["rating"]), int(row["iccf_id"])))
    found.expect_lines(numbers, [row["iccf_id"] for row in order], "figures.csv")
    ranks: dict[str, int] = {}
    for place, row in enumerate(order, start=1):
        first = place == 1
        for column, cell in (
            ("rank", str(ranks.setdefault(row["rating"], place))),
            ("list", f"{files.pool}/{files.in_force}" if first else ""),
            ("previous_sha256", files.calculation["previous_sha256"] if first else ""),
        ):
            found.expect(row[column], cell, "figures.csv", row["iccf_id"], column)


def compare_calculation(lists: Mapping[str, ListFiles], files: ListFiles, found: Comparison) -> None:
    """The line of calculation.csv. An opening list has no list before it, and no digest of inputs."""
    cells = {
        "list": files.address,
        "in_force": files.in_force.isoformat(),
        "system": "iccf",
        "edition": EDITION,
        "players": str(len(files.figures)),
        "tournaments": str(len({event["code"] for event in files.rows("tournaments.csv")})),
        "sha256": files.sha256,
        "previous_sha256": lists[files.read[-1]].sha256 if files.read else "",
    }
    cells |= {"input_sha256": ""} if files.is_opening else {}
    found.expect(len(list(files.rows("calculation.csv"))), 1, "calculation.csv lines")
    for column, value in cells.items():
        found.expect(files.calculation[column], value, "calculation.csv", column)
    closing = date.fromisoformat(files.calculation["closing"])
    found.expect(closing < files.in_force, True, "calculation.csv closing before in_force")


def compare_lists_read(lists: Mapping[str, ListFiles], files: ListFiles, found: Comparison) -> None:
    """The digests; one revision of each list since the opening list, oldest first."""
    for line in files.rows("lists-read.csv"):
        other = lists[line["list"]]
        where = ("lists-read.csv", other.address)
        found.expect(line["sha256"], other.sha256, *where, "sha256")
        found.expect(line["use"], "read", *where, "use")
        found.expect(other.in_force < files.in_force, True, *where, "is older")
    days = [str(lists[address].in_force) for address in files.read]
    before = lists[files.read[-1]]
    since = [str(lists[address].in_force) for address in [*before.read, before.address]]
    found.expect(days, since, "lists-read.csv read")


def compare_tournaments(files: ListFiles, found: Comparison) -> None:
    """Columns that are the same for all reports of correspondence games."""
    for row in files.rows("tournaments.csv"):
        for column, cell in {"pool": files.pool, "ratings_of": "", "development": "100"}.items():
            found.expect(row[column], cell, "tournaments.csv", row["code"], row["part"], column)


def compare_differences(replaced: ListFiles, files: ListFiles, found: Comparison) -> None:
    """What a revision changed in the list it replaced, by number."""
    columns = [column.removesuffix("_before") for column in COLUMNS["differences.csv"][1::2]]
    lines = {}
    for number in sorted({*replaced.figures, *files.figures}, key=int):
        before, after = replaced.figures.get(number, {}), files.figures.get(number, {})
        if [before.get(column) for column in columns] != [after.get(column) for column in columns]:
            lines[number] = {
                f"{column}_{when}": row.get(column, "")
                for column in columns
                for when, row in (("before", before), ("after", after))
            }
    printed = list(files.rows("differences.csv"))
    found.expect_lines([line["iccf_id"] for line in printed], list(lines), "differences.csv")
    for line in printed:
        for column, cell in lines.get(line["iccf_id"], {}).items():
            found.expect(line[column], cell, "differences.csv", line["iccf_id"], column)


def read_folder(folder: Path) -> Published:
    """All lists in a folder, in folders as in their addresses, with or without the last one, `files`."""
    published: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
    for file in (*folder.glob("*/*/r*/*.csv"), *folder.glob("*/*/r*/files/*.csv")):
        published["/".join(file.relative_to(folder).parts[:3])][file.name] = file.read_bytes()
    if not published:
        raise MissingFilesError(f"no lists in {folder}: put files into folders like iccf/2026-04-01/r1")
    return published


def load(address: str, get: Callable[[str], bytes | None]) -> Published:
    """The list at an address and those that it needs, by `get`, which gives None for a file that does not exist."""
    root, slash, newest = address.rstrip("/").rpartition("/lists/")
    published: dict[str, dict[str, bytes]] = {}
    waiting = [newest]
    while waiting:
        name = waiting.pop()
        if name not in published:
            found = {file: get(f"{root}{slash}{name}/files/{file}") for file in COLUMNS}
            if found["figures.csv"] is None:
                raise MissingFilesError(f"no list at {root}{slash}{name}/")
            published[name] = {file: content for file, content in found.items() if content is not None}
            waiting += needed_by(ListFiles(name, published[name])) if name == newest else ()
    return published


def download(address: str) -> bytes | None:
    """The file at an address; None where there is none."""
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 (the reader gave the address)
            content: bytes = answer.read()
            return content
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise


def main(argument: str) -> int:
    try:
        if argument.startswith(("https://", "http://")):
            published = load(argument, download)
            result = recompute(published, argument.rstrip("/").rpartition("/lists/")[2])
        else:
            result = recompute(read_folder(Path(argument)))
    except MissingFilesError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for address, same in result.same.items():
        different = sum(line.startswith(f"{address} ") for line in result.different)
        sys.stdout.write(f"{address}: {same} figures the same, {different} different\n")
    sys.stdout.write("".join(f"{line}\n" for line in result.different))
    total = sum(result.same.values())
    sys.stdout.write(
        f"{len(result.same)} lists: {total} figures the same, {len(result.different)} different\n"
    )
    given = [f"{name}: {columns}" for name, columns in GIVEN.items()]
    sys.stdout.write("\n  ".join(["Taken as given:", *given, *result.given]) + "\n")
    sys.stdout.write(f"Not read: {NOT_READ}.\n")
    return 1 if result.different else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} ADDRESS-OF-A-LIST | FOLDER")
    sys.exit(main(sys.argv[1]))
