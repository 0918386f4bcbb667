"""A table of players compared with the register: what it would change, and what refuses it."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any

from django.utils import timezone

from reporting.formats.tables.csv_table import TableFindings, read_table
from reporting.models import PersonalData, Player, PlayerIdentity
from reporting.models.locks import take_numbering_lock
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.titles import titles_of
from reporting.register.services.register_table import NO_NUMBER, REQUIRED, RegisterLine, read_line
from reporting.rules.register.registers import (
    OFFICE,
    Register,
    first_register,
    register_by_code,
    registers,
    registers_of_systems,
)
from reporting.rules.register.titles import discipline_titles

EARLIEST_DAY = date(1900, 1, 1)
"""Of a transfer or a title."""
FIELDS = ("last_name", "first_name", "federation_id", "sex", "birth_year")
Changes = Mapping[str, tuple[Any, Any]]
"""Field → (value before, value after). Of a date of birth only whether it is known or changed."""


@dataclass(frozen=True)
class PlannedPlayer:
    """A player that an import would create: the line of the table and the values without a date of birth."""

    line: int
    number: int | str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class PlannedChange:
    """A player that an import would update: the line of the table and the changed fields."""

    line: int
    number: int | str
    player: Player
    changes: Changes


@dataclass(frozen=True)
class RegisterPlan:
    """What an import would do. `digest` changes with the table and with what the register has of its players."""

    created: Sequence[PlannedPlayer]
    updated: Sequence[PlannedChange]
    unchanged: int
    digest: str


@dataclass(frozen=True)
class ComparedTable:
    """A table without errors, and what it changes in the register."""

    register: Register
    on: date
    lines: Sequence[RegisterLine]
    known: dict[int | str, Player]
    changes: Mapping[int | str, Changes]
    other_codes: Collection[str]
    """Of the registers whose numbers the table can have as well."""

    @property
    def created(self) -> list[RegisterLine]:
        return [line for line in self.lines if line.key not in self.known]

    def plan(self, content: bytes) -> RegisterPlan:
        created = [
            PlannedPlayer(
                line.line,
                line.key,
                line.fields | line.titles | line.numbers | ({"day of birth": "known"} if line.born else {}),
            )
            for line in self.created
        ]
        updated = [
            PlannedChange(line.line, line.key, self.known[line.key], self.changes[line.key])
            for line in self.lines
            if line.key in self.changes
        ]
        shown = [
            [self.register.code, self.on.isoformat(), sha256(content).hexdigest()],
            [player.number for player in created],
            [[change.number, dict(change.changes)] for change in updated],
        ]
        digest = sha256(json.dumps(shown).encode()).hexdigest()
        return RegisterPlan(created, updated, len(self.lines) - len(created) - len(updated), digest)


def compare_table(content: bytes, register: str, on: date | None, *, for_update: bool) -> ComparedTable:
    """Read a table and compare it with the register."""
    today = timezone.localdate()
    on = on or today
    if not EARLIEST_DAY <= on <= today:
        raise DomainError("change_day", first=EARLIEST_DAY, last=today)
    numbers_of = register_by_code(register) if register else first_register()
    others = [register for register in registers() if register != numbers_of]
    aliases = {"id": numbers_of.header, numbers_of.code: numbers_of.header}
    rows, findings = read_table(
        content,
        required=(numbers_of.header, *REQUIRED),
        optional=(*discipline_titles(), *(register.code for register in others)),
        aliases=aliases | {register.header: register.code for register in others},
        alone=(numbers_of.header,),
        workbooks=True,
    )
    lines = [line for row in rows if (line := read_line(row, numbers_of, others, findings)) is not None]
    _check_numbers_once(lines, numbers_of, findings)
    if not rows and not findings.findings:
        findings.add("table-empty", line=1)
    if findings.findings:
        raise DomainError("register_refused", findings.in_order())

    if for_update:
        take_numbering_lock()
    known = _known_players(lines, for_update=for_update)
    has_names = REQUIRED[0] in findings.columns
    for line in lines:
        is_created = line.register == numbers_of != OFFICE and has_names
        if line.key not in known and not is_created:
            findings.add(
                "fmjd-id-unknown.register",
                line=line.line,
                field=numbers_of.header if line.register == numbers_of else line.register.code,
                found=str(line.number),
                label=line.register.number_label,
            )
    days = dict(PersonalData.objects.filter(player__in=known.values()).values_list("player", "born"))
    titles = titles_of([player.pk for player in known.values()], on)
    changes = {
        line.key: changed
        for line in lines
        if (player := known.get(line.key)) is not None
        and not player.is_erased
        and (changed := _changes_of(player, titles[player.pk], days.get(player.pk), line))
    }
    _check_other_numbers(lines, known, findings)
    if findings.findings:
        raise DomainError("register_refused", findings.in_order())
    return ComparedTable(numbers_of, on, lines, known, changes, {register.code for register in registers()})


def _known_players(lines: Sequence[RegisterLine], *, for_update: bool) -> dict[int | str, Player]:
    """The players whom the lines name and the register has, by the key of the line. 1 query a register."""
    known: dict[int | str, Player] = {}
    for register in dict.fromkeys(line.register for line in lines):
        keys = {line.number: line.key for line in lines if line.register == register}
        players = Player.objects.with_numbers(register, keys)
        if for_update:
            players = players.select_for_update()
        known |= {keys[player.numbers[register.code]]: player for player in players}
    return known


def _check_other_numbers(
    lines: Sequence[RegisterLine], known: Mapping[int | str, Player], findings: TableFindings
) -> None:
    """Whether each player is there once, keeps the numbers that count, and gets none of another one. 1 query."""
    seen: set[int] = set()
    given: dict[tuple[str, str], RegisterLine] = {}
    created = {
        (line.register.code, str(line.number))
        for line in lines
        if line.key not in known and line.register != OFFICE
    }
    for line in lines:
        player = known.get(line.key)
        if player is not None and player.pk in seen:
            findings.add("id-repeated", line=line.line, field=findings.columns[0], found=str(line.number))
        if player is not None:
            seen.add(player.pk)
            _check_kept_numbers(line, player, findings)
        for code, number in line.numbers.items():
            if number and code != line.register.code and register_by_code(code).counts:
                if (code, number) in given or (code, number) in created:
                    findings.add("id-repeated", line=line.line, field=code, found=number)
                given[code, number] = line
    if not given:
        return
    held = PlayerIdentity.objects.filter(
        register__in={code for code, _ in given}, number__in={number for _, number in given}
    )
    line_of = {known[line.key].pk: line for line in lines if line.key in known}
    for identity in held.select_related("player"):
        wanted = given.get((identity.register, identity.number))
        holder = line_of.get(identity.player_id)
        # A number that its player gives up in the same table is free.
        is_free = (
            holder is not None and holder.numbers.get(identity.register, identity.number) != identity.number
        )
        if wanted is not None and wanted != holder and not is_free:
            findings.add(
                "number-taken",
                line=wanted.line,
                field=identity.register,
                found=identity.number,
                player=f"{identity.player.address} {identity.player.printed_name}",
            )


def _check_kept_numbers(line: RegisterLine, player: Player, findings: TableFindings) -> None:
    """A number that lists print stays, and one that identifies the player remains."""
    for code, number in line.numbers.items():
        before = str(player.numbers.get(code, ""))
        if number == before or not before:
            continue
        if register_by_code(code) in (*registers_of_systems(), OFFICE):
            found = number or NO_NUMBER
            findings.add("number-kept", line=line.line, field=code, found=found, number=before)
        elif not number and not _counting_numbers(player, line):
            findings.add("number-last", line=line.line, field=code, found=NO_NUMBER)


def _counting_numbers(player: Player, line: RegisterLine) -> Collection[str]:
    """The codes of the registers that identify the player after this line."""
    numbers = {**player.numbers, **line.numbers}
    return [code for code, number in numbers.items() if number and register_by_code(code).counts]


def _changes_of(player: Player, titles: Mapping[str, str], born: date | None, line: RegisterLine) -> Changes:
    changes: dict[str, tuple[Any, Any]] = {
        name: (getattr(player, name), line.fields[name])
        for name in FIELDS
        if name in line.fields and getattr(player, name) != line.fields[name]
    }
    for name, title in line.titles.items():
        if (held := titles.get(name, "")) != title:
            changes[name] = (held, title)
    for code, number in line.numbers.items():
        if (before := str(player.numbers.get(code, ""))) != number:
            changes[code] = (before, number)
    return changes | _birth_date_change(born, line)


def _birth_date_change(known: date | None, line: RegisterLine) -> dict[str, tuple[str, str]]:
    """Whether a date of birth is added, changed or removed, without the date: no log and no output has it."""
    if line.born is not None and line.born != known:
        return {"day of birth": ("known", "changed") if known else ("", "known")}
    if line.born is None and known is not None and known.year != line.fields.get("birth_year", known.year):
        return {"day of birth": ("known", "")}
    return {}


def _check_numbers_once(lines: Sequence[RegisterLine], register: Register, findings: TableFindings) -> None:
    seen: set[int | str] = set()
    for line in lines:
        if line.key in seen and line.register == register:
            findings.add("id-repeated", line=line.line, field=register.header, found=str(line.number))
        seen.add(line.key)
