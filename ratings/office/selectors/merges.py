"""The page of a merge: both records, and the next lists with the merge and without it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np
from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.inputs.in_force import merges_added_by_corrections
from ratings.models import Period, PlayerHistory, Pool, RatingList
from ratings.office.selectors.comparison import ComparedColumns, Comparison, Mover, comparison_of
from ratings.office.selectors.forecast import forecast_list, read_only_snapshot
from ratings.queries.counted_results import inputs_of_next_list
from ratings.queries.periods import due_period, pools_of
from ratings.rules.columns import ListColumns
from reporting.models import Entry, Player, PlayerMerge, ResultSet
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.titles import titles_of
from reporting.rules.register.titles import discipline_of_titles, discipline_titles


@dataclass(frozen=True)
class ListRating:
    """A player's rating and counted games on a list."""

    rating: int
    games: int


def list_ratings(rating_list: RatingList, players: Collection[int]) -> dict[int, ListRating]:
    """Player → rating and games on a list. 1 query."""
    rows = rating_list.rows.filter(player_id__in=players)
    return {row[0]: ListRating(*row[1:]) for row in rows.values_list("player_id", "rating", "games")}


def pools_of_players(*players: Player) -> list[Pool]:
    """The pools with a published list that shows one of the players, or whose next list counts a game of one.

    3 queries, 1 more for each tournament of theirs that no list has counted yet.
    """
    histories = PlayerHistory.objects.filter(player__in=players, list__state=RatingList.State.PUBLISHED)
    known = set(histories.values_list("list__pool", flat=True).distinct())
    waiting = ResultSet.objects.filter(entries__player__in=players, manifest_lines=None).distinct()
    known.update(pool.pk for tournament in waiting for pool in pools_of(tournament))
    return list(Pool.objects.filter(pk__in=known).order_by("pk"))


@dataclass(frozen=True)
class MergeForecast:
    """The next list of a pool calculated now, as the records are and as they would be.

    `records` are the surviving record and the duplicate, each with rating and games on the last list, and on the next
    one as it is and as it would be; None where the record is not on the list. `others` compares the two next lists. A
    list that cannot be calculated has the refusal instead.
    """

    period: Period
    records: Sequence[tuple[Player, ListRating | None, ListRating | None, ListRating | None]] = ()
    others: Comparison | None = None
    others_change: Sequence[Mover] = ()
    refusal: DomainError | None = None


def preview_digest(comparison: Mapping[str, Any], forecasts: Sequence[MergeForecast]) -> str:
    """A digest of what the page of a merge shows: both records, and the next lists with the merge and without it."""
    shown = [
        (str(one.period), one.records, one.others_change, one.refusal and one.refusal.message)
        for one in forecasts
    ]
    return sha256(repr((comparison, shown)).encode()).hexdigest()[:16]


def find_merge(number: int) -> PlayerMerge | None:
    """A merge with both records. 1 query."""
    merges = PlayerMerge.objects.select_related("duplicate__federation", "surviving__federation", "merged_by")
    return merges.filter(pk=number).first()


def has_merged_records(player: Player) -> bool:
    """Whether another record is merged into this one. 1 query."""
    return PlayerMerge.objects.filter(surviving=player, undone_at=None).exists()


def merge_forecasts(merge: PlayerMerge) -> list[MergeForecast]:
    """The next list of each pool that knows one of the records, with a merge and without it, in a read-only snapshot.

    A merge that is stored is forecast undone, one that is not stored is forecast done.
    """
    with read_only_snapshot():
        return merge_forecasts_now(merge)


def merge_forecasts_now(merge: PlayerMerge) -> list[MergeForecast]:
    """`merge_forecasts` in the transaction of the act, under its locks."""
    pools = pools_of_players(merge.duplicate, merge.surviving)
    periods = [period for pool in pools if (period := _next_period(pool)) is not None]
    return [_merge_forecast(period, inputs_of_next_list(period), merge) for period in periods]


