"""A list compared with its recalculation: from the inputs in the database, and from its published files."""

from collections.abc import Sequence

from django.db.models import Q

from ratings.inputs.calculation_inputs import inputs_of_list
from ratings.inputs.held_rows import held_rows
from ratings.models import PublishedFile, RatingList
from ratings.publishing.verification.verification_texts import words
from ratings.publishing.verification.verified_list import HELD, LIST, VerifiedList, display_value
from ratings.rules.declared import stored_rows


def verify_calculation(verified: VerifiedList) -> None:
    """Read the inputs again and recalculate every figure."""
    rating_list = verified.rating_list
    declaration = rating_list.declaration
    inputs = inputs_of_list(rating_list)
    engine_input = rating_list.rating_system.read_input(inputs)
    verified.expect(LIST, "input_sha256", rating_list.input_sha256, inputs.digest(engine_input))
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

    held = {row["player_id"]: row for row in held_rows(rating_list)}
    for figures in stored_rows(declaration.held, calculation.held) if calculation.held is not None else ():
        stored_row = held.pop(figures["player_id"], {})
        for name, figure in figures.items():
            found = display_value(stored_row.get(name))
            number = verified.numbers.get(figures["player_id"])
            verified.expect(HELD, name, found, display_value(figure), number)
    for player in held:
        verified.expect(HELD, "player_id", words("a_row"), None, verified.numbers.get(player))

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


def verify_by_files(verified: VerifiedList) -> None:
    """Recalculate the list by the program for readers, from the files as they are published."""
    for difference in recomputed_differences(verified.rating_list):
        where, _, found = difference.removeprefix(f"{verified.address} ").partition(": ")
        verified.expect("recompute.py", where, found, words("no_difference"))


def recomputed_differences(rating_list: RatingList) -> Sequence[str]:
    """What the program of its system finds different in the files of a list, published or not. 1 query a list.

    The files of other lists are those published.
    """
    address = f"{rating_list.address}/r{rating_list.revision}"
    files: dict[str, dict[str, bytes]] = {}

    def get(place: str) -> bytes | None:
        _, _, pool, in_force, revision, _, name = place.split("/")
        of_list = f"{pool}/{in_force}/{revision}"
        if of_list not in files:
            is_read = Q(list=rating_list) if of_list == address else Q(list__state=RatingList.State.PUBLISHED)
            found = PublishedFile.objects.filter(
                is_read,
                list__pool__code=pool,
                list__in_force=in_force,
                list__revision=revision[1:],
                has_names=False,
            )
            files[of_list] = {file.name: bytes(file.content) for file in found}
        return files[of_list].get(name)

    recomputation = rating_list.rating_system.recomputation
    return recomputation.differences(address, get) if recomputation else ()
