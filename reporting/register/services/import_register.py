"""Import players into the register from a table: create new ones, update the others."""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.utils import timezone
from psycopg import sql

from reporting.formats.tables.csv_table import YEAR, TableFindings, TableRow, read_table
from reporting.log.audit import Actor, record
from reporting.models import Federation, LogEntry, PersonalData, Player, PlayerIdentity
from reporting.models.locks import take_numbering_lock
from reporting.policies import check_can_import_register
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors import titles_of
from reporting.register.services.dated_changes import change_titles, register_new_titles, transfers_on
from reporting.rules.names.normalize_name import sort_name
from reporting.rules.names.plain_text import plain_punctuation
from reporting.rules.register.countries import find_country
from reporting.rules.register.registers import (
    LARGEST_NUMBER,
    MAX_NAME_LENGTH,
    OFFICE,
    Register,
    first_register,
    register_by_code,
    registers,
    registers_of_systems,
)
from reporting.rules.register.titles import discipline_titles

REQUIRED = ("last_name", "first_name", "federation", "sex", "born")
NAME = re.compile(r"[^\W\d_][\w '.,()/&-]*\Z")
"""In `plain_punctuation`."""
EARLIEST_BIRTH = date(1850, 1, 1)
EARLIEST_DAY = date(1900, 1, 1)
"""Of a transfer or a title."""
FIELDS = ("last_name", "first_name", "federation_id", "sex", "birth_year")
NO_NUMBER = "-"
"""In the column of another register: the player has no number there any more. An empty cell changes nothing."""
MAX_NUMBER_LENGTH = 20

Changes = Mapping[str, tuple[Any, Any]]
"""Field → (value before, value after). Of a date of birth only whether it is known or changed."""


@dataclass(frozen=True)
class ImportedRegister:
    """The result of an import: numbers of the created players, and of the updated ones field → (old, new).

    A player whom the table names by another register's number has the address `knsb-4711` in place of the number.
    """

    created: tuple[int | str, ...]
    updated: Mapping[int | str, Changes]
    unchanged: int


@dataclass
class _Line:
    line: int
    register: Register
    """That of the number by which the line names the player."""
    number: int
    key: int | str
    """The number; the address where it is another register's."""
    fields: dict[str, Any] = field(default_factory=dict)
    born: date | None = None
    titles: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    """By code of another register; empty = taken away."""


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
class _Table:
    """A table without errors, and what it changes in the register."""

    register: Register
    on: date
    lines: Sequence[_Line]
    known: dict[int | str, Player]
    changes: Mapping[int | str, Changes]
    other_codes: Collection[str]
    """Of the registers whose numbers the table can have as well."""

    @property
    def created(self) -> list[_Line]:
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


def plan_import(*, content: bytes, register: str = "", on: date | None = None, by: Actor) -> RegisterPlan:
    """What `import_register` would do with this table; changes nothing. Raises the same refusals. At most 8 queries."""
    check_can_import_register(by.user)
    return _compare(content, register, on, for_update=False).plan(content)


