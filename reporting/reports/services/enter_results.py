"""Any report as the results grid holds it: in the fields of Annex 9 art. 11, with what saving would not carry."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reporting.errors import DomainError
from reporting.formats.annex_9.article_11 import RESULT_FIELDS, RESULTS
from reporting.formats.annex_9.fmjd import FORMAT, read_fmjd, write_fmjd
from reporting.formats.decode import decode_text
from reporting.formats.field_parsers import FMJD_ID_DIGITS, NUMBER_DIGITS, read_number
from reporting.formats.tournament_details_file import detail_values, read_people
from reporting.reports.services.open_report import OpenReport
from reporting.rules.checks.tournament import MAX_LOCAL_ID_LENGTH, MAX_TEXT_LENGTHS
from reporting.rules.findings import Finding, Severity
from reporting.rules.report import (
    ANNEX_9_FORMATS,
    ART_11_FORMATS,
    ReadReport,
    ReportedGame,
    ReportedInfo,
    ReportedPlayer,
    UnreadText,
)
from reporting.rules.tournament_details import TournamentDetails

MAX_FMJD_ID = 10**FMJD_ID_DIGITS - 1
FILE_FIELDS = {
    "name": "name", "place": "place", "country": "country", "referee": "referee", "played_from": "played_from",
    "played_to": "played_to", "system": "system", "national_championship": "national_championship",
    "women_only": "women_championship",
}  # fmt: skip
"""The details that a file of art. 11 holds as well, each with its name there."""

SHOWN_CELLS = frozenset({"fmjd_id", "born", "sex", "place"})
"""Fields of a player of which nothing is left where they cannot be read."""

LOST_FIELDS = frozenset({
    "date-unreadable", "date-unknown", "fmjd-id-unreadable", "place-unreadable", "sex-unknown", "type-unknown",
    "yes-or-no-unknown", "points-unreadable", "formula-refused",
})  # fmt: skip
"""Findings of a value that was not used, without its line being unread."""


@dataclass(frozen=True)
class UnreadCell:
    """What stands in a field of the file and could not be read, and what was said about it."""

    text: str
    message: str


@dataclass(frozen=True)
class UnreadResult:
    """A line of results of art. 11 that could not be read: the texts of its fields, and what was said about one."""

    fields: Mapping[str, str]
    field: str
    message: str


@dataclass(frozen=True)
class ResultsGrid:
    """A report ready to be saved as a file of art. 11; `details` are the values of the file beside it.

    `unread_info` and `unread_players` (by place of the player and field) are what the cells show where nothing could
    be read; `unread_results` are the same for the results of a round. `not_importable` says in sentences what
    saving leaves behind, but for those cells; `is_new_format` that the file has another format now.
    """

    info: ReportedInfo
    players: Sequence[ReportedPlayer]
    games: Sequence[ReportedGame]
    details: Mapping[str, Any]
    unread_info: Mapping[str, UnreadCell]
    unread_players: Mapping[tuple[int, str], UnreadCell]
    unread_results: Mapping[int, Sequence[UnreadResult]]
    not_importable: Sequence[str]
    is_new_format: bool

    def losses_on_save(self, *, shown: Container[int] = (), round_number: int | None = None) -> Sequence[str]:
        """What saving one page of the grid leaves behind, in sentences.

        `shown` are the places of the players on the page, whose cells can be corrected there together with the
        tournament, `round_number` is the round on it.
        """
        of_info = () if shown else self.unread_info.values()
        of_players = [
            (f"number {self.players[place].number}", cell)
            for (place, _), cell in self.unread_players.items()
            if place not in shown
        ]
        of_results = [
            f"Round {number}: “{', '.join(result.fields.values())}” ({result.message})"
            for number, results in self.unread_results.items()
            if number != round_number
            for result in results
        ]
        return [
            *(f"“{cell.text}” ({cell.message})" for cell in of_info),
            *(f"“{cell.text}”, {whose} ({cell.message})" for whose, cell in of_players),
            *of_results,
            *self.not_importable,
        ]

    @property
    def read(self) -> ReadReport:
        """The same as a report that was read: sums and rounds."""
        return ReadReport(FORMAT, "", info=self.info, players=tuple(self.players), games=tuple(self.games))


def results_grid(opened: OpenReport) -> ResultsGrid:
    """The newest version of a report for the grid, whatever its format. 0 queries, or those of the matching.

    The FMJD-IDs and newcomers of the details are in the players; an export, which has no IDs, gets those of the
    players it was matched with, and their names as the register has them. Raises DomainError `not_readable`.
    """
    read = opened.submission.read
    if not read.format:
        raise DomainError("not_readable")
    details = detail_values(bytes(opened.version.sidecar))
    ids, newcomers = read_people(bytes(opened.version.sidecar))
    whole = [_player(player, ids, opened) for player in read.players]
    long_ids = {each.number: each.fmjd_id for each in whole if each.fmjd_id and each.fmjd_id > MAX_FMJD_ID}
    players = [replace(each, fmjd_id=None) if each.number in long_ids else each for each in whole]
    kept = _details(opened, details, {**ids, **long_ids}, newcomers)
    info = _info(read.info)
    if read.format not in ART_11_FORMATS:
        info, kept = move_long_texts(info, kept)
    info = _completed(info, opened.submission.details, kept)
    cells, taken = _unread_cells(read)
    results, taken_lines = _unread_results(read, opened.lines)
    return ResultsGrid(
        info=info,
        players=players,
        games=[replace(game, colours_known=True) for game in read.games if game.result in RESULTS],
        details=kept,
        unread_info={name: cell for (place, name), cell in cells.items() if place < 0},
        unread_players={(place, name): cell for (place, name), cell in cells.items() if place >= 0},
        unread_results=results,
        not_importable=list(_not_carried(read, long_ids, taken, taken_lines)),
        is_new_format=read.format != FORMAT,
    )


def move_long_texts(info: ReportedInfo, details: Mapping[str, Any]) -> tuple[ReportedInfo, dict[str, Any]]:
    """Texts that are longer than the file may hold go into the details, which take the full text."""
    kept = dict(details)
    for name, longest in MAX_TEXT_LENGTHS.items():
        text: str = getattr(info, name)
        if name in FILE_FIELDS and len(text) > longest:
            kept.setdefault(name, text)
            changes: dict[str, Any] = {name: ""}
            info = replace(info, **changes)
    return info, kept


def grid_file(info: ReportedInfo, players: Sequence[ReportedPlayer], games: Sequence[ReportedGame]) -> bytes:
    """The file of Annex 9 art. 11, with the points summed and the winner named as the places have it.

    Raises DomainError `not_writable` where reading it would give other players or games.
    """
    read = ReadReport(FORMAT, "", players=tuple(players), games=tuple(games))
    info = replace(info, winner=_winner(info.winner, players))
    summed = [replace(player, points_printed=read.points_summed[player.number]) for player in players]
    try:
        content = write_fmjd(info, summed, games).encode()
    except ValueError as unfit:
        raise DomainError("not_writable.characters", problem=str(unfit)) from None
    again = read_fmjd(decode_text(content).lines)
    if _of_art_11(again.players) != _of_art_11(summed) or list(again.games) != list(games):
        raise DomainError("not_writable")
    return content


def _winner(winner: str, players: Sequence[ReportedPlayer]) -> str:
    """The player in place 1. The name as it is where it is his, and where nobody has the place and it is nobody's."""
    firsts = [player.name for player in players if player.place == 1]
    named = _words(winner)
    if named and any(named <= _words(name) for name in firsts):
        return winner
    if len(firsts) == 1:
        return firsts[0] if len(firsts[0]) <= MAX_TEXT_LENGTHS["winner"] else ""
    return winner if firsts or not any(named <= _words(player.name) for player in players) else ""


