"""The audit log is read, searched, paged and taken along; each act in words, each thing with its page."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from reporting.accounts.services.accounts import invite, request_email_change
from reporting.log import selectors
from reporting.log.actions import action_groups, registered_actions, registered_fields
from reporting.log.audit import Actor
from reporting.log.selectors import ENTRIES_PER_PAGE, LogFilter, log_page
from reporting.log.views.entries import changes_of
from reporting.models import LogEntry, Player, Report, Role, User
from tests.pages.markup import tight
from tests.people import client_of, create_user, logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("worker")]

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def ruth(client: Client) -> User:
    """A rating officer, logged in as `client`."""
    account = create_user("ruth@example.org", "Ruth Abara", roles=[Role.RATING_OFFICER])
    client.force_login(account)
    return account


@pytest.fixture
def rina(db: None) -> User:
    return create_user("rina@example.org", "Rina Reader", roles=[Role.REFEREE])


def act(actor: User, action: str = "report.accept", subject: str = "report 7", **fields: Any) -> LogEntry:
    return LogEntry.objects.create(actor=actor, action=action, subject=subject, **{"at": NOON} | fields)


def subjects(client: Client, **query: Any) -> list[str]:
    """What the entries shown are about, newest first."""
    page = tight(client.get("/office/log/", query).text)
    found = re.findall(r'class="act__more" href="/office/log/\?subject=([^"]+)"', page)
    return [unquote(subject) for subject in found]


# --- what an entry says


def test_no_text_turns_the_direction_of_the_page(client: Client, ruth: User, rina: User) -> None:
    act(rina, subject="tournament 2026-open", action="tournament.decide", reason="a \u202enote\u2066")
    answer = client.get("/office/log/")
    page = answer.text
    assert int(answer["Content-Length"]) == len(answer.content)  # else the server sends the page cut off
    assert "a &lt;U+202E&gt;note&lt;U+2066&gt;" in page
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)


def test_an_entry_says_who_when_what_before_after_and_why(client: Client, ruth: User, rina: User) -> None:
    act(
        rina, "account.change_roles", "account 999", before={"roles": ["referee"], "federation": "NED"},
        after={"roles": ["referee", "rating_officer"], "federation": "", "active": True},
        reason="Elected on <b>Monday</b>", by_command=True,
    )  # fmt: skip
    page = tight(client.get("/office/log/").text)
    for words in ("Roles changed</h3>", "Account 999", "20 Nov 2026, 12:00 UTC"):
        assert words in page, words
    assert re.search(r"Rina Reader<span class=\"note\">by command line</span>", page)
    row = r'<tr><th scope="row">(.+?)</th><td class="act__old">(.+?)</td><td[^>]*>(.+?)</td></tr>'
    rows = re.findall(row, page)
    plain = [tuple(re.sub("<[^>]+>", "", cell).replace("→", "") for cell in cells) for cells in rows]
    assert plain == [
        ("Roles", "Referee", "Referee, Rating officer"), ("Federation", "NED", "–empty"), ("Open", "–empty", "yes"),
    ]  # fmt: skip
    assert "Elected on &lt;b&gt;Monday&lt;/b&gt;" in page


@pytest.mark.parametrize(("item", "value", "shown"), [
    ("council_approved", "no", ("Approved by the Council", "No")),
    ("official", "yes", ("FMJD or confederation tournament", "Yes")),
    ("competition", "world-cup", ("Official competition", "World cup")),
    ("world_cup_stars", "5", ("World Cup stars", "5")),
    ("world_cup_stars", "", ("World Cup stars", "None")),
    ("referee_level", "international", ("Level of the main referee", "International")),
    ("referee_level", "fmjd", ("Level of the main referee", "FMJD")),
    ("over_age", "yes", ("Players over the age admitted", "Yes")),
])  # fmt: skip
def test_a_decision_of_a_tournament_stands_in_its_words(
    rina: User, item: str, value: str, shown: tuple[str, str]
) -> None:
    entry = act(rina, "tournament.decide", "tournament 2026-open", before={}, after={item: value})
    (change,) = changes_of(entry)
    assert (change.name, change.old, change.new) == (shown[0], "", shown[1])


def test_the_format_of_a_report_has_its_name(rina: User) -> None:
    entry = act(rina, "report.upload", "report 1", before={}, after={"format": "fmjd"})
    assert [(change.name, change.new) for change in changes_of(entry)] == [("Format", "Annex 9 art. 11")]


def test_instants_are_of_the_office_s_zone(client: Client, ruth: User, settings: Any) -> None:
    """12:00 UTC is 07:00 in Bogota, which has no summer time; 23:30 UTC on the 20th is 18:30 of that day."""
    settings.OFFICE_TIME_ZONE = settings.TIME_ZONE = "America/Bogota"
    act(ruth, before={"sent": "2026-11-20T23:30:00+00:00"})
    page = client.get("/office/log/").text
    assert "20 Nov 2026, 07:00 America/Bogota" in page
    assert "20 Nov 2026, 18:30 America/Bogota" in page


def test_days_of_birth_passwords_and_tokens_are_not_shown_who_wrote_them(client: Client, ruth: User) -> None:
    secrets = {
        "born": "1951-02-03", "password": "draughts", "reset_token": "abc-def", "birth_date": "1951-02-04",
    }  # fmt: skip
    act(ruth, "player.update", "player fmjd 7", before=secrets, after=secrets | {"nested": {"token": "ghi"}})
    act(ruth, "player.update", "player fmjd 7", before={"birth_year": 1951}, after={"birth_year": 1952})
    shown_text = client.get("/office/log/").text + client.get("/office/log/entries.csv").getvalue().decode()
    for secret in ("1951-02-03", "1951-02-04", "draughts", "abc-def", "ghi"):
        assert f">{secret}<" not in shown_text
        assert secret not in shown_text.replace("draughts federation", "").replace("lists of draughts", "")
    assert "1952" in shown_text, "the year is public"


def test_every_action_in_the_code_is_registered_with_its_label() -> None:
    """A new action needs a label in reporting/log/labels.py or ratings/office/labels.py, and so do its fields."""
    import ast
    from pathlib import Path

    root = Path(selectors.__file__).parents[2]
    written, fields = set(), set()
    for app in ("reporting", "ratings", "titles", "config"):
        for path in (root / app).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    names = {keyword.arg for keyword in node.keywords}
                    for keyword in node.keywords:
                        if keyword.arg in {"before", "after"} and "action" in names:
                            inner = ast.walk(keyword.value)
                            literals = [values for values in inner if isinstance(values, ast.Dict)]
                            keys = (key for values in literals for key in values.keys)
                            fields |= {key.value for key in keys if isinstance(key, ast.Constant)}
                        if keyword.arg == "action":
                            written |= {
                                item.value
                                for item in ast.walk(keyword.value)
                                if isinstance(item, ast.Constant) and re.fullmatch(r"[a-z_]+\.[a-z_]+", str(item.value))
                            }  # fmt: skip
    assert "report.accept" in written
    assert written <= set(registered_actions()), sorted(written - set(registered_actions()))
    assert "warnings_answered" in fields
    assert fields <= set(registered_fields()), sorted(fields - set(registered_fields()))


def test_every_act_of_the_demonstration_has_its_words_and_its_page(season_shared: None) -> None:
    client = logged_in(Role.RATING_OFFICER, "Lea Reader")
    assert set(LogEntry.objects.values_list("action", flat=True)) <= set(registered_actions())
    states = LogEntry.objects.values_list("before", "after")
    fields = {name for pair in states for state in pair if isinstance(state, dict) for name in state}
    assert fields <= set(registered_fields()), sorted(fields - set(registered_fields()))
    kinds = {subject.split()[0] for subject in LogEntry.objects.values_list("subject", flat=True)}
    assert kinds == {"report", "register", "tournament", "list", "period"}
    for entry in LogEntry.objects.order_by("action", "pk").distinct("action"):
        page = tight(client.get("/office/log/", {"subject": entry.subject}).text)
        thing = re.search(r'<p class="act__thing"><a href="([^"]+)">', page)
        if entry.subject.startswith("register"):
            assert thing is None
        else:
            assert thing is not None, entry.subject
            assert client.get(thing[1], follow=True).status_code == 200, entry.subject


WITHOUT_A_PAGE = (
    "report 999999", "report x", f"report {'9' * 60}", "report -1", "report", "account 999999", "player fmjd 999999",
    "player ned x", "player", "list fmjd-100/2026-13-45", "list fmjd-100/2026-04-01/r1", "list", "period x 2026-01-01",
    "announcement 999999", "unheard of thing", "", "a/b", "<b>",
)  # fmt: skip


def test_a_thing_without_a_page_stands_in_words(client: Client, ruth: User) -> None:
    for subject in WITHOUT_A_PAGE:
        act(ruth, "thing.do_something", subject)
    page = tight(client.get("/office/log/").text)
    assert page.count("Thing: do something</h3>") == len(WITHOUT_A_PAGE)
    assert '<p class="act__thing"><a href' not in page
    assert "<b>" not in page


def test_a_releasing_officer_is_led_to_no_page_that_is_closed_to_him(season_shared: None) -> None:
    client = logged_in(Role.RELEASING_OFFICER, "Lea Reader")
    log = tight(client.get("/office/log/").text)
    pages = set(re.findall(r'<p class="act__thing"><a href="([^"]+)">', log))
    assert pages
    for page in pages:
        assert client.get(page, follow=True).status_code == 200, page
    assert not any("/office/reports/" in page for page in pages)


# --- what is asked of it


@pytest.fixture
def entries(ruth: User, rina: User) -> None:
    day = timedelta(days=1)
    act(rina, "report.upload", "report 1", at=NOON - 5 * day)
    act(ruth, "report.accept", "report 12", at=NOON - 4 * day, reason="Late post from Gouda")
    act(ruth, "list.publish", "list fmjd-100/2026-04-01", at=NOON - 3 * day, by_command=True)
    act(rina, "report.upload", "report 1", at=NOON - 2 * day)
    act(ruth, "account.close", "account 4", at=NOON - day, reason="100% gone_away")


@pytest.mark.parametrize(("query", "expected"), [
    ({}, ["account 4", "report 1", "list fmjd-100/2026-04-01", "report 12", "report 1"]),
    ({"words": "gouda"}, ["report 12"]),
    ({"words": "post LATE"}, ["report 12"]),
    ({"words": "late rina"}, []),
    ({"words": "rina"}, ["report 1", "report 1"]),
    ({"words": "published"}, ["list fmjd-100/2026-04-01"]),
    ({"words": "list.publish"}, ["list fmjd-100/2026-04-01"]),
    ({"words": "0%"}, ["account 4"]),
    ({"words": "e_a"}, ["account 4"]),
    ({"person": "Rina Reader"}, ["report 1", "report 1"]),
    ({"person": "ruth@example.org", "kind": "account.close"}, ["account 4"]),
    ({"person": "unknown"}, []),
    ({"kind": "reports"}, ["report 1", "report 12", "report 1"]),
    ({"kind": "report.accept"}, ["report 12"]),
    ({"subject": "report 1"}, ["report 1", "report 1"]),
    ({"subject": "report"}, ["report 1", "report 12", "report 1"]),
    ({"subject": "list fmjd-100"}, ["list fmjd-100/2026-04-01"]),
    ({"subject": "list fmjd-10"}, []),
    ({"since": "2026-11-17", "until": "2026-11-18"}, ["report 1", "list fmjd-100/2026-04-01"]),
    ({"way": "command"}, ["list fmjd-100/2026-04-01"]),
    ({"way": "hand", "person": "ruth"}, ["account 4", "report 12"]),
])  # fmt: skip
def test_the_log_is_searched(
    client: Client, entries: None, query: dict[str, str], expected: list[str]
) -> None:
    assert subjects(client, **query) == expected
    file = client.get("/office/log/entries.csv", query).getvalue().decode()
    lines = list(csv.DictReader(io.StringIO(file)))
    assert [line["subject"] for line in lines] == expected


def test_a_reason_of_the_program_is_a_code_and_is_shown_and_found_by_its_sentence(
    client: Client, entries: None, ruth: User
) -> None:
    act(ruth, "period.freeze", "period fmjd-100 2026-04-01", reason="scheduler.freeze")
    sentence = "The scheduler, when the freeze was due"
    assert sentence in client.get("/office/log/").text
    assert subjects(client, words="scheduler due") == ["period fmjd-100 2026-04-01"]
    lines = csv.DictReader(io.StringIO(client.get("/office/log/entries.csv").getvalue().decode()))
    assert sentence in [line["reason"] for line in lines]


def test_an_address_names_one_person_although_another_s_holds_it(client: Client, ruth: User) -> None:
    other = create_user("old.ruth@example.org", "Old Ruth")
    act(ruth, subject="report 1")
    act(other, subject="report 2")
    assert subjects(client, person="RUTH@example.org") == ["report 1"]
    assert len(subjects(client, person="ruth@example")) == 2


def test_the_filters_are_shown_as_they_were_asked_and_can_be_removed(client: Client, entries: None) -> None:
    page = client.get("/office/log/", {"words": 'a "b"', "kind": "reports", "since": "2026-11-17"}).text
    assert 'value="a &quot;b&quot;"' in page
    assert '<option value="reports" selected>' in page
    assert 'value="2026-11-17"' in page
    assert "No entries match these filters." in page
    assert 'href="/office/log/entries.csv?words=a+%22b%22&amp;kind=reports&amp;since=2026-11-17"' in page


@pytest.mark.parametrize(("query", "shown_text"), [
    ("since=tomorrow", "Enter a day as 2026-11-20."),
    ("until=9999-12-31", "Enter a day up to 31 Dec 2099."),
    ("since=0001-01-01", "Enter a day from 1 Jan 2000."),
    ("kind=emperor.crown", "“emperor.crown” is not offered here."),
    ("words=a%00b", "a character that cannot be stored"),
    ("words=" + "x" * 101, "at most 100 characters"),
])  # fmt: skip
def test_what_cannot_be_read_is_reported_next_to_its_field(
    client: Client, entries: None, query: str, shown_text: str
) -> None:
    answer = client.get(f"/office/log/?{query}")
    assert (answer.status_code, shown_text in answer.text) == (200, True)
    assert "field--bad" in answer.text
    refused = client.get(f"/office/log/entries.csv?{query}")
    assert (refused.status_code, shown_text in refused.text) == (400, True)


NASTY = (
    "", "%00", "%FF", "%F4%90%80%80", "%ED%A0%80", "x" * 5000, "9" * 400, "9223372036854775807", "-1", "1e9", "%D9%A1",
    "2026-13-45", "[]", "%27", "%5C", "%25", "_", "%3Cscript%3Ealert(1)", "0",
)  # fmt: skip


# Fields that take the same texts are asked at once.
@pytest.mark.parametrize(
    "names", [("words", "person", "subject", "x"), "kind", "since", "until", "way", "older", "newer"]
)
def test_whatever_is_asked_is_answered(client: Client, entries: None, names: str | tuple[str, ...]) -> None:
    for value in NASTY:
        query = "&".join(f"{name}={value}" for name in ([names] if isinstance(names, str) else names))
        page = client.get(f"/office/log/?{query}&{query}")
        assert page.status_code == 200, value[:40]
        assert "<script>alert" not in page.text
        file = client.get(f"/office/log/entries.csv?{query}")
        assert (file.status_code, file["X-Content-Type-Options"]) in {(200, "nosniff"), (400, "nosniff")}


@pytest.mark.parametrize(("role", "led"), [(Role.RATING_OFFICER, True), (Role.NATIONAL_OFFICIAL, False)])
def test_pages_of_players_and_reports_lead_to_entries(season_shared: None, role: Role, led: bool) -> None:
    client = logged_in(role, federation="NED")
    player = Player.objects.filter(federation="NED", numbers__has_key="fmjd").earliest("pk")
    page = client.get(f"/office/players/{player.address}/").text
    assert (f'href="/office/log/?subject=player%20fmjd%20{player.address}"' in page) is led
    if led:
        report = Report.objects.filter(state="accepted").earliest("pk")
        page = client.get(f"/office/reports/{report.pk}/").text
        assert f'href="/office/log/?subject=report+{report.pk}"' in page
        assert "Report accepted" in client.get(f"/office/log/?subject=report+{report.pk}").text


# --- e-mail addresses


@pytest.fixture
def addressed(ruth: User, rina: User) -> None:
    """Entries that hold addresses: of who acted, of the invited, asked for, and in a text made by a command."""
    invite(email="piet@fluit.example", name="Piet Fluit", role=Role.REFEREE, federation="NED", by=Actor(ruth))
    request_email_change(email="lector@new.example", by=Actor(rina))
    act(ruth, "list.answer_anomaly", after={"text": "published by command as ruth@example.org"})


ADDRESSES = {"piet@fluit.example", "lector@new.example", "rina@example.org", "ruth@example.org"}
READERS_WITHOUT = [
    [Role.RELEASING_OFFICER],
    [Role.RELEASING_OFFICER, Role.NATIONAL_OFFICIAL],  # who sees the accounts of one federation
]
READERS_WITH = [
    [Role.RATING_OFFICER], [Role.TOURNAMENT_DIRECTOR], [Role.ADMINISTRATOR],
    [Role.RELEASING_OFFICER, Role.TOURNAMENT_DIRECTOR],
]  # fmt: skip


@pytest.mark.parametrize("roles", [*READERS_WITHOUT, *READERS_WITH])
def test_addresses_are_shown_to_those_alone_who_see_every_account(addressed: None, roles: list[Role]) -> None:
    client = client_of(create_user("reader@example.org", "Lea Reader", roles=roles, federation_id="NED"))
    page = client.get("/office/log/").text
    file = client.get("/office/log/entries.csv").getvalue().decode()
    sees = roles in READERS_WITH
    # The page names the person who acted without the address; of Ruth's only what a command wrote.
    assert {address for address in ADDRESSES if address in page} == (ADDRESSES if sees else set())
    assert {address for address in ADDRESSES if address in file} == (ADDRESSES if sees else set())
    for shown_text in (
        "Piet Fluit", "Ruth Abara", "Rina Reader", "Invitation sent", "New e-mail address requested",
    ):  # fmt: skip
        assert shown_text in page
        assert shown_text in file
    lines = list(csv.DictReader(io.StringIO(file)))
    acts = ["account.request_email_change", "account.invite", "list.answer_anomaly"]
    assert [line["action"] for line in lines] == acts
    addresses = ["rina@example.org", "ruth@example.org", "ruth@example.org"]
    assert [line["e_mail"] for line in lines] == (addresses if sees else ["not shown"] * 3)
    if not sees:
        assert lines[0]["changes"] == "E-mail address: not shown → ; Requested: not shown"
        assert "Name: Piet Fluit; E-mail address: not shown; Roles: Referee" in lines[1]["changes"]
        assert lines[2]["changes"] == "Text: published by command as not shown"
        hidden = '<th scope="row">E-mail address</th><td class="act__old">not shown</td>'
        assert hidden in tight(page)


@pytest.mark.parametrize("field", ["words", "person"])
def test_no_one_is_found_by_an_address_that_is_not_shown(addressed: None, field: str) -> None:
    found = {"rina@example.org": 1, "RINA@": 1, "example.org": 3, "rina": 1, "Abara": 2}
    for role, expected in (
        (Role.RATING_OFFICER, found),
        (Role.RELEASING_OFFICER, dict.fromkeys(found, 0) | {"rina": 1, "Abara": 2}),
    ):
        client = client_of(create_user(f"{role}@elsewhere.test", "Lea", roles=[role]))
        for typed, count in expected.items():
            assert len(subjects(client, **{field: typed})) == count, (role, typed)
            lines = client.get("/office/log/entries.csv", {field: typed}).getvalue().decode().splitlines()
            assert len(lines) - 1 == count, (role, typed)


# --- paging


def numbers(client: Client, query: str = "") -> tuple[list[int], dict[str, str]]:
    page = client.get(f"/office/log/{query}").text
    found = re.findall(r'href="(\?[^"]+)" rel="(\w+)"', page)
    links = {rel: href.replace("&amp;", "&") for href, rel in found}
    return [int(number) for number in re.findall(r": Report (\d+)</span>", page)], links


def test_pages_hold_each_entry_once_forward_and_back_also_at_one_instant(client: Client, ruth: User) -> None:
    """120 entries in three instants of 40: the bounds of pages (50, 100) lie inside an instant."""
    for number in range(120):
        act(ruth, subject=f"report {number}", at=NOON + timedelta(seconds=number // 40))
    everything = list(range(119, -1, -1))
    seen, query, firsts = [], "?kind=reports", []
    while query:
        shown, links = numbers(client, query)
        seen += shown
        firsts.append(shown[0])
        query = links.get("next", "")
        assert not query or "kind=reports" in query
    assert seen == everything
    assert firsts == [119, 69, 19]
    query, back = links["prev"], []
    while query:
        shown, links = numbers(client, query)
        back.append(shown[0])
        query = links.get("prev", "")
    assert back == [69, 119]


def test_a_page_costs_the_same_however_many_entries(client: Client, ruth: User) -> None:
    def cost(query: str = "") -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/office/log/{query}")
        return len(queries)

    act(ruth, subject="report 1")
    second = act(ruth, subject="report 2")
    before = cost("?subject=report"), cost(f"?subject=report&older={second.pk}")
    more = {"actor": ruth, "action": "report.accept", "at": NOON}
    LogEntry.objects.bulk_create(LogEntry(subject=f"report {number}", **more) for number in range(300))
    newest = LogEntry.objects.latest("pk")
    assert (cost("?subject=report"), cost(f"?subject=report&older={newest.pk}")) == before
    # Session, reader, inbox, requests, applications, where to go on from, entries, their reports.
    assert before == (8, 8)


def test_a_page_reads_as_many_entries_as_it_shows(ruth: User) -> None:
    """Of 30,000 entries the plan of any page touches the index and so many rows, not the table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "insert into reporting_logentry (at, actor_id, action, subject, before, after, reason, by_command)"
            " select %s + number * interval '1 second', %s, 'player.update', 'player fmjd ' || number, '{}', '{}', '',"
            " false from generate_series(0, 29999) number",
            [NOON, ruth.pk],
        )
    deep = LogEntry.objects.get(subject="player fmjd 5000").pk
    for asked, marks in ((LogFilter(), {}), (LogFilter(), {"older": deep}), (LogFilter(), {"newer": deep})):
        with CaptureQueriesContext(connection) as queries:
            page = log_page(asked, **marks)
        assert len(page.entries) == ENTRIES_PER_PAGE
        with connection.cursor() as cursor:
            cursor.execute(f"explain (analyze, format text) {queries[-1]['sql']}")
            plan = "\n".join(line for (line,) in cursor.fetchall())
        assert "Seq Scan on reporting_logentry" not in plan, plan
        assert max(map(int, re.findall(r"actual time=\S+ rows=(\d+)", plan))) <= 2 * ENTRIES_PER_PAGE, plan


