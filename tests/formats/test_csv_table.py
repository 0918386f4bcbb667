"""Tables as CSV: each fault is a finding with line, column and what belongs there."""

import pytest

from reporting.formats.tables.csv_table import read_table

REQUIRED, OPTIONAL = ("number", "name"), ("born",)
ALIASES = {"no": "number"}


def findings_in(text, most_rows=2):
    content = text if isinstance(text, bytes) else text.encode()
    _, table = read_table(content, required=REQUIRED, optional=OPTIONAL, aliases=ALIASES, most_rows=most_rows)
    return [(finding.code, finding.line, finding.column) for finding in table.in_order()]


def test_a_table_is_read_by_its_headings():
    rows, table = read_table(
        b"Name,No\nBosch,1\n\nAabel, 2\n", required=REQUIRED, optional=OPTIONAL, aliases=ALIASES
    )
    assert [(row.line, dict(row.values)) for row in rows] == [
        (2, {"name": "Bosch", "number": "1"}),
        (4, {"name": "Aabel", "number": "2"}),
    ]
    assert table.in_order() == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"number,name\n1,B\xf6hm\n", ("encoding-unreadable", 2, None)),
        ("number,name\n1,B\0\n", ("character-forbidden", None, None)),
        ("number\n1\n", ("column-missing", 1, None)),
        ("number,name,colour\n1,Bosch,red\n", ("column-unknown", 1, None)),
        ("number,name,no\n1,Bosch,1\n", ("column-repeated", 1, None)),
        ("number,name\n1\n", ("field-count", 2, None)),
        ("number,name\n1,A\n2,B\n3,C\n", ("limit-rows", 4, None)),
        ('number,name\n1,"A"B\n', ("line-unreadable", 2, None)),
    ],
)
def test_each_fault_of_a_table_is_a_finding_with_its_line(text, found):
    assert findings_in(text) == [found]


@pytest.mark.parametrize(("more", "found"), [(1, "1 more row"), (1240, "1,240 more rows")])
def test_a_table_over_the_limit_says_how_many_rows_more_it_has(more, found):
    """Two rows are read; an empty line is no row."""
    text = "number,name\n" + "\n".join(f"{number},A" for number in range(2 + more)) + "\n\n"
    rows, table = read_table(
        text.encode(), required=REQUIRED, optional=OPTIONAL, aliases=ALIASES, most_rows=2
    )
    (finding,) = table.in_order()
    assert (len(rows), finding.line, finding.found, finding.expected) == (2, 4, found, "at most 2 rows")


@pytest.mark.parametrize(
    ("code", "read"),
    [
        ("number-unreadable", lambda table, row: table.whole_number(row, "number", 1, 9)),
        ("date-unreadable", lambda table, row: table.day(row, "number")),
        ("value-unknown", lambda table, row: table.one_of(row, "number", ("M", "W")) or None),
    ],
)
def test_each_fault_of_a_cell_is_a_finding_with_line_and_column(code, read):
    rows, table = read_table(b"name,number\nBosch,X\n", required=REQUIRED, optional=OPTIONAL, aliases=ALIASES)
    assert read(table, rows[0]) is None
    (finding,) = table.in_order()
    assert (finding.code, finding.line, finding.column, finding.field) == (code, 2, 2, "number")
    assert (finding.found, finding.article) == ("X", "docs/how-to/first-quarter.md")
    assert finding.message
    assert finding.expected
    assert finding.suggestion
