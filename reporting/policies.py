"""Who may do what. Each function refuses with a DomainError or returns nothing."""

from reporting.errors import DomainError
from reporting.models import Report, Role, User

OFFICE = (Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR)


def require_role(user: User, *roles: Role) -> None:
    """Refuse whoever holds none of the roles."""
    if not user.has_role(*roles):
        names = " or ".join(str(role.label).lower() for role in roles)
        raise DomainError("forbidden", f"{user} may not do this: it asks for the role {names}.")


def may_change_register(user: User) -> None:
    require_role(user, *OFFICE)


def may_upload(user: User) -> None:
    require_role(user, Role.REFEREE, Role.NATIONAL_OFFICIAL, *OFFICE)


def may_submit(user: User, report: Report) -> None:
    """A report is handed in by whoever made it, or by the office."""
    may_upload(user)
    if report.submitted_by_id != user.pk:
        require_role(user, *OFFICE)


def may_review(user: User, report: Report) -> None:
    """The office accepts, returns, rejects and takes back, but nobody his own report."""
    require_role(user, *OFFICE)
    if report.submitted_by_id == user.pk:
        raise DomainError("own_report", "Nobody decides about a report that he made himself.")


def may_admit(user: User) -> None:
    """A late or unannounced report is admitted by a rating officer alone (R11)."""
    require_role(user, Role.RATING_OFFICER)
