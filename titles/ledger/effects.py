"""What norms of a draft would do: the title that the player holds, and how far each brings the title that it is for."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from ratings.models import RatingList
from reporting.models import Sex
from titles.federations.registry import rules_of_titles
from titles.models import Norm
from titles.queries.ledgers import (
    NO_RATING,
    awards_on,
    highest_ratings,
    ledger_norm,
    norms_and_titles,
    owners,
    spare_norms,
)
from titles.queries.norms import TO_DECIDE, stored_norms, with_decision
from titles.rules.ledger import TitleLedger


@dataclass(frozen=True)
class NormEffect:
    """The titles that the player holds; the norms for the title with this one, of those that it asks.

    `number` is 0 for an automatic title, and for a norm that is of use for a higher title only (4.6, R39).
    """

    held: Sequence[str]
    number: int = 0
    asked: int = 0
    completes: bool = False
    was_due: bool = False

    @property
    def is_new(self) -> bool:
        """Whether the title is due with this norm, and not without it."""
        return self.completes and not self.was_due


def effects_of(draft: RatingList, norms: Sequence[Norm]) -> dict[int, NormEffect]:
    """Norm → what it does, after the norms of earlier lists and of earlier tournaments of the draft. 5 queries."""
    owner = owners(sorted({norm.player_id for norm in norms}))
    earlier = stored_norms().filter(list__in_force__lt=draft.in_force)
    stored, titles = norms_and_titles(owner, earlier)
    ratings = highest_ratings(owner)
    drafted: dict[tuple[int, str], list[Norm]] = defaultdict(list)
    for norm in (
        with_decision(Norm.objects.filter(TO_DECIDE, list=draft, player__in=list(owner)))
        .exclude(confirmed=False)
        .exclude(kind=Norm.Kind.TITLE)
        .select_related("result_set")
    ):
        drafted[norm.player_id, norm.discipline].append(norm)
    today, found = timezone.localdate(), {}
    rules = rules_of_titles(draft.system)
    edition = rules.edition_on(today)
    for norm in norms:
        key = norm.player_id, draft.system, norm.discipline
        held, awards = awards_on(rules, titles[key], today)
        codes = [title.title for title in held]
        if norm.kind == Norm.Kind.TITLE:
            found[norm.pk] = NormEffect(codes)
            continue
        known = {ledger_norm(rules, each): each for each in stored[key] if each.kind != Norm.Kind.TITLE}
        before = known.keys() - spare_norms(rules, known, held)
        before |= {
            ledger_norm(rules, each)
            for each in drafted[norm.player_id, norm.discipline]
            if _day(each) < _day(norm)
        }
        highest, woman = ratings.get(key, NO_RATING), norm.player.sex == Sex.WOMAN
        this = ledger_norm(rules, norm)
        without, having = (
            _entry(edition.ledger(counted, awards, *highest, woman=woman), this.title)
            for counted in (before, before | {this})
        )
        found[norm.pk] = (
            NormEffect(
                codes, len(having.share.norms), len(having.share.norms) + having.share.norms_missing,
                completes=having.is_due, was_due=without.is_due,
            )
            if without and having
            else NormEffect(codes)
        )  # fmt: skip
    return found


def _day(norm: Norm) -> tuple[date, int]:
    return norm.result_set.played_to, norm.result_set_id


def _entry(ledgers: Iterable[TitleLedger], title: int) -> TitleLedger | None:
    return next((entry for entry in ledgers if entry.title == title), None)
