"""Everything published compared with itself: files, digests, chain, rows, changes, histories. Nothing is written."""

import csv
import hashlib
import io
import json
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ratings.facts import carried_differences, lists_in_force, period_facts, sources_of_list
from ratings.models import (
    PeriodReport,
    PlayerHistory,
    Pool,
    PublishedFile,
    RatingChange,
    RatingList,
    RatingListRow,
)
from ratings.rules.fmjd.calculate import arrange
from ratings.rules.fmjd.columns import CHANGE, METHODS, NO_DAY, ListColumns, RatedColumns
from ratings.rules.fmjd.parameters import edition_in_force
from ratings.rules.fmjd.periods import day_number, day_of_number
from ratings.selectors.lists import ERASED_NAME, parameters_of
from ratings.services.calculate import calculate_figures
from ratings.services.export_list import published_files
from reporting.models import Player
from reporting.rules.folding import sort_name

ROWS, CHANGES, HISTORY, LIST = (
    model._meta.db_table for model in (RatingListRow, RatingChange, PlayerHistory, RatingList)
)
E4 = 10_000
# What a line of a published table goes by; of all others it is the FMJD-ID.
KEYS = {
    "changes.csv": ("fmjd_id", "tournament"),
    "games.csv": ("tournament", "round", "white_id", "black_id"),
    "tournaments.csv": ("code",),
}
# What the engine gives of a row, and of a change besides its player and place.
ROW_FIGURES = (
    "position", "register_number", "rating", "change", "period_games", "games", "games_3_years", "last_game",
    "reached_2300", "category", "rank", "official_position", "official_rank",
)  # fmt: skip
CHANGE_FIGURES = (
    "tournament_id", "basis_list_id", "method", "own_e4", "own_is_running", "before_e4", "games_before", "games",
    "unrated_games", "opponents_sum", "average_e4", "points", "expected_percentage_e4", "expected_score_e4", "k",
    "development", "delta_e4", "performance_e4", "performance_limited", "after_e4", "first_game", "last_game",
)  # fmt: skip
HISTORY_FIGURES = ("rating", "change", "period_games", "games", "category", "rank", "official_rank")


@dataclass(frozen=True)
class Difference:
    """One thing that is not as it was published: where, of whom, which column, what stands there and what should."""

    rating_list: str
    where: str
    fmjd_id: int | None
    column: str
    found: str
    expected: str

    def __str__(self) -> str:
        of_whom = "" if self.fmjd_id is None else f", FMJD-ID {self.fmjd_id}"
        return (
            f"{self.rating_list}: {self.where}{of_whom}, {self.column}: found {self.found or 'nothing'},"
            f" expected {self.expected or 'nothing'}"
        )


@dataclass
class VerifiedList:
    """A published list, how much of it was compared, and every difference found."""

    rating_list: RatingList
    numbers: Mapping[int, int]
    compared: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"{self.rating_list.address}/r{self.rating_list.revision}"

    @cached_property
    def rows(self) -> list[RatingListRow]:
        return list(RatingListRow.objects.filter(list_id=self.rating_list.pk).order_by("position"))

    @cached_property
    def erased(self) -> set[int]:
        """FMJD-IDs of rows whose name was erased: files with names may hold the old or the new word."""
        return {row.register_number for row in self.rows if row.name == ERASED_NAME}

    def expect(self, where: str, column: str, found: Any, expected: Any, fmjd_id: int | None = None) -> None:
        if found != expected:
            self.differences.append(
                Difference(self.address, where, fmjd_id, column, _shown(found), _shown(expected))
            )


def _shown(value: Any) -> str:
    return "" if value is None else str(value)


def verify_lists(pool: Pool | None = None, *, recalculate: bool = False) -> Iterator[VerifiedList]:
    """Compare every published list, of one pool or of all, oldest first; see `verify_list`."""
    lists = RatingList.objects.filter(state=RatingList.State.PUBLISHED)
    if pool is not None:
        lists = lists.filter(pool=pool)
    for rating_list in lists.select_related("pool", "period", "previous", "correction__replaces").order_by(
        "pool_id", "in_force", "revision"
    ):
        yield verify_list(rating_list, recalculate=recalculate)


