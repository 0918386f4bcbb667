"""The ledger of a player: the norms that count, how they are shared out over the titles, and what is missing.

Annex 10 art. 4.6 to 9; R33a, R38, R39. The sharing-out itself is titles/federations/fmjd/rules/ledger.py.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Case, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, When
from django.utils import timezone

from ratings.models import PlayerHistory, RatingList
from reporting.models import Player, PlayerMerge, PlayerTitle, Sex
from reporting.rules.register.titles import TitleSection, title_sections
from reporting.rules.sentences import Plural, Template, sentence
from titles.federations.fmjd.rules.columns import CATEGORIES, CMF, SEXES, TITLES, is_women_title, title_level
from titles.federations.fmjd.rules.ledger import (
    Award,
    LedgerNorm,
    Share,
    TitleLedger,
    is_covered,
    ledger,
    spare_norms_needed,
)
from titles.federations.fmjd.rules.places import cmf_by_rating
from titles.federations.registry import awarding_systems, edition_of_titles, tempos_with_norms
from titles.models import Norm, NormDecision, TitleApplication
from titles.rules.requirement import Requirement, requirements_of_group

MISSING: Mapping[str, Template] = {
    "ledger.norms": Plural("{norms} norm", "{norms} norms", "norms"),
    "ledger.games": Plural("{games} game", "{games} games", "games"),
    "ledger.red": Plural("{red} red norm", "{red} red norms", "red"),
    "ledger.rating": "a rating of {rating} once",
    "ledger.held": "new norms for the title {title} held",
    "cmf_rating": "or a rating of {rating} on a list, with {games} games",
}
"""What a title lacks, by the code of the requirement."""

HIGHEST_FIRST = sorted(
    TITLES, key=lambda title: (is_women_title(TITLES.index(title)), -title_level(TITLES.index(title)))
)
"""The open titles, then the women's titles."""


@dataclass(frozen=True)
class TitleProgress:
    """Where a player stands on the way to one title: the norms for it and for titles held, and the requirements.

    `by_rating` is what CMF asks without norms (3.11.5, R37c); empty for other titles.
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
        """Whether a rating on a published list gives the title (3.11.5, R37c)."""
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
        texts = []
        for row in (*self.requirements, *self.by_rating):
            if row.met:
                continue
            values = dict(row.asks.values)
            if row.asks.code in ("ledger.norms", "ledger.games", "ledger.red"):
                values = {name: int(asked) - int(row.found.values[name]) for name, asked in values.items()}
            texts.append(sentence(MISSING[row.asks.code], values))
        return texts


@dataclass(frozen=True)
class AutomaticTitle:
    """An automatic title (art. 3) that a tournament of a published list brought, above the title held."""

    norm: Norm
    application: TitleApplication | None


@dataclass(frozen=True)
class SectionLedger:
    """The norms and titles of a player in one section.

    `automatic_norms` are automatic titles that tournaments brought, `automatic` those of them above the title held.
    """

    section: TitleSection
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
        """Of open and of women's titles the highest that is due, and the highest not due for which a norm counts."""
        shown = []
        for women in (False, True):
            of_kind = [each for each in self.titles if is_women_title(TITLES.index(each.title)) == women]
            shown += [each for each in of_kind if each.is_due][-1:]
            shown += [each for each in of_kind if each.norms and not each.is_due][-1:]
        return shown

    @property
    def gained(self) -> Sequence[AutomaticTitle]:
        """Of open and of women's automatic titles the highest."""
        highest = {
            is_women_title(TITLES.index(each.norm.title)): each
            for each in sorted(self.automatic, key=lambda each: TITLES.index(each.norm.title))
        }
        return [each for _, each in sorted(highest.items())]

    @property
    def lacking(self) -> Sequence[TitleProgress]:
        """Those of `shown` above the automatic titles, which need no norms (decision 0049)."""
        gained = {
            is_women_title(title): title for title in (TITLES.index(each.norm.title) for each in self.gained)
        }
        titles = ((TITLES.index(each.title), each) for each in self.shown)
        return [each for title, each in titles if title > gained.get(is_women_title(title), -1)]

    @property
    def groups(self) -> Sequence["TitleGroup"]:
        """The norms and automatic titles by title, and each title of `shown`; the highest first, open titles first."""
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
                [LedgerRow(norm, counts_for[norm.pk]) for norm in norms[title]],
            )
            for title in HIGHEST_FIRST
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


