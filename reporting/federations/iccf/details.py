"""What reports to the ICCF say of a tournament in addition to what all reports say."""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import ClassVar

from reporting.federations.facet import edition_in_force
from reporting.federations.iccf.editions import EDITIONS
from reporting.rules.details.detail_declaration import declared
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.report import PointsScale, ReadReport


class TournamentKind(StrEnum):
    """The kind of a tournament, which has an assumed rating (item 11), but for the last three."""

    OPEN_CLASS = "open-class"
    CUP_PRELIMINARY = "cup-preliminary"
    INTERNATIONAL_OPEN_PRELIMINARY = "international-open-preliminary"
    LADIES_WC_SEMIFINAL = "ladies-wc-semifinal"
    LADIES_OLYMPIAD = "ladies-olympiad"
    HIGHER_CLASS = "higher-class"
    CUP_SEMIFINAL = "cup-semifinal"
    INTERNATIONAL_OPEN_SEMIFINAL = "international-open-semifinal"
    LADIES_WC_FINAL = "ladies-wc-final"
    MONEY_PRIZE = "money-prize"
    MASTER_CLASS = "master-class"
    CUP_FINAL = "cup-final"
    OLYMPIAD = "olympiad"
    ZONAL_PRELIMINARY = "zonal-preliminary"
    INVITATION = "invitation"
    INTERNATIONAL_OPEN_FINAL = "international-open-final"
    MASTER_NORM = "master-norm"
    WC_SEMIFINAL = "wc-semifinal"
    ZONAL_SEMIFINAL = "zonal-semifinal"
    GRANDMASTER_NORM = "grandmaster-norm"
    WC_CANDIDATES = "wc-candidates"
    ZONAL_FINAL = "zonal-final"
    FRIENDLY = "friendly"
    NATIONAL = "national"
    OTHER = "other"


class Delivery(StrEnum):
    """How the moves of the games were sent."""

    SERVER = "server"
    POST = "post"
    EMAIL = "email"


@dataclass(frozen=True, kw_only=True)
class IccfDetails(TournamentDetails):
    """The details of a report by the working rules. A tournament may be reported in parts."""

    optional: ClassVar[frozenset[str]] = frozenset({"played_to", "place", "country", "referee", "system"})
    table: ClassVar[str] = "iccf_reports.ResultSetDetails"
    fixed_points_scale: ClassVar[PointsScale | None] = PointsScale.HALVES
    uses: ClassVar[frozenset[str] | None] = frozenset({"received", "part", "standings"})

    kind: TournamentKind | None = field(
        default=None,
        metadata=declared(
            Kind.CHOICE,
            "Kind of tournament",
            "kind of tournament, which gives players without a rating an assumed one",
            example='"master-class"',
            required="yes",
            choices=TournamentKind,
            choice_labels={
                "ladies-wc-semifinal": "Ladies’ World Championship, semifinal",
                "ladies-olympiad": "Ladies’ olympiad",
                "ladies-wc-final": "Ladies’ World Championship, final",
                "money-prize": "Tournament with money prizes",
                "master-norm": "Master norm tournament",
                "wc-semifinal": "World Championship, semifinal",
                "grandmaster-norm": "Grandmaster norm tournament",
                "wc-candidates": "World Championship, candidates",
                "friendly": "Friendly match",
            },
            asked_after="system",
            public=True,
        ),
    )
    level: int | None = field(
        default=None,
        metadata=declared(
            Kind.NUMBER,
            "Assumed rating",
            "rating assumed of players without one, from 1000 to 3000: as announced of another kind of tournament,"
            " proposed for a friendly match, or of a national tournament in parts",
            example="2000",
            help="Only for a friendly match, a national tournament in parts, or another kind of tournament",
            asked_after="kind",
            public=True,
        ),
    )
    delivery: Delivery = field(
        default=Delivery.SERVER,
        metadata=declared(
            Kind.CHOICE,
            "Delivery of the moves",
            "how the moves were sent",
            example='"server"',
            choices=Delivery,
            choice_labels={"email": "E-mail"},
            asked_after="level",
            public=True,
        ),
    )
    received: date | None = field(
        default=None,
        metadata=declared(
            Kind.DAY,
            "Day of the report",
            "day by which the results were reported; it decides on which list they count",
            example="2026-02-28",
            required="yes",
            asked_after="delivery",
        ),
    )
    registered: date | None = field(
        default=None,
        metadata=declared(
            Kind.DAY,
            "Day of registration",
            "day on which the director registered results by post or e-mail; without it the day of the report",
            example="2026-03-17",
            help="Only for games by post or e-mail",
            asked_after="received",
        ),
    )

    def counting_day(self, received: date, read: ReadReport | None = None) -> date:  # noqa: ARG002
        """The day of the report; of results by post or e-mail that were registered too late for its list, the first day
        of the period of the first list for which they were in time (items 12, 13; R93a).
        """
        edition = edition_in_force(EDITIONS, received)
        in_force = edition.list_of(received, self.registered_on(received))
        return max(received, edition.reported_before(edition.previous_list(in_force)))

    def reported_until(self, received: date, read: ReadReport | None = None) -> date:  # noqa: ARG002
        """The day of the report: what is registered too late for its list was reported before (items 12, 13)."""
        return received

    def registered_on(self, received: date) -> date | None:
        """By post and e-mail the day of registration, else that of the report; None on the server (item 13)."""
        return None if self.delivery is Delivery.SERVER else self.registered or received

    @property
    def proposed_to_rating_officer(self) -> tuple[str, ...]:
        """The level of a friendly match that has one of its own (item 11, R93)."""
        has_level = self.kind is TournamentKind.FRIENDLY and self.level is not None
        return ("level",) if has_level else ()
