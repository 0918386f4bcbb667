"""The office's commands: what they print, how they end, and that a refusal leaves every table as it was."""

import io
import json
import re
from datetime import date

import pytest
from django.core.management import CommandError, call_command, load_command_class
from django.db import connection
from django.utils import translation

from ratings.models import PublishedFile, RatingList
from reporting.log.audit import Actor
from reporting.management.office import IMPORTER
from reporting.models import LogEntry, Player, Report, ResultSet, Role, User
from reporting.reports.services.submit import take_back_report
from tests.people import give_roles
from tests.pseudo_language import CODE, OPEN, pseudo_language

pytestmark = pytest.mark.django_db
whole = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own

REGISTER = "fmjd_id,last_name,first_name,federation,sex,born\n11,Aman,Joel,CIV,M,1990\n12,Beugre,Ama,CIV,W,1988-02-03\n"
LIST = "fmjd_id,rating,games\n11,2000,40\n12,2100,40\n"
REPORT = """<section Info>
name = Open
played from = 06/02/2026
played to = 08/02/2026
type = OTHER
national championship = N
women championship = N
name of referee = Piet Fluit
place = Utrecht
country = NED
remarks = <remark></end remark>
winner =
</end info>
<section players>
11,1,,0,2,Joel,Aman,CIV,,
12,2,,0,0,Ama,Beugre,CIV,,
</end players>
<section results>
1,1,2,2-0
</end results>
"""
DETAILS = 'discipline = "100"\ntime_control = "120+0"\nannounced = 2026-01-01\nreceived = 2026-02-09\n'


