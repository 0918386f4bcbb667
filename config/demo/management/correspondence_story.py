"""The correspondence chess of the demonstration: two quarters, calculated and published by the product."""

from collections.abc import Mapping

from django.core.management import CommandError

from config.demo.chess.correspondence_season import CorrespondenceSeason
from ratings.models import Pool
from ratings.production.imports.import_list import import_list
from ratings.production.run_period import run_period
from reporting.log.audit import Actor
from reporting.management.import_reports import ReportFile, import_reports
from reporting.models import Report, Role
from reporting.register.services.import_register import import_register


def publish_correspondence(season: CorrespondenceSeason, people: Mapping[Role, Actor]) -> None:
    """Everything of the season, list by list."""
    officer, releaser, referee = (
        people[role] for role in (Role.RATING_OFFICER, Role.RELEASING_OFFICER, Role.REFEREE)
    )
    import_register(content=season.register_csv, register="iccf", by=officer)
    pool = Pool.objects.get(code="iccf")
    import_list(
        content=season.opening_list,
        pool=pool,
        in_force=season.opening_in_force,
        by=officer,
        releaser=releaser,
    )
    for in_force, reports in season.reports.items():
        files = [ReportFile(report.filename, report.content, report.sidecar) for report in reports]
        for imported in import_reports(files=files, accept_as=officer, importer=referee):
            if imported.report is None or imported.report.state != Report.State.ACCEPTED:
                raise CommandError(
                    f"{imported.filename}: {imported.outcome}, {imported.message} {imported.findings}"
                )
        run_period(
            pool=pool,
            in_force=in_force,
            by=officer,
            releaser=releaser,
            reason="All reports are reviewed.",
            publish=True,
        )
