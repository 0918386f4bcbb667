"""The forms of what is decided of tournaments (R78)."""

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.reports.decisions.services import Chosen
from reporting.rules.details.decided_items import known_items, labelled_values, neutral_value
from reporting.web.forms import set_choices, text_area

LARGEST_KEY = 2**63 - 1
CHOSEN = re.compile(r"([a-z0-9-]{1,80}):([a-z0-9_]{1,16}):([a-z0-9-]{0,24})")
"""A box of the page of several: code, item and the value that the report proposes."""


class DecisionsForm(forms.Form):
    """What every form of decisions has: the reason, and the newest decision that the person saw."""

    reason = text_area(
        help_text=_("Required to refuse and to change a decision. Stored with your name."),
        required=False,
        rows=2,
    )
    seen = forms.IntegerField(required=False, min_value=0, max_value=LARGEST_KEY)
    refused_fields = {"reason_missing": "reason"}  # noqa: RUF012 (read by `Attempt`)


class TournamentForm(DecisionsForm):
    """The items of one tournament: a choice for each, first none. `report` is the report whose page had the form."""

    report = forms.IntegerField(required=False, min_value=1, max_value=LARGEST_KEY)

    def __init__(self, data: Any = None, *, items: Iterable[str] = (), **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.items = list(items)
        self.refused_fields = {**self.refused_fields, "decisions_missing": next(iter(self.items), "reason")}
        known = known_items()
        for item in self.items:
            values = [(f"={value}", gettext(label)) for value, label in labelled_values(known[item]).items()]
            self.fields[item] = forms.ChoiceField(
                label=gettext(known[item].label),
                required=False,
                choices=[("", gettext("No decision now")), *values],
                widget=forms.Select(attrs={"class": "field__input"}),
            )

    def chosen(self, code: str) -> list[Chosen]:
        """What was chosen for a tournament; after `is_valid`."""
        texts = {item: self.cleaned_data[item] for item in self.items}
        return [(code, item, text.removeprefix("=")) for item, text in texts.items() if text]


class SeveralForm(DecisionsForm):
    """Items of several tournaments, decided as their reports propose, or refused."""

    action = forms.ChoiceField(choices=[("confirm", ""), ("refuse", "")])
    chosen = forms.MultipleChoiceField(
        label=_("Tournaments"), error_messages={"required": _("Choose at least one tournament.")}
    )

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        sent = data.getlist("chosen") if data is not None else []
        items = known_items()
        known = [text for text in sent if (found := CHOSEN.fullmatch(text)) and found[2] in items]
        set_choices(self, "chosen", [(text, text) for text in known])

    def decided(self) -> list[Chosen]:
        """What was chosen; after `is_valid`."""
        confirms = self.cleaned_data["action"] == "confirm"
        found = []
        for text in self.cleaned_data["chosen"]:
            code, item, value = text.split(":")
            found.append((code, item, value if confirms else neutral_value(known_items()[item])))
        return found
