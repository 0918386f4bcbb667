"""What programs and people get of a pairing: JSON by the contract of the commands, and a sentence for each reason."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from reporting.rules.findings.finding_list import Finding
from reporting.rules.pairing.field import Objective
from reporting.rules.pairing.judge_round import Broken, JudgedRound
from reporting.rules.pairing.matching import SECONDS_OF_A_COMMAND
from reporting.rules.pairing.pair_round import ImpossibleRound, Pair, PairedRound, Reason

OF_PAIRS: Mapping[str, Promise] = {
    "met": gettext_lazy("%(player)s and %(other)s have met."),
    "fixed": gettext_lazy("%(player)s and %(other)s may not meet in this tournament."),
    "floated": gettext_lazy("With %(player)s and %(other)s a float would be repeated."),
    "colour": gettext_lazy("%(player)s and %(other)s are due the same colour."),
    "completion": gettext_lazy("With %(player)s and %(other)s the others could not be paired as well."),
}
"""Why a player does not have an opponent who would have come first."""

OF_PLAYERS: Mapping[str, Promise] = {
    "odd_group": gettext_lazy("The score group is odd, so %(player)s floats to the next one."),
    "met": gettext_lazy("%(player)s has met all players of the next group."),
    "floated": gettext_lazy("%(player)s would float again."),
    "colour": gettext_lazy("%(player)s would have the wrong colour in the next group."),
    "completion": gettext_lazy("The others could not be paired as well without %(player)s."),
    "had_pause": gettext_lazy("%(player)s had a pause."),
    "last": gettext_lazy("%(player)s is the last one who can pause."),
}
"""Why a player floats or pauses, or does not."""

FLOATS_ANYWAY = gettext_lazy("%(player)s floats: the score group cannot be paired in itself.")

HARD: Mapping[str, Promise] = {
    "twice": gettext_lazy("%(player)s has two games in this round."),
    "second_meeting": gettext_lazy("%(player)s and %(other)s have met before."),
    "second_pause": gettext_lazy("%(player)s had a pause before."),
    "forbidden": gettext_lazy("%(player)s and %(other)s may not meet in this tournament."),
}

BLOCKING: Mapping[str, Promise] = {
    "second_meeting": gettext_lazy("no two players meet twice"),
    "forbidden": gettext_lazy("forbidden pairs do not meet"),
    "second_pause": gettext_lazy("no player pauses twice"),
}


def reason_text(reason: Reason, *, floats: bool = False) -> str:
    """Return the sentence of a reason; `floats` for the player of a pair of two score groups."""
    numbers = {"player": reason.player, "other": reason.other}
    if reason.other is not None:
        return str(OF_PAIRS[reason.code]) % numbers
    template = FLOATS_ANYWAY if floats and reason.code == "completion" else OF_PLAYERS[reason.code]
    return str(template) % numbers


def reasons_json(reasons: tuple[Reason, ...], *, floats: bool = False) -> list[dict[str, Any]]:
    """Return reasons as objects; the first one of a pair of two score groups says why a player floats."""
    return [
        {
            "code": reason.code,
            "player": reason.player,
            "other": reason.other,
            "article": reason.article,
            "text": reason_text(reason, floats=floats and place == 0),
        }
        for place, reason in enumerate(reasons)
    ]


def objective_json(objective: Objective) -> dict[str, Any]:
    """Return the criteria C1 to C4 of R65."""
    return {
        "crossings": list(objective.crossings),
        "distances": objective.distances,
        "repeated_floats": objective.repeated_floats,
        "colour_faults": objective.colour_faults,
    }


def objective_text(objective: Objective) -> str:
    """Return the criteria C1 to C4 of R65 as people read them."""
    return gettext(
        "boundaries crossed %(crossings)s; distances %(distances)s; repeated floats %(floats)s;"
        " colour faults %(faults)s"
    ) % {
        "crossings": ", ".join(map(str, objective.crossings)) or "0",
        "distances": objective.distances,
        "floats": objective.repeated_floats,
        "faults": objective.colour_faults,
    }


def round_json(answer: PairedRound | ImpossibleRound) -> dict[str, Any]:
    """Return a round, or why it cannot be paired."""
    if isinstance(answer, ImpossibleRound):
        return {
            "round": answer.round,
            "error": "impossible",
            "blocked_by": list(answer.blocked_by),
            "text": impossible_text(answer),
        }
    return {
        "round": answer.round,
        "pairs": [_pair_json(pair) for pair in answer.pairs],
        "pause": answer.pause,
        "why_pause": reasons_json(answer.why_pause),
        "objective": objective_json(answer.objective),
    }


def impossible_text(answer: ImpossibleRound) -> str:
    """Return the sentence that names the rules in the way (R69d)."""
    rules = ", ".join(str(BLOCKING[rule]) for rule in answer.blocked_by)
    return str(gettext_lazy("Round %(round)s cannot be paired. Rules in the way: %(rules)s.")) % {
        "round": answer.round,
        "rules": rules,
    }


def too_costly_json(round_: int) -> dict[str, Any]:
    """Return that a round takes more time than a command gives it."""
    return {"round": round_, "error": "too_costly", "text": too_costly_text(round_)}


def too_costly_text(round_: int) -> str:
    """Return the sentence of a round that takes more time than a command gives it, with what to do."""
    return gettext(
        "Pairing round %(round)s takes more than %(seconds)s seconds. Fix some pairs by hand, or forbid fewer."
    ) % {"round": round_, "seconds": SECONDS_OF_A_COMMAND}


def judged_json(judged: JudgedRound) -> dict[str, Any]:
    """Return a round beside the best one."""
    return {
        "round": judged.round,
        "hard": [
            {"code": broken.code, "players": list(broken.players), "text": broken_text(broken)}
            for broken in judged.hard
        ],
        "same": judged.is_same,
        "objective": objective_json(judged.objective),
        "best": None if judged.best is None else objective_json(judged.best),
        "differences": [list(pair) for pair in judged.differences],
    }


def broken_text(broken: Broken) -> str:
    """Return the sentence of a hard rule that a round breaks."""
    return str(HARD[broken.code]) % {"player": broken.players[0], "other": broken.players[-1]}


def invalid_json(findings: tuple[Finding, ...]) -> dict[str, Any]:
    """Return what is wrong with a file."""
    return {"error": "invalid", "findings": [finding.to_json() for finding in findings]}


def _pair_json(pair: Pair) -> dict[str, Any]:
    return {
        "board": pair.board,
        "white": pair.white,
        "black": pair.black,
        "why": reasons_json(pair.why, floats=pair.scores[0] != pair.scores[1]),
    }
