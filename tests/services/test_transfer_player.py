"""A transfer on a day: lists print the federation, and the title, of their closing date; published ones stay.

The list of April 2025 closes on 15 March, that of July on 15 June (Annex 9 art. 4.4, R10).
"""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from ratings.models import RatingList
from ratings.publishing.verification.verify_lists import verify_lists
from reporting.log.audit import Actor
from reporting.models import LogEntry, Player, PlayerTitle, Role
from reporting.register.selectors.records import membership_history
from reporting.register.selectors.titles import titles_of
from reporting.register.services.dated_changes import change_titles
from reporting.register.services.import_register import import_register
from reporting.register.services.merge_players import merge_players, undo_merge
from reporting.register.services.transfer_player import transfer_player
from reporting.rules.register.titles import discipline_titles
from tests.concurrency import run_concurrently
from tests.people import create_user
from tests.services.correction_helpers import APRIL, JULY, OPENING, correct, published_files_by_list, rows
from tests.services.report_helpers import refusal, whole

CLOSING, DAY_AFTER = date(2025, 3, 15), date(2025, 3, 16)
HEADER = "fmjd_id,last_name,first_name,federation,sex,born,title,title_64\n"

quick = pytest.mark.django_db


def player(fmjd_id: int) -> Player:
    return Player.objects.get(numbers__fmjd=fmjd_id)


def transfer(office, fmjd_id: int, federation: str, on: date, **more):
    values = {"reason": "A letter of both federations", "by": office.officer} | more
    return transfer_player(player=player(fmjd_id), federation=federation, on=on, **values)


def give_title(fmjd_id: int, title: str, on: date, field: str = "title") -> None:
    change_titles(discipline_titles()[field], {player(fmjd_id).pk: title}, on=on)


def federations(rating_list: RatingList, *numbers: int) -> list[str]:
    return [row.federation for row in rows(rating_list, *numbers)]


def titles(rating_list: RatingList, *numbers: int) -> list[str]:
    return [row.title for row in rows(rating_list, *numbers)]


def history(fmjd_id: int) -> list[tuple[str, date | None, date | None]]:
    return [(span.federation, span.since, span.until) for span in membership_history(player(fmjd_id))]


def differences() -> list:
    return [found for verified in verify_lists(recalculate=True) for found in verified.differences]


# --- lists


@whole
def test_a_list_prints_the_federation_of_its_closing_date(office, opening_list):
    transfer(office, 11, "BEL", CLOSING)
    transfer(office, 12, "BEL", DAY_AFTER)
    assert federations(office.run(APRIL), 11, 12, 13) == ["BEL", "NED", "NED"]
    assert federations(office.run(JULY), 11, 12, 13) == ["BEL", "BEL", "NED"]
    assert differences() == []


@whole
def test_a_transfer_of_an_old_day_leaves_a_published_list_and_reaches_its_correction(office, april_list):
    april, _ = april_list
    files, sha256 = published_files_by_list(), april.sha256
    transfer(office, 11, "BEL", date(2025, 1, 10))
    april.refresh_from_db()
    assert (published_files_by_list(), april.sha256) == (files, sha256)
    assert federations(april, 11, 12) == ["NED", "NED"]
    assert differences() == []

    assert federations(office.run(JULY), 11, 12) == ["BEL", "NED"]
    assert federations(april, 11, 12) == ["NED", "NED"]
    assert differences() == []


@whole
def test_a_correction_prints_the_federation_of_the_same_closing_date(office, april_list):
    april, _ = april_list
    transfer(office, 11, "BEL", date(2025, 1, 10))
    transfer(office, 12, "BEL", DAY_AFTER)
    correct(office, april)
    revision = office.run(APRIL)
    assert federations(revision, 11, 12) == ["BEL", "NED"]
    assert federations(april, 11, 12) == ["NED", "NED"]
    assert differences() == []


