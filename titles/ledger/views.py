"""The ledgers of a federation, the closest to a title first; and that of a player, with applications."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.models import Player, User
from reporting.register.selectors.register import federation_names
from reporting.web.access import OfficeRequest, actor, refusal_message, require_access
from reporting.web.attempt import Attempt
from reporting.web.forms import StyledFormMixin
from reporting.web.paging import rows_on_page
from titles.applications.evidence import evidence_digest
from titles.applications.submit_application import submit_application
from titles.ledger.selectors import players_with_norms
from titles.policies import (
    check_can_apply,
    check_can_see_applications,
    sees_all_federations,
    visible_players,
)
from titles.queries.ledgers import player_ledgers


class FederationForm(StyledFormMixin, forms.Form):
    """The federation whose ledgers are listed, for readers who see all."""

    federation = forms.ChoiceField(
        label=_("Federation"),
        required=False,
        choices=lambda: [
            ("", _("All")),
            *((code, f"{name} ({code})") for code, name in federation_names()),
        ],
    )


class ApplyForm(forms.Form):
    """The title that is applied for, its discipline and the evidence that the page showed: the button of a ledger."""

    discipline = forms.CharField(max_length=3)
    title = forms.CharField(max_length=4)
    seen = forms.CharField(max_length=16, required=False)


@require_access(check_can_see_applications, "GET", "HEAD")
def ledgers(request: OfficeRequest) -> HttpResponse:
    """Players with norms, or a rating that gives a title, the closest to a title first."""
    user = request.user
    players, form = visible_players(user), None
    if sees_all_federations(user):
        form = FederationForm(request.GET)
        if form.is_valid() and form.cleaned_data["federation"]:
            players = players.filter(federation=form.cleaned_data["federation"])
    found = sorted(player_ledgers(players_with_norms(players)), key=lambda ledger: ledger.distance)
    lines = [
        (
            ledger.player,
            [
                of_discipline
                for of_discipline in sorted(
                    ledger.disciplines, key=lambda of_discipline: of_discipline.distance
                )
                if of_discipline.norms or of_discipline.automatic or of_discipline.is_due
            ],
        )
        for ledger in found
    ]
    lines = [(player, disciplines) for player, disciplines in lines if disciplines]
    return render(request, "titles/ledgers.html", {"form": form, "rows": rows_on_page(request, lines)})


@require_access(check_can_see_applications, "GET", "HEAD", "POST")
def ledger(request: OfficeRequest, address: str) -> HttpResponse:
    """The ledger of a player; a national official applies for a title that is due."""
    user = request.user
    player = player_or_404(user, address)
    attempt = Attempt()
    if request.method == "POST":
        form = ApplyForm(request.POST)
        attempt = Attempt(form)
        if attempt.is_valid:
            with attempt:
                application = submit_application(player=player, by=actor(request), **form.cleaned_data)
                messages.success(request, gettext("Application submitted."))
                return redirect("title-application", application.pk)
    (found,) = player_ledgers([player])
    context = {
        "player": player,
        "ledger": found,
        "seen": evidence_digest(found),
        "can_apply": not refusal_message(check_can_apply, user, player),
        "sees_applications": True,
        "refusal": attempt.refusal,
    }
    return render(request, "titles/ledger.html", context, status=attempt.status)


def player_or_404(user: User, address: str) -> Player:
    """A player by the address, whom the reader may see."""
    found = visible_players(user).select_related("federation").at_address(address)
    if found is None or found.address != address:
        raise Http404
    return found
