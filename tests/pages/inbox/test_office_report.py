"""The decisions about a report over HTTP: what its page shows, what each act does, and what is never lost."""

import re
from dataclasses import replace
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from reporting.models import (
    Entry,
    LogEntry,
    Message,
    Player,
    PlayerTitle,
    Report,
    ReviewRemark,
    Role,
    WarningComment,
)
from reporting.models.locks import CLOSING
from reporting.reports.services.edit_report import edit_tournament_details, replace_report_file
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report, take_back_report
from reporting.reports.services.upload import upload_report
from reporting.reports.views import review
from tests.pages.inbox.office_reports import GAMES, OPENING, PLAYERS, decide, newest_comments, text
from tests.pages.locked_rows import locked
from tests.people import client_of, create_user, logged_in
from tests.services.conftest import Office

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


@pytest.fixture
def small_office(office: Office) -> Office:
    office.register(*PLAYERS)
    return office


@pytest.fixture
def report(small_office: Office) -> Report:
    return small_office.submit("Open", PLAYERS, GAMES)


@pytest.fixture
def officer() -> Client:
    return logged_in(Role.RATING_OFFICER)


# --- acts; each of them in each state by everybody is in tests/services/test_review.py


def test_a_rejection_is_an_officer_s_and_no_act_an_administrator_s(report: Report) -> None:
    acts, administrator = LogEntry.objects.count(), logged_in(Role.ADMINISTRATOR)
    for action in ("accept", "return", "reject", "undo-acceptance"):
        assert decide(administrator, report, action, words="Twice.").status_code == 403
    assert LogEntry.objects.count() == acts
    officer = create_user("who@example.org", "Who", roles=[Role.RATING_OFFICER])
    assert decide(client_of(officer), report, "reject", words="Twice.").status_code == 302
    report.refresh_from_db()
    entry = LogEntry.objects.latest("pk")
    assert (report.state, entry.actor, entry.action, entry.reason) == (
        "rejected", officer, "report.reject", "Twice.",
    )  # fmt: skip


# --- bound to the version looked at


@pytest.mark.parametrize("action", ["accept", "return", "reject"])
def test_another_version_than_the_one_looked_at_is_not_decided(small_office: Office, action: str) -> None:
    """Edited and submitted again while the officer read: the texts stay, the new version has not been seen."""
    report = small_office.submit("Open", PLAYERS, GAMES)
    take_back_report(report=report, by=small_office.referee)
    edit_tournament_details(report=report, based_on=1, values={"place": "Gouda"}, by=small_office.referee)
    submit_report(report=report, comments=newest_comments(report), by=small_office.referee)
    client = logged_in(Role.RATING_OFFICER)
    acts = LogEntry.objects.count()
    response = decide(client, report, action, based_on="1", words="Typed with care.")
    assert response.status_code == 409
    page = text(response)
    assert "The report has been changed since you opened it." in page
    assert "You opened version 1; this page now shows version 2" in page
    assert "Typed with care." in page
    report.refresh_from_db()
    assert (report.state, LogEntry.objects.count()) == ("submitted", acts)
    assert 'name="based_on" value="2"' in page  # the page shows version 2: deciding now is about that one
    assert decide(client, report, action, words="Typed with care.").status_code == 302


