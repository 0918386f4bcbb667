"""The players whose ledgers a page lists."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from ratings.models import PlayerHistory
from reporting.models import Player, PlayerMerge, PlayerTitle, Sex
from titles.federations.registry import all_title_rules
from titles.queries.ledgers import rated_players
from titles.queries.norms import counting_norms


def players_with_norms(players: QuerySet[Player]) -> list[Player]:
    """Those of these players with a norm or an automatic title that counts, or the rating that gives a title, by name.

    The games that it asks too are looked at by `player_ledgers`. 1 query.
    """
    with_norms = counting_norms().values("player")
    merged = PlayerMerge.objects.filter(undone_at=None, duplicate__in=with_norms).values("surviving")
    duplicates = PlayerMerge.objects.filter(undone_at=None).values("duplicate")
    found = players.filter(Q(pk__in=with_norms) | Q(pk__in=merged) | Q(pk__in=_with_rating()))
    return list(found.exclude(pk__in=duplicates).select_related("federation").order_by("sort_name", "pk"))


def _with_rating() -> QuerySet[PlayerHistory, Any]:
    """The players with a rating that gives a title of a ladder of which they hold none in its discipline (R37c, d)."""
    held = PlayerTitle.objects.held_on(timezone.localdate()).filter(
        player=OuterRef("player"),
        awarded_by=OuterRef("list__system"),
        discipline=OuterRef("list__pool__discipline"),
    )
    enough = Q(pk__in=())
    for rules in all_title_rules():
        for by_rating in rules.edition_on(timezone.localdate()).titles_by_rating:
            codes = [title.code for title in rules.titles if title.ladder in by_rating.without]
            of = Q(player__sex=Sex.WOMAN) if by_rating.women_only else Q()
            enough |= of & Q(
                ~Exists(held.filter(title__in=codes)), list__system=rules.system, rating__gte=by_rating.rating
            )
    # The games may be those of a later list.
    return rated_players().filter(enough).values("player")
