"""The titles and ratings in a report file that are not those of the register and of the list."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from reporting.models import Player, PlayerTitle
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.reading.version_changes import Change
from reporting.rules.register.titles import discipline_titles
from reporting.rules.report import ReportedPlayer


@dataclass(frozen=True)
class FileValues:
    """Values by player: `before` is that of the file, `after` that of the register or of the list, empty for none."""

    titles: Sequence[Change]
    ratings: Sequence[Change]

    def __len__(self) -> int:
        return len(self.titles) + len(self.ratings)


def different_file_values(opened: OpenReport, ratings: Mapping[int, int | None]) -> FileValues:
    """The titles and ratings that a file gives and that differ; a value that it leaves out is no difference. 1 query.

    A title may be any of those that the player holds in the discipline on the first day of the tournament. `ratings`
    are those of the list of the tournament by number of the player, None for a player who is not on it.
    """
    read, players = opened.submission.read, opened.players
    titled = {
        player.number: known
        for player in read.players
        if player.title and (known := players.get(player.number)) is not None
    }
    held = _held_titles(opened, titled)
    return FileValues(
        [
            Change(_about(player), player.title, ", ".join(held[player.number]))
            for player in read.players
            if player.number in held and player.title not in held[player.number]
        ],
        [
            Change(_about(player), str(player.rating_printed), str(ratings[player.number] or ""))
            for player in read.players
            if player.rating_printed
            and player.number in ratings
            and player.rating_printed != ratings[player.number]
        ],
    )


def _about(player: ReportedPlayer) -> str:
    return f"{player.number} {player.name}"


def _held_titles(opened: OpenReport, players: Mapping[int, Player]) -> dict[int, list[str]]:
    """The titles of these players by their number; empty for a discipline without titles. 1 query, 0 for none."""
    details = opened.submission.details
    if not players or details is None:
        return {}
    if details.discipline not in {of_discipline.discipline for of_discipline in discipline_titles().values()}:
        return {}
    by_player: defaultdict[int, list[str]] = defaultdict(list)
    held = PlayerTitle.objects.held_on(details.played_from or timezone.localdate()).filter(
        player__in=players.values(), discipline=details.discipline
    )
    for player, title in held.order_by("ladder", "title", "pk").values_list("player", "title"):
        by_player[player].append(title)
    return {number: by_player[player.pk] for number, player in players.items()}
