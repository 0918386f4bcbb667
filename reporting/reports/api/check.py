"""The endpoint that checks a report file, open to all like its page; nothing is stored."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from reporting.formats.tournament_details.sidecar import write_details
from reporting.reports.api import bodies
from reporting.reports.api.bodies import CheckForm
from reporting.reports.api.serializers import CheckedFileSerializer
from reporting.reports.reading.check_upload import check_upload
from reporting.reports.selectors.rating_lists import rating_lists
from reporting.reports.views.check_file import MAX_CHECKS
from reporting.reports.views.reports import hold_place
from reporting.rules.findings.finding_list import Severity
from reporting.web.api.endpoints import PublicView
from reporting.web.api.errors import finding_in_answer, null_for_nothing
from reporting.web.api.throttling import SourceThrottle


class CheckThrottle(SourceThrottle):
    """As many checks as on the page, counted with those."""

    act = "check-file"

    @property
    def most(self) -> int:
        return MAX_CHECKS


class CheckView(PublicView):
    """The check of a report file, also by the scripts of other sites."""

    throttle_classes = (CheckThrottle,)
    parser_classes = (MultiPartParser,)
    http_method_names = ["post", "options"]  # noqa: RUF012 (as Django declares it)

    @extend_schema(
        operation_id="checkFile",
        request={"multipart/form-data": bodies.form_schema(details=bodies.CHECKED_DETAILS_OBJECT)},
        responses=CheckedFileSerializer,
    )
    def post(self, request: Request) -> Response:
        """Read and check a file as an upload does, without a token. Nothing is stored."""
        self.read(request)
        sent = bodies.checked_form(CheckForm(request.POST, request.FILES))
        hold_place(request._request)
        checked = check_upload(
            sent["file"].read(),
            write_details(sent["details"]),
            published_players=rating_lists().published_players,
        )
        read = checked.submission.read
        severities = [finding.severity for finding in checked.findings]
        answer: dict[str, Any] = {
            "format": read.format,
            "encoding": read.encoding,
            "info": null_for_nothing(read.info.to_json()),
            "players": len(read.players),
            "rounds": read.rounds,
            "games": sum(game.played for game in read.games),
            "errors": severities.count(Severity.ERROR),
            "warnings": severities.count(Severity.WARNING),
            "findings": [finding_in_answer(finding) for finding in checked.findings],
        }
        return Response(CheckedFileSerializer(answer).data, headers={"Cache-Control": "private, no-store"})
