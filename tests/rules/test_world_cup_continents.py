"""The continents of federations (Annex 17 Appendices A and B; decision 0206)."""

from reporting.rules.register.countries import all_countries
from titles.federations.fmjd.rules.world_cup.continents import CONTINENTS, continent_of
from titles.federations.fmjd.rules.world_cup.parameters import EDITIONS

OCEANIA = {
    "ASA", "AUS", "COK", "FIJ", "FSM", "GUM", "KIR", "MHL", "NCL", "NRU", "NZL", "PLW",
    "PNG", "PYF", "SAM", "SOL", "TGA", "TUV", "VAN",
}  # fmt: skip


def test_every_federation_outside_oceania_has_a_continent_with_places() -> None:
    assert CONTINENTS.keys() == {country.code for country in all_countries()} - OCEANIA
    named = {item.continent for items in EDITIONS[-1].places.values() for item in items} - {""}
    assert set(CONTINENTS.values()) == named
    assert [continent_of(code) for code in ("CIV", "CUW", "KAZ", "ISR", "TUR", "AUS", "XXX")] == [
        "africa", "america", "asia", "europe", "europe", "", "",
    ]  # fmt: skip
