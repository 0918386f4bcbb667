"""From bytes to a form: encodings, hidden characters, limits, archives (R22)."""

import gzip
import io
import tarfile
import unicodedata
import zipfile

import pytest

from reporting.formats.detect import FORMATS, read_report
from reporting.formats.text.decode import decode_text, preview_encodings
from reporting.rules.report import ENCODINGS, Encoding
from tests.formats.report_files import (
    ARBITER_FILE,
    FMJD_FILE,
    SPREADSHEET_FILE,
    TODAY,
    TRF16_FILE,
    edited,
    places,
    read_submission,
)

FMJD = FMJD_FILE.read_bytes()
ARBITER = ARBITER_FILE.read_bytes()


def test_the_form_is_found_by_the_content_alone():
    assert read_report(FMJD).format == "fmjd"
    assert read_report(ARBITER).format == "draughts-arbiter"
    assert read_report(b"\n\n" + ARBITER).format == "draughts-arbiter"
    assert read_report(TRF16_FILE.read_bytes()).format == "trf16"


def test_an_unknown_form_is_one_finding_that_names_what_is_read():
    (finding,) = read_report(b"Some chess tournament\n1. Bea Bosch 5.5").findings
    assert (finding.code, finding.line, finding.column) == ("format-unknown", 1, 1)
    assert all(form.name in finding.expected for form in FORMATS)


@pytest.mark.parametrize("content", [b"caf\xe9", b"\xfe\xfd picture", b"\xcf\xf0\xe8"])
def test_bytes_that_are_a_report_in_no_encoding_have_no_encoding_to_choose(content):
    assert [finding.code for finding in read_report(content).findings] == ["format-unknown"]


@pytest.mark.parametrize("content", [b"\n<!DOCTYPE html>\n<p>1", b"<HTML><body>2-0</body></HTML>"])
def test_a_saved_web_page_is_named(content):
    (finding,) = read_report(content).findings
    assert finding.message == "This is a saved web page, not a report. No data was used."
    assert finding.expected.startswith("the tournament table of Draughts Arbiter")


def test_a_file_of_five_megabytes_is_read():
    assert places(read_report((b"a" * 49 + b"\n") * 100_000).findings, "file-too-large") == []


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_text_of_more_lines_than_a_report_can_have_is_not_read(end):
    (found,) = read_report((b"a" + end) * 100_001).findings
    assert (found.key, found.found, found.expected) == (
        "file-too-large.lines", "100,001 lines", "at most 100,000 lines",
    )  # fmt: skip


def archives():
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("report.txt", FMJD)
    tarred = io.BytesIO()
    with tarfile.open(fileobj=tarred, mode="w") as archive:
        member = tarfile.TarInfo("report.txt")
        member.size = len(FMJD)
        archive.addfile(member, io.BytesIO(FMJD))
    return [
        zipped.getvalue(), tarred.getvalue(), gzip.compress(FMJD), b"BZh9" + FMJD, b"\xfd7zXZ\x00" + FMJD,
        b"7z\xbc\xaf\x27\x1c" + FMJD, b"Rar!\x1a\x07" + FMJD, b"%PDF-1.7", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "content"),
    [
        *(("file-empty", content) for content in (b"", b"   \r\n\n ", b"\xef\xbb\xbf", b"\xff\xfe")),
        ("file-too-large", b"a" * 5_000_001),
        *(("archive-refused", content) for content in archives()),
    ],
)
def test_what_is_no_text_to_read_is_one_finding(code, content):
    (finding,) = read_report(content).findings
    assert (finding.code, finding.line, finding.column) == (code, 1, 1)


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (ARBITER, "utf-8"),
        (b"\xef\xbb\xbf" + ARBITER, "utf-8"),
        (b"\xff\xfe" + ARBITER.decode().encode("utf-16-le"), "utf-16-le"),
        (b"\xfe\xff" + ARBITER.decode().encode("utf-16-be"), "utf-16-be"),
    ],
)
def test_utf_8_and_utf_16_with_a_mark_are_read_alike(content, encoding):
    read = read_report(content)
    assert (read.encoding, read.findings) == (encoding, ())
    assert read.players == read_report(ARBITER).players


