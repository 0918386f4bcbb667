"""A counted report is corrected in the browser, from its referee to the published revision, and never rated twice.

Ratings by hand: all play at 120 minutes (100 % of K), with over 30 games and under 2300, so K = 15 and
ΔR = 7.5 × (W − We) (Annex 9 art. 3.2). Against an equal We is 1 a game, so two wins bring 7.5 × (4 − 2) = 15 points.
"""

import re
from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ratings.models import RatingList
from ratings.queries.counted_results import reports_to_include
from ratings.tasks import look_for_work
from reporting.formats.tournament_details.sidecar import detail_values
from reporting.models import Federation, LogEntry, LookAlikeDecision, Message, Report, Role, Tournament
from reporting.reports.views.steps import corrected_tournament
from tests.pages.inbox.office_reports import decide, newest_comments
from tests.pages.office.office_pages import as_shown, text_of
from tests.people import client_of, create_user, logged_in
from tests.services.conftest import Office, _april_list  # noqa: F401 - a fixture
from tests.services.correction_helpers import JULY, ONE_EACH, SPRING, TWO_WINS, manifest, ratings

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own

CORRECT_LIST = "/office/lists/fmjd-100/2025-04-01/correct/"
LIST = "/office/lists/fmjd-100/2025-04-01/"


@pytest.fixture
def april(office: Office, april_list: tuple[RatingList, Report]) -> RatingList:
    """11 beat 12 twice in the Spring: 2015 and 1985 on the published list of April."""
    return april_list[0]


def person(role: Role) -> Client:
    return logged_in(role, f"The {role}")


@pytest.fixture
def referee(office: Office) -> Client:
    return client_of(office.referee.user)


@pytest.fixture
def officer() -> Client:
    return person(Role.RATING_OFFICER)


def submitted(referee: Client, report: Report) -> Report:
    """Every warning is commented on and the report submitted."""
    comments = {f"comment-{index}": text for index, text in newest_comments(report).items()}
    number = report.versions.latest("number").number
    address = reverse("report-submit", args=[report.pk])
    response = referee.post(address, {"based_on": number, **comments})
    assert response.status_code == 302, text_of(response)
    report.refresh_from_db()
    return report


def accepted(officer: Client, report: Report, **choice: Any) -> Report:
    """A correction is never late, so it needs no admission (R11a)."""
    response = decide(officer, report, "accept", **choice)
    assert response.status_code == 302, text_of(response)
    report.refresh_from_db()
    return report


def revised(officer: Client, releaser: Client, report: Report) -> RatingList:
    """The list is corrected with this report, calculated by the worker, approved and published by two persons."""
    asked = {"reason": "White lost the second game.", "included_reports": report.pk, "later": "carry"}
    assert officer.post(CORRECT_LIST, as_shown(officer, CORRECT_LIST, **asked)).status_code == 302
    assert look_for_work() == 1
    draft = RatingList.objects.get(state="ready")
    for anomaly in draft.anomalies.all():
        officer.post(f"{LIST}anomalies/{anomaly.pk}/", {"text": "Looked at with the referee."})
    for client, act in ((officer, "approve"), (releaser, "publish")):
        assert client.post(f"{LIST}{act}/", {"sha256": draft.sha256}).status_code == 302
    draft.refresh_from_db()
    assert (draft.state, draft.revision) == ("published", 2)
    return draft


