"""A Swiss tournament with its rounds, from the JSON of a pairing or from any report file."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from django.utils import timezone

from reporting.formats.pairing.pairing_file import PairingFile, read_pairing_file
from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.reports.reading.parse import read_upload
from reporting.rules.findings.finding_list import Severity
from reporting.rules.pairing.tournament import (
    PAUSE,
    SYSTEMS,
    Acceleration,
    Colours,
    PairedGame,
    PairingPlayer,
    Result,
    Tournament,
)
from reporting.rules.regulations.editions import cited, edition_on
from reporting.rules.report import ReportedGame

FORFEITS: Final[Mapping[tuple[int, int], Result]] = MappingProxyType(
    {each.points: each for each in Result if each.is_forfeit}
)
PLAYED: Final[Mapping[tuple[int, int], Result]] = MappingProxyType(
    {each.points: each for each in Result if each and not each.is_forfeit}
)


def read_paired_tournament(
    content: bytes,
    *,
    system: str = "rating",
    colours: str = Colours.NONE,
    has_floats: bool = True,
    acceleration: str = Acceleration.NONE,
    first_round: str | None = None,
    round_: int | None = None,
    is_finished: bool = True,
) -> PairingFile:
    """Read a tournament before a round, or one that `is_finished` with all its rounds.

    The options count for a report, which does not have them: its lots are the tournament numbers, its next round
    is the one after its last. Raises DomainError `busy`.
    """
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return read_pairing_file(
            content,
            round_=None if is_finished else round_,
            is_finished=is_finished,
            least_rounds=edition_on(timezone.localdate()).min_rounds,
        )
    read = read_upload(content=content, sidecar=read_sidecar(b"")).read
    findings = cited(read.grouped_findings(read.findings))
    if any(finding.severity is Severity.ERROR for finding in findings) or not read.players:
        return PairingFile(None, findings)
    chosen = SYSTEMS[system]
    next_round = read.rounds + 1 if is_finished or round_ is None else round_
    return PairingFile(
        Tournament(
            system=chosen,
            players=tuple(
                PairingPlayer(number=player.number, rating=player.rating_printed, lot=player.number)
                for player in read.players
            ),
            games=tuple(
                game
                for reported in read.games
                if reported.round < next_round and (game := _paired_game(reported)) is not None
            ),
            round=next_round,
            rounds=max(read.rounds, next_round),
            colours=Colours(colours),
            has_floats=has_floats,
            acceleration=Acceleration(acceleration),
            first_round_by_rating=chosen.by_rating if first_round is None else first_round == "rating",
        ),
        findings,
        {player.number: player.name for player in read.players},
    )


def _paired_game(game: ReportedGame) -> PairedGame | None:
    """A game of a report; None for a missed round, which is no pair."""
    points = game.white_points, game.black_points
    if game.is_pause:
        player, gained = (game.black, points[1]) if game.white == PAUSE else (game.white, points[0])
        return PairedGame(game.round, player, PAUSE, Result.WHITE_WINS) if gained == 2 else None
    return PairedGame(game.round, game.white, game.black, (PLAYED if game.played else FORFEITS)[points])