@pytest.mark.parametrize("encoding", ["cp1252", "iso8859-1", "iso8859-15", "cp1254", "cp1250"])
def test_a_chosen_encoding_is_used(encoding):
    read = read_report(ARBITER.decode().encode(encoding), encoding=encoding)
    assert (read.encoding, read.findings) == (encoding, ())
    assert read.players == read_report(ARBITER).players


def test_a_byte_order_mark_decides_against_the_chosen_encoding():
    read = read_report(b"\xef\xbb\xbf" + ARBITER, encoding="cp1251")
    assert read.encoding == "utf-8"
    (finding,) = read.findings
    assert (finding.code, finding.field, finding.line, finding.column) == ("details-differ", "encoding", 1, 1)
    assert read_report(b"\xef\xbb\xbf" + ARBITER, encoding="utf-8").findings == ()


def test_an_encoding_is_never_guessed():
    read = read_report(ARBITER.decode().encode("cp1252"))
    (finding,) = read.findings
    assert (finding.code, finding.line, finding.column, finding.found) == (
        "encoding-unreadable", 8, 17, "byte E9",
    )  # fmt: skip
    assert (read.format, read.encoding, read.players) == ("", "", ())


def test_a_byte_that_the_chosen_encoding_lacks_is_found():
    (finding,) = read_report(FMJD + b"\n\x98", encoding="cp1251").findings
    assert (finding.code, finding.line, finding.column) == ("encoding-unreadable", 84, 1)


@pytest.mark.parametrize("name", ["latin-9000", "utf-16", "idna", "zip", ""])
def test_an_encoding_that_is_not_offered_is_refused(name):
    assert places(read_report(FMJD, encoding=name).findings, "encoding-unknown") == [(1, 1)]


def test_every_offered_encoding_has_a_name_and_the_letters_of_ascii():
    assert list(ENCODINGS) == list(Encoding)
    letters = bytes(range(128))
    assert {letters.decode(page) for page in ENCODINGS} == {letters.decode("ascii")}


CYRILLIC = "012 Кубок Речной\r\n022 Riverside\r\n102 Пётр Островской\r\n".encode("cp1251")


def test_the_preview_shows_the_lines_with_other_letters_in_each_encoding():
    preview = {page.key: page for page in preview_encodings(CYRILLIC)}
    assert preview["cp1251"].label == "Cyrillic (Windows-1251)"
    assert preview["cp1251"].lines == ("012 Кубок Речной", "102 Пётр Островской")
    # Bytes of Windows-1251 are letters in Western encodings too: only a person sees the right one.
    assert preview["cp1252"].lines[0] == "012 Êóáîê Ðå÷íîé"
    assert "utf-8" not in preview


def test_an_encoding_that_lacks_a_byte_of_the_file_is_left_out_of_the_preview():
    assert "cp1251" not in {page.key for page in preview_encodings(b"012 Caf\xe9\r\n022 \x98")}
    assert [page.lines for page in preview_encodings("012 Café".encode()) if page.key == "utf-8"] == [
        ("012 Café",)
    ]


@pytest.mark.parametrize(
    "content",
    [b"", b"012 Plain Open", "\ufeff012 Café".encode(), "012 Café".encode("utf-16"), b"PK\x03\x04\xff"],
)
def test_there_is_no_preview_where_there_is_nothing_to_choose(content):
    assert preview_encodings(content) == []


def test_a_preview_shows_few_lines_and_of_a_long_one_the_part_around_the_letter():
    content = b"\n".join([b"x" * 5_000 + b"\xe9" + b"y" * 5_000] + [b"\xe9\x00"] * 20)
    lines = preview_encodings(content)[0].lines
    assert len(lines) == 8
    assert lines[0].startswith("…" + "x" * 40 + "é")
    assert len(lines[0]) <= 125
    assert lines[1] == "é<U+0000>"


