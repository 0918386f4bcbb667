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
    *, player: Player, discipline: str, title: str, by: Actor, seen: str | None = None
) -> TitleApplication:
    """Apply for a title that norms (R39) or a rating (3.11.5) give the player, or that is automatic (art. 3).

    The application is filled with the norms, the requirements and the highest rating of this moment. `seen` is the
    `evidence_digest` that the person saw (R24a). Raises DomainError `title_not_due`, `title_held`, `preview_changed`,
    `application_open`, `forbidden`.
    """
    player = Player.objects.select_for_update().get(pk=player.pk)
    check_can_apply(by.user, player)
    (ledger,) = player_ledgers([player])
    of_discipline = next((each for each in ledger.disciplines if each.discipline == discipline), None)
    due = due_evidence(of_discipline, title) if of_discipline else None
    if of_discipline and any(held.title == title for held in of_discipline.held):
        raise DomainError("title_held.same", player=player.printed_name, title=title)
    if of_discipline is None or due is None:
        raise DomainError("title_not_due", player=player.printed_name, title=title)
    if seen is not None and seen != evidence_digest(ledger):
        raise DomainError("preview_changed")
    known = TitleApplication.objects.filter(
        player=player, awarded_by=of_discipline.awarded_by, discipline=discipline, title=title
    ).exclude(state__in=CLOSED)
    if known.exists():
        raise DomainError("application_open", player=player.printed_name, title=title)
    basis, evidence = due
    application = TitleApplication.objects.create(
        player=player,
        federation_id=player.federation_id,
        awarded_by=of_discipline.awarded_by,
        discipline=discipline,
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
            "discipline": discipline,
            "basis": str(basis),
            "state": application.state,
        },
    )
    return application
