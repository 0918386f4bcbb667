"""Lists of FIDE: the layouts of contracts U21, and what is refused, all of it or nothing."""

import io
import random
import resource
import zipfile

import numpy as np
import pytest

from ratings.formats.sources.fide import read_fide_list
from ratings.formats.sources.figures import FIDE_KINDS
from ratings.formats.sources.packed import NOWHERE, PackedNumbers, packed_numbers
from tests.formats.source_files import (
    AYO,
    BOS,
    CHAN,
    COMBINED,
    HEADER,
    OF_ONE_KIND,
    PLAYERS,
    WITHOUT_FOA,
    source_text,
    source_xml,
    zipped,
)

ALL = {
    "standard": [(14101, 1850, 20, ""), (1000051, 2310, 10, "WGM")],
    "rapid": [(1000051, 2295, 20, "WGM")],
    "blitz": [(14101, 1790, 40, "")],
}
"""What the three players have, by hand: a rating of 0 or a blank is none, and the third has none at all."""


def figures_in(content, kind=""):
    """Kind → number, rating, coefficient and title of those with a rating; None where there are findings."""
    figures, findings = read_fide_list(io.BytesIO(content), kind)
    assert (figures is None) == bool(findings)
    if figures is None:
        return None
    titles = [figures.titles[title] for title in figures.title]
    return {
        kind: [
            row
            for row in zip(
                figures.number.tolist(), figures.rating[kind].tolist(), figures.k_factor[kind].tolist(), titles,
                strict=True,
            )
            if row[1]
        ]
        for kind in figures.rating
    }  # fmt: skip


def findings_in(content, kind=""):
    """Code, line, column, what was found."""
    _, findings = read_fide_list(io.BytesIO(content), kind)
    return [(one.code, one.line, one.column, one.found) for one in findings]


def test_the_lines_of_the_tests_are_those_of_fide():
    assert source_text().decode() == f"{HEADER}\n"
    widths = [sum(width for _, width in columns) for columns in (COMBINED, WITHOUT_FOA, OF_ONE_KIND)]
    assert widths == [162, 158, 136]


@pytest.mark.parametrize(
    "content",
    [
        source_text(*PLAYERS), source_text(*reversed(PLAYERS)), source_text(*PLAYERS, end="\r\n"),
        source_text(*PLAYERS, columns=WITHOUT_FOA), source_text(*PLAYERS).rstrip(b"\n"),
        b"\n".join(line.rstrip() for line in source_text(*PLAYERS).split(b"\n")),
        source_text(*PLAYERS) + b"\n\n", b"\xef\xbb\xbf" + source_text(*PLAYERS), source_xml(*PLAYERS),
        zipped(source_text(*PLAYERS)), zipped(source_xml(*PLAYERS)),
    ],
    ids=(
        "text", "turned", "crlf", "no-foa", "no-end", "stripped", "blank-end", "bom", "xml", "zip", "zip-xml",
    ),
)  # fmt: skip
def test_a_list_of_all_kinds_is_read_in_each_layout(content):
    assert figures_in(content) == ALL


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_letters_in_names_do_not_move_the_columns(encoding):
    named = AYO | {"Name": "Åbel, Zoë"}
    content = source_text(named, BOS, CHAN).decode()
    assert figures_in("".join(source_text(named, BOS, CHAN).decode()).encode(encoding)) == ALL
    assert "Å" in content


def test_a_list_of_one_kind_is_read_for_the_kind_that_is_named():
    content = source_text(*PLAYERS, columns=OF_ONE_KIND)
    assert figures_in(content, "rapid") == {"rapid": ALL["standard"]}
    assert findings_in(content) == [("source-kind-missing", 1, 1, "no kind")]
    assert findings_in(source_text(*PLAYERS), "rapid") == [("source-kind-given", 1, 1, "rapid")]
    assert findings_in(source_xml(*PLAYERS), "rapid") == [("source-kind-given", 1, 1, "rapid")]


def test_lines_are_whole_across_blocks(monkeypatch):
    monkeypatch.setattr("ratings.formats.sources.file.BLOCK", 100)
    assert figures_in(source_text(*PLAYERS)) == ALL
    assert figures_in(source_xml(*PLAYERS)) == ALL
    assert findings_in(source_text(AYO, BOS | {"SRtng": "18x0"})) == [("number-unreadable", 3, 114, "18x0")]


def test_every_number_that_cannot_be_read_is_found_with_line_and_column():
    content = source_text(
        AYO | {"ID Number": "10-51"}, BOS | {"SRtng": "18 50"}, CHAN | {"ID Number": ""}, AYO | {"SRtng": 4001},
    )  # fmt: skip
    assert findings_in(content) == [
        ("number-unreadable", 2, 1, "10-51"), ("number-unreadable", 3, 114, "18 50"),
        ("number-unreadable", 4, 1, "nothing"), ("number-unreadable", 5, 114, "4001"),
    ]  # fmt: skip
    assert findings_in(source_text(AYO | {"ID Number": "99999999999"}))[0][:3] == ("number-unreadable", 2, 1)
    changed = (
        source_xml(*PLAYERS)
        .replace(b"<k>20</k>", b"<k>x</k>")
        .replace(b"<blitz_rating>0</blitz_rating>", b"")
    )
    # The players begin on lines 3 and 21, each with 18 lines.
    assert findings_in(changed) == [
        ("source-element-missing", 3, 1, "nothing"),
        ("number-unreadable", 21, 1, "x"),
    ]


def test_a_number_twice_is_found_on_its_second_line():
    assert findings_in(source_text(AYO, BOS, AYO | {"SRtng": 0})) == [("id-repeated", 4, 1, "1000051")]


