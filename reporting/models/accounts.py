from datetime import timedelta
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils import timezone

INVITATION_HOLDS = timedelta(days=7)


class Role(models.TextChoices):
    """What a person may do in the office; one person may have several."""

    REFEREE = "referee", "Referee"
    NATIONAL_OFFICIAL = "national_official", "National ratings official"
    RATING_OFFICER = "rating_officer", "Rating officer"
    RELEASING_OFFICER = "releasing_officer", "Releasing officer"
    TITLE_COUNCIL = "title_council", "Title council"
    TOURNAMENT_DIRECTOR = "tournament_director", "Tournament director"
    ADMINISTRATOR = "administrator", "Administrator"


class UserManager(BaseUserManager["User"]):
    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        """Small letters: an address is one person's however it is written, and allauth compares it so."""
        return (email or "").strip().lower()

    def create_user(self, email: str, name: str, password: str | None = None, **fields: Any) -> "User":
        """An account that can log in by e-mail; without a password it can't log in at all."""
        user = self.model(email=self.normalize_email(email), name=name, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, email: str | None) -> "User":
        return self.get(email__iexact=email)


class User(AbstractBaseUser):
    """An account. It logs in by e-mail and holds roles; nothing else gives rights."""

    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=120)
    roles = ArrayField(models.CharField(max_length=24, choices=Role.choices), default=list, blank=True)
    federation = models.ForeignKey(
        "reporting.Federation", null=True, blank=True, on_delete=models.PROTECT, related_name="users"
    )
    is_active = models.BooleanField(default=True)
    acts_by_command = models.BooleanField(
        default=False, help_text="Acts for the office's commands and can never log in."
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email_unique"),
            models.CheckConstraint(
                condition=models.Q(roles__contained_by=Role.values), name="user_roles_known"
            ),
        ]

    def __str__(self) -> str:
        return self.email

    def has_role(self, *roles: Role) -> bool:
        """Whether the account is active and holds at least one of the roles."""
        return self.is_active and not set(self.roles).isdisjoint(roles)


class Invitation(models.Model):
    """How an account came to be: until it is accepted the account is closed and has no password."""

    class State(models.TextChoices):
        OPEN = "open", "Invited"
        LAPSED = "lapsed", "Invitation lapsed"
        ACCEPTED = "accepted", "Accepted"
        WITHDRAWN = "withdrawn", "Withdrawn"

    account = models.OneToOneField("reporting.User", on_delete=models.PROTECT, related_name="invitation")
    invited_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="invitations")
    sent_at = models.DateTimeField(help_text="The last time: its link holds seven days.")
    accepted_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(accepted_at__isnull=True) | models.Q(withdrawn_at__isnull=True),
                name="invitation_ends_once",
            )
        ]

    def __str__(self) -> str:
        return f"invitation of {self.account_id}"

    @property
    def state(self) -> State:
        if self.accepted_at is not None:
            return self.State.ACCEPTED
        if self.withdrawn_at is not None:
            return self.State.WITHDRAWN
        return self.State.OPEN if timezone.now() <= self.sent_at + INVITATION_HOLDS else self.State.LAPSED

    @property
    def waits(self) -> bool:
        """Neither accepted nor withdrawn: it can be sent again."""
        return self.accepted_at is None and self.withdrawn_at is None


class SecurityEvent(models.Model):
    """A log-in, a refusal or a change of what opens an account, with person and network address.

    Appended only; the database refuses UPDATE and TRUNCATE, and DELETE of what is younger than a year (migration 0019).
    """

    class Kind(models.TextChoices):
        LOGGED_IN = "logged_in", "Logged in"
        LOGGED_OUT = "logged_out", "Logged out"
        PASSWORD_REFUSED = "password_refused", "Wrong password"
        CODE_REFUSED = "code_refused", "Wrong code"
        TOO_MANY = "too_many", "Too many attempts"
        CONFIRMED = "confirmed", "Identity confirmed"
        SESSION_ENDED = "session_ended", "Session expired"
        PASSWORD_CHANGED = "password_changed", "Password changed"
        FACTOR_ADDED = "factor_added", "Second factor set up"
        FACTOR_REMOVED = "factor_removed", "Second factor removed"
        CODES_MADE = "codes_made", "New recovery codes"

    at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    account = models.ForeignKey(
        "reporting.User", null=True, blank=True, on_delete=models.PROTECT, related_name="security_events"
    )
    email = models.EmailField(max_length=254, blank=True, help_text="As it was typed, or the account's.")
    address = models.GenericIPAddressField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.email}"
