"""Random Swiss tournaments, paired by the rules and played by expectation (R61a); a seed gives the same one again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from reporting.rules.pairing.pair_round import ImpossibleRound, pair_round
from reporting.rules.pairing.tournament import PAUSE, PairedGame, PairingPlayer, Result, Tournament

WHITE_ADVANTAGE = 28
"""Rating points that give White 54 % (R61a)."""

LEAST_RATING, MOST_RATING = 1400, 2400


@dataclass(frozen=True)
class Rates:
    """How often something happens, from 0 to 1: a draw between equal players; a game decided by forfeit; a player
    absent in a round; a player entering after round 1; a player withdrawing at some round."""

    draws: float = 0.32
    forfeits: float = 0.0
    absences: float = 0.0
    late: float = 0.0
    withdrawals: float = 0.0


def random_players(count: int, rounds: int, rates: Rates, random: Random) -> tuple[PairingPlayer, ...]:
    """Return players with random ratings, numbered and with lots from the highest rating down."""
    ratings = sorted((random.randint(LEAST_RATING, MOST_RATING) for _ in range(count)), reverse=True)
    return tuple(
        PairingPlayer(
            number=number,
            rating=rating,
            lot=number,
            from_round=random.randint(2, rounds) if rounds > 1 and random.random() < rates.late else 1,
            absent=frozenset(round_ for round_ in range(1, rounds + 1) if random.random() < rates.absences),
            withdrawn_after=random.randint(1, rounds) if random.random() < rates.withdrawals else None,
        )
        for number, rating in enumerate(ratings, start=1)
    )


def simulate(tournament: Tournament, rates: Rates, random: Random) -> Tournament:
    """Return the tournament with all rounds paired and played; it ends early before a round that cannot be paired."""
    ratings = {player.number: player.rating or 0 for player in tournament.players}
    games: list[PairedGame] = []
    for round_ in range(1, tournament.rounds + 1):
        answer = pair_round(replace(tournament, round=round_, games=tuple(games)))
        if isinstance(answer, ImpossibleRound):
            break
        games += [
            PairedGame(
                round_,
                pair.white,
                pair.black,
                result_of(ratings[pair.white] - ratings[pair.black], rates, random),
            )
            for pair in answer.pairs
        ]
        if answer.pause is not None:
            games.append(PairedGame(round_, answer.pause, PAUSE, Result.WHITE_WINS))
    return replace(tournament, round=max((game.round for game in games), default=0) + 1, games=tuple(games))


def result_of(difference: int, rates: Rates, random: Random) -> Result:
    """Return the result of a game, given White's rating minus Black's (R61a)."""
    expected = 1 / (1 + 10 ** (-(difference + WHITE_ADVANTAGE) / 400))
    draw = rates.draws * (1 - abs(2 * expected - 1))
    drawn = random.random()
    is_forfeit = random.random() < rates.forfeits
    if drawn < draw and not is_forfeit:
        return Result.DRAW
    is_white = drawn < draw + expected - draw / 2
    if is_forfeit:
        return Result.WHITE_WINS_BY_FORFEIT if is_white else Result.BLACK_WINS_BY_FORFEIT
    return Result.WHITE_WINS if is_white else Result.BLACK_WINS
