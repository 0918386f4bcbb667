"""What championships, places and the acts of the office are called."""

from django.utils.translation import gettext_lazy as _

from titles.federations.fmjd.champions.medals import MedalProblem, ProblemCode
from titles.federations.fmjd.rules.championship_kinds import YOUTH, ChampionshipKind

AREAS = {
    "world": _("World Championship"),
    "european": _("European Championship"),
    "african": _("African Championship"),
    "asian": _("Asian Championship"),
    "american": _("American Championship"),
}
SECTIONS = {"100": _("100 squares"), "64": _("64 squares")}
TEMPOS = {"classic": _("classic"), "rapid": _("rapid"), "blitz": _("blitz")}
GROUPS = {
    "under-23": _("under 23"),
    "juniors": _("juniors"),
    "cadets": _("cadets"),
    "mini-cadets": _("mini cadets"),
    "hopes": _("hopes"),
    "young-stars": _("young stars"),
    "veterans": _("veterans"),
}
PLACES = {1: _("Gold"), 2: _("Silver"), 3: _("Bronze")}
PROBLEMS = {
    ProblemCode.SEVERAL_REPORTS: _(
        "%(tournaments)s are both decided as %(championship)s %(year)s. None brings medals until a decision is changed."
    ),
    ProblemCode.NO_TIME_CONTROL: _(
        "%(tournaments)s: the report has no time control, so its tempo is not known."
    ),
    ProblemCode.NO_PLACES: _("%(tournaments)s: the report has no final places."),
    ProblemCode.ENTERED_TOO: _(
        "%(championship)s %(year)s: medals were entered, and %(tournaments)s reports them. The report counts. Withdraw"
        " what was entered."
    ),
}

LOG_GROUP = _("Titles")
LOG_ACTIONS = {
    "champions.enter": _("Medal entered"),
    "champions.withdraw": _("Entered medal withdrawn"),
    "title_match.refuse": _("Title match refused"),
    "title_match.play": _("Title match played"),
    "title_match.cancel": _("Title match not played"),
    "title_match.withdraw": _("Entry of a title match withdrawn"),
}
LOG_FIELDS = {
    "championship": _("Championship"),
    "year": _("Year"),
    "place": _("Place"),
    "name": _("Name"),
    "source": _("Source"),
    "result": _("Result"),
}


def championship_label(kind: ChampionshipKind) -> str:
    """`World Championship, 100 squares, classic, women`."""
    parts = [AREAS[kind.area], SECTIONS[kind.section], TEMPOS[kind.tempo]]
    if kind.group:
        parts.append(GROUPS[kind.group])
    if kind.women:
        parts.append(_("girls") if kind.group in YOUTH and kind.group != YOUTH[0] else _("women"))
    if kind.teams:
        parts.append(_("teams"))
    return ", ".join(map(str, parts))


def problem_sentence(problem: MedalProblem) -> str:
    """What is wrong with a championship, and what the office does about it."""
    kind, year = problem.championship or (None, "")
    return str(PROBLEMS[problem.code]) % {
        "tournaments": ", ".join(problem.tournaments),
        "championship": championship_label(kind) if kind else "",
        "year": year,
    }
