"""`manage.py standings`: from a report file to its standings, with real files where they are at hand."""

import csv
import io
import json
import re

import pytest
from django.core.management import CommandError, call_command

from tests.formats.report_files import FILES

STANDINGS_FILES = FILES.parent / "standings_files"

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


def rows_of(path, *arguments):
    return json.loads(standings(path, *arguments, "--json"))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text(TABLE)
    return path


def test_json_has_number_name_points_place_and_each_key(table):
    """Opponents of 1: 3 + 3 + 1; of 2: 5 + 1 + 3; of 3: 1 + 5 + 3; of 4: 3 + 3 + 5. 2 and 3: Solkoff 9 both;
    SB of 2: 2·1 + 1·3, of 3: 1·1 + 1·5 + 1·3."""
    rows = rows_of(table, "--tie-breaks", "solkoff,sb,aro,full")
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


@pytest.mark.parametrize(
    ("file", "key", "number", "value"),
    [
        # Seven rounds, half is 3½. Number 2 met 9 (4½, lost), 11 (4½, won), 1 (4, won), 5 (5, lost, and a forfeit), 15
        # and 7 (under half): 1 + 1 (C.07 9.2, R60e).
        ("koya-swiss.trf", "KS", 2, 2),
        # Number 1 met 5 (3), 4 (1½), 3 (½), 2 (2½); the rest of an odd number is no round (R60f).
        ("odd-round-robin.trf", "BH", 1, 7.5),
    ],
)
def test_files_of_other_programs_have_the_values_of_the_rulings(file, key, number, value):
    rows = {row["number"]: row for row in rows_of(STANDINGS_FILES / file, "--tie-breaks", key)}
    assert rows[number][key] == value


@pytest.mark.parametrize("code", ["CFR", "FID", "ZZZ"])
def test_a_federation_that_is_not_known_blocks_no_standings(tmp_path, code):
    """They read no federation (R27, decision 0055)."""
    content = (STANDINGS_FILES / "flag-cfr.trf").read_text()
    assert "CFR" in content
    path = tmp_path / "flag.trf"
    path.write_text(content.replace("CFR", code))
    assert len(rows_of(path)) == content.count("\n001 ")


def test_the_text_is_a_table_and_explains_each_value(table):
    lines = standings(table, "--tie-breaks", "short").splitlines()
    assert lines[0].split() == ["Place", "Number", "Name", "Points", "short"]
    assert lines[1].split() == ["1", "1", "Anna", "Alpha", "5", "6"]
    explained = standings(table, "--tie-breaks", "short", "--explain", "1")
    assert explained.splitlines()[0] == "short: 6 – Short truncated Solkoff (Annex 5 art. 3.1 c)"
    ends = [line.split()[-2:] for line in explained.splitlines()[1:]]
    assert ends == [["game", "3"], ["game", "3"], ["left", "out"]]


TEAMS = """<section Info>
name = Cup of Four Boards
played from = 06/11/2026
played to = 07/11/2026
type = TEAMS
national championship = N
women championship = N
name of referee = Pieter Ostrava
place = Zonnebeek
country = be
remarks = <remark></end remark>
winner = NED
</end info>

<section players>
0,1,,1,3,Anna,Alpha,NED,01/01/1990,W
0,2,,2,1,Bert,Beta,BEL,01/01/1990,M
0,3,,1,1,Carla,Gamma,NED,01/01/1990,W
0,4,,2,3,Dirk,Delta,BEL,01/01/1990,M
</end players>

<section results>
1,1,2,2-0
1,3,4,0-2
2,2,1,1-1
2,4,3,1-1
</end results>
"""


def test_in_a_file_of_teams_an_equal_place_is_one_team(tmp_path):
    """Both matches are drawn, 2-2 and 2-2; individual points are 4 and 4. Board 1: Anna 3, Bert 1."""
    path = tmp_path / "teams.txt"
    path.write_text(TEAMS)
    rows = rows_of(path)
    teams = [(row["place"], row["number"], row["name"], row["points"]) for row in rows]
    assert teams == [(1, 1, "NED", 2), (2, 2, "BEL", 2)]
    assert [(row["individual"], row["boards"]) for row in rows] == [(4, [3, 1]), (4, [1, 3])]
    path.write_text(TEAMS.replace("1,3,4,0-2\n", "1,3,1,0-2\n"))
    with pytest.raises(CommandError, match="errors"):  # number 1 plays twice
        standings(path)
    swiss = TEAMS.replace("TEAMS", "SWISS")
    path.write_text(swiss.replace(",1,,1,3", ",1,,4,3").replace(",2,,2,1", ",2,,3,1"))
    with pytest.raises(CommandError, match="Only a team tournament has boards"):
        standings(path, "--tie-breaks", "boards")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--tie-breaks solkoff,elo", r"“elo” is not known\. Known are: solkoff, median, short"),
        ("--unplayed elo", r"Known are: face-value, draw-self"),
        ("--edition 2025", r"Known are: 2023, 2026-03"),
        ("--tie-breaks plus --unplayed virtual", "there is no plus"),
        ("--explain 9", "No player has the number 9"),
    ],
)
def test_refused_are_unknown_keys_methods_editions_and_players(table, arguments, said):
    with pytest.raises(CommandError, match=said):
        standings(table, *arguments.split())


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
    rows = rows_of(path, "--tie-breaks", "short,plus,baliakin,full")
    assert len(rows) == 68
    for row in rows:
        assert row["points"] == int(printed[row["number"]]["Total"])
        assert row["short"] == int(printed[row["number"]]["SSolk"]), row["name"]
        assert row["place"] <= int(printed[row["number"]]["Place"])  # players equal in all share the place


