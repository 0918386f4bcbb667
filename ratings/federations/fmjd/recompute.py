"""Recalculate the published FMJD rating lists from their published files alone.

    python recompute.py https://OFFICE/lists/fmjd-100/2026-04-01/r1/    # loads this list and the ones it needs
    python recompute.py FOLDER                                          # FOLDER/fmjd-100/2026-04-01/r1/figures.csv …

One file, Python 3.11 or later, nothing to install. It is written from Annex 9, the rulings on it (R1 to R13, R5a,
R24, R25) and the description of the published files, player by player in fractions; it shares nothing with the
calculation of the rating office. It compares every cell of the files but those that it prints as taken as given, of
opening lists too, and checks the chain of SHA-256. It prints how many cells are the same and how many are different,
and each difference.

Exit status: 0 all the same, 1 something is different, 2 files are missing.
"""

import csv
import hashlib
import io
import sys
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from pathlib import Path

EDITION = "annex-9-2024-04"
BEFORE_EVERY_LIST = date.min
COLUMNS = {
    "figures.csv": (
        "fmjd_id", "rating", "change", "period_games", "games", "category", "rank", "reached_2300", "games_3_years",
        "last_game", "list", "previous_sha256",
    ),
    "calculation.csv": (
        "list", "in_force", "closing", "system", "edition", "players", "tournaments", "games", "sha256",
        "previous_sha256", "input_sha256",
    ),
    "lists-read.csv": ("list", "sha256", "use"),
    "tournaments.csv": (
        "code", "name", "place", "country", "played_from", "played_to", "time_control", "minutes_for_60_moves",
        "development", "pool", "report_sha256", "ratings_of", "number",
    ),
    "games.csv": ("tournament", "round", "date", "white_id", "black_id", "result", "counted"),
    "changes.csv": (
        "fmjd_id", "tournament", "method", "own", "average", "games", "points", "pe", "we", "k", "development", "delta",
        "performance", "after",
    ),
    "differences.csv": (
        "fmjd_id",
        *(
            f"{column}_{when}"
            for column in (
                "rating", "change", "period_games", "games", "category", "reached_2300", "games_3_years", "last_game",
            )
            for when in ("before", "after")
        ),
    ),
    "carried.csv": ("fmjd_id", "rating", "games", "corrections"),
    "merged.csv": ("order", "fmjd_id", "surviving_fmjd_id", "state", "rating_of", "rating", "games", "list"),
    "decisions.csv": ("tournament", "item", "value", "players"),
    "norms.csv": (
        "fmjd_id", "tournament", "section", "title", "kind", "colour", "games", "points_scored", "points_asked",
        "average_rating", "category", "ignored_game",
    ),
}  # fmt: skip
OF_SESSIONS = {"games.csv": ("game", "minutes_for_60_moves"), "changes.csv": ("minutes_for_60_moves",)}
"""The last columns of a list that counts games of a session (R25)."""
GIVEN = {
    "calculation.csv": "input_sha256",
    "tournaments.csv": "name place country played_from played_to number report_sha256",
    "games.csv": "round date white_id black_id result game",
    "decisions.csv": "tournament item value players",
    "norms.csv": " ".join(COLUMNS["norms.csv"]),
    "figures.csv of an opening list": "fmjd_id rating games reached_2300 games_3_years last_game",
}
"""What no file proves: what was played, reported and decided, norms, and where the ratings begin."""
PROVED_BY_USE = (
    "What the figures of a list depend on is compared with them: a game, a day, a number, a rating."
)
NOT_READ = "list.csv list.json list.txt list.xlsx"

Row = dict[str, str]
Published = Mapping[str, Mapping[str, bytes]]  # fmjd-100/2026-04-01/r1 → name → content


# --- the arithmetic of Annex 9 art. 2 and 3

UPPER_HALF = tuple(
    Fraction(printed)
    for printed in (
        "0.00", "7.14", "14.34", "21.48", "28.71", "35.38", "43.14", "50.40", "57.62", "64.97", "72.37",
        "79.77", "87.28", "94.80", "102.40", "110.11", "117.82", "125.71", "133.62", "141.65", "149.82",
        "158.11", "166.54", "175.05", "183.80", "192.71", "201.82", "211.05", "220.57", "230.42", "240.48",
        "250.80", "261.51", "272.62", "284.14", "296.14", "308.68", "321.80", "335.71", "350.37", "366.17",
        "383.02", "401.51", "421.62", "444.00", "470.00", "500.31", "537.54", "586.85", "664.74", "935.00",
    )
)  # fmt: skip
"""D(50) to D(100) of table IX-1; the lower half is their mirror (R1)."""


def four_decimals(value: Fraction) -> Fraction:
    """R3: half away from zero."""
    whole = int(abs(value) * 10_000 + Fraction(1, 2))
    return Fraction(whole if value >= 0 else -whole, 10_000)


def whole_number(value: Fraction) -> int:
    """R9: half up."""
    return (value + Fraction(1, 2)).__floor__()


