"""The pages of the register: search and filters, the CSV file, a player's history, and editing a player."""

import csv
import io
import re
from collections.abc import Callable
from datetime import date
from html import unescape
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import RatingList
from reporting.log.audit import Actor
from reporting.models import LogEntry, PersonalData, Player, PlayerIdentity, PlayerTitle, Report, Role, User
from reporting.register.selectors.records import record_of
from reporting.register.services.import_register import import_register
from reporting.rules.names.normalize_name import sort_name
from tests.pages.locked_rows import held
from tests.people import client_of, create_federation, create_player, create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

REGISTER = """fmjd_id,last_name,first_name,federation,sex,born,title,title_64
12345,Müller,Anna,NED,W,1990-02-01,MIF,
12346,Mueller,Adam,NED,M,1985,,
345,Miller,Tom,GER,,,GMI,MI
34567,Ndiaye,Awa,SEN,W,2012-05-06,,
99001,Kuil,Ben,NED,M,1990,,
"""


@pytest.fixture
def officer() -> User:
    return create_user("olga@example.org", "Olga Officer", roles=[Role.RATING_OFFICER])


@pytest.fixture
def office(client: Client, officer: User) -> Client:
    client.force_login(officer)
    return client


@pytest.fixture
def register(officer: User) -> dict[str, Player]:
    import_register(content=REGISTER.encode(), by=Actor(officer))
    players = {player.last_name: player for player in Player.objects.all()}
    PlayerIdentity.objects.create(player=players["Kuil"], register="fide", number="12345678")
    PlayerIdentity.objects.create(player=players["Ndiaye"], register="national", number="S-0345")
    return players


def text(response) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.text)))


def names(response) -> list[str]:
    rows = re.findall(r'<th scope="row" class="table__name">.*?</th>', response.text, re.DOTALL)
    return [unescape(re.search(r"<a\s[^>]+>([^<]+)</a>", row)[1]) for row in rows]


# --- search


def test_who_is_found(office: Client, register: dict) -> None:
    for typed, found in (
        ("mueler", ["Mueller, Adam", "Müller, Anna", "Miller, Tom"]),  # the same sounds; i for u
        ("Anna Müller", ["Müller, Anna"]),
        ("12345", ["Müller, Anna", "Kuil, Ben"]),  # an FMJD-ID; a FIDE number that starts with it
        ("0012345", ["Müller, Anna", "Kuil, Ben"]),
        ("345", ["Miller, Tom", "Ndiaye, Awa"]),  # an FMJD-ID; one that starts with it
        ("1234", ["Kuil, Ben", "Müller, Anna", "Mueller, Adam"]),
        ("12345678", ["Kuil, Ben"]),
        ("s-0345", ["Ndiaye, Awa"]),
        ("99999999999999999999", []),
        ("nobody", []),
    ):
        assert names(office.get("/office/players/", {"q": typed})) == found, typed


def test_filters(office: Client, register: dict) -> None:
    for query, found in (
        ({}, ["Kuil, Ben", "Miller, Tom", "Mueller, Adam", "Müller, Anna", "Ndiaye, Awa"]),
        ({"federation": "NED"}, ["Kuil, Ben", "Mueller, Adam", "Müller, Anna"]),
        ({"federation": "NED", "sex": "W"}, ["Müller, Anna"]),
        ({"sex": "none"}, ["Miller, Tom"]),
        ({"title": "MI"}, ["Miller, Tom"]),
        ({"title": "none"}, ["Kuil, Ben", "Mueller, Adam", "Ndiaye, Awa"]),
        ({"born": "1990"}, ["Kuil, Ben", "Müller, Anna"]),
        ({"number": "none"}, []),
        ({"listed": "yes"}, []),
        ({"listed": "no", "born": "1985"}, ["Mueller, Adam"]),
        ({"q": "muller", "sex": "M"}, ["Mueller, Adam"]),
    ):
        assert names(office.get("/office/players/", query)) == found, query


def test_a_search_says_why_a_similar_player_is_found(office: Client, register: dict) -> None:
    page = text(office.get("/office/players/", {"q": "muller"}))
    assert "Mueller, Adam spelt alike" in page
    assert "Miller, Tom a letter differs" in page
    assert "Müller, Anna spelt" not in page
    by_number = text(office.get("/office/players/", {"q": "1234"}))
    assert "Mueller, Adam FMJD-ID starts with these digits" in by_number


