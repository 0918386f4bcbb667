"""The files of a published list compared with their digests and with the rows they were made from."""

import csv
import hashlib
import io
import json
import zipfile
from collections import Counter

from ratings.models import PublishedFile
from ratings.publishing.published_files import published_files
from ratings.publishing.verification.verification_texts import Words, words
from ratings.publishing.verification.verified_list import VerifiedList, display_value

# What a line of a published table is named by; of all others it is the number of a player (_key_of).
KEYS = {
    "calculation.csv": ("list",),
    "decisions.csv": ("tournament", "item"),
    "games.csv": ("tournament", "round", "white_id", "black_id"),
    "lists-read.csv": ("list", "use"),
    "merged.csv": ("order",),
    "tournaments.csv": ("code",),
}


def verify_files(verified: VerifiedList) -> None:
    """Every file against its digest and against what the list's rows make of it now."""
    stored = {file.name: file for file in PublishedFile.objects.filter(list=verified.rating_list)}
    made = {file.name: file for file in published_files(verified.rating_list)}
    for name in sorted({*stored, *made}):
        if name not in stored or name not in made:
            found, expected = words("a_file"), words("no_file")
            if name not in stored:
                found, expected = expected, found
            verified.expect(name, "file", found, expected)
            continue
        file, again = stored[name], made[name]
        content = bytes(file.content)
        verified.compared["files"] += 1
        if file.has_names and file.size == 0 and not content and verified.erased_numbers:
            continue  # its name was erased a moment ago, and the worker has not made it again yet
        verified.expect(name, "sha256", file.sha256, hashlib.sha256(content).hexdigest())
        verified.expect(name, "size", file.size, len(content))
        verified.expect(name, "content_type", file.content_type, again.content_type)
        verified.expect(name, "has_names", file.has_names, again.has_names)
        if content != again.content:
            _verify_content(verified, name, content, bytes(again.content))


def _verify_content(verified: VerifiedList, name: str, stored: bytes, made: bytes) -> None:
    """Cell by cell where a file is a table; else as a whole."""
    if name.endswith(".xlsx"):
        # A spreadsheet is compressed: other bytes may hold the same.
        stored, made = _unpacked(stored), _unpacked(made)
    if name.endswith((".xlsx", ".txt")):
        if not verified.erased_numbers:
            verified.expect(name, "content", _first_difference(stored, made), _first_difference(made, stored))
        return
    before = len(verified.differences)
    key_columns = _key_of(verified, name)
    found, expected = _cells(name, stored, key_columns), _cells(name, made, key_columns)
    forgiven = False
    for key in dict.fromkeys([*expected, *found]):
        number = int(key[0]) if name not in KEYS and key[0].isdecimal() else None
        one, other = found.get(key), expected.get(key)
        if one is None or other is None:
            column = "/".join(key_columns)
            verified.expect(
                name,
                column,
                "" if one is None else "/".join(key),
                "" if other is None else "/".join(key),
                number,
            )
            continue
        for column in dict.fromkeys([*other, *one]):
            if column == "name" and number in verified.erased_numbers:
                forgiven = True
                continue
            verified.expect(name, column, one.get(column, ""), other.get(column, ""), number)
    if len(verified.differences) == before and not forgiven:
        verified.expect(name, "content", _first_difference(stored, made), _first_difference(made, stored))


def _unpacked(content: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        return b"".join(name.encode() + book.read(name) for name in sorted(book.namelist()))


def _first_difference(content: bytes, other: bytes) -> Words:
    """The place where a file leaves another, with a few bytes of it."""
    places = (place for place, (one, two) in enumerate(zip(content, other, strict=False)) if one != two)
    place = next(places, min(len(content), len(other)))
    return words("bytes", content=repr(content[place : place + 20]), place=place)


def _key_of(verified: VerifiedList, name: str) -> tuple[str, ...]:
    number = verified.rating_list.rating_system.declaration.header("register_number")
    of_player = {
        "changes.csv": (number, "tournament"),
        "norms.csv": (number, "tournament", "title", "kind", "colour"),
    }
    return of_player.get(name) or KEYS.get(name, (number,))


def _cells(name: str, content: bytes, key_columns: tuple[str, ...]) -> dict[tuple[str, ...], dict[str, str]]:
    """The table in a file: what a line is named by → column → cell. Lines of the same name are numbered."""
    if name.endswith(".json"):
        document = json.loads(content)
        lines = [
            {column: display_value(cell) for column, cell in row.items()} for row in document.pop("rows")
        ]
        head = {column: json.dumps(value) for column, value in document.items()}
    else:
        reader = csv.DictReader(io.StringIO(content.decode(), newline=""), strict=True)
        lines = [{str(column): display_value(cell) for column, cell in row.items()} for row in reader]
        head = {"columns": ",".join(reader.fieldnames or ())}
    cells: dict[tuple[str, ...], dict[str, str]] = {("head",): head}
    seen: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        key = tuple(line.get(column, "") for column in key_columns)
        seen[key] += 1
        cells[key if seen[key] == 1 else (*key, str(seen[key]))] = line
    return cells
