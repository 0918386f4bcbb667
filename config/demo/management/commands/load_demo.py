import os
import time
from datetime import date, timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.management import CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from config.demo.federation import build_federation
from config.demo.management.pools_story import calculate_other_pools
from config.demo.management.title_story import (
    apply_for_titles,
    choose_federations,
    decide_published,
    titles_due,
)
from config.demo.records import DemoReport
from ratings.models import Pool, RatingList
from ratings.office.selectors.periods.periods import due_period
from ratings.production.import_list import import_list
from ratings.production.periods.freeze_period import ensure_period
from ratings.production.run_period import run_period, sign_draft
from ratings.published.selectors.published_figures import find_figure
from reporting.accounts.selectors import roles_to_confirm
from reporting.accounts.services.roles import confirm_role, give_first_administrators, set_roles
from reporting.log.audit import Actor
from reporting.management.import_reports import ReportFile, import_reports
from reporting.management.office import IMPORTER, OFFICER, RELEASER, OfficeCommand
from reporting.models import Role, User
from reporting.policies import FEDERATION_ROLES
from reporting.register.services.import_register import import_register
from reporting.register.services.numbers import last_number
from reporting.reports.services.announce import announce_tournament
from reporting.reports.services.upload import upload_report
from reporting.requests.services import send_request

DEMO_PASSWORD = "draughts-demo"  # noqa: S105 (fictional accounts, made only under DEMO=1)
FEDERATION = "NED"  # of the referee and the national official
ACCOUNTS = {
    Role.REFEREE: ("referee@demo.example", "Rosalind Ferrer"),
    Role.NATIONAL_OFFICIAL: ("national@demo.example", "Nils Offerman"),
    Role.RATING_OFFICER: ("officer@demo.example", "Ruth Abara"),
    Role.RELEASING_OFFICER: ("releaser@demo.example", "Leo Sandrin"),
    Role.TITLE_COUNCIL: ("council@demo.example", "Clara Tielman"),
    Role.TOURNAMENT_DIRECTOR: ("director@demo.example", "Tomas Direk"),
    Role.ADMINISTRATOR: ("administrator@demo.example", "Ada Minister"),
}
SECOND_ADMINISTRATOR = ("administrator2@demo.example", "Boris Tweede")
OTHER_OFFICIALS = ("Nadia Seconda", "Teresa Terzi", "Karel Quarto", "Pentti Quinton")
"""National officials of the federations whose players have most titles due: national.lat@demo.example."""


