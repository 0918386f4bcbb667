"""Rows of a published list: its variants, and the page of a variant that a reader asks for.

Every query names the number of the list: the planner then opens that list's partition and no other. A join on the
list would open them all.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.db import connection
from django.db.models import Count, F, Func, IntegerField, OuterRef, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast

from ratings.federations.facet import Edition
from ratings.federations.registry import rating_systems
from ratings.models import ListRow, PlayerHistory, RatingList, rows_of_lists
from ratings.rules.declared import Column
from ratings.rules.derived_lists import DerivedList, birth_years
from reporting.models import Federation
from reporting.rules.register.titles import titles_by_rank

PAGE_ROWS = 100
PRINTED_ROWS = 10_000
"""The longest list that has a page with all its rows, to be printed."""

OFFICIAL = "official"
FULL = "full"

Matching = Callable[[QuerySet[ListRow]], QuerySet[ListRow]]
"""Of some rows of a list those that match filters."""


@dataclass(frozen=True)
class ListVariant:
    """One of the lists made from a calculated list: full, official or derived (R13).

    One of the players with a value in a column, as `club:020032`, has the column in place of a rule.
    """

    name: str
    derived: DerivedList | None = None
    column: Column | None = None

    @property
    def is_part(self) -> bool:
        """Whether its ranks are those within a part of the list."""
        return self.derived is not None or self.column is not None

    @property
    def value(self) -> str:
        """The value of the column."""
        return self.name.partition(":")[2]

    @property
    def default_sort(self) -> str:
        """R13: the full list is in alphabetical order, all others by rating, the highest first."""
        return "name" if self.name == FULL else "-rating"


def list_variants(rules: Edition) -> list[ListVariant]:
    """The variants of a published list: official, full, and the derived lists of the edition."""
    derived = [ListVariant(derived.name, derived) for derived in rules.derived_lists]
    return [ListVariant(OFFICIAL), ListVariant(FULL), *derived]


def find_variant(rating_list: RatingList, name: str) -> ListVariant | None:
    """The variant of this name; None for one that the list does not have. 1 query for one of a column, else none."""
    for variant in list_variants(rating_list.rules):
        if variant.name == name:
            return variant
    declaration = rating_list.declaration
    column, _, value = name.partition(":")
    if not value or column not in declaration.divided_by:
        return None
    variant = ListVariant(name, column=declaration.column(column))
    return variant if rows_of(rating_list, variant).exists() else None


def variants_to_choose(rating_list: RatingList, asked: str) -> dict[str, ListVariant]:
    """The variants of a list by name, with the one of a column that is asked for. Queries as `find_variant`."""
    variants = {variant.name: variant for variant in list_variants(rating_list.rules)}
    found = find_variant(rating_list, asked)
    return variants | ({found.name: found} if found else {})


def rows_of(rating_list: RatingList, variant: ListVariant) -> QuerySet[ListRow]:
    """The rows of one variant of a list. Derived lists come from the full list, as in its files (R13)."""
    rows = rating_list.rows
    if variant.name == OFFICIAL:
        return rows.filter(official_position__isnull=False)
    if variant.column is not None:
        return rows.filter(**{variant.column.name: variant.value})
    return rows if variant.derived is None else rows.filter(on_derived_list(variant.derived, rating_list))


def no_rows() -> QuerySet[ListRow]:
    """Rows of no list, for filters that are declared and not applied. No query."""
    rows: QuerySet[ListRow] = rating_systems()[0].row_model._default_manager.none()
    return rows


def on_derived_list(derived: DerivedList, rating_list: RatingList) -> Q:
    """The condition for a derived list of the list's year (R13)."""
    first, last = birth_years(derived, rating_list.in_force.year)
    condition = Q(sex=derived.sex) if derived.sex else Q()
    if first is not None:
        condition &= Q(birth_year__gte=first)
    if last is not None:
        condition &= Q(birth_year__lte=last)
    return condition


class NoSuchPageError(LookupError):
    """The list has no page of that number."""


