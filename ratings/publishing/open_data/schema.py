"""The tables of the open data: everything published, as one SQLite file and as a CSV file for each table.

A table of all systems has its name; one whose columns a system declares begins with the code of the system. Printed in
docs/reference/open-data.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Model

from ratings.federations.facet import RatingSystem
from ratings.federations.registry import rating_systems
from ratings.formats import tables
from ratings.publishing.open_data.other_tables import other_tables
from ratings.rules.declared import Column, Kind, Unit
from reporting.federations.registry import all_report_rules
from reporting.rules.details.known_details import has_parts

RATING_LIST = "rating_list"
SQLITE_FILE = "open-data.sqlite"
INTEGER, REAL, TEXT = "INTEGER", "REAL", "TEXT"
TYPES = {
    Kind.WHOLE: INTEGER,
    Kind.DIFFERENCE: INTEGER,
    Kind.FLAG: INTEGER,
    Kind.SCALED: REAL,
    Kind.HALVES: REAL,
    Kind.PLAYER: INTEGER,
}


@dataclass(frozen=True)
class Field:
    """A column of a table: its type in SQLite, and what its values mean, with their unit."""

    kind: str
    meaning: str


def _fields(kind: str, /, **meanings: str) -> dict[str, Field]:
    return {name: Field(kind, meaning) for name, meaning in meanings.items()}


FIELDS = {
    **_fields(
        INTEGER,
        black_for_id="Number of the player whom Black, a substitute, replaced.",
        black_id="Number of the player with Black in the register; empty for a pause, or without a number.",
        development="Percentage of the development coefficient K.",
        game="Number of the game in its round.",
        games="Counted games.",
        ignored_game="Round of the won game that was ignored.",
        newest="1 for the newest revision of the list of its day, otherwise 0.",
        number="Number of the tournament; it decides the order where last days are equal.",
        official_players="Players on the official list.",
        opening="1 for a list that another office had made, otherwise 0.",
        part="Part of the tournament, from 1.",
        players="Players on the full list.",
        position="Place of the line in the order in which merges are applied, from 1.",
        rating="Rating.",
        rating_of="Number of the record whose rating the person starts from.",
        revision="Revision of the list, from 1.",
        round="Number of the round.",
        size="Size of the file in bytes.",
        tournaments="Tournaments that the list counts.",
        white_for_id="Number of the player whom White, a substitute, replaced.",
        white_id="Number of the player with White in the register; empty for a pause, or without a number.",
        womens="1 for a women’s title, otherwise 0.",
    ),
    **_fields(
        REAL,
        average_rating="Average rating of the opponents.",
        minutes_for_60_moves="Time for 60 moves in minutes.",
        points_asked="Points that the norm asks for; a win is 2.",
        points_scored="Points scored; a win is 2.",
    ),
    **_fields(
        TEXT,
        category="Category.",
        closing="Last day of the period.",
        code="Code: of a tournament, or of a federation.",
        colour="Colour of the norm; empty for a title.",
        corrections="Addresses of the revisions that the values come from, with a space between.",
        counted="For whom the game counts: both, white, black or none.",
        country="Country, three letters.",
        date="Day of the game.",
        discipline="Discipline of the title.",
        edition="Edition of the regulations.",
        in_force="First day on which the list is in force.",
        input_sha256="SHA-256 of what the list was calculated from; empty for an opening list.",
        item="What was decided.",
        kind="Kind of norm: by result, by place, or a title without norms.",
        list="Address of the revision of a list: pool, day, revision.",
        name="Name.",
        newest_list="Address of the newest list with the player.",
        place="Town.",
        played_from="First day of the tournament.",
        played_to="Last day of the tournament.",
        pool="Pool: system, discipline and tempo.",
        previous_sha256="SHA-256 of the figures file of the list before; empty for an opening list.",
        published_on="Day of the second signature.",
        rating_list="Address of the list that the rating and games are from.",
        ratings_of="Address of the list that the ratings of the tournament are from.",
        read_list="Address of the revision that was read.",
        registered_on="First day of the title; empty where it is not known.",
        report_sha256="SHA-256 of the report file.",
        result="Points of White and Black; between them - for a game that was played, x for a result without a game.",
        section="Discipline of the norm.",
        sha256="SHA-256 of the file; of a list that of its figures file.",
        state="merged, or undone.",
        source="Source and day of its list, such as fide/2024-02-01.",
        system="Rating system.",
        time_control="Time control as reported.",
        title="Title.",
        tournament="Code of the tournament.",
        use="How the revision was used: read, or carried.",
        value="The decision.",
        withdrawn_on="First day without the title; empty while it is held.",
    ),
}
"""The columns that no rating system declares."""
LIST_COLUMNS = (
    "list", "pool", "in_force", "revision", "newest", "opening", "closing", "published_on", "system", "edition",
    "players", "official_players", "tournaments", "games", "sha256", "previous_sha256", "input_sha256",
)  # fmt: skip
NORM_COLUMNS = (
    "tournament", "section", "title", "kind", "colour", "games", "points_scored", "points_asked", "average_rating",
    "category", "ignored_game",
)  # fmt: skip
"""After the player's number, as in `norms.csv`, whose column `section`, the discipline, stays."""
TITLE_COLUMNS = ("discipline", "title", "womens", "registered_on", "withdrawn_on")
DAYS = frozenset({
    "closing", "date", "day", "in_force", "last_game", "last_game_after", "last_game_before", "last_round",
    "played_from", "played_to", "published_on", "registered_on", "withdrawn_on",
})  # fmt: skip
"""Columns with days: text for SQLite, which has no type for them."""
RENAMED = {"order": "position", "limit": "limited_by"}
"""Columns of files whose name a database would ask to quote."""


