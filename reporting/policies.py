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
    """A report is mended and handed in by whoever made it, the national official of its federation, or the office."""
    may_upload(user)
    if report.submitted_by_id != user.pk and not _is_of_his_federation(user, report):
        require_role(user, *OFFICE)


def may_accept(user: User, report: Report) -> None:
    """The office accepts, but nobody his own report."""
    require_role(user, *OFFICE)
    if report.submitted_by_id == user.pk:
        raise DomainError("own_report", "Whoever handed a report in never accepts it.")


def may_admit(user: User) -> None:
    """A late or unannounced report is admitted by a rating officer alone (R11)."""
    require_role(user, Role.RATING_OFFICER)


def may_announce(user: User) -> None:
    """Referees and national officials make competitions known, and the office for them."""
    require_role(user, Role.REFEREE, Role.NATIONAL_OFFICIAL, *OFFICE)


def may_see_report(user: User, report: Report) -> None:
    """Whoever made it, the office and administrators, and the national official of the competition's federation."""
    if user.is_active and report.submitted_by_id == user.pk:
        return
    if not _is_of_his_federation(user, report):
        require_role(user, *OFFICE, Role.ADMINISTRATOR)


def _is_of_his_federation(user: User, report: Report) -> bool:
    country = report.tournament.country_id if report.tournament else None
    return (
        user.has_role(Role.NATIONAL_OFFICIAL)
        and user.federation_id is not None
        and user.federation_id in (report.submitted_by.federation_id, country)
    )
