"""Which norms of a search are needed (R41): not those for a title that the player holds, unless R39 needs them."""

from collections import defaultdict

import numpy as np

from ratings.federations.columns import Flags
from ratings.federations.days import day_number
from ratings.models import RatingList
from reporting.models import PlayerTitle
from titles.federations.fmjd.rules.columns import WOMAN
from titles.federations.fmjd.rules.ledger import LedgerNorm, is_covered, spare_norms_needed
from titles.ledger.selectors import (
    awards_on,
    ledger_norm,
    norms_and_titles,
    owners,
    spare_norms,
    stored_norms,
)
from titles.models import Norm, TitleApplication
from titles.norms.find_norms import COLOURS, FOUND, TITLE, FoundColumns, NormSearch
from titles.norms.read_input import levels_held

RED = COLOURS.index("red")


def needed_norms(rating_list: RatingList, search: NormSearch, found: FoundColumns) -> Flags:
    """Which of these norms, automatic titles and near misses are needed, by the titles held at the closing date (R41).

    A norm for a title held is needed where it frees a higher norm (4.6, R39): together with the norms of earlier lists
    and the others found here. 1 query, and 4 more where a player could need one.
    """
    read = search.read
    people, tournaments = read.given.participations, read.given.tournaments
    section = tournaments.section[people.tournament]
    day = np.full(len(people), day_number(rating_list.closing))
    open_level, women_level = levels_held(rating_list.rating_system, section, day, people.player)
    at = found.participation
    covered = is_covered(found.title, found.kind == TITLE, open_level[at], women_level[at])
    needed: Flags = ~covered
    norms = np.flatnonzero((found.kind != TITLE) & (found.origin == FOUND))
    spare_players = people.player[at[norms[covered[norms]]]]
    women = set(spare_players[people.sex[at[norms[covered[norms]]]] == WOMAN].tolist())
    through_norms = PlayerTitle.objects.filter(
        player__in=spare_players.tolist(), application__basis=TitleApplication.Basis.NORMS
    )
    players = women | set(through_norms.values_list("player", flat=True)) if spare_players.size else set()
    if not players:
        return needed
    rows: dict[tuple[int, str], dict[LedgerNorm, int]] = defaultdict(dict)
    for row in norms.tolist():
        player, tournament = int(people.player[at[row]]), int(people.tournament[at[row]])
        if player in players:
            norm = LedgerNorm(
                int(tournaments.tournament[tournament]),
                int(found.title[row]),
                bool(found.colour[row] == RED),
                int(found.games[row]),
            )
            rows[player, str(section[at[row]])][norm] = row
    earlier = stored_norms().filter(list__in_force__lt=rating_list.in_force)
    stored, titles = norms_and_titles(owners(sorted(players)), earlier)
    system = rating_list.system
    for (player, of), here in rows.items():
        held, awards = awards_on(titles[player, system, of], rating_list.closing)
        before = {
            ledger_norm(norm): norm for norm in stored[player, system, of] if norm.kind != Norm.Kind.TITLE
        }
        spare = spare_norms(before, held)
        new_spare = {norm for norm, row in here.items() if covered[row]}
        counted = (before.keys() - spare) | (here.keys() - new_spare)
        freeing = spare_norms_needed(
            search.parameters, counted, spare | new_spare, awards, woman=player in women
        )
        needed[[here[norm] for norm in freeing & new_spare]] = True
    return needed
