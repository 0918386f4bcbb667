"""What the pages of a player show of titles."""

from reporting.web.panels import Panel, register_panel
from titles.queries.ledgers import player_ledgers
from titles.queries.norms import norms_by_tournament


def register_panels() -> None:
    """Register the panels of the player's page and of the table of tournaments."""
    register_panel(
        "player",
        Panel(
            "titles/player_ledger.html",
            lambda player: {"ledger": player_ledgers([player], with_applications=False)[0]},
        ),
    )
    register_panel(
        "player-tournaments",
        Panel("titles/norms_of_tournament.html", lambda player: {"norms": norms_by_tournament(player)}),
    )
