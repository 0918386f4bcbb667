"""The life of a report as a table: the moves each state allows, where they lead, and whose turn it is (R23).

The table says what is possible; who may do it is said by the policies, and the services do it. The page of
states is drawn from it by ``lifecycle_mermaid``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class ReportState(StrEnum):
    """Where a report stands."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    ACCEPTED = "accepted"
    RETURNED = "returned"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class ReportMove(StrEnum):
    """What is done to a report."""

    MEND = "mend"
    SUBMIT = "submit"
    WITHDRAW = "withdraw"
    ACCEPT = "accept"
    RETURN = "return"
    REJECT = "reject"
    TAKE_BACK = "take_back"


class Turn(StrEnum):
    """Who has to act next."""

    REFEREE = "referee"
    OFFICE = "office"
    NOBODY = "nobody"


@dataclass(frozen=True)
class StateRow:
    """A row of the table: what the state means, whose turn it is, and the moves with where they lead."""

    says: str
    turn: Turn
    moves: Mapping[ReportMove, ReportState]


def _row(says: str, turn: Turn, **moves: ReportState) -> StateRow:
    return StateRow(
        says, turn, MappingProxyType({ReportMove[name.upper()]: state for name, state in moves.items()})
    )


LIFECYCLE: Mapping[ReportState, StateRow] = MappingProxyType(
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
            mend=ReportState.DRAFT,
            accept=ReportState.ACCEPTED,
            **{"return": ReportState.RETURNED},
            reject=ReportState.REJECTED,
            withdraw=ReportState.WITHDRAWN,
        ),
        ReportState.RETURNED: _row(
            "sent back with remarks; the next submission is a new version",
            Turn.REFEREE,
            mend=ReportState.DRAFT,
            submit=ReportState.SUBMITTED,
            withdraw=ReportState.WITHDRAWN,
        ),
        ReportState.ACCEPTED: _row(
            "in the list of its period; taken back only until the period is frozen",
            Turn.NOBODY,
            take_back=ReportState.SUBMITTED,
        ),
        ReportState.REJECTED: _row("refused with a reason", Turn.NOBODY),
        ReportState.WITHDRAWN: _row("withdrawn by the referee", Turn.NOBODY),
    }
)
"""The life of a report (R23). ``take_back`` is possible until the period is frozen; the service asks."""

FIRST_STATE = ReportState.DRAFT


def state_after(state: ReportState, move: ReportMove) -> ReportState | None:
    """Return the state a move leads to, None when the state does not allow it."""
    return LIFECYCLE[state].moves.get(move)


def lifecycle_mermaid() -> str:
    """Return the life of a report as a Mermaid state diagram, in the order of the table."""
    lines = ["stateDiagram-v2", f"    [*] --> {FIRST_STATE}"]
    for state, row in LIFECYCLE.items():
        lines += [f"    {state} --> {after}: {move}" for move, after in row.moves.items()]
    lines += [f"    {state} --> [*]" for state, row in LIFECYCLE.items() if not row.moves]
    return "\n".join(lines) + "\n"