def verify_list(rating_list: RatingList, *, recalculate: bool = False) -> VerifiedList:
    """Compare what is kept of one published list with what follows from the rest of it; all differences at once.

    Files against their digests and against the rows they were made from, signatures and chain, order and ranks (R12,
    R13), what players' changes and carried points sum up to (R9), reports against their digests, histories. With
    `recalculate` the facts are read and every figure is calculated again. Nothing is written; what is too damaged to
    be compared is a difference too.
    """
    verified = VerifiedList(
        rating_list, {player: number or 0 for player, number in Player.objects.values_list("pk", "fmjd_id")}
    )
    checks: list[Callable[[VerifiedList], None]] = [
        _verify_files, _verify_list_itself, _verify_order, _verify_names, _verify_sums, _verify_reports,
        _verify_histories,
    ]  # fmt: skip
    if recalculate and rating_list.period is not None:
        checks.append(_verify_calculation)
    for check in checks:
        try:
            check(verified)
        except Exception as error:  # damage of any kind is told, and the rest is still looked at
            step = check.__name__.removeprefix("_verify_").replace("_", " ")
            verified.expect(step, "all", f"{type(error).__name__}: {error}", "a comparison")
    return verified


# --- files


def _verify_files(verified: VerifiedList) -> None:
    stored = {file.name: file for file in PublishedFile.objects.filter(list=verified.rating_list)}
    made = {file.name: file for file in published_files(verified.rating_list)}
    for name in sorted({*stored, *made}):
        if name not in stored or name not in made:
            verified.expect(
                name, "file", "a file" if name in stored else "none", "none" if name in stored else "a file"
            )
            continue
        file, again = stored[name], made[name]
        content = bytes(file.content)
        verified.compared["files"] += 1
        verified.expect(name, "sha256", file.sha256, hashlib.sha256(content).hexdigest())
        verified.expect(name, "size", file.size, len(content))
        verified.expect(name, "content_type", file.content_type, again.content_type)
        verified.expect(name, "carries_names", file.carries_names, again.carries_names)
        if content != again.content:
            _verify_content(verified, name, content, bytes(again.content))


def _verify_content(verified: VerifiedList, name: str, stored: bytes, made: bytes) -> None:
    """Cell by cell where a file is a table; else as a whole."""
    if name.endswith(".xlsx"):
        # A spreadsheet is compressed: other bytes may hold the same.
        stored, made = _unpacked(stored), _unpacked(made)
    if name.endswith((".xlsx", ".txt")):
        if not verified.erased:
            verified.expect(name, "content", _first_difference(stored, made), _first_difference(made, stored))
        return
    before = len(verified.differences)
    found, expected = _cells(name, stored), _cells(name, made)
    forgiven = False
    for key in dict.fromkeys([*expected, *found]):
        fmjd_id = int(key[0]) if "fmjd_id" in _key_of(name) and key[0].isdecimal() else None
        one, other = found.get(key), expected.get(key)
        if one is None or other is None:
            column = "/".join(_key_of(name))
            verified.expect(
                name,
                column,
                "" if one is None else "/".join(key),
                "" if other is None else "/".join(key),
                fmjd_id,
            )
            continue
        for column in dict.fromkeys([*other, *one]):
            if column == "name" and fmjd_id in verified.erased:
                forgiven = True
                continue
            verified.expect(name, column, one.get(column, ""), other.get(column, ""), fmjd_id)
    if len(verified.differences) == before and not forgiven:
        verified.expect(name, "content", _first_difference(stored, made), _first_difference(made, stored))


