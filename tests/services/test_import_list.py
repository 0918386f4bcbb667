"""The opening list of a pool, from a table: its defaults, its signature, its digest, its refusals."""

import hashlib
import itertools
from dataclasses import replace
from datetime import date

import pytest

from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.models import CalculationRun, PlayerHistory, Pool, PublishedFile, RatingList
from ratings.production.imports.import_list import import_list, read_opening_list
from reporting.federations.fmjd.report_rules import FmjdReportRules
from reporting.log.audit import Actor
from reporting.models import LogEntry, Role
from tests.people import create_user
from tests.services import report_helpers

pytestmark = pytest.mark.django_db

IN_FORCE = date(2026, 1, 1)


def load(office, text, *, pool="fmjd-100", by=None, releaser=None):
    signed = {"by": by or office.officer, "releaser": releaser or office.releaser}
    return import_list(content=text.encode(), pool=Pool.objects.get(code=pool), in_force=IN_FORCE, **signed)


def refusal(*args, **kwargs):
    lists, rows = RatingList.objects.count(), FmjdListRow.objects.count()
    refused = report_helpers.refusal(load, *args, **kwargs)
    assert (RatingList.objects.count(), FmjdListRow.objects.count()) == (lists, rows)
    return refused


def test_the_opening_list_is_published_signed_as_opening_by_two_persons(office):
    office.register(11, 12)
    opening = load(office, "fmjd_id,rating,games\n11,2000,40\n12,2100,10\n")
    assert (opening.state, opening.is_opening, opening.revision) == ("published", True, 1)
    assert (opening.period, opening.previous, opening.previous_sha256) == (None, None, "")
    assert opening.address == "fmjd-100/2026-01-01"
    assert opening.closing == date(2025, 12, 31)  # the day before: years are counted back from it
    assert (opening.approved_by, opening.published_by) == (office.officer.user, office.releaser.user)
    assert opening.approved_sha256 == opening.published_sha256 == opening.sha256
    assert opening.by_command
    assert (opening.players, opening.tournaments, opening.games) == (2, 0, 0)
    assert not FmjdChange.objects.exists()
    assert not CalculationRun.objects.exists()
    acts = LogEntry.objects.exclude(action="register.import").order_by("pk")
    officer, releaser = "officer@office.invalid", "releaser@office.invalid"
    assert list(acts.values_list("action", "actor__email")) == [
        ("list.import_opening", officer), ("list.open_for_approval", officer), ("list.approve", officer),
        ("list.publish", releaser),
    ]  # fmt: skip


def test_the_rows_stand_by_rating_then_number_with_the_defaults_where_the_table_is_empty(office):
    """Empty: the last game on the day before, all games in three years, 2300 as the rating says.

    R12: 11 and 12 have the total of 30 (A); 13 has not (B); 14, from 2351 on, has 50 games but not 30 in three
    years (B, and not official); 15 stopped six years ago (C).
    """
    office.register(11, 12, 13, 14, 15)
    opening = load(
        office,
        "fmjd_id,rating,games,reached_2300,last_game,games_3_years\n12,2000,40,,,\n11,2000,30,1,2025-06-01,4\n"
        "13,2299,29,,,\n14,2351,50,,2025-06-01,29\n15,1900,200,no,2019-12-31,0\n",
    )
    columns = (
        "position", "register_number", "rating", "change", "period_games", "games", "games_3_years", "last_game",
        "reached_2300", "category", "rank", "official_position", "official_rank",
    )  # fmt: skip
    new_year_s_eve = date(2025, 12, 31)
    assert list(FmjdListRow.objects.filter(list=opening).order_by("position").values_list(*columns)) == [
        (1, 14, 2351, None, 0, 50, 29, date(2025, 6, 1), True, "B", 1, None, None),
        (2, 13, 2299, None, 0, 29, 29, new_year_s_eve, False, "B", 2, 1, 1),
        (3, 11, 2000, None, 0, 30, 4, date(2025, 6, 1), True, "A", 3, 2, 2),
        (4, 12, 2000, None, 0, 40, 40, new_year_s_eve, False, "A", 3, 3, 2),
        (5, 15, 1900, None, 0, 200, 0, date(2019, 12, 31), False, "C", 5, None, None),
    ]
    assert PlayerHistory.objects.filter(list=opening).count() == 5


@pytest.mark.parametrize(
    ("reached", "rating", "shown"),
    [
        ("", 2299, False), ("", 2300, True), ("1", 2299, True), ("0", 2300, True), ("YES", 2000, True),
        ("true", 2000, True), ("n", 2000, False), ("false", 2000, False),
    ],
)  # fmt: skip
def test_who_has_ever_reached_2300_is_said_by_the_table_or_by_the_rating(office, reached, rating, shown):
    office.register(11)
    load(office, f"fmjd_id,rating,games,reached_2300\n11,{rating},40,{reached}\n")
    assert FmjdListRow.objects.get().reached_2300 is shown


def test_the_digest_is_that_of_the_figures_file_written_by_hand(office):
    office.register(11, 12)
    opening = load(office, "fmjd_id,rating,games\n11,2000,40\n12,2100,10\n")
    by_hand = (
        b"fmjd_id,rating,change,period_games,games,category,rank,reached_2300,games_3_years,last_game,list,previous_sha256\n"
        b"12,2100,,0,10,B,1,0,10,2025-12-31,fmjd-100/2026-01-01,\n"
        b"11,2000,,0,40,A,2,0,40,2025-12-31,,\n"
    )
    assert bytes(PublishedFile.objects.get(list=opening, name="figures.csv").content) == by_hand
    assert opening.sha256 == hashlib.sha256(by_hand).hexdigest()


