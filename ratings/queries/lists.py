"""Published lists: found by their address, with their files and later revisions.

Nothing that is not published is ever returned. The docstrings give the number of queries.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from ratings.inputs.in_force import list_chain, lists_in_force, uncarried_corrections
from ratings.models import CarriedCorrection, CompressedFile, Export, Pool, PublishedFile, RatingList


def published() -> QuerySet[RatingList]:
    """Published lists with their pool."""
    return RatingList.objects.filter(state=RatingList.State.PUBLISHED).select_related("pool")


def newest_lists() -> list[RatingList]:
    """The newest list of each pool that has one, in the order of the pools. 1 query."""
    return list(published().order_by("pool_id", "-in_force", "-revision").distinct("pool_id"))


def office_today() -> date:
    """Today in the office's time zone; a list is in force from the beginning of its day there."""
    return timezone.localdate(timezone=timezone.get_default_timezone())


@dataclass(frozen=True)
class ListsOfToday:
    """The list in force in each pool, in the order of the pools, and the lists published for a later day.

    The newest revision of each list; `upcoming` is in the order of days.
    """

    in_force: Sequence[RatingList]
    upcoming: Sequence[RatingList]

    @property
    def shown(self) -> list[RatingList]:
        """The lists that pages show: of each pool the list in force, or the first upcoming one."""
        first: dict[int, RatingList] = {}
        for rating_list in (*self.in_force, *self.upcoming):
            first.setdefault(rating_list.pool_id, rating_list)
        return [first[pool] for pool in sorted(first)]

    @property
    def stamp(self) -> tuple[str, ...]:
        """A value that changes with these lists, and when one of them comes into force. 1 query."""
        in_force = " ".join(str(rating_list.pk) for rating_list in self.in_force)
        return (f"in force {in_force}", *stamp_of([*self.in_force, *self.upcoming]))


def lists_of_today() -> ListsOfToday:
    """The lists in force today and the upcoming ones. 1 query."""
    today = office_today()
    begun = published().filter(pool=OuterRef("pool"), in_force__lte=today).order_by().values("pool")
    in_force_since = Subquery(begun.annotate(day=Max("in_force")).values("day"))
    newest = (
        published()
        .filter(in_force__gte=Coalesce(in_force_since, Value(date.min)))
        .order_by("pool_id", "in_force", "-revision")
        .distinct("pool_id", "in_force")
    )
    found = list(newest)
    upcoming = sorted(
        (rating_list for rating_list in found if rating_list.in_force > today),
        key=lambda upcoming: upcoming.in_force,
    )
    return ListsOfToday([rating_list for rating_list in found if rating_list.in_force <= today], upcoming)


def last_published(most: int) -> list[RatingList]:
    """The lists and revisions published last, the newest first. 1 query."""
    return list(published().order_by("-published_at", "-pk")[:most])


def list_archive() -> list[RatingList]:
    """Every published list, newest first; only the newest revision of each day. 1 query."""
    newest = published().order_by("pool_id", "-in_force", "-revision").distinct("pool_id", "in_force")
    return sorted(newest, key=lambda found: (-found.in_force.toordinal(), found.pool_id))


def every_revision() -> list[RatingList]:
    """Every revision of every published list. 1 query."""
    return list(published().order_by("pool_id", "in_force", "revision"))


def all_pools() -> list[Pool]:
    """The pools, in their order. 1 query."""
    return list(Pool.objects.order_by("pk"))


def find_pool(code: str) -> Pool | None:
    """The pool of an address. 1 query."""
    return Pool.objects.filter(code=code).first()


class NotPublishedError(LookupError):
    """Nothing published has that address."""


class ErasedError(NotPublishedError):
    """The person of that address was erased on request."""


class ListStamp(NamedTuple):
    """A value that changes with the pages of a list: when it is replaced or followed or comes into force, when an
    earlier list is corrected, when a person on it is erased.

    The list itself never changes. Erasing a person rewrites the files with names.
    """

    list_id: int
    sha256: str
    newest_revision: int
    files: str
    earlier_revisions: str
    in_force_today: date | None
    next_in_force: date | None


