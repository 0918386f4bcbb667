"""The sharing-out of norms over titles: when a title is due, and what is missing (art. 4.6, 5 to 9; R33a,
R38, R39).

Open and women's titles are two ladders of their own; a woman's open norm counts on both. A norm is one result
in one tournament: where a tournament brought several norms, one of them serves, for one title.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ratings.rules.columns import Flags, Integers
from titles.federations.fmjd.rules.columns import (
    CMF,
    GMI,
    LEVELS,
    MF,
    MI,
    NO_TITLE,
    RED,
    TITLES,
    WOMAN,
    is_women_title,
    title_code,
    title_level,
)
from titles.federations.fmjd.rules.parameters import Parameters, TitleNeeds
from titles.federations.fmjd.rules.places import cmf_by_rating
from titles.rules.ledger import Award, LedgerNorm, Share, TitleLedger
from titles.rules.requirement import Requirement, Statement, requirements_of_group

USING_UP: Final = (MF, MI)
"""Levels whose titles use norms up when gained through norms (art. 4.6)."""


@dataclass(frozen=True, slots=True)
class CountedShare(Share):
    """A share with what its norms lack of the games and of the red norm too (art. 5 to 9)."""

    games_missing: int
    red_missing: int

    @property
    def is_complete(self) -> bool:
        """Whether the norms meet what the title asks."""
        return not (self.norms_missing or self.games_missing or self.red_missing)


@dataclass(frozen=True, slots=True)
class CountedLedger(TitleLedger):
    """Where a player stands on the way to one title, with what each share lacks (art. 4.6)."""

    share: CountedShare
    held: tuple[CountedShare, ...]


def ledger(
    parameters: Parameters,
    norms: Iterable[LedgerNorm],
    awards: Iterable[Award],
    highest_rating: int,
    games: int = 0,
    *,
    woman: bool,
) -> tuple[CountedLedger, ...]:
    """Each title above those held, with the norms shared out for it (art. 4.6, 5 to 9; R38, R39).

    ``norms`` are those that count, in any order; ``highest_rating`` is the highest on any published list of
    the discipline (0: none), ``games`` are the counted games in all (art. 3.11.5). A title is due when every MF or
    MI title gained through norms, and the new one, have norms of their own that meet its count, games and red
    norm. Open titles first, the lowest first; women's titles only for a woman, and none lower than the open
    title that she holds.
    """
    found = []
    norms = list(norms)
    for level, women, served, held_open in _titles_above(list(awards), woman):
        shares = _shares(parameters, norms, women, served)
        requirements = _requirements(parameters, level, women, shares, highest_rating)
        # An open title is above the F title of its level (R37d).
        is_asked = level == CMF and not (women and held_open)
        by_rating = _by_rating(parameters, highest_rating, games, women) if is_asked else ()
        title = title_code(level, women)
        found.append(CountedLedger(title, shares[-1], tuple(shares[:-1]), requirements, by_rating))
    return tuple(found)


def _titles_above(awards: Sequence[Award], woman: bool) -> Iterator[tuple[int, bool, tuple[int, ...], int]]:
    """Of each title above those held its level, whether it is a women's title, the levels that norms serve for it,
    those of the titles gained and its own, and the level of the open title held.
    """
    for women in (False, True)[: 1 + woman]:
        mine = [award for award in awards if is_women_title(award.title) == women]
        highest = max((title_level(award.title) for award in mine), default=NO_TITLE)
        gained = {title_level(award.title) for award in mine if award.through_norms}
        # An open title counts for every lower F title (R33, decision 0049).
        held_open = max(
            (title_level(award.title) for award in awards if not is_women_title(award.title)),
            default=NO_TITLE,
        )
        lowest = max(highest + 1, held_open) if women else highest + 1
        for level in range(lowest, GMI + 1):
            held = tuple(title for title in USING_UP if title in gained and level != CMF)
            yield level, women, (*held, level), held_open


def _shares(
    parameters: Parameters, norms: Iterable[LedgerNorm], women: bool, levels: Sequence[int]
) -> list[CountedShare]:
    """The shares of the titles of these levels of a ladder."""
    shares = share_out(parameters, [norm for norm in norms if _is_on_ladder(norm, women)], levels)
    return [
        _share(title_code(level, women), shares[level], parameters.title_needs[level - 1]) for level in levels
    ]


def _is_on_ladder(norm: LedgerNorm, women: bool) -> bool:
    return women or not is_women_title(norm.title)


def _by_rating(parameters: Parameters, rating: int, games: int, women: bool) -> tuple[Requirement, ...]:
    """What CMF, or CMFF of a woman, asks without norms (art. 3.11.5, R37c)."""
    conditions = cmf_by_rating(parameters, *(np.array([value]) for value in (rating, games, WOMAN)))
    return requirements_of_group(conditions[women : women + 1], 0)


def is_covered(title: Integers, is_title: Flags, open_level: Integers, women_level: Integers) -> Flags:
    """Whether a title held is this one or a higher one, so that a norm for it is not needed (R41).

    ``title`` are codes of ``TITLES``, ``is_title`` tells automatic titles from norms, the levels are those of the
    open and the women's title held. An open title is above a lower F title, and by place above the one of its level
    (decisions 0046 and 0049).
    """
    for_women = np.maximum(women_level, open_level - np.where(is_title, 0, 1))
    held = np.where(title >= len(LEVELS) - 1, for_women, open_level)
    covered: Flags = title_level(title) <= held
    return covered


def spare_norms_needed(
    parameters: Parameters,
    norms: Iterable[LedgerNorm],
    spare: Iterable[LedgerNorm],
    awards: Iterable[Award],
    *,
    woman: bool,
) -> frozenset[LedgerNorm]:
    """Those of ``spare``, norms for titles held, with which a higher title lacks less (art. 4.6, R39, R41): they serve
    a title held and free a higher norm.
    """
    norms, spare, awards = list(norms), frozenset(spare), list(awards)
    if not spare:
        return spare
    needed: set[LedgerNorm] = set()
    for _, women, served, _ in _titles_above(awards, woman):
        # Most serve no title of this ladder: their levels are below all of these.
        if not any(_is_on_ladder(norm, women) and title_level(norm.title) >= min(served) for norm in spare):
            continue
        shares = _shares(parameters, [*norms, *spare], women, served)
        if _lacks(shares) < _lacks(_shares(parameters, norms, women, served)):
            needed |= spare & {norm for share in shares for norm in share.norms}
    return frozenset(needed)


def _lacks(shares: Iterable[CountedShare]) -> list[tuple[int, int, int]]:
    """What the titles held and the new one lack, in the order in which ``share_out`` compares."""
    return [(share.norms_missing, share.red_missing, share.games_missing) for share in shares]


def _requirements(
    parameters: Parameters, level: int, women: bool, shares: Sequence[CountedShare], highest_rating: int
) -> tuple[Requirement, ...]:
    needs, share = parameters.title_needs[level - 1], shares[-1]
    article = f"{9 - level}{', 9' if women else ''}"
    games = sum(norm.games for norm in share.norms)
    red = sum(norm.colour == RED for norm in share.norms)

    def row(code: str, asks: int, found: int, article: str = article) -> Requirement:
        name = code.partition(".")[2]
        return Requirement(
            article, Statement(code, {name: asks}), Statement(code, {name: found}), found >= asks
        )

    rows = [row("ledger.norms", needs.norms, len(share.norms))]
    if needs.games:
        rows.append(row("ledger.games", needs.games, games))
    if needs.red:
        rows.append(row("ledger.red", needs.red, red, f"4.5.5, {article}"))
    least_rating = needs.rating_women if women else needs.rating
    if least_rating:
        rows.append(row("ledger.rating", least_rating, highest_rating))
    for held in shares[:-1]:
        lacks = {"norms": held.norms_missing, "games": held.games_missing, "red": held.red_missing}
        required = Statement("ledger.held", {"title": TITLES[held.title]})
        rows.append(Requirement("4.6", required, Statement("ledger.held", lacks), held.is_complete))
    return tuple(rows)


def share_out(
    parameters: Parameters, norms: Sequence[LedgerNorm], levels: Sequence[int]
) -> Mapping[int, tuple[LedgerNorm, ...]]:
    """The norms for each of these levels, none used twice (art. 4.6, R39).

    The last level is the new title: titles already held get their norms first, then the new one lacks as
    little as possible: norms, then red ones, then games. Exact: all ways are compared, those that are nowhere
    better than another are dropped on the way. The order of ``norms`` does not matter, but for which of equal
    norms serves.
    """
    by_tournament: dict[int, list[LedgerNorm]] = defaultdict(list)
    for norm in sorted(norms, key=_by_worth):
        by_tournament[norm.tournament].append(norm)
    needs = [parameters.title_needs[level - 1] for level in levels]
    best: dict[_State, _Used] = {tuple((0, 0, 0) for _ in levels): ()}
    for choices in sorted(by_tournament.values(), key=lambda norms: [_by_worth(norm) for norm in norms]):
        after = dict(best)
        for state, used in best.items():
            for norm in choices:
                for place, level in enumerate(levels):
                    if title_level(norm.title) < level:
                        continue
                    added = (*state[:place], _added(state[place], norm, needs[place]), *state[place + 1 :])
                    if added != state and added not in after:
                        after[added] = (*used, (place, norm))
        best = _best_of(after)
    state = min(best, key=lambda state: [_lacking(*pair) for pair in zip(state, needs, strict=True)])
    return {
        level: tuple(norm for at, norm in best[state] if at == place) for place, level in enumerate(levels)
    }


_Count = tuple[int, int, int]
"""Norms, red norms and games of one title, each no more than it asks."""
_State = tuple[_Count, ...]
_Used = tuple[tuple[int, LedgerNorm], ...]


def _by_worth(norm: LedgerNorm) -> tuple[int, bool, bool, int, int]:
    """The least useful first, so that a low title is served by low norms."""
    return (
        title_level(norm.title),
        norm.colour == RED,
        is_women_title(norm.title),
        norm.games,
        norm.tournament,
    )


def _added(count: _Count, norm: LedgerNorm, needs: TitleNeeds) -> _Count:
    norms, red, games = count
    return (
        min(norms + 1, needs.norms),
        min(red + (norm.colour == RED), needs.red),
        min(games + norm.games, needs.games),
    )


def _lacking(count: _Count, needs: TitleNeeds) -> _Count:
    return needs.norms - count[0], needs.red - count[1], needs.games - count[2]


def _best_of(states: Mapping[_State, _Used]) -> dict[_State, _Used]:
    """Without the states that another one equals or betters in everything."""
    flat = {state: [number for count in state for number in count] for state in states}
    best: list[_State] = []
    for state in sorted(flat, key=lambda state: (-sum(flat[state]), flat[state])):
        mine = flat[state]
        if not any(all(a >= b for a, b in zip(flat[other], mine, strict=True)) for other in best):
            best.append(state)
    return {state: states[state] for state in best}


def _share(title: int, norms: tuple[LedgerNorm, ...], needs: TitleNeeds) -> CountedShare:
    return CountedShare(
        title,
        tuple(sorted(norms)),
        max(needs.norms - len(norms), 0),
        max(needs.games - sum(norm.games for norm in norms), 0),
        max(needs.red - sum(norm.colour == RED for norm in norms), 0),
    )
