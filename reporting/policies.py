"""Who may do what. Each function refuses with a DomainError or returns nothing."""

from collections.abc import Collection

from django.conf import settings

from reporting.errors import DomainError
from reporting.models import (
    CorrectionRequest,
    Invitation,
    LogEntry,
    Player,
    Report,
    Role,
    RoleAssignment,
    User,
)

OFFICE_ROLES = (Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR)
# Whoever holds one of these signs lists, norms or titles; an administrator signs nothing.
SIGNING_ROLES = (Role.RATING_OFFICER, Role.RELEASING_OFFICER, Role.TITLE_COUNCIL)
# Their sessions are short; the first four of these need a second factor.
STAFF_ROLES = (*SIGNING_ROLES, Role.ADMINISTRATOR, Role.TOURNAMENT_DIRECTOR)
FEDERATION_ROLES = (Role.REFEREE, Role.NATIONAL_OFFICIAL)


def require_role(user: User, *roles: Role) -> None:
    """Refuse whoever holds none of the roles."""
    if not user.has_role(*roles):
        names = " or ".join(str(role.label).lower() for role in roles)
        raise DomainError("forbidden.role", roles=names)


def check_can_change_register(user: User) -> None:
    require_role(user, *OFFICE_ROLES)


def check_can_upload(user: User) -> None:
    require_role(user, Role.REFEREE, Role.NATIONAL_OFFICIAL, *OFFICE_ROLES)


