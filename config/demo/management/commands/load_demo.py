import os
import time
from datetime import date
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.management import CommandError, CommandParser
from django.db import connection, transaction
from django.utils import timezone

from config.demo.accounts import (
    ACCOUNTS,
    DEMO_PASSWORD,
    FEDERATION,
    OTHER_OFFICIALS,
    SECOND_ADMINISTRATOR,
    account_of,
)
from config.demo.chess.chess_season import build_chess_season
from config.demo.chess.correspondence_season import build_correspondence_season
from config.demo.federation import build_federation
from config.demo.management.chess_story import publish_chess
from config.demo.management.correspondence_story import publish_correspondence
from config.demo.management.open_work import add_open_work, merge_duplicates
from config.demo.management.pools_story import calculate_other_pools
from config.demo.management.title_story import (
    apply_for_titles,
    choose_federations,
    decide_published,
    titles_due,
)
from config.demo.management.world_cup_story import tell_world_cup
from ratings.models import Pool, RatingList
from ratings.production.imports.import_list import import_list
from ratings.production.periods.freeze_period import ensure_period
from ratings.production.run_period import run_period, sign_draft
from ratings.publishing.public_changes.number_changes import number_changes
from ratings.queries.periods import due_period
from reporting.accounts.selectors import roles_to_confirm
from reporting.accounts.services.accounts import choose_public_name
from reporting.accounts.services.roles import confirm_role, give_first_administrators, set_roles
from reporting.log.audit import OFFICER, Actor
from reporting.management.import_reports import ReportFile, import_reports
from reporting.management.office import IMPORTER, RELEASER, OfficeCommand
from reporting.models import Role, User
from reporting.policies import FEDERATION_ROLES
from reporting.register.services.import_register import import_register


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
        with connection.cursor() as cursor:
            cursor.execute("set synchronous_commit = off")  # after a crash it is loaded again
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
        cup = list(federation.cup.reports) if is_demo else []
        for quarter in federation.quarters:
            played = [report for report in cup if report.played_to <= quarter.closing]
            cup = [report for report in cup if report not in played]
            self.submit_reports([*quarter.reports, *played], accept_as=officer, importer=importer)
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
        if is_demo:
            for quarter in federation.quarters_64:
                self.submit_reports(quarter.reports, accept_as=officer, importer=importer)
            people = {role: account_of(role) for role in ACCOUNTS}
            merge_duplicates(people)
            calculate_other_pools(federation, people)
            publish_chess(build_chess_season(seed=seed, today=today or timezone.localdate()), people)
            publish_correspondence(
                build_correspondence_season(seed=seed, today=today or timezone.localdate()), people
            )
            self.apply_for_titles()
            due = due_period(pool)
            assert due is not None  # noqa: S101 (its system has a calendar)
            ensure_period(pool=pool, in_force=due.in_force, by=officer)
            add_open_work(federation, people)
            tell_world_cup(federation.cup, federation.quarters[-1].in_force, people)
        else:
            waiting = len(federation.waiting) // 2
            self.submit_reports(federation.waiting[:waiting], accept_as=officer, importer=importer)
            self.submit_reports(federation.waiting[waiting:], accept_as=None, importer=importer)
        number_changes()
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
        choose_public_name(shown=True, by=account_of(Role.NATIONAL_OFFICIAL))
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

    def submit_reports(self, reports: Any, *, accept_as: Any, importer: Any) -> None:
        files = [ReportFile(report.filename, report.content, report.sidecar) for report in reports]
        wanted = "accepted" if accept_as else "submitted"
        for imported in import_reports(files=files, accept_as=accept_as, importer=importer, two_people=True):
            if imported.outcome != wanted:
                self.print_findings(imported.findings)
                raise CommandError(f"{imported.filename}: {imported.outcome}, {imported.message}")
