"""The labels of championships: of items, sources and states, and of what acts write into the audit log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from reporting.accounts.own_data import Section, register_sections
from reporting.log.actions import register_actions, register_fields, register_values
from titles.federations.fmjd.models import Championship, DrawnLot, PlaceStep, StandingDecision
from titles.federations.fmjd.rules.world_cup.due_days import DueDays
from titles.federations.fmjd.rules.world_cup.parameters import PlacesOfItem
from titles.federations.fmjd.rules.world_cup.qualification import Kind, Refused, Source
from titles.rules.lifecycle import PlaceState


def register() -> None:
    """Add actions, fields and the sections of own data to their registries. Called once, at start."""
    register_actions(
        "championships",
        _("Championships"),
        {
            "championship.create": _("Championship created"),
            "championship.change": _("Championship changed"),
            "championship.lot": _("Lot recorded"),
            "championship.standing": _("Standing of a federation recorded"),
            **{f"championship.{move.value}": move.label for move in PlaceStep.Move},
        },
    )
    register_fields(
        {
            "kind": _("Kind"),
            "organiser": _("Organiser"),
            "first_day": _("First day"),
            "council_day": _("Council’s day for withdrawals"),
            **TITLE_MATCH,
            "extra_places": _("Extra places"),
            "item": _("Item"),
            "source": _("Source"),
            "players": _("Players"),
            "good_standing": _("In good standing"),
        }
    )
    register_values("kind", Championship.Kind.choices)
    register_values("source", DrawnLot.Source.choices)
    register_sections(
        {
            "steps_of_championships": Section(
                PlaceStep, "by", ("championship", "player", "move", "on", "reason", "at")
            ),
            "standing_of_federations": Section(
                StandingDecision, "by", ("federation", "year", "is_good", "reason", "at")
            ),
        }
    )


TITLE_MATCH = {
    "champion": _("World champion"),
    "opponent": _("Opponent in the title match"),
    "match_played": _("Title match played"),
    "refused": _("Refused the title match"),
    "previous": _("Previous championship"),
}
"""The values of a championship that champions and medals say too."""
ITEMS = {
    Kind.CHAMPION: _("World champion"),
    Kind.TITLE_MATCH: _("Title match and previous championship"),
    Kind.ORGANISER_SPONSOR: _("Organiser or sponsor"),
    Kind.RATING_LEADER: _("First of the rating list"),
    Kind.WORLD_CUP: _("World Cup"),
    Kind.EXTRA_ORGANISER: _("Extra places of the organiser"),
    Kind.EXTRA_FEDERATION: _("Extra places of federations without a player"),
    Kind.EXTRA_RESERVE: _("Extra places of the reserve list"),
}
CONTINENTS = {
    "africa": _("Confederation of Africa"),
    "america": _("Confederation of America"),
    "asia": _("Confederation of Asia"),
    "europe": _("Confederation of Europe"),
}
SOURCES = {
    Source.CHAMPION: _("World champion"),
    Source.OPPONENT: _("Opponent in the title match"),
    Source.FINAL_CLASSIFICATION: _("Previous championship"),
    Source.NAMED: _("Named"),
    Source.RATING: _("Rating list"),
    Source.WORLD_CUP: _("World Cup"),
    Source.RESERVE: _("Reserve list"),
    Source.OPEN: _("Open"),
}
STATES = {
    PlaceState.OPEN: _("open"),
    PlaceState.NAMED: _("not confirmed yet"),
    PlaceState.CONFIRMED: _("confirmed"),
    PlaceState.DECLINED: _("withdrawn, not replaced yet"),
    PlaceState.REPLACED: _("withdrawn and replaced"),
}
REFUSED = {
    Refused.ALREADY_QUALIFIED: _("has a place already"),
    Refused.FEDERATION_LIMIT: _("is over the limit of the federation"),
    Refused.NO_CHAMPIONSHIP: _("is of a federation without a national championship for women"),
    Refused.REPRESENTED: _("is of a federation that has a player already"),
    Refused.TOO_MANY: _("is named beyond the places, and follows a player who withdraws"),
}


def match_label(name: str) -> str:
    """A value of the title match."""
    return str(TITLE_MATCH[name])


def match_value(value: object, names: Mapping[int, str]) -> str:
    """A value of the title match: players with names and FMJD-IDs, yes or no, a code; a dash for none."""
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    players = value if isinstance(value, list) else [value] if isinstance(value, int) else []
    return "; ".join(f"{names[one]} ({one})" for one in players) or str(value or "–")


def item_label(item: PlacesOfItem) -> str:
    """Whose places an item has."""
    return str(CONTINENTS[item.continent] if item.continent else ITEMS[Kind(item.kind)])


def handed_on_notes(items: Sequence[PlacesOfItem], kinds: Sequence[str]) -> list[str]:
    """That places of rating leaders went to the World Cup (R74), by the kinds of all places; none where none did."""
    of_kind = {item.kind: item for item in items}
    leaders = of_kind.get(Kind.RATING_LEADER)
    handed_on = leaders.places - kinds.count(Kind.RATING_LEADER) if leaders else 0
    if leaders is None or not handed_on:
        return []
    said = ngettext(
        "From item %(item)s, %(n)s place went to item %(cup)s: a player of the rating list who is qualified already"
        " takes none there.",
        "From item %(item)s, %(n)s places went to item %(cup)s: players of the rating list who are qualified already"
        " take none there.",
        handed_on,
    )
    return [said % {"item": leaders.item, "cup": of_kind[Kind.WORLD_CUP].item, "n": handed_on}]


ARTICLES = {
    Championship.Kind.WORLD_20: _("Annex 17, Appendix A"),
    Championship.Kind.WORLD_40: _("Annex 17, Appendix B"),
    Championship.Kind.WOMEN_20: _("Annex 12, Appendix A"),
}
"""Where the places of each kind are printed."""


@dataclass(frozen=True)
class DueRow:
    """A paper of a championship with its day, the last one where it has two, and the article."""

    paper: str | Promise
    day: date
    article: str | Promise
    latest: date | None = None


def due_rows(due: DueDays) -> list[DueRow]:
    """The papers of a championship in the order of the articles."""
    article = _("Annex 2 art. 2.1")
    reserves = _("Annex 17 App. C 3, Annex 2 art. 2.1")
    return [
        DueRow(_("Names of the confederations"), due.names_of_confederations, article),
        DueRow(_("Reserve list"), due.reserve_list, reserves, due.reserve_list_latest),
        DueRow(_("List of participants"), due.participants, article),
        DueRow(_("Regulations"), due.regulations, article),
    ]
