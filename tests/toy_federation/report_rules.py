"""What reports of the toy federation must say and how they are checked (reporting/federations/facet.py)."""

from collections.abc import Callable, Mapping
from datetime import date

from reporting.federations.facet import Edition
from reporting.rules.checks import REPORT_CHECKS
from reporting.rules.register.registers import Register
from reporting.rules.report import PointsScale
from reporting.rules.rulings import Ruling


class ToyReportRules:
    """Reports name no board and no clock; a win is a point, a draw half a point."""

    system = "toy"
    name = "Toy federation"
    disciplines: Mapping[str, str] = {}
    required_details: frozenset[str] = frozenset()
    points_scale = PointsScale.HALVES
    register = Register("toy", "Toy register", "Toy number", largest=9_999)
    title_sections = ()
    editions = (Edition(in_force_from=date(2024, 1, 1), report_days=14, announcement_days=7),)
    articles: Mapping[str, str] = {"late-report": "Toy rules art. 3"}
    checks = REPORT_CHECKS
    rulings: tuple[Ruling, ...] = ()

    def reference_pages(self, print_rulings: Callable[[tuple[Ruling, ...], int], str]) -> Mapping[str, str]:
        return {}
