"""The lives of a report (R23) and of a request from the public: the tables are whole, the drawings are the tables."""

import pytest

from reporting.rules.lifecycle import (
    LIFECYCLE,
    REQUEST_LIFECYCLE,
    ReportMove,
    ReportState,
    RequestMove,
    RequestState,
    Turn,
    lifecycle_mermaid,
    move,
)

# State: who has the turn, and the state after each move.
REPORT = {
    "draft": (Turn.REFEREE, {"submit": "submitted", "withdraw": "withdrawn"}),
    "submitted": (
        Turn.OFFICE,
        {
            "take_back": "draft", "accept": "accepted", "return": "returned", "reject": "rejected",
            "withdraw": "withdrawn",
        },
    ),
    "returned": (Turn.REFEREE, {"edit": "draft", "submit": "submitted", "withdraw": "withdrawn"}),
    "accepted": (Turn.NONE, {"undo_acceptance": "submitted"}),
    "rejected": (Turn.NONE, {}),
    "withdrawn": (Turn.NONE, {}),
}  # fmt: skip
REQUEST = {
    "open": (Turn.OFFICE, {"take": "taken", "ask": "asked", "answer": "answered"}),
    "taken": (Turn.OFFICE, {"take": "taken", "ask": "asked", "answer": "answered"}),
    "asked": (Turn.VISITOR, {"reply": "taken", "answer": "answered"}),
    "answered": (Turn.NONE, {"reopen": "open"}),
}
LIVES = [
    (LIFECYCLE, ReportState, ReportMove, REPORT),
    (REQUEST_LIFECYCLE, RequestState, RequestMove, REQUEST),
]


@pytest.mark.parametrize(("table", "states", "moves", "expected"), LIVES)
def test_each_pair_of_state_and_move_is_allowed_or_not(table, states, moves, expected):
    assert set(table) == set(states) == set(expected)
    assert {made for row in table.values() for made in row.moves} == set(moves)
    for state in states:
        turn, allowed = expected[state]
        assert table[state].turn == turn
        assert [(str(made), str(after)) for made, after in table[state].moves.items()] == [*allowed.items()]
        for made in moves:
            if made in allowed:
                assert move(table, state, made) == allowed[made]
            else:
                with pytest.raises(ValueError, match=f"{state} does not allow the move {made}"):
                    move(table, state, made)


@pytest.mark.parametrize(("table", "states", "moves", "expected"), LIVES)
def test_the_drawing_has_a_line_for_each_move(table, states, moves, expected):
    begin, *drawn = lifecycle_mermaid(table).splitlines()
    ends = [f"    {state} --> [*]" for state, (_, allowed) in expected.items() if not allowed]
    lines = [
        f"    {s} --> {after}: {made}"
        for s, (_, allowed) in expected.items()
        for made, after in allowed.items()
    ]
    assert begin == "stateDiagram-v2"
    assert drawn[0] == f"    [*] --> {next(iter(expected))}"
    assert sorted(drawn[1:]) == sorted(lines + ends)