def test_turning_a_page_of_rows_decides_nothing_and_keeps_what_is_typed(
    small_office: Office, officer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pagers are buttons of the one form of all decisions; without JavaScript too."""
    monkeypatch.setattr(review, "COMMENTS_PER_PAGE", 1)
    # late, and few rounds: 2 warnings
    report = small_office.submit("Open", PLAYERS, GAMES, received="2026-02-16")
    address = reverse("office-report", args=[report.pk])
    page = text(officer.get(address))
    button = '<button class="pager__link" formnovalidate form="decisions" formaction="?comments=2#comments"'
    assert button in page
    assert 'href="?comments=2' not in page
    typed = {
        "based_on": "1", "words-return": "Half a sentence", "words-reject": "Sent twi", "line-2": "7", "line-1": "",
        "remark-1": "", "remark-2": "Which V", "look_alike": "different", "because": "another weekend",
        "newcomers_are_others": "1",
    }  # fmt: skip
    acts = LogEntry.objects.count()
    turned = officer.post(f"{address}?comments=2", typed)
    assert turned.status_code == 200
    page = text(turned)
    assert "Findings 2 to 2 of" in page
    for words in ("Half a sentence", "Sent twi", 'value="7"', 'value="Which V"', "another weekend"):
        assert words in page
    assert 'value="different" id="different" checked' in page
    assert 'id="others" name="newcomers_are_others" value="1" checked' in page
    assert "Nothing was changed" not in page
    report.refresh_from_db()
    assert (report.state, LogEntry.objects.count()) == ("submitted", acts)
    # Accepted by another person meanwhile: what is typed is still there.
    accept_report(report=report, by=small_office.officer, admitted_reason="The post was late.")
    page = text(officer.post(f"{address}?comments=1", typed))
    assert "Half a sentence" in page
    assert "Sent twi" in page


def test_turning_a_page_after_the_report_was_changed_says_so(small_office: Office, report: Report) -> None:
    take_back_report(report=report, by=small_office.referee)
    edit_tournament_details(report=report, based_on=1, values={"place": "Gouda"}, by=small_office.referee)
    submit_report(report=report, comments=newest_comments(report), by=small_office.referee)
    typed = {"based_on": "1", "words-reject": "Typed with care."}
    turned = logged_in(Role.RATING_OFFICER).post(reverse("office-report", args=[report.pk]), typed)
    assert turned.status_code == 409
    assert "You opened version 1; this page now shows version 2" in text(turned)
    assert "Typed with care." in text(turned)


def test_who_only_reads_turns_pages_by_links(small_office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "COMMENTS_PER_PAGE", 1)
    report = small_office.submit("Open", PLAYERS, GAMES, received="2026-02-16")
    page = text(logged_in(Role.ADMINISTRATOR).get(reverse("office-report", args=[report.pk])))
    assert 'href="?comments=2#comments"' in page


def test_a_form_that_names_no_version_or_no_act_decides_nothing(report: Report, officer: Client) -> None:
    for number in ("", "0", "-1", "2", "x", "99999999999999"):
        assert decide(officer, report, "accept", based_on=number).status_code == 409
    assert decide(officer, report, "publish").status_code == 409
    report.refresh_from_db()
    assert report.state == "submitted"


def test_what_another_officer_decided_meanwhile_is_reported_and_the_texts_stay(
    small_office: Office, report: Report
) -> None:
    accept_report(report=report, by=small_office.officer)
    response = decide(
        logged_in(Role.RATING_OFFICER), report, "return", words="In general.",
        **{"line-1": "16", "remark-1": "Which Ada?"},
    )  # fmt: skip
    assert response.status_code == 409
    page = text(response)
    for kept in (
        "The report has been decided or withdrawn.", "In general.", 'value="16"', 'value="Which Ada?"',
    ):  # fmt: skip
        assert kept in page


# --- returned: remarks


def test_remarks_are_kept_and_stand_on_the_pages_of_the_referee(small_office: Office, report: Report) -> None:
    response = decide(
        logged_in(Role.RATING_OFFICER, "Olga"), report, "return", words=" Almost. ",
        **{"line-1": "9", "remark-1": "Which Utrecht?", "line-2": "", "remark-2": ""},
        **{"line-7": " 16 ", "remark-7": "Who?"},
    )  # fmt: skip
    assert response.status_code == 302
    assert list(ReviewRemark.objects.order_by("pk").values_list("line", "text")) == [
        (None, "Almost."), (9, "Which Utrecht?"), (16, "Who?"),
    ]  # fmt: skip
    referee = client_of(small_office.referee.user)
    first = text(referee.get(reverse("report", args=[report.pk])))
    for words in ("Almost.", "Which Utrecht?", "Who?", "Olga"):
        assert words in first
    page = text(referee.get(reverse("report-file", args=[report.pk])))
    line = re.search(r'id="L9".*?(?=<div class="source__line|<details)', page)
    assert line is not None
    assert "Which Utrecht?" in line[0]
    assert "Who?" not in line[0]
    # A remarked line without a finding is corrected where it stands.
    assert 'name="edit-9-1-15" value="place = Utrecht"' in line[0]
    edit = {"based_on": "1", "edit-9-1-15": "place = Utrecht-Zuid"}
    saved = referee.post(reverse("report-file", args=[report.pk]), edit)
    assert saved.status_code == 302
    assert b"place = Utrecht-Zuid\n" in bytes(report.versions.latest("number").content)
    assert "Which Utrecht?" in text(referee.get(reverse("report-file", args=[report.pk])))


def test_remarks_without_words_or_place_return_nothing_and_stay(report: Report, officer: Client) -> None:
    for words, message in (
        ({}, "Say what the referee has to correct."),
        ({"words": "  "}, "Say what the referee has to correct."),
        ({"line-1": "9"}, "Say what the referee has to correct in line 9."),
        ({"line-1": "", "remark-1": "Where?"}, "is not a line of the file"),
        ({"line-1": "0", "remark-1": "Where?"}, "“0” is not a line of the file"),
        ({"line-1": "9x", "remark-1": "Where?"}, "“9x” is not a line of the file"),
        ({"line-1": "9999", "remark-1": "Where?"}, "“9999” is not a line of the file"),
        ({"words": "x" * 2001}, "at most 2000 characters"),
        ({"line-1": "9", "remark-1": "x" * 2001}, "at most 2000 characters"),
    ):
        response = decide(officer, report, "return", **words)
        page = text(response)
        assert (response.status_code, message in page) == (409, True), words
        place = (
            "remarks-general" if "line-1" not in words else "remark-1" if words["line-1"] == "9" else "line-1"
        )
        assert [field.id for field in response.context["invalid_fields"]] == [place], words
        if "remark-1" in words:
            assert f'value="{words["remark-1"]}"' in page
    assert not ReviewRemark.objects.exists()


def test_no_reason_no_rejection_and_no_undoing(small_office: Office, officer: Client, report: Report) -> None:
    for action, state in (("reject", "submitted"), ("undo-acceptance", "accepted")):
        if state == "accepted":
            accept_report(report=report, by=small_office.officer)
        response = decide(officer, report, action, words=" ")
        assert (response.status_code, "Enter a reason." in text(response)) == (409, True)
        assert Report.objects.get().state == state


# --- accepted


# Played 6 to 8 February 2026; each is barred by R11 for one cause.
BARRED = {
    "late": {"received": "2026-02-16"},  # due by the 15th
    "not announced": {"announced": "2026-01-24"},  # 13 days before
}


@pytest.mark.parametrize("why", BARRED)
def test_what_asks_admission_is_accepted_with_a_reason_by_a_rating_officer(
    small_office: Office, officer: Client, why: str
) -> None:
    report = small_office.submit("Open", PLAYERS, GAMES, **BARRED[why])
    address = reverse("office-report", args=[report.pk])
    director = logged_in(Role.TOURNAMENT_DIRECTOR)
    page = text(director.get(address))
    assert "It needs one of these roles: Rating officer." in page
    assert "Accept report" not in page
    refused = decide(director, report, "accept", words="The post was late.")
    assert refused.status_code == 403
    assert "The post was late." in text(refused)
    assert "Reason for admission" in text(officer.get(address))
    refused = decide(officer, report, "accept", words=" ")
    assert refused.status_code == 409
    assert "only calculated if it is admitted with a reason" in text(refused)
    assert Report.objects.get().state == "submitted"
    assert decide(officer, report, "accept", words="The post was late.").status_code == 302
    assert Report.objects.get().admitted_reason == "The post was late."
    assert LogEntry.objects.latest("pk").reason == "The post was late."


def test_a_report_in_order_asks_no_reason(small_office: Office, officer: Client, report: Report) -> None:
    assert "Reason for admission" not in text(officer.get(reverse("office-report", args=[report.pk])))
    assert decide(officer, report, "accept").status_code == 302
    assert Report.objects.get().admitted_reason == ""
    assert Entry.objects.count() == 3
    assert Message.objects.filter(kind="report_accepted", recipient=small_office.referee.user).count() == 1


def test_newcomers_who_may_be_others_are_asked_about_once_the_service_says_so(small_office: Office) -> None:
    """Zora Zett came into the register by the first acceptance; in the correction the line says Zet."""
    report = small_office.accept("Open", [small_office.newcomer("Zora", "Zett"), 11, 12], GAMES)
    officer = logged_in(Role.RATING_OFFICER)
    assert decide(officer, report, "undo-acceptance", words="Her name.").status_code == 302
    decide(officer, report, "return", words="Zet with one t.")
    referee = client_of(small_office.referee.user)
    content = bytes(report.versions.get().content).replace(b"Zora,Zett", b"Zora,Zet")
    number = next(n for n, line in enumerate(content.decode().splitlines(), start=1) if "Zora,Zet" in line)
    line = bytes(report.versions.get().content).decode().splitlines()[number - 1]
    edit = {"based_on": "1", f"edit-{number}-1-{len(line)}": line.replace("Zett", "Zet")}
    referee.post(reverse("report-file", args=[report.pk]), edit)
    submit_report(report=report, comments=newest_comments(report), by=small_office.referee)
    assert "are other people" not in text(officer.get(reverse("office-report", args=[report.pk])))
    refused = decide(officer, report, "accept")
    assert refused.status_code == 409
    assert "came into the register" in text(refused)
    assert "These new players are other people" in text(refused)
    people = Player.objects.count()
    assert decide(officer, report, "accept", newcomers_are_others="1").status_code == 302
    assert Player.objects.count() == people + 1


def test_ones_own_report_says_why_in_the_place_of_the_buttons(small_office: Office) -> None:
    report = small_office.submit("Open", PLAYERS, GAMES, by=small_office.director)
    client = client_of(small_office.director.user)
    page = text(client.get(reverse("office-report", args=[report.pk])))
    assert "You cannot review your own report." in page
    assert "Accept report" not in page
    assert "(you)" in text(client.get(reverse("office-reports")))
    other = logged_in(Role.TOURNAMENT_DIRECTOR)
    assert "Accept report" in text(other.get(reverse("office-report", args=[report.pk])))


# --- what the page shows


def test_the_page_shows_what_is_to_be_judged(small_office: Office) -> None:
    """Late by a day, with a newcomer; by an administrator, who only looks on."""
    people = [11, 12, small_office.newcomer("Zora", "Zett")]
    report = small_office.submit("Open", people, GAMES, received="2026-02-16")
    page = text(logged_in(Role.ADMINISTRATOR).get(reverse("office-report", args=[report.pk])))
    assert "The report was received 8 days after the last round." in page
    assert page.count("so it is") == WarningComment.objects.count() > 0
    assert "1 player is not in the register" in page
    assert "decision-bar" not in page  # nothing to press
    assert "Crosstable by rounds" in page
    assert "Time control" in page
    counts_in = r"Would count in</dt> ?<dd[^>]*> ?<time[^>]*>1 Apr 2026</time> <small>[^<]+</small>"
    assert re.search(counts_in, page)
    assert '<form class="section stack' not in page  # an administrator looks on
    assert "It needs one of these roles: Rating officer, Tournament director." in page


GOUDA = {
    "place": "Gouda",
    "played_from": date(2026, 2, 5),
    "competition": "world-cup",
    "newcomers": {
        3: {"last_name": "Zett", "first_name": "Zora", "country": "NED", "sex": "W", "born": date(2001, 2, 1)}
    },
}


def test_a_edited_report_offers_its_changes(small_office: Office, officer: Client, report: Report) -> None:
    take_back_report(report=report, by=small_office.referee)
    edit_tournament_details(report=report, based_on=1, values=GOUDA, by=small_office.referee)
    changes = reverse("report-changes", args=[report.pk, 1, 2])
    page = text(officer.get(reverse("office-report", args=[report.pk])))
    assert changes in page
    assert "Changed since version 1" in page
    changed = {about: after for about, _, after in difference_rows(page)}
    assert (changed["Town"], changed["First round"]) == ("Gouda", "5 Feb 2026")
    assert changed["Official competition"] == "World cup"
    assert changed["New players: 3"] == "Zett, Zora, NED, W, 1 Feb 2001"
    assert page.index('id="register"') < page.index('id="comments"')  # differences come first
    assert officer.get(changes).status_code == 200
    administrator = logged_in(Role.ADMINISTRATOR)
    assert changes in text(administrator.get(reverse("office-report", args=[report.pk])))
    assert administrator.get(changes).status_code == 200


def difference_rows(page: str) -> list[tuple[str, str, str]]:
    """The rows of the tables with a value on each side."""
    value = r' <td class="long-words">([^<]*)</td>'
    row = rf'<th scope="row" class="table__name">([^<]+)</th>{value}{value}'
    return [(found[1], found[2], found[3]) for found in re.finditer(row, page)]


def test_changed_players_and_games_of_a_version_are_shown(small_office: Office, report: Report) -> None:
    edited = [*PLAYERS[:2], small_office.newcomer("Zora", "Zett")]
    content = small_office.report_file("Open", edited, [*GAMES[:2], "2 1 3 2-0", GAMES[3]])
    take_back_report(report=report, by=small_office.referee)
    replace_report_file(
        report=report, based_on=1, content=content, filename="Open.txt", by=small_office.referee
    )
    page = text(logged_in(Role.RATING_OFFICER).get(reverse("office-report", args=[report.pk])))
    changes = page[page.index("Changed since version 1") : page.index('id="comments"')]
    (first, last) = small_office.names[13]
    players, games = changes.split("<strong>Games</strong>")
    ((number, before, after),) = difference_rows(players)
    assert number == "3"
    assert before.startswith(f"{first} {last}")
    assert after.startswith("Zora Zett")
    assert difference_rows(games) == [("2: 1–3", "1-1", "2-0")]


TITLES_AND_RATINGS = """; Small Open
;fill in FMJD-report
Pl;Sno;FMJD-id;Title;Name;Cn;FMJD;R1;R2;Pt
 1; 3;11;MI;{11};nl;2000;2/2w;2/3b;4
 2; 4;12;;{12};nl;2050;0/1b;2/4w;2
 3; 1;13;MF;{13};nl;;1/4w;0/1w;1
 4; 2;14;;{14};nl;;1/3b;0/2b;1
"""
SMALL_OPEN = b"""played_from = 2026-02-06
played_to = 2026-02-08
place = "Utrecht"
country = "NED"
referee = "Piet Fluit"
system = "swiss"
"""


@pytest.mark.database_role("worker")  # it imports
def test_titles_and_ratings_of_the_file_are_compared_with_register_and_list(small_office: Office) -> None:
    """11 holds MF, not MI; 12 has 2000 on the list. 13 holds its title; 14 holds one and the file says nothing."""
    small_office.opening(f"{OPENING}\n14 2000 100")
    for number in (11, 13, 14):
        player = Player.objects.get(numbers__fmjd=number)
        PlayerTitle.objects.create(player=player, awarded_by="fmjd", discipline="100", title="MF")
    names = {str(number): " ".join(name) for number, name in small_office.names.items()}
    content = re.sub(r"\{(\d+)\}", lambda found: names[found[1]], TITLES_AND_RATINGS).encode()
    sidecar = small_office.details() + SMALL_OPEN
    uploaded = upload_report(content=content, filename="small.csv", sidecar=sidecar, by=small_office.referee)
    report = uploaded.report
    submit_report(report=report, comments=small_office.comments(uploaded), by=small_office.referee)
    client = logged_in(Role.RATING_OFFICER)
    page = text(client.get(reverse("office-report", args=[report.pk])))
    assert "2 titles and ratings in the file differ" in page
    assert "No differences from the register" not in page
    differing = [(f"3 {names['11']}", "MI", "MF"), (f"4 {names['12']}", "2050", "2000")]
    assert difference_rows(page)[:2] == differing
    plain = small_office.submit("Open", PLAYERS, GAMES)
    page = text(client.get(reverse("office-report", args=[plain.pk])))
    assert "in the file differ" not in page
    assert "<summary>No differences from the register</summary>" in page


@pytest.mark.database_role("worker")  # commands act as it, and only they store some of these
@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe", b"hello", b"PK\x03\x04"])
def test_whatever_the_bytes_are_the_page_comes(small_office: Office, content: bytes) -> None:
    from reporting.reports.services.upload import upload_report

    by_command = replace(small_office.referee, by_command=True)  # by browser some of them are refused
    report = upload_report(content=content, filename="x", sidecar=b"", by=by_command).report
    response = logged_in(Role.RATING_OFFICER).get(reverse("office-report", args=[report.pk]))
    assert response.status_code == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "held", ["SELECT pg_advisory_lock(%s)", "SELECT id FROM reporting_report WHERE id = %s FOR UPDATE"]
)
def test_while_another_holds_it_it_is_to_be_tried_again_and_the_texts_stay(
    report: Report, officer: Client, held: str
) -> None:
    """The closing lock of a freeze, or the report's own row, is held elsewhere; 503 with the words typed."""
    with locked(held, CLOSING if "advisory" in held else report.pk):
        response = decide(officer, report, "reject", words="Typed with care.")
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "Typed with care." in text(response)
    assert Report.objects.get().state == "submitted"