def test_a_list_in_another_layout_is_refused_with_line_and_column():
    text = source_text(*PLAYERS)
    assert findings_in(text.replace(b"SRtng", b"Srtng"))[0][:3] == ("source-layout-unknown", 1, 114)
    assert findings_in(text.replace(b" Flag", b"     "))[0][:3] == ("source-layout-unknown", 1, 158)
    assert findings_in(b"id,rating\n1,2000\n") == [("source-layout-unknown", 1, 1, "id,rating")]
    assert findings_in(b"") == [("source-layout-unknown", 1, 1, "nothing")]
    assert findings_in(b"<players></players>") == [("source-layout-unknown", 1, 1, "<players>")]
    assert findings_in(b"<playerslist><a/></playerslist>") == [("source-layout-unknown", 1, 14, "<a>")]
    short = text.replace(b"Bosch, Bea ", b"Bosch,")
    assert findings_in(short)[0][:2] == ("source-columns-moved", 3)
    cut = text[: 163 * 3 + 100]
    assert findings_in(cut) == [("source-line-length", 4, 101, "100")]
    assert findings_in(text.replace(b"Bosch, Bea", b"Bosch, Bea Johanna"))[0][:2] == ("source-line-length", 3)
    assert findings_in(source_text()) == [("table-empty", 1, 1, "")]
    assert findings_in(HEADER.encode() + b"x" * 5000)[0][:2] == ("source-line-length", 1)


def test_xml_with_an_entity_or_cut_short_is_refused():
    xml = source_xml(*PLAYERS)
    bomb = xml.replace(b"<playerslist>", b'<!DOCTYPE p [<!ENTITY a "aaaa">]>\n<playerslist>')
    assert findings_in(bomb) == [("source-xml-refused", 2, 13, "a declaration")]
    assert findings_in(xml[:-15])[0][0] == "source-xml-unreadable"
    assert findings_in(xml.replace(b"</player>", b"</played>", 1))[0][:2] == ("source-xml-unreadable", 20)


def test_more_titles_than_there_can_be_are_refused():
    many = [CHAN | {"ID Number": number, "Tit": f"{number:04}", "SRtng": 1500} for number in range(1, 256)]
    assert findings_in(source_text(*many)) == [("source-titles", 1, 1, "255")]
    assert figures_in(source_text(*many[:254]))["standard"][253] == (254, 1500, 0, "0254")


def test_an_archive_that_is_cut_short_or_has_another_number_of_files_is_refused():
    archive = zipped(source_text(*PLAYERS))
    assert findings_in(archive[: len(archive) // 2])[0][0] == "source-archive-unreadable"
    assert findings_in(zipped(b"a", b"b")) == [("source-archive-files", 1, 1, "2 files")]
    assert findings_in(zipped()) == [("source-archive-files", 1, 1, "0 files")]
    damaged = bytearray(archive)
    damaged[60] ^= 255
    assert findings_in(bytes(damaged))[0][0] in {"source-archive-unreadable", "source-layout-unknown"}


def test_an_archive_of_900_megabytes_is_refused_in_little_memory():
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("list.txt", "w", force_zip64=True) as file,
    ):
        for _ in range(90):
            file.write(b" " * 10_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert findings_in(packed.getvalue()) == [("source-too-large", 1, 1, "more bytes")]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KB


def test_damaged_files_are_read_or_refused_and_never_raise():
    """250 files with bytes changed, removed, doubled or cut at random."""
    whole = [
        source_text(*PLAYERS * 2), source_xml(*PLAYERS), zipped(source_text(*PLAYERS)), zipped(source_xml(BOS)),
    ]  # fmt: skip
    chance = random.Random(32)  # noqa: S311 - the same files each time
    for number in range(250):
        content = bytearray(whole[number % len(whole)])
        for _ in range(chance.randint(1, 8)):
            place, length = chance.randrange(len(content)), chance.randint(1, 40)
            match chance.randrange(4):
                case 0:
                    content[place] = chance.randrange(256)
                case 1:
                    del content[place : place + length]
                case 2:
                    content[place:place] = content[place : place + length]
                case 3:
                    content[place:place] = bytes(chance.randrange(256) for _ in range(length))
            content = content or bytearray(b" ")
        figures, findings = read_fide_list(io.BytesIO(bytes(content)), "")
        assert (figures is None) == bool(findings)
        assert all(one.line and one.column and one.message for one in findings)


def test_packed_numbers_are_found_again():
    chance = np.random.default_rng(1)
    numbers = np.unique(
        np.concatenate([chance.integers(1, 2**32, 5_000), np.arange(700), [0, 255, 256, 2**32 - 1]])
    )
    packed = PackedNumbers(packed_numbers(numbers))
    assert (packed.numbers() == numbers).all()
    assert (packed.places(numbers) == np.arange(numbers.size)).all()
    wanted = chance.integers(0, 2**32, 20_000)
    expected = np.searchsorted(numbers, wanted).clip(max=numbers.size - 1)
    expected = np.where(numbers[expected] == wanted, expected, NOWHERE)
    assert (packed.places(wanted) == expected).all()
    assert PackedNumbers(packed_numbers(numbers[:0])).places(wanted[:2]).tolist() == [NOWHERE, NOWHERE]
    with pytest.raises(ValueError, match="rise"):
        packed_numbers(np.array([2, 1]))
    with pytest.raises(ValueError, match="not packed"):
        PackedNumbers(packed_numbers(numbers)[:-1]).places(wanted)


def test_kinds_are_those_of_the_command():
    assert FIDE_KINDS == ("standard", "rapid", "blitz")
