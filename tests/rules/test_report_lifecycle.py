"""The life of a report (R23): the table is whole, and the drawing is the table."""

import pytest

from reporting.rules.lifecycle import (
    LIFECYCLE,
    ReportMove,
    ReportState,
    Turn,
    lifecycle_mermaid,
    move,
)

ALLOWED = {
    "draft": {"submit": "submitted", "withdraw": "withdrawn"},
    "submitted": {
        "take_back": "draft",
        "accept": "accepted",
        "return": "returned",
        "reject": "rejected",
        "withdraw": "withdrawn",
    },
    "returned": {"edit": "draft", "submit": "submitted", "withdraw": "withdrawn"},
    "accepted": {"undo_acceptance": "submitted"},
    "rejected": {},
    "withdrawn": {},
}


def test_every_state_has_a_row_and_every_move_a_use():
    assert set(LIFECYCLE) == set(ReportState)
    assert {move for row in LIFECYCLE.values() for move in row.moves} == set(ReportMove)


def test_each_pair_of_state_and_move_is_allowed_or_not():
    for state in ReportState:
        for made in ReportMove:
            if made in ALLOWED[state]:
                assert move(LIFECYCLE, state, made) == ALLOWED[state][made]
            else:
                with pytest.raises(ValueError, match=f"{state} does not allow the move {made}"):
                    move(LIFECYCLE, state, made)
        assert [str(move) for move in LIFECYCLE[state].moves] == list(ALLOWED[state])


def test_every_state_can_be_reached_from_the_first():
    reached, waiting = set(), [ReportState.DRAFT]
    while waiting:
        state = waiting.pop()
        reached.add(state)
        waiting += [after for after in LIFECYCLE[state].moves.values() if after not in reached]
    assert reached == set(ReportState)


def test_somebody_has_the_turn_exactly_while_the_report_is_open():
    turns = {str(state): LIFECYCLE[state].turn for state in ReportState}
    assert turns == {
        "draft": Turn.REFEREE,
        "submitted": Turn.OFFICE,
        "returned": Turn.REFEREE,
        "accepted": Turn.NONE,
        "rejected": Turn.NONE,
        "withdrawn": Turn.NONE,
    }


def test_the_drawing_has_a_line_for_each_move():
    drawing = lifecycle_mermaid(LIFECYCLE)
    assert drawing.startswith("stateDiagram-v2\n    [*] --> draft\n")
    for state, moves in ALLOWED.items():
        for made, after in moves.items():
            assert f"    {state} --> {after}: {made}\n" in drawing
    assert drawing.endswith("    rejected --> [*]\n    withdrawn --> [*]\n")
