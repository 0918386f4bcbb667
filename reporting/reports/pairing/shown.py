"""A paired round and judged rounds as a page shows them: names, points, colours and floats so far, sentences."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext

from reporting.reports.pairing.answers import broken_text, objective_json, objective_text, reason_text
from reporting.rules.pairing.judge_round import JudgedRound
from reporting.rules.pairing.pair_round import PairedRound, Reason, pair_round
from reporting.rules.pairing.tournament import (
    PAUSE,
    SYSTEMS,
    History,
    PairedGame,
    PairingPlayer,
    Result,
    Tournament,
    history_of,
)

COLOURS = {1: "W", -1: "B", 0: "·"}
FLOATS = {1: "↑", -1: "↓", 0: ""}


@dataclass(frozen=True)
class ShownPlayer:
    """A player before the round. `colours` has a letter a round, `floats` an arrow for each float of the last two."""

    number: int
    name: str
    rating: int | None
    points: int
    colours: str
    floats: str


@dataclass(frozen=True)
class ShownPair:
    """A board with both players, White first, and a sentence with its article for each reason."""

    board: int
    white: ShownPlayer
    black: ShownPlayer
    reasons: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ShownJudgement:
    """A round as it was paired elsewhere: the pairs that differ, the hard rules it breaks, both criteria."""

    judged: JudgedRound
    differences: tuple[str, ...]
    hard: tuple[str, ...]
    objective: str
    best: str


def shown_pairs(
    tournament: Tournament, answer: PairedRound, names: Mapping[int, str]
) -> tuple[list[ShownPair], tuple[ShownPlayer, tuple[tuple[str, str], ...]] | None]:
    """Return the boards of a round, and who pauses with the reasons, None without a pause."""
    players = _players(history_of(tournament), names)
    pairs = [
        ShownPair(
            board=pair.board,
            white=players[pair.white],
            black=players[pair.black],
            reasons=tuple(
                (reason_text(reason, floats=place == 0 and pair.scores[0] != pair.scores[1]), _cited(reason))
                for place, reason in enumerate(pair.why)
            ),
        )
        for pair in answer.pairs
    ]
    if answer.pause is None:
        return pairs, None
    return pairs, (
        players[answer.pause],
        tuple((reason_text(reason), _cited(reason)) for reason in answer.why_pause),
    )


def shown_judgements(judged: Iterable[JudgedRound]) -> Iterator[ShownJudgement]:
    """Yield rounds as a page shows them."""
    for judgement in judged:
        yield ShownJudgement(
            judged=judgement,
            differences=tuple(
                f"{white}" if black == PAUSE else f"{white}–{black}" for white, black in judgement.differences
            ),
            hard=tuple(map(broken_text, judgement.hard)),
            objective=objective_text(judgement.objective),
            best="" if judgement.best is None else objective_text(judgement.best),
        )


EXAMPLE: Final = Tournament(
    SYSTEMS["rating"],
    tuple(PairingPlayer(number, 2310 - 10 * number, number) for number in range(1, 9)),
    (
        PairedGame(1, 1, 5, Result.WHITE_WINS),
        PairedGame(1, 6, 2, Result.DRAW),
        PairedGame(1, 3, 7, Result.WHITE_WINS),
        PairedGame(1, 8, 4, Result.BLACK_WINS),
    ),
    round=2,
    rounds=7,
)
"""Eight players after a round: the winners 1, 3 and 4 have 2 points, 2 and 6 have 1, the others none."""


def worked_round() -> dict[str, Any]:
    """Return the round of `EXAMPLE` for a page, paired by the engine."""
    answer = pair_round(EXAMPLE)
    assert isinstance(answer, PairedRound)  # noqa: S101 (the cases have this round by hand)
    pairs, pause = shown_pairs(EXAMPLE, answer, {})
    return {"answer": answer, "pairs": pairs, "pause": pause, "objective": objective_json(answer.objective)}


def _cited(reason: Reason) -> str:
    """The article of a reason as a sentence cites it."""
    if reason.article.startswith("App."):
        return reason.article
    return gettext("art. %(article)s") % {"article": reason.article}


def _players(history: History, names: Mapping[int, str]) -> dict[int, ShownPlayer]:
    table = history.table
    return {
        player.number: ShownPlayer(
            number=player.number,
            name=names.get(player.number, ""),
            rating=player.rating,
            points=int(history.table.scores[row]),
            colours="".join(COLOURS[colour] for colour in table.colours[row].tolist()),
            floats="".join(FLOATS[sign] for sign in history.floats[row, -2:].tolist()),
        )
        for row, player in enumerate(history.tournament.players)
    }
