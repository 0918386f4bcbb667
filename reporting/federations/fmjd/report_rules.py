"""The facet of the FMJD: Annex 9 as reporting/federations/facet.py asks for it."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from django.utils.translation import gettext_noop

from reporting.federations.fmjd.articles import ARTICLES
from reporting.federations.fmjd.checks import CHECKS
from reporting.federations.fmjd.details import FmjdDetails
from reporting.federations.fmjd.editions import EDITIONS
from reporting.federations.fmjd.titles import DISCIPLINES
from reporting.federations.fmjd.world_cup_checks import FINDING_CODES
from reporting.formats.annex_9.fmjd import READER
from reporting.rules.register.registers import Register
from reporting.rules.regulations.rulings import Ruling, read_rulings


class FmjdReportRules:
    """Annex 9 and the rulings on it."""

    system = "fmjd"
    name = "FMJD"
    game = gettext_noop("draughts")
    disciplines: Mapping[str, str] = {"100": "100 squares", "64": "64 squares"}
    details = FmjdDetails
    entry_format = READER
    has_rounds = True
    # Annex 9 art. 11: n(5); art. 4.2.5.1, 4.2.2.7.
    register = Register("fmjd", "FMJD", "FMJD-ID", largest=99_999, name_letters=17, asks_birth_and_sex=True)
    discipline_titles = DISCIPLINES
    editions = EDITIONS
    articles = ARTICLES
    checks = CHECKS
    finding_codes = FINDING_CODES

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        return read_rulings(Path(__file__).parent / "rulings.toml")
