"""The pages of what only the federation can say of tournaments: those that wait, and one tournament (R78)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from reporting.accounts.views.step_up import confirmed_for_results, step_up
from reporting.federations.registry import article_of, rules_of_report
from reporting.models import Report, ResultSet, User
from reporting.policies import (
    check_can_decide_item,
    check_can_decide_some_item,
    check_can_see_decisions,
    check_can_see_inbox,
    check_did_not_report,
)
from reporting.reports.decisions.forms import SeveralForm, TournamentForm
from reporting.reports.decisions.selectors import (
    ItemState,
    is_of_tournament,
    item_states,
    newest_of,
    reported_by,
    tournament_of,
    waiting_for_council,
    waiting_for_office,
)
from reporting.reports.decisions.services import decide_tournaments
from reporting.reports.selectors.rating_lists import rating_lists
from reporting.rules.details.decided_items import (
    COUNCIL,
    OVER_AGE,
    YES,
    council_items,
    known_items,
    labelled_values,
    neutral_value,
)
from reporting.web.access import OfficeRequest, actor, refusal_message, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.error_summary import fields_of_boxes
from reporting.web.paging import rows_on_page

ITEMS_PER_PAGE = 50


@dataclass(frozen=True)
class ShownItem:
    """An item as the section shows it; `field` is the reader's choice, None where another body decides."""

    state: ItemState
    field: Any = None

    @property
    def label(self) -> str:
        return gettext(self.state.declared.label)

    @property
    def article(self) -> str:
        tournament = self.state.tournament
        rules = rules_of_report(tournament.rating_system, tournament.discipline)
        return article_of(rules, f"decision.{self.state.item}")

    @property
    def by_council(self) -> bool:
        return self.state.declared.decided_by == COUNCIL

    @property
    def proposal(self) -> str:
        """What the report proposes; empty for nothing."""
        state = self.state
        return self._label(state.proposal) if state.proposal != neutral_value(state.declared) else ""

    @property
    def value(self) -> str:
        """What is decided; empty for nothing."""
        decision = self.state.decision
        return self._label(decision.value) if decision else ""

    @property
    def earlier(self) -> list[tuple[str, Any]]:
        """The decisions that no longer count, with the labels of their values."""
        return [(self._label(one.value), one) for one in self.state.history if one != self.state.decision]

    def _label(self, value: str) -> str:
        return gettext(labelled_values(self.state.declared)[value])


def decisions_of(
    user: User, tournament: ResultSet, report: Report | None = None, form: TournamentForm | None = None
) -> dict[str, Any]:
    """The context of the section of a tournament (`reporting/review/tournament_decisions.html`). At most 4 queries.

    `report` is that of the page, to which the reader comes back.
    """
    states = item_states([tournament])[tournament.pk]
    refusal = refusal_message(check_did_not_report, user, tournament)
    items = [
        state.item
        for state in states
        if not refusal and not refusal_message(check_can_decide_item, user, state.item)
    ]
    if form is None:
        proposed = {
            state.item: f"={state.proposal}" for state in states if state.is_waiting and not state.players
        }
        form = TournamentForm(items=items, initial=proposed)
    return {
        "decided_tournament": tournament,
        "decided_items": [
            ShownItem(state, form[state.item] if state.item in form.fields else None) for state in states
        ],
        "decision_form": form if items else None,
        "decision_refusal": refusal
        if refusal and not refusal_message(check_can_decide_some_item, user)
        else "",
        "decision_seen": max((one.pk for state in states for one in state.history), default=0),
        "decision_report": report,
    }


