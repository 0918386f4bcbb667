"""What the demonstration federation is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True)
class DemoReport:
    """One tournament report: the file of Annex 9 art. 11 and its tournament details."""

    filename: str
    content: bytes
    sidecar: bytes
    name: str
    played_from: date
    played_to: date


@dataclass(frozen=True)
class DemoQuarter:
    """The reports of one rating period, in the order of their file names."""

    closing: date
    in_force: date
    reports: tuple[DemoReport, ...]


@dataclass(frozen=True)
class DemoPool:
    """Another pool: its opening list, and the days of the lists after it, oldest first."""

    code: str
    opening_list_csv: bytes
    opening_in_force: date
    lists_in_force: tuple[date, ...]


@dataclass(frozen=True)
class DemoTitles:
    """The titles that were registered on one day, as `import_register` reads them."""

    on: date
    register_csv: bytes


@dataclass(frozen=True)
class CupSeason:
    """The World Cup and the youth championship, in any order; `corrected` is a corrected one of these reports.

    `declared` is the FMJD-ID of who declared for the open classification, each year from `first_year` on.
    """

    reports: tuple[DemoReport, ...]
    corrected: DemoReport
    declared: int
    first_year: int


@dataclass(frozen=True)
class DemoFederation:
    """Everything that is loaded for the demonstration.

    `register_before_titles_csv` and then `titles` give the titles of `register_csv` for 100 squares, most of them with
    the days of their registration. `pools` are 64 squares and both rapid-blitz pools; their tournaments are in
    `quarters` and `quarters_64`. Each of the last four reports begins a story of its own (config/demo/events.toml).
    """

    register_csv: bytes
    opening_list_csv: bytes
    opening_in_force: date
    quarters: tuple[DemoQuarter, ...]
    waiting: tuple[DemoReport, ...]
    register_before_titles_csv: bytes
    titles: tuple[DemoTitles, ...]
    quarters_64: tuple[DemoQuarter, ...]
    pools: tuple[DemoPool, ...]
    overlooked: DemoReport
    late: DemoReport
    returned: DemoReport
    walk: DemoReport
    cup: CupSeason


@dataclass
class Person:
    """A fictional player, in the register or (fmjd_id 0) not yet."""

    fmjd_id: int
    last_name: str
    first_name: str
    federation: str
    sex: str
    birthday: date
    strength: int
    birth_known: str = "day"
    rating: int | None = None
    games: int = 0
    games_three_years: int = 0
    last_game: date | None = None
    reached_2300: bool = False
    title: str = ""
    title_64: str = ""
    local_id: str = ""
    activity: float = 1.0
    busy: set[date] = field(default_factory=set)

    @property
    def name(self) -> str:
        """First and last name, as the report's winner and remarks give it."""
        return f"{self.first_name} {self.last_name}"

    @property
    def seed_rating(self) -> int:
        """The rating that orders the entrants; without one, last."""
        return self.rating or 0

    @property
    def born(self) -> str:
        """The birth date as far as the register knows it."""
        if self.birth_known == "day":
            return self.birthday.isoformat()
        return str(self.birthday.year) if self.birth_known == "year" else ""


@dataclass(frozen=True)
class Game:
    """One line of the results: tournament numbers (0 = pause) and the result as art. 11 writes it."""

    round: int
    white: int
    black: int
    result: str
