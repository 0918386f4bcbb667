"""The pools next to 100 squares: lists with movers, a correction, and each newest list in another state."""

from collections.abc import Mapping
from datetime import date

from django.core.management import CommandError

from config.demo.management.title_story import decide_published, decide_waiting
from config.demo.records import DemoFederation, DemoReport
from ratings.models import Correction, Pool, RatingList
from ratings.production.answer_anomaly import answer_anomaly
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.calculate import calculate_period
from ratings.production.correct_list import correct_list
from ratings.production.imports.import_list import import_list
from ratings.production.publish_list import publish_list
from ratings.production.run_period import run_period
from ratings.publishing.list_files import ensure_files
from reporting.log.audit import Actor
from reporting.management.import_reports import ReportFile, import_reports
from reporting.models import Report, Role
from reporting.reports.reading.open_report import open_report
from reporting.reports.services.review import accept_report, people_to_decide

ANSWER = "Compared with the report: the games are right."
OVERLOOKED = "The report was submitted in time and lay unread when the period was frozen."


People = Mapping[Role, Actor]


def calculate_other_pools(federation: DemoFederation, people: People) -> None:
    """Each pool has published lists; the newest one waits for its norms, for approval, or for publication."""
    for other in federation.pools:
        pool = Pool.objects.get(code=other.code)
        import_list(
            content=other.opening_list_csv,
            pool=pool,
            in_force=other.opening_in_force,
            by=people[Role.RATING_OFFICER],
            releaser=people[Role.RELEASING_OFFICER],
        )
        *earlier, newest = other.lists_in_force
        for in_force in earlier:
            draft = calculate(pool, in_force, people)
            decide_published(draft, people[Role.TITLE_COUNCIL], is_last=False)
            published = publish(approve(draft, people), people)
        if pool.code == "fmjd-64":
            decide_waiting(calculate(pool, newest, people), people[Role.TITLE_COUNCIL])
        elif pool.code == "fmjd-100-rapidblitz":
            correct(published, federation.overlooked, people)
            answer_all(calculate(pool, newest, people), people)
        else:
            approve(calculate(pool, newest, people), people)


def calculate(pool: Pool, in_force: date, people: People) -> RatingList:
    """The draft of a list, open for approval."""
    officer = people[Role.RATING_OFFICER]
    draft = run_period(
        pool=pool,
        in_force=in_force,
        by=officer,
        releaser=people[Role.RELEASING_OFFICER],
        reason="All reports are reviewed.",
        publish=False,
    )
    return open_for_approval(rating_list=draft, by=officer)


def answer_all(draft: RatingList, people: People) -> None:
    """An answer to each anomaly of a draft."""
    for anomaly in draft.anomalies.filter(answers=None):
        answer_anomaly(anomaly=anomaly, text=ANSWER, by=people[Role.RATING_OFFICER])


def approve(draft: RatingList, people: People) -> RatingList:
    """The first signature."""
    answer_all(draft, people)
    draft.refresh_from_db()  # a decision about a norm gave it another digest
    return approve_list(rating_list=draft, sha256=draft.sha256, by=people[Role.RATING_OFFICER])


def publish(approved: RatingList, people: People) -> RatingList:
    """The second signature, for the files that the worker writes after the first one."""
    ensure_files(approved)
    return publish_list(rating_list=approved, sha256=approved.sha256, by=people[Role.RELEASING_OFFICER])


def correct(published: RatingList, overlooked: DemoReport, people: People) -> None:
    """Publish a revision of a list that counts one more report."""
    officer = people[Role.RATING_OFFICER]
    report = accept(overlooked, people)
    run = correct_list(
        rating_list=published,
        reason=OVERLOOKED,
        later=Correction.Later.CARRY,
        included_reports=[report.pk],
        by=officer,
    )
    draft = open_for_approval(rating_list=calculate_period(run=run, wait=True), by=officer)
    publish(approve(draft, people), people)


def accept(demo_report: DemoReport, people: People) -> Report:
    """Submit a report as the referee and accept it; new players like a known one are other people (R24a)."""
    opened = open_report(submit(demo_report, people[Role.REFEREE]).pk)
    questions = people_to_decide(opened.report, opened.submission, opened.matching)
    return accept_report(
        report=opened.report,
        same_person={question.key: False for question in questions},
        by=people[Role.RATING_OFFICER],
    )


def submit(demo_report: DemoReport, by: Actor) -> Report:
    """Submit a report with the same comment on each warning."""
    file = ReportFile(demo_report.filename, demo_report.content, demo_report.sidecar)
    (imported,) = import_reports(files=[file], accept_as=None, importer=by)
    if imported.report is None:
        raise CommandError(f"{imported.filename}: {imported.outcome}, {imported.message} {imported.findings}")
    return imported.report
