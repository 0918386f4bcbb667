"""What is published, its rows with names, and how it differs from another revision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from reporting.models import Player, Report, ResultSet, Role, User
from reporting.register.selectors.register import register_changes
from reporting.rules.lifecycle import ReportState
from titles.federations.fmjd.models import Publication, PublicationRow
from titles.federations.fmjd.models.publication import OF_WHAT
from titles.federations.fmjd.world_cup.inputs import players_by_id
from titles.federations.fmjd.world_cup.publications.kinds import PublicationKey, Row


def published() -> QuerySet[Publication]:
    """All that is published, in whatever revision."""
    return Publication.objects.filter(state=Publication.State.PUBLISHED)


def newest_publications() -> QuerySet[Publication]:
    """The newest published revision of each, without its text. 1 query."""
    return published().defer("inputs").order_by(*OF_WHAT, "-revision").distinct(*OF_WHAT)


def what_is_published() -> tuple[Hashable, ...]:
    """It changes with each publication. 1 query."""
    return tuple(published().aggregate(Count("pk"), Max("published_at")).values())


def publications_stamp() -> tuple[Hashable, ...]:
    """What pages of publications depend on: what is published, and the register. 2 queries."""
    return (*what_is_published(), register_changes())


def tournaments_by_code(codes: Collection[str]) -> Mapping[str, ResultSet]:
    """The newest accepted result sets of tournaments, by the code that results name; without one the newest. 1 query.

    What a submitted correction says stays with the office.
    """
    accepted = Report.objects.filter(result_set=OuterRef("pk"), state=ReportState.ACCEPTED)
    found = ResultSet.objects.filter(tournament__code__in=codes).annotate(is_accepted=Exists(accepted))
    return {one.code: one for one in found.order_by("is_accepted", "revision")}


def newest_published(key: PublicationKey) -> Publication | None:
    """The newest published revision; None before the first. 1 query."""
    return published().filter(**key.columns()).order_by("-revision").first()


def published_revisions(key: PublicationKey) -> list[Publication]:
    """The published revisions with their persons, the newest first; none before the first. 1 query."""
    found = published().filter(**key.columns()).select_related("approved_by", "published_by")
    return list(found.defer("inputs").order_by("-revision"))


def all_publications() -> list[Publication]:
    """All publications with their persons, the newest request first; without their texts. 1 query."""
    return list(
        Publication.objects.select_related("requested_by", "approved_by", "published_by")
        .defer("inputs", "error")
        .order_by("-pk")
    )


def publications_to_sign(user: User) -> list[Publication]:
    """The drafts that a user can approve, and what the user can publish, the oldest first. 1 query; for others none."""
    waiting = Q(pk__in=())
    if user.has_role(Role.TOURNAMENT_DIRECTOR):
        waiting |= Q(state=Publication.State.DRAFT)
    if user.has_role(Role.RELEASING_OFFICER):
        waiting |= Q(state=Publication.State.APPROVED) & ~Q(approved_by=user)
    found = Publication.objects.filter(waiting).defer("inputs", "error")
    return list(found.order_by("pk"))


def find_publication(number: int) -> Publication | None:
    """A publication in any state with its persons. 1 query."""
    persons = ("requested_by", "approved_by", "published_by")
    return Publication.objects.filter(pk=number).select_related(*persons).first()


def names_of(numbers: Iterable[int]) -> Mapping[int, str]:
    """The names that the register has today, by FMJD-ID. 1 query."""
    return {number: player.printed_name for number, player in players_by_id(set(numbers)).items()}


def figures_of(publication: Publication) -> list[Row]:
    """The rows as they were written, in order. 1 query."""
    return list(publication.rows.order_by("position").values_list("values", flat=True))


def named_rows(publication: Publication) -> tuple[list[dict[str, Any]], Mapping[int, Player]]:
    """The rows with the names of the register of today, and the players by FMJD-ID. 1 query.

    A publication has no names: one that is corrected or erased in the register is so here too.
    """
    rows: list[PublicationRow] = list(publication.rows.order_by("position").select_related("player"))
    players = {row.values["fmjd_id"]: row.player for row in rows if row.player is not None}
    named = [row.values | {"name": row.player.printed_name if row.player else ""} for row in rows]
    return named, players


@dataclass(frozen=True)
class Difference:
    """A row that differs: before and after, None where there is none."""

    before: Row | None
    after: Row | None


def differences(before: Sequence[Row], after: Sequence[Row]) -> list[Difference]:
    """The rows that differ in any figure, in the order of the rows after, then of those before. No query.

    Rows of one player are compared; of a list of participants those of one place of an item, with any players.
    """
    old, new = _by_place_or_player(before), _by_place_or_player(after)
    return [
        Difference(old.get(key), new.get(key))
        for key in [*new, *(one for one in old if one not in new)]
        if old.get(key) != new.get(key)
    ]


def _by_place_or_player(rows: Sequence[Row]) -> dict[Hashable, Row]:
    found: dict[Hashable, Row] = {}
    places: Counter[int] = Counter()
    for row in rows:
        item = row.get("item")
        if item is None:
            found[row["fmjd_id"]] = row
        else:
            places[item] += 1
            found[item, places[item]] = row
    return found


def newest_classifications() -> list[Publication]:
    """The newest published classification of each section, open and women. 1 query."""
    return list(
        published()
        .filter(kind=Publication.Kind.CLASSIFICATION)
        .defer("inputs")
        .order_by("section", "women", "-day", "-revision")
        .distinct("section", "women")
    )


def winners() -> list[PublicationRow]:
    """The first rows of the standings of 31 December, newest revision: the winners of each year (R71c). 1 query."""
    of_years = (
        published()
        .filter(kind=Publication.Kind.CLASSIFICATION, day__month=12, day__day=31)
        .order_by("section", "women", "-day", "-revision")
        .distinct("section", "women", "day")
    )
    first = PublicationRow.objects.filter(publication__in=of_years.values("pk"), values__rank=1)
    return list(
        first.select_related("publication", "player")
        .defer("publication__inputs")
        .order_by("-publication__day", "-publication__section", "publication__women", "position")
    )


def key_of_classification(section: str, day: date, *, women: bool) -> PublicationKey:
    """The key of a classification."""
    return PublicationKey(kind=Publication.Kind.CLASSIFICATION, section=section, women=women, day=day)
