from datetime import date
from typing import Any

from django.conf import settings
from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from ratings.federations.facet import Calendar
from ratings.models import Pool
from ratings.production.run_period import run_period
from ratings.queries.counted_results import reports_to_exclude
from reporting.management.office import RELEASER, OfficeCommand, parse_list_day

REASON = "command.run_period"  # its sentence is in ratings/office/labels.py


class Command(OfficeCommand):
    help = _(
        "Freeze a period now, calculate it, approve its list as --as and publish it as the releasing officer."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pool", nargs="?", default=settings.DEFAULT_POOL)
        parser.add_argument(
            "--closing",
            type=parse_list_day,
            metavar="YYYY-MM-DD",
            help=gettext("Its closing date: enough where the regulations have a calendar, else optional."),
        )
        parser.add_argument(
            "--in-force",
            type=parse_list_day,
            metavar="YYYY-MM-DD",
            help=gettext("The day of its list. Required where the office chooses the dates."),
        )
        parser.add_argument("--reason", default=REASON, help=gettext("Why it is frozen now."))
        parser.add_argument("--draft", action="store_true", help=gettext("Stop at the draft, unsigned."))
        parser.add_argument(
            "--confirm-norms", action="store_true", help=gettext("Confirm its norms by command.")
        )
        self.add_actor_argument(parser)

    def act(
        self,
        *,
        pool: str,
        closing: date | None,
        in_force: date | None,
        reason: str,
        draft: bool,
        confirm_norms: bool,
        email: str,
        **_: Any,
    ) -> None:
        found = Pool.objects.filter(code=pool).first()
        if found is None:
            raise CommandError(gettext("There is no pool %(pool)s.") % {"pool": pool})
        calendar = found.rating_system.calendar
        if calendar is not None:
            in_force = day_of_calendar(calendar, closing, in_force)
        elif in_force is None:
            raise CommandError(gettext("The office chooses the dates of this pool: --in-force is required."))
        rating_list = run_period(
            pool=found,
            in_force=in_force,
            by=self.actor(email),
            releaser=self.actor(RELEASER),
            reason=reason,
            publish=not draft,
            closing=closing,
            confirm_norms=confirm_norms,
        )
        self.stdout.write(
            gettext(
                "%(list)s revision %(revision)s, %(state)s: %(players)s players, %(tournaments)s tournaments,"
                " %(games)s games."
            )
            % {
                "list": rating_list.address,
                "revision": rating_list.revision,
                "state": rating_list.get_state_display().lower(),
                "players": rating_list.players,
                "tournaments": rating_list.tournaments,
                "games": rating_list.games,
            }
        )
        for report in reports_to_exclude(rating_list.period) if rating_list.period else []:
            self.stderr.write(
                gettext("excluded, not accepted: %(tournament)s (report %(report)s)")
                % {"tournament": report.result_set, "report": report.pk}
            )
        self.stdout.write(f"run {rating_list.run.pk}")
        self.stdout.write(f"input digest {rating_list.input_sha256}")
        self.stdout.write(f"list digest {rating_list.sha256}")


def day_of_calendar(calendar: Calendar, closing: date | None, in_force: date | None) -> date:
    """The day of the list by its closing date or by itself. Raises CommandError."""
    if closing is None and in_force is None:
        raise CommandError(gettext("one of the arguments --closing --in-force is required"))
    if closing is None:
        assert in_force is not None  # noqa: S101 (one of the two is given)
        return in_force
    if in_force is not None:
        raise CommandError(gettext("argument --in-force: not allowed with argument --closing"))
    period = calendar.period_of(closing)
    if period.closing != closing:
        raise CommandError(
            gettext("%(day)s is not a closing date. The next one is %(next)s.")
            % {"day": closing, "next": period.closing}
        )
    return period.in_force
