from datetime import timedelta

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

LONGEST_LIFETIME = timedelta(days=366)
"""A year, and a day for clocks of web and database that differ."""


class Scope(models.TextChoices):
    """What a token allows a program to do with the reports of its owner."""

    READ = "reports:read", _("Read my reports and their findings")
    WRITE = "reports:write", _("Upload files, change details, save comments")
    SUBMIT = "reports:submit", _("Submit reports to the office")


class ApiToken(models.Model):
    """A token by which a program acts in the name of its owner: only in the API, only on their own reports.

    Of the secret only the SHA-256 is stored. The database refuses every change but the day of use and one revocation,
    and a token for another person than the one who acts (reporting/migrations/sql).
    """

    account = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="api_tokens")
    name = models.CharField(max_length=60)
    scopes = ArrayField(models.CharField(max_length=20, choices=Scope.choices))
    start = models.CharField(max_length=10, help_text="The first characters of the secret, to recognise it.")
    secret_sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    last_used_on = models.DateField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(
        "reporting.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "name"], condition=Q(revoked_at=None), name="api_token_name_once"
            ),
            models.CheckConstraint(
                condition=Q(scopes__len__gt=0, scopes__contained_by=Scope.values),
                name="api_token_scopes_known",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__lte=F("created_at") + LONGEST_LIFETIME), name="api_token_ends"
            ),
            models.CheckConstraint(
                condition=Q(revoked_at=None, revoked_by=None)
                | Q(revoked_at__isnull=False, revoked_by__isnull=False),
                name="api_token_revoked_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.start}… of {self.account_id}"

    @property
    def is_live(self) -> bool:
        """Neither revoked nor expired."""
        return self.revoked_at is None and timezone.now() < self.expires_at

    @property
    def scope_labels(self) -> list[str]:
        """The scopes as people read them, in the order of `Scope`."""
        return [str(scope.label) for scope in Scope if scope in self.scopes]


class ApiAnswer(models.Model):
    """The answer to a request with an `Idempotency-Key`: the same request again gets it, and nothing is done twice.

    Written in the transaction of the act; the worker deletes it after a week.
    """

    account = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=64)
    request_sha256 = models.CharField(max_length=64, help_text="Of what was asked.")
    status = models.PositiveSmallIntegerField()
    answer = models.TextField(help_text="JSON, as it was sent.")
    created_at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "key"], name="api_answer_one_per_key"),
        ]

    def __str__(self) -> str:
        return f"answer {self.key} of {self.account_id}"