def values_on(page: str) -> dict[str, str]:
    """What the details form would send if it were saved as it stands."""
    found = re.findall(r'<input[^>]*name="(\w+)"[^>]*?value="([^"]*)"', page)
    values = {name: value for name, value in found if name not in {"csrfmiddlewaretoken", "announcement"}}
    for name, options in re.findall(r'<select name="(\w+)".*?>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        values[name] = chosen[1] if chosen else ""
    return values


def uploaded(referee: Client, content: bytes) -> Report:
    sent = {"file": SimpleUploadedFile("spring.txt", content)}
    assert referee.post(reverse("report-new"), sent).status_code == 302
    return Report.objects.latest("pk")


def with_details(referee: Client, report: Report, answer: int = 302, **details: str) -> str:
    """The details saved with these, the others as they stand on the page; returns the page before."""
    address = reverse("report-details", args=[report.pk])
    page = str(referee.get(address).content.decode())
    assert referee.post(address, values_on(page) | details).status_code == answer
    return page


def spring(office: Office, games: list[str]) -> bytes:
    return office.report_file("Spring", [11, 12], games, **SPRING)


WEIGHED = {"discipline": "100", "time_control": "120+0"}


def test_a_report_that_names_the_tournament_it_corrects_takes_its_place(
    office: Office, referee: Client, officer: Client, april: RatingList
) -> None:
    """The next test goes on from there to the revision."""
    report = uploaded(referee, spring(office, ONE_EACH))
    page = with_details(referee, report, **WEIGHED, corrects="2025-spring")
    assert '<optgroup label="List of 1 Apr 2025, 100 squares, classical">' in page
    assert '<option value="2025-spring">Spring, Utrecht, 7–9 Feb 2025</option>' in page
    shown = text_of(referee.get(reverse("report", args=[report.pk])))
    assert "Corrects Spring, which is counted in the list of 1 Apr 2025" in shown
    report = accepted(officer, submitted(referee, report))
    assert report.corrects_id == "2025-spring"
    assert report.result_set is not None
    assert (report.result_set.code, report.result_set.revision) == ("2025-spring", 1)
    assert reports_to_include(april) == [report]


def test_a_referee_corrects_the_own_report_with_one_click_and_one_changed_line(
    referee: Client, officer: Client, april: RatingList
) -> None:
    """12 won the second game after all: 2000 each."""
    first = Report.objects.get()
    assert first.accepted_version is not None
    assert "Correct report" in text_of(referee.get(reverse("report", args=[first.pk])))
    begun = referee.post(reverse("report-correct", args=[first.pk]))
    report = Report.objects.latest("pk")
    assert (begun.status_code, begun["Location"]) == (302, reverse("report-file", args=[report.pk]))
    version = report.versions.get()
    assert (report.state, report.corrects_id) == ("draft", "2025-spring")
    assert bytes(version.content) == bytes(first.accepted_version.content)
    # A second click finds the draft of the first.
    assert referee.post(reverse("report-correct", args=[first.pk]))["Location"] == begun["Location"]
    number = 1 + bytes(version.content).decode().splitlines().index("2,2,1,0-2")
    edit = {"based_on": "1", f"edit-{number}-1-9": "2,2,1,2-0", f"was-edit-{number}-1-9": ""}
    assert referee.post(begun["Location"], edit).status_code == 302
    for line, points in ((11, 4), (12, 0)):  # the printed points follow: 2 each
        content = bytes(report.versions.latest("number").content).decode().splitlines()
        at, text = next((n, text) for n, text in enumerate(content, 1) if text.startswith(f"{line},"))
        changed = text.replace(f",0,{points},", ",0,2,")
        based_on = report.versions.count()
        edit = {"based_on": based_on, f"edit-{at}-1-{len(text)}": changed}
        assert referee.post(begun["Location"], edit).status_code == 302
    assert report.versions.latest("number").errors == 0
    report = accepted(officer, submitted(referee, report))
    draft = text_of(officer.get(reverse("office-report", args=[report.pk])))
    assert "Corrects Spring, which is counted in the list of 1 Apr 2025" in draft
    assert "Counts in the next revision of 1 Apr 2025" in draft
    revision = revised(officer, person(Role.RELEASING_OFFICER), report)
    assert (manifest(revision), ratings(revision, 11, 12)) == ({("2025-spring", 1)}, (2000, 2000))
    review = text_of(officer.get(reverse("office-report", args=[report.pk])))
    assert "Corrects Spring and is counted instead of it in the list of 1 Apr 2025" in review
    assert "Counted in 1 Apr 2025" in review
    page = text_of(Client().get(reverse("tournament", args=["2025-spring"])))
    assert "The list was corrected for this tournament" in page
    assert "Correct report" not in page


def test_the_draft_list_names_a_corrected_report_with_who_accepted_it(
    referee: Client, officer: Client, april: RatingList
) -> None:
    Tournament.objects.filter(code="2025-spring").update(name="Spring as announced")
    referee.post(reverse("report-correct", args=[Report.objects.get().pk]))
    report = accepted(officer, submitted(referee, Report.objects.latest("pk")))
    assert "Corrects Spring, which is" in text_of(referee.get(reverse("report", args=[report.pk])))
    asked = {"reason": "The clock.", "included_reports": str(report.pk), "later": "carry"}
    officer.post(CORRECT_LIST, as_shown(officer, CORRECT_LIST, **asked))
    assert look_for_work() == 1
    page = text_of(officer.get(LIST))
    assert "Spring corrects an earlier report" in page
    assert "It replaces the report of Spring. Accepted by The rating_officer" in page


def test_of_many_tournaments_some_are_offered_and_others_are_searched(
    office: Office, referee: Client, april: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First those played within a month of the report, then the newest; a search keeps what is typed, saves nothing."""
    monkeypatch.setattr(corrected_tournament, "MOST_OFFERED", 1)
    autumn = {"played_from": date(2025, 9, 5), "played_to": date(2025, 9, 7)}
    office.accept("Autumn in Ghent", [11, 12], ONE_EACH, **autumn)
    report = uploaded(referee, spring(office, ONE_EACH))
    address = reverse("report-details", args=[report.pk])
    page = referee.get(address).text
    assert offered(page) == ["2025-spring"]
    assert "1 of 2 tournaments" in page
    assert 'name="action" value="search"' in page
    typed = values_on(page) | {"referee": "Half a na"}
    found = referee.post(address, typed | {"find": "ghent  AUTUMN", "action": "search"})
    assert found.status_code == 200
    page = found.text
    assert offered(page) == ["2025-autumn-in-ghent"]
    assert 'value="Half a na"' in page
    assert report.versions.count() == 1
    # Enter in the field of the search, and what was chosen before, which stays.
    page = referee.post(address, typed | {"find": "nothing", "corrects": "2025-autumn-in-ghent"}).text
    assert offered(page) == ["2025-autumn-in-ghent"]
    assert "No tournament matches" in page
    assert report.versions.count() == 1
    chosen = {"find": "ghent", "corrects": "2025-autumn-in-ghent", "action": "save"}
    saved = referee.post(address, typed | chosen)
    assert saved.status_code == 302
    details = detail_values(bytes(report.versions.latest("number").sidecar))
    assert details["corrects"] == "2025-autumn-in-ghent"


def offered(page: str) -> list[str]:
    found = re.search(r'<select name="corrects".*?</select>', page, re.DOTALL)
    assert found
    return [code for code in re.findall(r'<option value="([^"]*)"', found[0]) if code]


# --- a report that looks like an accepted one


@pytest.fixture
def twin(office: Office, april: RatingList, referee: Client, officer: Client) -> tuple[Client, Report]:
    """The Spring once more, with the same results and no word of a correction; and an officer."""
    report = uploaded(referee, spring(office, TWO_WINS) + b"\n")
    with_details(referee, report, **WEIGHED)
    return officer, submitted(referee, report)


def test_without_a_decision_it_is_not_accepted_and_no_input_is_lost(twin: tuple[Client, Report]) -> None:
    officer, report = twin
    assert report.result_set is not None
    assert report.result_set.code == "2025-spring-2"
    open_, wrong = "Choose whether it corrects that", "The report does not look like the accepted tournament"
    choices: tuple[tuple[dict[str, str], str], ...] = (
        ({}, open_),
        ({"because": "The second group."}, open_),
        ({"look_alike": "different", "because": "  "}, open_),
        ({"look_alike": "corrects:2025-other"}, wrong),
        ({"look_alike": "nonsense"}, wrong),
    )
    for choice, said in choices:
        response = decide(officer, report, "accept", words="At once.", **choice)
        assert (response.status_code, said in response.text) == (409, True), choice
        assert "counted in the list of 1 Apr 2025" in response.text
        assert choice.get("because", "").strip() in response.text
        is_different = bool(re.search(r'value="different" id="different"\s+checked', response.text))
        assert is_different is (choice.get("look_alike") == "different")
    report.refresh_from_db()
    assert (report.state, LookAlikeDecision.objects.count()) == ("submitted", 0)


def test_the_officer_decides_that_it_is_a_correction(
    twin: tuple[Client, Report], office: Office, april: RatingList
) -> None:
    officer, report = twin
    report = accepted(officer, report, look_alike="corrects:2025-spring")
    assert report.result_set is not None
    assert (report.result_set.code, report.result_set.revision) == ("2025-spring", 1)
    decision = LookAlikeDecision.objects.get()
    decided = decision.is_correction, decision.tournament.code, decision.by.name
    assert decided == (True, "2025-spring", "The rating_officer")
    assert LogEntry.objects.filter(action="report.accept").latest("pk").after["corrects"] == "2025-spring"
    assert reports_to_include(april) == [report]
    shown = Message.objects.filter(kind="report_accepted").latest("pk").text
    assert "It replaces the report that it corrects." in shown
    page = text_of(officer.get(reverse("office-report", args=[report.pk])))
    assert "Counts in the next revision of 1 Apr 2025" in page


def test_the_officer_decides_that_it_is_a_different_tournament_and_the_next_list_asks_about_it(
    twin: tuple[Client, Report], office: Office
) -> None:
    officer, report = twin
    choice = {"look_alike": "different", "because": "Group B, the same two played."}
    report = accepted(officer, report, words="The post was slow.", **choice)
    assert (report.result_set.code, report.corrects) == ("2025-spring-2", None)  # type: ignore[union-attr]
    july = office.run(JULY, publish=False)
    anomaly = july.anomalies.get(kind="look_alike")
    assert anomaly.report == report
    assert anomaly.data["different_from"] == [{"code": "2025-spring", "name": "Spring"}]
    page = text_of(officer.get("/office/lists/fmjd-100/2025-07-01/"))
    assert "Spring looks like Spring" in page
    assert "Counted as a different tournament from: Spring" in page
    assert "Decided by The rating_officer on" in page
    assert "Group B, the same two played." in page


# --- who may correct what


def test_only_who_may_change_a_report_may_correct_it(office: Office, april: RatingList) -> None:
    first = Report.objects.get()
    country = Federation.objects.get(code="NED")
    page = reverse("tournament", args=["2025-spring"])
    for role, federation, may in (
        (Role.RATING_OFFICER, None, True),
        (Role.TOURNAMENT_DIRECTOR, None, True),
        (Role.NATIONAL_OFFICIAL, country, True),
        (Role.NATIONAL_OFFICIAL, Federation.objects.exclude(code="NED").first(), False),
        (Role.REFEREE, country, False),
        (Role.ADMINISTRATOR, None, False),
        (Role.RELEASING_OFFICER, None, False),
    ):
        user = create_user(f"{role}{federation}@example.org", "X", roles=[role], federation=federation)
        client, reports = client_of(user), Report.objects.count()
        response = client.post(reverse("report-correct", args=[first.pk]))
        assert (response.status_code == 302) == may, (role, federation)
        assert Report.objects.count() == reports + may
        assert ("Correct report" in text_of(client.get(page))) == may, (role, federation)
        own = uploaded(client, b"012 nothing") if role in {Role.REFEREE, Role.NATIONAL_OFFICIAL} else None
        if own is not None:
            details = client.get(reverse("report-details", args=[own.pk])).content.decode()
            assert ('<option value="2025-spring">' in details) == may
    assert "Correct report" not in text_of(Client().get(page))


def test_a_report_in_review_is_not_corrected(office: Office, referee: Client, april: RatingList) -> None:
    waiting = office.submit("Waiting", [11, 13], ONE_EACH, **SPRING)
    assert "Correct report" not in text_of(referee.get(reverse("report", args=[waiting.pk])))
    assert referee.post(reverse("report-correct", args=[waiting.pk])).status_code == 409
    assert referee.get(reverse("report-correct", args=[waiting.pk])).status_code == 405
    assert referee.post(reverse("report-correct", args=[4711])).status_code == 404


def test_a_code_that_is_not_offered_stays_in_the_details_next_to_its_finding(
    office: Office, referee: Client, april: RatingList
) -> None:
    report = uploaded(referee, spring(office, ONE_EACH))
    with_details(referee, report, 409, **WEIGHED, corrects="2025-sprong")
    page = referee.get(reverse("report-details", args=[report.pk])).content.decode()
    assert '<option value="2025-sprong" selected>2025-sprong</option>' in page
    assert "no report of a tournament with this code has been accepted" in page


@pytest.mark.database_role("web")
def test_before_a_list_counts_it_a_report_is_corrected_and_decided_about_all_the_same(
    office: Office, referee: Client, officer: Client
) -> None:
    office.register(11, 12)
    first = office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    assert referee.post(reverse("report-correct", args=[first.pk])).status_code == 302
    draft = Report.objects.latest("pk")
    page = referee.get(reverse("report-details", args=[draft.pk])).content.decode()
    assert '<optgroup label="In no published list yet">' in page
    page = text_of(referee.get(reverse("report", args=[draft.pk])))
    assert "Corrects Spring, 7–9 Feb 2025, which no published list counts." in page
    own = text_of(referee.get(reverse("report", args=[first.pk])))
    assert f"Correction: report {draft.pk}, draft, by Referee." in own
    for name, look_alike, because in (
        ("Group B", "different", "Group B."),
        ("Sprung", "corrects:2025-spring", "Not group B."),
    ):
        report = office.submit(name, [11, 12], TWO_WINS, **SPRING)
        review = text_of(officer.get(reverse("office-report", args=[report.pk])))
        assert "It corrects Spring" in review
        assert "not in a published list yet" in review
        accepted(officer, report, look_alike=look_alike, because=because)
    decisions = LookAlikeDecision.objects.order_by("pk")
    assert list(decisions.values_list("tournament__code", "is_correction", "reason")) == [
        ("2025-spring", False, "Group B."), ("2025-spring", True, ""), ("2025-group-b", False, "Not group B."),
    ]  # fmt: skip
