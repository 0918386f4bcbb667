"""What is stored about an account, for its owner (docs/reference/own-data.md)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import Model, QuerySet

from reporting.accounts.services.roles import subject_of
from reporting.models import (
    AccountSession,
    ApiAnswer,
    ApiToken,
    CorrectionRequest,
    DraftComments,
    Invitation,
    LogEntry,
    LookAlikeDecision,
    MailOptOut,
    Message,
    NamedOfficial,
    RegisterUpload,
    Report,
    ReportNote,
    ReportStep,
    ReportVersion,
    RequestEntry,
    ReviewRemark,
    RoleAssignment,
    SecurityEvent,
    Tournament,
    TournamentDecision,
    User,
    WarningComment,
)


class Section(NamedTuple):
    """The rows of a table that belong to an account by a column, and the columns that its owner gets.

    A column that is not named here does not leave: hash of the password, secret of the second factor, keys of sessions.
    """

    model: type[Model]
    owner: str
    columns: tuple[str, ...]

    def rows(self, account: User) -> list[dict[str, Any]]:
        found: QuerySet[Any] = self.model._default_manager.filter(**{self.owner: account})
        return list(found.order_by("pk").values(*self.columns))


SECTIONS: dict[str, Section] = {
    "roles": Section(RoleAssignment, "account", ("role", "assigned_at", "confirmed_at", "ended_at")),
    "public_name": Section(
        NamedOfficial, "account", ("chosen_at", "assignment__role", "assignment__ended_at")
    ),
    "invitation": Section(Invitation, "account", ("sent_at", "accepted_at", "withdrawn_at")),
    "email_addresses": Section(EmailAddress, "user", ("email", "verified", "primary")),
    "second_factors": Section(Authenticator, "user", ("type", "created_at", "last_used_at")),
    "sessions": Section(AccountSession, "account", ("began_at", "address", "user_agent")),
    "api_tokens": Section(
        ApiToken,
        "account",
        ("name", "scopes", "start", "created_at", "expires_at", "last_used_on", "revoked_at"),
    ),
    "answers_kept_for_programs": Section(ApiAnswer, "account", ("key", "status", "answer", "created_at")),
    "security_events": Section(SecurityEvent, "account", ("at", "kind", "email", "address")),
    "messages": Section(Message, "recipient", ("created_at", "kind", "title", "text", "about", "sent_at")),
    "mails_not_wanted": Section(MailOptOut, "account", ("kind",)),
    "announcements": Section(
        Tournament,
        "announced_by",
        ("name", "place", "country", "played_from", "played_to", "announced_on", "withdrawn_at"),
    ),
    "reports": Section(
        Report, "submitted_by", ("id", "state", "result_set__tournament__code", "first_submitted_at")
    ),
    "report_versions": Section(
        ReportVersion, "created_by", ("report", "number", "filename", "sha256", "created_at")
    ),
    "steps_of_reports": Section(ReportStep, "by", ("version__report", "version__number", "move", "at")),
    "comments_not_submitted": Section(DraftComments, "by", ("report", "version", "single", "of_kinds")),
    "comments_on_warnings": Section(WarningComment, "by", ("version__report", "text", "at")),
    "decisions_on_similar_reports": Section(LookAlikeDecision, "by", ("version__report", "reason", "at")),
    "decisions_on_tournaments": Section(
        TournamentDecision, "by", ("tournament__code", "item", "value", "reason", "at")
    ),
    "remarks_on_reports": Section(ReviewRemark, "by", ("version__report", "text", "at")),
    "notes_on_reports": Section(ReportNote, "by", ("report", "text", "at")),
    "messages_about_requests": Section(RequestEntry, "by", ("correction_request", "kind", "text", "at")),
    "register_uploads": Section(RegisterUpload, "uploaded_by", ("filename", "sha256", "uploaded_at")),
    "acts": Section(LogEntry, "actor", ("at", "action", "subject", "reason")),
}


def register_sections(sections: Mapping[str, Section]) -> None:
    """Add the tables of another app in which people wrote something. Called when it starts."""
    SECTIONS.update(sections)


def own_data(account: User) -> dict[str, Any]:
    """Everything stored about an account as plain values: itself, its SECTIONS, what the log says about it, requests.

    One query a section. The requests are those whose sender confirmed the address of the account.
    """
    about = LogEntry.objects.filter(subject=subject_of(account)).order_by("pk")
    requests = CorrectionRequest.objects.filter(email__iexact=account.email, confirmed_at__isnull=False)
    return {
        "account": {
            "number": account.pk,
            "email": account.email,
            "name": account.name,
            "federation": account.federation_id,
            "open": account.is_active,
            "created_at": account.created_at,
        },
        **{name: section.rows(account) for name, section in SECTIONS.items()},
        "acts_about_the_account": list(about.values("at", "action", "before", "after", "reason")),
        "requests": list(
            requests.order_by("pk").values(
                "id",
                "created_at",
                "figure",
                "reference",
                "error_description",
                "proposed_value",
                "evidence",
                "name",
                "state",
            )
        ),
    }
