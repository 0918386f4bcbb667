"""The forms of the World Cup pages: which classification, which player and tournament."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.queries.lists import office_today
from reporting.federations.fmjd.models import WorldCupProposal
from reporting.rules.report import FIRST_LIST_DAY
from reporting.web.forms import DayField, StyledFormMixin
from reporting.web.query_params import LARGEST_NUMBER, WholeNumberField
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force

LAST_LIST_DAY = date(2099, 12, 31)
SECTIONS = [("100", _("100 squares")), ("64", _("64 squares"))]
MOST_ROUNDS = 25
"""Rounds of a planned tournament: a page has a line for each number of points, twice as many."""
MOST_DAYS = 731
CLASSIFICATIONS = [("open", _("Open")), ("women", _("Women"))]


class ClassificationForm(StyledFormMixin, forms.Form):
    """Which classification, and on which day; what an address leaves out is open, 100 squares, today."""

    classification = forms.ChoiceField(label=_("Classification"), choices=CLASSIFICATIONS, required=False)
    section = forms.ChoiceField(label=_("Discipline"), choices=SECTIONS, required=False)
    on = DayField(
        label=_("On"),
        required=False,
        validators=[MinValueValidator(FIRST_LIST_DAY), MaxValueValidator(LAST_LIST_DAY)],
    )

    def clean(self) -> dict[str, Any]:
        """The values, with those left out."""
        left_out = {"classification": "open", "section": "100", "on": office_today()}
        return left_out | {name: value for name, value in self.cleaned_data.items() if value}


class EventForm(forms.Form):
    """The event to come whose values an address takes, by the number of its announced tournament."""

    event = WholeNumberField(required=False, min_value=1, max_value=LARGEST_NUMBER)


class ScoreForm(StyledFormMixin, forms.Form):
    """A player and a tournament to come; the rank to reach may be left out."""

    player = WholeNumberField(label=_("FMJD-ID of the player"), min_value=1, max_value=LARGEST_NUMBER)
    section = forms.ChoiceField(label=_("Discipline"), choices=SECTIONS)
    stars = forms.TypedChoiceField(
        label=_("Stars"),
        coerce=int,
        choices=lambda: [(stars, stars) for stars, _ in edition_in_force(office_today()).factors],
    )
    rounds = WholeNumberField(label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS)
    last_day = DayField(label=_("Last day"), help_text=_("The day of the last round, from today on."))
    rank = WholeNumberField(label=_("Rank to reach"), required=False, min_value=1, max_value=LARGEST_NUMBER)

    def __init__(self, query: QueryDict, event: WorldCupProposal | None) -> None:
        values: dict[str, Any] = query.dict()
        if event is not None:
            tournament = event.tournament
            values |= {"section": tournament.discipline, "stars": event.stars, "rounds": event.rounds}
            values |= {"last_day": tournament.played_to.isoformat()}
        # The page of a player names the player only, that of an event the event: nothing is asked yet.
        if query.keys() - {"player", "event"} or (event is not None and values.get("player")):
            super().__init__(values)
        else:
            super().__init__(initial=values)

    def clean_last_day(self) -> date:
        """A day from today on, on which results of today can count."""
        day: date = self.cleaned_data["last_day"]
        today = office_today()
        if not today <= day <= today + timedelta(days=MOST_DAYS):
            raise forms.ValidationError(
                gettext("Enter a day from today on, at most %(days)s days later."), params={"days": MOST_DAYS}
            )
        return day
