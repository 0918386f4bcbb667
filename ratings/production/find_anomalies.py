"""The anomalies of a draft: what the rules of its system ask about, and reports.

The reports are those that are admitted or excluded, correct another one, or look like another one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from django.db import connection
from django.db.models import Count, OuterRef, Q
from django.utils import timezone

from ratings.federations.facet import Calculation
from ratings.models import Anomaly, AnomalyAnswer, RatingList
from ratings.queries.counted_results import reports_not_counted
from reporting.models import LogEntry, LookAlikeDecision, Report, ResultSet
from reporting.reports.reading.clean_reports import ADMISSION_CODES
from reporting.reports.reading.validate import needs_no_announcement

Identity = tuple[str, int | None, int | None, str]
"""What makes anomalies of two lists the same: kind, player, report, values as JSON."""


def find_anomalies(rating_list: RatingList, calculation: Calculation) -> None:
    """Write the anomalies of a calculated draft, in its transaction. 2 to 11 queries, whatever the number of players.

    The same anomaly of an earlier revision of the list was answered then and is not written again. Answers to the
    same anomaly of a draft that this one supersedes are copied with their author and time.
    """
    answered: set[Identity] = set()
    if rating_list.correction:  # the first list of a period has no earlier revision
        published = Anomaly.objects.filter(
            list__period=rating_list.period, list__state=RatingList.State.PUBLISHED
        )
        answered = {_identity(anomaly) for anomaly in published}
    there = _there(rating_list)
    flagged = _flagged(rating_list) if there.flagged else []
    late = [report for report in flagged if report.corrects_id is None]
    corrected = [report for report in flagged if report.corrects_id]
    found = [
        *_by_rules(calculation),
        *map(_identity, _late(rating_list, late)),
        *(map(_identity, _corrected(rating_list, corrected)) if corrected else ()),
        *(map(_identity, _look_alikes(rating_list)) if there.look_alikes else ()),
        *(map(_identity, _excluded(rating_list)) if there.not_counted and not rating_list.correction else ()),
    ]
    # A large period has a thousand: by COPY, which takes a sixth of the time of an INSERT through objects.
    with (
        connection.connection.cursor() as cursor,
        cursor.copy("COPY ratings_anomaly (list_id, kind, player_id, report_id, data) FROM STDIN") as copy,
    ):
        for identity in found:
            if identity not in answered:
                copy.write_row((rating_list.pk, *identity))
    if there.answers:
        _copy_answers(rating_list)


class _There(NamedTuple):
    """Of what there may be any: few quarters have all, and each is a long query about many tables."""

    flagged: bool
    look_alikes: bool
    not_counted: bool
    answers: bool


def _there(rating_list: RatingList) -> _There:
    """1 query. `not_counted` may be true of reports of another pool or a later day, which the list does not exclude."""
    with connection.cursor() as cursor:
        cursor.execute(
            THERE,
            {
                "period": rating_list.period_id,
                "correction": rating_list.correction_id,
                "pool": rating_list.pool_id,
            },
        )
        return _There(*cursor.fetchone())


THERE = """
WITH manifest AS MATERIALIZED (
    SELECT version_id FROM ratings_periodreport
    WHERE period_id = %(period)s AND correction_id IS NOT DISTINCT FROM %(correction)s
), counted AS MATERIALIZED (
    SELECT line.result_set_id, bool_or(period.pool_id = %(pool)s) AS by_pool FROM ratings_periodreport line
    JOIN ratings_period period ON period.id = line.period_id
    LEFT JOIN ratings_correction correction ON correction.id = line.correction_id
    WHERE correction.withdrawn_at IS NULL GROUP BY line.result_set_id
)
SELECT EXISTS (SELECT FROM reporting_report
        WHERE (admitted_reason <> '' OR corrects_code IS NOT NULL)
            AND accepted_version_id IN (SELECT version_id FROM manifest)),
    EXISTS (SELECT FROM reporting_lookalikedecision WHERE version_id IN (SELECT version_id FROM manifest)),
    EXISTS (SELECT FROM reporting_report report JOIN reporting_resultset rounds ON rounds.id = report.result_set_id
        LEFT JOIN counted ON counted.result_set_id = rounds.id
        WHERE report.first_submitted_at IS NOT NULL
            AND (counted.result_set_id IS NULL OR NOT (counted.by_pool OR rounds.session = '{}'))),
    EXISTS (SELECT FROM ratings_anomalyanswer answer JOIN ratings_anomaly anomaly ON anomaly.id = answer.anomaly_id
        JOIN ratings_ratinglist list ON list.id = anomaly.list_id
        WHERE list.period_id = %(period)s AND list.state = 'superseded')
