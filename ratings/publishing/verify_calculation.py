"""A published list compared with its recalculation from the inputs in the database."""

from ratings.inputs.calculation_inputs import inputs_of_list
from ratings.publishing.verification_texts import words
from ratings.publishing.verified_list import LIST, VerifiedList
from ratings.systems.declared import stored_rows


def verify_calculation(verified: VerifiedList) -> None:
    """Read the inputs again and recalculate every figure."""
    rating_list = verified.rating_list
    declaration = rating_list.declaration
    engine_input = rating_list.rating_system.read_input(inputs_of_list(rating_list))
    verified.expect(LIST, "input_sha256", rating_list.input_sha256, engine_input.digest())
    calculation = engine_input.calculate()
    expected = {row["player_id"]: row for row in stored_rows(declaration.rows, calculation.rows)}
    for row in verified.rows:
        figures = expected.pop(row.player_id, None)
        if figures is None:
            verified.expect(verified.rows_table, "player_id", row.register_number, None, row.register_number)
            continue
        verified.compared["rows recalculated"] += 1
        for name, figure in figures.items():
            verified.expect(verified.rows_table, name, getattr(row, name), figure, row.register_number)
    for player in expected:
        verified.expect(verified.rows_table, "player_id", None, words("a_row"), verified.numbers.get(player))

    stored = {(change.player_id, change.sequence): change for change in rating_list.changes}
    for figures in stored_rows(declaration.changes, calculation.changes):
        player, sequence = figures["player_id"], figures["sequence"]
        number, change = verified.numbers.get(player), stored.pop((player, sequence), None)
        if change is None:
            verified.expect(verified.changes_table, "player_id/sequence", None, sequence, number)
            continue
        verified.compared["changes recalculated"] += 1
        for name, figure in figures.items():
            verified.expect(verified.changes_table, name, getattr(change, name), figure, number)
    for player, sequence in stored:
        verified.expect(
            verified.changes_table, "player_id/sequence", sequence, None, verified.numbers.get(player)
        )
