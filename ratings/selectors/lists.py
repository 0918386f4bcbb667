"""Published lists and their rows.

Only what is published is ever answered. Each docstring tells what it costs in queries. Rows and changes are
always asked for with the number of their list written into the query: the planner then opens that list's
partition and no other (a join on the list would open them all).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count, F, Q, QuerySet

from ratings.facts import line_of, lists_in_force, not_known_to
from ratings.models import CarriedCorrection, PeriodReport, Pool, PublishedFile, RatingList, RatingListRow
from ratings.rules.fmjd.derived import birth_years
from ratings.rules.fmjd.parameters import EDITIONS, DerivedList, Parameters
from reporting.models import Federation

PAGE_ROWS = 100
ERASED_NAME = "Erased player"

OFFICIAL = "official"
FULL = "full"


def parameters_of(rating_list: RatingList) -> Parameters:
    """The edition of the rules the list was calculated by; the newest where it is not held any more."""
    return next((edition for edition in EDITIONS if edition.id == rating_list.edition), EDITIONS[-1])


def published() -> QuerySet[RatingList]:
    """Published lists with their pool."""
    return RatingList.objects.filter(state=RatingList.State.PUBLISHED).select_related("pool")


def newest_lists() -> list[RatingList]:
    """The newest list of each pool that has one, in the order of the pools. 1 query."""
    return list(published().order_by("pool_id", "-in_force", "-revision").distinct("pool_id"))


def list_archive() -> list[RatingList]:
    """Every published list, newest first; of each day only the newest revision. 1 query."""
    newest = published().order_by("pool_id", "-in_force", "-revision").distinct("pool_id", "in_force")
    return sorted(newest, key=lambda each: (-each.in_force.toordinal(), each.pool_id))


def all_pools() -> list[Pool]:
    """The pools, in their order. 1 query."""
    return list(Pool.objects.order_by("pk"))


class NotPublishedError(LookupError):
    """Nothing published stands at that address."""


class ListStamp(NamedTuple):
    """Changes whenever a page of a list may: it is replaced, followed, an earlier list is corrected, or a person on
    it is erased.

    The list itself never changes; erasing a person rewrites the files that carry names.
    """

    list_id: int
    sha256: str
    newest_in_force: date
    newest_revision: int
    files: str
    earlier_revisions: str


# Written out because every request for a list asks it, and putting it together by the ORM costs ten times as much.
LIST_STAMP = """
SELECT list.id, list.sha256,
    (SELECT max(in_force) FROM ratings_ratinglist WHERE pool_id = list.pool_id AND state = 'published'),
    (SELECT max(revision) FROM ratings_ratinglist
        WHERE pool_id = list.pool_id AND in_force = list.in_force AND state = 'published'),
    (SELECT coalesce(string_agg(sha256, ' ' ORDER BY id), '') FROM ratings_publishedfile WHERE list_id = list.id),
    (SELECT coalesce(string_agg(id::text, ' ' ORDER BY id), '') FROM ratings_ratinglist
        WHERE pool_id = list.pool_id AND in_force < list.in_force AND revision > 1 AND state = 'published')
FROM ratings_ratinglist AS list JOIN ratings_pool AS pool ON pool.id = list.pool_id
WHERE list.state = 'published' AND pool.code = %(pool)s
    AND (%(in_force)s::date IS NULL OR list.in_force = %(in_force)s)
    AND (%(revision)s::int IS NULL OR list.revision = %(revision)s)
