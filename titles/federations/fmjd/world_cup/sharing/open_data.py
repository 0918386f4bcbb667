"""Publications as tables of the open data: what the figures files have, without names."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Count, Max
from django.utils import timezone

from ratings.publishing.open_data.other_tables import OtherTables
from ratings.publishing.open_data.schema import INTEGER, TEXT, Field, Table
from titles.federations.fmjd.championships.publication import PARTICIPANT_COLUMNS, RESERVE_COLUMNS
from titles.federations.fmjd.models import PublicationRow
from titles.federations.fmjd.world_cup.publications.classification import COLUMNS
from titles.federations.fmjd.world_cup.publications.kinds import address_of
from titles.federations.fmjd.world_cup.publications.selectors import newest_publications, published

PUBLICATION_COLUMNS = (
    "publication", "kind", "section", "classification", "day", "championship", "revision", "newest", "published_on",
    "edition", "sha256", "input_sha256",
)  # fmt: skip
RESULT_COLUMNS = (
    "fmjd_id", "tournament", "last_round", "stars", "place", "bonus_place", "tp", "factor", "bonus", "points", "wins",
    "counts", "absent",
)  # fmt: skip
TEXTS = {
    "publication": "Permanent address of the revision.",
    "kind": "Kind of publication; of a place what its item is for.",
    "section": "Squares of the board, of a classification.",
    "classification": "open or women.",
    "day": "Day of a classification.",
    "championship": "Code of the championship, of other publications.",
    "published_on": "Day of the second signature.",
    "edition": "Edition of the regulations.",
    "sha256": "SHA-256 of figures.json.",
    "input_sha256": "SHA-256 of the file that it follows from.",
    "federation": "Federation of the player.",
    "tournament": "Code of the tournament.",
    "last_round": "Day of the last round.",
    "source": "From which rule the place or the reserve comes.",
    "state": "State of the place.",
    "withdrawn": "FMJD-IDs of the players who withdrew from the place, with a space between.",
}
NUMBERS = {
    "revision": "Revision, from 1.",
    "newest": "1 for the newest revision, otherwise 0.",
    "fmjd_id": "Number of the player in the register; empty for an open place.",
    "rank": "Rank; of a reserve that in the source.",
    "points": "World Cup points.",
    "first": "Number of first bonus places.",
    "second": "Number of second bonus places.",
    "third": "Number of third bonus places.",
    "last_result": "Points of the latest result that counts.",
    "wins": "Games won.",
    "equal": "1 where another player has the same rank, otherwise 0.",
    "stars": "Stars of the tournament.",
    "place": "Final place.",
    "bonus_place": "Place among those who can have a bonus; empty without one.",
    "tp": "Points of the final table; a win is 2.",
    "factor": "Factor of the stars.",
    "bonus": "Bonus of the place.",
    "counts": "1 for a result that counts, otherwise 0.",
    "absent": "1 for a player who was absent from the closing ceremony, otherwise 0.",
    "number": "Number of the place, in the order of the items.",
    "item": "Item of the places.",
    "good_standing": "1 where the federation is in good standing, otherwise 0.",
    "position": "Position on the reserve list.",
    "by_lot": "1 where a lot decides, otherwise 0.",
}
FIELDS = {name: Field(TEXT, meaning) for name, meaning in TEXTS.items()} | {
    name: Field(INTEGER, meaning) for name, meaning in NUMBERS.items()
}


def publications_table(
    name: str, meaning: str, columns: Sequence[str], *key: str, indexed: tuple[tuple[str, ...], ...] = ()
) -> Table:
    """A table with lines of publications."""
    names = dict.fromkeys(("publication", *columns))
    fields = {column: FIELDS[column] for column in names}
    return Table(name, meaning, fields, key=("publication", *key), indexed=indexed)


def publication_lines() -> Iterator[list[str]]:
    """Every published revision, in the order of publication. 2 queries."""
    newest = set(newest_publications().values_list("pk", flat=True))
    for one in published().defer("inputs").order_by("published_at", "pk"):
        assert one.published_at is not None  # noqa: S101 (a constraint of the database)
        is_classification = one.day is not None
        values = {name: getattr(one, name, None) for name in PUBLICATION_COLUMNS} | {
            "publication": address_of(one),
            "classification": ("women" if one.women else "open") if is_classification else "",
            "newest": one.pk in newest,
            "published_on": timezone.localdate(one.published_at, timezone.get_default_timezone()),
        }
        yield texts(values, PUBLICATION_COLUMNS)


def lines_of(kind: str, columns: Sequence[str], part: str = "") -> Callable[[], Iterator[list[str]]]:
    """Reads the rows of all publications of a kind; with `part` what each row has under this name. 1 query."""

    def read() -> Iterator[list[str]]:
        rows = PublicationRow.objects.filter(publication__in=published().filter(kind=kind))
        rows = rows.select_related("publication").defer("publication__inputs")
        for row in rows.order_by("publication__published_at", "publication", "position").iterator():
            for line in row.values[part] if part else [{}]:
                values = {**row.values, **line, "publication": address_of(row.publication)}
                yield texts(values, ("publication", *columns))

    return read


def texts(values: Mapping[str, Any], columns: Sequence[str]) -> list[str]:
    """The texts of a line: `1` and `0` for yes and no, nothing for None, several numbers with a space between."""
    cells = (values[column] for column in columns)
    return [
        ""
        if cell is None
        else str(int(cell))
        if isinstance(cell, bool)
        else " ".join(map(str, cell))
        if isinstance(cell, list)
        else str(cell)
        for cell in cells
    ]


PARTICIPANTS = (*PARTICIPANT_COLUMNS, "withdrawn")
BY_PLAYER = (("fmjd_id",),)
TABLES = OtherTables(
    tables=[
        (
            publications_table(
                "fmjd_publications",
                "Revisions of published classifications of the World Cup, lists of participants and reserve lists.",
                PUBLICATION_COLUMNS,
            ),
            publication_lines,
        ),
        (
            publications_table(
                "fmjd_classifications", "The rows of classifications.", COLUMNS, "fmjd_id", indexed=BY_PLAYER
            ),
            lines_of("classification", COLUMNS),
        ),
        (
            publications_table(
                "fmjd_classification_results",
                "The results of each player in the window of a classification, the best first.",
                RESULT_COLUMNS, "fmjd_id", "tournament", indexed=BY_PLAYER,
            ),
            lines_of("classification", RESULT_COLUMNS, "results"),
        ),
        (
            publications_table(
                "fmjd_participants", "The places of lists of participants.", PARTICIPANTS, "number", indexed=BY_PLAYER
            ),
            lines_of("participants", PARTICIPANTS),
        ),
        (
            publications_table(
                "fmjd_reserves", "The rows of reserve lists.", RESERVE_COLUMNS, "position", indexed=BY_PLAYER
            ),
            lines_of("reserves", RESERVE_COLUMNS),
        ),
    ],
    stamp=lambda: tuple(published().aggregate(Count("pk"), Max("pk"), Max("published_at")).values()),
)  # fmt: skip