def difference_of(percentage: Fraction) -> Fraction:
    """D(P) between whole percentages in a straight line (R4)."""
    if percentage < 50:
        return -difference_of(100 - percentage)
    step = min(int(percentage) - 50, 49)
    return UPPER_HALF[step] + (percentage - 50 - step) * (UPPER_HALF[step + 1] - UPPER_HALF[step])


def expected_percentage(difference: Fraction) -> Fraction:
    """Pe, table IX-1 read backwards (art. 2.4.1, R2)."""
    if difference < 0:
        return 100 - expected_percentage(-difference)
    if difference >= UPPER_HALF[50]:
        return Fraction(100)
    step = max(place for place in range(50) if UPPER_HALF[place] <= difference)
    more = (difference - UPPER_HALF[step]) / (UPPER_HALF[step + 1] - UPPER_HALF[step])
    return four_decimals(50 + step + more)


def development(minutes: Fraction, *, rapid: bool) -> int:
    """The percentage of K (R6)."""
    if rapid:
        return 100 if minutes <= 15 else 50
    return next(
        percentage for least, percentage in ((120, 100), (90, 60), (60, 40), (30, 20)) if minutes >= least
    )


def seconds_for_60_moves(control: str) -> Fraction:
    """The sum of every session that begins by move 60, and of what is added for the moves among them (R6).

    `80+30`, `90/45+30+30@46`, `120/50+60/25`: minutes, for so many moves, and seconds a move, from a move on.
    """
    text, at, from_move = control.replace(" ", "").partition("@")
    parts = text.split("+")
    added = 0
    if at or (len(parts) == 2 and "/" not in parts[0]):
        added = int(parts.pop())
    sessions = [part.split("/") for part in parts]
    seconds = Fraction(added * max(61 - int(from_move or 1), 0))
    move, place = 1, 0
    while move <= 60:
        minutes, *moves = sessions[min(place, len(sessions) - 1)]
        seconds += Fraction(minutes) * 60
        if not moves:
            break
        move, place = move + max(int(moves[0]), 1), place + 1
    return seconds


def minutes_text(seconds: Fraction) -> str:
    return str(seconds // 60 if seconds % 60 == 0 else float(seconds / 60))


def closing_date(in_force: date) -> date:
    """R10: the 15th of the month before."""
    return (in_force - timedelta(days=1)).replace(day=15)


def years_before(day: date, years: int) -> date:
    """The same day of the month, or the last one of February (R12)."""
    is_leap_day = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - years, day=28 if is_leap_day else day.day)


def ranks_of(falling: Iterable[int]) -> dict[int, int]:
    """Of each rating the number of higher ones."""
    higher: dict[int, int] = {}
    for place, rating in enumerate(falling):
        higher.setdefault(rating, place)
    return higher


def category(rating: int, games: int, in_3_years: int, last_game: date | None, closing: date) -> str:
    """Art. 6.3 and 6.4, R12."""
    last = last_game or date.min
    total = games >= (30 if rating < 2300 else 50)
    recent = last > years_before(closing, 3)
    if total and recent and (rating < 2351 or in_3_years >= 30):
        return "A"
    return "B" if recent or (total and last > years_before(closing, 5)) else "C"


# --- the files of one list


@dataclass
class ListFiles:
    """The files of one published list, as tables."""

    address: str
    files: Mapping[str, bytes]

    def rows(self, name: str) -> Iterator[Row]:
        """The lines of a file, one after the other; none where the list does not have it."""
        return iter(csv.DictReader(io.StringIO(self.files.get(name, b"").decode(), newline="")))

    def table(self, name: str) -> list[Row]:
        return list(self.rows(name))

    def header(self, name: str) -> tuple[str, ...]:
        lines = csv.reader(io.StringIO(self.files[name].decode(), newline=""))
        return tuple(next(lines, ()))

    def __post_init__(self) -> None:
        self.pool, day, revision = self.address.split("/")
        self.in_force, self.revision = date.fromisoformat(day), int(revision.removeprefix("r"))
        self.is_opening = "lists-read.csv" not in self.files

    @cached_property
    def figures(self) -> dict[str, Row]:
        return {row["fmjd_id"]: row for row in self.rows("figures.csv")}

    @cached_property
    def merges(self) -> list[Row]:
        return [row for row in self.rows("merged.csv") if row["state"] == "merged"]

    @cached_property
    def undone(self) -> list[Row]:
        return [row for row in self.rows("merged.csv") if row["state"] == "undone"]

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.files["figures.csv"]).hexdigest()

    @property
    def calculation(self) -> Row:
        return self.table("calculation.csv")[0]

    @cached_property
    def has_sessions(self) -> bool:
        return "game" in self.header("games.csv")

    @property
    def before(self) -> str:
        """The address of the revision it replaced."""
        return f"{self.pool}/{self.in_force}/r{self.revision - 1}"

    def used(self, use: str) -> list[str]:
        return [row["list"] for row in self.rows("lists-read.csv") if row["use"] == use]

    def counted(self) -> Iterator[tuple[str, date]]:
        """Who counted a game, and its day; the opening list has its figures instead."""
        for game in self.rows("games.csv"):
            if game["counted"] == "none":
                continue
            day = date.fromisoformat(game["date"])
            if game["counted"] in ("both", "white"):
                yield game["white_id"], day
            if game["counted"] in ("both", "black"):
                yield game["black_id"], day