ORDER BY list.in_force DESC, list.revision DESC
LIMIT 1
"""


def list_stamp(pool_code: str, in_force: date | None = None, revision: int | None = None) -> ListStamp:
    """The stamp of the published list at an address; see `find_list`. 1 query. Raises `NotPublishedError`."""
    with connection.cursor() as cursor:
        cursor.execute(LIST_STAMP, {"pool": pool_code, "in_force": in_force, "revision": revision})
        found = cursor.fetchone()
    if found is None:
        raise NotPublishedError(f"no published list {pool_code} {in_force or ''} {revision or ''}")
    return ListStamp(*found)


@dataclass(frozen=True)
class CorrectedSince:
    """An earlier list that a list rests on has been corrected: which revision it rests on, and which came later.

    `carried_into` is the list that took the difference over; `waits` says that the next list is still to take it.
    """

    rests_on: RatingList
    revision: RatingList
    carried_into: RatingList | None
    waits: bool


@dataclass(frozen=True)
class PublishedList:
    """A list as its page shows it: itself, its files, what it took over, and what has come after it.

    `carried` are the revisions of earlier lists whose difference it carried; `later_revisions` those that have
    replaced it, one after another.
    """

    rating_list: RatingList
    files: Sequence[PublishedFile]
    stamp: ListStamp
    carried: Sequence[RatingList] = ()
    later_revisions: Sequence[RatingList] = ()
    corrected_since: Sequence[CorrectedSince] = ()

    @property
    def newest_in_force(self) -> date:
        return self.stamp.newest_in_force

    @property
    def newest_revision(self) -> int:
        return self.stamp.newest_revision

    @property
    def is_newest(self) -> bool:
        return self.rating_list.in_force == self.newest_in_force

    @property
    def main_files(self) -> list[PublishedFile]:
        """The list itself in its formats; beside them stand its figures, games, tournaments and changes."""
        return [each for each in self.files if each.name.startswith("list.")]


def find_list(pool_code: str, in_force: date | None = None, revision: int | None = None) -> PublishedList:
    """The published list of an address; without a day the newest, without a revision its newest. 3 queries, and
    those of `read_list` about corrections.

    Raises `NotPublishedError`.
    """
    return read_list(list_stamp(pool_code, in_force, revision))


def read_list(stamp: ListStamp) -> PublishedList:
    """The list of a stamp with its files, without their bytes.

    2 queries; 1 more where it has been replaced, and up to 9 more where an earlier list of the pool was corrected.
    """
    rating_list = (
        published()
        .select_related(
            "approved_by", "released_by", "correction__replaces", "correction__requested_by", "previous"
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
        list(later.select_related("correction").order_by("revision"))
        if stamp.newest_revision > rating_list.revision
        else (),
        corrected_since(rating_list) if stamp.earlier_revisions else (),
    )


def carried_revisions(rating_list: RatingList) -> list[RatingList]:
    """The revisions of earlier lists whose difference a list took over, oldest first. 1 query."""
    return list(
        published()
        .filter(correction__carried_into__list=rating_list.pk)
        .select_related("correction__replaces")
        .order_by("in_force", "revision")
    )


def corrected_since(rating_list: RatingList) -> list[CorrectedSince]:
    """The revisions of earlier lists that a list rests neither on nor has carried, oldest first. 2 to 8 queries."""
    unknown = {each.pk for each in not_known_to([rating_list])}
    if not unknown:
        return []
    line = line_of(rating_list)
    waiting = {each.pk for each in not_known_to(lists_in_force(rating_list.pool_id))}
    carriers: dict[int, RatingList] = {}
    for taken in (
        CarriedCorrection.objects.filter(correction__in=unknown, list__state=RatingList.State.PUBLISHED)
        .select_related("list__pool")
        .order_by("list__in_force", "-list__revision")
    ):
        carriers.setdefault(taken.correction_id, taken.list)
    revisions = published().filter(correction__in=unknown).select_related("correction")
    return [
        CorrectedSince(
            line[each.in_force], each, carriers.get(each.correction_id or 0), each.correction_id in waiting
        )
        for each in revisions.order_by("in_force", "revision")
    ]


def stamp_of(lists: Sequence[RatingList]) -> tuple[str, ...]:
    """Changes whenever one of these lists is another one, any list is corrected, or a person on them is erased.
    1 query.
    """
    files = PublishedFile.objects.filter(
        Q(list_id__in=[each.pk for each in lists]) | Q(name="figures.csv", list__revision__gt=1)
    ).order_by("list_id", "pk")
    return (*(f"{each.pk} {each.sha256}" for each in lists), *files.values_list("sha256", flat=True))


def lists_of_pool(rating_list: RatingList) -> list[RatingList]:
    """Every published list of the pool, all revisions, newest first. 1 query."""
    return list(published().filter(pool_id=rating_list.pool_id).order_by("-in_force", "-revision"))


def find_file(pool_code: str, in_force: date, revision: int, name: str) -> PublishedFile:
    """A published file without its bytes; `.content` fetches them. 1 query, and 1 for the bytes.

    Raises `NotPublishedError`.
    """
    found = (
        PublishedFile.objects.filter(
            list__state=RatingList.State.PUBLISHED,
            list__pool__code=pool_code,
            list__in_force=in_force,
            list__revision=revision,
            name=name,
        )
        .defer("content")
        .first()
    )
    if found is None:
        raise NotPublishedError(f"no file {name} of {pool_code} {in_force} r{revision}")
    return found


# --- what a revision changed


class ListedFigures(NamedTuple):
    """A player's figures on one list, those that revisions are compared by (`tables.COMPARED`)."""

    rating: int
    change: int | None
    period_games: int
    games: int
    category: str
    reached_2300: int
    games_3_years: int
    last_game: date | None