def check_can_read_reports(user: User) -> None:
    """The pages of reports open for those who send them, and read-only for administrators."""
    require_role(user, Role.REFEREE, Role.NATIONAL_OFFICIAL, *OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_submit(user: User, report: Report) -> None:
    """A report is mended and handed in by whoever made it, the national official of its federation, or the office."""
    check_can_upload(user)
    if report.submitted_by_id != user.pk and not _is_of_his_federation(user, report):
        require_role(user, *OFFICE_ROLES)


def check_can_review(user: User, report: Report) -> None:
    """The office accepts, returns, rejects and takes back, but nobody his own report."""
    require_role(user, *OFFICE_ROLES)
    if report.submitted_by_id == user.pk:
        raise DomainError("own_report")


def check_can_accept(user: User, report: Report) -> None:
    """Somebody of the office who neither submitted the report nor made a version of it since its last acceptance."""
    check_can_review(user, report)
    acceptances = LogEntry.objects.filter(action="report.accept", subject=f"report {report.pk}")
    accepted = acceptances.order_by("-pk").values_list("after__version", flat=True).first() or 0
    if report.versions.filter(created_by=user, number__gt=accepted).exists():
        raise DomainError("own_version")


def check_can_see_inbox(user: User) -> None:
    """The office sees what is handed in and decides about it; administrators look on."""
    require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_admit(user: User) -> None:
    """A late or unannounced report is admitted by a rating officer alone (R11)."""
    require_role(user, Role.RATING_OFFICER)


def check_can_announce(user: User) -> None:
    """Referees and national officials make competitions known, and the office for them."""
    require_role(user, Role.REFEREE, Role.NATIONAL_OFFICIAL, *OFFICE_ROLES)


def check_can_see_report(user: User, report: Report) -> None:
    """Whoever made it, the office and administrators, and the national official of the competition's federation."""
    if user.is_active and report.submitted_by_id == user.pk:
        return
    if not _is_of_his_federation(user, report):
        require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_see_private_details(user: User, report: Report) -> None:
    """Contacts and the other private details of a report (Annex 9 art. 4.1.1): its submitter, and the office."""
    if not can_see_private_details(user, report):
        require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def can_see_private_details(user: User, report: Report) -> bool:
    return (user.is_active and report.submitted_by_id == user.pk) or user.has_role(
        *OFFICE_ROLES, Role.ADMINISTRATOR
    )


def _is_of_his_federation(user: User, report: Report) -> bool:
    country = report.tournament.country_id if report.tournament else None
    return (
        user.has_role(Role.NATIONAL_OFFICIAL)
        and user.federation_id is not None
        and user.federation_id in (report.submitted_by.federation_id, country)
    )


def invitable_roles(user: User) -> tuple[Role, ...]:
    """The roles a person may give by an invitation: the office's own are given by administrators alone."""
    if user.has_role(Role.ADMINISTRATOR):
        return tuple(Role)
    if user.has_role(*OFFICE_ROLES):
        return (Role.REFEREE, Role.NATIONAL_OFFICIAL)
    if user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None:
        return (Role.REFEREE,)
    return ()


def can_invite_everywhere(user: User) -> bool:
    """Whether a person may invite for every federation and not only his own."""
    return user.has_role(*OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_see_accounts(user: User) -> None:
    """National officials of a federation see its accounts, the office and administrators all."""
    if not invitable_roles(user):
        require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_invite(user: User, role: Role, federation: str) -> None:
    """A national official invites referees of his federation, the office officials as well, administrators anybody."""
    check_can_see_accounts(user)
    if role not in invitable_roles(user) or not (
        can_invite_everywhere(user) or federation == user.federation_id
    ):
        raise DomainError("forbidden.invite")


def check_can_manage_invitation(user: User, invitation: Invitation) -> None:
    """Whoever could have sent an invitation sends it again and withdraws it."""
    account = invitation.account
    for role in account.roles_given:
        check_can_invite(user, Role(role), account.federation_id or "")


def can_see_account(user: User, account: User) -> bool:
    """Whether a person may know whose account it is."""
    return bool(invitable_roles(user)) and (
        can_invite_everywhere(user)
        or (account.federation_id is not None and account.federation_id == user.federation_id)
    )


def check_can_manage_accounts(user: User) -> None:
    """Administrators alone close and open accounts and change what they may do."""
    require_role(user, Role.ADMINISTRATOR)


def check_can_manage_account(user: User, account: User) -> None:
    """An administrator manages everybody's account but his own; those of commands are nobody's."""
    check_can_manage_accounts(user)
    if account.acts_by_command:
        raise DomainError("forbidden.command_account")
    if account.pk == user.pk:
        raise DomainError("own_account")


def may_confirm_role(user: User, assignment: RoleAssignment) -> None:
    """Another administrator than the one who gave a role, and than the one who gets it (contracts U14)."""
    check_can_manage_account(user, assignment.account)
    if assignment.assigned_by_id == user.pk:
        raise DomainError("own_act")


def validate_roles(roles: Collection[Role], federation: str) -> None:
    """Raise DomainError where nobody can hold these roles together, or not in this federation (empty: in none)."""
    if not roles:
        raise DomainError("no_role")
    if Role.ADMINISTRATOR in roles and not set(roles).isdisjoint(SIGNING_ROLES):
        raise DomainError("roles_conflict")
    if not federation and not set(roles).isdisjoint(FEDERATION_ROLES):
        raise DomainError("federation_needed")


def needs_second_factor(user: User) -> bool:
    """Whether a password alone is not enough: for whoever signs lists or titles, and for administrators."""
    return settings.SECOND_FACTOR_REQUIRED and user.has_role(*SIGNING_ROLES, Role.ADMINISTRATOR)


def check_can_see_log(user: User) -> None:
    """The office, whoever releases lists, and administrators read what everybody did; national officials do not."""
    require_role(user, *OFFICE_ROLES, Role.RELEASING_OFFICER, Role.ADMINISTRATOR)


def can_see_all_accounts(user: User) -> bool:
    """Whether a person may see everybody's account; e-mail addresses in the log are for those alone."""
    return user.has_role(*OFFICE_ROLES, Role.ADMINISTRATOR)


NATIONAL_OFFICIAL_FIELDS = frozenset({"last_name", "first_name", "sex", "birth_year", "born", "national"})
"""What of a player of his federation a national official puts right; titles and transfers are the office's."""


def check_can_see_register(user: User) -> None:
    """The office and administrators see every player, a national official those of his federation."""
    if not (user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None):
        require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def can_see_all_players(user: User) -> bool:
    return user.has_role(*OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_edit_player(user: User, player: Player) -> None:
    """The office every player, a national official those of his federation; administrators look on.

    Who may edit sees the date of birth; what he may change is `can_change_field`.
    """
    if not _keeps_for_federation(user, player):
        require_role(user, *OFFICE_ROLES)


def can_change_field(user: User, player: Player, field: str) -> bool:
    """Whether a person may change this of a player, by the name of the field in his record."""
    return user.has_role(*OFFICE_ROLES) or (
        field in NATIONAL_OFFICIAL_FIELDS and _keeps_for_federation(user, player)
    )


def _keeps_for_federation(user: User, player: Player) -> bool:
    return user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id == player.federation_id


def check_can_see_requests(user: User) -> None:
    """The office answers requests from the public, national officials their federation's; administrators look on."""
    if not (user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None):
        require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_answer_request(user: User, asked: CorrectionRequest) -> None:
    """Take, ask back and answer: the office, and the national official whom it is about."""
    if not _is_about_his_federation(user, asked):
        require_role(user, *OFFICE_ROLES)


def check_can_see_sender(user: User) -> None:
    """Name and e-mail address of whoever sent a request stay in the office."""
    require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def _is_about_his_federation(user: User, asked: CorrectionRequest) -> bool:
    return (
        user.has_role(Role.NATIONAL_OFFICIAL)
        and user.federation_id is not None
        and user.federation_id
        in (
            asked.player.federation_id if asked.player else None,
            asked.tournament.country_id if asked.tournament else None,
        )
    )
