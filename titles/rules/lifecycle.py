"""The lifecycles of an application for a title (art. 15, 1.3, 1.4; R40) and of a place of a championship."""

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


class PlaceState(StrEnum):
    """The state of a place of a championship, and of the player who has or had it."""

    OPEN = "open"
    NAMED = "named"
    CONFIRMED = "confirmed"
    DECLINED = "declined"
    REPLACED = "replaced"


class PlaceMove(StrEnum):
    """What happens to a place of a championship."""

    NAME = "name"
    REMOVE = "remove"
    CONFIRM = "confirm"
    DECLINE = "decline"
    UNDO = "undo"
    REPLACE = "replace"


class PlaceTurn(StrEnum):
    """Who acts next on a place of a championship."""

    OFFICE = "office"
    PLAYER = "player"
    RULE = "rule"
    NONE = "none"


PLACE_LIFECYCLE: Lifecycle[PlaceState, PlaceMove, PlaceTurn] = {
    PlaceState.OPEN: StateRow(
        "without a player: no name is given, or the rule has no player left",
        PlaceTurn.OFFICE,
        {PlaceMove.NAME: PlaceState.NAMED},
    ),
    PlaceState.NAMED: StateRow(
        "a player has the place by a rule or by name and has not answered",
        PlaceTurn.PLAYER,
        {
            PlaceMove.REMOVE: PlaceState.OPEN,
            PlaceMove.CONFIRM: PlaceState.CONFIRMED,
            PlaceMove.DECLINE: PlaceState.DECLINED,
        },
    ),
    PlaceState.CONFIRMED: StateRow(
        "the player takes the place",
        PlaceTurn.NONE,
        {PlaceMove.DECLINE: PlaceState.DECLINED, PlaceMove.UNDO: PlaceState.NAMED},
    ),
    PlaceState.DECLINED: StateRow(
        "the player withdrew, and no other player has the place yet",
        PlaceTurn.RULE,
        {PlaceMove.REPLACE: PlaceState.REPLACED, PlaceMove.UNDO: PlaceState.NAMED},
    ),
    PlaceState.REPLACED: StateRow(
        "the player withdrew, and the place went to another player by its rule",
        PlaceTurn.NONE,
        {PlaceMove.UNDO: PlaceState.NAMED},
    ),
}
"""The lifecycle of a place of a championship; a rule replaces, persons make the other moves."""
