"""Import players into the register from a table: create new ones, update the others."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from reporting.formats.tables.csv_table import YEAR, TableFindings, TableRow, read_table
from reporting.log.audit import Actor, record
from reporting.models import Federation, LogEntry, PersonalData, Player, Sex
from reporting.models.locks import take_numbering_lock
from reporting.policies import check_can_change_register
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


@dataclass(frozen=True)
class ImportedRegister:
    """The result of an import: numbers of the created players, and of the updated ones field → (old, new)."""

    created: tuple[int, ...]
    updated: Mapping[int, Mapping[str, tuple[Any, Any]]]
    unchanged: int


@dataclass
class _Line:
    line: int
    number: int
    fields: dict[str, Any] = field(default_factory=dict)
    born: date | None = None
    titles: dict[str, str] = field(default_factory=dict)


@transaction.atomic
def import_register(
    *, content: bytes, register: str = "", on: date | None = None, by: Actor
) -> ImportedRegister:
    """Create and update players from a CSV table, all rows or none.

    A changed federation or title of a known player counts from the day `on`, by default today; those of a new player
    since ever.
    `register` is the code of the register whose numbers the first column has (`fmjd_id`, or `id`); without one it is
    the first register. `born` is a date, a year or empty; `federation` any known code of the country; `sex` `M`, `W` or
    empty where unknown. Raises DomainError `register_refused` with all findings, `change_day`, `forbidden`; LookupError
    for a register that is not known.
    """
    check_can_change_register(by.user)
    given_day, on = on, on or timezone.localdate()
    if not EARLIEST_DAY <= on <= timezone.localdate():
        raise DomainError("change_day", first=EARLIEST_DAY, last=timezone.localdate())
    numbers_of = register_by_code(register) if register else first_register()
    id_column = numbers_of.header
    aliases = {"id": id_column, first_register().header: id_column}
    rows, findings = read_table(
        content, required=(id_column, *REQUIRED), optional=tuple(title_sections()), aliases=aliases
    )
    lines = [line for row in rows if (line := _read_line(row, numbers_of, findings)) is not None]
    _check_numbers_once(lines, numbers_of, findings)
    if not rows and not findings.findings:
        findings.add("table-empty", line=1)
    if findings.findings:
        raise DomainError("register_refused", findings.in_order())

    take_numbering_lock()
    ensure_federations(line.fields["federation_id"] for line in lines)
    known = _known_players(numbers_of, [line.number for line in lines])
    created = [line for line in lines if line.number not in known]
    days = dict(PersonalData.objects.filter(player__in=known.values()).values_list("player", "born"))
    titles = titles_of([player.pk for player in known.values()], on)
    updated: dict[int, dict[str, tuple[Any, Any]]] = {}
    changed_players: list[Player] = []
    changed_titles: dict[str, dict[int, str]] = {name: {} for name in title_sections()}
    for line in lines:
        player = known.get(line.number)
        if player is None:
            continue
        changes: dict[str, tuple[Any, Any]] = {
            name: (getattr(player, name), line.fields[name])
            for name in FIELDS
            if name in line.fields and getattr(player, name) != line.fields[name]
        }
        for name, (_, new) in changes.items():
            setattr(player, name, new)
        for name, title in line.titles.items():
            if (held := titles[player.pk].get(name, "")) != title:
                changes[name] = (held, title)
                changed_titles[name][player.pk] = title
        changes |= _birth_date_change(days.get(player.pk), line)
        if changes:
            player.sort_name = sort_name(player.last_name, player.first_name)
            updated[line.number] = changes
            changed_players.append(player)
    with transfers_on(on):
        Player.objects.bulk_update(changed_players, [*FIELDS, "sort_name"], batch_size=2000)
    known |= _create_players(numbers_of, created)
    for name, section in title_sections().items():
        change_titles(section, changed_titles[name], on=on)
        new = {known[line.number].pk: line.titles.get(name, "") for line in created}
        register_new_titles(section, new, on=None)
    _save_birth_dates(known, lines)
    LogEntry.objects.bulk_create(
        LogEntry(
            actor=by.user,
            action="player.update",
            subject=f"player {numbers_of.code} {number}",
            before={name: old for name, (old, _) in changes.items()},
            after={name: new for name, (_, new) in changes.items()},
            reason="register.import",
            by_command=by.by_command,
        )
        for number, changes in updated.items()
    )
    record(
        by=by,
        action="register.import",
        subject=f"register {numbers_of.code}",
        after={
            "created": len(created),
            "updated": len(updated),
            "unchanged": len(lines) - len(created) - len(updated),
            **({"changed_on": on.isoformat()} if given_day else {}),
        },
    )
    return ImportedRegister(
        tuple(line.number for line in created), updated, len(lines) - len(created) - len(updated)
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


def _known_players(register: Register, numbers: Sequence[int]) -> dict[int, Player]:
    players = Player.objects.with_numbers(register, numbers).select_for_update()
    return {player.numbers[register.code]: player for player in players}


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
