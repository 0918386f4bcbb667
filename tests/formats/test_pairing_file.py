"""The JSON of a pairing: every finding with line and column, and what is written is read again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporting.formats.pairing.json_places import (
    PlacesNeededError,
    UnreadableJsonError,
    read_json,
    read_json_without_places,
)
from reporting.formats.pairing.json_reader import MAX_BYTES
from reporting.formats.pairing.pairing_file import read_pairing_file, write_pairing_file
from reporting.rules.findings.finding_list import Severity
from reporting.rules.pairing.tournament import SYSTEMS, Acceleration, Colours, PairedGame, Result

GOOD = """{"system":"rating","colours":"none","floats":true,"acceleration":"none","parts":4,
"first_round":"rating","rounds":9,"round":2,
"players":[{"number":1,"rating":2310,"lot":3,"federation":"NED","from_round":1,"absent":[5],"withdrawn_after":null},
{"number":2,"rating":2200},
{"number":3,"rating":2100,"lot":1},{"number":4,"rating":2000}],
"games":[{"round":1,"white":1,"black":2,"result":"2-0"},
{"round":1,"white":3,"black":4,"result":""}],
"forbidden":[[1,3]],"fixed":[[4,2]]}"""


def findings(text):
    reading = read_pairing_file(text.encode() if isinstance(text, str) else text)
    assert (reading.tournament is None) == bool(reading.findings)
    return [(each.code, each.line, each.column, each.found) for each in reading.findings]


def test_all_entries_are_read():
    tournament = read_pairing_file(GOOD.encode()).tournament
    assert tournament.system is SYSTEMS["rating"]
    assert (tournament.colours, tournament.acceleration, tournament.parts) == (
        Colours.NONE,
        Acceleration.NONE,
        4,
    )
    assert (tournament.round, tournament.rounds, tournament.has_floats) == (2, 9, True)
    first, second = tournament.players[:2]
    assert (first.lot, first.federation, first.absent, first.withdrawn_after) == (3, "NED", {5}, None)
    assert (second.lot, second.from_round, second.absent) == (2, 1, frozenset())  # the lot is the number
    assert tournament.games == (PairedGame(1, 1, 2, Result.WHITE_WINS), PairedGame(1, 3, 4, Result.OPEN))
    assert (tournament.forbidden, tournament.fixed) == (((1, 3),), ((4, 2),))


def test_the_round_is_the_one_after_the_last_game_and_round_1_by_the_system():
    text = GOOD.replace('"round":2,', "", 1).replace('"first_round":"rating",', "")
    assert read_pairing_file(text.encode()).tournament.round == 2
    assert read_pairing_file(text.encode()).tournament.first_round_by_rating
    by_lot = read_pairing_file(text.replace('"rating","colours"', '"kndb","colours"').encode()).tournament
    assert not by_lot.first_round_by_rating  # R62
    assert read_pairing_file(GOOD.encode(), round_=1).tournament.games == ()


def test_what_is_written_is_read_again():
    tournament = read_pairing_file(GOOD.encode()).tournament
    written = write_pairing_file(tournament)
    again = read_pairing_file(written.encode()).tournament
    assert (again.players, again.games, again.forbidden) == (
        tournament.players,
        tournament.games,
        tournament.forbidden,
    )


@pytest.mark.parametrize(
    ("old", "new", "code", "at", "found"),
    [
        ('"system":"rating"', '"system":"dutch"', "pairing-value-wrong", '"dutch"', "dutch"),
        ('"floats":true', '"floats":1', "pairing-value-wrong", '1,"acceleration', "1"),
        ('"parts":4', '"parts":5', "pairing-value-wrong", "5,", "5"),
        ('"rounds":9,"round":2', '"rounds":9,"round":10', "pairing-round-late", "10,", "10"),
        ('"rounds":9', '"turns":9', "pairing-entry-missing", "{", "nothing"),
        ('"rounds":9', '"turns":9', "pairing-name-unknown", '"turns"', "turns"),
        ('"number":2,', '"number":1,', "pairing-number-repeated", '1,"rating":2200', "1"),
        ('"lot":1', '"lot":2', "pairing-number-repeated", "2},", "2"),
        ('"rating":2200', '"rating":null', "pairing-rating-missing", '{"number":2', "nothing"),
        ('"rating":2200', '"rating":"A"', "pairing-value-wrong", '"A"', "A"),
        ('"black":2', '"black":9', "pairing-player-unknown", '9,"result', "9"),
        ('"black":2', '"black":1', "pairing-value-wrong", '1,"result', "1"),
        ('"white":3', '"white":1', "pairing-player-twice", '1,"black":4', "1"),
        ('"result":"2-0"', '"result":"1-0"', "pairing-value-wrong", '"1-0"', "1-0"),
        ('{"round":1,"white":3', '{"round":2,"white":3', "pairing-game-late", '2,"white":3', "2"),
        ("[[1,3]]", "[[1,1]]", "pairing-value-wrong", "[1,1]", "[…]"),
        ("[[4,2]]", "[[4,9]]", "pairing-player-unknown", "9]]", "9"),
        ("[[4,2]]", "[[4,2],[4,1]]", "pairing-player-twice", "4,1]", "4"),
        ('"absent":[5]', '"absent":[1]', "pairing-player-absent", '1,"black":2', "1"),
        ('"lot":3', '"lot":3,"lot":4', "pairing-name-repeated", '"lot":4', "lot"),
        ('"lot":3', '"lots":3', "pairing-name-unknown", '"lots"', "lots"),
    ],
)
def test_a_wrong_entry_is_found_at_its_place(old, new, code, at, found):
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    before = text[: text.index(at)].split("\n")
    assert (code, len(before), len(before[-1]) + 1, found) in findings(text)


def test_all_findings_come_at_once():
    text = (
        GOOD.replace('"colours":"none"', '"colours":"red"')
        .replace('"black":2', '"black":9')
        .replace("2-0", "x")
    )
    assert {code for code, *_ in findings(text)} == {"pairing-value-wrong"}
    assert len(findings(text)) == 2  # the game without a result is not judged again


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("[1, 2", 1, 6),
        ('{"system" "rating"}', 1, 11),
        ('{"rounds": 1.5}', 1, 12),
        ('{"rounds":\n 1e3}', 2, 2),
        ("[" * 50, 1, 7),
        pytest.param("[" * 100_000, 1, 7, id="100,000 levels"),
        ('{"a": tru}', 1, 7),
        ('{"a": "\x01"}', 1, 8),
        ("{} {}", 1, 4),
        (b'{"a": "\xff"}', 1, 8),
    ],
)
def test_text_that_is_no_json_is_refused_at_its_place(text, line, column):
    assert [(code, *place) for code, *place, _ in findings(text)] == [("json-unreadable", line, column)]


@pytest.mark.parametrize(
    ("old", "new", "line", "column"),
    [
        ("4,\n", "4.0,\n", 1, 81),
        ("2200", "2200e0", 4, 22),
        ("2200", "NaN", 4, 22),
        ("2200", "-Infinity", 4, 22),
        ("2200", str(10**18), 4, 22),
        pytest.param("2200", "9" * 5_000, 4, 22, id="5,000 digits"),
        ("[[1,3]]", "[[[[[[1]]]]]]", 8, 18),
    ],
)
def test_what_no_pairing_has_is_no_json_of_one(old, new, line, column):
    assert [found[:3] for found in findings(GOOD.replace(old, new, 1))] == [("json-unreadable", line, column)]


def test_of_a_repeated_name_the_first_value_counts():
    text = GOOD.replace('"lot":3,', '"lot":3,"lot":"x",')
    assert findings(text) == [("pairing-name-repeated", 3, 46, "lot")]


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers(-(10**18) + 1, 10**18 - 1) | st.text(),
        lambda values: st.lists(values) | st.dictionaries(st.text(), values),
        max_leaves=8,
    ),
    place=st.integers(0, 200),
    piece=st.sampled_from(["", " ", "{", "[", "]", ",", '"', "0", ".5", "e1", "\\", "\n", "null", "NaN"]),
    indent=st.sampled_from([None, 1]),
)
def test_without_places_the_same_is_read(value, place, piece, indent):
    """And where a text damaged by a piece is refused without places, it is none or has a name twice."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    damaged = text[:place] + piece + text[place:]
    try:
        with_places = read_json(damaged)
    except UnreadableJsonError:
        return
    try:
        assert with_places == read_json_without_places(damaged)
    except PlacesNeededError:
        assert has_a_name_twice(with_places)


