"""The program for readers of KNSB lists: the examples of its rulings, and files made by hand whose changes it sees.

The files are of two lists. On the list of 1 March 2026 (klassiek), by Φ(67) = 0.5927015834, Φ(100) = 0.6368306512,
Φ(200) = 0.7580363478, Φ(298) = 0.8515258536:

    1   1600 (N_v 80), beats 2: 25 × (1 − 0.3631693488) = 15.9207662800; draws with 3, a youth player with N_v 40:
        12.5 × (0.5 − 0.6368306512) = −1.7103831400; 1614.21
    2   1700 (N_v 100), loses to 1: −15.9207662800; draws with 5, 1900 of FIDE: 25 × (0.5 − 0.2419636522) =
        6.4509086950; 1690.53
    3   1500 (N_v 40), a youth player, draws with 1: 40 × (0.5 − 0.3631693488) = 5.4732260480, bonus 10: 1515.47
    4   1500 (N_v 90), beats 6: 25 × (1 − 0.8515258536) = 3.7118536600: 1503.71
    6   1202 (N_v 80), loses to 4: 25 × (0 − 0.1484741464) = −3.7118536600: 1198.29, at least 1200
    7   no game since 15 February 2020: N_v 60 − 10 on 15 February 2026
    9   waited with five draws in part 1 against 1500, loses part 2: R_s = 1500 + 400 × (5/6 − 1) = 1433.33: 1433;
        216 × (0.5 − 0.4072984166) = 20.0235420144 five times, 216 × (0 − 0.4072984166) = −87.9764579856;
        sum 12.1412520864: 1445.14 (the example of R81b)

The LPR are the roots of Φ(x − 1700) + Φ(x − 1500) = 1.5, Φ(x − 1600) + Φ(x − 1900) = 0.5, 1600 for one draw,
Φ(x − 1202) + Φ(x − 1500) = 1.5 and 0.5 (of 4 and 6, a draw against themselves with it), and 6 Φ(x − 1500) = 2.5.
"""

import csv
import hashlib
import io
from datetime import date
from fractions import Fraction

import pytest

from ratings.federations.knsb import recompute as program

