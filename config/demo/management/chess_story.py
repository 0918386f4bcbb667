"""The chess of the demonstration: three lists in each pool of the KNSB, calculated and published by the product."""

import io
from collections.abc import Mapping

from django.core.management import CommandError

from config.demo.chess.chess_season import BONUS, ChessSeason
from ratings.models import Pool
from ratings.production.imports.import_list import import_list
from ratings.production.imports.import_source import import_source
from ratings.production.periods.list_values import set_list_values
from ratings.production.run_period import run_period
from reporting.log.audit import Actor
from reporting.management.import_reports import ReportFile, import_reports
from reporting.models import Report, Role
from reporting.register.services.import_memberships import import_memberships
from reporting.register.services.import_register import import_register
from reporting.reports.reading.open_report import open_report
from reporting.reports.services.review import accept_report, people_to_decide


def publish_chess(season: ChessSeason, people: Mapping[Role, Actor]) -> None:
    """Everything of the season, list by list: a list reads those of earlier days of the other pools.

    The newest klassiek list has a bonus for youth. A newcomer of the league waits for the sixth game, another one
    still does; a player who left the club is held.
    """
    officer, releaser, referee = (
        people[role] for role in (Role.RATING_OFFICER, Role.RELEASING_OFFICER, Role.REFEREE)
    )
    import_register(content=season.register_csv, register="knsb", by=officer)
    register = Pool.objects.get(code="knsb-klassiek").report_rules.register
    import_memberships(
        content=season.memberships_csv, filename="memberships.csv", register=register, by=officer
    )
    for day, content in season.fide_lists.items():
        import_source(
            source="fide", file=io.BytesIO(content), filename="players_list_foa.txt", in_force=day, by=officer
        )
    pools = [Pool.objects.get(code=code) for code in season.opening_lists]
    for pool in pools:
        import_list(
            content=season.opening_lists[pool.code],
            pool=pool,
            in_force=season.opening_in_force,
            by=officer,
            releaser=releaser,
        )
    set_list_values(pool=pools[0], in_force=season.lists_in_force[-1], content=BONUS, by=officer)
    for in_force, reports in season.reports.items():
        files = [ReportFile(report.filename, report.content, report.sidecar) for report in reports]
        for imported in import_reports(files=files, accept_as=officer, importer=referee):
            if imported.report is None:
                raise CommandError(
                    f"{imported.filename}: {imported.outcome}, {imported.message} {imported.findings}"
                )
            if imported.report.state == Report.State.SUBMITTED:
                accept_with_guest(imported.report, officer)
        for pool in pools:
            run_period(
                pool=pool,
                in_force=in_force,
                by=officer,
                releaser=releaser,
                reason="All reports are reviewed.",
                publish=True,
            )


def accept_with_guest(report: Report, by: Actor) -> None:
    """The guest without a number is the one of the tournament before (U22)."""
    opened = open_report(report.pk)
    questions = people_to_decide(opened.report, opened.submission, opened.matching)
    accept_report(report=opened.report, same_person={question.key: True for question in questions}, by=by)
