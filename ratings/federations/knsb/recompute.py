"""Recalculate the published KNSB rating lists from their published files alone.

    python recompute.py https://OFFICE/lists/knsb-rapid/2026-04-01/r1/   # loads this list and the ones it needs
    python recompute.py FOLDER                                           # FOLDER/knsb-rapid/2026-04-01/r1/figures.csv …

One file, Python 3.11 or later, nothing to install. It is written from the Rekenregels of 1 October 2024, the rulings on
them (R80 to R84f) and the description of the published files, player by player and game by game; it shares nothing with
the calculation of the rating office. What only the office knows (members, years of birth, federations, held players,
FIDE's figures, planned days of rounds) it takes as given, says so, and compares in what follows from it: a player who
is a youth player in one game and an adult in another of the same year is a difference.

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
from calendar import monthrange
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, cached_property
from itertools import chain, groupby, zip_longest
from pathlib import Path

EDITION = "knsb-2024-10"
ORDER = {
    "knsb-klassiek": ("knsb-klassiek", "fide-klassiek"),
    "knsb-rapid": ("knsb-rapid", "knsb-klassiek", "fide-klassiek", "fide-rapid"),
    "knsb-blitz": ("knsb-blitz", "knsb-klassiek", "fide-klassiek", "fide-blitz"),
}
"""Art. 4: of which lists a rating is taken, the first one that has the player."""
COLUMNS = {
    "figures.csv": (
        "knsb_id", "rating", "change", "period_games", "games", "n_v", "r_i", "r_i_from", "sum", "bonus", "lpr",
        "limit", "rank", "last_game", "list", "previous_sha256",
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
    "games.csv": ("tournament", "round", "date", "white_id", "black_id", "result", "counted"),
    "changes.csv": (
        "knsb_id", "tournament", "part", "round", "date", "calculation_date", "colour", "opponent_id", "own",
        "own_from", "own_list", "opponent_rating", "opponent_from", "opponent_list", "n_v", "k", "we", "w", "change",
        "waited",
    ),
    "differences.csv": (
        "knsb_id",
        *(
            f"{column}_{when}"
            for column in (
                "rating", "change", "period_games", "games", "n_v", "r_i", "r_i_from", "sum", "bonus", "lpr", "limit",
                "last_game",
            )
            for when in ("before", "after")
        ),
    ),
    "merged.csv": ("order", "knsb_id", "surviving_knsb_id", "state", "rating_of", "rating", "games", "list"),
    "decisions.csv": ("tournament", "item", "value", "players"),
    "values.csv": ("age", "points"),
}  # fmt: skip
GIVEN = {
    "calculation.csv": "closing input_sha256",
    "tournaments.csv": (
        "name place country played_from played_to time_control minutes_for_60_moves number report_sha256"
    ),
    "games.csv": "round date white_id black_id result",
    "changes.csv": "calculation_date of a round that was planned for another day",
    "lists-read.csv": "sources and memberships",
    "decisions.csv": "tournament item value players",
    "values.csv": "age points",
    "merged.csv": "knsb_id surviving_knsb_id state rating_of rating games list",
    "figures.csv of an opening list": "knsb_id rating games n_v last_game",
}
"""What no file proves: what was played, reported and decided, and where the ratings begin."""
NOT_READ = "list.csv list.json list.txt list.xlsx"

Row = dict[str, str]
Published = Mapping[str, Mapping[str, bytes]]  # knsb-rapid/2026-04-01/r1 → name → content


# --- the arithmetic of art. 3, 7 and 9.2

E4, E6, E10 = 10**4, 10**6, 10**10
HALF = Fraction(1, 2)
SLOPE = 7 / 2000 / math.sqrt(2)
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


def half_up(value: Fraction) -> int:
    return math.floor(value + HALF)


def quotient(numerator: int, denominator: int) -> int:
    """The nearest whole number, halves away from zero."""
    nearest = (2 * abs(numerator) + denominator) // (2 * denominator)
    return nearest if numerator >= 0 else -nearest


def decimals(value: int, places: int) -> str:
    """A number times ten to the `places`, as the files print it."""
    sign, size = "-" if value < 0 else "", abs(value)
    return f"{sign}{size // 10**places}.{size % 10**places:0{places}}"


@cache
def normal(difference: Fraction) -> Decimal:
    """Φ of a difference of ratings, the standard deviation 2000/7, to more than 30 decimals (art. 3)."""
    if difference < 0:
        return 1 - normal(-difference)
    if difference > 4000:
        return Decimal(1)
    with localcontext() as context:
        context.prec = 130  # at 14 deviations the terms grow to 10^42 before they fall
        z = Decimal(difference.numerator * 7) / (difference.denominator * 2000)
        term = total = z
        n = 0
        while abs(term) > Decimal("1e-60"):
            n += 1
            term = -term * z * z / (2 * n)
            total += term / (2 * n + 1)
        return Decimal("0.5") + total / (2 * PI).sqrt()


@cache
def expected_e10(difference: int) -> int:
    """We × 10¹⁰, rounded half up for the higher rated; the other has the rest (R80)."""
    if difference < 0:
        return E10 - expected_e10(-difference)
    with localcontext() as context:
        context.prec = 60
        return half_up(Fraction(normal(Fraction(difference)) * E10))


@cache
def change_of(difference: int, k: str, points: int) -> tuple[str, bool, int, str]:
    """Of a game with points in halves: We and the change as files print them; between, whether the points are fewer
    than expected, and the change × 10¹⁰, halves away from zero (R81h).
    """
    expected = expected_e10(difference)
    more = points * E10 // 2 - expected
    added = quotient(int(k.replace(".", "")) * more, E6)
    return decimals(expected, 10), more < 0, added, decimals(quotient(added, E6), 4)


Played = Sequence[tuple[Fraction | int, int]]  # rating of the opponent, points in halves


def performance(played: Played, places: int) -> int:
    """The rating at which the expected points are those made, half up, times ten to the `places` (art. 9.2, R82a).

    Found by Newton's method; near a half its side is calculated to 30 decimals. Raises ValueError unless
    the points are more than none and less than all.
    """
    points = sum(points for _, points in played)
    if not 0 < points < 2 * len(played):
        raise ValueError(f"{points} half points of {len(played)} games have no performance")
    met = [
        (float(opponent), times) for opponent, times in Counter(opponent for opponent, _ in played).items()
    ]
    score, low, high = points / 2, min(met)[0] - 4000, max(met)[0] + 4000
    rating = sum(opponent * times for opponent, times in met) / len(played)
    for _ in range(200):
        missing = score - sum(times * 0.5 * math.erfc((opponent - rating) * SLOPE) for opponent, times in met)
        low, high = (rating, high) if missing > 0 else (low, rating)
        growth = sum(times * math.exp(-(((opponent - rating) * SLOPE) ** 2)) for opponent, times in met)
        slope = growth * SLOPE / math.sqrt(math.pi)
        step = missing / slope if slope else math.inf
        following = rating + step if low < rating + step < high else (low + high) / 2
        if abs(following - rating) < 1e-9:
            break
        rating = following
    unit: int = 10**places
    found = math.floor(rating * unit + 0.5)
    inexact = 1e-8 + 1e-12 * len(played) / slope if slope else math.inf
    if unit * inexact < 0.5 - abs(rating * unit - found):
        return found
    while surplus(played, points, Fraction(2 * found - 1, 2 * unit)) > 0:
        found -= 1
    while surplus(played, points, Fraction(2 * found + 1, 2 * unit)) <= 0:
        found += 1
    return found


def surplus(played: Played, points: int, rating: Fraction) -> int:
    """Whether a rating expects more points, in halves, than were made: 1, 0 or -1."""
    with localcontext() as context:
        context.prec = 60
        exact = sum((normal(rating - opponent) for opponent, _ in played), Decimal(0)) - Decimal(points) / 2
    return 0 if abs(exact) < Decimal("1e-30") else 1 if exact > 0 else -1


def list_performance(played: Played, own_of_last: int) -> int:
    """The LPR times 1000: with all or no points one fictitious draw against the own rating of the last game."""
    extreme = sum(points for _, points in played) in (0, 2 * len(played))
    return performance([*played, *[(own_of_last, 1)] * extreme], 3)


@cache
def tournament_performances(
    played: tuple[tuple[int, int], ...], tempo: str
) -> frozenset[tuple[int, bool | None]]:
    """What the TLPR of a player can be, with whether that is for youth players (art. 6.2 to 6.4, R83).

    `tempo` is that of the pool; None is for both. Nothing with fewer than three games.
    """
    count = len(played)
    if count < 3:
        return frozenset()
    draws = max(6 - count, 0) or int(sum(points for _, points in played) in (0, 2 * count))
    mean = Fraction(sum(opponent for opponent, _ in played), count)
    ages = range(500, 1201, 100) if tempo == "rapid" else ()
    found: set[tuple[int, bool | None]] = set()
    for against, is_youth in [(mean, False), *((Fraction(age), True) for age in ages)]:
        rating = performance([*played, *[(against, 1)] * draws], 0)
        found.add((max(rating, 400 if is_youth else 1200), is_youth if tempo == "rapid" else None))
    return frozenset(found)


@cache
def cases_of_k(
    k: str, n_v: str, own: int, *, is_fide: bool, may_be_halved: bool, is_known: bool
) -> tuple[Collection[str], frozenset[bool | None], frozenset[bool | None]]:
    """What k can be, as files print it, and whether the player and the opponent are youth players, by the one printed.

    It is halved where an adult loses points to a youth player with less than 100 games (art. 7.1); where that N_v
    `is_known`, k says of an opponent of an adult whether they are one.
    """
    rests_on = Fraction(n_v)
    if is_fide:
        rests_on = min(N_V_OF_FIDE, key=lambda known: abs(known - rests_on))  # printed with four decimals
    options: list[tuple[int, bool, bool | None]] = [
        (factor_e6(rests_on, own, youth=True), True, None),
        (factor_e6(rests_on, own, youth=False), False, False if may_be_halved and is_known else None),
    ]
    if may_be_halved:
        options.append((factor_e6(rests_on, own, youth=False, halved=True), False, True))
    texts = [decimals(found, 6) for found, _, _ in options]
    fitting = [option for text, option in zip(texts, options, strict=True) if text == k]
    return texts, frozenset(youth for _, youth, _ in fitting), frozenset(youth for _, _, youth in fitting)


def factor_e6(n_v: Fraction, own: int, *, youth: bool, halved: bool = False) -> int:
    """k × 10⁶, rounded half up (art. 7, R81h)."""
    if n_v < (30 if youth else 75):
        # The root of so much is twice the number; the nearest whole one to a half of its own whole part is k.
        square = (1 if halved else 4) * 216**2 * E6**2 * n_v.denominator // n_v.numerator
        return (math.isqrt(square) + 1) // 2
    top, slope = (40 * E6, E6 // 10) if youth else (25 * E6, E6 // 20)
    k = max(top - slope * max(own - 2100, 0), 10 * E6)
    return (k + 1) // 2 if halved else k


N_V_OF_FIDE = [min(Fraction(1000, k), Fraction(100)) for k in range(1, 41)]
"""1000/K (art. 7.1)."""
PRINTED_N_V_OF_FIDE = [decimals(half_up(one * E4), 4) for one in N_V_OF_FIDE]
WHOLE_N_V = [f"{whole}.0000" for whole in range(1, 101)]


def months_before(day: date, months: int) -> date:
    """The same day of an earlier month, or its last one."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def start_rating(played: Played) -> int:
    """R_s: the mean rating of the opponents, and 400 × (2W/N − 1), half up (art. 5.1 b, R81c)."""
    opponents, points = (sum(column) for column in zip(*played, strict=True))
    return half_up(Fraction(opponents + 400 * points, len(played)) - 400)


