"""Lines written from whole columns are those that `str` would write, row by row."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np
import pytest

from ratings.formats.figures import figures_digest, figures_file
from ratings.formats.number_lines import decimals, number_lines
from ratings.rules.columns import NEVER, NO_DAY, Columns, Flags, Integers, Letters, Words
from ratings.rules.declared import Column, Declaration, Kind

# Around each border of a group of four digits, and the largest and smallest numbers of a column.
EDGES = [0, 1, 9, 10, 999, 1000, 9999, 10_000, 10_001, 99_999, 100_000, 12_340_000, 10**8 - 1, 10**8, 10**8 + 7,
         10**12, 10**16, 10**18, 2**62, NEVER, NO_DAY, -1, -10, -9999, -10_000, -(10**8), -(2**62)]  # fmt: skip


def by_hand(columns: list[list[int]]) -> bytes:
    return "".join(f"x,{','.join(map(str, row))};\n" for row in zip(*columns, strict=True)).encode()


@pytest.mark.parametrize(
    "columns",
    [[EDGES, EDGES[::-1]], [EDGES[:5], EDGES[5:10]], [[0, 0], [10_000, 0]], [[], []]],
)
def test_the_lines_are_those_of_str(columns):
    arrays = [np.array(column, dtype=np.int64) for column in columns]
    assert number_lines([decimals(array) for array in arrays], before=b"x,", after=b";") == by_hand(columns)


def test_thousands_of_random_numbers_of_every_length():
    chance = np.random.default_rng(13)
    columns = [
        chance.integers(-(10**digits), 10**digits, 4000) // 10 ** chance.integers(0, digits + 1, 4000)
        for digits in (1, 3, 5, 9, 18)
    ]
    lines = number_lines([decimals(column) for column in columns], before=b"x,", after=b";")
    assert lines == by_hand([column.tolist() for column in columns])


def test_a_value_that_is_not_given_is_empty():
    given = np.array([True, False, False])
    lines = number_lines([decimals(np.array([-12_345, 0, 67_890]), given), decimals(np.array([1, 2, 3]))])
    assert lines == b"-12345,1\n,2\n,3\n"


@dataclass(frozen=True, eq=False)
class Figures(Columns):
    number: Integers
    previous: Integers
    day: Integers
    flag: Flags
    letter: Letters
    word: Integers
    other: Integers
    sum: Integers
    lists: Words


COLUMNS = (
    Column(name="number", header="id"),
    Column(name="change", array="number", given="previous"),
    Column(name="scaled", array="number", kind=Kind.SCALED),
    Column(name="day", kind=Kind.DAY),
    Column(name="flag", kind=Kind.FLAG),
    Column(name="letter", kind=Kind.LETTER),
    Column(name="word", kind=Kind.WORD, words=("provisional", "change"), given="previous"),
    Column(name="other", kind=Kind.WORD, words_from="lists"),
    Column(name="sum", kind=Kind.SCALED, decimals=10, file_decimals=4, given="previous"),
)
NAMES = tuple(column.name for column in COLUMNS)
DECLARATION = Declaration(
    rows=COLUMNS, changes=(), figures=NAMES, list_file=(), text_file=(), list_page=(), change_file=(), compared=(),
)  # fmt: skip


@pytest.mark.parametrize("length", [0, 1, 3])
def test_the_digest_is_that_of_the_file_with_columns_of_every_kind(length):
    table = Figures(
        number=np.array([10_500, -40, 0])[:length], previous=np.array([2300, 0, 1])[:length],
        day=np.array([20_527, NO_DAY, -25_567])[:length], flag=np.array([True, False, True])[:length],
        letter=np.array([b"A", b"", b"C"])[:length], word=np.array([1, 0, 0])[:length],
        other=np.array([1, 0, 1])[:length], sum=np.array([-121_413_500_000, 0, 499_999])[:length],
        lists=("", "fide/2024-02-01"),
    )  # fmt: skip
    lines = [
        "id,change,scaled,day,flag,letter,word,other,sum,list,previous_sha256",
        f"10500,10500,1.0500,2026-03-15,1,A,change,fide/2024-02-01,-12.1414,pool/day,{'ab' * 32}",
        "-40,,-0.0040,,0,,,,,,",
        "0,0,0.0000,1900-01-01,1,C,provisional,fide/2024-02-01,0.0000,,",
    ]
    written = "".join(f"{line}\n" for line in lines[: length + 1]).encode()
    assert figures_digest(DECLARATION, table, "pool/day", "ab" * 32) == hashlib.sha256(written).hexdigest()
    from_the_database = [
        b"10500,10500,1.0500,2026-03-15,1,A,change,fide/2024-02-01,-12.1414,,\n",
        *written.splitlines(keepends=True)[2:],
    ]
    assert figures_file(DECLARATION, from_the_database[:length], "pool/day", "ab" * 32).content == written


def test_tables_are_joined_and_chosen_from_with_the_words_that_they_share():
    one = Figures(*[np.array([1])] * 3, np.array([True]), np.array([b"A"]), *[np.array([0])] * 3, ("", "a"))
    assert Figures.joined([one, one.rows(slice(1))]).lists == ("", "a")
    with pytest.raises(ValueError, match="different words"):
        Figures.joined([one, replace(one, lists=("", "b"))])
