"""Tournament details: what a report says outside players and games, each declared once.

Here are those of all federations; a federation adds its own in a class derived from `TournamentDetails`, which its
`ReportRules` name. The declaration of a detail has its type, label, help, choices and privacy, and which official
decides it. The form, the sidecar file (``reporting.formats.tournament_details``), the API, the columns of result
sets, decisions and the page ``docs/reference/tournament-details.md`` are made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from reporting.federations.registry import (
    all_report_rules,
    article_of,
    discipline_labels,
    system_labels,
)
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.time_control import parse_time_control
from reporting.rules.report import (
    ENCODINGS,
    Encoding,
    PointsScale,
    ReadReport,
)
from reporting.rules.standings.cross_table import Counting
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.rules.standings.unplayed import METHODS


class System(StrEnum):
    """The system of play."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    TEAMS = "teams"
    OTHER = "other"


class NationalChampionship(StrEnum):
    """Whether it is the final of a national championship, one of its qualifications, or none."""

    FINAL = "final"
    QUALIFICATION = "qualification"
    NO = "no"


@dataclass(frozen=True, kw_only=True)
class Detail:
    """The declaration of a detail.

    ``label`` and ``help`` are for the form, ``about`` and ``example`` for the reference page; all are plain English,
    translated where they are shown. ``max_length`` is in characters. ``choice_labels`` are by value. Private details
    are only for the submitter and the office.

    A detail of one federation says where it stands: on the reference page ``after`` another one, last without; in the
    form ``asked_after`` another one, not at all without. A ``public`` one is on the page of the tournament. Where an
    official decides what counts (R78), ``decided_by`` says which; a decision holds while ``decided_of``, another
    detail, is the same.
    """

    name: str = ""
    kind: Kind
    label: str
    about: str
    example: str
    required: str = ""
    choices: type[StrEnum] | None = None
    choice_labels: Mapping[str, str] = field(default_factory=dict)
    max_length: int | None = None
    help: str = ""
    private: bool = False
    public: bool = False
    after: str = ""
    asked_after: str = ""
    decided_by: Literal["", "office", "title_council"] = ""
    decided_of: str = ""

    @property
    def article(self) -> str:
        """The article that asks for it, of the first federation that has one; empty without any."""
        articles = (article_of(rules, f"detail.{self.name}") for rules in all_report_rules())
        return next(filter(None, articles), "")

    @property
    def expected(self) -> str:
        """What a value has to be, for a finding."""
        return ", ".join(value for value, _ in self.labelled_choices()) or self.kind.expected

    def labelled_choices(self) -> list[tuple[str, str]]:
        """Return the values to choose from with their labels, without the empty value; none for other kinds."""
        if self.kind is Kind.DISCIPLINE:
            return list(discipline_labels().items())
        if self.kind is Kind.RATING_SYSTEM:
            return list(system_labels().items())
        if self.kind is Kind.TIE_BREAKS:
            return [(key, tie_break.name) for key, tie_break in TIE_BREAKS.items()]
        if self.kind is Kind.UNPLAYED_METHOD:
            return [(key, method.name) for key, method in METHODS.items()]
        return [
            (
                choice.value,
                self.choice_labels.get(choice.value) or choice.value.replace("-", " ").capitalize(),
            )
            for choice in self.choices or ()
            if choice.value
        ]

    def stored(self, value: Any) -> Any:
        """The value of a column of the database as details have it."""
        return (
            next((one for one in self.choices or () if one == value), None)
            if self.kind is Kind.CHOICE
            else value
        )


def declared(kind: Kind, label: str, about: str, **more: Any) -> dict[str, Detail]:
    """The declaration of a detail as the metadata of its field."""
    return {"detail": Detail(kind=kind, label=label, about=about, **more)}


@dataclass(frozen=True, kw_only=True)
class NewPlayer:
    """The details of a player without FMJD-ID, for formats that print only a name (R24).

    Empty or None: not given. The checks ask for what R20 asks of a new player.
    """

    last_name: str = ""
    first_name: str = ""
    country: str = ""
    sex: str = ""
    born: date | None = None