def test_any_query_gets_a_page(office: Client, register: dict) -> None:
    for query, sentence in (
        ("q=%00", "The filter “Name or number” was ignored: its value is not valid."),
        ("q=" + "x" * 81, "The filter “Name or number” was ignored: its value is not valid."),
        ("federation=XXX", "The filter “Federation” was ignored: its value is not valid."),
        ("sex=x", "The filter “Sex” was ignored: its value is not valid."),
        ("born=19a0", "The filter “Year of birth” was ignored: its value is not valid."),
        ("born=99999999999999999999", "The filter “Year of birth” was ignored: its value is not valid."),
        ("listed=maybe&title=GM", "The filter “Newest lists” was ignored: its value is not valid."),
        ("q=a&q=%00&page=0", "The filter “Name or number” was ignored: its value is not valid."),
        ("page=99999999999999999999", ""),
        ("page=x&page=2", ""),
        ("q=" + quote("\u202eMüller"), ""),
        ("q=٣٤٥", ""),
        ("q=' OR 1=1 --", ""),
        ("q=%25", ""),
    ):
        assert office.get(f"/office/players/register.csv?{query}").status_code == 200, query
        page = office.get(f"/office/players/?{query}")
        assert (page.status_code, sentence in text(page)) == (200, True), query


def test_empty_pages_say_what_to_do(office: Client, register: dict) -> None:
    page = text(office.get("/office/players/", {"q": "nobody"}))
    assert "No players match “nobody”." in page
    assert "enters the register when a report with the player is accepted" in page


def test_a_hundred_players_a_page(office: Client, season_shared: None) -> None:
    seen: list[str] = []
    total = Player.objects.count()
    address = "/office/players/"
    while address:
        response = office.get(address)
        page = names(response)
        assert len(page) == min(100, total - len(seen))
        seen += page
        following = re.search(r'href="(\?[^"]+)"\s+rel="next"', response.text)
        address = f"/office/players/{unescape(following[1])}" if following else ""
    assert len(seen) == total > 600


# --- what it costs


def queries_of(client: Client, address: str) -> int:
    client.get(address)  # the session and the account's name in the band are read by every page
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


# Next to what the band of every page reads: session, account, and what waits for the office.
@pytest.mark.parametrize(("address", "most"), [
    # newest lists, federations, count, players, ratings, titles
    ("/office/players/", 6),
    # newest lists, federations, names, players, ratings, titles
    ("/office/players/?q=van", 6),
    # and similar words, for a word of four letters
    ("/office/players/?q=brasilino", 7),
    # and numbers instead of names
    ("/office/players/?q=133", 6),
    # newest lists twice
    ("/office/players/?q=van&sex=M&listed=yes", 7),
    # session, account, federations, players, titles: a file has no band
    ("/office/players/register.csv", 5),
    ("/office/players/13368/", 20),  # titles, memberships, columns of the list; three look for duplicates
    ("/office/players/13368/edit/", 5),
    ("/office/players/13368/transfer/", 2),  # the player, the memberships
])  # fmt: skip
def test_queries(office: Client, season_shared: None, address: str, most: int) -> None:
    band = queries_of(office, "/method/fmjd/")
    own = queries_of(office, address) - (0 if address.endswith("csv") else band)
    assert own == most


def test_queries_do_not_grow_with_what_hangs_on_a_player(office: Client, season_shared: None) -> None:
    counts = {
        queries_of(office, f"/office/players/{fmjd_id}/")
        for fmjd_id in Player.objects.filter(entries__isnull=False, entered_by_report=None)
        .order_by("numbers__fmjd")
        .values_list("numbers__fmjd", flat=True)
        .distinct()[:6]
    }
    assert max(counts) - min(counts) <= 1  # an official row asks for the place in its federation


# --- the table


def test_the_table_has_what_is_filtered_and_no_day_of_birth(office: Client, register: dict) -> None:
    response = office.get("/office/players/register.csv", {"federation": "NED"})
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="players.csv"'
    rows = list(csv.reader(io.StringIO(response.text)))
    assert rows == [
        ["fmjd_id", "last_name", "first_name", "federation", "sex", "born", "title", "title_64",
         "iccf_title", "knsb", "iccf", "national", "fide", "office"],
        ["99001", "Kuil", "Ben", "NED", "M", "1990", "", "", "", "", "", "", "12345678", ""],
        ["12346", "Mueller", "Adam", "NED", "M", "1985", "", "", "", "", "", "", "", ""],
        ["12345", "Müller", "Anna", "NED", "W", "1990", "MIF", "", "", "", "", "", "", ""],
    ]  # fmt: skip


