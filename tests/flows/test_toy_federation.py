"""A federation of its own folder, tests/toy_federation, from report to verified list: nothing else knows its rules.

By hand, 5 points for each half point over a draw, against a player of the list before:

    list         tournament                        21          22          23 (new)
    2025-01-01   opening                           1000        1200
    2025-07-01   Spring: 21 beats 22, 21 and 23    1000 + 5    1200 − 5    1000 + 0
                 draw, 22 beats 23                             + 0: 23 is not on the list before
"""

import csv
import io
from datetime import date

import pytest
from django.core.management import call_command

from ratings.models import Pool, RatingList
from ratings.tasks import look_for_work
from reporting.models import Player, Report, Role
from tests.people import create_user
from tests.toy_federation.installed import toy_installed
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own


@pytest.fixture
def toy(transactional_db):
    with toy_installed():
        yield Pool.objects.get(code="toy")


REPORT = """<section Info>
name = {name}
played from = {first}
played to = {last}
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
{players}
</end players>
<section results>
{games}
</end results>
"""
DETAILS = """
discipline = "toy"
time_control = "5+0"
announced = {announced}
received = {received}
"""


def write_report(folder, name, first, last, *, players, games):
    """A report in the form of Annex 9 art. 11, whose format any federation may use, with its details."""
    points = dict.fromkeys(range(1, len(players) + 1), 0)
    for line in games:
        _, white, black, result = line.split(",")
        points[int(white)] += int(result[0])
        points[int(black)] += int(result[2])
    lines = [
        f"{number},{place},,0,{points[place]},Given{word},Family{word},NED,{born},M"
        for place, (number, word, born) in enumerate(players, start=1)
    ]
    folder.mkdir(exist_ok=True)
    report = folder / f"{name.lower()}.txt"
    report.write_text(
        REPORT.format(
            name=name,
            first=f"{first:%d/%m/%Y}",
            last=f"{last:%d/%m/%Y}",
            players="\n".join(lines),
            games="\n".join(games),
        )
    )
    report.with_suffix(".toml").write_text(
        DETAILS.format(
            announced=date.fromordinal(first.toordinal() - 30),
            received=date.fromordinal(last.toordinal() + 1),
        )
    )
    return report


def exported(capfdbinary, *arguments):
    capfdbinary.readouterr()
    call_command("export_list", "toy", *arguments)
    return list(csv.DictReader(io.StringIO(capfdbinary.readouterr().out.decode())))


@pytest.fixture
def published(toy, tmp_path):
    """The opening list and the list of 1 July 2025, by command."""
    (tmp_path / "register.csv").write_text(
        "toy_id,last_name,first_name,federation,sex,born,title\n"
        "21,Familya,Givena,NED,M,1990,\n22,Familyb,Givenb,NED,W,1991,\n"
    )
    (tmp_path / "list.csv").write_text("toy_id,rating,games\n21,1000,30\n22,1200,9\n")
    call_command("import_register", str(tmp_path / "register.csv"), "--register", "toy")
    call_command("import_list", str(tmp_path / "list.csv"), "--pool", "toy", "--in-force", "2025-01-01")
    write_report(
        tmp_path / "reports", "Spring", date(2025, 2, 7), date(2025, 2, 9),
        players=[(21, "a", ""), (22, "b", ""), (0, "c", "01/02/2001")],
        games=["1,1,2,2-0", "2,3,1,1-1", "3,2,3,2-0"],
    )  # fmt: skip
    call_command("import_reports", str(tmp_path / "reports"), "--accept")
    call_command("run_period", "toy", "--in-force", "2025-07-01")
    return RatingList.objects.get(system="toy", in_force="2025-07-01")


def figures(rating_list):
    return [
        (row.register_number, row.rating, row.change, row.games, row.wins)
        for row in rating_list.rows.order_by("position")
    ]


def ratings(in_force):
    """Number, rating and change on the newest revision of a list, the highest rating first."""
    newest = RatingList.objects.filter(system="toy", in_force=in_force, state="published").latest("revision")
    return [row[:3] for row in figures(newest)]


def test_a_toy_report_becomes_a_published_and_verified_list_by_command(published, capfdbinary):
    newcomer = Player.objects.get(last_name="Familyc").numbers["toy"]
    assert figures(published) == [(22, 1195, -5, 10, 0), (21, 1005, 5, 31, 1), (newcomer, 995, None, 2, 0)]
    # Each change: before, games, half points over a draw, after.
    changes = published.changes.order_by("player__last_name")
    assert [(change.before_e4, change.games, change.halves_over, change.after_e4) for change in changes] == [
        (10_000_000, 1, 1, 10_050_000), (12_000_000, 1, -1, 11_950_000), (None, 2, -1, 9_950_000)
    ]  # fmt: skip
    rows = exported(capfdbinary)
    assert [(row["toy_id"], row["rating"], row["wins"]) for row in rows] == [
        ("22", "1195", "0"), ("21", "1005", "1"), (str(newcomer), "995", "0")
    ]  # fmt: skip
    assert [row["halves_over"] for row in exported(capfdbinary, "--changes")] == ["1", "-1", "-1"]
    capfdbinary.readouterr()
    call_command("verify_lists", "--pool", "toy", "--recalculate")
    out = capfdbinary.readouterr().out.decode()
    assert "toy/2025-07-01" in out
    assert "3 rows recalculated, 3 changes recalculated: no differences" in out
    # In time by its own edition: 14 days after the last round.
    assert Report.objects.get().due == date(2025, 2, 23)
    # It changes nothing of the other systems: their tables have no row of it.
    assert [found.system for found in RatingList.objects.all()] == ["toy", "toy"]


