"""Endpoints of one's own reports: upload, details, findings, comments, submission, by the services of the pages."""

from collections.abc import Mapping
from hashlib import sha256
from http import HTTPStatus
from typing import Any, ClassVar

from django import forms
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from reporting.formats.tournament_details.sidecar import read_sidecar, write_details
from reporting.models import Report, Scope, Tournament
from reporting.models.report import STATE_LABELS
from reporting.refusals.domain_error import DomainError
from reporting.reports.api import bodies
from reporting.reports.api.bodies import UploadForm, VersionForm
from reporting.reports.api.serializers import (
    CommentsSerializer,
    DetailsSerializer,
    ReportSerializer,
    UploadedSerializer,
    VersionFindingSerializer,
    WholeReportSerializer,
)
from reporting.reports.api.token_api import KEY_PARAMETER, TEST_PARAMETER, TestForm, TokenRequest, TokenView
from reporting.reports.reading.open_report import OpenReport, open_report
from reporting.reports.reading.parse import read_upload
from reporting.reports.selectors import reports as selectors
from reporting.reports.selectors.reports import ReportLine
from reporting.reports.services.edit_report import (
    edit_tournament_details,
    replace_report_file,
    starting_details,
)
from reporting.reports.services.save_comments import save_comments
from reporting.reports.services.submit import submit_report, take_back_report
from reporting.reports.services.upload import UploadedReport, known_details, store_report
from reporting.reports.views.reports import hold_place, hold_place_if_large
from reporting.reports.views.warning_comments import comments_by_index, saved_comments, submitted_comments
from reporting.rules.details.known_details import private_details
from reporting.rules.findings.catalogue import CODES
from reporting.rules.findings.finding_list import Finding, Severity
from reporting.web.api.errors import UnfitValuesError, finding_in_answer
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import RowsForm
from reporting.web.query_params import WholeNumberField

READ: Mapping[str, Scope] = {"GET": Scope.READ}
MULTIPART, JSON = "multipart/form-data", "application/json"


def report_in_answer(line: ReportLine) -> dict[str, Any]:
    report, version = line.report, line.version
    return {
        "number": report.pk,
        "state": report.state,
        "waits_for": line.turn.value,
        "name": line.title,
        "tournament": report.result_set.code if report.result_set else None,
        "part": line.part,
        "corrects": report.corrects_id,
        "announcement": report.announcement_id,
        "submitted_at": report.first_submitted_at,
        "due": line.due,
        "version": version.number,
        "format": version.format,
        "players": version.players,
        "games": version.games,
        "errors": version.errors,
        "warnings": version.warnings,
        "url": reverse("api-report", args=[report.pk]),
    }


def uploaded_in_answer(uploaded: UploadedReport, *, is_test: bool = False) -> tuple[HTTPStatus, Any]:
    newest = uploaded.version
    if uploaded.already_there:  # perhaps in an earlier version
        newest = uploaded.report.versions.order_by("-number")[0]
    answer = report_in_answer(ReportLine(uploaded.report, newest))
    status = HTTPStatus.OK if uploaded.already_there else HTTPStatus.CREATED
    found = [finding_in_answer(Finding.from_json(stored)) for stored in uploaded.version.findings]
    answer |= {
        "already_there": uploaded.already_there,
        "details_left": uploaded.details_left,
        "test": is_test,
        "findings": found if is_test else None,
    }
    return status, UploadedSerializer(answer).data


class ReportView(TokenView):
    """An endpoint of one report of the owner of the token."""

    nothing_found = gettext_lazy("You have no such report, or it has no such version.")

    def require_own(self, request: TokenRequest, number: int) -> None:
        """Raise Http404 for a report of other people, also where a page of the office would show it."""
        if not selectors.is_own_report(request.user, number):
            raise Http404

    def opened(self, request: TokenRequest, number: int) -> OpenReport:
        """The report. Raises Http404 as `require_own`, DomainError `busy` for a large one as its pages do."""
        self.require_own(request, number)
        try:
            return open_report(number, admit=lambda _, newest: hold_place_if_large(request._request, newest))
        except Report.DoesNotExist as error:  # deleted a moment ago
            raise Http404 from error

    def names(self, request: TokenRequest, opened: OpenReport) -> tuple[str, ...]:
        """The names of the details that may be given: private ones only by the submitter."""
        is_mine = opened.report.submitted_by_id == request.user.pk
        return bodies.own_names() if is_mine else bodies.public_names()


