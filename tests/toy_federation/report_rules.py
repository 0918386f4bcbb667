"""What reports of the toy federation must say and how they are checked (reporting/federations/facet.py)."""

from collections.abc import Mapping
from datetime import date

from reporting.federations.facet import Edition
from reporting.rules.checks import REPORT_CHECKS
from reporting.rules.checks.context import CheckContext
from reporting.rules.findings.catalogue.code import Code
from reporting.rules.register.registers import Register
from reporting.rules.regulations.rulings import Ruling
from tests.toy_federation.details import ToyDetails
from tests.toy_federation.entry_format import READER


def check_all_won(context: CheckContext) -> None:
    """A player who won two or more games, and no other, is looked at (art. 5)."""
    for player in context.read.players:
        points = [
            game.white_points if game.white == player.number else game.black_points
            for game in context.read.games_of.get(player.number, ())
        ]
        if len(points) > 1 and set(points) == {2}:
            context.findings.add("toy-all-won", line=player.line, column=1, field="name", wins=len(points))


class ToyReportRules:
    """Reports name no board and no clock; a win is a point, a draw half a point."""

    system = "toy"
    name = "Toy federation"
    game = "toys"
    disciplines: Mapping[str, str] = {}
    details = ToyDetails
    entry_format = READER
    has_rounds = False
    register = Register("toy", "Toy register", "Toy number", largest=9_999)
    discipline_titles = ()
    editions = (Edition(in_force_from=date(2024, 1, 1), report_days=14, announcement_days=7),)
    articles: Mapping[str, str] = {
        "late-report": "Toy rules art. 3",
        "toy-all-won": "Toy rules art. 5",
        "detail.pieces": "Toy rules art. 6",
        "detail.registered": "Toy rules art. 7",
    }
    checks = (*REPORT_CHECKS, check_all_won)
    finding_codes: Mapping[str, Code] = {
        "toy-all-won": Code(
            "a player who won all games",
            "The player won all {wins} games.",
            "a game that was not won",
            "Check the results.",
            "{wins} wins",
            severity="warning",
        )
    }
    rulings: tuple[Ruling, ...] = ()
