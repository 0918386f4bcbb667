"""The norms of a list, as its steps ask for them (ratings/publishing/list_norms.py)."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.models import RatingList
from reporting.log.audit import Actor
from titles.federations.facet import NormSearch
from titles.models import Norm, NormDecision
from titles.norms.services.decide_norms import decide_norms
from titles.norms.services.write_norms import Layouts, values_of, write_norms
from titles.queries.norms import norms_file, undecided_norms
from titles.queries.search_norms import norms_of_inputs

Identity = tuple[Any, ...]
"""What makes norms of two lists the same: player, tournament, discipline, title, kind, origin, colour, requirements by
layout and figures.
"""


class ListNorms:
    """The norms of lists whose federation has rules of titles."""

    def search(self, rating_list: RatingList, inputs: CalculationInputs) -> int:
        """By COPY, whatever the number of players.

        9 to 12 queries; 5 more where a draft or a list is replaced.
        """
        earlier = _earlier(rating_list)
        claims = Norm.objects.filter(list__in=earlier, claimed_by__isnull=False).order_by("-pk")
        search = norms_of_inputs(inputs, {claim.result_set_id for claim in claims})
        if search is None:
            return 0
        layouts = Layouts(rating_list)
        found = write_norms(rating_list, search, layouts)
        copied = Norm.objects.bulk_create(_claims(claims, rating_list, search, layouts)) if claims else []
        if found or copied:
            _copy_decisions(rating_list, earlier)
        return found + len(copied)

    def undecided(self, rating_list: RatingList) -> int:
        return undecided_norms(rating_list).count()

    def file(self, rating_list: RatingList) -> bytes:
        return norms_file(rating_list)

    def confirm(self, rating_list: RatingList, reason: str, by: Actor) -> None:
        norms = [norm.pk for norm in undecided_norms(rating_list)]
        if norms:
            decide_norms(rating_list=rating_list, norms=norms, is_confirmed=True, reason=reason, by=by)


def _claims(
    claims: Iterable[Norm], rating_list: RatingList, search: NormSearch, layouts: Layouts
) -> Iterator[Norm]:
    """The claims of the draft that this one supersedes, the newest first, with what their requirements are now."""
    people = search.people
    entries = zip(people.player.tolist(), search.tournaments[people.tournament].tolist(), strict=True)
    rows = {entry: row for row, entry in enumerate(entries)}
    seen = set()
    for claim in claims:
        identity = (claim.player_id, claim.result_set_id, claim.title, claim.kind, claim.colour)
        row = rows.get((claim.player_id, claim.result_set_id))
        if row is None or identity in seen:
            continue
        seen.add(identity)
        yield Norm(
            list=rating_list,
            player_id=claim.player_id,
            result_set_id=claim.result_set_id,
            discipline=claim.discipline,
            title=claim.title,
            kind=claim.kind,
            origin=claim.origin,
            colour=claim.colour,
            claimed_by_id=claim.claimed_by_id,
            claim_reason=claim.claim_reason,
            **values_of(search, search.by_result(row, claim.title), layouts),
        )


def _earlier(rating_list: RatingList) -> list[int]:
    """Keys of the drafts that this one supersedes, and of the list that it revises. 1 query.

    As keys: by a join the planner reads all norms of these lists, where few have a claimant.
    """
    drafts = RatingList.objects.filter(
        period=rating_list.period, correction=rating_list.correction, state=RatingList.State.SUPERSEDED
    )
    revised = [rating_list.correction.replaces_id] if rating_list.correction else []
    return [*drafts.values_list("pk", flat=True), *revised]


def _copy_decisions(rating_list: RatingList, earlier: Sequence[int]) -> None:
    """Decisions on the same norm of a draft that this one supersedes, or of the list that it revises, with author and
    time (as answers to anomalies).
    """
    given = (
        NormDecision.objects.filter(norm__list__in=earlier)
        .select_related("norm")
        .prefetch_related("norm__layout")
        .order_by("at", "pk")
    )
    # Each earlier draft has a copy of a decision: it is copied once.
    decisions = dict.fromkeys(
        (_identity(one.norm), one.is_confirmed, one.reason, one.by_id, one.at) for one in given
    )
    if not decisions:
        return
    norms = {
        _identity(norm): norm for norm in Norm.objects.filter(list=rating_list).prefetch_related("layout")
    }
    NormDecision.objects.bulk_create(
        NormDecision(norm=norms[identity], is_confirmed=is_confirmed, reason=reason, by_id=author, at=at)
        for identity, is_confirmed, reason, author, at in decisions
        if identity in norms
    )


def _identity(norm: Norm) -> Identity:
    return (
        norm.player_id, norm.result_set_id, norm.discipline, norm.title, norm.kind, norm.origin, norm.colour,
        json.dumps(norm.layout.requirements, sort_keys=True) if norm.layout else "", tuple(norm.figures),
    )  # fmt: skip
