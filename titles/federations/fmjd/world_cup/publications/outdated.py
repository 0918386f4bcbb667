"""Which published ones would be others now: after a corrected report, an undone acceptance or merge, a declaration."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import reduce
from operator import or_

from django.core.cache import cache
from django.db.models import Count, Max, Q

from reporting.models import LogEntry
from titles.federations.fmjd.models import Publication
from titles.federations.fmjd.world_cup.publications.kinds import key_of, kind_of
from titles.federations.fmjd.world_cup.publications.selectors import (
    Difference,
    differences,
    figures_of,
    newest_publications,
)

CHANGING = (
    "championship.", "declaration.", "list.import_opening", "list.publish", "player.", "publication.publish",
    "register.import", "report.accept", "report.undo_acceptance", "tournament.decide",
)  # fmt: skip
"""The acts after which something else could be published."""
COMPARED = "publications:compared"

logger = logging.getLogger(__name__)


def differences_now(publication: Publication) -> Sequence[Difference]:
    """What would be different if it were published now. 8 queries."""
    key = key_of(publication)
    kind = kind_of(key)
    return differences(figures_of(publication), kind.calculate(key, kind.read_inputs(key)))


def outdated_publications() -> Mapping[int, int] | None:
    """The newest revisions that would be others now, by number: how many rows differ. 1 query.

    None where the worker has not compared since the last act that can change one: an old answer is never given.
    """
    acts, found = _compared()
    return found if acts == _changing_acts() else None


def compare_publications() -> int:
    """Compare what is published with what would be now, after acts that can change it. The worker's work; returns 0.

    Queries: 1; after such an act 9 for each newest revision.
    """
    acts = _changing_acts()
    if _compared()[0] == acts:
        return 0
    try:
        found = {publication.pk: len(differences_now(publication)) for publication in newest_publications()}
        cache.set(COMPARED, (acts, {number: count for number, count in found.items() if count}), None)
    except Exception:  # it compares again when it looks for work the next time
        logger.exception("publications were not compared")
    return 0


def _changing_acts() -> tuple[int, datetime | None]:
    """How many there are, and when the last one was: a key alone would miss what commits after a later one."""
    changing = reduce(or_, (Q(action__startswith=beginning) for beginning in CHANGING))
    found = LogEntry.objects.filter(changing).aggregate(count=Count("pk"), last=Max("at"))
    return found["count"], found["last"]


def _compared() -> tuple[tuple[int, datetime | None] | None, Mapping[int, int]]:
    """The acts after which the worker compared, and what it found. In the cache: it can be found again at any time."""
    try:
        return cache.get(COMPARED) or (None, {})
    except Exception:
        logger.warning("the comparison of publications was not read", exc_info=True)
        return None, {}
