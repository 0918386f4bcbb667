"""The sharing-out of norms: the cases of art. 4.6 to 9, and all ways tried one by one."""

from __future__ import annotations

import tomllib
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from titles.federations.fmjd.rules.columns import LEVELS, TITLES, title_code, title_level
from titles.federations.fmjd.rules.ledger import is_covered, ledger, share_out, spare_norms_needed
from titles.federations.fmjd.rules.parameters import ANNEX_10_2024_04 as PARAMETERS
from titles.rules.ledger import Award, LedgerNorm

ROOT = Path(__file__).parents[2]
EXAMPLES = [
    pytest.param(example, id=f"{path.stem}-{number}")
    for path in sorted((ROOT / "tests/cases/annex-10").glob("art-*.toml"))
    for number, example in enumerate(tomllib.loads(path.read_text()).get("ledger", []), start=1)
]


def norm(text):
    """``"4 MI red 9"``: tournament, title, colour, games."""
    tournament, title, colour, games = text.split()
    assert colour in ("red", "black")
    return LedgerNorm(int(tournament), TITLES.index(title), colour, int(games))


def award(text):
    """``"MF norms"`` or ``"MF place"``."""
    title, how = text.split()
    assert how in ("norms", "place")
    return Award(TITLES.index(title), how == "norms")


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_title_is_due_when_the_norms_can_be_shared_out(example):
    norms = [norm(text) for text in example["norms"]]
    awards = [award(text) for text in example.get("held", [])]
    for order in (norms, norms[::-1]):
        found = {
            TITLES[each.title]: each
            for each in ledger(
                PARAMETERS, order, awards, example.get("rating", 0), woman=example.get("woman", False)
            )
        }
        expected = example["due"]
        held = {text.split()[0] for text in example.get("held", [])}
        assert [title for title, each in found.items() if each.is_due] == expected
        assert not held & set(found)
        for title, missing in example.get("missing", {}).items():
            share = found[title].share
            assert {
                "norms": share.norms_missing, "games": share.games_missing, "red": share.red_missing,
            } == missing, title  # fmt: skip
        for title, codes in example.get("unmet", {}).items():
            assert [row.asks.code for row in found[title].requirements if not row.met] == codes
        last = found[example.get("of", expected[-1] if expected else list(found)[-1])]
        shares = {TITLES[share.title]: share for share in (*last.held, last.share)}
        for title, tournaments in example.get("uses", {}).items():
            assert [each.tournament for each in shares[title].norms] == tournaments, title


@pytest.mark.parametrize(
    ("title", "is_title", "open_level", "women_level", "covered"),
    [
        # The title held and lower ones, not the next one.
        ("MI", False, "MI", "", True),
        ("MF", False, "MI", "", True),
        ("GMI", False, "MI", "", False),
        ("CMF", False, "", "", False),
        # A women's title covers women's norms only.
        ("MF", False, "", "GMI", False),
        ("MFF", False, "", "MF", True),
        ("MIF", False, "", "MF", False),
        # An open title is above lower women's titles (decision 0049), by place above the one of its level (0046).
        ("MFF", False, "MI", "", True), ("MIF", False, "MI", "", False), ("CMFF", False, "CMF", "", False),
        ("MIF", True, "MI", "", True), ("GMIF", True, "MI", "", False), ("MI", True, "MI", "", True),
        ("MI", True, "MF", "", False),
    ],
)  # fmt: skip
def test_a_norm_at_or_below_a_title_held_is_not_needed(title, is_title, open_level, women_level, covered):
    """R41."""
    levels = (np.array([LEVELS.index(level)]) for level in (open_level, women_level))
    found = is_covered(np.array([TITLES.index(title)]), np.array([is_title]), *levels)
    assert found.tolist() == [covered]


def test_a_norm_for_a_title_held_is_needed_where_it_frees_a_higher_one():
    """R39, R41: MF through 1 MI and 2 MF norms of 27 games. Of two new MF norms one is enough."""
    norms = [norm("1 MI black 9"), norm("2 MF black 9"), norm("3 MF black 9")]
    spare = {norm("4 MF black 9"), norm("5 MF black 9"), norm("6 CMF black 9")}

    def needed(*awards):
        return spare_norms_needed(PARAMETERS, norms, spare, map(award, awards), woman=False)

    assert {TITLES[each.title] for each in needed("MF norms")} == {"MF"}
    assert len(needed("MF norms")) == 1
    # Where only MF norms served MF, one more frees nothing.
    three = [norm("1 MF black 9"), norm("2 MF black 9"), norm("3 MF black 9")]
    one_more = {norm("0 MF black 9")}
    assert not spare_norms_needed(PARAMETERS, three, one_more, [award("MF norms")], woman=False)
    # A title that norms did not give uses none up; above GMI there is nothing.
    assert needed("MF place") == needed("GMI norms") == frozenset()


