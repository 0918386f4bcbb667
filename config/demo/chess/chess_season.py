"""The chess of the demonstration: four clubs, lists of the KNSB and of FIDE, a league in parts, rapid, blitz.

Fictional people only. One random generator of its own, so that the draughts of the same seed stay the same.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import combinations
from random import Random

from config.demo.people import Federation, NameGiver, read_federations
from config.demo.records import DemoReport

CLUBS = (20_032, 20_041, 30_015, 40_007)
BOARDS, RESERVES = 8, 4
GUESTS = ("BEL", "GER", "FRA")
FIRST_NUMBER, FIRST_FIDE_NUMBER = 8_350_001, 1_090_001
LISTS = 3
BONUS = b"age,points\n8,20\n9,20\n10,20\n11,15\n12,15\n13,15\n14,10\n15,10\n16,10\n17,5\n18,5\n"
GAMES_HEADER = ("round", "date", "white_id", "white_name", "black_id", "black_name", "result")
RESULTS = {2: "1-0", 1: "1/2-1/2", 0: "0-1"}
FIDE_COLUMNS = (
    ("ID Number", 15), ("Name", 61), ("Fed", 4), ("Sex", 4), ("Tit", 5), ("WTit", 5), ("OTit", 15), ("FOA", 4),
    ("SRtng", 6), ("SGm", 4), ("SK", 3), ("RRtng", 6), ("RGm", 4), ("Rk", 3), ("BRtng", 6), ("BGm", 4), ("BK", 3),
    ("B-day", 6), ("Flag", 4),
)  # fmt: skip
"""The columns of FIDE's combined list and their widths."""


@dataclass(frozen=True)
class ChessPlayer:
    """A player of the demonstration. `number` is 0 for a guest without one, `fide_number` for one whom FIDE has not."""

    number: int
    fide_number: int
    last_name: str
    first_name: str
    federation: str
    sex: str
    born: int
    strength: int
    club: int
    games: int

    @property
    def name(self) -> str:
        return f"{self.last_name}, {self.first_name}"


@dataclass(frozen=True)
class ChessSeason:
    """What is imported, in this order, and the days of the lists: an opening list and three more in each pool."""

    opening_in_force: date
    lists_in_force: tuple[date, ...]
    register_csv: bytes
    memberships_csv: bytes
    opening_lists: dict[str, bytes]
    fide_lists: dict[date, bytes]
    reports: dict[date, list[DemoReport]] = field(default_factory=dict)


def build_chess_season(*, seed: int, today: date) -> ChessSeason:
    """The season up to a day: the newest lists are those of the first of its month."""
    rng = Random(f"chess {seed}")  # noqa: S311  (a demonstration, not a secret)
    federations = read_federations()
    days = [_months_before(today.replace(day=1), months) for months in range(LISTS, -1, -1)]
    opening, *later = days
    members = _members(rng, federations, NameGiver(rng), opening.year)
    season = ChessSeason(
        opening_in_force=opening,
        lists_in_force=tuple(later),
        register_csv=_table(
            ("knsb_id", "last_name", "first_name", "federation", "sex", "born", "title", "fide"),
            (
                (
                    one.number,
                    one.last_name,
                    one.first_name,
                    one.federation,
                    one.sex,
                    one.born,
                    "",
                    one.fide_number or "",
                )
                for one in members
                if one.number
            ),
        ),
        memberships_csv=_memberships(members, opening, later[-1]),
        opening_lists={
            f"knsb-{tempo}": _opening_list(members[:count], opening, shift)
            for tempo, count, shift in (("klassiek", 44, 0), ("rapid", 28, -30), ("blitz", 18, 20))
        },
        fide_lists={day: _fide_list(rng, members, gain) for day, gain in ((opening, 0), (later[1], 12))},
    )
    league_days = [_fridays(begins, 3, 7) for begins in days[:2]]
    for turn, (begins, in_force) in enumerate(zip(days, later, strict=False)):
        season.reports[in_force] = [
            _league_part(rng, members, turn + 1, league_days)
            if turn < len(league_days)
            else _tournament(
                rng, members, turn, kind="Weekend", time_control="90+30", day=_fridays(begins, 1, 1)[0]
            ),
            _tournament(
                rng, members, turn, kind="Rapid", time_control="15+10", day=_fridays(begins, 2, 8)[1]
            ),
            _blitz(rng, members, turn, _fridays(begins, 3, 8)[2]),
        ]
    return season