def limited(r_i: int, total: Fraction, lpr: Fraction) -> tuple[Fraction, str]:
    """R_i and the sum, limited by the LPR, with the article that changed it (art. 9.2.1, 9.2.2, R82a)."""
    figure = r_i + total
    if total > 0 and r_i < lpr:
        found, article = min(figure, lpr + 20), "9.2.1"
    elif total < 0 and r_i > lpr:
        found, article = max(figure, lpr - 20), "9.2.1"
    else:
        found = r_i + max(min(total, Fraction(20)), Fraction(-20))
        article = "9.2.1" if r_i == lpr else "9.2.2"
    return found, article if found != figure else ""


def fallen(n_v: int, last_game: date | None, after: date, until: date) -> int:
    """N_v without ten for each anniversary of the last game from the fifth on, to no less than 9 (art. 10, R84)."""
    years = range(5, until.year - last_game.year + 1) if last_game else ()
    falls = sum(after < months_before(last_game, -12 * year) <= until for year in years if last_game)
    return max(n_v - 10 * falls, min(n_v, 9))


# --- the files of one list

POINTS = {"0": 0, "0.5": 1, "1": 2}  # in halves
COUNTED = {(True, True): "both", (True, False): "white", (False, True): "black", (False, False): "none"}


@dataclass(slots=True)
class Standing:
    """A row of a list, as later lists read it."""

    rating: int
    games: int
    n_v: int
    last_game: date | None


