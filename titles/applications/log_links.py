"""Links of the audit log to applications."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils.translation import gettext

from reporting.log.views.log_links import LogLink, register_finders
from reporting.models import User
from reporting.web.access import refusal_message
from titles.models import TitleApplication
from titles.policies import check_can_see_applications, visible_applications


def _applications(numbers: list[str], reader: User) -> Mapping[str, LogLink]:
    keys = [int(number) for number in numbers if number.isdecimal()]
    opens = not refusal_message(check_can_see_applications, reader)
    visible = (
        set(visible_applications(reader).filter(pk__in=keys).values_list("pk", flat=True)) if opens else set()
    )
    return {
        str(application.pk): LogLink(
            gettext("Application %(number)s") % {"number": application.pk},
            f"{application.title}, {application.player.printed_name}",
            reverse("title-application", args=[application.pk]) if application.pk in visible else "",
        )
        for application in TitleApplication.objects.filter(pk__in=keys).select_related("player")
    }


register_finders({"application": _applications})
