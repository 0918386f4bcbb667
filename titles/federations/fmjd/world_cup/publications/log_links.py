"""The labels of what publications write: actions, fields, states and links in the audit log."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.log.actions import register_actions, register_fields, register_values
from reporting.log.views.log_links import LogLink, register_finders
from reporting.models import User
from reporting.web.access import refusal_message
from titles.federations.fmjd.models import Publication
from titles.federations.fmjd.world_cup.publications.kinds import label_of
from titles.policies import check_can_see_world_cup


def register() -> None:
    """Add the actions, fields, states and links of publications to their registries. Called once, at start."""
    register_actions(
        "publications",
        _("World Cup and championships"),
        {
            "publication.request": _("Publication requested"),
            "publication.approve": _("Publication approved"),
            "publication.publish": _("Publication published"),
            "publication.withdraw": _("Draft of a publication withdrawn"),
        },
    )
    register_values("state", Publication.State.choices)
    register_fields({"address": _("Address")})
    register_finders({"publication": _publications})


def _publications(numbers: list[str], reader: User) -> Mapping[str, LogLink]:
    opens = not refusal_message(check_can_see_world_cup, reader)
    keys = [int(number) for number in numbers if number.isdecimal()]
    return {
        str(one.pk): LogLink(
            gettext("Publication %(number)s") % {"number": one.pk},
            label_of(one),
            reverse("office-publication", args=[one.pk]) if opens else "",
        )
        for one in Publication.objects.filter(pk__in=keys)
    }