def has_a_name_twice(value):
    if isinstance(value, dict):
        return bool(value.repeated) or any(map(has_a_name_twice, value.values()))
    return isinstance(value, list) and any(map(has_a_name_twice, value))


def test_a_large_file_is_not_read():
    assert findings(b" " * (MAX_BYTES + 1))[0][0] == "pairing-file-too-large"


@given(place=st.integers(0, len(GOOD) - 1), piece=st.text(max_size=4), cut=st.integers(0, 6))
def test_a_damaged_file_is_read_or_refused(place, piece, cut):
    damaged = GOOD[:place] + piece + GOOD[place + cut :]
    reading = read_pairing_file(damaged.encode("utf-8", errors="surrogatepass"))
    assert reading.tournament is not None or reading.findings


def test_any_json_is_read_or_refused():
    values = (0, -1, 10**30, "", "x", None, True, [], [[]], {}, {"number": None})
    for name in json.loads(GOOD):
        for value in values:
            text = json.dumps(json.loads(GOOD) | {name: value})
            reading = read_pairing_file(text.encode())
            assert reading.tournament is not None or reading.findings, (name, value)


def test_places_in_a_file_of_many_lines_are_those_of_its_text():
    """Line 2 is "1,", line 3 " 10," and a text whose line feed is escaped."""
    text = '{"system":"rating","rounds":9,"players":[],"games":[\n1,\n 10,"x\\n",\n\n{}]}'
    places = [(line, column) for code, line, column, _ in findings(text) if code == "pairing-value-wrong"]
    assert places == [(2, 1), (3, 2), (3, 5)]