class Change:
    """A line of changes.csv. `game` is tournament, part and round."""

    def __init__(self, row: Row) -> None:
        self.row, self.number, self.opponent = row, row["knsb_id"], row["opponent_id"]
        self.game = (row["tournament"], row["part"], row["round"])
        self.calculated = date.fromisoformat(row["calculation_date"])
        self.own, self.opponent_rating = int(row["own"]), int(row["opponent_rating"])
        self.points, self.waited = POINTS[row["w"]], row["waited"] != "0"
        self.has_start_rating = row["own_from"] in ("5.1a", "5.1b")


@dataclass
class ListFiles:
    """The files of one published list, as tables."""

    address: str
    files: Mapping[str, bytes]

    def __post_init__(self) -> None:
        self.pool, day, revision = self.address.split("/")
        self.in_force, self.revision = date.fromisoformat(day), int(revision.removeprefix("r"))
        self.is_opening = "lists-read.csv" not in self.files
        self.tempo = self.pool.removeprefix("knsb-")
        self.before = f"{self.pool}/{day}/r{self.revision - 1}"

    def rows(self, name: str) -> Iterator[Row]:
        """The lines of a file, one after the other; none where the list does not have it."""
        lines = csv.reader(io.StringIO(self.files.get(name, b"").decode(), newline=""))
        header = next(lines, [])
        return (dict(zip(header, line, strict=True)) for line in lines if line)

    def header(self, name: str) -> list[str]:
        return next(csv.reader(io.StringIO(self.files[name].decode(), newline="")), [])

    @cached_property
    def figures(self) -> dict[str, Row]:
        return {row["knsb_id"]: row for row in self.rows("figures.csv")}

    @cached_property
    def standings(self) -> dict[str, Standing]:
        found = {}
        for row in self.rows("figures.csv"):
            last = date.fromisoformat(row["last_game"]) if row["last_game"] else None
            found[row["knsb_id"]] = Standing(int(row["rating"]), int(row["games"]), int(row["n_v"]), last)
        return found

    @cached_property
    def events(self) -> dict[str, dict[str, Row]]:
        """By code and part."""
        found: defaultdict[str, dict[str, Row]] = defaultdict(dict)
        for row in self.rows("tournaments.csv"):
            found[row["code"]][row["part"]] = row
        return dict(found)

    @cached_property
    def games(self) -> dict[tuple[str, str], list[Row]]:
        """By code and round."""
        found: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
        for game in self.rows("games.csv"):
            found[game["tournament"], game["round"]].append(game)
        return found

    @cached_property
    def changes(self) -> list[Change]:
        return [Change(row) for row in self.rows("changes.csv")]

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.files["figures.csv"]).hexdigest()

    @cached_property
    def calculation(self) -> Row:
        return next(self.rows("calculation.csv"))

    def used(self, *uses: str) -> list[str]:
        return [row["list"] for row in self.rows("lists-read.csv") if row["use"] in uses]


@cache
def points_of(result: str) -> tuple[int, int]:
    white, black = result.replace("x", "-").split("-")
    return POINTS[white], POINTS[black]


def sides(game: Row) -> list[tuple[str, str, str, int]]:
    """Of each player of a game: number, opponent, colour, points in halves."""
    white, black = points_of(game["result"])
    one, other = game["white_id"], game["black_id"]
    return [(one, other, "w", white), (other, one, "b", black)]


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

    def expect_any(self, found: object, possible: Collection[object], *where: str) -> None:
        if found in possible:
            self.same += 1
        else:
            known = dict.fromkeys(possible)
            self.differ(f"published {found}, calculated {' or '.join(map(str, known)) or 'none'}", *where)

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


class BirthYears:
    """What the figures say of years of birth: never printed, and the same in all of them (R81d)."""

    def __init__(self) -> None:
        self.from_year: defaultdict[str, int] = defaultdict(int)
        self.to_year: defaultdict[str, int] = defaultdict(lambda: 9999)

    def learn(self, number: str, year: int, possible: Collection[bool | None]) -> None:
        """What is possible of a player in a year: a youth player, an adult (also of unknown birth), None for both."""
        if len(possible) != 1 or not number:
            return
        if True in possible:
            self.from_year[number] = max(self.from_year[number], year - 18)
        elif False in possible:
            self.to_year[number] = min(self.to_year[number], year - 19)

    def contradictions(self) -> list[str]:
        return [number for number, year in self.from_year.items() if year > self.to_year[number]]


# --- the lists that a list reads


class ListsRead:
    """The published lists of all pools that ratings are taken from, read with the merges of a list (R24)."""

    def __init__(self, lists: Mapping[str, ListFiles], files: ListFiles) -> None:
        self.order = ORDER[files.pool]
        self.of_pool = [lists[address] for address in files.used("read")]
        self.others = [lists[address] for address in files.used("pool")]
        self.sources = files.used("source")
        self.by_kind: defaultdict[str, list[ListFiles]] = defaultdict(list)
        for one in sorted([*self.of_pool, *self.others], key=lambda one: one.in_force):
            self.by_kind[one.pool].append(one)
        merged = [row for row in files.rows("merged.csv") if row["state"] == "merged"]
        self.surviving = {row["knsb_id"]: row["surviving_knsb_id"] for row in merged}
        self._merged: dict[str, dict[str, Standing]] = {}
        self.newest, self.shown = cache(self.newest), cache(self.shown)  # type: ignore[method-assign]

    def survivor(self, number: str) -> str:
        while number in self.surviving:
            number = self.surviving[number]
        return number

    def standings(self, files: ListFiles) -> dict[str, Standing]:
        """Of several records of a person the rating of the surviving one, else of the first merged; games of all."""
        if not self.surviving:
            return files.standings
        if files.address not in self._merged:
            read = self._merged[files.address] = dict(files.standings)
            for duplicate, surviving in self.surviving.items():
                merged, other = read.pop(duplicate, None), read.get(surviving)
                if merged and other:
                    days = [day for day in (merged.last_game, other.last_game) if day]
                    n_v = min(other.n_v + merged.n_v, 100)
                    merged = Standing(other.rating, other.games + merged.games, n_v, max(days, default=None))
                if merged:
                    read[surviving] = merged
        return self._merged[files.address]

    def newest(self, kind: str, day: date) -> ListFiles | None:
        """The newest list of a kind on a day; before the earliest one, that (R80b)."""
        lists = self.by_kind.get(kind, [])
        place = bisect_right([files.in_force for files in lists], day) - 1
        return lists[max(place, 0)] if lists else None

    def shown(self, number: str, day: date) -> tuple[str, Standing] | None:
        """The first KNSB list in the order of art. 4 that shows a valid rating on a day; held rows are in no file."""
        for kind in self.order if number else ():
            files = self.newest(kind, day)
            standing = self.standings(files).get(number) if files else None
            if standing and (kind != "knsb-klassiek" or kind == self.order[0] or standing.rating >= 1300):
                return kind, standing
        return None

    def last_known(self, number: str) -> ListFiles | None:
        """The newest list of the pool that shows a player (R83a)."""
        return next((files for files in reversed(self.of_pool) if number in self.standings(files)), None)

    def was_published(self, number: str, kind: str) -> bool:
        return any(number in self.standings(files) for files in self.by_kind[kind])


