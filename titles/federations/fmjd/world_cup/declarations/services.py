"""Record declarations for the open World Cup classification, and withdraw those recorded by mistake (R71b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Final

from django.db import transaction
from django.utils import timezone

from reporting.formats.tables.csv_table import TableFindings, TableRow, read_table
from reporting.log.audit import Actor, record
from reporting.models import Player, Sex
from reporting.models.locks import take_repeat_lock
from reporting.refusals.domain_error import DomainError
from reporting.rules.register.registers import LARGEST_NUMBER
from titles.federations.fmjd.models import WorldCupDeclaration
from titles.federations.fmjd.world_cup.declarations.selectors import FirstRounds, first_rounds, too_late
from titles.federations.fmjd.world_cup.inputs import FIRST_YEAR, LAST_YEAR, players_by_id, surviving_players
from titles.policies import check_can_declare, check_can_withdraw_declaration, declares_for_all

COLUMNS: Final = ("fmjd_id", "year", "declared_on")
ARTICLE: Final = "docs/how-to/titles.md"
ACT: Final = "world cup declarations"


@dataclass(frozen=True)
class Problem:
    """What is wrong in a line of a file: its field, what was found, and why it cannot be used."""

    line: int
    field: str
    found: str
    reason: str


@dataclass(frozen=True)
class _NewDeclaration:
    """A declaration to record, of the player with the number, if there is one."""

    number: int
    player: Player | None
    year: int
    declared_on: date


@dataclass(frozen=True)
class _Known:
    """What is known of players, by the key of the surviving record: who declared for which year, and first rounds."""

    surviving: Mapping[int, Player]
    declared: set[tuple[int, int]]
    first_rounds: FirstRounds

    def person(self, player: Player) -> Player:
        return self.surviving.get(player.pk, player)


@transaction.atomic
def record_declaration(*, number: int, year: int, declared_on: date, by: Actor) -> WorldCupDeclaration:
    """Record that the woman with this FMJD-ID declared on a day for the open classification of a year.

    A national official declares today, for a player of the own federation; the office records the day on which a
    declaration reached it (decision 0204). Raises DomainError `declaration_player_unknown`,
    `declaration_not_a_woman`, `declaration_twice`, `declaration_late`, `declaration_day`, `busy`, `forbidden`.
    """
    check_can_declare(by.user)
    take_repeat_lock(ACT)
    new = _NewDeclaration(number, players_by_id([number]).get(number), year, declared_on)
    refusal = _refusal(new, _known(), by)
    if refusal:
        raise refusal[1]
    return _store(new, by)


@transaction.atomic
def withdraw_declaration(*, declaration: WorldCupDeclaration, reason: str, by: Actor) -> WorldCupDeclaration:
    """Withdraw a declaration that was recorded by mistake; what was published stays as it is.

    Raises DomainError `declaration_withdrawn`, `reason_missing`, `forbidden`.
    """
    check_can_withdraw_declaration(by.user)
    take_repeat_lock(ACT)
    declaration = WorldCupDeclaration.objects.get(pk=declaration.pk)
    if declaration.withdrawn_at is not None:
        raise DomainError("declaration_withdrawn")
    if not reason.strip():
        raise DomainError("reason_missing")
    declaration.withdrawn_at = timezone.now()
    declaration.withdrawn_by = by.user
    declaration.withdrawal_reason = reason.strip()
    declaration.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawal_reason"])
    record(
        by=by,
        action="declaration.withdraw",
        subject=f"declaration {declaration.pk}",
        before={"year": declaration.year, "declared_on": declaration.declared_on.isoformat()},
        reason=declaration.withdrawal_reason,
    )
    return declaration


@transaction.atomic
def import_declarations(*, content: bytes, by: Actor) -> tuple[int, Sequence[Problem]]:
    """Record the declarations of a CSV table with `COLUMNS`: how many, and everything that is wrong in it, by line.

    With a problem nothing is recorded. 12 queries, and 2 for each declaration. Raises DomainError `busy`, `forbidden`.
    """
    check_can_declare(by.user)
    take_repeat_lock(ACT)
    rows, findings = read_table(content, required=COLUMNS, optional=(), aliases={}, article=ARTICLE)
    lines = [(row, *_values(row, findings)) for row in rows]
    problems = [
        Problem(finding.line or 1, finding.field or "", finding.found, finding.message)
        for finding in findings.in_order()
    ]
    players = players_by_id({number for _, number, _, _ in lines if number})
    known = _known()
    complete: list[_NewDeclaration] = []
    for row, number, year, declared_on in lines:
        if number is None or year is None or declared_on is None:
            continue
        new = _NewDeclaration(number, players.get(number), year, declared_on)
        refusal = _refusal(new, known, by)
        if refusal:
            field, reason = refusal
            problems.append(Problem(row.line, field, row.values[field], reason.message))
        elif new.player:
            known.declared.add((known.person(new.player).pk, year))
            complete.append(new)
    if problems:
        return 0, sorted(problems, key=lambda problem: (problem.line, problem.field))
    for new in complete:
        _store(new, by)
    return len(complete), ()


def _values(row: TableRow, findings: TableFindings) -> tuple[int | None, int | None, date | None]:
    for field in COLUMNS:
        if not row.values[field]:
            findings.add("value-missing", line=row.line, field=field, found="")
    return (
        findings.whole_number(row, "fmjd_id", 1, LARGEST_NUMBER),
        findings.whole_number(row, "year", FIRST_YEAR, LAST_YEAR),
        findings.day(row, "declared_on"),
    )


def _known() -> _Known:
    """8 queries and the lock."""
    surviving = surviving_players()
    declared = WorldCupDeclaration.objects.filter(withdrawn_at=None).values_list("player", "year")
    of_persons = {
        (surviving[player].pk if player in surviving else player, year) for player, year in declared
    }
    return _Known(surviving, of_persons, first_rounds())


def _refusal(new: _NewDeclaration, known: _Known, by: Actor) -> tuple[str, DomainError] | None:
    """Why a declaration is not recorded, with the field that is the reason."""
    if new.player is None:
        return "fmjd_id", DomainError("declaration_player_unknown", number=new.number)
    person = known.person(new.player)
    of_day = _refusals_of_day(new, person, known, by)
    return next(chain(_refusals_of_player(new, person, known, by), of_day), None)


def _refusals_of_player(
    new: _NewDeclaration, person: Player, known: _Known, by: Actor
) -> Iterator[tuple[str, DomainError]]:
    name = person.printed_name
    if not declares_for_all(by.user) and person.federation_id != by.user.federation_id:
        yield "fmjd_id", DomainError("forbidden.other_federation")
    if not person.sex:
        yield "fmjd_id", DomainError("declaration_not_a_woman.unknown", player=name)
    if person.sex != Sex.WOMAN:
        yield "fmjd_id", DomainError("declaration_not_a_woman", player=name)
    if (person.pk, new.year) in known.declared:
        yield "fmjd_id", DomainError("declaration_twice", player=name, year=new.year)


def _refusals_of_day(
    new: _NewDeclaration, person: Player, known: _Known, by: Actor
) -> Iterator[tuple[str, DomainError]]:
    today, day, year = timezone.localdate(), new.declared_on, new.year
    if day > today:
        yield "declared_on", DomainError("declaration_day.future")
    first, last = date(year - 1, 1, 1), date(year, 12, 31)
    if not first <= day <= last:
        yield "declared_on", DomainError("declaration_day", year=year, first=first, last=last)
    if day != today and not declares_for_all(by.user):
        yield "declared_on", DomainError("declaration_day.federation")
    begun = known.first_rounds.get((person.pk, year), {})
    if begun and too_late(day, begun) == begun:
        name = person.printed_name
        yield "declared_on", DomainError("declaration_late", player=name, year=year, day=max(begun.values()))


def _store(new: _NewDeclaration, by: Actor) -> WorldCupDeclaration:
    """2 queries."""
    player = new.player
    assert player is not None  # noqa: S101 (checked first of all)
    declaration = WorldCupDeclaration.objects.create(
        player=player, year=new.year, declared_on=new.declared_on, by=by.user
    )
    record(
        by=by,
        action="declaration.record",
        subject=f"declaration {declaration.pk}",
        after={
            "player": player.address,
            "year": new.year,
            "declared_on": new.declared_on.isoformat(),
        },
    )
    return declaration
