"""The questions that a draft asks its officer: large jumps, 2351 with few games, and reports.

Reports are asked about that are late or left out, that correct another, or that look like another.
"""

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.db.models import Count
from django.utils import timezone

from ratings.models import Anomaly, AnomalyAnswer, RatingList
from ratings.office.selectors.periods import reports_not_counted
from ratings.rules.fmjd.anomalies import few_games, jumps
from ratings.rules.fmjd.columns import ChangeColumns, ListColumns
from ratings.rules.fmjd.parameters import Parameters
from reporting.models import LogEntry, LookAlikeDecision, Report
from reporting.reports.services.review import ADMISSION_CODES


def find_anomalies(
    rating_list: RatingList, parameters: Parameters, changes: ChangeColumns, rows: ListColumns
) -> None:
    """Write the questions of a draft just calculated, in its transaction. 9 queries, whatever the number of players.

    What an earlier revision of the list asked in the same words was answered then and is not asked again. Answers
    to the same question on a draft that this one supersedes come over with their author and time.
    """
    published = Anomaly.objects.filter(
        list__period=rating_list.period, list__state=RatingList.State.PUBLISHED
    )
    answered = {_question(anomaly) for anomaly in published}
    found = [
        *player_anomalies(rating_list, parameters, changes, rows),
        *_late(rating_list),
        *_corrected(rating_list),
        *_alike(rating_list),
        *(_left_out(rating_list) if rating_list.correction is None else ()),
    ]
    asked = Anomaly.objects.bulk_create(anomaly for anomaly in found if _question(anomaly) not in answered)
    _keep_answers(rating_list, asked)


def player_anomalies(
    rating_list: RatingList, parameters: Parameters, changes: ChangeColumns, rows: ListColumns
) -> Iterator[Anomaly]:
    """What a list asks about players, from its columns alone: large jumps, then 2351 with few games."""
    jumped, few = jumps(parameters, changes, rows), few_games(parameters, rows)
    for player, before, after, games, tournaments in zip(
        jumped.player.tolist(), jumped.before.tolist(), jumped.after.tolist(), jumped.games.tolist(),
        jumped.tournaments.tolist(), strict=True,
    ):  # fmt: skip
        figures = {"before": before, "after": after, "games": games, "tournaments": tournaments}
        yield Anomaly(list=rating_list, kind=Anomaly.Kind.JUMP, player_id=player, data=figures)
    for player, rating, games in zip(
        few.player.tolist(), few.rating.tolist(), few.games_3_years.tolist(), strict=True
    ):
        figures = {"rating": rating, "games_3_years": games, "asked": parameters.active_games}
        yield Anomaly(list=rating_list, kind=Anomaly.Kind.FEW_GAMES, player_id=player, data=figures)


def _late(rating_list: RatingList) -> Iterator[Anomaly]:
    """Reports that the list counts only because they were admitted (R11). `findings` are what asked for it.

    Not those that correct another: they are asked about as such, with the same reason.
    """
    admitted = (
        Report.objects.filter(
            accepted_version__manifest_lines__period=rating_list.period,
            accepted_version__manifest_lines__correction=rating_list.correction,
        )
        .exclude(admitted_reason="")
        .filter(corrects=None)  # of one that corrects another its own question says why it was admitted
        .select_related("tournament", "accepted_version")
        .defer("accepted_version__content", "accepted_version__reading", "accepted_version__sidecar")
        .annotate(players=Count("tournament__entries"))
        .order_by("pk")
    )
    for report in admitted:
        assert report.accepted_version is not None  # noqa: S101 (the filter asks for it)
        receipt = _receipt(report)
        codes = {finding["code"] for finding in report.accepted_version.findings} & set(ADMISSION_CODES)
        # What the version says of the delay was true on the day of its own hand-in; the first one decides.
        codes -= {"late-report"}
        codes |= {"late-report"} if receipt["received"] > receipt["due"] else set()
        figures = receipt | {
            "findings": sorted(codes),
            "admitted_reason": report.admitted_reason,
            "players": report.players,
        }
        yield Anomaly(list=rating_list, kind=Anomaly.Kind.LATE, report=report, data=figures)