@require_access(check_can_see_decisions, "GET", "HEAD", "POST", may_post=check_can_decide_some_item)
@step_up(
    lambda _, code: gettext("decide about tournament %(code)s") % {"code": code},
    is_confirmed=confirmed_for_results,
)
def office_tournament(request: OfficeRequest, code: str) -> HttpResponse:
    """What is decided of one tournament, and the form that decides."""
    tournament = tournament_of(code)
    if tournament is None:
        raise Http404(gettext("There is no such tournament."))
    user = request.user
    form = None
    attempt = Attempt()
    if request.method == "POST":
        items = [item for item in known_items() if not refusal_message(check_can_decide_item, user, item)]
        form = TournamentForm(request.POST, items=items)
        attempt = Attempt(form)
        if attempt.is_valid:
            with attempt:
                decisions = decide_tournaments(
                    chosen=form.chosen(code),
                    reason=form.cleaned_data["reason"],
                    seen=form.cleaned_data["seen"],
                    by=actor(request),
                )
                # The form proposes what the report says, so it saves more than the reader chose.
                said = ngettext(
                    "%(count)s decision saved: %(items)s.",
                    "%(count)s decisions saved: %(items)s.",
                    len(decisions),
                )
                labels = ", ".join(str(form.fields[one.item].label) for one in decisions)
                confirm(request, said % {"count": len(decisions), "items": labels}, "tournament-decisions")
                return redirect(f"{page_of(form.cleaned_data['report'], user, code)}#tournament-decisions")
    report = newest_of(tournament)
    context = decisions_of(user, tournament, form=form) | {
        "form": form,
        "tournament": tournament,
        "report": report if report and not refusal_message(check_can_see_inbox, user) else None,
        "counting": counting_of(report),
        "refusal": attempt.refusal,
    }
    return render(request, "reporting/review/office_tournament.html", context, status=attempt.status)


def page_of(report: int | None, user: User, code: str) -> str:
    """The page of a report of this tournament, from which the decision came, else the page of the tournament."""
    if report and is_of_tournament(report, code) and not refusal_message(check_can_see_inbox, user):
        return reverse("office-report", args=[report])
    return reverse("office-tournament", args=[code])


def counting_of(report: Report | None) -> Any:
    """The list that counts an accepted report."""
    return rating_lists().list_of_report(report) if report and report.state == Report.State.ACCEPTED else None


@dataclass(frozen=True)
class WaitingItem(ShownItem):
    """An item that waits. `key` is its box: what the report proposes, of the Council the approval."""

    is_own: bool = False

    @property
    def key(self) -> str:
        """Empty where the reader cannot decide it together with others."""
        if self.is_own or self.state.item == OVER_AGE.name:
            return ""
        value = YES if self.by_council else self.state.proposal
        return f"{self.state.tournament.code}:{self.state.item}:{value}"


@require_access(check_can_see_decisions, "GET", "HEAD", "POST", may_post=check_can_decide_some_item)
@step_up(lambda _: gettext("decide about tournaments"), is_confirmed=confirmed_for_results)
def office_decisions(request: OfficeRequest) -> HttpResponse:
    """What waits for a decision of the reader, of all tournaments; several are decided at once."""
    user = request.user
    form = SeveralForm(request.POST if request.method == "POST" else None)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            decisions = decide_tournaments(
                chosen=form.decided(),
                reason=form.cleaned_data["reason"],
                seen=form.cleaned_data["seen"],
                by=actor(request),
            )
            said = ngettext("%(count)s decision saved.", "%(count)s decisions saved.", len(decisions))
            confirm(request, said % {"count": len(decisions)})
            return redirect("office-decisions")
    rows = rows_on_page(request, waiting_items(user), most=ITEMS_PER_PAGE)
    context = {
        "rows": rows,
        "form": form,
        "may_decide": not refusal_message(check_can_decide_some_item, user),
        "chosen": set(form["chosen"].value() or ()),
        "seen": max((one.pk for row in rows.rows for one in row.state.history), default=0),
        "refusal": attempt.refusal,
        "invalid_fields": fields_of_boxes(form, "chosen", [row.key for row in rows if row.key]),
    }
    return render(request, "reporting/review/office_decisions.html", context, status=attempt.status)


def waiting_items(user: User) -> Sequence[WaitingItem]:
    """What waits for a decision of a user; of administrators, who decide nothing, everything. At most 8 queries."""
    known, of_council = set(known_items()), set(council_items())
    decides = {item for item in known if not refusal_message(check_can_decide_item, user, item)} or known
    waiting = waiting_for_council() if decides & of_council else []
    waiting += waiting_for_office() if decides - of_council else []
    own = reported_by(user, [state.tournament for state in waiting])
    return [WaitingItem(state, is_own=state.tournament.code in own) for state in waiting]
