"""What declarations register when the app starts: refusals, and the labels and links of the audit log."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.log.actions import register_actions, register_fields
from reporting.log.views.log_links import LogLink, register_finders
from reporting.models import User
from reporting.refusals.domain_error import Sentence, register_refusals
from reporting.web.access import refusal_message
from titles.federations.fmjd.models import WorldCupDeclaration
from titles.policies import check_can_see_declarations

REFUSALS: dict[str, Sentence] = {
    "declaration_day": "A declaration for {year} is made from {first:date} to {last:date}.",
    "declaration_day.federation": "A declaration that you record counts from today. The office records an earlier day.",
    "declaration_day.future": "This day is in the future.",
    "declaration_late": (
        "Too late: the first World Cup tournament of {player} in {year} began on {day:date}. "
        "A declaration is made before."
    ),
    "declaration_not_a_woman": "{player} is a man, and is in the open classification already.",
    "declaration_not_a_woman.unknown": "The sex of {player} is not in the register. Enter it there first.",
    "declaration_player_unknown": "No player of the register has the FMJD-ID {number}.",
    "declaration_twice": "{player} has declared for {year} already.",
    "declaration_withdrawn": "This declaration is withdrawn already.",
}


def register() -> None:
    """Add refusals, actions, fields and links of declarations to their registries. Called once, at start."""
    register_refusals(REFUSALS)
    register_actions(
        "titles",
        _("Titles"),
        {
            "declaration.record": _("World Cup declaration recorded"),
            "declaration.withdraw": _("World Cup declaration withdrawn"),
        },
    )
    register_fields({"year": _("Year"), "declared_on": _("Declared on")})
    register_finders({"declaration": _declarations})


def _declarations(numbers: list[str], reader: User) -> Mapping[str, LogLink]:
    keys = [int(number) for number in numbers if number.isdecimal()]
    opens = not refusal_message(check_can_see_declarations, reader)
    found = WorldCupDeclaration.objects.filter(pk__in=keys).select_related("player")
    return {
        str(one.pk): LogLink(
            gettext("Declaration %(number)s") % {"number": one.pk},
            f"{one.player.printed_name}, {one.year}",
            f"{reverse('office-declarations')}?year={one.year}" if opens else "",
        )
        for one in found
    }