def _of_art_11(players: Iterable[ReportedPlayer]) -> list[tuple[Any, ...]]:
    names = ("number", "fmjd_id", "local_id", "place", "first_name", "last_name", "federation", "born", "sex")
    return [tuple(getattr(player, name) for name in names) for player in players]


def _words(name: str) -> set[str]:
    return set(name.casefold().replace(",", " ").split())


# --- what is carried


def _player(player: ReportedPlayer, ids: Mapping[int, int], opened: OpenReport) -> ReportedPlayer:
    export = opened.submission.read.format not in ANNEX_9_FORMATS
    known = opened.matching.players.get(player.number) if export else None
    fmjd_id = ids.get(player.number) or player.fmjd_id or (known.fmjd_id if known else None)
    first, last = player.first_name, player.last_name
    if known is not None:
        first, last = known.first_name, known.last_name
    elif not (first or last):
        last = player.name
    federation = player.federation or player.federation_code or (known.federation_id or "" if known else "")
    told: dict[str, Any] = {
        "first_name": first,
        "last_name": last,
        "federation": federation,
        "local_id": player.local_id,
    }
    if opened.submission.read.format != FORMAT:
        told = {name: " ".join(text.split()) for name, text in told.items()}
    if not _local_id_fits(player):
        told["local_id"] = ""
    name = f"{told['first_name']} {told['last_name']}".strip()
    return replace(player, fmjd_id=fmjd_id, name=name, **told)