def test_the_table_of_a_search_is_in_its_order(office: Client, register: dict) -> None:
    rows = list(csv.DictReader(io.StringIO(office.get("/office/players/register.csv", {"q": "mueler"}).text)))
    assert [(row["last_name"], row["fmjd_id"]) for row in rows] == [
        ("Mueller", "12346"), ("Müller", "12345"), ("Miller", "345"),
    ]  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(office.get("/office/players/register.csv", {"q": "12345"}).text)))
    assert [(row["last_name"], row["fide"]) for row in rows] == [("Müller", ""), ("Kuil", "12345678")]


def test_no_cell_is_calculated_by_a_spreadsheet(office: Client, register: dict) -> None:
    Player.objects.filter(numbers__fmjd=99001).update(last_name="-2+3")
    assert "'-2+3" in office.get("/office/players/register.csv").text


# --- a player


def test_a_player_s_page_shows_record_and_history(office: Client, register: dict, officer: User) -> None:
    table = b"fmjd_id,last_name,first_name,federation,sex,born\n12345,Muller,Anna,GER,W,1990\n"
    import_register(content=table, by=Actor(officer))
    save(office, 12345, title="", decision="Board, 3 May 2026", reason="Withdrawn\nby the board")
    page = text(office.get("/office/players/12345/"))
    assert "Born 1 Feb 1990 only the year is published" in page
    changes = "Last name: Müller → changed to Muller Federation: NED → changed to GER"
    assert f"Player changed by an import {changes}" in page
    assert "Title: Federation master, women" not in page
    assert "Title: International master, women (MIF) → changed to none" in page
    assert "Withdrawn by the board (decision: Board, 3 May 2026)" in page
    assert "With an import of the register Imports in the log" in page
    log = text(office.get("/office/log/", {"kind": "register.import"}))
    assert "Register imported" in log
    assert "Player edited" not in log.partition("Matching entries")[2]
    acts = "Player edited", "Player changed by an import", "Added to the register"
    assert sorted(acts, key=page.index) == list(acts)
    assert page.count("Olga Officer") >= 3  # the band, the import, the edit


def test_possible_duplicates_are_shown_with_the_similarities(office: Client, register: dict) -> None:
    """Same federation and similar spelling: the page shows candidates and decides nothing."""
    create_player(
        number=99002, last_name="Muller", first_name="Anna", sort_name="muller, anna", federation_id="NED",
        birth_year=1990, sex="W",
    )  # fmt: skip
    page = office.get("/office/players/12345/")
    assert '<a href="/office/players/99002/">Muller, Anna</a>' in page.text
    assert "the same name; the same year of birth; the same federation" in text(page)
    official = create_user("g@example.org", "G", roles=[Role.NATIONAL_OFFICIAL], federation_id="GER")
    Player.objects.filter(numbers__fmjd=99002).update(federation_id="GER")
    other = client_of(official)
    # A player that the reader may not see is no candidate.
    assert "12345" not in other.get("/office/players/99002/").text


def test_a_new_player_s_page_names_the_report(office: Client, season_shared: None) -> None:
    newcomer = Player.objects.filter(entered_by_report__isnull=False).order_by("numbers__fmjd").first()
    assert newcomer is not None
    report = Report.objects.get(pk=newcomer.entered_by_report_id)
    page = text(office.get(f"/office/players/{newcomer.address}/"))
    act = LogEntry.objects.get(subject=f"report {report.pk}", action="report.accept")
    assert f"With the accepted report of {report.result_set.name}" in page
    assert act.actor.name in page


def test_names_as_lists_printed_them(season_shared: None, office: Client) -> None:
    row = FmjdListRow.objects.filter(list__state="published").order_by("-list_id", "position").first()
    assert row is not None
    of_player = FmjdListRow.objects.filter(list__state="published", player_id=row.player_id)
    days = sorted(of_player.values_list("list__in_force", flat=True))
    page = text(office.get(f"/office/players/{row.register_number}/"))
    first, last = (f"{day.day} {day:%b %Y}" for day in (days[0], days[-1]))
    assert f"{row.name} , lists of {first} to {last}" in page
    assert "list of 1 Oct 2026" in page  # a report with the player counted there


def test_a_report_that_is_not_counted_yet_is_marked(office: Client, season_shared: None) -> None:
    waiting = Report.objects.filter(state="accepted", result_set__manifest_lines=None)
    accepted = waiting.filter(result_set__entries__isnull=False).first()
    assert accepted is not None
    entry = accepted.result_set.entries.select_related("player").first()
    assert "not counted" in text(office.get(f"/office/players/{entry.player.address}/"))


# --- editing


