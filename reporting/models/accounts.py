from datetime import timedelta
from typing import Any

from django.apps import apps
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.hashers import check_password
from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

INVITATION_LIFETIME = timedelta(days=7)
LONGEST_LIFETIME = timedelta(days=366)
"""A year, and a day for clocks of web and database that differ."""


class Role(models.TextChoices):
    """What a person may do in the office; one person may have several."""

    REFEREE = "referee", _("Referee")
    NATIONAL_OFFICIAL = "national_official", _("National ratings official")
    RATING_OFFICER = "rating_officer", _("Rating officer")
    RELEASING_OFFICER = "releasing_officer", _("Releasing officer")
    TITLE_COUNCIL = "title_council", _("Title council")
    TOURNAMENT_DIRECTOR = "tournament_director", _("Tournament director")
    ADMINISTRATOR = "administrator", _("Administrator")


NEED_A_SECOND_PERSON = (
    Role.RATING_OFFICER,
    Role.RELEASING_OFFICER,
    Role.TITLE_COUNCIL,
    Role.TOURNAMENT_DIRECTOR,
    Role.ADMINISTRATOR,
)
"""Assigned by one administrator and confirmed by another: who accepts, decides or signs, and administrators (U14)."""


class RoleAssignment(models.Model):
    """A role of an account, with the people who assigned, confirmed and ended it.

    It applies while confirmed and not ended. Only the database functions `assign_role`, `confirm_role` and `end_role`
    write it (sql/role_assignments.sql); a row is never deleted.
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
                    | models.Q(role=Role.TOURNAMENT_DIRECTOR, ended_at__isnull=False)
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
        """Assigned, and neither confirmed nor ended."""
        return self.confirmed_at is None and self.ended_at is None


class NamedOfficial(models.Model):
    """The choice of a national ratings official to be named on the public page of the own federation.

    It counts while `assignment` holds. A trigger deletes it once the account is closed or gets another federation
    (migrations/sql/accounts.sql). A role that is assigned again asks for a new choice.
    """

    account = models.OneToOneField("reporting.User", on_delete=models.PROTECT, related_name="+")
    assignment = models.ForeignKey("reporting.RoleAssignment", on_delete=models.PROTECT, related_name="+")
    chosen_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"named official {self.account_id}"


def roles_of(account: models.OuterRef | int, *, confirmed: bool) -> models.QuerySet[RoleAssignment, str]:
    """The roles that an account holds, or those that are not confirmed yet."""
    return RoleAssignment.objects.filter(
        account=account, ended_at=None, confirmed_at__isnull=not confirmed
    ).values_list("role", flat=True)


def unread_messages_of(account: Any, read_to: Any) -> "models.QuerySet[Any, Any]":
    """The number of messages of an account after this one, in the only row.

    Those about a new e-mail address are not counted: a page does not tell whether an address has an account already.
    """
    messages = apps.get_model("reporting", "Message").objects.filter(recipient=account, pk__gt=read_to)
    messages = messages.exclude(kind__in=["email_change", "email_confirm"])
    counted = messages.order_by().annotate(unread=models.Func(models.F("pk"), function="COUNT"))
    return counted.values_list("unread", flat=True)


class UserManager(BaseUserManager["User"]):
    def get_queryset(self) -> "models.QuerySet[User]":
        """Every account with the roles it holds and the number of its unread messages, in the same query."""
        return self._with_roles.using(self._db)

    @cached_property
    def _with_roles(self) -> "models.QuerySet[User]":
        # Every request of a person reads the account: writing this query out takes longer than its answer.
        held = ArraySubquery(roles_of(models.OuterRef("pk"), confirmed=True))
        unread = unread_messages_of(models.OuterRef("pk"), models.OuterRef("messages_read_to"))
        return (
            super()
            .get_queryset()
            .annotate(  # type: ignore[no-redef]
                roles_held=held, unread_messages=models.Subquery(unread)
            )
        )

    def holding(self, *roles: Role) -> "models.QuerySet[User]":
        """The accounts, open or not, that hold at least one of the roles."""
        held = roles_of(models.OuterRef("pk"), confirmed=True).filter(role__in=roles)
        return self.get_queryset().filter(models.Exists(held))

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        """In lower case: upper and lower case are the same address, and allauth compares addresses that way."""
        return (email or "").strip().lower()

    def create_user(self, email: str, name: str, password: str | None = None, **fields: Any) -> "User":
        """Create an account; without a password it cannot log in."""
        user = self.model(email=self.normalize_email(email), name=name, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, email: str | None) -> "User":
        return self.get(email__iexact=email)


class User(AbstractBaseUser):
    """An account. It logs in by e-mail address and holds roles; only roles give rights."""

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
    messages_read_to = models.BigIntegerField(
        default=0,
        db_default=0,
        help_text="Number of the newest message when the page of messages was last opened.",
    )

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
        """0 queries if the manager read the account, else 1."""
        return list(roles_of(self.pk, confirmed=True)) if self.pk else []

    @cached_property
    def unread_messages(self) -> int:
        """Messages written since the page of messages was last opened. 0 queries if the manager read the account."""
        return int(unread_messages_of(self.pk, self.messages_read_to)[0])

    @cached_property
    def roles_waiting(self) -> list[str]:
        """Assigned by one administrator and not confirmed by another: they give no rights yet. 1 query."""
        return list(roles_of(self.pk, confirmed=False)) if self.pk else []

    @property
    def roles(self) -> list[str]:
        """The roles that hold, in the order of `Role`."""
        return [role for role in Role.values if role in self.roles_held]

    @property
    def roles_given(self) -> list[str]:
        """The roles that hold and those not confirmed yet, in the order of `Role`."""
        return [role for role in Role.values if role in (*self.roles_held, *self.roles_waiting)]

    def forget_roles(self) -> None:
        """Read the roles again on the next access: under a lock, or after a change."""
        self.__dict__.pop("roles_held", None)
        self.__dict__.pop("roles_waiting", None)

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        super().refresh_from_db(*args, **kwargs)
        self.forget_roles()

    def check_password(self, raw_password: str | None) -> bool:
        """Whether it is the password. Nothing is written: `renew_hash` does that, in the name of the account."""
        return check_password(raw_password, self.password)

    def has_role(self, *roles: Role) -> bool:
        """Whether the account is active and holds at least one of the roles."""
        return self.is_active and not set(self.roles).isdisjoint(roles)


class AccountState(models.TextChoices):
    """The state of an account in the list of accounts, from whether it is open and from its invitation."""

    OPEN = "open", _("Open")
    INVITED = "invited", _("Invited")
    EXPIRED = "expired", _("Invitation expired")
    WITHDRAWN = "withdrawn", _("Invitation withdrawn")
    CLOSED = "closed", _("Closed")

    @property
    def tone(self) -> str:
        """The tone of its tag on pages; empty for a plain one."""
        return {"open": "good", "invited": "stamp", "expired": "warn"}.get(self.value, "")


class Invitation(models.Model):
    """The invitation that created an account. Until it is accepted the account is closed and has no password."""

    account = models.OneToOneField("reporting.User", on_delete=models.PROTECT, related_name="invitation")
    invited_by = models.ForeignKey("reporting.User", on_delete=models.PROTECT, related_name="invitations")
    sent_at = models.DateTimeField(help_text="The last time. The link works for seven days.")
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
    def is_expired(self) -> bool:
        """Whether the time of its link is over."""
        return timezone.now() > self.sent_at + INVITATION_LIFETIME

    @property
    def is_pending(self) -> bool:
        """Neither accepted nor withdrawn: it can be sent again."""
        return self.accepted_at is None and self.withdrawn_at is None


class SecurityEvent(models.Model):
    """A log-in, a refused log-in or a change of password or factor, with person and network address.

    Append only: the database refuses UPDATE and TRUNCATE, and DELETE of entries of the last year (migrations/sql).
    """

    class Kind(models.TextChoices):
        LOGGED_IN = "logged_in", _("Logged in")
        LOGGED_OUT = "logged_out", _("Logged out")
        PASSWORD_REFUSED = "password_refused", _("Wrong password")
        CODE_REFUSED = "code_refused", _("Wrong code")
        TOO_MANY = "too_many", _("Too many attempts")
        CONFIRMED = "confirmed", _("Identity confirmed")
        SESSION_ENDED = "session_ended", _("Session expired")
        PASSWORD_CHANGED = "password_changed", _("Password changed")
        FACTOR_ADDED = "factor_added", _("Second factor set up")
        FACTOR_REMOVED = "factor_removed", _("Second factor removed")
        CODES_GENERATED = "codes_generated", _("New recovery codes")
        TOKEN_CREATED = "token_created", _("API token created")
        TOKEN_REFUSED = "token_refused", _("API token refused")

    at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    account = models.ForeignKey(
        "reporting.User", null=True, blank=True, on_delete=models.PROTECT, related_name="security_events"
    )
    email = models.EmailField(
        max_length=254, blank=True, help_text="As entered, or the address of the account."
    )
    address = models.GenericIPAddressField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.email}"


class AccountSession(AbstractBaseSession):
    """A session of a browser, and of whom once a person logged in (reporting/accounts/sessions.py)."""

    session_key = models.CharField(
        max_length=64, primary_key=True, help_text="SHA-256 of the key in the cookie."
    )
    account = models.ForeignKey(
        "reporting.User", null=True, on_delete=models.PROTECT, related_name="sessions"
    )
    began_at = models.DateTimeField(null=True)
    address = models.GenericIPAddressField(null=True)
    user_agent = models.CharField(max_length=200)


class Scope(models.TextChoices):
    """What a token allows a program to do: with the reports of its owner, for the office (decision 0084), and with
    webhooks (decision 0141).
    """

    READ = "reports:read", _("Read my reports and their findings")
    WRITE = "reports:write", _("Upload files, change details, save comments")
    SUBMIT = "reports:submit", _("Announce tournaments, submit reports to the office")
    DECIDE = "tournaments:decide", _("Decide about tournaments, for the office")
    WEBHOOKS = "webhooks", _("Register addresses that are told of public changes")


class ApiToken(models.Model):
    """A token by which a program acts in the name of its owner, only in the API: on own reports, and for the office on
    what is decided of tournaments.

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
                fields=["account", "name"], condition=models.Q(revoked_at=None), name="api_token_name_once"
            ),
            models.CheckConstraint(
                condition=models.Q(scopes__len__gt=0, scopes__contained_by=Scope.values),
                name="api_token_scopes_known",
            ),
            models.CheckConstraint(
                condition=models.Q(expires_at__lte=models.F("created_at") + LONGEST_LIFETIME),
                name="api_token_ends",
            ),
            models.CheckConstraint(
                condition=models.Q(revoked_at=None, revoked_by=None)
                | models.Q(revoked_at__isnull=False, revoked_by__isnull=False),
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
