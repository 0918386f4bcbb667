"""A published list during its verification: what was compared, and every difference found."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ratings.models import HeldRow, ListRow, PlayerHistory, RatingList
from ratings.publishing.verification.verification_texts import Text, Words, words
from reporting.models.register import ERASED_NAME

HELD, HISTORY, LIST = (model._meta.db_table for model in (HeldRow, PlayerHistory, RatingList))


@dataclass(frozen=True)
class Difference:
    """A difference from what was published: place, player, column, value found and value expected."""

    rating_list: str
    where: Text
    number: int | None
    number_label: str
    column: str
    found: Text
    expected: Text

    def __str__(self) -> str:
        nothing = words("nothing")
        values = {
            "list": self.rating_list,
            "where": str(self.where),
            "column": self.column,
            "found": str(self.found or nothing),
            "expected": str(self.expected or nothing),
        }
        if self.number is None:
            return str(words("difference", **values))
        return str(words("difference_of_player", label=self.number_label, number=self.number, **values))


@dataclass
class VerifiedList:
    """A published list, how much of it was compared (by a code of `COMPARED`), and every difference found."""

    rating_list: RatingList
    numbers: Mapping[int, int]
    compared: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"{self.rating_list.address}/r{self.rating_list.revision}"

    @property
    def number_label(self) -> str:
        return self.rating_list.report_rules.register.number_label

    @property
    def rows_table(self) -> str:
        return str(self.rating_list.rating_system.row_model._meta.db_table)

    @property
    def changes_table(self) -> str:
        return str(self.rating_list.rating_system.change_model._meta.db_table)

    @cached_property
    def rows(self) -> list[ListRow]:
        return list(self.rating_list.rows.order_by("position"))

    @cached_property
    def erased_numbers(self) -> set[int]:
        """Numbers of rows whose name was erased: files with names may have the old or the new name."""
        return {row.register_number for row in self.rows if row.name == ERASED_NAME}

    def expect(self, where: Text, column: str, found: Any, expected: Any, number: int | None = None) -> None:
        if found != expected:
            self.differences.append(
                Difference(
                    self.address,
                    where,
                    number,
                    self.number_label,
                    column,
                    _shown(found),
                    _shown(expected),
                )
            )


def display_value(value: Any) -> str:
    """A value as a difference prints it: nothing where there is none."""
    return "" if value is None else str(value)


def _shown(value: Any) -> Text:
    return value if isinstance(value, Words) else display_value(value)
