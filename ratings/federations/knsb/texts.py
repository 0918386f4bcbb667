"""What the Rekenregels say in words: texts by code, labels of their numbers, sentences of changes and anomalies."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils import formats
from django.utils.translation import gettext, gettext_lazy, ngettext

from ratings.federations.knsb.rules.explain import Note
from ratings.federations.knsb.rules.parameters import TEMPOS
from ratings.rules.derived_lists import gettext_noop
from ratings.rules.scaled_numbers import signed
from ratings.rules.values import AnomalyText, RuleText
from reporting.rules.details.time_control import minutes_text
from reporting.rules.sentences import IfGiven, Plural, Template, sentence

PARAMETER_LABELS = {
    "klassiek_seconds": gettext_lazy("Klassiek from"),
    "blitz_seconds": gettext_lazy("Blitz up to"),
    "deviation": gettext_lazy("Standard deviation of the expected score"),
    "least_klassiek_rating": gettext_lazy("Least klassiek rating that is valid in rapid and blitz"),
    "short_tournament_days": gettext_lazy("Days of a klassiek tournament with one calculation date"),
    "foreigner_years": gettext_lazy("Years without a game after which a foreigner has the FIDE rating"),
    "foreigner_klassiek_rating": gettext_lazy("Foreigners: FIDE klassiek rating over"),
    "foreigner_rapid_blitz_rating": gettext_lazy("Foreigners: FIDE rapid or blitz rating over"),
    "start_rating_span": gettext_lazy("Start rating: points for all games won"),
    "waiting_months": gettext_lazy("Months for which games wait"),
    "youth_age": gettext_lazy("Age of a youth player on 31 December, up to"),
    "least_performance_games": gettext_lazy("Games that a TLPR needs"),
    "performance_games": gettext_lazy("Games up to which a TLPR is filled with draws"),
    "age_rating_a_year": gettext_lazy("Age rating: points a year"),
    "least_age_rating": gettext_lazy("Lowest age rating"),
    "largest_age_rating": gettext_lazy("Highest age rating"),
    "least_performance": gettext_lazy("Lowest TLPR"),
    "least_senior_opponent": gettext_lazy("Rapid: lowest rating of an adult opponent"),
    "factor_constant": gettext_lazy("k is this number by the root of N_v"),
    "youth_games": gettext_lazy("Youth: below so many games in N_v"),
    "adult_games": gettext_lazy("Others: below so many games in N_v"),
    "youth_factor": gettext_lazy("k of youth from then on"),
    "adult_factor": gettext_lazy("k of others from then on"),
    "strong_factor": gettext_lazy("k of the strongest"),
    "falling_factor_rating": gettext_lazy("k falls from a rating of"),
    "strong_rating": gettext_lazy("k of the strongest from a rating of"),
    "youth_points_a_step": gettext_lazy("Youth: points for which k falls by 1"),
    "adult_points_a_step": gettext_lazy("Others: points for which k falls by 1"),
    "largest_n_v": gettext_lazy("Most games in N_v"),
    "fide_games": gettext_lazy("N_v of a FIDE rating: this number by the K of FIDE"),
    "fide_factor": gettext_lazy("K of FIDE where its list has none"),
    "halving_n_v": gettext_lazy("k is halved against youth with N_v below"),
    "least_rating": gettext_lazy("Lowest rating"),
    "least_youth_rapid_rating": gettext_lazy("Lowest rating of youth in rapid"),
    "bonus_rating": gettext_lazy("Bonus up to a rating of"),
    "limit_points": gettext_lazy("Points beyond the LPR, or beyond R_i"),
    "inactive_years": gettext_lazy("Years without a game after which N_v falls"),
    "inactive_games": gettext_lazy("Games by which N_v falls each year"),
    "least_inactive_n_v": gettext_lazy("N_v does not fall below"),
    "lapse_months": gettext_lazy("Rapid and blitz ratings of youth who are no members lapse after months"),
    "season_month": gettext_lazy("A season begins in"),
    "left_month": gettext_lazy("Who left in a season is listed until"),
    "clubs": gettext_lazy("Numbers of clubs"),
    "other_memberships": gettext_lazy("Numbers of other memberships"),
    "publication_games": gettext_lazy("Games before a first publication"),
    "publication_months": gettext_lazy("Months in which they were played"),
    "report_months": gettext_lazy("Months within which games are reported"),
}
"""Labels of the numbers that a ruling settles; tests check that none is missing."""

ASSUMPTIONS = (
    gettext_noop("No FIDE list is read (article 4), and no bonus is added (article 9.1)."),
    gettext_noop("Every player is a member and has a number (articles 10 and 11)."),
    gettext_noop(
        "A rating on the list before rests on its number of games, up to the maximum (article 7.1)."
    ),
    gettext_noop(
        "All games are played in the Netherlands (article 12.2), and count at any age (article 13)."
    ),
    gettext_noop("Games of players without a rating wait from the first of these lists on (article 5.2)."),
)
"""What a comparison with other pools assumes (rules/compare.py)."""


def parameter_text(value: Any, name: str) -> str:
    """A number as the method page shows it, in the language in use."""
    if name.endswith("_seconds"):
        return gettext("%(minutes)s for 60 moves") % {"minutes": minutes_text(value)}
    if name == "deviation":
        return "{} / {}".format(*value)
    if name in ("waiting_months", "least_performance"):
        return "; ".join(f"{tempo} {number}" for tempo, number in zip(TEMPOS, value, strict=True) if number)
    if name in ("season_month", "left_month"):
        return formats.date_format(date(2000, value, 1), "F")
    if name in ("clubs", "other_memberships"):
        ranges = (value,) if name == "clubs" else value
        return "; ".join(gettext("%s to %s") % (f"{first:06}", f"{last:06}") for first, last in ranges)
    return str(value)


TEXTS = {
    "closing": RuleText(
        gettext_noop(
            "A list counts reports whose last game was played by the closing date. Older games than %(report_months)s"
            " months count only if the rating officer admits them"
        ),
        "Rekenregels art. 13",
        ("R84f",),
    ),
    "ranks": RuleText(gettext_noop("Equal ratings share a rank")),
    "order": RuleText(
        gettext_noop("All games count at once; the order shown is by calculation date, then by number"),
        rulings=("R82a",),
    ),
    "basis": RuleText(
        gettext_noop("Each game has the ratings of the newest lists on its calculation date"),
        "Rekenregels art. 4, 4.1",
        ("R80b", "R80d"),
    ),
    "unchanged_rating": RuleText(
        gettext_noop("Without a counted game the rating of the list before stays"),
        "Rekenregels art. 8, 9",
        ("R82b",),
    ),
    "provisional": RuleText(gettext_noop("first rating")),
    "provisional_rating": RuleText(
        gettext_noop("no valid rating: the start rating is that of the games"),
        "Rekenregels art. 5.1",
        ("R81c",),
    ),
    "no_change": RuleText(
        gettext_noop("The opponent has no rating that counts, or another list counts the game"),
        "Rekenregels art. 6.1, 5.2, 13",
        ("R81b", "R84f"),
    ),
    "anomalies": RuleText(
        gettext_noop(
            "Large change: more than %(jump_points)s points since the previous list. High first rating: above"
            " %(first_rating)s. Many players without a rating: more than %(performances_a_report)s in a report."
            " Old FIDE list: more than %(fide_list_days)s days"
        )
    ),
    "waiting": RuleText(
        gettext_noop(
            "Games of a player who was never on a list of the pool wait for the first one that can show the player"
        ),
        "Rekenregels art. 5.2",
        ("R81b",),
    ),
}
"""What pages say of the Rekenregels, by code."""

ANOMALY_LABELS = {
    "jump": gettext_noop("Large change"),
    "first": gettext_noop("High first rating"),
    "fide_gone": gettext_noop("FIDE number gone"),
    "fide_twice": gettext_noop("FIDE number twice"),
    "too_old": gettext_noop("Games too old"),
    "tlpr": gettext_noop("Many players without a rating"),
    "fide_old": gettext_noop("Old FIDE list"),
    "no_members": gettext_noop("No memberships"),
}
"""The kinds of anomalies that the engine finds."""


_GAMES = Plural("{games} counted game", "{games} counted games", "games")
_ANOMALIES: Mapping[str, tuple[Template, Template, str, tuple[str, ...]]] = {
    "jump": (
        Plural("{name} gains {points} point", "{name} gains {points} points", "points"),
        _GAMES,
        "9",
        ("R82",),
    ),
    "jump.loss": (
        Plural("{name} loses {points} point", "{name} loses {points} points", "points"),
        _GAMES,
        "9",
        ("R82",),
    ),
    "first": ("{name} begins at {after}", _GAMES, "5.1, 11.2", ("R81b", "R84c")),
    "fide_gone": (
        "{name} is not on the newest FIDE list",
        "The FIDE number {fide} was on an earlier list. Check the number in the register",
        "4 a",
        ("R80c",),
    ),
    "fide_twice": (
        "{name} shares a FIDE number",
        "Another player has the FIDE number {fide} too: one of the two is wrong",
        "4",
        ("R80b",),
    ),
    "too_old": (
        Plural("{name}: {games} game is too old", "{name}: {games} games are too old", "games"),
        "They do not count, unless the rating officer admits the report with a reason",
        "13",
        ("R84f",),
    ),
    "tlpr": (
        Plural(
            "{name}: {players} player without a rating",
            "{name}: {players} players without a rating",
            "players",
        ),
        "Their performance in the tournament counts as their rating. Check the numbers of the report",
        "6.1.b, 6.3",
        ("R83",),
    ),
    "fide_old": (
        "A FIDE list is old",
        IfGiven("The newest list of {kind} is that of {day:date}", "There is no list of {kind}", "day"),
        "4",
        ("R80b",),
    ),
    "no_members": (
        "No memberships are imported",
        "Every player counts as a member, and no rating of a foreigner lapses",
        "10, 11.2",
        ("R84b",),
    ),
}
"""Title, sentence, article and rulings of each kind of anomaly."""


def anomaly_text(kind: str, subject: str, values: Mapping[str, Any]) -> AnomalyText:
    """What an anomaly says, in the language in use. `fide_old` has a sentence for each kind of list."""
    given = {"name": subject, **values}
    if kind == "jump":
        given["points"] = abs(values["after"] - values["before"])
        kind = "jump" if values["after"] > values["before"] else "jump.loss"
    title, text, article, rulings = _ANOMALIES[kind]
    about = [given]
    if kind == "fide_old":
        about = [{"kind": str(Note(name)), "day": day} for name, day in sorted(values.items())]
    notes = [RuleText(sentence(text, one), f"Rekenregels art. {article}", rulings) for one in about]
    return AnomalyText(sentence(title, given), notes)


def change_sentence(values: Mapping[str, Any]) -> str:
    """The stored changes of a tournament in one sentence, in the language in use."""
    if not values["games"]:
        return gettext("no change: no counted game")
    return ngettext(
        "%(change)s: %(points)s of %(games)s point in %(games)s game",
        "%(change)s: %(points)s of %(games)s points in %(games)s games",
        values["games"],
    ) % {
        "change": signed(values["added_e4"]),
        "points": f"{values['points'] / 2:g}",
        "games": values["games"],
    }
