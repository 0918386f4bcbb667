"""The office's pages of publications: all of them, one requested, and one with its signatures."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.worker.progress import Stage, StageProgress, stored_progress
from reporting.accounts.views.step_up import step_up
from reporting.models import Player, Role
from reporting.refusals.domain_error import DomainError
from reporting.web.access import OfficeRequest, actor, refusal_message, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.http_cache import in_place_of_page, requested_fragment
from reporting.web.paging import rows_on_page
from titles.federations.fmjd.models import Publication
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force
from titles.federations.fmjd.world_cup.forms import ClassificationForm
from titles.federations.fmjd.world_cup.publications.forms import MoveForm, RequestForm
from titles.federations.fmjd.world_cup.publications.kinds import (
    PublicationKey,
    address_of,
    key_of,
    kind_of,
    label_of,
)
from titles.federations.fmjd.world_cup.publications.outdated import differences_now, outdated_publications
from titles.federations.fmjd.world_cup.publications.selectors import (
    all_publications,
    differences,
    figures_of,
    find_publication,
    named_rows,
    newest_published,
    tournaments_by_code,
)
from titles.federations.fmjd.world_cup.publications.steps import (
    approve_publication,
    is_empty_classification,
    progress_name,
    publish_publication,
    request_publication,
    withdraw_publication,
)
from titles.federations.fmjd.world_cup.views.rows import shown_changes, shown_rows
from titles.policies import (
    check_can_approve_publication,
    check_can_prepare_publication,
    check_can_publish_publication,
    check_can_see_world_cup,
    check_can_withdraw_publication,
)
from titles.rules.publication_lifecycle import (
    PUBLICATION_LIFECYCLE,
    PublicationMove,
    PublicationState,
    PublicationTurn,
)

STAGES = {
    Stage.READ: _("Read reports, lists and declarations"),
    Stage.CALCULATE: _("Calculate rows"),
    Stage.WRITE: _("Write rows"),
}
TURNS = {
    PublicationTurn.WORKER: _("Worker"),
    PublicationTurn.TOURNAMENT_DIRECTOR: Role.TOURNAMENT_DIRECTOR.label,
    PublicationTurn.RELEASING_OFFICER: Role.RELEASING_OFFICER.label,
}


@require_access(check_can_see_world_cup, "GET", "HEAD", "POST", may_post=check_can_prepare_publication)
def publications(request: OfficeRequest) -> HttpResponse:
    """All publications, the newest first, those that would be others now marked; a form requests one. 8 queries."""
    form, attempt = RequestForm.starting_with(ClassificationForm(request.GET)), Attempt()
    if request.method == "POST":
        form = RequestForm(request.POST)
        attempt = Attempt(form)
        if attempt.is_valid:
            with attempt:
                made = request_publication(
                    key=form.key, reason=form.cleaned_data["reason"], by=actor(request)
                )
                return redirect("office-publication", made.pk)
    outdated = outdated_publications()
    rows = rows_on_page(request, all_publications())
    context = {
        "rows": rows,
        "lines": [(one, label_of(one), (outdated or {}).get(one.pk)) for one in rows.rows],
        "is_compared": outdated is not None,
        "form": None if refusal_message(check_can_prepare_publication, request.user) else form,
        "refusal": attempt.refusal,
    }
    return render(request, "titles/publications/publications.html", context, status=attempt.status)


@require_access(check_can_see_world_cup, "GET", "HEAD", "POST", may_post=check_can_withdraw_publication)
@step_up(lambda _, number: gettext("sign publication %(number)s") % {"number": number})
def publication(request: OfficeRequest, number: int) -> HttpResponse:
    """A publication: its figures, what changes against the newest published one or would now, and what can be done.

    Queries: 9, of a classification 10; of a published one 8 more.
    """
    found = find_publication(number)
    if found is None:
        raise Http404
    form, attempt = MoveForm(), Attempt()
    if request.method == "POST":
        form = MoveForm(request.POST)
        if not form.is_valid() and "action" in form.errors:
            raise DomainError("unknown_action")
        attempt = Attempt(form)
        if attempt.is_valid:
            with attempt:
                confirm(request, _moved(request, found, form))
                return redirect("office-publication", number)
        found = find_publication(number) or found
    content = _content(request, found) | {"form": form, "refusal": attempt.refusal}
    is_polled = requested_fragment(request) == "progress"
    if is_polled and content["waiting"]:
        return render(request, "titles/publications/publication.html#progress", content)
    page = render(request, "titles/publications/publication.html", content, status=attempt.status)
    return in_place_of_page(page) if is_polled else page


def _moved(request: OfficeRequest, found: Publication, form: MoveForm) -> str:
    """What was done, as a sentence."""
    values, by = form.cleaned_data, actor(request)
    match values["action"]:
        case PublicationMove.APPROVE:
            approve_publication(publication=found, sha256=values["sha256"], by=by)
            return gettext("Approved. A releasing officer publishes it.")
        case PublicationMove.PUBLISH:
            publish_publication(publication=found, sha256=values["sha256"], by=by)
            return gettext("Published.")
        case _:
            withdraw_publication(publication=found, reason=values["reason"], by=by)
            return gettext("Draft withdrawn.")


def _stages(found: Publication) -> list[tuple[str | Promise, StageProgress | None]]:
    """The stages of a calculation with their names, None for one to come. No query."""
    known = {progress.stage: progress for progress in stored_progress(progress_name(found))}
    return [(name, known.get(stage)) for stage, name in STAGES.items()]


def _content(request: OfficeRequest, found: Publication) -> dict[str, Any]:
    state = PublicationState(found.state)
    newest = newest_published(key_of(found))
    named, players = named_rows(found)
    if newest is not None and newest.pk == found.pk:
        changes = differences_now(found)
    elif newest is not None and named:
        changes = differences(figures_of(newest), figures_of(found))
    else:
        changes = []
    key = key_of(found)
    kind = kind_of(key)
    moves = PUBLICATION_LIFECYCLE[state].moves
    user = request.user
    may_prepare = not refusal_message(check_can_prepare_publication, user)
    own_results = (
        refusal_message(lambda one: check_can_approve_publication(one, kind.tournaments(found.inputs)), user)
        if may_prepare and PublicationMove.APPROVE in moves
        else ""
    )
    is_empty = is_empty_classification(found)
    allowed = {
        PublicationMove.APPROVE: may_prepare and not own_results and not is_empty,
        PublicationMove.PUBLISH: not refusal_message(
            lambda one: check_can_publish_publication(one, approved_by=found.approved_by_id), user
        ),
        PublicationMove.WITHDRAW: not refusal_message(check_can_withdraw_publication, user),
    }
    return {
        "publication": found,
        "label": label_of(found),
        "address": address_of(found) if state is PublicationState.PUBLISHED else "",
        "waiting": state is PublicationState.REQUESTED,
        "stages": _stages(found),
        "here": reverse("office-publication", args=[found.pk]),
        "turn": TURNS.get(PUBLICATION_LIFECYCLE[state].turn),
        "newest": newest,
        "is_newest": newest is not None and newest.pk == found.pk,
        **_figures(request, key, named, players),
        "is_empty": is_empty and PublicationMove.APPROVE in moves,
        "notes": kind.notes(found, named),
        "own_results": own_results,
        "words_heading": str(kind.heading),
        "changes": shown_changes(key, changes),
        "can": {move.value: allowed[move] for move in allowed if move in moves},
    }


def _figures(
    request: OfficeRequest,
    key: PublicationKey,
    named: Sequence[Mapping[str, Any]],
    players: Mapping[int, Player],
) -> dict[str, Any]:
    """The rows of a page: of a classification with their criteria and results. 1 query, of other kinds at most 1."""
    if key.day is not None:
        shown = rows_on_page(request, list(shown_rows(named, players)), anchor="#figures")
        return {
            "rows": shown,
            "tournaments": tournaments_by_code(
                {result["tournament"] for row in shown for result in row.values["results"]}
            ),
            "best_results": edition_in_force(key.day).best_results,
        }
    kind = kind_of(key)
    items = kind.items(key)
    lines = [
        {
            "place": row[kind.columns[0]],
            "item": items.get(row.get("item", 0), ""),
            "name": row["name"],
            "federation": row["federation"],
            "words": kind.words(row),
        }
        for row in named
    ]
    return {"rows": rows_on_page(request, lines, anchor="#figures")}
