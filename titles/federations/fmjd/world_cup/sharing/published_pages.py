"""What is published of the World Cup and of championships, for the feed of changes and the sitemap."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime

from django.urls import reverse

from ratings.models import PublicChange
from ratings.publishing.public_changes.registry import change_of
from reporting.models import LogEntry
from titles.federations.fmjd.championships.selectors import championships
from titles.federations.fmjd.models import Publication
from titles.federations.fmjd.world_cup.publications.kinds import address_of, label_of
from titles.federations.fmjd.world_cup.publications.selectors import newest_publications, published

ACTIONS = ("publication.publish",)


def find_changes(entries: Sequence[LogEntry]) -> Iterator[PublicChange]:
    """The publications and revisions. 1 query."""
    numbers = {entry.pk: int(entry.subject.removeprefix("publication ")) for entry in entries}
    publications = Publication.objects.defer("inputs").in_bulk(set(numbers.values()))
    for entry in entries:
        publication = publications[numbers[entry.pk]]
        is_first = publication.revision == 1
        event = (
            PublicChange.Event.PUBLICATION_PUBLISHED if is_first else PublicChange.Event.PUBLICATION_REVISED
        )
        yield change_of(entry, event, page=address_of(publication))


def page_names(pages: Collection[str]) -> Mapping[str, str]:
    """The names of publications by their permanent addresses. 1 query, and 1 for each list of a championship."""
    every = {address_of(publication): publication for publication in published().defer("inputs")}
    return {page: label_of(every[page]) for page in pages if page in every}


def sitemap_locations() -> list[tuple[str, datetime | None]]:
    """The newest revisions, and the championships, each with its last publication. 2 queries."""
    newest = [(publication, publication.published_at) for publication in newest_publications()]
    last: dict[str, datetime] = {}
    for publication, published_at in newest:
        assert published_at is not None  # noqa: S101 (a constraint of the database)
        last[publication.championship] = max(published_at, last.get(publication.championship, published_at))
    return [
        *((address_of(publication), published_at) for publication, published_at in newest),
        *((reverse("championship", args=[one.code]), last.get(one.code)) for one in championships()),
    ]
