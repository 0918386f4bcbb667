"""What the endpoints of publications share: each has the address of its page, with the version in front."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models import Count, QuerySet
from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from reporting.web.api.endpoints import PublicView
from reporting.web.api.fields import OptionalTextField, row_pages
from reporting.web.api.parameters import RowsForm
from reporting.web.query_params import WholeNumberField
from titles.federations.fmjd.models import Publication
from titles.federations.fmjd.world_cup.inputs import FIRST_YEAR, LAST_YEAR
from titles.federations.fmjd.world_cup.publications.kinds import PublicationKey, Row, address_of
from titles.federations.fmjd.world_cup.publications.selectors import (
    differences,
    figures_of,
    named_rows,
    names_of,
    newest_publications,
    publications_stamp,
    published_revisions,
)
from titles.federations.fmjd.world_cup.sharing.api import serializers

NO_PUBLICATION = _(
    "There is no such publication. /api/v1/world-cup/ and /api/v1/championships/ have them all."
)
SEALED = {"figures.json": "sha256", "results.csv": "input_sha256", "inputs.json": "input_sha256"}
"""The files whose digest a publication has."""


def endpoint_of(publication: Publication) -> str:
    """The address of a publication in the API. No query."""
    return reverse("api-index") + address_of(publication).removeprefix("/")


def publication_in_answer(publication: Publication, *, rows: int, is_newest: bool) -> dict[str, Any]:
    """A publication in any answer. No query."""
    names = ("revision", "published_at", "sha256", "section", "day", "championship", "kind")
    return {
        **{name: getattr(publication, name) for name in names},
        "classification": serializers.CLASSIFICATIONS[publication.women],
        "is_newest": is_newest,
        "rows": rows,
        "url": endpoint_of(publication),
        "page": address_of(publication),
    }


class YearForm(RowsForm):
    """Which publications."""

    year = WholeNumberField(required=False, min_value=FIRST_YEAR, max_value=LAST_YEAR)


class PublicationsView(PublicView):
    """Published revisions, the last one first."""

    row: type[Serializer[Any]]

    def found(self, filters: Mapping[str, Any]) -> QuerySet[Publication]:
        """The publications of these filters."""
        raise NotImplementedError

    def rows_of(self, request: Request) -> HttpResponseBase:
        """A page of them."""
        form = self.read(request)

        def make() -> Any:
            found = self.found(form.cleaned_data).defer("inputs")
            newest = set(newest_publications().values_list("pk", flat=True))
            page = found.annotate(size=Count("rows")).order_by("-published_at", "-pk")[form.rows]
            answers = [publication_in_answer(one, rows=one.size, is_newest=one.pk in newest) for one in page]
            return self.rows(request, form, found.count(), self.row(answers, many=True).data)

        return self.answer(request, publications_stamp(), make)


class RevisionView(PublicView):
    """A revision with its rows."""

    nothing_found = NO_PUBLICATION
    parameters = RowsForm
    key: Callable[..., PublicationKey]
    published_type: type[Serializer[Any]]
    row: type[Serializer[Any]]
    files: Sequence[str]

    def revision_or_404(self, number: int, key: PublicationKey) -> tuple[Publication, list[Publication]]:
        """The revision and all revisions, the newest first. 1 query."""
        revisions = published_revisions(key)
        shown = next((one for one in revisions if one.revision == number), None)
        if shown is None:
            raise Http404
        return shown, revisions

    def get(self, request: Request, revision: int, **address: Any) -> HttpResponseBase:
        """The rows of a revision with all that is known of it."""
        form = self.read(request)
        shown, revisions = self.revision_or_404(revision, self.key(**address))

        def make() -> Any:
            rows, _players = named_rows(shown)
            about = publication_in_answer(shown, rows=len(rows), is_newest=shown == revisions[0])
            url = endpoint_of(shown)
            return {
                **self.published_type(about).data,
                **serializers.WholePublicationSerializer(
                    {
                        "edition": shown.edition,
                        "input_sha256": shown.input_sha256,
                        "approved_at": shown.approved_at,
                        "reason": shown.reason,
                        "files": [
                            {
                                "name": name,
                                "sha256": getattr(shown, SEALED.get(name, ""), ""),
                                "url": f"{address_of(shown)}{name}",
                            }
                            for name in self.files
                        ],
                        "revisions": [
                            {
                                "revision": one.revision,
                                "reason": one.reason,
                                "published_at": one.published_at,
                                "url": endpoint_of(one),
                            }
                            for one in revisions
                        ],
                        "differences": f"{url}differences/" if revision > 1 else None,
                    }
                ).data,
                **self.rows(request, form, len(rows), self.row(rows[form.rows], many=True).data),
            }

        return self.answer(request, publications_stamp(), make, modified=shown.published_at)


def named(row: Row, names: Mapping[int, str]) -> dict[str, Any]:
    """A row with the name of its player; an open place has none."""
    return {**row, "name": names.get(row["fmjd_id"], "")}


class DifferencesView(RevisionView):
    """What a revision changed in the one before."""

    def get(self, request: Request, revision: int, **address: Any) -> HttpResponseBase:
        """The rows that differ; none for a first revision."""
        form = self.read(request)
        shown, revisions = self.revision_or_404(revision, self.key(**address))

        def make() -> Any:
            before = next((one for one in revisions if one.revision == revision - 1), None)
            found = differences(figures_of(before), figures_of(shown)) if before else []
            page = [(one.before, one.after) for one in found[form.rows]]
            names = names_of(row["fmjd_id"] for sides in page for row in sides if row and row["fmjd_id"])
            rows = [
                dict(zip(("before", "after"), [row and named(row, names) for row in sides], strict=True))
                for sides in page
            ]
            return {
                "reason": shown.reason or None,
                **self.rows(request, form, len(found), self.row(rows, many=True).data),
            }

        return self.answer(request, publications_stamp(), make, modified=shown.published_at)


def described(operation: str, description: str, answer: Any) -> Any:
    """What the OpenAPI file says of a view."""
    return extend_schema_view(
        get=extend_schema(operation_id=operation, description=description, responses=answer)
    )


def whole(of: type[Serializer[Any]], row: type[Serializer[Any]]) -> Any:
    """The serializer of a revision with a page of its rows."""
    fields: dict[str, Any] = {**of().fields, **serializers.WholePublicationSerializer().fields}
    return row_pages(row, **fields)


def changed(row: type[Serializer[Any]]) -> Any:
    """The serializer of a page of differences."""
    return row_pages(row, reason=OptionalTextField(help_text="Why there is a revision; null for the first."))


DIFFERENCES = (
    "What a revision of {} changed.\n\nOrder: as in the revision; then the rows that it no longer has."
)