def _corrected(rating_list: RatingList) -> Iterator[Anomaly]:
    """Reports that the list counts in the place of those they correct: who accepted them, and why if late."""
    reports = list(
        Report.objects.filter(
            accepted_version__manifest_lines__period=rating_list.period,
            accepted_version__manifest_lines__correction=rating_list.correction,
            corrects__isnull=False,
        )
        .select_related("corrects")
        .order_by("pk")
    )
    accepted = LogEntry.objects.filter(
        action="report.accept", subject__in=[f"report {report.pk}" for report in reports]
    )
    acts = {act.subject: act for act in accepted.select_related("actor").order_by("pk")}
    for report in reports:
        assert report.corrects is not None  # noqa: S101 (the filter asks for it)
        act = acts[f"report {report.pk}"]
        figures = {
            "corrects": report.corrects.code,
            "name": report.corrects.name,
            "by": act.actor.name,
            "accepted": timezone.localdate(act.at).isoformat(),
            "reason": report.admitted_reason,
        }
        yield Anomaly(list=rating_list, kind=Anomaly.Kind.CORRECTED, report=report, data=figures)


def _alike(rating_list: RatingList) -> Iterator[Anomaly]:
    """Reports counted as different tournaments though they look like accepted ones: who decided so, and why (R21)."""
    decisions = (
        LookAlikeDecision.objects.filter(
            version__manifest_lines__period=rating_list.period,
            version__manifest_lines__correction=rating_list.correction,
        )
        .select_related("version__report", "tournament", "by")
        .defer(
            "version__content",
            "version__reading",
            "version__sidecar",
            "version__findings",
            "version__results",
        )
        .order_by("version__report", "tournament", "-pk")
        .distinct("version__report", "tournament")
    )
    for _, group in groupby(decisions, key=lambda each: each.version.report_id):
        different = [each for each in group if not each.is_correction]
        if different:
            figures = {
                "different_from": [
                    {"code": each.tournament.code, "name": each.tournament.name} for each in different
                ],
                "by": different[0].by.name,
                "decided": timezone.localdate(different[0].at).isoformat(),
                "reason": different[0].reason,
            }
            report = different[0].version.report
            yield Anomaly(list=rating_list, kind=Anomaly.Kind.LOOK_ALIKE, report=report, data=figures)


def _left_out(rating_list: RatingList) -> Iterator[Anomaly]:
    assert rating_list.period is not None  # noqa: S101 (the database holds it of every list but an opening one)
    for report in reports_not_counted(rating_list.period):
        figures = _receipt(report) | {"state": str(report.state)}
        yield Anomaly(list=rating_list, kind=Anomaly.Kind.EXCLUDED, report=report, data=figures)


def _receipt(report: Report) -> dict[str, Any]:
    """The day a report reached the office, the day it was due by, and how many days after the last round it came."""
    assert report.tournament is not None  # noqa: S101 (the database ensures it for submitted reports)
    received = report.received
    last_round = report.tournament.played_to
    return {
        "received": received.isoformat(),
        "due": report.due.isoformat(),
        "days": (received - last_round).days,
    }


def _keep_answers(rating_list: RatingList, asked: list[Anomaly]) -> None:
    anomalies = {_question(anomaly): anomaly for anomaly in asked}
    given = (
        AnomalyAnswer.objects.filter(
            anomaly__list__period=rating_list.period,
            anomaly__list__correction=rating_list.correction,
            anomaly__list__state=RatingList.State.SUPERSEDED,
        )
        .select_related("anomaly")
        .order_by("at", "pk")
    )
    # Drafts in a row each have a copy of an answer: it comes over once.
    kept = {
        (_question(answer.anomaly), answer.text, answer.by_id, answer.at): answer
        for answer in given
        if _question(answer.anomaly) in anomalies
    }
    AnomalyAnswer.objects.bulk_create(
        AnomalyAnswer(anomaly=anomalies[question], text=text, by_id=author, at=at)
        for question, text, author, at in kept
    )


def _question(anomaly: Anomaly) -> tuple[str, int | None, int | None, str]:
    """What makes two anomalies of different lists the same question: kind, subject, figures."""
    figures = json.dumps(anomaly.data, sort_keys=True)
    return (str(anomaly.kind), anomaly.player_id, anomaly.report_id, figures)