@dataclass
class Standing:
    """What a record or a person starts with; of a record that is alone again also the list that shows it last."""

    rating: int
    games: int
    list: str = ""


@dataclass
class PlayerActivity:
    """What the lists read remember of a person (R5, R5a, R12)."""

    reached: date | None = None
    last_game: date | None = None
    in_3_years: int = 0

    def play(self, day: date, since: date, games: int = 1) -> None:
        """Games of a day; those after `since` are of the last three years."""
        if self.last_game is None or self.last_game < day:
            self.last_game = day
        if day > since:
            self.in_3_years += games

    def reach(self, day: date) -> None:
        """2300 on a list of this day."""
        if self.reached is None or day < self.reached:
            self.reached = day

    def take(self, other: "PlayerActivity") -> None:
        if other.reached is not None:
            self.reach(other.reached)
        if other.last_game is not None:
            self.last_game = max(other.last_game, self.last_game or other.last_game)
        self.in_3_years += other.in_3_years


@dataclass
class Comparison:
    """How many cells are the same, each difference, and what is taken as given in one list only."""

    address: str
    same: int = 0
    different: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)

    def expect(self, where: str, found: object, expected: object) -> None:
        if found == expected:
            self.same += 1
        else:
            self.different.append(f"{self.address} {where}: published {found}, calculated {expected}")

    def expect_lines(self, name: str, found: list[str], expected: list[str]) -> None:
        """The lines of a file by what names them, in their order: the first difference is enough."""
        pairs = zip_longest(found, expected, fillvalue="no line")
        place, (one, other) = next(
            ((place, pair) for place, pair in enumerate(pairs, start=2) if pair[0] != pair[1]),
            (0, ("all", "all")),
        )
        self.expect(f"{name} line {place}", one, other)


def merge_ratings(standings: dict[str, Standing], merges: list[Row]) -> dict[str, Standing]:
    """A list with merges, in order: the rating of the survivor, else of the first merged; all games (R24)."""
    read = dict(standings)
    for line in merges:
        merged, survivor = read.pop(line["fmjd_id"], None), read.get(line["surviving_fmjd_id"])
        if merged is not None:
            rating = merged.rating if survivor is None else survivor.rating
            read[line["surviving_fmjd_id"]] = Standing(
                rating, merged.games + (survivor.games if survivor else 0)
            )
    return read


def pairs(merges: list[Row]) -> set[tuple[str, str]]:
    """The record that went and the one kept, of each of these merges."""
    return {(row["fmjd_id"], row["surviving_fmjd_id"]) for row in merges}


def period_overviews(files: ListFiles) -> dict[str, Standing]:
    return {number: Standing(int(row["rating"]), int(row["games"])) for number, row in files.figures.items()}


# --- one list


