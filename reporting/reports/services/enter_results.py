"""Any report in the fields of results entry, with what saving does not keep."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from reporting.federations.facet import ReportRules
from reporting.formats.tables.field_parsers import NUMBER_DIGITS, read_number
from reporting.formats.text.decode import decode_text
from reporting.formats.tournament_details.sidecar import Sidecar
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.open_report import OpenReport
from reporting.rules.checks import places_by_tie_breaks
from reporting.rules.details.sessions import in_rounds
from reporting.rules.details.shared_details import System
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding, Severity
from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.register.registers import Register
from reporting.rules.report import (
    PAUSE,
    RESULT_FIELDS,
    RESULTS,
    EntryFormat,
    ReadReport,
    ReportedGame,
    ReportedInfo,
    ReportedPlayer,
    UnreadText,
    entry_formats,
    is_made_for_reports,
)

FILE_FIELDS = {
    "name": "name", "place": "place", "country": "country", "referee": "referee", "played_from": "played_from",
    "played_to": "played_to", "system": "system", "national_championship": "national_championship",
    "women_only": "women_championship",
}  # fmt: skip
"""The details that the file holds as well, each with its name there."""

SHOWN_CELLS = frozenset({"fmjd_id", "born", "sex", "place"})
"""Fields of a player that are empty where the file's value is not readable."""

LOST_FIELDS = frozenset({
    "date-unreadable", "date-unknown", "fmjd-id-unreadable", "place-unreadable", "sex-unknown", "type-unknown",
    "yes-or-no-unknown", "points-unreadable", "formula-refused",
})  # fmt: skip
"""Findings of a value that was not used although its line was read."""


@dataclass(frozen=True)
class UnreadCell:
    """The text of a field of the file that is not readable, and its finding."""

    text: str
    finding: Finding


@dataclass(frozen=True)
class UnreadResult:
    """A line of results that is not readable: the texts of its fields, and the finding of one of them."""

    fields: Mapping[str, str]
    field: str
    finding: Finding


class LossKind(StrEnum):
    """A kind of data that saving does not keep."""

    TOURNAMENT_VALUE = "tournament_value"
    PLAYER_VALUE = "player_value"
    RESULT_LINE = "result_line"
    TITLES = "titles"
    PRINTED_RATINGS = "printed_ratings"
    BIRTH_YEARS = "birth_years"
    LOCAL_IDS = "local_ids"
    LONG_FMJD_ID = "long_fmjd_id"
    COLOURS = "colours"
    GAME_DAYS = "game_days"
    SUBSTITUTES = "substitutes"
    PRINTED_POINTS = "printed_points"
    RESULT = "result"
    REMARKS = "remarks"
    LINES = "lines"
    FIELD = "field"
    LINE_VALUE = "line_value"


@dataclass(frozen=True)
class Loss:
    """Data of the file that saving does not keep: its kind, and the values that the sentence for it names."""

    kind: LossKind
    values: Mapping[str, Any]