def test_before_round_1_as_many_rounds_as_half_of_the_players_are_a_warning():
    """Art. 4.4: four players, so from two rounds on; the tournament is read all the same."""
    players = ",".join(f'{{"number":{number},"rating":2000}}' for number in range(1, 5))
    for rounds, expected in ((1, []), (2, [("pairing-many-rounds", Severity.WARNING, 1, 29)])):
        text = f'{{"system":"rating","rounds":{rounds},"players":[{players}]}}'
        reading = read_pairing_file(text.encode())
        assert [(each.code, each.severity, each.line, each.column) for each in reading.findings] == expected
        assert reading.tournament is not None
    played = text.replace("]}", '],"games":[{"round":1,"white":1,"black":2,"result":"2-0"}]}')
    assert read_pairing_file(played.encode()).findings == ()


@pytest.mark.parametrize(
    ("official", "rounds", "codes"),
    [
        ("true", 6, ["pairing-few-rounds"]),
        ("true", 7, []),
        ("false", 6, []),
        ("1", 6, ["pairing-value-wrong"]),
    ],
)
def test_before_round_1_an_official_competition_of_few_rounds_is_a_warning(official, rounds, codes):
    """Annex 2 art. 3a: at least 7 rounds; 20 players have more than twice as many."""
    players = ",".join(f'{{"number":{number},"rating":2000}}' for number in range(1, 21))
    text = f'{{"system":"rating","official":{official},"rounds":{rounds},"players":[{players}]}}'
    reading = read_pairing_file(text.encode(), least_rounds=7)
    assert [found.code for found in reading.findings] == codes
    if "pairing-few-rounds" in codes:
        (found,) = reading.findings
        assert (found.severity, found.line, found.column) == (Severity.WARNING, 1, 45)
        assert (found.found, found.expected) == ("6 rounds", "at least 7 rounds")
        assert reading.tournament is not None
