from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Webhook(models.Model):
    """An address to which the worker sends each new change, in the name of an account (decision 0141).

    It works as long as its token; it is ended for good after a delivery that failed for three days.
    """

    account = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="webhooks")
    token = models.ForeignKey("reporting.ApiToken", on_delete=models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=500)
    secret = models.TextField(help_text="Encrypted with a key derived from SECRET_KEY.")
    queued = models.PositiveBigIntegerField(help_text="The changes up to this number have their deliveries.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "url"], name="webhook_url_once")]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.account_id}"


class WebhookDelivery(models.Model):
    """A change, or a test, to be delivered to a webhook, with the outcome of its last attempt.

    `next_at` is when it is tried next; None once it is delivered or was tried for the last time.
    """

    class Problem(models.TextChoices):
        MALFORMED = "malformed", _("Not an address")
        NOT_HTTPS = "not_https", _("Not https")
        UNKNOWN_HOST = "unknown_host", _("Host not found")
        PRIVATE_ADDRESS = "private_address", _("Not a public network address")
        NO_CONNECTION = "no_connection", _("No connection")
        TOO_SLOW = "too_slow", _("No answer within ten seconds")
        STATUS = "status", _("Not accepted")
        SECRET_LOST = "secret_lost", _("The secret cannot be read any more")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    change = models.ForeignKey(
        "ratings.PublicChange",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="None: a test.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, db_default=Now())
    tried_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True, help_text="Of the last answer (HTTP).")
    problem = models.CharField(max_length=15, choices=Problem.choices, blank=True)
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "webhook deliveries"
        constraints = [
            models.UniqueConstraint(fields=["webhook", "change"], name="webhookdelivery_once"),
            models.CheckConstraint(
                condition=Q(delivered_at=None) | Q(delivered_at=F("tried_at"), next_at=None, problem=""),
                name="webhookdelivery_delivered_at_the_end",
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_at"], condition=Q(next_at__isnull=False), name="webhookdelivery_waiting"
            )
        ]

    def __str__(self) -> str:
        return f"delivery {self.pk} to {self.webhook_id}"

    @property
    def outcome(self) -> str:
        """The status of the last answer, or the label of what went wrong; empty before the first attempt."""
        return str(self.status or self.get_problem_display())
