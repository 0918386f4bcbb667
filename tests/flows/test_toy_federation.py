"""A federation of its own folder, tests/toy_federation, from report to verified list: nothing else knows its rules.

By hand (5 points for each half point over a draw, against a player of the list before; R of docs/how-to/add-a-federation.md):

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
from reporting.models import Report
from tests.toy_federation.installed import toy_installed

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


def write_report(folder, name, first, last, players, games):
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
            name=name, first=f"{first:%d/%m/%Y}", last=f"{last:%d/%m/%Y}", players="\n".join(lines), games="\n".join(games)
        )
    )
    report.with_suffix(".toml").write_text(
        DETAILS.format(
            announced=date.fromordinal(first.toordinal() - 30), received=date.fromordinal(last.toordinal() + 1)
        )
    )


def exported(capfdbinary, *arguments):
    capfdbinary.readouterr()
    call_command("export_list", "toy", *arguments)
    return list(csv.DictReader(io.StringIO(capfdbinary.readouterr().out.decode())))


def test_a_toy_report_becomes_a_published_and_verified_list_by_command(toy, tmp_path, capfdbinary):
    (tmp_path / "register.csv").write_text(
        "fmjd_id,last_name,first_name,federation,sex,born,title\n21,Familya,Givena,NED,M,1990,\n22,Familyb,Givenb,NED,W,1991,\n"
    )
    (tmp_path / "list.csv").write_text("fmjd_id,rating,games\n21,1000,30\n22,1200,9\n")
    call_command("import_register", str(tmp_path / "register.csv"))
    call_command("import_list", str(tmp_path / "list.csv"), "--pool", "toy", "--in-force", "2025-01-01")
    write_report(
        tmp_path / "reports", "Spring", date(2025, 2, 7), date(2025, 2, 9),
        [(21, "a", ""), (22, "b", ""), (0, "c", "01/02/2001")],
        ["1,1,2,2-0", "2,3,1,1-1", "3,2,3,2-0"],
    )  # fmt: skip
    call_command("import_reports", str(tmp_path / "reports"), "--accept")
    call_command("run_period", "toy", "--in-force", "2025-07-01")
    call_command("verify_lists", "--pool", "toy", "--recalculate")
    rows = exported(capfdbinary)
    assert [(row["name"], row["rating"], row["change"], row["wins"]) for row in rows] == []
