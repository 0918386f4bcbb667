"""The engine's input for the calculation of a period, as columns, and its digest."""

import hashlib
from dataclasses import dataclass, fields
from datetime import date

import numpy as np

from ratings.federations.fmjd.rules.columns import (
    BasisColumns,
    ChangeColumns,
    EventColumns,
    GameColumns,
    PlayerColumns,
    StoredChangeColumns,
)
from ratings.federations.fmjd.rules.edition import FmjdCalculation, FmjdRules
from ratings.federations.fmjd.rules.engine import FmjdListColumns, arrange, participations, rate
from ratings.federations.fmjd.rules.parameters import Parameters
from ratings.formats.number_lines import sorted_lines
from ratings.inputs.calculation_inputs import DecidedRow
from ratings.rules.columns import Integers, looked_up
from ratings.rules.days import day_of_number
from ratings.rules.values import CorrectionDifference


@dataclass(frozen=True)
class EngineInput:
    """Everything a period's figures depend on, and nothing else.

    `register_numbers` has one number (FMJD-ID) per row of `players`; `codes` one tournament code per event;
    `differences` are what carried corrections add to the players' starts; the players' columns include them.
    `clocks` has one number per event: the seconds for 60 moves of the games of a session, 0 for another tournament;
    None where there is no session (R25). `decided` is what norms and titles depend on beside the games: code, item,
    value and admitted players of each decision on a tournament (R78).
    """

    parameters: Parameters
    closing_day: int
    in_force: date
    events: EventColumns
    codes: tuple[str, ...]
    games: GameColumns
    basis: BasisColumns
    players: PlayerColumns
    register_numbers: Integers
    differences: tuple[CorrectionDifference, ...] = ()
    clocks: Integers | None = None
    decided: tuple[DecidedRow, ...] = ()

    @property
    def rules(self) -> FmjdRules:
        return FmjdRules(self.parameters)

    @property
    def player_count(self) -> int:
        return len(self.players)

    @property
    def tournament_count(self) -> int:
        return len(set(self.codes))

    @property
    def game_count(self) -> int:
        return len(self.games)

    @property
    def played_game_count(self) -> int:
        return int(self.games.played.sum())

    def calculate(self) -> FmjdCalculation:
        changes, rows = calculate_ratings(self)
        stored = StoredChangeColumns(
            **{field.name: getattr(changes, field.name) for field in fields(changes)},
            tournament=self.events.tournament[changes.event],
            basis=self.events.basis[changes.event],
            seconds_for_60_moves=(
                np.zeros_like(changes.event) if self.clocks is None else self.clocks[changes.event]
            ),
        )
        return FmjdCalculation(self.parameters, stored, rows)

    def digest(self) -> str:
        """SHA-256 over the sorted canonical lines of edition, events, list rows used, players and games.

        Players go by FMJD-ID; a game names its tournament by its place among the sorted codes, which stand in the
        lines of the events. So two installations with the same inputs agree. The clocks of a session stand one after
        another, the most time first.
        """
        players, events, games, basis = self.players, self.events, self.games, self.basis
        most_time_first = (-events.seconds_for_60_moves).tolist()
        by_code = sorted(
            range(len(self.codes)), key=lambda event: (self.codes[event], most_time_first[event])
        )
        place_of = np.empty(len(by_code), dtype=np.int64)
        place_of[by_code] = np.arange(len(by_code))
        lists = np.unique(events.basis)
        used = np.flatnonzero(np.isin(basis.player, players.player))
        carried = np.flatnonzero(players.carried)

        def number(ids: Integers) -> Integers:
            """FMJD-IDs of player ids, 0 for a pause."""
            return looked_up(players.player, self.register_numbers, ids, otherwise=0)

        digest = hashlib.sha256()
        digest.update(f"edition,{self.parameters.id}\n".encode())
        digest.update(f"closing,{day_of_number(self.closing_day).isoformat()}\n".encode())
        digest.update("".join(f"code,{self.codes[event]}\n" for event in by_code).encode())
        tables = {
            "event": (
                place_of, events.first_day, events.last_day, events.number, events.seconds_for_60_moves,
                np.searchsorted(lists, events.basis),
            ),
            "list": (np.searchsorted(lists, basis.basis[used]), number(basis.player[used]), basis.rating[used]),
            "player": (
                self.register_numbers, players.rating, players.games, players.first_2300_day,
                players.last_game_day, players.games_3_years,
            ),
            "carried": (self.register_numbers[carried], players.carried[carried]),
            "game": (
                place_of[games.event], number(games.white), number(games.black), games.white_points,
                games.black_points, games.played.astype(np.int64), games.day,
            ),
        }  # fmt: skip
        for word, columns in tables.items():
            for lines in sorted_lines(word, columns):
                digest.update(lines)
        digest.update("".join(f"decided,{','.join(row)}\n" for row in sorted(self.decided)).encode())
        return digest.hexdigest()


def calculate_ratings(engine_input: EngineInput) -> tuple[ChangeColumns, FmjdListColumns]:
    """A period's changes and list by Annex 9, from its input alone: no database, no clock."""
    taken_part = participations(
        engine_input.parameters,
        engine_input.closing_day,
        engine_input.events,
        engine_input.games,
        engine_input.basis,
    )
    changes, rated = rate(engine_input.parameters, engine_input.players, engine_input.events, taken_part)
    places = engine_input.players.player.searchsorted(rated.player)
    return changes, arrange(
        engine_input.parameters, engine_input.closing_day, rated, engine_input.register_numbers[places]
    )
