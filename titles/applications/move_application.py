"""The steps of an application after its submission: fee, Council, General Assembly, registration, withdrawal."""

from datetime import date

from django.db import transaction
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.models import Player
from reporting.refusals.domain_error import DomainError
from reporting.rules import lifecycle
from titles.applications.evidence import due_evidence
from titles.applications.notifications import notify_step
from titles.applications.register_title import end_title, register_title
from titles.models import ApplicationStep, TitleApplication
from titles.policies import check_can_move
from titles.queries.ledgers import player_ledgers
from titles.rules.lifecycle import APPLICATION_LIFECYCLE, ApplicationMove, ApplicationState

NEEDS_REASON = frozenset({ApplicationMove.REFUSE, ApplicationMove.WITHDRAW_TITLE})
NEEDS_MINUTES = frozenset({ApplicationMove.CONFIRM, ApplicationMove.WITHDRAW_TITLE})


@transaction.atomic
def move_application(
    *,
    application: TitleApplication,
    move: ApplicationMove,
    on: date,
    reference: str = "",
    reason: str = "",
    by: Actor,
    seen: int | None = None,
) -> ApplicationStep:
    """Record a step of an application: what was decided or done on the day `on`, with the number of the minutes.

    Approval checks again that the title is due. Registration writes the title, which counts from that day and ends a
    lower one of its kind; the withdrawal of a title ends it. The official who applied gets a message. `seen` is the
    newest step that the person saw (R24a). Raises DomainError `wrong_state`, `preview_changed` for a later step,
    `step_day_outside`, `minutes_missing`, `reason_missing`, `title_not_due`, `title_held`,
    `title_later`, `own_application`, `forbidden`.
    """
    player = Player.objects.select_for_update().get(pk=application.player_id)
    application = TitleApplication.objects.select_for_update().get(pk=application.pk)
    check_can_move(by.user, application, move)
    before = ApplicationState(application.state)
    after = lifecycle.move(APPLICATION_LIFECYCLE, before, move, DomainError("wrong_state.application"))
    reference, reason = reference.strip(), reason.strip()
    last, today = application.steps.latest("pk"), timezone.localdate()
    if seen is not None and seen != last.pk:
        raise DomainError("preview_changed")
    if not last.on <= on <= today:
        if last.on == today:
            raise DomainError("step_day_outside.today", day=today)
        raise DomainError("step_day_outside", first=last.on, last=today)
    if move in NEEDS_MINUTES and not reference:
        raise DomainError("minutes_missing")
    if move in NEEDS_REASON and not reason:
        raise DomainError("reason_missing")
    if move is ApplicationMove.APPROVE:
        _refuse_not_due(application, player)
    if move is ApplicationMove.REGISTER:
        application.player_title = register_title(application, player, on)
    elif move is ApplicationMove.WITHDRAW_TITLE:
        end_title(application, on)
    application.state = after
    application.save(update_fields=["state", "player_title"])
    step = ApplicationStep.objects.create(
        application=application,
        move=move,
        state=after,
        on=on,
        reference=reference,
        reason=reason,
        by=by.user,
    )
    record(
        by=by,
        action=f"application.{move}",
        subject=f"application {application.pk}",
        before={"state": before},
        after={"state": after, "on": on.isoformat()} | ({"reference": reference} if reference else {}),
        reason=reason,
    )
    notify_step(step)
    return step


def _refuse_not_due(application: TitleApplication, player: Player) -> None:
    """A correction of a list may have taken a norm away since the application."""
    (ledger,) = player_ledgers([player])
    for of_discipline in ledger.disciplines:
        if of_discipline.discipline == application.discipline and due_evidence(
            of_discipline, application.title
        ):
            return
    raise DomainError("title_not_due", player=player.printed_name, title=application.title)