OPENING, FEBRUARY, MARCH = (f"knsb-klassiek/2026-0{month}-01/r1" for month in (1, 2, 3))
GAMES_OF_REPORTS = {OPENING: 0, FEBRUARY: 5, MARCH: 5}
"""Without the five that waited for March."""
CLOSING = {OPENING: "2025-12-31", FEBRUARY: "2026-01-31", MARCH: "2026-02-28"}
FIGURES = {
    OPENING: """
2 1700 - 0 150 100 - - - 0.0000 - - 1 2025-12-20
1 1600 - 0 80 80 - - - 0.0000 - - 2 2025-12-20
3 1500 - 0 40 40 - - - 0.0000 - - 3 2025-12-20
4 1500 - 0 90 90 - - - 0.0000 - - 3 2025-12-20
7 1450 - 0 60 60 - - - 0.0000 - - 5 2020-02-15
6 1202 - 0 80 80 - - - 0.0000 - - 6 2025-12-20
""",
    FEBRUARY: """
2 1700 0 0 150 100 1700 knsb-klassiek - 0.0000 - - 1 2025-12-20
1 1600 0 0 80 80 1600 knsb-klassiek - 0.0000 - - 2 2025-12-20
3 1500 0 0 40 40 1500 knsb-klassiek - 0.0000 - - 3 2025-12-20
4 1500 0 0 90 90 1500 knsb-klassiek - 0.0000 - - 3 2025-12-20
7 1450 0 0 60 60 1450 knsb-klassiek - 0.0000 - - 5 2020-02-15
6 1202 0 0 80 80 1202 knsb-klassiek - 0.0000 - - 6 2025-12-20
""",
    MARCH: """
2 1691 -9 2 152 100 1700 knsb-klassiek -9.4699 0.0000 1529.546 - 1 2026-02-07
1 1614 14 2 82 82 1600 knsb-klassiek 14.2104 0.0000 1804.760 - 2 2026-02-07
3 1515 15 1 41 41 1500 knsb-klassiek 5.4732 10.0000 1600.000 9.1 3 2026-02-07
4 1504 4 1 91 91 1500 knsb-klassiek 3.7119 0.0000 1571.071 - 4 2026-02-08
7 1450 0 0 60 50 1450 knsb-klassiek - 0.0000 - - 5 2020-02-15
9 1445 - 6 6 6 1433 5.1b 12.1413 0.0000 1439.878 - 6 2026-02-10
6 1200 -2 1 81 81 1202 knsb-klassiek -3.7119 0.0000 1130.929 2 7 2026-02-08
""",
}
TOURNAMENTS = {
    FEBRUARY: "2026-league 1 League - - 2026-01-10 2026-04-30 90+30 120 100 knsb-klassiek c0 - 2",
    MARCH: """
2026-open 1 Open Utrecht NED 2026-02-06 2026-02-08 90+30 120 100 knsb-klassiek a0 - 1
2026-league 2 League - - 2026-01-10 2026-04-30 90+30 120 100 knsb-klassiek b0 - 2
""",
}
GAMES = {
    FEBRUARY: """
2026-league 1 2026-01-10 9 3 0.5-0.5 none
2026-league 2 2026-01-12 4 9 0.5-0.5 none
2026-league 3 2026-01-14 9 3 0.5-0.5 none
2026-league 4 2026-01-16 4 9 0.5-0.5 none
2026-league 5 2026-01-18 9 3 0.5-0.5 none
2026-league 5 2026-01-18 4 3 1x0 none
""",
    MARCH: """
2026-open 1 2026-02-06 1 2 1-0 both
2026-open 2 2026-02-07 3 1 0.5-0.5 both
2026-open 2 2026-02-07 2 5 0.5-0.5 white
2026-open 3 2026-02-08 4 6 1-0 both
2026-league 1 2026-01-10 9 3 0.5-0.5 white
2026-league 2 2026-01-12 4 9 0.5-0.5 black
2026-league 3 2026-01-14 9 3 0.5-0.5 white
2026-league 4 2026-01-16 4 9 0.5-0.5 black
2026-league 5 2026-01-18 9 3 0.5-0.5 white
2026-league 6 2026-02-10 4 9 1-0 black
""",
}
CHANGES = {
    MARCH: """
1 2026-open 1 1 2026-02-06 2026-02-06 w 2 1600 K F 1700 K F 80.0000 25.000000 0.3631693488 1 15.9208 0
1 2026-open 1 2 2026-02-07 2026-02-06 b 3 1600 K F 1500 K F 80.0000 12.500000 0.6368306512 0.5 -1.7104 0
2 2026-open 1 1 2026-02-06 2026-02-06 b 1 1700 K F 1600 K F 100.0000 25.000000 0.6368306512 0 -15.9208 0
2 2026-open 1 2 2026-02-07 2026-02-06 w 5 1700 K F 1900 fide-klassiek fide/2026-02-01 100.0000 25.000000 \
0.2419636522 0.5 6.4509 0
3 2026-open 1 2 2026-02-07 2026-02-06 w 1 1500 K F 1600 K F 40.0000 40.000000 0.3631693488 0.5 5.4732 0
4 2026-open 1 3 2026-02-08 2026-02-06 w 6 1500 K F 1202 K F 90.0000 25.000000 0.8515258536 1 3.7119 0
6 2026-open 1 3 2026-02-08 2026-02-06 b 4 1202 K F 1500 K F 80.0000 25.000000 0.1484741464 0 -3.7119 0
9 2026-league 1 1 2026-01-10 2026-01-10 w 3 1433 5.1b - 1500 K O 1.0000 216.000000 0.4072984166 0.5 20.0235 1
9 2026-league 1 2 2026-01-12 2026-01-12 b 4 1433 5.1b - 1500 K O 1.0000 216.000000 0.4072984166 0.5 20.0235 1
9 2026-league 1 3 2026-01-14 2026-01-14 w 3 1433 5.1b - 1500 K O 1.0000 216.000000 0.4072984166 0.5 20.0235 1
9 2026-league 1 4 2026-01-16 2026-01-16 b 4 1433 5.1b - 1500 K O 1.0000 216.000000 0.4072984166 0.5 20.0235 1
9 2026-league 1 5 2026-01-18 2026-01-18 w 3 1433 5.1b - 1500 K O 1.0000 216.000000 0.4072984166 0.5 20.0235 1
9 2026-league 2 6 2026-02-10 2026-02-10 b 4 1433 5.1b - 1500 K F 1.0000 216.000000 0.4072984166 0 -87.9765 0
"""
}


def cells(text):
    """The lines of a table: `-` is an empty cell, K the kind of list, O and F the lists of January and February."""
    short = {"-": "", "K": "knsb-klassiek", "O": OPENING, "F": FEBRUARY}
    return [[short.get(cell, cell) for cell in line.split()] for line in text.strip().splitlines()]


