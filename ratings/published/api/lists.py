"""Endpoints of pools, published lists, their entries and their ranking of federations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import date, datetime
from functools import cached_property, lru_cache
from typing import Any

from django import forms
from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.utils.translation import get_language, gettext, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.serializers import CharField, IntegerField

from ratings.models import Pool, RatingList
from ratings.published.api.columns import (
    ComparedPlayerSerializer,
    EntrySerializer,
    by_system,
    compared_columns,
    own_columns,
    register_column,
    typed_value,
)
from ratings.published.api.players import NO_POOL, POOL
from ratings.published.api.serializers.lists import (
    CountedDifferentlySerializer,
    DifferenceSerializer,
    ListKeySerializer,
    ListSerializer,
    PoolSerializer,
    RankingSerializer,
    WholeListSerializer,
)
from ratings.published.selectors.federations import FederationRow, federation_ranks
from ratings.published.selectors.statistics.comparison import Part, compare_lists, compared_rows
from ratings.published.views.entry_filters import EntryFilterSet, OrderForm
from ratings.published.views.lists.published import cached_list
from ratings.published.views.statistics.compare_lists import default_lists, list_word
from ratings.queries import lists as selectors
from ratings.queries.addresses import list_key
from ratings.queries.list_rows import (
    OFFICIAL,
    ListVariant,
    list_variants,
    selected_rows,
    variants_to_choose,
)
from ratings.queries.lists import ListStamp, NotPublishedError, office_today
from ratings.queries.revisions import differing_rows, manifest_changes
from ratings.rules.declared import Column
from ratings.rules.scaled_numbers import E4
from reporting.models.register import ERASED_NAME
from reporting.rules.register.registers import Register
from reporting.web.api.endpoints import PublicView
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import RowsForm
from reporting.web.forms import DayField
from reporting.web.query_params import KnownField

NO_LIST = gettext_lazy("There is no such published list. /api/v1/lists/ has them all.")
LIST_WORD = r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}-r[1-9][0-9]{0,3}\Z"
ENTRY_COLUMNS = (
    "name",
    "federation",
    "sex",
    "birth_year",
    "title",
    "rating",
    "change",
    "period_games",
    "games",
)


class PoolsView(PublicView):
    """Every pool with its list in force."""

    @extend_schema(operation_id="listPools", responses=PoolSerializer(many=True))
    def get(self, request: Request) -> HttpResponseBase:
        """Every pool of ratings, with its list in force and the next one.

        Order: as on the pages of the office.
        """
        self.read(request)
        today = selectors.lists_of_today()
        pools = selectors.all_pools()

        def make() -> Any:
            in_force = {found.pool_id: found for found in today.in_force}
            upcoming = {found.pool_id: found for found in reversed(today.upcoming)}
            return PoolSerializer(
                [pool_in_answer(pool, in_force.get(pool.pk), upcoming.get(pool.pk)) for pool in pools],
                many=True,
            ).data

        return self.answer(request, (*today.stamp, *(pool.code for pool in pools)), make)


def pool_in_answer(pool: Pool, in_force: RatingList | None, upcoming: RatingList | None) -> dict[str, Any]:
    return {
        "code": pool.code,
        "name": pool.name,
        "system": pool.system,
        "discipline": pool.discipline,
        "tempo": pool.tempo,
        "in_force": list_key(in_force),
        "upcoming": list_key(upcoming),
    }


class ListsForm(RowsForm):
    """Which published lists."""

    pool = KnownField(POOL, selectors.find_pool, NO_POOL, help_text="The code of a pool.")
    since = DayField(required=False, help_text="In force on this day or later.")
    until = DayField(required=False, help_text="In force on this day or earlier.")


class ListsView(PublicView):
    """Every published list, all revisions."""

    parameters = ListsForm

    @extend_schema(operation_id="listLists", responses=row_pages(ListSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """Every published list, all revisions.

        Order: by `in_force`, the latest first; of one day by pool, then the newest revision first.
        """
        form = self.read(request)
        asked = form.cleaned_data
        found = selectors.published()
        if asked["pool"]:
            found = found.filter(pool__code=asked["pool"])
        if asked["since"]:
            found = found.filter(in_force__gte=asked["since"])
        if asked["until"]:
            found = found.filter(in_force__lte=asked["until"])
        stamp = tuple(found.order_by("pk").values_list("sha256", flat=True))

        def make() -> Any:
            rows = found.order_by("-in_force", "pool_id", "-revision")[form.rows]
            answers = ListSerializer([list_in_answer(one) for one in rows], many=True).data
            return self.rows(request, form, len(stamp), answers)

        return self.answer(request, stamp, make)


def list_in_answer(rating_list: RatingList) -> dict[str, Any]:
    names = ("closing", "published_at", "players", "official_players", "tournaments", "games", "sha256")
    key = list_key(rating_list)
    return {**(key or {}), **{name: getattr(rating_list, name) for name in names}}


def published_at(stamp: ListStamp) -> datetime | None:
    """The instant of the publication of a list. 1 query."""
    return selectors.published().values_list("published_at", flat=True).get(pk=stamp.list_id)


def stamp_or_404(pool: str, in_force: date | None, revision: int | None) -> ListStamp:
    try:
        return selectors.list_stamp(pool, in_force, revision)
    except NotPublishedError as error:
        raise Http404 from error


class ListView(PublicView):
    """A published list."""

    nothing_found = NO_LIST

    @extend_schema(operation_id="retrieveListRevision", responses=WholeListSerializer)
    def get(
        self, request: Request, pool: str, in_force: date | None = None, revision: int | None = None
    ) -> HttpResponseBase:
        """A published list with its files: without a day the one in force, without a revision the newest one."""
        self.read(request)
        stamp = stamp_or_404(pool, in_force, revision)

        def make() -> Any:
            found = cached_list(stamp)
            shown = found.rating_list
            key = (shown.pool.code, shown.in_force, shown.revision)
            return WholeListSerializer(
                {
                    **list_in_answer(shown),
                    "system": shown.system,
                    "edition": shown.edition,
                    "variants": [variant.name for variant in list_variants(shown.rules)],
                    "newest_revision": found.newest_revision,
                    "input_sha256": shown.input_sha256,
                    "previous_sha256": shown.previous_sha256,
                    "files": [
                        {
                            "name": file.name,
                            "size": file.size,
                            "sha256": file.sha256,
                            "url": reverse("list-file", args=(*key, file.name)),
                        }
                        for file in found.files
                    ],
                    "entries": reverse("api-entries", args=key),
                    "page": reverse("list-revision", args=key),
                }
            ).data

        return self.answer(request, tuple(stamp), make, modified=published_at(stamp))


@extend_schema_view(get=extend_schema(operation_id="retrieveListOfDay", responses=WholeListSerializer))
class ListOfDayView(ListView):
    """The newest revision of a list."""


@extend_schema_view(get=extend_schema(operation_id="retrieveListInForce", responses=WholeListSerializer))
class ListInForceView(ListView):
    """The list in force in a pool."""


class EntryRowsForm(OrderForm, RowsForm):
    """Which variant of a list, in which order, and which rows of it."""

    variant = forms.ChoiceField(required=False, help_text="official by default")


class EntryRowsFilterSet(EntryFilterSet):
    """The filters, variants and rows of a list; without a list those of all rating systems."""

    class Meta:
        form = EntryRowsForm

    @cached_property
    def form(self) -> Any:
        """The form with the variants of the list as choices."""
        form = super().form
        form.fields["variant"].choices = [(name, name) for name in self.variants]
        return form

    @property
    def variants(self) -> dict[str, ListVariant]:
        """The variants by name; of a list also the one of a column that is asked for."""
        if self.rating_list is not None:
            asked = super().form["variant"].value()
            return variants_to_choose(self.rating_list, str(asked or ""))
        return {variant.name: variant for rules in self.rules for variant in list_variants(rules)}


@lru_cache(maxsize=64)
def filters_of_list(stamp: ListStamp, language: str) -> EntryRowsFilterSet:  # noqa: ARG001 (choices have labels)
    """The filters of a list with their form, which take longer to make than to read. Kept while the stamp stays."""
    return EntryRowsFilterSet(None, cached_list(stamp).rating_list)


class EntriesView(PublicView):
    """The entries of a published list."""

    nothing_found = NO_LIST

    @staticmethod
    def parameters() -> Any:
        """The parameters of every list."""
        return EntryRowsFilterSet().form

    @extend_schema(
        operation_id="listEntries",
        responses=row_pages(EntrySerializer, rows=by_system(EntrySerializer, own_columns, many=True)),
    )
    def get(self, request: Request, pool: str, in_force: date, revision: int) -> HttpResponseBase:
        """The players of a published list in one of its variants, filtered as on its page.

        Order: by `sort`; without it the full list by name, all others by rating, the highest first.
        """
        stamp = stamp_or_404(pool, in_force, revision)
        rating_list = cached_list(stamp).rating_list
        filters = filters_of_list(stamp, get_language() or "").reading(request.query_params)
        form = self.read(request, lambda _: filters.form)
        variant = filters.variants[form.cleaned_data["variant"] or OFFICIAL]
        matching = filters.filter_queryset if filters.values else None

        def places(total: int) -> range:
            asked = form.rows
            return range(min(asked.start, total), min(asked.stop, total))

        def make() -> Any:
            own = own_columns(rating_list.rating_system.declaration)
            more, sort = ("sex", *rating_list.declaration.list_file), form.cleaned_data["sort"]
            page = selected_rows(rating_list, variant, places, matching, sort, more_columns=more)
            rows = entries_in_answer(page.rows, rating_list.report_rules.register, own)
            return self.rows(request, form, page.total, rows)

        return self.answer(request, tuple(stamp), make, modified=rating_list.published_at)


def entries_in_answer(
    rows: Iterable[Mapping[str, Any]], register: Register, own: Mapping[str, Column]
) -> list[dict[str, Any]]:
    """Rows as their type of `by_system` describes them: their values are those of the database already."""
    before_number = register.address("")
    return [
        {
            "player": None if row["name"] == ERASED_NAME else f"{before_number}{row['register_number']}",
            "rank": row["variant_rank"],
            **{name: None if (value := row[name]) == "" else value for name in ENTRY_COLUMNS},
            **{header: typed_value(column, row.get(column.name)) for header, column in own.items()},
        }
        for row in rows
    ]


def address_of(name: str, number: int, register: Register) -> str | None:
    """The player of a row in addresses; None for an erased name."""
    return None if name == ERASED_NAME else register.address(number)


class DifferencesView(PublicView):
    """The differences of a revision."""

    nothing_found = NO_LIST
    parameters = RowsForm

    @extend_schema(
        operation_id="listDifferences",
        responses=row_pages(
            DifferenceSerializer,
            replaces=ListKeySerializer(allow_null=True, help_text="null for a list that replaces none."),
            reason=CharField(allow_null=True, help_text="Why the list was corrected."),
            tournaments=CountedDifferentlySerializer(many=True),
        ),
    )
    def get(self, request: Request, pool: str, in_force: date, revision: int) -> HttpResponseBase:
        """What a revision changes in the list that it replaces: the tournaments it counts, and the players' figures.

        Order: by the number in the register; tournaments by their last day.
        """
        form = self.read(request)
        stamp = stamp_or_404(pool, in_force, revision)
        found = cached_list(stamp).rating_list
        correction = found.correction

        def make() -> Any:
            register, columns = found.report_rules.register, compared_columns(found.rating_system.declaration)
            every = differing_rows(found) if correction else []
            rows = [
                {
                    "player": address_of(row.name, row.register_number, register),
                    "name": row.name,
                    **{side: compared_in_answer(getattr(row, side), columns) for side in ("before", "after")},
                }
                for row in every[form.rows]
            ]
            tournaments = [
                {
                    "tournament": change.line.result_set.code,
                    "before": change.before and change.before.version.sha256,
                    "after": change.after and change.after.version.sha256,
                }
                for change in (manifest_changes(found) if correction else ())
            ]
            return {
                "replaces": list_key(correction.replaces) if correction else None,
                "reason": correction.printed_reason if correction else None,
                "tournaments": CountedDifferentlySerializer(tournaments, many=True).data,
                **self.rows(request, form, len(every), DifferenceSerializer(rows, many=True).data),
            }

        return self.answer(request, tuple(stamp), make, modified=found.published_at)


def compared_in_answer(
    figures: Mapping[str, Any] | None, columns: Mapping[str, Column]
) -> dict[str, Any] | None:
    if figures is None:
        return None
    return {header: typed_value(column, figures.get(column.name)) for header, column in columns.items()}


class ComparisonForm(RowsForm):
    """Two lists of a pool by day and revision, and which of their players."""

    a = forms.RegexField(
        LIST_WORD, required=False, help_text="Such as 2026-07-01-r1; by default the list before."
    )
    b = forms.RegexField(
        LIST_WORD, required=False, help_text="Such as 2026-10-01-r1; by default that in force."
    )
    part = forms.ChoiceField(
        required=False, choices=[(part.value, part.value) for part in Part], help_text="gains by default"
    )

    def __init__(self, data: Any = None, lists: Sequence[RatingList] = ()) -> None:
        super().__init__(data)
        self.lists = {list_word(one): one for one in lists}
        self.by_default = default_lists(lists, office_today()) if lists else ()

    def clean(self) -> None:
        for name in "ab":
            if (word := self.cleaned_data.get(name)) and word not in self.lists:
                self.add_error(name, gettext("This pool has no such list."))

    @property
    def chosen(self) -> tuple[RatingList, RatingList]:
        """The two lists of a valid form."""
        words = (self.cleaned_data[name] for name in "ab")
        first, second = (self.lists.get(word, one) for word, one in zip(words, self.by_default, strict=True))
        return first, second


class ComparisonView(PublicView):
    """Two lists compared."""

    nothing_found = NO_LIST
    parameters = ComparisonForm

    @extend_schema(
        operation_id="listComparison",
        responses=row_pages(
            ComparedPlayerSerializer,
            rows=by_system(ComparedPlayerSerializer, register_column, many=True),
            before=ListKeySerializer(),
            after=ListKeySerializer(),
            **{
                name: IntegerField(help_text="How many players.")
                for name in ("gains", "losses", "unchanged", "new", "gone")
            },
        ),
    )
    def get(self, request: Request, pool: str) -> HttpResponseBase:
        """Two lists of a pool compared: who gained, lost, is new or gone. Persons are as the later list knows them.

        Order: the largest gain or loss first; new and gone players by rating, the highest first; then by number.
        """
        lists = selectors.lists_of_pool(pool)
        if not lists:
            raise Http404
        form = self.read(request, lambda query: ComparisonForm(query, lists))
        before, after = form.chosen
        part = Part(form.cleaned_data["part"] or Part.GAINS)

        def make() -> Any:
            counts, asked = compare_lists(before, after), form.rows
            register = after.report_rules.register
            (header,) = register_column(after.rating_system.declaration)
            rows = [
                {
                    "player": address_of(row.name, row.number, register),
                    "name": row.name,
                    "federation": row.federation,
                    "title": row.title or None,
                    "rating_before": row.before,
                    "rating_after": row.after,
                    "games_before": row.games_before,
                    "games_after": row.games_after,
                    header: row.number,
                }
                for row in compared_rows(before, after, part, asked.start, asked.stop - asked.start)
            ]
            return {
                "before": list_key(before),
                "after": list_key(after),
                **asdict(counts),
                **self.rows(
                    request, form, counts.players(part), rows, a=list_word(before), b=list_word(after)
                ),
            }

        return self.answer(request, ("compare", len(lists), *selectors.stamp_of([before, after])), make)


class RankingView(PublicView):
    """The ranking of federations on a list."""

    nothing_found = NO_LIST

    @extend_schema(operation_id="retrieveFederationRanking", responses=RankingSerializer)
    def get(self, request: Request, pool: str, in_force: date, revision: int) -> HttpResponseBase:
        """The federations by the mean of their best players on the official list (R13)."""
        self.read(request)
        stamp = stamp_or_404(pool, in_force, revision)

        def make() -> Any:
            ranking = federation_ranks(selectors.published().get(pk=stamp.list_id))
            return RankingSerializer(
                {
                    "list": list_key(ranking.rating_list),
                    "size": ranking.size,
                    "all_players": [federation_in_answer(row) for row in ranking.all_players],
                    "women": [federation_in_answer(row) for row in ranking.women],
                }
            ).data

        return self.answer(request, tuple(stamp), make, modified=published_at(stamp))


def federation_in_answer(row: FederationRow) -> dict[str, Any]:
    return {
        "code": row.code,
        "name": row.name,
        "rank": row.rank or None,
        "players": row.players,
        "counted": row.counted,
        "mean": row.mean_e4 / E4,
    }
