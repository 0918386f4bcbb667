"""The tables of the open data: everything published, as one SQLite file and as a CSV file for each table.

A table of all systems has its name; one whose columns a system declares begins with the code of the system. Printed in
docs/reference/open-data.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ratings.federations.facet import RatingSystem
from ratings.federations.registry import rating_systems
from ratings.formats import tables
from ratings.rules.declared import PERSON_COLUMNS, Column, Kind

RATING_LIST = "rating_list"
SQLITE_FILE = "open-data.sqlite"
INTEGER, REAL, TEXT = "INTEGER", "REAL", "TEXT"
TYPES = {
    Kind.WHOLE: INTEGER,
    Kind.DIFFERENCE: INTEGER,
    Kind.FLAG: INTEGER,
    Kind.SCALED: REAL,
    Kind.HALVES: REAL,
}
WHOLE_NUMBERS = {
    "development", "game", "games", "ignored_game", "newest", "number", "official_players", "opening",
    "order", "players", "rating", "rating_of", "revision", "round", "size", "tournaments", "white_id", "black_id",
}  # fmt: skip
DECIMALS = {"average_rating", "minutes_for_60_moves", "points_asked", "points_scored"}
LIST_COLUMNS = (
    "list", "pool", "in_force", "revision", "newest", "opening", "closing", "published_on", "system", "edition",
    "players", "official_players", "tournaments", "games", "sha256", "previous_sha256", "input_sha256",
)  # fmt: skip
NORM_COLUMNS = (
    "tournament", "section", "title", "kind", "colour", "games", "points_scored", "points_asked", "average_rating",
    "category", "ignored_game",
)  # fmt: skip
"""After the player's number, as in `norms.csv`."""


@dataclass(frozen=True)
class Table:
    """A table of the open data: its columns with their types in SQLite, and the file of each list that it joins.

    `published` is empty where it is not made from files; `renamed` is what the file's own column `list` is called here.
    `system` is the code of the system whose columns it has.
    """

    name: str
    meaning: str
    columns: dict[str, str]
    published: str = ""
    renamed: str = ""
    system: str = ""

    @property
    def csv_name(self) -> str:
        return f"{self.name.replace('_', '-')}.csv"


def open_data_tables() -> list[Table]:
    """Every table, in the order in which files and pages name them."""
    return [
        Table("lists", "Every revision of every published list.", _typed(LIST_COLUMNS)),
        Table("files", "The files of each list.", _typed(("list", "name", "size", "sha256"))),
        Table(
            "tournaments", "The tournaments that each list counts, in the order of calculation.",
            _of_lists(tables.TOURNAMENT_COLUMNS), "tournaments.csv",
        ),
        Table(
            "games", "Every game and pause of these tournaments, and for whom it counts on the list.",
            _of_lists(tables.GAME_COLUMNS_OF_SESSIONS), "games.csv",
        ),
        Table(
            "lists_read", "The revisions that each list was calculated from.",
            _typed(("list", "read_list", "sha256", "use")), "lists-read.csv", "read_list",
        ),
        *(table for system in rating_systems() for table in _tables_of(system)),
    ]  # fmt: skip


def _tables_of(system: RatingSystem) -> Iterator[Table]:
    declaration = system.declaration
    number = declaration.header("register_number")
    row_columns = {column.name: column for column in (*PERSON_COLUMNS, *declaration.rows)}
    change_columns = {column.name: column for column in declaration.changes}

    def named(columns: dict[str, Column], names: tuple[str, ...]) -> dict[str, str]:
        return {declaration.header(name): TYPES.get(columns[name].kind, TEXT) for name in names}

    person = {number: INTEGER}
    compared = {
        f"{header}_{when}": kind
        for header, kind in named(row_columns, declaration.compared).items()
        for when in ("before", "after")
    }
    minutes = {"minutes_for_60_moves": REAL}
    list_key = {"list": TEXT}
    for name, meaning, columns, file in (
        (
            "players", "Everyone on a published list, as on the newest one.",
            {**person, "name": TEXT, "title": TEXT, "federation": TEXT, "sex": TEXT, "birth_year": INTEGER,
             "newest_list": TEXT}, "",
        ),
        (
            "entries", "The rows of every list, as printed, with the figures of figures.csv.",
            {**list_key, **named(row_columns, row_names(system))}, "",
        ),
        (
            "changes", "Each tournament of each player with the figures of the formula.",
            {**list_key, **person, "tournament": TEXT, **named(change_columns, declaration.change_file), **minutes},
            "changes.csv",
        ),
        (
            "differences", "What each revision changed in the list it replaces.",
            {**list_key, **person, **compared}, "differences.csv",
        ),
        (
            "carried", "What corrections of earlier lists added to a player's start.",
            {**list_key, **person, **_typed(tables.CARRIED_COLUMNS)}, "carried.csv",
        ),
        (
            "merged", "Which record each list reads as which.",
            {**list_key, **_merged_columns(number)}, "merged.csv",
        ),
        (
            "decisions", "What was decided of tournaments that each list counts, for norms and titles.",
            {**list_key, **_typed(tables.DECISION_COLUMNS)}, "decisions.csv",
        ),
        (
            "norms", "Confirmed norms and automatic titles of each list.",
            {**list_key, **person, **_typed(NORM_COLUMNS)}, "norms.csv",
        ),
    ):  # fmt: skip
        renamed = RATING_LIST if RATING_LIST in columns else ""
        yield Table(f"{system.code}_{name}", meaning, columns, file, renamed, system.code)


def row_names(system: RatingSystem) -> tuple[str, ...]:
    """The columns of a row that are public in files: those of the list, then those that only the figures have."""
    return tuple(dict.fromkeys((*system.declaration.list_file, *system.declaration.figures)))


def _merged_columns(number: str) -> dict[str, str]:
    columns = _typed(tables.merged_columns(number))
    del columns["list"]
    return {**columns, number: INTEGER, f"surviving_{number}": INTEGER, RATING_LIST: TEXT}


def _of_lists(columns: tuple[str, ...]) -> dict[str, str]:
    return _typed(("list", *columns))


def _typed(columns: tuple[str, ...]) -> dict[str, str]:
    return {
        name: INTEGER if name in WHOLE_NUMBERS else REAL if name in DECIMALS else TEXT for name in columns
    }
