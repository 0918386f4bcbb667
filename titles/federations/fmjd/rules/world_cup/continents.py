"""The continents whose confederations name players for a championship (Annex 17 Appendices A and B; decision 0206)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_FEDERATIONS: Final = {
    "africa": """
        ALG ANG BDI BEN BFA BOT CAF CGO CHA CIV CMR COD COM CPV DJI EGY ERI ETH GAB GAM GBS GEQ GHA GUI KEN LBA LBR
        LES MAD MAR MAW MLI MOZ MRI MTN NAM NGR NIG REU RSA RWA SEN SEY SLE SOM SSD STP SUD SWZ TAN TOG TUN UGA ZAM
        ZIM
    """,
    "america": """
        AHO ANT ARG ARU BAH BAR BER BIZ BOL BRA CAN CAY CHI COL CRC CUB CUW DMA DOM ECU ESA GLP GRN GUA GUF GUY HAI
        HON ISV IVB JAM LCA MEX MTQ NCA PAN PAR PER PUR SKN SUR SXM TTO URU USA VEN VIN
    """,
    "asia": """
        AFG BAN BHU BRN BRU CAM CHN HKG INA IND IRI IRQ JOR JPN KAZ KGZ KOR KSA KUW LAO LBN MAC MAS MDV MGL MYA NEP
        OMA PAK PHI PLE PRK QAT SGP SRI SYR THA TJK TKM TLS TPE UAE UZB VIE YEM
    """,
    "europe": """
        ALB AND ARM AUT AZE BEL BIH BLR BUL CRO CYP CZE DEN ENG ESP EST FIN FRA FRO GBR GEO GER GGY GIB GRE HUN IMN
        IRL ISL ISR ITA JEY KOS LAT LIE LTU LUX MDA MKD MLT MNE MON NED NOR POL POR ROU RUS SCO SLO SMR SRB SUI SVK
        SWE TUR UKR WLS
    """,
}
CONTINENTS: Final[Mapping[str, str]] = MappingProxyType(
    {code: continent for continent, codes in _FEDERATIONS.items() for code in codes.split()}
)
"""The continent of each federation that has one, named as in ``places.csv``."""


def continent_of(code: str) -> str:
    """The continent of a federation; empty for federations of Oceania, to which the annexes give no places (R74b)."""
    return CONTINENTS.get(code, "")