class Recalculation:
    """A list from the files of itself and of those it names."""

    def __init__(self, published: Mapping[str, ListFiles], files: ListFiles, found: Comparison) -> None:
        self.published, self.files = published, files
        self.expect, self.found = found.expect, found
        self.lists = [published[address] for address in files.used("read")]
        if not self.lists:
            raise ValueError("lists-read.csv names no list with the use read")
        self.previous = self.lists[-1]
        self.merged_into = {line["fmjd_id"]: line["surviving_fmjd_id"] for line in files.merges}
        self.carried = self._carried()
        self.start = self._begun()
        self._put_carried()
        self.changes: defaultdict[str, list[Row]] = defaultdict(list)

    def of_other(self, files: ListFiles) -> "Recalculation":
        """Another list, whose own differences are told with that list."""
        return Recalculation(self.published, files, Comparison(files.address))

    @cached_property
    def closing(self) -> date:
        """R10; or an earlier day that the list has, after the closing date of the list before."""
        by_rule = closing_date(self.files.in_force)
        printed = date.fromisoformat(self.files.calculation["closing"])
        is_early = printed < by_rule and printed > date.fromisoformat(self.previous.calculation["closing"])
        return printed if is_early else by_rule

    # what a period starts from

    def _begun(self) -> dict[str, Standing]:
        """The list before, as it is read: records that are two again, then records that are one (R24)."""
        found = period_overviews(self.previous)
        self.stood: dict[str, Standing] = {}
        without_games: set[str] = set()
        for line in self.files.undone:
            duplicate, survivor = line["fmjd_id"], found.get(line["surviving_fmjd_id"])
            stood = self._standing(line)
            cells = (str(stood.rating), str(stood.games), stood.list) if stood else ("", "", "")
            for column, cell in zip(("rating", "games", "list"), cells, strict=True):
                self.expect(f"merged.csv {duplicate} {column}", line[column], cell)
            self.expect(f"merged.csv {duplicate} rating_of", line["rating_of"], "")
            if stood is None:
                continue
            found[duplicate] = self.stood[duplicate] = stood
            moved = (
                self.carried[line["surviving_fmjd_id"]].games
                if line["surviving_fmjd_id"] in self.carried
                else 0
            )
            of_opening = line["surviving_fmjd_id"] in self.lists[0].figures
            if survivor is not None and (of_opening or survivor.games - stood.games + moved > 0):
                found[line["surviving_fmjd_id"]] = Standing(survivor.rating, survivor.games - stood.games)
            elif survivor is not None:  # with its last game it loses the rating too
                del found[line["surviving_fmjd_id"]]
                without_games.add(line["surviving_fmjd_id"])
        whose = {number: number for number in found}
        for line in self.files.merges:
            if line["fmjd_id"] in whose:
                whose.setdefault(line["surviving_fmjd_id"], line["fmjd_id"])
        for line in self.files.merges:
            rating_of = whose.get(line["surviving_fmjd_id"], "")
            for column, cell in {"rating_of": rating_of, "rating": "", "games": "", "list": ""}.items():
                self.expect(f"merged.csv {line['fmjd_id']} {column}", line[column], cell)
        self.taken: dict[str, Standing] = {}
        for line in self.files.merges:
            if line["fmjd_id"] in found:
                self.taken[line["fmjd_id"]] = found[line["fmjd_id"]]
            found = merge_ratings(found, [line])
        for record in without_games - found.keys():
            self.carried.pop(record, None)
        return found

    def _standing(self, undone: Row) -> Standing | None:
        """What a record takes up again: what the merge took from it, and the corrections of it carried since."""
        record, pair = undone["fmjd_id"], pairs([undone])
        merged_on = [self.previous]
        while not pair & pairs(merged_on[-1].undone):  # else merged again there
            previous = self.published[merged_on[-1].used("read")[-1]]
            if not pair & pairs(previous.merges):
                break
            merged_on.append(previous)
        first = self.of_other(merged_on[-1])
        found = first.taken.get(record)
        shown = first.stood[record].list if record in first.stood else first.previous.address
        for files in reversed(merged_on):
            for address in files.used("carried"):
                revision = self.published[address]
                replaced = self.published[revision.before]
                known = pairs(replaced.merges)
                held = [
                    row for row in revision.merges if (row["fmjd_id"], row["surviving_fmjd_id"]) not in known
                ]
                old, new = (merge_ratings(period_overviews(one), held) for one in (replaced, revision))
                if record in {row["fmjd_id"] for row in held}:
                    found = self._without_events(record, replaced, found)
                elif record in old or record in new:
                    nothing = Standing(0, 0)
                    before, after = old.get(record, nothing), new.get(record, nothing)
                    if found is None:
                        found, shown = nothing, address
                    found = Standing(
                        found.rating + after.rating - before.rating, found.games + after.games - before.games
                    )
        return Standing(found.rating, found.games, shown) if found and found.rating > 0 else None

    def _without_events(self, record: str, replaced: ListFiles, found: Standing | None) -> Standing | None:
        """Without what the events of a list gave to a record: the revision counts them for the record kept."""
        row = replaced.figures.get(record)
        if found is None or row is None or row["period_games"] == "0":
            return found
        start = self.of_other(replaced).start.get(record)
        games = found.games - int(row["period_games"])
        if start is None or not start.rating:
            return Standing(found.rating if games > 0 else 0, games)
        return Standing(found.rating + start.rating - int(row["rating"]), games)

    def _carried(self) -> dict[str, Standing]:
        """What the corrections of earlier lists changed, which this list carries (decision 0014)."""
        sums: dict[str, Standing] = {}
        self.moved_by: defaultdict[str, list[str]] = defaultdict(list)
        for address in self.files.used("carried"):
            revision = self.published[address]
            old, new = (
                merge_ratings(period_overviews(revision_read), self.files.merges)
                for revision_read in (self.published[revision.before], revision)
            )
            for number in {*old, *new}:
                before, after = old.get(number, Standing(0, 0)), new.get(number, Standing(0, 0))
                if before != after:
                    more = sums.setdefault(number, Standing(0, 0))
                    more.rating += after.rating - before.rating
                    more.games += after.games - before.games
                    self.moved_by[number].append(address)
        return sums

    def _put_carried(self) -> None:
        sums = self.carried
        for number, more in sums.items():
            stood = self.start.setdefault(number, Standing(0, 0))
            stood.rating += more.rating
            stood.games += more.games
        printed = {row["fmjd_id"]: row for row in self.files.rows("carried.csv")}
        self.found.expect_lines("carried.csv", list(printed), sorted(sums, key=int))
        for number in printed.keys() & sums.keys():
            row, more = printed[number], sums[number]
            cells = (str(more.rating), str(more.games), " ".join(self.moved_by[number]))
            for column, cell in zip(("rating", "games", "corrections"), cells, strict=True):
                self.expect(f"carried.csv {number} {column}", row[column], cell)

    @cached_property
    def memory(self) -> dict[str, PlayerActivity]:
        """2300, days and games on the revisions read, of each record, and then of each person."""
        records: defaultdict[str, PlayerActivity] = defaultdict(PlayerActivity)
        since = years_before(self.closing, 3)
        for files in self.lists:
            for row in files.rows("figures.csv"):
                if files.is_opening:
                    if row["last_game"]:
                        last = date.fromisoformat(row["last_game"])
                        records[row["fmjd_id"]].play(last, since, int(row["games_3_years"]))
                    if row["reached_2300"] == "1":
                        records[row["fmjd_id"]].reach(BEFORE_EVERY_LIST)
                elif int(row["rating"]) >= 2300:
                    records[row["fmjd_id"]].reach(files.in_force)
            for number, day in files.counted():
                records[number].play(day, since)
        persons: defaultdict[str, PlayerActivity] = defaultdict(PlayerActivity)
        for number, memory in records.items():
            persons[self.merged_into.get(number, number)].take(memory)
        return persons

    # the period

    def _basis(self, first_day: date) -> ListFiles:
        """R8: the list in force on the first day, else the earliest."""
        return next((files for files in reversed(self.lists) if files.in_force <= first_day), self.lists[0])

    def _results(
        self, code: str, minutes: str, basis: dict[str, Standing]
    ) -> dict[str, list[tuple[int, int, date]]]:
        """Of each player the counted games: opponent's rating, points, day; of a session those of one clock (R25)."""
        results: defaultdict[str, list[tuple[int, int, date]]] = defaultdict(list)
        for game in self.games[code]:
            if game.get("minutes_for_60_moves", minutes) != minutes:
                continue
            white, black = game["white_id"], game["black_id"]
            played = "x" not in game["result"] and white and black
            for_white, for_black = bool(played and black in basis), bool(played and white in basis)
            counted = {(True, True): "both", (True, False): "white", (False, True): "black"}
            expected = counted.get((for_white, for_black), "none")
            self.expect(f"games.csv {code} {game['round']} {white}-{black}", game["counted"], expected)
            day = date.fromisoformat(game["date"])
            if played:
                points = [int(part) for part in game["result"].split("-")]
                if for_white:
                    results[white].append((basis[black].rating, points[0], day))
                if for_black:
                    results[black].append((basis[white].rating, points[1], day))
        return results

    def calculate(self) -> dict[str, Row]:
        """The rows of figures.csv: FMJD-ID → column → cell. What else differs is in `different`."""
        running = {
            number: Fraction(standing.rating) for number, standing in self.start.items() if standing.rating
        }
        games = defaultdict(int, {number: standing.games for number, standing in self.start.items()})
        played: defaultdict[str, list[date]] = defaultdict(list)
        self.games = defaultdict(list)
        for game in self.files.rows("games.csv"):
            self.games[game["tournament"]].append(game)
        for event in self.files.table("tournaments.csv"):  # in R5's order
            code, first_day = event["code"], date.fromisoformat(event["played_from"])
            listed = self._basis(first_day)
            self.expect(f"tournaments.csv {code} ratings_of", event["ratings_of"], listed.address)
            basis = merge_ratings(period_overviews(listed), self.files.merges)
            percentage = development(
                Fraction(event["minutes_for_60_moves"]), rapid=event["pool"].endswith("rapidblitz")
            )
            self.expect(f"tournaments.csv {code} development", event["development"], str(percentage))
            minutes = event["minutes_for_60_moves"]
            for control in event["time_control"].split(", "):
                text = minutes_text(seconds_for_60_moves(control))
                self.expect(f"tournaments.csv {code} minutes_for_60_moves", minutes, text)
            rapid = event["pool"].endswith("rapidblitz")
            self.expect(f"tournaments.csv {code} in its pool", Fraction(minutes) < 30, rapid)  # R6, R25
            self.expect(f"tournaments.csv {code} pool", event["pool"], self.files.pool)
            in_period = date.fromisoformat(event["played_to"]) <= self.closing  # R10
            self.expect(f"tournaments.csv {code} played by {self.closing}", in_period, True)
            for number, results in sorted(self._results(code, minutes, basis).items()):
                own = basis[number].rating if number in basis else None
                known = (own, running.get(number), games[number])
                change, running[number] = self._change(number, known, results, percentage, first_day)
                if self.files.has_sessions:
                    change["minutes_for_60_moves"] = minutes
                self.changes[number].append({"fmjd_id": number, "tournament": code, **change})
                games[number] += len(results)
                played[number] += [day for _, _, day in results]
        return self._rows(running, games, played)

    def _change(
        self,
        number: str,
        known: tuple[int | None, Fraction | None, int],
        results: list[tuple[int, int, date]],
        percentage: int,
        first_day: date,
    ) -> tuple[Row, Fraction]:
        """One event of one player: the line of changes.csv and the running value after it."""
        listed, running, games = known
        n, points = len(results), sum(won for _, won, _ in results)
        average = Fraction(sum(rating for rating, _, _ in results), n)
        performance = four_decimals(average + difference_of(Fraction(100 * points, 2 * n)))
        line = {"average": decimals(average), "games": str(n), "points": str(points)}
        if games < 25:  # art. 3.3, R7
            performance = min(max(performance, Fraction(1900)), Fraction(2400))  # R4
            own = running
            after = (
                performance
                if running is None
                else four_decimals((games * running + n * performance) / (games + n))
            )
            line |= dict.fromkeys(("pe", "we", "k", "development", "delta"), "") | {"method": "provisional"}
            line["own"] = "" if own is None else decimals(own)
        else:
            if running is None:
                raise ValueError(f"{self.files.address}: {number} has {games} games and no rating")
            own = running if listed is None else Fraction(listed)  # R8
            expected = expected_percentage(own - average)
            score = four_decimals(expected * 2 * n / 100)
            reached = self.memory[number].reached if number in self.memory else None
            k = 25 if games < 30 else 10 if reached is not None and reached <= first_day else 15  # R5
            delta = four_decimals(Fraction(k, 2) * percentage / 100 * (points - score))
            after = running + delta
            line |= {"method": "change", "own": decimals(own) if listed is None else str(listed)}
            line |= {"pe": decimals(expected), "we": decimals(score), "k": str(k)}
            line |= {"development": str(percentage), "delta": decimals(delta)}
        return line | {"performance": decimals(performance), "after": decimals(after)}, after

    def _rows(
        self,
        running: dict[str, Fraction],
        games: dict[str, int],
        played: dict[str, list[date]],
    ) -> dict[str, Row]:
        ratings = {number: whole_number(value) for number, value in running.items()}
        order = sorted(ratings, key=lambda number: (-ratings[number], int(number)))
        higher = ranks_of(ratings[number] for number in order)
        rows = {}
        for number in order:
            rating, memory = ratings[number], self.memory[number]
            for day in played[number]:
                memory.play(day, years_before(self.closing, 3))
            before = self.previous.figures.get(number)
            rows[number] = {
                "fmjd_id": number,
                "rating": str(rating),
                "change": str(rating - int(before["rating"])) if before else "",  # U9
                "period_games": str(len(played[number])),
                "games": str(games[number]),
                "category": category(
                    rating, games[number], memory.in_3_years, memory.last_game, self.closing
                ),
                "rank": str(1 + higher[rating]),
                "reached_2300": str(int(memory.reached is not None or rating >= 2300)),
                "games_3_years": str(memory.in_3_years),
                "last_game": memory.last_game.isoformat() if memory.last_game else "",
                "list": "",
                "previous_sha256": "",
            }
        if order:
            chain = {
                "list": f"{self.files.pool}/{self.files.in_force}",
                "previous_sha256": self.previous.sha256,
            }
            rows[order[0]] |= chain
        return rows