@transaction.atomic
def import_register(
    *, content: bytes, register: str = "", on: date | None = None, by: Actor, seen: str | None = None
) -> ImportedRegister:
    """Create and update players from a table, CSV or XLSX, all rows or none.

    Columns with the codes of other registers have the players' numbers there, `-` to take one away. A table without
    names changes players whom the register has, and a line without a number in the first column names such a player by
    another register's number: so an export of the register comes back as it is. A line with a number of the office
    names the player who has that, and gives the player the number in the first column. A changed federation or title of
    a known player counts from the day `on`, by default today; those of a new player since ever.
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
    ensure_federations(line.fields["federation_id"] for line in table.lines if "federation_id" in line.fields)
    known, numbers_of, created = table.known, table.register, table.created
    changed_players: list[Player] = []
    changed_titles: dict[str, dict[int, str]] = {name: {} for name in discipline_titles()}
    changed_numbers: list[PlayerIdentity] = []
    for key, changes in table.changes.items():
        player = known[key]
        for name, (_, new) in changes.items():
            if name in FIELDS:
                setattr(player, name, new)
            elif name in changed_titles:
                changed_titles[name][player.pk] = new
            elif name in table.other_codes:
                changed_numbers.append(PlayerIdentity(player=player, register=name, number=new))
        player.sort_name = sort_name(player.last_name, player.first_name)
        changed_players.append(player)
    if changed_players:
        with transfers_on(table.on):
            _update_players(changed_players)
    known |= _create_players(numbers_of, created)
    for name, of_discipline in discipline_titles().items():
        change_titles(of_discipline, changed_titles[name], on=table.on)
        titles = {known[line.key].pk: line.titles.get(name, "") for line in created}
        register_new_titles(of_discipline, titles, on=None)
    changed_numbers += (
        PlayerIdentity(player=known[line.key], register=code, number=number)
        for line in created
        for code, number in line.numbers.items()
    )
    _save_numbers(changed_numbers)
    _save_birth_dates(known, [line for line in table.lines if not known[line.key].is_erased])
    subjects = {line.key: f"player {line.register.code} {line.number}" for line in table.lines}
    LogEntry.objects.bulk_create(
        (
            LogEntry(
                actor=by.user,
                action="player.update",
                subject=subjects[key],
                before={name: old for name, (old, _) in changes.items()},
                after={name: new for name, (_, new) in changes.items()},
                reason="register.import",
                by_command=by.by_command,
            )
            for key, changes in table.changes.items()
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
    return ImportedRegister(tuple(line.key for line in created), table.changes, unchanged)


def _compare(content: bytes, register: str, on: date | None, *, for_update: bool) -> _Table:
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
    lines = [line for row in rows if (line := _read_line(row, numbers_of, others, findings)) is not None]
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
    return _Table(numbers_of, on, lines, known, changes, {register.code for register in registers()})


def _known_players(lines: Sequence[_Line], *, for_update: bool) -> dict[int | str, Player]:
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
    lines: Sequence[_Line], known: Mapping[int | str, Player], findings: TableFindings
) -> None:
    """Whether each player is there once, keeps the numbers that count, and gets none of another one. 1 query."""
    seen: set[int] = set()
    given: dict[tuple[str, str], _Line] = {}
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


def _check_kept_numbers(line: _Line, player: Player, findings: TableFindings) -> None:
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


def _counting_numbers(player: Player, line: _Line) -> Collection[str]:
    """The codes of the registers that identify the player after this line."""
    numbers = {**player.numbers, **line.numbers}
    return [code for code, number in numbers.items() if number and register_by_code(code).counts]


def _changes_of(player: Player, titles: Mapping[str, str], born: date | None, line: _Line) -> Changes:
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


def _read_line(
    row: TableRow, register: Register, others: Sequence[Register], findings: TableFindings
) -> _Line | None:
    numbers = _read_numbers(row, others, findings)
    number = findings.whole_number(row, register.header, 1, register.largest or LARGEST_NUMBER)
    key: int | str | None = number
    if number is not None and numbers.get(OFFICE.code):
        # The federation gives a number to a player of the office, whose record keeps its games (U22).
        numbers[register.code] = str(number)
        register, number = OFFICE, int(numbers[OFFICE.code])
        key = register.address(number)
    elif not row.values[register.header]:
        by = next((other for other in others if other.counts and numbers.get(other.code)), None)
        if by is None:
            findings.add("id-missing", line=row.line, field=register.header)
        else:
            register, number = by, int(numbers[by.code])
            key = register.address(number)
    born, fields = _read_person(row, findings) if "last_name" in row.values else (None, {})
    titles = {
        name: title
        for name, of_discipline in discipline_titles().items()
        if (title := findings.one_of(row, name, list(of_discipline.titles)))
    }
    if number is None or key is None:
        return None
    return _Line(row.line, register, number, key, fields, born, titles, numbers)


def _read_person(row: TableRow, findings: TableFindings) -> tuple[date | None, dict[str, Any]]:
    """The date of birth, and the other fields that have a value."""
    country = find_country(row.values["federation"])
    if country is None:
        findings.add("federation-unknown", line=row.line, field="federation", found=row.values["federation"])
    birth_year, born = _read_birth(row, findings)
    fields: dict[str, Any] = {
        "last_name": _read_name(row, "last_name", findings),
        "first_name": _read_name(row, "first_name", findings),
        "federation_id": country.code if country else "",
        "sex": findings.sex(row, "sex"),
        "birth_year": birth_year,
    }
    # An empty cell means "unknown"; it deletes no value of the register.
    return born, {name: value for name, value in fields.items() if value}


def _read_numbers(row: TableRow, others: Sequence[Register], findings: TableFindings) -> dict[str, str]:
    """The numbers of other registers by code; empty for one that is taken away."""
    numbers = {}
    for register in others:
        text = row.values.get(register.code, "")
        if text == NO_NUMBER:
            numbers[register.code] = ""
        elif register.has_form(text):
            numbers[register.code] = text
        elif text and register.largest is None:
            findings.add(
                "number-unreadable.national",
                line=row.line,
                field=register.code,
                found=text,
                max_length=MAX_NUMBER_LENGTH,
            )
        elif text:
            findings.add(
                "number-unreadable.identity",
                line=row.line,
                field=register.code,
                found=text,
                largest=register.largest,
            )
    return numbers


def _read_name(row: TableRow, field: str, findings: TableFindings) -> str:
    name = row.values[field]
    if not name and field == "last_name":
        findings.add("name-missing.register", line=row.line, field=field)
    elif name and not NAME.match(plain_punctuation(name)):
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
    seen: set[int | str] = set()
    for line in lines:
        if line.key in seen and line.register == register:
            findings.add("id-repeated", line=line.line, field=register.header, found=str(line.number))
        seen.add(line.key)


def _save_numbers(identities: Sequence[PlayerIdentity]) -> None:
    """Replace these numbers of players; an empty one is taken away. 2 queries a register."""
    by_register: dict[str, list[PlayerIdentity]] = {}
    for identity in identities:
        by_register.setdefault(identity.register, []).append(identity)
    for code, changed in by_register.items():
        PlayerIdentity.objects.filter(
            register=code, player__in=[identity.player_id for identity in changed]
        ).delete()
        try:
            with transaction.atomic():
                PlayerIdentity.objects.bulk_create(
                    [identity for identity in changed if identity.number], batch_size=2000
                )
        except IntegrityError as error:
            raise DomainError("register_plan_changed") from error


def _create_players(register: Register, lines: Sequence[_Line]) -> dict[int | str, Player]:
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
    return {line.key: player for player, line in zip(players, lines, strict=True)}


def _birth_date_change(known: date | None, line: _Line) -> dict[str, tuple[str, str]]:
    """Whether a date of birth is added, changed or removed, without the date: no log and no output has it."""
    if line.born is not None and line.born != known:
        return {"day of birth": ("known", "changed") if known else ("", "known")}
    if line.born is None and known is not None and known.year != line.fields.get("birth_year", known.year):
        return {"day of birth": ("known", "")}
    return {}


def _save_birth_dates(players: Mapping[int | str, Player], lines: Sequence[_Line]) -> None:
    PersonalData.objects.bulk_create(
        (PersonalData(player=players[line.key], born=line.born) for line in lines if line.born),
        update_conflicts=True,
        unique_fields=["player"],
        update_fields=["born"],
        batch_size=2000,
    )
    # A year that contradicts the known date of birth: the date was wrong.
    PersonalData.objects.filter(
        player__in=[players[line.key].pk for line in lines if not line.born and "birth_year" in line.fields]
    ).exclude(born__year=F("player__birth_year")).delete()
