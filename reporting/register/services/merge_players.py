"""Two records of one person become one, and two again: traceably, and without a change of anything published (R24)."""

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from reporting.errors import DomainError
from reporting.locks import take_closing_lock
from reporting.log.audit import Actor, record
from reporting.models import Entry, Player, PlayerMerge
from reporting.policies import may_change_register


@transaction.atomic
def merge_players(*, goes: Player, kept: Player, reason: str, by: Actor) -> PlayerMerge:
    """Hold `goes` and `kept` to be one person, who keeps the number of `kept`.

    The next list calculated reads the games and lists of both as the kept one's; published lists stay as they are.
    Raises DomainError `reason_missing`, `same_record`, `number_missing`, `merged_already`, `played_together`, `busy`,
    `forbidden`.
    """
    may_change_register(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    take_closing_lock()  # no acceptance may enter one of them, no freeze may count them, while this is looked at
    _hold(goes, kept)
    refuse_merge(goes, kept)
    merge = PlayerMerge.objects.create(goes=goes, kept=kept, reason=reason.strip(), merged_by=by.user)
    for own, other, words in _both(merge):
        record(
            by=by,
            action="player.merge",
            subject=f"player fmjd {own.fmjd_id}",
            after={words: other.fmjd_id},
            reason=merge.reason,
        )
    return merge


@transaction.atomic
def part_players(*, merge: PlayerMerge, reason: str, by: Actor) -> PlayerMerge:
    """Hold the two records of a merge to be two persons again, from the next list calculated on.

    Of several records merged into one the last is parted first. Raises DomainError `reason_missing`,
    `parted_already`, `merged_since`, `busy`, `forbidden`.
    """
    may_change_register(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    take_closing_lock()
    _hold(merge.goes, merge.kept)
    merge = (
        PlayerMerge.objects.select_for_update(of=("self",)).select_related("goes", "kept").get(pk=merge.pk)
    )
    if merge.parted_at is not None:
        raise DomainError("already_undone")
    refuse_parting(merge)
    merge.parted_reason, merge.parted_by, merge.parted_at = reason.strip(), by.user, Now()
    merge.save(update_fields=["parted_reason", "parted_by", "parted_at"])
    for own, other, words in _both(merge):
        record(
            by=by,
            action="player.part",
            subject=f"player fmjd {own.fmjd_id}",
            before={words: other.fmjd_id},
            reason=merge.parted_reason,
        )
    merge.refresh_from_db()
    return merge


def refuse_parting(merge: PlayerMerge) -> None:
    """Refuse while another record is merged into the same one since: it was put to what the two had made. 1 query.

    Raises DomainError `merged_since`.
    """
    since = PlayerMerge.objects.filter(kept=merge.kept, parted_at=None, pk__gt=merge.pk)
    later = since.select_related("goes").order_by("-pk").first()
    if later is not None:
        raise DomainError("merged_since", number=later.goes.fmjd_id, into=merge.kept.fmjd_id)


def refuse_merge(goes: Player, kept: Player) -> None:
    """Refuse what can't be one person, and a record that stands in a merge on the other side. 2 queries.

    Raises DomainError `same_record`, `number_missing`, `merged_already`, `played_together`.
    """
    if goes.pk == kept.pk:
        raise DomainError("same_record")
    if goes.fmjd_id is None or kept.fmjd_id is None:
        raise DomainError("number_missing")
    standing = PlayerMerge.objects.filter(parted_at=None).select_related("goes", "kept")
    for each in standing.filter(Q(goes__in=[goes, kept]) | Q(kept=goes)):
        raise DomainError("merged_already", number=each.goes.fmjd_id, into=each.kept.fmjd_id)
    one = Q(player=kept) | Q(player__in=standing.filter(kept=kept).values("goes"))
    together = Entry.objects.filter(
        player=goes, tournament__in=Entry.objects.filter(one).values("tournament")
    )
    met = together.select_related("tournament").first()
    if met is not None:
        raise DomainError("played_together", tournament=met.tournament.name, code=met.tournament.code)


def _hold(*players: Player) -> None:
    list(
        Player.objects.select_for_update(no_key=True)
        .filter(pk__in=[each.pk for each in players])
        .order_by("pk")
    )


def _both(merge: PlayerMerge) -> tuple[tuple[Player, Player, str], ...]:
    """A merge stands in the history of both records."""
    return (merge.goes, merge.kept, "merged into"), (merge.kept, merge.goes, "stands also for")
