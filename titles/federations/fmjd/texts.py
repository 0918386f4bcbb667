"""The sentences of Annex 10 by their codes: of its requirements, and those of pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from reporting.rules.sentences import IfGiven, Plural, Template, Value
from titles.federations.facet import TitleTexts
from titles.rules.requirement import MISSING

ASKS: Final[Mapping[str, Template]] = {
    # Tournament and group, art. 1.2 and 4.2.
    "development": "Time control of at least {percentage} % development",
    "rounds": Plural("At least {rounds} round", "At least {rounds} rounds", "rounds"),
    "games": Plural("At least {games} game played", "At least {games} games played", "games"),
    "federations": (
        "{federations} federations apart from the organiser's, and {participants} participants from outside it"
    ),
    "round_robin_rated": "{rated} rated players in the round robin",
    "national_rated": "{rated} rated players in the national championship",
    "days": "At most {rounds} rounds a day, and one on the days before and after",
    "in_time": "Announced and reported in time, or admitted",
    "council_approved": "Approved by the Council",
    "referee_stated": "The level of the main referee",
    # Colours, art. 4.4.
    "black_foreign": "{persons} of the group not of its largest federation",
    "black_rated": "{persons} of the group rated",
    "not_national": "Not a national championship",
    "red_development": "Time control of {percentage} % development",
    "red_group": "A group of {persons}",
    "red_foreign": "{persons} of the group not of its largest federation",
    "red_rated": "{persons} of the group rated",
    "red_referee": "An FMJD or international referee",
    "red_titled": "{persons} of the group titled or rated {rating} or more",
    # The title, art. 4.3, 4.5 and 9.
    "woman": "A woman",
    "category": "Group of opponents of category {category} or higher",
    "points": Plural("{points} point in {games} games", "{points} points in {games} games", "points"),
    "titled.4": "{gmi} GMI met",
    "titled.3": "{mi} MI or {gmi} GMI met",
    "titled.2": "{mf} MF met",
    # Places, art. 3, 4.5.11 and 4.7.1.
    "place": "Place {first} to {last}",
    "participants": IfGiven("{least} to {most} participants", "At least {least} participants", "most"),
    "held": "{level} held before the tournament",
    "plus_score": "{score} more wins than losses",
    "taking_part": "Taking part in a World Championship",
    "above.gmi": "Place above {gmi} GMI",
    "above.mi": "Place above {mi} players of MI or higher",
    "above.mf": "Place above {mf} players of MF or higher",
    "above.cmf": "Place above {cmf} players of CMF or higher",
    "above.mi_mf": "Place above {mi} players of MI or higher, or {mf} of MF or higher",
    "percentage": "{percentage} % of the points",
    "champion": "In a Swiss the champion only",
    "cmf_rating": "A rating of {rating} on a list, with {games} games",
    "of_age": "Not over the age of the tournament, or admitted by the office",
    # The ledger, art. 4.6 to 9.
    "ledger.norms": Plural("{norms} norm", "{norms} norms", "norms"),
    "ledger.games": "{games} games in these norms",
    "ledger.red": Plural("{red} red norm", "{red} red norms", "red"),
    "ledger.rating": "A rating of {rating} once",
    "ledger.held": "Own norms for the title {title} held",
}
"""What each requirement asks."""

FOUND: Final[Mapping[str, Template]] = {
    "development": "{percentage} %",
    "rounds": "{rounds}",
    "games": "{games}",
    "federations": "{federations} federations, {participants} of {of} participants",
    "round_robin_rated": "{rated} of {of}",
    "national_rated": "{rated} of {of}",
    "days": Plural("{rounds} a day, {in_a_row:text}", "up to {rounds} a day, {in_a_row:text}", "rounds"),
    "in_time": "{announced:text}, {in_time:text}",
    "council_approved": "{met:text}",
    "referee_stated": "{referee:text}",
    "black_foreign": "{persons} of {of}",
    "black_rated": "{persons} of {of}",
    "not_national": "{met:text}",
    "red_development": "{percentage} %",
    "red_group": "{persons}",
    "red_foreign": "{persons} of {of}",
    "red_rated": "{persons} of {of}",
    "red_referee": "{referee:text}",
    "red_titled": "{persons} of {of}",
    "woman": "{sex:text}",
    "category": IfGiven("category {category}, mean rating {rm}", "no game played", "category"),
    "points": "{points}",
    "titled.4": "{gmi} GMI, {mi} MI, {mf} MF: counted as {counted} GMI",
    "titled.3": "{gmi} GMI, {mi} MI, {mf} MF: counted as {counted} MI",
    "titled.2": "{gmi} GMI, {mi} MI, {mf} MF",
    "place": "place {place}",
    "participants": "{participants}",
    "held": IfGiven("{level}", "none", "level"),
    "plus_score": "{score}",
    "taking_part": "{met:text}",
    "above.gmi": "{gmi}",
    "above.mi": "{mi}",
    "above.mf": "{mf}",
    "above.cmf": "{cmf}",
    "above.mi_mf": "{mi} and {mf}",
    "percentage": "{points} of {most} points",
    "champion": "place {place}",
    "cmf_rating": "{rating}, with {games} games",
    "of_age": "{met:text}",
    "ledger.norms": "{norms}",
    "ledger.games": "{games}",
    "ledger.red": "{red}",
    "ledger.rating": IfGiven("{rating}", "no rating", "rating"),
    "ledger.held": "missing: {norms} norms, {games} games, {red} red norms",
    MISSING: "Missing: {detail:text}",
    f"{MISSING}.opponents_sex": Plural(
        "Missing: the sex of {opponents} unrated opponent; ask the office",
        "Missing: the sex of {opponents} unrated opponents; ask the office",
        "opponents",
    ),
}
"""What was found, by the code of the requirement."""

COUNTS: Final[Mapping[str, Template]] = {
    "ledger.norms": Plural("{norms} norm", "{norms} norms", "norms"),
    "ledger.games": Plural("{games} game", "{games} games", "games"),
    "ledger.red": Plural("{red} red norm", "{red} red norms", "red"),
}
"""How much is missing of what a title counts, by the code of the requirement."""

LACKS: Final[Mapping[str, Template]] = {
    "ledger.rating": "a rating of {rating} once",
    "ledger.held": "new norms for the title {title} held",
    "cmf_rating": "or a rating of {rating} on a list, with {games} games",
}
"""What else a title lacks, by the code of the requirement."""

_DETAILS: Final[Mapping[Value, str]] = {
    "time_control": "the time control",
    "rounds": "the number of rounds",
    "country": "the country",
    "system": "the system of play",
    "dates": "the dates",
    "round_days": "the days of the rounds",
    "referee_level": "the level of the main referee",
    "sex": "the sex of the player; ask the office",
}
_WORDS: Final[Mapping[str, Mapping[Value, str]]] = {
    "detail": _DETAILS,
    "referee": {
        "none": "none",
        "national": "national",
        "international": "international",
        "fmjd": "FMJD",
    },
    "sex": {"": "not known", "M": "man", "W": "woman"},
    "in_a_row": {0: "not more than one on days in a row", 1: "more than one on two days in a row"},
    "announced": {0: "not announced in time", 1: "announced"},
    "in_time": {0: "reported late", 1: "reported in time"},
    "met": {0: "no", 1: "yes"},
    "most": {0: ""},
    "rating": {0: ""},
    "colour": {"black": "Black", "red": "Red"},
    "colour_asked": {"black": "black norms only", "red": "red norms only"},
    "colour_only": {"black": "black only"},
    "colour_players": {"red": "red for {players} players"},
    "colour_prevented": {"red": "No red norm:"},
}
"""Texts of values that are codes; a value without one is shown as it is."""
PAGES: Final[Mapping[str, Template]] = {
    "registration": "A title counts from its registration, for life (Annex 10 art. 1.3).",
    "applications": (
        "The federation applies and pays the fee, the Council approves, the General Assembly confirms."
        " The title council records the approval, an administrator the confirmation; then the office registers the"
        " title (Annex 10 art. 15)."
    ),
    "approval": "Without the Council’s approval a tournament brings no norm.",
    "one_title": "A norm serves one title (Annex 10 art. 4.6).",
    "highest_rating": "Highest rating on a classical list: {rating}.",
    "ignored_game": "Without the won game of round {round} (4.5.2).",
    "ignored": "ignored (4.5.2)",
    "forecast": (
        "The forecast assumes that every round is played, one round a day, that the tournament is announced and"
        " reported in time, and that the Council approves it."
    ),
    "points_by_average": "{points} points if the opponents to come have an average of at least {average} (4.3)",
    "points_by_any": "{points} points against any opponents to come (4.3)",
}
"""What pages say of the rules."""
TEXTS: Final = TitleTexts(ASKS, FOUND, LACKS, COUNTS, _WORDS, PAGES)
