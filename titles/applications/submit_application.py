"""A national official applies for a title that is due, or the title council proposes it."""

from django.db import transaction
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.models import Player
from reporting.refusals.domain_error import DomainError
from titles.applications.evidence import due_evidence, evidence_digest
from titles.models import ApplicationStep, TitleApplication
from titles.policies import check_can_apply
from titles.queries.ledgers import player_ledgers
from titles.rules.lifecycle import CLOSED, ApplicationMove, ApplicationState


@transaction.atomic
def submit_application(
    *, player: Player, section: str, title: str, by: Actor, seen: str | None = None
) -> TitleApplication:
    """Apply for a title that norms (R39) or a rating (3.11.5) give the player, or that is automatic (art. 3).

    The application is filled with the norms, the requirements and the highest rating of this moment. `seen` is the
    `evidence_digest` that the person saw (R24a). Raises DomainError `title_not_due`, `title_held`, `preview_changed`,
    `application_open`, `forbidden`.
    """
    player = Player.objects.select_for_update().get(pk=player.pk)
    check_can_apply(by.user, player)
    (ledger,) = player_ledgers([player])
    of_section = next((each for each in ledger.sections if each.section.section == section), None)
    due = due_evidence(of_section, title) if of_section else None
    if of_section and any(held.title == title for held in of_section.held):
        raise DomainError("title_held.same", player=player.printed_name, title=title)
    if of_section is None or due is None:
        raise DomainError("title_not_due", player=player.printed_name, title=title)
    if seen is not None and seen != evidence_digest(ledger):
        raise DomainError("preview_changed")
    known = TitleApplication.objects.filter(
        player=player, awarded_by=of_section.section.awarded_by, section=section, title=title
    ).exclude(state__in=CLOSED)
    if known.exists():
        raise DomainError("application_open", player=player.printed_name, title=title)
    basis, evidence = due
    application = TitleApplication.objects.create(
        player=player,
        federation_id=player.federation_id,
        awarded_by=of_section.section.awarded_by,
        section=section,
        title=title,
        basis=basis,
        evidence=evidence,
        submitted_by=by.user,
    )
    ApplicationStep.objects.create(
        application=application,
        move=ApplicationMove.SUBMIT,
        state=ApplicationState.SUBMITTED,
        on=timezone.localdate(),
        by=by.user,
    )
    record(
        by=by,
        action="application.submit",
        subject=f"application {application.pk}",
        after={
            "player": player.address,
            "title": title,
            "section": section,
            "basis": str(basis),
            "state": application.state,
        },
    )
    return application
