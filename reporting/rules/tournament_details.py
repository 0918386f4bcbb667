"""The facts of a competition that a report file does not say (Annex 9 art. 4.1.1).

The form beside the upload, the sidecar file of an import and the API ask for the same facts under the same
names. Their table in ``docs/reference/report-facts.md`` is printed from the fields below by
``details_reference``. ``facts_file`` reads and writes them; ``merge_facts`` completes them by what the file says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from reporting.rules.report import FIRST_DAY, LAST_DAY, Encoding, PointsScale
from reporting.rules.time_control import parse_time_control

MAX_NUMBER = 999_999
"""The largest tournament number and FMJD-ID of the facts."""


class Discipline(StrEnum):
    """The board: 100 squares (international) or 64."""

    SQUARES_100 = "100"
    SQUARES_64 = "64"


class System(StrEnum):
    """The system of the competition (Annex 9 art. 11: SWISS, ROUND, TEAMS, OTHER)."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    TEAMS = "teams"
    OTHER = "other"


class NationalChampionship(StrEnum):
    """Whether it is the final of a national championship, one of its qualifications, or none."""

    FINAL = "final"
    QUALIFICATION = "qualification"
    NO = "no"


class Youth(StrEnum):
    """The age group of a youth competition (Annex 2 art. 3f), empty for none."""

    JUNIORS = "juniors"
    CADETS = "cadets"
    MINI_CADETS = "mini-cadets"
    HOPES = "hopes"
    YOUNG_STARS = "young-stars"
    NONE = ""


class RefereeLevel(StrEnum):
    """The level of the main referee (Annex 10 art. 4.4)."""

    FMJD = "fmjd"
    INTERNATIONAL = "international"
    NATIONAL = "national"
    NONE = "none"


class Competition(StrEnum):
    """The official competition it is, for automatic titles (Annex 10 art. 3), empty for none."""

    WORLD_CHAMPIONSHIP = "world-championship"
    EUROPEAN_CHAMPIONSHIP = "european-championship"
    AFRICAN_CHAMPIONSHIP = "african-championship"
    ASIAN_CHAMPIONSHIP = "asian-championship"
    AMERICAN_CHAMPIONSHIP = "american-championship"
    WORLD_CUP = "world-cup"
    NONE = ""


class WorldCupStars(StrEnum):
    """The stars of a World Cup event (Annex 18); whole numbers in a file."""

    THREE = "3"
    FIVE = "5"
    SEVEN = "7"
    NINE = "9"


class Kind(StrEnum):
    """What may stand behind a key, in the words of the reference table."""

    TEXT = "text"
    COUNTRY = "country code"
    DAY = "date"
    YES_OR_NO = "true or false"
    NUMBER = "whole number"
    MINUTES = "number"
    TIME_CONTROL = "time control"
    CHOICE = "one of"
    STARS = "whole number, one of"
    DAYS = "list of dates"
    WORDS = "list of texts"
    PARAGRAPHS = "text in paragraphs"
    PLACES = "list of shared places"
    PLAYERS = "table"
    NEWCOMERS = "table of tables"


def _says(
    kind: Kind,
    says: str,
    *,
    example: str,
    article: str,
    required: str = "",
    choices: type[StrEnum] | None = None,
    longest: int | None = None,
    label: str = "",
    hint: str = "",
    private: bool = False,
) -> dict[str, Any]:
    """What form, sidecar and reference page know of a fact; ``private`` ones only its submitter and the office see."""
    return {
        "kind": kind,
        "says": says,
        "example": example,
        "article": article,
        "required": required,
        "choices": choices,
        "longest": longest,
        "label": label,
        "hint": hint,
        "private": private,
    }


@dataclass(frozen=True, kw_only=True)
class NewPlayer:
    """Who a player is that has no FMJD-ID yet, for forms that print no more than a name (R24).

    Empty or None: not said. The checks ask for what R20 asks of a new player.
    """

    last_name: str = ""
    first_name: str = ""
    country: str = ""
    sex: str = ""
    born: date | None = None


