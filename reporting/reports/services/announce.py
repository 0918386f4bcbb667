"""A competition is made known before its first round (Annex 9 art. 1.2.1.3, R11)."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from reporting.errors import DomainError
from reporting.formats.tournament_details_file import facts_from_values
from reporting.log.audit import Actor, record
from reporting.models import Announcement
from reporting.policies import OFFICE, may_announce, require_role
from reporting.register.services.import_register import ensure_federations
from reporting.rules.countries import country_code
from reporting.rules.findings import Finding, error

ANNOUNCED = ("name", "place", "country", "played_from", "played_to", "discipline", "time_control", "system")
NEEDED = ("name", "country", "played_from", "played_to", "discipline", "time_control")


@transaction.atomic
def announce_competition(*, values: Mapping[str, str], by: Actor) -> Announcement:
    """Make a competition known by the facts of ANNOUNCED, as texts under their names; all but place and system needed.

    The day of the announcement is today in the office's zone; only the office may name an earlier one under
    `announced`, of what reached it another way (R11). Raises DomainError `announcement_refused` with a finding for
    each fault, `forbidden`.
    """
    may_announce(by.user)
    today = timezone.localdate()
    given = {name: values[name].strip() for name in (*ANNOUNCED, "announced") if values.get(name, "").strip()}
    if "announced" in given:
        require_role(by.user, *OFFICE)
    facts, findings = facts_from_values(given)
    missing = [_missing(name) for name in NEEDED if name not in given and name not in _told(findings)]
    findings = (*findings, *missing)
    if facts is not None and facts.played_from and facts.played_to and facts.played_to < facts.played_from:
        findings += (
            error(
                "dates-reversed",
                "The last day lies before the first.",
                field="played_to",
                found=str(facts.played_to),
                expected=f"{facts.played_from} or later",
                suggestion="Correct one of the two days.",
            ),
        )
    if facts is not None and facts.announced is not None and facts.announced > today:
        findings += (
            error(
                "received-in-future",
                "This day is still to come.",
                field="announced",
                found=str(facts.announced),
                expected=f"a day up to {today}",
                suggestion="Give the day on which it reached the office.",
            ),
        )
    if findings or facts is None:
        raise DomainError("announcement_refused", findings, count=len(findings))
    assert facts.played_from is not None and facts.played_to is not None  # noqa: PT018, S101 (asked above)
    country = country_code(facts.country)
    ensure_federations([country])
    announcement = Announcement.objects.create(
        name=facts.name,
        place=facts.place,
        country_id=country,
        played_from=facts.played_from,
        played_to=facts.played_to,
        discipline=facts.discipline,
        time_control=facts.time_control,
        system=facts.system or "",
        announced_on=facts.announced or today,
        announced_by=by.user,
    )
    record(
        by=by,
        action="competition.announce",
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
    """A competition that will not be played; its line stays with the reason.

    Raises DomainError `reason_missing`, `wrong_state` where it is withdrawn or reported already, `forbidden`.
    """
    announcement = Announcement.objects.select_for_update().get(pk=announcement.pk)
    if announcement.announced_by_id != by.user.pk:
        require_role(by.user, *OFFICE)
    may_announce(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    if announcement.withdrawn_at is not None or announcement.reports.exists():
        raise DomainError("wrong_state.announcement")
    announcement.withdrawn_at = Now()
    announcement.save(update_fields=["withdrawn_at"])
    announcement.refresh_from_db()
    record(
        by=by,
        action="competition.withdraw",
        subject=f"announcement {announcement.pk}",
        after={"withdrawn": True},
        reason=reason,
    )
    return announcement


def _told(findings: tuple[Finding, ...]) -> set[str | None]:
    return {finding.field for finding in findings}


def _missing(name: str) -> Finding:
    return error(
        "fact-missing",
        "This is needed.",
        field=name,
        found="nothing",
        expected=name.replace("_", " "),
        suggestion="Fill it in.",
    )