def _months_before(day: date, months: int) -> date:
    month = day.year * 12 + day.month - 1 - months
    return date(month // 12, month % 12 + 1, 1)


def _members(
    rng: Random, federations: dict[str, Federation], names: NameGiver, year: int
) -> list[ChessPlayer]:
    """The strongest first; then two newcomers who are on no list yet, and a guest without a number."""
    home, found = federations["NED"], []
    places = [(club, place) for place in range(BOARDS + RESERVES) for club in CLUBS]
    for index, (club, place) in enumerate(places):
        federation = federations[GUESTS[index // 4]] if index in (3, 6, 9) else home
        sex = "W" if index % 5 == 2 else "M"
        age = rng.randint(9, 18) if index % 3 == 1 and place > 2 else rng.randint(19, 71)
        strength = 2230 - 26 * index + rng.randint(-20, 20)
        rated_by_fide = index < 30 or federation is not home
        first_name, last_name = names.give(federation, sex)
        found.append(
            ChessPlayer(
                FIRST_NUMBER + 7 * index,
                FIRST_FIDE_NUMBER + 11 * index if rated_by_fide else 0,
                last_name,
                first_name,
                federation.code,
                sex,
                year - age,
                strength,
                club,
                rng.randint(8, 140) if age > 18 else rng.randint(6, 60),
            )
        )
    for index, number in enumerate((FIRST_NUMBER + 500, FIRST_NUMBER + 507, 0)):
        first_name, last_name = names.give(home, "M")
        club = CLUBS[index] if number else 0
        found.append(ChessPlayer(number, 0, last_name, first_name, "NED", "M", year - 15, 1420, club, 0))
    return found


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return written.getvalue().encode()


def _memberships(members: Sequence[ChessPlayer], opening: date, newest: date) -> bytes:
    """All are members of their clubs; one left before the newest list and is held there (R84b)."""
    begins, left = date(opening.year - 5, 9, 1), date(newest.year - 2, 9, 30)
    return _table(
        ("id", "club", "member_from", "member_until"),
        (
            (one.number, f"{one.club:06}", begins, left if place == 17 else "")
            for place, one in enumerate(members)
            if one.number
        ),
    )


def _opening_list(members: Sequence[ChessPlayer], opening: date, shift: int) -> bytes:
    return _table(
        ("id", "rating", "games", "last_game", "n_v"),
        (
            (one.number, one.strength + shift, one.games, opening - timedelta(days=20), min(one.games, 100))
            for one in members
        ),
    )


def _fide_list(rng: Random, members: Sequence[ChessPlayer], gain: int) -> bytes:
    rows = [{name: name for name, _ in FIDE_COLUMNS}]
    for one in sorted(members, key=lambda member: member.fide_number):
        if not one.fide_number:
            continue
        factor = "40" if one.born > 2008 else "20"
        title = "FM" if one.strength > 2200 else ""
        rows.append(
            {
                "ID Number": str(one.fide_number), "Name": one.name, "Fed": one.federation,
                "Sex": "F" if one.sex == "W" else "M", "Tit": title,
                "SRtng": str(one.strength + gain + rng.randint(-30, 30)), "SGm": "0", "SK": factor,
                "RRtng": str(one.strength + gain - 40), "RGm": "0", "Rk": factor,
                "BRtng": str(one.strength + gain - 60), "BGm": "0", "BK": factor, "B-day": str(one.born),
            }
        )  # fmt: skip
    lines = ("".join(f"{row.get(name, ''):<{width}}"[:width] for name, width in FIDE_COLUMNS) for row in rows)
    return ("\n".join(lines) + "\n").encode()


def _points(rng: Random, white: ChessPlayer, black: ChessPlayer) -> int:
    """Points of White in halves: 2, 1 or 0, by the difference in strength."""
    expected = 1 / (1 + 10 ** ((black.strength - white.strength - 30) / 400))
    drawn = 0.3 * min(expected, 1 - expected) * 2
    chance = rng.random()
    return 2 if chance < expected - drawn / 2 else 1 if chance < expected + drawn / 2 else 0


def _game(rng: Random, number: int, day: date, white: ChessPlayer, black: ChessPlayer) -> tuple[object, ...]:
    result = RESULTS[_points(rng, white, black)]
    return number, day, white.number or "", white.name, black.number or "", black.name, result


def _fridays(begins: date, count: int, every: int) -> list[date]:
    first = begins + timedelta(days=(4 - begins.weekday()) % 7)
    return [first + timedelta(days=every * turn) for turn in range(count)]


def _report(
    filename: str,
    content: bytes,
    name: str,
    days: tuple[date, date],
    *,
    time_control: str,
    more: Sequence[str] = (),
) -> DemoReport:
    details = (
        'rating_system = "knsb"',
        f'name = "{name}"',
        f"played_from = {days[0]}",
        f"played_to = {days[1]}",
        f'time_control = "{time_control}"',
        'place = "Zwolle"',
        'country = "NED"',
        'referee = "Piet Fluit"',
        *more,
    )
    return DemoReport(filename, content, ("\n".join(details) + "\n").encode(), name, *days)


def _league_part(
    rng: Random, members: Sequence[ChessPlayer], part: int, days: list[list[date]]
) -> DemoReport:
    """Three rounds of a league of four teams: in part 2 home and away change. A board is played later in each round.

    The two newcomers play for a missing player: the first three games in each part, the second three in part 2.
    """
    teams = {club: [one for one in members if one.club == club][:BOARDS] for club in CLUBS}
    newcomers = [one for one in members if one.number and not one.games]
    teams[newcomers[0].club][-1] = newcomers[0]
    if part == 2:
        teams[newcomers[1].club][-2] = newcomers[1]  # not against the other one, whom no list has
    meetings = ((0, 1, 2, 3), (2, 0, 3, 1), (0, 3, 1, 2))
    rows = []
    for turn, ((a, b, c, d), day) in enumerate(
        zip(meetings, days[part - 1], strict=True), start=3 * part - 2
    ):
        for home, away in ((a, b), (c, d)) if part == 1 else ((b, a), (d, c)):
            for board, (first, second) in enumerate(zip(teams[CLUBS[home]], teams[CLUBS[away]], strict=True)):
                white, black = (first, second) if board % 2 == 0 else (second, first)
                rows.append(_game(rng, turn, day + timedelta(days=2 if board == 3 else 0), white, black))
    planned = [day for days_of_part in days[:part] for day in days_of_part]
    ends = days[-1][-1] + timedelta(days=2)
    more = (f"part = {part}", f"rounds = [{', '.join(map(str, planned))}]")
    return _report(
        f"league-part-{part}.csv",
        _table(GAMES_HEADER, rows),
        "League of the East",
        (planned[0], ends),
        time_control="90+30",
        more=more,
    )


def _tournament(
    rng: Random, members: Sequence[ChessPlayer], turn: int, *, kind: str, time_control: str, day: date
) -> DemoReport:
    """Five rounds on one day as TRF16 with FIDE's numbers; a guest without a number plays."""
    players = [*[one for one in members if one.fide_number][turn : turn + 27 : 3], members[-1]]
    games: dict[int, list[tuple[int, str, int]]] = {number: [] for number in range(1, len(players) + 1)}
    ring = list(games)
    for number in range(5):
        for first, second in zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True):
            white, black = (first, second) if number % 2 == 0 else (second, first)
            points = _points(rng, players[white - 1], players[black - 1])
            games[white].append((black, "w", points))
            games[black].append((white, "b", 2 - points))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    totals = {number: sum(points for _, _, points in own) for number, own in games.items()}
    places = {
        number: place for place, number in enumerate(sorted(games, key=lambda one: -totals[one]), start=1)
    }
    name = f"{kind} of Zwolle, {day:%B}"
    lines = [
        f"012 {name}",
        "022 Zwolle",
        "032 NED",
        f"042 {day:%Y/%m/%d}",
        f"052 {day:%Y/%m/%d}",
        f"062 {len(players)}",
    ]
    for number, one in enumerate(players, start=1):
        played = "".join(f"  {other:4} {colour} {'0=1'[points]}" for other, colour, points in games[number])
        sex = one.sex.lower()
        lines.append(
            f"001 {number:4} {sex}    {one.name:<33} {one.strength:4} {one.federation} {one.fide_number or '':>11} "
            f"{one.born}/00/00 {totals[number] / 2:4.1f} {places[number]:4}{played}"
        )
    content = ("\r".join(lines) + "\r").encode()
    return _report(f"{kind.lower()}-{turn + 1}.trf", content, name, (day, day), time_control=time_control)


def _blitz(rng: Random, members: Sequence[ChessPlayer], turn: int, day: date) -> DemoReport:
    """Six players, each pair twice in a round."""
    players = members[turn : turn + 18 : 3]
    rows = []
    for number, (first, second) in enumerate(combinations(players, 2), start=1):
        rows += [_game(rng, number, day, first, second), _game(rng, number, day, second, first)]
    name = f"Blitz of Zwolle, {day:%B}"
    content = _table(GAMES_HEADER, rows)
    return _report(f"blitz-{turn + 1}.csv", content, name, (day, day), time_control="3+2")
