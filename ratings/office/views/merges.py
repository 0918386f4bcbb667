"""Two records of one person are merged, and parted again: everything that would change is shown first (R24)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, cast

import numpy as np
from django.contrib import messages
from django.db import OperationalError, connection, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from ratings.inputs.calculation_inputs import CalculationInputs, merges_added_by_corrections
from ratings.inputs.engine_input import calculate_ratings, read_engine_input
from ratings.models import Period, Pool
from ratings.office.forms import MergeForm, UndoMergeForm
from ratings.office.selectors import merges as selectors
from ratings.office.selectors.comparison import ComparedColumns, Comparison, comparison_of
from ratings.office.selectors.merges import ListRating
from ratings.office.selectors.periods import due_period
from ratings.rules.fmjd.columns import ListColumns
from reporting.accounts.views.step_up import step_up
from reporting.errors import DomainError
from reporting.models import Player, PlayerMerge, User
from reporting.policies import check_can_change_register
from reporting.register.selectors import PossibleDuplicate, possible_duplicates, visible_players
from reporting.register.services.merge_players import (
    check_can_merge,
    check_can_undo_merge,
    merge_players,
    undo_merge,
)
from reporting.register.views.register import player_or_404
from reporting.web.access import actor, as_refusal, refusal_message, refusal_status, require_access

NUMBER = re.compile(r"0*[1-9][0-9]{0,7}")


@dataclass(frozen=True)
class Forecast:
    """What the next list of a pool would be now, as the records are held to be and as they would be then.

    `records` are those that are kept and that go, each with rating and games on the last list, and on the next one
    as it is and as it would be; None where he is not on it. `others` compares the two next lists. A list that can't be
    calculated as things stand has nothing of that but the refusal.
    """

    period: Period
    records: Sequence[tuple[Player, ListRating | None, ListRating | None, ListRating | None]] = ()
    others: Comparison | None = None
    others_change: Sequence[Any] = ()
    refusal: str = ""


@require_access(check_can_change_register, "GET", "HEAD", "POST")
@step_up(
    lambda request, address: (
        f"merge the player records {address} and {request.POST.get('with', '').strip()[:20]}"
    )
)
def merge(request: HttpRequest, address: str) -> HttpResponse:
    """Choose the other record, see what would change, and say why they are one person."""
    player = player_or_404(cast(User, request.user), address)
    given = request.POST if request.method == "POST" else request.GET
    typed = given.get("with", "").strip()
    problem, status = None, HTTPStatus.OK
    other = player_by_fmjd_id(cast(User, request.user), typed)
    if typed and other is None:
        problem = DomainError("number_unknown", number=typed[:20])
    elif other is not None:
        try:
            check_can_merge(*merge_direction(player, other, given.get("surviving", "")))
        except DomainError as refusal:
            problem, other = refusal, None
    if other is None:
        status = refusal_status(problem) if problem else HTTPStatus.OK
        return merge_choice_page(request, player, typed, problem, status)

    duplicate, surviving = merge_direction(player, other, given.get("surviving", ""))
    form = MergeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            merge_players(
                duplicate=duplicate,
                surviving=surviving,
                reason=form.cleaned_data["reason"],
                by=actor(request),
            )
        except (DomainError, OperationalError) as refusal:
            problem = as_refusal(refusal)
            status = refusal_status(problem)
        else:
            messages.success(
                request,
                f"{duplicate.fmjd_id} is merged into {surviving.fmjd_id}: it counts from the next list calculated.",
            )
            return redirect("office-player", surviving.address)
    elif request.method == "POST":
        status = HTTPStatus.BAD_REQUEST
    context = {
        "player": player,
        "duplicate": duplicate,
        "surviving": surviving,
        "form": form,
        "problem": problem,
        "forecasts": forecasts(PlayerMerge(duplicate=duplicate, surviving=surviving)),
        **selectors.record_comparison(duplicate, surviving),
    }
    return render(request, "office/merge.html", context, status=status)


@require_access(check_can_change_register, "GET", "HEAD", "POST")
@step_up(lambda _, number: f"undo merge {number} of player records")
def undo_player_merge(request: HttpRequest, number: int) -> HttpResponse:
    """See what would change if a merge were undone, and say why they are two persons."""
    found = PlayerMerge.objects.select_related("duplicate__federation", "surviving__federation", "merged_by")
    merged = found.filter(pk=number).first()
    if merged is None:
        raise Http404("There is no such merge.")
    if merged.undone_at is not None:
        raise DomainError("already_undone")
    form = UndoMergeForm(request.POST if request.method == "POST" else None)
    problem, status = None, HTTPStatus.OK
    if request.method == "POST" and form.is_valid():
        try:
            undo_merge(merge=merged, reason=form.cleaned_data["reason"], by=actor(request))
        except (DomainError, OperationalError) as refusal:
            problem = as_refusal(refusal)
            status = refusal_status(problem)
        else:
            messages.success(
                request,
                f"{merged.duplicate.fmjd_id} and {merged.surviving.fmjd_id} are separate from the next list.",
            )
            return redirect("office-player", merged.duplicate.address)
    elif request.method == "POST":
        status = HTTPStatus.BAD_REQUEST
    context = {
        "merged": merged,
        "duplicate": merged.duplicate,
        "surviving": merged.surviving,
        "form": form,
        "problem": problem,
        "refusal_message": refusal_message(check_can_undo_merge, merged),
        "forecasts": forecasts(merged),
        **selectors.record_comparison(merged.duplicate, merged.surviving),
    }
    return render(request, "office/undo_merge.html", context, status=status)


def player_by_fmjd_id(user: User, typed: str) -> Player | None:
    """The player of a typed FMJD-ID, of those the user sees."""
    if not NUMBER.fullmatch(typed):
        return None
    return visible_players(user).select_related("federation").filter(fmjd_id=int(typed)).first()


def merge_direction(player: Player, other: Player, surviving: str) -> tuple[Player, Player]:
    """Which record goes and which is kept: the one asked for, else the one that stands for others already, else the
    one with the lower number.
    """
    first, second = sorted((player, other), key=lambda each: each.fmjd_id or 0)
    if not surviving and PlayerMerge.objects.filter(surviving=second, undone_at=None).exists():
        surviving = str(second.fmjd_id)
    return (first, second) if surviving == str(second.fmjd_id) else (second, first)


def merge_choice_page(
    request: HttpRequest, player: Player, typed: str, problem: DomainError | None, status: HTTPStatus
) -> HttpResponse:
    alike: list[PossibleDuplicate] = [
        each
        for each in possible_duplicates(player, visible_players(cast(User, request.user)))
        if each.player.fmjd_id
    ]
    context = {"player": player, "typed": typed, "problem": problem, "look_alike": alike}
    return render(request, "office/merge_choice.html", context, status=status)


def forecasts(merge: PlayerMerge) -> list[Forecast]:
    """What the next list of each pool that knows one of the records would be, in one transaction that only reads."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        pools = selectors.pools_of_players(merge.duplicate, merge.surviving)
        periods = [period for pool in pools if (period := period_of_next_list(pool)) is not None]
        return [forecast(period, selectors.inputs_of_next_list(period), merge) for period in periods]