def decimals(value: Fraction) -> str:
    """Four decimals, as the files print them."""
    whole = int(four_decimals(value) * 10_000)
    return f"{'-' if whole < 0 else ''}{abs(whole) // 10_000}.{abs(whole) % 10_000:04}"


# --- all lists


class MissingFilesError(Exception):
    """A list needs another one, or a file of its own, that is not there."""


@dataclass
class Result:
    """What came out for each list: address → cells that are the same; each difference; what only some lists show."""

    same: dict[str, int]
    different: list[str]
    given: list[str]


def recompute(published: Published, only: str | None = None) -> Result:
    """Recalculate all these lists, or one of them. Raises MissingFilesError."""
    lists = {address: ListFiles(address, files) for address, files in published.items()}
    result = Result({}, [], [])
    for address in sorted(lists) if only is None else [only]:
        files = lists[address]
        if missing := needed_by(files, lists) - lists.keys():
            raise MissingFilesError(f"{address} needs {', '.join(sorted(missing))}")
        found = Comparison(address)
        try:
            compare(lists, files, found)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            found.different.append(f"{address} cannot be calculated: {type(error).__name__}: {error}")
        result.same[address] = found.same
        result.different += found.different
        result.given += found.given
    return result


def needed_by(files: ListFiles, lists: Mapping[str, ListFiles]) -> set[str]:
    """The addresses of the lists that a list is read from; of a revision also the one it replaced."""
    carried = files.used("carried")
    revisions = [files, *(lists[address] for address in carried if address in lists)]
    return {
        *files.used("read"),
        *carried,
        *(revision.before for revision in revisions if revision.revision > 1),
    }


