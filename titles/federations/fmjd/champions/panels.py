"""What the pages of a player and of a federation show of medals."""

from collections.abc import Mapping
from typing import Any

from reporting.models import Player, User
from reporting.web.access import refusal_message
from reporting.web.panels import Panel, register_panel
from titles.federations.fmjd.champions.labels import PLACES, championship_label
from titles.federations.fmjd.champions.medals import (
    all_podiums,
    medals_of_federations,
    medals_of_player,
    medals_stamp,
)
from titles.policies import check_can_enter_champions


def player_medals(player: Player) -> Mapping[str, Any]:
    """The medals of a player, the newest first. Queries as `medals_of_player`."""
    return {
        "medals": [
            (podium, championship_label(podium.kind), PLACES[medal.place], medal.place)
            for podium, medal in medals_of_player(player)
        ]
    }


def federation_medals(code: str) -> Mapping[str, Any]:
    """The number of medals of a federation; None without one. 9 queries."""
    counts = medals_of_federations(all_podiums(published=True).podiums)
    return {"code": code, "count": next((count for count in counts if count.federation == code), None)}


def office_link(user: User) -> Mapping[str, Any]:
    """Whether a user may enter champions. No query."""
    return {"may_enter": not refusal_message(check_can_enter_champions, user)}


def register_panels() -> None:
    """Register the panels of a player, of a federation, of titles, of tournaments and of the dashboard."""
    register_panel("player", Panel("titles/champions/player.html", player_medals, medals_stamp))
    register_panel("federation", Panel("titles/champions/federation.html", federation_medals, medals_stamp))
    for page in ("titles", "tournaments"):
        register_panel(page, Panel("titles/champions/links.html", lambda _: {}))
    register_panel("office-dashboard", Panel("titles/champions/office_link.html", office_link))
