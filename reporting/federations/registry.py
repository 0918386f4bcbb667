"""The rules of reports of this installation. The app of each federation registers its own when Django starts."""

from collections.abc import Callable, Collection, Mapping, Sequence

from reporting.federations.facet import ApprovedEvent, ReportRules
from reporting.rules.findings.catalogue import CODES

_rules: dict[str, ReportRules] = {}
_find_events: dict[str, Callable[[Collection[int]], Mapping[int, ApprovedEvent]]] = {}


def register_report_rules(rules: ReportRules) -> None:
    """Make the rules of reports of a rating system known.

    Reports may then name the system, its disciplines and the numbers of its register, and are checked by its rules.
    Raises ValueError for titles whose field is of another awarder or discipline.
    """
    known_titles = {
        of_discipline.field: of_discipline
        for other in _rules.values()
        for of_discipline in other.discipline_titles
    }
    for of_discipline in rules.discipline_titles:
        known = known_titles.get(of_discipline.field, of_discipline)
        if (known.awarded_by, known.discipline) != (of_discipline.awarded_by, of_discipline.discipline):
            raise ValueError(f"the field {of_discipline.field} is of {known.awarded_by} {known.discipline}")
    _rules[rules.system] = rules
    CODES.update(rules.finding_codes)


def all_report_rules() -> Sequence[ReportRules]:
    """The rules of reports of each rating system, in the order of INSTALLED_APPS."""
    return tuple(_rules.values())


def report_rules(system: str) -> ReportRules:
    """The rules of reports of a rating system. Raises LookupError where no app registered them."""
    if system not in _rules:
        raise LookupError(
            f"No rules of reports of {system!r} are registered: an app is missing in INSTALLED_APPS."
        )
    return _rules[system]


def known_rules(rating_system: str, discipline: str) -> ReportRules | None:
    """The rules of a tournament: of the named rating system; where none is named, the first with its discipline.

    None where there is no such system.
    """
    if rating_system:
        return _rules.get(rating_system)
    return next((rules for rules in _rules.values() if discipline in rules.disciplines), None)


def rules_of_report(rating_system: str, discipline: str) -> ReportRules:
    """The rules by which a report is read and checked: the `known_rules` of its tournament, else the first ones.

    Raises LookupError where no system is installed.
    """
    rules = known_rules(rating_system, discipline) or next(iter(_rules.values()), None)
    if rules is None:
        raise LookupError("No rules of reports are registered: no federation is installed.")
    return rules


def article_of(rules: ReportRules, key: str) -> str:
    """The article that a finding cites by these rules, by its key in the catalogue; empty where they have none."""
    return rules.articles.get(key) or rules.articles.get(key.partition(".")[0], "")


def first_article(key: str) -> str:
    """The article that a finding cites until the federation of its report is known: that of the first one."""
    return next((article_of(rules, key) for rules in _rules.values()), "")


def system_labels() -> Mapping[str, str]:
    """The registered rating systems: code → name, in the order of INSTALLED_APPS."""
    return {rules.system: rules.name for rules in _rules.values()}


def discipline_labels() -> Mapping[str, str]:
    """The registered disciplines: value → label, in the order of INSTALLED_APPS."""
    return {value: label for rules in _rules.values() for value, label in rules.disciplines.items()}


def register_approved_events(
    action: str, find: Callable[[Collection[int]], Mapping[int, ApprovedEvent]]
) -> None:
    """Have a federation say which announced tournaments, by their keys, are events that it approved.

    `action` is what the log calls an approval, whose subject is the announcement.
    """
    _find_events[action] = find


def approving_actions() -> Collection[str]:
    """The actions of the log that approve an event."""
    return _find_events.keys()


def approved_events(tournaments: Collection[int]) -> Mapping[int, ApprovedEvent]:
    """The approved events among announced tournaments, by key. 1 query a federation that approves any."""
    if not tournaments:
        return {}
    return {key: event for find in _find_events.values() for key, event in find(tournaments).items()}
