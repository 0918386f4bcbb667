"""The lifecycle of an application for a title (art. 15, 1.3, 1.4; R40), in the same tables as those of reports."""

from enum import StrEnum

from reporting.rules.lifecycle import Lifecycle, StateRow


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


APPLICATION_LIFECYCLE: Lifecycle[ApplicationState, ApplicationMove, ApplicationTurn] = {
    ApplicationState.SUBMITTED: StateRow(
        "submitted by the national official; considered once the fee is paid",
        ApplicationTurn.OFFICE,
        {
            ApplicationMove.MARK_PAID: ApplicationState.PAID,
            ApplicationMove.WITHDRAW: ApplicationState.WITHDRAWN,
        },
    ),
    ApplicationState.PAID: StateRow(
        "the fee is paid; the Council examines it",
        ApplicationTurn.COUNCIL,
        {
            ApplicationMove.APPROVE: ApplicationState.APPROVED,
            ApplicationMove.REFUSE: ApplicationState.REFUSED,
            ApplicationMove.WITHDRAW: ApplicationState.WITHDRAWN,
        },
    ),
    ApplicationState.APPROVED: StateRow(
        "approved by the Council; an administrator records what the General Assembly decides",
        ApplicationTurn.ASSEMBLY,
        {
            ApplicationMove.CONFIRM: ApplicationState.CONFIRMED,
            ApplicationMove.REFUSE: ApplicationState.REFUSED,
            ApplicationMove.WITHDRAW: ApplicationState.WITHDRAWN,
        },
    ),
    ApplicationState.CONFIRMED: StateRow(
        "confirmed by the General Assembly; the office registers the title",
        ApplicationTurn.OFFICE,
        {ApplicationMove.REGISTER: ApplicationState.REGISTERED},
    ),
    ApplicationState.REGISTERED: StateRow(
        "registered: the title counts from the day of registration, for life",
        ApplicationTurn.NONE,
        {ApplicationMove.WITHDRAW_TITLE: ApplicationState.TITLE_WITHDRAWN},
    ),
    ApplicationState.REFUSED: StateRow("refused with a reason", ApplicationTurn.NONE),
    ApplicationState.WITHDRAWN: StateRow(
        "withdrawn by the federation before the confirmation", ApplicationTurn.NONE
    ),
    ApplicationState.TITLE_WITHDRAWN: StateRow(
        "the General Assembly withdrew the title (art. 1.4)", ApplicationTurn.NONE
    ),
}
"""The lifecycle of an application."""

CLOSED = frozenset({ApplicationState.REFUSED, ApplicationState.WITHDRAWN, ApplicationState.TITLE_WITHDRAWN})
"""The states in which another application for the same title can follow."""
