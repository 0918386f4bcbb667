"""The office accepts, returns or rejects a report, and undoes an acceptance until a list counts it (R23, R24).

Accepting says who of the register each entry of the result set is; undoing the acceptance takes that back.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from types import MappingProxyType
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Q
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
    LookAlikeDecision,
    PersonalData,
    Player,
    PlayerMerge,
    Report,
    ReportStep,
    ReportVersion,
    ResultSet,
    ReviewRemark,
    Tournament,
)
from reporting.models.locks import share_closing_lock, take_accepting_lock, take_numbering_lock
from reporting.policies import check_can_accept, check_can_accept_details, check_can_admit, check_can_review
from reporting.refusals.domain_error import DomainError
from reporting.register.services.import_register import ensure_federations
from reporting.register.services.numbers import give_number, last_number
from reporting.reports.reading.clean_reports import admission_findings, is_clean, needs_decision
from reporting.reports.reading.match_players import match_version
from reporting.reports.reading.newcomers import (
    PersonQuestion,
    rounds_of_both,
    same_person_questions,
)
from reporting.reports.reading.parse import Submission, read_submission
from reporting.reports.reading.read_file import unpack_reading
from reporting.reports.reading.review_findings import blocking_errors
from reporting.reports.reading.validate import Matching, accepted_tournament, match_report
from reporting.reports.reading.version_changes import refuse_changed_submission
from reporting.reports.selectors.reports import same_files
from reporting.reports.services.submit import has_errors, save_result_set
from reporting.reports.services.write_note import refuse_too_much_text
from reporting.rules.details.known_details import known_details
from reporting.rules.findings.finding_list import Finding
from reporting.rules.lifecycle import LIFECYCLE, ReportMove, ReportState, move
from reporting.rules.names.normalize_name import sort_name
from reporting.rules.register.registers import OFFICE, Register, register_of_new_players
from reporting.rules.report import ReportedPlayer


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
    tournament = report.submitted_result_set
    assert report.first_submitted_at is not None  # noqa: S101 (the database ensures it for submitted reports)
    version = _newest(report)
    submission = read_submission(
        read=unpack_reading(bytes(version.reading)).read,
        sidecar=read_sidecar(bytes(version.sidecar)),
        today=timezone.localdate(report.first_submitted_at),
    )
    matching = match_report(submission, report, match_version(version, submission, store=False))
    if only_clean:
        _check_clean(report, version, matching)
    questions = people_to_decide(report, submission, matching)
    if seen is not None and seen != acceptance_digest(report, version, matching, questions):
        raise DomainError("findings_changed.acceptance", [*filter(needs_decision, matching.findings)])
    errors = blocking_errors(matching.findings)
    if errors or submission.details is None:
        raise has_errors(errors)
    to_admit = [] if correction_of else admission_findings(report, matching.findings)
    if to_admit and not admitted_reason.strip():
        raise DomainError("needs_admission", to_admit)
    check_can_accept_details(by.user, submission.details)
    is_admitted = bool(to_admit) or (submission.details.admits_games and bool(admitted_reason.strip()))
    if is_admitted:
        check_can_admit(by.user)
    different_because = different_because.strip()
    different = _decide_look_alikes(
        report, version, matching, correction_of=correction_of, because=different_because, by=by
    )
    is_later_part = report.corrects_id is None and tournament.part > 1
    if correction_of or is_later_part:  # the part before may have another report since
        tournament = report.result_set = save_result_set(report, submission.details, submission.read)
    if is_later_part:
        _require_part_before(tournament)

    known = _match_players_created_before(report, submission, matching.players, newcomers_are_others)
    known, second_lines, decided = _decide_same_people(submission, known, matching, same_person)
    _check_merged_players(known)
    register = register_of_new_players(submission.register)
    players = _number_players(report, submission, known, register)
    players |= {second: players[first] for second, first in second_lines.items()}
    refuse_changed_submission(tournament, submission.read)
    # Results outlive a merge: those of a merged record stay its own.
    _write_players(tournament, {**players, **matching.merged})
    ReportStep.objects.create(version=version, move=ReportStep.Move.ACCEPT, by=by.user)
    report.state = after
    report.accepted_version = version
    report.admitted_reason = admitted_reason if is_admitted else ""
    report.save()
    entry = record(
        by=by,
        action="report.accept",
        subject=f"report {report.pk}",
        before={"state": before},
        after={
            "state": report.state,
            "tournament": tournament.code,
            "version": version.number,
            "newcomers": [
                players[number].number_in(register) for number, player in known.items() if player is None
            ],
        }
        | ({"part": tournament.part} if tournament.part > 1 else {})
        | ({"corrects": report.corrects_id} if report.corrects_id else {})
        | ({"different_from": different, "different_because": different_because} if different else {})
        | decided,
        reason=report.admitted_reason,
    )
    notify_accepted(report, entry)
    return report


def _require_part_before(result_set: ResultSet) -> None:
    """Parts are accepted in the order of their numbers. Locks the tournament, so that none is undone meanwhile."""
    _lock_tournament(result_set.code)
    before = result_set.part - 1
    if accepted_tournament(result_set.code, before) is None:
        raise DomainError("part_not_accepted", part=before, tournament=result_set.name)


def people_to_decide(report: Report, submission: Submission, matching: Matching) -> list[PersonQuestion]:
    """The two of each name, birth and country of whom the office says if they are one person (R24a). 2 to 4 queries."""
    players = _match_players_created_before(report, submission, matching.players, newcomers_are_others=True)
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


def _decide_same_people(
    submission: Submission,
    players: Mapping[int, Player | None],
    matching: Matching,
    same_person: Mapping[str, bool],
) -> tuple[dict[int, Player | None], dict[int, int], dict[str, Any]]:
    """The players as the office decided who is one person, second lines of one person → first lines, and the log.

    Second lines have no player of their own. Raises DomainError `people_undecided`, `people_contradict`, `people_meet`.
    """
    questions = same_person_questions(submission, players, matching.candidates)
    if any(question.key not in same_person for question in questions):
        raise DomainError("people_undecided", [*filter(needs_decision, matching.findings)])
    known = dict(players)
    second_lines: dict[int, int] = {}
    for question in questions:
        number = question.reported.number
        if same_person[question.key] and question.player is not None:
            known[number] = question.player
        elif same_person[question.key] and question.other is not None:
            second_lines[question.other.number] = second_lines.get(number, number)
    for second, first in second_lines.items():
        if known[first] is None:
            known[first] = known[second]
        del known[second]
    people = _people(submission, known, second_lines)
    for question in questions:
        second = (
            question.player.pk if question.player else people[question.other.number] if question.other else 0
        )
        if (people[question.reported.number] == second) is not same_person[question.key]:
            raise DomainError(
                "people_contradict", number=question.reported.number, name=question.reported.name
            )
    _check_rounds(submission, people)
    decided = {
        "one_person" if one else "two_people": keys
        for one in (True, False)
        if (keys := sorted(question.key for question in questions if same_person[question.key] is one))
    }
    return known, second_lines, decided


def _people(
    submission: Submission, players: Mapping[int, Player | None], second_lines: Mapping[int, int]
) -> dict[int, int]:
    """Number of the report → key of its player; below 0 of a new one, equal for lines of one person."""
    firsts = {line.number: second_lines.get(line.number, line.number) for line in submission.read.players}
    return {
        number: -first if (player := players[first]) is None else player.pk
        for number, first in firsts.items()
    }


def _check_rounds(submission: Submission, people: Mapping[int, int]) -> None:
    """Refuse lines of one person that both play in a round (R20, R24a)."""
    lines: defaultdict[int, list[int]] = defaultdict(list)
    for number, person in people.items():
        lines[person].append(number)
    for numbers in lines.values():
        for first, second in combinations(numbers, 2):
            if rounds := rounds_of_both(submission, first, second):
                raise DomainError(
                    "people_meet", first=first, second=second, rounds=", ".join(map(str, rounds))
                )


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


def _match_players_created_before(
    report: Report, submission: Submission, players: Mapping[int, Player | None], newcomers_are_others: bool
) -> dict[int, Player | None]:
    """The players; those without a number are matched with players that an earlier acceptance of the report created.

    For a corrected report or a later part these are also the players that came with earlier reports of the tournament.
    They match by name, federation, sex and year of birth, and people with equal values in the order of their numbers.
    Where acceptances give no numbers, one name without a number is one player in all reports of a tournament (U22).
    Nothing else is guessed.
    """
    known = dict(players)
    named = {player.pk for player in known.values() if player is not None}
    created: defaultdict[tuple[str, str, str, int | None], list[Player]] = defaultdict(list)
    created_by = Q(entered_by_report=report)
    if report.corrects_id is not None or report.submitted_result_set.part > 1:
        code = report.corrects_id or report.submitted_result_set.code
        created_by |= Q(entered_by_report__result_set__tournament__code=code)
    created_before = Player.objects.filter(created_by).exclude(pk__in=named)
    register = register_of_new_players(submission.register)
    for player in created_before.order_by(f"numbers__{register.code}", "pk"):
        created[_identity(player)].append(player)
    strangers = []
    for reported in sorted(submission.read.players, key=lambda reported: reported.number):
        if known[reported.number] is not None:
            continue
        if matches := created[_identity(_newcomer(reported))]:
            known[reported.number] = matches.pop(0)
        else:
            strangers.append(reported)
    unmatched = [player for matches in created.values() for player in matches]
    if strangers and unmatched and not newcomers_are_others:
        raise DomainError(
            "newcomers_unclear",
            players=", ".join(f"{player.number} {player.printed_name}" for player in unmatched),
            strangers=", ".join(f"{reported.number} {reported.name}" for reported in strangers),
        )
    return known


def _check_merged_players(players: Mapping[int, Player | None]) -> None:
    """Refuse two records of one person: a player created by an earlier acceptance may be merged since."""
    present = {player.pk for player in players.values() if player is not None}
    merges = PlayerMerge.objects.filter(duplicate__in=present, undone_at=None).select_related(
        "duplicate", "surviving"
    )
    for merge in merges:
        if merge.surviving_id in present or any(
            other.surviving_id == merge.surviving_id and other.pk != merge.pk for other in merges
        ):
            raise DomainError(
                "same_person_twice",
                player=f"{merge.duplicate.number} {merge.duplicate.printed_name}",
                into=f"{merge.surviving.number} {merge.surviving.printed_name}",
            )


def _identity(player: Player) -> tuple[str, str, str, int | None]:
    return player.sort_name, player.federation_id, player.sex, player.birth_year


def _lock_tournament(code: str | None) -> None:
    """Lock until the transaction ends: no acceptance is undone while a corrected report is being accepted."""
    if code is not None:
        Tournament.objects.select_for_update(no_key=True).get(code=code)


def _number_players(
    report: Report, submission: Submission, players: Mapping[int, Player | None], register: Register
) -> dict[int, Player]:
    """Every player of the report: new ones get the next numbers of this register, in the order of the report's numbers.

    So do players who have only numbers in other registers, unless it is that of the office, where they need none.
    """
    known = {number: player for number, player in players.items() if player is not None}
    unnumbered = [
        reported
        for reported in sorted(submission.read.players, key=lambda reported: reported.number)
        if reported.number in players
        and (
            reported.number not in known
            or (register != OFFICE and known[reported.number].number_in(register) is None)
        )
    ]
    if not unnumbered:
        return known
    take_numbering_lock()
    last = last_number(register)
    if register.largest is not None and last + len(unnumbered) > register.largest:
        raise DomainError("no_numbers_left", label=register.number_label, largest=register.largest)
    newcomers = [reported for reported in unnumbered if reported.number not in known]
    ensure_federations(reported.federation_code for reported in newcomers)
    created: list[tuple[int, Player]] = []
    for given, reported in enumerate(unnumbered, start=last + 1):
        player = known.setdefault(reported.number, _newcomer(reported))
        if player.pk:
            give_number(player, register, given)
        else:
            player.entered_by_report = report
            created.append((given, player))
    Player.objects.create_with_numbers(register, created)
    PersonalData.objects.bulk_create(
        PersonalData(player=known[reported.number], born=reported.born)
        for reported in newcomers
        if reported.born
    )
    return known


def _newcomer(reported: ReportedPlayer) -> Player:
    """A new record; a name that is not split is kept as printed, for a register that takes it so."""
    last_name = reported.last_name or reported.name
    return Player(
        last_name=last_name,
        first_name=reported.first_name,
        sort_name=sort_name(last_name, reported.first_name),
        federation_id=reported.federation_code,
        sex=reported.sex,
        birth_year=reported.born_year,
    )


def _write_players(result_set: ResultSet, players: Mapping[int, Player]) -> None:
    """Say who of the register the entries of a result set are, by their numbers. 1 query."""
    with connection.cursor() as cursor:  # `bulk_update` has a condition for each entry: ten times as long
        cursor.execute(
            "UPDATE reporting_entry SET player_id = given.player"
            " FROM unnest(%s::int[], %s::bigint[]) AS given (number, player)"
            " WHERE result_set_id = %s AND reporting_entry.number = given.number",
            [[*players], [player.pk for player in players.values()], result_set.pk],
        )
