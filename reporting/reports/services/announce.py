"""Announce a tournament before its first round, change or withdraw the announcement (R11)."""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import date
from enum import StrEnum

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from reporting.formats.tournament_details.reader import details_from_values
from reporting.log.audit import Actor, record
from reporting.models import Tournament
from reporting.models.locks import take_repeat_lock
from reporting.policies import (
    OFFICE_ROLES,
    can_mark_championship,
    check_can_announce,
    check_can_change_announcement,
    require_role,
)
from reporting.refusals.domain_error import DomainError
from reporting.register.services.federations import ensure_federations
from reporting.reports.services.edit_report import announced_details, follow_announcement
from reporting.rules.details.detail_kinds import parse_day
from reporting.rules.details.known_details import DETAILS
from reporting.rules.details.shared_details import NationalChampionship
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding, finding
from reporting.rules.lifecycle import ReportState
from reporting.rules.names.normalize_name import normalize_name
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
MARKS = ("official", "national_championship")
REQUIRED_FIELDS = ("name", "country", "played_from", "played_to")
"""Required of every announcement; those that the rating system requires are checked when the details are read."""


LONG_DAYS, FAR_YEARS = 31, 2
"""A longer tournament, and one that begins later, is asked about. Figures of this product."""


class Question(StrEnum):
    """What a person has to confirm before an announcement is stored; the codes of the findings that ask."""

    LONG = "announced-long"
    FAR = "announced-far"
    ALIKE = "announced-alike"


@transaction.atomic
def announce_tournament(
    *, values: Mapping[str, str], by: Actor, confirmed: Collection[str] = ()
) -> Tournament:
    """Announce a tournament by the values of ANNOUNCED_FIELDS, as texts by name; REQUIRED_FIELDS and what the rating
    system asks for are required.

    The day of the announcement is today in the office's zone. Only the office may give an earlier one as `announced`,
    for an announcement that reached it another way (R11), and say that a tournament is `official`; the official of its
    federation and the office say that it is a `national_championship`.

    The same announcement of the same person again is the one that there is, `already_there`. A long or far tournament,
    and one like another announced one, is stored once the person has `confirmed` it, by the Question; a command is not
    asked. Raises DomainError `announcement_refused` or `announcement_questions` with a finding for each, `forbidden`.
    """
    check_can_announce(by.user)
    details, given = _read_values(values, by)
    announcement = Tournament(announced_by=by.user, announced_on=details.announced or timezone.localdate())
    _set_values(announcement, details)
    _set_marks(announcement, details, given, by)
    take_repeat_lock("announcement")
    if (known := _same_announcement(announcement)) is not None:
        known.already_there = True
        return known
    _ask(announcement, by, confirmed)
    announcement.save()
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
def change_announcement(
    *,
    announcement: Tournament,
    based_on: str,
    values: Mapping[str, str],
    by: Actor,
    confirmed: Collection[str] = (),
) -> Tournament:
    """Change an announcement before its report is submitted; `values` as for `announce_tournament`.

    Its drafts follow, except in the details that were changed there. The day of the announcement stays, unless the
    first day moves to an earlier one: that day is announced today. The office may give a day as `announced`. A mark
    that is not in `values` stays; that of a national championship ends with its country, unless the person may give
    it for the new one. `based_on` is the `state_digest` of the values that the person saw; `confirmed` is as for
    `announce_tournament`. Raises DomainError `announcement_changed`, `announcement_refused`, `announcement_questions`,
    `wrong_state`, `too_many_versions`, `forbidden`.
    """
    announcement = Tournament.objects.announced().select_for_update().get(pk=announcement.pk)
    check_can_change_announcement(by.user, announcement)
    submitted = announcement.reports.filter(first_submitted_at__isnull=False)
    if announcement.withdrawn_at is not None or submitted.exclude(state=ReportState.WITHDRAWN).exists():
        raise DomainError("wrong_state.announcement_reported")
    if state_digest(announcement) != based_on:
        raise DomainError("announcement_changed")
    details, given = _read_values(values, by)
    before, country = announced_details(announcement), announcement.country_id
    assert details.played_from is not None  # noqa: S101 (required)
    if details.announced is not None:
        announcement.announced_on = details.announced
    elif details.played_from < announcement.played_from:
        announcement.announced_on = max(announcement.announced_on, timezone.localdate())
    _set_values(announcement, details)
    if announcement.country_id != country and not can_mark_championship(by.user, announcement.country_id):
        announcement.national_championship = ""
    _set_marks(announcement, details, given, by)
    after = announced_details(announcement)
    changed = [name for name in after if after[name] != before[name]]
    if not changed:
        return announcement
    take_repeat_lock("announcement")
    _ask(announcement, by, confirmed)
    announcement.save()
    for report in announcement.reports.order_by("pk"):
        follow_announcement(report=report, old=before, new=after, by=by)
    record(
        by=by,
        action="announcement.change",
        subject=f"announcement {announcement.pk}",
        before={name: _logged(before[name]) for name in changed},
        after={name: _logged(after[name]) for name in changed},
    )
    return announcement


