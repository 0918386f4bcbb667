"""Import players into the register from a table: create new ones, update the others."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from typing import Any

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from psycopg import sql

from reporting.formats.tables.csv_table import YEAR, TableFindings, TableRow, read_table
from reporting.log.audit import Actor, record
from reporting.models import Federation, LogEntry, PersonalData, Player, Sex
from reporting.models.locks import take_numbering_lock
from reporting.policies import check_can_import_register
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors import titles_of
from reporting.register.services.dated_changes import change_titles, register_new_titles, transfers_on
from reporting.rules.names.normalize_name import sort_name
from reporting.rules.register.countries import find_country
from reporting.rules.register.registers import LARGEST_NUMBER, Register, first_register, register_by_code
from reporting.rules.register.titles import title_sections

REQUIRED = ("last_name", "first_name", "federation", "sex", "born")
MAX_NAME_LENGTH = 60
NAME = re.compile(r"[^\W\d_][\w '’.,()/&-]*\Z")
EARLIEST_BIRTH = date(1850, 1, 1)
EARLIEST_DAY = date(1900, 1, 1)
"""Of a transfer or a title."""
FIELDS = ("last_name", "first_name", "federation_id", "sex", "birth_year")


Changes = Mapping[str, tuple[Any, Any]]
"""Field → (value before, value after). Of a date of birth only whether it is known or changed."""


@dataclass(frozen=True)
class ImportedRegister:
    """The result of an import: numbers of the created players, and of the updated ones field → (old, new)."""

    created: tuple[int, ...]
    updated: Mapping[int, Changes]
    unchanged: int


@dataclass
class _Line:
    line: int
    number: int
    fields: dict[str, Any] = field(default_factory=dict)
    born: date | None = None
    titles: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PlannedPlayer:
    """A player that an import would create: the line of the table and the values without a date of birth."""

    line: int
    number: int
    values: Mapping[str, Any]


@dataclass(frozen=True)
class PlannedChange:
    """A player that an import would update: the line of the table and the changed fields."""

    line: int
    number: int
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
class _Table:
    """A table without errors, and what it changes in the register."""

    register: Register
    on: date
    lines: Sequence[_Line]
    known: dict[int, Player]
    changes: Mapping[int, Changes]

    @property
    def created(self) -> list[_Line]:
        return [line for line in self.lines if line.number not in self.known]

    def plan(self, content: bytes) -> RegisterPlan:
        created = [
            PlannedPlayer(
                line.line,
                line.number,
                line.fields | line.titles | ({"day of birth": "known"} if line.born else {}),
            )
            for line in self.created
        ]
        updated = [
            PlannedChange(line.line, line.number, self.known[line.number], self.changes[line.number])
            for line in self.lines
            if line.number in self.changes
        ]
        shown = [
            [self.register.code, self.on.isoformat(), sha256(content).hexdigest()],
            [player.number for player in created],
            [[change.number, dict(change.changes)] for change in updated],
        ]
        digest = sha256(json.dumps(shown).encode()).hexdigest()
        return RegisterPlan(created, updated, len(self.lines) - len(created) - len(updated), digest)


def plan_import(*, content: bytes, register: str = "", on: date | None = None, by: Actor) -> RegisterPlan:
    """What `import_register` would do with this table; changes nothing. Raises the same refusals. At most 5 queries."""
    check_can_import_register(by.user)
    return _compare(content, register, on, for_update=False).plan(content)


@transaction.atomic
def import_register(
    *, content: bytes, register: str = "", on: date | None = None, by: Actor, seen: str | None = None
) -> ImportedRegister:
    """Create and update players from a CSV table, all rows or none.

    A changed federation or title of a known player counts from the day `on`, by default today; those of a new player
    since ever.
    `register` is the code of the register whose numbers the first column has (`fmjd_id`, or `id`); without one it is
    the first register. `born` is a date, a year or empty; `federation` any known code of the country; `sex` `M`, `W` or
    empty where unknown. `seen` is the digest of the plan that a person confirms. Raises DomainError `register_refused`
    with all findings, `register_plan_changed` for a plan that is out of date, `change_day`, `forbidden`; LookupError
    for a register that is not known.
    """
    check_can_import_register(by.user)
    table = _compare(content, register, on, for_update=True)
    if seen is not None and seen != table.plan(content).digest:
        raise DomainError("register_plan_changed")
    ensure_federations(line.fields["federation_id"] for line in table.lines)
    known, numbers_of, created = table.known, table.register, table.created
    changed_players: list[Player] = []
    changed_titles: dict[str, dict[int, str]] = {name: {} for name in title_sections()}
    for number, changes in table.changes.items():
        player = known[number]
        for name, (_, new) in changes.items():
            if name in FIELDS:
                setattr(player, name, new)
            elif name in changed_titles:
                changed_titles[name][player.pk] = new
        player.sort_name = sort_name(player.last_name, player.first_name)
        changed_players.append(player)
    with transfers_on(table.on):
        _update_players(changed_players)
    known |= _create_players(numbers_of, created)
    for name, section in title_sections().items():
        change_titles(section, changed_titles[name], on=table.on)
        titles = {known[line.number].pk: line.titles.get(name, "") for line in created}
        register_new_titles(section, titles, on=None)
    _save_birth_dates(known, table.lines)
    LogEntry.objects.bulk_create(
        (
            LogEntry(
                actor=by.user,
                action="player.update",
                subject=f"player {numbers_of.code} {number}",
                before={name: old for name, (old, _) in changes.items()},
                after={name: new for name, (_, new) in changes.items()},
                reason="register.import",
                by_command=by.by_command,
            )
            for number, changes in table.changes.items()
        ),
        batch_size=5000,
    )
    unchanged = len(table.lines) - len(created) - len(table.changes)
    record(
        by=by,
        action="register.import",
        subject=f"register {numbers_of.code}",
        after={
            "created": len(created),
            "updated": len(table.changes),
            "unchanged": unchanged,
            "file_sha256": sha256(content).hexdigest(),
            **({"changed_on": on.isoformat()} if on else {}),
        },
    )
    return ImportedRegister(tuple(line.number for line in created), table.changes, unchanged)


def _compare(content: bytes, register: str, on: date | None, *, for_update: bool) -> _Table:
    """Read a table and compare it with the register."""
    today = timezone.localdate()
    on = on or today
    if not EARLIEST_DAY <= on <= today:
        raise DomainError("change_day", first=EARLIEST_DAY, last=today)
    numbers_of = register_by_code(register) if register else first_register()
    aliases = {"id": numbers_of.header, first_register().header: numbers_of.header}
    rows, findings = read_table(
        content, required=(numbers_of.header, *REQUIRED), optional=tuple(title_sections()), aliases=aliases
    )
    lines = [line for row in rows if (line := _read_line(row, numbers_of, findings)) is not None]
    _check_numbers_once(lines, numbers_of, findings)
    if not rows and not findings.findings:
        findings.add("table-empty", line=1)
    if findings.findings:
        raise DomainError("register_refused", findings.in_order())

    if for_update:
        take_numbering_lock()
    players = Player.objects.with_numbers(numbers_of, [line.number for line in lines])
    if for_update:
        players = players.select_for_update()
    known = {player.numbers[numbers_of.code]: player for player in players}
    days = dict(PersonalData.objects.filter(player__in=known.values()).values_list("player", "born"))
    titles = titles_of([player.pk for player in known.values()], on)
    changes = {
        line.number: changed
        for line in lines
        if (player := known.get(line.number)) is not None
        and (changed := _changes_of(player, titles[player.pk], days.get(player.pk), line))
    }
    return _Table(numbers_of, on, lines, known, changes)


def _changes_of(player: Player, titles: Mapping[str, str], born: date | None, line: _Line) -> Changes:
    changes: dict[str, tuple[Any, Any]] = {
        name: (getattr(player, name), line.fields[name])
        for name in FIELDS
        if name in line.fields and getattr(player, name) != line.fields[name]
    }
    for name, title in line.titles.items():
        if (held := titles.get(name, "")) != title:
            changes[name] = (held, title)
    return changes | _birth_date_change(born, line)


def _update_players(players: Sequence[Player]) -> None:
    """One statement for all: `bulk_update` takes a minute for 100,000 players."""
    columns = {
        "last_name": "text", "first_name": "text", "federation_id": "text", "sex": "text", "birth_year": "smallint",
        "sort_name": "text",
    }  # fmt: skip
    values = [[player.pk for player in players]]
    values += [[getattr(player, name) for player in players] for name in columns]
    assigned = sql.SQL(", ").join(sql.SQL("{0} = new.{0}").format(sql.Identifier(name)) for name in columns)
    arrays = sql.SQL(", ").join(sql.SQL("%s::" + kind + "[]") for kind in ("bigint", *columns.values()))
    names = sql.SQL(", ").join(map(sql.Identifier, ("id", *columns)))
    with connection.cursor() as cursor:
        cursor.execute(
            sql.SQL(
                "UPDATE reporting_player SET {assigned} FROM unnest({arrays}) AS new ({names})"
                " WHERE reporting_player.id = new.id"
            ).format(assigned=assigned, arrays=arrays, names=names),
            values,
        )


def ensure_federations(codes: Iterable[str]) -> None:
    """Create the missing federations of these codes, which are codes of countries.csv."""
    countries = [country for code in sorted(set(codes)) if (country := find_country(code)) is not None]
    Federation.objects.bulk_create(
        (Federation(code=country.code, name=country.name) for country in countries), ignore_conflicts=True
    )


def _read_line(row: TableRow, register: Register, findings: TableFindings) -> _Line | None:
    number = findings.whole_number(row, register.header, 1, register.largest or LARGEST_NUMBER)
    if not row.values[register.header]:
        findings.add("id-missing", line=row.line, field=register.header)
    country = find_country(row.values["federation"])
    if country is None:
        findings.add("federation-unknown", line=row.line, field="federation", found=row.values["federation"])
    birth_year, born = _read_birth(row, findings)
    fields: dict[str, Any] = {
        "last_name": _read_name(row, "last_name", findings),
        "first_name": _read_name(row, "first_name", findings),
        "federation_id": country.code if country else "",
        "sex": findings.one_of(row, "sex", Sex.values),
        "birth_year": birth_year,
    }
    titles = {
        name: title
        for name, section in title_sections().items()
        if (title := findings.one_of(row, name, list(section.titles)))
    }
    # An empty cell means "unknown"; it deletes no value of the register.
    fields = {name: value for name, value in fields.items() if value}
    return None if number is None else _Line(row.line, number, fields, born, titles)


def _read_name(row: TableRow, field: str, findings: TableFindings) -> str:
    name = row.values[field]
    if not name and field == "last_name":
        findings.add("name-missing.register", line=row.line, field=field)
    elif name and not NAME.match(name):
        findings.add("name-forbidden", line=row.line, field=field, found=name)
    if len(name) > MAX_NAME_LENGTH:
        findings.add(
            "text-too-long",
            line=row.line,
            field=field,
            found=name,
            length=len(name),
            max_length=MAX_NAME_LENGTH,
        )
    return name


def _read_birth(row: TableRow, findings: TableFindings) -> tuple[int | None, date | None]:
    """Year and date of birth, as far as the cell has them."""
    text = row.values["born"]
    if YEAR.match(text):
        return int(text), None
    born = findings.day(row, "born")
    if born is None:
        return None, None
    today = timezone.localdate()
    if not EARLIEST_BIRTH <= born <= today:
        findings.add(
            "born-unlikely.register",
            line=row.line,
            field="born",
            found=text,
            first=EARLIEST_BIRTH.isoformat(),
            last=today.isoformat(),
        )
    return born.year, born


def _check_numbers_once(lines: Sequence[_Line], register: Register, findings: TableFindings) -> None:
    seen: set[int] = set()
    for line in lines:
        if line.number in seen:
            findings.add("id-repeated", line=line.line, field=register.header, found=str(line.number))
        seen.add(line.number)


def _create_players(register: Register, lines: Sequence[_Line]) -> dict[int, Player]:
    players = Player.objects.create_with_numbers(
        register,
        (
            (
                line.number,
                Player(
                    sort_name=sort_name(line.fields["last_name"], line.fields.get("first_name", "")),
                    **line.fields,
                ),
            )
            for line in lines
        ),
    )
    return {line.number: player for player, line in zip(players, lines, strict=True)}


def _birth_date_change(known: date | None, line: _Line) -> dict[str, tuple[str, str]]:
    """Whether a date of birth is added, changed or removed, without the date: no log and no output has it."""
    if line.born is not None and line.born != known:
        return {"day of birth": ("known", "changed") if known else ("", "known")}
    if line.born is None and known is not None and known.year != line.fields.get("birth_year", known.year):
        return {"day of birth": ("known", "")}
    return {}


def _save_birth_dates(players: Mapping[int, Player], lines: Sequence[_Line]) -> None:
    PersonalData.objects.bulk_create(
        (PersonalData(player=players[line.number], born=line.born) for line in lines if line.born),
        update_conflicts=True,
        unique_fields=["player"],
        update_fields=["born"],
        batch_size=2000,
    )
    # A year that contradicts the known date of birth: the date was wrong.
    PersonalData.objects.filter(
        player__in=[players[line.number].pk for line in lines if not line.born]
    ).exclude(born__year=F("player__birth_year")).delete()
