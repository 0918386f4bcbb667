from datetime import timedelta
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils import timezone
from django.utils.functional import cached_property

INVITATION_LIFETIME = timedelta(days=7)


class Role(models.TextChoices):
    """What a person may do in the office; one person may have several."""

    REFEREE = "referee", "Referee"
    NATIONAL_OFFICIAL = "national_official", "National ratings official"
    RATING_OFFICER = "rating_officer", "Rating officer"
    RELEASING_OFFICER = "releasing_officer", "Releasing officer"
    TITLE_COUNCIL = "title_council", "Title council"
    TOURNAMENT_DIRECTOR = "tournament_director", "Tournament director"
    ADMINISTRATOR = "administrator", "Administrator"


NEED_A_SECOND_PERSON = (Role.RATING_OFFICER, Role.RELEASING_OFFICER, Role.TITLE_COUNCIL, Role.ADMINISTRATOR)
"""Given by one administrator and confirmed by another: whoever signs, and administrators (contracts U14)."""


class RoleAssignment(models.Model):
    """A role of an account: who gave it, who confirmed it, who ended it. It holds while confirmed and not ended.

    The database's functions `assign_role`, `confirm_role` and `end_role` alone write it (sql/role_assignments.sql);
    a row is never deleted.
    """

    account = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="assignments")
    role = models.CharField(max_length=24, choices=Role.choices)
    assigned_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="+")
    assigned_at = models.DateTimeField(db_default=Now(), editable=False)
    confirmed_by = models.ForeignKey(
        "reporting.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    confirmed_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        "reporting.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True)
    by_command = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "account", "role", condition=models.Q(ended_at=None), name="role_assigned_once"
            ),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="role_known"),
            models.CheckConstraint(
                condition=models.Q(ended_at=None, ended_by=None)
                | models.Q(ended_at__isnull=False, ended_by__isnull=False),
                name="role_ended_by_somebody",
            ),
            models.CheckConstraint(
                condition=models.Q(by_command=True)
                | ~models.Q(assigned_by=models.F("account"))
                & (
                    models.Q(confirmed_at=None)
                    | ~models.Q(role__in=NEED_A_SECOND_PERSON)
                    | models.Q(confirmed_by__isnull=False)
                    & ~models.Q(confirmed_by=models.F("assigned_by"))
                    & ~models.Q(confirmed_by=models.F("account"))
                ),
                name="role_given_by_two_others",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.account_id}"

    @property
    def is_pending(self) -> bool:
        """Given, and neither confirmed nor ended."""
        return self.confirmed_at is None and self.ended_at is None


def roles_of(account: models.OuterRef | int, *, confirmed: bool) -> models.QuerySet[RoleAssignment, str]:
    """The roles that an account holds, or those that wait for confirmation."""
    return RoleAssignment.objects.filter(
        account=account, ended_at=None, confirmed_at__isnull=not confirmed
    ).values_list("role", flat=True)


class UserManager(BaseUserManager["User"]):
    def get_queryset(self) -> "models.QuerySet[User]":
        """Every account with the roles it holds, in the same query."""
        held = ArraySubquery(roles_of(models.OuterRef("pk"), confirmed=True))
        return super().get_queryset().annotate(roles_held=held)  # type: ignore[no-redef]

    def holding(self, *roles: Role) -> "models.QuerySet[User]":
        """The accounts, open or not, that hold at least one of the roles."""
        held = roles_of(models.OuterRef("pk"), confirmed=True).filter(role__in=roles)
        return self.get_queryset().filter(models.Exists(held))

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
        ]

    def __str__(self) -> str:
        return self.email

    @cached_property
    def roles_held(self) -> list[str]:
        """1 query where the account was not read by its manager, which brings them along."""
        return list(roles_of(self.pk, confirmed=True)) if self.pk else []

    @cached_property
    def roles_waiting(self) -> list[str]:
        """Given by one administrator and not yet confirmed by another: they give no rights. 1 query."""
        return list(roles_of(self.pk, confirmed=False)) if self.pk else []

    @property
    def roles(self) -> list[str]:
        """The roles that hold, in the order of `Role`."""
        return [role for role in Role.values if role in self.roles_held]

    @property
    def roles_given(self) -> list[str]:
        """The roles that hold and those that wait, in the order of `Role`."""
        return [role for role in Role.values if role in (*self.roles_held, *self.roles_waiting)]

    def forget_roles(self) -> None:
        """Read them anew when they are next asked for: under a lock, or after they were written."""
        self.__dict__.pop("roles_held", None)
        self.__dict__.pop("roles_waiting", None)

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        super().refresh_from_db(*args, **kwargs)
        self.forget_roles()

    def has_role(self, *roles: Role) -> bool:
        """Whether the account is active and holds at least one of the roles."""
        return self.is_active and not set(self.roles).isdisjoint(roles)


class Invitation(models.Model):
    """How an account came to be: until it is accepted the account is closed and has no password."""

    class State(models.TextChoices):
        OPEN = "open", "Invited"
        EXPIRED = "expired", "Invitation lapsed"
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
        return self.State.OPEN if timezone.now() <= self.sent_at + INVITATION_LIFETIME else self.State.EXPIRED

    @property
    def is_pending(self) -> bool:
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
        CODES_GENERATED = "codes_generated", "New recovery codes"

    at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    account = models.ForeignKey(
        "reporting.User", null=True, blank=True, on_delete=models.PROTECT, related_name="security_events"
    )
    email = models.EmailField(max_length=254, blank=True, help_text="As it was typed, or the account's.")
    address = models.GenericIPAddressField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.email}"
