"""The rows of a published list compared with each other, with the list before and with the changes (R9, R12, R13)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ratings.inputs.calculation_inputs import CalculationInputs, inputs_of_list
from ratings.inputs.starting_ratings import starting_ratings
from ratings.publishing.verification.verification_texts import words
from ratings.publishing.verification.verified_list import VerifiedList
from ratings.rules.declared import stored_rows
from ratings.rules.values import CorrectionDifference, PlayerStart
from reporting.models.register import ERASED_NAME
from reporting.rules.names.normalize_name import sort_name

FOLLOWING = ("position", "rank", "category", "official_position", "official_rank")
"""The columns of a row that follow from its figures and from the other rows."""


def verify_order(verified: VerifiedList) -> None:
    """Positions, ranks, category and official list follow from the figures by R12 and R13.

    Where all players are on the official list, its places are those of the full one.
    """
    rating_list, rows = verified.rating_list, verified.rows
    verified.compared["rows"] += len(rows)

    arranged = rating_list.rating_system.arranged(rating_list.rules, rating_list.closing, rows)
    derived = [column for column in rating_list.declaration.rows if column.name in FOLLOWING]
    expected = dict(zip(arranged.player.tolist(), stored_rows(derived, arranged), strict=True))
    for row in rows:
        following = expected[row.player_id]
        if not rating_list.declaration.has_official_list:
            following |= {"official_position": following["position"], "official_rank": following["rank"]}
        for name in FOLLOWING:
            if name in following:
                found = getattr(row, name)
                verified.expect(verified.rows_table, name, found, following[name], row.register_number)


def verify_names(verified: VerifiedList) -> None:
    """Who a row is of, and the alphabetical order by what its name is folded to (R13); erased names have left it."""
    places = sorted(row.name_position for row in verified.rows)
    dense = set(range(1, len(places) + 1))
    named = []
    for row in verified.rows:
        number = row.register_number
        registered = verified.numbers.get(row.player_id)
        verified.expect(verified.rows_table, "register_number", number, registered, registered)
        if row.name_position not in dense:
            verified.expect(
                verified.rows_table,
                "name_position",
                row.name_position,
                words("positions", last=len(places)),
                number,
            )
        if number not in verified.erased_numbers:
            parts = row.name.split(", ")  # a last name may hold a comma itself
            possible = [
                sort_name(", ".join(parts[:n]), ", ".join(parts[n:])) for n in range(1, len(parts) + 1)
            ]
            if row.sort_name not in possible:
                verified.expect(verified.rows_table, "sort_name", row.sort_name, possible[0], number)
            named.append(row)
    order = verified.rating_list.rows.exclude(name=ERASED_NAME)
    alphabetical = list(
        order.order_by("sort_name", "register_number", "player_id").values_list("player_id", flat=True)
    )
    label = verified.number_label
    standing = sorted(named, key=lambda row: row.name_position)
    for row, player in zip(standing, alphabetical, strict=True):
        if row.player_id != player:
            verified.expect(
                verified.rows_table,
                "name_position",
                words("player_at", label=label, number=row.register_number, position=row.name_position),
                words("player", label=label, number=str(verified.numbers.get(player))),
                row.register_number,
            )
            break


def verify_sums(verified: VerifiedList) -> None:
    """The rows follow from the list before, from carried points and from the changes, as its system says (R9)."""
    rating_list = verified.rating_list
    if rating_list.previous_id is None:
        return
    inputs = inputs_of_list(rating_list)
    before = _start_of_players(inputs, _verify_carried(verified, starting_ratings(inputs).differences))
    changes = defaultdict(list)
    for change in rating_list.changes.order_by("player_id", "sequence"):
        changes[change.player_id].append(change)
        verified.compared["changes"] += 1
    listed = set()
    for row in verified.rows:
        number, listed_before = row.register_number, before[row.player_id].listed
        difference = None if listed_before is None else row.rating - listed_before
        verified.expect(verified.rows_table, "change", row.change, difference, number)
        for place, change in enumerate(changes.get(row.player_id, ())):
            verified.expect(verified.changes_table, "sequence", change.sequence, place, number)
        listed.add(row.player_id)
    for player in changes.keys() - listed:
        verified.expect(verified.rows_table, "player_id", None, words("a_row"), verified.numbers.get(player))
    for wrong in rating_list.rating_system.check_rows(rating_list.rules, before, verified.rows, changes):
        table = verified.changes_table if wrong.of_change else verified.rows_table
        expected = words("a_row") if wrong.column == "player_id" else wrong.expected
        verified.expect(table, wrong.column, wrong.found, expected, verified.numbers.get(wrong.player))


def _start_of_players(
    inputs: CalculationInputs, carried: Mapping[int, tuple[int, int]]
) -> defaultdict[int, PlayerStart]:
    """What each player of the list before, and each with carried points, starts from; others from nothing."""
    begun = starting_ratings(inputs)
    rows = inputs.previous.rows.values_list("player_id", "rating", "games")
    listed = {player: (rating, games) for player, rating, games in rows}
    own = {player: row for player, row in listed.items() if player not in begun.ends} | begun.start
    found: defaultdict[int, PlayerStart] = defaultdict(PlayerStart)
    for player in {*listed, *own, *carried}:
        rating, games = own.get(player, (0, 0))
        points, more = carried.get(player, (0, 0))
        found[player] = PlayerStart(
            listed[player][0] if player in listed else None, rating + points, games + more
        )
    return found


def _verify_carried(
    verified: VerifiedList, differences: Sequence[CorrectionDifference]
) -> dict[int, tuple[int, int]]:
    """What the carried corrections put to each player, from the rows of their lists, as it is stored: player → sums."""
    sums: defaultdict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for difference in differences:
        rating, games = sums[difference.player]
        sums[difference.player] = rating + difference.rating, games + difference.games
    stored = {
        player: (rating, games)
        for player, rating, games in verified.rating_list.carried_differences.values_list(
            "player_id", "rating", "games"
        )
    }
    for player in sorted({*sums, *stored}):
        verified.compared["carried"] += 1
        for place, column in enumerate(("rating", "games")):
            found, expected = (
                figures[player][place] if player in figures else None for figures in (stored, sums)
            )
            verified.expect(
                "ratings_carrieddifference", column, found, expected, verified.numbers.get(player)
            )
    return sums