@dataclass(frozen=True)
class ResultsGrid:
    """A report ready to be saved as a file of `entry_format`; `details` are its tournament details.

    `unread_info` and `unread_players` (by place of the player and field) are the texts of cells that are not readable;
    `unread_results` are those of the results of a round. `not_importable` is what saving does not keep apart from
    these; `is_new_format` says that the file has another format now.
    """

    entry_format: EntryFormat
    register: Register
    info: ReportedInfo
    players: Sequence[ReportedPlayer]
    games: Sequence[ReportedGame]
    details: Mapping[str, Any]
    unread_info: Mapping[str, UnreadCell]
    unread_players: Mapping[tuple[int, str], UnreadCell]
    unread_results: Mapping[int, Sequence[UnreadResult]]
    not_importable: Sequence[Loss]
    is_new_format: bool

    def losses_on_save(
        self, *, shown: Container[int] = (), round_number: int | None = None
    ) -> Sequence[Loss]:
        """What saving one page does not keep.

        `shown` are the places of the players on the page, where their cells and the tournament can be corrected;
        `round_number` is the round on it.
        """
        of_info = () if shown else self.unread_info.values()
        return [
            *(
                Loss(LossKind.TOURNAMENT_VALUE, {"text": cell.text, "message": cell.finding.message})
                for cell in of_info
            ),
            *(
                Loss(
                    LossKind.PLAYER_VALUE,
                    {
                        "text": cell.text,
                        "number": self.players[place].number,
                        "message": cell.finding.message,
                    },
                )
                for (place, _), cell in self.unread_players.items()
                if place not in shown
            ),
            *(
                Loss(
                    LossKind.RESULT_LINE,
                    {
                        "round": number,
                        "text": ", ".join(result.fields.values()),
                        "message": result.finding.message,
                    },
                )
                for number, results in self.unread_results.items()
                if number != round_number
                for result in results
            ),
            *self.not_importable,
        ]

    @property
    def read(self) -> ReadReport:
        """The same as a report that was read: sums and rounds."""
        return ReadReport(
            self.entry_format.key, "", info=self.info, players=tuple(self.players), games=tuple(self.games)
        )


def results_grid(opened: OpenReport) -> ResultsGrid:
    """The newest version of a report for results entry, in any format. 0 queries, or those of the matching.

    The players have the FMJD-IDs and the data of new players of the details. The players of an export, which has no
    IDs, have the IDs and names of the players they were matched with. Raises DomainError `not_readable`.
    """
    # A file has a round for each game of a session.
    read = replace(opened.submission.read, games=opened.reading.read.games)
    if not read.format:
        raise DomainError("not_readable")
    sidecar, rules = opened.sidecar, opened.submission.rules
    entry_format, register = rules.entry_format, rules.register
    complete = [_player(player, sidecar.fmjd_ids, opened) for player in read.players]
    long_ids = {
        player.number: player.fmjd_id
        for player in complete
        if player.fmjd_id and not _number_fits(player.fmjd_id, register)
    }
    players = [replace(player, fmjd_id=None) if player.number in long_ids else player for player in complete]
    remaining = _details(read, sidecar, {**sidecar.fmjd_ids, **long_ids}, register)
    info = _info(read.info, entry_format)
    if read.format not in entry_formats():
        info, remaining = move_long_texts(info, remaining, entry_format)
    info = _completed(info, opened.submission.details, remaining, entry_format)
    cells, shown = _unread_cells(read)
    results, shown_lines = _unread_results(read, opened.lines, entry_format)
    return ResultsGrid(
        entry_format=entry_format,
        register=register,
        info=info,
        players=players,
        games=[
            game
            if game.colours_known
            and not (game.started_on or game.finished_on or game.white_for or game.black_for)
            else replace(
                game, colours_known=True, started_on=None, finished_on=None, white_for=None, black_for=None
            )
            for game in read.games
            if game.result in RESULTS
        ],
        details=remaining,
        unread_info={name: cell for (place, name), cell in cells.items() if place < 0},
        unread_players={(place, name): cell for (place, name), cell in cells.items() if place >= 0},
        unread_results=results,
        not_importable=list(_not_kept(read, rules, long_ids, shown, shown_lines)),
        is_new_format=read.format != entry_format.key,
    )


def move_long_texts(
    info: ReportedInfo, details: Mapping[str, Any], entry_format: EntryFormat
) -> tuple[ReportedInfo, dict[str, Any]]:
    """Move texts that are too long for the file to the details, which hold the full text."""
    longer = dict(details)
    for name, max_length in entry_format.max_lengths.items():
        text: str = getattr(info, name, "")
        if name in FILE_FIELDS and len(text) > max_length:
            longer.setdefault(name, text)
            changes: dict[str, Any] = {name: ""}
            info = replace(info, **changes)
    return info, longer


