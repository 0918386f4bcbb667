"""Who may decide about norms, see ledgers, apply for titles and decide about applications (contracts U14, R40)."""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet

from reporting.models import Player, Report, ReportVersion, Role, Tournament, User
from reporting.models.register import PlayerQuerySet
from reporting.policies import OFFICE_ROLES, can_mark_championship, require_role, versions_of
from reporting.refusals.domain_error import DomainError
from reporting.rules.lifecycle import ReportState
from reporting.rules.sentences import joined
from titles.models import TitleApplication
from titles.rules.lifecycle import ApplicationMove, ApplicationState

SEES_ALL = (*OFFICE_ROLES, Role.TITLE_COUNCIL, Role.ADMINISTRATOR)


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


def check_can_see_world_cup(user: User) -> None:
    """Classifications and reserve lists before they are published: who signs or decides, and administrators (U27)."""
    require_role(
        user,
        Role.RATING_OFFICER,
        Role.RELEASING_OFFICER,
        Role.TOURNAMENT_DIRECTOR,
        Role.TITLE_COUNCIL,
        Role.ADMINISTRATOR,
    )


def check_can_see_declarations(user: User) -> None:
    """Declarations for the open World Cup classification: a national official of the own federation; who sees the
    World Cup all."""
    if not _is_official(user):
        check_can_see_world_cup(user)


def sees_all_declarations(user: User) -> bool:
    """Whether a user may see declarations of players of all federations."""
    return user.has_role(*OFFICE_ROLES, Role.RELEASING_OFFICER, Role.TITLE_COUNCIL, Role.ADMINISTRATOR)


def declares_for_all(user: User) -> bool:
    """Whether a user may record declarations of all federations, made on any day: the office."""
    return user.has_role(*OFFICE_ROLES)


def check_can_declare(user: User) -> None:
    """Record a declaration: the office, and a national official for players of the own federation (R71b)."""
    if not _is_official(user):
        require_role(user, *OFFICE_ROLES)


def check_can_withdraw_declaration(user: User) -> None:
    """Withdraw a declaration that was recorded by mistake: the office."""
    require_role(user, *OFFICE_ROLES)


def check_can_manage_championships(user: User) -> None:
    """Create championships, name players, record answers, lots and the standing of federations: the office."""
    require_role(user, *OFFICE_ROLES)


def check_can_prepare_publication(user: User) -> None:
    """Request what is published of the World Cup and of places: tournament directors (U27)."""
    require_role(user, Role.TOURNAMENT_DIRECTOR)


def check_can_approve_publication(user: User, tournaments: Collection[str]) -> None:
    """Approve it: a tournament director who submitted or changed no report that it counts (decision 0238). 1 query."""
    check_can_prepare_publication(user)
    acted = ReportVersion.objects.filter(versions_of(user), report=OuterRef("pk"))
    reports = Report.objects.filter(state=ReportState.ACCEPTED, result_set__tournament__code__in=tournaments)
    own = reports.filter(Q(submitted_by=user) | Exists(acted)).values_list("result_set__name", flat=True)
    if names := sorted(set(own)):
        raise DomainError("own_results.publication", tournaments=joined(names))


def check_can_publish_publication(user: User, *, approved_by: int | None) -> None:
    """Publish it: a releasing officer who did not approve it (U27)."""
    require_role(user, Role.RELEASING_OFFICER)
    if approved_by == user.pk:
        raise DomainError("same_person.publication")


def check_can_withdraw_publication(user: User) -> None:
    """Withdraw it before its publication: both who sign."""
    require_role(user, Role.TOURNAMENT_DIRECTOR, Role.RELEASING_OFFICER)


def check_can_see_event(user: User, tournament: Tournament) -> None:
    """The page of an announced tournament's proposals: who announced it, who may propose, administrators to read."""
    if user.is_active and tournament.announced_by_id == user.pk:
        return
    if not can_mark_championship(user, tournament.country_id):
        require_role(user, Role.ADMINISTRATOR)


def check_can_propose_event(user: User, tournament: Tournament) -> None:
    """Propose an event of the World Cup: the national official of the tournament's country, and the office."""
    if not can_mark_championship(user, tournament.country_id):
        require_role(user, *OFFICE_ROLES)


def check_can_decide_event(user: User, proposed_by: int) -> None:
    """Approve or return a proposed event: a tournament director who did not propose it."""
    require_role(user, Role.TOURNAMENT_DIRECTOR)
    if user.pk == proposed_by:
        raise DomainError("own_proposal")


def check_can_enter_champions(user: User) -> None:
    """Enter medals of earlier championships, and what happens to title matches: the office."""
    require_role(user, *OFFICE_ROLES)


def check_can_see_applications(user: User) -> None:
    """Ledgers and applications: a national official of the own federation; office, council, administrators all."""
    if not _is_official(user):
        require_role(user, *SEES_ALL)


def sees_all_federations(user: User) -> bool:
    """Whether a user may see ledgers and applications of all federations."""
    return user.has_role(*SEES_ALL)


def visible_players(user: User) -> PlayerQuerySet:
    """The players whose ledgers a user may see."""
    players = Player.objects.all()
    return players if sees_all_federations(user) else players.filter(federation=user.federation_id)


def visible_applications(user: User) -> QuerySet[TitleApplication]:
    """The applications that a user may see; an official those of the own federation, also after a transfer."""
    applications = TitleApplication.objects.all()
    return applications if sees_all_federations(user) else applications.filter(federation=user.federation_id)


def check_can_apply(user: User, player: Player) -> None:
    """Apply for a title of a player: the national official of the player's federation, or a member of the title council
    for the technical committee, for a player of any federation (art. 1.1, 15)."""
    require_role(user, Role.NATIONAL_OFFICIAL, Role.TITLE_COUNCIL)
    if not user.has_role(Role.TITLE_COUNCIL) and user.federation_id != player.federation_id:
        raise DomainError("forbidden.other_federation")


def check_can_move(user: User, application: TitleApplication, move: ApplicationMove) -> None:
    """Make a move of an application; who submitted it decides nothing about it. The federation can withdraw it, and so
    can the member of the title council who proposed the title."""
    if move is ApplicationMove.WITHDRAW:
        if application.submitted_by_id == user.pk and user.has_role(Role.TITLE_COUNCIL):
            return
        require_role(user, Role.NATIONAL_OFFICIAL)
        if user.federation_id != application.federation_id:
            raise DomainError("forbidden.other_federation")
        return
    require_role(user, *_deciding_roles(application, move))
    if application.submitted_by_id == user.pk:
        raise DomainError("own_application")


def _deciding_roles(application: TitleApplication, move: ApplicationMove) -> tuple[Role, ...]:
    """The Council approves; an administrator records what the General Assembly decided; the office does the rest."""
    match move:
        case ApplicationMove.APPROVE:
            return (Role.TITLE_COUNCIL,)
        case ApplicationMove.REFUSE:
            by_council = application.state == ApplicationState.PAID
            return (Role.TITLE_COUNCIL,) if by_council else (Role.ADMINISTRATOR,)
        case ApplicationMove.CONFIRM | ApplicationMove.WITHDRAW_TITLE:
            return (Role.ADMINISTRATOR,)
        case _:
            return OFFICE_ROLES


def _is_official(user: User) -> bool:
    return user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None
