"""The program for readers of ICCF lists: the examples of its rulings, and files made by hand whose changes it sees.

The files are of the lists of 1 January and 1 April 2026 of tests/flows/test_iccf.py, where the figures are calculated.
Two draws are added: 1800, not on a list, against a player without a number (assumed 2200 both), and a game of two
such players, which counts for none. One draw against 2200 by an assumed 2200: p ½, D 0, Rp 2200.
"""

import csv
import hashlib
import io
from fractions import Fraction

import pytest

from ratings.federations.iccf import recompute as program

JANUARY, APRIL = "iccf/2026-01-01/r1", "iccf/2026-04-01/r1"
FIGURES = {
    JANUARY: """
2 2300 - 0 80 - - - - - 1 2025-12-01
1 2200 - 0 50 - - - - - 2 2025-12-01
3 2100 - 0 80 - - - - - 3 2025-12-01
5 1950 - 0 40 - - - - - 4 2025-12-01
4 1875 - 0 12 - - - - - 5 2025-12-01
7 1875 - 0 80 - - - - - 5 2025-12-01
""",
    APRIL: """
2 2295 -5 2 82 6 12.500000 - - - 1 2026-02-20
1 2209 9 2 52 6 17.250000 - - - 2 2026-02-20
8 2200 - 1 1 5-all - 1 2200 0.5 3 2026-02-20
3 2098 -2 2 82 6 17.500000 - - - 4 2026-02-20
5 1950 0 0 40 - - - - - 5 2025-12-01
4 1904 29 1 13 5-all - 13 24375 7 6 2026-02-20
7 1882 7 2 82 6 20.000000 - - - 7 2026-02-20
6 1537 - 1 1 5-all - 1 1875 0 8 2026-02-20
""",
}
CHANGES = """
1 2025-team 1 1 2026-01-05 w 2 2200 list 2300 list 17.250000 0.36 1 11.0400 6 -
1 2025-team 1 1 2026-01-05 b 3 2200 list 2100 list 17.250000 0.64 0.5 -2.4150 6 -
2 2025-team 1 1 2026-01-05 b 1 2300 list 2200 list 12.500000 0.64 0 -8.0000 6 -
2 2025-team 1 1 2026-01-06 w 3 2300 list 2100 list 12.500000 0.76 1 3.0000 6 -
3 2025-team 1 1 2026-01-05 w 1 2100 list 2200 list 17.500000 0.36 0.5 2.4500 6 -
3 2025-team 1 1 2026-01-06 b 2 2100 list 2300 list 17.500000 0.24 0 -4.2000 6 replaced
4 2025-team 1 1 2026-01-06 w 7 1875 list 1875 list - - 1 - 5-all -
6 2025-team 1 2 2026-01-07 b 7 2200 assumed 1875 list - - 0 - 5-all -
7 2025-team 1 1 2026-01-06 b 4 1875 list 1875 list 20.000000 0.50 0 -10.0000 6 -
7 2025-team 1 2 2026-01-07 w 6 1875 list 2200 assumed 20.000000 0.13 1 17.4000 6 -
8 2025-team 1 2 2026-01-07 w - 2200 assumed 2200 assumed - - 0.5 - 5-all -
"""
GAMES = """
2025-team 1 2026-01-05 1 2 1-0 both - -
2025-team 1 2026-01-06 4 7 1-0 both - -
2025-team 1 2026-01-06 2 5 1-0 both - 3
2025-team 1 2026-01-05 3 1 0.5-0.5 both - -
2025-team 2 2026-01-07 7 6 1-0 both - -
2025-team 2 2026-01-07 8 - 0.5-0.5 white - -
2025-team 2 2026-01-07 - - 1-0 none - -
2025-team 2 2026-01-07 3 4 1x0 none - -
"""
TOURNAMENTS = "2025-team 1 Team - - 2025-09-15 2027-03-31 - - 100 iccf c0 - 1"


def lines_of(text):
    """The lines of a table: `-` is an empty cell."""
    return [["" if cell == "-" else cell for cell in line.split()] for line in text.strip().splitlines()]


