from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from reporting.models.accounts import User
from reporting.models.correction_request import CorrectionRequest


class Message(models.Model):
    """What a person is told: written in the act's own transaction, delivered by mail later (reporting/tasks.py).

    A row is a message whether or not a mail has left: the person's own page shows it at once. Its words never
    change; the worker alone marks it (reporting/migrations/sql).
    """

    class Kind(models.TextChoices):
        REPORT_ACCEPTED = "report_accepted", "Report accepted"
        REPORT_RETURNED = "report_returned", "Report returned"
        REPORT_REJECTED = "report_rejected", "Report rejected"
        ACCEPTANCE_UNDONE = "acceptance_undone", "Acceptance taken back"
        REPORT_LATE = "report_late", "Late report"
        REPORT_NEXT_LIST = "report_next_list", "Next list"
        REPORT_REMINDER = "report_reminder", "Report is missing"
        REPORT_CHANGED = "report_changed", "Report changed by others"
        LIST_PUBLISHED = "list_published", "List published"
        INVITATION = "invitation", "Invitation"
        PASSWORD_RESET = "password_reset", "New password asked for"
        PASSWORD_CHANGED = "password_changed", "Password changed"
        EMAIL_CHANGE = "email_change", "New e-mail address asked for"
        EMAIL_CONFIRM = "email_confirm", "Confirm e-mail address"
        ACCOUNT_CHANGED = "account_changed", "Account changed"
        REQUEST_RECEIVED = "request_received", "Request received"
        REQUEST_QUESTION = "request_question", "Question to a request"
        REQUEST_ANSWERED = "request_answered", "Request answered"

    kind = models.CharField(max_length=20, choices=Kind.choices)
    recipient = models.ForeignKey(
        "reporting.User", null=True, blank=True, on_delete=models.PROTECT, related_name="messages"
    )
    correction_request = models.ForeignKey(
        "reporting.CorrectionRequest",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="messages",
        help_text="Whose sender is told, where the person told has no account: name and address stand there alone.",
    )
    address = models.EmailField(
        max_length=254,
        blank=True,
        default="",
        help_text="Where the mail goes, if not to the account's own address.",
    )
    about = models.CharField(max_length=200, help_text="Address of the thing: /reports/7/.")
    title = models.CharField(max_length=160)
    text = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    due_at = models.DateTimeField(db_default=Now(), help_text="Not tried before; later after each failure.")
    attempts = models.PositiveIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        # About an account a person may be told the same more than once in its life.
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "about", "recipient"],
                condition=~Q(
                    kind__in=[
                        "invitation",
                        "password_reset",
                        "password_changed",
                        "email_change",
                        "email_confirm",
                        "account_changed",
                    ]
                ),
                name="message_once",
            ),
            models.CheckConstraint(
                condition=Q(recipient__isnull=False, correction_request__isnull=True)
                | Q(recipient__isnull=True, correction_request__isnull=False),
                name="message_to_one_person",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at", "id"], condition=Q(sent_at__isnull=True), name="message_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.about}"

    @property
    def person(self) -> User | CorrectionRequest:
        """Who is told: an account or the sender of a request; both have a name and an e-mail address."""
        person = self.recipient or self.correction_request
        assert person is not None  # noqa: S101 (the database holds one of the two)
        return person

    @property
    def mail_address(self) -> str:
        return self.address or self.person.email