def compare(lists: Mapping[str, ListFiles], files: ListFiles, found: Comparison) -> None:
    """Every cell of the files of a list but those in GIVEN."""
    compare_columns(files, found)
    if files.is_opening:
        closing = files.in_force - timedelta(days=1)
        compare_figures(files, opening_rows(files, closing), found)
        compare_calculation(files, closing, None, found)
        return
    compare_lists_read(lists, files, found)
    recalculation = Recalculation(lists, files, found)
    rows = recalculation.calculate()
    if "norms.csv" in files.files and rows:
        norms = hashlib.sha256(files.files["norms.csv"]).hexdigest()
        for number, row in rows.items():
            row["norms_sha256"] = norms if number == next(iter(rows)) else ""
    compare_figures(files, rows, found)
    compare_calculation(files, recalculation.closing, recalculation.previous, found)
    compare_games(files, found)
    compare_changes(recalculation, found)
    compare_merges(files, recalculation.previous, found)
    if files.revision > 1:
        compare_differences(lists[files.before], files, rows, found)


def compare_columns(files: ListFiles, found: Comparison) -> None:
    """Which files the list has, and their first lines."""
    expected = {"figures.csv", "calculation.csv", "tournaments.csv", "games.csv", "changes.csv"}
    if not files.is_opening:
        expected |= {"lists-read.csv"}
        expected |= {"differences.csv"} if files.revision > 1 else set()
        expected |= {"carried.csv"} if files.used("carried") else set()
        expected |= {"merged.csv", "decisions.csv"} & files.files.keys()
        expected |= {"norms.csv"} if "norms_sha256" in files.header("figures.csv") else set()
    found.expect("files", sorted(COLUMNS.keys() & files.files.keys()), sorted(expected))
    for name in sorted(COLUMNS.keys() & files.files.keys()):
        columns = COLUMNS[name]
        if files.has_sessions:
            columns += OF_SESSIONS.get(name, ())
        if name == "figures.csv" and "norms.csv" in files.files:
            columns += ("norms_sha256",)
        found.expect_lines(f"{name} columns,", list(files.header(name)), list(columns))