def _unpacked(content: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        return b"".join(name.encode() + book.read(name) for name in sorted(book.namelist()))


def _first_difference(content: bytes, other: bytes) -> str:
    """The place where a file leaves another, with a few bytes of it."""
    places = (place for place, (one, two) in enumerate(zip(content, other, strict=False)) if one != two)
    place = next(places, min(len(content), len(other)))
    return f"{content[place : place + 20]!r} at byte {place}"


def _key_of(name: str) -> tuple[str, ...]:
    return KEYS.get(name, ("fmjd_id",))


def _cells(name: str, content: bytes) -> dict[tuple[str, ...], dict[str, str]]:
    """The table in a file: what a line goes by → column → cell. Lines that go by the same are numbered."""
    if name.endswith(".json"):
        document = json.loads(content)
        lines = [{column: _shown(cell) for column, cell in row.items()} for row in document.pop("rows")]
        head = {column: json.dumps(value) for column, value in document.items()}
    else:
        reader = csv.DictReader(io.StringIO(content.decode(), newline=""), strict=True)
        lines = [{str(column): _shown(cell) for column, cell in row.items()} for row in reader]
        head = {"columns": ",".join(reader.fieldnames or ())}
    cells: dict[tuple[str, ...], dict[str, str]] = {("head",): head}
    seen: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        key = tuple(line.get(column, "") for column in _key_of(name))
        seen[key] += 1
        cells[key if seen[key] == 1 else (*key, str(seen[key]))] = line
    return cells


# --- the list's own row


def _verify_list_itself(verified: VerifiedList) -> None:
    rating_list, period = verified.rating_list, verified.rating_list.period
    signed = PublishedFile.objects.filter(list=rating_list, name="figures.csv").first()
    digest = hashlib.sha256(bytes(signed.content)).hexdigest() if signed else ""
    lines = bytes(signed.content).decode(errors="replace").splitlines() if signed else []
    previous, correction = rating_list.previous, rating_list.correction
    chain = f",{rating_list.address},{previous.sha256 if previous else ''}"
    if len(lines) > 1:
        verified.expect("figures.csv", "previous_sha256", lines[1][-len(chain) :], chain)
    expected: dict[str, Any] = {
        "sha256": digest,
        "approved_sha256": digest,
        "released_sha256": digest,
        "previous_sha256": previous.sha256 if previous else "",
        "previous_id": rating_list.read_lists[-1] if rating_list.read_lists else None,
        "edition": edition_in_force(rating_list.in_force).id,
        "is_opening": period is None,
        "revision": correction.replaces.revision + 1 if correction else 1,
        "players": len(verified.rows),
        "official_players": sum(row.official_position is not None for row in verified.rows),
    }
    if period is not None:
        lines_counted = PeriodReport.objects.filter(period=period, correction=correction)
        expected |= {
            "in_force": period.in_force,
            "closing": period.closing,
            "pool_id": period.pool_id,
            "tournaments": lines_counted.count(),
            "games": lines_counted.filter(tournament__games__played=True).values("tournament__games").count(),
        }
    for column, value in expected.items():
        verified.expect(LIST, column, getattr(rating_list, column), value)
        verified.compared["columns of the list"] += 1


# --- rows


def _verify_order(verified: VerifiedList) -> None:
    """Positions, ranks, category and official list follow from the figures by R12 and R13."""
    rating_list, rows = verified.rating_list, verified.rows
    verified.compared["rows"] += len(rows)

    def column(values: Sequence[Any]) -> np.ndarray:
        return np.array(values, dtype=np.int64)

    zeros = np.zeros(len(rows), dtype=np.int64)
    listed = arrange(
        parameters_of(rating_list),
        day_number(rating_list.closing),
        RatedColumns(
            player=column([row.player_id for row in rows]),
            rating=column([row.rating for row in rows]),
            previous=zeros,
            change=zeros,
            period_games=column([row.period_games for row in rows]),
            games=column([row.games for row in rows]),
            games_3_years=column([row.games_3_years for row in rows]),
            last_game_day=column([day_number(row.last_game) if row.last_game else NO_DAY for row in rows]),
            reached_2300=np.array([row.reached_2300 for row in rows], dtype=bool),
        ),
        column([row.register_number for row in rows]),
    )
    expected = _listed(listed)
    for row in rows:
        for name in ("position", "rank", "category", "official_position", "official_rank"):
            verified.expect(
                ROWS, name, getattr(row, name), expected[row.player_id][name], row.register_number
            )


def _listed(listed: ListColumns) -> dict[int, dict[str, Any]]:
    """The engine's list as rows hold it: player → column → figure."""
    found = {}
    for place, player in enumerate(listed.player.tolist()):
        last_day = int(listed.last_game_day[place])
        found[player] = {
            "change": int(listed.change[place]) if listed.previous[place] else None,
            "last_game": None if last_day == NO_DAY else day_of_number(last_day),
            "reached_2300": bool(listed.reached_2300[place]),
            "category": bytes(listed.category[place]).decode(),
            "official_position": int(listed.official_position[place]) or None,
            "official_rank": int(listed.official_rank[place]) or None,
        } | {
            name: int(getattr(listed, name)[place])
            for name in (
                "position", "rank", "register_number", "rating", "period_games", "games", "games_3_years",
            )
        }  # fmt: skip
    return found


def _verify_names(verified: VerifiedList) -> None:
    """Who a row is of, and the alphabetical order by what its name is folded to (R13); erased names have left it."""
    places = sorted(row.name_position for row in verified.rows)
    dense = set(range(1, len(places) + 1))
    named = []
    for row in verified.rows:
        number = row.register_number
        registered = verified.numbers.get(row.player_id)
        verified.expect(ROWS, "register_number", number, registered, registered)
        if row.name_position not in dense:
            verified.expect(ROWS, "name_position", row.name_position, f"1 to {len(places)}", number)
        if number not in verified.erased:
            words = row.name.split(", ")  # a last name may hold a comma itself
            possible = [
                sort_name(", ".join(words[:n]), ", ".join(words[n:])) for n in range(1, len(words) + 1)
            ]
            if row.sort_name not in possible:
                verified.expect(ROWS, "sort_name", row.sort_name, possible[0], number)
            named.append(row)
    order = RatingListRow.objects.filter(list_id=verified.rating_list.pk).exclude(name=ERASED_NAME)
    alphabetical = list(
        order.order_by("sort_name", "register_number", "player_id").values_list("player_id", flat=True)
    )
    standing = sorted(named, key=lambda row: row.name_position)
    for row, player in zip(standing, alphabetical, strict=True):
        if row.player_id != player:
            verified.expect(
                ROWS, "name_position", f"FMJD-ID {row.register_number} at {row.name_position}",
                f"FMJD-ID {verified.numbers.get(player)}", row.register_number,
            )  # fmt: skip
            break


def _verify_sums(verified: VerifiedList) -> None:
    """The rating before, carried points and the changes make the rating, and so the games (R9)."""
    rating_list = verified.rating_list
    if rating_list.previous_id is None:
        return
    before = {
        player: (rating, games)
        for player, rating, games in RatingListRow.objects.filter(
            list_id=rating_list.previous_id
        ).values_list("player_id", "rating", "games")
    }
    carried = _verify_carried(verified)
    changes = defaultdict(list)
    for change in RatingChange.objects.filter(list_id=rating_list.pk).order_by("player_id", "sequence"):
        changes[change.player_id].append(change)
        verified.compared["changes"] += 1
    for row in verified.rows:
        number, mine = row.register_number, changes.pop(row.player_id, [])
        rating, games = before.pop(row.player_id, (0, 0))
        points, more = carried.get(row.player_id, (0, 0))
        running, counted = (rating + points) * E4, games + more
        for place, change in enumerate(mine):
            verified.expect(CHANGES, "sequence", change.sequence, place, number)
            verified.expect(CHANGES, "before_e4", change.before_e4, running or None, number)
            verified.expect(CHANGES, "games_before", change.games_before, counted, number)
            if change.method == RatingChange.Method.CHANGE:
                verified.expect(
                    CHANGES, "after_e4", change.after_e4, running + (change.delta_e4 or 0), number
                )
            running, counted = change.after_e4, counted + change.games
        verified.expect(ROWS, "rating", row.rating, (running + E4 // 2) // E4, number)
        verified.expect(ROWS, "change", row.change, row.rating - rating if rating else None, number)
        verified.expect(ROWS, "period_games", row.period_games, sum(each.games for each in mine), number)
        verified.expect(ROWS, "games", row.games, counted, number)
    for player in changes:
        verified.expect(ROWS, "player_id", None, "a row", verified.numbers.get(player))
    for player, (rating, _) in before.items():
        if rating + carried.get(player, (0, 0))[0] > 0:
            verified.expect(ROWS, "player_id", None, "a row", verified.numbers.get(player))


def _verify_carried(verified: VerifiedList) -> dict[int, tuple[int, int]]:
    """What the carried corrections put to each player, from the rows of their lists, as it is kept: player → sums."""
    sums: defaultdict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for each in carried_differences(sources_of_list(verified.rating_list)):
        rating, games = sums[each.player]
        sums[each.player] = rating + each.rating, games + each.games
    kept = {
        player: (rating, games)
        for player, rating, games in verified.rating_list.carried_differences.values_list(
            "player_id", "rating", "games"
        )
    }
    for player in sorted({*sums, *kept}):
        verified.compared["carried"] += 1
        for place, column in enumerate(("rating", "games")):
            found, expected = (each[player][place] if player in each else None for each in (kept, sums))
            verified.expect(
                "ratings_carrieddifference", column, found, expected, verified.numbers.get(player)
            )
    return sums


# --- reports and histories


def _verify_reports(verified: VerifiedList) -> None:
    lines = PeriodReport.objects.filter(
        period=verified.rating_list.period_id, correction=verified.rating_list.correction_id
    )
    for line in lines.select_related("version", "tournament").iterator(chunk_size=50):
        verified.compared["reports"] += 1
        digest = hashlib.sha256(bytes(line.version.content)).hexdigest()
        verified.expect(f"report of {line.tournament.code}", "sha256", line.version.sha256, digest)


def _verify_histories(verified: VerifiedList) -> None:
    """A player's history repeats the newest revision of each list; a replaced one has none."""
    rating_list = verified.rating_list
    newest = [
        each.pk for each in lists_in_force(rating_list.pool_id) if each.in_force == rating_list.in_force
    ]
    rows = {row.player_id: row for row in verified.rows} if newest == [rating_list.pk] else {}
    history = {each.player_id: each for each in PlayerHistory.objects.filter(list_id=rating_list.pk)}
    for player in dict.fromkeys([*rows, *history]):
        verified.compared["histories"] += 1
        number, row, each = verified.numbers.get(player), rows.get(player), history.get(player)
        if row is None or each is None:
            verified.expect(HISTORY, "player_id", each and number, row and number, number)
            continue
        verified.expect(HISTORY, "in_force", each.in_force, rating_list.in_force, number)
        for column in HISTORY_FIGURES:
            verified.expect(HISTORY, column, getattr(each, column), getattr(row, column), number)


# --- calculated again


def _verify_calculation(verified: VerifiedList) -> None:
    """The facts read again and every figure calculated again by the engine."""
    rating_list = verified.rating_list
    facts = period_facts(sources_of_list(rating_list))
    verified.expect(LIST, "facts_sha256", rating_list.facts_sha256, facts.digest())
    changes, listed = calculate_figures(facts)
    expected = _listed(listed)
    for row in verified.rows:
        if row.player_id not in expected:
            verified.expect(ROWS, "player_id", row.register_number, None, row.register_number)
            continue
        verified.compared["rows calculated again"] += 1
        for column in ROW_FIGURES:
            figure = expected[row.player_id][column]
            verified.expect(ROWS, column, getattr(row, column), figure, row.register_number)
    for player in expected.keys() - {row.player_id for row in verified.rows}:
        verified.expect(ROWS, "player_id", None, "a row", verified.numbers.get(player))

    tournaments = facts.events.tournament[changes.event].tolist()
    basis = facts.events.basis[changes.event].tolist()
    kept = {
        (change.player_id, change.sequence): change
        for change in RatingChange.objects.filter(list_id=rating_list.pk)
    }
    for place, (player, sequence) in enumerate(
        zip(changes.player.tolist(), changes.sequence.tolist(), strict=True)
    ):
        number, change = verified.numbers.get(player), kept.pop((player, sequence), None)
        if change is None:
            verified.expect(CHANGES, "player_id/sequence", None, sequence, number)
            continue
        verified.compared["changes calculated again"] += 1
        figure = {
            name: int(getattr(changes, name)[place]) for name in CHANGE_FIGURES if hasattr(changes, name)
        }
        is_change = figure["method"] == CHANGE
        figure |= {
            "tournament_id": tournaments[place],
            "basis_list_id": basis[place],
            "method": METHODS[figure["method"]],
            "own_e4": figure["own_e4"] or None,
            "before_e4": figure["before_e4"] or None,
            "first_game": day_of_number(int(changes.first_day[place])),
            "last_game": day_of_number(int(changes.last_day[place])),
        }
        if not is_change:
            for name in ("expected_percentage_e4", "expected_score_e4", "k", "development", "delta_e4"):
                figure[name] = None
        for column in CHANGE_FIGURES:
            verified.expect(CHANGES, column, getattr(change, column), figure[column], number)
    for player, sequence in kept:
        verified.expect(CHANGES, "player_id/sequence", sequence, None, verified.numbers.get(player))
