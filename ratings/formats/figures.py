"""The figures file: what is signed and chained. Numbers and figures, no name."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

HEADER = (
    "fmjd_id,rating,change,period_games,games,category,rank,reached_2300,games_3_years,last_game,"
    "list,previous_sha256"
)


class Figures(NamedTuple):
    """One player's figures on a list; `change` is None for a new player, `last_game` where no game is known."""

    fmjd_id: int
    rating: int
    change: int | None
    period_games: int
    games: int
    category: str
    rank: int
    reached_2300: bool
    games_3_years: int
    last_game: date | None


@dataclass(frozen=True)
class File:
    """A file as it is stored: its bytes and their SHA-256 in hexadecimal."""

    content: bytes
    sha256: str


def file_of(content: bytes) -> File:
    return File(content, hashlib.sha256(content).hexdigest())


def figures_file(rows: Sequence[Figures], list_address: str, previous_sha256: str) -> File:
    """The figures of a list as CSV, in the order given; its digest is the list's digest.

    The first line carries the list's address (`fmjd-100/2026-04-01`) and the digest of the list before it, so
    that the digest binds both; on the other lines they are empty. No time, run or host is inside.
    """
    lines = [HEADER]
    for place, row in enumerate(rows):
        change = "" if row.change is None else row.change
        last_game = "" if row.last_game is None else row.last_game.isoformat()
        chain = f"{list_address},{previous_sha256}" if place == 0 else ","
        lines.append(
            f"{row.fmjd_id},{row.rating},{change},{row.period_games},{row.games},{row.category},{row.rank},"
            f"{int(row.reached_2300)},{row.games_3_years},{last_game},{chain}"
        )
    return file_of(("\n".join(lines) + "\n").encode())
