"""Which norms of a search are needed (R41): not those for a title that the player holds, unless R39 needs them."""

from collections import defaultdict

import numpy as np

from ratings.inputs.read_columns import number_rows
from ratings.models import RatingList
from ratings.rules.columns import Flags
from ratings.rules.days import day_number
from reporting.models import PlayerTitle
from titles.federations.facet import FOUND, TITLE, FoundColumns, NormSearch
from titles.federations.registry import rules_of_titles
from titles.models import Norm, TitleApplication
from titles.queries.held_levels import levels_held
from titles.queries.ledgers import awards_on, ledger_norm, norms_and_titles, owners, spare_norms
from titles.queries.norms import stored_norms
from titles.rules.ledger import LedgerNorm


def needed_norms(rating_list: RatingList, search: NormSearch, found: FoundColumns) -> Flags:
    """Which of these norms, automatic titles and near misses are needed, by the titles held at the closing date (R41).

    A norm for a title held is needed where it frees a higher norm (4.6, R39): together with the norms of earlier lists
    and the others found here. 1 query, and 4 more where a player could need one.
    """
    people, system = search.people, rating_list.system
    rules = rules_of_titles(system)
    disciplines, discipline = np.unique(search.disciplines, return_inverse=True)
    at = found.participation
    day = np.full(len(found), day_number(rating_list.closing))
    levels = levels_held(
        system, disciplines.tolist(), discipline[people.tournament[at]], day, people.player[at]
    )
    covered = rules.is_covered(found.title, found.kind == TITLE, levels)
    needed: Flags = ~covered
    norms = np.flatnonzero((found.kind != TITLE) & (found.origin == FOUND))
    of_covered = at[norms[covered[norms]]]
    spare_players = people.player[of_covered]
    women = set(spare_players[people.is_woman[of_covered]].tolist())
    through_norms = PlayerTitle.objects.filter(
        player__in=number_rows(spare_players.tolist()), application__basis=TitleApplication.Basis.NORMS
    )
    players = set(spare_players[people.counts_on_ladders[of_covered]].tolist())
    if of_covered.size:
        players |= set(through_norms.values_list("player", flat=True))
    if not players:
        return needed
    rows: dict[tuple[int, str], dict[LedgerNorm, int]] = defaultdict(dict)
    for row in norms[np.isin(people.player[at[norms]], list(players))].tolist():
        player, tournament = int(people.player[at[row]]), int(people.tournament[at[row]])
        norm = LedgerNorm(
            int(search.tournaments[tournament]),
            int(found.title[row]),
            search.colours[found.colour[row]],
            int(found.games[row]),
        )
        rows[player, search.disciplines[tournament]][norm] = row
    earlier = stored_norms().filter(list__in_force__lt=rating_list.in_force)
    stored, titles = norms_and_titles(owners(sorted(players)), earlier)
    for (player, of), here in rows.items():
        held, awards = awards_on(rules, titles[player, system, of], rating_list.closing)
        before = {
            ledger_norm(rules, norm): norm
            for norm in stored[player, system, of]
            if norm.kind != Norm.Kind.TITLE
        }
        spare = spare_norms(rules, before, held)
        new_spare = {norm for norm, row in here.items() if covered[row]}
        counted = (before.keys() - spare) | (here.keys() - new_spare)
        freeing = search.edition.spare_norms_needed(counted, spare | new_spare, awards, woman=player in women)
        needed[[here[norm] for norm in freeing & new_spare]] = True
    return needed