# --- one list

Where = tuple[str, ...]


class Recalculation:
    """A list from the files of itself and of those it names."""

    def __init__(self, lists: Mapping[str, ListFiles], files: ListFiles, found: Comparison) -> None:
        self.files, self.found = files, found
        self.expect, self.expect_any, self.given = found.expect, found.expect_any, found.given
        self.read = ListsRead(lists, files)
        if not self.read.of_pool:
            raise ValueError("lists-read.csv names no list with the use read")
        self.previous = self.read.of_pool[-1]
        self.before = self.read.standings(self.previous)
        self.eve = files.in_force - timedelta(days=1)
        self.births = BirthYears()
        self.added: defaultdict[str, int] = defaultdict(int)  # R_tt × 10¹⁰
        self.fide: defaultdict[Where, set[object]] = defaultdict(set)
        self.fide_days: defaultdict[str, set[tuple[date, str]]] = defaultdict(set)
        self.points = {int(row["points"]) for row in files.rows("values.csv")}
        undone = [row for row in files.rows("merged.csv") if row["state"] == "undone"]
        self.undone = {row[name] for row in undone for name in ("knsb_id", "surviving_knsb_id")}
        self.changes = {
            number: list(changes) for number, changes in groupby(files.changes, key=lambda one: one.number)
        }
        self.days_of_round: defaultdict[Where, set[date]] = defaultdict(set)
        for change in files.changes:
            self.days_of_round[change.game].add(change.calculated)
        self.as_opponent = {(change.opponent, change.calculated): change for change in files.changes}
        self._days: dict[Where, set[date]] = {}
        self._n_v_of: dict[tuple[object, ...], int | None] = {}
        self._event = cache(self._event)  # type: ignore[method-assign]

    def compare(self) -> None:
        self._compare_order()
        self._compare_played()
        for number, changes in self.changes.items():
            if number not in self.files.figures:
                self.found.differ("no line in figures.csv", "changes.csv", number)
                continue
            for change in changes:
                self._compare_change(change, self.files.figures[number])
        for number, row in self.files.figures.items():
            self._compare_row(number, row, self.changes.get(number, []))
        for number in self.births.contradictions():
            self.found.differ("youth player in one figure, adult in another (R81d)", "figures.csv", number)
        for where, values in self.fide.items():
            self.expect(len(values), 1, "changes.csv different values:", *where)
        for kind, uses in self.fide_days.items():
            days = sorted({date.fromisoformat(address.partition("/")[2]) for _, address in uses})
            for day, address in uses:
                newest = days[max(bisect_right(days, day) - 1, 0)]
                self.expect(address, f"fide/{newest}", f"changes.csv list of {kind} on {day}")

    # games, their days and for whom they count

    def _event(self, code: str, part: str) -> tuple[ListFiles, Row]:
        """The line of tournaments.csv, of this list or the newest one that has it."""
        for files in (self.files, *reversed(self.read.of_pool)):
            if part in files.events.get(code, {}):
                return files, files.events[code][part]
        raise LookupError(f"no line of tournaments.csv for {code}, part {part}")

    def _calculation_days(self, files: ListFiles, code: str, part: str, number: str) -> set[date]:
        """Art. 4.1: the first day of 30 or less, else the round's; the planned day of a round is not in the files.

        Part 1 says when a tournament ends (R80d).
        """
        key = (files.address, code, part, number)
        if key not in self._days:
            lists = (self.files, *reversed(self.read.of_pool)) if part != "1" else ()
            parts = [one.events[code]["1"] for one in lists if "1" in one.events.get(code, {})]
            first_games = [date.fromisoformat(game["date"]) for game in files.games.get((code, number), [])]
            self._days[key] = set()
            for event in [files.events[code][part], *parts]:
                first, rounds = date.fromisoformat(event["played_from"]), self._has_rounds(event)
                self._days[key].add(min(first_games, default=first) if rounds else first)
        return self._days[key]

    def _has_rounds(self, event: Row) -> bool:
        """Whether the day of a round decides, which may be a planned one."""
        first, last = (date.fromisoformat(event[name]) for name in ("played_from", "played_to"))
        return self.files.tempo != "klassiek" or (last - first).days >= 30

    def _compare_order(self) -> None:
        """By number, calculation date, tournament number, part, round."""

        def place(change: Change) -> tuple[object, ...]:
            code, part, number = change.game
            _, event = self._event(code, part)
            return int(change.number), change.calculated, int(event["number"]), int(part), int(number)

        printed, in_order = (
            [f"{change.number} {' '.join(change.game)}" for change in table]
            for table in (self.files.changes, sorted(self.files.changes, key=place))
        )
        self.found.expect_lines(printed, in_order, "changes.csv")

    def _compare_played(self) -> None:
        """Each line of changes.csv has its game; `counted` says for whom there is a line, and no line is missing.

        Games that waited for this list (R81b) are in games.csv, not among `games` of calculation.csv.
        """
        lines: defaultdict[tuple[object, ...], list[Change]] = defaultdict(list)
        for change in self.files.changes:
            code, _, number = change.game
            row = change.row
            lines[
                change.number, code, number, row["colour"], change.opponent, change.points, row["date"]
            ].append(change)
            if change.waited:
                self._compare_waited(change)
        own = 0
        for (code, number), games in self.files.games.items():
            for game in games:
                found = []
                for player, opponent, colour, points in sides(game):
                    line = lines[player, code, number, colour, opponent, points, game["date"]]
                    found.append(line.pop() if line and "-" in game["result"] else None)
                where = ("games.csv", code, number, f"{game['white_id']}-{game['black_id']}")
                self.expect(
                    game["counted"], COUNTED[found[0] is not None, found[1] is not None], *where, "counted"
                )
                has_waited = any(change and change.waited for change in found)
                own += "-" in game["result"] and not has_waited
                self.expect(has_waited or code in self.files.events, True, *where, "is of a tournament")
        self.expect(self.files.calculation["games"], str(own), "calculation.csv games")
        for change in chain.from_iterable(lines.values()):
            self.found.differ("no such game", "changes.csv", change.number, *change.game)
        self._compare_missing(self.files, set(self.files.figures))
        new = {number for number in self.files.figures if self._waits(number)}
        for files in self.read.of_pool if new else ():
            self._compare_missing(files, new)

    def _compare_waited(self, change: Change) -> None:
        code, part, number = change.game
        where = ("changes.csv", change.number, code, number)
        files, _ = self._event(code, part)
        self.expect(change.row["waited"], "1", *where, "waited")
        self.expect(self._waits(change.number), True, *where, "of a player whose games waited")
        self.expect(files is not self.files, True, *where, "is of an earlier list")
        self.expect(self._is_recent(change.calculated), True, *where, "waited not too long")
        same = (change.row["colour"], change.points, change.row["date"])
        fits = any(
            (colour, points, game["date"]) == same
            and game["counted"] not in ("both", "white" if colour == "w" else "black")
            and self.read.survivor(own) in (change.number, "")  # without a number at that time
            and self.read.survivor(opponent) in (change.opponent, "")
            for game in files.games[code, number]
            for own, opponent, colour, points in sides(game)
        )
        self.expect(fits, True, *where, "has a game")

    def _waits(self, number: str) -> bool:
        """Who has no R_i and was never published in the pool (R81b)."""
        row = self.files.figures.get(number, {})
        return row.get("r_i_from") == "5.1b" and not self.read.was_published(number, self.files.pool)

    def _is_recent(self, calculated: date) -> bool:
        """Art. 5.2: 24 months, in rapid and blitz 12."""
        return calculated >= months_before(self.files.in_force, 24 if self.files.tempo == "klassiek" else 12)

    def _compare_missing(self, files: ListFiles, players: set[str]) -> None:
        """Games at home, not too old (R84f), against a player whom a KNSB list rates, must count for these players."""
        since = months_before(files.in_force, 3)
        waited = {(change.number, *change.game[::2]) for change in self.files.changes if change.waited}
        rounds = {line[1:] for line in waited} if files is self.files else set()
        for (code, number), games in files.games.items():
            parts = files.events.get(code, {})
            if (code, number) in rounds or any(
                event["country"] not in ("NED", "") for event in parts.values()
            ):
                continue
            days = {date.fromisoformat(event["played_from"]) for event in parts.values()}
            days |= set().union(*(self._calculation_days(files, code, part, number) for part in parts))
            for game in games:
                if "x" in game["result"] or not since <= date.fromisoformat(game["date"]) < files.in_force:
                    continue
                for own, opponent, colour, _ in sides(game):
                    player, other = self.read.survivor(own), self.read.survivor(opponent)
                    counts = game["counted"] in ("both", "white" if colour == "w" else "black")
                    if player not in players or counts or (player, code, number) in waited or player == other:
                        continue
                    if all(self.read.shown(other, day) and self._is_recent(day) for day in days):
                        self.found.differ(f"game of {player} does not count", "games.csv", code, number)

    # where a rating comes from

    def _compare_source(
        self, number: str, day: date, of: tuple[str, str | None, int], where: Where, *, opponent: bool
    ) -> int | None:
        """A rating on a day with its source and list (None: not printed); gives N_v where a file has it.

        The same rating of a player on a day is compared once.
        """
        key = (number, day, of, opponent)
        if key not in self._n_v_of:
            self._n_v_of[key] = self._compare_new_source(number, day, of, where, opponent=opponent)
        return self._n_v_of[key]

    def _compare_new_source(
        self, number: str, day: date, of: tuple[str, str | None, int], where: Where, *, opponent: bool
    ) -> int | None:
        source, address, rating = of
        low = opponent and self.files.tempo == "rapid"  # art. 6.4
        shown = self.read.shown(number, day)
        if source not in self.read.order:
            self.expect(shown and shown[0], None, *where, f"{source} and a rating of")
            return self._compare_last_known(number, day, of, where) if opponent else None
        if source.startswith("fide"):
            self._compare_fide(number, day, of, where, opponent=opponent)
            self.births.learn(number, day.year, [True if low and rating < 1200 else None])
            return None
        files = self.read.newest(source, day)
        if address is not None:
            self.expect(address, files and files.address, *where, f"list of {source}")
        above = self.read.order[: self.read.order.index(source)]
        self.expect(
            bool(shown and shown[0] in above), False, *where, f"{source} after a list with the player"
        )
        if source == "knsb-klassiek" and self.files.tempo != "klassiek":  # art. 4 b
            self.expect(rating >= 1300, True, *where, "1300 or more of knsb-klassiek")
        standing = self.read.standings(files).get(number) if files else None
        return self._compare_rating(number, day, (source, rating), standing, where, low=low)

    def _compare_rating(
        self,
        number: str,
        day: date,
        of: tuple[str, int],
        standing: Standing | None,
        where: Where,
        *,
        low: bool,
    ) -> int | None:
        """The rating of a row; where `low`, of an adult at least 1200. Without a row it is held (R84b)."""
        source, rating = of
        if standing is None:
            self._take_held(number, source, where)
            return None
        options: dict[int, bool | None] = {standing.rating: None}
        if low and standing.rating < 1200:
            options = {standing.rating: True, 1200: False}
        self.expect_any(rating, options, *where, "rating")
        self.births.learn(number, day.year, [options.get(rating)])
        return standing.n_v

    def _take_held(self, number: str, kind: str, where: Where) -> None:
        """A row that is in no file: of a player who was published before."""
        published = bool(number) and self.read.was_published(number, kind)
        self.expect(published, True, *where, f"was on a list of {kind}")
        self.given["ratings of held rows"] += 1

    def _compare_fide(
        self, number: str, day: date, of: tuple[str, str | None, int], where: Where, *, opponent: bool
    ) -> None:
        """A FIDE rating in the place of a KNSB rating is for foreigners only, under 4.2 or, of opponents, 6.5."""
        source, address, rating = of
        self.given["ratings of FIDE"] += 1
        if address is not None:
            self.expect_any(address, self.read.sources, *where, "list of FIDE")
            self.fide_days[source].add((day, address))
            if number and not (opponent and self.files.tempo == "rapid" and rating == 1200):
                self.fide[number, source, address, "rating"].add(rating)
        if (shown := self.read.shown(number, day)) is None:
            return
        kind, standing = shown
        last = self.read.standings(self.read.by_kind[kind][-1]).get(number)
        allowed = (
            rating > (2300 if source == "fide-klassiek" else 2000)  # R80e
            or last is None
            or last.last_game is None
            or last.last_game < months_before(self.files.in_force, 24)  # R80f
            or (opponent and rating > standing.rating)
        )
        self.expect(allowed, True, *where, f"{source} in the place of {kind}")

    def _compare_last_known(
        self, number: str, day: date, of: tuple[str, str | None, int], where: Where
    ) -> int | None:
        """R_c by art. 6.1.b, in rapid and blitz."""
        source, address, rating = of
        self.expect_any(source, () if self.files.tempo == "klassiek" else ("6.1b", "6.3"), *where, "from")
        known = self.read.last_known(number) if number else None
        if source == "6.3":
            self.expect((known, address), (None, ""), *where, "last known rating")
            return None
        later = [files for files in self.read.of_pool if known is None or files.in_force >= known.in_force]
        self.expect_any(
            address, [files.address for files in later], *where, "last list"
        )  # one that holds a row
        is_shown = known is not None and known.address == address
        standing = self.read.standings(known)[number] if known and is_shown else None
        low = self.files.tempo == "rapid"
        return self._compare_rating(number, day, (self.files.pool, rating), standing, where, low=low)

    # the changes

    def _compare_change(self, change: Change, row: Row) -> None:
        line, day, where = change.row, change.calculated, ("changes.csv", change.number, *change.game)
        code, part, number = change.game
        files, event = self._event(code, part)
        days = self._calculation_days(files, code, part, number)
        if day not in days and len(self.days_of_round[change.game]) == 1 and self._has_rounds(event):
            self.given["planned days of rounds"] += 1
        else:
            self.expect_any(day, days, *where, "calculation_date")
        n_v = None
        of = (line["own_from"], line["own_list"], change.own)
        if change.has_start_rating:
            self.expect(str(change.own), row["r_i"], *where, "own is R_i")
            self.expect(of[0] == "5.1b", row["r_i_from"] == "5.1b", *where, "own_from 5.1b as r_i_from")
            start = self.read.newest(row["r_i_from"], self.eve)
            is_of_fide = row["r_i_from"].startswith("fide")
            lists = self.read.sources if is_of_fide else [start.address if start else ""]
            self.expect_any(line["own_list"], lists, *where, "list of R_i")
        else:
            self.expect_any(of[0], self.read.order, *where, "own_from")
        n_v = self._compare_source(change.number, day, of, (*where, "own"), opponent=False)
        self._compare_n_v(change, n_v, where)
        of = (line["opponent_from"], line["opponent_list"], change.opponent_rating)
        other = self._compare_source(change.opponent, day, of, (*where, "opponent"), opponent=True)
        if line["opponent_from"] == "6.3":
            self._compare_tournament_performance(change, where)
        we, is_loss, added, printed = change_of(change.own - change.opponent_rating, line["k"], change.points)
        self.expect(line["we"], we, *where, "we")
        self._compare_factor(change, other, is_loss, where)
        self.added[change.number] += added
        self.expect(line["change"], printed, *where, "change")

    def _compare_n_v(self, change: Change, n_v: int | None, where: Where) -> None:
        source, printed = change.row["own_from"], change.row["n_v"]
        known = WHOLE_N_V if n_v is None else [f"{min(max(n_v, 1), 100)}.0000"]
        if change.has_start_rating:
            known = ["1.0000"]
        elif source.startswith("fide"):
            known = PRINTED_N_V_OF_FIDE
            self.fide[change.number, source, change.row["own_list"], "n_v"].add(printed)
        self.expect_any(printed, known, *where, "n_v")

    def _compare_factor(self, change: Change, opponent_n_v: int | None, is_loss: bool, where: Where) -> None:
        """k by the ages: it says who is a youth player (art. 7.1)."""
        line, year = change.row, change.calculated.year
        known, own, opponent = cases_of_k(
            line["k"],
            line["n_v"],
            change.own,
            is_fide=line["own_from"].startswith("fide"),
            may_be_halved=is_loss and (opponent_n_v is None or opponent_n_v < 100),
            is_known=opponent_n_v is not None or line["opponent_from"] == "6.3",
        )
        self.expect_any(line["k"], known, *where, "k")
        self.births.learn(change.number, year, own)
        self.births.learn(change.opponent, year, opponent)

    def _compare_tournament_performance(self, change: Change, where: Where) -> None:
        """R_c by 6.3, where the files say how each rating holder of the report was rated and who the player is."""
        code, part, _ = change.game
        files, _ = self._event(code, part)
        has_parts, played = len(files.events[code]) > 1, []
        for event, number in files.games if change.opponent else ():
            if event != code or (has_parts and (code, part, number) not in self.days_of_round):
                continue
            day = min(self._calculation_days(files, code, part, number))
            for game in files.games[event, number]:
                for own, other, _, points in sides(game):
                    if own == change.opponent and "-" in game["result"]:
                        holder = self.as_opponent.get((other, day))
                        played.append((holder if other else None, points))
        known = [(one.row["opponent_from"], one.opponent_rating, points) for one, points in played if one]
        if len(known) < len(played) or not played or "6.1b" in {source for source, _, _ in known}:
            self.given["ratings by 6.3"] += 1  # not all were seen as opponents on that day
            return
        found = tournament_performances(
            tuple(sorted((rating, points) for source, rating, points in known if source != "6.3")),
            self.files.tempo,
        )
        self.expect_any(change.opponent_rating, sorted({rating for rating, _ in found}), *where, "TLPR")
        fitting = {youth for rating, youth in found if rating == change.opponent_rating}
        self.births.learn(change.opponent, change.calculated.year, fitting)

    # the rows

    def _compare_row(self, number: str, row: Row, changes: Sequence[Change]) -> None:
        where = ("figures.csv", number)
        played = [(change.opponent_rating, change.points) for change in changes]
        self.expect(row["period_games"], str(len(played)), *where, "period_games")
        if number in self.undone:
            self.given["players of undone merges"] += 1
        else:
            base = self._compare_r_i(number, row, played, where)
            self._compare_games(number, row, changes, base, where)
        if not changes:
            self.expect((row["sum"], row["lpr"]), ("", ""), *where, "sum, lpr")
            self._compare_figure(number, row, Fraction(row["r_i"]), "", where)
            return
        total, lpr = Fraction(self.added[number], E10), list_performance(played, changes[-1].own)
        self.expect(row["sum"], decimals(quotient(self.added[number], E6), 4), *where, "sum")
        self.expect(row["lpr"], decimals(lpr, 3), *where, "lpr")
        figure, limit = limited(int(row["r_i"]), total, Fraction(lpr, 1000))
        self._compare_figure(number, row, figure, limit, where)

    def _compare_r_i(self, number: str, row: Row, played: Played, where: Where) -> int | None:
        """R_i, that on the day before the list (art. 8), without games that of the list before (R82b); its N_v."""
        source, r_i = row["r_i_from"], int(row["r_i"])
        if not played:
            self.expect(source, self.files.pool, *where, "r_i_from without games")
            of = (self.files.pool, r_i)
            return self._compare_rating(number, self.eve, of, self.before.get(number), where, low=False)
        self.expect_any(source, (*self.read.order, "5.1b"), *where, "r_i_from")
        n_v = self._compare_source(number, self.eve, (source, None, r_i), (*where, "r_i"), opponent=False)
        if source == "5.1b":
            self.expect(r_i, start_rating(played), *where, "r_i by 5.1b")
        return 0 if source == "5.1b" else n_v

    def _compare_games(
        self, number: str, row: Row, changes: Sequence[Change], base: int | None, where: Where
    ) -> None:
        """Games, last game, N_v (R81g, R84), change, and whether the player may be on the list (R84c)."""
        before, count, source = self.before.get(number), len(changes), row["r_i_from"]
        days = [date.fromisoformat(change.row["date"]) for change in changes]
        days += [before.last_game] if before and before.last_game else []
        may_be_held = source == self.files.pool or source.startswith("fide")
        is_held = not before and may_be_held and self.read.was_published(number, self.files.pool)
        if is_held:
            self.given["games of held rows"] += 1
        else:
            self.expect(row["games"], str(count + (before.games if before else 0)), *where, "games")
            self.expect(row["last_game"], max(days).isoformat() if days else "", *where, "last_game")
        if not before and not self.read.was_published(number, self.files.pool):
            waited = sum(change.waited for change in changes)
            self.expect(count > 0, True, *where, "a game or a row before")
            others = self._games_of_two_years[number] + self._games_of_two_years[""]
            self.expect(count - waited + others >= 6, True, *where, "six games (R84c)")
        possible: Iterable[int] = range(count, 101)  # of a held row
        if source.startswith("fide"):
            possible = (min(100, half_up(n_v) + count) for n_v in N_V_OF_FIDE)
        elif base is not None and (days or not is_held):
            base = fallen(base, max(days, default=None), self.previous.in_force, self.files.in_force)
            possible = (min(100, base + count),)
        self.expect_any(row["n_v"], list(map(str, possible)), *where, "n_v")
        shown = self.previous.standings.get(number)
        self.expect(row["change"], str(int(row["rating"]) - shown.rating) if shown else "", *where, "change")

    @cached_property
    def _games_of_two_years(self) -> Counter[str]:
        """By player those on earlier lists and of other pools, counted or not; "" for players without a number."""
        since = months_before(self.files.in_force, 24)
        lists = [files for files in (*self.read.of_pool, *self.read.others) if files.in_force > since]
        games = chain.from_iterable(files.rows("games.csv") for files in lists)
        numbers = ((game["white_id"], game["black_id"]) for game in games if "-" in game["result"])
        return Counter(map(self.read.survivor, chain.from_iterable(numbers)))

    def _compare_figure(self, number: str, row: Row, figure: Fraction, limit: str, where: Where) -> None:
        """The bonus, which only youth players get, the minimum and the rounding (art. 9.1, 2)."""
        raised = {Fraction(0)}
        if figure < 1750:
            raised |= {min(Fraction(points), 1750 - figure) for points in self.points}
        texts = {decimals(half_up(bonus * E4), 4): bonus for bonus in sorted(raised)}
        self.expect_any(row["bonus"], texts, *where, "bonus")
        bonus = texts.get(row["bonus"], Fraction(0))
        after, options = figure + bonus, []
        minima = ((1200, False), (400, True)) if self.files.tempo == "rapid" else ((1200, None),)
        for minimum, is_youth in minima:
            articles = [limit, "9.1" if bonus else "", "2" if after < minimum else ""]
            rating = str(half_up(max(after, Fraction(minimum))))
            youth = True if bonus else is_youth if after < 1200 else None
            options.append((rating, " ".join(filter(None, articles)), youth))
        self.expect_any(row["rating"], [rating for rating, _, _ in options], *where, "rating")
        fitting = [option for option in options if option[0] == row["rating"]]
        self.expect_any(row["limit"], [text for _, text, _ in fitting], *where, "limit")
        self.births.learn(number, self.files.in_force.year, {youth for _, _, youth in fitting})


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
    return {*files.used("read", "pool"), *([files.before] if files.revision > 1 else [])}


