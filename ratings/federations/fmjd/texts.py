"""What Annex 9 says in words: texts by code, labels of its numbers, sentences of changes and anomalies."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils import formats
from django.utils.translation import gettext, gettext_lazy, ngettext

from ratings.federations.fmjd.rules.parameters import MonthDay
from ratings.rules.derived_lists import gettext_noop
from ratings.rules.scaled_numbers import decimals, signed
from ratings.rules.values import AnomalyText, RuleText
from reporting.rules.details.time_control import minutes_text

PARAMETER_LABELS = {
    "minimum_performance": gettext_lazy("Lowest provisional performance"),
    "maximum_performance": gettext_lazy("Highest provisional performance"),
    "provisional_games": gettext_lazy("Provisional with fewer counted games than"),
    "k_new": gettext_lazy("K of a new player"),
    "k_new_games": gettext_lazy("New with fewer counted games than"),
    "k_standard": gettext_lazy("K otherwise"),
    "k_reached": gettext_lazy("K of a player who has reached the limit"),
    "k_reached_rating": gettext_lazy("The limit"),
    "pool_threshold_seconds": gettext_lazy("Classical from"),
    "classical_development": gettext_lazy("Development percentage, classical"),
    "rapid_blitz_development": gettext_lazy("Development percentage, rapid-blitz"),
    "closing_days": gettext_lazy("Closing dates, with the dates in force"),
    "report_days": gettext_lazy("Days to report after the last round"),
    "freeze_days": gettext_lazy("First day of the calculation after closing"),
    "announcement_days": gettext_lazy("Days of announcement before the first round"),
    "category_rating": gettext_lazy("Categories: more games from rating"),
    "category_games_below": gettext_lazy("Total games, below it"),
    "category_games_from": gettext_lazy("Total games, from it"),
    "active_rating": gettext_lazy("Active with more games from rating"),
    "active_games": gettext_lazy("Games within the recent years, from it"),
    "official_games": gettext_lazy("Games within the recent years, below it"),
    "recent_years": gettext_lazy("Recent years"),
    "inactive_years": gettext_lazy("Years until category C"),
    "federation_ranking_size": gettext_lazy("Best players of a federation counted"),
    "derived_lists": gettext_lazy("Derived lists"),
}
"""Labels of the parameters that a ruling settles; tests check that none is missing."""

ASSUMPTIONS = (
    gettext_noop("Every game counts 100 %, whatever its time control (article 1.2.2)."),
    gettext_noop("The games of a tournament that a list counts are one event (article 5.3)."),
    gettext_noop(
        "Ratings come from these lists and the list before them, from no earlier one (article 5.2)."
    ),
    gettext_noop(
        "Only ratings on these lists show who has reached the limit for a smaller K (article 3.2.3)."
    ),
)
"""What a comparison with other pools assumes (rules/compare.py)."""


def parameter_text(value: Any, name: str) -> str:
    """A parameter's value as the page shows it, in the language in use."""
    if name == "pool_threshold_seconds":
        return gettext("%(minutes)s for 60 moves") % {"minutes": minutes_text(value)}
    if name == "classical_development":
        template = gettext("from %(minutes)s %(percentage)s %%")
        return "; ".join(
            template % {"minutes": minutes_text(seconds), "percentage": percentage}
            for seconds, percentage in value
        )
    if name == "rapid_blitz_development":
        (over, reduced), (_, full) = value
        return gettext("up to %(minutes)s %(full)s %%, above %(reduced)s %%") % {
            "minutes": minutes_text(over - 1),
            "full": full,
            "reduced": reduced,
        }
    if name == "closing_days":
        template = gettext("%(closing)s for %(in_force)s")
        return "; ".join(
            template % {"closing": _day(closing), "in_force": _day(in_force)} for closing, in_force in value
        )
    if name == "derived_lists":
        return "; ".join(gettext(derived.title) for derived in value)
    return str(value)


def _day(month_and_day: MonthDay) -> str:
    month, day = month_and_day
    return formats.date_format(date(2000, month, day), "j M")


