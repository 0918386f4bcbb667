"""What readers ask of a list: one filter set for its page, for paper and for the API."""

from copy import copy
from enum import StrEnum
from functools import cached_property
from typing import Any, Self

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django_filters import ChoiceFilter, Filter, FilterSet
from django_filters.fields import ChoiceField

from ratings.federations.registry import rating_systems
from ratings.models import ListRow, RatingList
from ratings.queries.list_rows import no_rows, on_derived_list, titles_on
from ratings.rules.days import years_before
from reporting.models import Sex
from reporting.rules.register.titles import all_titles
from reporting.web.forms import StyledFormMixin
from reporting.web.query_params import MAX_SEARCH_LENGTH, Search, SearchForm, quoted

Rows = QuerySet[ListRow]


class Activity(StrEnum):
    """Players with a counted game in the period of the list, or in the year before its closing date (R12)."""

    PERIOD = "period"
    YEAR = "year"


SEXES = {"women": Sex.WOMAN, "men": Sex.MAN}
"""The words of `?players=`."""


class SearchField(forms.CharField):
    """Words of a name in any spelling, or a number; cleaned to a `Search`, None where nothing is typed."""

    def clean(self, value: Any) -> Search | None:
        search = SearchForm({"q": value}).search
        if search.problem:
            raise forms.ValidationError(search.problem)
        return search if search.typed else None


class CopiedFilter(Filter):
    """A filter whose parameters are replaced in a copy and never changed: a filter set copies all of its own."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copied = copy(self)
        copied.extra = {**self.extra}
        copied.method = self.method  # bound to the filter that it was set on, which has no filter set
        return copied


class SearchFilter(CopiedFilter):
    """Filters by a `Search`."""

    field_class = SearchField


class CodeFilter(CopiedFilter):
    """Filters by a code of three capital letters."""

    field_class = forms.RegexField

    def __init__(self, **named: Any) -> None:
        super().__init__(regex=r"\A[A-Z]{3}\Z", **named)


class KnownValueField(ChoiceField):
    """One of some values; `unknown` is the sentence about any other one, with `%(value)s`."""

    def __init__(self, *, unknown: str, **named: Any) -> None:
        super().__init__(**named)
        self.unknown = unknown

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A form copies its fields; choices are replaced in a copy and never changed, so that it can share them."""
        return forms.Field.__deepcopy__(self, memo)

    def validate(self, value: str) -> None:
        if value and not self.valid_value(value):
            raise forms.ValidationError(gettext(self.unknown) % {"value": quoted(value)}, "invalid_choice")


class KnownValueFilter(CopiedFilter, ChoiceFilter):
    """Filters by one of the values that a list knows."""

    field_class = KnownValueField


