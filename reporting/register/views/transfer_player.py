"""Transfer a player to another federation: the form, what changes, and only then the act."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.models import Player
from reporting.policies import check_can_change_register
from reporting.register.selectors.records import membership_history
from reporting.register.services.transfer_player import plan_transfer, transfer_player
from reporting.register.views.edit_player import StepForm
from reporting.register.views.register import player_or_404
from reporting.rules.register.countries import all_countries
from reporting.web.access import OfficeRequest, actor, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.forms import DayField, StyledFormMixin, set_choices, text_area
from reporting.web.panels import panels_at
from reporting.web.values import day


class TransferForm(StyledFormMixin, forms.Form):
    """The new federation, the first day in it, and why."""

    federation = forms.ChoiceField(label=_("New federation"))
    on = DayField(
        label=_("First day in the new federation"),
        help_text=_("For example 6 Nov 2026, not in the future."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    reason = text_area(help_text=_("Stored in the history. All people who can see the register can read it."))

    def __init__(self, player: Player, data: Any) -> None:
        super().__init__(data)
        countries = sorted(all_countries(), key=lambda country: country.name)
        set_choices(
            self,
            "federation",
            [
                ("", gettext("Choose")),
                *(
                    (country.code, f"{country.name} ({country.code})")
                    for country in countries
                    if country.code != player.federation_id
                ),
            ],
        )
        self.fields["reason"].widget.attrs["class"] = "field__input field__input--text"


@require_access(check_can_change_register, "GET", "HEAD", "POST")
def transfer(request: OfficeRequest, address: str) -> HttpResponse:
    """Enter, check the effects, transfer: only the last step writes."""
    user = request.user
    player = player_or_404(user, address)
    step = StepForm(request.POST)
    action = step["action"].value()
    form = TransferForm(player, request.POST if request.method == "POST" else None)
    attempt = Attempt(form)
    if attempt.is_valid and action != "change":
        with attempt:
            asked: dict[str, Any] = {
                "player": player,
                "looked_at": step.digest,
                **form.cleaned_data,
                "by": actor(request),
            }
            if action == "save":
                done = transfer_player(**asked)
                confirm(
                    request,
                    gettext("Player transferred: %(code)s from %(day)s.")
                    % {"code": done.after, "day": day(done.on)},
                    "history",
                )
                return redirect(f"{reverse('office-player', args=[player.address])}#history")
            planned = plan_transfer(**asked)
            context = {
                "player": player,
                "transfer": planned,
                "reason": form.cleaned_data["reason"],
                "panels": panels_at("office-player-transfer", (player, planned)),
                "replaced": [
                    span for span in membership_history(player) if span.since and span.since >= planned.on
                ],
                "typed": [(field.name, field.value()) for field in form],
            }
            return render(request, "reporting/register/transfer_confirm.html", context)
    context = {
        "player": player,
        "form": form,
        "memberships": membership_history(player),
        "refusal": attempt.refusal,
    }
    return render(request, "reporting/register/transfer.html", context, status=attempt.status)
