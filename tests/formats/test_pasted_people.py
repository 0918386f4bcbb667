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