class Command(OfficeCommand):
    help = (
        "Load the fictional federation: register, opening list and three quarters, calculated by the product."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--today", type=date.fromisoformat, default=None, metavar="YYYY-MM-DD")

    def act(self, *, seed: int, today: date | None, **_: Any) -> None:
        if RatingList.objects.exists():
            raise CommandError("There are lists already: the demonstration needs an empty office.")
        if today is not None and today > timezone.localdate():
            raise CommandError(f"{today} is in the future. Choose today or an earlier day.")
        started = time.monotonic()
        federation = build_federation(seed=seed, today=today or timezone.localdate())
        officer, releaser, importer = self.actor(OFFICER), self.actor(RELEASER), self.actor(IMPORTER)
        pool = Pool.objects.get(code="fmjd-100")
        is_demo = os.environ.get("DEMO") == "1"
        register = import_register(
            content=federation.register_before_titles_csv if is_demo else federation.register_csv, by=officer
        )
        if is_demo:
            for registered in federation.titles:
                import_register(content=registered.register_csv, on=registered.on, by=officer)
            self.open_accounts(by=officer)
        opening = import_list(
            content=federation.opening_list_csv,
            pool=pool,
            in_force=federation.opening_in_force,
            by=officer,
            releaser=releaser,
        )
        self.stdout.write(
            f"{len(register.created)} players, {opening.players} on the opening list {opening.address}"
        )
        for quarter in federation.quarters:
            self.submit_reports(quarter.reports, accept_as=officer, importer=importer)
            published = run_period(
                pool=pool,
                in_force=quarter.in_force,
                by=officer,
                releaser=releaser,
                reason="Demonstration season",
                publish=not is_demo,
                confirm_norms=True,
            )
            if is_demo:
                decide_published(
                    published, account_of(Role.TITLE_COUNCIL), is_last=quarter is federation.quarters[-1]
                )
                published = sign_draft(rating_list=published, by=officer, releaser=releaser)
            self.stdout.write(
                f"{published.address}: {published.tournaments} tournaments, {published.games} games,"
                f" {published.players} players, {published.sha256[:12]}"
            )
        waiting = len(federation.waiting) // 2
        self.submit_reports(federation.waiting[:waiting], accept_as=officer, importer=importer)
        if is_demo:
            for quarter in federation.quarters_64:
                self.submit_reports(quarter.reports, accept_as=officer, importer=importer)
            calculate_other_pools(federation, {role: account_of(role) for role in ACCOUNTS})
            self.apply_for_titles()
            due = due_period(pool)
            assert due is not None  # noqa: S101 (its system has a calendar)
            ensure_period(pool=pool, in_force=due.in_force, by=officer)
            referee = account_of(Role.REFEREE)
            *submitted, draft = federation.waiting[waiting:]
            self.submit_reports(submitted, accept_as=None, importer=referee)
            self.create_draft(draft, by=referee)
            self.add_open_work(account_of(Role.TOURNAMENT_DIRECTOR))
        else:
            self.submit_reports(federation.waiting[waiting:], accept_as=None, importer=importer)
        self.stdout.write(f"Loaded in {time.monotonic() - started:.1f} s.")

    @transaction.atomic
    def open_accounts(self, *, by: Actor) -> None:
        """One account a role and a second administrator: one gives the roles, the other confirms them."""
        people = [(role, *person) for role, person in ACCOUNTS.items()]
        people.append((Role.ADMINISTRATOR, *SECOND_ADMINISTRATOR))
        accounts = [
            (role, User.objects.create_user(email, name, is_active=False)) for role, email, name in people
        ]
        first, second = [account for role, account in accounts if role == Role.ADMINISTRATOR]
        give_first_administrators([first, second], by)
        password = make_password(DEMO_PASSWORD)  # once: slow by design
        for role, account in accounts:
            account.password = password
            account.federation_id = FEDERATION if role in FEDERATION_ROLES else None
            account.is_active = True
            account.save()
        for role, account in accounts:
            if role != Role.ADMINISTRATOR:
                set_roles(account, [role], Actor(first))
        for waiting in roles_to_confirm(second):
            confirm_role(assignment=waiting, by=Actor(second))
        self.stdout.write(f"{len(accounts)} accounts, password {DEMO_PASSWORD}")

    @transaction.atomic
    def apply_for_titles(self) -> None:
        """Applications in every state; other federations have officials with the same password."""
        people = {role: account_of(role) for role in ACCOUNTS}
        due = titles_due()
        _, *others = choose_federations(due, FEDERATION)
        officials = {FEDERATION: people[Role.NATIONAL_OFFICIAL]}
        for code, name in zip(others, OTHER_OFFICIALS, strict=False):
            account = User.objects.create_user(f"national.{code.lower()}@demo.example", name)
            account.password, account.federation_id = people[Role.NATIONAL_OFFICIAL].user.password, code
            account.save()
            set_roles(account, [Role.NATIONAL_OFFICIAL], people[Role.ADMINISTRATOR])
            officials[code] = Actor(account)
        apply_for_titles(due, officials, people)

    def create_draft(self, report: DemoReport, *, by: Actor) -> None:
        """A draft of the referee with an impossible result to correct."""
        faulty = report.content.replace(b",2-0", b",3-0", 1)
        upload_report(content=faulty, filename=report.filename, sidecar=report.sidecar, by=by)

    def add_open_work(self, director: Actor) -> None:
        """Open work for the office: a missing report, a duplicate in the register, a request about a figure."""
        ended = timezone.localdate() - timedelta(days=12)
        announce_tournament(
            values={
                "name": "Harbour Cities Cup", "place": "Antwerp", "country": "BEL", "discipline": "100",
                "time_control": "80+30", "system": "swiss", "played_from": str(ended - timedelta(days=3)),
                "played_to": str(ended), "announced": str(ended - timedelta(days=40)),
            },
            by=director,
        )  # fmt: skip
        published = RatingList.objects.filter(pool__code="fmjd-100", state=RatingList.State.PUBLISHED)
        newest = published.select_related("pool").latest("in_force", "revision")
        row = newest.rows.filter(federation=FEDERATION).earliest("position")
        known = row.player
        number = last_number(newest.rating_system.register) + 1
        import_register(
            content=(
                "fmjd_id,last_name,first_name,federation,sex,born\n"
                f"{number},{known.last_name}{known.last_name[-1]},{known.first_name},{FEDERATION},{known.sex},"
            ).encode(),
            by=director,
        )
        send_request(
            doubted=find_figure(
                f"rating:{newest.pool.code}:{newest.in_force}:{newest.revision}:{row.register_number}"
            ),
            error_description="My win of the last round seems to be missing.",
            proposed_value="Two points more, I think.",
            evidence="The crosstable on the organiser’s page.",
            name=f"{known.first_name} {known.last_name}",
            email="reader@demo.example",
        )

    def submit_reports(self, reports: Any, *, accept_as: Any, importer: Any) -> None:
        files = [ReportFile(report.filename, report.content, report.sidecar) for report in reports]
        wanted = "accepted" if accept_as else "submitted"
        for imported in import_reports(files=files, accept_as=accept_as, importer=importer):
            if imported.outcome != wanted:
                self.print_findings(imported.findings)
                raise CommandError(f"{imported.filename}: {imported.outcome}, {imported.message}")


def account_of(role: Role) -> Actor:
    """The demonstration's account with a role."""
    return Actor(User.objects.get(email=ACCOUNTS[role][0]))
