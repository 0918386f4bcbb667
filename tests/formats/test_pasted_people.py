"""Rows pasted for the players of a report: what is used, and all that is not understood, by row."""

import pytest

from reporting.formats.tables.pasted_people import PastedProblem, UnusedRow, read_pasted_people

NAMES = {"2": "Lokaberg, Ada", "3": "Miberg, Ben", "12": "Miberg, Cleo"}


@pytest.mark.parametrize(
    ("line", "problems"),
    [
        ("2;w;3-1991", [(PastedProblem.NO_DAY, "3-1991")]),
        ("2;w;Mar 1991", [(PastedProblem.NO_DAY, "Mar 1991")]),
        ("2;w;31-2-1991", [(PastedProblem.NO_DAY, "31-2-1991")]),
        ("Ada Lokaberg;x;5-3-1991", [(PastedProblem.NO_SEX, "x")]),
        ("Lokaberg;Ada;x;1991", [(PastedProblem.NO_SEX, "x"), (PastedProblem.NO_DAY, "1991")]),
        ("Lokaberg;w;5-3-1991", [(PastedProblem.NO_PLAYER, "Lokaberg")]),
        ("Miberg;w;1991", [(PastedProblem.NO_PLAYER, "Miberg"), (PastedProblem.NO_DAY, "1991")]),
        ("Nomen Nescio;w;5-3-1991", [(PastedProblem.NO_PLAYER, "Nomen Nescio")]),
        ("99;w;5-3-1991", [(PastedProblem.NO_PLAYER, "99")]),
        ("2;Miberg Ben;w", [(PastedProblem.OTHER_NAME, "Miberg Ben")]),
        ("2;w;BEL;5-3-1991", [(PastedProblem.NOT_READ, "BEL")]),
        ("2;w;m", [(PastedProblem.NOT_READ, "m")]),
        ("2;w;5-3-1991;6-3-1991", [(PastedProblem.NOT_READ, "6-3-1991")]),
        ("2;Ada", [(PastedProblem.NO_VALUE, "")]),
    ],
)
def test_a_row_with_a_cell_that_is_not_understood_is_not_used_and_says_all_that_is_wrong(
    line: str, problems: list[tuple[PastedProblem, str]]
) -> None:
    read = read_pasted_people(f"3\tm\t1 Jan 2007\n\n{line}", NAMES)
    assert read.values == {"3": {"sex": "M", "born": "2007-01-01"}}
    assert read.unused == [UnusedRow(3, line, problems)]


def test_two_rows_for_one_player_are_both_named_and_neither_is_used() -> None:
    read = read_pasted_people("2;w\n3;m\nAda Lokaberg;m\nMiberg, Ben;x", NAMES)
    assert read.values == {}
    assert read.unused == [
        UnusedRow(1, "2;w", [(PastedProblem.REPEATED_PLAYER, "1, 3")]),
        UnusedRow(2, "3;m", [(PastedProblem.REPEATED_PLAYER, "2, 4")]),
        UnusedRow(3, "Ada Lokaberg;m", [(PastedProblem.REPEATED_PLAYER, "1, 3")]),
        UnusedRow(4, "Miberg, Ben;x", [(PastedProblem.NO_SEX, "x"), (PastedProblem.REPEATED_PLAYER, "2, 4")]),
    ]


def test_the_rows_that_are_too_many_are_named() -> None:
    """Row 5,000 is read; the first row after it is named with the last one, without the empty rows between."""
    read = read_pasted_people("2;w" + "\n" * 4_999 + "3;m" + "\n" * 2 + "12;w\n2;m\n", NAMES)
    assert read.values == {"2": {"sex": "W"}, "3": {"sex": "M"}}
    assert read.unused == [UnusedRow(5_002, "12;w", [(PastedProblem.TOO_MANY_ROWS, "5003")])]


def test_columns_without_numbers_and_names_have_a_row_for_each_player() -> None:
    read = read_pasted_people("w;5-3-1991\nx;1992\n;", NAMES)
    assert read.values == {"2": {"sex": "W", "born": "1991-03-05"}}
    problems = [(PastedProblem.NO_SEX, "x"), (PastedProblem.NO_DAY, "1992")]
    assert read.unused == [UnusedRow(2, "x;1992", problems)]
    two_rows = read_pasted_people("w\n1992", NAMES)
    assert two_rows.values == {}
    assert [row.problems for row in two_rows.unused] == [
        [(PastedProblem.OTHER_COUNT, "")],
        [(PastedProblem.OTHER_COUNT, ""), (PastedProblem.NO_DAY, "1992")],
    ]
