"""Which published ones would be others now: after a corrected report, an undone acceptance or merge, a declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from django.db.models import Max

from reporting.models import LogEntry
from titles.federations.fmjd.models import Publication
from titles.federations.fmjd.world_cup.publications.kinds import key_of, kind_of
from titles.federations.fmjd.world_cup.publications.selectors import (
    Difference,
    differences,
    figures_of,
    published,
)

CHANGING = (
    "declaration.", "list.publish", "player.", "publication.publish", "register.import", "report.accept",
    "report.undo_acceptance", "tournament.decide", "championship.",
)  # fmt: skip
"""The acts after which something else could be published."""


def differences_now(publication: Publication) -> Sequence[Difference]:
    """What would be different if it were published now. 8 queries."""
    key = key_of(publication)
    kind = kind_of(key)
    return differences(figures_of(publication), kind.calculate(key, kind.read_inputs(key)))


def outdated_publications() -> Mapping[int, int]:
    """The newest revisions that would be others now, by number: how many players differ. 1 query.

    More queries after an act that can change one: 9 for each newest revision.
    """
    acts = LogEntry.objects.filter(action__regex="^(" + "|".join(CHANGING).replace(".", r"\.") + ")")
    return _outdated(acts.aggregate(newest=Max("pk"))["newest"])


@lru_cache(maxsize=1)
def _outdated(newest_act: int | None) -> Mapping[int, int]:  # noqa: ARG001 (what the answer depends on)
    newest = (
        published()
        .order_by("kind", "section", "women", "day", "championship", "-revision")
        .distinct("kind", "section", "women", "day", "championship")
    )
    found = {publication.pk: len(differences_now(publication)) for publication in newest}
    return {number: count for number, count in found.items() if count}
