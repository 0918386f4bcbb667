"""The lives of a report (R23) and of a request as tables: what each state allows, where it leads, whose turn it is.

The tables say what is possible; who may do it is said by the policies, and the services do it. The page of
states is drawn from them by ``lifecycle_mermaid``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Generic, TypeVar


class ReportState(StrEnum):
    """Where a report stands."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    ACCEPTED = "accepted"
    RETURNED = "returned"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class RequestState(StrEnum):
    """Where a request from the public stands."""

    OPEN = "open"
    TAKEN = "taken"
    ASKED = "asked"
    ANSWERED = "answered"


class ReportMove(StrEnum):
    """What is done to a report."""

    EDIT = "edit"
    SUBMIT = "submit"
    WITHDRAW = "withdraw"
    ACCEPT = "accept"
    RETURN = "return"
    REJECT = "reject"
    UNDO_ACCEPTANCE = "undo_acceptance"


class RequestMove(StrEnum):
    """What is done to a request."""

    TAKE = "take"
    ASK = "ask"
    REPLY = "reply"
    ANSWER = "answer"
    REOPEN = "reopen"


class Turn(StrEnum):
    """Who has to act next."""

    REFEREE = "referee"
    VISITOR = "visitor"
    OFFICE = "office"
    NONE = "none"


State = TypeVar("State", bound=StrEnum)
Move = TypeVar("Move", bound=StrEnum)


@dataclass(frozen=True)
class StateRow(Generic[State, Move]):
    """A row of a table: what the state means, whose turn it is, and the moves with where they lead."""

    description: str
    turn: Turn
    moves: Mapping[Move, State]


def _row(says: str, turn: Turn, **moves: ReportState) -> StateRow[ReportState, ReportMove]:
    return StateRow(
        says, turn, MappingProxyType({ReportMove[name.upper()]: state for name, state in moves.items()})
    )


LIFECYCLE: Mapping[ReportState, StateRow[ReportState, ReportMove]] = MappingProxyType(
    {
        ReportState.DRAFT: _row(
            "kept with its bytes, also with errors; the referee mends it",
            Turn.REFEREE,
            submit=ReportState.SUBMITTED,
            withdraw=ReportState.WITHDRAWN,
        ),
        ReportState.SUBMITTED: _row(
            "handed in without errors, every warning answered; the office reviews it or the referee mends it before",
            Turn.OFFICE,
            edit=ReportState.DRAFT,
            accept=ReportState.ACCEPTED,
            **{"return": ReportState.RETURNED},
            reject=ReportState.REJECTED,
            withdraw=ReportState.WITHDRAWN,
        ),
        ReportState.RETURNED: _row(
            "sent back with remarks; the next submission is a new version",
            Turn.REFEREE,
            edit=ReportState.DRAFT,
            submit=ReportState.SUBMITTED,
            withdraw=ReportState.WITHDRAWN,
        ),
        ReportState.ACCEPTED: _row(
            "accepted by the office; it can be taken back until a list counts it",
            Turn.NONE,
            undo_acceptance=ReportState.SUBMITTED,
        ),
        ReportState.REJECTED: _row("refused with a reason", Turn.NONE),
        ReportState.WITHDRAWN: _row("withdrawn by the referee", Turn.NONE),
    }
)
"""The life of a report (R23). ``undo_acceptance`` is possible until the period is frozen; the service asks."""

REQUEST_LIFECYCLE: Mapping[RequestState, StateRow[RequestState, RequestMove]] = MappingProxyType(
    {
        RequestState.OPEN: StateRow(
            "sent by a visitor, or reopened by him; nobody of the office has taken it",
            Turn.OFFICE,
            MappingProxyType(
                {
                    RequestMove.TAKE: RequestState.TAKEN,
                    RequestMove.ASK: RequestState.ASKED,
                    RequestMove.ANSWER: RequestState.ANSWERED,
                }
            ),
        ),
        RequestState.TAKEN: StateRow(
            "somebody of the office looks into it; another may take it over",
            Turn.OFFICE,
            MappingProxyType(
                {
                    RequestMove.TAKE: RequestState.TAKEN,
                    RequestMove.ASK: RequestState.ASKED,
                    RequestMove.ANSWER: RequestState.ANSWERED,
                }
            ),
        ),
        RequestState.ASKED: StateRow(
            "the office asked the visitor something; it may answer without his reply",
            Turn.VISITOR,
            MappingProxyType(
                {RequestMove.REPLY: RequestState.TAKEN, RequestMove.ANSWER: RequestState.ANSWERED}
            ),
        ),
        RequestState.ANSWERED: StateRow(
            "answered; reopened once at the most and within 30 days, closed after that",
            Turn.NONE,
            MappingProxyType({RequestMove.REOPEN: RequestState.OPEN}),
        ),
    }
)
"""The life of a request from the public. ``reopen`` is possible once and for 30 days; the service asks."""


def state_after(state: ReportState, move: ReportMove) -> ReportState | None:
    """Return the state a move leads to, None when the state does not allow it."""
    return LIFECYCLE[state].moves.get(move)


def lifecycle_mermaid(lifecycle: Mapping[State, StateRow[State, Move]]) -> str:
    """Return a life as a Mermaid state diagram, in the order of the table; it begins with the first row."""
    lines = ["stateDiagram-v2", f"    [*] --> {next(iter(lifecycle))}"]
    for state, row in lifecycle.items():
        lines += [f"    {state} --> {after}: {move}" for move, after in row.moves.items()]
    lines += [f"    {state} --> [*]" for state, row in lifecycle.items() if not row.moves]
    return "\n".join(lines) + "\n"
