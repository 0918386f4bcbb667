"""What can be published: each kind says how its rows follow from its inputs, how it is named, and where it is read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from django.utils.functional import Promise

from titles.federations.fmjd.models import Publication

Row = Mapping[str, Any]
"""The figures of a row, without names; `fmjd_id` says whose they are, None for a place that is open."""


@dataclass(frozen=True, kw_only=True)
class PublicationKey:
    """What a publication is of: a classification by section, women and day, the other kinds by championship."""

    kind: str
    section: str = ""
    women: bool = False
    day: date | None = None
    championship: str = ""

    def columns(self) -> dict[str, Any]:
        return asdict(self)


def no_items(_key: PublicationKey) -> Mapping[int, str]:
    """The items of rows that are of players."""
    return {}


def no_notes(_publication: Publication, _rows: Sequence[Row]) -> list[str]:
    """What readers of rows that are final by themselves have to know besides."""
    return []


def no_tournaments(_inputs: str) -> Collection[str]:
    """The tournaments of rows that follow from no report alone."""
    return ()


@dataclass(frozen=True, kw_only=True)
class PublicationKind:
    """A kind of publication.

    `read_inputs` reads the database and gives the text of a file without names; `calculate` follows from this text
    alone, so that a published one is recalculated at any time. `columns` are those of the CSV file, the first one the
    place of a row. `address` is the page of a revision, of the newest without one. `words` say what a row has besides
    place and player, under `heading`; `items` are the labels of the items whose places the rows are,
    `tournaments` the codes of those that the inputs count. `notes` say from what the rows follow and what can still
    change them, in sentences for signers and readers.
    """

    code: str
    columns: Sequence[str]
    edition: Callable[[PublicationKey], str]
    read_inputs: Callable[[PublicationKey], str]
    calculate: Callable[[PublicationKey, str], list[Row]]
    label: Callable[[PublicationKey], str]
    address: Callable[[PublicationKey, int | None], str]
    heading: str | Promise
    words: Callable[[Row], str]
    items: Callable[[PublicationKey], Mapping[int, str]] = no_items
    tournaments: Callable[[str], Collection[str]] = no_tournaments
    notes: Callable[[Publication, Sequence[Row]], list[str]] = no_notes


_kinds: dict[str, PublicationKind] = {}


def register_kind(kind: PublicationKind) -> None:
    """Make a kind known. Called once, at start."""
    _kinds[kind.code] = kind


def kind_of(key: PublicationKey) -> PublicationKind:
    """The kind of a key. Raises KeyError for one that nothing registered."""
    return _kinds[key.kind]


def key_of(publication: Publication) -> PublicationKey:
    """What a publication is of."""
    return PublicationKey(
        kind=publication.kind,
        section=publication.section,
        women=publication.women,
        day=publication.day,
        championship=publication.championship,
    )


def label_of(publication: Publication) -> str:
    """The name of a publication, in the language in use."""
    key = key_of(publication)
    return kind_of(key).label(key)


def address_of(publication: Publication) -> str:
    """The permanent address of a revision."""
    key = key_of(publication)
    return kind_of(key).address(key, publication.revision)