@dataclass(frozen=True, kw_only=True)
class TournamentDetails:
    """What is known of a competition beside its players and games. None or empty: not said.

    Dates are days of the office's zone; ``minutes_for_60_moves`` are minutes per player. Only ``read_facts``
    and ``facts_from_values`` check the values.
    """

    name: str = field(
        default="",
        metadata=_says(
            Kind.TEXT,
            "name of the competition",
            example='"Riverside Open 2026"',
            article="4.1.1c",
            longest=80,
        ),
    )
    place: str = field(
        default="",
        metadata=_says(
            Kind.TEXT, "town where it was played", example='"Ghent"', article="4.1.1c", longest=60
        ),
    )
    country: str = field(
        default="",
        metadata=_says(Kind.COUNTRY, "country where it was played", example='"BEL"', article="4.1.1c"),
    )
    played_from: date | None = field(
        default=None,
        metadata=_says(Kind.DAY, "day of the first round", example="2026-11-06", article="4.1.1c"),
    )
    played_to: date | None = field(
        default=None,
        metadata=_says(Kind.DAY, "day of the last round", example="2026-11-14", article="4.1.1c, 4.5"),
    )
    discipline: Discipline = field(
        metadata=_says(
            Kind.CHOICE,
            "the board: 100 or 64 squares",
            example='"100"',
            article="1.1, 4.1.1d",
            required="yes",
            choices=Discipline,
        )
    )
    time_control: str = field(
        default="",
        metadata=_says(
            Kind.TIME_CONTROL,
            "base minutes + seconds a move, or the sessions",
            example='"80+30"',
            article="1.2.2, 4.1.1d",
            required="this or minutes_for_60_moves",
            longest=40,
        ),
    )
    minutes_for_60_moves: Decimal | None = field(
        default=None,
        metadata=_says(
            Kind.MINUTES,
            "minutes per player for the first 60 moves",
            example="110",
            article="1.2.2, 4.1.1d",
            required="this or time_control",
        ),
    )
    system: System | None = field(
        default=None,
        metadata=_says(Kind.CHOICE, "system of play", example='"swiss"', article="4.1.1d", choices=System),
    )
    official: bool = field(
        default=False,
        metadata=_says(
            Kind.YES_OR_NO, "competition of FMJD or of a confederation", example="false", article="1.2.1"
        ),
    )
    national_championship: NationalChampionship | None = field(
        default=None,
        metadata=_says(
            Kind.CHOICE,
            "national championship",
            example='"no"',
            article="1.2.1; Annex 10 art. 4.2.5",
            choices=NationalChampionship,
        ),
    )
    women_only: bool | None = field(
        default=None,
        metadata=_says(Kind.YES_OR_NO, "competition for women only", example="false", article="5.2"),
    )
    youth: Youth = field(
        default=Youth.NONE,
        metadata=_says(
            Kind.CHOICE,
            "age group of a youth competition",
            example='"juniors"',
            article="11; Annex 2 art. 3f",
            choices=Youth,
        ),
    )
    veterans: bool = field(
        default=False,
        metadata=_says(Kind.YES_OR_NO, "competition for veterans", example="false", article="11"),
    )
    announced: date | None = field(
        default=None,
        metadata=_says(Kind.DAY, "day it was announced to FMJD", example="2026-09-30", article="1.2.1.3"),
    )
    referee: str = field(
        default="",
        metadata=_says(Kind.TEXT, "main referee", example='"Pieter Ostrava"', article="4.1.1b", longest=60),
    )
    referee_level: RefereeLevel | None = field(
        default=None,
        metadata=_says(
            Kind.CHOICE,
            "level of the main referee",
            example='"fmjd"',
            article="4.1.1b; Annex 10 art. 4.4",
            choices=RefereeLevel,
        ),
    )
    referee_contacts: str = field(
        default="",
        metadata=_says(
            Kind.TEXT,
            "e-mail address and telephone of the main referee",
            example='"pieter@example.org"',
            article="4.1.1b",
            longest=200,
            label="Contacts of the referee",
            hint="E-mail address first, then telephone",
            private=True,
        ),
    )
    referee_languages: str = field(
        default="",
        metadata=_says(
            Kind.TEXT,
            "languages that the referees speak",
            example='"English, Dutch"',
            article="4.1.1b",
            longest=100,
            label="Languages of the referees",
            private=True,
        ),
    )
    assistant_referees: str = field(
        default="",
        metadata=_says(
            Kind.TEXT,
            "names of the assistant referees, with their contacts",
            example='"Ines Marlow, ines@example.org"',
            article="4.1, 4.1.1b",
            longest=500,
            label="Assistant referees",
            hint="Name and e-mail address of each",
            private=True,
        ),
    )
    sponsors: str = field(
        default="",
        metadata=_says(
            Kind.TEXT,
            "sponsors of the tournament",
            example='"Riverside Bank"',
            article="4.1.1c",
            longest=300,
            label="Sponsors",
            private=True,
        ),
    )
    special_cases: str = field(
        default="",
        metadata=_says(
            Kind.PARAGRAPHS,
            "special technical cases, such as games decided by the referee",
            example='"Round 3, 4-7: won by decision of the referee, the clock had stopped."',
            article="4.1.1e",
            longest=2000,
            label="Special technical cases",
            hint="For example games decided by the referee: round, players, reason",
            private=True,
        ),
    )
    received: date | None = field(
        default=None,
        metadata=_says(
            Kind.DAY,
            "day the report came in; counts as the end of that day",
            example="2026-11-16",
            article="4.1, 4.5",
        ),
    )
    admit: str = field(
        default="",
        metadata=_says(
            Kind.TEXT,
            "reason why a late, incomplete or unannounced report is admitted",
            example='"the server was down"',
            article="4.7, 6.2a",
            longest=2000,
        ),
    )
    corrects: str = field(
        default="",
        metadata=_says(
            Kind.TEXT,
            "code of the tournament, counted by a published list, whose report this one puts right",
            example='"2026-riverside-open"',
            article="6.2a",
            longest=80,
        ),
    )
    different_tournament: str = field(
        default="",
        metadata=_says(
            Kind.TEXT,
            "reason why it is a different tournament, where it looks like one already accepted",
            example='"group B, with the same two players"',
            article="4.1; R21",
            longest=2000,
        ),
    )
    number: int | None = field(
        default=None,
        metadata=_says(
            Kind.NUMBER, "number of the tournament, for the order of events", example="12", article="3.2.3"
        ),
    )
    players: Mapping[int, int] = field(
        default_factory=lambda: MappingProxyType({}),
        metadata=_says(
            Kind.PLAYERS,
            "number in the tournament and FMJD-ID, for forms without IDs",
            example="[players] 7 = 11285",
            article="4.2.2.1",
        ),
    )
    newcomers: Mapping[int, NewPlayer] = field(
        default_factory=lambda: MappingProxyType({}),
        metadata=_says(
            Kind.NEWCOMERS,
            "number in the tournament and who he is, for players without FMJD-ID in forms that print only a name:"
            " last_name, first_name, country, sex, born",
            example='[newcomers.7] last_name = "Kone", first_name = "Awa", country = "CIV", sex = "W",'
            " born = 2009-03-01",
            article="4.2.2, 11",
        ),
    )
    rounds: tuple[date, ...] = field(
        default=(),
        metadata=_says(
            Kind.DAYS,
            "days of the rounds, in order",
            example="[2026-11-06, 2026-11-07]",
            article="Annex 10 art. 4.2.6",
        ),
    )
    competition: Competition = field(
        default=Competition.NONE,
        metadata=_says(
            Kind.CHOICE,
            "official competition, for automatic titles",
            example='"world-cup"',
            article="Annex 10 art. 3",
            choices=Competition,
        ),
    )
    council_approved: bool = field(
        default=False,
        metadata=_says(
            Kind.YES_OR_NO,
            "approved by the Council for norms and titles",
            example="true",
            article="Annex 10 art. 4.2.8",
        ),
    )
    rating_service_paid: bool = field(
        default=False,
        metadata=_says(
            Kind.YES_OR_NO, "the rating service is paid (table form only)", example="true", article="4.2.1b"
        ),
    )
    world_cup_stars: int | None = field(
        default=None,
        metadata=_says(
            Kind.STARS, "stars of a World Cup event", example="5", article="Annex 18", choices=WorldCupStars
        ),
    )
    standings: tuple[str, ...] = field(
        default=(),
        metadata=_says(
            Kind.WORDS,
            "order of the tie-breaks, by their keys",
            example='["solkoff-truncated", "plus"]',
            article="Annex 3 art. 5.11",
            longest=30,
        ),
    )
    unplayed: str = field(
        default="",
        metadata=_says(
            Kind.TEXT,
            "method for unplayed games in tie-breaks",
            example='"face-value"',
            article="Annex 5 art. 4.1",
            longest=30,
        ),
    )
    shared_places: tuple[tuple[int, int], ...] = field(
        default=(),
        metadata=_says(
            Kind.PLACES,
            "places that players share, from the first to the last of each group;"
            " the file prints them as 2, 3 or as 2, 2, and each player of the group gets the first",
            example='["2-3", "7-9"]',
            article="11; Annex 3 art. 5.11",
            label="Shared places",
            hint="2-3 if two players share place 2; several groups separated by commas: 2-3, 7-9",
        ),
    )
    encoding: Encoding | None = field(
        default=None,
        metadata=_says(
            Kind.CHOICE,
            "code page of the file, where it is neither UTF-8 nor has a byte order mark",
            example='"cp1252"',
            article="4.1, 11",
            choices=Encoding,
        ),
    )
    points: PointsScale = field(
        default=PointsScale.FMJD,
        metadata=_says(
            Kind.CHOICE,
            "what a game won, drawn and lost gives in the points column of a TRF16 file",
            example='"1-0.5-0"',
            article="11",
            choices=PointsScale,
        ),
    )

    @property
    def seconds_for_60_moves(self) -> int | None:
        """Seconds per player for the first 60 moves (R6); None when the facts do not say."""
        if self.minutes_for_60_moves is not None:
            return int(self.minutes_for_60_moves * 60)
        return parse_time_control(self.time_control).seconds_for_60_moves if self.time_control else None

    def place_of(self, printed: int | None) -> int | None:
        """The place of a player as shared (1, 2, 2, 4: R52a), by the place that the report prints; None for none."""
        groups = (group for group in self.shared_places if printed and group[0] <= printed <= group[1])
        return next(groups, (printed, printed))[0]

    @property
    def is_national_championship(self) -> bool:
        """Whether it is a national championship, final or qualification (Annex 9 art. 1.2.1)."""
        return self.national_championship in (
            NationalChampionship.FINAL,
            NationalChampionship.QUALIFICATION,
        )


