"""What an installation still needs before its first list, read from what is there."""

from dataclasses import dataclass

from django.conf import settings

from ratings.models import Period, RatingList
from reporting.models import Invitation, Player, Role, User
from reporting.selectors.messages import mail_leaves

SIGNATORIES = (Role.RATING_OFFICER, Role.RELEASING_OFFICER)


@dataclass(frozen=True)
class FirstStep:
    """A step by its key (templates/parts/first_steps.html has its words), its state, and what was found of it."""

    key: str
    state: str  # done, next or later
    found: str = ""


def first_steps() -> list[FirstStep]:
    """The steps from nothing to the first period in their order; the first that is not done is the next. 5 queries."""
    people = User.objects.filter(
        is_active=True, acts_by_command=False, roles__overlap=[Role.ADMINISTRATOR, *SIGNATORIES]
    ).order_by("pk")
    administrators, officers, releasers = (
        [each for each in people if role in each.roles] for role in (Role.ADMINISTRATOR, *SIGNATORIES)
    )
    signatories = {*officers, *releasers}
    waiting = Invitation.objects.filter(accepted_at=None, withdrawn_at=None)
    invited = waiting.filter(account__roles__overlap=SIGNATORIES).count()
    players = Player.objects.count()
    opening = RatingList.objects.filter(state=RatingList.State.PUBLISHED).select_related("pool").first()
    period = Period.objects.select_related("pool").order_by("in_force").first()
    facts = (
        ("administrator", bool(administrators), ", ".join(each.name for each in administrators)),
        ("settings", settings.DEMO or bool(mail_leaves() and settings.OFFICE_URL), settings.OFFICE_TIME_ZONE),
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
    return [
        FirstStep(key, "done" if done else "next" if key == undone else "later", found)
        for key, done, found in facts
    ]


def _pool_and_day(thing: RatingList | Period) -> str:
    return f"{thing.pool.name}, in force from {thing.in_force.day} {thing.in_force:%b %Y}"