def with_places(
    opened: OpenReport, players: Sequence[ReportedPlayer], games: Sequence[ReportedGame]
) -> list[ReportedPlayer]:
    """These players with their places by points, then by the tie-breaks of the details (R52).

    Players who are equal in all get none; with details that cannot be read that is all with equal points. Where a game
    names no player, or two have one number, the places stay as they are: there is no order yet.
    """
    numbers = {player.number for player in players}
    named = {side for game in games for side in (game.white, game.black)} - {PAUSE}
    if len(numbers) < len(players) or not named <= numbers:
        return list(players)
    details, read = (
        opened.submission.details,
        ReadReport(opened.submission.rules.entry_format.key, "", players=tuple(players), games=tuple(games)),
    )
    system = (details.system if details else None) or opened.submission.read.info.system
    places = places_by_tie_breaks(
        in_rounds(read, details.session, has_rounds=opened.submission.rules.has_rounds) if details else read,
        details or TournamentDetails(standings=("lot",)),
        System(system) if system else None,
    )
    return [replace(player, place=places[player.number]) for player in players]


def grid_file(
    entry_format: EntryFormat,
    info: ReportedInfo,
    players: Sequence[ReportedPlayer],
    games: Sequence[ReportedGame],
) -> bytes:
    """The file of results entry in this format, with the sums of points and the winner by place.

    Raises DomainError `not_writable` where reading the file gives other players or games.
    """
    read = ReadReport(entry_format.key, "", players=tuple(players), games=tuple(games))
    info = replace(info, winner=_winner(info.winner, players, entry_format))
    summed = [replace(player, points_printed=read.points_summed[player.number]) for player in players]
    try:
        content = entry_format.write(info, summed, games).encode()
    except ValueError as unfit:
        raise DomainError(
            "not_writable.characters", format=entry_format.labels[entry_format.key], problem=str(unfit)
        ) from None
    again = entry_format.read(decode_text(content).lines)
    if _entered(again.players) != _entered(summed) or list(again.games) != list(games):
        raise DomainError("not_writable", format=entry_format.labels[entry_format.key])
    return content


def _winner(winner: str, players: Sequence[ReportedPlayer], entry_format: EntryFormat) -> str:
    """The player in place 1. The given name stays if it is the name of that player, or of no player of the report."""
    winners = [player.name for player in players if player.place == 1]
    words = _words(winner)
    if words and any(words <= _words(name) for name in winners):
        return winner
    if len(winners) == 1:
        return winners[0] if _length_fits(winners[0], "winner", entry_format) else ""
    return winner if winners or not any(words <= _words(player.name) for player in players) else ""


def _entered(players: Iterable[ReportedPlayer]) -> list[tuple[Any, ...]]:
    names = ("number", "fmjd_id", "local_id", "place", "first_name", "last_name", "federation", "born", "sex")
    return [tuple(getattr(player, name) for name in names) for player in players]


def _words(name: str) -> set[str]:
    return set(normalize_name(name).split())


# --- what results entry keeps


def _player(player: ReportedPlayer, ids: Mapping[int, int | str], opened: OpenReport) -> ReportedPlayer:
    export = not is_made_for_reports(opened.submission.read.format)
    known = opened.players.get(player.number) if export or not player.name else None
    fmjd_id = ids.get(player.number) or player.fmjd_id
    if known is not None and not fmjd_id:
        fmjd_id = known.number_in(opened.submission.register) or known.address
    first, last = player.first_name, player.last_name
    if known is not None:
        first, last = known.first_name, known.last_name
    elif not (first or last):
        last = player.name
    federation = player.federation or player.federation_code or (known.federation_id or "" if known else "")
    texts: dict[str, Any] = {
        "first_name": first,
        "last_name": last,
        "federation": federation,
        "local_id": player.local_id,
    }
    entry_format = opened.submission.rules.entry_format
    if opened.submission.read.format != entry_format.key:
        texts = {name: " ".join(text.split()) for name, text in texts.items()}
    if not _local_id_fits(player, entry_format):
        texts["local_id"] = ""
    name = f"{texts['first_name']} {texts['last_name']}".strip()
    return replace(player, fmjd_id=fmjd_id, name=name, **texts)


