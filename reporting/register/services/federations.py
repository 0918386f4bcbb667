"""The federations of the register, which come from the countries."""

from collections.abc import Iterable

from reporting.models import Federation
from reporting.rules.register.countries import find_country


def ensure_federations(codes: Iterable[str]) -> None:
    """Create the missing federations of these codes, which are codes of countries.csv."""
    countries = [country for code in sorted(set(codes)) if (country := find_country(code)) is not None]
    Federation.objects.bulk_create(
        (Federation(code=country.code, name=country.name) for country in countries), ignore_conflicts=True
    )
