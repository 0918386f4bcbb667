"""The lifecycle of a publication: from its request to two signatures (R71c)."""

from enum import StrEnum

from reporting.rules.lifecycle import Lifecycle, StateRow


class PublicationState(StrEnum):
    """The state of a publication."""

    REQUESTED = "requested"
    DRAFT = "draft"
    APPROVED = "approved"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"


class PublicationMove(StrEnum):
    """What happens to a publication."""

    CALCULATE = "calculate"
    APPROVE = "approve"
    PUBLISH = "publish"
    WITHDRAW = "withdraw"


class PublicationTurn(StrEnum):
    """Who acts next on a publication."""

    WORKER = "worker"
    TOURNAMENT_DIRECTOR = "tournament_director"
    RELEASING_OFFICER = "releasing_officer"
    NONE = "none"


PUBLICATION_LIFECYCLE: Lifecycle[PublicationState, PublicationMove, PublicationTurn] = {
    PublicationState.REQUESTED: StateRow(
        "requested; the worker calculates it",
        PublicationTurn.WORKER,
        {
            PublicationMove.CALCULATE: PublicationState.DRAFT,
            PublicationMove.WITHDRAW: PublicationState.WITHDRAWN,
        },
    ),
    PublicationState.DRAFT: StateRow(
        "calculated; a tournament director approves it",
        PublicationTurn.TOURNAMENT_DIRECTOR,
        {
            PublicationMove.APPROVE: PublicationState.APPROVED,
            PublicationMove.WITHDRAW: PublicationState.WITHDRAWN,
        },
    ),
    PublicationState.APPROVED: StateRow(
        "signed once; another person publishes it",
        PublicationTurn.RELEASING_OFFICER,
        {
            PublicationMove.PUBLISH: PublicationState.PUBLISHED,
            PublicationMove.WITHDRAW: PublicationState.WITHDRAWN,
        },
    ),
    PublicationState.PUBLISHED: StateRow("published; it never changes", PublicationTurn.NONE),
    PublicationState.WITHDRAWN: StateRow(
        "withdrawn with a reason before its publication", PublicationTurn.NONE
    ),
}
"""The lifecycle of a publication."""