def run(*arguments):
    """The command's standard output, its standard error and how it ended (0, or the code of its refusal)."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(*map(str, arguments), stdout=out, stderr=err)
    except CommandError as refused:
        return out.getvalue(), f"{err.getvalue()}{refused}", refused.returncode
    return out.getvalue(), err.getvalue(), 0


def everything():
    """Every row of every table, as one digest a table."""
    with connection.cursor() as cursor:
        cursor.execute(  # a partition is read through its table
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition"
            " AND relnamespace = 'public'::regnamespace AND relname <> 'reporting_actingkey'"  # the owner's alone
        )
        tables = [name for (name,) in cursor.fetchall()]
        digests = {}
        for name in tables:
            cursor.execute(f"SELECT count(*), md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {name} t")
            digests[name] = cursor.fetchone()
    assert "reporting_logentry" in digests
    return digests


def refused(*arguments, code=1):
    """What a refused command says; it ends with `code` and changes nothing."""
    before = everything()
    _, said, ended = run(*arguments)
    assert ended == code
    assert everything() == before
    return said


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "register.csv").write_text(REGISTER)
    (tmp_path / "list.csv").write_text(LIST)
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "open.txt").write_text(REPORT)
    (tmp_path / "reports" / "open.toml").write_text(DETAILS)
    return tmp_path


@pytest.fixture
def loaded(folder):
    run("import_register", folder / "register.csv")
    run("import_list", folder / "list.csv", "--in-force", "2026-01-01")
    return folder


def test_import_register_says_how_many_and_what_changed(folder):
    created = "2 players created, 0 updated, 0 unchanged.\n"
    assert run("import_register", folder / "register.csv") == (created, "", 0)
    (folder / "register.csv").write_text(REGISTER.replace("CIV,M,1990", "FRA,M,1990-01-02"))
    out, _, ended = run("import_register", folder / "register.csv")
    assert ended == 0
    assert out.splitlines() == [
        "11 Federation: CIV → FRA", "11 Day of birth: empty → known", "0 players created, 1 updated, 1 unchanged."
    ]  # fmt: skip
    assert "1990-01-02" not in out
    actors = LogEntry.objects.values_list("actor__email", "by_command")
    assert set(actors) == {("officer@office.invalid", True)}


@whole
def test_what_commands_say_goes_through_gettext(folder):
    """Outside the marks of the pseudo-language are names, codes and numbers alone."""
    with pseudo_language(), translation.override(CODE):
        said = [
            *run("import_register", folder / "register.csv")[:2],
            *run("import_list", folder / "list.csv", "--in-force", "2026-01-01")[:2],
            *run("verify_lists", "--pool", "fmjd-100")[:2],
            *run("verify_lists", "--pool", "shoe")[:2],
            *run("run_period", "shoe", "--in-force", "2026-04-01")[:2],
            *run("run_period", "--closing", "2026-03-14")[:2],
            *run("export_list", "--list", "women", "--changes")[:2],
            *run("export_list", "shoe")[:2],
            *run("replay", "shoe", "--rules", "annex-9-2024-04")[:2],
            *run("replay", "fmjd-100", "--rules", "none")[:2],
            *run("replay", "fmjd-100", "--rules", "annex-9-2024-04")[:2],
            *run("import_reports", folder / "none")[:2],
            *run("create_administrator", "ada@example.org")[:2],
            *run("remove_second_factor", "none@example.org", "Lost")[:2],
            *run("check_report", folder / "list.csv")[:2],
        ]
        parser = load_command_class("ratings", "run_period").create_parser("manage.py", "run_period")
        assert parser.description.startswith(OPEN)
    lines = [
        line for text in said for line in text.splitlines() if not re.match("list digest [0-9a-f]{64}$", line)
    ]
    assert len(lines) > 11
    unmarked = {line for line in lines if OPEN not in line}
    assert unmarked == set(), "without gettext"


def test_import_register_refuses_with_line_field_and_what_is_expected(folder):
    run("import_register", folder / "register.csv")
    register = REGISTER.replace("Aman,Joel,CIV", "New,Joel,XQX")
    (folder / "register.csv").write_text(f"{register}12,Twice,Ama,CIV,W,x\n")
    said = refused("import_register", folder / "register.csv")
    assert "error federation-unknown (line 2, column 4)" in said
    assert "Found: XQX. Expected: a code of countries.csv" in said
    assert "error id-repeated (line 4, column 1)" in said
    assert "register_refused" in said
    assert "Nothing was changed." in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["import_register", "nowhere.csv"], "nowhere.csv: No such file"),
        (["import_register", "{folder}/register.csv", "--as", "nobody@example.org"], "No account has the e-mail"),
        (["import_register", "{folder}/register.csv", "--as", "releaser@office.invalid"], "forbidden"),
        (["import_register", "{folder}/register.csv", "--register", "elo"], "invalid choice"),
        (["import_list", "{folder}/list.csv"], "--in-force"),
        (["import_list", "{folder}/list.csv", "--in-force", "2026-02-30"], "--in-force"),
        (["import_list", "{folder}/list.csv", "--in-force", "2026-01-01", "--pool", "x"], "no pool x"),
        (["import_list", "{folder}/list.csv", "--in-force", "2026-01-01", "--as", IMPORTER], "forbidden"),
        (["import_list", "{folder}/list.csv", "--in-force", "2026-01-01"], "fmjd-id-unknown"),
        (["import_reports", "{folder}/nothing"], "no such folder or file"),
        (["run_period", "--in-force", "2026-04-01"], "no_list"),
        (["run_period", "x", "--in-force", "2026-04-01"], "no pool x"),
        (["run_period"], "required"),
        (["run_period", "--closing", "2026-03-15", "--in-force", "2026-04-01"], "not allowed with"),
        (["run_period", "--closing", "2026-03-14"], "is not a closing date"),
        (["export_list"], "no published list of pool fmjd-100"),
        (["check_report", "nowhere.txt"], "nowhere.txt: No such file"),
    ],
)  # fmt: skip
def test_an_office_without_anything_refuses_and_stays_so(folder, arguments, says):
    assert says in refused(*(argument.format(folder=folder) for argument in arguments))


def test_import_list_says_how_many_and_the_digest_and_refuses_a_second(loaded):
    (loaded / "list.csv").write_text(LIST)
    opening = RatingList.objects.get()
    assert opening.players == 2
    assert "pool_has_lists" in refused("import_list", loaded / "list.csv", "--in-force", "2026-01-01")
    out, _, ended = run("import_list", loaded / "list.csv", "--in-force", "2026-01-01", "--pool", "fmjd-64")
    assert ended == 0
    sha256 = RatingList.objects.get(pool__code="fmjd-64").sha256
    assert out == f"2 players on the opening list fmjd-64/2026-01-01.\nlist digest {sha256}\n"


def test_check_report_reads_and_stores_nothing(folder):
    before = everything()
    report = folder / "reports" / "open.txt"
    out, said, ended = run("check_report", report)
    assert ended == 0
    assert "fmjd, utf-8: 2 players, 1 rounds, 1 games; 0 errors" in out
    assert "few-rounds" in said
    document = json.loads(run("check_report", report, "--json")[0])
    assert set(document) == {"format", "encoding", "info", "players", "games", "unread", "findings"}
    games = [(game["round"], game["white"], game["black"], game["result"]) for game in document["games"]]
    assert games == [(1, 1, 2, "2-0")]
    assert [player["fmjd_id"] for player in document["players"]] == [11, 12]
    assert document["info"]["played_to"] == "2026-02-08"
    assert everything() == before


def test_check_report_ends_with_an_error_for_a_report_with_errors(folder):
    report = folder / "reports" / "open.txt"
    report.write_text(REPORT.replace("0,2,Joel", "0,1,Joel"))
    said = refused("check_report", report)
    assert "error points-differ (line 15" in said
    assert "cannot be submitted" in said


def test_import_reports_tells_the_fate_of_each_file_and_accepts_as_the_officer(loaded):
    out, _, ended = run("import_reports", loaded / "reports", "--accept")
    assert ended == 0
    assert out.splitlines() == ["open.txt  2026-open  accepted", "1 files, 1 in order."]
    assert Report.objects.get().submitted_by.email == "importer@office.invalid"
    assert LogEntry.objects.get(action="report.accept").actor.email == "officer@office.invalid"


def test_the_same_folder_again_is_in_order_and_changes_nothing(loaded):
    run("import_reports", loaded / "reports", "--accept")
    before = everything()
    out, _, ended = run("import_reports", loaded / "reports", "--accept")
    assert ended == 0
    assert "already there" in out
    assert everything() == before


def test_reports_submitted_without_accept_are_accepted_when_the_folder_comes_again(loaded):
    out, _, ended = run("import_reports", loaded / "reports")
    assert (ended, out.splitlines()[0]) == (0, "open.txt  2026-open  submitted")
    assert Report.objects.get().state == "submitted"
    out, _, ended = run("import_reports", loaded / "reports", "--accept")
    assert (ended, out.splitlines()[0]) == (0, "open.txt  2026-open  accepted")
    assert Report.objects.get().state == "accepted"


def test_edited_details_next_to_known_bytes_are_used_once_the_report_is_taken_back(loaded):
    """R24b: a submitted report does not change by its file, and is not accepted with the old details either."""
    details = loaded / "reports" / "open.toml"
    before = details.read_text()
    run("import_reports", loaded / "reports")
    details.write_text(before + 'referee_level = "national"\n')
    said = refused("import_reports", loaded / "reports", "--accept", code=2)
    assert "1 of 1 files are not accepted" in said
    report = Report.objects.get()
    assert (report.state, report.versions.count()) == ("submitted", 1)
    take_back_report(report=report, by=Actor(report.submitted_by, by_command=True))
    out, _, ended = run("import_reports", loaded / "reports", "--accept")
    assert (ended, out.splitlines()[0]) == (0, "open.txt  2026-open  accepted")
    assert [version.number for version in Report.objects.get().versions.order_by("number")] == [1, 2]
    assert ResultSet.objects.get().own_details.referee_level == "national"
    details.write_text(before)
    assert "already there" in run("import_reports", loaded / "reports", "--accept")[0]
    assert ResultSet.objects.get().own_details.referee_level == "national"


def test_an_unreadable_place_for_a_file_is_reported_in_a_sentence(season_shared, tmp_path):
    assert "Is a directory" in refused("export_list", "--output", tmp_path)
    nowhere = tmp_path / "nowhere" / "list.csv"
    assert "No such file or directory" in refused("export_list", "--output", nowhere)


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "1982-12-31", "2026-02-30", "soon"])
@pytest.mark.parametrize(
    "command", ["import_list x.csv --in-force", "run_period --in-force", "export_list --in-force"]
)
def test_a_day_no_list_can_be_of_is_refused_before_anything(db, command, day):
    name, *arguments = command.split()
    with pytest.raises(CommandError, match="--in-force"):
        call_command(name, *arguments, day)


@pytest.mark.parametrize(
    ("filename", "text", "details", "says"),
    [
        ("a.txt", REPORT, None, "detail-missing"),
        ("a.txt", REPORT.replace("11,1,", "99,1,"), DETAILS, "fmjd-id-unknown (line 15"),
        ("a.txt", REPORT, DETAILS + "wind = 1\n", "detail-unknown"),
        ("a.bin", "nothing of the sort", DETAILS, "format-unknown"),
    ],
)
def test_import_reports_ends_with_2_when_a_file_is_refused_and_leaves_nothing_of_it(
    loaded, filename, text, details, says
):
    only = loaded / "only"
    only.mkdir()
    (only / filename).write_text(text)
    if details:
        (only / filename).with_suffix(".toml").write_text(details)
    said = refused("import_reports", only, "--accept", code=2)
    assert says in said
    assert "1 of 1 files are not accepted" in said


def test_a_bad_file_next_to_a_good_one_ends_with_2_and_the_good_one_is_in(loaded):
    (loaded / "reports" / "bad.txt").write_text(REPORT.replace("1,1,2,2-0", "1,1,2,3-0"))
    (loaded / "reports" / "bad.toml").write_text(DETAILS)
    out, said, ended = run("import_reports", loaded / "reports", "--accept")
    assert ended == 2
    assert "result-unknown" in said
    assert out.splitlines()[-1] == "2 files, 1 in order."
    assert list(ResultSet.objects.values_list("tournament__code", flat=True)) == ["2026-open"]


def test_the_importer_does_not_accept_an_own_report(loaded):
    out, _, ended = run("import_reports", loaded / "reports", "--accept", "--as", "importer@office.invalid")
    assert ended == 2
    assert "open.txt  2026-open  submitted: You cannot review your own report." in out


@whole
def test_run_period_publishes_and_prints_run_and_digests(loaded):
    run("import_reports", loaded / "reports", "--accept")
    out, _, ended = run("run_period", "--closing", "2026-03-15")
    assert ended == 0
    published = RatingList.objects.get(in_force=date(2026, 4, 1))
    assert out.splitlines() == [
        "fmjd-100/2026-04-01 revision 1, published: 2 players, 1 tournaments, 1 games.",
        f"run {published.run.pk}",
        f"input digest {published.input_sha256}",
        f"list digest {published.sha256}",
    ]
    assert published.approved_by.email == "officer@office.invalid"
    assert published.published_by.email == "releaser@office.invalid"
    assert "already_published" in refused("run_period", "--in-force", "2026-04-01")
    assert "predecessor_unpublished" in refused("run_period", "--in-force", "2026-10-01")


@whole
def test_run_period_stops_at_the_draft_and_replaces_it(loaded):
    first, _, _ = run("run_period", "--in-force", "2026-04-01", "--draft")
    second, _, ended = run("run_period", "--in-force", "2026-04-01", "--draft")
    assert ended == 0
    assert "calculated: 2 players" in second
    assert first.splitlines()[2:] == second.splitlines()[2:]  # the digests
    assert list(RatingList.objects.order_by("pk").values_list("state", flat=True)) == [
        "published", "superseded", "calculated"
    ]  # fmt: skip
    assert not PublishedFile.objects.filter(list__in_force=date(2026, 4, 1), list__state="published").exists()
    assert "no published list of in_force" in refused("export_list", "--in-force", "2026-04-01")


def test_run_period_refuses_the_releaser_as_the_one_who_approves(loaded):
    releaser = User.objects.get(email="releaser@office.invalid")
    assert "forbidden" in refused("run_period", "--in-force", "2026-04-01", "--as", releaser.email)
    give_roles(releaser, Role.RELEASING_OFFICER, Role.RATING_OFFICER)
    assert "same_person" in refused("run_period", "--in-force", "2026-04-01", "--as", releaser.email)


@whole
def test_export_list_writes_the_bytes_of_the_published_file(loaded, capfdbinary):
    run("run_period", "--in-force", "2026-04-01")
    for arguments, in_force, name in (
        ([], date(2026, 4, 1), "list.csv"),
        (["--in-force", "2026-01-01"], date(2026, 1, 1), "list.csv"),
        (["--format", "json"], date(2026, 4, 1), "list.json"),
        (["--format", "xlsx"], date(2026, 4, 1), "list.xlsx"),
        (["--changes"], date(2026, 4, 1), "changes.csv"),
    ):
        capfdbinary.readouterr()
        run("export_list", *arguments)
        published = PublishedFile.objects.get(list__in_force=in_force, name=name)
        assert capfdbinary.readouterr().out == bytes(published.content)


def test_export_list_to_a_file_says_which_and_how_large(loaded):
    out, _, ended = run("export_list", "--list", "women", "--output", loaded / "women.csv")
    written = (loaded / "women.csv").read_bytes()
    assert ended == 0
    assert out == f"{loaded / 'women.csv'}: fmjd-100/2026-01-01 revision 1, {len(written)} bytes.\n"
    assert written.decode().splitlines()[1:] == ['1,12,"Beugre, Ama",,CIV,W,1988,2100,,0,40,A']


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--list", "men"], "unknown_variant"),
        (["--in-force", "2026-04-01"], "no published list of in_force 2026-04-01"),
        (["--revision", "2"], "no published list of revision 2"),
        (["--changes", "--format", "txt"], "unknown_format"),
        (["--format", "pdf"], "invalid choice"),
    ],
)
def test_export_list_refuses_what_there_is_not(loaded, arguments, says):
    assert says in refused("export_list", *arguments)


def test_the_demonstration_starts_from_an_empty_office_only(loaded):
    assert "There are lists already" in refused("load_demo", "--today", "2026-11-20")
    assert Player.objects.count() == 2
