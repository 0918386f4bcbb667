"""Import a folder of report files with their tournament details: submit them and, on request, accept them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.db import transaction

from reporting.formats.tournament_details.sidecar import read_details
from reporting.log.audit import Actor
from reporting.models import Report
from reporting.refusals.domain_error import DomainError
from reporting.reports.decisions.services import decide_as_proposed
from reporting.reports.reading.open_report import open_report
from reporting.reports.services.review import accept_report, people_to_decide
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import UploadedReport, upload_report
from reporting.rules.findings.finding_list import Finding, Severity, finding


@dataclass(frozen=True)
class ReportFile:
    """A report on disk: its name, its bytes, and the bytes of its sidecar; None if there is none."""

    filename: str
    content: bytes
    sidecar: bytes | None


@dataclass(frozen=True)
class ImportedReport:
    """The outcome of a file: `accepted`, `submitted`, `already there` or `refused`, with the findings."""

    filename: str
    outcome: str
    report: Report | None
    message: str
    findings: tuple[Finding, ...]


def import_reports(
    *, files: Iterable[ReportFile], accept_as: Actor | None, importer: Actor, two_people: bool = False
) -> Iterator[ImportedReport]:
    """Submit files one by one, in the order of their names by code point, then accept them.

    Each file has its own transaction: a refused one stores nothing and does not stop the others. The comment on
    warnings is "imported by …"; errors are never ignored. A report that R11 bars is accepted only with `admit` in its
    details, one that looks like an accepted tournament only with `corrects` or `different_tournament`. New players get
    FMJD-IDs in the order of the tournaments' numbers. One with the name, birth and country of another person needs
    `two_people`, which says that they are two (R24a). What the details propose is decided with the acceptance, in the
    name of the accepting account, the Council's approval too (R78, decision 0082). Without `accept_as` the reports stay
    submitted, and everything is only proposed.
    """
    to_accept: list[tuple[tuple[int, int], ImportedReport]] = []
    for file in sorted(files, key=lambda file: file.filename):
        imported = _submit(file, importer)
        report = imported.report
        is_waiting = report is not None and report.state == Report.State.SUBMITTED
        if accept_as is not None and is_waiting and imported.outcome != "refused":
            assert report is not None and report.result_set is not None  # noqa: PT018, S101 (submitted)
            to_accept.append(((report.result_set.number, report.result_set.part), imported))
        else:
            yield imported
    if accept_as is not None:
        for _, imported in sorted(to_accept, key=lambda numbered: numbered[0]):
            yield _accept(imported, accept_as, two_people=two_people)


def _submit(file: ReportFile, importer: Actor) -> ImportedReport:
    if file.sidecar is None:
        filename = str(Path(file.filename).with_suffix(".toml"))
        missing = finding("detail-missing.file", filename=filename)
        return ImportedReport(file.filename, "refused", None, "no details file", (missing,))
    try:
        with transaction.atomic():
            uploaded = upload_report(
                content=file.content, filename=file.filename, sidecar=file.sidecar, by=importer
            )
            if uploaded.already_there:
                return _already_there(file, uploaded)
            findings = uploaded.matching.findings if uploaded.matching else ()
            try:
                report = submit_report(
                    report=uploaded.report, comments=_comments(findings, importer), by=importer
                )
            except DomainError as refusal:
                if refusal.code != "findings_changed":  # dates of birth are compared only at submission
                    raise
                findings = refusal.findings
                report = submit_report(
                    report=uploaded.report, comments=_comments(findings, importer), by=importer
                )
    except DomainError as refusal:
        return ImportedReport(file.filename, "refused", None, refusal.message, refusal.findings)
    return ImportedReport(file.filename, "submitted", report, "", findings)


def _comments(findings: Iterable[Finding], importer: Actor) -> dict[int, str]:
    """The same comment on each warning."""
    comment = f"imported by {importer.user.email}"
    return {place: comment for place, finding in enumerate(findings) if finding.severity is Severity.WARNING}


def _already_there(file: ReportFile, uploaded: UploadedReport) -> ImportedReport:
    """A known file: its state, or a refusal if its details have changed since the report was submitted (R24b)."""
    report = uploaded.report
    if uploaded.details_left:
        message = f"{report.state}; the details file has changed since, and the change was not used"
        return ImportedReport(file.filename, "refused", report, message, ())
    return ImportedReport(file.filename, "already there", report, report.state, ())


def _accept(imported: ImportedReport, officer: Actor, *, two_people: bool) -> ImportedReport:
    report = imported.report
    assert report is not None  # noqa: S101 (only submitted reports come here)
    details, _ = read_details(bytes(report.versions.order_by("-number")[0].sidecar))
    accept = partial(
        accept_report,
        report=report,
        admitted_reason=details.admit if details else "",
        different_because=details.different_tournament if details else "",
        by=officer,
    )
    try:
        with transaction.atomic():
            if report.corrects_id is None and report.result_set is not None:
                decide_as_proposed(
                    report.result_set, officer
                )  # first: what is official needs no admission (R11)
            try:
                report = accept()
            except DomainError as refusal:
                if refusal.code != "people_undecided" or not two_people:
                    raise
                opened = open_report(report.pk)
                questions = people_to_decide(opened.report, opened.submission, opened.matching)
                report = accept(same_person={question.key: False for question in questions})
            assert report.result_set is not None  # noqa: S101 (accepted)
            if report.corrects_id is not None:
                decide_as_proposed(report.result_set, officer)
    except DomainError as refusal:
        return ImportedReport(imported.filename, "submitted", report, refusal.message, refusal.findings)
    return ImportedReport(imported.filename, "accepted", report, "", imported.findings)