def _local_id_fits(player: ReportedPlayer) -> bool:
    return len(player.local_id) <= MAX_LOCAL_ID_LENGTH and "," not in player.local_id


def _info(info: ReportedInfo) -> ReportedInfo:
    """What the file says, each text in one line."""
    texts: dict[str, Any] = {
        name: " ".join(getattr(info, name).split())
        for name in ("name", "place", "country", "referee", "winner")
    }
    return replace(info, **texts, remarks=info.remarks if _remarks_fit(info.remarks) else "")


def _completed(
    info: ReportedInfo, facts: TournamentDetails | None, details: Mapping[str, Any]
) -> ReportedInfo:
    """What the file says, completed by the details where it is silent, so that the new file is whole by itself."""
    said: dict[str, Any] = {}
    for name, of_file in FILE_FIELDS.items():
        if facts is None or name not in details or getattr(info, of_file) not in (None, ""):
            continue
        value = getattr(facts, name)
        if name == "national_championship":
            value = value == "final"
        if not isinstance(value, str) or len(value) <= MAX_TEXT_LENGTHS.get(name, len(value)):
            said[of_file] = value
    return replace(info, **said)


def _remarks_fit(remarks: str) -> bool:
    """Whether the remarks hold no tag of the format."""
    try:
        lines = write_fmjd(ReportedInfo(remarks=remarks), (), ()).split("\n")
    except ValueError:
        return False
    return read_fmjd(tuple(lines)).info.remarks == remarks


def _details(
    opened: OpenReport, details: Mapping[str, Any], ids: Mapping[int, Any], newcomers: Mapping[int, Any]
) -> dict[str, Any]:
    """The details beside the new file: without what it holds itself now, with what only the old one held.

    What they say of a number that no player has stays, and so does an FMJD-ID that is too long for the file.
    """
    read = opened.submission.read
    numbers = {player.number for player in read.players}
    kept = {name: value for name, value in details.items() if name not in ("encoding", "points")}
    if ids:
        left = {number: each for number, each in ids.items() if number not in numbers or each > MAX_FMJD_ID}
        kept["players"] = {str(number): fmjd_id for number, fmjd_id in left.items()}
    if newcomers:
        told = details["newcomers"]
        kept["newcomers"] = {number: each for number, each in told.items() if int(number) not in numbers}
    if read.info.rounds:
        kept.setdefault("rounds", list(read.info.rounds))
    if read.info.time_control and "minutes_for_60_moves" not in kept:
        kept.setdefault("time_control", read.info.time_control)
    return {name: value for name, value in kept.items() if value != {}}


# --- what is not


def _unread_cells(read: ReadReport) -> tuple[dict[tuple[int, str], UnreadCell], set[int]]:
    """The texts of fields that could not be read, by place of the player (-1: the tournament), and their findings."""
    place_of = {player.line: place for place, player in enumerate(read.players)}
    names = {of_file: name for name, of_file in FILE_FIELDS.items()}
    cells: dict[tuple[int, str], UnreadCell] = {}
    taken: set[int] = set()
    for index, finding in enumerate(read.findings):
        name = finding.field or ""
        if finding.severity is not Severity.ERROR or finding.found == "nothing" or not finding.found:
            continue
        if name in names and read.info.positions.get(name, (0,))[0] == finding.line:
            place, value, name = -1, getattr(read.info, name), names[name]
        elif finding.line in place_of and name in SHOWN_CELLS and not read.cells:
            place = place_of[finding.line]
            value = getattr(read.players[place], {"country": "federation"}.get(name, name), "")
        else:
            continue
        if value in (None, ""):
            cells[place, name] = UnreadCell(finding.found, finding.message)
            taken.add(index)
    return cells, taken


