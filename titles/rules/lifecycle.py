"""The lifecycle of an application for a title (art. 15, 1.3, 1.4; R40), in the same tables as those of reports."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from reporting.rules.lifecycle import StateRow


class ApplicationState(StrEnum):
    """The state of an application."""

    SUBMITTED = "submitted"
    PAID = "paid"
    APPROVED = "approved"
    CONFIRMED = "confirmed"
    REGISTERED = "registered"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    TITLE_WITHDRAWN = "title_withdrawn"


class ApplicationMove(StrEnum):
    """What happens to an application."""

    SUBMIT = "submit"
    MARK_PAID = "mark_paid"
    APPROVE = "approve"
    CONFIRM = "confirm"
    REGISTER = "register"
    REFUSE = "refuse"
    WITHDRAW = "withdraw"
    WITHDRAW_TITLE = "withdraw_title"


class ApplicationTurn(StrEnum):
    """Who acts next on an application."""

    OFFICE = "office"
    COUNCIL = "council"
    ASSEMBLY = "general_assembly"
    NONE = "none"


def _row(
    description: str, turn: ApplicationTurn, **moves: ApplicationState
) -> StateRow[ApplicationState, ApplicationMove, ApplicationTurn]:
    return StateRow(
        description,
        turn,
        MappingProxyType({ApplicationMove[name.upper()]: state for name, state in moves.items()}),
    )


APPLICATION_LIFECYCLE: Mapping[
    ApplicationState, StateRow[ApplicationState, ApplicationMove, ApplicationTurn]
] = MappingProxyType(
    {
        ApplicationState.SUBMITTED: _row(
            "submitted by the national official; considered once the fee is paid",
            ApplicationTurn.OFFICE,
            mark_paid=ApplicationState.PAID,
            withdraw=ApplicationState.WITHDRAWN,
        ),
        ApplicationState.PAID: _row(
            "the fee is paid; the Council examines it",
            ApplicationTurn.COUNCIL,
            approve=ApplicationState.APPROVED,
            refuse=ApplicationState.REFUSED,
            withdraw=ApplicationState.WITHDRAWN,
        ),
        ApplicationState.APPROVED: _row(
            "approved by the Council; an administrator records what the General Assembly decides",
            ApplicationTurn.ASSEMBLY,
            confirm=ApplicationState.CONFIRMED,
            refuse=ApplicationState.REFUSED,
            withdraw=ApplicationState.WITHDRAWN,
        ),
        ApplicationState.CONFIRMED: _row(
            "confirmed by the General Assembly; the office registers the title",
            ApplicationTurn.OFFICE,
            register=ApplicationState.REGISTERED,
        ),
        ApplicationState.REGISTERED: _row(
            "registered: the title counts from the day of registration, for life",
            ApplicationTurn.NONE,
            withdraw_title=ApplicationState.TITLE_WITHDRAWN,
        ),
        ApplicationState.REFUSED: _row("refused with a reason", ApplicationTurn.NONE),
        ApplicationState.WITHDRAWN: _row(
            "withdrawn by the federation before the confirmation", ApplicationTurn.NONE
        ),
        ApplicationState.TITLE_WITHDRAWN: _row(
            "the General Assembly withdrew the title (art. 1.4)", ApplicationTurn.NONE
        ),
    }
)
"""The lifecycle of an application."""

CLOSED = frozenset({ApplicationState.REFUSED, ApplicationState.WITHDRAWN, ApplicationState.TITLE_WITHDRAWN})
"""The states in which another application for the same title can follow."""


def state_after(state: ApplicationState, move: ApplicationMove) -> ApplicationState | None:
    """The state after a move; None if the state does not allow it."""
    return APPLICATION_LIFECYCLE[state].moves.get(move)