def compare(lists: Mapping[str, ListFiles], files: ListFiles, found: Comparison) -> None:
    """Every cell of the files of a list but those in GIVEN."""
    compare_columns(files, found)
    compare_order(files, found)
    compare_calculation(lists, files, found)
    if files.is_opening:
        for number, row in files.figures.items():
            for column, cell in {"change": "", "period_games": "0"}.items():
                found.expect(row[column], cell, "figures.csv", number, column)
        return
    compare_lists_read(lists, files, found)
    compare_tournaments(files, found)
    Recalculation(lists, files, found).compare()
    if files.revision > 1:
        compare_differences(lists[files.before], files, found)


def compare_columns(files: ListFiles, found: Comparison) -> None:
    """Which files the list has, and their first lines."""
    expected = {"figures.csv", "calculation.csv", "tournaments.csv", "games.csv", "changes.csv"}
    if not files.is_opening:
        expected |= {"lists-read.csv"} | ({"merged.csv", "decisions.csv", "values.csv"} & files.files.keys())
        expected |= {"differences.csv"} if files.revision > 1 else set()
    found.expect(sorted(COLUMNS.keys() & files.files.keys()), sorted(expected), "files")
    for name in sorted(COLUMNS.keys() & files.files.keys()):
        columns = COLUMNS[name]
        if name == "figures.csv" and "held_sha256" in files.header(name):
            columns += ("held_sha256",)
        found.expect_lines(files.header(name), list(columns), f"{name} columns,")