DYKE_TOWN = FILES / "dyke-town-open-2026.trf"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("032 NED", "032 Damserver"),
        ("032 NED", "032 lidraughts.org"),
        ("052 2026/11/07", "052 2026/11/31"),
        ("102 Mara Linde", "132" + " " * 88 + "26/11/31"),
        ("DEN             1988/08/14", "CFR             1988/08/14"),
        ("DEN             1988/08/14", "DEN             1988/02/30"),
    ],
)
def test_standings_stop_only_at_what_they_read(tmp_path, before, after):
    """R27: neither the country nor the days of the tournament nor those of its players change a place."""
    text = DYKE_TOWN.read_text()
    assert text.count(before) == 1
    for name, content in (("right.trf", text), ("other.trf", text.replace(before, after))):
        (tmp_path / name).write_text(content)
    right, other = (rows_of(tmp_path / name) for name in ("right.trf", "other.trf"))
    assert other == right
    # A result that cannot be read stops them.
    (tmp_path / "wrong.trf").write_text(text.replace("7 w =     1 b 1", "7 w ?     1 b 1"))
    with pytest.raises(CommandError):
        standings(tmp_path / "wrong.trf")


def test_the_tie_breaks_of_the_file_order_its_players(tmp_path):
    """202 SB,DE: numbers 3 and 4 have 12.25 and 12.5, as tests/formats/test_trf26_format.py adds up."""
    path = tmp_path / "open.trf"
    path.write_bytes((FILES / "dyke-town-open-trf26.trf").read_bytes())
    values = {row["number"]: (row["place"], row["SB"]) for row in rows_of(path)}
    # Two players have more points.
    assert (values[4], values[3]) == ((3, 12.5), (4, 12.25))


TRF_ROUNDS = {
    # number: points, cells of four rounds; 4 has the bye of round 1, 3 a half-point bye in round 3
    1: ("3.5", "   2 w 1", "   6 b 1", "   4 w =", "   5 b 1"),
    2: ("2.0", "   1 b 0", "   4 - +", "   5 w =", "   3 b ="),
    3: ("1.5", "   6 w =", "   5 w 0", "0000 - H", "   2 w ="),
    4: ("1.5", "0000 - U", "   2 - -", "   1 b =", "        "),
    5: ("1.5", "0000 - Z", "   3 b 1", "   2 b =", "   1 w 0"),
    6: ("0.5", "   3 b =", "   1 w 0", "        ", "        "),
}


def test_a_trf_in_half_points_needs_no_details_and_has_fides_buchholz(tmp_path):
    """The table of tests/rules/standings/test_fide_tie_breaks.py, where the sums are written out."""
    lines = ["012 Small open"]
    for number, (points, *cells) in TRF_ROUNDS.items():
        name = f"Player, {'ABCDEF'[number - 1] * 4}"
        head = f"001 {number:4d} m    {name:33} 1500 NED {'':22} {points:>4} {number:4d}"
        lines.append(f"{head:91}" + "  ".join(cells))
    path = tmp_path / "open.trf"
    path.write_text("\n".join(lines) + "\n")
    found = rows_of(path, "--tie-breaks", "BH,BH/C1,SB", "--edition", "2023")
    rows = {row["number"]: row for row in found}
    for key, values in (
        ("points", [3.5, 2, 1.5, 1.5, 1.5, 0.5]),
        ("BH", [7, 8.5, 6.5, 8, 8.5, 6]),
        ("BH/C1", [5.5, 7, 5, 6.5, 7, 5.5]),
        ("SB", [6, 3.5, 2.5, 3.25, 2.5, 0.75]),
    ):
        assert [rows[number][key] for number in range(1, 7)] == values, key


@pytest.mark.parametrize("year", ["1948", "1960"])
def test_the_championships_of_1948_and_1960_have_the_printed_totals(samples, year):
    path = samples / f"toernooibase-{year}-world-championship.csv"
    lines = [line.strip() for line in path.read_text().splitlines()]
    header = next(place for place, line in enumerate(lines) if line.startswith("Pl;"))
    table = csv.DictReader(lines[header:], delimiter=";")
    printed = {int(row["Sno"]): int(row["Pt"]) for row in table if row["Sno"]}
    rows = rows_of(path, "--tie-breaks", "wins")
    assert {row["number"]: row["points"] for row in rows} == printed
    assert [row["place"] for row in rows] == sorted(row["place"] for row in rows)