@dataclass(frozen=True)
class ListPage:
    """A page of a list: the number of rows the selection has, and the rows of the page, read on first use."""

    total: int
    first: int
    last: int
    page: int
    pages: int
    _read: Callable[[], Iterable[dict[str, Any]]]
    _ranks: Mapping[int, int] | None
    _rank_column: str

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The rows in order, each with its `variant_rank`: the rank within the variant shown. 1 query."""
        rows = list(self._read())
        for row in rows:
            ranks = self._ranks
            row["variant_rank"] = row[self._rank_column] if ranks is None else ranks[row["rating"]]
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
"""What pages show of a row of any system; the page of a list also reads the columns that its system declares."""


def list_page(
    rating_list: RatingList,
    variant: ListVariant,
    matching: Matching | None = None,
    sort: str = "",
    *,
    page: int = 1,
    page_rows: int = PAGE_ROWS,
    earlier_lists: int = 0,
) -> ListPage:
    """A page of 100 rows, or of `page_rows`, of one variant of a list: all its rows, or those that match filters.

    `sort` is one of the `sorts` of the list's system, with a minus in front for the highest first. Full and official
    list without filters: 1 query for the rows, a range of positions. A derived list: 1 more for its ranks. A filter: 1
    more for the number of rows. Raises `NoSuchPageError`.
    """

    def places(total: int) -> range:
        if page > max(-(-total // page_rows), 1):
            raise NoSuchPageError(f"asked for page {page} of {total} rows")
        return range((page - 1) * page_rows, min(page * page_rows, total))

    found = selected_rows(rating_list, variant, places, matching, sort, earlier_lists=earlier_lists)
    return replace(found, page=page, pages=max(-(-found.total // page_rows), 1))


def selected_rows(
    rating_list: RatingList,
    variant: ListVariant,
    places: Callable[[int], range],
    matching: Matching | None = None,
    sort: str = "",
    *,
    more_columns: Iterable[str] = (),
    earlier_lists: int = 0,
) -> ListPage:
    """The rows at some places (from 0) of those that match; `places` gives them for the number of rows.

    As many queries as `list_page`; one page of them all. The rows have `ROW_COLUMNS`, what the page of a list shows,
    and `more_columns`; with `earlier_lists` also `earlier_ratings`, those on so many lists before it, the newest first.
    """
    sort = sort or variant.default_sort
    columns = (*ROW_COLUMNS, *rating_list.declaration.list_page, *more_columns)
    dense = dense_position(rating_list, variant, sort) if matching is None else ""
    total = rating_list.official_players if variant.name == OFFICIAL else rating_list.players
    ranks = None
    read: Callable[[], Iterable[dict[str, Any]]]
    if dense and not earlier_lists:
        asked = places(total)
        read = partial(rows_in_range, rating_list, dense, sort, columns, places=asked, total=total)
    else:
        rows = rows_of(rating_list, variant)
        if variant.is_part:
            ranks, total = ranks_within(rows)
        if matching is not None:
            rows = matching(rows)
            total = rows.count()
        asked = places(total)
        in_order = row_range(rows, rating_list, dense, sort, places=asked, total=total)
        earlier = {"earlier_ratings": earlier_ratings(rating_list, earlier_lists)} if earlier_lists else {}
        read = partial(in_order.values, *dict.fromkeys(columns), **earlier)
    return ListPage(
        total=total,
        first=min(asked.start + 1, total),
        last=asked.stop,
        page=1,
        pages=1,
        _read=read,
        _ranks=ranks,
        _rank_column="official_rank" if variant.name == OFFICIAL else "rank",
    )


def earlier_ratings(rating_list: RatingList, lists: int) -> ArraySubquery:
    """A player's ratings on so many lists of the pool before a list, the newest first: part of the query of the rows.

    Of corrected lists their newest revision. One short range of an index for each row that is read.
    """
    history = PlayerHistory.objects.filter(
        player=OuterRef("player"), list__pool=rating_list.pool_id, in_force__lt=rating_list.in_force
    )
    return ArraySubquery(history.order_by("-in_force").values("rating")[:lists])


def ranks_within(rows: QuerySet[ListRow]) -> tuple[dict[int, int], int]:
    """Rating → rank among these rows (1 + the number of higher ratings), and the number of rows. 1 query."""
    ranks, above = {}, 0
    for rating, players in rows.order_by("-rating").values_list("rating").annotate(players=Count("position")):
        ranks[rating] = above + 1
        above += players
    return ranks, above


def dense_position(rating_list: RatingList, variant: ListVariant, sort: str) -> str:
    """The column that has the places of all rows of a variant in an order, without a gap; empty where none has."""
    _, declared = rating_list.declaration.sorts[sort.removeprefix("-")]
    if variant.name == OFFICIAL:
        return "official_position" if declared.position == "position" else ""
    return declared.position if variant.name == FULL else ""


def range_of_positions(dense: str, sort: str, places: range, total: int) -> tuple[dict[str, int], bool]:
    """The least and the largest position at these places (from 0) by column and comparison, and whether they fall."""
    # Position 1 is the highest rating.
    falling = sort.startswith("-") != (dense in ("position", "official_position"))
    first, last = places.start + 1, places.stop
    if falling:
        first, last = total + 1 - last, total + 1 - first
    found = {f"{dense}__gte": first, f"{dense}__lte": last}
    if dense == "official_position":
        # It is at most the position in the full list, so the scan can start at that key.
        found["position__gte"] = first
    return found, falling


def rows_in_range(
    rating_list: RatingList, dense: str, sort: str, columns: Iterable[str], *, places: range, total: int
) -> list[dict[str, Any]]:
    """The rows at these places of all rows, by the range of a dense position. 1 query.

    In SQL because programs read whole lists so: the ORM takes longer to build the statement than to read 100 rows.
    """
    names = list(dict.fromkeys(columns))
    quoted = ", ".join(f'"{name}"' for name in names)
    in_range, falling = range_of_positions(dense, sort, places, total)
    signs = {"gte": ">=", "lte": "<="}
    conditions = [
        f'"{column}" {signs[comparison]} %s'
        for column, _, comparison in (name.rpartition("__") for name in in_range)
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {quoted} FROM {rating_list.rating_system.row_model._meta.db_table}"  # noqa: S608 (own names)
            f' WHERE "list_id" = %s AND {" AND ".join(conditions)} ORDER BY "{dense}"{" DESC" if falling else ""}',
            [rating_list.pk, *in_range.values()],
        )
        return [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]


def row_range(
    rows: QuerySet[ListRow], rating_list: RatingList, dense: str, sort: str, *, places: range, total: int
) -> QuerySet[ListRow]:
    """The rows at these places (from 0) of the order, by a range of the dense position where there is one."""
    sorted_by, declared = rating_list.declaration.sorts[sort.removeprefix("-")]
    position, column = declared.position, declared.position or sorted_by.name
    if dense:
        in_range, falling = range_of_positions(dense, sort, places, total)
        return rows.filter(**in_range).order_by(f"-{column}" if falling else column)[: len(places)]
    # Position 1 is the highest rating.
    falling = sort.startswith("-") != (column == "position")
    if position:
        rows = rows.order_by(f"-{column}" if falling else column)
    else:
        # Equal values are ordered by rating; a player without the figure is last in both directions.
        figure = _rank_of_title(titles_on(rating_list)) if column == "title" else F(column)
        rows = rows.order_by(
            figure.desc(nulls_last=True) if falling else figure.asc(nulls_last=True), "position"
        )
    return rows[places.start : places.stop]


def _rank_of_title(ranked: Sequence[str]) -> Func:
    """The place of the title of a row among these, the highest first; NULL for another one, and for none."""
    titles = Value(list(ranked), output_field=ArrayField(TextField()))
    title = Cast("title", TextField())
    return Func(titles, title, function="array_position", output_field=IntegerField())


def titles_on(rating_list: RatingList) -> list[str]:
    """The titles that a list can print, the highest first. No query."""
    pool = rating_list.pool
    return titles_by_rank(pool.system, pool.discipline)


def federations_on(rating_list: RatingList) -> dict[str, str]:
    """The federations with a player on the list: code → name, by name. 1 query."""
    return federation_names(rating_list.federations)


def federation_names(codes: Iterable[str]) -> dict[str, str]:
    """Code → name, by name; an unknown code is its own name. 1 query."""
    names = {code: code for code in codes}
    names |= dict(Federation.objects.filter(code__in=list(names)).values_list("code", "name"))
    return dict(sorted(names.items(), key=lambda item: item[1]))


def leaders(lists: Sequence[RatingList], places: int) -> dict[int, list[dict[str, Any]]]:
    """The leaders of each official list: key of the list → rows. 1 query a rating system."""
    found: dict[int, list[dict[str, Any]]] = {rating_list.pk: [] for rating_list in lists}
    leading = [
        row
        for rows in rows_of_lists(lists)
        for row in rows.filter(official_position__lte=places)
        .order_by("list_id", "official_position")
        .values("list_id", *ROW_COLUMNS)
    ]
    for row in leading:
        found[row["list_id"]].append({**row, "variant_rank": row["official_rank"]})
    return found
