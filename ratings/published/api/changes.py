"""The endpoint of changes: what was published, corrected, merged, erased, registered or accepted, by numbers."""

from typing import Any

from django import forms
from django.http import HttpResponseBase
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.published.api.serializers.reference import ChangesSerializer
from ratings.publishing.public_changes.selectors import change_values, changes, newest_number
from reporting.register.selectors.register import register_changes
from reporting.web.api.endpoints import PublicView
from reporting.web.api.parameters import DEFAULT_ROWS, MAX_ROWS
from reporting.web.query_params import WholeNumberField

LARGEST_NUMBER = 2**63 - 1  # that the database can hold


class ChangesForm(forms.Form):
    """Which changes: `limit` of them after the one with the number `since`."""

    since = WholeNumberField(
        required=False,
        min_value=0,
        max_value=LARGEST_NUMBER,
        help_text="The number of the last change that you have, at most `newest`; from the first one on by default.",
    )
    limit = WholeNumberField(
        required=False,
        min_value=1,
        max_value=MAX_ROWS,
        help_text=f"Changes of the answer; {DEFAULT_ROWS} by default.",
    )

    def clean_since(self) -> int | None:
        """A number after the newest is of another history: after a restored backup a copy would miss changes."""
        since: int | None = self.cleaned_data["since"]
        newest = newest_number() if since else 0
        if since and since > newest:
            message = gettext(
                "The newest change has the number %(newest)s. If you had a later one, begin your copy again."
            )
            raise forms.ValidationError(message % {"newest": newest})
        return since


class ChangesView(PublicView):
    """What changed."""

    parameters = ChangesForm

    @extend_schema(operation_id="listChanges", responses=ChangesSerializer)
    def get(self, request: Request) -> HttpResponseBase:
        """The changes of what is published.

        Order: by `number`, which has no gaps.
        """
        asked = self.read(request).cleaned_data
        since, most = asked["since"] or 0, asked["limit"] or DEFAULT_ROWS
        newest = newest_number()

        def make() -> Any:
            rows = list(changes().filter(number__gt=since, number__lte=newest).order_by("number")[:most])
            last = rows[-1].number if rows else newest
            return ChangesSerializer(
                {
                    "newest": newest,
                    "next": self.address_with(request, since=last, limit=most) if last < newest else None,
                    "results": [change_values(change) for change in rows],
                }
            ).data

        return self.answer(request, (newest, register_changes()), make)
