"""What published classifications make public of a tournament and of a player (R71c)."""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from io import StringIO
from typing import Any

from django.db.models import Q, QuerySet

from ratings.queries.addresses import published_players
from reporting.models import Player, PlayerMerge, ResultSet
from titles.federations.fmjd.models import Publication, PublicationRow
from titles.federations.fmjd.rules.world_cup.results import CupParticipationColumns, CupTournamentColumns
from titles.federations.fmjd.world_cup.inputs import (
    CupInput,
    columns_from,
    cup_input,
    players_by_id,
    rows_of,
    surviving_numbers,
)
from titles.federations.fmjd.world_cup.publications.classification import input_of_lines
from titles.federations.fmjd.world_cup.publications.selectors import published, tournaments_by_code


def newest_revisions() -> QuerySet[Publication]:
    """The newest published revision of the classification of each section, group and day."""
    of = ("section", "women", "day")
    found = published().filter(kind=Publication.Kind.CLASSIFICATION)
    return found.order_by(*of, "-revision").distinct(*of)


@dataclass(frozen=True)
class PublishedResult:
    """A result as a published classification has it: its values there, and the classification."""

    values: Mapping[str, Any]
    publication: Publication


def results_of_tournament(code: str, players: Collection[int]) -> Mapping[int, PublishedResult]:
    """The World Cup results of these players (keys) in a tournament, of the newest day that has each. 1 query."""
    rows = (
        PublicationRow.objects.filter(
            player__in=players,
            publication__in=newest_revisions().values("pk"),
            values__results__contains=[{"tournament": code}],
        )
        .select_related("publication")
        .defer("publication__inputs")
        .order_by("publication__day")
    )
    return {
        row.player_id: PublishedResult(result, row.publication)
        for row in rows
        for result in row.values["results"]
        if result["tournament"] == code and row.player_id is not None
    }


@dataclass(frozen=True)
class PublishedParticipation:
    """A line of the final table as the inputs of a classification have it; the result where one is listed."""

    place: int | None
    number: int
    federation: str
    points: int
    player: Player | None
    result: PublishedResult | None


@dataclass(frozen=True)
class PublishedTournament:
    """A tournament as the newest classification that read it has it; `linked` are the players who have a page."""

    tournament: ResultSet
    last_round: date
    publication: Publication
    lines: Sequence[PublishedParticipation]
    linked: Collection[int]


def published_tournament(code: str) -> PublishedTournament | None:
    """Places and points of a tournament from the files of classifications; None where none has them.

    What it prints is in the published inputs, but for the names of today: nothing else becomes public. Queries: 6; of a
    code that no tournament has 1, by an index: the files are searched without one.
    """
    tournament = tournaments_by_code([code]).get(code)
    if tournament is None:
        return None
    begins = f"\n{code},"
    having = Publication.objects.filter(pk__in=newest_revisions().values("pk"), inputs__contains=begins)
    publication = having.order_by("-day", "women").first()
    if publication is None:
        return None
    lines = [line for line in csv.DictReader(StringIO(publication.inputs)) if line["tournament"] == code]
    players = players_by_id([int(line["fmjd_id"]) for line in lines])
    keys = {player.pk for player in players.values()}
    results = results_of_tournament(code, keys)
    found = [
        PublishedParticipation(
            place=int(line["place"]) or None,
            number=int(line["fmjd_id"]),
            federation=line["federation"],
            points=int(line["points"]),
            player=player,
            result=results.get(player.pk) if player else None,
        )
        for line in lines
        for player in [players.get(int(line["fmjd_id"]))]
    ]
    return PublishedTournament(
        tournament=tournament,
        last_round=date.fromisoformat(lines[0]["last_round"]),
        publication=publication,
        lines=sorted(found, key=lambda one: (one.place is None, one.place or 0, one.number)),
        linked=published_players(keys),
    )


@dataclass(frozen=True)
class PublishedCup:
    """The World Cup of a section as it is public; `sources` are the classifications that have a tournament, by code."""

    given: CupInput
    sources: Mapping[str, Publication]


def published_cup(section: str, since: date) -> PublishedCup:
    """What published lists count and classifications after `since` have; of a tournament what was published last.

    Of several classifications that have a tournament the one published last, and each before the lists: it may have a
    correction that counts in no list yet, or a tournament that counts in none. Merged players have the number of the
    surviving record. 10 queries.
    """
    newest = Publication.objects.filter(
        pk__in=newest_revisions().values("pk"), section=section, day__gt=since
    )
    publications = list(newest.order_by("-published_at", "-pk"))
    # Open and women's classification of a day have the same inputs: the open one is named.
    named = {one.input_sha256: one for one in sorted(publications, key=lambda one: not one.women)}
    sources: dict[str, Publication] = {}
    lines: list[dict[str, str]] = []
    for publication in publications:
        header, *rows = publication.inputs.splitlines()
        new = [row for row in rows if not row.startswith(",") and row.partition(",")[0] not in sources]
        lines += csv.DictReader([header, *new])
        sources |= {row.partition(",")[0]: named[publication.input_sha256] for row in new}
    surviving = surviving_numbers()
    of_files = input_of_lines(
        [line | {"fmjd_id": surviving.get(line["fmjd_id"], line["fmjd_id"])} for line in lines]
    )
    counted = cup_input(section, published=True)
    result_sets, tournaments = [*of_files.result_sets], rows_of(of_files.tournaments)
    at: dict[int, int] = {}
    for row, (found, values) in enumerate(
        zip(counted.result_sets, rows_of(counted.tournaments), strict=True)
    ):
        if found.code not in sources:
            at[row] = len(tournaments)
            result_sets.append(found)
            tournaments.append(values)
    participations = rows_of(of_files.participations) + [
        (at[of], *values) for of, *values in rows_of(counted.participations) if of in at
    ]
    given = replace(
        counted,
        tournaments=columns_from(CupTournamentColumns, tournaments),
        participations=columns_from(CupParticipationColumns, participations),
        result_sets=result_sets,
    )
    return PublishedCup(given, sources)


def rows_of_player(player: Player) -> list[PublicationRow]:
    """The rows of a player in published classifications by section, the newest day first, also of merged records.

    Each with its publication. 1 query.
    """
    merged = PlayerMerge.objects.filter(surviving=player, undone_at=None).values("duplicate")
    return list(
        PublicationRow.objects.filter(
            Q(player=player) | Q(player__in=merged), publication__in=newest_revisions().values("pk")
        )
        .select_related("publication")
        .defer("publication__inputs")
        .order_by("-publication__section", "-publication__day", "publication__women")
    )
