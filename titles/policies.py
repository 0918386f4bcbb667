"""Who may decide about norms, and who may read them before their list is published."""

from reporting.models import Role, User
from reporting.policies import require_role


def check_can_decide_norms(user: User) -> None:
    """Confirm, refuse and claim norms: the title council."""
    require_role(user, Role.TITLE_COUNCIL)


def check_can_see_norms(user: User) -> None:
    """The norms of a draft: the title council, and those who see drafts."""
    require_role(
        user,
        Role.TITLE_COUNCIL,
        Role.RATING_OFFICER,
        Role.RELEASING_OFFICER,
        Role.TOURNAMENT_DIRECTOR,
        Role.ADMINISTRATOR,
    )
