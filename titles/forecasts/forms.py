"""The forms of forecasts: the list of entrants or the report file, with the details that norms depend on."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.federations.registry import report_rules
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.known_details import known_details
from reporting.rules.details.time_control import TimeControlError, parse_time_control
from reporting.rules.register.countries import find_country
from reporting.rules.report import MAX_ROUNDS
from reporting.web.forms import StyledFormMixin, TextField
from reporting.web.values import title_label
from titles.federations.facet import TitleEdition
from titles.federations.registry import all_title_rules, awarding_systems

MAX_RATING = 3500
MAX_LIST_LENGTH = 40_000
"""Characters of a pasted list: 200 lines with long names."""

ALWAYS_ASKED = ("discipline", "rounds", "system", "country", "time_control")
"""The details that every forecast asks, before those that the rules of titles name."""


def _disciplines() -> list[tuple[str, str]]:
    """Those in which tournaments of a federation with rules of titles are played."""
    found = {
        value: label
        for system in awarding_systems()
        for value, label in report_rules(system).disciplines.items()
    }
    return [(value, gettext(label)) for value, label in found.items()]


def _choice(name: str, *, required: bool = False, initial: str = "") -> forms.ChoiceField:
    """A detail with the values that reports have."""

    def choices() -> list[tuple[str, Any]]:
        none = [] if required else [("", "–")]
        return [
            *none,
            *((value, gettext(label)) for value, label in known_details()[name].labelled_choices()),
        ]

    return forms.ChoiceField(
        label=_(known_details()[name].label), choices=choices, required=required, initial=initial
    )


def _own_field(name: str, proposed: str) -> forms.Field:
    """The field of a detail that rules of titles name."""
    if known_details()[name].kind is Kind.YES_OR_NO:
        return forms.BooleanField(label=_(known_details()[name].label), required=False)
    return _choice(name, required=bool(proposed), initial=proposed)


class OwnDetailsForm(forms.Form):
    """The details that only the rules of titles of a federation ask."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = {name: value for rules in all_title_rules() for name, value in rules.forecast_details.items()}
        for name, proposed in own.items():
            if name in ALWAYS_ASKED:
                self.fields[name].initial = proposed
            else:
                self.fields[name] = _own_field(name, proposed)
        self.names = tuple(dict.fromkeys((*ALWAYS_ASKED, *own)))
        self.order_fields(self.names)


class DetailsForm(StyledFormMixin, OwnDetailsForm):
    """The tournament details that norms depend on."""

    discipline = forms.ChoiceField(label=_("Discipline"), choices=_disciplines)
    rounds = forms.IntegerField(label=_("Number of rounds"), min_value=1, max_value=MAX_ROUNDS)
    system = _choice("system", required=True, initial="swiss")
    country = forms.CharField(
        label=_("Country of the organiser"),
        max_length=60,
        help_text=_("For example Netherlands, or NED"),
    )
    time_control = forms.CharField(
        label=_("Time control"),
        max_length=60,
        help_text=_("Base minutes + seconds per move"),
    )

    def clean_country(self) -> str:
        country = find_country(self.cleaned_data["country"])
        if country is None:
            raise forms.ValidationError(_("This country is unknown."))
        return country.code

    def clean_time_control(self) -> str:
        text: str = self.cleaned_data["time_control"]
        try:
            parse_time_control(text)
        except TimeControlError:
            raise forms.ValidationError(
                _("Write base minutes + seconds per move, for example 80+60.")
            ) from None
        return text

    def details(self) -> Mapping[str, Any]:
        """The values by the names of tournament details. After `is_valid`."""
        return {name: self.cleaned_data[name] for name in self.names}

    def detail_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.names]


class EntrantsForm(DetailsForm):
    """A list of entrants, pasted or as a file."""

    entrants = TextField(
        label=_("Entrants"),
        required=False,
        max_length=MAX_LIST_LENGTH,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text=_(
            "One number of the register a line; or a table with the columns number, name, rating, title, sex,"
            " federation, the names of the columns in the first line."
        ),
    )
    file = forms.FileField(label=_("Or a file"), required=False, allow_empty_file=True)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if (
            not values.get("file")
            and not str(values.get("entrants", "")).strip()
            and "entrants" not in self.errors
        ):
            self.add_error("entrants", _("Enter at least two players, or choose a file."))
        return values

    def content(self) -> bytes:
        """The list: of the file where there is one. After `is_valid`."""
        file = self.cleaned_data["file"]
        return file.read() if file else str(self.cleaned_data["entrants"]).encode()


class ReportForm(DetailsForm):
    """A report file of a running tournament."""

    file = forms.FileField(label=_("Report file"), allow_empty_file=True)


class PointsForm(StyledFormMixin, forms.Form):
    """The title, the number of games, and the ratings of the opponents that are known."""

    title = forms.ChoiceField(label=_("Title"))
    games = forms.IntegerField(label=_("Games"), max_value=MAX_ROUNDS, initial=9)
    ratings = TextField(
        label=_("Ratings of the opponents"),
        required=False,
        max_length=400,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, edition: TitleEdition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.least_games = edition.least_games
        title = self.fields["title"]
        assert isinstance(title, forms.ChoiceField)  # noqa: S101 (as declared above)
        title.choices = [(title, title_label(title)) for title in edition.titles_by_result]
        help_text = f"{gettext('Those you know, with spaces between.')} {edition.unrated_text}"
        self.fields["ratings"].help_text = help_text.strip()

    def clean_games(self) -> int:
        games: int = self.cleaned_data["games"]
        if games < self.least_games:
            raise forms.ValidationError(
                gettext("A norm needs at least %(games)s games.") % {"games": self.least_games}
            )
        return games

    def clean_ratings(self) -> list[int]:
        """The ratings as numbers, at most one a game."""
        words = self.cleaned_data["ratings"].replace(",", " ").replace(";", " ").split()
        for word in words:
            if not (word.isascii() and word.isdigit() and 0 < int(word) <= MAX_RATING):
                raise forms.ValidationError(
                    gettext("Write whole ratings up to %(most)s, with spaces between.") % {"most": MAX_RATING}
                )
        games = self.cleaned_data.get("games")
        if games and len(words) > games:
            raise forms.ValidationError(
                gettext("These are %(ratings)s ratings for %(games)s games.")
                % {"ratings": len(words), "games": games}
            )
        return [int(word) for word in words]
