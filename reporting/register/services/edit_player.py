"""Edit a player's record, with a reason; published lists stay as they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.models import PersonalData, Player, PlayerIdentity, Sex
from reporting.policies import can_change_field, check_can_edit_player
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.records import PlayerRecord, record_of, subject_of
from reporting.register.services.compare_register import EARLIEST_DAY
from reporting.register.services.dated_changes import change_titles, transfers_on
from reporting.register.services.federations import ensure_federations
from reporting.register.services.register_table import EARLIEST_BIRTH, NAME
from reporting.rules.checks import check_new_player
from reporting.rules.findings.catalogue import NAME_CODES
from reporting.rules.findings.finding_list import Finding, finding
from reporting.rules.names.normalize_name import sort_name
from reporting.rules.names.plain_text import plain_punctuation
from reporting.rules.register.countries import find_country
from reporting.rules.register.registers import (
    MAX_NAME_LENGTH,
    OFFICE,
    Register,
    register_by_code,
    registers_of_systems,
)
from reporting.rules.register.titles import discipline_titles
from reporting.rules.report import ReportedPlayer

MAX_REASON_LENGTH = 2000
MAX_NUMBER_LENGTH = 20
ARTICLE = "docs/reference/pages/register.md"


@dataclass(frozen=True)
class Change:
    """A field of a record with its current and its new value."""

    field: str
    before: Any
    after: Any


def plan_edit(
    *,
    player: Player,
    wanted: PlayerRecord,
    looked_at: str,
    reason: str,
    decision: str = "",
    titles_on: date | None = None,
    by: Actor,
) -> list[Change]:
    """The changes of an edit, with the checks of `edit_player`; nothing is written.

    `looked_at` is the digest of the record on which the edit is based. Raises what `edit_player` raises, except the
    `number_taken` of a simultaneous edit.
    """
    check_can_edit_player(by.user, player)
    known = record_of(player)
    if known.digest != looked_at:
        raise DomainError("record_changed")
    changes = [
        Change(field, before, wanted.values[field])
        for field, before in known.values.items()
        if before != wanted.values[field]
    ]
    forbidden = [change.field for change in changes if not can_change_field(by.user, player, change.field)]
    if forbidden:
        raise DomainError("forbidden.field", field=forbidden[0])
    changed = {change.field for change in changes}
    findings = [
        *_check_names(player, wanted, changed),
        *_check_choices(wanted, changed),
        *_check_birth(wanted, changed),
        *_check_numbers(player, wanted, changed),
        *_check_words(changes, reason, decision),
        *_check_title_day(changes, titles_on),
    ]
    if findings:
        raise DomainError("edit_refused", findings, count=len(findings))
    if not changes:
        raise DomainError("nothing_changed.register")
    return changes


@transaction.atomic
def edit_player(
    *,
    player: Player,
    wanted: PlayerRecord,
    looked_at: str,
    reason: str,
    decision: str = "",
    titles_on: date | None = None,
    by: Actor,
) -> list[Change]:
    """Save a player's record. Published lists stay; the next calculated list prints the new values.

    `looked_at` is the digest of the record on which the edit is based; `decision` names the decision that gives or
    withdraws a title, and is required only then. The title counts from the day `titles_on`, by default today, as does
    another federation (`transfer_player` takes another day). The log has no date of birth. Raises DomainError
    `edit_refused` (with a finding for each error), `record_changed`, `nothing_changed`, `number_taken`, `forbidden`.
    """
    player = Player.objects.select_for_update().get(pk=player.pk)
    changes = plan_edit(
        player=player,
        wanted=wanted,
        looked_at=looked_at,
        reason=reason,
        decision=decision,
        titles_on=titles_on,
        by=by,
    )
    ensure_federations([wanted.federation])
    player.last_name, player.first_name = wanted.last_name, wanted.first_name
    player.sort_name = sort_name(wanted.last_name, wanted.first_name)
    player.federation_id = wanted.federation
    player.sex, player.birth_year = wanted.sex, wanted.birth_year
    today = timezone.localdate()
    with transfers_on(today):
        player.save()
    for change in changes:
        if change.field == "born":
            _save_birth_date(player, change.after)
        elif of_discipline := discipline_titles().get(change.field):
            change_titles(of_discipline, {player.pk: change.after}, on=titles_on or today)
        elif change.field in wanted.numbers:
            _save_number(player, change.field, change.after)
    if decision.strip() and any(change.field in discipline_titles() for change in changes):
        reason = f"{reason.strip()} (decision: {decision.strip()})"
    after = {
        _log_name(change.field): _log_value(change, change.after, "changed" if change.before else "known")
        for change in changes
    }
    if titles_on and any(change.field in discipline_titles() for change in changes):
        after["titles_on"] = titles_on.isoformat()
    record(
        by=by,
        action="player.edit",
        subject=subject_of(player),
        before={_log_name(change.field): _log_value(change, change.before, "known") for change in changes},
        after=after,
        reason=reason.strip(),
    )
    return changes


def _log_name(field: str) -> str:
    """The name of a field in audit entries, the same as in those of an import."""
    return {"federation": "federation_id", "born": "day of birth"}.get(field, field)


def _log_value(change: Change, value: Any, birth_date_status: str) -> Any:
    if change.field == "born":
        return birth_date_status if value else ""
    return "" if value is None else value


def _save_birth_date(player: Player, born: date | None) -> None:
    if born is None:
        PersonalData.objects.filter(player=player).delete()
    else:
        PersonalData.objects.update_or_create(player=player, defaults={"born": born})


def _save_number(player: Player, register: str, number: str) -> None:
    PlayerIdentity.objects.filter(player=player, register=register).delete()
    if not number:
        return
    try:
        with transaction.atomic():
            PlayerIdentity.objects.create(player=player, register=register, number=number)
    except IntegrityError as error:
        raise DomainError("number_taken", number=number) from error


# --- checks of the fields


def _check_names(player: Player, wanted: PlayerRecord, changed: set[str]) -> list[Finding]:
    """The rules of the register, and those of R20 for a new name: a report could not have another one."""
    findings = []
    registers = [register for register in registers_of_systems() if player.number_in(register) is not None]
    if not wanted.last_name:
        findings.append(finding("name-missing.register", field="last_name", article=ARTICLE))
    for field in ("last_name", "first_name"):
        name = getattr(wanted, field)
        if field in changed and len(name) > MAX_NAME_LENGTH:
            findings.append(
                finding(
                    "text-too-long",
                    field=field,
                    article=ARTICLE,
                    found=name,
                    length=len(name),
                    max_length=MAX_NAME_LENGTH,
                )
            )
        elif field in changed and name:
            by_r20 = {
                found.code: found for register in registers for found in _name_rules(field, name, register)
            }
            findings += by_r20.values()
            if not by_r20 and not NAME.match(plain_punctuation(name)):
                findings.append(finding("name-forbidden", field=field, found=name))
    return findings


def _name_rules(field: str, name: str, register: Register) -> list[Finding]:
    reported = ReportedPlayer(
        0,
        name,
        last_name=name if field == "last_name" else "",
        first_name=name if field == "first_name" else "",
        columns={"last_name": 1, "first_name": 1},
    )
    return [finding for finding in check_new_player(reported, register) if finding.code in NAME_CODES]


def _check_choices(wanted: PlayerRecord, changed: set[str]) -> list[Finding]:
    choices = {
        "sex": Sex.values,
        **{field: list(of_discipline.titles) for field, of_discipline in discipline_titles().items()},
    }
    findings = [
        finding(
            "value-unknown.choice",
            field=field,
            found=wanted.values[field],
            allowed=", ".join(value for value in allowed if value),
        )
        for field, allowed in choices.items()
        if field in changed and wanted.values[field] not in ("", *allowed)
    ]
    if "federation" in changed and find_country(wanted.federation) is None:
        findings.append(finding("federation-unknown.choice", field="federation", found=wanted.federation))
    return findings


def _check_birth(wanted: PlayerRecord, changed: set[str]) -> list[Finding]:
    """A possible year and date of birth that agree."""
    findings = []
    today = timezone.localdate()
    year, born = wanted.birth_year, wanted.born
    if "birth_year" in changed and year is not None and not EARLIEST_BIRTH.year <= year <= today.year:
        findings.append(
            finding(
                "born-unlikely.register-year",
                field="birth_year",
                found=str(year),
                first=EARLIEST_BIRTH.year,
                last=today.year,
            )
        )
    if "born" in changed and born is not None and not EARLIEST_BIRTH <= born <= today:
        findings.append(
            finding(
                "born-unlikely.register",
                field="born",
                first=EARLIEST_BIRTH.isoformat(),
                last=today.isoformat(),
            )
        )
    if {"birth_year", "born"} & changed and born is not None and born.year != year:
        findings.append(finding("born-differs", field="birth_year"))
    return findings


def _check_numbers(player: Player, wanted: PlayerRecord, changed: set[str]) -> list[Finding]:
    """Numbers in the form of their registers; a unique number belongs to no other player. At most 1 query."""
    findings = []
    given = {
        register: number for register, number in wanted.numbers.items() if register in changed and number
    }
    for code, number in given.items():
        register = register_by_code(code)
        if register.has_form(number):
            continue
        if register.largest is None:
            findings.append(
                finding("number-unreadable.national", field=code, found=number, max_length=MAX_NUMBER_LENGTH)
            )
        else:
            findings.append(
                finding("number-unreadable.identity", field=code, found=number, largest=register.largest)
            )
    removed = [code for code in wanted.numbers if code in changed and not wanted.numbers[code]]
    remaining = [
        *(player.number_in(register) for register in (*registers_of_systems(), OFFICE)),
        *(number for code, number in wanted.numbers.items() if register_by_code(code).counts),
    ]
    if removed and not any(remaining):
        findings.append(finding("number-last", field=removed[0]))
    once = [code for code in given if register_by_code(code).counts]
    others = (
        PlayerIdentity.objects.filter(register__in=once).exclude(player=player).select_related("player")
        if once
        else PlayerIdentity.objects.none()
    )
    for other in others.filter(number__in=given.values()):
        if given.get(other.register) == other.number:
            findings.append(
                finding(
                    "number-taken",
                    field=other.register,
                    found=other.number,
                    player=f"{other.player.address} {other.player.printed_name}",
                )
            )
    return findings


def _check_words(changes: Sequence[Change], reason: str, decision: str) -> list[Finding]:
    findings = []
    if not reason.strip():
        findings.append(finding("reason-missing", field="reason"))
    if any(change.field in discipline_titles() for change in changes) and not decision.strip():
        findings.append(finding("decision-missing", field="decision"))
    for field, text in (("reason", reason), ("decision", decision)):
        if "\x00" in text:
            findings.append(finding("character-forbidden.register", field=field))
        elif len(text) > MAX_REASON_LENGTH:
            findings.append(
                finding(
                    "text-too-long",
                    field=field,
                    article=ARTICLE,
                    length=len(text),
                    max_length=MAX_REASON_LENGTH,
                )
            )
    return findings


def _check_title_day(changes: Sequence[Change], day: date | None) -> list[Finding]:
    """A changed title counts from a day that is not in the future."""
    if day is None or not any(change.field in discipline_titles() for change in changes):
        return []
    today = timezone.localdate()
    if EARLIEST_DAY <= day <= today:
        return []
    return [
        finding(
            "title-day-outside",
            field="titles_on",
            found=day.isoformat(),
            first=EARLIEST_DAY.isoformat(),
            last=today.isoformat(),
        )
    ]
