"""The pages of applications for titles: all that the reader may see, and one with its steps."""

from collections import defaultdict

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from reporting.accounts.views.step_up import step_up
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.titles import titles_of
from reporting.register.title_codes import title_code_of
from reporting.web.access import OfficeRequest, actor, require_access
from reporting.web.attempt import Attempt
from reporting.web.paging import rows_on_page
from titles.applications.forms import ActionForm, StateForm, StepForm
from titles.applications.move_application import move_application
from titles.applications.selectors import application_page, applications_of, find_application
from titles.models import ApplicationStep
from titles.policies import check_can_see_applications, visible_applications
from titles.rules.lifecycle import APPLICATION_LIFECYCLE, ApplicationMove, ApplicationState


@require_access(check_can_see_applications, "GET", "HEAD")
def applications(request: OfficeRequest) -> HttpResponse:
    """Applications of the own federation or of all, by player: what waits for the reader first, then the newest."""
    form = StateForm(request.GET)
    state = form.cleaned_data["state"] if form.is_valid() else ""
    found = applications_of(request.user, state)
    of_player = defaultdict(list)
    for application in found:
        turn = APPLICATION_LIFECYCLE[ApplicationState(application.state)].turn
        of_player[application.player].append((application, turn))
    rows = rows_on_page(request, list(of_player.items()))
    held = titles_of([player.pk for player, _ in rows.rows])
    context = {
        "form": form,
        "rows": rows,
        "lines": [(player, held[player.pk].values(), lines) for player, lines in rows.rows],
    }
    return render(request, "titles/applications.html", context)


@require_access(check_can_see_applications, "GET", "HEAD", "POST")
@step_up(lambda _, number: gettext("decide about application %(number)s") % {"number": number})
def application(request: OfficeRequest, number: int) -> HttpResponse:
    """An application: its evidence, its steps, and the steps that the reader can record."""
    user = request.user
    found = visible_applications(user).filter(pk=number)
    one = found.select_related("player", "federation", "player_title").first()
    if one is None:
        raise Http404
    attempt, sent = Attempt(), None
    if request.method == "POST":
        action = ActionForm(request.POST)
        if not action.is_valid() or action.cleaned_data["action"] == ApplicationMove.SUBMIT:
            raise DomainError("unknown_action")
        sent = StepForm(ApplicationMove(action.cleaned_data["action"]), request.POST)
        attempt = Attempt(sent)
        if attempt.is_valid:
            with attempt:
                step = move_application(
                    application=one,
                    move=sent.move,
                    by=actor(request),
                    seen=action.cleaned_data["seen"] or 0,
                    **sent.cleaned_data,
                )
                messages.success(request, ApplicationStep.Move(step.move).label)
                return redirect("title-application", number)
    one = find_application(one.pk)
    page = application_page(one, user)
    context = {
        "page": page,
        "application": one,
        "seen": page.steps[-1].pk,
        "forms": [sent if sent and sent.move == move else StepForm(move) for move in page.moves],
        "refusal": attempt.refusal,
        "not_used": sent.entered if sent and sent.move not in page.moves else (),
        "certificate": title_code_of(one.player_title) if one.player_title else "",
    }
    return render(request, "titles/application.html", context, status=attempt.status)