def file(header, lines):
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([header, *lines])
    return out.getvalue().encode()


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def published():
    """The files of the three lists, with their digests."""
    found, before = {}, ""
    for address, text in FIGURES.items():
        pool, day, _ = address.split("/")
        lines = [[*line, "", ""] for line in cells(text)]
        lines[0][-2:] = [f"{pool}/{day}", before]
        tables = {
            "figures.csv": lines,
            "tournaments.csv": cells(TOURNAMENTS.get(address, "")),
            "games.csv": cells(GAMES.get(address, "")),
            "changes.csv": cells(CHANGES.get(address, "")),
        }
        if before:
            read = [[name, sha256(found[name]["figures.csv"]), "read"] for name in found]
            tables["lists-read.csv"] = [*read, ["fide/2026-02-01", "f" * 64, "source"]]
        if address == MARCH:
            tables["values.csv"] = [["15", "10"]]
        files = {name: file(program.COLUMNS[name], table) for name, table in tables.items()}
        line = [
            address, day, CLOSING[address], "knsb", program.EDITION, len(lines),
            len({event[0] for event in tables["tournaments.csv"]}),
            GAMES_OF_REPORTS[address], sha256(files["figures.csv"]), before,
            "" if not before else "e" * 64,
        ]  # fmt: skip
        files["calculation.csv"] = file(program.COLUMNS["calculation.csv"], [line])
        found[address], before = files, sha256(files["figures.csv"])
    return found


def test_files_made_by_hand_have_no_differences():
    result = program.recompute(published())
    assert result.different == []
    assert result.given == [f"{MARCH} ratings of FIDE: 1"]


def another(cell):
    """A number or a day one unit off in its last place, a digest backwards, else other text."""
    if len(cell) == 64:
        return cell[::-1]
    if cell[-1:].isdigit() and "/" not in cell:
        return cell[:-1] + str((int(cell[-1]) + 1) % 10)
    return f"{cell}9"


def altered(files, name, place, column):
    """The files of a list with one cell changed, and the digest of figures.csv made to fit."""
    header, *lines = csv.reader(io.StringIO(files[name].decode()))
    lines[place][column] = another(lines[place][column])
    files = files | {name: file(header, lines)}
    if name == "figures.csv":
        header, line = csv.reader(io.StringIO(files["calculation.csv"].decode()))
        line[header.index("sha256")] = sha256(files["figures.csv"])
        files["calculation.csv"] = file(header, [line])
    return files


def is_seen(files, name, place, column):
    try:
        changed = files | {MARCH: altered(files[MARCH], name, place, column)}
        return program.recompute(changed, only=MARCH).different != []
    except program.MissingFilesError:
        return True


@pytest.mark.parametrize("name", sorted(published()[MARCH]))
def test_each_cell_changed_by_one_unit_is_found(name):
    """But what the program says it takes as given: the league's rounds may have been planned for another day."""
    files = published()
    header, *lines = csv.reader(io.StringIO(files[MARCH][name].decode()))
    given = program.GIVEN.get(name, "").split()
    unseen = [
        (line, heading)
        for place, line in enumerate(lines)
        for column, heading in enumerate(header)
        if heading not in given
        and (heading, *line[1:2]) != ("calculation_date", "2026-league")
        and not is_seen(files, name, place, column)
        and line[2:] != ["source"]
    ]
    assert unseen == []


def without_change(files):
    """The draw of 3 with 1 left out for 1, in changes.csv and games.csv: the rest would be the same to the eye."""
    changes = files["changes.csv"].splitlines(keepends=True)
    games = files["games.csv"].replace(
        b"2026-open,2,2026-02-07,3,1,0.5-0.5,both", b"2026-open,2,2026-02-07,3,1,0.5-0.5,white"
    )
    return files | {"changes.csv": b"".join(changes[:2] + changes[3:]), "games.csv": games}


def test_a_game_left_out_is_found():
    files = published()
    found = program.recompute(files | {MARCH: without_change(files[MARCH])}, only=MARCH).different
    assert f"{MARCH} games.csv 2026-open 2: game of 1 does not count" in found