def compare_order(files: ListFiles, found: Comparison) -> None:
    """The order of figures.csv, ranks, and the chain on its first line."""
    numbers = [row["knsb_id"] for row in files.rows("figures.csv")]
    order = sorted(files.figures.values(), key=lambda row: (-int(row["rating"]), int(row["knsb_id"])))
    found.expect_lines(numbers, [row["knsb_id"] for row in order], "figures.csv")
    ranks: dict[str, int] = {}
    for place, row in enumerate(order, start=1):
        rank = ranks.setdefault(row["rating"], place)
        found.expect(row["rank"], str(rank), "figures.csv", row["knsb_id"], "rank")
        name = "" if place > 1 else f"{files.pool}/{files.in_force}"
        found.expect(row["list"], name, "figures.csv", row["knsb_id"], "list")
        sha256 = "" if place > 1 else files.calculation["previous_sha256"]
        found.expect(row["previous_sha256"], sha256, "figures.csv", row["knsb_id"], "previous_sha256")


def compare_calculation(lists: Mapping[str, ListFiles], files: ListFiles, found: Comparison) -> None:
    """The line of calculation.csv. An opening list has no list before it, and no digest of inputs."""
    read = files.used("read")
    expected = {
        "list": files.address,
        "in_force": files.in_force.isoformat(),
        "system": "knsb",
        "edition": EDITION,
        "players": str(len(files.figures)),
        "tournaments": str(len({event["code"] for event in files.rows("tournaments.csv")})),
        "sha256": files.sha256,
        "previous_sha256": lists[read[-1]].sha256 if read else "",
    }
    expected |= {"input_sha256": ""} if files.is_opening else {}
    found.expect(len(list(files.rows("calculation.csv"))), 1, "calculation.csv lines")
    for column, value in expected.items():
        found.expect(files.calculation[column], value, "calculation.csv", column)
    closing = date.fromisoformat(files.calculation["closing"])
    found.expect(closing < files.in_force, True, "calculation.csv closing before in_force")


