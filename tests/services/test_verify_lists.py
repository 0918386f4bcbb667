"""The verifier names the list, the player and the column of everything that is not as it was published."""

import ast
import hashlib
import io
import itertools
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import translation
from psycopg.types.json import Jsonb

from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.models import CalculationRun, PlayerHistory, PublishedFile, RatingList
from ratings.publishing.verification.verification_texts import COMPARED, WORDS
from ratings.publishing.verification.verify_lists import verify_list, verify_lists
from reporting.log.invariants.registry import broken_invariants, invariants
from reporting.models import Player, ResultSet
from tests.databases import built_on
from tests.processes.faults.fault_tools import rounds
from tests.pseudo_language import CODE, pseudo_language
from tests.services.conftest import small_office
from tests.services.correction_helpers import correct
from tests.services.report_helpers import refusal

ROOT = Path(__file__).parents[2]

# The owner may switch triggers off; no one else could do what is done here.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database_role("owner")]

APRIL, JULY, OCTOBER = date(2026, 4, 1), date(2026, 7, 1), date(2026, 10, 1)
# How many rows, drawn at random, each column is changed in; `make test-faults` changes each list too.
ROWS = rounds(1, 3)
EVERY_LIST = ROWS > 1
STRANGER = 99  # in the register, on no list
MAY, AUGUST = date(2026, 5, 10), date(2026, 8, 9)


@built_on("empty")
def lists_to_verify() -> None:
    """Opening, April, July; April corrected without its second tournament, the difference carried into October.

    Number 21 shows 2300 for the first time in April, on both revisions: in July K = 10 hangs on it (R5).
    """
    office = small_office()
    office.register(STRANGER)
    numbers = [11, *range(12, 19), 21]
    rated = "\n".join(f"{number} 2050 100" for number in range(11, 19))
    office.opening(f"fmjd_id rating games\n{rated}\n21 2298 100\n")
    everybody = [f"{place - 1} 1 {place} {'2-0' if place % 2 else '1-1'}" for place in range(2, 10)]
    for_21 = [f"{place} 9 {place} 2-0" for place in range(1, 9)]
    office.accept("Spring", numbers, for_21)
    nova = office.newcomer("Nova", "Kometa")
    office.accept("Second", [*numbers, nova], [*everybody, "9 1 10 1-1"], played_to=date(2026, 2, 20))
    april = office.run(APRIL)
    office.accept("May", numbers, [*everybody, "9 9 2 1-1"], played_from=MAY, played_to=MAY)
    office.run(JULY)
    correct(office, april, excluded_tournaments=["2026-second"])
    office.run(APRIL)
    office.accept("August", numbers[:6], everybody[:5], played_from=AUGUST, played_to=AUGUST)
    office.run(OCTOBER)


@pytest.fixture(name="lists_to_verify")
def _lists_to_verify(transactional_db: None, _database_of_its_own: None) -> None:
    """A copy of the database with these lists."""


def published():
    return list(RatingList.objects.filter(state="published").order_by("in_force", "revision"))


def again(rating_list):
    """The list as it is in the database now, verified with its calculation."""
    fresh = RatingList.objects.select_related("pool", "period", "previous", "correction__replaces")
    return verify_list(fresh.get(pk=rating_list.pk), recalculate=True)


