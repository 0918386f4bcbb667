"""The titles that players hold. Each rating system brings those that it awards, and says in which disciplines."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from reporting.federations.registry import all_report_rules, discipline_labels, system_labels

WOMENS_LADDER: Final = "women"
"""The ladder of women's titles: files of open data tell them apart."""


@dataclass(frozen=True)
class Title:
    """A title as it is printed, its name in plain English, its place among the awarder's titles (1 is the highest).

    A player holds one title of each `ladder`.
    """

    code: str
    label: str
    rank: int
    ladder: str = ""


@dataclass(frozen=True)
class DisciplineTitles:
    """A discipline in which titles are awarded. `field` names it in files of the register, forms and the log."""

    awarded_by: str
    discipline: str
    field: str
    label: str
    titles: Mapping[str, Title]

    def ladder(self, title: str) -> str:
        """The ladder of a title; empty for a title that is not known."""
        return self.titles[title].ladder if title in self.titles else ""

    def highest(self, titles: Iterable[str]) -> str:
        """The highest of these titles, empty for none; a title that is not known comes after those that are."""
        last = len(self.titles)
        ranks = {title: self.titles[title].rank if title in self.titles else last for title in titles}
        return min(ranks, key=lambda title: (ranks[title], title), default="")


def discipline_titles() -> Mapping[str, DisciplineTitles]:
    """The titles of all awarders in each discipline, by their fields, in the order of INSTALLED_APPS."""
    return {
        of_discipline.field: of_discipline
        for rules in all_report_rules()
        for of_discipline in rules.discipline_titles
    }


def discipline_of_titles(discipline: str) -> str:
    """The label of a discipline in which titles are awarded, in plain English; the names of awarders without any."""
    awarders = (of.awarded_by for of in discipline_titles().values() if of.discipline == discipline)
    names = ", ".join(dict.fromkeys(system_labels()[code] for code in awarders))
    return discipline_labels().get(discipline) or names or discipline


def title_field(awarded_by: str, discipline: str) -> str | None:
    """The field of an awarder's titles in a discipline; None for an awarder without titles there."""
    fields = (
        field
        for field, of in discipline_titles().items()
        if (of.awarded_by, of.discipline) == (awarded_by, discipline)
    )
    return next(fields, None)


def titles_by_field(titles: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Of titles, as awarder, discipline, title, the highest in each discipline: its field → title, in their order."""
    held = list(titles)
    return {
        field: of_discipline.highest(own)
        for field, of_discipline in discipline_titles().items()
        if (
            own := [
                title for *of, title in held if of == [of_discipline.awarded_by, of_discipline.discipline]
            ]
        )
    }


def titles_by_rank(awarded_by: str, discipline: str) -> list[str]:
    """The codes of an awarder's titles in a discipline, the highest first; none for an awarder without titles there."""
    found = (
        of
        for of in discipline_titles().values()
        if (of.awarded_by, of.discipline) == (awarded_by, discipline)
    )
    return [title.code for of in found for title in sorted(of.titles.values(), key=lambda title: title.rank)]


def all_titles() -> Mapping[str, Title]:
    """The titles of all awarders by code; of equal codes that of the first awarder."""
    found: dict[str, Title] = {}
    for of_discipline in discipline_titles().values():
        found = {**of_discipline.titles, **found}
    return found