TEXTS = {
    "categories": RuleText(
        gettext_noop(
            "Category A: enough games, with a game in the last 3 years. B: fewer games, or the last one 3 to 5"
            " years ago. C: all others"
        ),
        "Annex 9 art. 6.3",
        ("R12",),
    ),
    "ranks": RuleText(
        gettext_noop(
            "The official list has active players only. The rank is the place on the list shown; equal ratings"
            " share a rank"
        ),
        rulings=("R13",),
    ),
    "closing": RuleText(
        gettext_noop("Tournaments whose last round is on or before the closing date belong to the list")
    ),
    "order": RuleText(gettext_noop("By last day, then by number"), rulings=("R5",)),
    "weight": RuleText(
        gettext_noop("It has the development percentage %(percentage)s %%"), "Annex 9 art. 1.2.2", ("R6",)
    ),
    "basis": RuleText(gettext_noop("It was in force on the first day"), rulings=("R8",)),
    "provisional": RuleText(gettext_noop("provisional")),
    "provisional_change": RuleText(
        gettext_noop(
            "A player with fewer than %(provisional_games)s counted games gets a performance instead of a change"
        )
    ),
    "provisional_rating": RuleText(
        gettext_noop("provisional: fewer than %(provisional_games)s counted games"), rulings=("R7",)
    ),
    "unchanged_rating": RuleText(gettext_noop("Without a counted game a rating stays"), rulings=("R8",)),
    "federation_ranking": RuleText(
        gettext_noop("By the mean rating of their %(federation_ranking_size)s best on the official list"),
        "Annex 12 art. 4e, Annex 17 art. 4f",
        ("R13",),
    ),
    "unranked_federations": RuleText(
        gettext_noop(
            "Federations with fewer than %(federation_ranking_size)s players have no rank and come last"
        )
    ),
    "anomalies": RuleText(
        gettext_noop(
            "Large jump: %(jump_points)s points or more since the previous list, or"
            " %(jump_points_provisional)s or more with fewer than %(provisional_games)s counted games before the"
            " period. Few games: rating %(active_rating)s or more, newly reached or with a game in the period, and"
            " fewer than %(active_games)s counted games in %(recent_years)s years"
        ),
        "Annex 9 art. 6a",
        ("R13",),
    ),
    "rating_goal": RuleText(gettext_noop("K = %(k_reached)s once reached")),
}
"""What pages say of Annex 9, by code."""


ANOMALY_LABELS = {"jump": gettext_noop("Large jump"), "few_games": gettext_noop("Few games")}
"""The kinds of anomalies of players."""


def anomaly_text(kind: str, player: str, values: Mapping[str, int]) -> AnomalyText:
    """What an anomaly says, in the language in use."""
    if kind == "jump":
        points = abs(values["after"] - values["before"])
        title = (
            ngettext("%(name)s gains %(n)s point", "%(name)s gains %(n)s points", points)
            if values["after"] > values["before"]
            else ngettext("%(name)s loses %(n)s point", "%(name)s loses %(n)s points", points)
        )
        games = ngettext("%(n)s game", "%(n)s games", values["games"]) % {"n": values["games"]}
        tournaments = ngettext("%(n)s tournament", "%(n)s tournaments", values["tournaments"])
        text = gettext("From %(before)s to %(after)s: %(games)s, %(tournaments)s") % {
            "before": values["before"],
            "after": values["after"],
            "games": games,
            "tournaments": tournaments % {"n": values["tournaments"]},
        }
        return AnomalyText(title % {"name": player, "n": points}, (RuleText(text),))
    recent = values["games_3_years"]
    title = ngettext(
        "%(name)s has %(rating)s after %(n)s game", "%(name)s has %(rating)s after %(n)s games", recent
    ) % {"name": player, "rating": values["rating"], "n": recent}
    counted = ngettext(
        "%(n)s counted game in 3 years, rating %(rating)s",
        "%(n)s counted games in 3 years, rating %(rating)s",
        recent,
    ) % {"n": recent, "rating": values["rating"]}
    required = gettext("The official list requires %(least)s") % {"least": values["asked"]}
    return AnomalyText(title, (RuleText(counted), RuleText(required, "Annex 9 art. 6a", ("R13",))))


def change_sentence(values: Mapping[str, Any]) -> str:
    """A stored change in one sentence, in the language in use."""
    if not values["games"]:
        return gettext("no change: no counted game")
    figure = (
        gettext("provisional, performance %(performance)s")
        % {"performance": decimals(values["performance_e4"])}
        if values["delta_e4"] is None
        else signed(values["delta_e4"])
    )
    return ngettext(
        "%(figure)s: %(points)s of %(most)s points in %(games)s game against %(average)s on average;"
        " running value %(after)s",
        "%(figure)s: %(points)s of %(most)s points in %(games)s games against %(average)s on average;"
        " running value %(after)s",
        values["games"],
    ) % {
        "figure": figure,
        "points": values["points"],
        "most": 2 * values["games"],
        "games": values["games"],
        "average": decimals(values["average_e4"]),
        "after": decimals(values["after_e4"]),
    }