class ReportsForm(RowsForm):
    """Which reports."""

    state = forms.ChoiceField(required=False, choices=list(STATE_LABELS.items()))


class ReportsView(TokenView):
    """The reports of the owner of the token, and new ones."""

    parser_classes = (MultiPartParser,)
    scopes: ClassVar[Mapping[str, Scope]] = {"GET": Scope.READ, "POST": Scope.WRITE}

    parameters = ReportsForm

    def announcement(self, request: TokenRequest, number: int | None) -> Tournament | None:
        """The announced tournament of this number. Raises DomainError `announcement_unknown`."""
        if number is None:
            return None
        choices = {one.pk: one for one in selectors.open_announcements(request.user)}
        if number not in choices:
            raise DomainError("announcement_unknown")
        return choices[number]

    @extend_schema(operation_id="listReports", responses=row_pages(ReportSerializer))
    def get(self, request: TokenRequest) -> Response:
        """Your reports; of a national official those of the federation.

        Order: the newest first.
        """
        form = self.read(request)
        user, state = request.user, form.cleaned_data["state"]
        counts = dict(selectors.own_report_counts(user))
        count = counts.get(Report.State(state), 0) if state else sum(counts.values())
        lines = [report_in_answer(line) for line in selectors.own_reports(user, state, form.rows)]
        return Response(self.rows(request, form, count, ReportSerializer(lines, many=True).data))

    @extend_schema(
        operation_id="uploadReport",
        parameters=[KEY_PARAMETER, TEST_PARAMETER],
        request={
            MULTIPART: bodies.form_schema(
                details=bodies.DETAILS_OBJECT,
                announcement={"type": "integer", "minimum": 1, "maximum": bodies.LARGEST_NUMBER},
            )
        },
        responses={
            200: OpenApiResponse(
                UploadedSerializer, "A test, or the file is there already. Nothing was changed."
            ),
            201: OpenApiResponse(
                UploadedSerializer, "A new report, or the next version of the draft with this file."
            ),
        },
    )
    def post(self, request: TokenRequest) -> Response:
        """Upload a report file: a new draft, also with errors.

        The same file again is the same report and changes nothing. Other details are added to a draft or returned
        report as its next version; of a report that is submitted or decided they are left, as the answer says.
        """
        is_test = self.read(request, TestForm).is_test
        sent = bodies.checked_form(UploadForm(request.POST, request.FILES))
        file, announcement = sent["file"], self.announcement(request, sent["announcement"])
        content = file.read()
        values = {**starting_details(announcement), **sent["details"]}
        # Known only now: the announcement or a detail names the rating system. null is right for every name.
        asked_names = bodies.asked_names(bodies.own_names(), values)
        bodies.validated(dict.fromkeys(sent["details"]), bodies.details_schema(asked_names), ["details"])
        given = read_sidecar(write_details(values))
        sidecar = known_details(content, given, self.actor(request))
        hold_place(request._request)
        reading = read_upload(content=content, sidecar=sidecar)  # before any lock

        def act() -> tuple[HTTPStatus, Any]:
            stored = store_report(
                content=content,
                filename=file.name or "report",
                sidecar=sidecar,
                reading=reading,
                by=self.actor(request),
                announcement=announcement,
            )
            return uploaded_in_answer(stored, is_test=is_test)

        asked = [sha256(part).hexdigest() for part in (content, given.content)]
        asked_for = [*asked, announcement and announcement.pk]
        status, answer = self.once(request, asked_for, act, is_test=is_test)
        return Response(answer, status, headers={} if is_test else {"Location": answer["url"]})


class OneReportView(ReportView):
    """One report."""

    scopes = READ

    @extend_schema(operation_id="retrieveReport", responses=WholeReportSerializer)
    def get(self, request: TokenRequest, number: int) -> Response:
        """A report with its versions and the remarks of the office."""
        self.read(request)
        opened = self.opened(request, number)
        names = ("number", "filename", "sha256", "format", "encoding", "created_at", "errors", "warnings")
        versions = [
            {name: getattr(version, name) for name in names} | {"created_by": version.created_by.name}
            for version in opened.versions
        ]
        remarks = [
            {
                "version": remark.version.number,
                "line": remark.line,
                "field": remark.field,
                "text": remark.text,
            }
            for remark in opened.remarks
        ]
        answer = report_in_answer(opened) | {"versions": versions, "remarks": remarks}
        return Response(WholeReportSerializer(answer).data)