def opening_rows(files: ListFiles, closing: date) -> dict[str, Row]:
    """What follows from the ratings, games and days that an opening list begins with (R12)."""
    order = sorted(files.figures.values(), key=lambda row: (-int(row["rating"]), int(row["fmjd_id"])))
    higher = ranks_of(int(row["rating"]) for row in order)
    rows: dict[str, Row] = {}
    for row in order:
        rating, last = int(row["rating"]), date.fromisoformat(row["last_game"])
        rows[row["fmjd_id"]] = row | {
            "change": "",
            "period_games": "0",
            "category": category(rating, int(row["games"]), int(row["games_3_years"]), last, closing),
            "rank": str(1 + higher[rating]),
            "reached_2300": "1" if rating >= 2300 else row["reached_2300"],
            "list": "" if rows else f"{files.pool}/{files.in_force}",
            "previous_sha256": "",
        }
    return rows


def compare_figures(files: ListFiles, rows: dict[str, Row], found: Comparison) -> None:
    found.expect_lines("figures.csv", [row["fmjd_id"] for row in files.rows("figures.csv")], list(rows))
    for number, row in rows.items():
        if (printed := files.figures.get(number)) is not None:
            for column, cell in row.items():
                found.expect(f"figures.csv {number} {column}", printed.get(column), cell)


def compare_calculation(
    files: ListFiles, closing: date, previous: ListFiles | None, found: Comparison
) -> None:
    """The line of calculation.csv. An opening list has no list before it, and no digest of inputs."""
    expected = {
        "list": files.address,
        "in_force": files.in_force.isoformat(),
        "closing": closing.isoformat(),
        "system": "fmjd",
        "edition": EDITION,
        "players": str(len(files.figures)),
        "tournaments": str(len({event["code"] for event in files.rows("tournaments.csv")})),
        "games": str(sum(is_played(game) for game in files.rows("games.csv"))),
        "sha256": files.sha256,
        "previous_sha256": previous.sha256 if previous else "",
    }
    expected |= {} if previous else {"input_sha256": ""}
    found.expect("calculation.csv lines", len(files.table("calculation.csv")), 1)
    for column, value in expected.items():
        found.expect(f"calculation.csv {column}", files.calculation[column], value)
    by_rule = closing_date(files.in_force)
    if previous and closing != by_rule:
        found.given.append(f"{files.address} calculation.csv closing: {closing}, before {by_rule} (R10)")


def is_played(game: Row) -> bool:
    """A game of two players; not a pause, and not a result without a game (R8)."""
    return bool("x" not in game["result"] and game["white_id"] and game["black_id"])


def compare_lists_read(lists: Mapping[str, ListFiles], files: ListFiles, found: Comparison) -> None:
    """The digests; one revision of each list since the opening list, oldest first, then what is carried."""
    lines = files.table("lists-read.csv")
    for place, line in enumerate(lines, start=2):
        other, use = lists[line["list"]], line["use"]
        found.expect(f"lists-read.csv {other.address} sha256", line["sha256"], other.sha256)
        known = use if use == "read" or (use == "carried" and other.revision > 1) else "read or carried"
        found.expect(f"lists-read.csv line {place} use", use, known)
    uses = [line["use"] for line in lines]
    found.expect_lines("lists-read.csv", uses, sorted(uses, reverse=True))
    read = files.used("read")
    if read:
        before = [*lists[read[-1]].used("read"), read[-1]]
        days, expected = (
            [f"{lists[name].pool}/{lists[name].in_force}" if name in lists else name for name in names]
            for names in (read, before)
        )
        found.expect_lines("lists-read.csv read,", days, expected)
        found.expect("lists-read.csv read is older", lists[read[-1]].in_force < files.in_force, True)


