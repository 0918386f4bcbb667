"""Import a list of a source, which others publish: its ratings by kind, as columns."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import IO, Any

import numpy as np
from django.db import connection, transaction
from psycopg import Cursor, sql

from ratings.federations.registry import rating_systems
from ratings.formats.sources.fide import read_fide_list
from ratings.formats.sources.figures import FIDE_KINDS, SourceFigures
from ratings.formats.sources.file import BLOCK
from ratings.formats.sources.packed import NOWHERE, PackedNumbers, packed_numbers
from ratings.inputs.source_lists import newest_source_lists
from ratings.models import Pool, RatingList, SourceList
from ratings.policies import check_can_import_list
from ratings.production.imports.import_list import check_list_day
from reporting.log.audit import Actor, record
from reporting.models import PlayerIdentity
from reporting.refusals.domain_error import DomainError
from reporting.rules.findings.finding_list import Finding

Reader = Callable[[IO[bytes], str, Callable[[int], None]], tuple[SourceFigures | None, tuple[Finding, ...]]]


@dataclass(frozen=True)
class Source:
    """Who publishes lists that systems read: its code, also of the register of its numbers, its kinds of ratings, and
    the reader of its files."""

    code: str
    name: str
    kinds: tuple[str, ...]
    read: Reader


SOURCES = {source.code: source for source in (Source("fide", "FIDE", FIDE_KINDS, read_fide_list),)}


def sources_in_use() -> list[Source]:
    """The sources that a rating system of this installation reads."""
    used = {use.source for system in rating_systems() for use in system.declaration.sources}
    return [source for code, source in SOURCES.items() if code in used]


def check_source_request(source: str, kind: str, in_force: date, by: Actor) -> Source:
    """The source that a file is of.

    Raises DomainError `choice_unknown`, `too_far_ahead`, `too_far_back`, `forbidden`.
    """
    check_can_import_list(by.user)
    if source not in SOURCES:
        raise DomainError("choice_unknown", choices=", ".join(SOURCES))
    found = SOURCES[source]
    if kind and kind not in found.kinds:
        raise DomainError("choice_unknown", choices=", ".join(found.kinds))
    check_list_day(in_force)
    return found


def import_source(
    *,
    source: str,
    file: IO[bytes],
    filename: str,
    in_force: date,
    by: Actor,
    kind: str = "",
    progress: Callable[[int], None] = lambda _: None,
) -> tuple[SourceList, ...]:
    """Store the ratings of a file, a list for each kind in it; answers none if the same bytes are there already.

    All or nothing. `kind` is that of a file of one kind. `progress` is given the number of players read since its last
    call; the file is read before any lock. Raises DomainError `source_refused` with all findings, `source_read` for
    other bytes of a day and kind that a published list has read, `choice_unknown`, `too_far_ahead`, `too_far_back`,
    `forbidden`.
    """
    reader = check_source_request(source, kind, in_force, by)
    sha256, size = file_digest(file)
    known = newest_source_lists().filter(source=source, in_force=in_force)
    if kind:
        known = known.filter(kind=kind)
    if set(known.values_list("sha256", flat=True)) == {sha256}:
        return ()
    file.seek(0)
    figures, findings = reader.read(file, kind, progress)
    if figures is None:
        raise DomainError("source_refused", findings)
    new = [
        _source_list(figures, name, {"source": source, "in_force": in_force, "sha256": sha256, "size": size})
        for name in figures.rating
    ]
    with transaction.atomic():
        return _store([one for one in new if one.players], filename, by)


def file_digest(file: IO[bytes]) -> tuple[str, int]:
    """The SHA-256 of a file and its bytes."""
    digest, size = hashlib.sha256(), 0
    while block := file.read(BLOCK):
        digest.update(block)
        size += len(block)
    return digest.hexdigest(), size


def _source_list(figures: SourceFigures, kind: str, given: dict[str, Any]) -> SourceList:
    """The list of one kind, not yet saved: the players with a rating."""
    rated = np.flatnonzero(figures.rating[kind])
    numbers = figures.number[rated].astype(np.int64)
    packed = packed_numbers(numbers)
    return SourceList(
        **given,
        kind=kind,
        players=rated.size,
        matched=_matched(given["source"], packed),
        numbers=packed,
        ratings=figures.rating[kind][rated].astype("<u2").tobytes(),
        k_factors=figures.k_factor[kind][rated].tobytes(),
        titles=figures.title[rated].tobytes(),
        title_words=list(figures.titles),
    )


def _matched(source: str, packed: bytes) -> int:
    """How many players of the register have a number that is among these. 1 query."""
    known = PlayerIdentity.objects.filter(register=source).values_list("number", flat=True)
    numbers = np.array([int(number) for number in known if str(number).isdecimal()], dtype=np.int64)
    return int(np.count_nonzero(PackedNumbers(packed).places(numbers) != NOWHERE))


def _store(new: Sequence[SourceList], filename: str, by: Actor) -> tuple[SourceList, ...]:
    """Save the lists that are not there already, under the locks of every pool that may read them."""
    source, in_force = new[0].source, new[0].in_force
    reading = [
        system.code
        for system in rating_systems()
        if any(use.source == source for use in system.declaration.sources)
    ]
    # A publication locks its pool: it sees these lists, or they see that it has read the ones before.
    list(Pool.objects.filter(system__in=reading).order_by("pk").select_for_update(no_key=True))
    known = {one.kind: one for one in newest_source_lists().filter(source=source, in_force=in_force)}
    stored = [one for one in new if one.kind not in known or known[one.kind].sha256 != one.sha256]
    replaced = [known[one.kind] for one in stored if one.kind in known]
    _refuse_read(replaced)
    for one in stored:
        one.filename, one.imported_by, one.by_command = filename[:200], by.user, by.by_command
    _insert(stored)
    if stored:
        record(
            by=by,
            action="source.import",
            subject=f"source {stored[0].address}",
            before={one.kind: one.sha256 for one in replaced},
            after={
                "filename": filename,
                "file_sha256": stored[0].sha256,
                "kinds": [one.kind for one in stored],
                "players": sum(one.players for one in stored),
            },
        )
    return tuple(stored)


def _refuse_read(replaced: Iterable[SourceList]) -> None:
    """Raise DomainError `source_read` where a published list has read one of these."""
    for one in replaced:
        readers = RatingList.objects.filter(
            state=RatingList.State.PUBLISHED, source_lists__contains=[one.pk]
        ).select_related("pool")
        if reader := readers.order_by("in_force", "revision").first():
            raise DomainError(
                "source_read", kind=one.kind, in_force=one.in_force, list=reader.address, sha256=one.sha256
            )


COLUMNS = (
    "source", "kind", "in_force", "sha256", "filename", "size", "players", "matched", "numbers", "ratings",
    "k_factors", "titles", "title_words", "imported_by_id", "by_command",
)  # fmt: skip


def _insert(lists: Iterable[SourceList]) -> None:
    """Save the lists. Django would write megabytes of columns as text into its query."""
    query = sql.SQL("INSERT INTO ratings_sourcelist ({}) VALUES ({}) RETURNING id, imported_at").format(
        sql.SQL(", ").join(map(sql.Identifier, COLUMNS)), sql.SQL(", ").join(sql.Placeholder() * len(COLUMNS))
    )
    with Cursor(connection.connection) as cursor:
        for one in lists:
            cursor.execute(query, [getattr(one, column) for column in COLUMNS])
            row = cursor.fetchone()
            assert row is not None  # noqa: S101 - of the row that was inserted
            one.pk, one.imported_at = row
