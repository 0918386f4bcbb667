"""The calculator: the change of a typed tournament, by the engine of a rating system. Nothing is stored."""

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.federations.method import Method, Result, calculator_values
from ratings.federations.registry import edition_in_force
from ratings.models import ListRow, RatingList
from ratings.published.selectors.search import found_rows
from ratings.published.views.list_query import address as address_with
from ratings.published.views.method.pages import method_or_404, methods
from ratings.queries.lists import lists_of_today
from reporting.web.forms import QueryForm, StyledFormMixin, TextField, set_choices, styled_form
from reporting.web.http_cache import public_page
from reporting.web.query_params import MAX_SEARCH_LENGTH, SearchForm, declare_parameters

MOST_OPPONENTS = 40
ROWS_SHOWN = 9
ROWS_FREE = 2
MAX_RATING = 3500
CANDIDATES = 10
NUMBERS = range(1, MOST_OPPONENTS + 1)
ROW_FIELDS = [f"{name}-{number}" for number in NUMBERS for name in ("name", "rating", "result")]

PASTED_LINE = re.compile(r"(?:(?P<name>.*?)[\s;,]+)?(?P<rating>[0-9]{1,4})[\s;,]+(?P<points>[012])", re.ASCII)


class OpponentsForm(StyledFormMixin, QueryForm):
    """The opponents with their results, by row or pasted, and a search for them on a list.

    While a reader searches, rows may be incomplete.
    """

    pool = forms.ChoiceField(label=_("List"), required=False)
    q = forms.CharField(label=_("Name or number"), required=False, max_length=MAX_SEARCH_LENGTH)
    pasted = TextField(
        label=_("Pasted opponents"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_(
            "One game a line: name if you like, rating, points (2, 1 or 0). For example: Harlow 2154 2"
        ),
    )
    action = forms.ChoiceField(
        choices=[("calculate", _("Calculate")), ("search", _("Search"))],
        required=False,
        widget=forms.HiddenInput,
    )

    def __init__(self, *args: Any, lists: Sequence[RatingList], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lists = {rating_list.pool.code: rating_list for rating_list in lists}
        set_choices(self, "pool", [(code, one.pool.name) for code, one in self.lists.items()])
        for number in NUMBERS:
            row = {
                "name": forms.CharField(label=_("Name"), required=False, max_length=60),
                "rating": forms.IntegerField(
                    label=_("Rating"),
                    required=False,
                    min_value=0,
                    max_value=MAX_RATING,
                    widget=forms.TextInput(attrs={"inputmode": "numeric"}),
                ),
                "result": forms.ChoiceField(
                    label=_("Result"),
                    required=False,
                    choices=[("", "–"), ("2", _("won")), ("1", _("drawn")), ("0", _("lost"))],
                ),
            }
            for name, field in row.items():
                label = format_lazy(_("{name} of opponent {number}"), name=field.label, number=number)
                field.widget.attrs |= {"class": "field__input", "aria-label": label}
                self.fields[f"{name}-{number}"] = field

    @property
    def is_search(self) -> bool:
        """Whether the reader looks for a player now."""
        return self["action"].value() == "search" and bool(self["q"].value())

    def clean_pasted(self) -> list[Result]:
        """The pasted games. Names the first line that cannot be read."""
        found = []
        for number, line in enumerate(self.cleaned_data["pasted"].splitlines(), start=1):
            if not line.strip():
                continue
            game = PASTED_LINE.fullmatch(line.strip())
            if game is None or int(game["rating"]) > MAX_RATING:
                raise forms.ValidationError(
                    gettext("Line %(number)s: write a rating and the points, for example 2154 2.")
                    % {"number": number}
                )
            found.append(Result(int(game["rating"]), int(game["points"]), (game["name"] or "")[:60].strip()))
        return found

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.is_search:
            return values
        for number in self.filled_rows:
            if values.get(f"rating-{number}", 0) is None:
                self.add_error(f"rating-{number}", gettext("Enter the rating, 0 for none."))
            if not values.get(f"result-{number}", "?"):
                self.add_error(f"result-{number}", gettext("Choose the result."))
        games = len(self.filled_rows) + len(values.get("pasted", ()))
        if not games and not self.errors:
            if self.lists and self["action"].value() == "search":  # also the Enter key in any field
                self.add_error(
                    "q", gettext("Enter a name or number to search for, or at least one opponent.")
                )
            else:
                self.add_error("rating-1", gettext("Enter at least one opponent."))
        elif games > MOST_OPPONENTS:
            message = gettext("Enter at most %(most)s games.")
            self.add_error("pasted", message % {"most": MOST_OPPONENTS})
        return values

    @property
    def filled_rows(self) -> list[int]:
        """The numbers of the rows in which something is typed."""
        typed = self.typed
        return [
            number
            for number in NUMBERS
            if any(f"{name}-{number}" in typed for name in ("name", "rating", "result"))
        ]

    @property
    def rows(self) -> list[tuple[int, list[forms.BoundField]]]:
        """The rows to show: those filled, and some to fill."""
        shown = max(ROWS_SHOWN, max(self.filled_rows, default=0) + ROWS_FREE)
        return [
            (number, [self[f"{name}-{number}"] for name in ("name", "rating", "result")])
            for number in NUMBERS[:shown]
        ]

    @property
    def results(self) -> list[Result]:
        """The games, those pasted last. After `is_valid` of a form that is no search."""
        values = self.cleaned_data
        typed = [
            Result(values[f"rating-{number}"], int(values[f"result-{number}"]), values[f"name-{number}"])
            for number in self.filled_rows
        ]
        return [*typed, *values["pasted"]]

    @property
    def chosen_list(self) -> RatingList | None:
        """The list that is searched: the chosen one, else the first."""
        first = next(iter(self.lists.values()), None)
        return self.lists.get(str(self["pool"].value()), first)


@login_not_required
@require_safe
@declare_parameters(OpponentsForm, *ROW_FIELDS, lambda: [method.player_form for method in methods()])
def calculator(request: HttpRequest, system: str) -> HttpResponseBase:
    """The change of a tournament whose values are in the address; at most 5 queries.

    What is complete leads to the address with its values alone, so that it can be shared.
    """
    found, method = method_or_404(system)
    rules = edition_in_force(found, timezone.localdate())
    today = lists_of_today()
    stamp = today.stamp
    lists = [rating_list for rating_list in today.shown if rating_list.system == found.code]
    opponents = OpponentsForm(request.GET or None, lists=lists)
    player_form = styled_form(method.player_form)
    player = player_form(request.GET or None, rules=rules, asks_all=not opponents.is_search)
    typed = {name: str(value) for name in player.fields if (value := player[name].value())}
    is_sent = opponents.is_bound and bool(typed | opponents.typed)
    if not is_sent:
        opponents, player = OpponentsForm(lists=lists), player_form(rules=rules)
    is_valid = all([player.is_valid(), opponents.is_valid()])
    is_complete = is_valid and not opponents.is_search
    if is_complete:
        asked = calculator_values(typed, opponents.results)
        if {*asked} != {*opponents.data}:
            return HttpResponseRedirect(address_with(request.path, asked))

    def render_page() -> str:
        context: dict[str, Any] = {
            "system": found,
            "player": player,
            "opponents": opponents,
            "forms": [player, opponents],
            "is_refused_query": is_sent and not is_valid,
            "most": MOST_OPPONENTS,
        }
        if is_complete:
            context["calculated"] = method.calculate(rules, player.cleaned_data, opponents.results)
        if is_sent and opponents.is_search:
            context |= search_context(request.path, typed, opponents, (today.shown, stamp), method)
        return render_to_string("ratings/calculator.html", context, request)

    status = HTTPStatus.BAD_REQUEST if is_sent and not is_valid else HTTPStatus.OK
    return public_page(request, (rules.id, *stamp), render_page, status=status, in_memory=not is_sent)


def search_context(
    path: str,
    player: Mapping[str, str],
    opponents: OpponentsForm,
    searched: tuple[Sequence[RatingList], tuple[str, ...]],
    method: Method,
) -> dict[str, Any]:
    """The players found on the chosen list, each with the addresses that put them in.

    `searched` are the lists of today and their stamp.
    """
    search = SearchForm({"q": opponents["q"].value()}).search
    rating_list = opponents.chosen_list
    if rating_list is None or search.problem:
        return {"searched": True, "problem": search.problem}
    rows = found_rows(rating_list, *searched, " ".join(search.words), search.number, most=CANDIDATES)
    typed = {**player, **opponents.typed}
    free = max(opponents.filled_rows, default=0) + 1

    def links(row: ListRow) -> tuple[ListRow, str, str]:
        row.list = rating_list  # a system may say whose rating it is
        added = {f"name-{free}": row.name, f"rating-{free}": str(row.rating)}
        return (
            row,
            address_with(path, typed | added) if free <= MOST_OPPONENTS else "",
            address_with(path, {**typed, **method.values_of_row(row)}),
        )

    return {"searched": True, "rating_list": rating_list, "candidates": [links(row) for row in rows]}
