"""Norms and automatic titles: those of a list, and those of published lists that count."""

import csv
import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.db.models import Case, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, When
from django.utils import timezone

from ratings.models import RatingList
from reporting.models import Player, PlayerMerge, PlayerTitle
from titles.federations.facet import ladders_of
from titles.federations.registry import all_title_rules, awarding_systems, rules_of_titles
from titles.models import Norm, NormDecision

DECIDED = (Norm.Origin.FOUND, Norm.Origin.CLAIMED)
TO_DECIDE = Q(origin__in=DECIDED, is_needed=True)
"""Norms that the title council must decide; others may be decided."""
# The header of a published file, which stays: its column `section` is the discipline.
NORM_COLUMNS = ("number", "tournament", "section", "title", "kind", "colour", "games", "points_scored",
                "points_asked", "average_rating", "category", "ignored_game")  # fmt: skip


def confirmed_norms(rating_list: RatingList) -> QuerySet[Norm]:
    """The confirmed norms and automatic titles of a list that are needed (R41), unordered. 1 query for their keys."""
    # Apart: PostgreSQL takes a new list to have one norm, and asked for the decisions again for each of thousands.
    newest = NormDecision.objects.filter(norm__list=rating_list).order_by("norm", "-pk").distinct("norm")
    confirmed = [norm for norm, is_confirmed in newest.values_list("norm", "is_confirmed") if is_confirmed]
    return Norm.objects.filter(pk__in=confirmed, is_needed=True)


def undecided_norms(rating_list: RatingList) -> QuerySet[Norm]:
    """The norms of a list that the title council must decide still, unordered."""
    return Norm.objects.filter(TO_DECIDE, list=rating_list, decisions=None)


def norms_file(rating_list: RatingList) -> bytes:
    """The confirmed norms of a list as `norms.csv`, empty for none.

    By number in the register, then tournament and title; `ignored_game` is its round. 1 query, 1 more where norms are
    confirmed.
    """
    norms = confirmed_norms(rating_list).values_list(
        "player__numbers", "result_set__tournament__code", "discipline", "title", "kind", "colour", "games",
        "points_scored", "points_asked", "average_rating", "category", "ignored_game__round",
    )  # fmt: skip
    register = rating_list.report_rules.register.code
    rows = sorted(
        {(numbers.get(register), *("" if cell is None else cell for cell in row)) for numbers, *row in norms},
        key=_place,
    )
    if not rows:
        return b""
    categories = rules_of_titles(rating_list.system).categories
    text = io.StringIO(newline="")
    file = csv.writer(text, lineterminator="\n")
    file.writerow((rating_list.declaration.header("register_number"), *NORM_COLUMNS[1:]))
    file.writerows(_printed(row, categories) for row in rows)
    return text.getvalue().encode()


def _place(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return (row[0] or 0, *(str(cell) for cell in row[1:]))


def _printed(row: tuple[Any, ...], categories: Sequence[str]) -> tuple[Any, ...]:
    place = NORM_COLUMNS.index("category")
    return (*row[:place], categories[row[place] or 0], *row[place + 1 :])


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
    held = (
        PlayerTitle.objects.held_on(timezone.localdate())
        .filter(
            player=OuterRef("player"), discipline=OuterRef("discipline"), awarded_by=OuterRef("list__system")
        )
        .annotate(level=_levels())
    )
    norms, covered = stored_norms(), Q(pk__in=())
    for place, ladder in enumerate(
        ladders_of(title for rules in all_title_rules() for title in rules.titles)
    ):
        least = f"least_{place}"
        norms = norms.alias(**{least: _least_covering(ladder)})
        covered |= Q(Exists(held.filter(_of_ladder(ladder), level__gte=OuterRef(least))))
    return norms.exclude(Q(is_needed=False) & covered)


def _levels() -> Case:
    """The level of a title of the register."""
    titles: dict[tuple[Q, int], list[str]] = defaultdict(list)
    for rules in all_title_rules():
        for title in rules.titles:
            titles[Q(awarded_by=rules.system), title.level].append(title.code)
    return _number_of_title(titles)


def _of_ladder(ladder: str) -> Q:
    """The titles of a ladder in the register."""
    titles = Q(pk__in=())
    for rules in all_title_rules():
        codes = [title.code for title in rules.titles if title.ladder == ladder]
        titles |= Q(awarded_by=rules.system, title__in=codes)
    return titles


def _least_covering(ladder: str) -> Case:
    """The least level of a title held of a ladder that covers a norm, as `TitleRules.is_covered` has it; a level above
    all others where none does.
    """
    titles: dict[tuple[Q, int], list[str]] = defaultdict(list)
    for rules in all_title_rules():
        level = np.arange(1, 1 + max(title.level for title in rules.titles))
        place = np.arange(len(rules.titles))[:, np.newaxis]
        held = {other: level if other == ladder else 0 * level for other in ladders_of(rules.titles)}
        for is_title in (False, True):
            of = Q(list__system=rules.system) & (
                Q(kind=Norm.Kind.TITLE) if is_title else ~Q(kind=Norm.Kind.TITLE)
            )
            least = 1 + (~rules.is_covered(place, np.array(is_title), held)).sum(axis=1)
            for title, number in zip(rules.titles, least.tolist(), strict=True):
                titles[of, number].append(title.code)
    return _number_of_title(titles)


def _number_of_title(titles: Mapping[tuple[Q, int], Sequence[str]]) -> Case:
    """The number of a row by its title and the condition beside it."""
    return Case(
        *(When(of, title__in=codes, then=number) for (of, number), codes in titles.items()),
        default=0,
        output_field=IntegerField(),
    )


def counting_norms_of(player: Player) -> QuerySet[Norm]:
    """The norms and automatic titles of a player that count, those of merged records too (R24)."""
    merged = PlayerMerge.objects.filter(surviving=player, undone_at=None).values("duplicate")
    return counting_norms().filter(Q(player=player) | Q(player__in=merged))


def norms_by_tournament(player: Player) -> dict[int, list[Norm]]:
    """Tournament → the norms and automatic titles of a player that count, those of merged records too. 1 query."""
    found: dict[int, list[Norm]] = defaultdict(list)
    for norm in counting_norms_of(player).order_by("pk"):
        found[norm.result_set_id].append(norm)
    return found
