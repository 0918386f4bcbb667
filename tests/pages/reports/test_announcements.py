"""The page of announcements: what is typed stays, what is wrong is next to its field, in time or late is said."""

import time
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from reporting.formats.tournament_details.sidecar import detail_values
from reporting.models import Federation, LogEntry, Report, Tournament, User
from tests.people import client_of, create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


def typed(days: int = 30, **others: str) -> dict[str, str]:
    first = timezone.localdate() + timedelta(days=days)
    last = first + timedelta(days=2)
    return {
        "name": "Riverside Open", "place": "Ghent", "country": "BEL", "played_from": first.isoformat(),
        "played_to": last.isoformat(), "discipline": "100", "time_control": "80+30", "system": "swiss",
    } | others  # fmt: skip


def person(name: str, *roles: str) -> User:
    return create_user(f"{name}@example.org", name, roles=roles)


@pytest.fixture
def referee(client: Client) -> User:
    user = person("rina", "referee")
    client.force_login(user)
    return user


def test_an_announcement_in_time_is_confirmed(client: Client, referee: User) -> None:
    page = client.post("/reports/announce/", typed(14), follow=True)
    assert page.redirect_chain == [("/reports/announce/", 302)]
    assert "is announced in time, 14 days before its first round" in page.text
    assert Tournament.objects.announced().get().announced_by == referee


def test_an_empty_announcement_asks_for_each_value_on_its_own_page(client: Client, referee: User) -> None:
    page = client.post("/reports/announce/", {})
    assert page.text.count("Fill it in.") == len(typed()) - 2  # without place and system
    assert "in the details" not in page.text


def test_the_same_announcement_again_is_said_to_be_there_with_its_link(client: Client, referee: User) -> None:
    client.post("/reports/announce/", typed(1200) | {"confirmed": "announced-far"})
    announcement = Tournament.objects.announced().get()
    page = client.post("/reports/announce/", typed(1200) | {"confirmed": "announced-far"}, follow=True)
    assert page.redirect_chain == [("/reports/announce/#announced", 302)]
    link = f'<a href="/reports/announcements/{announcement.pk}/">Riverside Open</a>'
    assert f"You have already announced {link}, " in page.text
    # The message of the first one, read only now.
    assert page.text.count("announced in time, 1,200 days") == 1
    long = {"played_to": typed(1210)["played_to"], "name": "Cup"}
    shown = client.post("/reports/announce/", typed(10) | long)
    assert shown.text.count("1,203 days") == 2  # the finding and the result of the values


@pytest.mark.parametrize(
    ("days", "words"), [(13, "13 days before"), (1, "1 day before"), (0, "not before"), (-4, "not before")]
)
def test_a_late_announcement_gets_a_warning(client: Client, referee: User, days: int, words: str) -> None:
    page = client.post("/reports/announce/", typed(days), follow=True)
    assert f"is announced late, {words} its first round" in page.text
    assert "only if the rating officer admits it with a written reason" in page.text


def test_errors_are_shown_at_their_fields_and_no_input_is_lost(client: Client, referee: User) -> None:
    wrong = typed(country="Atlantis", played_from="31/02/2026", time_control="")
    page = client.post("/reports/announce/", wrong)
    assert page.status_code == 400
    assert not Tournament.objects.announced().exists()
    for kept in ('value="Riverside Open"', 'value="Atlantis"', 'value="31/02/2026"', 'value="Ghent"'):
        assert kept in page.text
    assert page.text.count("field--bad") == 3
    assert 'type="date" name="played_from"' not in page.text  # such an input would show nothing


def test_only_the_office_is_asked_for_an_earlier_day(client: Client, referee: User) -> None:
    assert "announced" not in client.get("/reports/announce/").context["groups"][-1][0]
    earlier = (timezone.localdate() - timedelta(days=60)).isoformat()
    client.post("/reports/announce/", typed(5, announced=earlier))
    assert Tournament.objects.announced().get().announced_on == timezone.localdate()
    client.force_login(person("otto", "rating_officer"))
    other = {"name": "Harbour Cup", "place": "Bruges"}
    page = client.post("/reports/announce/", typed(5, announced=earlier) | other, follow=True)
    assert "is announced in time, 65 days before" in page.text
    tomorrow = (timezone.localdate() + timedelta(days=1)).isoformat()
    page = client.post("/reports/announce/", typed(announced=tomorrow))
    assert page.status_code == 400
    assert "This day is in the future." in page.text
    assert f'value="{tomorrow}"' in page.text


