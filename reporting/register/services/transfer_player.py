"""Transfer a player to another federation on a day; published lists keep the federation that they printed."""

from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.models import Player
from reporting.policies import check_can_change_register
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.records import subject_of
from reporting.register.services.compare_register import EARLIEST_DAY
from reporting.register.services.dated_changes import transfers_on
from reporting.register.services.federations import ensure_federations
from reporting.rules.register.countries import find_country


@dataclass(frozen=True)
class Transfer:
    """The federations before and after a transfer, by code, and its day."""

    before: str
    after: str
    on: date


def plan_transfer(
    *, player: Player, federation: str, on: date, reason: str, looked_at: str = "", by: Actor
) -> Transfer:
    """A transfer, with the checks of `transfer_player`; nothing is written. Raises what `transfer_player` raises."""
    check_can_change_register(by.user)
    if find_country(federation) is None:
        raise DomainError("federation_unknown")
    if looked_at not in ("", player.federation_id):
        raise DomainError("record_changed")
    if federation == player.federation_id:
        raise DomainError("same_federation", federation=federation)
    if not EARLIEST_DAY <= on <= timezone.localdate():
        raise DomainError("change_day", first=EARLIEST_DAY, last=timezone.localdate())
    if not reason.strip():
        raise DomainError("reason_missing")
    return Transfer(player.federation_id, federation, on)


@transaction.atomic
def transfer_player(
    *, player: Player, federation: str, on: date, reason: str, looked_at: str = "", by: Actor
) -> Transfer:
    """Make a player a member of a federation from a day on, whatever was recorded for later days.

    Lists with a closing date on or after the day print the new federation from their next calculation on; published
    lists do not change. `looked_at` is the federation on which the transfer is based, if a page showed one. Raises
    DomainError `federation_unknown`, `record_changed`, `same_federation`, `change_day`, `reason_missing`, `forbidden`.
    """
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    transfer = plan_transfer(
        player=player, federation=federation, on=on, reason=reason, looked_at=looked_at, by=by
    )
    ensure_federations([federation])
    player.federation_id = federation
    with transfers_on(on):
        player.save(update_fields=["federation"])
    record(
        by=by,
        action="player.transfer",
        subject=subject_of(player),
        before={"federation_id": transfer.before},
        after={"federation_id": transfer.after, "transferred_on": on.isoformat()},
        reason=reason.strip(),
    )
    return transfer
