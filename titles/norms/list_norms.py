"""The norms of a list, as its steps ask for them (ratings/publishing/list_norms.py)."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from django.db.models import Q, QuerySet

from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.models import RatingList
from reporting.log.audit import Actor
from titles.federations.fmjd.rules.columns import CATEGORIES, TITLES
from titles.federations.fmjd.rules.norms import BY_RESULT
from titles.ledger.selectors import with_decision
from titles.models import Norm, NormDecision
from titles.norms.find_norms import NormSearch, evidence, norms_of_inputs
from titles.norms.write_norms import Layouts, write_norms
from titles.rules.requirement import figures_of

DECIDED = (Norm.Origin.FOUND, Norm.Origin.CLAIMED)
TO_DECIDE = Q(origin__in=DECIDED, is_needed=True)
"""Norms that the title council must decide; others may be decided."""
NORM_COLUMNS = ("number", "tournament", "section", "title", "kind", "colour", "games", "points_scored",
                "points_asked", "average_rating", "category", "ignored_game")  # fmt: skip

Identity = tuple[Any, ...]
"""What makes norms of two lists the same: player, tournament, section, title, kind, origin, colour, requirements by
layout and figures.
"""


def confirmed_norms(rating_list: RatingList) -> QuerySet[Norm]:
    """The confirmed norms and automatic titles of a list that are needed (R41), unordered."""
    norms = Norm.objects.filter(list=rating_list, is_needed=True)
    return with_decision(norms).filter(confirmed=True)


def undecided_norms(rating_list: RatingList) -> QuerySet[Norm]:
    """The norms of a list that the title council must decide still, unordered."""
    return Norm.objects.filter(TO_DECIDE, list=rating_list, decisions=None)


class ListNorms:
    """The norms of FMJD lists and of all others with rules of titles."""

    def search(self, rating_list: RatingList, inputs: CalculationInputs) -> int:
        """By COPY, whatever the number of players.

        10 queries and one for each layout; 3 more where a draft or a list is replaced.
        """
        search = norms_of_inputs(inputs)
        if search is None:
            return 0
        layouts = Layouts(rating_list)
        found = write_norms(rating_list, search, layouts)
        claims = Norm.objects.bulk_create(_claims(rating_list, search, layouts))
        if found or claims:
            _copy_decisions(rating_list)
        return found + len(claims)

    def undecided(self, rating_list: RatingList) -> int:
        return undecided_norms(rating_list).count()

    def file(self, rating_list: RatingList) -> bytes:
        """By number in the register, then tournament and title; `ignored_game` is its round."""
        norms = confirmed_norms(rating_list).values_list(
            "player__numbers", "result_set__code", "section", "title", "kind", "colour", "games",
            "points_scored", "points_asked", "average_rating", "category", "ignored_game__round",
        )  # fmt: skip
        register = rating_list.report_rules.register.code
        rows = sorted(
            {
                (numbers.get(register), *("" if cell is None else cell for cell in row))
                for numbers, *row in norms
            },
            key=_place,
        )
        if not rows:
            return b""
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(
            [(rating_list.declaration.header("register_number"), *NORM_COLUMNS[1:]), *map(_printed, rows)]
        )
        return text.getvalue().encode()

    def confirm(self, rating_list: RatingList, reason: str, by: Actor) -> None:
        from titles.norms.decide import decide_norms  # noqa: PLC0415 (it changes what this file reads)

        norms = [norm.pk for norm in undecided_norms(rating_list)]
        if norms:
            decide_norms(rating_list=rating_list, norms=norms, is_confirmed=True, reason=reason, by=by)


def _place(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return (row[0] or 0, *(str(cell) for cell in row[1:]))


def _printed(row: tuple[Any, ...]) -> tuple[Any, ...]:
    place = NORM_COLUMNS.index("category")
    return (*row[:place], CATEGORIES[row[place]] if row[place] else "", *row[place + 1 :])


def _claims(rating_list: RatingList, search: NormSearch, layouts: Layouts) -> Iterator[Norm]:
    """The claims of the draft that this one supersedes, with what their requirements are now."""
    people, read = search.read.given.participations, search.read
    rows = {
        (int(player), read.tournaments[int(tournament)].pk): row
        for row, (player, tournament) in enumerate(
            zip(people.player.tolist(), people.tournament.tolist(), strict=True)
        )
    }
    claims = Norm.objects.filter(_earlier(rating_list), origin=Norm.Origin.CLAIMED).order_by("-pk")
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
            section=claim.section,
            title=claim.title,
            kind=claim.kind,
            origin=claim.origin,
            colour=claim.colour,
            claimed_by_id=claim.claimed_by_id,
            claim_reason=claim.claim_reason,
            **{"games": claim.games} | figures_of_title(search, row, claim.title, layouts),
        )


def figures_of_title(search: NormSearch, participation: int, title: str, layouts: Layouts) -> dict[str, Any]:
    """The values of a norm by result for one participation, met or not; none of a CMF, which is by place only (art.
    4.5.11).
    """
    code = TITLES.index(title)
    if code not in BY_RESULT:
        return {"figures": []}
    conditions = search.examination.conditions[code]
    shown = evidence(search.examination, participation, code)
    return {
        "games": shown.games,
        "points_scored": shown.points_scored,
        "points_asked": shown.points_asked,
        "average_rating": shown.average_rating,
        "category": shown.category,
        "layout": layouts.of(conditions),
        "figures": figures_of(conditions, np.array([participation]))[0].tolist(),
    }


def _earlier(rating_list: RatingList) -> Q:
    """The drafts that this one supersedes, and the list that it revises."""
    earlier = Q(
        list__period=rating_list.period,
        list__correction=rating_list.correction,
        list__state=RatingList.State.SUPERSEDED,
    )
    if rating_list.correction is not None:
        earlier |= Q(list=rating_list.correction.replaces_id)
    return earlier


def _copy_decisions(rating_list: RatingList) -> None:
    """Decisions on the same norm of a draft that this one supersedes, or of the list that it revises, with author and
    time (as answers to anomalies).
    """
    earlier = Norm.objects.filter(_earlier(rating_list))
    given = (
        NormDecision.objects.filter(norm__in=earlier)
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
        norm.player_id, norm.result_set_id, norm.section, norm.title, norm.kind, norm.origin, norm.colour,
        json.dumps(norm.layout.requirements, sort_keys=True) if norm.layout else "", tuple(norm.figures),
    )  # fmt: skip