# --- the file


def test_the_file_holds_every_entry_in_words_and_nothing_a_spreadsheet_runs(
    client: Client, ruth: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "EXPORT_BATCH_SIZE", 7)
    for number in range(40):
        act(ruth, subject=f"report {number}")
    for begins in ("=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1"):
        act(ruth, reason=begins, subject=begins, at=NOON - timedelta(days=1))
    response = client.get("/office/log/entries.csv")
    assert response.streaming
    assert re.fullmatch(r'attachment; filename="log-\d{4}-\d\d-\d\d\.csv"', response["Content-Disposition"])
    lines = list(csv.reader(io.StringIO(response.getvalue().decode(), newline="")))
    assert lines[0] == [
        "at", "person", "e_mail", "act", "action", "subject", "changes", "reason", "by_command",
    ]  # fmt: skip
    assert [line[5] for line in lines[1:41]] == [f"report {number}" for number in range(39, -1, -1)]
    assert lines[1] == [
        "2026-11-20T12:00:00+00:00", "Ruth Abara", "ruth@example.org", "Report accepted", "report.accept", "report 39",
        "", "", "no",
    ]  # fmt: skip
    assert len(lines) == 47
    for line in lines[41:]:
        assert line[5].startswith("'")
        assert line[7].startswith("'")


def test_changes_stand_in_one_cell(client: Client, ruth: User) -> None:
    act(ruth, before={"state": "frozen"}, after={"state": "norms_searched", "reports": 3})
    (line,) = csv.DictReader(io.StringIO(client.get("/office/log/entries.csv").getvalue().decode()))
    assert line["changes"] == "State: Frozen → Norms searched; Reports: 3"


def test_an_empty_log_says_what_comes(client: Client, ruth: User) -> None:
    assert "No entries yet." in client.get("/office/log/").text
    assert client.get("/office/log/entries.csv").getvalue().count(b"\n") == 1


def test_groups_have_no_act_twice() -> None:
    assert len(registered_actions()) == sum(len(group.actions) for group in action_groups().values())
