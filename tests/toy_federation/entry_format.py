"""The file of the toy federation: a line for the tournament, one a player, one a game, their fields between bars.

A draw is printed as 0.5 points.
"""

import re
from collections.abc import Sequence
from datetime import date

from reporting.rules.details.detail_kinds import parse_day
from reporting.rules.report import (
    EntryFormat,
    ReadReport,
    ReportedGame,
    ReportedInfo,
    ReportedPlayer,
)

TOURNAMENT, PLAYER, GAME = "toy report", "player", "game"
INFO = ("name", "place", "country", "referee", "system", "played_from", "played_to", "winner")
TEXTS = ("local_id", "first_name", "last_name", "federation", "sex")


def recognises(lines: tuple[str, ...]) -> bool:
    """Whether it begins with the line of a tournament."""
    return lines[0].startswith(f"{TOURNAMENT}|")


def read_toy(lines: tuple[str, ...], *, encoding: str = "utf-8") -> ReadReport:
    """Read what `write_toy` writes."""
    info, players, games = ReportedInfo(), [], []
    for line, text in enumerate(lines, start=1):
        kind, *fields = text.split("|")
        if kind == TOURNAMENT:
            values = dict(zip(INFO, fields, strict=True))
            days = {name: _day(values[name]) for name in ("played_from", "played_to")}
            info = ReportedInfo(**{**values, **days, "country_code": values["country"]})
        elif kind == PLAYER:
            number, toy_id, place, points, born, *texts = fields
            values = dict(zip(TEXTS, texts, strict=True))
            players.append(
                ReportedPlayer(
                    int(number),
                    f"{values['first_name']} {values['last_name']}".strip(),
                    fmjd_id=int(toy_id) or None,
                    place=int(place) or None,
                    points_printed=int(2 * float(points)),
                    born=_day(born),
                    federation_code=values["federation"],
                    line=line,
                    **values,
                )
            )
        elif kind == GAME:
            number, white, black, result = fields
            games.append(
                ReportedGame(
                    int(number), int(white), int(black), int(result[0]), int(result[2]),
                    played=result[1] == "-" and "0" not in (white, black), lines=(line,),
                )
            )  # fmt: skip
    return ReadReport("toy-file", encoding, info=info, players=tuple(players), games=tuple(games))


def write_toy(info: ReportedInfo, players: Sequence[ReportedPlayer], games: Sequence[ReportedGame]) -> str:
    """Write a report. Raises ValueError for a bar or a line end in a text."""
    rows = [[TOURNAMENT, *(_text(getattr(info, name)) for name in INFO)]]
    for player in players:
        numbers = [str(player.number), str(player.fmjd_id or 0), str(player.place or 0)]
        points = str((player.points_printed or 0) / 2)
        texts = [_text(getattr(player, name)) for name in TEXTS]
        rows.append([PLAYER, *numbers, points, _text(player.born), *texts])
    rows += [[GAME, str(game.round), str(game.white), str(game.black), game.result] for game in games]
    if unfit := [field for row in rows for field in row if re.search(r"[|\r\n]", field)]:
        raise ValueError(f"a field cannot have a bar or a line end: {unfit[0]!r}")
    return "".join("|".join(row) + "\n" for row in rows)


def _text(value: str | date | None) -> str:
    return value.isoformat() if isinstance(value, date) else value or ""


def _day(text: str) -> date | None:
    day = parse_day(text) if text else None
    return day if isinstance(day, date) else None


READER = EntryFormat(
    "the file of the toy federation",
    {"toy-file": "toy file"},
    recognises,
    read_toy,
    write=write_toy,
    separator="|",
)
