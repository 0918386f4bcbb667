"""Searches and filters of the register of players.

Docstrings give the number of queries. Searches read only the names that can match (similar_players.py).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Length
from django.utils import timezone

from reporting.models import Player, PlayerIdentity, PlayerQuerySet, PlayerTitle
from reporting.register.similar_players import names_that_can_match
from reporting.rules.names.name_search import NameSearch
from reporting.rules.register.registers import Register, first_register, register_by_code, registers

PLAYERS_PER_PAGE = 100
NUMBER = re.compile(r"[0-9]{1,20}")


@dataclass(frozen=True)
class RegisterFilters:
    """The filters of the register, already validated; an empty field does not filter."""

    federation: str = ""
    sex: str = ""
    title: str = ""
    born: int | None = None
    number: str = ""


NOT_KNOWN = "none"
"""As a filter of sex, title or number: players without one; of a register that is not the first `none-<code>`."""


def filtered_players(players: PlayerQuerySet, filters: RegisterFilters) -> PlayerQuerySet:
    """The players that match the filters."""
    if filters.federation:
        players = players.filter(federation=filters.federation)
    if filters.sex:
        players = players.filter(sex="" if filters.sex == NOT_KNOWN else filters.sex)
    held = PlayerTitle.objects.held_on(timezone.localdate()).filter(player=OuterRef("pk"))
    if filters.title == NOT_KNOWN:
        players = players.filter(~Exists(held))
    elif filters.title:
        players = players.filter(Exists(held.filter(title=filters.title)))
    if filters.born is not None:
        players = players.filter(birth_year=filters.born or None)
    if filters.number:
        kind, _, code = filters.number.partition("-")
        numbered = players.in_register(register_by_code(code or first_register().code))
        players = players.exclude(pk__in=numbered) if kind == NOT_KNOWN else numbered
    return players


@dataclass(frozen=True)
class NumberMatch:
    """A number by which a search found a player; `is_whole` is false where it only starts with the typed digits."""

    register: Register
    is_whole: bool


Match = str | NumberMatch
"""Why a search found a player: how the name is similar, or a number; empty for an exact match."""


def find_players(players: PlayerQuerySet, typed: str) -> dict[int, Match]:
    """The players that match a typed name or number: key → match, best first.

    1 query for a number: one in any register, or the start of one; at most 2 for a name.
    """
    if NUMBER.fullmatch(typed):
        return _found_by_number(players, typed)
    rows = names_that_can_match(players, [typed])
    names = NameSearch([name for _, name in rows])
    found: dict[int, Match] = {rows[match.place][0]: match.reason for match in names.find(typed)}
    if not found and any(letter.isdecimal() for letter in typed):
        return _found_by_number(players, typed)
    return found


def find_players_of_names(players: PlayerQuerySet, names: Sequence[str], *, most: int) -> list[list[int]]:
    """The keys of players for each name, best first: with all its words, else with its longest one.

    At most 4 queries.
    """
    found = _keys_of_names(players, names)
    longest = {
        name: max(name.replace(",", " ").split(), key=len, default="")
        for name, keys in found.items()
        if not keys
    }
    found_by_one = _keys_of_names(players, list(longest.values()))
    return [(found[name] or found_by_one[longest[name]])[:most] for name in names]


def _keys_of_names(players: PlayerQuerySet, names: Sequence[str]) -> dict[str, list[int]]:
    """The keys of the players whom each search by name finds, best first. At most 2 queries."""
    rows = names_that_can_match(players, names)
    search = NameSearch([name for _, name in rows])
    return {name: [rows[match.place][0] for match in search.find(name)] for name in names}


def _found_by_number(players: PlayerQuerySet, typed: str) -> dict[int, Match]:
    """Players whose number in a register is the typed one or starts with it. 1 query.

    The number in the first register comes first where it is the typed one, then other registers, then numbers in the
    first register that only start with it.
    """
    without_zeros = typed.lstrip("0") or typed
    identities = PlayerIdentity.objects.filter(
        Q(number__istartswith=typed) | Q(number__istartswith=without_zeros), player__in=players
    )
    by_code = {register.code: register for register in registers()}
    exact: dict[int, Match] = {}
    others: dict[int, Match] = {}
    started: dict[int, Match] = {}
    for key, code, number in identities.order_by(Length("number"), "number", "pk").values_list(
        "player", "register", "number"
    ):
        is_whole = number.casefold() in (typed.casefold(), without_zeros.casefold())
        if code == first_register().code:
            (exact if is_whole else started)[key] = "" if is_whole else NumberMatch(by_code[code], is_whole)
        else:
            others.setdefault(key, NumberMatch(by_code[code], is_whole))
    # Numbers in other registers come first, also where the number in the first one starts with the digits.
    return exact | {key: match for key, match in (others | started | others).items() if key not in exact}


@dataclass(frozen=True)
class FoundPlayer:
    """A player found by a search, with the match."""

    player: Player
    match: Match


@dataclass(frozen=True)
class RegisterPage:
    """A page of the found players, and how many there are in total; page 1 of 0 players is empty."""

    players: Sequence[FoundPlayer]
    total: int
    page: int
    pages: int


def register_page(players: PlayerQuerySet, typed: str, page: int) -> RegisterPage:
    """A page of these players: by name, or those that match the typed text, best first. 2 to 4 queries.

    A number above the last page gives the last page.
    """
    found = find_players(players, typed) if typed else {}
    total = len(found) if typed else players.count()
    pages = max(-(-total // PLAYERS_PER_PAGE), 1)
    page = min(page, pages)
    places = slice((page - 1) * PLAYERS_PER_PAGE, page * PLAYERS_PER_PAGE)
    if typed:
        keys = list(found)[places]
        by_key = {player.pk: player for player in Player.objects.filter(pk__in=keys)}
        shown = [by_key[key] for key in keys]
    else:
        shown = list(players.order_by("sort_name", "pk")[places])
    return RegisterPage(
        [FoundPlayer(player, found.get(player.pk, "")) for player in shown], total, page, pages
    )


def players_found(players: PlayerQuerySet, typed: str) -> list[FoundPlayer]:
    """All of these players, as `register_page` has them. 1 to 3 queries."""
    players = players.order_by("sort_name", "pk")
    if not typed:
        return [FoundPlayer(player, "") for player in players]
    found = find_players(players, typed)
    by_key = Player.objects.in_bulk(found)
    return [FoundPlayer(by_key[key], match) for key, match in found.items()]
