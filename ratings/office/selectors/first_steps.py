"""What an installation still needs before its first list, read from the database and the settings."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, TextChoices
from django.utils.translation import gettext_lazy as _

from ratings.federations.registry import rating_systems
from ratings.models import Period, Pool, RatingList
from ratings.queries.lists import office_today
from ratings.queries.periods import past_quarters, period_after
from ratings.worker import heartbeat
from reporting.messages.selectors import is_mail_configured
from reporting.models import Invitation, Player, Report, Role, RoleAssignment, Tournament, User

SIGNATORIES = (Role.RATING_OFFICER, Role.RELEASING_OFFICER)


class StepKey(TextChoices):
    """The steps in their order; templates/parts/first_steps.html has the sentences."""

    ADMINISTRATOR = "administrator", _("Two administrators")
    SETTINGS = "settings", _("Mail and time zone")
    WORKER = "worker", _("The worker")
    PEOPLE = "people", _("A rating officer and a releasing officer")
    REGISTER = "register", _("The register of players")
    OPENING = "opening", _("The opening list")
    PERIOD = "period", _("The first period")
    ANNOUNCED = "announced", _("The first tournament")


class StepState(TextChoices):
    DONE = "done", _("Done")
    NEXT = "next", _("Next")
    LATER = "later", _("To come")

    @property
    def tone(self) -> str:
        """The colour of its tag, if any."""
        return {"done": "good", "next": "stamp"}.get(self.value, "")

    @property
    def man(self) -> str:
        """The piece shown next to it."""
        return {"done": "done", "next": "white"}.get(self.value, "open")


@dataclass(frozen=True)
class FirstStep:
    """A step, its state, and the values that its sentences name.

    `is_found` says that there is something to show of it. `example` is the usual day of an opening list;
    `past_quarters_pool` the pool whose next quarter is past, so that an officer confirms it; `dates_pool` the pool
    whose dates the office chooses; `pools` are those an opening list can be for, `seen` the last sign of the
    worker.
    """

    key: StepKey
    state: StepState = StepState.LATER
    is_done: bool = False
    is_found: bool = False
    names: tuple[str, ...] = ()
    count: int = 0
    invited: int = 0
    pool: str = ""
    in_force: date | None = None
    time_zone: str = ""
    example: date | None = None
    past_quarters_pool: str = ""
    dates_pool: str = ""
    pools: tuple[Pool, ...] = ()
    seen: datetime | None = None


def first_steps() -> list[FirstStep]:
    """The steps from nothing to the first tournament, in order; the first that is not done is the next.

    7 or 8 queries, 2 more where the first quarter is past.
    """
    people = (
        User.objects.holding(Role.ADMINISTRATOR, *SIGNATORIES)
        .filter(is_active=True, acts_by_command=False)
        .order_by("pk")
    )
    administrators, officers, releasers = (
        [user for user in people if role in user.roles] for role in (Role.ADMINISTRATOR, *SIGNATORIES)
    )
    signatories = {*officers, *releasers}
    waiting = Invitation.objects.filter(accepted_at=None, withdrawn_at=None)
    given = RoleAssignment.objects.filter(account=OuterRef("account"), role__in=SIGNATORIES, ended_at=None)
    invited = waiting.filter(Exists(given)).count()
    players = Player.objects.count()
    opening = RatingList.objects.filter(state=RatingList.State.PUBLISHED).select_related("pool").first()
    period = Period.objects.select_related("pool").order_by("in_force").first()
    today = office_today()
    past_quarters_pool = dates_pool = ""
    if opening is not None and period is None and opening.rating_system.calendar is None:
        dates_pool = opening.pool.code
    elif opening is not None and period is None:
        due = period_after(opening.pool, opening.in_force)
        past_quarters_pool = opening.pool.code if due in past_quarters(opening.pool, due, today) else ""
    pools = tuple(Pool.objects.order_by("system", "discipline", "tempo", "pk"))
    seen = heartbeat.last_heartbeat()
    steps = [
        FirstStep(
            StepKey.ADMINISTRATOR,
            is_done=len(administrators) > 1,
            is_found=bool(administrators),
            names=tuple(user.name for user in administrators),
        ),
        FirstStep(
            StepKey.SETTINGS,
            is_done=settings.DEMO or bool(is_mail_configured() and settings.OFFICE_URL),
            time_zone=settings.OFFICE_TIME_ZONE,
        ),
        FirstStep(StepKey.WORKER, is_done=seen is not None, is_found=seen is not None, seen=seen),
        FirstStep(
            StepKey.PEOPLE,
            is_done=bool(officers and releasers) and len(signatories) > 1,
            is_found=bool(signatories or invited),
            count=len(signatories),
            invited=invited,
        ),
        FirstStep(StepKey.REGISTER, is_done=players > 0, is_found=players > 0, count=players),
        _list_step(StepKey.OPENING, opening, example=last_list_before(today), pools=pools),
        _list_step(StepKey.PERIOD, period, past_quarters_pool=past_quarters_pool, dates_pool=dates_pool),
        FirstStep(
            StepKey.ANNOUNCED, is_done=Tournament.objects.announced().exists() or Report.objects.exists()
        ),
    ]
    undone = next((step.key for step in steps if not step.is_done), None)
    return [replace(step, state=_state_of(step, undone)) for step in steps]


def _list_step(key: StepKey, found: RatingList | Period | None, **values: Any) -> FirstStep:
    if found is None:
        return FirstStep(key, **values)
    return FirstStep(
        key, is_done=True, is_found=True, pool=found.pool.name, in_force=found.in_force, **values
    )


def _state_of(step: FirstStep, undone: StepKey | None) -> StepState:
    if step.is_done:
        return StepState.DONE
    return StepState.NEXT if step.key == undone else StepState.LATER


def last_list_before(today: date) -> date:
    """The day of the list before the current quarter: no quarter between it and today is past (R10).

    Without a calendar, the first day of the month.
    """
    calendar = rating_systems()[0].calendar
    if calendar is None:
        return today.replace(day=1)
    return calendar.previous_period(calendar.period_of(today)).in_force
