from collections.abc import Mapping
from datetime import date, datetime, timedelta

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.models.report import TURN_LABELS
from reporting.rules.lifecycle import REQUEST_LIFECYCLE, RequestState, Turn

STATE_LABELS: Mapping[RequestState, Promise] = {
    RequestState.OPEN: _("Open"),
    RequestState.TAKEN: _("Taken"),
    RequestState.ASKED: _("Asked"),
    RequestState.ANSWERED: _("Answered"),
}
REOPEN_PERIOD = timedelta(days=30)


class CorrectionRequest(models.Model):
    """A visitor's report of an error in a published figure; its states are in reporting/rules/lifecycle.py.

    It stores the figure as it was published at that moment. The written texts never change
    (reporting/migrations/sql); the sender's name and e-mail address are erased two years after it is closed.
    """

    State = RequestState

    class Figure(models.TextChoices):
        RATING = "rating", _("Rating on a list")
        CHANGE = "change", _("Rating change by a tournament")
        RESULT = "result", _("Result of a game")
        PERSON = "person", _("Name, federation, title or year of birth")
        TOURNAMENT = "tournament", _("Tournament details")
        ERASURE = "erasure", _("Erasure of a name")

    figure = models.CharField(max_length=10, choices=Figure.choices)
    reference = models.CharField(
        max_length=200, help_text="Identifies the figure: kind; pool, day and revision of the list; subject."
    )
    player = models.ForeignKey(
        "reporting.Player",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="correction_requests",
    )
    result_set = models.ForeignKey(
        "reporting.ResultSet",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="correction_requests",
    )
    pool = models.CharField(max_length=40, help_text="Code of the pool.")
    pool_name = models.CharField(max_length=60, help_text="Name of the pool.")
    published_values = models.JSONField(
        default=dict,
        help_text="The values of the figure when the request came; a page makes the sentence.",
    )
    article = models.CharField(max_length=120, blank=True, help_text="Its article.")

    error_description = models.TextField(help_text="What is wrong.")
    proposed_value = models.TextField(blank=True, help_text="What it should be.")
    evidence = models.TextField(blank=True, help_text="How the sender knows.")
    name = models.CharField(max_length=120, blank=True)
    email = models.EmailField(max_length=254, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    state = models.CharField(
        max_length=10, choices=list(STATE_LABELS.items()), default=RequestState.OPEN.value, db_index=True
    )
    waiting_since = models.DateTimeField(db_default=Now(), help_text="Time of the last act.")
    taken_by = models.ForeignKey(
        "reporting.User", null=True, blank=True, on_delete=models.PROTECT, related_name="correction_requests"
    )
    confirmed_at = models.DateTimeField(
        null=True, blank=True, help_text="When the sender confirmed the e-mail address."
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    reopened_at = models.DateTimeField(null=True, blank=True, help_text="At most once.")
    erased_at = models.DateTimeField(null=True, blank=True, help_text="When name and address were erased.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(state__in=["taken", "asked", "answered"]) | Q(taken_by__isnull=False),
                name="request_taken_by_someone",
            ),
            models.CheckConstraint(
                condition=Q(state="answered", answered_at__isnull=False)
                | (~Q(state="answered") & Q(answered_at__isnull=True)),
                name="request_answered_has_instant",
            ),
            models.CheckConstraint(
                condition=(Q(erased_at__isnull=True) & ~Q(name="") & ~Q(email=""))
                | Q(erased_at__isnull=False, name="", email="", state="answered"),
                name="request_has_sender_until_erased",
            ),
            models.CheckConstraint(condition=~Q(error_description=""), name="request_has_error_description"),
            models.CheckConstraint(
                condition=Q(player__isnull=False) | Q(result_set__isnull=False),
                name="request_about_something",
            ),
        ]
        indexes = [models.Index(Lower("email"), "created_at", name="request_email")]

    def __str__(self) -> str:
        return f"request {self.pk}"

    @property
    def about(self) -> str:
        """The figure in one line: `Result of a game: Verkade, Annelies; European Championship`."""
        names = [self.player.printed_name] if self.player else []
        if self.result_set:
            name, part = self.result_set.name, self.result_set.part
            names.append(
                gettext("%(name)s, part %(part)s") % {"name": name, "part": part} if part > 1 else name
            )
        return f"{self.get_figure_display()}: {'; '.join(names)}"

    @property
    def published_in(self) -> str:
        """The list that the figure is from: `List of 1 Oct 2026, revision 1, 100 squares, classical`."""
        _figure, _pool, in_force, revision, *_subject = self.reference.split(":")
        return gettext("List of %(day)s, revision %(revision)s, %(pool)s") % {
            "day": formats.date_format(date.fromisoformat(in_force), "j M Y"),
            "revision": revision,
            "pool": self.pool_name,
        }

    @property
    def address(self) -> str:
        """The address of the figure on its page, in the language of the reader."""
        figure, pool, in_force, _revision, *subject = self.reference.split(":")
        if figure in {self.Figure.TOURNAMENT, self.Figure.RESULT}:
            page = "tournament-crosstable" if figure == self.Figure.RESULT else "tournament"
            return reverse(page, args=subject[:1])
        fragment = "" if figure in {self.Figure.PERSON, self.Figure.ERASURE} else "#explanation"
        return f"{reverse('player', args=subject[-1:])}?pool={pool}&list={in_force}{fragment}"

    @property
    def outcomes(self) -> list["RequestEntry.Outcome"]:
        """The outcomes that an answer can have: a name is erased or not, a figure is corrected or not."""
        outcomes = RequestEntry.Outcome
        if self.figure == self.Figure.ERASURE:
            return [outcomes.ERASED, outcomes.UNCHANGED]
        return [outcome for outcome in outcomes if outcome != outcomes.ERASED]

    @property
    def turn(self) -> Turn:
        """Who has to act next."""
        return REQUEST_LIFECYCLE[RequestState(self.state)].turn

    @property
    def turn_label(self) -> Promise:
        return TURN_LABELS[self.turn]

    @property
    def status_label(self) -> str:
        """The state as the office reads it; a request whose answer is final is closed."""
        return gettext("Closed") if self.is_closed else self.get_state_display()

    @property
    def status_tone(self) -> str:
        """Style of the tag that names the status; with a space before it, empty for the plain one."""
        if self.turn is Turn.OFFICE:
            return " tag--stamp"
        return " tag--good" if self.state == RequestState.ANSWERED and not self.is_closed else ""

    @property
    def sender_label(self) -> str:
        """The state as the sender reads it."""
        if self.is_closed:
            return gettext("Closed")
        labels = {
            RequestState.OPEN: gettext("Received"),
            RequestState.TAKEN: gettext("In progress"),
            RequestState.ASKED: gettext("Waiting for your reply"),
            RequestState.ANSWERED: gettext("Answered"),
        }
        return labels[RequestState(self.state)]

    @property
    def sender_tone(self) -> str:
        """Style of the tag with `sender_label`, as `status_tone`."""
        tones = {RequestState.ASKED: " tag--warn", RequestState.ANSWERED: " tag--good"}
        return tones.get(RequestState(self.state), " tag--stamp")

    @property
    def closes_at(self) -> datetime | None:
        """When the answer becomes final: 30 days after it; at once if it is the second answer."""
        if self.answered_at is None:
            return None
        return self.answered_at if self.reopened_at else self.answered_at + REOPEN_PERIOD

    @property
    def is_closed(self) -> bool:
        return self.closes_at is not None and self.closes_at <= timezone.now()


class RequestEntry(models.Model):
    """A question, reply or answer between the office and the sender of a request.

    The database refuses every change (reporting/migrations/sql).
    """

    class Kind(models.TextChoices):
        QUESTION = "question", _("Question")
        REPLY = "reply", _("Reply")
        ANSWER = "answer", _("Answer")
        REOPENING = "reopening", _("Reopened")

    class Outcome(models.TextChoices):
        CORRECTED = "corrected", _("Corrected")
        WILL_BE_CORRECTED = "will_be_corrected", _("Will be corrected")
        UNCHANGED = "unchanged", _("Not changed")
        NOT_ABOUT_RATINGS = "not_about_ratings", _("Not about ratings")
        ERASED = "erased", _("Erased")

    correction_request = models.ForeignKey(
        CorrectionRequest, on_delete=models.PROTECT, related_name="entries"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    outcome = models.CharField(max_length=20, choices=Outcome.choices, blank=True)
    basis = models.CharField(
        max_length=200,
        blank=True,
        help_text="What changed, the list with which it will change, or the article.",
    )
    text = models.TextField()
    by = models.ForeignKey(
        "reporting.User",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The person of the office; empty for the sender.",
    )
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name_plural = "request entries"
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="request_entry_has_text"),
            models.CheckConstraint(
                condition=Q(kind__in=["question", "answer"], by__isnull=False)
                | Q(kind__in=["reply", "reopening"], by__isnull=True),
                name="request_entry_by_its_side",
            ),
            models.CheckConstraint(
                condition=(Q(kind="answer") & ~Q(outcome="")) | (~Q(kind="answer") & Q(outcome="")),
                name="request_answer_has_outcome",
            ),
            models.CheckConstraint(
                condition=~Q(outcome__in=["corrected", "will_be_corrected", "unchanged"]) | ~Q(basis=""),
                name="request_answer_has_basis",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of request {self.correction_request_id}"

    @property
    def heading(self) -> str:
        """What the entry says, as a heading: the outcome of an answer, otherwise its kind."""
        if self.kind == self.Kind.ANSWER:
            return self.get_outcome_display()
        headings = {
            self.Kind.QUESTION: gettext("Question of the office"),
            self.Kind.REPLY: gettext("Reply of the sender"),
            self.Kind.REOPENING: gettext("Reason for reopening"),
        }
        return headings[self.Kind(self.kind)]

    @property
    def tone(self) -> str:
        """Style of the tag that names the kind; with a space before it, empty for the plain one."""
        tones = {
            self.Kind.QUESTION: " tag--warn",
            self.Kind.REOPENING: " tag--warn",
            self.Kind.ANSWER: " tag--good",
        }
        return tones.get(self.Kind(self.kind), "")
