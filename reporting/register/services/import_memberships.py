"""Import the memberships of clubs of a federation: the whole table, in place of the one before (U21)."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

from django.db import transaction

from reporting.formats.tables.csv_table import TableFindings, TableRow, read_table
from reporting.log.audit import Actor, record
from reporting.models import ClubMembership, MembershipTable, PlayerIdentity
from reporting.models.locks import take_repeat_lock
from reporting.policies import check_can_import_register
from reporting.refusals.domain_error import DomainError
from reporting.register.memberships import newest_table
from reporting.rules.register.registers import LARGEST_NUMBER, Register
from reporting.rules.report import FIRST_DAY, LAST_DAY

COLUMNS = ("id", "club", "member_from", "member_until")
ARTICLE = "docs/how-to/memberships.md"
CLUB = re.compile(r"[0-9]{6}\Z")


@dataclass(frozen=True)
class ImportedMemberships:
    """The table in force after an import, its lines and players; `already_there`: these bytes were in force before."""

    table: MembershipTable
    lines: int
    players: int
    already_there: bool = False


@dataclass(frozen=True)
class _Line:
    line: int
    number: int | None
    club: str
    member_from: date | None
    member_until: date | None
    """None also where it cannot be read; then the line has a finding."""


@transaction.atomic
def import_memberships(
    *, content: bytes, filename: str, register: Register, by: Actor
) -> ImportedMemberships:
    """Replace all memberships of a register by those of a table, CSV or XLSX with `COLUMNS`; all lines or none.

    A player has a line for each membership; an open end is empty. What was imported before stays for the lists that
    were calculated from it. At most 6 queries, and 1 for each 5,000 lines. Raises DomainError `register_refused` with
    the findings of all lines, `busy`, `forbidden`.
    """
    check_can_import_register(by.user)
    take_repeat_lock(f"memberships {register.code}")
    digest = sha256(content).hexdigest()
    before = newest_table(register)
    if before is not None and before.sha256 == digest:
        stored = before.lines
        return ImportedMemberships(before, stored.count(), stored.values("player").distinct().count(), True)
    rows, findings = read_table(
        content,
        required=COLUMNS,
        optional=(),
        aliases={register.header: "id", register.code: "id"},
        article=ARTICLE,
        workbooks=True,
    )
    lines = [_read_line(row, register, findings) for row in rows]
    if not rows and not findings.findings:
        findings.add("table-empty.memberships", line=1)
    players = _players(lines, register, findings)
    _check_overlaps(lines, findings)
    if findings.findings:
        raise DomainError("register_refused", findings.in_order())
    table = MembershipTable.objects.create(
        register=register.code,
        filename=filename[:200],
        sha256=digest,
        imported_by=by.user,
        by_command=by.by_command,
    )
    ClubMembership.objects.bulk_create(
        (
            ClubMembership(
                table=table,
                player_id=players[line.number],
                club=line.club,
                member_from=line.member_from,
                member_until=line.member_until,
            )
            for line in lines
            if line.number is not None and line.member_from is not None
        ),
        batch_size=5000,
    )
    record(
        by=by,
        action="memberships.import",
        subject=f"register {register.code}",
        before={"file_sha256": before.sha256} if before else {},
        after={"lines": len(lines), "players": len(players), "filename": filename, "file_sha256": digest},
    )
    return ImportedMemberships(table, len(lines), len(players))


def _read_line(row: TableRow, register: Register, findings: TableFindings) -> _Line:
    number = findings.whole_number(row, "id", 1, register.largest or LARGEST_NUMBER)
    if not row.values["id"]:
        findings.add("id-missing", line=row.line, field="id")
    club = row.values["club"]
    if not CLUB.match(club):
        findings.add("club-unreadable", line=row.line, field="club", found=club)
    begin, end = (_day(row, name, findings) for name in ("member_from", "member_until"))
    if not row.values["member_from"]:
        findings.add("membership-day-missing", line=row.line, field="member_from")
    if begin and end and end < begin:
        findings.add(
            "membership-reversed",
            line=row.line,
            field="member_until",
            found=row.values["member_until"],
            member_from=begin.isoformat(),
        )
        end = None
    is_open = end is None and bool(row.values["member_until"])
    return _Line(row.line, number, club, None if is_open else begin, end)


def _day(row: TableRow, field: str, findings: TableFindings) -> date | None:
    day = findings.day(row, field)
    if day is not None and not FIRST_DAY <= day <= LAST_DAY:
        findings.add(
            "membership-day-outside",
            line=row.line,
            field=field,
            found=row.values[field],
            first=FIRST_DAY.isoformat(),
            last=LAST_DAY.isoformat(),
        )
        return None
    return day


def _players(lines: Sequence[_Line], register: Register, findings: TableFindings) -> Mapping[int | None, int]:
    """Number → key of the player; a number that no player has is a finding. 1 query."""
    numbers = {str(line.number) for line in lines if line.number is not None}
    held = PlayerIdentity.objects.filter(register=register.code, number__in=numbers)
    players: dict[int | None, int] = {
        int(number): player for number, player in held.values_list("number", "player")
    }
    for line in lines:
        if line.number is not None and line.number not in players:
            findings.add(
                "fmjd-id-unknown.membership",
                line=line.line,
                field="id",
                found=str(line.number),
                label=register.number_label,
            )
    return players


def _check_overlaps(lines: Sequence[_Line], findings: TableFindings) -> None:
    """One club a day: each line that has a day of an earlier one of the player. A line without its days has none."""
    by_player: defaultdict[int | None, list[tuple[date, _Line]]] = defaultdict(list)
    for line in lines:
        if line.number is not None and line.member_from is not None:
            by_player[line.number].append((line.member_from, line))
    for own in by_player.values():
        own.sort(key=lambda one: (one[0], one[1].line))
        last: _Line | None = None
        for begin, line in own:
            if last is not None and begin <= (last.member_until or date.max):
                first, second = sorted((last, line), key=lambda one: one.line)
                findings.add(
                    "membership-overlaps",
                    line=second.line,
                    field="member_from",
                    first_line=first.line,
                    club=first.club,
                )
            if last is None or (line.member_until or date.max) > (last.member_until or date.max):
                last = line