class VersionsView(ReportView):
    """The versions of a report."""

    parser_classes = (MultiPartParser,)
    scopes: ClassVar[Mapping[str, Scope]] = {"POST": Scope.WRITE}

    @extend_schema(
        operation_id="replaceFile",
        request={MULTIPART: bodies.form_schema("version", version=bodies.VERSION)},
        responses={
            200: OpenApiResponse(UploadedSerializer, "The newest version has the same file."),
            201: OpenApiResponse(UploadedSerializer, "The next version."),
        },
    )
    def post(self, request: TokenRequest, number: int) -> Response:
        """Replace the file: the next version, with the same details. `version` is the one that you saw."""
        self.read(request)
        opened = self.opened(request, number)
        sent = bodies.checked_form(VersionForm(request.POST, request.FILES))
        file = sent["file"]
        uploaded = replace_report_file(
            report=opened.report,
            based_on=sent["version"],
            content=file.read(),
            filename=file.name or "report",
            by=self.actor(request),
        )
        status, answer = uploaded_in_answer(uploaded)
        return Response(answer, status)


class DetailsView(ReportView):
    """The tournament details of a report."""

    scopes: ClassVar[Mapping[str, Scope]] = {"GET": Scope.READ, "PATCH": Scope.WRITE}

    @extend_schema(operation_id="retrieveDetails", responses=DetailsSerializer)
    def get(self, request: TokenRequest, number: int) -> Response:
        """The tournament details as they were given; what only the file says is not among them."""
        self.read(request)
        opened = self.opened(request, number)
        hidden = set(private_details()) - set(self.names(request, opened))
        details = {name: value for name, value in opened.sidecar.values.items() if name not in hidden}
        answer = DetailsSerializer({"version": opened.version.number, "details": details}).data
        return Response(answer)

    @extend_schema(
        operation_id="changeDetails",
        request={JSON: bodies.CHANGES_OBJECT},
        responses=UploadedSerializer,
    )
    def patch(self, request: TokenRequest, number: int) -> Response:
        """Replace the details that are named; null removes one. `version` is the one that you saw.

        A returned report is a draft again. A submitted one has to be taken back first.
        """
        self.read(request)
        opened = self.opened(request, number)
        names = self.names(request, opened)
        sent = bodies.validated(request.data, bodies.changes_schema(names))
        # Known only now: the change itself may name another rating system.
        asked = bodies.asked_names(names, {**opened.sidecar.values, **sent["details"]})
        bodies.validated(sent, bodies.changes_schema(asked))
        saved = edit_tournament_details(
            report=opened.report,
            based_on=int(sent["version"]),
            values=bodies.detail_values(sent["details"]),
            by=self.actor(request),
        )
        _, answer = uploaded_in_answer(saved)
        return Response(answer)


class FindingsForm(RowsForm):
    """Which findings: of the newest version, or of the one with this number."""

    version = WholeNumberField(required=False, min_value=1, max_value=9999)


class FindingsView(ReportView):
    """The findings of a version."""

    scopes = READ

    parameters = FindingsForm

    @extend_schema(operation_id="listReportFindings", responses=row_pages(VersionFindingSerializer))
    def get(self, request: TokenRequest, number: int) -> Response:
        """The findings of a version, the newest one if none is named. Warnings need a comment.

        Order: by `index`.
        """
        form = self.read(request)
        opened = self.opened(request, number)
        asked = form.cleaned_data["version"] or opened.version.number
        if asked == opened.version.number:
            found, comments = opened.findings, comments_on(opened)
        else:
            version = opened.report.versions.filter(number=asked).first()
            if version is None:
                raise Http404
            found = [Finding.from_json(stored) for stored in version.findings]
            comments = dict(version.comments.values_list("finding", "text"))
        rows = [
            finding_in_answer(finding) | {"index": index, "comment": comments.get(index, "")}
            for index, finding in list(enumerate(found))[form.rows]
        ]
        answer = VersionFindingSerializer(rows, many=True).data
        return Response(self.rows(request, form, len(found), answer))


def comments_on(opened: OpenReport) -> dict[int, str]:
    """The comments on the warnings of the newest version, saved or submitted, by index. At most 4 queries."""
    saved = saved_comments(opened)
    return dict(saved.texts if saved else submitted_comments(opened))


