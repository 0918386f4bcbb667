"""The page that uploads report files, one or several, with the choice of an announcement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from reporting.formats.tournament_details.sidecar import write_details
from reporting.log.audit import Actor
from reporting.models import Report, ReportVersion, Tournament
from reporting.policies import (
    check_can_upload,
)
from reporting.refusals.domain_error import DomainError
from reporting.reports.forms import TournamentDetailsForm, form_groups, value_label
from reporting.reports.selectors import reports as selectors
from reporting.reports.services.edit_report import starting_details
from reporting.reports.services.upload import UploadedReport, upload_report
from reporting.rules.report import MAX_FILE_BYTES, MAX_GAMES, MAX_PLAYERS, MAX_ROUNDS
from reporting.web.access import (
    UPLOAD,
    OfficeRequest,
    actor,
    allow_large_body,
    require_access,
)
from reporting.web.attempt import Attempt
from reporting.web.forms import StyledFormMixin
from reporting.web.values import days

MOST_FILES = 10
"""Files uploaded at once."""
FILE_LIMITS = format_lazy(
    gettext_lazy(
        "At most {megabytes} MB, {players} players, {rounds} rounds and {games} games. No archives."
    ),
    megabytes=MAX_FILE_BYTES // 1_000_000,
    players=f"{MAX_PLAYERS:,}",
    rounds=MAX_ROUNDS,
    games=f"{MAX_GAMES:,}",
)


class AnnouncementField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in the stubs only
    """A choice of announced tournaments, each with its days."""

    def label_from_instance(self, announcement: Tournament) -> str:
        return f"{announcement.name}, {days(announcement.played_from, announcement.played_to)}"


class AnnouncementForm(StyledFormMixin, forms.Form):
    """A choice among these announcements, or none."""

    announcement = AnnouncementField(
        None,
        label=gettext_lazy("Announced tournament"),
        help_text=gettext_lazy("Fills in name, days and time control."),
        required=False,
        empty_label=gettext_lazy("None of these"),
    )

    def __init__(self, *args: Any, announcements: Sequence[Tournament], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = cast(AnnouncementField, self.fields["announcement"])
        choices.queryset = selectors.announced_tournaments(announcements)


class SeveralFilesInput(forms.FileInput):
    """A field of files in which several can be chosen."""

    allow_multiple_selected = True


class SeveralFilesField(forms.FileField):
    """The chosen files as a list, at least one."""

    widget = SeveralFilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        files = data if isinstance(data, list) else [data]
        if len(files) > MOST_FILES:
            raise forms.ValidationError(
                gettext("Choose at most %(most)s files at once."), params={"most": MOST_FILES}
            )
        return [super(SeveralFilesField, self).clean(file, initial) for file in files or [None]]


class UploadForm(AnnouncementForm):
    """The files of tournaments, and the announcement of a single one."""

    field_order = ("file", "announcement")
    file = SeveralFilesField(
        label=gettext_lazy("Report file"),
        help_text=format_lazy(
            gettext_lazy("{limits} Choose or drop up to {most} files, together at most {megabytes} MB."),
            limits=FILE_LIMITS,
            most=MOST_FILES,
            megabytes=MAX_FILE_BYTES // 1_000_000,
        ),
        max_length=200,
        allow_empty_file=True,
    )

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if values.get("announcement") and len(values.get("file", ())) > 1:
            self.add_error(
                "announcement",
                gettext(
                    "An announcement belongs to one file. Upload that file alone, or choose it in the report."
                ),
            )
        return values


class GivenDetailsForm(TournamentDetailsForm):
    """Tournament details entered on the page that checks a file, as hidden fields of the upload."""

    def __init__(self, data: Mapping[str, str]) -> None:
        names = [name for _, group in form_groups() for name in group if data.get(name)]
        super().__init__(data, asked=(("", names),))

    @property
    def values(self) -> dict[str, Any]:
        """The details as values of the sidecar file. Raises DomainError `too_long`."""
        if not self.is_valid():
            raise DomainError("too_long")
        return self.details()

    @property
    def shown(self) -> list[tuple[str, str]]:
        """Each entered detail: its label, and its value as a person reads it."""
        return [(str(field.label), value_label(field, field.value())) for field in self]


@dataclass(frozen=True)
class UploadOutcome:
    """What became of one of several files: its report, or why it was refused."""

    filename: str
    report: Report | None = None
    version: ReportVersion | None = None
    already_there: bool = False
    refusal: DomainError | None = None


@allow_large_body(UPLOAD)
@require_access(check_can_upload, "GET", "HEAD", "POST")
def new_report(request: OfficeRequest) -> HttpResponse:
    """Upload the file of a tournament, or several. Each is stored and read, also with errors.

    After one file comes its report; after several a line for each file with its outcome.
    """
    announcements = selectors.open_announcements(request.user)
    posted = request.method == "POST"
    given = GivenDetailsForm(request.POST if posted else request.GET)
    form = UploadForm(
        request.POST if posted else None,
        request.FILES if posted else None,
        announcements=announcements,
        initial={
            "announcement": AnnouncementForm(request.GET, announcements=announcements)["announcement"].value()
        },
    )
    attempt, outcomes = Attempt(form), []
    if attempt.is_valid:
        files, announcement = form.cleaned_data["file"], form.cleaned_data["announcement"]
        with attempt:
            if len(files) == 1:
                uploaded = upload_of_file(files[0], announcement, given.values, actor(request))
                if uploaded.already_there:
                    messages.info(
                        request,
                        gettext(
                            "You have already uploaded this file. Nothing was changed. This is its report."
                        ),
                    )
                if uploaded.details_left:
                    messages.warning(
                        request,
                        gettext("The details sent with the file were not used. Change them in the report."),
                    )
                return redirect("report-file", uploaded.report.pk)
            if given.fields:
                raise DomainError("details_of_one_file")
            outcomes = [upload_of_several(file, actor(request)) for file in files]
            form = UploadForm(announcements=announcements)
    context = {"form": form, "given": given, "problem": attempt.refusal, "outcomes": outcomes}
    return render(request, "reporting/reports/report_new.html", context, status=attempt.status)


def upload_of_file(
    file: "UploadedFile[bytes]", announcement: Tournament | None, details: Mapping[str, Any], by: Actor
) -> UploadedReport:
    """Upload a file with the details of its announcement, and those entered when it was checked."""
    return upload_report(
        content=file.read(),
        filename=file.name or "report",
        sidecar=write_details({**starting_details(announcement), **details}),
        by=by,
        announcement=announcement,
    )


def upload_of_several(file: "UploadedFile[bytes]", by: Actor) -> UploadOutcome:
    """Upload one of several files: a refusal ends only its own."""
    attempt = Attempt()
    with attempt:
        uploaded = upload_of_file(file, None, {}, by)
        return UploadOutcome(file.name or "", uploaded.report, uploaded.version, uploaded.already_there)
    return UploadOutcome(file.name or "", refusal=attempt.refusal)
