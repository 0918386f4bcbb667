"""Change a report before its acceptance: each change is the next version; the earlier ones stay (R22, R23)."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from django.db import transaction

from reporting.federations.registry import approved_events, rules_of_report
from reporting.formats.reader_process import Reading
from reporting.formats.text.edit_lines import Edit, apply_edits
from reporting.formats.tournament_details.sidecar import Sidecar, read_sidecar, write_details
from reporting.log.audit import Actor
from reporting.models import Report, ReportVersion, Tournament
from reporting.models.locks import share_closing_lock
from reporting.policies import check_can_submit
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.reading.parse import read_upload
from reporting.reports.reading.read_file import place_for_file, unpack_reading
from reporting.reports.services.enter_results import grid_file, results_grid
from reporting.reports.services.upload import UploadedReport, refuse_unusable, store_version
from reporting.rules.details.known_details import details_of, details_type
from reporting.rules.lifecycle import LIFECYCLE, ReportMove, ReportState, move


def edit_report_lines(*, report: Report, based_on: int, edits: Sequence[Edit], by: Actor) -> UploadedReport:
    """Replace pieces of lines of the newest version's file; `based_on` is the version that the person saw.

    Raises DomainError `version_changed`, `edit_invalid`, `wrong_state`, `forbidden`.
    """

    def edited(version: ReportVersion, sidecar: Sidecar) -> tuple[bytes, Sidecar]:
        try:
            return apply_edits(bytes(version.content), version.encoding, edits), sidecar
        except (ValueError, LookupError) as unfit:
            raise DomainError("edit_invalid", problem=str(unfit)) from None

    return _save(report, based_on, by, edited)


def edit_tournament_details(
    *, report: Report, based_on: int, values: Mapping[str, Any], by: Actor
) -> UploadedReport:
    """Replace the tournament details of these names; their errors become findings.

    The day of the announcement comes with the announcement that is chosen. Raises DomainError `version_changed`,
    `wrong_state`, `forbidden`.
    """

    def edited(version: ReportVersion, sidecar: Sidecar) -> tuple[bytes, Sidecar]:
        announced = {"announced": sidecar.values.get("announced")}
        return bytes(version.content), _with_values(sidecar, {**sidecar.values, **values, **announced})

    return _save(report, based_on, by, edited)


def replace_report_file(
    *,
    report: Report,
    based_on: int,
    content: bytes,
    filename: str,
    by: Actor,
    details: Mapping[str, Any] | None = None,
) -> UploadedReport:
    """Replace the file of the newest version, and its details where others are given.

    A file that is empty, damaged, too large or in no known format is refused as at the first upload. Raises DomainError
    `file_unusable` (with the findings), `version_changed`, `wrong_state`, `forbidden`.
    """

    def replaced(_version: ReportVersion, sidecar: Sidecar) -> tuple[bytes, Sidecar]:
        if details is not None and details != sidecar.values:
            sidecar = _with_values(sidecar, details)
        return content, sidecar

    return _save(report, based_on, by, replaced, filename)


def name_identified_players(*, opened: OpenReport, by: Actor) -> ReportVersion:
    """Give the rows without a name that are identified in the details the number, name and country of the register.

    That is the next version of a file of results entry that loses nothing by it; of another the newest one stays.
    Raises DomainError `not_readable`, `not_writable`, `version_changed`, `wrong_state`, `too_many_versions`,
    `forbidden`.
    """
    nameless = [player.number for player in opened.submission.read.players if not player.name]
    if not any(opened.players.get(number) for number in nameless):
        return opened.version
    grid = results_grid(opened)
    if grid.is_new_format or grid.losses_on_save():
        return opened.version
    return replace_report_file(
        report=opened.report,
        based_on=opened.version.number,
        content=grid_file(grid.entry_format, grid.info, grid.players, grid.games),
        filename=opened.version.filename,
        details=grid.details,
        by=by,
    ).version


def restore_version(*, report: Report, based_on: int, number: int, by: Actor) -> UploadedReport:
    """Make an earlier version the newest one again, with its file and its details (R24b); the later ones stay.

    The day of the announcement stays that of now (R11). Raises DomainError `version_changed`, also where there is no
    such version, `wrong_state`, `forbidden`.
    """
    check_can_submit(by.user, report)
    earlier = report.versions.filter(number=number).first()
    if earlier is None:
        raise DomainError("version_changed")

    def restored(_version: ReportVersion, sidecar: Sidecar) -> tuple[bytes, Sidecar]:
        details = read_sidecar(bytes(earlier.sidecar))
        announced = sidecar.values.get("announced")
        if details.values.get("announced") != announced:
            details = _with_values(details, {**details.values, "announced": announced})
        return bytes(earlier.content), details

    return _save(report, based_on, by, restored, earlier.filename)


@transaction.atomic
def choose_announcement(
    *, report: Report, based_on: int, announcement: Tournament | None, by: Actor
) -> UploadedReport:
    """Choose the announcement of a report: its day, and its details where the report has none.

    Raises DomainError `version_changed`, `announcement_withdrawn`, `wrong_state`, `forbidden`.
    """
    check_can_submit(by.user, report)
    if announcement is not None:
        # Locked, so that it is not withdrawn at the same time.
        announcement = Tournament.objects.announced().select_for_update().get(pk=announcement.pk)
    if announcement is not None and announcement.withdrawn_at is not None:
        raise DomainError("announcement_withdrawn")
    _locked(report, based_on, by)
    Report.objects.filter(pk=report.pk).update(announcement=announcement)

    def edited(version: ReportVersion, sidecar: Sidecar) -> tuple[bytes, Sidecar]:
        details = {**starting_details(announcement), **sidecar.values}
        if "announced" in details_of(details_type(details)):
            details["announced"] = announcement.announced_on if announcement else None
        return bytes(version.content), _with_values(sidecar, details)

    return _save(report, based_on, by, edited)


def announced_details(announcement: Tournament | None) -> dict[str, Any]:
    """The tournament details that an announcement gives, by name: those that reports of its rating system have."""
    if announcement is None:
        return {}
    rules = rules_of_report(announcement.rating_system, announcement.discipline)
    announced = {
        "name": announcement.name,
        "place": announcement.place,
        "country": announcement.country_id,
        "played_from": announcement.played_from,
        "played_to": announcement.played_to,
        "rating_system": announcement.rating_system,
        "discipline": announcement.discipline,
        "time_control": announcement.time_control,
        "system": announcement.system,
        "official": announcement.official or None,
        "national_championship": announcement.national_championship,
        "announced": announcement.announced_on,
    }
    return {name: value for name, value in announced.items() if name in details_of(rules.details)}


def approved_details(announcement: Tournament) -> Mapping[str, Any]:
    """The tournament details that its federation has approved of an announced tournament, by name. 1 query."""
    event = approved_events([announcement.pk]).get(announcement.pk)
    return event.details if event else {}


def starting_details(announcement: Tournament | None) -> dict[str, Any]:
    """The tournament details that a report takes from its announcement, with those approved of it. 1 query."""
    if announcement is None:
        return {}
    return announced_details(announcement) | dict(approved_details(announcement))


def follow_announcement(*, report: Report, old: Mapping[str, Any], new: Mapping[str, Any], by: Actor) -> None:
    """Give a draft the changed details of its announcement, as its next version; `old` and `new` by name.

    A detail that differs from the old announcement was chosen in the report and stays. Nothing changes for a report
    that was submitted. The caller has locked the announcement and checked the policy. Raises DomainError
    `too_many_versions`.
    """
    share_closing_lock()
    report = (
        Report.objects.select_for_update(of=("self",))
        .select_related("result_set", "announcement", "submitted_by")
        .get(pk=report.pk)
    )
    if report.state != ReportState.DRAFT or report.first_submitted_at is not None:
        return
    version = report.versions.order_by("-number")[0]
    before = read_sidecar(bytes(version.sidecar))
    changes = {
        name: value
        for name, value in new.items()
        if value != old.get(name) and _said(before.values.get(name)) == _said(old.get(name))
    }
    content = bytes(version.content)
    sidecar = _with_values(before, {**before.values, **changes})
    if sidecar is before:
        return
    store_version(
        report=report,
        content=content,
        reading=_reusable_reading(version, before, content, sidecar),
        filename=version.filename,
        sidecar=sidecar,
        by=by,
        before={"state": report.state, "version": version.number},
    )


def _said(value: Any) -> Any:
    """A value of a detail, None for the values that mark nothing."""
    return None if value in ("", False, "no") else value


def _with_values(sidecar: Sidecar, values: Mapping[str, Any]) -> Sidecar:
    """The sidecar with these values; the same one where its bytes are the same."""
    content = write_details(values)
    return sidecar if content == sidecar.content else read_sidecar(content)


def _save(
    report: Report,
    based_on: int,
    by: Actor,
    edited: Callable[[ReportVersion, Sidecar], tuple[bytes, Sidecar]],
    filename: str | None = None,
) -> UploadedReport:
    """Read the edited file before taking a lock: versions never change, and the newest one is compared under it."""
    check_can_submit(by.user, report)
    seen = report.versions.filter(number=based_on).first()
    if seen is None:
        raise DomainError("version_changed")
    before = read_sidecar(bytes(seen.sidecar))
    content, sidecar = edited(seen, before)
    with ExitStack() as until_stored:
        if not _is_read(seen, before, content, sidecar):
            until_stored.enter_context(place_for_file(by.user.pk))
        reading = _reusable_reading(seen, before, content, sidecar)
        if filename is not None and not by.by_command:
            refuse_unusable(content, reading)
        until_stored.enter_context(transaction.atomic())
        return _stored(
            report=report,
            based_on=based_on,
            by=by,
            content=content,
            sidecar=sidecar,
            reading=reading,
            filename=filename,
        )


def _reusable_reading(version: ReportVersion, before: Sidecar, content: bytes, sidecar: Sidecar) -> Reading:
    """The stored reading of the version where it is that of these bytes and choices; else a new one."""
    if _is_read(version, before, content, sidecar):
        return unpack_reading(bytes(version.reading))
    return read_upload(content=content, sidecar=sidecar)


def _is_read(version: ReportVersion, before: Sidecar, content: bytes, sidecar: Sidecar) -> bool:
    """Whether the version has these bytes, read with these choices."""
    choices = (before.encoding, before.points)
    return content == bytes(version.content) and (sidecar.encoding, sidecar.points) == choices


def _stored(
    *,
    report: Report,
    based_on: int,
    by: Actor,
    content: bytes,
    sidecar: Sidecar,
    reading: Reading,
    filename: str | None,
) -> UploadedReport:
    state, version = _locked(report, based_on, by)
    report = version.report
    if (content, sidecar.content) == (bytes(version.content), bytes(version.sidecar)):
        return UploadedReport(report, version, None, already_there=True)
    return store_version(
        report=report,
        content=content,
        reading=reading,
        filename=filename or version.filename,
        sidecar=sidecar,
        by=by,
        before={"state": state, "version": version.number},
    )


def _locked(report: Report, based_on: int, by: Actor) -> tuple[ReportState, ReportVersion]:
    """The state and the newest version of a report that can be edited, under its lock.

    Raises DomainError `version_changed`, `wrong_state`, `forbidden`.
    """
    share_closing_lock()
    report = (
        Report.objects.select_for_update(of=("self",))
        .select_related("result_set", "announcement")
        .get(pk=report.pk)
    )
    check_can_submit(by.user, report)
    state = ReportState(report.state)
    if state is not ReportState.DRAFT:
        refusal = DomainError(
            "wrong_state.edit_submitted" if state is ReportState.SUBMITTED else "wrong_state.edit"
        )
        move(LIFECYCLE, state, ReportMove.EDIT, refusal)
    version = report.versions.order_by("-number")[0]
    version.report = report
    if version.number != based_on:
        raise DomainError("version_changed")
    return state, version
