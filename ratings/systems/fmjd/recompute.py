"""Recalculate the published FMJD rating lists from their published files alone.

    python recompute.py https://OFFICE/lists/fmjd-100/2026-04-01/r1/    # loads this list and the ones it needs
    python recompute.py FOLDER                                          # FOLDER/fmjd-100/2026-04-01/r1/figures.csv …

One file, Python 3.11 or later, nothing to install. It is written from Annex 9, the rulings on it (R1 to R13, R5a,
R24, R25) and the description of the published files, player by player in fractions; it shares nothing with the
calculation of the rating office. It calculates every figure of figures.csv, changes.csv, carried.csv and merged.csv,
who counts in games.csv, and the percentages and lists of ratings in tournaments.csv; it checks the chain of SHA-256.
It prints how many figures are the same and how many are different, and each difference. Opening lists are taken as
they are.

Exit status: 0 all the same, 1 something is different, 2 files are missing.
"""

import csv
import hashlib
import io
import sys
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property
from pathlib import Path

EDITION = "annex-9-2024-04"
BEFORE_EVERY_LIST = date.min
FILES = (
    "figures.csv", "calculation.csv", "lists-read.csv", "tournaments.csv", "games.csv", "changes.csv", "carried.csv",
    "merged.csv", "norms.csv",
)  # fmt: skip

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


def closing_date(in_force: date) -> date:
    """R10: the 15th of the month before."""
    return (in_force - timedelta(days=1)).replace(day=15)


# --- the files of one list


@dataclass
class ListFiles:
    """The files of one published list, as tables."""

    address: str
    files: Mapping[str, bytes]

    def table(self, name: str) -> list[Row]:
        return (
            list(csv.DictReader(io.StringIO(self.files[name].decode(), newline="")))
            if name in self.files
            else []
        )

    def __post_init__(self) -> None:
        self.pool, day, revision = self.address.split("/")
        self.in_force, self.revision = date.fromisoformat(day), int(revision.removeprefix("r"))
        self.figures = {row["fmjd_id"]: row for row in self.table("figures.csv")}
        self.is_opening = "lists-read.csv" not in self.files
        self.merges = [row for row in self.table("merged.csv") if row["state"] == "merged"]
        self.undone = [row for row in self.table("merged.csv") if row["state"] == "undone"]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.files["figures.csv"]).hexdigest()

    @property
    def before(self) -> str:
        """The address of the revision it replaced."""
        return f"{self.pool}/{self.in_force}/r{self.revision - 1}"

    def used(self, use: str) -> list[str]:
        return [row["list"] for row in self.table("lists-read.csv") if row["use"] == use]

    def counted(self) -> Iterator[tuple[str, date]]:
        """Who counted a game, and its day; the opening list has its figures instead."""
        for game in self.table("games.csv"):
            day = date.fromisoformat(game["date"])
            if game["counted"] in ("both", "white"):
                yield game["white_id"], day
            if game["counted"] in ("both", "black"):
                yield game["black_id"], day


@dataclass
class Standing:
    """What a record or a person starts with."""

    rating: int
    games: int


