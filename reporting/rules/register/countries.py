"""Countries and federations: one code each, and the other codes for it.

The canonical code is the one of FMJD's lists where they are known, else that of the International Olympic
Committee. Aliases are the codes of ISO 3166 (two and three letters), of the
Olympic Committee and FMJD's own (RDF for Russia, CAR for the Central African Republic). If one code means
two countries, the Olympic and FMJD meaning counts: BRN is Bahrain, so Brunei is BRU or BN.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.names.plain_text import plain_text

COUNTRIES_FILE = Path(__file__).with_name("countries.csv")


@dataclass(frozen=True)
class Country:
    """A country or territory with a federation: its code here, its name, and its other codes.

    `other_names` are names that readers search by: others in English, those of its own language, French ones.
    """

    code: str
    name: str
    aliases: tuple[str, ...]
    other_names: tuple[str, ...]

    @property
    def searched_text(self) -> str:
        """Everything that a search finds it by."""
        return " ".join((self.name, self.code, *self.aliases, *self.other_names))


@cache
def all_countries() -> tuple[Country, ...]:
    """Return every country of countries.csv, by code."""
    with COUNTRIES_FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            Country(
                row["code"],
                row["name"],
                tuple(row["aliases"].split()),
                tuple(filter(None, row["other_names"].split(";"))),
            )
            for row in csv.DictReader(file)
        )


@cache
def _by_any_code() -> Mapping[str, Country]:
    return MappingProxyType(
        {code: country for country in all_countries() for code in (country.code, *country.aliases)}
    )


@cache
def _by_name() -> Mapping[str, Country]:
    """The countries by their normalized names; a name that two countries have is none."""
    named: dict[str, list[Country]] = {}
    for country in all_countries():
        for name in dict.fromkeys(map(normalize_name, (country.name, *country.other_names))):
            named.setdefault(name, []).append(country)
    return MappingProxyType({name: found[0] for name, found in named.items() if len(found) == 1})


def find_country_by_code(written: str) -> Country | None:
    """Return the country with this code or alias, whatever its case; None if it is unknown."""
    code = plain_text(written)
    # Outside ASCII upper() makes letters that were not written: the dotless ı would become the I of IT.
    return _by_any_code().get(code.upper()) if code.isascii() else None


def find_country(written: str) -> Country | None:
    """Return the country with this code, alias or name, whatever its case and accents; None if it is unknown.

    A code counts before a name.
    """
    return find_country_by_code(written) or _by_name().get(normalize_name(written))


def country_code(written: str) -> str:
    """Return the code used here for a code, alias or name, empty if it is unknown."""
    country = find_country(written)
    return country.code if country else ""