def period_of_next_list(pool: Pool) -> Period | None:
    """The period whose list is calculated next, made up where the office has not opened it; None without any list."""
    under_way = Period.objects.filter(pool=pool, state__in=[Period.State.OPEN, Period.State.FROZEN])
    period = under_way.select_related("pool").order_by("in_force").first()
    if period is not None:
        return period
    try:
        due = due_period(pool)
    except DomainError:
        return None
    return Period(pool=pool, closing=due.closing, in_force=due.in_force)


def forecast(period: Period, sources: CalculationInputs, merge: PlayerMerge) -> Forecast:
    """A pool's next list with the merge and without it: as it is now, and as it would be."""
    held = merges_added_by_corrections(sources.carried)
    others = tuple(each for each in sources.merges if each.pk != merge.pk or each.pk in held)
    then = others if merge.pk else (*others, merge)
    try:
        as_is, as_would = (
            calculate_ratings(read_engine_input(each))[1] for each in (sources, replace(sources, merges=then))
        )
    except DomainError as refusal:
        return Forecast(period, refusal=refusal.message)
    last = selectors.list_ratings(sources.previous, [merge.surviving_id, merge.duplicate_id])
    comparison = comparison_of(ComparedColumns.of_columns(as_would), ComparedColumns.of_columns(as_is))
    return Forecast(
        period,
        [
            (each, last.get(each.pk), list_rating_in(as_is, each), list_rating_in(as_would, each))
            for each in (merge.surviving, merge.duplicate)
        ],
        comparison,
        [
            each
            for each in comparison.movers
            if each.player.pk not in (merge.surviving_id, merge.duplicate_id)
        ],
    )


def list_rating_in(rows: ListColumns, player: Player) -> ListRating | None:
    place = np.flatnonzero(rows.player == player.pk)
    if not place.size:
        return None
    return ListRating(int(rows.rating[place[0]]), int(rows.games[place[0]]))
