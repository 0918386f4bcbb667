"""The details that federations share, each declared once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

from reporting.rules.details.detail_declaration import declared
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.report import (
    ENCODINGS,
    Encoding,
    PointsScale,
)


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
class NewPlayer:
    """The details of a player without FMJD-ID, for formats that print only a name (R24).

    Empty or None: not given. The checks ask for what R20 asks of a new player.
    """

    last_name: str = ""
    first_name: str = ""
    country: str = ""
    sex: str = ""
    born: date | None = None


@dataclass(frozen=True, kw_only=True)
class SharedDetails:
    """What is known of a tournament outside its players and games. None or empty: not given.

    Dates are days of the office's zone; ``minutes_for_60_moves`` are minutes per player.
    """

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
