"""The referee comments on the warnings and submits: the results are written, the tournament has its code and number."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from anyascii import anyascii
from django.db import transaction
from django.db.models import Max, Model
from django.db.models.functions import Now
from django.utils import timezone

from reporting.federations.registry import known_rules, report_rules
from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.log.audit import Actor, record
from reporting.messages.notifications import notify_if_late, notify_left_office, notify_submitted_by_other
from reporting.models import (
    DraftComments,
    Entry,
    Game,
    LogEntry,
    Report,
    ReportStep,
    ReportVersion,
    ResultSet,
    Round,
    Tournament,
    WarningComment,
    own_table,
    relation_of,
)
from reporting.models.locks import share_closing_lock, take_numbering_lock
from reporting.policies import check_can_submit
from reporting.refusals.domain_error import DomainError
from reporting.register.services.federations import ensure_federations
from reporting.reports.reading.birth_dates import (
    DIFFERS,
    NOT_COMPARED,
    compare_birth_dates,
    earlier_birth_date_findings,
)
from reporting.reports.reading.match_players import match_version
from reporting.reports.reading.parse import Submission, read_submission
from reporting.reports.reading.read_file import unpack_reading
from reporting.reports.reading.validate import Matching, corrected_tournament, match_report
from reporting.reports.selectors.parts import earlier_parts, last_results
from reporting.reports.services.upload import refuse_too_large, tell_of_limits, version_columns
from reporting.rules.details.known_details import DETAILS, own_details
from reporting.rules.details.shared_details import System
from reporting.rules.details.time_control import parse_time_control
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import (
    Finding,
    Severity,
    comments_on_same,
    count_findings,
    unique_findings,
)
from reporting.rules.lifecycle import LIFECYCLE, ReportMove, ReportState, move
from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.names.plain_text import plain_text
from reporting.rules.register.countries import country_code
from reporting.rules.report import PAUSE, ReadReport

IDENTITY = (
    "name", "place", "country_id", "played_from", "played_to", "rating_system", "discipline", "time_control", "system",
)  # fmt: skip
"""What a tournament without an announcement has of its first report."""
MOST_TAKEN_BACK = 20
"""Reports that a person takes back in a day. A figure of this product."""


def submit_report(*, report: Report, comments: Mapping[int, str], by: Actor) -> Report:
    """Submit a draft, or a returned report again.

    `comments` are on each warning, by its index in the newest version's findings. If the register or the day has
    changed these since, or if dates of birth, compared last, differ from the register, a version with today's
    findings is stored instead, to be commented on. Dates that were tried too often are not compared, with a note for
    the office (R22a). Raises DomainError `wrong_state`, `findings_changed`, `has_errors` or `comments_missing` (each
    with the findings), `too_many_bytes`, `busy`, `forbidden`.
    """
    with transaction.atomic():
        refused = _submit(report=report, comments=comments, by=by)
    if refused:
        raise refused
    return Report.objects.select_related("result_set").get(pk=report.pk)


@transaction.atomic
def withdraw_report(*, report: Report, reason: str, by: Actor) -> Report:
    """Withdraw a report before it is accepted: a draft that is not needed, or a submission by mistake (R23).

    Raises DomainError `reason_missing` for one that was submitted, `wrong_state`, `forbidden`.
    """
    report, before, after = _locked_for_move(
        report, ReportMove.WITHDRAW, by, DomainError("wrong_state.withdraw")
    )
    if before is not ReportState.DRAFT and not reason.strip():
        raise DomainError("reason_missing")
    return _leave(report, after, action="report.withdraw", reason=reason, by=by)


@transaction.atomic
def take_back_report(*, report: Report, by: Actor, reason: str = "") -> Report:
    """Take a submitted report back to a draft, to change it (R24b). The day of its first submission stays.

    A person takes back MOST_TAKEN_BACK reports a day, which limits the submissions too. Raises
    DomainError `wrong_state`, `too_many_taken_back`, `forbidden`.
    """
    report, _, after = _locked_for_move(
        report, ReportMove.TAKE_BACK, by, DomainError("wrong_state.take_back")
    )
    _refuse_too_many_taken_back(by)
    return _leave(report, after, action="report.take_back", reason=reason, by=by)


def has_errors(errors: Sequence[Finding]) -> DomainError:
    """The refusal of a report with errors: how many there are to correct, to identify and to fill in."""
    counts = count_findings(errors)
    return DomainError(
        "has_errors", errors, errors=counts.errors, people=counts.people, missing=counts.missing
    )


def _refuse_too_many_taken_back(by: Actor) -> None:
    if by.by_command:
        return
    today = LogEntry.objects.filter(
        action="report.take_back", actor=by.user, at__date=timezone.localdate(), by_command=False
    )
    if (count := today.count()) >= MOST_TAKEN_BACK:
        raise DomainError("too_many_taken_back", count=count, most=MOST_TAKEN_BACK)


def _locked_for_move(
    report: Report, made: ReportMove, by: Actor, refusal: DomainError
) -> tuple[Report, ReportState, ReportState]:
    """The report, locked until the transaction ends, with its state and the state after the move.

    Raises `refusal` where the state does not allow the move, DomainError `forbidden`.
    """
    share_closing_lock()
    report = Report.objects.select_for_update().get(pk=report.pk)
    check_can_submit(by.user, report)
    before = ReportState(report.state)
    return report, before, move(LIFECYCLE, before, made, refusal)


def _leave(report: Report, after: ReportState, *, action: str, reason: str, by: Actor) -> Report:
    """Save the state; of a report that leaves the inbox the office and the submitter get a message (R24b)."""
    before, report.state = ReportState(report.state), after
    report.save(update_fields=["state"])
    entry = record(
        by=by,
        action=action,
        subject=f"report {report.pk}",
        before={"state": before},
        after={"state": after},
        reason=reason,
    )
    if before is ReportState.SUBMITTED:
        notify_left_office(report, reason, entry)
    return report


def _submit(*, report: Report, comments: Mapping[int, str], by: Actor) -> DomainError | None:
    """Submit the report; or return the refusal after which what was stored and logged is to be committed."""
    report, before, after = _locked_for_move(report, ReportMove.SUBMIT, by, DomainError("wrong_state.submit"))
    version = report.versions.order_by("-number")[0]
    sidecar = read_sidecar(bytes(version.sidecar))
    submission = read_submission(
        read=unpack_reading(bytes(version.reading)).read,
        sidecar=sidecar,
        today=timezone.localdate(),
    )
    # The corrected tournament may have been accepted, or its acceptance undone, since the version was stored.
    report.corrects = corrected_tournament(sidecar)
    report.save(update_fields=["corrects"])
    matching = match_report(submission, report, match_version(version, submission, store=False))
    earlier = earlier_birth_date_findings(version)
    if _stored([*matching.findings, *earlier]) != version.findings:
        refuse_too_large(report, by)  # not later: a date that was compared is logged, whatever follows
        matching = replace(matching, findings=tuple(unique_findings([*matching.findings, *earlier])))
        _store_findings(version, submission, matching, by)
        return DomainError("findings_changed", matching.findings)
    errors = [finding for finding in matching.findings if finding.severity is Severity.ERROR]
    if errors or submission.details is None:
        raise has_errors(errors)
    findings = [Finding.from_json(stored) for stored in version.findings]
    warnings = [index for index, finding in enumerate(findings) if finding.severity is Severity.WARNING]
    uncommented = [findings[index] for index in warnings if not comments.get(index, "").strip()]
    if uncommented:
        raise DomainError("comments_missing", uncommented, count=len(uncommented))
    compared = compare_birth_dates(version=version, submission=submission, matching=matching, by=by)
    matching = replace(matching, findings=tuple(unique_findings([*matching.findings, *compared])))
    if _stored(matching.findings) != version.findings:
        before_comparison, version = version, _store_findings(version, submission, matching, by)
        if _asked_of_referee(version.findings) != _asked_of_referee(before_comparison.findings):
            return DomainError(
                "findings_changed.birth_date"
                if any(found.code == DIFFERS for found in compared)
                else "findings_changed",
                matching.findings,
            )
        now = unique_findings(matching.findings)
        comments = comments_on_same(now, findings, comments)
        warnings = [index for index, finding in enumerate(now) if finding.severity is Severity.WARNING]
    # Returned or taken back: submitted unchanged, it is a new version all the same (R23), with comments of its own.
    if version.remarks.exists() or version.comments.exists():
        version = _store_findings(version, submission, matching, by)
    WarningComment.objects.bulk_create(
        WarningComment(version=version, finding=index, text=comments[index], by=by.user) for index in warnings
    )
    ReportStep.objects.create(version=version, move=ReportStep.Move.SUBMIT, by=by.user)
    DraftComments.objects.filter(report=report).delete()
    report.result_set = save_result_set(report, submission.details, submission.read)
    write_results(report.result_set, submission, submission.details)
    report.state = after
    report.first_submitted_at = report.first_submitted_at or Now()
    report.save()
    entry = record(
        by=by,
        action="report.submit",
        subject=f"report {report.pk}",
        before={"state": before},
        after={
            "state": report.state,
            "tournament": report.result_set.code,
            "version": version.number,
            "warnings_answered": len(warnings),
        }
        | ({"part": report.result_set.part} if report.result_set.part > 1 else {}),
    )
    if by.user.pk != report.submitted_by_id:
        notify_submitted_by_other(report, by.user, entry)
    report.refresh_from_db(fields=["first_submitted_at"])
    notify_if_late(report)
    return None


def _asked_of_referee(stored: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Stored findings without what only the office compares: with another one of these a report is submitted."""
    return [found for found in stored if found["code"] != NOT_COMPARED]


