"""The filters of tournaments: one form for the pages, the calendar and the API."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy

from ratings.published.selectors.tournaments.tables import CALCULATED_ORDERS, TournamentFilters
from reporting.federations.registry import discipline_labels
from reporting.rules.register.countries import all_countries
from reporting.web.forms import QueryForm, StyledFormMixin
from reporting.web.query_params import MAX_SEARCH_LENGTH, SearchForm, WholeNumberField


def order_choices(keys: Iterable[str]) -> list[tuple[str, str]]:
    """The orders by these columns, with a minus in front where the highest comes first."""
    return [(f"{way}{key}", f"{way}{key}") for key in keys for way in ("", "-")]


class TournamentFilterForm(StyledFormMixin, QueryForm):
    """Which tournaments, in which order. A field with an error shows it and filters nothing."""

    default_sort: ClassVar[str] = "-played"

    q = forms.CharField(
        label=gettext_lazy("Name, place, country or code"), required=False, max_length=MAX_SEARCH_LENGTH
    )
    year = WholeNumberField(label=gettext_lazy("Year"), required=False, min_value=1800, max_value=9999)
    country = forms.ChoiceField(
        label=gettext_lazy("Country"),
        required=False,
        choices=[("", gettext_lazy("All")), *((country.code, country.name) for country in all_countries())],
    )
    discipline = forms.ChoiceField(
        label=gettext_lazy("Discipline"),
        required=False,
        choices=lambda: [
            ("", gettext("All")),
            *((value, gettext(label)) for value, label in discipline_labels().items()),
        ],
    )
    tempo = forms.RegexField(
        r"\A[a-z0-9-]{1,12}\Z",
        label=gettext_lazy("Tempo"),
        required=False,
        error_messages={"invalid": gettext_lazy("A tempo has small letters and hyphens only.")},
    )
    players: forms.Field | None = forms.ChoiceField(
        label=gettext_lazy("Players"),
        required=False,
        choices=[
            ("", gettext_lazy("All")),
            ("women", gettext_lazy("Women only")),
            ("youth", gettext_lazy("Youth only")),
        ],
    )
    sort = forms.ChoiceField(
        required=False, choices=order_choices(CALCULATED_ORDERS), widget=forms.HiddenInput
    )

    def clean_q(self) -> str:
        """The words; without a letter or number, or with signs that are no text, they are refused."""
        if problem := SearchForm(self.data).search.problem:
            raise forms.ValidationError(problem)
        return str(self.cleaned_data["q"])

    @property
    def filters(self) -> TournamentFilters:
        """The valid filters."""
        found = self.cleaned_data
        return TournamentFilters(
            typed=found.get("q", ""),
            year=found.get("year"),
            country=found.get("country", ""),
            discipline=found.get("discipline", ""),
            tempo=found.get("tempo", ""),
            women=found.get("players") == "women",
            youth=found.get("players") == "youth",
            with_stars=bool(found.get("with_stars")),
        )

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or self.default_sort

    @property
    def values(self) -> dict[str, str]:
        """The valid values as parameters of an address, without the default order."""
        found = {name: str(value) for name, value in self.cleaned_data.items() if value}
        if found.get("sort") == self.default_sort:
            del found["sort"]
        return found

    @property
    def is_filtered(self) -> bool:
        """Whether anything but the order was asked for."""
        return bool({*self.typed} - {"sort"})

    def offer(self, years: Sequence[int], countries: Mapping[str, str], tempos: Sequence[str]) -> None:
        """Make selects of these values; a value that was asked for and is not among them is added."""
        offered: dict[str, list[tuple[Any, str]]] = {
            "year": [(year, str(year)) for year in years],
            "country": [(code, f"{name} ({code})") for code, name in countries.items()],
            "tempo": [(tempo, capfirst(gettext(tempo))) for tempo in tempos],
        }
        for name, choices in offered.items():
            asked = self.cleaned_data.get(name)
            if asked and asked not in [value for value, _ in choices]:
                choices.append((asked, str(asked)))
            field = self.fields[name]
            field.widget = forms.Select(
                attrs={"class": "field__input"}, choices=[("", gettext("All")), *choices]
            )
        self.fields["q"].widget = forms.TextInput(
            attrs={
                "class": "field__input",
                "type": "search",
                "maxlength": MAX_SEARCH_LENGTH,
                "autocomplete": "off",
            }
        )


class WaitingForm(TournamentFilterForm):
    """The filters of tournaments that wait for a list."""

    default_sort = "played"
    sort = forms.ChoiceField(
        required=False,
        choices=order_choices(("name", "place", "list", "played")),
        widget=forms.HiddenInput,
    )


class CalendarForm(TournamentFilterForm):
    """The filters of announced tournaments: an announcement does not say for whom the tournament is."""

    default_sort = "played"
    players = None
    with_stars = forms.ChoiceField(
        label=gettext_lazy("World Cup"),
        required=False,
        choices=[("", gettext_lazy("All")), ("yes", gettext_lazy("World Cup events only"))],
    )
    sort = forms.ChoiceField(
        required=False, choices=order_choices(("name", "place", "played")), widget=forms.HiddenInput
    )