def table(name, lines):
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([program.COLUMNS[name], *lines])
    return out.getvalue().encode()


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def with_calculation(address, files, before):
    """The files of a list with calculation.csv, whose digest is that of figures.csv."""
    is_opening = address == JANUARY
    day, closing, events, games = (
        ("2026-01-01", "2025-12-31", 0, 0) if is_opening else ("2026-04-01", "2026-02-28", 1, 7)
    )
    players, of_input = len(lines_of(FIGURES[address])), "" if is_opening else "e" * 64
    line = [
        address, day, closing, "iccf", program.EDITION, players, events, games, sha256(files["figures.csv"]), before,
        of_input,
    ]  # fmt: skip
    return files | {"calculation.csv": table("calculation.csv", [line])}


def published():
    """The files of both lists, with their digests."""
    found, before = {}, ""
    for address in (JANUARY, APRIL):
        figures = [[*line, "", ""] for line in lines_of(FIGURES[address])]
        figures[0][-2:] = [address.removesuffix("/r1"), before]
        is_april = address == APRIL
        tables = {
            "figures.csv": figures,
            "tournaments.csv": lines_of(TOURNAMENTS) if is_april else [],
            "games.csv": lines_of(GAMES) if is_april else [],
            "changes.csv": lines_of(CHANGES) if is_april else [],
        }
        if is_april:
            tables["lists-read.csv"] = [[JANUARY, before, "read"]]
        files = {name: table(name, lines) for name, lines in tables.items()}
        found[address] = with_calculation(address, files, before)
        before = sha256(files["figures.csv"])
    return found


def test_files_made_by_hand_have_no_differences():
    result = program.recompute(published())
    assert result.different == []
    assert result.given == [f"{APRIL} assumed ratings of tournaments: 1"]


def another(heading, cell):
    """A number or day one unit off in its last place, a digest backwards, another word."""
    words = {"replaced": "substitute", "list": "assumed", "assumed": "list", "w": "b", "b": "w"}
    if len(cell) == 64 or cell in words:
        return words.get(cell, cell[::-1])
    if cell[-1:].isdigit() and "/" not in cell and heading != "w":
        return cell[:-1] + str((int(cell[-1]) + 1) % 10)
    return {"0": "1", "1": "0.5", "0.5": "0"}[cell] if heading == "w" else f"{cell}9"


def is_seen(files, name, place, column):
    header, *lines = csv.reader(io.StringIO(files[APRIL][name].decode()))
    lines[place][column] = another(header[column], lines[place][column])
    changed = files[APRIL] | {name: table(name, lines)}
    if name == "figures.csv":
        changed = with_calculation(APRIL, changed, sha256(files[JANUARY][name]))
    try:
        return program.recompute(files | {APRIL: changed}, only=APRIL).different != []
    except program.MissingFilesError:
        return True


@pytest.mark.parametrize("name", sorted(published()[APRIL]))
def test_each_cell_changed_by_one_unit_is_found(name):
    """But what the program says it takes as given: days, and the last game within the period."""
    files = published()
    header, *lines = csv.reader(io.StringIO(files[APRIL][name].decode()))
    given = "date" if name == "changes.csv" else program.GIVEN.get(name, "")
    unseen = [
        (line, heading)
        for place, line in enumerate(lines)
        for column, heading in enumerate(header)
        if heading not in given.split() and not is_seen(files, name, place, column)
    ]
    of_games = [(line, heading) for line, heading in unseen if (heading, line[3]) == ("last_game", "0")]
    assert of_games == []
    assert [heading for _, heading in unseen if heading != "last_game"] == []


