"""A rating officer answers an anomaly of a draft; the newest answer is valid, all are stored."""

from django.db import transaction

from ratings.models import Anomaly, AnomalyAnswer, CalculationRun, RatingList
from ratings.policies import check_can_run_period
from ratings.production.approve_list import lock_draft
from reporting.log.audit import Actor, record
from reporting.refusals.domain_error import DomainError

OPEN = (RatingList.State.CALCULATED, RatingList.State.NORMS_SEARCHED, RatingList.State.READY)


@transaction.atomic
def answer_anomaly(*, anomaly: Anomaly, text: str, by: Actor) -> AnomalyAnswer:
    """Answer an anomaly of a draft that is not signed yet, or change the answer; the same answer again is one.

    Raises DomainError `answer_missing`, `wrong_state` (also during a recalculation), `forbidden`.
    """
    check_can_run_period(by.user)
    text = text.strip()
    if not text:
        raise DomainError("answer_missing")
    rating_list = lock_draft(anomaly.list)
    if rating_list.state not in OPEN:
        raise DomainError("wrong_state.answer")
    assert rating_list.period_id is not None  # noqa: S101 (an opening list has no anomalies)
    if CalculationRun.objects.filter(
        period=rating_list.period_id, state=CalculationRun.State.REQUESTED
    ).exists():
        raise DomainError("wrong_state.recalculating")
    last = anomaly.answers.order_by("-pk").first()
    if last is not None and (last.text, last.by_id) == (text, by.user.pk):
        return last
    answer = AnomalyAnswer.objects.create(anomaly=anomaly, text=text, by=by.user)
    record(
        by=by,
        action="list.answer_anomaly",
        subject=f"list {rating_list.address}",
        before={"text": last.text} if last else {},
        after={
            "anomaly": anomaly.pk,
            "kind": anomaly.kind,
            "player": anomaly.player_id,
            "report": anomaly.report_id,
            "text": text,
        },
    )
    return answer