def test_a_reader_runs_it_on_a_folder(tmp_path, capsys):
    assert program.main(str(tmp_path)) == 2
    for address, files in published().items():
        folder = tmp_path / address
        folder.mkdir(parents=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    assert program.main(str(tmp_path)) == 0
    assert f"{MARCH} ratings of FIDE: 1\n" in capsys.readouterr().out
    changes = tmp_path / MARCH / "changes.csv"
    changes.write_bytes(changes.read_bytes().replace(b"15.9208", b"15.9209", 1))
    assert program.main(str(tmp_path)) == 1
    told = "changes.csv 1 2026-open 1 1 change: published 15.9209, calculated 15.9208"
    assert f"{MARCH} {told}\n" in capsys.readouterr().out


def test_it_loads_a_list_with_those_that_it_reads():
    files = published()
    addresses = {
        f"https://office.example/lists/{address}/files/{name}": content
        for address, of_list in files.items()
        for name, content in of_list.items()
    }
    assert program.load(f"https://office.example/lists/{MARCH}/", addresses.get) == files


# --- the examples of the rulings


def test_expected_scores_are_rounded_to_ten_decimals_and_add_up_to_one():
    """R80: Φ(100) = 0.6368306512; the table of the regulations has 0.637. Φ(4000) is 1 to more than ten decimals."""
    assert [program.expected_e10(one) for one in (100, -100, 0, 4000)] == [
        6_368_306_512, 3_631_693_488, 5_000_000_000, 10_000_000_000
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("n_v", "own", "youth", "halved", "k"),
    [
        (74, 1600, False, False, 25_109_490), (75, 1600, False, False, 25_000_000),
        (75, 2200, False, False, 20_000_000), (75, 2399, False, False, 10_050_000),
        (29, 1600, True, False, 40_110_193), (30, 1600, True, False, 40_000_000),
        (30, 2250, True, False, 25_000_000), (25, 1600, True, False, 43_200_000),
        (6, 1500, False, False, 88_181_631), (1, 2500, False, False, 216_000_000),
        (80, 1600, False, True, 12_500_000), (100, 2400, False, False, 10_000_000),
    ],
)  # fmt: skip
def test_factors_of_article_7(n_v, own, youth, halved, k):
    """R81, R81a, R81e, R81h."""
    assert program.factor_e6(Fraction(n_v), own, youth=youth, halved=halved) == k


def test_performances_of_a_list():
    """R81b, R82a: 1433 of five draws and a loss against 1500; four wins over 1400 with a draw against the own 1400."""
    assert program.list_performance([(1500, 1)] * 5 + [(1500, 0)], 1433) == 1_439_878
    assert program.list_performance([(1400, 2)] * 4, 1400) == 1_766_158
    # One win in two games, against 1500 and 1501: 1500.5 by symmetry, half up.
    assert program.performance([(1500, 2), (1501, 0)], 0) == 1501


def test_performances_of_a_tournament():
    """R83: three losses to 800, three draws against 700 at 7 years: 554; an adult 607, in rapid at least 1200."""
    losses = ((800, 0),) * 3
    assert {(554, True), (1200, False)} <= program.tournament_performances(losses, "rapid")
    assert program.performance([*losses, *[(800, 1)] * 3], 0) == 607
    wins = ((1500, 2),) * 6
    assert (1919, False) in program.tournament_performances(wins, "rapid")
    assert program.tournament_performances(losses[:2], "rapid") == frozenset()


@pytest.mark.parametrize(
    ("r_i", "total", "lpr", "figure", "article"),
    [
        (1400, 432, "1766.158", "1786.158", "9.2.1"),  # R82a
        (1600, 30, "1590", "1620", "9.2.2"),  # R82a
        (1600, -30, "1610", "1580", "9.2.2"),
        (1600, -30, "1595", "1575", "9.2.1"),  # the LPR − 20
        (1600, 25, "1600", "1620", "9.2.1"),  # no more than 20 from R_i
        (1600, "12.5", "1700", "1612.5", ""),
        (1600, 0, "1700", "1600", ""),
    ],
)
def test_limits_of_article_9(r_i, total, lpr, figure, article):
    assert program.limited(r_i, Fraction(total), Fraction(lpr)) == (Fraction(figure), article)


@pytest.mark.parametrize(
    ("n_v", "last", "after", "until", "fallen"),
    [
        (60, "2020-05-01", "2025-04-01", "2025-05-01", 50),
        (50, "2020-05-01", "2026-04-01", "2026-05-01", 40),
        (60, "2020-05-01", "2024-04-01", "2024-05-01", 60),
        (14, "2020-05-01", "2025-04-01", "2025-05-01", 9),
        (5, "2020-05-01", "2025-04-01", "2025-05-01", 5),
    ],
)
def test_games_fall_after_five_years(n_v, last, after, until, fallen):
    """R84."""
    days = [date.fromisoformat(day) for day in (last, after, until)]
    assert program.fallen(n_v, *days) == fallen
