"""Links of the audit log to championships."""

from collections.abc import Mapping

from django.urls import reverse

from reporting.log.views.log_links import LogLink, register_finders
from reporting.models import User
from reporting.web.access import refusal_message
from titles.federations.fmjd.models import Championship
from titles.policies import check_can_see_world_cup


def register() -> None:
    """Add the finder of championships to its registry. Called once, at start."""
    register_finders({"championship": _championships})


def _championships(codes: list[str], reader: User) -> Mapping[str, LogLink]:
    opens = not refusal_message(check_can_see_world_cup, reader)
    return {
        one.code: LogLink(
            one.get_kind_display(),
            one.code,
            reverse("office-championship", args=[one.code]) if opens else "",
        )
        for one in Championship.objects.filter(code__in=codes)
    }
