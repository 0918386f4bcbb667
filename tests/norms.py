"""Norms on published lists as tests of ledgers and applications need them, decided by a member of the title council."""

from django.db import connection

from ratings.models import RatingList
from reporting.models import Player, ResultSet, User
from titles.models import Norm, NormDecision


def published_lists() -> list[RatingList]:
    """The published lists of 100 squares of the demonstration, the oldest first."""
    lists = RatingList.objects.filter(state="published", pool__code="fmjd-100", is_opening=False)
    return list(lists.select_related("pool").order_by("in_force", "revision"))


def give_norm(
    player: Player,
    text: str,
    *,
    by: User,
    rating_list: RatingList | None = None,
    confirmed: bool | None = True,
    **fields,
) -> Norm:
    """A norm `MI red 9` of the next tournament without one of this player; `confirmed` None leaves it undecided."""
    with connection.cursor() as cursor:
        cursor.execute("select open_norms_in_a_test()")
    title, colour, games = text.split()
    rating_list = rating_list or published_lists()[-1]
    counted = ResultSet.objects.filter(manifest_lines__period=rating_list.period_id)
    tournament = fields.pop("tournament", None) or next(
        each
        for each in [*counted.order_by("pk"), *ResultSet.objects.order_by("pk")]
        if not Norm.objects.filter(player=player, result_set=each).exists()
    )
    values = {
        "discipline": "100",
        "kind": "title" if colour == "automatic" else "result",
        "origin": "found",
        "figures": [],
    } | fields
    norm = Norm.objects.create(
        list=rating_list, player=player, result_set=tournament, title=title,
        colour="" if colour == "automatic" else colour,
        games=int(games),
        **values,
    )  # fmt: skip
    if confirmed is not None:
        NormDecision.objects.create(
            norm=norm, is_confirmed=confirmed, reason="" if confirmed else "No.", by=by
        )
    return norm


def give_norms(player: Player, *texts: str, by: User) -> list[Norm]:
    """Confirmed norms, each of a tournament of its own."""
    return [give_norm(player, text, by=by) for text in texts]
