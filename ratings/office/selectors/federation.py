"""The dashboard of a national official: the open work of one federation."""

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.models import RatingList
from ratings.queries.lists import newest_lists
from reporting.models import Federation, Report, User
from reporting.reports.selectors.inbox import MissingReport, expected_reports
from reporting.reports.selectors.reports import UnknownPlayers, own_report_counts, own_unknown_players
from reporting.requests.selectors import waiting_request_count


@dataclass(frozen=True)
class StateCount:
    """The reports of a federation in one state; `report` has its labels and is not stored."""

    report: Report
    reports: int


@dataclass(frozen=True)
class FederationDashboard:
    """What waits in a federation, and the newest list of each pool."""

    federation: Federation
    states: Sequence[StateCount]
    expected: Sequence[MissingReport]
    unknown: Sequence[UnknownPlayers]
    requests: int
    lists: Sequence[RatingList]

    @property
    def returned(self) -> int:
        return self._reports("returned")

    @property
    def submitted(self) -> int:
        return self._reports("submitted")

    @property
    def overdue(self) -> int:
        """Announced tournaments whose report was due before today."""
        return sum(expected.days_late > 0 for expected in self.expected)

    @property
    def unknown_players(self) -> int:
        return sum(line.players for line in self.unknown)

    def _reports(self, state: str) -> int:
        return sum(line.reports for line in self.states if line.report.state == state)


def federation_dashboard(user: User) -> FederationDashboard:
    """The dashboard of a national official's federation. 6 queries."""
    return FederationDashboard(
        Federation.objects.get(pk=user.federation_id),
        [StateCount(Report(state=state.value), reports) for state, reports in own_report_counts(user)],
        expected_reports(user.federation_id or ""),
        own_unknown_players(user),
        waiting_request_count(user),
        newest_lists(),
    )
