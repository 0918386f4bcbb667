"""A lot between equal players is recorded (R72a)."""

from collections.abc import Sequence
from datetime import date

from django.db import transaction
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.refusals.domain_error import DomainError
from reporting.rules.sentences import joined
from titles.federations.fmjd.championships.selectors import equal_players
from titles.federations.fmjd.championships.services.save_championship import lock_championship
from titles.federations.fmjd.models import Championship, DrawnLot
from titles.policies import check_can_manage_championships


@transaction.atomic
def record_lot(
    *,
    championship: Championship,
    source: DrawnLot.Source,
    players: Sequence[int],
    on: date,
    by: Actor,
    seen: int | None = None,
) -> DrawnLot:
    """Record the order that a lot gave to equal players of a source, by FMJD-ID; the newest lot of a group holds.

    `seen` is the version of the championship that the person saw (R24a). Raises DomainError `lot_not_equal` where these
    are not all players who are equal with each other, `day_in_future`, `preview_changed`, `forbidden`.
    """
    check_can_manage_championships(by.user)
    if on > timezone.localdate():
        raise DomainError("day_in_future", today=timezone.localdate())
    championship = lock_championship(championship, seen)
    if len(set(players)) != len(players) or set(players) not in equal_players(championship, source):
        raise DomainError("lot_not_equal", players=joined(players))
    lot = DrawnLot.objects.create(
        championship=championship, source=source, players=list(players), on=on, by=by.user
    )
    championship.version += 1
    championship.save(update_fields=["version"])
    record(
        by=by,
        action="championship.lot",
        subject=f"championship {championship.code}",
        after={"source": source.value, "players": list(players), "on": on.isoformat()},
    )
    return lot
