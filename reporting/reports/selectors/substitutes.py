"""Who plays for whom in a report."""

from dataclasses import dataclass

from reporting.register.selectors.register import players_by_number
from reporting.rules.register.registers import Register
from reporting.rules.report import ReadReport


@dataclass(frozen=True, slots=True)
class Substitute:
    """A substitute in a game, by the names of the report, with the player replaced and the opponent.

    `replaced` has the number of the player, and the name where `is_known`: the register has that number.
    """

    round: int
    name: str
    replaced: str
    opponent: str
    is_known: bool


def substitutes_of(read: ReadReport, register: Register) -> list[Substitute]:
    """The substitutes of a report, in the order of its games. 1 query, none without substitutes."""
    sides = [
        (game.round, replaced, *players)
        for game in read.games
        for replaced, *players in (
            (game.white_for, game.white, game.black),
            (game.black_for, game.black, game.white),
        )
        if replaced is not None
    ]
    if not sides:
        return []
    names = {player.number: player.name for player in read.players}
    known = players_by_number(register, {replaced for _, replaced, *_ in sides})
    return [
        Substitute(
            round_number,
            names.get(own, ""),
            f"{known[replaced].printed_name} ({replaced})" if replaced in known else str(replaced),
            names.get(other, ""),
            replaced in known,
        )
        for round_number, replaced, own, other in sides
    ]
