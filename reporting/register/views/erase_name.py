"""Erase the name of a player: the page says what it does before the act, which cannot be undone."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.accounts.views.step_up import step_up
from reporting.models import Player
from reporting.policies import check_can_erase_names
from reporting.register.services.erase_name import erase_name, records_of_person
from reporting.register.views.register import player_or_404
from reporting.requests.selectors import open_erasure_request
from reporting.web.access import OfficeRequest, actor, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.forms import ShownForm, shown_digest, text_area


class EraseNameForm(ShownForm):
    """Why the name is erased, and that the office knows who asks for it."""

    reason = text_area(
        help_text=_("Stored in the audit log with your name, for good. Do not write the name of the player.")
    )
    identity = forms.BooleanField(label=_("I have checked that the player asks for it."))


@require_access(check_can_erase_names, "GET", "HEAD", "POST")
@step_up(lambda _, address: gettext("erase the name of player %(number)s") % {"number": address})
def erase(request: OfficeRequest, address: str) -> HttpResponse:
    """What erasing changes and what stays; then the act, and the request that asked for it."""
    player = player_or_404(request.user, address)
    form = EraseNameForm(request.POST if request.method == "POST" else None)
    attempt = Attempt(form)
    asked = open_erasure_request(player)
    if attempt.is_valid:
        with attempt:
            erase_name(
                player=player,
                reason=form.cleaned_data["reason"],
                by=actor(request),
                unchanged=lambda: form.refuse_changed(shown_records(player)),
            )
            if asked:
                confirm(request, gettext("Name erased. Now answer the request."))
                return redirect("office-request", asked.pk)
            confirm(request, gettext("Name erased."))
            return redirect("office-players")
    context = {
        "player": player,
        "others": records_of_person(player).exclude(pk=player.pk),
        "asked": asked,
        "form": form,
        "shown": shown_records(player),
        "refusal": attempt.refusal,
    }
    return render(request, "reporting/register/erase_name.html", context, status=attempt.status)


def shown_records(player: Player) -> str:
    """A digest of the records whose names are erased: the numbers and names on the page. 1 query."""
    records = records_of_person(player).order_by("pk")
    return shown_digest([(record.pk, record.printed_name) for record in records])