CELL = re.compile(r"(?P<opponent>[0-9]*)(?P<colour>[wb]?)(?P<result>[10=+UZ-])")
ODD = [
    ("2.5", "Z 5b0 4w1 3b= 2w1"),
    ("2.5", "5w= 3b1 Z 4w1 1b0"),
    ("0.5", "4w0 2w0 5b0 1w= Z"),
    ("1.5", "3b1 Z 1b0 2b0 5w="),
    ("3.0", "2b= 1w1 3w1 Z 4b="),
]

FORFEITS = [
    ("7.5", "10w= 9b1 8w1 7b= 6w= 5b1 4w1 3b+ 2w1"),
    ("3.5", "9w= 7b= 5w0 3b1 10b1 8w= 6b0 4w0 1b0"),
    ("3.0", "8w1 6b0 4w0 2w0 9b= 7w= 5b1 1w- 10w0"),
    ("5.0", "7w1 5b= 3b1 10w0 8b= 6w= 1b0 2b1 9w="),
    ("4.0", "6w= 4w= 2b1 9w= 7b- 1w0 3w0 10b= 8w1"),
    ("6.5", "5b= 3w1 10b= 8w1 1b= 4b= 2w1 9b= 7w1"),
    ("5.0", "4b0 2w= 9b1 1w= 5w+ 3b= 10w= 8b1 6b0"),
    ("1.0", "3b0 10w0 1b0 6b0 4w= 2b= 9w0 7w0 5b0"),
    ("3.5", "2b= 1w0 7w0 5b= 3w= 10b0 8b1 6w= 4b="),
    ("6.0", "1b= 8b1 6w= 4b1 2w0 9w1 7b= 5w= 3b1"),
]

KOYA = [("2.0", "2w1 3b1 4w0"), ("1.0", "1b0 Z 3w1"), ("1.0", "4w1 1w0 2b0"), ("2.0", "3b0 U 1b1")]
ROUND_MISSED = [("2.0", "2w1 3b1 Z"), ("0.5", "1b0 Z 3w="), ("0.5", "Z 1w0 2b=")]


def scores(path, system, players, keys, *arguments, last_day="2026/05/10"):
    """The tie-breaks of each player of a TRF16, by number; a cell is opponent, colour, result; or U or Z."""
    lines = [f"012 Lock Open\n022 Zonnebeek\n032 NED\n042 2026/01/02\n052 {last_day}\n092 {system}"]
    for number, (points, games) in enumerate(players, 1):
        cells = [
            f"{found['opponent'] or 0:0>4} {found['colour'] or '-'} {found['result']}"
            for found in map(CELL.fullmatch, games.split())
        ]
        name = f"{f'Dekker, {chr(64 + number)}nna':<33}"
        player = f"001{number:>5} m    {name} 2000 NED             1990/01/01{points:>5}{number:>5}"
        lines.append(f"{player}  {'  '.join(cells)}")
    path.write_text("\n".join(lines) + "\n")
    path.with_suffix(".toml").write_text('points = "1-0.5-0"\n')
    rows = rows_of(path, "--tie-breaks", keys, *arguments)
    return {row["number"]: [row[key] for key in keys.split(",")] for row in rows}


def test_in_a_round_robin_of_five_the_rest_is_no_round(tmp_path):
    """R60f. All have met: 10 points less the own ones. 1 lost to 5, beat 4 and 2, drew with 3: 1½ + ½ · ½ + 2½."""
    found = scores(tmp_path / "odd.trf", "Individual: Round-Robin", ODD, "BH,SB")
    assert [found[number][0] for number in range(1, 6)] == [7.5, 7.5, 9.5, 8.5, 7]
    assert found[1][1] == 4.25


def test_a_forfeit_of_a_round_robin_counts_for_buchholz_and_not_for_its_average(tmp_path):
    """45 points less the own ones. AOB of 1 (7½), who met all but 3 (3): (8 · 45 − 34½) / 8; of 2 (3½): 363½ / 9."""
    found = scores(tmp_path / "forfeits.trf", "Individual: Round-Robin", FORFEITS, "BH,AOB")
    assert found[1] == [37.5, 40.6875]
    assert found[3] == [42, 40.6875]
    assert found[2] == [41.5, 40.3889]


def test_koya_of_a_swiss_takes_half_of_the_rounds(tmp_path):
    """R60e: half of 3 rounds is 1½, which 1 and 4 have. 2 has 1 of the 2 points of its games, so 1 has nothing."""
    assert scores(tmp_path / "swiss.trf", "Swiss", KOYA, "KS") == {1: [0], 2: [0], 3: [1], 4: [1]}


@pytest.mark.parametrize(("last_day", "buchholz"), [("2026/02/28", 3), ("2026/03/01", 2.5)])
def test_the_last_day_chooses_the_edition(tmp_path, last_day, buchholz):
    """1 beats 2 and 3 and misses round 3: a dummy of 2 points, from March 2026 on of at most 1½ (R60e, 16.4.2)."""
    path = tmp_path / "swiss.trf"
    assert scores(path, "Swiss", ROUND_MISSED, "BH", last_day=last_day)[1] == [buchholz]
    assert scores(path, "Swiss", ROUND_MISSED, "BH", "--edition", "2023", last_day=last_day)[1] == [3]
