"""The forms of championships: days and title match, names, answers, lots, and the standing of federations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.models import Federation
from reporting.rules.details.detail_kinds import MAX_NUMBER
from reporting.rules.report import FIRST_LIST_DAY
from reporting.web.access import MAX_TEXT_LENGTH
from reporting.web.forms import DayField, StyledFormMixin, TextField, set_choices, text_area
from reporting.web.query_params import WholeNumberField
from titles.federations.fmjd.championships.labels import item_label
from titles.federations.fmjd.championships.selectors import ChampionshipPage
from titles.federations.fmjd.championships.services.save_championship import ChampionshipValues
from titles.federations.fmjd.models import Championship, DrawnLot, PlaceStep, Publication
from titles.federations.fmjd.rules.world_cup.qualification import NAMED_KINDS
from titles.federations.fmjd.world_cup.forms import LAST_LIST_DAY
from titles.rules.lifecycle import PlaceMove

Kind = Publication.Kind
MOST_NUMBERS = 60
"""FMJD-IDs in one field: more than a championship has players."""
DAYS = [MinValueValidator(FIRST_LIST_DAY), MaxValueValidator(LAST_LIST_DAY)]


def _day_input() -> forms.DateInput:
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


class NumbersField(forms.CharField):
    """FMJD-IDs in their order, with commas, spaces or lines between them."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        numbers = re.split(r"[\s,;]+", text) if text else []
        unreadable = [one for one in numbers if not re.fullmatch(r"[0-9]{1,9}", one) or int(one) > MAX_NUMBER]
        if unreadable:
            raise forms.ValidationError(
                gettext("“%(found)s” is no FMJD-ID. Enter numbers with commas between them.")
                % {"found": unreadable[0]}
            )
        if len(numbers) > MOST_NUMBERS:
            raise forms.ValidationError(gettext("Enter at most %(most)s numbers.") % {"most": MOST_NUMBERS})
        return [int(one) for one in numbers]

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value


class ChampionshipForm(StyledFormMixin, forms.Form):
    """What the office says of a championship."""

    refused_fields = {  # noqa: RUF012 (as in Attempt)
        "championship_exists": "first_day",
        "championship_year": "first_day",
        "championship_council_day": "council_day",
        "championship_match": "opponent",
        "championship_extra_places": "extra_places",
        "previous_unknown": "previous",
        "previous_other_kind": "previous",
    }

    first_day = DayField(label=_("First day"), validators=DAYS, widget=_day_input())
    council_day = DayField(
        label=_("Council’s day for withdrawals"),
        validators=DAYS,
        widget=_day_input(),
        help_text=_("From this day on the reserve list replaces a player who withdraws."),
    )
    place = forms.CharField(label=_("Place"), max_length=80, required=False)
    organiser = forms.CharField(label=_("Organiser"), max_length=80, required=False)
    champion = WholeNumberField(
        label=_("World champion: FMJD-ID"),
        required=False,
        min_value=1,
        max_value=MAX_NUMBER,
        help_text=_(
            "A new championship takes title match and previous championship from champions and medals."
        ),
    )
    opponent = WholeNumberField(
        label=_("Opponent in the title match: FMJD-ID"), required=False, min_value=1, max_value=MAX_NUMBER
    )
    match_played = forms.BooleanField(label=_("The title match was played"), required=False)
    refused = NumbersField(
        label=_("Refused the title match: FMJD-IDs"),
        required=False,
        help_text=_("Their places of items 1 and 2 go to the reserve list."),
    )
    previous = forms.CharField(
        label=_("Previous championship: code of the tournament"),
        required=False,
        max_length=80,
        help_text=_("For example 2025-world-championship. Item 2 follows its final classification."),
    )

    extra_places = WholeNumberField(
        label=_("Extra places"),
        required=False,
        min_value=0,
        max_value=8,
        help_text=_("Decided by the Council: up to 4 for women (Option 24), or 8 of 48 players (Option 48)."),
    )

    @property
    def values(self) -> ChampionshipValues:
        """What was entered, once it is valid."""
        entered = {name: value for name, value in self.cleaned_data.items() if name != "kind"}
        return ChampionshipValues(**entered | {"extra_places": entered["extra_places"] or 0})


class NewChampionshipForm(ChampionshipForm):
    """A championship with its kind."""

    kind = forms.ChoiceField(label=_("Kind"), choices=Championship.Kind.choices)
    field_order = ("kind",)


class SeenForm(forms.Form):
    """Which button was pressed, and the version of the championship that the page showed."""

    action = forms.ChoiceField(choices=[(name, name) for name in ("name", "answer", "lot", "publish")])
    seen = forms.IntegerField(required=False)