"""


def _by_rules(calculation: Calculation) -> Iterator[Identity]:
    """What the rules of the system ask. 1 query for the reports, if one is about a report."""
    found = list(calculation.anomalies())
    result_sets = {one.result_set for one in found if one.result_set is not None}
    reports = Report.objects.filter(state=Report.State.ACCEPTED, result_set__in=result_sets)
    report_of = dict(reports.values_list("result_set", "pk")) if result_sets else {}
    for one in found:
        report = report_of[one.result_set] if one.result_set is not None else None
        yield one.kind, one.player, report, _figures(dict(one.data))


def _flagged(rating_list: RatingList) -> list[Any]:
    """Reports of the list that were admitted or correct another one. 1 query."""
    first = ResultSet.objects.filter(
        tournament=OuterRef("corrects"), part=OuterRef("result_set__part"), revision=0
    )
    return list(
        Report.objects.filter(
            ~Q(admitted_reason="") | Q(corrects__isnull=False),
            accepted_version__manifest_lines__in=rating_list.manifest,
        )
        .select_related("result_set", "announcement", "accepted_version")
        .defer("accepted_version__content", "accepted_version__reading", "accepted_version__sidecar")
        .annotate(players=Count("result_set__entries"), corrected_name=first.values("name"))
        .order_by("pk")
    )


def _late(rating_list: RatingList, reports: Iterable[Any]) -> Iterator[Anomaly]:
    """Reports that the list counts only because they were admitted (R11). `findings` are the codes that require it.

    Without those that correct another report: they have their own anomaly, with the same reason.
    """
    for report in reports:
        assert report.accepted_version is not None  # noqa: S101 (required by the filter)
        receipt = _receipt(report)
        codes = {finding["code"] for finding in report.accepted_version.findings} & set(ADMISSION_CODES)
        # The finding of the version is about its own submission; the first submission decides.
        codes -= {"late-report"}
        codes |= {"late-report"} if receipt["received"] > receipt["due"] else set()
        if "not-announced" in codes and needs_no_announcement(report):  # decided since
            codes.remove("not-announced")
        figures = receipt | {
            "findings": sorted(codes),
            "admitted_reason": report.admitted_reason,
            "players": report.players,
        }
        yield Anomaly(list=rating_list, kind=Anomaly.Kind.LATE, report=report, data=figures)


def _corrected(rating_list: RatingList, reports: Sequence[Any]) -> Iterator[Anomaly]:
    """Reports that the list counts instead of those they correct: who accepted them, and why if late."""
    accepted = LogEntry.objects.filter(
        action="report.accept", subject__in=[f"report {report.pk}" for report in reports]
    )
    acts = {act.subject: act for act in accepted.select_related("actor").order_by("pk")}
    for report in reports:
        act = acts[f"report {report.pk}"]
        figures = {
            "corrects": report.corrects_id,
            "name": report.corrected_name,
            "by": act.actor.name,
            "accepted": timezone.localdate(act.at).isoformat(),
            "reason": report.admitted_reason,
        }
        yield Anomaly(list=rating_list, kind=Anomaly.Kind.CORRECTED, report=report, data=figures)


def _look_alikes(rating_list: RatingList) -> Iterator[Anomaly]:
    """Reports counted as different tournaments although they look like accepted ones: who decided it, and why (R21)."""
    decisions = (
        LookAlikeDecision.objects.filter(
            version__manifest_lines__in=rating_list.manifest,
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
    for _, group in groupby(decisions, key=lambda decision: decision.version.report_id):
        different = [decision for decision in group if not decision.is_correction]
        if different:
            figures = {
                "different_from": [
                    {"code": decision.tournament.code, "name": decision.tournament.name}
                    for decision in different
                ],
                "by": different[0].by.name,
                "decided": timezone.localdate(different[0].at).isoformat(),
                "reason": different[0].reason,
            }
            report = different[0].version.report
            yield Anomaly(list=rating_list, kind=Anomaly.Kind.LOOK_ALIKE, report=report, data=figures)


def _excluded(rating_list: RatingList) -> Iterator[Anomaly]:
    assert rating_list.period is not None  # noqa: S101 (the database ensures it for every list but an opening one)
    for report in reports_not_counted(rating_list.period):
        figures = _receipt(report) | {"state": str(report.state)}
        yield Anomaly(list=rating_list, kind=Anomaly.Kind.EXCLUDED, report=report, data=figures)


def _receipt(report: Report) -> dict[str, Any]:
    """The day a report reached the office, the day it was due by (empty for none), and how many days after the last
    round it came.
    """
    received = report.received
    last_round = report.submitted_result_set.played_to
    return {
        "received": received.isoformat(),
        "due": report.due.isoformat() if report.due else "",
        "days": (received - last_round).days,
    }


def _copy_answers(rating_list: RatingList) -> None:
    given = (
        AnomalyAnswer.objects.filter(
            anomaly__list__period=rating_list.period,
            anomaly__list__correction=rating_list.correction,
            anomaly__list__state=RatingList.State.SUPERSEDED,
        )
        .select_related("anomaly")
        .order_by("at", "pk")
    )
    # Each earlier draft has a copy of an answer: it is copied once.
    answers = dict.fromkeys(
        (_identity(answer.anomaly), answer.text, answer.by_id, answer.at) for answer in given
    )
    if not answers:
        return
    anomalies = {_identity(anomaly): anomaly for anomaly in rating_list.anomalies.all()}
    AnomalyAnswer.objects.bulk_create(
        AnomalyAnswer(anomaly=anomalies[identity], text=text, by_id=author, at=at)
        for identity, text, author, at in answers
        if identity in anomalies
    )


def _identity(anomaly: Anomaly) -> Identity:
    return (str(anomaly.kind), anomaly.player_id, anomaly.report_id, _figures(anomaly.data))


def _figures(data: Mapping[str, Any]) -> str:
    return _JSON.encode(data).decode()


_JSON = msgspec.json.Encoder(order="deterministic")
