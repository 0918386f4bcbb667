"""The lifecycles of a rating list and of a period, in the same tables as those of reports and requests."""

from enum import StrEnum

from reporting.rules.lifecycle import Lifecycle, StateRow


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


LIST_LIFECYCLE: Lifecycle[ListState, ListMove, ListTurn] = {
    ListState.CALCULATED: StateRow(
        "calculated; the next step of the worker follows",
        ListTurn.WORKER,
        {
            ListMove.SEARCH_NORMS: ListState.NORMS_SEARCHED,
            ListMove.OPEN_FOR_APPROVAL: ListState.READY,
            ListMove.SUPERSEDE: ListState.SUPERSEDED,
        },
    ),
    ListState.NORMS_SEARCHED: StateRow(
        "its norms are found; anomalies follow",
        ListTurn.WORKER,
        {ListMove.OPEN_FOR_APPROVAL: ListState.READY, ListMove.SUPERSEDE: ListState.SUPERSEDED},
    ),
    ListState.READY: StateRow(
        "a rating officer answers the anomalies and approves it",
        ListTurn.RATING_OFFICER,
        {ListMove.APPROVE: ListState.APPROVED, ListMove.SUPERSEDE: ListState.SUPERSEDED},
    ),
    ListState.APPROVED: StateRow(
        "signed once; another person publishes it",
        ListTurn.RELEASING_OFFICER,
        {ListMove.PUBLISH: ListState.PUBLISHED, ListMove.SUPERSEDE: ListState.SUPERSEDED},
    ),
    ListState.PUBLISHED: StateRow("published; it never changes", ListTurn.NONE),
    ListState.SUPERSEDED: StateRow("replaced by a later draft; deleted at night", ListTurn.NONE),
}
"""The lifecycle of a rating list."""

PERIOD_LIFECYCLE: Lifecycle[PeriodState, PeriodMove, ListTurn] = {
    PeriodState.OPEN: StateRow(
        "takes reports until the freeze", ListTurn.REPORTS, {PeriodMove.FREEZE: PeriodState.FROZEN}
    ),
    PeriodState.FROZEN: StateRow(
        "takes no more reports; its list is calculated, approved and published",
        ListTurn.LIST,
        {PeriodMove.PUBLISH: PeriodState.PUBLISHED},
    ),
    PeriodState.PUBLISHED: StateRow(
        "its list is published", ListTurn.NONE, {PeriodMove.CORRECT: PeriodState.CORRECTING}
    ),
    PeriodState.CORRECTING: StateRow(
        "a revision of its list is calculated, approved and published",
        ListTurn.LIST,
        {PeriodMove.PUBLISH: PeriodState.PUBLISHED, PeriodMove.WITHDRAW_CORRECTION: PeriodState.PUBLISHED},
    ),
}
"""The lifecycle of a period."""