def form_of(client: Client, fmjd_id: int) -> dict[str, str]:
    """The form as a browser would send it unchanged."""
    page = client.get(f"/office/players/{fmjd_id}/edit/").text
    inputs = re.findall(r'<input (?:type="\w+" )?name="([^"]+)"(?: value="([^"]*)")?', page)
    sent = {unescape(name): unescape(value) for name, value in inputs}
    for name, options in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', page, re.DOTALL):
        sent[name] = unescape(re.search(r'<option value="([^"]*)" selected', options)[1])
    sent.pop("csrfmiddlewaretoken", None)
    return sent


def save(client: Client, fmjd_id: int, **typed: str):
    sent = form_of(client, fmjd_id) | {"action": "save", "reason": "A letter"} | typed
    response = client.post(f"/office/players/{fmjd_id}/edit/", sent)
    assert response.status_code == 302, text(response)
    return response


def look(client: Client, fmjd_id: int, **typed: str):
    sent = form_of(client, fmjd_id) | {"action": "look", "reason": "A letter"} | typed
    return client.post(f"/office/players/{fmjd_id}/edit/", sent)


def test_the_effects_on_the_next_list_are_shown_before_saving(
    office: Client, season_shared: None, django_assert_num_queries: Callable
) -> None:
    newest = RatingList.objects.filter(state="published").order_by("-in_force").first()
    assert newest is not None
    assert newest.in_force == date(2026, 10, 1)
    row = FmjdListRow.objects.get(list=newest, official_position=1)
    player = Player.objects.get(pk=row.player_id)
    compatriots = FmjdListRow.objects.filter(
        list=newest, federation=row.federation, official_position__isnull=False
    )
    assert min(compatriots.values_list("official_position", flat=True)) == 1
    Player.objects.filter(pk=player.pk).update(sex="M", birth_year=1980)
    PlayerTitle.objects.filter(player=player).update(withdrawn_on=date(2025, 1, 1))
    PersonalData.objects.filter(player=player).delete()
    other = "SEN" if row.federation != "SEN" else "NED"
    acts = LogEntry.objects.count()
    page = text(
        look(
            office, row.register_number, last_name="Otherwise", federation=other, sex="W", birth_year="",
            born="2008-03-04", title="GMI", decision="Board", fide="77",
        )
    )  # fmt: skip
    # The list after that of 1 October 2026 is in force on 1 January 2027; juniors of 2027 are born in 2008 or later.
    for sentence in (
        f"The name changes from “{player.printed_name}” to “Otherwise, {player.first_name}”.",
        "On lists of 100 squares the title changes from no title to GMI.",
        "The year of birth changes from 1980 to 2008.", "The player is added to the list “Women” of 2027.",
        "The player is added to the list “Juniors (up to 19)” of 2027.",
        "The player counts in the women’s ranking of federations.",
        f"In the ranking of federations the player counts for {other}, no longer for {row.federation}.",
        f"The player is number 1 of {row.federation} on the official list of 1 Oct 2026",
        "Not printed on any list: Date of birth, FIDE number.", "Published lists stay as they are.",
    ):  # fmt: skip
        assert sentence in page, sentence
    assert "Cadets" not in page
    assert LogEntry.objects.count() == acts
    assert Player.objects.get(pk=player.pk).last_name == player.last_name


def test_the_input_is_kept_from_the_preview_to_saving(office: Client, register: dict) -> None:
    page = look(office, 12345, first_name="  Annie   Maria ", born="1990-03-04", national="NL 9").text
    carried = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    carried.pop("csrfmiddlewaretoken", None)
    again = office.post("/office/players/12345/edit/", carried | {"action": "change"})
    assert 'value="  Annie   Maria "' in again.text
    assert office.post("/office/players/12345/edit/", carried | {"action": "save"}).status_code == 302
    record = record_of(register["Müller"])
    assert (record.first_name, record.born) == ("Annie Maria", date(1990, 3, 4))
    assert record.numbers["national"] == "NL 9"


def test_a_refused_form_keeps_the_input(office: Client, register: dict) -> None:
    before, acts = record_of(register["Müller"]), LogEntry.objects.count()
    for act in ("look", "save"):
        typed = {"last_name": "Çelik", "born": "1.2.1990", "reason": "A <b>letter</b>"}
        response = look(office, 12345, action=act, **typed)
        assert response.status_code == 400
        for words in ('value="Çelik"', 'value="1.2.1990"', "A &lt;b&gt;letter&lt;/b&gt;"):
            assert words in response.text, words
        assert "1 field needs attention" in text(response)
    assert "does not agree" not in text(response)
    response = look(office, 12345, last_name="Çelik", birth_year="1991")
    assert response.status_code == 400
    assert "Write Celik, if that is the name." in text(response)
    assert "The year and the date of birth do not agree." in text(response)
    assert (record_of(register["Müller"]), LogEntry.objects.count()) == (before, acts)


