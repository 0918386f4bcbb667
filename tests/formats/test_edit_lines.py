"""A piece of a file is edited in place, and all other bytes stay the same (R22)."""

import pytest

from reporting.formats.text.edit_lines import Edit, apply_edits


def test_a_piece_gives_way_and_every_other_byte_stays():
    content = b"name = Open\r\nplayed from = 31/02/2026\r\nlast"
    edited = apply_edits(content, "utf-8", [Edit(2, 15, 10, "28/02/2026")])
    assert edited == b"name = Open\r\nplayed from = 28/02/2026\r\nlast"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_did(end):
    content = f"name = Open{end}place = Here{end}last".encode()
    assert apply_edits(content, "utf-8", [Edit(2, 9, 4, "There")]) == content.replace(b"Here", b"There")


def test_several_pieces_of_one_line_keep_their_places():
    assert (
        apply_edits(b"1,2,3,4", "utf-8", [Edit(1, 1, 1, "100"), Edit(1, 5, 1, ""), Edit(1, 7, 1, "5")])
        == b"100,2,,5"
    )


@pytest.mark.parametrize(("codec", "mark"), [("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe")])
def test_a_byte_order_mark_and_the_encoding_stay(codec, mark):
    content = mark + "José,1\n".encode(codec)
    assert apply_edits(content, codec, [Edit(1, 6, 1, "2")]) == mark + "José,2\n".encode(codec)


def test_columns_are_those_of_composed_letters():
    """Jose with a combining accent is five characters in the file and four in the lines a finding counts."""
    assert apply_edits("Jose\u0301,1".encode(), "utf-8", [Edit(1, 6, 1, "2")]) == "José,2".encode()


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (Edit(3, 1, 1, "x"), "no line 3"),
        (Edit(1, 3, 5, "x"), "has changed"),
        (Edit(1, 0, 1, "x"), "has changed"),
        (Edit(1, 1, 1, "a\nb"), "must stay one line"),
    ],
)
def test_what_can_not_be_done_is_said(edit, words):
    with pytest.raises(ValueError, match=words):
        apply_edits(b"abc\ndef", "utf-8", [edit])


def test_pieces_that_overlap_are_refused():
    with pytest.raises(ValueError, match="has changed"):
        apply_edits(b"abcdef", "utf-8", [Edit(1, 1, 3, "x"), Edit(1, 2, 1, "y")])


def test_a_letter_that_the_encoding_does_not_have_is_named():
    with pytest.raises(ValueError, match="Ж"):
        apply_edits(b"abc", "cp1252", [Edit(1, 1, 1, "Ж")])


def test_of_a_whole_line_only_what_differs_is_written():
    """A character that turns the line is shown as U+FFFD; its bytes stay: the page's own sign is none of the file's."""
    content = "Wil\u202elem,Zonnebeke\r\nb".encode()
    seen = "Wil\ufffdlem,Zonnebeek"
    assert apply_edits(content, "utf-8", [Edit(1, 1, 17, seen)]) == "Wil\u202elem,Zonnebeek\r\nb".encode()
    with pytest.raises(ValueError, match="cannot be shown"):
        apply_edits(content, "utf-8", [Edit(1, 1, 17, "Wim\ufffdm")])


def test_a_heap_of_marks_costs_no_quadratic_time_and_keeps_its_columns():
    heap = "a" + "\u0323\u0301" * 40_000 + ",1"
    assert apply_edits(heap.encode(), "utf-8", [Edit(1, len(heap), 1, "2")]).decode() == heap[:-1] + "2"
