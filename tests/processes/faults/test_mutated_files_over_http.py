"""Every fictional file, damaged at random, sent as a referee sends it: no 500, and a reason for every refusal.

The readers alone are tested in tests/formats, the check page in tests/pages/uploads/test_check_report_file.py; this is
the whole way of a stored file: upload, all pages of the report, a damaged second version, the submission, the office.
"""

import random
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from fault_tools import rounds

from reporting.formats.spreadsheets.template import template_xlsx
from reporting.models import Report, ReportVersion, Role
from reporting.rules.findings.finding_list import Finding
from tests.people import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

FILES = {
    path.name: path.read_bytes()
    for path in sorted((Path(__file__).parents[2] / "files").iterdir())
    if path.suffix != ".toml"
} | {"template.xlsx": template_xlsx()}
PAGES = (
    "report", "report-file", "report-details", "report-people", "report-preview", "report-results-entry-players",
    "report-submit",
)  # fmt: skip
PIECES = (
    b"", b"\0", b"\r", b"\n\n", b"\t", b",", b";", b"<", b"-1", b"9" * 400, b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3",
    b"=1+1", "\u202e".encode(), "\u0661".encode(), "x\u0301".encode() * 40, b"<section results>", b"<remark>",
    b"</end players>", b"<script>alert(1)</script>", b"{{ x }}", b"PK\x03\x04", b"001 9999", b"2/1w ", b"31/02/2026",
    b"0,1,,1,2,A,B,NED,,\n",
)  # fmt: skip


def damaged(content: bytes, chance: random.Random) -> bytes:
    """A few pieces replaced, lines swapped and doubled, sometimes cut off."""
    lines = content.split(b"\n")
    for _ in range(chance.randrange(3)):
        here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[here], lines[there] = lines[there], lines[chance.choice((here, there))]
    content = b"\n".join(lines)
    for _ in range(chance.randint(1, 6)):
        begin = chance.randrange(len(content) + 1)
        end = min(len(content), begin + chance.choice((0, 1, 3, 30)))
        content = content[:begin] + chance.choice((*PIECES, chance.randbytes(8))) + content[end:]
    return content[: chance.randrange(len(content) + 1)] if chance.randrange(6) == 0 else content


def check(response: Any, known: set[int], about: object) -> None:
    """An expected answer, with words; nothing of the file is markup."""
    assert response.status_code in known, about
    if response.status_code >= 400:
        context = response.context
        problem = context.get("problem") or context.get("refusal")
        assert problem.message if problem else context["form"].errors, about
    assert b"<script>alert" not in response.content, about


def look_at_report(referee: Client, report: Report, number: int, content: bytes, turn: int) -> ReportVersion:
    """The version that stands is this file, with its findings, and all its pages answer."""
    version = report.versions.latest("number")
    assert (version.number, bytes(version.content)) == (number, content)
    if not version.players:
        assert version.errors, (turn, content)
    assert all(Finding.from_json(finding).message for finding in version.findings)
    for page in PAGES:
        check(referee.get(reverse(page, args=[report.pk])), {200, 409}, (turn, page, content))
    return version


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_goes_the_whole_way_without_a_500(season_shared: None, name: str) -> None:
    chance = random.Random(f"damaged {name}")  # noqa: S311
    referee, officer = (
        logged_in(Role.REFEREE, raise_request_exception=False),
        logged_in(Role.RATING_OFFICER, raise_request_exception=False),
    )
    for turn in range(rounds(1, 25)):
        content, second = (damaged(FILES[name], chance) for _ in range(2))
        cache.clear()  # the check page limits how often
        checked = referee.post("/check/", {"file": SimpleUploadedFile(name, content)})
        check(checked, {200}, (turn, "check-file", content))

        before = Report.objects.count()
        sent = referee.post(reverse("report-new"), {"file": SimpleUploadedFile(name, content)})
        check(sent, {302, 409}, (turn, "new", content))
        if sent.status_code == 409:
            refused = sent.context["problem"]
            assert (refused.code, Report.objects.count()) == ("file_unusable", before), (turn, content)
            continue
        assert Report.objects.count() == before + 1
        report = Report.objects.latest("pk")
        look_at_report(referee, report, 1, content, turn)
        file = {"file": SimpleUploadedFile(name, second), "based_on": "1"}
        replaced = referee.post(reverse("report-file", args=[report.pk]), file)
        check(replaced, {302, 409}, (turn, "file", second))
        number, stands = 2, second
        if replaced.status_code == 409:
            assert replaced.context["problem"].code == "file_unusable", (turn, second)
            number, stands = 1, content
        version = look_at_report(referee, report, number, stands, turn)

        answers = {f"comment-{place}": "So it is." for place in range(len(version.findings))}
        submitted = referee.post(reverse("report-submit", args=[report.pk]), answers | {"based_on": number})
        check(submitted, {302, 409}, (turn, "submit", stands))
        check(officer.get(reverse("office-report", args=[report.pk])), {200}, (turn, "office", stands))