norms_of_a_player = st.lists(
    st.builds(
        LedgerNorm,
        st.integers(1, 5),
        st.sampled_from([TITLES.index(title) for title in ("MF", "MI", "GMI")]),
        st.sampled_from(["black", "red"]),
        st.integers(7, 11),
    ),
    max_size=7,
)


def can_be_shared_out(norms, levels):
    """Every way to give each norm to one of the titles or to none."""
    for way in product((None, *levels), repeat=len(norms)):
        given_to = [(norm, level) for norm, level in zip(norms, way, strict=True) if level is not None]
        tournaments = [norm.tournament for norm, _ in given_to]
        if len(set(tournaments)) < len(tournaments):
            continue
        if any(title_level(norm.title) < level for norm, level in given_to):
            continue
        for level in levels:
            mine = [norm for norm, to in given_to if to == level]
            needs = PARAMETERS.title_needs[level - 1]
            if len(mine) < needs.norms or sum(norm.games for norm in mine) < needs.games:
                break
            if sum(norm.colour == "red" for norm in mine) < needs.red:
                break
        else:
            return True
    return False


@settings(max_examples=60, deadline=None)
@given(norms_of_a_player, st.sampled_from([(2,), (3,), (2, 3), (3, 4)]), st.randoms())
def test_shares_are_found_exactly_where_trying_all_ways_finds_them(norms, levels, random):
    shares = share_out(PARAMETERS, norms, levels)
    complete = all(
        len(shares[level]) >= PARAMETERS.title_needs[level - 1].norms
        and sum(norm.games for norm in shares[level]) >= PARAMETERS.title_needs[level - 1].games
        and sum(norm.colour == "red" for norm in shares[level]) >= PARAMETERS.title_needs[level - 1].red
        for level in levels
    )
    assert complete == can_be_shared_out(norms, levels)
    used = [norm.tournament for share in shares.values() for norm in share]
    assert len(set(used)) == len(used)
    turned = list(norms)
    random.shuffle(turned)
    assert share_out(PARAMETERS, turned, levels) == shares


def test_a_long_career_is_shared_out_too():
    """Sixty norms of all kinds, none of them red: GMI lacks its red norm only, and no way is left untried."""
    kinds = [("MF", 9), ("MI", 9), ("GMI", 9), ("MI", 11), ("GMI", 7), ("MF", 13)]
    norms = [
        LedgerNorm(number, TITLES.index(title), "black", games + number % 3)
        for number, (title, games) in enumerate(kinds * 10)
    ]
    held = [Award(title_code(2, women=False), True)]
    (mi, gmi) = ledger(PARAMETERS, norms, held, 2310, woman=False)
    for each in (mi, gmi):
        assert [row.asks.code for row in each.requirements if not row.met] == ["ledger.red"]
        assert each.held[0].is_complete


def test_of_norms_that_do_equally_the_lowest_serve():
    """MI asks 3 norms of 25 games, one red (art. 6): three MI norms of 9, and the GMI norm stays for a higher title."""
    norms = [norm("4 GMI red 9"), *(norm(f"{number} MI red 9") for number in (3, 1, 2))]
    (served,) = share_out(PARAMETERS, norms, (LEVELS.index("MI"),)).values()
    assert [each.tournament for each in served] == [1, 2, 3]


def test_the_new_title_lacks_as_few_games_as_possible():
    """MF, which is held, needs a third norm (art. 7): the MI norm of 7 games serves it, that of 9 stays for MI."""
    norms = [norm("1 MF black 9"), norm("2 MF black 9"), norm("3 MI black 7"), norm("4 MI black 9")]
    shares = share_out(PARAMETERS, norms, (LEVELS.index("MF"), LEVELS.index("MI")))
    assert [sorted(each.tournament for each in served) for served in shares.values()] == [[1, 2, 3], [4]]