@dataclass(frozen=True)
class LedgerRow:
    """A norm with the titles that it counts for."""

    norm: Norm
    counts_for: Sequence[str]

    @property
    def category(self) -> str:
        """Of table X-2; empty without one."""
        return CATEGORIES[self.norm.category or 0]


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
    """A player with the ledger of each section in which there is a norm or a title."""

    player: Player
    sections: Sequence[SectionLedger]

    @property
    def distance(self) -> tuple[bool, int, int]:
        """That of the section in which a title is closest."""
        return min((section.distance for section in self.sections), default=(True, 99, 0))


def newest_revisions() -> QuerySet[RatingList]:
    """Published lists without those that a published revision replaces."""
    newer = RatingList.objects.filter(
        pool=OuterRef("pool"),
        in_force=OuterRef("in_force"),
        state=RatingList.State.PUBLISHED,
        revision__gt=OuterRef("revision"),
    )
    return RatingList.objects.filter(~Exists(newer), state=RatingList.State.PUBLISHED)


def with_decision(norms: QuerySet[Norm]) -> QuerySet[Any]:
    """Norms with `confirmed`, what was decided last; None where nothing was."""
    decision = NormDecision.objects.filter(norm=OuterRef("pk")).order_by("-pk").values("is_confirmed")
    return norms.annotate(confirmed=Subquery(decision[:1]))


def stored_norms() -> QuerySet[Norm]:
    """Norms and automatic titles of published lists, the newest revision each: confirmed at last, or found and not
    needed, which no decision refused (R41).
    """
    return with_decision(Norm.objects.all()).filter(
        Q(confirmed=True) | Q(confirmed=None, is_needed=False, origin=Norm.Origin.FOUND),
        list__in=newest_revisions(),
        list__system__in=awarding_systems(),
    )


def counting_norms() -> QuerySet[Norm]:
    """Norms and automatic titles that count, without those that are not needed while a title is held (R41)."""
    level = Case(
        *(When(title=title, then=title_level(code)) for code, title in enumerate(TITLES)),
        default=0,
        output_field=IntegerField(),
    )
    of_women = Q(title__in=[title for code, title in enumerate(TITLES) if is_women_title(code)])
    # As `is_covered` has it: by result an open title is above the lower women's titles only.
    below = Case(When(of_women & ~Q(kind=Norm.Kind.TITLE), then=1), default=0)
    held = (
        PlayerTitle.objects.held_on(timezone.localdate())
        .filter(player=OuterRef("player"), section=OuterRef("section"), awarded_by=OuterRef("list__system"))
        .annotate(held_level=level)
    )
    by_open_title = Exists(held.filter(is_womens=False, held_level__gte=OuterRef("least_open")))
    by_womens_title = Exists(held.filter(is_womens=True, held_level__gte=OuterRef("level")))
    return (
        stored_norms()
        .alias(level=level, least_open=F("level") + below)
        .exclude(Q(is_needed=False) & (Q(by_open_title) | of_women & Q(by_womens_title)))
    )


def counting_norms_of(player: Player) -> QuerySet[Norm]:
    """The norms and automatic titles of a player that count, those of merged records too (R24)."""
    merged = PlayerMerge.objects.filter(surviving=player, undone_at=None).values("duplicate")
    return counting_norms().filter(Q(player=player) | Q(player__in=merged))


def counts(norm: Norm) -> bool:
    """Whether a norm of a published list counts, in the ledger of its player too (R39, R41). At most 9 queries."""
    if counting_norms().filter(pk=norm.pk).exists():
        return True
    if norm.is_needed:
        return False
    merged = PlayerMerge.objects.filter(duplicate=norm.player_id, undone_at=None).values("surviving")
    players = Player.objects.filter(Q(pk=norm.player_id) | Q(pk__in=merged))
    ledgers = player_ledgers(list(players), with_applications=False)
    return any(norm in section.norms for ledger in ledgers for section in ledger.sections)


def norms_by_tournament(player: Player) -> dict[int, list[Norm]]:
    """Tournament → the norms and automatic titles of a player that count, those of merged records too. 1 query."""
    found: dict[int, list[Norm]] = defaultdict(list)
    for norm in counting_norms_of(player).order_by("pk"):
        found[norm.result_set_id].append(norm)
    return found