def compare_games(files: ListFiles, found: Comparison) -> None:
    """The order of tournaments (R5) and games; each game is of a tournament, of a session by one of its clocks."""
    events = files.table("tournaments.csv")
    in_order = sorted(
        events, key=lambda event: (date.fromisoformat(event["played_to"]), int(event["number"]))
    )
    found.expect_lines(
        "tournaments.csv", *([event["code"] for event in table] for table in (events, in_order))
    )
    clocks = {(event["code"], event["minutes_for_60_moves"]) for event in events}
    found.expect("tournaments.csv lines", len(clocks), len(events))
    places = {event["code"]: place for place, event in enumerate(events)}
    games = files.table("games.csv")
    for game in games:
        code = game["tournament"]
        known = (code, game["minutes_for_60_moves"]) in clocks if files.has_sessions else code in places
        found.expect(f"games.csv {code} {game['round']} is of a line of tournaments.csv", known, True)

    def place(game: Row) -> tuple[int, ...]:
        players = [(not number, int(number or 0)) for number in (game["white_id"], game["black_id"])]
        order = [int(game["round"]), int(game.get("game") or 0), *players[0], *players[1]]
        return (places.get(game["tournament"], -1), *order)

    found.expect_lines(
        "games.csv",
        *(
            [f"{one['tournament']} {one['round']} {one['white_id']}-{one['black_id']}" for one in table]
            for table in (games, sorted(games, key=place))
        ),
    )


def compare_changes(recalculation: Recalculation, found: Comparison) -> None:
    changes = [
        line for number in sorted(recalculation.changes, key=int) for line in recalculation.changes[number]
    ]
    printed = recalculation.files.table("changes.csv")
    found.expect_lines(
        "changes.csv",
        *([f"{one['fmjd_id']} {one['tournament']}" for one in table] for table in (printed, changes)),
    )
    for line, expected in zip(printed, changes, strict=False):
        for column, cell in expected.items():
            found.expect(
                f"changes.csv {expected['fmjd_id']} {expected['tournament']} {column}", line[column], cell
            )


def compare_merges(files: ListFiles, previous: ListFiles, found: Comparison) -> None:
    """The order of merged.csv: merges undone, then merges in force; undone are those of the list before only (R24)."""
    lines = files.table("merged.csv")
    found.expect_lines(
        "merged.csv order,",
        [line["order"] for line in lines],
        [str(place + 1) for place in range(len(lines))],
    )
    states = [line["state"] for line in lines]
    expected = ["undone"] * len(files.undone) + ["merged"] * (len(lines) - len(files.undone))
    found.expect_lines("merged.csv state,", states, expected)
    undone, before = pairs(files.undone), pairs(previous.merges)
    found.expect("merged.csv undone", sorted(undone - before), [])
    found.expect("merged.csv no longer merged", sorted(before - pairs(files.merges) - undone), [])


def compare_differences(
    replaced: ListFiles, files: ListFiles, rows: dict[str, Row], found: Comparison
) -> None:
    """What a revision changed in the list it replaced, by number."""
    columns = [column.removesuffix("_before") for column in COLUMNS["differences.csv"][1::2]]
    expected = {}
    for number in sorted({*replaced.figures, *rows}, key=int):
        before, after = replaced.figures.get(number, {}), rows.get(number, {})
        if [before.get(column) for column in columns] != [after.get(column) for column in columns]:
            expected[number] = {
                f"{column}_{when}": row.get(column, "")
                for column in columns
                for when, row in (("before", before), ("after", after))
            }
    printed = files.table("differences.csv")
    found.expect_lines("differences.csv", [line["fmjd_id"] for line in printed], list(expected))
    for line in printed:
        for column, cell in expected.get(line["fmjd_id"], {}).items():
            found.expect(f"differences.csv {line['fmjd_id']} {column}", line[column], cell)


def read_folder(folder: Path) -> Published:
    """All lists in a folder, in folders as in their addresses, with or without the last one, `files`."""
    published: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
    for file in (*folder.glob("*/*/r*/*.csv"), *folder.glob("*/*/r*/files/*.csv")):
        published["/".join(file.relative_to(folder).parts[:3])][file.name] = file.read_bytes()
    if not published:
        raise MissingFilesError(f"no lists in {folder}: put files into folders like fmjd-100/2026-04-01/r1")
    return published


def load(address: str, get: Callable[[str], bytes | None]) -> Published:
    """The list at an address and those that it needs, by `get`, which gives None for a file that does not exist."""
    root, slash, wanted = address.rstrip("/").rpartition("/lists/")
    published: dict[str, dict[str, bytes]] = {}
    lists: dict[str, ListFiles] = {}
    waiting = [wanted]
    while waiting:
        name = waiting.pop()
        if name not in published:
            found = {file: get(f"{root}{slash}{name}/files/{file}") for file in COLUMNS}
            if found["figures.csv"] is None:
                raise MissingFilesError(f"no list at {root}{slash}{name}/")
            published[name] = {file: content for file, content in found.items() if content is not None}
            lists[name] = ListFiles(name, published[name])
            # Revisions are calculated from one another's lists: what one needs may come with another.
            waiting += [other for files in lists.values() for other in needed_by(files, lists) - lists.keys()]
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
        else:
            published = read_folder(Path(argument))
        result = recompute(published)
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
    sys.stdout.write(f"{PROVED_BY_USE} Not read: {NOT_READ}.\n")
    return 1 if result.different else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} ADDRESS-OF-A-LIST | FOLDER")
    sys.exit(main(sys.argv[1]))