def similar_announcements(announcement: Tournament) -> list[Tournament]:
    """Other announced tournaments in the same country on some of its days, of its name or in its town. 1 query."""
    others = (
        Tournament.objects.announced()
        .filter(
            withdrawn_at=None,
            country=announcement.country_id,
            discipline=announcement.discipline,
            played_from__lte=announcement.played_to,
            played_to__gte=announcement.played_from,
        )
        .exclude(pk=announcement.pk)
    )
    name, place = normalize_name(announcement.name), normalize_name(announcement.place)
    return [
        other
        for other in others.order_by("pk")
        if normalize_name(other.name) == name or (place and normalize_name(other.place) == place)
    ]


def _same_announcement(announcement: Tournament) -> Tournament | None:
    """The announcement of the same person with all these values. 1 query."""
    known = Tournament.objects.announced().filter(
        announced_by=announcement.announced_by, withdrawn_at=None, played_from=announcement.played_from
    )
    wanted = _compared(announcement)
    return next((other for other in known.order_by("pk") if _compared(other) == wanted), None)


def _compared(announcement: Tournament) -> dict[str, object]:
    """Its values without the day of the announcement, and marks that say nothing as none."""
    values = announced_details(announcement) | {"announced": None}
    return {name: value or None for name, value in values.items()}


def _ask(announcement: Tournament, by: Actor, confirmed: Collection[str]) -> None:
    if by.by_command:
        return
    findings = [found for found in _questions(announcement, by) if found.code not in confirmed]
    if findings:
        raise DomainError("announcement_questions", findings, count=len(findings))


def _questions(announcement: Tournament, by: Actor) -> Iterator[Finding]:
    days = (announcement.played_to - announcement.played_from).days + 1
    if days > LONG_DAYS:
        yield finding(Question.LONG, field="played_to", days=days, most=LONG_DAYS)
    if announcement.played_from > _years_later(timezone.localdate(), FAR_YEARS):
        yield finding(Question.FAR, field="played_from", years=FAR_YEARS)
    for other in similar_announcements(announcement):
        own = other.announced_by_id == by.user.pk
        yield finding(
            f"{Question.ALIKE}.own" if own else Question.ALIKE,
            field="name",
            name=other.name,
            place=other.place,
            played_from=other.played_from.isoformat(),
            played_to=other.played_to.isoformat(),
        )


def _years_later(day: date, years: int) -> date:
    return day.replace(year=day.year + years, day=min(day.day, 28) if day.month == 2 else day.day)


def state_digest(announcement: Tournament) -> str:
    """A digest of the values of an announcement, for the form that changes it."""
    values = [*announced_details(announcement).values(), announcement.withdrawn_at]
    return hashlib.sha256(repr(values).encode()).hexdigest()[:16]


def _read_values(values: Mapping[str, str], by: Actor) -> tuple[TournamentDetails, dict[str, object]]:
    """The values of a form as details, and those that are not empty."""
    today = timezone.localdate()
    given: dict[str, object] = {
        name: values[name].strip()
        for name in (*ANNOUNCED_FIELDS, *MARKS, "announced")
        if values.get(name, "").strip()
    }
    if "official" in given:
        given["official"] = DETAILS["official"].kind.parse(str(given["official"]))
    if "announced" in given or "official" in given:
        require_role(by.user, *OFFICE_ROLES)
    details, of_values = details_from_values(given)
    findings = tuple(
        replace(found, case="announcement") if found.code == "detail-missing" else found
        for found in of_values
    )
    missing = [
        _missing(name) for name in REQUIRED_FIELDS if name not in given and name not in _fields(findings)
    ]
    findings = (*findings, *missing)
    # Compared also while other values cannot be read: all findings at once.
    begins, ends = (parse_day(str(given.get(name, ""))) for name in ("played_from", "played_to"))
    if isinstance(begins, date) and isinstance(ends, date) and ends < begins:
        findings += (
            finding(
                "dates-reversed",
                field="played_to",
                played_from=begins.isoformat(),
                played_to=ends.isoformat(),
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
    return details, given


def _set_values(announcement: Tournament, details: TournamentDetails) -> None:
    assert details.played_from is not None and details.played_to is not None  # noqa: PT018, S101 (asked before)
    country = country_code(details.country)
    ensure_federations([country])
    announcement.name = details.name
    announcement.place = details.place
    announcement.country_id = country
    announcement.played_from = details.played_from
    announcement.played_to = details.played_to
    announcement.rating_system = details.rating_system
    announcement.discipline = details.discipline
    announcement.time_control = details.time_control
    announcement.system = details.system or ""


def _set_marks(
    announcement: Tournament, details: TournamentDetails, given: Mapping[str, object], by: Actor
) -> None:
    """Official and national championship, where they are said; the first one was checked already."""
    if "official" in given:
        announcement.official = details.official
    said = details.national_championship
    if said is None or said == (announcement.national_championship or NationalChampionship.NO):
        return
    if not can_mark_championship(by.user, announcement.country_id):
        raise DomainError("forbidden.championship")
    announcement.national_championship = "" if said is NationalChampionship.NO else said.value


def _logged(value: object) -> str | None:
    return None if value in (None, "", False) else str(value)


@transaction.atomic
def withdraw_announcement(*, announcement: Tournament, reason: str, by: Actor) -> Tournament:
    """Withdraw the announcement of a tournament that will not be played; it stays listed with the reason.

    Raises DomainError `reason_missing`, `wrong_state` if it is already withdrawn or reported, `forbidden`.
    """
    announcement = Tournament.objects.announced().select_for_update().get(pk=announcement.pk)
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
