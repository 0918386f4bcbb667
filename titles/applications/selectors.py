"""Applications for titles as their pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Case, Q, Value, When

from reporting.models import Role, User
from reporting.policies import OFFICE_ROLES
from reporting.refusals.domain_error import DomainError
from titles.applications.evidence import requirements_of
from titles.models import ApplicationStep, TitleApplication
from titles.policies import check_can_move, visible_applications
from titles.rules.lifecycle import APPLICATION_LIFECYCLE, ApplicationMove, ApplicationState, ApplicationTurn
from titles.rules.requirement import Requirement


@dataclass(frozen=True)
class ApplicationPage:
    """An application with its steps, its evidence and the moves that the reader can make."""

    application: TitleApplication
    steps: Sequence[ApplicationStep]
    requirements: Sequence[Requirement]
    moves: Sequence[ApplicationMove]
    turn: ApplicationTurn


def waiting_for(user: User) -> Q:
    """The applications that wait for a user's roles; who submitted one decides nothing about it."""
    states: list[ApplicationState] = []
    if user.has_role(*OFFICE_ROLES):
        states += [ApplicationState.SUBMITTED, ApplicationState.CONFIRMED]
    if user.has_role(Role.TITLE_COUNCIL):
        states += [ApplicationState.PAID]
    if user.has_role(Role.ADMINISTRATOR):
        states += [ApplicationState.APPROVED]
    return Q(state__in=states) & ~Q(submitted_by=user)


def waiting_application_count(user: User) -> int:
    """How many applications wait for a step of the user. 1 query, none for roles without steps."""
    return visible_applications(user).filter(waiting_for(user)).count()


def applications_of(user: User, state: str = "") -> list[TitleApplication]:
    """The applications that a user may see, those of a state if one is given. 1 query.

    Those that wait for the user (`waits`) come first, then the newest.
    """
    waits = Case(When(waiting_for(user), then=Value(True)), default=Value(False))
    found = visible_applications(user).select_related("player", "federation").annotate(waits=waits)
    return list((found.filter(state=state) if state else found).order_by("-waits", "-pk"))


def find_application(number: int) -> TitleApplication:
    """An application with what its page names. 1 query. Raises `TitleApplication.DoesNotExist`."""
    return TitleApplication.objects.select_related("player", "federation", "player_title").get(pk=number)


def application_page(application: TitleApplication, user: User) -> ApplicationPage:
    """An application for a reader. 1 query."""
    row = APPLICATION_LIFECYCLE[ApplicationState(application.state)]
    return ApplicationPage(
        application,
        list(application.steps.select_related("by").order_by("pk")),
        requirements_of(application.evidence),
        [move for move in row.moves if _admits(user, application, move)],
        row.turn,
    )


def _admits(user: User, application: TitleApplication, move: ApplicationMove) -> bool:
    try:
        check_can_move(user, application, move)
    except DomainError:
        return False
    return True
