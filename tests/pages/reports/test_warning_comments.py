"""Comments on warnings: one for all findings of a kind, notes without one, and what stays with a new version."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from reporting.log.audit import Actor
from reporting.models import DraftComments, Report, Role, User, WarningComment
from reporting.reports.services.review import Remark, return_report
from reporting.reports.services.upload import upload_report
from tests.people import create_federation, create_player, create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

SIX = Path(__file__).parents[1] / "harlow-six-2026.trf"
REGISTER = [  # of each player the year of birth, the sex and the country or the name are not those of the file
    (101, "Adrichem", "Joris", "BEL", "W", 1987), (102, "Bellavue", "Noa", "NED", "M", 2002),
    (103, "Corvino", "Elio", "ITA", "W", 1978), (104, "Dombrowa", "Henryk", "POL", "W", 1994),
    (105, "Fennimore", "Ruth", "NED", "M", 1963), (106, "Gyldenlund", "Asgeir", "DEN", "W", 1989),
]  # fmt: skip
DETAILS = b"""discipline = "100"
time_control = "80+30"
points = "1-0.5-0"
announced = 2026-10-01
received = 2026-10-12
[players]
1 = 101
2 = 102
3 = 103
4 = 104
5 = 105
6 = 106
"""
"""Announced 9 days before the first round, not 14; received on the day after the last one."""
ASKED = {"few-rounds": 1, "not-announced": 1, "register-differs": 18}


@pytest.fixture
def referee(client: Client) -> User:
    user = create_user("r@example.org", "Harriet Quill", roles=[Role.REFEREE])
    client.force_login(user)
    return user


@pytest.fixture
def report(referee: User) -> Report:
    for number, last, first, federation, sex, born in REGISTER:
        create_federation(federation)
        create_player(
            number, last_name=last, first_name=first, sort_name=f"{last}, {first}".lower(),
            federation_id=federation, sex=sex, birth_year=born,
        )  # fmt: skip
    return upload_report(
        content=SIX.read_bytes(), filename=SIX.name, sidecar=DETAILS, by=Actor(referee)
    ).report


def submission(report: Report) -> str:
    return reverse("report-submit", args=[report.pk])


def asked_in(page: Any) -> dict[str, str]:
    """The comments that a page asks for, by name of the field; those on single warnings of a kind are optional."""
    kinds = page.context["kinds"]
    return {
        f"kind-{kind.code}" if len(kind.lines) > 1 else f"comment-{kind.first.index}": kind.text
        for kind in kinds
    }


def submitted(client: Client, report: Report, typed: dict[str, str]) -> Report:
    version = report.versions.latest("number").number
    assert client.post(submission(report), {"based_on": str(version), **typed}).status_code == 302
    report.refresh_from_db()
    assert report.state == "submitted"
    return report


def stored(report: Report) -> dict[str, set[str]]:
    """The comments on the newest version, by code of their finding."""
    version = report.versions.latest("number")
    texts: dict[str, set[str]] = {}
    for comment in version.comments.all():
        texts.setdefault(version.findings[comment.finding]["code"], set()).add(comment.text)
    return texts


def test_six_players_of_a_chess_program_ask_for_three_comments(client: Client, report: Report) -> None:
    """20 warnings, and titles and ratings of FIDE: the register has these, so they ask for nothing."""
    version = report.versions.get()
    assert version.errors == 0
    counted = Counter(finding["code"] for finding in version.findings if finding["severity"] == "warning")
    assert counted == ASKED
    notes = {finding["code"] for finding in version.findings if finding["severity"] == "note"}
    assert notes == {"title-unknown", "rating-unreadable"}
    page = client.get(submission(report))
    asked = asked_in(page)
    assert len(asked) == 3
    assert "3 notes, without a comment" in page.text
    submitted(client, report, {name: f"seen: {name}" for name in asked})
    assert version.comments.count() == 20
    assert stored(report)["register-differs"] == {"seen: kind-register-differs"}


def test_a_comment_that_is_too_long_is_named_at_its_field(client: Client, report: Report) -> None:
    (differs,) = [
        kind for kind in client.get(submission(report)).context["kinds"] if kind.code == "register-differs"
    ]
    own = f"comment-{differs.lines[4].index}"
    sent = {"based_on": "1", "kind-register-differs": "x" * 2001, own: "y" * 2001}
    refused = client.post(submission(report), sent)
    assert refused.status_code == 409
    assert {field.id for field in refused.context["invalid_fields"]} == {"kind-register-differs", own}
    for name in ("kind-register-differs", own):
        assert f'id="{name}-message">Enter text of at most 2000 characters.' in refused.text
    assert "y" * 2001 in refused.text


def test_the_preview_prints_the_points_as_the_file_does(client: Client, report: Report) -> None:
    """The file has 4.0, 4.0, 3.0, 2.0, 1.5 and 0.5 by place; in 2-1-0 that is 8, 8, 6, 4, 3 and 1."""
    page = client.get(reverse("report-preview", args=[report.pk])).text
    standings = page.partition('id="standings"')[2].partition("</table>")[0]
    figures = re.findall(r"</th>\s*<td[^>]*>([^<]+)</td>\s*<td[^>]*>\s*(\d+)\s*</td>", standings)
    assert figures == [("4", "8"), ("4", "8"), ("3", "6"), ("2", "4"), ("1½", "3"), ("½", "1")]


def test_a_comment_of_its_own_replaces_the_one_on_all(client: Client, report: Report) -> None:
    page = client.get(submission(report))
    kinds = {kind.code: kind for kind in page.context["kinds"]}
    own = f"comment-{kinds['register-differs'].lines[4].index}"
    typed = dict.fromkeys(asked_in(page), "so it is")
    submitted(client, report, typed | {own: "changed federation"})
    assert stored(report)["register-differs"] == {"so it is", "changed federation"}
    # Where nothing is to be typed the page shows both.
    page = client.get(submission(report)).text
    assert "so it is" in page
    assert "changed federation" in page


def test_a_missing_comment_is_named_at_its_field_and_the_others_stay(client: Client, report: Report) -> None:
    page = client.get(submission(report))
    asked = asked_in(page)
    kind = "kind-register-differs"
    typed = {name: "" if name == kind else f"about {name}" for name in asked}
    (differs,) = [found for found in page.context["kinds"] if f"kind-{found.code}" == kind]
    own = differs.first
    refused = client.post(submission(report), {"based_on": "1", **typed, f"comment-{own.index}": "only one"})
    assert refused.status_code == 409
    # In the summary, at the field.
    assert refused.text.count("Write a comment on all of them, or on each.") == 2
    assert "only one" in refused.text
    assert all(f"about {name}" in refused.text for name in asked if name != kind)


def test_comments_stay_with_the_next_version_while_findings_do(client: Client, report: Report) -> None:
    """Returned; the referee adds a line at the top and corrects a country. What is left keeps its comment."""
    before = asked_in(client.get(submission(report)))
    submitted(client, report, {name: f"about {name}" for name in before})
    officer = create_user("o@example.org", "Officer", roles=[Role.RATING_OFFICER])
    return_report(report=report, remarks=[Remark("The country of player 1.")], by=Actor(officer))
    content = b"### by hand\n" + SIX.read_bytes().replace(b"B228 NED", b"B228 BEL")
    file = SimpleUploadedFile(SIX.name, content)
    address = reverse("report-file", args=[report.pk])
    assert client.post(address, {"based_on": "1", "file": file}).status_code == 302
    page = client.get(submission(report))
    (differs,) = [kind for kind in page.context["kinds"] if kind.code == "register-differs"]
    assert len(differs.lines) == 17
    assert differs.text == "about kind-register-differs"
    assert not any(line.is_new for line in differs.lines)
    after = asked_in(page)
    assert set(after.values()) == {f"about {name}" for name in before}
    submitted(client, report, after)
    assert WarningComment.objects.filter(version__report=report).count() == 20 + 19


def test_a_new_finding_is_marked_and_one_that_changed_has_no_comment(client: Client, report: Report) -> None:
    before = asked_in(client.get(submission(report)))
    submitted(client, report, {name: f"about {name}" for name in before})
    client.post(reverse("report-take-back", args=[report.pk]))
    # The year of birth of player 3 is now another one, which the register does not have either.
    content = SIX.read_bytes().replace(b"1979/11/02", b"1977/11/02")
    file = SimpleUploadedFile(SIX.name, content)
    address = reverse("report-file", args=[report.pk])
    assert client.post(address, {"based_on": "1", "file": file}).status_code == 302
    page = client.get(submission(report))
    (differs,) = [kind for kind in page.context["kinds"] if kind.code == "register-differs"]
    assert [dict(line.finding.values)["found"] for line in differs.lines if line.is_new] == ["1977"]
    assert page.text.count('<span class="tag">new</span>') == 1


def test_comments_of_a_draft_are_saved_by_their_button_and_stay_with_the_next_version(
    client: Client, report: Report
) -> None:
    """Saved half, then another file: what is left keeps its comment, and what is gone is shown."""
    page = client.get(submission(report))
    asked = asked_in(page)
    lines = [line for kind in page.context["kinds"] for line in kind.lines]
    (year,) = [line.index for line in lines if dict(line.finding.values).get("found") == "1979"]
    single = [name for name in asked if name.startswith("comment-")]
    typed = {single[0]: "rain", single[1]: "", "kind-register-differs": "passports"}
    sent = {"based_on": "1", "action": "save", **typed, f"comment-{year}": "misread"}
    done = client.post(submission(report), sent, follow=True)
    assert "Comments saved. The report is not submitted yet." in done.text
    kept = asked_in(client.get(submission(report)))
    assert kept == typed
    assert "1 comment" in done.text, "the step says what is missing"

    # A line at the top, another country of player 1, and another year of birth of player 3.
    content = SIX.read_bytes().replace(b"B228 NED", b"B228 BEL").replace(b"1979/11/02", b"1977/11/02")
    file = SimpleUploadedFile(SIX.name, b"### by hand\n" + content)
    response = client.post(reverse("report-file", args=[report.pk]), {"based_on": "1", "file": file})
    assert response.status_code == 302
    page = client.get(submission(report))
    assert "this warning has changed or is gone. You wrote: misread" in page.text
    assert sorted(asked_in(page).values()) == ["", "passports", "rain"]
    (differs,) = [kind for kind in page.context["kinds"] if kind.code == "register-differs"]
    assert [dict(line.finding.values)["found"] for line in differs.lines if line.is_new] == ["1977"]

    # Submission is refused, and what was typed is saved; then it is complete, and nothing is left of the draft.
    typed = asked_in(page)
    (missing,) = [name for name, text in typed.items() if not text]
    refused = client.post(submission(report), {"based_on": "2", **typed, "kind-register-differs": "seen"})
    assert refused.status_code == 409
    assert asked_in(client.get(submission(report)))["kind-register-differs"] == "seen"
    assert not WarningComment.objects.exists()
    submitted(client, report, asked_in(client.get(submission(report))) | {missing: "late"})
    assert stored(report)["register-differs"] == {"seen"}
    assert not DraftComments.objects.exists()


def test_comments_of_another_person_or_version_are_not_saved(client: Client, report: Report) -> None:
    sent = {"based_on": "7", "action": "save", "comment-1": "x"}
    assert client.post(submission(report), sent).status_code == 409
    client.force_login(create_user("e@example.org", "Else", roles=[Role.REFEREE]))
    assert client.post(submission(report), sent | {"based_on": "1"}).status_code in (403, 404)
    assert not DraftComments.objects.exists()
