"""The life of a request from the public: the table is whole, and somebody has the turn while it is open."""

from reporting.rules.lifecycle import (
    REQUEST_LIFECYCLE,
    RequestMove,
    RequestState,
    Turn,
    lifecycle_mermaid,
)

ALLOWED = {
    "open": {"take": "taken", "ask": "asked", "answer": "answered"},
    "taken": {"take": "taken", "ask": "asked", "answer": "answered"},
    "asked": {"reply": "taken", "answer": "answered"},
    "answered": {"reopen": "open"},
}
TURNS = {"open": Turn.OFFICE, "taken": Turn.OFFICE, "asked": Turn.VISITOR, "answered": Turn.NONE}


def test_each_pair_of_state_and_move_is_allowed_or_not():
    assert set(REQUEST_LIFECYCLE) == set(RequestState) == set(ALLOWED)
    assert {move for moves in ALLOWED.values() for move in moves} == set(RequestMove)
    for state in RequestState:
        for move in RequestMove:
            assert REQUEST_LIFECYCLE[state].moves.get(move) == ALLOWED[state].get(move)


def test_somebody_has_the_turn_exactly_while_the_request_is_not_answered():
    assert {state.value: row.turn for state, row in REQUEST_LIFECYCLE.items()} == TURNS


def test_the_drawing_begins_with_an_open_request_and_has_a_line_for_each_move():
    drawing = lifecycle_mermaid(REQUEST_LIFECYCLE)
    assert drawing.startswith("stateDiagram-v2\n    [*] --> open\n")
    for state, moves in ALLOWED.items():
        for move, after in moves.items():
            assert f"    {state} --> {after}: {move}\n" in drawing