def test_it_is_withdrawn_with_a_reason_by_its_own(client: Client, referee: User) -> None:
    client.post("/reports/announce/", typed())
    number = Tournament.objects.announced().get().pk
    address = f"/reports/announcements/{number}/withdraw/"
    assert "was not withdrawn: enter a reason." in client.post(address, {"reason": " "}, follow=True).text
    stranger = client_of(person("stan", "referee"))
    assert stranger.post(address, {"reason": "mine"}).status_code == 404
    assert Tournament.objects.announced().get().withdrawn_at is None
    page = client.post(address, {"reason": "no hall"}, follow=True)
    assert " withdrawn. It stays in the list." in page.text
    assert Tournament.objects.announced().get().withdrawn_at is not None
    assert client.post(address, {"reason": "again"}).status_code == 409


def test_a_report_gets_the_announcement_that_is_chosen_for_it(client: Client, referee: User) -> None:
    client.post("/reports/announce/", typed(-4, name="Riverside Open"))
    other = person("olga", "referee")
    theirs = Tournament.objects.create(
        name="Of another", country=Federation.objects.get(code="BEL"), played_from=timezone.localdate(),
        played_to=timezone.localdate(), discipline="100", time_control="80+30", announced_by=other,
        announced_on=timezone.localdate(),
    )  # fmt: skip
    client.post("/reports/new/", {"file": file_of("Riverside Open")})
    report = Report.objects.get()
    details = f"/reports/{report.pk}/details/"
    page = client.get(details).text
    assert "Not announced here" in page
    assert "Of another" not in page
    mine = Tournament.objects.announced().get(announced_by=referee)
    address = f"/reports/{report.pk}/announcement/"
    assert client.post(address, {"announcement": theirs.pk, "based_on": 1}).status_code == 409
    assert client.post(address, {"announcement": mine.pk, "based_on": 7}).status_code == 409
    page = client.post(address, {"announcement": mine.pk, "based_on": 1}, follow=True)
    assert page.redirect_chain == [(f"{details}#announced", 302)]
    assert ", not before its first round. 14 days are required." in page.text
    report.refresh_from_db()
    assert report.announcement == mine
    assert client.post(address, {"announcement": "", "based_on": 2}, follow=True).status_code == 200
    report.refresh_from_db()
    assert report.announcement is None


@pytest.mark.parametrize(("lines", "proposed"), [
    ("name = RIVERSIDE OPEN", "Riverside Open"),  # by its name; the file has no days
    ("name = Something else\nplayed from = {first}\nplayed to = {last}", "Riverside Open"),  # by its days
    ("name = Riverside Open\nplayed from = 01/02/2026\nplayed to = 02/02/2026", None),  # another year
    ("name = Ferry Lane Cup", None),  # two have this name
    ("name = Something else", None),
])  # fmt: skip
def test_a_fitting_announcement_is_proposed_and_not_taken(
    client: Client, referee: User, lines: str, proposed: str | None
) -> None:
    client.post("/reports/announce/", typed(30, name="Riverside Open"))
    client.post("/reports/announce/", typed(50, name="Ferry Lane Cup"))
    client.post("/reports/announce/", typed(60, name="Ferry Lane Cup"))
    riverside = Tournament.objects.announced().get(name="Riverside Open")
    days = {"first": f"{riverside.played_from:%d/%m/%Y}", "last": f"{riverside.played_to:%d/%m/%Y}"}
    client.post("/reports/new/", {"file": file_of(lines.format(**days).removeprefix("name = "))})
    report = Report.objects.get()
    page = client.get(f"/reports/{report.pk}/file/")
    assert getattr(page.context["proposed"], "name", None) == proposed
    assert ("Use this announcement" in page.text) == bool(proposed)
    assert report.announcement is None
    if proposed:
        values = {"announcement": riverside.pk, "based_on": "1"}
        client.post(f"/reports/{report.pk}/announcement/", values)
        assert client.get(f"/reports/{report.pk}/file/").context["proposed"] is None


def file_of(name: str):
    from django.core.files.uploadedfile import SimpleUploadedFile

    return SimpleUploadedFile("open.txt", f"<section Info>\nname = {name}\n</end info>\n".encode())


def test_a_page_of_many_announcements_asks_no_more(
    client: Client, referee: User, django_assert_max_num_queries
) -> None:
    for turn in range(6):
        client.post("/reports/announce/", typed(20 + turn))
    client.get("/reports/announce/")  # says that they are announced, and forgets it
    with django_assert_max_num_queries(4):  # session, person, announcements; and the row of the masthead
        client.get("/reports/announce/")


