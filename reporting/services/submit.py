"""The referee answers the warnings and hands in; from then on the tournament has its name and number."""

import re
from collections.abc import Mapping

from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.utils import timezone

from reporting.errors import DomainError
from reporting.locks import share_closing_lock, take_numbering_lock
from reporting.models import Report, Tournament, WarningAnswer
from reporting.policies import may_submit
from reporting.rules.countries import country_code
from reporting.rules.facts import TournamentFacts
from reporting.rules.findings import Severity
from reporting.rules.folding import folded
from reporting.rules.lifecycle import ReportMove, ReportState, state_after
from reporting.services.audit import Actor, record
from reporting.services.import_register import ensure_federations
from reporting.services.notify import tell_if_late
from reporting.services.parse import read_submission
from reporting.services.validate import match_players


@transaction.atomic
def submit_report(*, report: Report, answers: Mapping[int, str], by: Actor) -> Report:
    """Hand a draft in.

    `answers` gives a word to each warning, by its index in the newest version's findings. Raises DomainError
    `wrong_state`, `has_errors` or `warnings_unanswered` (each with the findings), `forbidden`.
    """
    share_closing_lock()
    report = Report.objects.select_for_update().get(pk=report.pk)
    may_submit(by.user, report)
    before = ReportState(report.state)
    after = state_after(before, ReportMove.SUBMIT)
    if after is None:
        raise DomainError("wrong_state", f"This report is {before}; it can't be handed in.")
    version = report.versions.order_by("-number")[0]
    submission = read_submission(
        content=bytes(version.content), sidecar=bytes(version.sidecar), today=timezone.localdate()
    )
    matching = match_players(submission)
    errors = [finding for finding in matching.findings if finding.severity is Severity.ERROR]
    if errors or submission.facts is None:
        raise DomainError("has_errors", f"{len(errors)} errors stand in the way of handing in.", errors)
    warnings = {
        index: finding
        for index, finding in enumerate(matching.findings)
        if finding.severity is Severity.WARNING
    }
    unanswered = [finding for index, finding in warnings.items() if not answers.get(index, "").strip()]
    if unanswered:
        raise DomainError(
            "warnings_unanswered", f"{len(unanswered)} warnings have no answer yet.", unanswered
        )
    WarningAnswer.objects.bulk_create(
        WarningAnswer(version=version, finding=index, text=answers[index], by=by.user) for index in warnings
    )
    report.tournament = _make_tournament(submission.facts)
    report.state = after
    report.first_submitted_at = Now()
    report.save()
    report.refresh_from_db()
    record(
        by=by,
        action="report.submit",
        subject=f"report {report.pk}",
        before={"state": before},
        after={
            "state": report.state,
            "tournament": report.tournament.code,
            "warnings_answered": len(warnings),
        },
    )
    tell_if_late(report)
    return report


def _make_tournament(facts: TournamentFacts) -> Tournament:
    # check_report makes an error of each of these that is missing.
    assert facts.played_from is not None  # noqa: S101
    assert facts.played_to is not None  # noqa: S101
    assert facts.seconds_for_60_moves is not None  # noqa: S101
    take_numbering_lock()
    country = country_code(facts.country)
    ensure_federations([country])
    last = Tournament.objects.aggregate(last=Max("number"))["last"] or 0
    return Tournament.objects.create(
        code=_free_code(facts.name, facts.played_to.year),
        name=facts.name,
        place=facts.place,
        country_id=country or None,
        played_from=facts.played_from,
        played_to=facts.played_to,
        number=last + 1 if facts.number is None else facts.number,
        discipline=facts.discipline,
        time_control=facts.time_control,
        seconds_for_60_moves=facts.seconds_for_60_moves,
        system=facts.system or Tournament.System.OTHER,
        official=facts.official,
        national_championship=facts.national_championship or Tournament.NationalChampionship.NO,
        women_only=bool(facts.women_only),
        youth=facts.youth,
        veterans=facts.veterans,
        competition=facts.competition,
        council_approved=facts.council_approved,
        rating_service_paid=facts.rating_service_paid,
        world_cup_stars=facts.world_cup_stars,
        announced=facts.announced,
        referee=facts.referee,
        referee_level=facts.referee_level or "",
        standings=list(facts.standings),
        unplayed=facts.unplayed,
    )


def _free_code(name: str, year_played: int) -> str:
    """Year and name as one word, as `2026-ouagadougou-open`; a second one of that name gets `-2` (U12)."""
    year = str(year_played)
    words = [word for word in folded(name).split() if word != year]
    stem = re.sub(r"[^a-z0-9-]", "", "-".join([year, *words]))[:76].rstrip("-")
    code, turn = stem, 1
    while Tournament.objects.filter(code=code).exists():
        turn += 1
        code = f"{stem}-{turn}"
    return code