@pytest.mark.parametrize("column", ["white_for_id", "black_for_id"])
def test_each_other_player_replaced_is_found(column):
    """Of every game of which a line of changes.csv says for whom it counts: another player, none, or one more (R94)."""
    files = published()
    header, *lines = csv.reader(io.StringIO(files[APRIL]["games.csv"].decode()))
    place, counted = header.index(column), header.index("counted")
    unseen = []
    for number, line in enumerate(lines):
        is_counted = line[counted] in {"both", column.partition("_")[0]}
        for player in {"", "1", "4", "7"} - {line[place]} if is_counted else ():
            changed = [*lines]
            changed[number] = [*line[:place], player, *line[place + 1 :]]
            april = files[APRIL] | {"games.csv": table("games.csv", changed)}
            if not program.recompute(files | {APRIL: april}, only=APRIL).different:
                unseen.append((line, player))
    assert unseen == []


def test_a_game_of_a_player_with_a_number_that_counts_for_nobody_else_is_found():
    files = published()
    changes = files[APRIL]["changes.csv"].splitlines(keepends=True)
    games = files[APRIL]["games.csv"].replace(b"3,1,0.5-0.5,both", b"3,1,0.5-0.5,white")
    april = files[APRIL] | {"changes.csv": b"".join(changes[:2] + changes[3:]), "games.csv": games}
    found = program.recompute(files | {APRIL: april}, only=APRIL).different
    assert (
        f"{APRIL} games.csv 2025-team 1 3-1 game of 1 is missing: published True, calculated False" in found
    )


def test_a_game_of_two_players_with_numbers_that_counts_for_neither_is_found():
    """3 and 1, who draw, have no line of it."""
    files = published()
    changes = files[APRIL]["changes.csv"].splitlines(keepends=True)
    del changes[5], changes[2]
    games = files[APRIL]["games.csv"].replace(b"3,1,0.5-0.5,both", b"3,1,0.5-0.5,none")
    april = files[APRIL] | {"changes.csv": b"".join(changes), "games.csv": games}
    found = program.recompute(files | {APRIL: april}, only=APRIL).different
    where = f"{APRIL} games.csv 2025-team 1 3-1 game of"
    assert [line for line in found if line.startswith(where)] == [
        f"{where} {number} is missing: published True, calculated False" for number in (3, 1)
    ]


def test_a_reader_runs_it_on_a_folder(tmp_path, capsys):
    assert program.main(str(tmp_path)) == 2
    for address, files in published().items():
        folder = tmp_path / address
        folder.mkdir(parents=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    assert program.main(str(tmp_path)) == 0
    changes = tmp_path / APRIL / "changes.csv"
    changes.write_bytes(changes.read_bytes().replace(b"11.0400", b"11.0401", 1))
    assert program.main(str(tmp_path)) == 1
    difference = "changes.csv 1 2025-team 1 1 change: published 11.0401, calculated 11.0400"
    assert f"{APRIL} {difference}\n" in capsys.readouterr().out


# --- the examples of the rulings


@pytest.mark.parametrize(
    ("opponents", "games", "points", "rating"),
    [
        (3700, 2, "1.5", 2019),  # R90: 1850 + 193 × 0.875
        (2150, 1, "0", 1812),  # R90: 2150 − 338.5 = 1811.5
        (13 * 1875, 13, "7", 1904),  # R92a: p 7/13
        (8 * 1800, 8, "5", 1892),  # R90: p 5/8, D 95, F = −0.78125 + 1.25 + 0.5 = 0.96875: 1892.03
        (8 * 1800, 8, "3", 1708),  # p 3/8, −95: 1707.97
    ],
)
def test_performances(opponents, games, points, rating):
    """R90, R92a."""
    assert program.performance(opponents, games, Fraction(points)) == rating


def test_expected_results_and_factors():
    """R91: 2200 on 50 games has k 17.25; 0.36 against 2300, 0.64 against 2100; 2350 and 2900 against 2000: 0.89."""
    assert [program.expected(2200, other) for other in (2300, 2100)] == [Fraction(36, 100), Fraction(64, 100)]
    assert [program.expected(own, 2000) for own in (2350, 2900)] == [Fraction(89, 100)] * 2
    # R92: 1900 on 30 games k 25; 2001 on 31 games 24.868875.
    factors = [program.coefficient(*start) for start in ((2200, 50), (1900, 30), (2001, 31))]
    assert factors == [Fraction("17.25"), 25, Fraction("24.868875")]