@dataclass(frozen=True)
class DifferingRow:
    """A player whose figures differ between a list and the revision that replaced it; None where he is not on one."""

    fmjd_id: int
    name: str
    before: ListedFigures | None
    after: ListedFigures | None


# Each of the two lists by its own number, so that only their partitions are opened.
DIFFERING = """
SELECT coalesce(new.register_number, old.register_number), coalesce(new.name, old.name),
    old.rating, old.change, old.period_games, old.games, old.category, old.reached_2300::int, old.games_3_years,
    old.last_game,
    new.rating, new.change, new.period_games, new.games, new.category, new.reached_2300::int, new.games_3_years,
    new.last_game
FROM (SELECT * FROM ratings_ratinglistrow WHERE list_id = %(replaced)s) old
FULL JOIN (SELECT * FROM ratings_ratinglistrow WHERE list_id = %(revision)s) new USING (player_id)
WHERE (old.rating, old.change, old.period_games, old.games, old.category, old.reached_2300, old.games_3_years,
        old.last_game)
    IS DISTINCT FROM (new.rating, new.change, new.period_games, new.games, new.category, new.reached_2300,
        new.games_3_years, new.last_game)
ORDER BY 1
"""


def differing_rows(revision: RatingList) -> list[DifferingRow]:
    """Whose figures differ between a revision and the list it replaces, by FMJD-ID. 1 query."""
    assert revision.correction is not None  # noqa: S101 (the database holds it of every revision)
    with connection.cursor() as cursor:
        cursor.execute(DIFFERING, {"replaced": revision.correction.replaces_id, "revision": revision.pk})
        rows = cursor.fetchall()
    width = len(ListedFigures._fields)

    def figures(cells: tuple[Any, ...]) -> ListedFigures | None:
        return None if cells[0] is None else ListedFigures(*cells)

    return [
        DifferingRow(row[0], row[1], figures(row[2 : 2 + width]), figures(row[2 + width :])) for row in rows
    ]


@dataclass(frozen=True)
class ManifestChange:
    """A tournament that a revision counts otherwise than the list it replaces: the reports of before and after."""

    before: PeriodReport | None
    after: PeriodReport | None

    @property
    def line(self) -> PeriodReport:
        line = self.after or self.before
        assert line is not None  # noqa: S101 (one of the two lists counts it)
        return line


def manifest_changes(revision: RatingList) -> list[ManifestChange]:
    """The tournaments a revision left out, took in or counts by another report, in R5's order. 1 query."""
    assert revision.correction is not None  # noqa: S101 (the database holds it of every revision)
    before: dict[str, PeriodReport] = {}
    after: dict[str, PeriodReport] = {}
    for line in (
        PeriodReport.objects.filter(
            Q(correction=revision.correction_id) | Q(correction=revision.correction.replaces.correction_id),
            period=revision.period_id,
        )
        .select_related("tournament", "version")
        .defer("version__content", "version__sidecar", "version__findings")
        .order_by("tournament__played_to", "tournament__number")
    ):
        (after if line.correction_id == revision.correction_id else before)[line.tournament.code] = line
    changes = [ManifestChange(before.get(code), after.get(code)) for code in dict.fromkeys((*before, *after))]
    return [
        each
        for each in changes
        if each.before is None or each.after is None or each.before.version_id != each.after.version_id
    ]


# --- rows of a list


