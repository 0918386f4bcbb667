"""Two records of one person become one, and two again: traceably, and without a change of anything published (R24)."""

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from reporting.errors import DomainError
from reporting.locks import take_closing_lock
from reporting.log.audit import Actor, record
from reporting.models import Entry, Player, PlayerMerge
from reporting.policies import check_can_change_register


@transaction.atomic
def merge_players(*, duplicate: Player, surviving: Player, reason: str, by: Actor) -> PlayerMerge:
    """Hold `duplicate` and `surviving` to be one person, who keeps the number of `surviving`.

    The next list calculated reads the games and lists of both as the kept one's; published lists stay as they are.
    Raises DomainError `reason_missing`, `same_record`, `number_missing`, `already_merged`, `played_together`, `busy`,
    `forbidden`.
    """
    check_can_change_register(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    take_closing_lock()  # no acceptance may enter one of them, no freeze may count them, while this is looked at
    _hold(duplicate, surviving)
    check_can_merge(duplicate, surviving)
    merge = PlayerMerge.objects.create(
        duplicate=duplicate, surviving=surviving, reason=reason.strip(), merged_by=by.user
    )
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
def undo_merge(*, merge: PlayerMerge, reason: str, by: Actor) -> PlayerMerge:
    """Hold the two records of a merge to be two persons again, from the next list calculated on.

    Of several records merged into one the last is parted first. Raises DomainError `reason_missing`,
    `already_undone`, `merged_since`, `busy`, `forbidden`.
    """
    check_can_change_register(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    take_closing_lock()
    _hold(merge.duplicate, merge.surviving)
    merge = (
        PlayerMerge.objects.select_for_update(of=("self",))
        .select_related("duplicate", "surviving")
        .get(pk=merge.pk)
    )
    if merge.undone_at is not None:
        raise DomainError("already_undone")
    check_can_undo_merge(merge)
    merge.undone_reason, merge.undone_by, merge.undone_at = reason.strip(), by.user, Now()
    merge.save(update_fields=["undone_reason", "undone_by", "undone_at"])
    for own, other, words in _both(merge):
        record(
            by=by,
            action="player.undo_merge",
            subject=f"player fmjd {own.fmjd_id}",
            before={words: other.fmjd_id},
            reason=merge.undone_reason,
        )
    merge.refresh_from_db()
    return merge


def check_can_undo_merge(merge: PlayerMerge) -> None:
    """Refuse while another record is merged into the same one since: it was put to what the two had made. 1 query.

    Raises DomainError `merged_since`.
    """
    since = PlayerMerge.objects.filter(surviving=merge.surviving, undone_at=None, pk__gt=merge.pk)
    later = since.select_related("duplicate").order_by("-pk").first()
    if later is not None:
        raise DomainError("merged_since", number=later.duplicate.fmjd_id, into=merge.surviving.fmjd_id)


def check_can_merge(duplicate: Player, surviving: Player) -> None:
    """Refuse what can't be one person, and a record that stands in a merge on the other side. 2 queries.

    Raises DomainError `same_record`, `number_missing`, `already_merged`, `played_together`.
    """
    if duplicate.pk == surviving.pk:
        raise DomainError("same_record")
    if duplicate.fmjd_id is None or surviving.fmjd_id is None:
        raise DomainError("number_missing")
    standing = PlayerMerge.objects.filter(undone_at=None).select_related("duplicate", "surviving")
    for each in standing.filter(Q(duplicate__in=[duplicate, surviving]) | Q(surviving=duplicate)):
        raise DomainError("already_merged", number=each.duplicate.fmjd_id, into=each.surviving.fmjd_id)
    one = Q(player=surviving) | Q(player__in=standing.filter(surviving=surviving).values("duplicate"))
    together = Entry.objects.filter(
        player=duplicate, tournament__in=Entry.objects.filter(one).values("tournament")
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
    return (merge.duplicate, merge.surviving, "merged into"), (
        merge.surviving,
        merge.duplicate,
        "stands also for",
    )
