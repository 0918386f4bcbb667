"""Policies: what people may do. `check_…` raises DomainError or returns nothing, `can_…` answers."""

from collections.abc import Collection

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db.models import (
    BigIntegerField,
    BooleanField,
    CharField,
    Exists,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.functions import Concat

from reporting.models import (
    NEED_A_SECOND_PERSON,
    CorrectionRequest,
    Invitation,
    LogEntry,
    Player,
    Report,
    ReportStep,
    ReportVersion,
    ResultSet,
    Role,
    RoleAssignment,
    Tournament,
    User,
)
from reporting.refusals.domain_error import DomainError
from reporting.rules.details.decided_items import COUNCIL, known_items
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.sentences import joined

OFFICE_ROLES = (Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR)
# Holders of these roles sign lists, norms or titles; an administrator signs nothing.
SIGNING_ROLES = (Role.RATING_OFFICER, Role.RELEASING_OFFICER, Role.TITLE_COUNCIL)
# Their sessions are short, and they need a second factor.
STAFF_ROLES = NEED_A_SECOND_PERSON
FEDERATION_ROLES = (Role.REFEREE, Role.NATIONAL_OFFICIAL)
REPORTING_ROLES = (*FEDERATION_ROLES, *OFFICE_ROLES)


def require_role(user: User, *roles: Role) -> None:
    """Refuse a user without any of the roles."""
    if not user.has_role(*roles):
        raise DomainError("forbidden.role", roles=joined(roles))


def check_can_change_register(user: User) -> None:
    require_role(user, *OFFICE_ROLES)


def check_can_import_register(user: User) -> None:
    """Import players from a table: the office and administrators, who set up the register."""
    require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_erase_names(user: User) -> None:
    """Erase the name of a player: a rating officer, who answers for the published lists (decision 0073)."""
    require_role(user, Role.RATING_OFFICER)


def check_can_upload(user: User) -> None:
    """Send reports, also by a program with a token: referees, national officials and the office."""
    require_role(user, *REPORTING_ROLES)


def check_can_read_reports(user: User) -> None:
    """The pages of reports: for people who submit them, and read-only for administrators."""
    require_role(user, Role.REFEREE, Role.NATIONAL_OFFICIAL, *OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_submit(user: User, report: Report) -> None:
    """Edit and submit a report: its submitter, the national official of its federation, or the office."""
    check_can_upload(user)
    if report.submitted_by_id != user.pk and not _is_of_own_federation(user, report):
        require_role(user, *OFFICE_ROLES)


def check_can_delete_draft(user: User, report: Report) -> None:
    """Delete a draft that was never submitted: the person who made it, and the office."""
    check_can_upload(user)
    if not _may_delete_draft(user, report):
        raise DomainError("forbidden.delete_draft")
    if not _was_never_submitted(report):
        raise DomainError("wrong_state.delete")


def can_delete_draft(user: User, report: Report) -> bool:
    return _was_never_submitted(report) and _may_delete_draft(user, report)


def _may_delete_draft(user: User, report: Report) -> bool:
    return report.submitted_by_id == user.pk or user.has_role(*OFFICE_ROLES)


def _was_never_submitted(report: Report) -> bool:
    is_draft = report.state == Report.State.DRAFT and report.first_submitted_at is None
    return is_draft and report.result_set_id is None


def check_can_review(user: User, report: Report) -> None:
    """Accept, return, reject or undo an acceptance: the office, but not for one's own report."""
    require_role(user, *OFFICE_ROLES)
    if report.submitted_by_id == user.pk:
        raise DomainError("own_report")


def check_can_accept(user: User, report: Report) -> None:
    """Accept a report: a person of the office who did not act on it since its last acceptance.

    The first reports of an account are left to people who did not bring it in (decision 0098).
    """
    check_can_review(user, report)
    if has_acted_on(user, report):
        raise DomainError("own_version")
    _check_left_to_others(user, Report.objects.filter(pk=report.pk), OFFICE_ROLES)


def check_can_see_decisions(user: User) -> None:
    """What is decided of tournaments: the office and the title council, who decide, and read-only administrators."""
    require_role(user, *OFFICE_ROLES, Role.TITLE_COUNCIL, Role.ADMINISTRATOR)


def check_can_decide_some_item(user: User) -> None:
    """Decide what only the federation can say of some tournament: the office and the title council."""
    require_role(user, *OFFICE_ROLES, Role.TITLE_COUNCIL)


def check_can_decide_item(user: User, item: str, *, by_command: bool = False) -> None:
    """Decide an item: the title council what is its own, as the approval, the office the others (contracts U27, R78).

    As with norms, a command decides for the council in the name of a rating officer too.
    """
    if known_items()[item].decided_by == COUNCIL:
        require_role(user, Role.TITLE_COUNCIL, *((Role.RATING_OFFICER,) if by_command else ()))
    else:
        require_role(user, *OFFICE_ROLES)


def check_did_not_report(user: User, tournament: ResultSet) -> None:
    """Refuse a person who had a part in a report of the tournament (R78) or leaves one to others. 2 queries."""
    if reports_with_part_of(user).filter(result_set__tournament__code=tournament.code).exists():
        raise DomainError("own_report.decide", tournament=tournament.name)
    _check_left_to_others(
        user,
        Report.objects.filter(result_set__tournament__code=tournament.code),
        (*OFFICE_ROLES, Role.TITLE_COUNCIL),
    )


def new_accounts(user: User | OuterRef, report: str = "pk") -> Func:
    """The accounts with a part in a report (the column `report`) whose first reports the person leaves to others.

    The person invited the account or gave it a role, or brought in so the one who did. The rule is a function of the
    database, which its triggers ask too (decision 0098).
    """
    person = user if isinstance(user, OuterRef) else Value(user.pk)
    return Func(report, person, function="new_accounts_in", output_field=ArrayField(BigIntegerField()))


def _check_left_to_others(user: User, reports: QuerySet[Report], roles: Collection[Role]) -> None:
    """Refuse a person who leaves one of the reports to others, and name holders of the roles who do not.

    1 query, 3 for a refusal.
    """
    left = reports.annotate(accounts=new_accounts(user)).exclude(accounts=[]).first()
    if left is None:
        return
    holder = OuterRef("pk")
    holders = User.objects.holding(*roles).filter(is_active=True, acts_by_command=False).exclude(pk=user.pk)
    may = holders.exclude(Exists(reports_with_part_of(holder).filter(pk__in=reports.values("pk")))).exclude(
        Exists(reports.annotate(accounts=new_accounts(holder)).exclude(accounts=[]))
    )
    others = list(may.order_by("name").values_list("name", flat=True))
    names = User.objects.filter(pk__in=left.accounts).order_by("name").values_list("name", flat=True)
    raise DomainError(
        "brought_in" if others else "brought_in.no_one_else",
        names=joined(list(names)),
        reports=settings.FIRST_REPORTS,
        others=joined(others),
    )


def reports_with_part_of(user: User | OuterRef) -> QuerySet[Report]:
    """The reports in which a user had a part at any time: the parts of `has_acted_on`, and the report itself."""
    within = OuterRef(user) if isinstance(user, OuterRef) else user
    acted = ReportVersion.objects.filter(versions_of(within), report=OuterRef("pk"))
    saved = LogEntry.objects.filter(action="report.save_comments", actor=within).filter(
        subject=Concat(Value("report "), OuterRef("pk"), output_field=CharField())
    )
    return Report.objects.filter(
        Q(submitted_by=user)
        | Q(has_part_in_announcement("announcement", user))
        | Exists(acted)
        | Exists(saved)
    )


def has_acted_on(user: User, report: Report) -> bool:
    """Whether a user had a part in a report since its last acceptance. 3 queries.

    A version, a submission, comments on warnings, saved or submitted, or its announcement. What is matched, entered or
    corrected makes a version. Who made or changed the announcement has a part in every acceptance: its day and marks
    decide if an admission is needed (R11). The database asks the same of an acceptance, but for saved comments.
    """
    accepted = (
        ReportStep.objects.filter(version__report=report, move=ReportStep.Move.ACCEPT)
        .order_by("-pk")
        .values("pk", "version__number", "at")
        .first()
    )
    number = accepted["version__number"] if accepted else 0
    submitted = Q(
        steps__by=user, steps__move=ReportStep.Move.SUBMIT, steps__pk__gt=accepted["pk"] if accepted else 0
    )
    if report.versions.filter(Q(number__gt=number) & versions_of(user) | submitted).exists():
        return True
    if Report.objects.filter(has_part_in_announcement("announcement", user), pk=report.pk).exists():
        return True
    saved = LogEntry.objects.filter(action="report.save_comments", subject=f"report {report.pk}", actor=user)
    return (saved.filter(at__gt=accepted["at"]) if accepted else saved).exists()


def has_part_in_announcement(announcement: str, user: User | OuterRef) -> Func:
    """Whether a user made or changed the announcement of a column: a function of the database, for its triggers too."""
    person = user if isinstance(user, OuterRef) else Value(user.pk)
    return Func(announcement, person, function="has_part_in_announcement", output_field=BooleanField())


def versions_of(user: User | OuterRef) -> Q:
    """Versions of reports that a user made, submitted, or whose warnings the user commented on."""
    return Q(created_by=user) | Q(comments__by=user) | Q(steps__by=user, steps__move=ReportStep.Move.SUBMIT)


def check_can_see_inbox(user: User) -> None:
    """The inbox: the office, which reviews the reports, and read-only administrators."""
    require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_see_own_federation(user: User) -> None:
    """The page of a federation's reports and requests: its national official."""
    if user.federation_id is None:
        raise DomainError("forbidden.role", roles=joined([Role.NATIONAL_OFFICIAL]))
    require_role(user, Role.NATIONAL_OFFICIAL)


def check_can_be_named(user: User) -> None:
    """Choose whether to be named on the public page of the own federation: its national official (decision 0077)."""
    if not can_be_named(user):
        raise DomainError("forbidden.role", roles=joined([Role.NATIONAL_OFFICIAL]))


def can_be_named(user: User) -> bool:
    return user.federation_id is not None and user.has_role(Role.NATIONAL_OFFICIAL)


def check_can_admit(user: User) -> None:
    """Admit a late or unannounced report: only rating officers (R11)."""
    require_role(user, Role.RATING_OFFICER)


def check_can_accept_details(user: User, details: TournamentDetails | None) -> None:
    """Accept what the report proposes of its tournament, where that takes a rating officer."""
    if details is not None and details.proposed_to_rating_officer:
        require_role(user, Role.RATING_OFFICER)


def check_can_announce(user: User) -> None:
    """Announce a tournament: referees, national officials and the office."""
    require_role(user, Role.REFEREE, Role.NATIONAL_OFFICIAL, *OFFICE_ROLES)


def check_can_change_announcement(user: User, announcement: Tournament) -> None:
    """Change an announcement: the person who announced it, the national official of its federation, or the office."""
    check_can_announce(user)
    if not can_change_announcement(user, announcement):
        require_role(user, *OFFICE_ROLES)


def can_change_announcement(user: User, announcement: Tournament) -> bool:
    return announcement.announced_by_id == user.pk or can_mark_championship(user, announcement.country_id)


def can_mark_championship(user: User, country: str | None) -> bool:
    """Whether a user may say that a tournament is a championship of this country: its official, or the office."""
    of_it = user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None
    return user.has_role(*OFFICE_ROLES) or (of_it and user.federation_id == country)


def check_can_see_report(user: User, report: Report) -> None:
    """The submitter, the office, administrators, and the national official of the tournament's federation."""
    if user.is_active and report.submitted_by_id == user.pk:
        return
    if not _is_of_own_federation(user, report):
        require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_see_private_details(user: User, report: Report) -> None:
    """Contacts and the other private details of a report: its submitter, and the office."""
    if not can_see_private_details(user, report):
        require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def can_see_private_details(user: User, report: Report) -> bool:
    return (user.is_active and report.submitted_by_id == user.pk) or user.has_role(
        *OFFICE_ROLES, Role.ADMINISTRATOR
    )


def _is_of_own_federation(user: User, report: Report) -> bool:
    country = report.result_set.country_id if report.result_set else None
    return (
        user.has_role(Role.NATIONAL_OFFICIAL)
        and user.federation_id is not None
        and user.federation_id in (report.submitted_by.federation_id, country)
    )


def invitable_roles(user: User) -> tuple[Role, ...]:
    """The roles a user may assign by an invitation: only administrators assign those of the office."""
    if user.has_role(Role.ADMINISTRATOR):
        return tuple(Role)
    if user.has_role(*OFFICE_ROLES):
        return (Role.REFEREE, Role.NATIONAL_OFFICIAL)
    if user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None:
        return (Role.REFEREE,)
    return ()


def can_invite_everywhere(user: User) -> bool:
    """Whether a user may invite for every federation."""
    return user.has_role(*OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_see_accounts(user: User) -> None:
    """National officials see the accounts of their federation, the office and administrators all."""
    if not invitable_roles(user):
        require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_invite(user: User, role: Role, federation: str) -> None:
    """A national official invites referees of the own federation, the office also officials, administrators all."""
    check_can_see_accounts(user)
    if role not in invitable_roles(user) or not (
        can_invite_everywhere(user) or federation == user.federation_id
    ):
        raise DomainError("forbidden.invite")


def check_can_manage_invitation(user: User, invitation: Invitation) -> None:
    """Resend or withdraw an invitation: users who may invite with these roles."""
    account = invitation.account
    for role in account.roles_given:
        check_can_invite(user, Role(role), account.federation_id or "")


def can_see_account(user: User, account: User) -> bool:
    """Whether a user may see this account."""
    return bool(invitable_roles(user)) and (
        can_invite_everywhere(user) or account.federation_id == user.federation_id
    )


def check_can_manage_accounts(user: User) -> None:
    """Close and reopen accounts, change their roles: only administrators."""
    require_role(user, Role.ADMINISTRATOR)


def check_can_manage_account(user: User, account: User) -> None:
    """Administrators manage all accounts but their own and those of commands."""
    check_can_manage_accounts(user)
    if account.acts_by_command:
        raise DomainError("forbidden.command_account")
    if account.pk == user.pk:
        raise DomainError("own_account")


def may_confirm_role(user: User, assignment: RoleAssignment) -> None:
    """Confirm a role: an administrator who neither assigned it nor gets it (contracts U14)."""
    check_can_manage_account(user, assignment.account)
    if assignment.assigned_by_id == user.pk:
        raise DomainError("own_act")


def validate_roles(roles: Collection[Role], federation: str) -> None:
    """Raise DomainError if one person cannot have these roles together or in this federation (empty for none)."""
    if not roles:
        raise DomainError("no_role")
    if Role.ADMINISTRATOR in roles and not set(roles).isdisjoint(SIGNING_ROLES):
        raise DomainError("roles_conflict")
    if not federation and not set(roles).isdisjoint(FEDERATION_ROLES):
        raise DomainError("federation_needed")


def needs_second_factor(user: User) -> bool:
    """Whether the log-in needs a second factor: for all who accept, decide or sign, and for administrators."""
    return settings.SECOND_FACTOR_REQUIRED and user.has_role(*STAFF_ROLES)


def check_can_see_log(user: User) -> None:
    """The log: the office, releasing officers and administrators, not national officials."""
    require_role(user, *OFFICE_ROLES, Role.RELEASING_OFFICER, Role.ADMINISTRATOR)


def can_see_all_accounts(user: User) -> bool:
    """Whether a user may see all accounts; only then the log shows e-mail addresses."""
    return user.has_role(*OFFICE_ROLES, Role.ADMINISTRATOR)


NATIONAL_OFFICIAL_FIELDS = frozenset({"last_name", "first_name", "sex", "birth_year", "born", "national"})
"""The fields of a player that a national official may change; titles and transfers belong to the office."""


def check_can_see_register(user: User) -> None:
    """The office and administrators see all players, a national official those of the own federation."""
    if not (user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None):
        require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def can_see_all_players(user: User) -> bool:
    return user.has_role(*OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_edit_player(user: User, player: Player) -> None:
    """Edit a player: the office all, a national official those of the own federation; not administrators.

    Users who may edit see the date of birth; `can_change_field` says which fields they may change.
    """
    if not _is_player_of_own_federation(user, player):
        require_role(user, *OFFICE_ROLES)


def can_change_field(user: User, player: Player, field: str) -> bool:
    """Whether a user may change this field of the player's record."""
    return user.has_role(*OFFICE_ROLES) or (
        field in NATIONAL_OFFICIAL_FIELDS and _is_player_of_own_federation(user, player)
    )


def _is_player_of_own_federation(user: User, player: Player) -> bool:
    return user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id == player.federation_id


def check_can_see_requests(user: User) -> None:
    """Requests from the public: the office, national officials those of their federation, read-only administrators."""
    if not (user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None):
        require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def check_can_answer_request(user: User, correction_request: CorrectionRequest) -> None:
    """Take, ask back and answer: the office, and the national official of the federation it is about."""
    if not _is_about_own_federation(user, correction_request):
        require_role(user, *OFFICE_ROLES)


def check_can_see_sender(user: User) -> None:
    """Name and e-mail address of the sender of a request: only the office and administrators."""
    require_role(user, *OFFICE_ROLES, Role.ADMINISTRATOR)


def _is_about_own_federation(user: User, correction_request: CorrectionRequest) -> bool:
    return (
        user.has_role(Role.NATIONAL_OFFICIAL)
        and user.federation_id is not None
        and user.federation_id
        in (
            correction_request.player.federation_id if correction_request.player else None,
            correction_request.result_set.country_id if correction_request.result_set else None,
        )
    )
