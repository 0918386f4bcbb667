"""What an installation still needs before its first list, read from what is there."""

from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.db.models import Exists, OuterRef

from ratings.models import Period, RatingList
from ratings.office.selectors.periods import past_quarters, period_after
from ratings.published.selectors.lists import office_today
from ratings.rules.fmjd.parameters import edition_in_force
from ratings.rules.fmjd.periods import period_of, previous_period
from reporting.messages.selectors import is_mail_configured
from reporting.models import Invitation, Player, Role, RoleAssignment, User

SIGNATORIES = (Role.RATING_OFFICER, Role.RELEASING_OFFICER)


@dataclass(frozen=True)
class FirstStep:
    """A step by its key (templates/parts/first_steps.html has its words), its state, and what was found of it.

    `example` is the day that an opening list is usually of; `past_quarters_pool` the pool whose next quarter is past,
    so that an
    officer confirms it.
    """

    key: str
    state: str  # done, next or later
    found: str = ""
    example: date | None = None
    past_quarters_pool: str = ""


def first_steps() -> list[FirstStep]:
    """The steps from nothing to the first period in their order; the first that is not done is the next.

    5 queries, 2 more where the first quarter is past.
    """
    people = (
        User.objects.holding(Role.ADMINISTRATOR, *SIGNATORIES)
        .filter(is_active=True, acts_by_command=False)
        .order_by("pk")
    )
    administrators, officers, releasers = (
        [each for each in people if role in each.roles] for role in (Role.ADMINISTRATOR, *SIGNATORIES)
    )
    signatories = {*officers, *releasers}
    waiting = Invitation.objects.filter(accepted_at=None, withdrawn_at=None)
    given = RoleAssignment.objects.filter(account=OuterRef("account"), role__in=SIGNATORIES, ended_at=None)
    invited = waiting.filter(Exists(given)).count()
    players = Player.objects.count()
    opening = RatingList.objects.filter(state=RatingList.State.PUBLISHED).select_related("pool").first()
    period = Period.objects.select_related("pool").order_by("in_force").first()
    facts = (
        ("administrator", len(administrators) > 1, ", ".join(each.name for each in administrators)),
        (
            "settings",
            settings.DEMO or bool(is_mail_configured() and settings.OFFICE_URL),
            settings.OFFICE_TIME_ZONE,
        ),
        (
            "people",
            bool(officers and releasers) and len(signatories) > 1,
            f"{len(signatories)} here, {invited} invited" if signatories or invited else "",
        ),
        ("register", players > 0, f"{players} players" if players else ""),
        ("opening", opening is not None, _pool_and_day(opening) if opening else ""),
        ("period", period is not None, _pool_and_day(period) if period else ""),
    )
    undone = next((key for key, done, _ in facts if not done), "")
    today = office_today()
    past_quarters_pool = ""
    if opening is not None and period is None:
        due = period_after(opening.in_force)
        past_quarters_pool = opening.pool.code if due in past_quarters(opening.pool, due, today) else ""
    return [
        FirstStep(
            key,
            "done" if done else "next" if key == undone else "later",
            found,
            last_list_before(today) if key == "opening" else None,
            past_quarters_pool if key == "period" else "",
        )
        for key, done, found in facts
    ]


def last_list_before(today: date) -> date:
    """The day of the list before the quarter that is running: no quarter between it and today is past (R10)."""
    parameters = edition_in_force(today)
    return previous_period(parameters, period_of(parameters, today)).in_force


def _pool_and_day(thing: RatingList | Period) -> str:
    return f"{thing.pool.name}, in force from {thing.in_force.day} {thing.in_force:%b %Y}"
