from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now
from django.utils import timezone

from reporting.rules.lifecycle import REQUEST_LIFECYCLE, RequestState, Turn

STATES = [(state.value, state.value.capitalize()) for state in RequestState]
REOPEN_PERIOD = timedelta(days=30)


class CorrectionRequest(models.Model):
    """This is wrong: a visitor doubts a published figure; its life is the table in reporting/rules/lifecycle.py.

    The figure is kept as it was published at that moment. What was written never changes (reporting migration
    0011); the sender's name and e-mail address are emptied two years after it is closed.
    """

    State = RequestState

    class Figure(models.TextChoices):
        RATING = "rating", "Rating on a list"
        CHANGE = "change", "Change by a tournament"
        RESULT = "result", "Result of a game"
        PERSON = "person", "Name, federation, title or year of birth"
        TOURNAMENT = "tournament", "Facts of a tournament"

    figure = models.CharField(max_length=10, choices=Figure.choices)
    reference = models.CharField(max_length=200, help_text="Which figure: how it is found again.")
    player = models.ForeignKey(
        "reporting.Player",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="correction_requests",
    )
    tournament = models.ForeignKey(
        "reporting.Tournament",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="correction_requests",
    )
    pool = models.CharField(max_length=40, help_text="Code of the pool.")
    published_as = models.TextField(help_text="The figure as it was when the request came.")
    published_in = models.CharField(max_length=200, help_text="List and revision, in words.")
    address = models.CharField(max_length=300, help_text="Address of the page it stands on.")
    article = models.CharField(max_length=120, blank=True, help_text="What it follows from.")

    error_description = models.TextField(help_text="What is wrong.")
    proposed_value = models.TextField(blank=True, help_text="What it should be.")
    evidence = models.TextField(blank=True, help_text="How the sender knows.")
    name = models.CharField(max_length=120, blank=True)
    email = models.EmailField(max_length=254, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    state = models.CharField(max_length=10, choices=STATES, default=RequestState.OPEN.value, db_index=True)
    waiting_since = models.DateTimeField(
        db_default=Now(), help_text="Since when it waits for whose turn it is."
    )
    taken_by = models.ForeignKey(
        "reporting.User", null=True, blank=True, on_delete=models.PROTECT, related_name="correction_requests"
    )
    confirmed_at = models.DateTimeField(
        null=True, blank=True, help_text="When the sender showed that he reads the mail of his address."
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    reopened_at = models.DateTimeField(null=True, blank=True, help_text="Once at the most.")
    erased_at = models.DateTimeField(null=True, blank=True, help_text="When name and address were emptied.")

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
                condition=Q(player__isnull=False) | Q(tournament__isnull=False),
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
        if self.tournament:
            names.append(self.tournament.name)
        return f"{self.get_figure_display()}: {'; '.join(names)}"

    @property
    def turn(self) -> Turn:
        return REQUEST_LIFECYCLE[RequestState(self.state)].turn

    @property
    def closes_at(self) -> datetime | None:
        """From when on an answer is the last word: 30 days after it; at once if it is the second."""
        if self.answered_at is None:
            return None
        return self.answered_at if self.reopened_at else self.answered_at + REOPEN_PERIOD

    @property
    def is_closed(self) -> bool:
        return self.closes_at is not None and self.closes_at <= timezone.now()


class RequestEntry(models.Model):
    """What the office and the sender say to each other about a request.

    The database refuses every change (reporting/migrations/sql).
    """

    class Kind(models.TextChoices):
        QUESTION = "question", "Question"
        REPLY = "reply", "Reply"
        ANSWER = "answer", "Answer"
        REOPENING = "reopening", "Reopened"

    class Outcome(models.TextChoices):
        CORRECTED = "corrected", "Corrected"
        WILL_BE_CORRECTED = "will_be_corrected", "Will be corrected"
        UNCHANGED = "unchanged", "Stays as it is"
        NOT_ABOUT_RATINGS = "not_about_ratings", "Not about ratings"

    correction_request = models.ForeignKey(
        CorrectionRequest, on_delete=models.PROTECT, related_name="entries"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    outcome = models.CharField(max_length=20, choices=Outcome.choices, blank=True)
    basis = models.CharField(
        max_length=200,
        blank=True,
        help_text="What changed, with which list it will, or the article it stays by.",
    )
    text = models.TextField()
    by = models.ForeignKey(
        "reporting.User",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Of the office; nobody is the sender.",
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