def test_the_order_and_the_writing_of_the_table_do_not_touch_the_digest(office):
    """Two pools, one table in two orders, with and without the defaults spelt out: the same figures but the address."""
    office.register(11, 12, 13)
    first = load(office, "fmjd_id,rating,games\n11,2000,40\n12,2100,10\n13,2000,7\n")
    second = load(
        office,
        "\ufeffid,games_3_years,games,rating,last_game\r\n13,7,7,2000,2025-12-31\r\n12,,10,2100,\r\n11,40,40,2000,\r\n",
        pool="fmjd-64",
    )
    figures = PublishedFile.objects.filter(name="figures.csv")
    of_first, of_second = (bytes(figures.get(list=made).content) for made in (first, second))
    assert of_second.replace(b"fmjd-64/", b"fmjd-100/") == of_first


def test_a_table_is_read_as_any_spreadsheet_program_writes_it(office):
    office.register(11, 12)
    table = "fmjd_id,rating,games,last_game\n11,2000,40,31.12.2025\n12,2100,10,"
    expected = [(11, 2000, 40, date(2025, 12, 31)), (12, 2100, 10, date(2025, 12, 31))]
    pool = Pool.objects.get(code="fmjd-100")
    for end, separator, encoding in itertools.product(
        ("\n", "\r\n", "\r"), (",", ";", "\t"), ("utf-8", "utf-8-sig", "utf-16")
    ):
        content = table.replace("\n", end).replace(",", separator).encode(encoding)
        lines = read_opening_list(content, pool, date(2026, 1, 1), office.officer)
        read = [(line.register_number, line.rating, line.games, line.last_game) for line in lines]
        assert read == expected, (end, separator, encoding)


def test_a_pool_that_has_a_list_gets_no_second_opening(office):
    office.register(11)
    text = "fmjd_id,rating,games\n11,2000,40\n"
    load(office, text)
    assert refusal(office, text).code == "pool_has_lists"
    assert load(office, text, pool="fmjd-100-rapidblitz").state == "published"  # the twin


def test_all_findings_come_at_once_with_line_and_field(office):
    office.register(11, 12)
    faulty = [
        ("99,2000,40,,,", "fmjd-id-unknown", "fmjd_id"),
        ("11,2001,40,,,", "id-repeated", "fmjd_id"),
        (",2000,40,,,", "value-missing", "fmjd_id"),
        ("12,0,40,,,", "number-unreadable", "rating"),
        ("12,4001,40,,,", "number-unreadable", "rating"),
        ("12,2000,-1,,,", "number-unreadable", "games"),
        ("12,2000,40,maybe,,", "value-unknown", "reached_2300"),
        ("12,2000,40,,2026-01-01,", "date-too-late", "last_game"),
        ("12,2000,40,,end of 2025,", "date-unreadable", "last_game"),
        ("12,2000,40,,,41", "number-too-large", "games_3_years"),
        ("12,2000", "field-count", None),
    ]
    text = "fmjd_id,rating,games,reached_2300,last_game,games_3_years\n11,2000,40,,,\n"
    refused = refusal(office, text + "".join(f"{line}\n" for line, *_ in faulty))
    assert refused.code == "list_refused"
    found = {(finding.code, finding.line, finding.field) for finding in refused.findings}
    assert found >= {(code, line, field) for line, (_, code, field) in enumerate(faulty, start=3)}
    assert not any(finding.line == 2 for finding in refused.findings)


def test_the_system_says_how_large_a_number_of_its_register_may_be(office, monkeypatch):
    """Annex 9 art. 11 gives an FMJD-ID five digits; another register may go on."""
    text = "fmjd_id,rating,games\n100000,2000,40\n"
    codes = {finding.code for finding in refusal(office, text).findings}
    assert codes == {"number-unreadable", "fmjd-id-unknown"}
    register = replace(FmjdReportRules.register, largest=100_000)
    monkeypatch.setattr(FmjdReportRules, "register", register)
    assert {finding.code for finding in refusal(office, text).findings} == {"fmjd-id-unknown"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "column-missing"),
        ("fmjd_id,rating\n11,2000\n", "column-missing"),
        ("fmjd_id,rating,games,name\n11,2000,40,x\n", "column-unknown"),
        ("fmjd_id,rating,games\n", "table-empty"),
        ("fmjd_id,rating,games\n11,2000.5,40\n", "number-unreadable"),
        ("fmjd_id,rating,games\n11,２０００,40\n", "number-unreadable"),
    ],
)
def test_what_is_no_list_is_refused(office, text, code):
    office.register(11)
    assert code in {finding.code for finding in refusal(office, text).findings}


def test_one_person_does_not_sign_twice_and_signs_only_with_their_role(office):
    office.register(11)
    text = "fmjd_id,rating,games\n11,2000,40\n"
    both = Actor(create_user("both@example.org", "Both", roles=[Role.RATING_OFFICER, Role.RELEASING_OFFICER]))
    assert refusal(office, text, by=both, releaser=both).code == "same_person"
    assert refusal(office, text, by=office.releaser, releaser=both).code == "forbidden"
    assert refusal(office, text, by=office.officer, releaser=office.referee).code == "forbidden"
    # The twin: one of the two roles is enough for one act.
    assert load(office, text, by=both).state == "published"
