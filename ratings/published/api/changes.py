"""The endpoint of changes: what was published, corrected, merged, erased, registered or accepted, by numbers."""

from typing import Any

from django import forms
from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.published.api.serializers import ChangesSerializer
from ratings.publishing.public_changes.selectors import change_values, changes, newest_number
from reporting.register.selectors import register_changes
from reporting.web.api import DEFAULT_ROWS, MAX_ROWS, PublicView
from reporting.web.query_params import WholeNumberField

LARGEST_NUMBER = 2**63 - 1  # that the database can hold


class ChangesForm(forms.Form):
    """Which changes: `limit` of them after the one with the number `since`."""

    since = WholeNumberField(
        required=False,
        min_value=0,
        max_value=LARGEST_NUMBER,
        help_text="The number of the last change that you have; from the first one on by default.",
    )
    limit = WholeNumberField(
        required=False,
        min_value=1,
        max_value=MAX_ROWS,
        help_text=f"Changes of the answer; {DEFAULT_ROWS} by default.",
    )


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