class OrderForm(StyledFormMixin, forms.Form):
    """What is asked of a list besides the filters: its order."""

    sort = KnownValueField(
        unknown=gettext_noop("%(value)s is not a column to sort by."),
        required=False,
        help_text="A column, with a minus in front for the highest first.",
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.auto_id = "%s"


class EntryFilterSet(FilterSet):
    """The filters of the entries of a list: their values, and the rows that match them.

    Which values there are depends on the list; without one they are those of all rating systems. The rating system
    adds the columns that it declares with a filter. The order is a value of the form and filters nothing.
    """

    q = SearchFilter(
        method="search",
        label=gettext_lazy("Name or number"),
        max_length=MAX_SEARCH_LENGTH,
        help_text="Words of the name in any spelling, or a number; at least one letter or digit.",
    )
    federation = CodeFilter(label=gettext_lazy("Federation"))
    players = KnownValueFilter(
        method="of_sex",
        label=gettext_lazy("Players"),
        choices=[("women", gettext_lazy("Women")), ("men", gettext_lazy("Men"))],
        empty_label=gettext_lazy("All"),
        unknown=gettext_noop("%(value)s is not a group of players."),
    )
    age = KnownValueFilter(
        method="of_age",
        label=gettext_lazy("Age class"),
        empty_label=gettext_lazy("All"),
        unknown=gettext_noop("%(value)s is not an age class."),
        help_text="A derived list of the edition.",
    )
    title = KnownValueFilter(
        label=gettext_lazy("Title"),
        empty_label=gettext_lazy("All"),
        unknown=gettext_noop("%(value)s is not a title on this list."),
        help_text="A title of the discipline of the list.",
    )
    activity = KnownValueFilter(
        method="active",
        label=gettext_lazy("Activity"),
        choices=[
            (Activity.PERIOD, gettext_lazy("Games in this period")),
            (Activity.YEAR, gettext_lazy("Games in the last year")),
        ],
        empty_label=gettext_lazy("All"),
        unknown=gettext_noop("%(value)s is not a kind of activity."),
        help_text="A counted game in the period, or in the year before the closing date.",
    )

    base_filters: dict[str, Filter]

    class Meta:
        form = OrderForm

    def __init__(
        self, data: QueryDict | None = None, rating_list: RatingList | None = None, **own: Filter
    ) -> None:
        """`own` are filters for this list, in the place of others of their names."""
        self.rating_list = rating_list
        if rating_list is None:
            known = [(system.editions[-1], system.declaration) for system in rating_systems()]
            rows, titles = no_rows(), [*all_titles()]
        else:
            known = [(rating_list.rules, rating_list.declaration)]
            rows, titles = rating_list.rows, titles_on(rating_list)
        self.rules = [rules for rules, _ in known]
        self.sorts = [f"{way}{key}" for _, declared in known for key in declared.sorts for way in ("", "-")]
        of_columns = {
            name: KnownValueFilter(
                field_name=name,
                label=gettext(column.full_label or column.label),
                choices=[(value, value) for value in declared.values],
                empty_label=gettext(declared.every),
                unknown=declared.unknown,
            )
            for _, declaration in known
            for name, (column, declared) in declaration.filters.items()
        }
        self.base_filters = {**self.base_filters, **own, **of_columns}
        super().__init__(data, rows)
        ages = [
            (one.name, gettext(one.title))
            for rules in self.rules
            for one in rules.derived_lists
            if not one.sex
        ]
        self.filters["age"].extra["choices"] = ages
        labels = all_titles()
        self.filters["title"].extra["choices"] = [
            (code, f"{code}: {gettext(labels[code].label)}") for code in titles
        ]
        self.form_class: type[forms.Form] = super().get_form_class()  # type: ignore[no-untyped-call]

    def get_form_class(self) -> type[forms.Form]:
        """The class of the form, made once with the filters."""
        return self.form_class

    def reading(self, data: QueryDict) -> Self:
        """These filters for what a request sends; this filter set stays as it is."""
        found = copy(self)
        found.is_bound, found.data = True, data
        return found

    @classmethod
    def names(cls) -> list[str]:
        """The parameters of all lists: the order, the filters, and those of each rating system."""
        of_columns = (name for system in rating_systems() for name in system.declaration.filters)
        return [*OrderForm.base_fields, *cls.base_filters, *of_columns]

    @cached_property
    def form(self) -> Any:
        """The filters and the order as a form; its `errors` name each value that cannot be used."""
        form = super().form
        form.fields["sort"].choices = [(sort, sort) for sort in dict.fromkeys(self.sorts)]
        return form

    @cached_property
    def values(self) -> dict[str, Any]:
        """The valid values of the filters in use."""
        self.form.is_valid()
        return {name: value for name in self.filters if (value := self.form.cleaned_data.get(name))}

    def filter_queryset(self, rows: Rows) -> Rows:
        """Those of these rows that match every valid value."""
        for name, value in self.values.items():
            rows = self.filters[name].filter(rows, value)
        return rows

    def search(self, rows: Rows, _: str, search: Search) -> Rows:
        for word in search.words:
            rows = rows.filter(sort_name__contains=word)
        return rows if search.number is None else rows.filter(register_number=search.number)

    def of_sex(self, rows: Rows, _: str, players: str) -> Rows:
        return rows.filter(sex=SEXES[players])

    def of_age(self, rows: Rows, _: str, age: str) -> Rows:
        assert self.rating_list is not None  # noqa: S101 (without a list there are no rows)
        derived = next(one for one in self.rating_list.rules.derived_lists if one.name == age)
        return rows.filter(on_derived_list(derived, self.rating_list))

    def active(self, rows: Rows, _: str, activity: str) -> Rows:
        assert self.rating_list is not None  # noqa: S101 (as above)
        if activity == Activity.PERIOD:
            return rows.filter(period_games__gt=0)
        # A game on the same day of the month a year earlier is outside (R12).
        return rows.filter(last_game__gt=years_before(self.rating_list.closing, 1))
