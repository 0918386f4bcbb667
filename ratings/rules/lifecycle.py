"""The lifecycles of a rating list and of a period, in the same tables as those of reports and requests."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from reporting.rules.lifecycle import StateRow


class ListState(StrEnum):
    """The state of a rating list."""

    CALCULATED = "calculated"
    NORMS_SEARCHED = "norms_searched"
    READY = "ready"
    APPROVED = "approved"
    PUBLISHED = "published"
    SUPERSEDED = "superseded"


class ListMove(StrEnum):
    """What happens to a rating list."""

    SEARCH_NORMS = "search_norms"
    OPEN_FOR_APPROVAL = "open_for_approval"
    APPROVE = "approve"
    PUBLISH = "publish"
    SUPERSEDE = "supersede"


class PeriodState(StrEnum):
    """The state of a period."""

    OPEN = "open"
    FROZEN = "frozen"
    PUBLISHED = "published"
    CORRECTING = "correcting"


class PeriodMove(StrEnum):
    """What happens to a period."""

    FREEZE = "freeze"
    PUBLISH = "publish"
    CORRECT = "correct"
    WITHDRAW_CORRECTION = "withdraw_correction"


class ListTurn(StrEnum):
    """Who acts next on a list or a period."""

    REPORTS = "referees_and_office"
    WORKER = "worker"
    RATING_OFFICER = "rating_officer"
    RELEASING_OFFICER = "releasing_officer"
    LIST = "list"
    NONE = "none"


def _list_row(
    description: str, turn: ListTurn, **moves: ListState
) -> StateRow[ListState, ListMove, ListTurn]:
    return StateRow(
        description, turn, MappingProxyType({ListMove[name.upper()]: state for name, state in moves.items()})
    )


def _period_row(
    description: str, turn: ListTurn, **moves: PeriodState
) -> StateRow[PeriodState, PeriodMove, ListTurn]:
    return StateRow(
        description,
        turn,
        MappingProxyType({PeriodMove[name.upper()]: state for name, state in moves.items()}),
    )


LIST_LIFECYCLE: Mapping[ListState, StateRow[ListState, ListMove, ListTurn]] = MappingProxyType(
    {
        ListState.CALCULATED: _list_row(
            "calculated; the next step of the worker follows",
            ListTurn.WORKER,
            search_norms=ListState.NORMS_SEARCHED,
            open_for_approval=ListState.READY,
            supersede=ListState.SUPERSEDED,
        ),
        ListState.NORMS_SEARCHED: _list_row(
            "its norms are found; anomalies follow",
            ListTurn.WORKER,
            open_for_approval=ListState.READY,
            supersede=ListState.SUPERSEDED,
        ),
        ListState.READY: _list_row(
            "a rating officer answers the anomalies and approves it",
            ListTurn.RATING_OFFICER,
            approve=ListState.APPROVED,
            supersede=ListState.SUPERSEDED,
        ),
        ListState.APPROVED: _list_row(
            "signed once; another person publishes it",
            ListTurn.RELEASING_OFFICER,
            publish=ListState.PUBLISHED,
            supersede=ListState.SUPERSEDED,
        ),
        ListState.PUBLISHED: _list_row("published; it never changes", ListTurn.NONE),
        ListState.SUPERSEDED: _list_row("replaced by a later draft; deleted at night", ListTurn.NONE),
    }
)
"""The lifecycle of a rating list."""

PERIOD_LIFECYCLE: Mapping[PeriodState, StateRow[PeriodState, PeriodMove, ListTurn]] = MappingProxyType(
    {
        PeriodState.OPEN: _period_row(
            "takes reports until the freeze", ListTurn.REPORTS, freeze=PeriodState.FROZEN
        ),
        PeriodState.FROZEN: _period_row(
            "takes no more reports; its list is calculated, approved and published",
            ListTurn.LIST,
            publish=PeriodState.PUBLISHED,
        ),
        PeriodState.PUBLISHED: _period_row(
            "its list is published", ListTurn.NONE, correct=PeriodState.CORRECTING
        ),
        PeriodState.CORRECTING: _period_row(
            "a revision of its list is calculated, approved and published",
            ListTurn.LIST,
            publish=PeriodState.PUBLISHED,
            withdraw_correction=PeriodState.PUBLISHED,
        ),
    }
)
"""The lifecycle of a period."""


class MoveRefusedError(ValueError):
    """A move that the state does not allow."""


def move(lifecycle: Mapping[Any, StateRow[Any, Any, Any]], state: str, move: StrEnum) -> str:
    """The state after a move. Raises MoveRefusedError if the state does not allow it."""
    after: StrEnum | None = lifecycle[state].moves.get(move)
    if after is None:
        raise MoveRefusedError(f"The state {state} does not allow the move {move}.")
    return after.value
