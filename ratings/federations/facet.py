"""What the rest of the application may ask of a rating system. Nothing else is known about one."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Protocol

from ratings.federations.method import Method
from ratings.rules.columns import Columns, Integers, ListColumns
from ratings.rules.compared_games import Comparison
from ratings.rules.days import CalendarPeriod
from ratings.rules.declared import Declaration
from ratings.rules.derived_lists import DerivedList, FederationColumns
from ratings.rules.values import (
    AnomalyText,
    ChangeSummary,
    CorrectionDifference,
    ExpectedChange,
    ExplanationStep,
    FoundAnomaly,
    OpeningLine,
    PlayerStart,
    RowDifference,
    RuleText,
)
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.regulations.rulings import Ruling
from reporting.rules.report import ReadReport


class Calendar(Protocol):
    """The periods of a system whose regulations fix the closing dates."""

    def period_of(self, day: date) -> CalendarPeriod:
        """The period a tournament belongs to whose last round was played on this day."""

    def next_period(self, period: CalendarPeriod) -> CalendarPeriod:
        """The period that begins where this one ends."""

    def previous_period(self, period: CalendarPeriod) -> CalendarPeriod:
        """The period that ends where this one begins."""


class Edition(Protocol):
    """One edition of a system's rules, with its dated numbers."""

    @property
    def id(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def in_force_from(self) -> date: ...
    @property
    def numbers(self) -> Mapping[str, object]:
        """Every number of the edition by its name in the code, for the reference and for texts."""

    @property
    def freeze_days(self) -> int:
        """Days from the closing date to the freeze by the scheduler, 1 or more, where the office chose the dates."""

    @property
    def derived_lists(self) -> Sequence[DerivedList]:
        """The lists taken from a calculated list, in the order in which they are offered."""

    @property
    def rating_goal(self) -> int | None:
        """A rating that the line of a player's ratings marks, with the text `rating_goal`."""

    @property
    def federation_ranking_size(self) -> int:
        """The number of a federation's best players whose mean ranks it."""

    def tempo(self, seconds: int | None) -> str:
        """The tempo of the pool of a game, by its seconds for the first 60 moves (R6, R25); None without a clock.

        System, discipline and tempo name the pool. There is a clock where the system requires a time control.
        """

    def weight_percentage(self, seconds: int | None) -> int:
        """How much a game counts, in whole percent, by the seconds for the first 60 moves; None without a clock."""

    def basis_of(self, lists_in_force: Sequence[date], first_round: date) -> int:
        """Which of these lists, by the days they came into force, gives a tournament its ratings."""

    def rank_federations(self, federation: Integers, rating: Integers) -> FederationColumns:
        """The ranking of federations: one number and rating a player of the official list."""


class Calculation(Protocol):
    """A calculated list: its rows, and its changes as the system stores them."""

    @property
    def rows(self) -> ListColumns: ...
    @property
    def changes(self) -> Columns: ...
    @property
    def held(self) -> Columns | None:
        """The rows that are kept for later lists and published nowhere (`Declaration.held`); None in most systems."""

    def anomalies(self) -> Iterator[FoundAnomaly]:
        """What a rating officer must answer about players, reports and the list, from its columns alone."""


@dataclass(frozen=True, slots=True)
class Replay:
    """How an input is read for a replay: under which edition, and from which recalculated lists.

    `rules` is an edition of the same system. `lists` are the rows of earlier lists (by id) as that edition has them:
    their ratings replace the published ones.
    """

    rules: Any
    lists: Mapping[int, ListColumns]


class EngineInput(Protocol):
    """Everything that the figures of a list depend on, as columns that only its system knows."""

    @property
    def rules(self) -> Edition:
        """The edition of the rules."""

    @property
    def player_count(self) -> int: ...
    @property
    def tournament_count(self) -> int: ...
    @property
    def game_count(self) -> int:
        """Games of the reports that the list counts, played or not; none that waited since an earlier list."""

    @property
    def played_game_count(self) -> int:
        """Those of them that were played."""

    @property
    def differences(self) -> Sequence[CorrectionDifference]:
        """What carried corrections add to the players' starts."""

    def digest(self) -> str:
        """SHA-256 over the canonical lines of everything read."""

    def calculate(self) -> Calculation:
        """The list, from this input alone: no database, no clock."""


@dataclass(frozen=True, slots=True)
class Recomputation:
    """A program of one file, standard library only, that recalculates a system's lists from their published files.

    `differences` is what it finds different in the list at `POOL/2026-04-01/r1`; it is given what gets the file at an
    address, `/lists/POOL/2026-04-01/r1/files/figures.csv`, or None where there is none.
    """

    program: Path
    differences: Callable[[str, Callable[[str], bytes | None]], Sequence[str]]


class Explanation(Protocol):
    """How a system explains its rules and figures; what its functions say is in the language in use."""

    @property
    def regulations(self) -> str:
        """The regulations that articles and rulings without another name are of."""

    @property
    def articles(self) -> Mapping[str, str]:
        """Articles by subject, with the ids of rulings in them; a subject without an article is left out.

        `person`, `tournament`, `result`: what a list shows of them, for requests; `rating`, `unchanged_rating`: how a
        rating follows from games, and stays without any. `closing`: which reports a list counts. `late`: reports that
        need an admission. `merge`: records of one person. `official`: who is on the official list. `tempo`, `order`,
        `basis`: the pool of a tournament, the order of tournaments, the list that gives the ratings. `announcement`:
        how long before its first round a tournament is announced.
        """

    @property
    def texts(self) -> Mapping[str, RuleText]:
        """Texts by code, in plain English with names of numbers of the edition: `%(federation_ranking_size)s`.

        They are translated where they are shown. What a system says nothing of is left out.
        `article`: what its regulations call an article, where that is not "art.".
        `closing`: which reports a list counts, by its closing date; `counting`: the day by which the list of a report
        is found; `registration`: what may still be added between closing date and freeze. `categories`, `ranks`: of the
        rows of a list.
        `order`: in which tournaments are calculated. `weight`: what the time control of a tournament does to its games
        (`percentage`). `basis`: which list a tournament takes its ratings from. `waiting`: which games
        wait for a later list. `provisional`: a change that makes the rating instead of adding to it, in a word;
        `provisional_change`, `provisional_rating`: what that means.
        `unchanged_rating`: without a counted game in the period. `federation_ranking`, `unranked_federations`: how
        federations are ranked. `rating_goal`: the label of the rating that an edition marks.
        `anomalies`: from which numbers on the rules find an anomaly in a list.
        """

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings on its regulations, in order."""

    def parameter(self, rules: Any, name: str) -> tuple[str, str]:
        """Label and value of a number of an edition."""

    def steps(
        self, rules: Any, change: Any, row: Any, time_control: str, seconds: int | None
    ) -> Sequence[ExplanationStep]:
        """The steps of a stored change, for a tournament with this time control and seconds for 60 moves, if any.

        `row` as in `rating_steps`.
        """

    def rating_steps(
        self, rules: Any, changes: Sequence[Any], row: Any, carried: int
    ) -> Sequence[ExplanationStep]:
        """How a rating follows from a player's stored changes and from carried points; empty where nothing changed.

        The last step is the rating. Of several the first is what the list starts from. `row` is the stored row of the
        list where the system rates by game, else the player's history on it, which has the rating.
        """

    def change_summary(self, change: Any) -> ChangeSummary:
        """A stored change in short, of games those of a tournament together (`GameChanges`).

        None means a tournament without a counted game.
        """

    def change_sentence(self, values: Mapping[str, Any]) -> str:
        """The sentence of the values of `change_summary`."""

    @property
    def anomaly_kinds(self) -> Mapping[str, str]:
        """The kinds of anomalies that its rules find in lists: kind (10 characters at most) → plain English."""

    def anomaly_text(self, kind: str, subject: str, values: Mapping[str, Any]) -> AnomalyText:
        """What an anomaly of one of these kinds says, by the values of `FoundAnomaly`.

        `subject` is the name of the player or tournament that it is about, empty where that is the whole list.
        """

    @property
    def method(self) -> Method | None:
        """Its method for readers; None: rulings and parameters are all that they see."""


class RatingSystem(Protocol):
    """A federation's rules of rating: how its lists are calculated, and who explains them. Each is a Django app of its
    own that registers itself."""

    @property
    def code(self) -> str:
        """The word that pools and lists name it by."""

    @property
    def calendar(self) -> Calendar | None:
        """The periods by its regulations; None where the office chooses the dates of each list."""

    @property
    def declaration(self) -> Declaration:
        """The columns of its lists and changes."""

    @property
    def row_model(self) -> type[Any]:
        """The table of its list rows, a `ratings.models.ListRow`."""

    @property
    def change_model(self) -> type[Any]:
        """The table of its changes, a `ratings.models.Change`."""

    @property
    def carries_corrections(self) -> bool:
        """Whether the next list may start from the difference that the correction of an earlier one makes.

        Else all later lists are revised: a sum of points would not give what the regulations say. One that carries
        has `before` in its declaration.
        """

    @property
    def editions(self) -> Sequence[Edition]:
        """All editions of the rules, the oldest first."""

    def read_input(self, inputs: Any, replay: Replay | None = None) -> EngineInput:
        """Read what a list is calculated from, `CalculationInputs`, in a fixed number of queries.

        Of a tournament with a session only the games whose tempo is the pool's count: each has its own
        `seconds_for_60_moves`, which other games leave empty (R25).
        Without `replay` by the edition in force and from published lists.
        """

    def opening_list(self, rules: Any, in_force: date, lines: Sequence[OpeningLine]) -> Calculation:
        """The list that a pool starts from; the lines rise by player."""

    def arranged(self, rules: Any, closing: date, rows: Sequence[Any]) -> ListColumns:
        """Stored rows in the order of the list again: positions, ranks and all that follows from their figures."""

    def check_rows(
        self,
        rules: Any,
        before: Mapping[int, PlayerStart],
        rows: Sequence[Any],
        changes: Mapping[int, Sequence[Any]],
    ) -> Iterable[RowDifference]:
        """What in stored rows does not follow from the start of each player (id) and from the changes, in their order.

        That is: the sums of its regulations, by the edition of the list, and who has a row. What holds in all systems
        is checked elsewhere.
        """

    def expected_changes(
        self,
        basis: Sequence[Any],
        details: TournamentDetails,
        read: ReadReport,
        players: Mapping[int, Any],
        ratings: Mapping[int, int],
    ) -> Mapping[int, ExpectedChange]:
        """The changes of a report if it alone counted now on these lists, by the players' numbers in the report.

        `ratings` are those of players who are not in the register and count as if the lists had them with enough games.
        """

    def waiting_games(self, pool: Any, player: Any, counted: Mapping[int, date]) -> Mapping[int, date | None]:
        """The games of a player on no list that wait for a later list of a pool: their keys, each with the last day of
        such a list, None for no such day.

        `counted` are the result sets (keys) that published lists of the pool count, with the day of each list. Empty in
        a system whose games do not wait.
        """

    @property
    def recomputation(self) -> Recomputation | None:
        """How its published lists are recalculated without it; None where there is no such program."""

    @property
    def comparison(self) -> Comparison | None:
        """How it calculates the games of other pools; None: other pools are not compared with its rules."""

    @property
    def explanation(self) -> Explanation:
        """How it explains its rules and figures."""