def _unread_results(read: ReadReport, lines: Sequence[str]) -> tuple[dict[int, list[UnreadResult]], set[int]]:
    """The lines of results that could not be read, by their round, and the numbers of these lines."""
    rounds: dict[int, list[UnreadResult]] = {}
    taken: set[int] = set()
    if read.format != FORMAT:
        return rounds, taken
    told: dict[int, Finding] = {
        finding.line: finding for finding in reversed(read.findings) if finding.line and finding.field
    }
    for piece in read.unread:
        finding = told.get(piece.line)
        texts = [text.strip() for text in lines[piece.line - 1].split(",")]
        if finding is None or finding.field not in RESULT_FIELDS[1:] or len(texts) != len(RESULT_FIELDS):
            continue
        round_number = read_number(texts[0], digits=NUMBER_DIGITS)
        if round_number:
            fields = dict(zip(RESULT_FIELDS, texts, strict=True))
            rounds.setdefault(round_number, []).append(UnreadResult(fields, finding.field, finding.message))
            taken.add(piece.line)
    return rounds, taken


def _not_carried(
    read: ReadReport, long_ids: Mapping[int, Any], taken: set[int], taken_lines: set[int]
) -> Iterable[str]:
    """A sentence for each thing of the file that the format of art. 11 or the grid cannot hold."""
    counted = (
        ("Titles", [player.number for player in read.players if player.title]),
        ("Printed ratings", [player.number for player in read.players if player.rating_printed]),
        (
            "Years of birth without a day",
            [each.number for each in read.players if each.born_year and not each.born],
        ),
        ("Local IDs", [each.number for each in read.players if not _local_id_fits(each)]),
    )
    for what, numbers in counted:
        if numbers:
            yield f"{what}: number {_listed(numbers)}."
    for number, fmjd_id in long_ids.items():
        yield f"FMJD-ID {fmjd_id} of number {number}: too long for the file, it stays in the details."
    if any(not game.colours_known for game in read.games if not game.is_pause):
        yield ("The fact that the colours are unknown: the player of the upper line is written as White.")
    summed = read.points_summed
    differ = [
        player.number
        for player in read.players
        if player.points_printed is not None and player.points_printed != summed[player.number]
    ]
    if differ:
        yield f"Printed points that differ from the results: number {_listed(differ)}. The sum is written."
    odd = [game for game in read.games if game.result not in RESULTS]
    for game in odd:
        yield f"The result {game.result} of round {game.round}, {game.white} against {game.black}."
    if not _remarks_fit(read.info.remarks):
        yield "The remarks: they hold a tag of the format."
    by_reason: dict[str, list[UnreadText]] = {}
    for piece in read.unread:
        if piece.line not in taken_lines:
            by_reason.setdefault(piece.reason, []).append(piece)
    for reason, pieces in by_reason.items():
        texts = ", ".join(f"“{piece.text}”" for piece in pieces[:3])
        more = f" and {len(pieces) - 3} more" if len(pieces) > 3 else ""
        lines = list(dict.fromkeys(piece.line for piece in pieces))
        yield f"Line{'s' if len(lines) > 1 else ''} {_listed(lines)}: {texts}{more} ({reason})."
    for index, finding in enumerate(read.findings):
        if finding.code in LOST_FIELDS and index not in taken:
            place = finding.field if read.cells and finding.field else f"Line {finding.line}"
            yield f"{place}: “{finding.found}” ({finding.message})"


def _listed(numbers: Sequence[int]) -> str:
    named = ", ".join(map(str, numbers[:8]))
    return named if len(numbers) <= 8 else f"{named} and {len(numbers) - 8} more"