@whole
def test_a_list_prints_the_title_of_its_discipline_and_closing_date(office, opening_list, client):
    give_title(11, "MI", CLOSING)
    give_title(12, "MI", DAY_AFTER)
    give_title(13, "MI", date(2025, 1, 1))
    give_title(13, "GMI", DAY_AFTER)
    give_title(14, "MI", date(2025, 1, 1))
    give_title(14, "", CLOSING)  # withdrawn
    give_title(15, "GMI", date(2025, 1, 1), field="title_64")
    PlayerTitle.objects.create(player=player(16), awarded_by="knsb", discipline="100", title="IM")
    assert titles(office.run(APRIL), 11, 12, 13, 14, 15, 16) == ["MI", "", "MI", "", "", ""]
    assert titles(office.run(JULY), 11, 12, 13, 14, 15, 16) == ["MI", "MI", "GMI", "", "", ""]

    office.opening(OPENING, in_force=date(2025, 1, 1), pool="fmjd-64")
    april_64 = office.run(APRIL, pool="fmjd-64")
    assert titles(april_64, 11, 12, 13, 14, 15, 16) == ["", "", "", "", "GMI", ""]
    page = " ".join(client.get("/players/15/").text.split())
    assert "Player; 64 squares: International grandmaster (GMI) </p>" in page


@whole
def test_a_list_prints_the_higher_of_an_open_and_a_womens_title(office, opening_list):
    """R33: both are held; by rank CMF comes before MFF, in the order of the titles that the system registers."""
    give_title(11, "MFF", date(2025, 1, 1))
    give_title(11, "CMF", date(2025, 2, 1))
    give_title(12, "CMF", date(2025, 1, 1))
    give_title(12, "MF", DAY_AFTER)
    give_title(13, "MF", date(2025, 1, 1))
    give_title(13, "MIF", date(2025, 2, 1))  # the highest from then on: MF was an error
    assert titles(office.run(APRIL), 11, 12, 13) == ["CMF", "CMF", "MIF"]
    held = PlayerTitle.objects.order_by("player__numbers__fmjd", "pk")
    columns = ("player__numbers__fmjd", "title", "ladder", "registered_on", "withdrawn_on")
    assert list(held.values_list(*columns)) == [
        (11, "MFF", "women", date(2025, 1, 1), None),
        (11, "CMF", "", date(2025, 2, 1), None),
        (12, "CMF", "", date(2025, 1, 1), DAY_AFTER),
        (12, "MF", "", DAY_AFTER, None),
        (13, "MF", "", date(2025, 1, 1), date(2025, 2, 1)),
        (13, "MIF", "women", date(2025, 2, 1), None),
    ]
    assert [titles_of([player(n).pk])[player(n).pk] for n in (11, 12)] == [{"title": "CMF"}, {"title": "MF"}]
    give_title(11, "", date(2025, 3, 1))
    assert not held.filter(player__numbers__fmjd=11, withdrawn_on=None).exists()


@whole
def test_merged_records_print_federation_and_title_of_the_surviving_one(office, opening_list):
    """Rows of both stay with their record, so that an undone merge finds them as they were (R24)."""
    transfer(office, 12, "BEL", date(2025, 1, 10))
    give_title(12, "MI", date(2025, 1, 10))
    give_title(11, "MF", date(2025, 1, 10))
    merge = merge_players(duplicate=player(12), surviving=player(11), reason="One person", by=office.officer)
    april = office.run(APRIL)
    assert (federations(april, 11), titles(april, 11)) == (["NED"], ["MF"])
    transfer(office, 11, "FRA", date(2025, 4, 1))
    undo_merge(merge=merge, reason="Two persons", by=office.officer)
    july = office.run(JULY)
    assert (federations(july, 11, 12), titles(july, 11, 12)) == (["FRA", "BEL"], ["MF", "MI"])
    assert history(12) == [("NED", None, date(2025, 1, 10)), ("BEL", date(2025, 1, 10), None)]


# --- the service


@quick
def test_a_transfer_says_who_what_when_and_why(office):
    office.register(11)
    done = transfer(office, 11, "BEL", date(2026, 3, 3))
    assert (done.before, done.after, done.on) == ("NED", "BEL", date(2026, 3, 3))
    assert player(11).federation_id == "BEL"
    act = LogEntry.objects.get(action="player.transfer")
    assert (act.subject, act.actor) == ("player fmjd 11", office.officer.user)
    assert act.reason == "A letter of both federations"
    assert act.before == {"federation_id": "NED"}
    assert act.after == {"federation_id": "BEL", "transferred_on": "2026-03-03"}


