"""The articles of the Rekenregels that findings about reports cite, with rulings."""

from reporting.federations.knsb.checks import FINDING_CODES
from reporting.federations.knsb.details import KnsbDetails
from reporting.rules.details.known_details import details_of
from reporting.rules.findings.catalogue import CODES

_CONDITIONS = "12.1"
"""What is sent in is processed by the conditions of the rating committee: of all other findings and details."""

_CODES_BY_ARTICLE = {
    "13; R80g": (
        "result-unknown forfeit-undecided game-not-rated pause-undecided half-point-bye bye-differs points-differ"
    ),
    "4.1; R80d": "dates-reversed round-dates-differ game-day-differs",
    "4.1, 13; R80d, R84f": "day-of-game-missing",
    "12.2; R84e": "abroad-not-processed",
    "11.1; R84d": "fmjd-id-unknown fmjd-id-unreadable fmjd-id-repeated looks-registered",
}
_DETAILS_BY_ARTICLE = {
    "1; R80a": "time_control minutes_for_60_moves",
    "4.1; R80d": "played_from played_to rounds",
    "13; R84f": "part admit",
    "12.2; R84e": "country fide_processed",
}
_ARTICLES = {
    **{key: _CONDITIONS for key in (*CODES, *FINDING_CODES) if "." not in key},
    **{f"detail.{name}": _CONDITIONS for name in details_of(KnsbDetails)},
    **{code: article for article, codes in _CODES_BY_ARTICLE.items() for code in codes.split()},
    **{f"detail.{name}": article for article, names in _DETAILS_BY_ARTICLE.items() for name in names.split()},
}
ARTICLES = {key: f"Rekenregels art. {article}" for key, article in _ARTICLES.items()}
"""Article by code of a finding or detail, as the facet says."""
