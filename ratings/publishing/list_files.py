"""The files of a list in the database: made with a draft, again where its digest changed or a name was erased."""

import logging
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from psycopg import sql

from ratings.formats.encodings import ENCODINGS
from ratings.models import CompressedFile, PublishedFile, RatingList
from ratings.publishing.export_list import export_list
from ratings.publishing.published_files import published_files
from reporting.models.locks import share_names_lock
from reporting.refusals.domain_error import DomainError

logger = logging.getLogger(__name__)

ONE_PACKET = 1_400
"""Bytes of content that go with the headers in one packet or two."""

COLUMNS = {
    "list_id": "int8",
    "name": "varchar",
    "content_type": "varchar",
    "content": "bytea",
    "sha256": "varchar",
    "size": "int4",
    "has_names": "bool",
}


def write_files(rating_list: RatingList) -> int:
    """Write the files of a draft that has none, byte for byte as they are published; answers the number.

    Must run in a transaction that no erasure of a name can overtake (reporting/models/locks.py).
    """
    files = published_files(rating_list)
    copying = sql.SQL("COPY ratings_publishedfile ({}) FROM STDIN (FORMAT binary)")
    connection.ensure_connection()
    with (
        connection.connection.cursor() as cursor,
        cursor.copy(copying.format(sql.SQL(", ").join(map(sql.Identifier, COLUMNS)))) as copy,
    ):
        copy.set_types(list(COLUMNS.values()))
        for file in files:
            copy.write_row([getattr(file, name) for name in COLUMNS])
    return len(files)


def has_files(rating_list: RatingList) -> bool:
    """Whether the files of a list are there, and those of its digest. 1 query."""
    return _signed(list=rating_list).exists()


def _signed(**of: Any) -> QuerySet[PublishedFile]:
    """The figures files that have the digest of their list, of these lists."""
    return PublishedFile.objects.filter(name="figures.csv", sha256=F("list__sha256"), **of)


def refuse_without_files(rating_list: RatingList) -> None:
    """Refuse a list whose files the worker has still to write. Raises DomainError `files_missing`."""
    if not has_files(rating_list):
        raise DomainError("files_missing")


@transaction.atomic
def ensure_files(rating_list: RatingList) -> bool:
    """Write the files of an approved list if those of its digest are missing; answers whether it wrote them.

    A decision on a norm changes the digest after the calculation. All or nothing, and any number of times.
    """
    share_names_lock()
    rating_list = (
        RatingList.objects.select_for_update(of=("self",))
        .select_related("pool", "period", "correction__replaces")
        .get(pk=rating_list.pk)
    )
    if rating_list.state != RatingList.State.APPROVED or has_files(rating_list):
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT drop_draft_files(%s)", [rating_list.pk])
    write_files(rating_list)
    return True


def write_missing_files() -> int:
    """Write the missing files of every approved list, for the worker; answers of how many. An error is logged."""
    written = 0
    without = RatingList.objects.filter(
        ~Exists(_signed(list=OuterRef("pk"))), state=RatingList.State.APPROVED
    )
    for rating_list in without.order_by("pk"):
        try:
            written += ensure_files(rating_list)
        except Exception:  # the next look for work tries again; the other lists continue
            logger.exception("files not written", extra={"list": rating_list.pk})
    return written


def emptied_files() -> QuerySet[PublishedFile]:
    """The files that lost their content with an erased name and are not made again yet.

    Without those of a draft whose digest a decision changed: they are all written again after its approval, unless the
    decision is taken back, and each must name the digest of the others.
    """
    return PublishedFile.objects.filter(Exists(_signed(list=OuterRef("list"))), has_names=True, size=0)


def fill_emptied_files() -> int:
    """Make the files again that lost their content with an erased name; answers the number. May run repeatedly.

    For the worker. A file of which another name is erased meanwhile stays empty until the next time.
    """
    filled = 0
    emptied = emptied_files().defer("content").select_related("list")
    for file in emptied.order_by("-list__in_force", "pk"):
        content = export_list(rating_list=file.list, form="full", file_format=file.name.rsplit(".", 1)[1])
        with connection.cursor() as cursor:
            cursor.execute("SELECT fill_emptied_file(%s, %s, %s)", [file.pk, file.sha256, content])
            filled += cursor.fetchone()[0]
    return filled


def compress_files() -> int:
    """Compress the texts of published lists that are not yet; answers of how many files. May run repeatedly.

    For the worker, after the publication: a draft may be dropped. A spreadsheet is compressed in itself, and a short
    file is sent in one packet anyway. An erasure waits for the file that is read, and then deletes what was made of it.
    """
    compressed = 0
    files = PublishedFile.objects.filter(
        list__state=RatingList.State.PUBLISHED, size__gte=ONE_PACKET, compressed=None
    ).exclude(name__endswith=".xlsx")
    for pk in list(files.order_by("-list__in_force", "pk").values_list("pk", flat=True)):
        with transaction.atomic():
            share_names_lock()
            file = files.filter(pk=pk).first()
            if file is not None:
                content = bytes(file.content)
                CompressedFile.objects.bulk_create(
                    [
                        CompressedFile(file=file, encoding=encoding, content=compress(content))
                        for encoding, compress in ENCODINGS.items()
                    ],
                    ignore_conflicts=True,
                )
                compressed += 1
    return compressed