@quick
def test_the_history_has_no_replaced_statement_and_joins_what_is_one(office):
    office.register(11)
    transfer(office, 11, "BEL", date(2026, 3, 3))
    transfer(office, 11, "FRA", date(2026, 6, 1))
    assert history(11) == [
        ("NED", None, date(2026, 3, 3)),
        ("BEL", date(2026, 3, 3), date(2026, 6, 1)),
        ("FRA", date(2026, 6, 1), None),
    ]
    transfer(office, 11, "BEL", date(2026, 5, 1))  # not France after all
    assert history(11) == [("NED", None, date(2026, 3, 3)), ("BEL", date(2026, 3, 3), None)]
    transfer(office, 11, "NED", date(2026, 3, 3))  # nor Belgium
    assert history(11) == [("NED", None, None)]


@quick
@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"federation": "XXX"}, "federation_unknown"),
        ({"federation": "NED"}, "same_federation"),
        ({"on": date(1899, 12, 31)}, "change_day"),
        ({"on": timezone.localdate() + timedelta(days=2)}, "change_day"),
        ({"reason": "  "}, "reason_missing"),
        ({"looked_at": "FRA"}, "record_changed"),  # another transfer came between
    ],
)
def test_what_is_refused(office, more, code):
    office.register(11)
    acts = LogEntry.objects.count()
    values = {"fmjd_id": 11, "federation": "BEL", "on": date(2026, 3, 3)} | more
    assert refusal(transfer, office, **values).code == code
    assert (history(11), LogEntry.objects.count()) == ([("NED", None, None)], acts)


@quick
@pytest.mark.parametrize(
    "role", [role for role in Role if role not in ("rating_officer", "tournament_director")]
)
def test_only_the_office_transfers(office, role):
    office.register(11)
    someone = Actor(create_user("someone@example.org", "Someone", roles=[role], federation_id="NED"))
    assert refusal(transfer, office, 11, "BEL", date(2026, 3, 3), by=someone).code == "forbidden"
    assert history(11) == [("NED", None, None)]


@whole
def test_two_transfers_at_once_leave_one_history(office):
    office.register(11)
    day = date(2026, 3, 3)
    run_concurrently(lambda: transfer(office, 11, "BEL", day), lambda: transfer(office, 11, "FRA", day))
    (before, now) = history(11)
    assert before == ("NED", None, date(2026, 3, 3))
    assert now in [(code, date(2026, 3, 3), None) for code in ("BEL", "FRA")]
    assert player(11).federation_id == now[0]
    assert LogEntry.objects.filter(action="player.transfer").count() == 2


# --- the import


@quick
def test_an_import_dates_transfers_and_titles(office):
    def load(text, **options):
        return import_register(content=(HEADER + text).encode(), by=office.officer, **options)

    load("101,Aman,Joel,CIV,M,1990,MF,\n102,Beugre,Ama,CIV,W,1988,,\n")
    load("101,Aman,Joel,FRA,M,1990,GMI,MI\n103,Cisse,Awa,CIV,,,MF,\n", on=CLOSING)
    assert history(101) == [("CIV", None, CLOSING), ("FRA", CLOSING, None)]
    assert history(103) == [("CIV", None, None)]
    found = PlayerTitle.objects.order_by("player__numbers__fmjd", "discipline", "pk")
    columns = ("player__numbers__fmjd", "discipline", "title", "registered_on", "withdrawn_on")
    assert list(found.values_list(*columns)) == [
        (101, "100", "MF", None, CLOSING),
        (101, "100", "GMI", CLOSING, None),
        (101, "64", "MI", CLOSING, None),
        (103, "100", "MF", None, None),
    ]
    act = LogEntry.objects.filter(action="register.import").latest("pk")
    assert act.after["changed_on"] == "2025-03-15"

    load("102,Beugre,Ama,FRA,W,1988,,\n")
    today = timezone.localdate()
    assert history(102) == [("CIV", None, today), ("FRA", today, None)]


@quick
@pytest.mark.parametrize("on", [date(1899, 12, 31), timezone.localdate() + timedelta(days=2)])
def test_an_import_of_a_coming_day_is_refused(office, on):
    text = "101,Aman,Joel,CIV,M,1990,MF,\n"
    refused = refusal(import_register, content=(HEADER + text).encode(), on=on, by=office.officer)
    assert refused.code == "change_day"
    assert not Player.objects.exists()
