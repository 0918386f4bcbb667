"""The title council decides about the norms of a draft, and claims one that was not found."""

from collections.abc import Collection

from django.db import transaction

from ratings.models import CalculationRun, RatingList
from ratings.production.approve_list import lock_draft
from ratings.publishing.published_files import signed_file
from reporting.log.audit import Actor, record
from reporting.models import Player, ResultSet, Role
from reporting.policies import require_role
from reporting.refusals.domain_error import DomainError
from titles.federations.registry import rules_of_titles
from titles.models import Norm, NormDecision
from titles.norms.services.write_norms import Layouts, values_of
from titles.policies import check_can_decide_norms
from titles.queries.norms import norms_file
from titles.queries.search_norms import norms_of_tournament

OPEN = (RatingList.State.CALCULATED, RatingList.State.NORMS_SEARCHED, RatingList.State.READY)


@transaction.atomic
def decide_norms(
    *,
    rating_list: RatingList,
    norms: Collection[int],
    is_confirmed: bool,
    reason: str,
    by: Actor,
    seen: int | None = None,
) -> list[NormDecision]:
    """Confirm or refuse norms (by id) of a draft that is not signed yet; the newest decision on a norm counts.

    `seen` is the newest decision on them that the person saw, 0 for none: where another one was made since, nothing is
    decided. The digest of the draft follows, since its figures file names that of `norms.csv`. Raises DomainError
    `norms_decided`, `norms_missing` for none or one of another list, `norm_not_possible` for a near miss,
    `reason_missing` for a refusal without one, `norms_signed`, `wrong_state` (during a recalculation), `forbidden`.
    """
    if not by.by_command:
        check_can_decide_norms(by.user)
    else:
        require_role(by.user, Role.TITLE_COUNCIL, Role.RATING_OFFICER)
    reason = reason.strip()
    if not is_confirmed and not reason:
        raise DomainError("reason_missing")
    rating_list = _locked(rating_list)
    found = list(Norm.objects.filter(list=rating_list, pk__in=norms).order_by("pk"))
    if not found or len(found) != len(set(norms)):
        raise DomainError("norms_missing")
    if any(norm.origin == Norm.Origin.NEAR_MISS for norm in found):
        raise DomainError("norm_not_possible")
    decided = list(NormDecision.objects.filter(norm__in=found).order_by("pk"))
    if seen is not None and (since := {decision.norm_id for decision in decided if decision.pk > seen}):
        raise DomainError("norms_decided", count=len(since))
    before = {decision.norm_id: decision.is_confirmed for decision in decided}
    decisions = NormDecision.objects.bulk_create(
        NormDecision(norm=norm, is_confirmed=is_confirmed, reason=reason, by=by.user) for norm in found
    )
    _follow(rating_list)
    for norm in found:
        record(
            by=by,
            action="norm.confirm" if is_confirmed else "norm.refuse",
            subject=f"list {rating_list.address}",
            before={"confirmed": before[norm.pk]} if norm.pk in before else {},
            after=_logged(norm) | {"confirmed": is_confirmed},
            reason=reason,
        )
    return decisions


@transaction.atomic
def claim_norm(
    *,
    rating_list: RatingList,
    player: Player,
    tournament: ResultSet,
    title: str,
    colour: str,
    reason: str,
    by: Actor,
) -> Norm:
    """Claim a norm that was not found, for a player of a tournament that the draft counts; it waits for a decision.

    Its requirements are stored as they were found. Raises DomainError `reason_missing`, `norm_unknown` (no title or
    colour of the rules, or the player did not take part), `norm_claimed` (found or claimed already), `norms_signed`,
    `wrong_state`, `forbidden`.
    """
    check_can_decide_norms(by.user)
    reason = reason.strip()
    if not reason:
        raise DomainError("reason_missing")
    rating_list = _locked(rating_list)
    search = norms_of_tournament(tournament, rating_list)
    is_counted = rating_list.manifest.filter(result_set=tournament).exists()
    rows = (search.people.player == player.pk).nonzero()[0].tolist() if search and is_counted else []
    if (
        search is None
        or not rows
        or title not in search.titles
        or colour not in (rules_of_titles(rating_list.system).colours or [""])
    ):
        raise DomainError("norm_unknown")
    same = Norm.objects.filter(
        list=rating_list, player=player, result_set=tournament, title=title, colour=colour
    )
    if same.filter(origin__in=[Norm.Origin.FOUND, Norm.Origin.CLAIMED]).exists():
        raise DomainError("norm_claimed")
    norm = Norm.objects.create(
        list=rating_list,
        player=player,
        result_set=tournament,
        discipline=tournament.discipline,
        title=title,
        kind=Norm.Kind.RESULT,
        origin=Norm.Origin.CLAIMED,
        colour=colour,
        claimed_by=by.user,
        claim_reason=reason,
        **values_of(search, search.by_result(rows[0], title), Layouts(rating_list)),
    )
    record(
        by=by,
        action="norm.claim",
        subject=f"list {rating_list.address}",
        after=_logged(norm),
        reason=reason,
    )
    return norm


def _locked(rating_list: RatingList) -> RatingList:
    rating_list = lock_draft(rating_list)
    if rating_list.state not in OPEN or rating_list.period_id is None:
        raise DomainError("norms_signed")
    if CalculationRun.objects.filter(
        period=rating_list.period_id, state=CalculationRun.State.REQUESTED
    ).exists():
        raise DomainError("wrong_state.recalculating")
    return rating_list


def _follow(rating_list: RatingList) -> None:
    """The digest of the draft with the decisions of now."""
    sha256 = signed_file(rating_list, norms_file(rating_list)).sha256
    if sha256 != rating_list.sha256:
        rating_list.sha256 = sha256
        rating_list.save(update_fields=["sha256"])


def _logged(norm: Norm) -> dict[str, object]:
    return {
        "norm": norm.pk,
        "player": norm.player_id,
        "tournament": norm.result_set_id,
        "title": norm.title,
        "colour": norm.colour,
    }
