from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from reporting.models.accounts import User
from reporting.models.correction_request import CorrectionRequest


class Message(models.Model):
    """A message to a person: written in the transaction of an action, mailed later (reporting/tasks.py).

    The page of messages shows it at once, whether or not it was mailed. Its text never changes; only the worker marks
    it as sent (reporting/migrations/sql).
    """

    class Kind(models.TextChoices):
        """The kinds of messages of this app; other apps have their own (reporting/messages/kinds.py)."""

        REPORT_ACCEPTED = "report_accepted", _("Report accepted")
        REPORT_RETURNED = "report_returned", _("Report returned")
        REPORT_REJECTED = "report_rejected", _("Report rejected")
        ACCEPTANCE_UNDONE = "acceptance_undone", _("Acceptance undone")
        REPORT_LATE = "report_late", _("Late report")
        REPORT_REMINDER = "report_reminder", _("Missing report")
        REPORT_SUBMITTED = "report_submitted", _("Report submitted by another person")
        REPORT_NOTE = "report_note", _("Note on a report")
        REPORT_CHANGED = "report_changed", _("Report changed")
        REPORT_DUE_SOON = "report_due_soon", _("Report due within three days")
        REPORT_DUE_TODAY = "report_due_today", _("Report due today")
        REPORT_OVERDUE = "report_overdue", _("Report overdue")
        REPORT_LEFT_OFFICE = "report_left_office", _("Report taken back or withdrawn")
        DRAFT_DELETED = "draft_deleted", _("Draft deleted by the office")
        STORAGE_REACHED = "storage_reached", _("Limit of stored reports reached")
        REPORT_UNANSWERED = "report_unanswered", _("Returned report without an answer")
        INVITATION = "invitation", _("Invitation")
        PASSWORD_RESET = "password_reset", _("New password requested")
        PASSWORD_CHANGED = "password_changed", _("Password changed")
        EMAIL_CHANGE = "email_change", _("New e-mail address requested")
        EMAIL_CONFIRM = "email_confirm", _("Confirmation of e-mail address")
        ACCOUNT_CHANGED = "account_changed", _("Account changed")
        REQUEST_RECEIVED = "request_received", _("Request received")
        REQUEST_QUESTION = "request_question", _("Question about a request")
        REQUEST_ANSWERED = "request_answered", _("Request answered")

    kind = models.CharField(max_length=20)
    recipient = models.ForeignKey(
        "reporting.User", null=True, blank=True, on_delete=models.PROTECT, related_name="messages"
    )
    correction_request = models.ForeignKey(
        "reporting.CorrectionRequest",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="messages",
        help_text="Its sender gets the message, who has no account: only the request has name and address.",
    )
    address = models.EmailField(
        max_length=254,
        blank=True,
        default="",
        help_text="The address for the mail, if it is not the account's own.",
    )
    about = models.CharField(max_length=200, help_text="Path of the page: /reports/7/.")
    title = models.CharField(max_length=160)
    text = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    due_at = models.DateTimeField(
        db_default=Now(), help_text="Not sent before this; later after each failure."
    )
    attempts = models.PositiveIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        # A person may get the same message about an account more than once.
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
            # No link that opens an account goes to another address than its own.
            models.CheckConstraint(
                condition=Q(address="") | Q(kind__in=["email_change", "email_confirm"]),
                name="message_to_own_address",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at", "id"], condition=Q(sent_at__isnull=True), name="message_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.about}"

    @property
    def person(self) -> User | CorrectionRequest:
        """The recipient: an account or the sender of a request; both have a name and an e-mail address."""
        person = self.recipient or self.correction_request
        assert person is not None  # noqa: S101 (the database holds one of the two)
        return person

    @property
    def mail_address(self) -> str:
        return self.address or self.person.email


class MailOptOut(models.Model):
    """A kind of message that a person gets without mail. The page of messages shows it all the same."""

    account = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="mail_opt_outs")
    kind = models.CharField(max_length=20)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "kind"], name="mail_opt_out_once")]

    def __str__(self) -> str:
        return f"no mail of {self.kind} to {self.account_id}"