def _day_field() -> DayField:
    return DayField(
        label=_("Day"),
        help_text=_("On which the office was informed, not in the future."),
        widget=_day_input(),
    )


class ActForm(StyledFormMixin, forms.Form):
    """A form of the page of a championship."""

    def __init__(self, page: ChampionshipPage, data: Any = None) -> None:
        super().__init__(data, prefix=self.action, initial={"on": timezone.localdate().isoformat()})
        self.offer(page)

    action = ""

    def offer(self, page: ChampionshipPage) -> None:
        """Set the choices that depend on the championship."""


class NameForm(ActForm):
    """Names of players for an item."""

    action = "name"
    refused_fields = dict.fromkeys(
        ("name_unknown", "named_twice", "name_other_sex", "name_other_continent"), "numbers"
    )

    item = forms.TypedChoiceField(label=_("Named by"), coerce=int)
    numbers = NumbersField(
        label=_("FMJD-IDs"),
        max_length=600,
        help_text=_("In their order, with commas. A name beyond the places follows a player who withdraws."),
    )
    on = _day_field()

    def offer(self, page: ChampionshipPage) -> None:
        """The items whose players are named."""
        named = [item for item in page.given.items if item.kind in list(NAMED_KINDS)]
        set_choices(self, "item", [(item.item, f"{item.item}. {item_label(item)}") for item in named])


class AnswerForm(ActForm):
    """What a player answered, or that an answer or a name is undone."""

    action = "answer"
    refused_fields = {"reason_missing": "reason"}  # noqa: RUF012 (as in Attempt)

    player = WholeNumberField(label=_("FMJD-ID of the player"), min_value=1, max_value=MAX_NUMBER)
    move = forms.TypedChoiceField(
        label=_("What to record"),
        coerce=PlaceMove,
        choices=[
            (PlaceStep.Move.CONFIRM.value, _("The player takes the place")),
            (PlaceStep.Move.DECLINE.value, _("The player withdraws")),
            (PlaceStep.Move.UNDO.value, _("Undo the answer")),
            (PlaceStep.Move.REMOVE.value, _("Remove the name")),
        ],
    )
    on = _day_field()
    reason = text_area(help_text=_("Needed to undo an answer or to remove a name."), required=False, rows=2)


class ChosenPlayerForm(forms.Form):
    """The player whose answer is to be recorded, as the link of a place names one."""

    player = WholeNumberField(required=False, min_value=1, max_value=MAX_NUMBER)


class LotForm(ActForm):
    """The order that a lot gave to equal players."""

    action = "lot"
    refused_fields = {"lot_not_equal": "players"}  # noqa: RUF012 (as in Attempt)

    source = forms.TypedChoiceField(
        label=_("Equal in"), choices=DrawnLot.Source.choices, coerce=DrawnLot.Source
    )
    players = NumbersField(
        label=_("FMJD-IDs in the order drawn"),
        max_length=600,
        help_text=_("All players who are equal with each other."),
    )
    on = _day_field()


class PublishForm(ActForm):
    """A list to be published; of one that is published already the reason of its revision."""

    action = "publish"
    refused_fields = {"reason_missing": "reason"}  # noqa: RUF012 (as in Attempt)

    kind = forms.ChoiceField(
        label=_("List"),
        choices=[(kind.value, kind.label) for kind in (Kind.PARTICIPANTS, Kind.RESERVES)],
    )
    reason = text_area(
        help_text=_("Of a revision: where this list is published already. All readers see it."),
        required=False,
        rows=2,
    )


ACT_FORMS: tuple[type[ActForm], ...] = (NameForm, AnswerForm, LotForm, PublishForm)
"""The forms of the page of a championship, in their order."""


class StandingForm(StyledFormMixin, forms.Form):
    """A federation that is not in good standing in a year, or is again."""

    refused_fields = {"standing_known": "is_good", "reason_missing": "reason"}  # noqa: RUF012 (as in Attempt)

    federation = forms.ModelChoiceField(label=_("Federation"), queryset=Federation.objects.none())
    year = forms.TypedChoiceField(label=_("Year"), coerce=int)
    is_good = forms.TypedChoiceField(
        label=_("Standing"),
        choices=[("no", _("Not in good standing")), ("yes", _("In good standing again"))],
        coerce=lambda value: value == "yes",
    )
    reason = TextField(label=_("Reason"), max_length=MAX_TEXT_LENGTH)

    def __init__(self, years: Sequence[int], data: Any = None) -> None:
        super().__init__(data)
        self.fields["federation"].queryset = Federation.objects.order_by("name")  # type: ignore[attr-defined]
        set_choices(self, "year", [(year, year) for year in years])


def years_of_standing(today: date) -> list[int]:
    """The years for which the standing of federations is recorded."""
    return [today.year - 1, today.year, today.year + 1, today.year + 2]
