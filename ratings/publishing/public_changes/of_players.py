"""What acts on the register change: players whom published lists name, and titles, which their register shows to all.

A change has no value: the next list prints it. What is known of other players is not public (decision 0088).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from ratings.models import PlayerHistory, PublicChange, RatingList
from ratings.publishing.public_changes.registry import change_of
from reporting.log.actions import Label
from reporting.models import LogEntry, Player, PlayerIdentity, PlayerMerge
from reporting.rules.register.registers import registers
from reporting.rules.register.titles import discipline_titles

Event = PublicChange.Event
ACTIONS = ("player.edit", "player.update", "player.transfer", "player.undo_merge", "player.erase_name")
PRINTED = {
    "last_name": "name",
    "first_name": "name",
    "federation_id": "federation",
    "sex": "sex",
    "birth_year": "birth_year",
}
"""What lists print of a player, by the fields of the log; numbers in registers besides."""
NUMBER = "number"
CHANGED: Mapping[str, Label] = {
    "name": _("Name"),
    "federation": _("Federation"),
    "sex": _("Sex"),
    "birth_year": _("Year of birth"),
    NUMBER: _("Number"),
}
"""What can change of a player, each with its label."""


def find_changes(entries: Sequence[LogEntry]) -> Iterator[PublicChange]:
    """The changes of players and of their titles. 2 queries, 1 more for each register and for each undone merge."""
    players = _players_of(entries)
    own = [player.pk for player in players.values()]
    published = PlayerHistory.objects.filter(list__state=RatingList.State.PUBLISHED, player__in=own)
    listed = set(published.values_list("player", flat=True))
    for entry in entries:
        player = players.get(entry.pk)
        if player is None:  # the number was changed once more since, by an act with an entry of its own
            continue
        if entry.action == "player.erase_name":
            if player.pk in listed:
                yield change_of(entry, Event.PLAYER_ERASED, player=player)
        elif entry.action == "player.undo_merge":
            if "merged_into" in entry.before and _was_read(player):
                yield change_of(entry, Event.PLAYER_MERGE_UNDONE, player=player)
        else:
            changed = _changed(entry) if player.pk in listed and not player.is_erased else []
            if changed:
                yield change_of(entry, Event.PLAYER_CHANGED, player=player, changed=changed)
            yield from _titles(entry, player)


def _players_of(entries: Sequence[LogEntry]) -> dict[int, Player]:
    """The player whom each entry is about, by the number that its subject has; a changed one by the new number."""
    numbers: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for entry in entries:
        _kind, register, number = entry.subject.split(" ")
        numbers[register][entry.pk] = str(entry.after.get(register) or number)
    found: dict[int, Player] = {}
    for register, of_entries in numbers.items():
        identities = PlayerIdentity.objects.filter(register=register, number__in=of_entries.values())
        players = {identity.number: identity.player for identity in identities.select_related("player")}
        found |= {entry: players[number] for entry, number in of_entries.items() if number in players}
    return found


def _changed(entry: LogEntry) -> list[str]:
    printed = PRINTED | {register.code: NUMBER for register in registers()}
    changed = {printed[field] for field in entry.after if field in printed}
    return [name for name in CHANGED if name in changed]


def _titles(entry: LogEntry, player: Player) -> Iterator[PublicChange]:
    for field, of_discipline in discipline_titles().items():
        if field in entry.after:
            new, old = entry.after[field], entry.before[field]
            yield change_of(
                entry,
                Event.TITLE_REGISTERED if new else Event.TITLE_WITHDRAWN,
                player=player,
                title=new or old,
                discipline=of_discipline.discipline,
            )


def _was_read(duplicate: Player) -> bool:
    """Whether a published list was read with a merge of this record that is undone now."""
    undone = PlayerMerge.objects.filter(duplicate=duplicate, undone_at__isnull=False)
    merges = list(undone.values_list("pk", flat=True))
    return RatingList.objects.filter(state=RatingList.State.PUBLISHED, merges__overlap=merges).exists()