def _number_fits(number: int | str, register: Register) -> bool:
    return isinstance(number, int) and register.has_form(str(number))


def _length_fits(text: str, name: str, entry_format: EntryFormat) -> bool:
    return len(text) <= entry_format.max_lengths.get(name, len(text))


def _local_id_fits(player: ReportedPlayer, entry_format: EntryFormat) -> bool:
    separated = entry_format.separator in player.local_id
    return not separated and _length_fits(player.local_id, "local_id", entry_format)


def _info(info: ReportedInfo, entry_format: EntryFormat) -> ReportedInfo:
    """The tournament of the file, texts in one line."""
    texts: dict[str, Any] = {
        name: " ".join(getattr(info, name).split())
        for name in ("name", "place", "country", "referee", "winner")
    }
    return replace(info, **texts, remarks=info.remarks if _remarks_fit(info.remarks, entry_format) else "")


def _completed(
    info: ReportedInfo,
    parsed: TournamentDetails | None,
    details: Mapping[str, Any],
    entry_format: EntryFormat,
) -> ReportedInfo:
    """The tournament of the file, completed by the details, so that the new file is complete."""
    added: dict[str, Any] = {}
    for name, of_file in FILE_FIELDS.items():
        if parsed is None or name not in details or getattr(info, of_file) not in (None, ""):
            continue
        value = getattr(parsed, name)
        if name == "national_championship":
            value = value == "final"
        if not isinstance(value, str) or _length_fits(value, name, entry_format):
            added[of_file] = value
    return replace(info, **added)


def _remarks_fit(remarks: str, entry_format: EntryFormat) -> bool:
    """Whether the remarks contain no tag of the format."""
    try:
        lines = entry_format.write(ReportedInfo(remarks=remarks), (), ()).split("\n")
    except ValueError:
        return False
    return entry_format.read(tuple(lines)).info.remarks == remarks


def _details(
    read: ReadReport, sidecar: Sidecar, ids: Mapping[int, Any], register: Register
) -> dict[str, Any]:
    """The details next to the new file: without the values it has itself, with those that only the old one had.

    Entries for a number that no player has stay, FMJD-IDs that are too long for the file, and new players who have one.
    """
    numbers = {player.number for player in read.players}
    # A new player whose number the register does not have stays one by the details alone.
    rewritten = {player.number for player in read.players if not player.fmjd_id}
    # Where the federation fixes the scale of points, this detail is about the old file alone.
    is_scale_fixed = sidecar.details and sidecar.details.fixed_points_scale
    of_old_file = {"encoding", "points"} if is_scale_fixed else {"encoding"}
    remaining = {name: value for name, value in sidecar.values.items() if name not in of_old_file}
    if ids:
        remaining["players"] = {
            str(number): fmjd_id
            for number, fmjd_id in ids.items()
            if number not in numbers or not _number_fits(fmjd_id, register)
        }
    if sidecar.newcomers:
        remaining["newcomers"] = {
            number: data
            for number, data in sidecar.values["newcomers"].items()
            if int(number) not in rewritten
        }
    if read.info.rounds:
        remaining.setdefault("rounds", list(read.info.rounds))
    if read.info.time_control and "minutes_for_60_moves" not in remaining:
        remaining.setdefault("time_control", read.info.time_control)
    return {name: value for name, value in remaining.items() if value != {}}


# --- what results entry does not keep


def _unread_cells(read: ReadReport) -> tuple[dict[tuple[int, str], UnreadCell], set[int]]:
    """Texts of unreadable fields by place of the player (-1: the tournament), and the indexes of their findings."""
    place_of = {player.line: place for place, player in enumerate(read.players)}
    names = {of_file: name for name, of_file in FILE_FIELDS.items()}
    cells: dict[tuple[int, str], UnreadCell] = {}
    shown: set[int] = set()
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
            cells[place, name] = UnreadCell(finding.found, finding)
            shown.add(index)
    return cells, shown