SHARED_BY_ALL = frozenset({
    "rating_system", "name", "place", "country", "played_from", "played_to", "rounds", "system", "referee", "number",
    "corrects", "different_tournament", "admit", "encoding", "players", "newcomers",
})  # fmt: skip
"""The details that reports to every federation have (`TournamentDetails.uses`)."""


@dataclass(frozen=True, kw_only=True)
class TournamentDetails:
    """What is known of a tournament outside its players and games. None or empty: not given.

    Dates are days of the office's zone; ``minutes_for_60_moves`` are minutes per player. Only ``read_details``
    and ``details_from_values`` check the values.

    ``required`` are those that each report must have, of ``discipline`` and ``time_control``; ``optional`` those that
    it may leave out without a finding, of ``played_to``, ``place``, ``country``, ``referee`` and ``system``.
    With ``admits_games`` a rating officer may admit any report, with a reason, so that games count that are too old.
    ``table`` is the model in which the details of one federation are stored, as `app.Model`; empty where it has none.
    ``fixed_points_scale`` is the scale by which the federation prints points; None where each report says it.
    ``default_tie_breaks`` are those of a tournament that names none, by key; without any, players with equal points
    share a place. None: those of `default_keys`, by the system of play (R52).
    ``uses`` are the details of this class that its reports have besides SHARED_BY_ALL; None: all of them.
    """

    required: ClassVar[frozenset[str]] = frozenset()
    optional: ClassVar[frozenset[str]] = frozenset()
    admits_games: ClassVar[bool] = False
    table: ClassVar[str] = ""
    fixed_points_scale: ClassVar[PointsScale | None] = None
    default_tie_breaks: ClassVar[tuple[str, ...] | None] = ()
    uses: ClassVar[frozenset[str] | None] = None

    name: str = field(
        default="",
        metadata=declared(
            Kind.TEXT,
            "Name",
            "name of the tournament",
            example='"Riverside Open 2026"',
            max_length=80,
        ),
    )
    place: str = field(
        default="",
        metadata=declared(Kind.TEXT, "Town", "town where it was played", example='"Ghent"', max_length=60),
    )
    country: str = field(
        default="",
        metadata=declared(
            Kind.COUNTRY,
            "Country",
            "country where it was played",
            example='"BEL"',
            help="For example Netherlands, or NED",
        ),
    )
    played_from: date | None = field(
        default=None,
        metadata=declared(Kind.DAY, "First round", "day of the first round", example="2026-11-06"),
    )
    played_to: date | None = field(
        default=None,
        metadata=declared(Kind.DAY, "Last round", "day of the last round", example="2026-11-14"),
    )
    rating_system: str = field(
        default="",
        metadata=declared(
            Kind.RATING_SYSTEM,
            "Rating system",
            "rating system of the tournament; without it the first one that rates the discipline",
            example='"fmjd"',
            required="this or discipline",
        ),
    )
    discipline: str = field(
        default="",
        metadata=declared(
            Kind.DISCIPLINE,
            "Discipline",
            "the board: 100 or 64 squares",
            example='"100"',
            required="where the rating system asks for it",
        ),
    )
    time_control: str = field(
        default="",
        metadata=declared(
            Kind.TIME_CONTROL,
            "Time control",
            "base minutes + seconds per move, or the sessions",
            example='"80+30"',
            help="80+30: minutes, then seconds per move; or 90/45+30+30@46",
            required="this, minutes_for_60_moves or session, where the rating system asks for it",
            max_length=40,
        ),
    )
    minutes_for_60_moves: Decimal | None = field(
        default=None,
        metadata=declared(
            Kind.MINUTES,
            "Minutes for 60 moves",
            "minutes per player for the first 60 moves",
            example="110",
            help="Instead of the time control",
            required="this, time_control or session, where the rating system asks for it",
        ),
    )
    session: tuple[str, ...] = field(
        default=(),
        metadata=declared(
            Kind.TIME_CONTROLS,
            "Session",
            "time controls of the games of a round, in order, where a round has several games;"
            " the file then has a round for each game: with three games, its rounds 4, 5 and 6 are round 2",
            example='["80+30", "15+5", "5+3"]',
            help="Only if a round has several games: their time controls in order, for example 80+30, 15+5, 5+3."
            " The file then has a round for each game.",
            max_length=40,
        ),
    )
    system: System | None = field(
        default=None,
        metadata=declared(
            Kind.CHOICE,
            "System",
            "system of play",
            example='"swiss"',
            choices=System,
            choice_labels={
                "swiss": "Swiss",
                "round-robin": "Round robin",
                "teams": "Teams",
                "other": "Other",
            },
        ),
    )
    official: bool = field(
        default=False,
        metadata=declared(
            Kind.YES_OR_NO,
            "Official tournament",
            "tournament of the federation itself",
            example="false",
            decided_by="office",
        ),
    )
    national_championship: NationalChampionship | None = field(
        default=None,
        metadata=declared(
            Kind.CHOICE,
            "National championship",
            "national championship",
            example='"no"',
            choices=NationalChampionship,
            choice_labels={"final": "Final", "qualification": "Qualification", "no": "No"},
        ),
    )
    women_only: bool | None = field(
        default=None,
        metadata=declared(Kind.YES_OR_NO, "Women only", "tournament for women only", example="false"),
    )
    veterans: bool = field(
        default=False,
        metadata=declared(Kind.YES_OR_NO, "Veterans", "tournament for veterans", example="false"),
    )
    announced: date | None = field(
        default=None,
        metadata=declared(
            Kind.DAY,
            "Day the announcement reached the office",
            "day it was announced",
            example="2026-09-30",
            help="Only for an announcement that reached the office before today",
        ),
    )
    referee: str = field(
        default="",
        metadata=declared(
            Kind.TEXT,
            "Main referee",
            "main referee",
            example='"Pieter Ostrava"',
            max_length=60,
        ),
    )
    referee_contacts: str = field(
        default="",
        metadata=declared(
            Kind.TEXT,
            "Contacts of the referee",
            "e-mail address and telephone of the main referee",
            example='"pieter@example.org"',
            max_length=200,
            help="E-mail address first, then telephone",
            private=True,
        ),
    )
    referee_languages: str = field(
        default="",
        metadata=declared(
            Kind.TEXT,
            "Languages of the referees",
            "languages that the referees speak",
            example='"English, Dutch"',
            max_length=100,
            private=True,
        ),
    )
    assistant_referees: str = field(
        default="",
        metadata=declared(
            Kind.TEXT,
            "Assistant referees",
            "names of the assistant referees, with their contacts",
            example='"Ines Marlow, ines@example.org"',
            max_length=500,
            help="Name and e-mail address of each",
            private=True,
        ),
    )
    sponsors: str = field(
        default="",
        metadata=declared(
            Kind.TEXT,
            "Sponsors",
            "sponsors of the tournament",
            example='"Riverside Bank"',
            max_length=300,
            private=True,
        ),
    )
    special_cases: str = field(
        default="",
        metadata=declared(
            Kind.PARAGRAPHS,
            "Special technical cases",
            "special technical cases, such as games decided by the referee",
            example='"Round 3, 4-7: won by decision of the referee, the clock had stopped."',
            max_length=2000,
            help="For example games decided by the referee: round, players, reason",
            private=True,
        ),
    )
    received: date | None = field(
        default=None,
        metadata=declared(
            Kind.DAY,
            "Day of receipt",
            "day on which the report was received; it counts as the end of that day",
            example="2026-11-16",
        ),
    )
    admit: str = field(
        default="",
        metadata=declared(
            Kind.TEXT,
            "Reason for admission",
            "reason why a late, incomplete or unannounced report is admitted",
            example='"the server was down"',
            max_length=2000,
        ),
    )
    corrects: str = field(
        default="",
        metadata=declared(
            Kind.TEXT,
            "Corrected tournament",
            "code of the tournament, counted by a published list, whose report this one corrects",
            example='"2026-riverside-open"',
            help="Only if this report corrects one that was accepted before",
            max_length=80,
        ),
    )
    different_tournament: str = field(
        default="",
        metadata=declared(
            Kind.TEXT,
            "Reason why it is a different tournament",
            "reason why it is a different tournament although it looks like one already accepted",
            example='"group B, with the same two players"',
            max_length=2000,
        ),
    )
    number: int | None = field(
        default=None,
        metadata=declared(
            Kind.NUMBER,
            "Number of the tournament",
            "number of the tournament, for the order of events",
            example="12",
        ),
    )
    part: int | None = field(
        default=None,
        metadata=declared(
            Kind.PART,
            "Part",
            "number of the part, of a tournament that is reported in several: each has its own games; all have the"
            " rating system, the name, the first day and the number of part 1, whose last day is that planned for the"
            " whole tournament",
            example="2",
            help="Only if the tournament is reported in several parts. Name and first day are those of part 1, the last"
            " day is that planned for the whole tournament.",
        ),
    )
    players: Mapping[int, int | str] = field(
        default_factory=lambda: MappingProxyType({}),
        metadata=declared(
            Kind.PLAYERS,
            "FMJD-IDs",
            "tournament number and FMJD-ID, for formats without IDs",
            example="[players] 7 = 11285",
        ),
    )
    newcomers: Mapping[int, NewPlayer] = field(
        default_factory=lambda: MappingProxyType({}),
        metadata=declared(
            Kind.NEW_PLAYERS,
            "New players",
            "tournament number and what the file lacks of each player who is new to the register:"
            " last_name, first_name, country, sex, born",
            example='[newcomers.7] last_name = "Kone", first_name = "Awa", country = "CIV", sex = "W",'
            " born = 2009-03-01",
        ),
    )
    rounds: tuple[date, ...] = field(
        default=(),
        metadata=declared(
            Kind.DAYS,
            "Days of the rounds",
            "days of the rounds, in order",
            example="[2026-11-06, 2026-11-07]",
            help="One day for each round, separated by commas: 6 Nov 2026, 7 Nov 2026",
        ),
    )
    standings: tuple[str, ...] = field(
        default=(),
        metadata=declared(
            Kind.TIE_BREAKS,
            "Order of tie-breaks",
            "order of the tie-breaks, by their keys",
            example='["short", "plus"]',
            help="Only if the tournament has an order of its own; otherwise that of the regulations holds",
        ),
    )
    unplayed: str = field(
        default="",
        metadata=declared(
            Kind.UNPLAYED_METHOD,
            "Unplayed games in tie-breaks",
            "method for unplayed games in tie-breaks; only face-value has full, plus and baliakin",
            example='"face-value"',
        ),
    )
    shared_places: tuple[tuple[int, int], ...] = field(
        default=(),
        metadata=declared(
            Kind.PLACES,
            "Shared places",
            "places that players share, from the first to the last of each group;"
            " the file prints them as 2, 3 or as 2, 2, and each player of the group gets the first",
            example='["2-3", "7-9"]',
            help="2-3 if two players share place 2; several groups separated by commas: 2-3, 7-9",
        ),
    )
    round_scores: tuple[tuple[int, int], ...] = field(
        default=(),
        metadata=declared(
            Kind.ROUND_SCORES,
            "Points of a round",
            "points of winner and loser of a round whose first, second, … game was won, where the tournament counts"
            " rounds in its own way; a last pair of equal points is for a round without a winner, otherwise the last"
            " sum is shared; ratings and the file keep 2-1-0",
            example='["12-0", "9-3", "8-4", "7-5"]',
            help="Only if a round has points of its own: those of winner and loser by the game that decided it,"
            " for example 12-0, 9-3, 8-4, 7-5. The file keeps 2-1-0.",
        ),
    )
    plus_draws: tuple[tuple[int, int, int, int], ...] = field(
        default=(),
        metadata=declared(
            Kind.PLUS_DRAWS,
            "Plus draws",
            "draws in which a player had a lasting advantage: round, the player’s number, the opponent’s; in a session"
            " the round with its game, as 3.2",
            example='["3: 4-7", "5: 2-9"]',
            help="Round, number of the player with the advantage, number of the opponent: 3: 4-7, 5: 2-9",
        ),
    )
    decided_ties: tuple[tuple[int, ...], ...] = field(
        default=(),
        metadata=declared(
            Kind.ORDERS,
            "Decided ties",
            "tied players in the order that tie-break games or a lot gave them, by tournament numbers; the order"
            " counts where they are equal in all tie-breaks before lot",
            example='["7-3", "12-4-9"]',
            help="Only after tie-break games or a lot: 7-3 if number 7 is ahead of number 3; several separated by"
            " commas: 7-3, 12-4-9",
        ),
    )
    encoding: Encoding | None = field(
        default=None,
        metadata=declared(
            Kind.CHOICE,
            "Encoding of the file",
            "encoding of the file, if it is neither UTF-8 nor has a byte order mark",
            example='"cp1252"',
            help="Only if the letters of the file are not UTF-8",
            choices=Encoding,
            choice_labels=ENCODINGS,
        ),
    )
    points: PointsScale | None = field(
        default=None,
        metadata=declared(
            Kind.CHOICE,
            "Points column of the file",
            "points for a win, a draw and a loss in the points column of a TRF file, where the file does not show"
            " them; the tournament's own scale where the rating system fixes none",
            example='"1-0.5-0"',
            help="Only if the file does not show how it counts",
            choices=PointsScale,
            choice_labels={scale.value: scale.value for scale in PointsScale},
        ),
    )

    @property
    def points_scale(self) -> PointsScale:
        """The scale by which points of the tournament are printed: the one its federation fixes, else its own."""
        return self.fixed_points_scale or self.points or PointsScale.WHOLE

    @property
    def counting(self) -> Counting:
        """What the standings need of the details: the own ways in which the tournament counts (R52, R54)."""
        return Counting(
            default_tie_breaks=self.default_tie_breaks,
            session=self.session,
            round_scores=self.round_scores,
            plus_draws=self.plus_draws,
            decided_ties=self.decided_ties,
        )

    def counting_day(self, received: date, read: ReadReport | None = None) -> date | None:  # noqa: ARG002 (for others)
        """The day that decides in which list a report counts: that of the period which holds it, or the next open one.

        That of the last round, unless the federation names another one: by the day on which the report was
        `received`, by the days of its games (`read`; None while it is only announced), or by details of its own.
        None where the report does not say it.
        """
        return self.played_to

    def reported_until(self, received: date, read: ReadReport | None = None) -> date | None:
        """The last day that a report is about: that by which its list is found, or as the federation says."""
        return self.counting_day(received, read)

    def registered_on(self, received: date) -> date | None:  # noqa: ARG002 (for others)
        """The day on which the results of a report received on a day were registered; None where its regulations know
        no registration of such results.
        """
        return None

    @property
    def proposed_to_rating_officer(self) -> tuple[str, ...]:
        """The details that the report proposes and that are accepted with it, which only a rating officer does."""
        return ()

    @property
    def youth_only(self) -> bool:
        """Whether it is a tournament for a group of youth, by the details of its federation."""
        return False

    @property
    def needs_sex(self) -> bool:
        """Whether its results depend on which players are women (R70c)."""
        return False

    @property
    def oldest(self) -> int | None:
        """The highest age of its players on 31 December of the year of the last round (R73a); None without one."""
        return None

    @classmethod
    def is_official(cls, decided: Mapping[str, str]) -> bool:
        """Whether decided values make it a tournament of the federation, which needs no announcement (R11, R78)."""
        return decided.get("official") == "yes"

    @property
    def seconds_for_60_moves(self) -> int | None:
        """Seconds per player for the first 60 moves (R6), of a session those of the first game.

        None where the details do not say.
        """
        if self.minutes_for_60_moves is not None:
            return int(self.minutes_for_60_moves * 60)
        control = self.time_control or next(iter(self.session), "")
        return parse_time_control(control).seconds_for_60_moves if control else None

    @property
    def seconds_of_games(self) -> tuple[int | None, ...]:
        """The times for 60 moves of the games, the longest first; more than one only with a session (R25).

        None for a tournament without a clock.
        """
        times = {parse_time_control(control).seconds_for_60_moves for control in self.session}
        return tuple(sorted(times, reverse=True)) or (self.seconds_for_60_moves,)

    def place_of(self, printed: int | None) -> int | None:
        """The place of a player as shared (1, 2, 2, 4: R52a), by the place as the report prints it; None for none."""
        groups = (group for group in self.shared_places if printed and group[0] <= printed <= group[1])
        return next(groups, (printed, printed))[0]
