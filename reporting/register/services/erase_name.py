"""Erase the name of a player on request: figures and number stay, so that published lists can be verified."""

from collections.abc import Callable

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from reporting.log.audit import Actor, record
from reporting.models import PersonalData, Player, PlayerMerge
from reporting.models.locks import take_closing_lock, take_names_lock
from reporting.models.register import ERASED_NAME, ERASED_SORT_NAME
from reporting.policies import check_can_erase_names
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.records import subject_of


@transaction.atomic
def erase_name(
    *, player: Player, reason: str, by: Actor, unchanged: Callable[[], None] | None = None
) -> list[Player]:
    """Put "Erased player" in place of a name, on every list too, and delete the date of birth; it cannot be undone.

    The same for the records that are merged with the player's. Files with the name lose their content until the worker
    has made them again. The log has no name. Returns the erased records. `unchanged` is called under the locks and
    raises where the page of the act showed other records (R24a). Raises DomainError `reason_missing`,
    `already_erased`, `busy`, `forbidden`.
    """
    check_can_erase_names(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    take_names_lock()  # a list that has read the name must be there, so that it is erased on it
    take_closing_lock()  # no acceptance or freeze may use the name meanwhile
    records = list(records_of_person(player).select_for_update().order_by("pk"))
    if all(one.is_erased for one in records):
        raise DomainError("already_erased")
    if unchanged is not None:
        unchanged()
    for erased in records:
        erased.last_name, erased.first_name, erased.sort_name = ERASED_NAME, "", ERASED_SORT_NAME
        erased.save(update_fields=["last_name", "first_name", "sort_name"])
        PersonalData.objects.filter(player=erased).delete()
        record(by=by, action="player.erase_name", subject=subject_of(erased), reason=reason.strip())
        with (
            connection.cursor() as cursor
        ):  # after a row that names the person who acts: the function asks for it
            cursor.execute("SELECT erase_player_name(%s)", [erased.pk])
    return records


def records_of_person(player: Player) -> QuerySet[Player]:
    """The player's record and those that are merged with it. 1 query, and 1 when they are read."""
    merges = PlayerMerge.objects.filter(undone_at=None)
    merged = merges.filter(duplicate=player).first()
    surviving = merged.surviving_id if merged else player.pk
    duplicates = merges.filter(surviving=surviving).values("duplicate")
    return Player.objects.filter(Q(pk=surviving) | Q(pk__in=duplicates))
