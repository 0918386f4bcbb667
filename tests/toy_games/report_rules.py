"""What reports of the toy league must say and how they are checked (reporting/federations/facet.py)."""

from collections.abc import Mapping
from datetime import date

from reporting.federations.facet import Edition
from reporting.formats.annex_9.fmjd import READER
from reporting.rules.checks import REPORT_CHECKS
from reporting.rules.findings.catalogue.code import Code
from reporting.rules.register.registers import Register
from reporting.rules.regulations.rulings import Ruling
from tests.toy_games.details import LeagueDetails


class LeagueReportRules:
    """Nothing is announced and nothing is late; players meet as often as they like."""

    system = "league"
    name = "Toy league"
    game = "toy games"
    disciplines: Mapping[str, str] = {}
    details = LeagueDetails
    entry_format = READER
    has_rounds = False
    register = Register(
        "league",
        "League register",
        "League number",
        largest=9_999,
        numbers_by_acceptance=False,
        has_clubs=True,
    )
    discipline_titles = ()
    editions = (Edition(in_force_from=date(2024, 1, 1), report_days=None, announcement_days=None),)
    articles: Mapping[str, str] = {
        "detail.division": "League rules art. 3",
        "detail.part": "League rules art. 4",
    }
    checks = (*REPORT_CHECKS,)
    finding_codes: Mapping[str, Code] = {}
    rulings: tuple[Ruling, ...] = ()