def _next_period(pool: Pool) -> Period | None:
    """The period whose list is calculated next, unsaved where it is not open yet.

    None for a pool without a list, and while the office has not chosen the dates.
    """
    under_way = Period.objects.filter(pool=pool, state__in=[Period.State.OPEN, Period.State.FROZEN])
    period = under_way.select_related("pool").order_by("in_force").first()
    if period is not None:
        return period
    try:
        due = due_period(pool)
    except DomainError:
        return None
    return Period(pool=pool, closing=due.closing, in_force=due.in_force) if due else None


def _merge_forecast(period: Period, inputs: CalculationInputs, merge: PlayerMerge) -> MergeForecast:
    added = merges_added_by_corrections(inputs.carried)
    others = tuple(other for other in inputs.merges if other.pk != merge.pk or other.pk in added)
    merges = others if merge.pk else (*others, merge)
    try:
        as_is = forecast_list(inputs).rows
        as_would_be = forecast_list(replace(inputs, merges=merges)).rows
    except DomainError as refusal:
        return MergeForecast(period, refusal=refusal)
    both = (merge.surviving, merge.duplicate)
    last = list_ratings(inputs.previous, [player.pk for player in both])
    declaration = period.pool.rating_system.declaration.on(period.in_force)
    comparison = comparison_of(
        ComparedColumns.of_columns(as_would_be, declaration), ComparedColumns.of_columns(as_is, declaration)
    )
    return MergeForecast(
        period,
        [
            (player, last.get(player.pk), _rating_in(as_is, player), _rating_in(as_would_be, player))
            for player in both
        ],
        comparison,
        [mover for mover in comparison.movers if mover.player not in both],
    )


def _rating_in(rows: ListColumns, player: Player) -> ListRating | None:
    place = np.flatnonzero(rows.player == player.pk)
    if not place.size:
        return None
    return ListRating(int(rows.rating[place[0]]), int(rows.games[place[0]]))


class RecordField(TextChoices):
    """The values of a record that the page of a merge compares."""

    NAME = "name", _("Name")
    FEDERATION = "federation", _("Federation")
    SEX = "sex", _("Sex")
    BIRTH_YEAR = "birth_year", _("Year of birth")
    TITLES = "titles", _("Titles")
    OTHER_NUMBERS = "other_numbers", _("Other numbers")


def record_comparison(duplicate: Player, surviving: Player) -> dict[str, Any]:
    """Two records field by field, the fields in which they contradict, and their lists and reports. 4 queries."""
    titles = titles_of([duplicate.pk, surviving.pk])
    own, other = (
        {
            RecordField.NAME: player.printed_name,
            RecordField.FEDERATION: player.federation_id,
            RecordField.SEX: player.get_sex_display(),
            RecordField.BIRTH_YEAR: player.birth_year,
            RecordField.TITLES: ", ".join(
                f"{title} ({gettext(discipline_of_titles(discipline_titles()[field].discipline))})"
                for field, title in titles[player.pk].items()
            ),
            RecordField.OTHER_NUMBERS: ", ".join(map(str, player.other_numbers)),
        }
        for player in (surviving, duplicate)
    )
    history = PlayerHistory.objects.filter(
        player__in=[duplicate, surviving], list__state=RatingList.State.PUBLISHED
    )
    lists = {duplicate.pk: 0, surviving.pk: 0} | Counter(history.values_list("player", flat=True))
    entries = Entry.objects.filter(player__in=[duplicate, surviving], result_set__revision=0)
    reports = {duplicate.pk: 0, surviving.pk: 0} | Counter(entries.values_list("player", flat=True))
    return {
        "fields": [(field, own[field], other[field]) for field in RecordField if own[field] or other[field]],
        "lists": (lists[surviving.pk], lists[duplicate.pk]),
        "reports": (reports[surviving.pk], reports[duplicate.pk]),
        "conflicts": [
            field for field in RecordField if own[field] and other[field] and own[field] != other[field]
        ],
        "titles_differ": titles[surviving.pk] != titles[duplicate.pk],
    }
