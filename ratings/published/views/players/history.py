"""The part of a player's history that is drawn, as an address asks for it."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models import PlayerHistory
from ratings.published.selectors.players import PoolHistory, PublishedPlayer
from ratings.published.views.list_query import address as address_with
from reporting.web.forms import DayField, StyledFormMixin
from reporting.web.values import day

PERIODS = (1, 3, 5, 10)
"""Years up to the last list that a link shows of a longer history."""


class HistoryForm(StyledFormMixin, forms.Form):
    """The part of a history that is drawn: from a list to a list, in one pool or in all pools of the player.

    It carries the pool and the list that the page shows: `shown` has those of the address that can be used.
    """

    pools = forms.ChoiceField(
        label=_("Rating lists"),
        required=False,
        choices=[("", _("This one")), ("all", _("All"))],
        error_messages={"invalid_choice": _("Choose this list or all lists.")},
    )

    def __init__(
        self, data: QueryDict, player: PublishedPlayer, history: PoolHistory, shown: Mapping[str, str]
    ) -> None:
        super().__init__({**data.dict(), **shown})
        self.player, self.history = player, history
        self.every = history.entries or history.upcoming
        days = [(entry.in_force.isoformat(), day(entry.in_force)) for entry in self.every]
        for name in ("pool", "list"):  # what else the page shows
            self.fields[name] = forms.CharField(required=False, widget=forms.HiddenInput)
        for name, label, choices in (
            ("from", _("From the list of"), [("", days[0][1]), *days[1:]]),
            ("to", _("To the list of"), [*days[:-1], ("", days[-1][1])]),
        ):
            self.fields[name] = DayField(
                label=label,
                required=False,
                widget=forms.Select(attrs={"class": "field__input"}, choices=choices),
                error_messages={"invalid": _("This is not a day: write it as 2026-10-01.")},
            )
        self.full_clean()

    def clean(self) -> None:
        if not self.errors and not self._drawn(self.every):
            self.add_error("from", gettext("This player is on no list between these days."))

    def _drawn(self, entries: Sequence[PlayerHistory]) -> Sequence[PlayerHistory]:
        first = self.cleaned_data.get("from") or date.min
        last = self.cleaned_data.get("to") or date.max
        return [entry for entry in entries if first <= entry.in_force <= last]

    @cached_property
    def figures(self) -> Sequence[PlayerHistory]:
        """The figures drawn; all of them where a value cannot be used."""
        return self.every if self.errors else self._drawn(self.every)

    @cached_property
    def others(self) -> dict[str, Sequence[PlayerHistory]]:
        """The figures drawn of the other pools, by their names."""
        if self.errors or not self.cleaned_data["pools"]:
            return {}
        own = self.history.pool.code
        drawn = {
            other.pool.name: self._drawn(other.entries)
            for code, other in self.player.pools.items()
            if code != own
        }
        return {name: figures for name, figures in drawn.items() if figures}

    @property
    def names(self) -> Sequence[str]:
        """The names of the pools drawn."""
        return [self.history.pool.name, *self.others]

    @property
    def by_day(self) -> list[tuple[date, list[int | None]]]:
        """The ratings drawn in each pool, newest list first."""
        ratings = [
            {entry.in_force: entry.rating for entry in figures}
            for figures in (self.figures, *self.others.values())
        ]
        days = sorted({day for of_pool in ratings for day in of_pool}, reverse=True)
        return [(day, [of_pool.get(day) for of_pool in ratings]) for day in days]

    @property
    def shown_fields(self) -> list[forms.BoundField]:
        """The fields that offer a choice, and those whose value cannot be used."""
        several = {
            "from": len(self.every) > 2,
            "to": len(self.every) > 2,
            "pools": len(self.player.pools) > 1,
        }
        return [self[name] for name, offered in several.items() if offered or name in self.errors]

    @property
    def periods(self) -> list[tuple[int, str, bool]]:
        """Links to the last years of a longer history: years (0 for all), address, whether it is shown now."""
        newest, oldest = self.every[-1].in_force, self.every[0].in_force
        starts = {years: newest - timedelta(days=round(365.25 * years)) for years in PERIODS}
        starts = {years: start for years, start in starts.items() if start > oldest}
        asked = {
            name: self[name].value() or "" for name in ("pool", "list", "pools") if name not in self.errors
        }
        shown = self["from"].value() or ""
        return [
            (years, address_with("", {**asked, "from": start}) or "?", start == shown)
            for years, start in ((0, ""), *((years, start.isoformat()) for years, start in starts.items()))
            if starts
        ]
