"""The correspondence chess of the demonstration: a team tournament in two parts, a national one, a friendly match.

Fictional people only. One random generator of its own, so that the other games of the same seed stay the same.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations
from random import Random

from config.demo.people import Federation, NameGiver, read_federations
from config.demo.records import DemoReport
from ratings.federations.registry import rating_system

FEDERATIONS = ("NED", "BEL", "GER", "FRA")
PLAYERS, NEWCOMERS = 22, 2
FIRST_NUMBER = 940_001
TEAM = 11
HEADER = (
    "round", "date", "white_id", "white_name", "black_id", "black_name", "result", "finished", "white_for_id",
    "black_for_id",
)  # fmt: skip
RESULTS = ("0-1", "1/2-1/2", "1/2-1/2", "1-0")


@dataclass(frozen=True)
class CorrespondencePlayer:
    """A player of the demonstration; a newcomer has no rating."""

    number: int
    last_name: str
    first_name: str
    federation: str
    sex: str
    rating: int
    games: int

    @property
    def name(self) -> str:
        return f"{self.last_name}, {self.first_name}"

    @property
    def in_register(self) -> tuple[int | str, ...]:
        return self.number, self.last_name, self.first_name, self.federation, self.sex


@dataclass(frozen=True)
class CorrespondenceSeason:
    """What is imported: the register, an opening list, and the reports of each of the next two lists."""

    opening_in_force: date
    register_csv: bytes
    opening_list: bytes
    reports: dict[date, list[DemoReport]]


def build_correspondence_season(*, seed: int, today: date) -> CorrespondenceSeason:
    """Two quarters: the newest list is the one in force on a day."""
    rng = Random(f"correspondence {seed}")  # noqa: S311  (a demonstration, not a secret)
    calendar = rating_system("iccf").calendar
    assert calendar is not None  # noqa: S101
    period = calendar.period_of(today)
    while period.in_force > today:
        period = calendar.previous_period(period)
    before = calendar.previous_period(period)
    newest, first, opening = period.in_force, before.in_force, calendar.previous_period(before).in_force
    players = _players(rng, read_federations())
    pairs = list(combinations(range(TEAM), 2))
    rng.shuffle(pairs)
    begins = opening - timedelta(days=75)
    team = [(1, begins, players[white], players[black]) for white, black in pairs]
    national = [one for one in players if one.federation == FEDERATIONS[0]][-4:] + players[-1:]
    later = opening + timedelta(days=9)
    received = [one.closing - timedelta(days=5) for one in (before, period)]
    reports = {
        first: [
            _team_part(rng, team[:24], 1, received[0], (players[3], players[TEAM])),
            _report(
                "national.csv", _lines(rng, [(1, later, *pair) for pair in combinations(national, 2)], received[0]),
                "Dutch correspondence semifinal", later, received[0], 'kind = "national"', 'country = "NED"',
            ),
        ],
        newest: [
            _team_part(rng, team[24:40], 2, received[1], (players[5], players[TEAM + 1])),
            _report(
                "friendly.csv",
                _lines(rng, [(1, later, players[12 + turn], players[16 + turn]) for turn in range(4)], received[1]),
                "Belgium – Germany", later, received[1], 'kind = "friendly"', "level = 2000", 'delivery = "post"',
                f"registered = {received[1] + timedelta(days=12)}",
            ),
        ],
    }  # fmt: skip
    return CorrespondenceSeason(
        opening_in_force=opening,
        register_csv=_table(
            ("iccf_id", "last_name", "first_name", "federation", "sex", "born", "iccf_title"),
            ((*one.in_register, 1950 + 2 * turn, _title(turn, one)) for turn, one in enumerate(players)),
        ),
        opening_list=_table(
            ("id", "rating", "games", "last_game"),
            (
                (one.number, one.rating, one.games, opening - timedelta(days=40))
                for one in players
                if one.rating
            ),
        ),
        reports=reports,
    )


def _players(rng: Random, federations: dict[str, Federation]) -> list[CorrespondencePlayer]:
    """The strongest first, every fifth on few games; then the newcomers."""
    names, found = NameGiver(rng), []
    for index in range(PLAYERS + NEWCOMERS):
        federation = federations[FEDERATIONS[index % len(FEDERATIONS)]]
        sex = "W" if index % 4 == 2 else "M"
        first_name, last_name = names.give(federation, sex)
        is_new = index >= PLAYERS
        found.append(
            CorrespondencePlayer(
                FIRST_NUMBER + 13 * index,
                last_name,
                first_name,
                federation.code,
                sex,
                0 if is_new else 2480 - 31 * index + rng.randint(-12, 12),
                0 if is_new else 9 + index % 7 if index % 5 == 4 else rng.randint(34, 190),
            )
        )
    return found


def _title(turn: int, player: CorrespondencePlayer) -> str:
    """That of the strongest; every second woman among them has a title of women."""
    if player.sex == "W" and turn % 8 == 2:
        return "LGM" if turn < 8 else "LIM" if turn < 20 else ""
    steps = ((2, "GM"), (5, "SIM"), (9, "IM"), (13, "CCM"), (17, "CCE"))
    return next((title for most, title in steps if turn < most), "")


def _team_part(
    rng: Random,
    games: Sequence[tuple[object, ...]],
    part: int,
    received: date,
    replaced: tuple[CorrespondencePlayer, CorrespondencePlayer],
) -> DemoReport:
    """Finished games of the tournament; a substitute finishes the first one of the player replaced."""
    begins = games[0][1]
    assert isinstance(begins, date)  # noqa: S101
    more = (f"part = {part}", 'kind = "olympiad"')
    return _report(
        f"team-{part}.csv", _lines(rng, games, received, *replaced), "Team olympiad, board 1", begins, received, *more
    )  # fmt: skip


def _lines(
    rng: Random,
    games: Iterable[Sequence[object]],
    received: date,
    replaced: CorrespondencePlayer | None = None,
    substitute: CorrespondencePlayer | None = None,
) -> bytes:
    rows = []
    for number, begins, white, black in games:
        sides, numbers = [white, black], ["", ""]
        if replaced in sides and substitute is not None:
            side = sides.index(replaced)
            sides[side], numbers[side] = substitute, str(replaced.number) if replaced else ""
            substitute = None
        finished = received - timedelta(days=rng.randint(1, 40))
        people = [
            value
            for one in sides
            if isinstance(one, CorrespondencePlayer)
            for value in (one.number, one.name)
        ]
        rows.append((number, begins, *people, rng.choice(RESULTS), finished, *numbers))
    return _table(HEADER, rows)


def _report(filename: str, content: bytes, name: str, begins: date, received: date, *more: str) -> DemoReport:
    ends = begins + timedelta(days=730)
    details = (
        'rating_system = "iccf"',
        f'name = "{name}"',
        f"played_from = {begins}",
        f"played_to = {ends}",
        f"received = {received}",
        *more,
    )
    return DemoReport(filename, content, ("\n".join(details) + "\n").encode(), name, begins, ends)


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return written.getvalue().encode()
