"""The facet of the ICCF: the working rules as reporting/federations/facet.py asks for them."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from django.utils.translation import gettext_noop

from reporting.federations.iccf.articles import ARTICLES
from reporting.federations.iccf.checks import CHECKS, FINDING_CODES
from reporting.federations.iccf.details import IccfDetails
from reporting.federations.iccf.editions import EDITIONS
from reporting.federations.iccf.entry_format import LARGEST_NUMBER, READER
from reporting.federations.iccf.titles import DISCIPLINES
from reporting.rules.register.registers import Register
from reporting.rules.regulations.rulings import Ruling, read_rulings


class IccfReportRules:
    """What reports say by the working rules and the rulings on them. A win is one point, a draw half a point."""

    system = "iccf"
    name = "ICCF"
    game = gettext_noop("correspondence chess")
    disciplines: Mapping[str, str] = {}
    details = IccfDetails
    entry_format = READER
    has_rounds = False  # a player may have several games in a round (U17)
    register = Register("iccf", "ICCF", "ICCF number", largest=LARGEST_NUMBER, numbers_by_acceptance=False)
    discipline_titles = DISCIPLINES
    editions = EDITIONS
    articles = ARTICLES
    checks = CHECKS
    finding_codes = FINDING_CODES

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        return read_rulings(Path(__file__).parent / "rulings.toml")