@dataclass(frozen=True)
class Table:
    """A table of the open data: its columns, and the file of each list that it joins.

    `published` is empty where it is not made from files; `renamed` is what the file's own column `list` is called here.
    `system` is the code of the system whose columns it has. `key` names the columns that tell its lines apart, where a
    list cannot repeat them; `indexed` those that other tables are joined by.
    Of a file with a column `use` it has the lines of these `uses`.
    """

    name: str
    meaning: str
    columns: dict[str, Field]
    published: str = ""
    renamed: str = ""
    system: str = ""
    key: tuple[str, ...] = ()
    indexed: tuple[tuple[str, ...], ...] = ()
    uses: tuple[str, ...] = ()

    @property
    def file_stem(self) -> str:
        """The name of its files, without the dot."""
        return self.name.replace("_", "-")

    @property
    def csv_name(self) -> str:
        return f"{self.file_stem}.csv"

    @property
    def parquet_name(self) -> str:
        return f"{self.file_stem}.parquet"

    @property
    def foreign_keys(self) -> dict[str, str]:
        """The columns that name a list, with the table of lists."""
        lists = ("list", "read_list", "newest_list", RATING_LIST)
        return {name: "lists" for name in lists if name in self.columns and self.name != "lists"}


@dataclass(frozen=True)
class View:
    """A view of the SQLite file."""

    name: str
    meaning: str
    query: str


def open_data_tables() -> list[Table]:
    """Every table, in the order in which files and pages name them."""
    in_parts = any(has_parts(rules.details) for rules in all_report_rules())
    has_substitutes = any(system.declaration.has_substitutes for system in rating_systems())
    tournament_columns = tables.TOURNAMENT_COLUMNS_IN_PARTS if in_parts else tables.TOURNAMENT_COLUMNS
    return [
        Table("lists", "Every revision of every published list.", _known(LIST_COLUMNS), key=("list",)),
        Table(
            "files", "The files of each list.", _known(("list", "name", "size", "sha256")), key=("list", "name"),
        ),
        Table(
            "tournaments", "The tournaments that each list counts, in the order of calculation.",
            _of_lists(tournament_columns), "tournaments.csv", indexed=(("list", "code"),),
        ),
        Table(
            "games", "Every game and pause of these tournaments, and for whom it counts on the list.",
            _of_lists(tables.game_columns(of_sessions=True, has_substitutes=has_substitutes)), "games.csv",
            indexed=(("list", "tournament"), ("white_id",), ("black_id",)),
        ),
        Table(
            "lists_read", "The revisions that each list was calculated from.",
            _known(("list", "read_list", "sha256", "use")), "lists-read.csv", "read_list",
            key=("list", "read_list", "use"), uses=("read", "carried", "pool"),
        ),
        *(
            [Table(
                "sources_read", "The lists of sources that each list was calculated from.",
                _known(("list", "source", "sha256", "use")), "lists-read.csv", "source",
                key=("list", "source", "sha256"), uses=("source",),
            )]
            if any(system.declaration.sources for system in rating_systems()) else []
        ),
        Table("federations", "The federations of players.", _known(("code", "name")), key=("code",)),
        *(table for system in rating_systems() for table in _tables_of(system)),
        *(table for other in other_tables() for table, _read in other.tables),
    ]  # fmt: skip


def open_data_views() -> list[View]:
    """The views of the SQLite file, which say what most readers ask first."""
    return [
        View("newest_lists", "The newest revision of each list.", "SELECT * FROM lists WHERE newest = 1"),
        *(
            View(
                f"{system.code}_newest_entries",
                "The rows of these, with pool and day.",
                "SELECT pool, in_force, entries.*"
                f" FROM {system.code}_entries AS entries JOIN newest_lists USING (list)",
            )
            for system in rating_systems()
        ),
    ]


