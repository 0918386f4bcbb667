"""The lives of a list and of a period, as tables: state → move → next state."""

from collections.abc import Mapping
from typing import Final

LIST_MOVES: Final[Mapping[str, Mapping[str, str]]] = {
    "calculated": {"search norms": "norms_searched", "open for approval": "ready", "supersede": "superseded"},
    "norms_searched": {"open for approval": "ready", "supersede": "superseded"},
    "ready": {"approve": "approved", "supersede": "superseded"},
    "approved": {"publish": "published", "supersede": "superseded"},
    "published": {},
    "superseded": {},
}
LIST_WAITING_FOR: Final[Mapping[str, str]] = {
    "calculated": "the worker",
    "norms_searched": "the worker",
    "ready": "a rating officer",
    "approved": "a releasing officer, another person",
    "published": "nobody: it never changes",
    "superseded": "nobody: it is dropped at night",
}

PERIOD_MOVES: Final[Mapping[str, Mapping[str, str]]] = {
    "open": {"freeze": "frozen"},
    "frozen": {"publish": "published"},
    "published": {"correct": "correcting"},
    "correcting": {"publish": "published", "withdraw the correction": "published"},
}
PERIOD_WAITING_FOR: Final[Mapping[str, str]] = {
    "open": "referees and the office, until the freeze",
    "frozen": "the worker and the two signatories",
    "published": "nobody",
    "correcting": "the worker and the two signatories of the revision",
}


class MoveRefusedError(ValueError):
    """A move that the state does not allow."""


def move(moves: Mapping[str, Mapping[str, str]], state: str, verb: str) -> str:
    """The state after a move. Raises MoveRefusedError where the table has no such move."""
    try:
        return moves[state][verb]
    except KeyError:
        allowed = ", ".join(moves[state]) or "nothing"
        raise MoveRefusedError(f"In the state {state} one can't {verb}; allowed: {allowed}.") from None
