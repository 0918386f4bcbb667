"""Links of the audit log to entered medals and title matches."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils.translation import gettext

from reporting.log.views.log_links import LogLink, register_finders
from reporting.models import User
from reporting.web.access import refusal_message
from titles.federations.fmjd.champions.labels import championship_label
from titles.federations.fmjd.models import EnteredMedal
from titles.federations.fmjd.rules.championship_kinds import ChampionshipKind
from titles.policies import check_can_enter_champions


def register() -> None:
    """Add the finders of medals and title matches to their registry. Called once, at start."""
    register_finders({"medal": _medals, "title-match": _title_matches})


def _medals(numbers: list[str], reader: User) -> Mapping[str, LogLink]:
    opens = not refusal_message(check_can_enter_champions, reader)
    keys = [int(number) for number in numbers if number.isdecimal()]
    return {
        str(one.pk): LogLink(
            gettext("Medal %(number)s") % {"number": one.pk},
            f"{championship_label(ChampionshipKind.of(one.championship))} {one.year}",
            reverse("office-champions") if opens else "",
        )
        for one in EnteredMedal.objects.filter(pk__in=keys)
    }


def _title_matches(keys: list[str], reader: User) -> Mapping[str, LogLink]:
    opens = not refusal_message(check_can_enter_champions, reader)
    found = {}
    for key in keys:
        code, _, year = key.rpartition("-")
        found[key] = LogLink(
            gettext("Title match"),
            f"{championship_label(ChampionshipKind.of(code))} {year}",
            reverse("office-title-match", args=[code, year]) if opens else "",
        )
    return found