def player_ledgers(players: Sequence[Player], *, with_applications: bool = True) -> list[PlayerLedger]:
    """The ledgers of players, in their order. 5 queries for all of them, 4 on public pages, which show no applications.

    A norm of a merged record counts for the surviving one (R24).
    """
    owner = owners([player.pk for player in players])
    norms, held = norms_and_titles(owner, stored_norms())
    applications = _newest_applications(players) if with_applications else {}
    highest = highest_ratings(owner)
    ledgers = []
    for player in players:
        sections = []
        for section in title_sections().values():
            key = player.pk, section.awarded_by, section.section
            found = _section_ledger(
                player,
                section,
                norms=norms[key],
                titles=held[key],
                highest=highest.get(key, NO_RATING),
                applications=applications,
            )
            if norms[key] or held[key] or found.is_due:
                sections.append(found)
        ledgers.append(PlayerLedger(player, sections))
    return ledgers


PlayerNorms = Mapping[tuple[int, str, str], list[Norm]]
PlayerTitles = Mapping[tuple[int, str, str], list[PlayerTitle]]
"""By player, rating system and section; empty for others."""


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
        found[owner[norm.player_id], norm.list.system, norm.section].append(norm)
    held: dict[tuple[int, str, str], list[PlayerTitle]] = defaultdict(list)
    rows = PlayerTitle.objects.filter(player__in=owner.values(), awarded_by__in=awarding_systems())
    for title in rows.select_related("application").order_by("registered_on", "pk"):
        if title.registered_on is None or title.registered_on != title.withdrawn_on:
            held[title.player_id, title.awarded_by, title.section].append(title)
    return found, held


def owners(players: Sequence[int]) -> dict[int, int]:
    """Record → player: their own and those merged into them (R24). 1 query."""
    merges = PlayerMerge.objects.filter(surviving__in=players, undone_at=None)
    return {player: player for player in players} | dict(merges.values_list("duplicate_id", "surviving_id"))


def players_with_norms(players: QuerySet[Player]) -> list[Player]:
    """Those of these players with a norm or an automatic title that counts, or the rating that gives a title, by name.

    The games that 3.11.5 asks too are looked at by `player_ledgers`. 1 query.
    """
    with_norms = counting_norms().values("player")
    merged = PlayerMerge.objects.filter(undone_at=None, duplicate__in=with_norms).values("surviving")
    duplicates = PlayerMerge.objects.filter(undone_at=None).values("duplicate")
    found = players.filter(Q(pk__in=with_norms) | Q(pk__in=merged) | Q(pk__in=_with_rating()))
    return list(found.exclude(pk__in=duplicates).select_related("federation").order_by("sort_name", "pk"))


def _with_rating() -> QuerySet[PlayerHistory, Any]:
    """The players with a rating that gives CMF, or a woman CMFF, and no such title in its section (R37c, R37d)."""
    held = PlayerTitle.objects.held_on(timezone.localdate()).filter(
        player=OuterRef("player"),
        awarded_by=OuterRef("list__system"),
        section=OuterRef("list__pool__discipline"),
    )
    without_open, without_any = ~Exists(held.filter(is_womens=False)), ~Exists(held)
    enough = Q()
    for system in awarding_systems():
        edition = edition_of_titles(system, timezone.localdate())
        women = Q(without_any, player__sex=Sex.WOMAN, rating__gte=edition.cmf_rating_women)
        enough |= Q(list__system=system) & (Q(without_open, rating__gte=edition.cmf_rating) | women)
    # The games may be those of a later list.
    return _rated().filter(enough).values("player")


Applications = Mapping[tuple[int, str, str, str], TitleApplication]


def _newest_applications(players: Sequence[Player]) -> Applications:
    """The newest application for each title: player, rating system, section, title → application."""
    found = TitleApplication.objects.filter(player__in=players).order_by("pk")
    return {(each.player_id, each.awarded_by, each.section, each.title): each for each in found}


class Highest(NamedTuple):
    """The highest rating of a player on a list, 0 for none, and the counted games in all."""

    rating: int
    games: int


NO_RATING = Highest(0, 0)


def _rated() -> QuerySet[PlayerHistory]:
    """The figures of players on every published list whose pool brings norms, the newest revision each (R37c, R38)."""
    pools = Q()
    for system, tempo in tempos_with_norms():
        pools |= Q(list__system=system, list__pool__tempo=tempo)
    return PlayerHistory.objects.filter(pools, list__in=newest_revisions())


def highest_ratings(owner: Mapping[int, int]) -> dict[tuple[int, str, str], Highest]:
    """The highest rating of each player on any published list whose pool brings norms, by section. 1 query."""
    rows = (
        _rated()
        .filter(player__in=list(owner))
        .values_list("player_id", "list__system", "list__pool__discipline", "rating", "games")
        .order_by()
    )
    found: dict[tuple[int, str, str], Highest] = {}
    for player, system, section, rating, games in rows:
        key = owner[player], system, section
        known = found.get(key, NO_RATING)
        found[key] = Highest(max(rating, known.rating), max(games, known.games))
    return found


