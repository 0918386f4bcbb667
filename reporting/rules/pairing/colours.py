"""Who has White in a pair (Annex 5 art. 3.7a, App. A b, B b; R68): only games played count."""

from __future__ import annotations

from reporting.rules.pairing.tournament import History


def white_and_black(history: History, higher: int, lower: int, board: int) -> tuple[int, int]:
    """Return the two rows of a pair, White first; `higher` comes first in pairing order, `board` counts from 1."""
    first, second = _games(history, higher), _games(history, lower)
    if not first and not second:
        by_rating = history.tournament.is_round_1_by_rating
        is_white = board % 2 == 1 or not by_rating
        return (higher, lower) if is_white else (lower, higher)
    balances = sum(first), sum(second)
    if first and second:
        if first[-1] != second[-1] and balances[0] != balances[1]:
            return (higher, lower) if balances[0] < balances[1] else (lower, higher)
        for own, other in zip(reversed(first), reversed(second), strict=False):
            if own != other:
                return (higher, lower) if own < other else (lower, higher)
    if balances[0] != balances[1]:
        return (higher, lower) if balances[0] < balances[1] else (lower, higher)
    players = history.tournament.players
    decisive = min(
        (row for row, games in ((higher, first), (lower, second)) if games),
        key=lambda row: (players[row].lot, players[row].number),
    )
    had_white = (first if decisive == higher else second)[-1] > 0
    other = lower if decisive == higher else higher
    return (other, decisive) if had_white else (decisive, other)


def _games(history: History, row: int) -> list[int]:
    """The colours of a player's games in their order: 1 for White, -1 for Black."""
    return [colour for colour in history.table.colours[row].tolist() if colour]