PASSWORD = "long-enough-for-all"  # noqa: S105 (of accounts that the test makes)


def logged_in(name, role):
    account = create_user(f"{name.lower()}@example.org", name, PASSWORD, roles=[role])
    page = Visitor()
    page.open("/login/")
    page.fill("E-mail address", account.email)
    page.fill("Password", PASSWORD)
    page.press("Log in")
    return page


def assert_of_no_other_federation(visitor):
    assert "Annex" not in visitor.text, visitor.address
    assert "FMJD" not in visitor.text, visitor.address
    assert [link.attrib["href"] for link in visitor.links() if "/method/fmjd/#" in link.attrib["href"]] == []


def submit(page, report):
    """Upload a report, say on its pages what it lacks, look at the preview and submit it."""
    page.open("/reports/new/")
    page.attach("Report file", report.name, report.read_bytes())
    page.press("Upload report")
    page.open_link("Details", nth=0)
    page.choose("Board", "toy")
    page.fill("Time control", "5+0", exact=True)
    page.press("Save details")
    page.open_link("Preview", nth=0)
    assert "Toy board" in page.text
    page.open_link("Submission", nth=0)
    for box in page.textboxes():
        page.fill(box, "As it was.")
    page.press("Submit report")
    assert "Report submitted" in page.text


def accept(page, name):
    page.open("/office/reports/")
    page.open_link(name)
    page.fill("Reason for admission", "Late, and right.")
    page.press("Accept report")
    assert "Report accepted" in page.text


def exclude(officer, releaser, name):
    """A correction of the list of July 2025 without a tournament, signed by two people."""
    address = "/office/lists/toy/2025-07-01/"
    officer.open(address)
    officer.open_link("Correct this list")
    officer.fill("Reason for the correction", "It was not played.")
    officer.check(name)
    officer.press("Calculate revision 2")
    assert look_for_work() == 1
    officer.open(address)
    officer.open_link("Approve list")
    officer.press("Approve list")
    releaser.open(address)
    releaser.open_link("Publish list")
    releaser.press("Publish list")


def read_pages():
    """Every public page of the list answers, with the words of its own federation."""
    visitor = Visitor()
    visitor.open("/")
    visitor.open_link("How a rating is calculated: Toy federation")
    list_page = "/lists/toy/2025-07-01"
    for address in (
        "/lists/", "/lists/toy/", f"{list_page}/r1/full/", f"{list_page}/r2/differences/",
        f"{list_page}/r1/tournaments/", f"{list_page}/r1/women/",
        "/federations/", "/federations/NED/", "/tournaments/", "/players/", "/method/toy/",
    ):  # fmt: skip
        visitor.open(address)
        assert_of_no_other_federation(visitor)
    visitor.open("/tournaments/")
    visitor.open_link("Spring")
    assert_of_no_other_federation(visitor)
    assert "Half points over a draw" in visitor.text
    visitor.open("/players/toy-21/?list=2026-01-01")
    assert_of_no_other_federation(visitor)
    assert "1005 + 5 × 2" in visitor.text
    assert {link.attrib["href"] for link in visitor.links("T1")} == {"/method/toy/#T1"}


@pytest.mark.usefixtures("cleared_rate_limits")
def test_a_toy_list_goes_from_report_to_correction_by_its_pages(published, tmp_path, capfdbinary):
    """In autumn 21 beats 22 twice: 1005 + 10 and 1195 − 10. The correction of July leaves Spring out: 1000 and 1200.

    Its difference is carried into the list of July 2026, without tournaments: 1015 − 5, 1185 + 5, and 23 is on no list.
    """
    officer = logged_in("Olga", Role.RATING_OFFICER)
    report = write_report(
        tmp_path, "Autumn", date(2025, 10, 3), date(2025, 10, 5), players=[(21, "a", ""), (22, "b", "")],
        games=["1,1,2,2-0", "2,2,1,0-2"],
    )  # fmt: skip
    submit(logged_in("Rina", Role.REFEREE), report)
    accept(officer, "Autumn")
    call_command("run_period", "toy", "--in-force", "2026-01-01")
    newcomer = Player.objects.get(last_name="Familyc").numbers["toy"]
    assert ratings(date(2026, 1, 1)) == [(22, 1185, -10), (21, 1015, 10), (newcomer, 995, 0)]

    exclude(officer, logged_in("Rolf", Role.RELEASING_OFFICER), "Spring")
    assert ratings(date(2025, 7, 1)) == [(22, 1200, 0), (21, 1000, 0)]
    call_command("run_period", "toy", "--in-force", "2026-07-01")
    assert ratings(date(2026, 7, 1)) == [(22, 1190, 5), (21, 1010, -5)]
    read_pages()
    capfdbinary.readouterr()
    call_command("verify_lists", "--pool", "toy", "--recalculate")
    assert "5 lists, all as they were published" in capfdbinary.readouterr().out.decode()
