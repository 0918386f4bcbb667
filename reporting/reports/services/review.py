"""The office accepts, returns or rejects a report, and undoes an acceptance until a list counts it (R23, R24).

Accepting says who of the register each entry of the result set is; undoing the acceptance takes that back.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from psycopg.errors import RestrictViolation

from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.log.audit import Actor, record
from reporting.messages.notifications import (
    notify_acceptance_undone,
    notify_accepted,
    notify_rejected,
    notify_returned,
)
from reporting.models import (
    LogEntry,
    LookAlikeDecision,
    Report,
    ReportStep,
    ReportVersion,
    ResultSet,
    ReviewRemark,
    Tournament,
)
from reporting.models.locks import share_closing_lock, take_accepting_lock
from reporting.policies import check_can_accept, check_can_accept_details, check_can_admit, check_can_review
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.clean_reports import admission_findings, is_clean, needs_decision
from reporting.reports.reading.match_players import match_version
from reporting.reports.reading.parse import Submission, read_submission
from reporting.reports.reading.players.newcomers import (
    PersonQuestion,
    same_person_questions,
)
from reporting.reports.reading.read_file import unpack_reading
from reporting.reports.reading.review_findings import blocking_errors
from reporting.reports.reading.validate import Matching, accepted_tournament, match_report
from reporting.reports.reading.version_changes import refuse_changed_submission
from reporting.reports.selectors.reports import same_files
from reporting.reports.services.acceptance.players import (
    check_merged_players,
    decide_same_people,
    match_players_created_before,
    number_players,
    write_players,
)
from reporting.reports.services.submit import has_errors, save_result_set
from reporting.reports.services.write_note import refuse_too_much_text
from reporting.rules.details.known_details import known_details
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding
from reporting.rules.lifecycle import LIFECYCLE, ReportMove, ReportState, move
from reporting.rules.register.registers import register_of_new_players
from reporting.rules.report import ReadReport


@dataclass(frozen=True)
class Remark:
    """A remark on a returned report: general, on a line of its file (from 1), or on a tournament detail by name."""

    text: str
    line: int | None = None
    field: str = ""


@transaction.atomic
def accept_report(
    *,
    report: Report,
    by: Actor,
    admitted_reason: str = "",
    newcomers_are_others: bool = False,
    correction_of: str = "",
    different_because: str = "",
    same_person: Mapping[str, bool] = MappingProxyType({}),
    looked_at: int | None = None,
    seen: str | None = None,
    only_clean: bool = False,
) -> Report:
    """Accept a submitted report: new players get a number (`register_of_new_players`), and every entry its player.

    A report with a finding of `ADMISSION_CODES` that corrects no tournament (R11a) needs `admitted_reason`, given by a
    rating officer (R11). Where the federation admits games, any report may have one. A report that looks like an
    accepted tournament, and does not correct it by its details, needs a decision (R21): `correction_of` is the code of
    the tournament that it corrects, `different_because` the reason why it differs from the others.
    Players that an earlier acceptance of the report created are not created again; where this is unclear,
    `newcomers_are_others` confirms that they are other people. `same_person` says of each two of the same name, birth
    and country, by the key of their question, if they are one person, who gets one number (R24a). `looked_at` is, here
    and in the other decisions, the number of the version that the person saw, `seen` the `acceptance_digest` of what
    the page showed. With `only_clean` nothing may be left to decide, by the findings as
    submitted and by those of now. Raises DomainError `wrong_state`, `version_changed`, `own_report`,
    `own_version`, `not_clean`, `findings_changed`, `needs_admission`, `possible_duplicate` or `has_errors` (with the
    findings), `not_a_duplicate`, `newcomers_unclear`, `people_undecided`, `people_contradict`, `people_meet`,
    `same_person_twice`, `no_numbers_left`, `part_not_accepted` (the part before it), `results_changed` (the stored
    results are not those of the file), `busy`, `forbidden`.
    """
    take_accepting_lock()
    report, before, after = _locked_for_move(report, ReportMove.ACCEPT, by, looked_at)
    check_can_accept(by.user, report)
    _lock_tournament(report.corrects_id)
    version = _newest(report)
    submission, matching = _read_again(report, version)
    if only_clean:
        _check_clean(report, version, matching)
    questions = people_to_decide(report, submission, matching)
    if seen is not None and seen != acceptance_digest(report, version, matching, questions):
        raise DomainError("findings_changed.acceptance", [*filter(needs_decision, matching.findings)])
    errors = blocking_errors(matching.findings)
    if errors or submission.details is None:
        raise has_errors(errors)
    to_admit = [] if correction_of else admission_findings(report, matching.findings)
    is_admitted = _is_admitted(to_admit, submission.details, admitted_reason, by)
    different_because = different_because.strip()
    different = _decide_look_alikes(
        report, version, matching, correction_of=correction_of, because=different_because, by=by
    )
    tournament = _result_set(report, submission.details, submission.read, correction_of)

    known = match_players_created_before(report, submission, matching.players, newcomers_are_others)
    known, second_lines, decided = decide_same_people(submission, known, matching, same_person)
    check_merged_players(known)
    register = register_of_new_players(submission.register)
    players = number_players(report, submission, known, register)
    players |= {second: players[first] for second, first in second_lines.items()}
    refuse_changed_submission(tournament, submission.read)
    # Results outlive a merge: those of a merged record stay its own.
    write_players(tournament, {**players, **matching.merged})
    ReportStep.objects.create(version=version, move=ReportStep.Move.ACCEPT, by=by.user)
    report.state, report.accepted_version = after, version
    report.admitted_reason = admitted_reason if is_admitted else ""
    report.save()
    newcomers = [players[number].number_in(register) for number, player in known.items() if player is None]
    decisions = (
        ({"corrects": report.corrects_id} if report.corrects_id else {})
        | ({"different_from": different, "different_because": different_because} if different else {})
        | decided
    )
    entry = _record_acceptance(
        report, by, before=before, tournament=tournament, newcomers=newcomers, decisions=decisions
    )
    notify_accepted(report, entry)
    return report


def _record_acceptance(
    report: Report,
    by: Actor,
    *,
    before: ReportState,
    tournament: ResultSet,
    newcomers: Sequence[int | None],
    decisions: Mapping[str, Any],
) -> LogEntry:
    assert report.accepted_version is not None  # noqa: S101 (just set)
    return record(
        by=by,
        action="report.accept",
        subject=f"report {report.pk}",
        before={"state": before},
        after={
            "state": report.state,
            "tournament": tournament.code,
            "version": report.accepted_version.number,
            "newcomers": newcomers,
        }
        | ({"part": tournament.part} if tournament.part > 1 else {})
        | dict(decisions),
        reason=report.admitted_reason,
    )


def _read_again(report: Report, version: ReportVersion) -> tuple[Submission, Matching]:
    """A submitted version as read on the day of the first submission, matched with register and reports of now."""
    assert report.first_submitted_at is not None  # noqa: S101 (the database ensures it for submitted reports)
    submission = read_submission(
        read=unpack_reading(bytes(version.reading)).read,
        sidecar=read_sidecar(bytes(version.sidecar)),
        today=timezone.localdate(report.first_submitted_at),
    )
    return submission, match_report(submission, report, match_version(version, submission, store=False))


def _is_admitted(to_admit: Sequence[Finding], details: TournamentDetails, reason: str, by: Actor) -> bool:
    """Whether the report is admitted with this reason, by a person who may.

    Raises DomainError `needs_admission`, `forbidden`.
    """
    if to_admit and not reason.strip():
        raise DomainError("needs_admission", to_admit)
    check_can_accept_details(by.user, details)
    is_admitted = bool(to_admit) or (details.admits_games and bool(reason.strip()))
    if is_admitted:
        check_can_admit(by.user)
    return is_admitted


def _result_set(
    report: Report, details: TournamentDetails, read: ReadReport, correction_of: str
) -> ResultSet:
    """The results that are accepted: as submitted, or stored again as a correction or as a later part."""
    result_set = report.submitted_result_set
    is_later_part = report.corrects_id is None and result_set.part > 1
    if correction_of or is_later_part:  # the part before may have another report since
        result_set = report.result_set = save_result_set(report, details, read)
    if is_later_part:
        _require_part_before(result_set)
    return result_set


def _require_part_before(result_set: ResultSet) -> None:
    """Parts are accepted in the order of their numbers. Locks the tournament, so that none is undone meanwhile."""
    _lock_tournament(result_set.code)
    before = result_set.part - 1
    if accepted_tournament(result_set.code, before) is None:
        raise DomainError("part_not_accepted", part=before, tournament=result_set.name)


def people_to_decide(report: Report, submission: Submission, matching: Matching) -> list[PersonQuestion]:
    """The two of each name, birth and country of whom the office says if they are one person (R24a). 2 to 4 queries."""
    players = match_players_created_before(report, submission, matching.players, newcomers_are_others=True)
    return same_person_questions(submission, players, matching.candidates)


def acceptance_digest(
    report: Report, version: ReportVersion, matching: Matching, questions: Iterable[PersonQuestion]
) -> str:
    """A digest of what the office's page shows for an acceptance: findings, same files, people to decide (R24a).

    2 queries.
    """
    others = same_files([(report, version.sha256)]).get(report.pk, ())
    shown = [
        version.number,
        [finding.to_stored() for finding in matching.findings],
        sorted(other.pk for other in others),
        sorted(question.key for question in questions),
        sorted(accepted_duplicates(matching)),
    ]
    return sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:16]


def _check_clean(report: Report, version: ReportVersion, matching: Matching) -> None:
    """Raise DomainError `not_clean` where there is something to decide. 2 queries."""
    same_file = same_files([(report, version.sha256)])
    submitted = [Finding.from_json(stored) for stored in version.findings]
    decided = is_clean(report, submitted, version.comments.count())
    if same_file or not decided or any(map(needs_decision, matching.findings)):
        raise DomainError("not_clean")


def accepted_duplicates(matching: Matching) -> dict[str, ResultSet]:
    """The accepted tournaments that a report looks like, by code, as first accepted. 0 queries or 1."""
    codes = {tournament.code for tournament in matching.look_alikes}
    if not codes:
        return {}
    accepted = ResultSet.objects.filter(
        tournament__code__in=codes, revision=0, reports__state=ReportState.ACCEPTED
    )
    return {tournament.code: tournament for tournament in accepted.order_by("played_to", "number", "-part")}


def _decide_look_alikes(
    report: Report, version: ReportVersion, matching: Matching, *, correction_of: str, because: str, by: Actor
) -> list[str]:
    """Save the decision on each accepted tournament that the report looks like, and the corrected tournament.

    Returns the codes of the tournaments from which it differs.
    """
    duplicates = accepted_duplicates(matching)
    if correction_of and correction_of not in duplicates:
        raise DomainError("not_a_duplicate", tournament=str(correction_of))
    if correction_of:
        _lock_tournament(correction_of)
        report.corrects = accepted_tournament(correction_of, report.submitted_result_set.part)
        if report.corrects is None:
            raise DomainError("not_alike.undone", tournament=str(correction_of))
    different = sorted(duplicates.keys() - {correction_of})
    if different and not because:
        raise DomainError(
            "possible_duplicate",
            [finding for finding in matching.findings if finding.code == "looks-reported"],
        )
    LookAlikeDecision.objects.bulk_create(
        LookAlikeDecision(
            version=version,
            tournament_id=code,
            is_correction=code == correction_of,
            reason="" if code == correction_of else because,
            by=by.user,
        )
        for code in duplicates
    )
    return different


@transaction.atomic
def return_report(
    *, report: Report, remarks: Sequence[Remark], by: Actor, looked_at: int | None = None
) -> Report:
    """Return a submitted report to the referee with remarks on its newest version.

    Raises DomainError `remarks_missing`, `remark_invalid`, `too_much_text`, `wrong_state`, `version_changed`,
    `own_report`, `forbidden`.
    """
    report, before, after = _locked_for_move(report, ReportMove.RETURN, by, looked_at)
    if not remarks or not all(remark.text.strip() for remark in remarks):
        raise DomainError("remarks_missing")
    saved = _save_remarks(_newest(report), remarks, by)
    report.state = after
    report.save(update_fields=["state"])
    entry = record(
        by=by,
        action="report.return",
        subject=f"report {report.pk}",
        before={"state": before},
        after={"state": after, "version": saved[0].version.number, "remarks": len(saved)},
    )
    notify_returned(report, saved, entry)
    return report


@transaction.atomic
def reject_report(*, report: Report, reason: str, by: Actor, looked_at: int | None = None) -> Report:
    """Reject a submitted report finally; the reason is also a remark on its newest version.

    Raises DomainError `reason_missing`, `too_much_text`, `wrong_state`, `version_changed`, `own_report`, `forbidden`.
    """
    report, before, after = _locked_for_move(report, ReportMove.REJECT, by, looked_at)
    if not reason.strip():
        raise DomainError("reason_missing")
    (saved,) = _save_remarks(_newest(report), [Remark(reason)], by)
    report.state = after
    report.save(update_fields=["state"])
    entry = record(
        by=by,
        action="report.reject",
        subject=f"report {report.pk}",
        before={"state": before},
        after={"state": after, "version": saved.version.number},
        reason=saved.text,
    )
    notify_rejected(report, saved.text, entry)
    return report


@transaction.atomic
def undo_acceptance(*, report: Report, reason: str, by: Actor, looked_at: int | None = None) -> Report:
    """Undo an acceptance that no list counts: its entries have no players; the report waits for a decision again.

    New players keep their numbers (docs/decisions/0011-taking-back.md). Raises DomainError `reason_missing`,
    `already_counted`, `corrected` (a corrected report is accepted), `part_accepted` (the next part), `wrong_state`,
    `version_changed`, `own_report`, `busy`, `forbidden`.
    """
    report, before, after = _locked_for_move(report, ReportMove.UNDO_ACCEPTANCE, by, looked_at)
    if not reason.strip():
        raise DomainError("reason_missing")
    version, tournament = report.accepted_version, report.submitted_result_set
    assert version is not None  # noqa: S101 (the database ensures it for every accepted report)
    _lock_tournament(tournament.code)
    accepted = Report.objects.filter(
        corrects__code=tournament.code, result_set__part=tournament.part, state=ReportState.ACCEPTED
    )
    if report.corrects_id is None and accepted.exists():
        raise DomainError("corrected")
    if report.corrects_id is None and accepted_tournament(tournament.code, tournament.part + 1):
        raise DomainError("part_accepted", part=tournament.part + 1)
    admitted_reason, report.admitted_reason = report.admitted_reason, ""
    report.accepted_version = None
    report.state = after
    try:
        report.save(update_fields=["state", "accepted_version", "admitted_reason"])
    except IntegrityError as error:
        # Lists belong to the app above; the database knows what they count (refuse_counted_change), and refuses other
        # acts by the same code.
        if isinstance(error.__cause__, RestrictViolation) and "that a list counts" in str(error):
            raise DomainError("already_counted") from error
        raise
    tournament.entries.update(player=None)
    entry = record(
        by=by,
        action="report.undo_acceptance",
        subject=f"report {report.pk}",
        before={"state": before, "version": version.number, "admitted_reason": admitted_reason},
        after={"state": after, "tournament": tournament.code}
        | ({"part": tournament.part} if tournament.part > 1 else {}),
        reason=reason,
    )
    notify_acceptance_undone(report, reason, entry)
    return report


def _locked_for_move(
    report: Report, made: ReportMove, by: Actor, looked_at: int | None
) -> tuple[Report, ReportState, ReportState]:
    """The report, locked until the transaction ends, with its state and the state after the move."""
    share_closing_lock()
    report = Report.objects.select_for_update().get(pk=report.pk)
    check_can_review(by.user, report)
    if looked_at is not None and looked_at != _newest(report).number:
        raise DomainError("version_changed")
    before = ReportState(report.state)
    return report, before, move(LIFECYCLE, before, made, DomainError("wrong_state.report"))


def _newest(report: Report) -> ReportVersion:
    return report.versions.order_by("-number")[0]


def _save_remarks(version: ReportVersion, remarks: Sequence[Remark], by: Actor) -> list[ReviewRemark]:
    for remark in remarks:
        line_fits = remark.line is None or (remark.line > 0 and not remark.field)
        if not line_fits or (remark.field and remark.field not in known_details()):
            raise DomainError("remark_invalid")
    written = ReviewRemark.objects.filter(version__report=version.report_id)
    refuse_too_much_text("remarks", written, (remark.text.strip() for remark in remarks), by)
    return ReviewRemark.objects.bulk_create(
        ReviewRemark(
            version=version, line=remark.line, field=remark.field, text=remark.text.strip(), by=by.user
        )
        for remark in remarks
    )


def _lock_tournament(code: str | None) -> None:
    """Lock until the transaction ends: no acceptance is undone while a corrected report is being accepted."""
    if code is not None:
        Tournament.objects.select_for_update(no_key=True).get(code=code)