# In SQL because every request for a list runs it: building it by the ORM costs ten times as much.
LIST_STAMP = """
SELECT list.id, list.sha256,
    (SELECT max(revision) FROM ratings_ratinglist
        WHERE pool_id = list.pool_id AND in_force = list.in_force AND state = 'published'),
    (SELECT coalesce(string_agg(sha256, ' ' ORDER BY id), '') FROM ratings_publishedfile WHERE list_id = list.id),
    (SELECT coalesce(string_agg(id::text, ' ' ORDER BY id), '') FROM ratings_ratinglist
        WHERE pool_id = list.pool_id AND in_force < list.in_force AND revision > 1 AND state = 'published'),
    today.in_force, today.following
FROM ratings_pool AS pool JOIN ratings_ratinglist AS list ON list.pool_id = pool.id
CROSS JOIN LATERAL (
    SELECT max(in_force) FILTER (WHERE in_force <= %(today)s) AS in_force,
        min(in_force) FILTER (WHERE in_force > %(today)s) AS following
    FROM ratings_ratinglist WHERE pool_id = pool.id AND state = 'published'
) AS today
WHERE list.state = 'published' AND pool.code = %(pool)s
    AND list.in_force = coalesce(%(in_force)s::date, today.in_force, today.following)
    AND (%(revision)s::int IS NULL OR list.revision = %(revision)s)
ORDER BY list.revision DESC
LIMIT 1
"""


def list_stamp(pool_code: str, in_force: date | None = None, revision: int | None = None) -> ListStamp:
    """The stamp of the published list at an address. 1 query. Raises `NotPublishedError`.

    Without a day the list in force, or the first upcoming one where none is; without a revision the newest one.
    """
    asked = {"pool": pool_code, "in_force": in_force, "revision": revision, "today": office_today()}
    with connection.cursor() as cursor:
        cursor.execute(LIST_STAMP, asked)
        found = cursor.fetchone()
    if found is None:
        raise NotPublishedError(f"no published list {pool_code} {in_force or ''} {revision or ''}")
    return ListStamp(*found)


def day_in_force(pool_code: str, day: date) -> date | None:
    """The day on which the list came into force that a pool has on a day; None for none. 1 query."""
    begun = published().filter(pool__code=pool_code, in_force__lte=day).order_by("-in_force")
    return begun.values_list("in_force", flat=True).first()


@dataclass(frozen=True)
class CorrectedSince:
    """A list is based on an earlier one that was corrected: the revision it is based on, and the later one.

    `carried_into` is the list that carries the difference; `waits` says that the next list will carry it.
    """

    based_on: RatingList
    revision: RatingList
    carried_into: RatingList | None
    waits: bool


@dataclass(frozen=True)
class PublishedList:
    """A list as its page shows it, with its files and the revisions before and after it.

    `carried` are the revisions of earlier lists whose difference it carries; `later_revisions` have replaced it, one
    after another.
    """

    rating_list: RatingList
    files: Sequence[PublishedFile]
    stamp: ListStamp
    carried: Sequence[RatingList] = ()
    later_revisions: Sequence[RatingList] = ()
    corrected_since: Sequence[CorrectedSince] = ()

    @property
    def newest_revision(self) -> int:
        return self.stamp.newest_revision

    @property
    def is_upcoming(self) -> bool:
        """Whether it is not in force yet."""
        today = self.stamp.in_force_today
        return today is None or self.rating_list.in_force > today

    @property
    def is_past(self) -> bool:
        """Whether a later list is in force."""
        today = self.stamp.in_force_today
        return today is not None and self.rating_list.in_force < today

    @property
    def main_files(self) -> list[PublishedFile]:
        """The list itself in its formats, without the files of its figures, games, tournaments and changes."""
        return [file for file in self.files if file.name.startswith("list.")]


