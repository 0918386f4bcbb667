"""Who may do what. Each function refuses with a DomainError or returns nothing."""

from reporting.errors import DomainError
from reporting.models import Invitation, Report, Role, User

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


def may_review(user: User, report: Report) -> None:
    """The office accepts, returns, rejects and takes back, but nobody his own report."""
    require_role(user, *OFFICE)
    if report.submitted_by_id == user.pk:
        raise DomainError("own_report", "Nobody decides about a report that he made himself.")


def may_see_inbox(user: User) -> None:
    """The office sees what is handed in and decides about it; administrators look on."""
    require_role(user, *OFFICE, Role.ADMINISTRATOR)


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


def roles_to_invite(user: User) -> tuple[Role, ...]:
    """The roles a person may give by an invitation: the office's own are given by nobody on a page."""
    if user.has_role(*OFFICE, Role.ADMINISTRATOR):
        return (Role.REFEREE, Role.NATIONAL_OFFICIAL)
    if user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None:
        return (Role.REFEREE,)
    return ()


def invites_everywhere(user: User) -> bool:
    """Whether a person may invite for every federation and not only his own."""
    return user.has_role(*OFFICE, Role.ADMINISTRATOR)


def may_see_accounts(user: User) -> None:
    """National officials of a federation see its accounts, the office and administrators all."""
    if not roles_to_invite(user):
        require_role(user, *OFFICE, Role.ADMINISTRATOR)


def may_invite(user: User, role: Role, federation: str) -> None:
    """A national official invites referees of his federation; the office and administrators officials as well."""
    may_see_accounts(user)
    if role not in roles_to_invite(user) or not (
        invites_everywhere(user) or federation == user.federation_id
    ):
        raise DomainError("forbidden", f"{user} may not invite a {role.label.lower()} of {federation}.")


def may_keep_invitation(user: User, invitation: Invitation) -> None:
    """Whoever could have sent an invitation sends it again and withdraws it."""
    account = invitation.account
    for role in account.roles:
        may_invite(user, Role(role), account.federation_id or "")


def may_see_account(user: User, account: User) -> bool:
    """Whether a person may know whose account it is."""
    return bool(roles_to_invite(user)) and (
        invites_everywhere(user)
        or (account.federation_id is not None and account.federation_id == user.federation_id)
    )