@contextmanager
def tampered(*tables: str) -> Iterator[None]:
    """Inside, the owner does what no one may; afterwards it has not been."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            for table in tables:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            cursor.execute(
                "ALTER TABLE ratings_ratinglist DROP CONSTRAINT list_published_with_two_signatures"
            )
            cursor.execute("ALTER TABLE fmjd_change DROP CONSTRAINT ratingchange_columns_of_method")
        yield
        transaction.set_rollback(True)


def as_owner(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def set_cell(table, where, column, value):
    with connection.cursor() as cursor:
        conditions = " AND ".join(f"{name} = %s" for name in where)
        cursor.execute(f"UPDATE {table} SET {column} = %s WHERE {conditions}", [value, *where.values()])
        assert cursor.rowcount == 1


OTHERS = {"sex": "W", "federation": "FRA", "title": "GMI", "category": "C", "method": "provisional"}
SECOND = {"category": "B", "method": "change", "federation": "BEL", "sex": "M", "title": "MI"}


def other_value(column, value, stranger):
    """Another value of the same kind that the table takes."""
    if column in {"position", "name_position", "official_position", "sequence"}:
        return (value or 0) + 1000
    if column in {"player_id", "result_set_id", "basis_list_id"}:
        model = {"result_set_id": ResultSet, "basis_list_id": RatingList}.get(column)
        return model.objects.exclude(pk=value).values_list("pk", flat=True)[0] if model else stranger
    if column in OTHERS:
        return OTHERS[column] if value != OTHERS[column] else SECOND[column]
    if isinstance(value, date):
        return value + timedelta(days=1)
    if isinstance(value, str | dict):
        return f"{value}x" if isinstance(value, str) else Jsonb({**value, "women": value.get("women", 0) + 1})
    return not value if isinstance(value, bool) else (value or 0) + 1


def columns_of(model):
    return [field.attname for field in model._meta.concrete_fields if field.attname not in {"id", "list_id"}]


def test_what_no_one_touched_is_as_it_was_published(office, lists_to_verify):
    verified = list(verify_lists(recalculate=True))
    assert [verified_list.address for verified_list in verified] == [
        "fmjd-100/2026-01-01/r1", "fmjd-100/2026-04-01/r1", "fmjd-100/2026-04-01/r2", "fmjd-100/2026-07-01/r1",
        "fmjd-100/2026-10-01/r1",
    ]  # fmt: skip
    assert [str(difference) for verified_list in verified for difference in verified_list.differences] == []
    opening, april, revision, july, october = verified
    assert [verified_list.compared["files"] for verified_list in verified] == [9, 10, 11, 10, 11]
    assert [verified_list.compared["histories"] for verified_list in (april, revision)] == [0, 9]
    assert october.compared["carried"] > 5
    assert july.compared["rows recalculated"] == july.compared["rows"] == 10
    assert opening.compared["changes"] == 0
    # The pattern is worth its name: July's K of number 21 hangs on April's list, which has been replaced.
    assert [change.k for change in office.changes(july.rating_list, 21)] == [10]
    assert office.row(april.rating_list, 21).rating >= 2300


def test_the_demonstration_is_as_it_was_published(season_shared):
    verified = list(verify_lists(recalculate=True))
    assert [str(difference) for verified_list in verified for difference in verified_list.differences] == []
    assert sum(verified_list.compared["changes recalculated"] for verified_list in verified) > 800


def test_the_rules_that_data_follow_hold_after_a_correction(lists_to_verify):
    assert list(map(str, broken_invariants(invariants()))) == []


@pytest.mark.parametrize("model", [FmjdListRow, FmjdChange, PlayerHistory])
def test_every_column_of_every_figure(lists_to_verify, model):
    """Each column in a row drawn at random; `make test-faults` in three, more than a hundred single changes in all."""
    draw = random.Random(9_091)  # noqa: S311 (the same draw every time)
    table = model._meta.db_table
    stranger = player_id(STRANGER)
    rows = list(model.objects.filter(list__state="published").select_related("list", "player").order_by("pk"))
    by_default = ("list_id", "player_id")
    keys = {FmjdListRow: ("list_id", "position"), FmjdChange: (*by_default, "sequence")}.get(
        model, by_default
    )
    missed, changed = [], 0
    for column in columns_of(model):
        for row in draw.sample(rows, ROWS):
            value = other_value(column, getattr(row, column), stranger)
            with tampered(table):
                set_cell(table, {key: getattr(row, key) for key in keys}, column, value)
                verified = again(row.list)
            changed += 1
            named = {
                name
                for difference in verified.differences
                if difference.number == row.player.numbers["fmjd"]
                and difference.rating_list.endswith(f"r{row.list.revision}")
                for name in difference.column.split("/")
            }
            if column not in named:
                missed.append((str(row.list), row.player.numbers["fmjd"], column, value, named))
    assert missed == []
    assert changed == ROWS * len(columns_of(model))


def player_id(number):
    return Player.objects.get(numbers__fmjd=number).pk


LIST_COLUMNS = (
    "sha256", "approved_sha256", "published_sha256", "previous_sha256", "input_sha256", "previous_id", "edition",
    "closing", "players", "official_players", "federations", "tournaments", "games", "is_opening", "revision",
)  # fmt: skip


def test_every_digest_and_count_of_a_list(lists_to_verify):
    """Each column in one list, the lists by turns."""
    lists = published()[1:]
    in_turn = zip(itertools.cycle(lists), LIST_COLUMNS, strict=False)
    for rating_list, column in itertools.product(lists, LIST_COLUMNS) if EVERY_LIST else in_turn:
        value = getattr(rating_list, column)
        if column.endswith("sha256"):
            value = f"{'1' if value[0] == '0' else '0'}{value[1:]}"
        elif column == "federations":
            value = value[1:]
        else:
            value = rating_list.pk if column == "previous_id" else other_value(column, value, None)
        with tampered("ratings_ratinglist"):
            with connection.cursor() as cursor:
                cursor.execute("ALTER TABLE ratings_ratinglist DROP CONSTRAINT list_revision_has_correction")
                cursor.execute("ALTER TABLE ratings_ratinglist DROP CONSTRAINT list_approved_by_someone")
                cursor.execute("DROP INDEX list_revision_published_once")
            set_cell("ratings_ratinglist", {"id": rating_list.pk}, column, value)
            verified = again(rating_list)
        named = {(difference.where, difference.column) for difference in verified.differences}
        assert ("ratings_ratinglist", column) in named, (rating_list, column)


def test_every_file_and_every_column_of_it(lists_to_verify):
    """A byte in the middle of each file of the newest list, and one of its other columns by turns."""
    lists = published() if EVERY_LIST else published()[-1:]
    files = PublishedFile.objects.filter(list__in=lists).select_related("list").order_by("pk")
    for place, file in enumerate(files):
        content = bytes(file.content)
        middle = len(content) // 2
        other = (
            ("sha256", "0" * 64), ("size", file.size + 1), ("content_type", "text/html"),
            ("has_names", not file.has_names), ("name", "other.csv"),
        )[place % 5]  # fmt: skip
        flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        for column, value in (("content", flipped), other):
            with tampered("ratings_publishedfile"):
                set_cell("ratings_publishedfile", {"id": file.pk}, column, value)
                verified = verify_list(file.list)
            named = {(difference.where, difference.column) for difference in verified.differences}
            wanted = {"content": "sha256", "name": "file"}.get(column, column)
            assert (file.name, wanted) in named, (file.name, column)


def test_a_cell_of_a_file_is_named_even_where_the_digest_was_made_to_fit(lists_to_verify):
    july = RatingList.objects.get(in_force=JULY)
    for name, column, old, new in (
        ("figures.csv", "category", b",A,", b",C,"),
        ("list.csv", "federation", b",NED,", b",FRA,"),
        ("changes.csv", "k", b",15,100,", b",25,100,"),
        ("list.json", "rating", b'"rating": 2', b'"rating": 1'),
    ):
        file = PublishedFile.objects.get(list=july, name=name)
        forged = bytes(file.content).replace(old, new, 1)
        digest = hashlib.sha256(forged).hexdigest()
        with tampered("ratings_publishedfile"):
            PublishedFile.objects.filter(pk=file.pk).update(content=forged, sha256=digest)
            differences = [found for found in again(july).differences if found.number is not None]
        assert forged != bytes(file.content)
        assert [(found.where, found.column) for found in differences] == [(name, column)]


def test_no_draft_is_made_whose_figures_the_files_do_not_give(lists_to_verify):
    """A point more for 12 in a row of October, not in its files: the two recalculations begin with other ratings."""
    october = published()[-1]
    row = FmjdListRow.objects.get(list=october, register_number=12)
    january = date(2027, 1, 1)
    as_owner("ALTER TABLE fmjd_listrow DISABLE TRIGGER USER")
    FmjdListRow.objects.filter(list=october, register_number=12).update(rating=row.rating + 1)
    refused = refusal(small_office().run, january)
    assert refused.code == "recalculation_differs"
    where = "fmjd-100/2027-01-01/r1 figures.csv 12 rating"
    assert f"{where}: published {row.rating + 1}, calculated {row.rating}" in refused.values["first"]
    assert not RatingList.objects.filter(in_force=january).exists()
    run = CalculationRun.objects.get(period__in_force=january)
    assert (run.state, run.refusal["key"]) == ("failed", "recalculation_differs")


def test_a_published_file_that_no_longer_follows_is_named_by_the_second_calculation(lists_to_verify):
    october = published()[-1]
    stored = PublishedFile.objects.get(list=october, name="games.csv")
    with tampered("ratings_publishedfile"):
        content = bytes(stored.content).replace(b",both\n", b",none\n", 1)
        set_cell("ratings_publishedfile", {"id": stored.pk}, "content", content)
        differences = again(october).differences
        found = [difference for difference in differences if difference.where == "recompute.py"]
    assert [difference.found for difference in found][:1] == ["published none, calculated both"]
    assert found[0].column.startswith("games.csv 2026-august 1 ")


def test_a_report_whose_bytes_were_changed_is_named(lists_to_verify):
    with tampered("reporting_reportversion"):
        as_owner("UPDATE reporting_reportversion SET content = content || 'x' WHERE filename = 'May.txt'")
        verified = again(RatingList.objects.get(in_force=JULY))
    assert [str(difference.where) for difference in verified.differences] == ["report of 2026-may"]


def test_a_carried_difference_and_a_row_gone_are_named_all_at_once(lists_to_verify):
    october = RatingList.objects.get(in_force=OCTOBER)
    carried = october.carried_differences.select_related("player").first()
    last = FmjdListRow.objects.filter(list=october).order_by("-position").first()
    with tampered("ratings_carrieddifference", "fmjd_listrow"):
        set_cell("ratings_carrieddifference", {"id": carried.pk}, "rating", carried.rating + 1)
        FmjdListRow.objects.filter(pk=last.pk)._raw_delete("default")
        verified = again(october)
    named = {(difference.where, difference.number, difference.column) for difference in verified.differences}
    assert ("ratings_carrieddifference", carried.player.numbers["fmjd"], "rating") in named
    assert ("fmjd_listrow", last.register_number, "player_id") in named
    assert ("ratings_playerhistory", last.register_number, "player_id") in named


def test_an_erased_name_is_no_difference(lists_to_verify):
    with transaction.atomic():
        as_owner("SELECT erase_player_name(%s)", player_id(11))
        assert [str(difference) for every in verify_lists() for difference in every.differences] == []
        transaction.set_rollback(True)


def run(*arguments):
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("verify_lists", *arguments, stdout=out, stderr=err)
    except CommandError as refused:
        return out.getvalue(), err.getvalue(), str(refused)
    return out.getvalue(), err.getvalue(), ""


def test_the_command_prints_a_line_for_each_list_and_fails_on_a_difference(lists_to_verify):
    out, err, refused = run("--recalculate")
    assert (err, refused) == ("", "")
    lines = out.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == [
        f"{rating_list.address}/r{rating_list.revision}"
        for rating_list in RatingList.objects.order_by("in_force", "revision")
    ]
    assert lines[-1] == "5 lists, all as they were published."
    assert "11 files" in lines[2]
    assert run("--pool", "fmjd-64") == ("0 lists, all as they were published.\n", "", "")
    assert "no pool" in run("--pool", "chess")[2]

    july = RatingList.objects.get(in_force=JULY)
    row = FmjdListRow.objects.get(list=july, register_number=12)
    as_owner("ALTER TABLE fmjd_listrow DISABLE TRIGGER USER")
    set_cell("fmjd_listrow", {"list_id": july.pk, "position": row.position}, "rating", row.rating + 1)
    out, err, refused = run("--pool", "fmjd-100")
    assert "differences in 5 lists" in refused
    of_july = "fmjd-100/2026-07-01/r1: figures.csv, FMJD-ID 12, rating"
    assert f"{of_july}: found {row.rating}, expected {row.rating + 1}" in err
    assert f"{row.rating + 1}, expected {row.rating}" in err  # the row, by the sum of the changes


def test_the_command_speaks_the_language_in_use(lists_to_verify):
    """In the pseudo-language no noun and no word of a difference is left in English."""
    july = RatingList.objects.get(in_force=JULY)
    row = FmjdListRow.objects.filter(list=july).first()
    as_owner("ALTER TABLE fmjd_listrow DISABLE TRIGGER USER")
    as_owner("ALTER TABLE ratings_publishedfile DISABLE TRIGGER USER")
    PublishedFile.objects.filter(list=july, name="list.txt").update(content=b"x")
    PublishedFile.objects.filter(list=july, name="list.csv").delete()
    set_cell("fmjd_listrow", {"list_id": july.pk, "position": row.position}, "name_position", 700)
    english = run("--recalculate")
    with pseudo_language(), translation.override(CODE):
        pseudo = run("--recalculate")
    nouns = (
        r"\b(found|expected|differences?|at byte|a file|none|files|columns|rows|changes|reports|histories|"
        r"recalculated)\b"
    )
    for before, after in zip(english, pseudo, strict=True):
        assert re.search(nouns, before)
        assert not re.search(nouns, after)
        assert len(before.splitlines()) == len(after.splitlines())


def test_all_that_a_verification_says_has_a_text():
    """Each code that a call site names is in the catalogue, and each of the catalogue is named."""
    compared, codes, steps = set(), set(), set()
    for path in (ROOT / "ratings/publishing/verification").glob("verif*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") == "compared":
                compared.add(node.slice.value)
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "words":
                codes |= {node.args[0].value} if isinstance(node.args[0], ast.Constant) else set()
            elif isinstance(node, ast.Name) and re.match("_?verify_", node.id):
                steps.add(node.id.removeprefix("_"))
    assert compared == set(COMPARED)
    assert codes == {code for code in WORDS if not code.startswith("verify_")}
    assert {code for code in WORDS if code.startswith("verify_")} <= steps
