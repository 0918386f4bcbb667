"""What is typed in a grid, read row by row, and kept as the next version of its report."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.contrib import messages
from django.http import HttpRequest

from reporting.errors import DomainError
from reporting.formats.fmjd import FORMAT, write_fmjd
from reporting.formats.values import MOST_ROUNDS, ReadReport, ReportedGame, ReportedInfo, ReportedPlayer
from reporting.models import ReportVersion
from reporting.rules.checks.competition import LONGEST_TEXTS
from reporting.services.mend import replace_file
from reporting.services.open_report import OpenReport
from reporting.views.guarded import actor
from reporting.views.reports import based_on_in, may_change, report_or_404

MORE_ROWS = 4
MOST_TYPED = 100
"""Players of a grid: with seven fields each they stay below what a form may send."""

PLAYER_CELLS = {
    "fmjd_id": "FMJD-ID",
    "first_name": "First name",
    "last_name": "Last name",
    "country": "Country",
    "born": "Born",
    "sex": "Sex",
    "place": "Place",
}
FILENAME = "typed.txt"


@dataclass
class Row:
    """A line of the grid as it was typed, with what is to be said about its fields; `blocks` if it can't be written."""

    index: int
    number: str
    typed: dict[str, str]
    told: dict[str, str] = field(default_factory=dict)
    blocks: bool = False

    @property
    def empty(self) -> bool:
        return not any(self.typed.values())

    def refuse(self, name: str, words: str) -> None:
        self.told[name] = words
        self.blocks = True

    def cells(self) -> list[tuple[str, str, str, str]]:
        """Name, label, value and message of each field of a player."""
        return [
            (name, PLAYER_CELLS[name], value, self.told.get(name, "")) for name, value in self.typed.items()
        ]


def whole(row: Row, name: str, text: str, digits: int) -> int | None:
    if not text:
        return None
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", text):
        row.refuse(name, f"A whole number of at most {digits} figures.")
        return None
    return int(text)


def typed_report(request: HttpRequest, number: int) -> OpenReport:
    """A report that can be typed on: its file says nothing but what the grid would write.

    Raises DomainError `not_typed`, `wrong_state`.
    """
    opened = report_or_404(request, number)
    read = opened.submission.read
    if opened.version.format != FORMAT or not says_the_same(opened):
        raise DomainError(
            "not_typed",
            "Only a report that was typed here can be typed on: the file of this one holds what the grid can't "
            "show. It is mended at its lines.",
        )
    if not may_change(request, opened):
        raise DomainError("wrong_state", "This report can't be changed any more.")
    if len(read.players) > MOST_TYPED:
        raise DomainError("too_many", f"The grid holds {MOST_TYPED} players; this report has more.")
    return opened


def turns(read: ReadReport, here: int) -> range:
    """The rounds to go to: those with a game, and the next one."""
    return range(1, min(max(read.rounds + 1, here), MOST_ROUNDS) + 1)


def says_the_same(opened: OpenReport) -> bool:
    """Whether writing what was read gives the file again, but for spaces and case: so nothing of it is lost."""
    read = opened.submission.read
    try:
        again = write_fmjd(read.info, read.players, read.games)
    except ValueError:
        return False
    return "".join(again.split()).casefold() == "".join("".join(opened.lines).split()).casefold()


def written(info: ReportedInfo, players: Sequence[ReportedPlayer], games: Sequence[ReportedGame]) -> bytes:
    """The file of Annex 9 art. 11, with the points summed and the winner named as the places have it."""
    points = ReadReport(FORMAT, "", players=tuple(players), games=tuple(games)).points_summed
    first = [player.name for player in players if player.place == 1]
    named = len(first) == 1 and len(first[0]) <= LONGEST_TEXTS["winner"]
    info = replace(info, winner=first[0] if named else "")
    summed = [replace(player, points_printed=points[player.number]) for player in players]
    return write_fmjd(info, summed, games).encode()


def keep(
    request: HttpRequest,
    opened: OpenReport,
    info: ReportedInfo,
    players: Sequence[ReportedPlayer],
    games: Sequence[ReportedGame],
) -> ReportVersion:
    return replace_file(
        report=opened.report,
        based_on=based_on_in(request),
        content=written(info, players, games),
        filename=FILENAME,
        by=actor(request),
    ).version


def tell_saved(request: HttpRequest, what: str, version: ReportVersion) -> None:
    messages.success(request, f"{what}: saved as version {version.number}.")