def _unread_results(
    read: ReadReport, lines: Sequence[str], entry_format: EntryFormat
) -> tuple[dict[int, list[UnreadResult]], set[int]]:
    """The lines of results that are not readable, by round, and the numbers of these lines."""
    rounds: dict[int, list[UnreadResult]] = {}
    shown: set[int] = set()
    if read.format != entry_format.key:
        return rounds, shown
    by_line: dict[int, Finding] = {
        finding.line: finding for finding in reversed(read.findings) if finding.line and finding.field
    }
    for piece in read.unread:
        finding = by_line.get(piece.line)
        texts = [text.strip() for text in lines[piece.line - 1].split(entry_format.separator)]
        if finding is None or finding.field not in RESULT_FIELDS[1:] or len(texts) != len(RESULT_FIELDS):
            continue
        round_number = read_number(texts[0], digits=NUMBER_DIGITS)
        if round_number:
            fields = dict(zip(RESULT_FIELDS, texts, strict=True))
            rounds.setdefault(round_number, []).append(UnreadResult(fields, finding.field, finding))
            shown.add(piece.line)
    return rounds, shown


def _not_kept(
    read: ReadReport,
    rules: ReportRules,
    long_ids: Mapping[int, Any],
    shown: set[int],
    shown_lines: set[int],
) -> Iterable[Loss]:
    """The data of the file that the format of results entry, or results entry, cannot hold."""
    entry_format, register = rules.entry_format, rules.register
    by_kind = {
        LossKind.TITLES: [player.number for player in read.players if player.title],
        LossKind.PRINTED_RATINGS: [player.number for player in read.players if player.rating_printed],
        LossKind.BIRTH_YEARS: [
            player.number for player in read.players if player.born_year and not player.born
        ],
        LossKind.LOCAL_IDS: [
            player.number for player in read.players if not _local_id_fits(player, entry_format)
        ],
    }
    for kind, numbers in by_kind.items():
        if numbers:
            yield Loss(kind, {"numbers": numbers})
    for number, fmjd_id in long_ids.items():
        yield Loss(
            LossKind.LONG_FMJD_ID,
            {"fmjd_id": fmjd_id, "number": number, "number_label": register.number_label},
        )
    if any(not game.colours_known for game in read.games if not game.is_pause):
        yield Loss(LossKind.COLOURS, {})
    if any(game.started_on or game.finished_on for game in read.games):
        yield Loss(LossKind.GAME_DAYS, {})
    if any(game.white_for or game.black_for for game in read.games):
        yield Loss(LossKind.SUBSTITUTES, {})
    summed = read.points_summed
    differ = [
        player.number
        for player in read.players
        if player.points_printed is not None and player.points_printed != summed[player.number]
    ]
    if differ:
        yield Loss(LossKind.PRINTED_POINTS, {"numbers": differ})
    for game in read.games:
        if game.result not in RESULTS:
            yield Loss(
                LossKind.RESULT,
                {"result": game.result, "round": game.round, "white": game.white, "black": game.black},
            )
    if not _remarks_fit(read.info.remarks, entry_format):
        yield Loss(LossKind.REMARKS, {})
    yield from _unread_losses(read, shown, shown_lines)


def _unread_losses(read: ReadReport, shown: set[int], shown_lines: set[int]) -> Iterable[Loss]:
    """The texts of the file that were not used."""
    by_reason: dict[str, list[UnreadText]] = {}
    for piece in read.unread:
        if piece.line not in shown_lines:
            by_reason.setdefault(piece.reason, []).append(piece)
    for reason, pieces in by_reason.items():
        lines = list(dict.fromkeys(piece.line for piece in pieces))
        texts = [piece.text for piece in pieces]
        yield Loss(LossKind.LINES, {"lines": lines, "texts": texts, "reason": reason})
    for index, finding in enumerate(read.findings):
        if finding.code in LOST_FIELDS and index not in shown:
            values = {"text": finding.found, "message": finding.message}
            if read.cells and finding.field:
                yield Loss(LossKind.FIELD, {"field": finding.field, **values})
            else:
                yield Loss(LossKind.LINE_VALUE, {"line": finding.line, **values})