@dataclass
class PlayerActivity:
    """What the lists read remember of a person (R5, R5a, R12)."""

    reached: date | None = None
    last_game: date | None = None
    days: list[tuple[date, int]] = field(default_factory=list)  # day → counted games

    def take(self, other: "PlayerActivity") -> None:
        self.reached = min((day for day in (self.reached, other.reached) if day), default=None)
        self.last_game = max((day for day in (self.last_game, other.last_game) if day), default=None)
        self.days += other.days


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

    def __init__(self, published: Mapping[str, ListFiles], files: ListFiles) -> None:
        self.published, self.files = published, files
        self.same = 0
        self.different: list[str] = []
        self.closing = closing_date(files.in_force)
        self.three_years = self.closing.replace(year=self.closing.year - 3)
        self.five_years = self.closing.replace(year=self.closing.year - 5)
        self.lists = [published[address] for address in files.used("read")]
        self.previous = self.lists[-1]
        self.merged_into = {line["fmjd_id"]: line["surviving_fmjd_id"] for line in files.merges}
        self.carried = self._carried()
        self.start = self._begun()
        self._put_carried()
        self.changes: defaultdict[str, list[Row]] = defaultdict(list)

    def expect(self, where: str, found: object, expected: object) -> None:
        if found == expected:
            self.same += 1
        else:
            self.different.append(f"{self.files.address} {where}: published {found}, calculated {expected}")

    # what a period starts from

    def _begun(self) -> dict[str, Standing]:
        """The list before, as it is read: records that are two again, then records that are one (R24)."""
        found = period_overviews(self.previous)
        without_games: set[str] = set()
        for line in self.files.undone:
            duplicate, survivor = line["fmjd_id"], found.get(line["surviving_fmjd_id"])
            stood = self._standing(line)
            self.expect(
                f"merged.csv {duplicate}", (line["rating"], line["games"]),
                (str(stood.rating), str(stood.games)) if stood else ("", ""),
            )  # fmt: skip
            if stood is None:
                continue
            found[duplicate] = stood
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
            self.expect(f"merged.csv {line['fmjd_id']} rating_of", line["rating_of"], rating_of)
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
        found = Recalculation(self.published, merged_on[-1]).taken.get(record)
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
                    stood = found or nothing
                    found = Standing(
                        stood.rating + after.rating - before.rating, stood.games + after.games - before.games
                    )
        return found if found and found.rating > 0 else None

    def _without_events(self, record: str, replaced: ListFiles, found: Standing | None) -> Standing | None:
        """Without what the events of a list gave to a record: the revision counts them for the record kept."""
        row = replaced.figures.get(record)
        if found is None or row is None or row["period_games"] == "0":
            return found
        start = Recalculation(self.published, replaced).start.get(record)
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
        printed = {row["fmjd_id"]: row for row in self.files.table("carried.csv")}
        self.expect("carried.csv players", sorted(printed), sorted(sums))
        for number in printed.keys() & sums.keys():
            row, more = printed[number], sums[number]
            self.expect(
                f"carried.csv {number}", (row["rating"], row["games"], row["corrections"]),
                (str(more.rating), str(more.games), " ".join(self.moved_by[number])),
            )  # fmt: skip

    @cached_property
    def memory(self) -> dict[str, PlayerActivity]:
        """2300, days and games on the revisions read, of each record, and then of each person."""
        records: defaultdict[str, PlayerActivity] = defaultdict(PlayerActivity)
        for files in self.lists:
            for number, row in files.figures.items():
                if files.is_opening:
                    last = date.fromisoformat(row["last_game"]) if row["last_game"] else None
                    reached = BEFORE_EVERY_LIST if row["reached_2300"] == "1" else None
                    days = [(last, int(row["games_3_years"]))] if last else []
                    records[number].take(PlayerActivity(reached, last, days))
                elif int(row["rating"]) >= 2300:
                    records[number].take(PlayerActivity(reached=files.in_force))
            for number, day in files.counted():
                records[number].take(PlayerActivity(None, day, [(day, 1)]))
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
        in_period: defaultdict[str, int] = defaultdict(int)
        played: defaultdict[str, list[date]] = defaultdict(list)
        self.games = defaultdict(list)
        for game in self.files.table("games.csv"):
            self.games[game["tournament"]].append(game)
        self.change_columns = {column for line in self.files.table("changes.csv") for column in line}
        last_day = date.min
        for event in self.files.table("tournaments.csv"):  # in R5's order
            code, first_day = event["code"], date.fromisoformat(event["played_from"])
            self.expect(
                f"tournaments.csv {code} in order", last_day <= date.fromisoformat(event["played_to"]), True
            )
            last_day = date.fromisoformat(event["played_to"])
            listed = self._basis(first_day)
            self.expect(f"tournaments.csv {code} ratings_of", event["ratings_of"], listed.address)
            basis = merge_ratings(period_overviews(listed), self.files.merges)
            percentage = development(
                Fraction(event["minutes_for_60_moves"]), rapid=event["pool"].endswith("rapidblitz")
            )
            self.expect(f"tournaments.csv {code} development", event["development"], str(percentage))
            minutes = event["minutes_for_60_moves"]
            rapid = event["pool"].endswith("rapidblitz")
            self.expect(f"tournaments.csv {code} in its pool", Fraction(minutes) < 30, rapid)  # R6, R25
            for number, results in sorted(self._results(code, minutes, basis).items()):
                own = basis[number].rating if number in basis else None
                known = (own, running.get(number), games[number])
                change, running[number] = self._change(number, known, results, percentage, first_day)
                if "minutes_for_60_moves" in self.change_columns:
                    change["minutes_for_60_moves"] = minutes
                self.changes[number].append({"fmjd_id": number, "tournament": code, **change})
                games[number] += len(results)
                in_period[number] += len(results)
                played[number] += [day for _, _, day in results]
        return self._rows(running, games, in_period, played)

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
        in_period: dict[str, int],
        played: dict[str, list[date]],
    ) -> dict[str, Row]:
        ratings = {number: whole_number(value) for number, value in running.items()}
        order = sorted(ratings, key=lambda number: (-ratings[number], int(number)))
        rows = {}
        for number in order:
            rating, memory = ratings[number], self.memory[number]
            memory.take(
                PlayerActivity(None, max(played[number], default=None), [(day, 1) for day in played[number]])
            )
            in_3_years = sum(count for day, count in memory.days if day > self.three_years)
            before = self.previous.figures.get(number)
            rows[number] = {
                "fmjd_id": number,
                "rating": str(rating),
                "change": str(rating - int(before["rating"])) if before else "",  # U9
                "period_games": str(in_period[number]),
                "games": str(games[number]),
                "category": self._category(rating, games[number], in_3_years, memory.last_game),
                "rank": str(1 + sum(other > rating for other in ratings.values())),
                "reached_2300": str(int(memory.reached is not None or rating >= 2300)),
                "games_3_years": str(in_3_years),
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

    def _category(self, rating: int, games: int, in_3_years: int, last_game: date | None) -> str:
        """Art. 6.3 and 6.4, R12."""
        last = last_game or date.min
        total = games >= (30 if rating < 2300 else 50)
        if total and last > self.three_years and (rating < 2351 or in_3_years >= 30):
            return "A"
        return "B" if last > self.three_years or (total and last > self.five_years) else "C"


def decimals(value: Fraction) -> str:
    """Four decimals, as the files print them."""
    whole = int(four_decimals(value) * 10_000)
    return f"{'-' if whole < 0 else ''}{abs(whole) // 10_000}.{abs(whole) % 10_000:04}"


# --- all lists


class MissingFilesError(Exception):
    """A list needs another one, or a file of its own, that is not there."""


@dataclass
class Result:
    """What came out for each list but opening ones: address → figures that are the same; and each difference."""

    same: dict[str, int]
    different: list[str]


def recompute(published: Published) -> Result:
    """Recalculate all these lists. Raises MissingFilesError."""
    lists = {address: ListFiles(address, files) for address, files in published.items()}
    result = Result({}, [])
    for address in sorted(lists):
        files = lists[address]
        if files.is_opening:
            continue
        if missing := needed_by(files, lists) - lists.keys():
            raise MissingFilesError(f"{address} needs {', '.join(sorted(missing))}")
        recalculation = Recalculation(lists, files)
        compare(recalculation)
        result.same[address] = recalculation.same
        result.different += recalculation.different
    return result


def needed_by(files: ListFiles, lists: Mapping[str, ListFiles]) -> set[str]:
    """The addresses of the lists that a list is read from; of a carried revision also the one it replaced."""
    carried = files.used("carried")
    return {
        *files.used("read"),
        *carried,
        *(lists[address].before for address in carried if address in lists),
    }


def compare(recalculation: Recalculation) -> None:
    """Every cell of figures.csv and changes.csv, the closing date, the edition, the digests."""
    files, expect = recalculation.files, recalculation.expect
    rows = recalculation.calculate()
    (named,) = files.table("calculation.csv")
    for column, value in {
        "closing": recalculation.closing.isoformat(),
        "edition": EDITION,
        "sha256": files.sha256,
        "previous_sha256": recalculation.previous.sha256,
    }.items():
        expect(f"calculation.csv {column}", named[column], value)
    for line in files.table("lists-read.csv"):
        expect(
            f"lists-read.csv {line['list']} sha256",
            line["sha256"],
            recalculation.published[line["list"]].sha256,
        )
    if rows and "norms.csv" in files.files:
        rows[next(iter(rows))]["norms_sha256"] = hashlib.sha256(files.files["norms.csv"]).hexdigest()
    expect("figures.csv order", list(files.figures), list(rows))
    for number in rows.keys() & files.figures.keys():
        for column, cell in rows[number].items():
            expect(f"figures.csv {number} {column}", files.figures[number].get(column), cell)
    changes = [
        line for number in sorted(recalculation.changes, key=int) for line in recalculation.changes[number]
    ]
    printed = files.table("changes.csv")
    keys = [[(line["fmjd_id"], line["tournament"]) for line in table] for table in (printed, changes)]
    expect("changes.csv lines", *keys)
    for line, expected in zip(printed, changes, strict=False):
        for column, cell in expected.items():
            expect(f"changes.csv {line['fmjd_id']} {line['tournament']} {column}", line[column], cell)


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
            found = {file: get(f"{root}{slash}{name}/files/{file}") for file in FILES}
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
    return 1 if result.different else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} ADDRESS-OF-A-LIST | FOLDER")
    sys.exit(main(sys.argv[1]))
