"""Plain values that a rating system takes and gives: lines of an opening list, expected changes, steps, texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from reporting.rules.sentences import Value


class ExplanationNote(Protocol):
    """A remark next to a line of a calculation: its code and the values of its sentence, which is its text."""

    @property
    def code(self) -> str: ...
    @property
    def values(self) -> Mapping[str, Value]: ...


class ExplanationStep(Protocol):
    """A line of a calculation as it is shown: code and name of the figure, formula with its values, result, source.

    `list_read` is the list that the figure comes from, as files name it (`<pool>/2024-03-01/r1`); empty for none.
    """

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def symbol(self) -> str: ...
    @property
    def working(self) -> str: ...
    @property
    def result(self) -> str: ...
    @property
    def article(self) -> str: ...
    @property
    def rulings(self) -> tuple[str, ...]: ...
    @property
    def notes(self) -> Sequence[ExplanationNote]: ...
    @property
    def list_read(self) -> str: ...


@dataclass(frozen=True, slots=True)
class FoundAnomaly:
    """Something in a draft that a rating officer must answer, by the rules of its system: its kind and values.

    It is about a player or a result set (keys), or about the whole list.
    """

    kind: str
    player: int | None
    data: Mapping[str, int | str]
    result_set: int | None = None


@dataclass(frozen=True, slots=True)
class OpeningLine:
    """A line of an opening list; `more` are the values of `opening_file`, None where the file has none."""

    player: int
    register_number: int
    rating: int
    games: int
    last_game: date
    more: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class ExpectedChange:
    """The expected change of one player: ratings whole, figures of the formula times 10,000 (R3).

    `own` is the rating on the list of the tournament (None: not on it); `rating` the newest published one (None:
    none); `change` the points of this tournament alone, None where the newest list does not have the record (U9);
    `after` the rating with them.
    """

    own: int | None
    rating: int | None
    games: int
    performance_e4: int
    change: int | None
    after: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class ChangeSummary:
    """The values of a stored change, from which its system makes a sentence, and its articles."""

    values: dict[str, Any]
    article: str


@dataclass(frozen=True, slots=True)
class PlayerStart:
    """What a player starts a list from: rating and counted games with merges and carried corrections, 0 for none.

    `listed` is the rating that the list before shows; None where it does not have the record.
    """

    listed: int | None = None
    rating: int = 0
    games: int = 0


@dataclass(frozen=True, slots=True)
class RowDifference:
    """A stored value of a player (id) that does not follow from the others: that of a row, or of a change.

    The column `player_id` means that the row itself is missing.
    """

    player: int
    column: str
    found: Any
    expected: Any
    of_change: bool = False


@dataclass(frozen=True, slots=True)
class RuleText:
    """A sentence about a system's rules, without a full stop, and its sources."""

    text: str
    article: str = ""
    rulings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnomalyText:
    """What a system says of an anomaly of a player, in the language in use: a title, and sentences with sources."""

    title: str
    notes: Sequence[RuleText]


@dataclass(frozen=True)
class CorrectionDifference:
    """What one correction changed for one player of the list it revised; on a list without the player both are 0.

    `changed_since` says that the previous list has other figures of the player than the replaced list. Days are not
    compared: the last game is read from the lists themselves (R12).
    """

    correction: int
    player: int
    rating: int
    games: int
    added: bool
    removed: bool
    on_previous_list: bool
    changed_since: bool
