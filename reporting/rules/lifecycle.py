"""The lifecycles of a report (R23) and of a request as tables: what a state means, whose turn it is, its moves.

The tables have what is possible; the policies decide who may do it, the services do it. ``docs/reference/states.md``
is printed from them, its diagrams by ``lifecycle_mermaid``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Generic, TypeVar


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
    moves: Mapping[Move, State]


def _report_row(
    description: str, turn: Turn, **moves: ReportState
) -> StateRow[ReportState, ReportMove, Turn]:
    return StateRow(
        description,
        turn,
        MappingProxyType({ReportMove[name.upper()]: state for name, state in moves.items()}),
    )


def _request_row(
    description: str, turn: Turn, **moves: RequestState
) -> StateRow[RequestState, RequestMove, Turn]:
    return StateRow(
        description,
        turn,
        MappingProxyType({RequestMove[name.upper()]: state for name, state in moves.items()}),
    )


LIFECYCLE: Mapping[ReportState, StateRow[ReportState, ReportMove, Turn]] = MappingProxyType(
    {
        ReportState.DRAFT: _report_row(
            "uploaded, perhaps with errors; the referee edits and submits it",
            Turn.REFEREE,
            submit=ReportState.SUBMITTED,
            withdraw=ReportState.WITHDRAWN,
        ),
        ReportState.SUBMITTED: _report_row(
            "without errors, with a comment on each warning; the office reviews it, or the referee takes it back",
            Turn.OFFICE,
            take_back=ReportState.DRAFT,
            accept=ReportState.ACCEPTED,
            **{"return": ReportState.RETURNED},
            reject=ReportState.REJECTED,
            withdraw=ReportState.WITHDRAWN,
        ),
        ReportState.RETURNED: _report_row(
            "returned with remarks; the next submission is a new version",
            Turn.REFEREE,
            edit=ReportState.DRAFT,
            submit=ReportState.SUBMITTED,
            withdraw=ReportState.WITHDRAWN,
        ),
        ReportState.ACCEPTED: _report_row(
            "accepted by the office, which can undo that until a list counts it",
            Turn.NONE,
            undo_acceptance=ReportState.SUBMITTED,
        ),
        ReportState.REJECTED: _report_row("rejected with a reason", Turn.NONE),
        ReportState.WITHDRAWN: _report_row("withdrawn by the referee", Turn.NONE),
    }
)
"""The lifecycle of a report (R23). ``undo_acceptance`` is possible until the period is frozen; the service checks."""

REQUEST_LIFECYCLE: Mapping[RequestState, StateRow[RequestState, RequestMove, Turn]] = MappingProxyType(
    {
        RequestState.OPEN: _request_row(
            "sent or reopened by a visitor; no official is responsible yet",
            Turn.OFFICE,
            take=RequestState.TAKEN,
            ask=RequestState.ASKED,
            answer=RequestState.ANSWERED,
        ),
        RequestState.TAKEN: _request_row(
            "an official is responsible; another one can take over",
            Turn.OFFICE,
            take=RequestState.TAKEN,
            ask=RequestState.ASKED,
            answer=RequestState.ANSWERED,
        ),
        RequestState.ASKED: _request_row(
            "the office has asked the visitor a question; it can answer without the reply",
            Turn.VISITOR,
            reply=RequestState.TAKEN,
            answer=RequestState.ANSWERED,
        ),
        RequestState.ANSWERED: _request_row(
            "answered; the visitor can reopen it once within 30 days, then it is closed",
            Turn.NONE,
            reopen=RequestState.OPEN,
        ),
    }
)
"""The lifecycle of a request. ``reopen`` is possible once and for 30 days; the service checks."""


def state_after(state: ReportState, move: ReportMove) -> ReportState | None:
    """Return the state after a move, None if the state does not allow it."""
    return LIFECYCLE[state].moves.get(move)


def lifecycle_mermaid(lifecycle: Mapping[State, StateRow[State, Move, Who]]) -> str:
    """Return a lifecycle as a Mermaid state diagram, in the order of the table; it begins with the first row."""
    lines = ["stateDiagram-v2", f"    [*] --> {next(iter(lifecycle))}"]
    for state, row in lifecycle.items():
        lines += [f"    {state} --> {after}: {move}" for move, after in row.moves.items()]
    lines += [f"    {state} --> [*]" for state, row in lifecycle.items() if not row.moves]
    return "\n".join(lines) + "\n"
