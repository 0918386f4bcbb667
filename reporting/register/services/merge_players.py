"""Merge two records of one person, and undo a merge: traceably and without changing anything published (R24)."""

from collections.abc import Callable

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from reporting.federations.registry import rules_of_report
from reporting.log.audit import Actor, record
from reporting.models import Entry, Game, Player, PlayerMerge
from reporting.models.locks import take_closing_lock
from reporting.policies import check_can_change_register
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.records import subject_of
from reporting.rules.register.registers import registers_of_systems


@transaction.atomic
def merge_players(
    *,
    duplicate: Player,
    surviving: Player,
    reason: str,
    by: Actor,
    unchanged: Callable[[], None] | None = None,
) -> PlayerMerge:
    """Merge `duplicate` into `surviving`; the person keeps the number of `surviving`.

    The next calculated list reads the games and lists of both as those of `surviving`; published lists do not change.
    `unchanged` is called under the locks and raises where the page of the act showed something else (R24a).
    Raises DomainError `reason_missing`, `same_record`, `number_missing`, `already_merged`, `played_together`, `busy`,
    `forbidden`.
    """
    check_can_change_register(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    take_closing_lock()  # no acceptance or freeze may use one of the records during the checks
    _lock(duplicate, surviving)
    check_can_merge(duplicate, surviving)
    if unchanged is not None:
        unchanged()
    merge = PlayerMerge.objects.create(
        duplicate=duplicate, surviving=surviving, reason=reason.strip(), merged_by=by.user
    )
    for player, other, field in _sides(merge):
        record(
            by=by,
            action="player.merge",
            subject=subject_of(player),
            after={field: other.address},
            reason=merge.reason,
        )
    return merge


@transaction.atomic
def undo_merge(
    *, merge: PlayerMerge, reason: str, by: Actor, unchanged: Callable[[], None] | None = None
) -> PlayerMerge:
    """Undo a merge, from the next calculated list on.

    Of several merges into one record the last one is undone first. `unchanged` as for `merge_players`. Raises
    DomainError `reason_missing`, `already_undone`, `merged_since`, `busy`, `forbidden`.
    """
    check_can_change_register(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    take_closing_lock()
    _lock(merge.duplicate, merge.surviving)
    merge = (
        PlayerMerge.objects.select_for_update(of=("self",))
        .select_related("duplicate", "surviving")
        .get(pk=merge.pk)
    )
    if merge.undone_at is not None:
        raise DomainError("already_undone")
    check_can_undo_merge(merge)
    if unchanged is not None:
        unchanged()
    merge.undone_reason, merge.undone_by, merge.undone_at = reason.strip(), by.user, Now()
    merge.save(update_fields=["undone_reason", "undone_by", "undone_at"])
    for player, other, field in _sides(merge):
        record(
            by=by,
            action="player.undo_merge",
            subject=subject_of(player),
            before={field: other.address},
            reason=merge.undone_reason,
        )
    merge.refresh_from_db()
    return merge


def check_can_undo_merge(merge: PlayerMerge) -> None:
    """Refuse while a later merge into the same record is in force: it was made on the basis of this one. 1 query.

    Raises DomainError `merged_since`.
    """
    since = PlayerMerge.objects.filter(surviving=merge.surviving, undone_at=None, pk__gt=merge.pk)
    later = since.select_related("duplicate").order_by("-pk").first()
    if later is not None:
        raise DomainError(
            "merged_since", number=str(later.duplicate.number), into=str(merge.surviving.number)
        )


def check_can_merge(duplicate: Player, surviving: Player) -> None:
    """Refuse records that cannot be one person, and a record on the other side of another merge.

    Records that play in one round of a tournament are two people; those of a newcomer on two lines do not (R24a). Where
    a player may have several games in a round, those who play each other are. At least 2 queries, at most 2 more for
    each tournament of both.

    Raises DomainError `same_record`, `number_missing`, `already_merged`, `played_together`.
    """
    if duplicate.pk == surviving.pk:
        raise DomainError("same_record")
    has = [(one, duplicate.number_in(one), surviving.number_in(one)) for one in registers_of_systems()]
    if lacking := [one.number_label for one, of_duplicate, own in has if of_duplicate and not own]:
        other_lacks = [one.number_label for one, of_duplicate, own in has if own and not of_duplicate]
        raise DomainError(
            "number_missing.both" if other_lacks else "number_missing",
            number=str(surviving.number),
            other=str(duplicate.number),
            label=lacking[0],
            other_label=next(iter(other_lacks), ""),
        )
    in_force = PlayerMerge.objects.filter(undone_at=None).select_related("duplicate", "surviving")
    merge = in_force.filter(Q(duplicate__in=[duplicate, surviving]) | Q(surviving=duplicate)).first()
    if merge is not None:
        raise DomainError(
            "already_merged", number=str(merge.duplicate.number), into=str(merge.surviving.number)
        )
    one = Q(player=surviving) | Q(player__in=in_force.filter(surviving=surviving).values("duplicate"))
    entries = Entry.objects.filter(player=duplicate).select_related("result_set").order_by("pk")
    for entry in entries.filter(result_set__in=Entry.objects.filter(one).values("result_set")):
        if rounds := _rounds_of_both(entry, Entry.objects.filter(one, result_set=entry.result_set_id)):
            raise DomainError(
                "played_together",
                tournament=entry.result_set.name,
                code=entry.result_set.code,
                played_from=entry.result_set.played_from,
                played_to=entry.result_set.played_to,
                rounds=", ".join(map(str, sorted(rounds))),
            )


def _rounds_of_both(entry: Entry, others: QuerySet[Entry]) -> set[int]:
    """The rounds that make an entry another person than the others of its tournament. 1 query or 2."""
    result_set = entry.result_set
    if rules_of_report(result_set.rating_system, result_set.discipline).has_rounds:
        return _rounds_of(Entry.objects.filter(pk=entry.pk)) & _rounds_of(others)
    games = Game.objects.filter(Q(white=entry, black__in=others) | Q(black=entry, white__in=others))
    return set(games.values_list("round", flat=True))


def _rounds_of(entries: QuerySet[Entry]) -> set[int]:
    """The rounds in which one of the entries has a game, or points without one. 1 query."""
    met = Q(white__isnull=False, black__isnull=False) | Q(white_points__gt=0) | Q(black_points__gt=0)
    games = Game.objects.filter(Q(white__in=entries) | Q(black__in=entries)).filter(met)
    return set(games.values_list("round", flat=True))


def _lock(*players: Player) -> None:
    list(
        Player.objects.select_for_update(no_key=True)
        .filter(pk__in=[player.pk for player in players])
        .order_by("pk")
    )


def _sides(merge: PlayerMerge) -> tuple[tuple[Player, Player, str], ...]:
    """Both records of a merge, each with the other one and the field of its audit entry that names the other."""
    return (
        (merge.duplicate, merge.surviving, "merged_into"),
        (merge.surviving, merge.duplicate, "merged_duplicate"),
    )