DETAIL_NAMES = tuple(fact.name for fact in fields(TournamentDetails))

PRIVATE_DETAILS = tuple(fact.name for fact in fields(TournamentDetails) if fact.metadata["private"])
"""Facts for the office alone (Annex 9 art. 4.1.1 b, c, e): on no public page, in no file, message or digest."""


def details_reference() -> str:
    """Return the page ``docs/reference/report-facts.md``: every fact, printed from the fields."""
    lines = [
        "# Facts of a report",
        "",
        "What a report file does not say is given beside it: in the form, in the API, or in a file of the",
        "same name ending in `.toml` (TOML, UTF-8). The names are the same everywhere. A fact that the file",
        "says too may be left out; where the two differ the fact holds and a warning is shown. Articles are",
        "of Annex 9 unless another annex is named. A time control is worked out by R6: `80+30` is 110",
        f"minutes, `90/45+30+30@46` is 127.5. Days lie between {FIRST_DAY} and {LAST_DAY}; a number and",
        f"an FMJD-ID go up to {MAX_NUMBER:,}. Private facts are seen by the submitter of the report and by the",
        "office; they appear on no public page, in no export, message or digest.",
        "",
        "Printed by `reporting.rules.tournament_details.details_reference`; do not change it by hand.",
        "",
        "| name | value | needed | says | example | article |",
        "|---|---|---|---|---|---|",
    ]
    for fact in fields(TournamentDetails):
        data = fact.metadata
        choices: type[StrEnum] | None = data["choices"]
        value = str(data["kind"])
        if choices is not None:
            quote = "" if data["kind"] is Kind.STARS else '"'
            value += " " + ", ".join(f"`{quote}{choice.value}{quote}`" for choice in choices)
        if data["longest"] is not None:
            each = "each " if data["kind"] is Kind.WORDS else ""
            value += f", {each}at most {data['longest']:,} characters"
        says = f"{data['says']} (private)" if data["private"] else data["says"]
        needed = data["required"] or "no"
        lines.append(
            f"| `{fact.name}` | {value} | {needed} | {says} | `{data['example']}` | {data['article']} |"
        )
    return "\n".join(lines) + "\n"
