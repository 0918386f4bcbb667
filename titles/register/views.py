"""The public pages of titles: the register with its statistics, and the feed of new titles."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import EmptyPage, Paginator
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.published.views.sharing.feeds import public_feed, title_entry
from ratings.published.views.statistics.charts import bar_charts
from ratings.queries.addresses import published_players
from ratings.queries.lists import office_today
from reporting.register.selectors.register import federation_names
from reporting.register.selectors.titles import newest_titles
from reporting.register.title_codes import title_code_of
from reporting.rules.names.name_search import MAX_SEARCH_LENGTH
from reporting.rules.register.titles import all_titles, discipline_of_titles, discipline_titles
from reporting.web.forms import StyledFormMixin
from reporting.web.http_cache import public_page
from reporting.web.paging import build_pager
from reporting.web.panels import panels_at
from reporting.web.query_params import PageForm, SearchForm, WholeNumberField, declare_parameters
from titles.federations.registry import awarding_systems
from titles.register import selectors
from titles.register.selectors import PAGE_ROWS, TitleFilters


class TitleForm(StyledFormMixin, SearchForm):
    """The filters of the register of titles; the page names invalid values and ignores them."""

    q = forms.CharField(label=_("Name or number"), max_length=MAX_SEARCH_LENGTH, required=False)
    title = forms.ChoiceField(
        label=_("Title"),
        required=False,
        choices=lambda: [("", _("All")), *((title, title) for title in all_titles())],
    )
    discipline = forms.ChoiceField(
        label=_("Discipline"),
        required=False,
        choices=lambda: [
            ("", _("All")),
            *(
                (discipline, gettext(discipline_of_titles(discipline)))
                for discipline in dict.fromkeys(
                    of_discipline.discipline for of_discipline in discipline_titles().values()
                )
                if discipline
            ),
        ],
    )
    federation: forms.Field = forms.ChoiceField(
        label=_("Federation"),
        required=False,
        choices=lambda: [
            ("", _("All")),
            *((code, f"{name} ({code})") for code, name in federation_names()),
        ],
    )
    year = WholeNumberField(label=_("Registered in"), required=False, min_value=1900, max_value=9999)
    former: forms.Field = forms.BooleanField(label=_("Former titles too"), required=False)

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.fields["q"].widget.attrs |= {"autocomplete": "off"}
        self.fields["year"].widget = forms.TextInput(
            attrs={"class": "field__input", "inputmode": "numeric", "maxlength": 4}
        )
        self.full_clean()

    @property
    def values(self) -> dict[str, str]:
        """The valid values, as in an address."""
        return {
            name: "on" if value is True else str(value) for name, value in self.cleaned_data.items() if value
        }

    @property
    def filters(self) -> TitleFilters:
        """What is asked, without values that are not valid."""
        values = self.cleaned_data
        return TitleFilters(
            self.search.words, self.search.number, values.get("title", ""), values.get("discipline", ""),
            values.get("federation", ""), values.get("year"), bool(values.get("former")),
        )  # fmt: skip

    @property
    def problems(self) -> list[str]:
        return [
            gettext("The filter “%(label)s” was ignored: its value is not valid.")
            % {"label": self.fields[name].label}
            for name in self.errors
        ]


@login_not_required
@require_safe
@declare_parameters(TitleForm, "page")
def titles(request: HttpRequest) -> HttpResponseBase:
    """Players with their titles, by title, federation and year; statistics. 11 queries, 3 where it is cached."""
    page = PageForm(request.GET).number_or_400

    form = TitleForm(request.GET)
    search, filters = form.search, form.filters
    problems = [*form.problems, *([search.problem] if search.problem else [])]

    def render_page() -> str:
        pages = Paginator(selectors.people_with_titles(filters), PAGE_ROWS)
        try:
            keys = list(pages.page(page))
        except EmptyPage as error:
            raise Http404 from error

        def href(page: str) -> str:
            return "?" + urlencode(form.values | ({"page": page} if page else {}))

        found = selectors.titles_of_people(filters, keys)
        listed = published_players(set(keys))
        by_year = selectors.titles_by_year()
        context = {
            "form": form,
            "systems": awarding_systems(),
            "panels": panels_at("titles", office_today()),
            "problems": problems,
            "people": [
                (player, player.pk in listed, [(title, title_code_of(title)) for title in titles])
                for player, titles in found
            ],
            "total": pages.count,
            "filtered": bool(form.values),
            "former": filters.former,
            "counts": selectors.title_counts(),
            "by_year": by_year,
            "charts": bar_charts(
                gettext("Titles registered by year"), [(str(year), number) for year, number in by_year]
            ),
            "pager": build_pager(
                page,
                pages.num_pages,
                pages.count,
                href,
            ),
        }
        return render_to_string("titles/titles.html", context, request)

    return public_page(
        request,
        selectors.titles_stamp(),
        render_page,
        status=HTTPStatus.BAD_REQUEST if problems else HTTPStatus.OK,
    )


@login_not_required
@require_safe
def feed(request: HttpRequest) -> HttpResponseBase:
    """The newest titles as an Atom feed."""
    return public_feed(
        request,
        selectors.titles_stamp(),
        gettext("New titles"),
        reverse("titles"),
        lambda: map(title_entry, newest_titles()),
    )
