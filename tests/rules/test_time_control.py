"""Time controls as the rules name them, and as people mistype them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporting.rules.details.time_control import (
    Session,
    TimeControl,
    TimeControlError,
    minutes_text,
    parse_time_control,
)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        # Annex 3 art. 6.1 a to d, and Annex 17 art. 9.2 with a minute a move.
        ("80+30", 110),  # 80 + 60 x 0,5
        ("120+30", 150),  # "maximum 2 hours": 120 + 30
        ("80+60", 140),  # 80 + 60 x 1
        ("60+30", 90),  # 60 + 60 x 0,5
        ("90/45+30+30@46", 127.5),  # 90 + 30 + 15 moves (46 to 60) x 0,5
        ("120/50+60/25", 180),  # 120 + 60; the session of moves 76 to 100 begins after move 60
        ("120/50+30", 150),  # 120 + 30 till the end
        # No added time, half minutes, rapid and blitz.
        ("80", 80),
        ("15", 15),
        ("7.5+3", 10.5),  # 7,5 + 60 x 0,05
        ("5+5", 10),
        ("0+30", 30),
        # A session that begins at move 60 counts whole; one that begins at move 61 does not.
        ("60/59+20", 80),
        ("60/60+20", 60),
        ("10/20", 30),  # moves 1, 21, 41
        ("10/20+5/10", 30),  # 10 + moves 21, 31, 41, 51: 4 x 5
        # Added from a move on: 60 has one move left, 61 none; before the first session's end too.
        ("60+30@60", 60.5),
        ("60+30@61", 60),
        ("90/40+30+30@1", 150),  # 90 + 30 + 60 x 0,5
        ("120/50+60/25+6@51", 181),  # 120 + 60 + 10 x 0,1
    ],
)
def test_the_minutes_for_the_first_sixty_moves_are_the_sum_of_the_sessions_begun(text, minutes):
    control = parse_time_control(text)
    assert control.seconds_for_60_moves == minutes * 60
    assert isinstance(control.seconds_for_60_moves, int)


@pytest.mark.parametrize(
    ("text", "calculation_text", "words"),
    [
        ("80+30", "80 min + 60 moves × 30 s = 110 min for 60 moves", "80 min + 30 s"),
        ("80", "80 min = 80 min for 60 moves", "80 min"),
        ("90/45+30+30@46",
         "90 min (moves 1 to 45) + 30 min (from move 46) + 15 moves × 30 s = 127.5 min for 60 moves",
         "90 min for 45 moves + 30 min + 30 s from move 46"),
        ("120/50+60/25", "120 min (moves 1 to 50) + 60 min (moves 51 to 75) = 180 min for 60 moves",
         "120 min for 50 moves + 60 min for each 25 moves"),
        ("120/50+30", "120 min (moves 1 to 50) + 30 min (from move 51) = 150 min for 60 moves",
         "120 min for 50 moves + 30 min"),
    ],
)  # fmt: skip
def test_a_time_control_is_shown_worked_out_and_in_words(text, calculation_text, words):
    control = parse_time_control(text)
    assert control.calculation_text() == calculation_text
    assert control.words == words


@pytest.mark.parametrize(
    ("text", "column", "found", "expected"),
    [
        ("", 1, "", "minutes"), ("   ", 1, "", "minutes"), ("abc", 1, "a", "minutes"),
        ("80'+30", 3, "'", "/, + or the end"), ("80,5", 3, ",", "/, + or the end"),
        ("80 30", 4, "30", "/, + or the end"), ("80.25", 1, "80.25", "whole or with .5"),
        ("12345", 1, "12345", "four digits"), ("80+", 4, "", "whole seconds"),
        ("80+1.5", 4, "1.5", "whole seconds"), ("80+30+10", 6, "+", "the end"),
        ("80+30@", 7, "", "the number of a move"), ("80+30@0", 7, "0", "the number of a move"),
        ("90/", 4, "", "a number of moves"), ("90/0", 4, "0", "a number of moves"),
        ("90/45 30", 7, "30", "+ or the end"), ("90/45+30x", 9, "x", "+ or the end"),
        # The usual way to write it does not say from which move: it is asked, never guessed.
        ("90/45+30+30", 12, "", "@ and the move"), ("90/45+1.5@46", 7, "1.5", "whole seconds"),
        ("90/45+30+30@46 x", 16, "x", "the end"), ("٨٠+30", 1, "٨", "minutes"), ("0", 1, "0", "above zero"),
        ("0+0", 1, "0", "above zero"), ("0+30@61", 1, "0+30@61", "above zero"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_where_what_was_found_and_what_is_expected(text, column, found, expected):
    with pytest.raises(TimeControlError) as caught:
        parse_time_control(text)
    assert (caught.value.column, caught.value.found) == (column, found)
    assert expected in caught.value.expected
    assert f"column {column}" in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_spaces_between_the_signs_do_not_matter_and_columns_count_them():
    assert parse_time_control("  90 / 45 + 30 + 30 @ 46 ") == parse_time_control("90/45+30+30@46")
    with pytest.raises(TimeControlError) as caught:
        parse_time_control("  80 + x")
    assert caught.value.column == 8


def test_after_sessions_a_number_with_a_move_is_seconds_and_without_one_minutes():
    assert parse_time_control("90/45+30@46") == TimeControl((Session(5400, 45),), 30, 46)
    assert parse_time_control("90/45+30") == TimeControl((Session(5400, 45), Session(1800, None)))


def test_a_time_is_written_in_minutes_as_people_write_it():
    assert [minutes_text(seconds) for seconds in (6600, 7650, 6455)] == [
        "110 min", "127.5 min", "107 min 35 s",
    ]  # fmt: skip


numbers = st.integers(1, 300)
sessions = st.lists(st.builds(Session, st.integers(1, 600).map(lambda n: n * 30), numbers), max_size=3)


@given(sessions, st.integers(1, 600), st.integers(0, 90), st.integers(1, 70))
def test_what_is_written_out_is_read_back_the_same(before, half_minutes, added, first):
    rest = Session(half_minutes * 30, None)
    control = TimeControl((*before, rest), added, first if added else 1)
    assert parse_time_control(str(control)) == control
    if before:
        repeated = TimeControl(tuple(before), added, first if added else 1)
        assert parse_time_control(str(repeated)) == repeated


@given(sessions, st.integers(1, 600), st.integers(1, 90))
def test_the_time_is_what_a_player_has_who_makes_sixty_moves(before, half_minutes, added):
    control = TimeControl((*before, Session(half_minutes * 30, None)), added, 31)
    # Walk through the moves one by one, getting each session's time at its first move.
    clock, session, left = 0, -1, 0
    for move in range(1, 61):
        if left == 0:
            session += 1
            clock += control.sessions[session].seconds
            left = control.sessions[session].moves or 10_000
        left -= 1
        clock += added if move >= 31 else 0
    assert control.seconds_for_60_moves == clock


@given(st.text(alphabet="0123456789+/@. x", max_size=12))
def test_any_text_is_read_or_refused_with_a_column_inside_or_just_after_it(text):
    try:
        control = parse_time_control(text)
    except TimeControlError as error:
        column = error.column
    else:
        column = 1
        assert control.seconds_for_60_moves > 0
        assert parse_time_control(str(control)) == control
    assert 1 <= column <= len(text) + 1