def _stored(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Findings as a version stores them."""
    return [finding.to_stored() for finding in unique_findings(findings)]


def _store_findings(
    version: ReportVersion, submission: Submission, matching: Matching, by: Actor
) -> ReportVersion:
    """The same bytes once more, as the next version, with what is found in them today."""
    stored = ReportVersion.objects.create(
        report_id=version.report_id,
        number=version.number + 1,
        filename=version.filename,
        content=version.content,
        reading=version.reading,
        sha256=version.sha256,
        sidecar=version.sidecar,
        created_by=by.user,
        **version_columns(submission, matching),
    )
    record(
        by=by,
        action="report.match_players",
        subject=f"report {version.report_id}",
        after={"version": stored.number, "findings": len(matching.findings)},
    )
    tell_of_limits(stored, by)
    return stored


def save_result_set(report: Report, details: TournamentDetails, read: ReadReport) -> ResultSet:
    """The result set of a report with these details: created, or updated when its report is submitted again.

    That of a corrected report is the next revision of the corrected part. A part after the first one belongs to the
    tournament of the parts before it, and ends on the day that part 1 says. A new tournament is the announced one of
    the report, unless another report has it already. Results are written by `write_results`. Raises DomainError
    `findings_changed` where the parts before it are not as they were.
    """
    begins = details.played_from
    assert begins is not None  # noqa: S101 (check_report makes an error of it where it is missing)
    rules = known_rules(details.rating_system, details.discipline)
    assert rules is not None  # noqa: S101
    take_numbering_lock()
    part, first = details.part or 1, None
    if part > 1:
        first = _first_part(report, details)
        details = replace(details, played_to=first.played_to)
    received = _day_of_receipt(report, details)
    if details.played_to is None:
        details = replace(details, played_to=max(begins, received))
    country = country_code(details.country)
    ensure_federations([country])
    values: dict[str, Any] = _columns(ResultSet, details, DETAILS) | {
        "counting_day": details.counting_day(received, read) or details.played_to,
        "country_id": country or None,
        "rating_system": rules.system,
        "youth_only": details.youth_only,
        "seconds_for_60_moves": details.seconds_for_60_moves,
        "points": details.points_scale,
        "system": details.system or System.OTHER,
    }
    if details.number is None:
        del values["number"]
    saved = report.result_set or ResultSet()
    if report.corrects_id is not None:
        if (saved.tournament_id, saved.part) != (report.corrects_id, part):
            revisions = ResultSet.objects.filter(tournament__code=report.corrects_id, part=part)
            numbers = dict(revisions.order_by("revision").values_list("revision", "number"))
            saved.tournament_id = report.corrects_id
            saved.revision, saved.number = max(numbers) + 1, numbers[0]
    elif first is not None:
        _free_place_of_part(first.tournament, part, saved)
        saved.tournament, saved.revision, saved.number = first.tournament, 0, first.number
    elif saved.pk is None or saved.revision > 0 or saved.part > 1:
        # Of a tournament that goes on only the first day is certain, which is that of all parts.
        is_over = details.part is None and values["played_to"] <= received
        day = values["played_to"] if is_over else values["played_from"]
        saved.tournament = _tournament_of(report, values, day.year)
        saved.revision = 0
        saved.number = (ResultSet.objects.aggregate(last=Max("number"))["last"] or 0) + 1
    before = report_rules(saved.rating_system).details if saved.rating_system else type(details)
    if before.table not in ("", details.table):  # submitted again to another federation
        own_table(before)._default_manager.filter(result_set=saved).delete()
    for name, value in values.items():
        setattr(saved, name, value)
    saved.save()
    if details.table:
        table = own_table(type(details))
        own = _columns(table, details, own_details(type(details)))
        row, _ = table._default_manager.update_or_create(result_set=saved, defaults=own)
        setattr(saved, relation_of(type(details)), row)
    return saved


def _first_part(report: Report, details: TournamentDetails) -> ResultSet:
    """Part 1 of the tournament of which a report is a later part."""
    if report.corrects_id is not None:
        return last_results([report.corrects_id])[report.corrects_id][1]
    parts, problem = earlier_parts(details)
    if problem is not None:
        raise DomainError("findings_changed", [problem])
    return parts[1]


def _free_place_of_part(tournament: Tournament, part: int, own: ResultSet) -> None:
    """Move results of this part whose reports were rejected or withdrawn to a tournament of their own.

    Raises DomainError `findings_changed` where another report that waits or is accepted has them.
    """
    others = ResultSet.objects.filter(tournament=tournament, part=part, revision=0).exclude(pk=own.pk)
    for other in others:
        ended = [ReportState.REJECTED, ReportState.WITHDRAWN]
        if other.reports.exclude(state__in=ended).exists():
            raise DomainError("findings_changed")
        values = {name: getattr(other, name) for name in IDENTITY}
        other.tournament = Tournament(**values, code=_free_code(other.name, other.played_from.year))
        other.tournament.save()
        other.save(update_fields=["tournament"])


def _day_of_receipt(report: Report, details: TournamentDetails) -> date:
    """The day on which a report was received; of a correction that of the first report, which decides (R11a)."""
    first = Report.objects.filter(
        result_set__tournament__code=report.corrects_id,
        result_set__part=details.part or 1,
        result_set__revision=0,
        state=ReportState.ACCEPTED,
    ).first()
    if first is not None:
        return first.received
    return report.received if report.first_submitted_at else details.received or timezone.localdate()


def _columns(table: type[Model], details: TournamentDetails, names: Iterable[str]) -> dict[str, Any]:
    """The values of those of these details that a table has a column for, by the names of the columns."""
    return {
        column.attname: column.get_default() if value is None and not column.null else value
        for column in table._meta.concrete_fields
        if column.name in names
        for value in [getattr(details, column.name)]
    }


def _tournament_of(report: Report, values: Mapping[str, Any], year: int) -> Tournament:
    """The announced tournament of a report, else a new one, with a code of its own."""
    tournament = report.announcement
    if tournament is None or tournament.code is not None:
        tournament = Tournament(**{name: values[name] for name in IDENTITY})
    tournament.code = _free_code(values["name"], year)
    tournament.save()
    return tournament


def write_results(result_set: ResultSet, submission: Submission, details: TournamentDetails) -> None:
    """Write entries, rounds and games of a submitted report, in place of those of an earlier submission.

    Who of the register the entries are is written when the report is accepted.
    """
    for results in (Game, Entry, Round):
        results._default_manager.filter(result_set=result_set).delete()
    read = submission.read
    dates = dict(enumerate(details.rounds, start=1))
    Round.objects.bulk_create(
        Round(result_set=result_set, number=number, played_on=dates.get(number))
        for number in range(1, read.rounds + 1)
    )
    entries = Entry.objects.bulk_create(
        Entry(
            result_set=result_set,
            number=reported.number,
            place=details.place_of(reported.place or None),
            points_printed=reported.points_printed,
            reported_name=reported.name[:80],
            reported_federation=reported.federation[:20],
            reported_title=reported.title[:10],
            reported_rating=reported.rating_printed,
        )
        for reported in read.players
    )
    by_number: dict[int, Entry | None] = {entry.number: entry for entry in entries}
    by_number[PAUSE] = None
    seconds = {text: parse_time_control(text).seconds_for_60_moves for text in details.session}
    Game.objects.bulk_create(
        (
            Game(
                result_set=result_set,
                round=game.round,
                white=by_number[game.white],
                black=by_number[game.black],
                white_points=game.white_points,
                black_points=game.black_points,
                played=game.played,
                number=game.number,
                time_control=game.time_control,
                seconds_for_60_moves=seconds.get(game.time_control),
                started_on=game.started_on,
                finished_on=game.finished_on,
                white_for=game.white_for,
                black_for=game.black_for,
            )
            for game in read.games
        ),
        batch_size=5000,
    )


def _in_latin_letters(word: str) -> str:
    """A word in letters of ASCII; the syllables of one in Chinese signs, which begin with capitals, are words."""
    latin = anyascii(word)
    return word if latin == word else re.sub(r"(?<=[a-z])(?=[A-Z])", " ", latin)


def _free_code(name: str, year_played: int) -> str:
    """Year and name as one word, as `2026-ouagadougou-open`; a second one of that name gets `-2`.

    A name in other letters is transliterated: `Кубок гавани` gives `2026-kubok-gavani`.
    """
    year = str(year_played)
    latin = " ".join(map(_in_latin_letters, plain_text(name).split()))
    words = [word for word in normalize_name(latin).split() if word != year]
    stem = re.sub(r"[^a-z0-9-]", "", "-".join([year, *words]))[:76].rstrip("-")
    code, turn = stem, 1
    while Tournament.objects.filter(code=code).exists():
        turn += 1
        code = f"{stem}-{turn}"
    return code
