"""Lifecycles as tables: what a state means, whose turn it is, its moves; those of a report (R23) and of a request.

The tables have what is possible; the policies decide who may do it, the services do it. ``docs/reference/states.md``
is printed from them, its diagrams by ``lifecycle_mermaid``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeVar


class ReportState(StrEnum):
    """The state of a report."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    ACCEPTED = "accepted"
    RETURNED = "returned"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class RequestState(StrEnum):
    """The state of a request from the public."""

    OPEN = "open"
    TAKEN = "taken"
    ASKED = "asked"
    ANSWERED = "answered"


class ReportMove(StrEnum):
    """What happens to a report."""

    EDIT = "edit"
    SUBMIT = "submit"
    WITHDRAW = "withdraw"
    TAKE_BACK = "take_back"
    ACCEPT = "accept"
    RETURN = "return"
    REJECT = "reject"
    UNDO_ACCEPTANCE = "undo_acceptance"


class RequestMove(StrEnum):
    """What happens to a request."""

    TAKE = "take"
    ASK = "ask"
    REPLY = "reply"
    ANSWER = "answer"
    REOPEN = "reopen"


class Turn(StrEnum):
    """Who acts next."""

    REFEREE = "referee"
    VISITOR = "visitor"
    OFFICE = "office"
    NONE = "none"


State = TypeVar("State", bound=StrEnum)
Move = TypeVar("Move", bound=StrEnum)
Who = TypeVar("Who", bound=StrEnum)


@dataclass(frozen=True)
class StateRow(Generic[State, Move, Who]):
    """A row of a table: what the state means, whose turn it is, and the moves with the states after them."""

    description: str
    turn: Who
    moves: Mapping[Move, State] = field(default_factory=dict)


Lifecycle = Mapping[State, StateRow[State, Move, Who]]
"""The table of a lifecycle: a row for each state, the first one first."""


def move(
    lifecycle: Lifecycle[State, Move, Who], state: str, made: Move, refusal: Exception | None = None
) -> State:
    """Return the state after a move. Raises `refusal`, else ValueError, if the state does not allow it."""
    rows: Mapping[Any, StateRow[State, Move, Who]] = lifecycle
    after = rows[state].moves.get(made)
    if after is None:
        raise refusal or ValueError(f"The state {state} does not allow the move {made}.")
    return after


LIFECYCLE: Lifecycle[ReportState, ReportMove, Turn] = {
    ReportState.DRAFT: StateRow(
        "uploaded, perhaps with errors; the referee edits and submits it",
        Turn.REFEREE,
        {ReportMove.SUBMIT: ReportState.SUBMITTED, ReportMove.WITHDRAW: ReportState.WITHDRAWN},
    ),
    ReportState.SUBMITTED: StateRow(
        "without errors, with a comment on each warning; the office reviews it, or the referee takes it back",
        Turn.OFFICE,
        {
            ReportMove.TAKE_BACK: ReportState.DRAFT,
            ReportMove.ACCEPT: ReportState.ACCEPTED,
            ReportMove.RETURN: ReportState.RETURNED,
            ReportMove.REJECT: ReportState.REJECTED,
            ReportMove.WITHDRAW: ReportState.WITHDRAWN,
        },
    ),
    ReportState.RETURNED: StateRow(
        "returned with remarks; the next submission is a new version",
        Turn.REFEREE,
        {
            ReportMove.EDIT: ReportState.DRAFT,
            ReportMove.SUBMIT: ReportState.SUBMITTED,
            ReportMove.WITHDRAW: ReportState.WITHDRAWN,
        },
    ),
    ReportState.ACCEPTED: StateRow(
        "accepted by the office, which can undo that until a list counts it",
        Turn.NONE,
        {ReportMove.UNDO_ACCEPTANCE: ReportState.SUBMITTED},
    ),
    ReportState.REJECTED: StateRow("rejected with a reason", Turn.NONE),
    ReportState.WITHDRAWN: StateRow("withdrawn by the referee", Turn.NONE),
}
"""The lifecycle of a report (R23). ``undo_acceptance`` is possible until the period is frozen; the service checks."""

REQUEST_LIFECYCLE: Lifecycle[RequestState, RequestMove, Turn] = {
    RequestState.OPEN: StateRow(
        "sent or reopened by a visitor; no official is responsible yet",
        Turn.OFFICE,
        {
            RequestMove.TAKE: RequestState.TAKEN,
            RequestMove.ASK: RequestState.ASKED,
            RequestMove.ANSWER: RequestState.ANSWERED,
        },
    ),
    RequestState.TAKEN: StateRow(
        "an official is responsible; another one can take over",
        Turn.OFFICE,
        {
            RequestMove.TAKE: RequestState.TAKEN,
            RequestMove.ASK: RequestState.ASKED,
            RequestMove.ANSWER: RequestState.ANSWERED,
        },
    ),
    RequestState.ASKED: StateRow(
        "the office has asked the visitor a question; it can answer without the reply",
        Turn.VISITOR,
        {RequestMove.REPLY: RequestState.TAKEN, RequestMove.ANSWER: RequestState.ANSWERED},
    ),
    RequestState.ANSWERED: StateRow(
        "answered; the visitor can reopen it once within 30 days, then it is closed",
        Turn.NONE,
        {RequestMove.REOPEN: RequestState.OPEN},
    ),
}
"""The lifecycle of a request. ``reopen`` is possible once and for 30 days; the service checks."""


def lifecycle_mermaid(lifecycle: Lifecycle[State, Move, Who]) -> str:
    """Return a lifecycle as a Mermaid state diagram, in the order of the table; it begins with the first row."""
    lines = ["stateDiagram-v2", f"    [*] --> {next(iter(lifecycle))}"]
    for state, row in lifecycle.items():
        lines += [f"    {state} --> {after}: {made}" for made, after in row.moves.items()]
    lines += [f"    {state} --> [*]" for state, row in lifecycle.items() if not row.moves]
    return "\n".join(lines) + "\n"
