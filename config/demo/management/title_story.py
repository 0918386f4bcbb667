"""Norms and titles of the demonstration in all their states, by the services of the pages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from ratings.models import RatingList
from reporting.log.audit import Actor
from reporting.models import Player, Role
from titles.applications.move_application import move_application
from titles.applications.submit_application import submit_application
from titles.federations.registry import all_title_rules
from titles.ledger.selectors import players_with_norms
from titles.models import Norm
from titles.norms.services.decide_norms import claim_norm, decide_norms
from titles.queries.ledgers import player_ledgers
from titles.queries.norms import undecided_norms
from titles.rules.lifecycle import ApplicationMove

MOVES = ApplicationMove
TO_REGISTER = (MOVES.MARK_PAID, MOVES.APPROVE, MOVES.CONFIRM, MOVES.REGISTER)
STORIES: tuple[tuple[ApplicationMove, ...], ...] = (
    TO_REGISTER,
    (*TO_REGISTER, MOVES.WITHDRAW_TITLE),
    (MOVES.WITHDRAW,),
    TO_REGISTER,
    (MOVES.MARK_PAID,),
    (),
    TO_REGISTER[:3],
    TO_REGISTER[:2],
    (MOVES.MARK_PAID, MOVES.REFUSE),
)
"""The steps of the applications after their submission: one in each state."""
REASONS = {
    MOVES.REFUSE: "The round dates of one tournament are not confirmed by its referee. Apply again with them.",
    MOVES.WITHDRAW: "The player asks to wait for the next General Assembly.",
    MOVES.WITHDRAW_TITLE: "The General Assembly accepted the appeal against one of the tournaments.",
}


DECIDES = {
    MOVES.MARK_PAID: Role.TOURNAMENT_DIRECTOR,
    MOVES.APPROVE: Role.TITLE_COUNCIL,
    MOVES.REFUSE: Role.TITLE_COUNCIL,
    MOVES.CONFIRM: Role.ADMINISTRATOR,
    MOVES.REGISTER: Role.TOURNAMENT_DIRECTOR,
    MOVES.WITHDRAW_TITLE: Role.ADMINISTRATOR,
}


@dataclass(frozen=True)
class Due:
    """A title that a player's federation can apply for."""

    player: Player
    discipline: str
    title: str
    by_norms: bool


def decide_published(draft: RatingList, council: Actor, *, is_last: bool) -> None:
    """All norms of a draft that is published next: one is refused; on the last list so is one that was claimed, and one
    with an ignored game is confirmed."""
    norms = Norm.objects.filter(list=draft, kind=Norm.Kind.RESULT).order_by("pk")
    red = norms.filter(origin=Norm.Origin.FOUND, colour="red")
    _decide(
        draft, council, red[:1],
        "A transfer before the first round makes one foreign opponent fewer than a red norm asks.",
    )  # fmt: skip
    on_request: Iterable[Norm] = ()
    if is_last:
        _decide(
            draft, council, _claim(draft, council),
            "A game that was not played is none of the games that a norm asks.",
        )  # fmt: skip
        on_request = norms.filter(origin=Norm.Origin.ON_REQUEST)[:1]
    rest = [*undecided_norms(draft), *on_request]
    if rest:
        decide_norms(
            rating_list=draft, norms=[norm.pk for norm in rest], is_confirmed=True, reason="", by=council
        )


def decide_waiting(draft: RatingList, council: Actor) -> None:
    """A few norms of a draft that stays one: some confirmed, one refused, one claimed, the others to be decided."""
    first, second = undecided_norms(draft).order_by("pk").values_list("pk", flat=True)[:2]
    decide_norms(rating_list=draft, norms=[first], is_confirmed=True, reason="", by=council)
    decide_norms(
        rating_list=draft, norms=[second], is_confirmed=False, by=council,
        reason="The level of the referee on that day is not shown by a document.",
    )  # fmt: skip
    _claim(draft, council)


def _claim(draft: RatingList, council: Actor) -> list[Norm]:
    near_miss = (
        Norm.objects.filter(list=draft, origin=Norm.Origin.NEAR_MISS, kind=Norm.Kind.RESULT)
        .exclude(colour="")
        .select_related("player", "result_set")
        .order_by("pk")
        .first()
    )
    if near_miss is None:
        return []
    reason = "The federation asks that the game lost by forfeit counts as played."
    return [
        claim_norm(
            rating_list=draft, player=near_miss.player, tournament=near_miss.result_set, title=near_miss.title,
            colour=near_miss.colour, reason=reason, by=council,
        )
    ]  # fmt: skip


def _decide(draft: RatingList, council: Actor, norms: Iterable[Norm], reason: str) -> None:
    numbers = [norm.pk for norm in norms]
    if numbers:
        decide_norms(rating_list=draft, norms=numbers, is_confirmed=False, reason=reason, by=council)


def titles_due() -> dict[str, list[Due]]:
    """By federation, those with most titles due by norms first: a title of each player, above the one held."""
    found: dict[str, list[Due]] = {}
    for ledger in player_ledgers(players_with_norms(Player.objects.all())):
        titles = [
            Due(ledger.player, of_discipline.discipline, title, by_norms)
            for of_discipline in ledger.disciplines
            for title, by_norms in (
                *((each.title, True) for each in of_discipline.titles if each.is_due_by_norms),
                *((each.norm.title, False) for each in of_discipline.automatic),
            )
            if all(_level(title) > _level(held.title) for held in of_discipline.held)
        ]
        if titles:
            highest = max(titles, key=lambda due: (due.by_norms, _level(due.title)))
            found.setdefault(ledger.player.federation_id, []).append(highest)
    order = sorted(
        found, key=lambda code: (-sum(due.by_norms for due in found[code]), -len(found[code]), code)
    )
    return {
        code: sorted(found[code], key=lambda due: (not due.by_norms, -_level(due.title))) for code in order
    }


def _level(code: str) -> int:
    return next(title.level for rules in all_title_rules() for title in rules.titles if title.code == code)


def choose_federations(due: Mapping[str, Sequence[Due]], first: str) -> list[str]:
    """This federation and as many others as all stories need, if each leaves a title to apply for."""
    chosen: list[str] = []
    for code in (first, *(code for code in due if code != first)):
        if sum(len(due[each]) - 1 for each in chosen if each in due) < len(STORIES):
            chosen.append(code)
    return chosen


def apply_for_titles(
    due: Mapping[str, Sequence[Due]], officials: Mapping[str, Actor], people: Mapping[Role, Actor]
) -> None:
    """An application in each state by the officials of these federations, by norms first."""
    chosen = sorted(
        (each for code in officials for each in due.get(code, ())[:-1]), key=lambda each: not each.by_norms
    )
    today = timezone.localdate()
    for each, moves in zip(chosen, STORIES, strict=False):
        official = officials[each.player.federation_id]
        application = submit_application(
            player=each.player, discipline=each.discipline, title=each.title, by=official
        )
        for move in moves:
            reference = {
                MOVES.MARK_PAID: f"{today.year}/{application.pk:03}",
                MOVES.APPROVE: f"Council {today.year}, decision {application.pk}",
                MOVES.CONFIRM: f"General Assembly {today.year}, item 7.{application.pk}",
                MOVES.WITHDRAW_TITLE: f"General Assembly {today.year}, item 8.1",
            }.get(move, "")
            move_application(
                application=application,
                move=move,
                on=today,
                reference=reference,
                reason=REASONS.get(move, ""),
                by=official if move is MOVES.WITHDRAW else people[DECIDES[move]],
            )