def test_the_chosen_encoding_is_a_detail_and_the_file_reads_alike_whenever_it_is_read():
    content = TRF16_FILE.read_text(encoding="utf-8").encode("cp1250")
    details = TRF16_FILE.with_suffix(".toml").read_bytes()
    assert "encoding-unreadable" in {
        finding.code for finding in read_submission(content=content, sidecar=details, today=TODAY).findings
    }
    submission = read_submission(content=content, sidecar=details + b'encoding = "cp1250"\n', today=TODAY)
    assert (submission.read.encoding, type(submission.read.encoding)) == ("cp1250", str)
    assert submission.read.players[3].last_name == "Dąbrowa"
    # Also while the rest of the form is still empty.
    assert (
        read_submission(content=content, sidecar=b'encoding = "cp1250"', today=TODAY).read.format == "trf16"
    )
    unknown = read_submission(content=content, sidecar=details + b'encoding = "latin-9000"\n', today=TODAY)
    assert {"detail-unreadable", "encoding-unreadable"} <= {finding.code for finding in unknown.findings}


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("encoding", [None, "cp1252"])
def test_utf_16_without_a_byte_order_mark_is_named_as_such_whatever_is_chosen(codec, encoding):
    content = FMJD.decode().encode(codec)
    (finding,) = read_report(content, encoding=encoding).findings
    assert (finding.code, finding.line, finding.column) == ("encoding-unreadable", 1, 1)
    assert (
        finding.message == "The file is UTF-16 without a byte order mark, or it is no text. No data was used."
    )
    assert finding.expected == "UTF-8, or UTF-16 with a byte order mark"
    assert preview_encodings(content) == []


HIDDEN = ["\0", "\x0b", "\x1b", "\x7f", "\u0085", "\u202e", "\u2066", "\u2028", "\ue000", "\U000f0000"]  # fmt: skip


@pytest.mark.parametrize("letter", HIDDEN, ids=lambda letter: f"U+{ord(letter):04X}")
def test_a_hidden_character_is_an_error_at_its_place_and_shifts_no_line(letter):
    findings = read_report(edited(FMJD_FILE, "Willem", f"Wil{letter}lem")).findings
    assert places(findings, "character-forbidden") == [(17, 17)]
    assert f"U+{ord(letter):04X}" in findings[0].found
    assert [finding.line for finding in findings] == [17]


def test_no_hidden_character_reaches_a_value_or_a_finding():
    for letter in HIDDEN:
        text = FMJD.decode().replace("\n", f"{letter}\n").replace("\n1,", f"\n{letter}1,")
        read = read_report(text.encode())
        printed = repr(read.to_json()["players"]) + repr(read.to_json()["info"])
        assert letter not in printed
        assert all(letter not in finding.found + finding.message for finding in read.findings)
        assert all(letter not in piece.text for piece in read.unread)


def test_a_tab_is_space():
    assert read_report(edited(FMJD_FILE, "\nplace = ", "\n\tplace\t=\t")).findings == ()
    assert read_report(edited(FMJD_FILE, "Jean Bosco", "Jean\tBosco")) == read_report(FMJD)


@pytest.mark.parametrize("content", [FMJD, ARBITER, TRF16_FILE.read_bytes(), SPREADSHEET_FILE.read_bytes()])
@pytest.mark.parametrize("end", [b"\r", b"\r\n"])
def test_lines_end_as_any_system_ends_them(content, end):
    """The specification of TRF asks for carriage returns alone."""
    read, whole = read_report(content.replace(b"\n", end)), read_report(content)
    assert (read.info, read.players, read.games) == (whole.info, whole.players, whole.games)
    assert [finding.code for finding in read.findings] == [finding.code for finding in whole.findings]


def test_carriage_returns_with_one_line_feed_at_the_end_are_lines():
    assert read_report(FMJD.rstrip().replace(b"\n", b"\r") + b"\n") == read_report(FMJD)


def test_letters_and_accents_apart_are_composed():
    apart = unicodedata.normalize("NFD", ARBITER.decode()).encode()
    assert apart != ARBITER
    assert read_report(apart).players == read_report(ARBITER).players


@pytest.mark.parametrize(
    ("name", "instead", "code", "place"),
    [
        ("Willem", "Wi" + "\u0301\u0316" * 6 + "llem", "character-forbidden", (17, 16)),
        ("Jean Bosco", "J" * 100_001, "line-too-long", (21, 100_001)),
    ],
    ids=["accents", "characters"],
)
def test_a_heap_of_accents_and_a_line_of_100_000_characters_are_refused(name, instead, code, place):
    assert places(read_report(edited(FMJD_FILE, name, instead)).findings, code) == [place]


def test_lines_are_what_the_page_shows():
    text = decode_text(ARBITER)
    assert (len(text.lines), text.lines[0], text.lines[7][:12]) == (20, ";Tournament table", "5;5;;Kolanga")
