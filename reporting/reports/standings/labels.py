"""Sentences of standings: tie-breaks, methods for unplayed games, and what a round counted as."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from reporting.rules.standings.cross_table import Kind
from reporting.rules.standings.exact import Counted, decimal
from reporting.rules.standings.explain import Explanation
from reporting.rules.standings.fide import Edition
from reporting.rules.standings.registry import TIE_BREAKS, TieBreak

EDITION_LABELS: Mapping[str, Promise | str] = {
    Edition.E2023: "2023",
    Edition.E2026_03: gettext_lazy("March 2026"),
}

COUNTED: Mapping[Counted, Promise] = {
    Counted.GAME: gettext_lazy("game"),
    Counted.SCHEDULED_OPPONENT: gettext_lazy("scheduled opponent"),
    Counted.NOTHING: gettext_lazy("no opponent: 0"),
    Counted.SELF: gettext_lazy("draw against oneself"),
    Counted.VIRTUAL_OPPONENT: gettext_lazy("virtual opponent"),
    Counted.OWN_SCORE: gettext_lazy("opponent with the player’s own score"),
    Counted.DUMMY: gettext_lazy("dummy"),
    Counted.AVERAGE: gettext_lazy("average of the opponents played"),
    Counted.ACTUAL_SCORE: gettext_lazy("actual score of the opponent"),
    Counted.LEFT_OUT: gettext_lazy("not counted"),
}

KINDS: Mapping[Kind, Promise] = {
    Kind.PLAYED: gettext_lazy("game"),
    Kind.FORFEIT: gettext_lazy("forfeit"),
    Kind.PAUSE: gettext_lazy("pause"),
    Kind.HALF_POINT_BYE: gettext_lazy("half-point bye"),
    Kind.ABSENT: gettext_lazy("missed round"),
    Kind.REST: gettext_lazy("no round"),
}


METHOD_LABELS: Mapping[str, Promise] = {
    "face-value": gettext_lazy("Face value"),
    "draw-self": gettext_lazy("Draw against oneself"),
    "virtual": gettext_lazy("Virtual opponent"),
    "virtual-adjusted": gettext_lazy("Virtual opponent, adjusted"),
    "ignore": gettext_lazy("Unplayed games ignored"),
    "fair-draw": gettext_lazy("Fair: draws after a retirement"),
    "fair-avg": gettext_lazy("Fair: score prorated"),
    "fair-bavg": gettext_lazy("Fair: average over the board"),
    "fair-tied": gettext_lazy("Fair: average of the tied players"),
    "fair-zero": gettext_lazy("Fair: nothing after a retirement"),
}

SHORT_NAMES: Mapping[str, Promise] = {
    "median": gettext_lazy("Median"),
    "short": gettext_lazy("Short"),
    "full": gettext_lazy("Full"),
    "plus": gettext_lazy("Plus"),
    "baliakin": gettext_lazy("Baliakin"),
    "sb": gettext_lazy("Sonneborn"),
    "aro": gettext_lazy("Opponents"),
    "tpr": gettext_lazy("Performance"),
    "mutual": gettext_lazy("Mutual"),
    "classification": gettext_lazy("In order"),
    "mutual-plus": gettext_lazy("Mutual +"),
    "classification-plus": gettext_lazy("In order +"),
    "decided": gettext_lazy("Decided"),
    "individual": gettext_lazy("Individual"),
    "boards": gettext_lazy("Boards"),
    "own": gettext_lazy("Rating"),
    "SB": gettext_lazy("Sonneborn"),
    "ARO": gettext_lazy("Opponents"),
    "TPR": gettext_lazy("Performance"),
    "DE": gettext_lazy("Direct"),
    "WIN": gettext_lazy("Wins"),
    "WON": gettext_lazy("Won"),
    "BPG": gettext_lazy("Black"),
    "PS": gettext_lazy("Progressive"),
    "KS": gettext_lazy("Koya"),
}
"""Tie-breaks as narrow headings; the others have their names."""

SHORT_METHODS: Mapping[str, Promise] = {
    "face-value": gettext_lazy("Face"),
    "draw-self": gettext_lazy("Self"),
    "virtual": gettext_lazy("Virtual"),
    "virtual-adjusted": gettext_lazy("Adjusted"),
    "ignore": gettext_lazy("Ignored"),
    "fair-draw": gettext_lazy("Draws"),
    "fair-avg": gettext_lazy("Prorated"),
    "fair-bavg": gettext_lazy("Average"),
    "fair-tied": gettext_lazy("Tied"),
    "fair-zero": gettext_lazy("Nothing"),
}
"""Methods for unplayed games as narrow headings."""

TIE_BREAK_GROUPS: Sequence[tuple[Promise, Sequence[str]]] = (
    (
        gettext_lazy("Annex 5 art. 3.1"),
        [key for key, each in TIE_BREAKS.items() if "Annex 5" in each.article],
    ),
    (gettext_lazy("Round robin, Annex 3 art. 5.11"), ["wins", "mutual", "classification"]),
    (gettext_lazy("World Championship, Annex 17 art. 10"), ["mutual-plus", "classification-plus"]),
    (gettext_lazy("Decided by the tournament, Annex 3 art. 5.10"), ["decided"]),
    (gettext_lazy("Teams, Annex 3 art. 5.11"), ["individual", "boards"]),
    (gettext_lazy("FIDE C.07"), [key for key in TIE_BREAKS if key.isupper()]),
    (
        gettext_lazy("Papers of the FIDE Technical Commission"),
        [key for key in TIE_BREAKS if key.startswith(("sivakasi", "avb", "aaso"))],
    ),
)


def tie_break_label(tie_break: TieBreak) -> str:
    """Return a tie-break as lists offer it: `short – Short truncated Solkoff`."""
    return gettext("%(key)s – %(name)s") % {"key": tie_break.key, "name": gettext(tie_break.name)}


def tie_break_choices() -> list[tuple[Promise, list[tuple[str, str]]]]:
    """Return all tie-breaks to choose from, under the rules that define them."""
    return [
        (group, [(key, tie_break_label(TIE_BREAKS[key])) for key in keys]) for group, keys in TIE_BREAK_GROUPS
    ]


@dataclass(frozen=True)
class Part:
    """One round in a sum as people read it, and why it is not a game or not counted."""

    text: str
    kept: bool
    note: str


def sum_parts(explanation: Explanation) -> list[Part]:
    """Return the rounds of a tie-break as parts of a sum."""
    parts = []
    for each in explanation.rounds:
        if each.counted is Counted.LEFT_OUT:
            continue
        text = value_text(each.score)
        if each.weight is not None:
            text = f"{value_text(each.weight)}×{text}"
        notes = []
        if each.counted is not Counted.GAME:
            notes.append(str(COUNTED[each.counted]))
        if not each.kept:
            notes.append(gettext("cut"))
        parts.append(Part(text, each.kept, ", ".join(notes)))
    return parts


def value_text(value: Fraction | list[Fraction] | None) -> str:
    """Return a value as people read it: whole, with at most four decimals, several of them, or a dash for none."""
    if value is None:
        return "–"
    if isinstance(value, list):
        return " ".join(map(value_text, value)) or "–"
    return f"{decimal(value):f}".rstrip("0").rstrip(".")
