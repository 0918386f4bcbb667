"""The facet of the FMJD: Annex 10 as titles/federations/facet.py asks for it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from ratings.federations.registry import MoreRulings
from ratings.rules.columns import Flags, Integers
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.regulations.rulings import Ruling, read_rulings
from titles.federations.facet import AwardedTitle, Entrant, ForecastRow, TitleByRating
from titles.federations.fmjd import search
from titles.federations.fmjd.decisive_places import places_of_titles
from titles.federations.fmjd.forecast import forecast_rows
from titles.federations.fmjd.inputs import read_norm_input
from titles.federations.fmjd.reference_pages import rules_pages
from titles.federations.fmjd.rules.columns import (
    CATEGORIES,
    COLOURS,
    OPEN_LADDER,
    TITLES,
    WOMEN_LADDER,
    is_women_title,
    title_level,
)
from titles.federations.fmjd.rules.forecast import points_needed
from titles.federations.fmjd.rules.ledger import is_covered, ledger, spare_norms_needed
from titles.federations.fmjd.rules.norms import BY_RESULT
from titles.federations.fmjd.rules.parameters import Parameters, edition_in_force
from titles.federations.fmjd.texts import TEXTS
from titles.rules.forecast import ForecastGame, PointsNeeded
from titles.rules.ledger import Award, LedgerNorm, TitleLedger


@dataclass(frozen=True)
class Annex10:
    """One edition of Annex 10."""

    parameters: Parameters
    titles_by_result = tuple(TITLES[title] for title in BY_RESULT)

    @property
    def id(self) -> str:
        return self.parameters.id

    @property
    def least_rounds(self) -> int:
        return self.parameters.least_rounds

    @property
    def least_games(self) -> int:
        return self.parameters.least_games

    @property
    def unrated_text(self) -> str:
        return gettext("Without a rating a man counts %(man)s, a woman %(woman)s.") % {
            "man": self.parameters.unrated_man,
            "woman": self.parameters.unrated_woman,
        }

    @property
    def titles_by_rating(self) -> Sequence[TitleByRating]:
        return (
            TitleByRating(self.parameters.cmf_rating, {OPEN_LADDER}),
            TitleByRating(self.parameters.cmf_rating_women, {OPEN_LADDER, WOMEN_LADDER}, women_only=True),
        )

    @property
    def points_source(self) -> str:
        return gettext("Annex 10 art. 4.3; tables X-2 and X-3")

    def find_norms(self, **inputs: Any) -> search.Annex10Search:
        return search.find_norms(self, self.parameters, read_norm_input(self.parameters, **inputs))

    def ledger(
        self,
        norms: Iterable[LedgerNorm],
        awards: Iterable[Award],
        highest_rating: int,
        games: int,
        *,
        woman: bool,
    ) -> Sequence[TitleLedger]:
        return ledger(self.parameters, norms, awards, highest_rating, games, woman=woman)

    def spare_norms_needed(
        self,
        norms: Iterable[LedgerNorm],
        spare: Collection[LedgerNorm],
        awards: Iterable[Award],
        *,
        woman: bool,
    ) -> frozenset[LedgerNorm]:
        return spare_norms_needed(self.parameters, norms, spare, awards, woman=woman)

    def forecast(  # noqa: PLR0917
        self,
        entrants: Sequence[Entrant],
        details: Mapping[str, Any],
        weight_percentage: int,
        played: Sequence[ForecastGame],
        to_come: Sequence[ForecastGame],
        open_games: int,
    ) -> list[ForecastRow]:
        return forecast_rows(
            self.parameters, entrants, details, weight_percentage, played, to_come, open_games
        )

    def points_needed(self, title: str, games: int, ratings: Sequence[int]) -> Sequence[PointsNeeded]:
        return points_needed(self.parameters, TITLES.index(title), games, ratings)


class FmjdTitleRules:
    """Annex 10 for the classical pools."""

    system = "fmjd"
    tempo = "classical"
    titles = tuple(
        AwardedTitle(code, title_level(title), WOMEN_LADDER if is_women_title(title) else OPEN_LADDER)
        for title, code in enumerate(TITLES)
    )
    colours = COLOURS
    categories = CATEGORIES
    texts = TEXTS
    forecast_details: Mapping[str, str] = {
        "time_control": "80+60",
        "referee_level": "international",
        "competition": "",
        "national_championship": "",
        "youth": "",
        "official": "",
        "women_only": "",
    }

    @cached_property
    def rulings(self) -> MoreRulings:
        rulings = read_rulings(Path(__file__).parent / "rulings.toml")
        return MoreRulings(
            gettext_lazy("Rulings on norms and titles"),
            tuple(replace(ruling, article=f"Annex 10 art. {ruling.article}") for ruling in rulings),
        )

    def edition_on(self, day: date) -> Annex10:
        return Annex10(edition_in_force(day))

    def is_covered(self, title: Integers, is_title: Flags, levels: Mapping[str, Integers]) -> Flags:
        return is_covered(title, is_title, levels[OPEN_LADDER], levels[WOMEN_LADDER])

    def decisive_places(self, details: TournamentDetails, participants: int) -> frozenset[int]:
        return places_of_titles(details, participants)

    def reference_pages(self, print_rulings: Callable[[tuple[Ruling, ...], int], str]) -> Mapping[str, str]:
        return rules_pages(print_rulings)
