from datetime import date
from typing import Any

from django.core.management import CommandError, CommandParser

from ratings.models import Pool
from ratings.office.selectors.periods import reports_to_exclude
from ratings.production.run_period import run_period
from reporting.management.office import RELEASER, OfficeCommand, parse_list_day


class Command(OfficeCommand):
    help = (
        "Freeze a period now, calculate it, approve its list as --as and publish it as the releasing officer."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pool", nargs="?", default="fmjd-100")
        day = parser.add_mutually_exclusive_group(required=True)
        day.add_argument("--closing", type=parse_list_day, metavar="YYYY-MM-DD", help="Its closing date, or")
        day.add_argument("--in-force", type=parse_list_day, metavar="YYYY-MM-DD", help="its list's date.")
        parser.add_argument("--reason", default="run by command", help="Why it is frozen now.")
        parser.add_argument("--draft", action="store_true", help="Stop at the draft, unsigned.")
        self.add_actor_argument(parser)

    def act(
        self,
        *,
        pool: str,
        closing: date | None,
        in_force: date | None,
        reason: str,
        draft: bool,
        email: str,
        **_: Any,
    ) -> None:
        found = Pool.objects.filter(code=pool).first()
        if found is None:
            raise CommandError(f"There is no pool {pool}.")
        if closing is not None:
            period = found.rating_system.calendar.period_of(closing)
            if period.closing != closing:
                raise CommandError(f"{closing} is not a closing date. The next one is {period.closing}.")
            in_force = period.in_force
        assert in_force is not None  # noqa: S101 (the parser asks for one of the two)
        rating_list = run_period(
            pool=found,
            in_force=in_force,
            by=self.actor(email),
            releaser=self.actor(RELEASER),
            reason=reason,
            publish=not draft,
        )
        self.stdout.write(
            f"{rating_list.address} revision {rating_list.revision}, {rating_list.get_state_display().lower()}:"
            f" {rating_list.players} players, {rating_list.tournaments} tournaments, {rating_list.games} games."
        )
        for report in reports_to_exclude(rating_list.period) if rating_list.period else []:
            self.stderr.write(f"excluded, not accepted: {report.tournament} (report {report.pk})")
        self.stdout.write(f"run {rating_list.run.pk}")
        self.stdout.write(f"input digest {rating_list.input_sha256}")
        self.stdout.write(f"list digest {rating_list.sha256}")
