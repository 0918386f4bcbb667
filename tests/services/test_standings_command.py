"""`manage.py standings`: from a report file to its standings, with real files where they are at hand."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command

TABLE = """Pl;Sno;p2;Title;Name;Cn;rating;R1;R2;R3;Pt
1;1;;;Anna Alpha;nl;2000;2/2w;1/3b;2/4w;5
2;2;;;Bert Beta;nl;1950;0/1b;2/4w;1/3b;3
3;3;;;Carla Gamma;nl;1900;1/4w;1/1w;1/2w;3
4;4;;;Dirk Delta;nl;1850;1/3b;0/2b;0/1b;1
"""


def standings(path, *arguments):
    out, err = io.StringIO(), io.StringIO()
    call_command("standings", str(path), *arguments, stdout=out, stderr=err)
    return out.getvalue()


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text(TABLE)
    return path


def test_json_has_number_name_points_place_and_each_key(table):
    """Opponents of 1: 3 + 3 + 1; of 2: 5 + 1 + 3; of 3: 1 + 5 + 3; of 4: 3 + 3 + 5. 2 and 3: Solkoff 9 both;
    SB of 2: 2·1 + 1·3, of 3: 1·1 + 1·5 + 1·3."""
    rows = json.loads(standings(table, "--tie-breaks", "solkoff,sb,aro,full", "--json"))
    assert [(row["place"], row["number"], row["points"], row["solkoff"], row["sb"]) for row in rows] == [
        (1, 1, 5, 7, 2 * 3 + 3 + 2 * 1),
        (2, 3, 3, 9, 9),
        (3, 2, 3, 9, 5),
        (4, 4, 1, 11, 3),
    ]
    # 1: (1950 + 1900 + 1850) / 3 = 1900; 3: 5800 / 3; 2: (2000 + 1850 + 1900) / 3; 4: (1900 + 1950 + 2000) / 3
    assert [row["aro"] for row in rows] == [1900, 1933.3333, 1916.6667, 1950]
    assert rows[0]["full"] == [6, 3]
    assert rows[0]["name"] == "Anna Alpha"


def test_the_text_is_a_table_and_explains_each_value(table):
    lines = standings(table, "--tie-breaks", "short").splitlines()
    assert lines[0].split() == ["Place", "Number", "Name", "Points", "short"]
    assert lines[1].split() == ["1", "1", "Anna", "Alpha", "5", "6"]
    explained = standings(table, "--tie-breaks", "short", "--explain", "1")
    assert explained.splitlines()[0] == "short: 6 – Short truncated Solkoff (Annex 5 art. 3.1 c)"
    assert [line.split()[-2:] for line in explained.splitlines()[1:]] == [
        ["game", "3"],
        ["game", "3"],
        ["left", "out"],
    ]


def test_refused_are_unknown_keys_methods_editions_and_players(table):
    with pytest.raises(CommandError, match=r"“elo” is not known\. Known are: solkoff, median, short"):
        standings(table, "--tie-breaks", "solkoff,elo")
    with pytest.raises(CommandError, match=r"Known are: face-value, draw-self"):
        standings(table, "--unplayed", "elo")
    with pytest.raises(CommandError, match=r"Known are: 2023, 2026-03"):
        standings(table, "--edition", "2025")
    with pytest.raises(CommandError, match="there is no plus"):
        standings(table, "--tie-breaks", "plus", "--unplayed", "virtual")
    with pytest.raises(CommandError, match="No player has the number 9"):
        standings(table, "--explain", "9")


@pytest.mark.parametrize(
    ("right", "wrong", "code"),
    [
        ("0/1b;2/4w;1/3b;3", "2/1b;2/4w;1/3b;5", "result"),  # both won
        ("2/2w;1/3b", "2/1w;1/3b", "self-play"),
        (";5\n", ";6\n", "points"),
    ],
)
def test_a_report_with_contradictions_has_findings_and_no_standings(table, right, wrong, code):
    table.write_text(TABLE.replace(right, wrong, 1))
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError, match="has no standings"):
        call_command("standings", str(table), stdout=out, stderr=err)
    assert code in err.getvalue()
    assert out.getvalue() == ""


def test_ouagadougou_2022_has_the_printed_points_and_short_truncated_solkoff(samples):
    """All 68 players; a forfeited opponent counts with the real points."""
    path = samples / "draughts-arbiter-2022-ouagadougou.csv"
    lines = path.read_text().splitlines()
    printed = {int(row["S.No."]): row for row in csv.DictReader(lines[2:], delimiter=";")}
    rows = json.loads(standings(path, "--tie-breaks", "short,plus,baliakin,full", "--json"))
    assert len(rows) == 68
    for row in rows:
        assert row["points"] == int(printed[row["number"]]["Total"])
        assert row["short"] == int(printed[row["number"]]["SSolk"]), row["name"]
        assert row["place"] <= int(printed[row["number"]]["Place"])  # players equal in all share the place


@pytest.mark.parametrize("year", ["1948", "1960"])
def test_the_championships_of_1948_and_1960_have_the_printed_totals(samples, year):
    path = samples / f"toernooibase-{year}-world-championship.csv"
    lines = [line.strip() for line in path.read_text().splitlines()]
    header = next(place for place, line in enumerate(lines) if line.startswith("Pl;"))
    printed = {
        int(row["Sno"]): int(row["Pt"]) for row in csv.DictReader(lines[header:], delimiter=";") if row["Sno"]
    }
    rows = json.loads(standings(path, "--tie-breaks", "wins", "--json"))
    assert {row["number"]: row["points"] for row in rows} == printed
    assert [row["place"] for row in rows] == sorted(row["place"] for row in rows)
