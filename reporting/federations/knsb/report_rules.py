"""The facet of the KNSB: the Rekenregels KNSB rating as reporting/federations/facet.py asks for them."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from django.utils.translation import gettext_noop

from reporting.federations.knsb.articles import ARTICLES
from reporting.federations.knsb.checks import CHECKS, FINDING_CODES
from reporting.federations.knsb.details import COUNTRY, KnsbDetails
from reporting.federations.knsb.editions import EDITIONS
from reporting.federations.knsb.entry_format import LARGEST_NUMBER, READER
from reporting.rules.register.registers import Register
from reporting.rules.regulations.rulings import Ruling, read_rulings


class KnsbReportRules:
    """What reports say by the Rekenregels and the rulings on them. A win is one point, a draw half a point."""

    system = "knsb"
    name = "KNSB"
    game = gettext_noop("chess")
    disciplines: Mapping[str, str] = {}
    details = KnsbDetails
    entry_format = READER
    has_rounds = False  # a player may have several games in a round (U17)
    register = Register(
        "knsb",
        "KNSB",
        "KNSB number",
        largest=LARGEST_NUMBER,
        country=COUNTRY,
        numbers_by_acceptance=False,
        has_clubs=True,
    )
    discipline_titles = ()  # FIDE's titles are on its lists
    editions = EDITIONS
    articles = ARTICLES
    checks = CHECKS
    finding_codes = FINDING_CODES

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        return read_rulings(Path(__file__).parent / "rulings.toml")