@dataclass(frozen=True)
class Form:
    """One of the lists taken from a calculated list: full, official, or a derived one (R13)."""

    name: str
    title: str
    derived: DerivedList | None = None

    @property
    def kind(self) -> str:
        """What its page calls itself."""
        return f"Rating list of {self.title.lower()}" if self.derived else f"{self.title} rating list"

    @property
    def default_sort(self) -> str:
        """R13: the full list is alphabetical, all others in decreasing order of rating."""
        return "name" if self.name == FULL else "-rating"


def forms(parameters: Parameters) -> list[Form]:
    """The forms a list is published in: official, full, and the derived ones of the edition."""
    derived = [Form(each.name, each.title, each) for each in parameters.derived_lists]
    return [Form(OFFICIAL, "Official"), Form(FULL, "Full"), *derived]


def rows_of(rating_list: RatingList, form: Form) -> QuerySet[RatingListRow]:
    """The rows of one form of a list. Derived lists are taken from the full list, as in its files (R13)."""
    rows = RatingListRow.objects.filter(list_id=rating_list.pk)
    if form.name == OFFICIAL:
        return rows.filter(official_position__isnull=False)
    return rows if form.derived is None else rows.filter(on_derived(form.derived, rating_list))


def on_derived(derived: DerivedList, rating_list: RatingList) -> Q:
    """Who is on a derived list of the list's year (Annex 2 art. 3f, R13)."""
    first, last = birth_years(derived, rating_list.in_force.year)
    condition = Q(sex=derived.sex) if derived.sex else Q()
    if first is not None:
        condition &= Q(birth_year__gte=first)
    if last is not None:
        condition &= Q(birth_year__lte=last)
    return condition


SORTS: Mapping[str, str] = {
    "rating": "position",
    "name": "name_position",
    "federation": "federation",
    "born": "birth_year",
    "change": "change",
    "games": "period_games",
    "total": "games",
    "category": "category",
}
"""The words of `?sort=` and the columns they stand for; with a minus in front, from the highest down."""


@dataclass(frozen=True)
class Selection:
    """What a reader asks of a list: who, in which order, which page. Every field has been checked."""

    words: tuple[str, ...] = ()
    number: int | None = None
    federation: str = ""
    women: bool = False
    age: DerivedList | None = None
    category: str = ""
    sort: str = "-rating"
    page: int = 1

    @property
    def filters(self) -> bool:
        return bool(
            self.words
            or self.number is not None
            or self.federation
            or self.women
            or self.age
            or self.category
        )


class NoSuchPageError(LookupError):
    """The list has no page of that number."""


@dataclass(frozen=True)
class ListPage:
    """A page of a list: how many rows the selection has, and these of them, read when they are asked for."""

    total: int
    first: int
    last: int
    page: int
    pages: int
    _rows: QuerySet[RatingListRow, dict[str, Any]]
    _ranks: Mapping[int, int] | None
    _rank_column: str

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The rows in order, each with its `form_rank`: the rank within the form shown. 1 query."""
        rows = list(self._rows)
        for row in rows:
            ranks = self._ranks
            row["form_rank"] = row[self._rank_column] if ranks is None else ranks[row["rating"]]
        return rows


ROW_COLUMNS = (
    "name",
    "federation",
    "birth_year",
    "title",
    "rating",
    "change",
    "period_games",
    "games",
    "category",
    "register_number",
    "rank",
    "official_rank",
)


def list_page(rating_list: RatingList, form: Form, selection: Selection) -> ListPage:
    """A page of 100 rows of one form of a list.

    The full and the official list unfiltered: 1 query when the rows are read, a range of positions. A derived
    list: 1 more for its ranks. A filter: 1 more for the number of rows it leaves. Raises `NoSuchPageError`.
    """
    rows = rows_of(rating_list, form)
    ranks = None
    if form.derived is not None:
        ranks, total = ranks_within(rows)
    else:
        total = rating_list.official_players if form.name == OFFICIAL else rating_list.players
    if selection.filters:
        rows = selected(rows, rating_list, selection)
        total = rows.count()
    pages = max(-(-total // PAGE_ROWS), 1)
    if selection.page > pages:
        raise NoSuchPageError(f"{pages} pages, asked for {selection.page}")
    places = range((selection.page - 1) * PAGE_ROWS, min(selection.page * PAGE_ROWS, total))
    return ListPage(
        total=total,
        first=min(places.start + 1, total),
        last=places.stop,
        page=selection.page,
        pages=pages,
        _rows=stretch(rows, form, selection, places, total).values(*ROW_COLUMNS),
        _ranks=ranks,
        _rank_column="official_rank" if form.name == OFFICIAL else "rank",
    )


def ranks_within(rows: QuerySet[RatingListRow]) -> tuple[dict[int, int], int]:
    """Each rating's rank among these rows, 1 + the number with a higher one, and their number. 1 query."""
    ranks, above = {}, 0
    for rating, players in rows.order_by("-rating").values_list("rating").annotate(players=Count("position")):
        ranks[rating] = above + 1
        above += players
    return ranks, above


