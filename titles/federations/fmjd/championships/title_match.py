"""The title match before a championship, as champions and medals have it (R75, decision 0245)."""

from __future__ import annotations

from dataclasses import dataclass

from reporting.models import Player
from titles.federations.fmjd.champions.medals import all_podiums
from titles.federations.fmjd.champions.title_matches import Move, title_matches
from titles.federations.fmjd.championships.calculate_places import GivenChampionship
from titles.federations.fmjd.rules.championship_kinds import ChampionshipKind


@dataclass(frozen=True)
class MatchBefore:
    """The title match after the newest championship before a year; players by FMJD-ID.

    `champion` is None where medals do not name one person, `opponent` before two players have the right to the match;
    `previous` is the code of the championship's tournament, empty where the office entered its medals.
    """

    champion: int | None
    opponent: int | None
    match_played: bool
    refused: tuple[int, ...]
    previous: str


def match_before(year: int, *, women: bool) -> MatchBefore | None:
    """The title match before a championship, from all accepted reports; None without an earlier one. 8 queries."""
    kind = ChampionshipKind("world", "100", "classic", women=women)
    found = all_podiums(published=False).podiums
    podiums = [podium for podium in found if podium.kind == kind and podium.year < year]
    if not podiums:
        return None
    match = title_matches(kind, podiums)[0]
    played = match.ended if match.ended and match.ended.written.move == Move.PLAY else None
    opponents = [player for player in match.pair or () if player != match.champion]
    opponent = played.opponent if played else opponents[0] if len(opponents) == 1 else None
    return MatchBefore(
        champion=_number(match.holder),
        opponent=_number(opponent),
        match_played=played is not None,
        refused=tuple(int(player.numbers["fmjd"]) for player in match.refused),
        previous=podiums[0].tournament.code if podiums[0].tournament else "",
    )


def differences(given: GivenChampionship) -> list[tuple[str, object, object]]:
    """What a championship says otherwise than champions and medals: which value, its own, theirs. 8 queries.

    What they do not say is no difference, nor is the opponent in a match that neither has as played.
    """
    before = match_before(given.year, women=given.women)
    if before is None:
        return []
    is_played = given.match_played or before.match_played
    values: list[tuple[str, object, object, bool]] = [
        ("champion", given.champion, before.champion, before.champion is not None),
        ("opponent", given.opponent, before.opponent, is_played),
        ("match_played", given.match_played, before.match_played, True),
        ("refused", sorted(given.refused), sorted(before.refused), True),
        ("previous", given.previous, before.previous, before.previous != ""),
    ]
    return [(name, here, there) for name, here, there, is_known in values if is_known and here != there]


def _number(player: Player | None) -> int | None:
    return int(player.numbers["fmjd"]) if player else None