def read_list(stamp: ListStamp) -> PublishedList:
    """The list of a stamp with its files, without their bytes.

    2 queries; 1 more where it was replaced, up to 9 more where an earlier list of the pool was corrected.
    """
    rating_list = (
        published()
        .select_related(
            "approved_by",
            "published_by",
            "correction__replaces",
            "correction__follows__replaces",
            "correction__requested_by",
            "previous",
        )
        .get(pk=stamp.list_id)
    )
    files = PublishedFile.objects.filter(list_id=stamp.list_id).defer("content").order_by("pk")
    later = published().filter(
        pool_id=rating_list.pool_id, in_force=rating_list.in_force, revision__gt=rating_list.revision
    )
    return PublishedList(
        rating_list,
        list(files),
        stamp,
        carried_revisions(rating_list) if stamp.earlier_revisions else (),
        list(later.select_related("correction__follows__replaces").order_by("revision"))
        if stamp.newest_revision > rating_list.revision
        else (),
        corrected_since(rating_list) if stamp.earlier_revisions else (),
    )


def carried_revisions(rating_list: RatingList) -> list[RatingList]:
    """The revisions of earlier lists whose difference a list carries, oldest first. 1 query."""
    return list(
        published()
        .filter(correction__carried_into__list=rating_list.pk)
        .select_related("correction__replaces")
        .order_by("in_force", "revision")
    )


def corrected_since(rating_list: RatingList) -> list[CorrectedSince]:
    """The revisions of earlier lists that a list is not based on and does not carry, oldest first. 2 to 8 queries."""
    unknown = {correction.pk for correction in uncarried_corrections([rating_list])}
    if not unknown:
        return []
    line = list_chain(rating_list)
    waiting = {correction.pk for correction in uncarried_corrections(lists_in_force(rating_list.pool_id))}
    carriers: dict[int, RatingList] = {}
    for carried in (
        CarriedCorrection.objects.filter(correction__in=unknown, list__state=RatingList.State.PUBLISHED)
        .select_related("list__pool")
        .order_by("list__in_force", "-list__revision")
    ):
        carriers.setdefault(carried.correction_id, carried.list)
    revisions = published().filter(correction__in=unknown).select_related("correction__follows__replaces")
    return [
        CorrectedSince(
            line[revision.in_force],
            revision,
            carriers.get(revision.correction_id or 0),
            revision.correction_id in waiting,
        )
        for revision in revisions.order_by("in_force", "revision")
    ]


def stamp_of(lists: Sequence[RatingList]) -> tuple[str, ...]:
    """A value that changes with these lists, with any correction, and when a person on them is erased. 1 query."""
    files = PublishedFile.objects.filter(
        Q(list_id__in=[rating_list.pk for rating_list in lists])
        | Q(name="figures.csv", list__revision__gt=1, list__state=RatingList.State.PUBLISHED)
    ).order_by("list_id", "pk")
    # Pages of a player name opponents who are on no list: for them the number of erasures.
    of_files = files.values_list("sha256", Subquery(Export.objects.values("erasures")))
    return (*(f"{found.pk} {found.sha256}" for found in lists), *(f"{one[0]} {one[1]}" for one in of_files))


def lists_of_pool(pool_code: str) -> list[RatingList]:
    """Every published list of the pool, all revisions, newest first. 1 query."""
    return list(published().filter(pool__code=pool_code).order_by("-in_force", "-revision"))


def find_file(pool_code: str, in_force: date, revision: int, name: str) -> PublishedFile:
    """A published file without its bytes; `.content` fetches them. 1 query, and 1 for the bytes.

    With the `encodings` in which it is stored too. Raises `NotPublishedError`.
    """
    found = (
        PublishedFile.objects.filter(
            list__state=RatingList.State.PUBLISHED,
            list__pool__code=pool_code,
            list__in_force=in_force,
            list__revision=revision,
            name=name,
        )
        .annotate(
            encodings=ArraySubquery(
                CompressedFile.objects.filter(file=OuterRef("pk")).order_by("pk").values("encoding")
            )
        )
        .defer("content")
        .first()
    )
    if found is None:
        raise NotPublishedError(f"no file {name} of {pool_code} {in_force} r{revision}")
    return found