class CommentsView(ReportView):
    """The comments on the warnings of a version."""

    scopes: ClassVar[Mapping[str, Scope]] = {"PUT": Scope.WRITE}

    @extend_schema(
        operation_id="saveComments",
        request={JSON: bodies.COMMENTS_SCHEMA},
        responses={
            200: CommentsSerializer,
            422: OpenApiResponse({"$ref": "#/components/schemas/Error"}, "Comments on no warning."),
        },
    )
    def put(self, request: TokenRequest, number: int) -> Response:
        """Save comments on warnings in place of those saved before; they need not be complete."""
        self.read(request)
        opened = self.opened(request, number)
        sent = bodies.validated(request.data, bodies.COMMENTS_SCHEMA)
        if sent["version"] != opened.version.number:
            raise DomainError("version_changed")
        saved = save_comments(
            report=opened.report,
            version=int(sent["version"]),
            comments=by_index(opened, sent),
            of_kinds=sent["kinds"],
            by=self.actor(request),
        )
        texts = comments_on(self.opened(request, number))
        missing = [
            index
            for index, finding in enumerate(opened.findings)
            if finding.severity is Severity.WARNING and index not in texts
        ]
        answer = {
            "version": saved.version,
            "comments": saved.single,
            "kinds": saved.of_kinds,
            "missing": missing,
        }
        return Response(CommentsSerializer(answer).data)


class SubmissionView(ReportView):
    """The submission of a report."""

    scopes: ClassVar[Mapping[str, Scope]] = {"POST": Scope.SUBMIT}

    @extend_schema(
        operation_id="submitReport",
        parameters=[KEY_PARAMETER],
        request={JSON: bodies.SUBMISSION_SCHEMA},
        responses=ReportSerializer,
    )
    def post(self, request: TokenRequest, number: int) -> Response:
        """Submit a version to the office, with the comments sent here, else with those saved.

        A report with errors, or with a warning without a comment, is refused; the answer has these findings.
        """
        self.read(request)
        sent = bodies.validated(request.data, bodies.SUBMISSION_SCHEMA)
        opened = self.opened(request, number)  # before any lock

        def act() -> tuple[HTTPStatus, Any]:
            if sent["version"] != opened.version.number:
                raise DomainError("version_changed")
            comments = comments_on(opened)
            if "comments" in sent or "kinds" in sent:
                single = by_index(opened, sent)
                comments = comments_by_index(opened.findings, single, sent.get("kinds", {}))
            submit_report(report=opened.report, comments=comments, by=self.actor(request))
            return HTTPStatus.OK, ReportSerializer(report_in_answer(open_report(number))).data

        status, answer = self.once(request, sent, act)
        return Response(answer, status)


class TakeBackView(ReportView):
    """A submitted report that is taken back."""

    scopes: ClassVar[Mapping[str, Scope]] = {"POST": Scope.SUBMIT}

    @extend_schema(
        operation_id="takeBackReport",
        request={JSON: bodies.TAKE_BACK_SCHEMA},
        responses=ReportSerializer,
    )
    def post(self, request: TokenRequest, number: int) -> Response:
        """Take a submitted report back to a draft, to change it. The office gets a message."""
        self.read(request)
        sent = bodies.validated(request.data, bodies.TAKE_BACK_SCHEMA)
        opened = self.opened(request, number)
        if sent["version"] != opened.version.number:
            raise DomainError("version_changed")
        take_back_report(report=opened.report, reason=sent.get("reason", ""), by=self.actor(request))
        return Response(ReportSerializer(report_in_answer(open_report(number))).data)


def by_index(opened: OpenReport, sent: Mapping[str, Any]) -> dict[int, str]:
    """The comments on single warnings that were sent.

    Raises UnfitValuesError for those on no warning of the version, and on a code that no finding can have.
    """
    warnings = {
        index for index, finding in enumerate(opened.findings) if finding.severity is Severity.WARNING
    }
    comments = {int(index): text for index, text in sent.get("comments", {}).items()}
    unknown = [f"comments.{index}" for index in comments if index not in warnings]
    unknown += [f"kinds.{code}" for code in sent.get("kinds", {}) if code not in CODES]
    if unknown:
        message = gettext("There is no such warning.")
        raise UnfitValuesError(
            [{"code": "bad_value", "field": field, "found": "", "message": message} for field in unknown]
        )
    return comments