def test_invalid_input_is_refused_and_never_a_server_error(office: Client, register: dict) -> None:
    before = record_of(register["Müller"])
    sent = {"action": "save", "first_name": "Annie", "last_name": "", "looked_at": before.digest}
    for field, typed in (
        ("last_name", "\x00"), ("last_name", "M" * 700), ("birth_year", "99999999999999999999"),
        ("birth_year", "x"), ("born", "0000-00-00"), ("born", "9999-12-31"), ("sex", "X"), ("title", "GM"),
        ("federation", "NED\x00"), ("federation", ""), ("fide", "9" * 99), ("fide", "9" * 200),
        ("knsb", "\x00"), ("national", "\u202e"), ("reason", "\x00"), ("reason", "x" * 9000), ("looked_at", "x"),
        ("looked_at", "\x00"), ("action", "\x00"),
    ):  # fmt: skip
        response = office.post("/office/players/12345/edit/", sent | {field: typed})
        assert response.status_code in (400, 409), (field, typed)
        assert record_of(register["Müller"]) == before


def test_the_slower_of_two_editors_gets_a_refusal_and_keeps_the_input(office: Client, register: dict) -> None:
    looked_at = form_of(office, 12345)
    save(office, 12345, last_name="Muller")
    sent = looked_at | {"action": "save", "first_name": "Annie", "reason": "A letter of mine"}
    slower = office.post("/office/players/12345/edit/", sent)
    assert slower.status_code == 409
    page = text(slower)
    assert "Someone else has changed this player since you opened the page." in page
    assert "In the register now: Muller" in page
    assert 'value="Annie"' in slower.text
    assert "A letter of mine" in page
    assert record_of(register["Müller"]).printed_name == "Muller, Anna"
    # The refused form is based on the current record: sent again, it is saved.
    stamp = re.search(r'name="looked_at" value="(\w+)"', slower.text)[1]
    again = sent | {"last_name": "Muller"}
    assert office.post("/office/players/12345/edit/", again | {"looked_at": stamp}).status_code == 302
    assert record_of(register["Müller"]).printed_name == "Muller, Annie"


@pytest.mark.parametrize("typed", [{"action": "change"}, {"action": "look", "born": "1 Fev 1990"}])
def test_a_form_shown_again_overwrites_no_other_edit(office: Client, register: dict, typed: dict) -> None:
    looked_at = form_of(office, 12345) | {"first_name": "Annie", "reason": "A letter of mine"}
    save(office, 12345, last_name="Muller")
    again = office.post("/office/players/12345/edit/", looked_at | typed)
    stamp = re.search(r'name="looked_at" value="(\w+)"', again.text)[1]
    response = office.post("/office/players/12345/edit/", looked_at | {"action": "save", "looked_at": stamp})
    assert response.status_code == 409
    assert "Someone else has changed this player since you opened the page." in text(response)
    assert record_of(register["Müller"]).printed_name == "Muller, Anna"


@pytest.mark.django_db(transaction=True)
def test_a_locked_record_answers_503_and_keeps_the_input(office: Client, register: dict) -> None:
    sent = form_of(office, 12345) | {"action": "save", "first_name": "Annie", "reason": "Typed with care."}
    with held(register["Müller"]):
        response = office.post("/office/players/12345/edit/", sent)
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "Someone else is editing this. Please try again." in text(response)
    for words in ('value="Annie"', "Typed with care.", f'name="looked_at" value="{sent["looked_at"]}"'):
        assert words in response.text, words
    assert record_of(register["Müller"]).first_name == "Anna"
    assert office.post("/office/players/12345/edit/", sent).status_code == 302
    assert record_of(register["Müller"]).first_name == "Annie"


def test_the_office_s_report_leads_to_players(office: Client, season_shared: None, officer: User) -> None:
    report = Report.objects.filter(state="accepted").exclude(submitted_by=officer).order_by("pk").first()
    entry = report.result_set.entries.select_related("player").first()
    page = office.get(f"/office/reports/{report.pk}/").text
    assert f'<a href="/office/players/{entry.player.address}/">' in page


def test_an_erased_person_is_not_in_the_register(office: Client, register: dict) -> None:
    create_federation("NED")
    erased = {"last_name": "Erased player", "first_name": "", "sort_name": sort_name("Erased player", "")}
    Player.objects.filter(numbers__fmjd=12345).update(**erased)
    assert office.get("/office/players/12345/").status_code == 404
    assert "Erased" not in office.get("/office/players/").text