def compare_lists_read(lists: Mapping[str, ListFiles], files: ListFiles, found: Comparison) -> None:
    """The digests; one revision of each list of the pool since the opening list, oldest first, then the others."""
    lines = list(files.rows("lists-read.csv"))
    for line in lines:
        if line["use"] in ("read", "pool"):
            other = lists[line["list"]]
            found.expect(line["sha256"], other.sha256, "lists-read.csv", other.address, "sha256")
            is_own = other.pool == files.pool
            found.expect(line["use"], "read" if is_own else "pool", "lists-read.csv", other.address, "use")
            found.expect(other.in_force <= files.in_force, True, "lists-read.csv", other.address, "is older")
    uses = ["read", "pool", "source", "memberships"]
    printed = [line["use"] for line in lines]
    found.expect_lines(printed, sorted(printed, key=uses.index), "lists-read.csv")
    read = [lists[address] for address in files.used("read")]
    days = [(one.pool, str(one.in_force)) for one in read]
    before = [lists[address] for address in read[-1].used("read")] + read[-1:] if read else []
    found.expect(days, [(one.pool, str(one.in_force)) for one in before], "lists-read.csv read")


def compare_tournaments(files: ListFiles, found: Comparison) -> None:
    """Their order, and the tempo of each, by the minutes for 60 moves (R80a); games are of one of them."""
    events = list(files.rows("tournaments.csv"))
    in_order = sorted(
        events, key=lambda row: (date.fromisoformat(row["played_to"]), int(row["number"]), int(row["part"]))
    )
    printed, expected = ([f"{row['code']} {row['part']}" for row in table] for table in (events, in_order))
    found.expect_lines(printed, expected, "tournaments.csv")
    for row in events:
        where = ("tournaments.csv", row["code"], row["part"])
        minutes = Fraction(row["minutes_for_60_moves"])
        tempo = "klassiek" if minutes >= 60 else "rapid" if minutes > 10 else "blitz"
        found.expect(row["pool"], f"knsb-{tempo}", *where, "pool")
        found.expect(row["pool"], files.pool, *where, "pool")
        found.expect(row["ratings_of"], "", *where, "ratings_of")
        found.expect(row["development"], "100", *where, "development")


