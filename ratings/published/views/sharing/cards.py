"""What other sites show of a page that is shared: title, description, figures; in the page's head and on its image."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext

from ratings.models import RatingList
from ratings.published.selectors.players import PublishedPlayer
from ratings.published.views.list_query import variant_address, variant_heading
from ratings.queries.list_rows import ListVariant
from ratings.queries.tournaments import CountedTournament
from reporting.web.http_cache import office_address
from reporting.web.values import day, days, first_name_first, signed_number, title_label


@dataclass(frozen=True)
class Card:
    """A page in a few words. `path` is its lasting address, `image` that of its image.

    `lines` are shown below the title, on the image one below the other. `type` is that of the Open Graph protocol.
    """

    path: str
    image: str
    kind: str
    title: str
    lines: Sequence[str]
    type: str = "website"

    @property
    def description(self) -> str:
        return ". ".join([self.kind, *self.lines]) + "."


@dataclass(frozen=True)
class Embed:
    """A page for other sites: its path, and the HTML that shows it there."""

    path: str
    html: str


def embed(path: str, title: str, height: int, width: int | str = "100%") -> Embed | None:
    """The HTML to copy, `height` and `width` in pixels; None until the office has an address of its own."""
    if not settings.OFFICE_URL:
        return None
    html = format_html(
        '<iframe src="{}" title="{}" width="{}" height="{}" style="border: 0" loading="lazy"></iframe>',
        office_address(path),
        title,
        width,
        height,
    )
    return Embed(path, html)


def list_card(rating_list: RatingList, variant: ListVariant, players: int | None) -> Card:
    """A list in one of its variants, at its permanent address. No query.

    `players` are all players of the variant; None where the page shows a part of them.
    """
    path = variant_address(rating_list, variant.name)
    lines = [gettext("In force from %(day)s") % {"day": day(rating_list.in_force)}]
    if players is not None:
        lines.append(ngettext("%(number)s player", "%(number)s players", players) % {"number": players})
    return Card(path, f"{path}image.png", variant_heading(rating_list, variant), rating_list.pool.name, lines)


def player_card(player: PublishedPlayer, federation: str) -> Card:
    """A player with the rating of each pool. No query."""
    lines = [federation]
    for history in player.pools.values():
        if not history.entries:
            continue
        newest = history.newest
        values = {
            "pool": history.pool.name,
            "rating": newest.rating,
            "change": signed_number(newest.change) if newest.change else "",
            "rank": newest.official_rank,
        }
        if newest.official_rank:
            lines.append(gettext("%(pool)s: %(rating)s, rank %(rank)s") % values)
        else:
            lines.append(gettext("%(pool)s: %(rating)s") % values)
    return Card(
        reverse("player", args=[player.player.address]),
        reverse("player-image", args=[player.player.address]),
        title_label(player.title) if player.title else gettext("Player"),
        first_name_first(player.row.name),
        lines,
        type="profile",
    )


def tournament_card(found: CountedTournament) -> Card:
    """A tournament with its days and place. No query."""
    tournament = found.tournament
    players = tournament.players or 0
    country = tournament.country.name if tournament.country else ""
    place = ", ".join(filter(None, [tournament.place, country]))
    return Card(
        reverse("tournament", args=[tournament.code]),
        reverse("tournament-image", args=[tournament.code]),
        gettext("Tournament"),
        tournament.name,
        [
            *filter(None, [place]),
            days(tournament.played_from, tournament.played_to),
            ngettext("%(number)s player", "%(number)s players", players) % {"number": players},
        ],
    )
