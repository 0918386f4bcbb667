"""The items of the working rules that findings about reports cite, with rulings."""

from reporting.federations.iccf.checks import FINDING_CODES
from reporting.federations.iccf.details import IccfDetails
from reporting.rules.details.known_details import details_of
from reporting.rules.findings.catalogue import CODES

_RESULTS = "12"
"""Results that were reported are eligible for a list: of all other findings and details."""

_CODES_BY_ITEM = {
    "7; R93b": (
        "result-unknown forfeit-undecided game-not-rated pause-undecided half-point-bye bye-differs points-differ"
    ),
    "8; R91a": "game-day-differs dates-reversed round-dates-differ",
    "11; R93": "level-missing level-of-kind level-out-of-range",
    "11; R93c": "level-missing.part",
    "12, 13; R93a": "registered-before-received registered-in-future game-after-report",
    "18; R94": "substitute-self",
}
_DETAILS_BY_ITEM = {
    "8; R91a": "played_from played_to rounds",
    "11; R93, R93c": "kind level",
    "12; R93a": "received",
    "13; R93a": "delivery registered",
}
_ITEMS = {
    **{key: _RESULTS for key in (*CODES, *FINDING_CODES) if "." not in key},
    **{f"detail.{name}": _RESULTS for name in details_of(IccfDetails)},
    **{code: item for item, codes in _CODES_BY_ITEM.items() for code in codes.split()},
    **{f"detail.{name}": item for item, names in _DETAILS_BY_ITEM.items() for name in names.split()},
}
ARTICLES = {key: f"Working Rules item {item}" for key, item in _ITEMS.items()}
"""Item by code of a finding or detail, as the facet says."""
