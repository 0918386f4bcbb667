"""The office accepts, returns or rejects. Accepting writes the tournament's entries and games, once (R23, R24)."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from reporting.errors import DomainError
from reporting.formats.values import PAUSE, ReportedPlayer
from reporting.locks import share_closing_lock, take_numbering_lock
from reporting.models import Entry, Game, PersonalData, Player, Report, Round, Tournament
from reporting.policies import may_accept, may_admit
from reporting.rules.facts import TournamentFacts
from reporting.rules.findings import Severity
from reporting.rules.folding import sort_name
from reporting.rules.lifecycle import ReportMove, ReportState, state_after
from reporting.services.audit import Actor, record
from reporting.services.import_register import LARGEST_FMJD_ID, ensure_federations
from reporting.services.notify import tell_accepted
from reporting.services.parse import Submission, read_submission
from reporting.services.validate import match_players

# What keeps a report from being calculated unless the rating officer admits it with a reason (R11).
ASKS_ADMISSION = ("late-report", "not-announced", "round-missing", "service-not-paid")
# Whether a report is late hangs on the day of its first hand-in; these two on the day of its last, and were asked then.
ASKED_AT_HAND_IN = ("end-in-future", "received-in-future")


@transaction.atomic
def accept_report(*, report: Report, by: Actor, admitted_reason: str = "") -> Report:
    """Accept a submitted report: newcomers get their FMJD-ID, entries, rounds and games are written.

    A late or unannounced report needs `admitted_reason`, a rating officer's (R11). Raises DomainError
    `wrong_state`, `own_report`, `needs_admission` or `has_errors` (with the findings), `forbidden`.
    """
    share_closing_lock()
    report = Report.objects.select_for_update().get(pk=report.pk)
    may_accept(by.user, report)
    before = ReportState(report.state)
    after = state_after(before, ReportMove.ACCEPT)
    if after is None:
        raise DomainError("wrong_state", f"This report is {before}; it can't be accepted.")
    tournament = report.tournament
    assert tournament is not None  # noqa: S101 (the database holds it of every submitted report)
    assert report.first_submitted_at is not None  # noqa: S101 (the same)
    version = report.versions.order_by("-number")[0]
    submission = read_submission(
        content=bytes(version.content),
        sidecar=bytes(version.sidecar),
        today=timezone.localdate(report.first_submitted_at),
    )
    matching = match_players(submission, report)
    errors = [
        finding
        for finding in matching.findings
        if finding.severity is Severity.ERROR and finding.code not in ASKED_AT_HAND_IN
    ]
    if errors or submission.facts is None:
        raise DomainError("has_errors", f"{len(errors)} errors stand against this report.", errors)
    barred = [finding for finding in matching.findings if finding.code in ASKS_ADMISSION]
    if barred and not admitted_reason.strip():
        raise DomainError(
            "needs_admission", "This report is calculated only if it is admitted with a reason.", barred
        )
    if barred:
        may_admit(by.user)

    players = _with_newcomers(submission, matching.players)
    _write_results(tournament, submission, submission.facts, players)
    report.state = after
    report.accepted_version = version
    report.admitted_reason = admitted_reason if barred else ""
    report.save()
    record(
        by=by,
        action="report.accept",
        subject=f"report {report.pk}",
        before={"state": before},
        after={
            "state": report.state,
            "tournament": tournament.code,
            "version": version.number,
            "newcomers": [
                players[number].fmjd_id for number, known in matching.players.items() if known is None
            ],
        },
        reason=report.admitted_reason,
    )
    tell_accepted(report)
    return report


def _with_newcomers(submission: Submission, players: Mapping[int, Player | None]) -> dict[int, Player]:
    """Every player of the report; those not in the register are entered there, in order of their numbers."""
    newcomers = sorted(
        (reported for reported in submission.read.players if players[reported.number] is None),
        key=lambda reported: reported.number,
    )
    if newcomers:
        take_numbering_lock()
    largest = Player.objects.aggregate(largest=Max("fmjd_id"))["largest"] or 0
    ensure_federations(reported.federation_code for reported in newcomers)
    if largest + len(newcomers) > LARGEST_FMJD_ID:
        raise DomainError("no_fmjd_ids_left", f"The FMJD-IDs end at {LARGEST_FMJD_ID} (Annex 9 art. 11).")
    created = Player.objects.bulk_create(
        _newcomer(reported, largest + turn) for turn, reported in enumerate(newcomers, start=1)
    )
    PersonalData.objects.bulk_create(
        PersonalData(player=player, born=reported.born)
        for player, reported in zip(created, newcomers, strict=True)
        if reported.born
    )
    known = {number: player for number, player in players.items() if player is not None}
    return known | {reported.number: player for player, reported in zip(created, newcomers, strict=True)}


def _newcomer(reported: ReportedPlayer, fmjd_id: int) -> Player:
    return Player(
        fmjd_id=fmjd_id,
        last_name=reported.last_name,
        first_name=reported.first_name,
        sort_name=sort_name(reported.last_name, reported.first_name),
        federation_id=reported.federation_code,
        sex=reported.sex,
        birth_year=reported.born_year,
    )


def _write_results(
    tournament: Tournament, submission: Submission, facts: TournamentFacts, players: Mapping[int, Player]
) -> None:
    read = submission.read
    dates = dict(enumerate(facts.rounds, start=1))
    Round.objects.bulk_create(
        Round(tournament=tournament, number=number, played_on=dates.get(number))
        for number in range(1, read.rounds + 1)
    )
    entries = Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            player=players[reported.number],
            number=reported.number,
            place=reported.place or None,
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
    Game.objects.bulk_create(
        (
            Game(
                tournament=tournament,
                round=game.round,
                white=by_number[game.white],
                black=by_number[game.black],
                white_points=game.white_points,
                black_points=game.black_points,
                played=game.played,
            )
            for game in read.games
        ),
        batch_size=5000,
    )
