"""Announce a tournament before its first round (Annex 9 art. 1.2.1.3, R11)."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from reporting.formats.tournament_details_file import details_from_values
from reporting.log.audit import Actor, record
from reporting.models import Announcement
from reporting.policies import OFFICE_ROLES, check_can_announce, require_role
from reporting.refusals.domain_error import DomainError
from reporting.register.services.import_register import ensure_federations
from reporting.rules.details.tournament_details import DETAILS
from reporting.rules.findings.finding_list import Finding, finding
from reporting.rules.register.countries import country_code

ANNOUNCED_FIELDS = (
    "name",
    "place",
    "country",
    "played_from",
    "played_to",
    "rating_system",
    "discipline",
    "time_control",
    "system",
)
REQUIRED_FIELDS = ("name", "country", "played_from", "played_to")
"""Required of every announcement; those that the rating system requires are checked when the details are read."""


@transaction.atomic
def announce_tournament(*, values: Mapping[str, str], by: Actor) -> Announcement:
    """Announce a tournament by the values of ANNOUNCED_FIELDS, as texts by name; REQUIRED_FIELDS and what the rating
    system asks for are required.

    The day of the announcement is today in the office's zone. Only the office may give an earlier one as `announced`,
    for an announcement that reached it another way (R11). Raises DomainError `announcement_refused` with a finding for
    each fault, `forbidden`.
    """
    check_can_announce(by.user)
    today = timezone.localdate()
    given = {
        name: values[name].strip()
        for name in (*ANNOUNCED_FIELDS, "announced")
        if values.get(name, "").strip()
    }
    if "announced" in given:
        require_role(by.user, *OFFICE_ROLES)
    details, findings = details_from_values(given)
    missing = [
        _missing(name) for name in REQUIRED_FIELDS if name not in given and name not in _fields(findings)
    ]
    findings = (*findings, *missing)
    if (
        details is not None
        and details.played_from
        and details.played_to
        and details.played_to < details.played_from
    ):
        findings += (
            finding(
                "dates-reversed",
                field="played_to",
                played_from=details.played_from.isoformat(),
                played_to=details.played_to.isoformat(),
            ),
        )
    if details is not None and details.announced is not None and details.announced > today:
        findings += (
            finding(
                "received-in-future",
                field="announced",
                received=details.announced.isoformat(),
                today=today.isoformat(),
            ),
        )
    if findings or details is None:
        raise DomainError("announcement_refused", findings, count=len(findings))
    assert details.played_from is not None and details.played_to is not None  # noqa: PT018, S101 (asked above)
    country = country_code(details.country)
    ensure_federations([country])
    announcement = Announcement.objects.create(
        name=details.name,
        place=details.place,
        country_id=country,
        played_from=details.played_from,
        played_to=details.played_to,
        rating_system=details.rating_system,
        discipline=details.discipline,
        time_control=details.time_control,
        system=details.system or "",
        announced_on=details.announced or today,
        announced_by=by.user,
    )
    record(
        by=by,
        action="announcement.create",
        subject=f"announcement {announcement.pk}",
        after={
            "name": announcement.name,
            "played_from": str(announcement.played_from),
            "announced_on": str(announcement.announced_on),
        },
    )
    return announcement


@transaction.atomic
def withdraw_announcement(*, announcement: Announcement, reason: str, by: Actor) -> Announcement:
    """Withdraw the announcement of a tournament that will not be played; it stays listed with the reason.

    Raises DomainError `reason_missing`, `wrong_state` if it is already withdrawn or reported, `forbidden`.
    """
    announcement = Announcement.objects.select_for_update().get(pk=announcement.pk)
    if announcement.announced_by_id != by.user.pk:
        require_role(by.user, *OFFICE_ROLES)
    check_can_announce(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    if announcement.withdrawn_at is not None or announcement.reports.exists():
        raise DomainError("wrong_state.announcement")
    announcement.withdrawn_at = Now()
    announcement.save(update_fields=["withdrawn_at"])
    announcement.refresh_from_db()
    record(
        by=by,
        action="announcement.withdraw",
        subject=f"announcement {announcement.pk}",
        after={"withdrawn": True},
        reason=reason,
    )
    return announcement


def _fields(findings: tuple[Finding, ...]) -> set[str | None]:
    return {finding.field for finding in findings}


def _missing(name: str) -> Finding:
    return finding("detail-missing.announcement", field=name, detail=DETAILS[name].label)
