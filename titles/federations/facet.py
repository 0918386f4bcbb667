"""What an app of a federation says of norms and titles: generic code asks it here and names no federation."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Final, Protocol

from ratings.federations.facet import RatingSystem
from ratings.federations.registry import MoreRulings
from ratings.inputs.listed_ratings import ListedRatings
from ratings.inputs.result_columns import ResultColumns
from ratings.models import RatingList
from ratings.rules.columns import Columns, Flags, Integers
from reporting.models import Player
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.regulations.rulings import Ruling
from reporting.rules.sentences import Template, Value
from titles.models import Norm
from titles.rules.forecast import ForecastGame, ForecastNorm, PointsNeeded
from titles.rules.ledger import Award, LedgerNorm, TitleLedger
from titles.rules.requirement import Condition, Requirement, requirements_of_group

KINDS: Final = (Norm.Kind.RESULT, Norm.Kind.PLACE, Norm.Kind.TITLE)
ORIGINS: Final = (Norm.Origin.FOUND, Norm.Origin.ON_REQUEST, Norm.Origin.NEAR_MISS)
RESULT, PLACE, TITLE = range(3)
FOUND, ON_REQUEST, NEAR_MISS = range(3)
NO_GAME: Final = -1


@dataclass(frozen=True)
class TitleTexts:
    """The sentences of requirements by their codes, and the texts of values that are codes, by the value's name.

    `lacks` says of a requirement of the ledger what it asks and is not there; `counts` how much of it is missing, where
    something counts already. `pages` are sentences about the rules by code, with
    their articles; what a federation says nothing of is left out. `registration`: from when a title counts.
    `applications`: who decides about an application, and who records it. `approval`: what a tournament without the
    approval of the title council brings. `one_title`: how many titles a norm serves. `highest_rating` (`rating`): on
    which lists it is looked for. `ignored_game` (`round`), `ignored`: a won game that a norm leaves out, in a sentence
    and in a word. `forecast`: what a forecast takes as done. `points_by_average` (`points`, `average`), `points_by_any`
    (`points`): the points that a norm asks against opponents to come.

    Words of the colours of norms: `colour` is the name; `colour_asked` says of a requirement that norms of the colour
    only ask it; `colour_only` that no higher one is possible; `colour_players` (`players`) for how many it is possible;
    `colour_prevented` stands above what prevents it.
    """

    asks: Mapping[str, Template]
    found: Mapping[str, Template]
    lacks: Mapping[str, Template]
    counts: Mapping[str, Template]
    words: Mapping[str, Mapping[Value, str]]
    pages: Mapping[str, Template]


@dataclass(frozen=True)
class AwardedTitle:
    """A title that norms are for. `level` counts from 1, the lowest, in each `ladder`, which its federation names.

    A player holds one title of each ladder: the higher one replaces the lower.
    """

    code: str
    level: int
    ladder: str = ""


def ladders_of(titles: Iterable[AwardedTitle]) -> list[str]:
    """The ladders of these titles, each once, in their order."""
    return list(dict.fromkeys(title.ladder for title in titles))


@dataclass(frozen=True)
class TitleByRating:
    """The least rating on a list that gives a title to those who hold none of these ladders: to all, or to women."""

    rating: int
    without: Collection[str]
    women_only: bool = False


@dataclass(frozen=True)
class Evidence:
    """What a group of opponents gives a norm by result: Rm, category, points asked and scored, games."""

    average_rating: int
    category: int
    points_asked: int
    points_scored: int
    games: int


@dataclass(frozen=True, eq=False)
class FoundNorm:
    """A norm, an automatic title or a near miss of one participation; `evidence` of norms by result only.

    `ignored_game` is the row of the won game that it needs ignored. `group` is the row in the columns of the
    conditions.
    """

    participation: int
    title: str
    kind: Norm.Kind
    origin: Norm.Origin
    colour: str
    games: int
    evidence: Evidence | None
    ignored_game: int | None
    conditions: tuple[Condition, ...]
    group: int

    @cached_property
    def requirements(self) -> tuple[Requirement, ...]:
        """What was asked and found."""
        return requirements_of_group(self.conditions, self.group)


@dataclass(frozen=True, eq=False)
class FoundColumns(Columns):
    """One row per norm, automatic title or near miss, by participation, then the higher title first.

    `title` and `colour` are places in `NormSearch.titles` and `colours`, `kind` and `origin` in `KINDS` and `ORIGINS`.
    The points, Rm and category are 0 but of norms by result. `ignored_game` is a row of the games or
    `NO_GAME`. `asked` is a place in `NormSearch.asked`, `group` the row in the columns of these conditions.
    """

    participation: Integers
    title: Integers
    kind: Integers
    origin: Integers
    colour: Integers
    games: Integers
    points_scored: Integers
    points_asked: Integers
    average_rating: Integers
    category: Integers
    ignored_game: Integers
    asked: Integers
    group: Integers


@dataclass(frozen=True, eq=False)
class SearchedColumns(Columns):
    """One row per participation searched: its entry, the row of its tournament, the player by id (R24).

    `counts_on_ladders` says whether a norm of the player may count on several ladders: one for a title held may then be
    needed though no title was gained through norms.
    """

    entry: Integers
    tournament: Integers
    player: Integers
    is_woman: Flags
    counts_on_ladders: Flags


@dataclass(frozen=True, eq=False)
class OpponentColumns(Columns):
    """One row per game of a participation, in any order: the opponent as of the first day (R33).

    `game` is a row of the games, `player` the opponent by id; `title` is 1 + a place in `NormSearch.titles`, 0 for
    none; `federation` is a number of `NormSearch.federations`. A rating of 0 is none.
    """

    participation: Integers
    game: Integers
    player: Integers
    points: Integers
    rating: Integers
    title: Integers
    federation: Integers


@dataclass(frozen=True, eq=False)
class NormSearch(ABC):
    """Tournaments searched by one edition of the rules: what was found, and the conditions that decided each row.

    `titles`, `categories` and `colours` are those of the rules; a last colour is empty, for none. `games` are the games
    of the database by the rows that `ignored_game` names, `tournaments` the result sets (ids) by the rows that `people`
    name, `disciplines` their disciplines. `federations` has the codes by the numbers in the columns.
    """

    edition: "TitleEdition"
    titles: Sequence[str]
    colours: Sequence[str]
    categories: Sequence[str]
    tournaments: Integers
    disciplines: Sequence[str]
    people: SearchedColumns
    games: Integers
    opponents: OpponentColumns
    federations: Mapping[int, str]
    columns: FoundColumns
    asked: tuple[tuple[Condition, ...], ...]

    @abstractmethod
    def by_result(self, participation: int, title: str) -> FoundNorm:
        """The norm of one title, met or not; without conditions and evidence where no result gives it."""

    @abstractmethod
    def examined(self, participation: int) -> Iterator[FoundNorm]:
        """The norm by result of each title that was examined, met or not."""

    @cached_property
    def found(self) -> tuple[FoundNorm, ...]:
        """What was found, one by one; in the order of participations, then of titles."""
        columns = (getattr(self.columns, name).tolist() for name in FoundColumns.__dataclass_fields__)
        return tuple(
            FoundNorm(
                participation,
                self.titles[title],
                KINDS[kind],
                ORIGINS[origin],
                self.colours[colour],
                games,
                Evidence(average_rating, category, points_asked, points_scored, games)
                if kind == RESULT
                else None,
                None if ignored_game == NO_GAME else ignored_game,
                self.asked[asked],
                group,
            )
            for (
                participation, title, kind, origin, colour, games, points_scored, points_asked, average_rating,
                category, ignored_game, asked, group,
            ) in zip(*columns, strict=True)
        )  # fmt: skip


@dataclass(frozen=True)
class Entrant:
    """A player of a field: federation a code, `titles` those held, `rating` 0 for none, `sex` M, W or empty."""

    name: str
    federation: str = ""
    sex: str = ""
    titles: tuple[str, ...] = ()
    rating: int = 0
    player: Player | None = None


@dataclass(frozen=True)
class ForecastRow:
    """A player of the forecast with the titles examined, the highest first."""

    entrant: Entrant
    points: int
    norms: Sequence[ForecastNorm]

    @property
    def possible(self) -> list[ForecastNorm]:
        return [norm for norm in self.norms if norm.points is not None]

    @property
    def impossible(self) -> list[ForecastNorm]:
        return [norm for norm in self.norms if norm.points is None]


class TitleEdition(Protocol):
    """The rules of titles as they are on a day: the search for norms, the ledger, forecasts."""

    @property
    def id(self) -> str:
        """What names the edition of the regulations."""

    @property
    def least_rounds(self) -> int:
        """With fewer rounds a tournament brings no norms."""

    @property
    def least_games(self) -> int:
        """With fewer games there is no norm by result."""

    @property
    def unrated_text(self) -> str:
        """What counts for an opponent without a rating, in the language in use; empty for nothing."""

    @property
    def titles_by_rating(self) -> Sequence[TitleByRating]:
        """The titles that a rating on a list gives."""

    @property
    def titles_by_result(self) -> Sequence[str]:
        """The titles that a result can bring a norm for, the highest first."""

    @property
    def points_source(self) -> str:
        """The articles and tables that `points_needed` is from, in the language in use; empty for none."""

    def find_norms(
        self,
        *,
        results: ResultColumns,
        lists: Sequence[RatingList],
        ratings: ListedRatings,
        system: RatingSystem,
        tempo: str,
        persons: Mapping[int, int],
        decisions: Sequence[int],
        claimed: Collection[int] | None,
    ) -> NormSearch:
        """Norms, automatic titles and near misses of accepted tournaments, by their games of one tempo.

        Tournaments in which nothing can be found may be left out, but for those `claimed`; None leaves out none.

        `lists` are those whose `ratings` count, the oldest first. `persons` are merged records, duplicate to surviving
        (R24). `decisions` (ids) say what counts of a tournament: what its report proposes does not (R78).
        """

    def ledger(
        self,
        norms: Iterable[LedgerNorm],
        awards: Iterable[Award],
        highest_rating: int,
        games: int,
        *,
        woman: bool,
    ) -> Sequence[TitleLedger]:
        """Each title above those held, the norms shared out for it; by ladder, the lowest first.

        `highest_rating` is the highest on a published list, 0 for none; `games` are the counted games in all.
        """

    def spare_norms_needed(
        self,
        norms: Iterable[LedgerNorm],
        spare: Collection[LedgerNorm],
        awards: Iterable[Award],
        *,
        woman: bool,
    ) -> frozenset[LedgerNorm]:
        """Those of `spare`, norms for titles held, that bring a higher title closer."""

    def forecast(  # noqa: PLR0917
        self,
        entrants: Sequence[Entrant],
        details: Mapping[str, Any],
        weight_percentage: int,
        played: Sequence[ForecastGame],
        to_come: Sequence[ForecastGame],
        open_games: int,
    ) -> list[ForecastRow]:
        """What each entrant still needs for a norm by result, in the order of the entrants.

        `to_come` are games with known opponents; `open_games` are further games of each entrant. `details` have the
        names of the tournament details; `weight_percentage` is that of the time control.
        """

    def points_needed(self, title: str, games: int, ratings: Sequence[int]) -> Sequence[PointsNeeded]:
        """The points that a norm asks in so many games, by category, the lowest first; `ratings` are those known."""


class TitleRules(Protocol):
    """The rules of titles of a rating system. `register_title_rules` makes them known."""

    @property
    def system(self) -> str:
        """The code of the rating system whose tournaments bring the norms."""

    @property
    def tempo(self) -> str:
        """The tempo of the pools that bring norms; their lists have the rating that a title asks."""

    @property
    def titles(self) -> Sequence[AwardedTitle]:
        """The titles that norms are for, in the order of forms and of the API; the rules name one by its place here."""

    @property
    def colours(self) -> Sequence[str]:
        """The colours of norms, the least first: a higher one asks what it does too. Empty where norms have none."""

    @property
    def categories(self) -> Sequence[str]:
        """The names of the categories of norms by result, by their numbers; 0 is none, its name is empty."""

    @property
    def texts(self) -> TitleTexts:
        """The sentences of the requirements, and those about the rules on pages."""

    @property
    def forecast_details(self) -> Mapping[str, str]:
        """The tournament details with choices, or yes or no, that a forecast asks of its federation, in this order.

        The value is the one proposed for a detail that must be given; empty where it may be left out. A detail that
        every forecast asks may be named for the value proposed.
        """

    @property
    def rulings(self) -> MoreRulings:
        """The rulings on norms and titles, for the method page and the API."""

    def edition_on(self, day: date) -> TitleEdition:
        """The edition in force on a day."""

    def is_covered(self, title: Integers, is_title: Flags, levels: Mapping[str, Integers]) -> Flags:
        """Whether a title held is this one or a higher one, so that a norm for it is not needed (R41).

        `title` are places in `titles`, `is_title` tells automatic titles from norms; `levels` are those of the title
        held of each ladder, 0 for none. A higher level covers what a lower one does.
        """

    def decisive_places(self, details: TournamentDetails, participants: int) -> frozenset[int]:
        """The places n that bring a player more than place n + 1 does (R52); empty while the first day is unknown."""

    def reference_pages(self, print_rulings: Callable[[tuple[Ruling, ...], int], str]) -> Mapping[str, str]:
        """Each page of the rules by its place under docs/; `print_rulings` prints under headings of a level."""
