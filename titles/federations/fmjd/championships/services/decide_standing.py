"""The office records whether a federation is in good standing in a year."""

from django.db import IntegrityError, transaction

from reporting.log.audit import Actor, record
from reporting.models import Federation
from reporting.refusals.domain_error import DomainError
from titles.federations.fmjd.championships.selectors import standing_decisions
from titles.federations.fmjd.models import StandingDecision
from titles.policies import check_can_manage_championships


@transaction.atomic
def decide_standing(
    *, federation: Federation, year: int, is_good: bool, reason: str, by: Actor
) -> StandingDecision:
    """Record that a federation is not in good standing in a year, or is again. Its players are marked on lists.

    Raises DomainError `standing_known` where it is so already, `reason_missing`, `forbidden`.
    """
    check_can_manage_championships(by.user)
    known = DomainError("standing_known", federation=federation.pk, year=str(year))
    decided = standing_decisions([year]).get((federation.pk, year))
    if (decided is None or decided.is_good) == is_good:
        raise known
    if not reason.strip():
        raise DomainError("reason_missing")
    try:
        with transaction.atomic():
            decision = StandingDecision.objects.create(
                federation=federation,
                year=year,
                number=decided.number + 1 if decided else 1,
                is_good=is_good,
                reason=reason.strip(),
                by=by.user,
            )
    except IntegrityError as error:  # another person decided the same at this moment
        raise known from error
    record(
        by=by,
        action="championship.standing",
        subject=f"federation {federation.pk}",
        after={"year": year, "good_standing": is_good},
        reason=reason.strip(),
    )
    return decision
