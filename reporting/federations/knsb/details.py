"""What reports to the KNSB say of a tournament in addition to what all reports say."""

from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from reporting.rules.details.detail_declaration import declared
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.register.countries import country_code
from reporting.rules.report import PointsScale, ReadReport, ReportedGame

COUNTRY = "NED"
"""The code of the federation."""


@dataclass(frozen=True, kw_only=True)
class KnsbDetails(TournamentDetails):
    """The details of a report by the Rekenregels. A tournament may be reported in parts."""

    required: ClassVar[frozenset[str]] = frozenset({"time_control"})
    optional: ClassVar[frozenset[str]] = frozenset({"place", "country", "referee", "system"})
    admits_games: ClassVar[bool] = True
    table: ClassVar[str] = "knsb_reports.ResultSetDetails"
    fixed_points_scale: ClassVar[PointsScale | None] = PointsScale.HALVES
    uses: ClassVar[frozenset[str] | None] = frozenset({
        "time_control", "minutes_for_60_moves", "part", "standings",
    })  # fmt: skip

    fide_processed: bool = field(
        default=False,
        metadata=declared(
            Kind.YES_OR_NO,
            "Processed by FIDE",
            "a tournament abroad that FIDE has rated; games of other tournaments abroad do not count",
            example="true",
            help="Only for a tournament abroad",
            asked_after="time_control",
            public=True,
        ),
    )

    @property
    def is_abroad(self) -> bool:
        """Whether it was played in another country (art. 12.2); without a country it was not."""
        return bool(self.country) and country_code(self.country) != COUNTRY

    def counting_day(self, received: date, read: ReadReport | None = None) -> date | None:
        """The day of the last game (art. 13, R84f): the last day of a tournament in parts is only planned.

        Without a game on a known day that of the last round, of a part the day of receipt.
        """
        if read is None:
            return self.played_to
        days = (self.day_of(game) for game in read.games if game.played)
        return max(filter(None, days), default=self.played_to if self.part is None else received)

    def day_of(self, game: ReportedGame) -> date | None:
        """The day on which a game was played: its own, else that of its round; None where neither is given."""
        if game.started_on or game.round > len(self.rounds):
            return game.started_on
        return self.rounds[game.round - 1]
