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

from ratings.inputs.calculation_inputs import Sources, held_until_carried
from ratings.inputs.engine_input import calculate_figures, period_facts
from ratings.models import Period, Pool
from ratings.office.forms import MergeForm, PartForm
from ratings.office.selectors import merges as selectors
from ratings.office.selectors.comparison import ComparedColumns, Comparison, compared
from ratings.office.selectors.merges import StandingOnList
from ratings.office.selectors.periods import due_period
from ratings.rules.fmjd.columns import ListColumns
from reporting.accounts.views.step_up import step_up
from reporting.errors import DomainError
from reporting.models import Player, PlayerMerge, User
from reporting.policies import may_change_register
from reporting.register.selectors import MayBeSame, may_be_same, players_seen_by
from reporting.register.services.merge_players import (
    merge_players,
    part_players,
    refuse_merge,
    refuse_parting,
)
from reporting.register.views.register import player_or_404
from reporting.web.access import actor, guarded_page, refusal_of, status_of, why_not

NUMBER = re.compile(r"0*[1-9][0-9]{0,7}")


@dataclass(frozen=True)
class Forecast:
    """What the next list of a pool would be now, as the records are held to be and as they would be then.

    `records` are those that are kept and that go, each with rating and games on the last list, and on the next one
    as it is and as it would be; None where he is not on it. `others` compares the two next lists. A list that can't be
    calculated as things stand has nothing of that but the refusal.
    """

    period: Period
    records: Sequence[tuple[Player, StandingOnList | None, StandingOnList | None, StandingOnList | None]] = ()
    others: Comparison | None = None
    others_change: Sequence[Any] = ()
    refusal: str = ""


@guarded_page(may_change_register, "GET", "HEAD", "POST")
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
    other = by_number(cast(User, request.user), typed)
    if typed and other is None:
        problem = DomainError("number_unknown", number=typed[:20])
    elif other is not None:
        try:
            refuse_merge(*ends(player, other, given.get("kept", "")))
        except DomainError as refusal:
            problem, other = refusal, None
    if other is None:
        status = status_of(problem) if problem else HTTPStatus.OK
        return choose_page(request, player, typed, problem, status)

    goes, kept = ends(player, other, given.get("kept", ""))
    form = MergeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            merge_players(goes=goes, kept=kept, reason=form.cleaned_data["reason"], by=actor(request))
        except (DomainError, OperationalError) as refusal:
            problem = refusal_of(refusal)
            status = status_of(problem)
        else:
            messages.success(
                request,
                f"{goes.fmjd_id} is merged into {kept.fmjd_id}: it counts from the next list calculated.",
            )
            return redirect("office-player", kept.address)
    elif request.method == "POST":
        status = HTTPStatus.BAD_REQUEST
    context = {
        "player": player,
        "goes": goes,
        "kept": kept,
        "form": form,
        "problem": problem,
        "forecasts": forecasts(PlayerMerge(goes=goes, kept=kept)),
        **selectors.both_records(goes, kept),
    }
    return render(request, "office/merge.html", context, status=status)


@guarded_page(may_change_register, "GET", "HEAD", "POST")
@step_up(lambda _, number: f"undo merge {number} of player records")
def part(request: HttpRequest, number: int) -> HttpResponse:
    """See what would change if a merge were undone, and say why they are two persons."""
    found = PlayerMerge.objects.select_related("goes__federation", "kept__federation", "merged_by")
    merged = found.filter(pk=number).first()
    if merged is None:
        raise Http404("There is no such merge.")
    if merged.parted_at is not None:
        raise DomainError("already_undone")
    form = PartForm(request.POST if request.method == "POST" else None)
    problem, status = None, HTTPStatus.OK
    if request.method == "POST" and form.is_valid():
        try:
            part_players(merge=merged, reason=form.cleaned_data["reason"], by=actor(request))
        except (DomainError, OperationalError) as refusal:
            problem = refusal_of(refusal)
            status = status_of(problem)
        else:
            messages.success(
                request,
                f"{merged.goes.fmjd_id} and {merged.kept.fmjd_id} are two again, from the next list calculated on.",
            )
            return redirect("office-player", merged.goes.address)
    elif request.method == "POST":
        status = HTTPStatus.BAD_REQUEST
    context = {
        "merged": merged,
        "goes": merged.goes,
        "kept": merged.kept,
        "form": form,
        "problem": problem,
        "why_not": why_not(refuse_parting, merged),
        "forecasts": forecasts(merged),
        **selectors.both_records(merged.goes, merged.kept),
    }
    return render(request, "office/part.html", context, status=status)


def by_number(user: User, typed: str) -> Player | None:
    """The player of a typed FMJD-ID, of those the user sees."""
    if not NUMBER.fullmatch(typed):
        return None
    return players_seen_by(user).select_related("federation").filter(fmjd_id=int(typed)).first()


def ends(player: Player, other: Player, kept: str) -> tuple[Player, Player]:
    """Which record goes and which is kept: the one asked for, else the one that stands for others already, else the
    one with the lower number.
    """
    first, second = sorted((player, other), key=lambda each: each.fmjd_id or 0)
    if not kept and PlayerMerge.objects.filter(kept=second, parted_at=None).exists():
        kept = str(second.fmjd_id)
    return (first, second) if kept == str(second.fmjd_id) else (second, first)


def choose_page(
    request: HttpRequest, player: Player, typed: str, problem: DomainError | None, status: HTTPStatus
) -> HttpResponse:
    alike: list[MayBeSame] = [
        each for each in may_be_same(player, players_seen_by(cast(User, request.user))) if each.player.fmjd_id
    ]
    context = {"player": player, "typed": typed, "problem": problem, "alike": alike}
    return render(request, "office/merge_choose.html", context, status=status)


def forecasts(merge: PlayerMerge) -> list[Forecast]:
    """What the next list of each pool that knows one of the records would be, in one transaction that only reads."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        pools = selectors.pools_that_know(merge.goes, merge.kept)
        periods = [period for pool in pools if (period := period_of_next_list(pool)) is not None]
        return [forecast(period, selectors.next_sources(period), merge) for period in periods]


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


def forecast(period: Period, sources: Sources, merge: PlayerMerge) -> Forecast:
    """A pool's next list with the merge and without it: as it is now, and as it would be."""
    held = held_until_carried(sources.carried)
    others = tuple(each for each in sources.merges if each.pk != merge.pk or each.pk in held)
    then = others if merge.pk else (*others, merge)
    try:
        as_is, as_would = (
            calculate_figures(period_facts(each))[1] for each in (sources, replace(sources, merges=then))
        )
    except DomainError as refusal:
        return Forecast(period, refusal=refusal.message)
    last = selectors.standing_on(sources.previous, [merge.kept_id, merge.goes_id])
    comparison = compared(ComparedColumns.of_columns(as_would), ComparedColumns.of_columns(as_is))
    return Forecast(
        period,
        [
            (each, last.get(each.pk), standing_in(as_is, each), standing_in(as_would, each))
            for each in (merge.kept, merge.goes)
        ],
        comparison,
        [each for each in comparison.movers if each.player.pk not in (merge.kept_id, merge.goes_id)],
    )


def standing_in(rows: ListColumns, player: Player) -> StandingOnList | None:
    place = np.flatnonzero(rows.player == player.pk)
    if not place.size:
        return None
    return StandingOnList(int(rows.rating[place[0]]), int(rows.games[place[0]]))