def test_an_announcement_is_changed_and_its_draft_follows(client: Client, referee: User) -> None:
    client.post("/reports/announce/", typed(20))
    announcement = Tournament.objects.announced().get()
    sent = {"file": file_of("Riverside Open"), "announcement": str(announcement.pk)}
    client.post("/reports/new/", sent)
    report = Report.objects.get()
    client.post(f"/reports/{report.pk}/details/", typed(20, place="Bruges", based_on="1"))
    address = f"/reports/announcements/{announcement.pk}/"
    assert address in client.get("/reports/announce/").text
    page = client.get(address)
    assert 'value="Riverside Open"' in page.text
    changes = typed(5, name="Riverside Cup", place="Antwerp", time_control="15+5")
    based_on = {"based_on": page.context["based_on"]}
    assert client.post(address, changes | based_on | {"country": "Atlantis"}).status_code == 400
    stranger = client_of(person("stan", "referee"))
    assert stranger.post(address, changes | based_on).status_code == 404
    saved = client.post(address, changes | based_on, follow=True)
    assert saved.redirect_chain == [("/reports/announce/", 302)]
    # The first day moved to an earlier one, which is announced today: 5 days before it.
    assert "is announced late, 5 days before its first round" in saved.text
    newest = report.versions.order_by("-number")[0]
    values = detail_values(bytes(newest.sidecar))
    assert (newest.number, values["name"], values["time_control"]) == (3, "Riverside Cup", "15+5")
    assert values["place"] == "Bruges"  # changed in the report: it stays
    entry = LogEntry.objects.get(action="announcement.change")
    assert (entry.before["place"], entry.after["place"]) == ("Ghent", "Antwerp")
    # On a page opened before: nothing is saved, nothing typed is lost.
    again = client.post(address, changes | based_on | {"name": "Third name"})
    assert again.status_code == 400
    assert "Someone else has changed this announcement." in again.text
    assert 'value="Third name"' in again.text
    Report.objects.filter(pk=report.pk).update(first_submitted_at=timezone.now())
    current = {"based_on": client.get(address).context["based_on"]}
    assert client.post(address, changes | current | {"name": "Fourth name"}).status_code == 409


def test_marks_are_given_by_the_federation_s_official_and_the_office(client: Client, referee: User) -> None:
    client.post("/reports/announce/", typed(3, official="true", national_championship="final"))
    announcement = Tournament.objects.announced().get()
    assert (announcement.official, announcement.national_championship) == (False, "")  # not asked of referees
    client.post("/reports/new/", {"file": file_of("Riverside Open"), "announcement": str(announcement.pk)})
    report = Report.objects.get()
    address = f"/reports/announcements/{announcement.pk}/"

    def found() -> tuple[bool, str, bool]:
        announcement.refresh_from_db()
        findings = report.versions.order_by("-number")[0].findings
        warned = "not-announced" in [finding["code"] for finding in findings]
        return announcement.official, announcement.national_championship, warned

    def post(person: User, **values: str):
        client.force_login(person)
        page = client.get(address)
        if page.status_code == 200:
            values["based_on"] = page.context["based_on"]
        return client.post(address, typed(3, **values))

    assert found() == (False, "", True)
    belgian = create_user("bea@example.org", "bea", roles=["national_official"], federation_id="BEL")
    dutch = create_user("dirk@example.org", "dirk", roles=["national_official"], federation_id="NED")
    assert post(dutch, national_championship="final").status_code == 404
    assert post(belgian, national_championship="final", official="true").status_code == 302
    assert found() == (False, "final", False)
    assert Tournament.objects.announced().get().announced_by == referee
    assert post(referee, name="Renamed").status_code == 302
    assert found() == (False, "final", False)  # what a form does not ask stays
    assert post(referee, country="NED").status_code == 302
    assert found() == (False, "", True)  # of another federation: its official says so
    office = person("otto", "rating_officer")
    assert post(office, country="NED", official="true", national_championship="no").status_code == 302
    assert found() == (True, "", False)
    client.force_login(dutch)
    assert "official" in client.get("/reports/announce/").text


@pytest.mark.parametrize(
    ("said", "is_asked"), [({}, False), ({"official": "true"}, True), ({"announced": "earlier"}, True)]
)
def test_a_day_and_a_mark_that_spare_an_admission_ask_for_the_password_after_an_hour(
    client: Client, said: dict[str, str], is_asked: bool
) -> None:
    earlier = (timezone.localdate() - timedelta(days=60)).isoformat()
    client.force_login(person("otto", "rating_officer"))
    session = client.session
    session["began"] = int(time.time()) - 3660
    session.save()
    values = {name: earlier if value == "earlier" else value for name, value in said.items()}
    page = client.post("/reports/announce/", typed(5, **values))
    assert page["Location"].startswith("/account/confirm/") == is_asked
    assert Tournament.objects.announced().exists() != is_asked
    if is_asked:
        assert "To confirm: announce a tournament" in client.get(page["Location"]).text
        client.post(page["Location"], {"password": "long-enough-for-all"})
        assert Tournament.objects.announced().exists()
