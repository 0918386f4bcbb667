"""Merge two records of one person, and undo a merge; all changes are shown first (R24)."""

import re
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from ratings.office.forms import MergeForm, OtherRecordForm, UndoMergeForm
from ratings.office.selectors import merges as selectors
from reporting.accounts.views.step_up import step_up
from reporting.models import Player, PlayerMerge, User
from reporting.policies import check_can_change_register
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.records import possible_duplicates
from reporting.register.selectors.register import visible_players
from reporting.register.services.merge_players import (
    check_can_merge,
    check_can_undo_merge,
    merge_players,
    undo_merge,
)
from reporting.register.views.register import player_or_404
from reporting.reports.selectors.reports import newest_accepted_report
from reporting.rules.register.registers import number_label, registers
from reporting.web.access import OfficeRequest, actor, refusal_message, refusal_status, require_access
from reporting.web.attempt import Attempt
from reporting.web.forms import ShownForm

NUMBER = re.compile(r"([a-z]{2,8}-)?0*[1-9][0-9]{0,9}")
SHOWN_NUMBER_LENGTH = 20


@require_access(check_can_change_register, "GET", "HEAD", "POST")
@step_up(
    lambda request, address: (
        gettext("merge the player records %(first)s and %(second)s")
        % {"first": address, "second": OtherRecordForm(request.POST).number[:SHOWN_NUMBER_LENGTH]}
    )
)
def merge(request: OfficeRequest, address: str) -> HttpResponse:
    """Choose the other record, see the changes, and say why both are one person."""
    user = request.user
    player = player_or_404(user, address)
    chosen = OtherRecordForm(request.POST if request.method == "POST" else request.GET)
    typed = chosen.number
    if not typed:
        return merge_choice_page(request, player)
    other = player_by_number(user, typed)
    if other is None:
        refusal = DomainError("number_unknown", label=number_label(), number=typed[:SHOWN_NUMBER_LENGTH])
        return merge_choice_page(request, player, typed, refusal)
    duplicate, surviving = merge_direction(player, other, chosen["surviving"].value() or "")
    try:
        check_can_merge(duplicate, surviving)
    except DomainError as refusal:
        return merge_choice_page(request, player, typed, refusal)

    form = MergeForm(request.POST if request.method == "POST" else None)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            merge_players(
                duplicate=duplicate,
                surviving=surviving,
                reason=form.cleaned_data["reason"],
                by=actor(request),
                unchanged=lambda: refuse_changed(form, PlayerMerge(duplicate=duplicate, surviving=surviving)),
            )
            message = gettext("%(duplicate)s merged into %(surviving)s from the next calculation.")
            messages.success(request, message % numbers_of_both(duplicate, surviving))
            return redirect("office-player", surviving.address)
    context = {
        "player": player,
        "other": other,
        "form": form,
        "refusal": attempt.refusal,
        **preview_context(PlayerMerge(duplicate=duplicate, surviving=surviving)),
    }
    return render(request, "office/merge.html", context, status=attempt.status)


@require_access(check_can_change_register, "GET", "HEAD", "POST")
@step_up(lambda _, number: gettext("undo merge %(number)s of player records") % {"number": number})
def undo_player_merge(request: OfficeRequest, number: int) -> HttpResponse:
    """See the changes if a merge is undone, and say why these are two persons."""
    merged = selectors.find_merge(number)
    if merged is None:
        raise Http404("There is no such merge.")
    if merged.undone_at is not None:
        raise DomainError("already_undone")
    duplicate, surviving = merged.duplicate, merged.surviving
    form = UndoMergeForm(request.POST if request.method == "POST" else None)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            undo_merge(
                merge=merged,
                reason=form.cleaned_data["reason"],
                by=actor(request),
                unchanged=lambda: refuse_changed(form, merged),
            )
            message = gettext(
                "Merge undone: %(duplicate)s and %(surviving)s are separate from the next list."
            )
            messages.success(request, message % numbers_of_both(duplicate, surviving))
            return redirect("office-player", duplicate.address)
    context = {
        "merged": merged,
        "form": form,
        "refusal": attempt.refusal,
        "refusal_message": refusal_message(check_can_undo_merge, merged),
        **preview_context(merged),
    }
    return render(request, "office/undo_merge.html", context, status=attempt.status)


def preview_context(merge: PlayerMerge) -> dict[str, Any]:
    """What the page of a merge shows of both records and of the next lists, and its digest."""
    forecasts = selectors.merge_forecasts(merge)
    compared = selectors.record_comparison(merge.duplicate, merge.surviving)
    return {
        "duplicate": merge.duplicate,
        "surviving": merge.surviving,
        "forecasts": forecasts,
        "shown": selectors.preview_digest(compared, forecasts),
        **compared,
    }


def refuse_changed(form: ShownForm, merge: PlayerMerge) -> None:
    """Compare what the page showed with both records and the next lists as they are under the locks of the act."""
    for player in (merge.duplicate, merge.surviving):
        player.refresh_from_db()
    compared = selectors.record_comparison(merge.duplicate, merge.surviving)
    form.refuse_changed(selectors.preview_digest(compared, selectors.merge_forecasts_now(merge)))


def player_by_number(user: User, typed: str) -> Player | None:
    """The player of a typed number, among those the user sees: as in addresses (`Player.address`)."""
    address = typed.lower().replace(" ", "-")
    if not NUMBER.fullmatch(address):
        return None
    return visible_players(user).select_related("federation").at_address(address)


def merge_direction(player: Player, other: Player, surviving: str) -> tuple[Player, Player]:
    """The duplicate and the surviving record: the requested one survives, else the one that other records are merged
    into, else the one with the lower number.
    """
    first, second = sorted((player, other), key=rank_by_number)
    if not surviving and selectors.has_merged_records(second):
        surviving = second.address
    return (first, second) if surviving == second.address else (second, first)


def rank_by_number(player: Player) -> tuple[int, int]:
    """The order of records: those with a number in the first register first, each register by its numbers."""
    return registers().index(player.number.register), int(player.number.value)


def numbers_of_both(duplicate: Player, surviving: Player) -> dict[str, str]:
    """The values of a message about both records."""
    return {"duplicate": str(duplicate.number), "surviving": str(surviving.number)}


def merge_choice_page(
    request: OfficeRequest, player: Player, typed: str = "", refusal: DomainError | None = None
) -> HttpResponse:
    look_alike = possible_duplicates(player, visible_players(request.user))
    context = {"player": player, "typed": typed, "refusal": refusal, "look_alike": look_alike}
    if refusal is not None and refusal.code == "played_together":
        context["report"] = newest_accepted_report(str(refusal.values["code"]))
    status = refusal_status(refusal) if refusal else None
    return render(request, "office/merge_choice.html", context, status=status)
