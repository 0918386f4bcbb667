from typing import Any

from django.core.management import CommandError
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from ratings.publishing.signs import check_signs
from reporting.management.office import OfficeCommand
from reporting.messages.notifications import format_minute
from reporting.messages.send_messages import send_messages


class Command(OfficeCommand):
    help = _(
        "Mail administrators what has not succeeded for too long; the status is 1 if there is something."
    )

    def act(self, **_: Any) -> None:
        missing = check_signs()
        send_messages()  # the worker, which sends mail, may be what is missing
        if missing:
            unknown = gettext("unknown")
            lines = [
                f"{sign.label} ({format_minute(since) if since else unknown})"
                for sign, since in missing.items()
            ]
            raise CommandError("\n".join(lines))
        self.stdout.write(gettext("Worker, backup, verification and mail are as they should be."))