def compare_differences(replaced: ListFiles, files: ListFiles, found: Comparison) -> None:
    """What a revision changed in the list it replaced, by number."""
    columns = [column.removesuffix("_before") for column in COLUMNS["differences.csv"][1::2]]
    expected = {}
    for number in sorted({*replaced.figures, *files.figures}, key=int):
        before, after = replaced.figures.get(number, {}), files.figures.get(number, {})
        if [before.get(column) for column in columns] != [after.get(column) for column in columns]:
            expected[number] = {
                f"{column}_{when}": row.get(column, "")
                for column in columns
                for when, row in (("before", before), ("after", after))
            }
    printed = list(files.rows("differences.csv"))
    found.expect_lines([line["knsb_id"] for line in printed], list(expected), "differences.csv")
    for line in printed:
        for column, cell in expected.get(line["knsb_id"], {}).items():
            found.expect(line[column], cell, "differences.csv", line["knsb_id"], column)


def read_folder(folder: Path) -> Published:
    """All lists in a folder, in folders as in their addresses, with or without the last one, `files`."""
    published: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
    for file in (*folder.glob("*/*/r*/*.csv"), *folder.glob("*/*/r*/files/*.csv")):
        published["/".join(file.relative_to(folder).parts[:3])][file.name] = file.read_bytes()
    if not published:
        raise MissingFilesError(f"no lists in {folder}: put files into folders like knsb-rapid/2026-04-01/r1")
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
            only = argument.rstrip("/").rpartition("/lists/")[2]
            result = recompute(published, only)
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
