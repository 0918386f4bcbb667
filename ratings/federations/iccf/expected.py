"""The rating changes of a report if it alone counted now."""

from collections.abc import Mapping, Sequence

from ratings.models import RatingList
from ratings.rules.values import ExpectedChange
from reporting.models import Player
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.report import ReadReport


def expected_changes(
    lists: Sequence[RatingList],  # noqa: ARG001
    details: TournamentDetails,  # noqa: ARG001
    read: ReadReport,  # noqa: ARG001
    players: Mapping[int, Player | None],  # noqa: ARG001
    assumed: Mapping[int, int],  # noqa: ARG001
) -> dict[int, ExpectedChange]:
    """None are known before the list is calculated."""
    return {}