def selected(
    rows: QuerySet[RatingListRow], rating_list: RatingList, selection: Selection
) -> QuerySet[RatingListRow]:
    """The rows a selection's filters leave."""
    for word in selection.words:
        rows = rows.filter(sort_name__contains=word)
    if selection.number is not None:
        rows = rows.filter(register_number=selection.number)
    if selection.federation:
        rows = rows.filter(federation=selection.federation)
    if selection.women:
        rows = rows.filter(sex="W")
    if selection.age is not None:
        rows = rows.filter(on_derived(selection.age, rating_list))
    if selection.category:
        rows = rows.filter(category=selection.category)
    return rows


def stretch(
    rows: QuerySet[RatingListRow], form: Form, selection: Selection, places: range, total: int
) -> QuerySet[RatingListRow]:
    """The rows at these places (from 0) of the order: a range of a dense position where there is one."""
    key = selection.sort.removeprefix("-")
    column = SORTS[key]
    # Position 1 is the highest rating.
    falling = selection.sort.startswith("-") != (key == "rating")
    dense = None
    if not selection.filters and form.name == FULL and key in {"rating", "name"}:
        dense = column
    elif not selection.filters and form.name == OFFICIAL and key == "rating":
        dense = "official_position"
    if dense is not None:
        first, last = places.start + 1, places.stop
        if falling:
            first, last = total + 1 - last, total + 1 - first
        rows = rows.filter(**{f"{dense}__gte": first, f"{dense}__lte": last})
        if dense == "official_position":
            # It is never beyond the position in the full list: from there the table's key is walked.
            rows = rows.filter(position__gte=first)
        return rows.order_by(f"-{column}" if falling else column)[: len(places)]
    if column in {"position", "name_position"}:
        rows = rows.order_by(f"-{column}" if falling else column)
    else:
        # Equal values stand by rating; a player without the figure stands last, whichever way.
        figure = F(column)
        rows = rows.order_by(
            figure.desc(nulls_last=True) if falling else figure.asc(nulls_last=True), "position"
        )
    return rows[places.start : places.stop]


def federations_on(rating_list: RatingList) -> dict[str, str]:
    """The federations with a player on the list: code → name, by name. 2 queries."""
    codes = (
        RatingListRow.objects.filter(list_id=rating_list.pk).values_list("federation", flat=True).distinct()
    )
    return federation_names(codes)


def federation_names(codes: Iterable[str]) -> dict[str, str]:
    """Code → name, by name; a code that is not in the register stands for itself. 1 query."""
    names = {code: code for code in codes}
    names |= dict(Federation.objects.filter(code__in=list(names)).values_list("code", "name"))
    return dict(sorted(names.items(), key=lambda item: item[1]))


def leaders(lists: Sequence[RatingList], places: int) -> dict[int, list[dict[str, Any]]]:
    """The first of each official list: list's key → rows. 1 query."""
    rows = (
        RatingListRow.objects.filter(list_id__in=[each.pk for each in lists], official_position__lte=places)
        .order_by("list_id", "official_position")
        .values("list_id", *ROW_COLUMNS)
    )
    found: dict[int, list[dict[str, Any]]] = {each.pk: [] for each in lists}
    for row in rows:
        found[row["list_id"]].append({**row, "form_rank": row["official_rank"]})
    return found
