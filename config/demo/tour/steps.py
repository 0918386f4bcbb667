"""The seven steps from a report to a published list: who takes each, where, and whether the database shows it done."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db.models import Q, TextChoices
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from config.demo.accounts import ACCOUNTS
from ratings.models import Period, RatingList
from ratings.office.selectors.first_steps import StepState
from ratings.publishing.list_norms import list_norms
from ratings.queries.periods import start_of
from reporting.models import LogEntry, Report, Role, SecurityEvent, Tournament

TOURNAMENT = "Dutch Open Air Championship"
POOL = "fmjd-100"
SIGNED = (RatingList.State.APPROVED, RatingList.State.PUBLISHED)


class StepKey(TextChoices):
    """The steps in their order; templates/demo/tour.html has the sentences."""

    REPORT = "report", _("Report a tournament")
    SUBMIT = "submit", _("Look at the findings and submit")
    ACCEPT = "accept", _("Accept the report")
    CALCULATE = "calculate", _("Freeze the period and calculate")
    APPROVE = "approve", _("Approve the draft")
    PUBLISH = "publish", _("Publish as the second person")
    VERIFY = "verify", _("See the list and verify it")


@dataclass(frozen=True)
class TourStep:
    """A step, the role that takes it (None for a visitor without account), the address of its page, and its state."""

    key: StepKey
    role: Role | None
    page: str
    state: StepState

    @property
    def person(self) -> str:
        """The name of the demonstration's person with the role; empty for a visitor."""
        return ACCOUNTS[self.role][1] if self.role else ""


@dataclass
class Tour:
    """The visitor's report and list, as far as they exist. At most 7 queries."""

    announcement: Tournament | None = None
    report: Report | None = None
    period: Period | None = None
    rating_list: RatingList | None = None
    steps: list[TourStep] = field(default_factory=list)

    @property
    def published(self) -> RatingList | None:
        """The visitor's list once it is published."""
        found = self.rating_list
        return found if found and found.state == RatingList.State.PUBLISHED else None


def tour_announcement() -> Tournament | None:
    """The announcement of the tour, the last that load_demo makes, whatever its name is now. 2 queries."""
    made = (
        LogEntry.objects.filter(action="announcement.create", after__name=TOURNAMENT).order_by("pk").first()
    )
    return Tournament.objects.announced().get(pk=made.subject.split()[-1]) if made else None


def read_tour() -> Tour | None:
    """The tour in its present state; None in a demonstration that was started empty."""
    announcement = tour_announcement()
    if announcement is None:
        return None
    reports = Report.objects.filter(Q(announcement=announcement) | Q(versions__name=TOURNAMENT))
    last_round = start_of(announcement.played_to)
    tour = Tour(
        announcement,
        reports.exclude(state=Report.State.WITHDRAWN).order_by("-pk").first(),
        Period.objects.filter(
            pool__code=POOL, played_since__lte=last_round, played_before__gt=last_round
        ).first(),
    )
    tour.rating_list = (
        RatingList.objects.filter(period=tour.period)
        .exclude(state=RatingList.State.SUPERSEDED)
        .select_related("pool", "period", "previous", "correction__replaces")
        .order_by("revision", "pk")
        .last()
    )
    before = True
    for key, is_done, role, page in _facts(tour):
        state = StepState.DONE if is_done else StepState.NEXT if before else StepState.LATER
        tour.steps.append(TourStep(key, role, page, state))
        before = before and is_done
    return tour


def _facts(tour: Tour) -> Iterator[tuple[StepKey, bool, Role | None, str]]:
    """Of each step whether it is done, the role that takes it, and the address of its page."""
    assert tour.announcement is not None  # noqa: S101 (read_tour looks for it)
    report, draft = tour.report, tour.rating_list
    state = report.state if report else ""
    submitted = state in {Report.State.SUBMITTED, Report.State.ACCEPTED}
    yield (
        StepKey.REPORT,
        report is not None,
        Role.REFEREE,
        f"{reverse('report-new')}?announcement={tour.announcement.pk}",
    )
    yield StepKey.SUBMIT, submitted, Role.REFEREE, reverse("report-file", args=[report.pk]) if report else ""
    yield (
        StepKey.ACCEPT,
        state == Report.State.ACCEPTED,
        Role.TOURNAMENT_DIRECTOR,
        reverse("office-report", args=[report.pk]) if report else "",
    )
    address = (POOL, tour.period.in_force) if tour.period else ()
    period = reverse("office-period", args=address) if address else ""
    yield StepKey.CALCULATE, draft is not None, Role.RATING_OFFICER, period
    signed = draft is not None and draft.state in SIGNED
    if draft is not None and not signed and list_norms().undecided(draft):
        yield StepKey.APPROVE, False, Role.TITLE_COUNCIL, reverse("norms-of-draft", args=address)
    else:
        yield StepKey.APPROVE, signed, Role.RATING_OFFICER, period
    published = tour.published
    yield StepKey.PUBLISH, published is not None, Role.RELEASING_OFFICER, period
    if published is None:
        yield StepKey.VERIFY, False, None, ""
    else:
        yield (
            StepKey.VERIFY,
            SecurityEvent.objects.filter(
                kind=SecurityEvent.Kind.LOGGED_OUT, at__gt=published.published_at
            ).exists(),
            None,
            reverse("list-revision", args=[*address, published.revision]),
        )