def _tables_of(system: RatingSystem) -> Iterator[Table]:
    declaration = system.declaration
    number = declaration.header("register_number")
    row_columns = {column.name: column for column in (*declaration.person_columns, *declaration.rows)}
    change_columns = {column.name: column for column in declaration.changes}

    def declared(model: type[Model], columns: dict[str, Column], names: tuple[str, ...]) -> dict[str, Field]:
        return {
            columns[name].in_files: Field(
                TYPES.get(columns[name].kind, TEXT), meaning_of(model, columns[name])
            )
            for name in names
        }

    rows = declared(system.row_model, row_columns, row_names(system))
    person = {number: rows[number]}
    compared = {
        f"{header}_{when}": Field(field.kind, f"{field.meaning} {where}")
        for header, field in declared(system.row_model, row_columns, declaration.compared).items()
        for when, where in (("before", "On the list replaced."), ("after", "On the revision."))
    }
    list_key = _known(("list",))
    of_games = tables.CHANGE_COLUMNS_OF_GAMES if declaration.unit is Unit.GAME else ()
    by_player = ("list", number)
    for name, meaning, columns, file, key in (
        (
            "players", "Everyone on a published list, as on the newest one.",
            {**person, **{name: rows[name] for name in player_names(system)},
             **_known(("newest_list",))}, "", (number,),
        ),
        (
            "entries", "The rows of every list, as printed, with the figures of figures.csv.",
            {**list_key, **{RENAMED.get(header, header): field for header, field in rows.items()}}, "", by_player,
        ),
        (
            "changes", f"Each {declaration.unit} of each player with the figures of the formula.",
            {**list_key, **person, **_known(("tournament",)), **_known(of_games),
             **declared(system.change_model, change_columns, declaration.change_file),
             **_known(("minutes_for_60_moves",))},
            "changes.csv", (),
        ),
        (
            "differences", "What each revision changed in the list it replaces.",
            {**list_key, **person, **compared}, "differences.csv", by_player,
        ),
        (
            "carried", "What corrections of earlier lists added to a player's start.",
            {**list_key, **person, **_known(tables.CARRIED_COLUMNS)}, "carried.csv", by_player,
        ),
        (
            "merged", "Which record each list reads as which.",
            {**list_key, **_merged_columns(number, rows[number])}, "merged.csv", ("list", "position"),
        ),
        (
            "decisions", "What was decided of tournaments that each list counts, for norms and titles.",
            {**list_key, **_known(tables.DECISION_COLUMNS)}, "decisions.csv", (),
        ),
        (
            "norms", "Confirmed norms and automatic titles of each list.",
            {**list_key, **person, **_known(NORM_COLUMNS)}, "norms.csv", (),
        ),
        ("titles", "The titles of players, with their days.", {**person, **_known(TITLE_COLUMNS)}, "", ()),
    ):  # fmt: skip
        renamed = RATING_LIST if RATING_LIST in columns else ""
        indexed = () if key == (number,) else ((number,),) if number in columns else (("list", "tournament"),)
        yield Table(f"{system.code}_{name}", meaning, columns, file, renamed, system.code, key, indexed)


def row_names(system: RatingSystem) -> tuple[str, ...]:
    """The columns of a row that are public in files: those of the list, then those that only the figures have."""
    return tuple(dict.fromkeys((*system.declaration.list_file, *system.declaration.figures)))


def player_names(system: RatingSystem) -> list[str]:
    """What the lists of a system say of a player in their files."""
    public = row_names(system)
    return [name for name in ("name", "title", "federation", "sex", "birth_year") if name in public]


def meaning_of(model: type[Model], column: Column) -> str:
    """What the values of a declared column mean, as documents say it."""
    meaning = getattr(model._meta.get_field(column.name), "help_text", "")
    return column.meaning or str(meaning) or column.full_label or column.label


def _merged_columns(number: str, field: Field) -> dict[str, Field]:
    columns = {
        number: field,
        f"surviving_{number}": Field(INTEGER, "Number of the record that the other one is read as."),
    }
    names = [RENAMED.get(name, name) for name in tables.merged_columns(number) if name != "list"]
    return {name: columns.get(name) or FIELDS[name] for name in (*names, RATING_LIST)}


def _of_lists(columns: tuple[str, ...]) -> dict[str, Field]:
    return _known(("list", *columns))


def _known(columns: tuple[str, ...]) -> dict[str, Field]:
    return {name: FIELDS[name] for name in columns}
