"""What the working rules say in words: texts by code, labels of their numbers, sentences of changes and anomalies."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_lazy, ngettext

from ratings.federations.iccf.rules.explain import KIND_LABELS
from ratings.federations.iccf.rules.parameters import KINDS
from ratings.rules.derived_lists import gettext_noop
from ratings.rules.scaled_numbers import decimals, signed
from ratings.rules.values import AnomalyText, RuleText
from reporting.rules.sentences import Plural, Template, sentence

PARAMETER_LABELS = {
    "largest_difference": gettext_lazy("An opponent counts as at most so many points away"),
    "fixed_games": gettext_lazy("A rating is fixed from so many games"),
    "period_points": gettext_lazy("Formula 5 over the period with more games than this number by k"),
    "rating_factor": gettext_lazy("r is this number less R₀ by the divisor"),
    "rating_divisor": gettext_lazy("Divisor of R₀"),
    "weak_rating": gettext_lazy("r is largest up to a rating of"),
    "strong_rating": gettext_lazy("r is least from a rating of"),
    "games_factor_e1": gettext_lazy("g is this number less gₙ by the divisor"),
    "games_divisor": gettext_lazy("Divisor of gₙ"),
    "few_games": gettext_lazy("g is largest up to games"),
    "many_games": gettext_lazy("g is least from games"),
    "levels": gettext_lazy("Assumed ratings by kind of tournament"),
    "largest_national_level": gettext_lazy("Largest assumed rating of a national tournament"),
    "unrated_national_level": gettext_lazy("Assumed rating of a national tournament without a rated player"),
    "jump_points": gettext_lazy("A larger change of a rating is asked about"),
    "first_rating": gettext_lazy("A higher first rating is asked about"),
}
"""Labels of the numbers of an edition; tests check that none is missing."""

ASSUMPTIONS = (
    gettext_noop("All games are played on the server, without substitutes (items 12 and 18)."),
    gettext_noop("A player without a rating has the level of a friendly match, 1800 (item 11)."),
    gettext_noop("A game begins on its day (item 8)."),
    gettext_noop("A rating on few games stands as so many draws against itself (items 14 and 15)."),
)
"""What a comparison with other pools assumes (rules/compare.py)."""


def parameter_text(value: Any, name: str) -> str:
    """A number as the method page shows it, in the language in use."""
    if name == "levels":
        kinds: dict[int, list[str]] = {}
        for kind, level in zip(KINDS, value, strict=True):
            kinds.setdefault(level, []).append(sentence("{kind:text}", {"kind": KIND_LABELS[kind]}))
        return "; ".join(f"{level} {' / '.join(of_level)}" for level, of_level in kinds.items() if level)
    return decimals(value, 1) if name == "games_factor_e1" else str(value)


TEXTS = {
    "article": RuleText(gettext_noop("item")),
    "closing": RuleText(
        gettext_noop(
            "A list counts results that were reported by the closing date, and by post or e-mail also registered before"
            " the day of the freeze"
        ),
        "Working Rules item 12, 13",
        ("R93a",),
    ),
    "counting": RuleText(
        gettext_noop(
            "That is the day of the report. Results by post and e-mail that were registered too late for its list count"
            " on the first one for which they were in time"
        ),
        "Working Rules item 12, 13",
        ("R93a",),
    ),
    "registration": RuleText(
        gettext_noop(
            "Results by post and e-mail that were reported by then may be registered until the freeze: accept their"
            " reports below"
        ),
        "Working Rules item 13",
        ("R93a",),
    ),
    "registered_late": RuleText(
        gettext_noop("The results were registered too late for the list of the day of the report"),
        "Working Rules item 12, 13",
        ("R93a",),
    ),
    "ranks": RuleText(gettext_noop("Equal ratings share a rank")),
    "games": RuleText(gettext_noop("New games are the counted games of the period, games those in all")),
    "order": RuleText(gettext_noop("All games count at once; the order shown is by tournament and round")),
    "basis": RuleText(
        gettext_noop("Each game has the ratings of the list in force on the day it began"),
        "Working Rules item 8",
        ("R91",),
    ),
    "unchanged_rating": RuleText(
        gettext_noop("Without a counted game the rating of the list before stays"), "Working Rules item 6"
    ),
    "provisional": RuleText(gettext_noop("formula 5")),
    "provisional_rating": RuleText(
        gettext_noop("the rating is calculated again, from the games together"),
        "Working Rules item 5, 14 to 16",
        ("R92",),
    ),
    "anomalies": RuleText(
        gettext_noop(
            "Large change: more than %(jump_points)s points since the previous list. High first rating: above"
            " %(first_rating)s. Many games: more than %(period_points)s / k. Opponents far away: difference of"
            " ratings over %(largest_difference)s in more than half of the games"
        )
    ),
}
"""What pages say of the working rules, by code."""

ANOMALY_LABELS = {
    "many_games": gettext_noop("Many games"),
    "first": gettext_noop("High first rating"),
    "jump": gettext_noop("Large change"),
    "limited": gettext_noop("Opponents far away"),
    "level": gettext_noop("Other assumed rating"),
    "part_gap": gettext_noop("Parts missing"),
}
"""The kinds of anomalies that the engine finds."""

_GAMES = Plural("{games} counted game", "{games} counted games", "games")
_ANOMALIES: Mapping[str, tuple[Template, Template, str, tuple[str, ...]]] = {
    "many_games": (
        Plural("{name}: {games} game in one period", "{name}: {games} games in one period", "games"),
        "With more than {most} games the rating is calculated from these games alone",
        "16",
        ("R92",),
    ),
    "first": ("{name} begins at {after}", _GAMES, "14", ("R92b",)),
    "jump": (
        Plural("{name} gains {points} point", "{name} gains {points} points", "points"),
        _GAMES,
        "5, 6",
        ("R90", "R91"),
    ),
    "jump.loss": (
        Plural("{name} loses {points} point", "{name} loses {points} points", "points"),
        _GAMES,
        "5, 6",
        ("R90", "R91"),
    ),
    "limited": (
        "{name}: opponents far away",
        "In {limited} of {games} games the difference of ratings is limited. Check the numbers of the reports",
        "5, 8",
        ("R90", "R91"),
    ),
    "level": (
        "{name}: assumed rating {level}",
        "Usual for this kind of tournament is {usual}",
        "11",
        ("R93",),
    ),
    "part_gap": (
        Plural(
            "{name}: {missing} part before part {part} is missing",
            "{name}: {missing} parts before part {part} are missing",
            "missing",
        ),
        "The games of a missing part count on a later list",
        "12",
        ("R93a",),
    ),
}
"""Title, sentence, item and rulings of each kind of anomaly."""


def anomaly_text(kind: str, subject: str, values: Mapping[str, Any]) -> AnomalyText:
    """What an anomaly says, in the language in use."""
    given = {"name": subject, **values}
    if kind == "jump":
        given["points"] = abs(values["after"] - values["before"])
        kind = "jump" if values["after"] > values["before"] else "jump.loss"
    title, text, item, rulings = _ANOMALIES[kind]
    note = RuleText(sentence(text, given), f"Working Rules item {item}", rulings)
    return AnomalyText(sentence(title, given), [note])


def change_sentence(values: Mapping[str, Any]) -> str:
    """The stored changes of a tournament in one sentence, in the language in use."""
    if not values["games"]:
        return gettext("no change: no counted game")
    scored = ngettext(
        "%(points)s of %(games)s point in %(games)s game",
        "%(points)s of %(games)s points in %(games)s games",
        values["games"],
    ) % {"points": f"{values['points'] / 2:g}", "games": values["games"]}
    if values["added_e4"] is None:
        return gettext("formula 5: %(scored)s") % {"scored": scored}
    return gettext("%(change)s: %(scored)s") % {"change": signed(values["added_e4"]), "scored": scored}
