"""The ledger of a player: the norms that count, how they are shared out over the titles, and what is missing.

R33a, R38, R39. The rules share the norms out (`TitleEdition.ledger`).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

import numpy as np
from django.db.models import Q, QuerySet
from django.utils import timezone

from ratings.models import PlayerHistory
from reporting.models import Player, PlayerMerge, PlayerTitle, Sex
from reporting.rules.register.titles import DisciplineTitles, discipline_titles
from titles.federations.facet import AwardedTitle, TitleRules, ladders_of
from titles.federations.registry import awarding_systems, rules_of_titles, tempos_with_norms
from titles.labels import lacks_text
from titles.models import Norm, TitleApplication
from titles.queries.norms import counting_norms, newest_revisions, stored_norms
from titles.rules.ledger import Award, LedgerNorm, Share, TitleLedger
from titles.rules.requirement import Requirement


@dataclass(frozen=True)
class TitleProgress:
    """Where a player stands on the way to one title: the norms for it and for titles held, and the requirements.

    `by_rating` is what it asks without norms (R37c); empty where no rating gives it.
    """

    title: str
    norms: Sequence[Norm]
    held: Sequence[tuple[str, Sequence[Norm]]]
    requirements: Sequence[Requirement]
    application: TitleApplication | None
    by_rating: Sequence[Requirement] = ()

    @property
    def is_due(self) -> bool:
        """Whether norms, or a rating, on published lists give the title."""
        return self.is_due_by_norms or self.is_due_by_rating

    @property
    def is_due_by_norms(self) -> bool:
        """Whether the norms on published lists give the title (R39)."""
        return all(each.met for each in self.requirements)

    @property
    def is_due_by_rating(self) -> bool:
        """Whether a rating on a published list gives the title (R37c)."""
        return bool(self.by_rating) and all(each.met for each in self.by_rating)

    @property
    def unmet(self) -> int:
        """A measure of how far it is: requirements and norms that are missing."""
        norms = sum(
            int(row.asks.values["norms"]) - int(row.found.values["norms"])
            for row in self.requirements
            if row.asks.code == "ledger.norms" and not row.met
        )
        return norms + sum(not row.met for row in self.requirements)

    @property
    def missing(self) -> list[str]:
        """What is missing, in words: `1 red norm`, `6 games`, `a rating of 2250 once`."""
        return [lacks_text(row) for row in (*self.requirements, *self.by_rating) if not row.met]


@dataclass(frozen=True)
class AutomaticTitle:
    """An automatic title (art. 3) that a tournament of a published list brought, above the title held."""

    norm: Norm
    application: TitleApplication | None


@dataclass(frozen=True)
class DisciplineLedger:
    """The norms and titles of a player in one discipline.

    `automatic_norms` are automatic titles that tournaments brought, `automatic` those of them above the title held.
    """

    awarded_by: str
    discipline: str
    norms: Sequence[Norm]
    automatic_norms: Sequence[Norm]
    held: Sequence[PlayerTitle]
    highest_rating: int
    titles: Sequence[TitleProgress]
    automatic: Sequence[AutomaticTitle]

    @property
    def serving(self) -> dict[int, str]:
        """The title held that each norm serves: key of the norm → title."""
        return {
            norm.pk: title for progress in self.titles for title, norms in progress.held for norm in norms
        }

    @property
    def shown(self) -> Sequence[TitleProgress]:
        """Of each ladder the highest title that is due, and the highest not due for which a norm counts."""
        shown = []
        for ladder in self._ladders:
            of_ladder = [each for each in self.titles if self._title(each).ladder == ladder]
            shown += [each for each in of_ladder if each.is_due][-1:]
            shown += [each for each in of_ladder if each.norms and not each.is_due][-1:]
        return shown

    @property
    def gained(self) -> Sequence[AutomaticTitle]:
        """Of each ladder the highest automatic title."""
        highest = {
            self._title(each.norm).ladder: each
            for each in sorted(self.automatic, key=lambda each: self._title(each.norm).level)
        }
        return [highest[ladder] for ladder in self._ladders if ladder in highest]

    @property
    def lacking(self) -> Sequence[TitleProgress]:
        """Those of `shown` above the automatic titles, which need no norms (decision 0049)."""
        gained = {title.ladder: title.level for title in (self._title(each.norm) for each in self.gained)}
        return [
            each
            for each in self.shown
            for title in [self._title(each)]
            if title.level > gained.get(title.ladder, 0)
        ]

    @property
    def groups(self) -> Sequence["TitleGroup"]:
        """The norms and automatic titles by title, and each title of `shown`; by ladder, the highest first."""
        rules = rules_of_titles(self.awarded_by)
        norms: dict[str, list[Norm]] = defaultdict(list)
        for norm in (*self.automatic_norms, *self.norms):
            norms[norm.title].append(norm)
        progress = {each.title: each for each in self.shown}
        automatic = {each.norm.title: each for each in self.automatic}
        counts_for = defaultdict(list, {norm: [title] for norm, title in self.serving.items()})
        for each in self.shown:
            for norm in each.norms:
                counts_for[norm.pk].append(each.title)
        return [
            TitleGroup(
                title,
                progress.get(title),
                automatic.get(title),
                [
                    LedgerRow(norm, rules.categories[norm.category or 0], counts_for[norm.pk])
                    for norm in norms[title]
                ],
            )
            for title in (
                title.code
                for title in sorted(
                    rules.titles, key=lambda title: (self._ladders.index(title.ladder), -title.level)
                )
            )
            if title in progress or norms[title]
        ]

    @property
    def is_due(self) -> bool:
        """Whether norms or a rating give a title."""
        return any(progress.is_due for progress in self.titles)

    @property
    def distance(self) -> tuple[bool, int, int]:
        """For an order in which the closest to a title come first."""
        due = bool(self.automatic) or self.is_due
        return (not due, min((progress.unmet for progress in self.titles), default=99), -len(self.norms))

    @property
    def _ladders(self) -> Sequence[str]:
        return ladders_of(rules_of_titles(self.awarded_by).titles)

    def _title(self, of: TitleProgress | Norm) -> AwardedTitle:
        titles = rules_of_titles(self.awarded_by).titles
        return next(title for title in titles if title.code == of.title)


@dataclass(frozen=True)
class LedgerRow:
    """A norm with the name of its category, empty without one, and the titles that it counts for."""

    norm: Norm
    category: str
    counts_for: Sequence[str]


@dataclass(frozen=True)
class TitleGroup:
    """The norms of one title, and how far the player is on the way to it.

    `progress` and `automatic` are None for a title that is held or of which nothing is shown.
    """

    title: str
    progress: TitleProgress | None
    automatic: AutomaticTitle | None
    rows: Sequence[LedgerRow]


@dataclass(frozen=True)
class PlayerLedger:
    """A player with the ledger of each discipline in which there is a norm or a title.

    `records` are the player's own and those merged into it (R24).
    """

    player: Player
    disciplines: Sequence[DisciplineLedger]
    records: Sequence[int]

    @property
    def distance(self) -> tuple[bool, int, int]:
        """That of the discipline in which a title is closest."""
        return min((of_discipline.distance for of_discipline in self.disciplines), default=(True, 99, 0))


def counts(norm: Norm) -> bool:
    """Whether a norm of a published list counts, in the ledger of its player too (R39, R41). At most 9 queries."""
    if counting_norms().filter(pk=norm.pk).exists():
        return True
    if norm.is_needed:
        return False
    merged = PlayerMerge.objects.filter(duplicate=norm.player_id, undone_at=None).values("surviving")
    players = Player.objects.filter(Q(pk=norm.player_id) | Q(pk__in=merged))
    ledgers = player_ledgers(list(players), with_applications=False)
    return any(norm in of_discipline.norms for ledger in ledgers for of_discipline in ledger.disciplines)


def player_ledgers(players: Sequence[Player], *, with_applications: bool = True) -> list[PlayerLedger]:
    """The ledgers of players, in their order. 5 queries for all of them, 4 on public pages, which show no applications.

    A norm of a merged record counts for the surviving one (R24).
    """
    owner = owners([player.pk for player in players])
    norms, held = norms_and_titles(owner, stored_norms())
    applications = _newest_applications(players) if with_applications else {}
    highest = highest_ratings(owner)
    ledgers, systems = [], awarding_systems()
    for player in players:
        disciplines = []
        for of_discipline in discipline_titles().values():
            if of_discipline.awarded_by not in systems:
                continue
            key = player.pk, of_discipline.awarded_by, of_discipline.discipline
            found = _discipline_ledger(
                player,
                of_discipline,
                norms=norms[key],
                titles=held[key],
                highest=highest.get(key, NO_RATING),
                applications=applications,
            )
            if norms[key] or held[key] or found.is_due:
                disciplines.append(found)
        records = [record for record, surviving in owner.items() if surviving == player.pk]
        ledgers.append(PlayerLedger(player, disciplines, records))
    return ledgers


PlayerNorms = Mapping[tuple[int, str, str], list[Norm]]
PlayerTitles = Mapping[tuple[int, str, str], list[PlayerTitle]]
"""By player, rating system and discipline; empty for others."""


def norms_and_titles(owner: Mapping[int, int], norms: QuerySet[Norm]) -> tuple[PlayerNorms, PlayerTitles]:
    """Those of these norms that the players of `owners` have, the newest first, and the titles that they held on a day,
    the first one first. 2 queries.
    """
    found: dict[tuple[int, str, str], list[Norm]] = defaultdict(list)
    for norm in (
        norms.filter(player__in=list(owner))
        .select_related("result_set", "list__pool", "ignored_game")
        .order_by("-result_set__played_to", "pk")
    ):
        found[owner[norm.player_id], norm.list.system, norm.discipline].append(norm)
    held: dict[tuple[int, str, str], list[PlayerTitle]] = defaultdict(list)
    rows = PlayerTitle.objects.filter(player__in=owner.values(), awarded_by__in=awarding_systems())
    for title in rows.select_related("application").order_by("registered_on", "pk"):
        if title.registered_on is None or title.registered_on != title.withdrawn_on:
            held[title.player_id, title.awarded_by, title.discipline].append(title)
    return found, held


def owners(players: Sequence[int]) -> dict[int, int]:
    """Record → player: their own and those merged into them (R24). 1 query."""
    merges = PlayerMerge.objects.filter(surviving__in=players, undone_at=None)
    return {player: player for player in players} | dict(merges.values_list("duplicate_id", "surviving_id"))


Applications = Mapping[tuple[int, str, str, str], TitleApplication]


def _newest_applications(players: Sequence[Player]) -> Applications:
    """The newest application for each title: player, rating system, discipline, title → application."""
    found = TitleApplication.objects.filter(player__in=players).order_by("pk")
    return {(each.player_id, each.awarded_by, each.discipline, each.title): each for each in found}


class Highest(NamedTuple):
    """The highest rating of a player on a list, 0 for none, and the counted games in all."""

    rating: int
    games: int


NO_RATING = Highest(0, 0)


def rated_players() -> QuerySet[PlayerHistory]:
    """The figures of players on every published list whose pool brings norms, the newest revision each (R37c, R38)."""
    pools = Q()
    for system, tempo in tempos_with_norms():
        pools |= Q(list__system=system, list__pool__tempo=tempo)
    return PlayerHistory.objects.filter(pools, list__in=newest_revisions())


def highest_ratings(owner: Mapping[int, int]) -> dict[tuple[int, str, str], Highest]:
    """The highest rating of each player on any published list whose pool brings norms, by discipline. 1 query."""
    rows = (
        rated_players()
        .filter(player__in=list(owner))
        .values_list("player_id", "list__system", "list__pool__discipline", "rating", "games")
        .order_by()
    )
    found: dict[tuple[int, str, str], Highest] = {}
    for player, system, discipline, rating, games in rows:
        key = owner[player], system, discipline
        known = found.get(key, NO_RATING)
        found[key] = Highest(max(rating, known.rating), max(games, known.games))
    return found


def _discipline_ledger(
    player: Player,
    of_discipline: DisciplineTitles,
    *,
    norms: Sequence[Norm],
    titles: Sequence[PlayerTitle],
    highest: Highest,
    applications: Applications,
) -> DisciplineLedger:
    today, rules = timezone.localdate(), rules_of_titles(of_discipline.awarded_by)
    edition, woman = rules.edition_on(today), player.sex == Sex.WOMAN
    held, awards = awards_on(rules, titles, today)
    by_key = {ledger_norm(rules, norm): norm for norm in norms if norm.kind != Norm.Kind.TITLE}
    spare = spare_norms(rules, by_key, held)
    counted = by_key.keys() - spare
    counted |= edition.spare_norms_needed(counted, spare, awards, woman=woman)
    found = edition.ledger(counted, awards, *highest, woman=woman)

    def of(share: Share) -> list[Norm]:
        return [by_key[norm] for norm in share.norms]

    def progress(each: TitleLedger) -> TitleProgress:
        title = rules.titles[each.title].code
        return TitleProgress(
            title,
            of(each.share),
            [(rules.titles[share.title].code, of(share)) for share in each.held],
            each.requirements,
            applications.get((player.pk, of_discipline.awarded_by, of_discipline.discipline, title)),
            each.by_rating,
        )

    automatic_norms = [
        norm
        for norm in norms
        if norm.kind == Norm.Kind.TITLE and (norm.is_needed or not is_norm_covered(rules, norm, held))
    ]
    automatic = {
        norm.title: AutomaticTitle(
            norm,
            applications.get((player.pk, of_discipline.awarded_by, of_discipline.discipline, norm.title)),
        )
        for norm in automatic_norms
        if not is_norm_covered(rules, norm, held)
    }
    return DisciplineLedger(
        of_discipline.awarded_by,
        of_discipline.discipline,
        [norm for norm in norms if norm.kind != Norm.Kind.TITLE and ledger_norm(rules, norm) in counted],
        automatic_norms,
        held,
        highest.rating,
        [progress(each) for each in found],
        list(automatic.values()),
    )


def awards_on(
    rules: TitleRules, titles: Sequence[PlayerTitle], day: date
) -> tuple[list[PlayerTitle], list[Award]]:
    """The titles held on a day; and those gained, with whether norms gave them.

    A title that a higher one replaced was gained too; one that was withdrawn is not.
    """
    places = _places(rules)
    known = [title for title in titles if title.title in places]
    held = [
        title
        for title in known
        if (title.registered_on is None or title.registered_on <= day)
        and (title.withdrawn_on is None or title.withdrawn_on > day)
    ]
    levels = _levels(rules, held)
    gained = [
        title
        for title in known
        for awarded in [rules.titles[places[title.title]]]
        if title in held or awarded.level < levels[awarded.ladder]
    ]
    return held, [Award(places[title.title], _through_norms(title)) for title in gained]


def ledger_norm(rules: TitleRules, norm: Norm) -> LedgerNorm:
    """A norm as the rules of the ledger take it."""
    return LedgerNorm(norm.result_set_id, _places(rules)[norm.title], norm.colour, norm.games)


def is_norm_covered(rules: TitleRules, norm: Norm, held: Sequence[PlayerTitle]) -> bool:
    """Whether one of the titles held is that of the norm or a higher one (R41)."""
    place, is_title = np.array(_places(rules)[norm.title]), np.array(norm.kind == Norm.Kind.TITLE)
    levels = {ladder: np.array(level) for ladder, level in _levels(rules, held).items()}
    return bool(rules.is_covered(place, is_title, levels))


def spare_norms(
    rules: TitleRules, norms: Mapping[LedgerNorm, Norm], held: Sequence[PlayerTitle]
) -> set[LedgerNorm]:
    """Those of these norms that are not needed, and still for a title held (R41)."""
    return {key for key, norm in norms.items() if not norm.is_needed and is_norm_covered(rules, norm, held)}


def _places(rules: TitleRules) -> dict[str, int]:
    return {title.code: place for place, title in enumerate(rules.titles)}


def _levels(rules: TitleRules, titles: Sequence[PlayerTitle]) -> dict[str, int]:
    """By ladder, the level of the highest of these titles; 0 for none."""
    codes = {title.title for title in titles}
    levels = dict.fromkeys(ladders_of(rules.titles), 0)
    for title in rules.titles:
        if title.code in codes:
            levels[title.ladder] = max(levels[title.ladder], title.level)
    return levels


def _through_norms(title: PlayerTitle) -> bool:
    """Whether norms of published lists gave the title; those of titles from elsewhere are on no list."""
    application = getattr(title, "application", None)
    return application is not None and application.basis == TitleApplication.Basis.NORMS
