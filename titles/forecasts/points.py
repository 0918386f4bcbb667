"""The page of the points that a norm asks, by the number of games and the opponents' ratings. Nothing is stored."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.federations.registry import rating_system
from reporting.rules.report import MAX_ROUNDS
from reporting.web.forms import StyledFormMixin
from reporting.web.http_cache import public_page
from reporting.web.values import title_label
from titles.federations.facet import TitleEdition
from titles.federations.registry import awarding_systems, rules_of_titles

MAX_RATING = 3500


class PointsForm(StyledFormMixin, forms.Form):
    """The title, the number of games, and the ratings of the opponents that are known."""

    title = forms.ChoiceField(label=_("Title"))
    games = forms.IntegerField(label=_("Games"), max_value=MAX_ROUNDS, initial=9)
    ratings = forms.CharField(
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
        man, woman = edition.unrated_ratings
        self.fields["ratings"].help_text = gettext(
            "Those you know, with spaces between. Without a rating a man counts %(man)s, a woman %(woman)s."
        ) % {"man": man, "woman": woman}

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


@login_not_required
@require_safe
def points_for_norm(request: HttpRequest, system: str) -> HttpResponseBase:
    """The points of a norm for the values in the address, by the edition in force today. No query."""
    if system not in awarding_systems():
        raise Http404
    edition = rules_of_titles(system).edition_on(timezone.localdate())
    form = PointsForm(request.GET or None, edition=edition)
    if {*form.fields}.isdisjoint(form.data):
        form = PointsForm(edition=edition)
    is_valid = form.is_valid()
    context: dict[str, Any] = {
        "system": rating_system(system),
        "form": form,
        "is_refused_query": form.is_bound and not is_valid,
    }
    if is_valid:
        title, games, ratings = (form.cleaned_data[name] for name in ("title", "games", "ratings"))
        rows = edition.points_needed(title, games, ratings)
        context |= {
            "title": title,
            "games": games,
            "ratings": ratings,
            "average": (2 * sum(ratings) + len(ratings)) // (2 * len(ratings)) if ratings else None,
            "rows": rows,
            "open_games": games - len(ratings),
            "answer": next((row for row in rows if row.is_reached), None),
        }
    status = HTTPStatus.OK if is_valid or not form.is_bound else HTTPStatus.BAD_REQUEST
    return public_page(
        request,
        (edition.id,),
        lambda: render_to_string("titles/norm_points.html", context, request),
        status=status,
        in_memory=not form.is_bound,
    )
