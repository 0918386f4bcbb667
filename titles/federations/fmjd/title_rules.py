"""The facet of the FMJD: Annex 10 as titles/federations/facet.py asks for it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import cached_property
from pathlib import Path

from django.utils.translation import gettext_lazy

from ratings.federations.registry import MoreRulings
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.rulings import Ruling, read_rulings
from titles.federations.fmjd.decisive_places import places_of_titles
from titles.federations.fmjd.reference_pages import rules_pages
from titles.federations.fmjd.rules.columns import TITLES
from titles.federations.fmjd.rules.parameters import Parameters, edition_in_force
from titles.federations.fmjd.texts import TEXTS


class FmjdTitleRules:
    """Annex 10 for the classical pools."""

    system = "fmjd"
    tempo = "classical"
    titles = TITLES
    texts = TEXTS

    @cached_property
    def rulings(self) -> MoreRulings:
        rulings = read_rulings(Path(__file__).parent / "rulings.toml")
        return MoreRulings(
            gettext_lazy("Rulings on norms and titles"),
            tuple(replace(ruling, article=f"Annex 10 art. {ruling.article}") for ruling in rulings),
        )

    def edition_on(self, day: date) -> Parameters:
        return edition_in_force(day)

    def decisive_places(self, details: TournamentDetails, participants: int) -> frozenset[int]:
        return places_of_titles(details, participants)

    def reference_pages(self, print_rulings: Callable[[tuple[Ruling, ...], int], str]) -> Mapping[str, str]:
        return rules_pages(print_rulings)
