"""The table of a list as a reader sees it, and corrections of a list of the demonstration."""

import re
from dataclasses import dataclass
from datetime import date
from html import unescape
from typing import Any

from django.db.models.functions import Now

from ratings.models import Period, Pool, RatingList
from ratings.production.correct_list import correct_list
from ratings.production.periods.freeze_period import ensure_period
from ratings.production.run_period import run_period
from reporting.log.audit import Actor
from reporting.models import Report, ResultSet, User
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from reporting.rules.findings.finding_list import Severity

ROW = re.compile(
    r'<tr>\s*<td class="table__num table__soft">(?P<rank>\d+)</td>'
    r'.*?href="/players/(?P<number>\d+)/">(?P<name>.*?)</a>.*?</tr>',
    re.DOTALL,
)
CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")


@dataclass(frozen=True)
class ShownRow:
    """A row of a list as a reader sees it."""

    rank: int
    number: int
    name: str
    cells: tuple[str, ...]


def shown_rows(page: str) -> list[ShownRow]:
    """The rows of a list's table, in their order."""
    return [
        ShownRow(
            int(row["rank"]),
            int(row["number"]),
            unescape(row["name"]),
            tuple(" ".join(unescape(TAG.sub("", cell)).split()) for cell in CELL.findall(row[0])),
        )
        for row in ROW.finditer(page)
    ]


def text_of(page: str) -> str:
    return " ".join(unescape(TAG.sub(" ", page)).split())


OFFICER, RELEASER = "officer@office.invalid", "releaser@office.invalid"


def actor(email: str) -> Actor:
    return Actor(User.objects.get(email=email), by_command=True)


def revised(
    rating_list: RatingList, *, reason: str = "A result was corrected.", later: str = "carry", **changes: Any
) -> RatingList:
    """The next revision of a list, through the services; the tournaments as `correct_list` takes them."""
    correct_list(rating_list=rating_list, reason=reason, later=later, by=actor(OFFICER), **changes)
    return next_list(rating_list.in_force)


def pass_closing_date(pool: Pool, in_force: date) -> None:
    """Open the period of a list if need be, and move its closing date before the database's clock."""
    ensure_period(pool=pool, in_force=in_force, by=actor(OFFICER))
    running = Period.objects.filter(pool=pool, in_force=in_force, state="open", played_before__gt=Now())
    running.update(played_before=Now())


def next_list(in_force: date) -> RatingList:
    """The list of a day, or its revision under way, published with the norms that were found."""
    pool = Pool.objects.get(code="fmjd-100")
    pass_closing_date(pool, in_force)
    return run_period(
        pool=pool, in_force=in_force, by=actor(OFFICER), releaser=actor(RELEASER), reason="a test",
        confirm_norms=True,
    )  # fmt: skip


def correct_tournament_details(tournament: ResultSet, **details: str) -> Report:
    """The tournament's own report again, accepted with other tournament details: a corrected report."""
    first = Report.objects.select_related("submitted_by").get(result_set=tournament)
    version = first.accepted_version
    assert version is not None
    lines = bytes(version.sidecar).decode().splitlines()
    other_lines = [line for line in lines if line.split("=")[0].strip() not in {"corrects", *details}]
    new_details = {"corrects": f'"{tournament.code}"'} | details
    lines = [*(f"{name} = {value}" for name, value in new_details.items()), *other_lines, ""]
    uploaded = upload_report(
        content=bytes(version.content), filename=version.filename, sidecar="\n".join(lines).encode(),
        by=Actor(first.submitted_by),
    )  # fmt: skip
    assert uploaded.matching is not None
    findings = enumerate(uploaded.matching.findings)
    comments = {place: "so it is" for place, finding in findings if finding.severity is Severity.WARNING}
    report = submit_report(report=uploaded.report, comments=comments, by=Actor(first.submitted_by))
    return accept_report(report=report, by=actor(OFFICER))