def _section_ledger(
    player: Player,
    section: TitleSection,
    *,
    norms: Sequence[Norm],
    titles: Sequence[PlayerTitle],
    highest: Highest,
    applications: Applications,
) -> SectionLedger:
    today, woman = timezone.localdate(), player.sex == Sex.WOMAN
    edition = edition_of_titles(section.awarded_by, today)
    held, awards = awards_on(titles, today)
    by_key = {ledger_norm(norm): norm for norm in norms if norm.kind != Norm.Kind.TITLE}
    spare = spare_norms(by_key, held)
    counted = by_key.keys() - spare
    counted |= spare_norms_needed(edition, counted, spare, awards, woman=woman)
    found = ledger(edition, counted, awards, highest.rating, woman=woman)
    by_rating = cmf_by_rating(edition, *(np.array([value]) for value in (*highest, SEXES.index(player.sex))))

    def of(share: Share) -> list[Norm]:
        return [by_key[norm] for norm in share.norms]

    def progress(each: TitleLedger) -> TitleProgress:
        title = TITLES[each.title]
        return TitleProgress(
            title,
            of(each.share),
            [(TITLES[share.title], of(share)) for share in each.held],
            each.requirements,
            applications.get((player.pk, section.awarded_by, section.section, title)),
            requirements_of_group([by_rating[is_women_title(each.title)]], 0)
            if title_level(each.title) == CMF and not _is_covered(each.title, held, is_title=True)
            else (),
        )

    automatic_norms = [
        norm
        for norm in norms
        if norm.kind == Norm.Kind.TITLE and (norm.is_needed or not is_norm_covered(norm, held))
    ]
    automatic = {
        norm.title: AutomaticTitle(
            norm, applications.get((player.pk, section.awarded_by, section.section, norm.title))
        )
        for norm in automatic_norms
        if not is_norm_covered(norm, held)
    }
    return SectionLedger(
        section,
        [norm for norm in norms if norm.kind != Norm.Kind.TITLE and ledger_norm(norm) in counted],
        automatic_norms,
        held,
        highest.rating,
        [progress(each) for each in found],
        list(automatic.values()),
    )


def awards_on(titles: Sequence[PlayerTitle], day: date) -> tuple[list[PlayerTitle], list[Award]]:
    """The titles held on a day; and those gained, with whether norms gave them (4.6).

    A title that a higher one replaced was gained too; one that was withdrawn is not.
    """
    known = [title for title in titles if title.title in TITLES]
    held = [
        title
        for title in known
        if (title.registered_on is None or title.registered_on <= day)
        and (title.withdrawn_on is None or title.withdrawn_on > day)
    ]
    highest = {
        women: _level([title for title in held if title.is_womens == women]) for women in (False, True)
    }
    gained = [title for title in known if title in held or _level([title]) < highest[title.is_womens]]
    return held, [Award(TITLES.index(title.title), _through_norms(title)) for title in gained]


def ledger_norm(norm: Norm) -> LedgerNorm:
    """A norm as the rules of the ledger take it."""
    return LedgerNorm(
        norm.result_set_id, TITLES.index(norm.title), norm.colour == Norm.Colour.RED, norm.games
    )


def is_norm_covered(norm: Norm, held: Sequence[PlayerTitle]) -> bool:
    """Whether one of the titles held is that of the norm or a higher one (R41)."""
    return _is_covered(TITLES.index(norm.title), held, is_title=norm.kind == Norm.Kind.TITLE)


def _is_covered(title: int, held: Sequence[PlayerTitle], *, is_title: bool) -> bool:
    levels = (_level([each for each in held if each.is_womens == women]) for women in (False, True))
    return bool(is_covered(np.array(title), np.array(is_title), *map(np.array, levels)))


def spare_norms(norms: Mapping[LedgerNorm, Norm], held: Sequence[PlayerTitle]) -> set[LedgerNorm]:
    """Those of these norms that are not needed, and still for a title held (R41)."""
    return {key for key, norm in norms.items() if not norm.is_needed and is_norm_covered(norm, held)}


def _level(titles: Sequence[PlayerTitle]) -> int:
    """The level of the highest of these titles; 0 for none."""
    return max((title_level(TITLES.index(title.title)) for title in titles), default=0)


def _through_norms(title: PlayerTitle) -> bool:
    """Whether norms of published lists gave the title; those of titles from elsewhere are on no list."""
    application = getattr(title, "application", None)
    return application is not None and application.basis == TitleApplication.Basis.NORMS
