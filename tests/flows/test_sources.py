"""A list that reads others: lists of FIDE, and those of the system's other pools. The toy league (tests/toy_games).

By hand, 10 × (W − We), We by the ratings of the list before (tests/toy_games/rules.py). 23 and 24 are newcomers: 23 has
FIDE's number 1000051 and so FIDE's rating 2310; 24 was born in 2010 and starts at what the officer set for that year.

    games of League          23                      24
    23 beats 22 (1200)       2310: We 0.9, + 1
    24 loses to 22 (1200)                            1100: We 0.4, - 4
                             2311                    1096
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from ratings.models import ExportFile, Period, Pool, PublishedFile, RatingList, SourceList
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.calculate import calculate_period
from ratings.production.correct_list import correct_list
from ratings.publishing.open_data.export import make_export
from reporting.log.audit import Actor
from reporting.models import LogEntry, User
from reporting.refusals.domain_error import DomainError
from tests.databases import built_on
from tests.flows.test_toy_games import DETAILS, OPENING, league  # noqa: F401 (fixture)
from tests.formats.source_files import AYO, BOS, CHAN, OF_ONE_KIND, PLAYERS, source_text, zipped
from tests.toy_games.installed import league_installed

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own

REGISTER = """league_id,last_name,first_name,federation,sex,born,title,fide
21,Familya,Givena,NED,M,1990,,
22,Familyb,Givenb,NED,W,1991,,14101
23,Aabel,Ann,NED,W,1990,,1000051
24,Dekker,Dion,NED,M,2010,,
"""
GAMES = """round,date,white_id,white_name,black_id,black_name,result
1,2025-02-07,23,"Aabel, Ann",22,"Familyb, Givenb",1-0
2,2025-02-08,22,"Familyb, Givenb",24,"Dekker, Dion",1-0
"""


@built_on("league_opening")
def reports():
    """The players of the register and the report of two games."""
    with league_installed(), TemporaryDirectory() as folder:
        register, tournament = Path(folder, "more.csv"), Path(folder, "reports")
        register.write_text(REGISTER)
        call_command("import_register", str(register), "--register", "league")
        tournament.mkdir()
        (tournament / "league.csv").write_text(GAMES)
        (tournament / "league.toml").write_text(DETAILS.partition("[")[0])
        call_command("import_reports", str(tournament), "--accept")


@pytest.fixture(name="reports")
def _reports(league):  # noqa: F811
    """A copy of the database with these."""


@pytest.fixture
def command(tmp_path):
    def run(content, in_force, *more):
        (tmp_path / "list").write_bytes(content)
        call_command("import_source", "fide", str(tmp_path / "list"), "--in-force", in_force, *more)

    return run


def run_period(in_force="2025-07-01", pool="league", *more):
    call_command("run_period", pool, "--in-force", in_force, *more)
    return RatingList.objects.filter(pool__code=pool, in_force=in_force).latest("pk")


def figures(rating_list):
    return {row.register_number: row.rating for row in rating_list.rows.all()}


def file_of(rating_list, name):
    return bytes(PublishedFile.objects.get(list=rating_list, name=name).content).decode().splitlines()


def test_a_list_is_imported_by_kinds_and_the_same_bytes_are_already_there(reports, command, capfd):
    content = source_text(*PLAYERS)
    command(content, "2025-06-01")
    command(content, "2025-06-01")
    lines = capfd.readouterr().out.splitlines()
    standard, rapid, blitz = SourceList.objects.order_by("pk")
    assert lines[-5:] == [
        "fide/2025-06-01 standard: 2 players, 2 of them in the register.",
        "fide/2025-06-01 rapid: 1 players, 1 of them in the register.",
        "fide/2025-06-01 blitz: 1 players, 1 of them in the register.",
        f"file digest {standard.sha256}",
        "list is already there.",
    ]
    assert (standard.players, rapid.players, blitz.players) == (2, 1, 1)
    assert LogEntry.objects.get(action="source.import").after["players"] == 4
    # A file of one kind comes after those of the others, and replaces no other kind.
    command(source_text(AYO, columns=OF_ONE_KIND), "2025-06-01", "--kind", "rapid")
    assert SourceList.objects.count() == 4


def test_a_file_with_errors_is_refused_whole(reports, command, capfd):
    with pytest.raises(CommandError, match=r"source_refused: The file has errors\. Nothing was changed"):
        command(source_text(AYO | {"SRtng": "23x0"}, BOS, BOS), "2025-06-01")
    errors = capfd.readouterr().err
    assert "number-unreadable (line 2, column 114)" in errors
    assert "id-repeated (line 4, column 1)" in errors
    assert not SourceList.objects.exists()
    with pytest.raises(CommandError, match="too_far_ahead"):
        command(source_text(*PLAYERS), "2098-06-01")
    with pytest.raises(CommandError, match="enter a day from 1983-01-01"):
        command(source_text(*PLAYERS), "0001-06-01")


def test_a_list_reads_sources_and_values_and_says_so(reports, command, capfd, tmp_path):
    command(source_text(CHAN | {"SRtng": 1500}), "2024-01-01")  # before the year that the league reads
    command(source_text(AYO | {"SRtng": 2300}), "2024-06-01")  # in force when that year begins
    command(zipped(source_text(*PLAYERS)), "2025-06-01")
    (tmp_path / "values.csv").write_text("born,rating\n2010,1100\n2009,1200\n")
    call_command(
        "set_list_values", "league", "--in-force", "2025-07-01", "--file", str(tmp_path / "values.csv")
    )
    first = run_period()
    assert figures(first) == {22: 1197 + 6, 21: 1000, 23: 2311, 24: 1096}
    read = file_of(first, "lists-read.csv")
    sources = [SourceList.objects.get(in_force=day, kind="standard") for day in ("2024-06-01", "2025-06-01")]
    assert read[2:] == [f"{one.address},{one.sha256},source" for one in sources]
    assert file_of(first, "values.csv") == ["born,rating", "2009,1200", "2010,1100"]
    capfd.readouterr()
    call_command("verify_lists", "--pool", "league", "--recalculate")
    assert "2 lists, all as they were published" in capfd.readouterr().out

    assert make_export()
    exported = ExportFile.objects.filter(name__in=["lists-read.csv", "sources-read.csv"])
    # Of the sources apart: their lines name no list of the office.
    assert dict(exported.values_list("name", "rows")) == {"lists-read.csv": 1, "sources-read.csv": 2}

    with pytest.raises(
        CommandError, match="source_read: The list league/2025-07-01 was calculated from another file"
    ):
        command(source_text(AYO), "2025-06-01")
    assert SourceList.objects.filter(in_force="2025-06-01").count() == 3
    with pytest.raises(CommandError, match="values_fixed"):
        call_command(
            "set_list_values", "league", "--in-force", "2025-07-01", "--file", str(tmp_path / "values.csv")
        )


def test_the_digest_of_the_inputs_depends_on_every_source_pool_and_value(reports, command):
    call_command("run_period", "league", "--in-force", "2025-07-01", "--draft")
    period = Period.objects.get(in_force="2025-07-01")
    digests = {RatingList.objects.get(period=period).input_sha256}
    for content in (source_text(BOS), source_text(BOS | {"BRtng": 1700})):
        command(content, "2025-06-01")
        call_command("run_period", "league", "--in-force", "2025-07-01", "--draft")
        digests.add(RatingList.objects.filter(period=period).latest("pk").input_sha256)
    # The ratings that the league reads are the same: the digest names the files.
    assert len(digests) == 3


def test_a_draft_of_another_file_cannot_be_signed(reports, command):
    command(source_text(*PLAYERS), "2025-06-01")
    officer = Actor(User.objects.get(email="officer@office.invalid"))
    draft = open_for_approval(rating_list=run_period("2025-07-01", "league", "--draft"), by=officer)
    command(source_text(AYO), "2025-06-01")
    with pytest.raises(DomainError) as refused:
        approve_list(rating_list=draft, sha256=draft.sha256, by=officer)
    assert refused.value.code == "other_lists_changed"


def test_a_revision_reads_what_the_list_that_it_replaces_has_read(reports, command):
    command(source_text(*PLAYERS), "2025-06-01")
    first = run_period()
    command(source_text(AYO | {"SRtng": 2000}), "2025-06-15")  # a list of the same day would read it
    officer = Actor(User.objects.get(email="officer@office.invalid"))
    run = correct_list(rating_list=first, reason="Checked again.", later="revise", by=officer)
    revision = calculate_period(run=run, wait=True)
    assert (revision.revision, revision.source_lists) == (2, first.source_lists)
    assert figures(revision) == figures(first)
    assert revision.input_sha256 == first.input_sha256


def test_what_lists_have_read_never_changes(reports, command):
    command(source_text(*PLAYERS), "2025-06-01")
    run_period()
    for query in (
        "UPDATE ratings_sourcelist SET players = 3",
        "DELETE FROM ratings_sourcelist",
        "TRUNCATE ratings_sourcelist CASCADE",
    ):
        with pytest.raises(Exception, match=r"refused|permission denied"), transaction.atomic():
            connection.cursor().execute(query)


def test_a_list_waits_for_earlier_lists_of_the_pools_that_it_reads(reports, tmp_path, capfd):
    Pool.objects.create(code="league-fast", system="league", discipline="", tempo="fast", name="Fast league")
    (tmp_path / "list.csv").write_text(OPENING)
    call_command(
        "import_list", str(tmp_path / "list.csv"), "--pool", "league-fast", "--in-force", "2025-01-01"
    )
    early = run_period("2025-06-01", "league-fast", "--draft")
    with pytest.raises(CommandError, match=r"other_pool_unpublished: .* of 1 Jun 2025 of Fast league first"):
        run_period("2025-07-01")
    run_period("2025-06-01", "league-fast")
    assert early.other_lists == [RatingList.objects.get(pool__code="league", in_force="2025-01-01").pk]
    # The publication has requested what waited for it.
    waiting = Period.objects.get(pool__code="league").runs.get()
    assert waiting.state == "requested"
    listed = run_period("2025-07-01")
    assert [line.rpartition(",")[2] for line in file_of(listed, "lists-read.csv")[1:]] == [
        "read", "pool", "pool",
    ]  # fmt: skip
    assert file_of(listed, "lists-read.csv")[3].startswith("league-fast/2025-06-01/r1,")
    capfd.readouterr()
    call_command("verify_lists", "--recalculate")
    assert "all as they were published" in capfd.readouterr().out
