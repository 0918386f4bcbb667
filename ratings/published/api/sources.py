"""The endpoint of lists of sources."""

from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ratings.inputs.source_lists import newest_source_lists
from ratings.published.api.serializers.lists import SourceListSerializer
from reporting.web.api.endpoints import PublicView


class SourcesView(PublicView):
    """Every imported list of a source."""

    @extend_schema(operation_id="listSources", responses=SourceListSerializer(many=True))
    def get(self, request: Request) -> HttpResponseBase:
        """The lists of sources that ratings are calculated from: day, kind and digest of the file, without ratings.

        Order: by `source`, `in_force` and `kind`, the newest day first.
        """
        self.read(request)
        newest = newest_source_lists().order_by("source", "-in_force", "kind", "-pk")
        # Another file replaces the one of its day and kind: then there is a newer row.
        return self.answer(request, tuple(newest.values_list("pk", flat=True)), lambda: self.lists(newest))

    def lists(self, newest: Any) -> Any:
        return SourceListSerializer(newest, many=True).data
