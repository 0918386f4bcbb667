"""The norms of a list, as its steps ask for them (ratings/publishing/list_norms.py)."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import connection
from django.db.models import OuterRef, Q, QuerySet, Subquery

from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.models import RatingList
from reporting.log.audit import Actor
from titles.models import Norm, NormDecision
from titles.norms.find_norms import NormSearch, norms_of_inputs, requirements_of_title
from titles.rules.fmjd.columns import CATEGORIES
from titles.rules.fmjd.requirement import Requirement, Statement

DECIDED = (Norm.Origin.FOUND, Norm.Origin.CLAIMED)
"""Norms that the title commission must decide; others may be decided."""
COPIED = ("list_id", "player_id", "tournament_id", "section", "title", "kind", "origin", "colour", "games",
          "points_scored", "points_asked", "average_rating", "category", "ignored_game_id", "requirements",
          "claimed_by_id", "claim_reason")  # fmt: skip
NORM_COLUMNS = ("number", "tournament", "section", "title", "kind", "colour", "games", "points_scored",
                "points_asked", "average_rating", "category", "ignored_game")  # fmt: skip

Identity = tuple[Any, ...]
"""What makes norms of two lists the same: player, tournament, section, title, kind, origin, colour, requirements."""


def requirement_as_stored(requirement: Requirement) -> dict[str, Any]:
    """Codes and values, from which pages make sentences."""
    return {
        "article": requirement.article,
        "asks": {"code": requirement.asks.code, "values": dict(requirement.asks.values)},
        "found": {"code": requirement.found.code, "values": dict(requirement.found.values)},
        "met": requirement.met,
        "colour": requirement.colour,
    }


def stored_requirement(row: Mapping[str, Any]) -> Requirement:
    """The requirement of `requirement_as_stored`."""
    return Requirement(
        row["article"],
        Statement(row["asks"]["code"], row["asks"]["values"]),
        Statement(row["found"]["code"], row["found"]["values"]),
        row["met"],
        row["colour"],
    )


def confirmed_norms(rating_list: RatingList) -> QuerySet[Norm]:
    """The confirmed norms and automatic titles of a list, unordered."""
    last = NormDecision.objects.filter(norm=OuterRef("pk")).order_by("-pk")
    return Norm.objects.alias(last=Subquery(last.values("is_confirmed")[:1])).filter(
        list=rating_list, last=True
    )


def undecided_norms(rating_list: RatingList) -> QuerySet[Norm]:
    """The norms of a list that the title commission must decide still, unordered."""
    return Norm.objects.filter(list=rating_list, origin__in=DECIDED, decisions=None)


class ListNorms:
    """The norms of FMJD lists and of all others with rules of titles."""

    def search(self, rating_list: RatingList, inputs: CalculationInputs) -> int:
        """By COPY, whatever the number of players. 8 queries, 3 more where a draft or a list is replaced."""
        search = norms_of_inputs(inputs)
        if search is None:
            return 0
        found = [*_rows(rating_list, search), *_claims(rating_list, search)]
        with (
            connection.connection.cursor() as cursor,
            cursor.copy(f"COPY titles_norm ({', '.join(COPIED)}) FROM STDIN") as copy,
        ):
            for row in found:
                copy.write_row(row)
        if found:
            _copy_decisions(rating_list)
        return len(found)

    def undecided(self, rating_list: RatingList) -> int:
        return undecided_norms(rating_list).count()

    def file(self, rating_list: RatingList) -> bytes:
        """By number in the register, then tournament and title; `ignored_game` is its round."""
        norms = confirmed_norms(rating_list).values_list(
            "player__numbers", "tournament__code", "section", "title", "kind", "colour", "games",
            "points_scored", "points_asked", "average_rating", "category", "ignored_game__round",
        )  # fmt: skip
        register = rating_list.rating_system.register.code
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


def _rows(rating_list: RatingList, search: NormSearch) -> Iterator[tuple[Any, ...]]:
    """What was found, in the columns of COPIED; of two entries of a person in a tournament the first one's."""
    people, read = search.read.given.participations, search.read
    seen = set()
    for norm in search.found:
        tournament = read.tournaments[int(people.tournament[norm.participation])]
        shown = norm.evidence
        row = (
            rating_list.pk,
            int(people.player[norm.participation]),
            tournament.pk,
            tournament.discipline,
            norm.title,
            str(norm.kind),
            str(norm.origin),
            str(norm.colour),
            norm.games,
            shown.points_scored if shown else None,
            shown.points_asked if shown else None,
            shown.average_rating if shown else None,
            shown.category if shown else None,
            None if norm.ignored_game is None else int(read.games[norm.ignored_game]),
            json.dumps([requirement_as_stored(one) for one in norm.requirements]),
            None,
            "",
        )
        if row[1:8] not in seen:
            seen.add(row[1:8])
            yield row


def _claims(rating_list: RatingList, search: NormSearch) -> Iterator[tuple[Any, ...]]:
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
        identity = (claim.player_id, claim.tournament_id, claim.title, claim.kind, claim.colour)
        row = rows.get((claim.player_id, claim.tournament_id))
        if row is None or identity in seen:
            continue
        seen.add(identity)
        asked, shown = requirements_of_title(search, row, claim.title)
        yield (
            rating_list.pk, claim.player_id, claim.tournament_id, claim.section, claim.title, claim.kind,
            claim.origin, claim.colour, shown.games if shown else claim.games,
            shown.points_scored if shown else None, shown.points_asked if shown else None,
            shown.average_rating if shown else None, shown.category if shown else None, None,
            json.dumps([requirement_as_stored(one) for one in asked]), claim.claimed_by_id, claim.claim_reason,
        )  # fmt: skip


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
    given = NormDecision.objects.filter(norm__in=earlier).select_related("norm").order_by("at", "pk")
    # Each earlier draft has a copy of a decision: it is copied once.
    decisions = dict.fromkeys(
        (_identity(one.norm), one.is_confirmed, one.reason, one.by_id, one.at) for one in given
    )
    if not decisions:
        return
    norms = {_identity(norm): norm for norm in Norm.objects.filter(list=rating_list)}
    NormDecision.objects.bulk_create(
        NormDecision(norm=norms[identity], is_confirmed=is_confirmed, reason=reason, by_id=author, at=at)
        for identity, is_confirmed, reason, author, at in decisions
        if identity in norms
    )


def _identity(norm: Norm) -> Identity:
    return (
        norm.player_id, norm.tournament_id, norm.section, norm.title, norm.kind, norm.origin, norm.colour,
        json.dumps(norm.requirements, sort_keys=True),
    )  # fmt: skip
