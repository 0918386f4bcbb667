"""What becomes of players in a championship: the office names them, and records what they answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.db import transaction
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.models import Player
from reporting.refusals.domain_error import DomainError
from reporting.rules import lifecycle
from reporting.rules.sentences import joined
from titles.federations.fmjd.championships.calculate_places import calculate_places
from titles.federations.fmjd.championships.check_names import WrongName, wrong_names
from titles.federations.fmjd.championships.selectors import (
    given_championship,
    names_in_force,
    state_of,
)
from titles.federations.fmjd.championships.services.save_championship import lock_championship
from titles.federations.fmjd.models import Championship, PlaceStep
from titles.federations.fmjd.rules.world_cup.qualification import NAMED_KINDS
from titles.federations.fmjd.world_cup.inputs import players_by_id, surviving_players
from titles.policies import check_can_manage_championships
from titles.rules.lifecycle import PLACE_LIFECYCLE, PlaceMove, PlaceState


@transaction.atomic
def name_players(
    *,
    championship: Championship,
    item: int,
    numbers: Sequence[int],
    on: date,
    by: Actor,
    seen: int | None = None,
) -> list[PlaceStep]:
    """Name players for an item, in this order after those named before; `on` is the day on which the names arrived.

    More names than places are possible: the next one follows a player who withdraws (R74c). Nothing is stored if a
    name is wrong. `seen` is the version of the championship that the person saw (R24a). Raises DomainError
    `name_unknown`, `named_twice`, `name_other_sex`, `name_other_continent`, each with the FMJD-IDs, `item_not_named`,
    `day_in_future`, `preview_changed`, `forbidden`.
    """
    championship = _locked(championship, on, by, seen)
    given, _ = given_championship(championship)
    of_item = next((one for one in given.items if one.item == item and one.kind in list(NAMED_KINDS)), None)
    if of_item is None:
        raise DomainError("item_not_named", item=str(item))
    players = players_by_id(numbers)
    wrong = list(wrong_names(of_item, numbers, players, women=given.women, named=given.named.get(item, ())))
    if wrong:
        code = wrong[0][1]
        named = joined([number for number, reason in wrong if reason is code])
        raise {
            WrongName.UNKNOWN: DomainError("name_unknown", players=named),
            WrongName.TWICE: DomainError("named_twice", players=named),
            WrongName.OTHER_SEX: DomainError("name_other_sex", players=named),
            WrongName.OTHER_CONTINENT: DomainError("name_other_continent", players=named),
        }[code]
    return [
        _record(championship, players[number], PlaceMove.NAME, on=on, by=by, item=item) for number in numbers
    ]


@transaction.atomic
def move_place(
    *,
    championship: Championship,
    player: Player,
    move: PlaceMove,
    on: date,
    reason: str = "",
    by: Actor,
    seen: int | None = None,
) -> PlaceStep:
    """Record that a player takes the place or withdraws, on the day on which the office was informed; or undo it.

    A player of the reserve list, or one named beyond the places, can withdraw too, and then takes no place later. A
    name can be removed until the player answers. Who withdrew is replaced by the rule of the place, or by the reserve
    list from the Council's day on (R74c). `seen` is the version of the championship that the person saw (R24a).

    Raises DomainError `no_place`, `wrong_state.place`, `reason_missing`, `day_in_future`, `preview_changed`,
    `forbidden`.
    """
    championship = _locked(championship, on, by, seen)
    given, answers = given_championship(championship)
    number, reason = int(player.numbers["fmjd"]), reason.strip()
    items = [item for item, names in given.named.items() if number in names]
    found = calculate_places(given)
    has_place = any(held.place.player == number for held in found.places)
    before = state_of(answers.get(number))
    is_on_a_list = has_place or bool(items) or any(row.player == number for row in found.reserves)
    if before is PlaceState.NAMED and not (has_place if move is PlaceMove.CONFIRM else is_on_a_list):
        raise DomainError("no_place", player=player.printed_name)
    refusal = DomainError("wrong_state.place")
    lifecycle.move(PLACE_LIFECYCLE, before, move, refusal)
    if move is PlaceMove.REPLACE or (move is PlaceMove.REMOVE and not items):
        raise refusal
    if move in (PlaceMove.REMOVE, PlaceMove.UNDO) and not reason:
        raise DomainError("reason_missing")
    item, records = None, [player]
    # A name and an answer are undone for the record that has them: so they remain undone after an undone merge.
    if move is PlaceMove.UNDO:
        records = [answers[number].player]
    if move is PlaceMove.REMOVE:
        item, surviving = items[-1], surviving_players()
        names = names_in_force(championship.steps.select_related("player").order_by("pk"))
        of_item = [name.player for name in names if name.item == item]
        records = [one for one in of_item if surviving.get(one.pk, one).numbers["fmjd"] == number]
    return [_record(championship, one, move, on=on, by=by, item=item, reason=reason) for one in records][-1]


def _locked(championship: Championship, on: date, by: Actor, seen: int | None) -> Championship:
    check_can_manage_championships(by.user)
    if on > timezone.localdate():
        raise DomainError("day_in_future", today=timezone.localdate())
    return lock_championship(championship, seen)


def _record(
    championship: Championship,
    player: Player,
    move: PlaceMove,
    *,
    on: date,
    by: Actor,
    item: int | None,
    reason: str = "",
) -> PlaceStep:
    step = PlaceStep.objects.create(
        championship=championship, player=player, move=move, item=item, on=on, reason=reason, by=by.user
    )
    championship.version += 1
    championship.save(update_fields=["version"])
    record(
        by=by,
        action=f"championship.{move.value}",
        subject=f"championship {championship.code}",
        after={"player": str(player.number), "on": on.isoformat()} | ({"item": item} if item else {}),
        reason=reason,
    )
    return step
