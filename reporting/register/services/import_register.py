"""Import players into the register from a table: create new ones, update the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

from django.db import IntegrityError, connection, transaction
from django.db.models import F
from psycopg import sql

from reporting.log.audit import Actor, record
from reporting.models import LogEntry, PersonalData, Player, PlayerIdentity
from reporting.policies import check_can_import_register
from reporting.refusals.domain_error import DomainError
from reporting.register.services.compare_register import (
    FIELDS,
    Changes,
    ComparedTable,
    RegisterPlan,
    compare_table,
)
from reporting.register.services.dated_changes import change_titles, register_new_titles, transfers_on
from reporting.register.services.federations import ensure_federations
from reporting.register.services.register_table import RegisterLine
from reporting.rules.names.normalize_name import sort_name
from reporting.rules.register.registers import Register
from reporting.rules.register.titles import discipline_titles


@dataclass(frozen=True)
class ImportedRegister:
    """The result of an import: numbers of the created players, and of the updated ones field → (old, new).

    A player whom the table names by another register's number has the address `knsb-4711` in place of the number.
    """

    created: tuple[int | str, ...]
    updated: Mapping[int | str, Changes]
    unchanged: int


def plan_import(*, content: bytes, register: str = "", on: date | None = None, by: Actor) -> RegisterPlan:
    """What `import_register` would do with this table; changes nothing. Raises the same refusals. At most 8 queries."""
    check_can_import_register(by.user)
    return compare_table(content, register, on, for_update=False).plan(content)


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
    table = compare_table(content, register, on, for_update=True)
    if seen is not None and seen != table.plan(content).digest:
        raise DomainError("register_plan_changed")
    ensure_federations(line.fields["federation_id"] for line in table.lines if "federation_id" in line.fields)
    known, created = table.known, table.created
    changed_titles, changed_numbers = _change_players(table)
    known |= _create_players(table.register, created)
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
    _log_changes(table, by)
    unchanged = len(table.lines) - len(created) - len(table.changes)
    record(
        by=by,
        action="register.import",
        subject=f"register {table.register.code}",
        after={
            "created": len(created),
            "updated": len(table.changes),
            "unchanged": unchanged,
            "file_sha256": sha256(content).hexdigest(),
            **({"changed_on": on.isoformat()} if on else {}),
        },
    )
    return ImportedRegister(tuple(line.key for line in created), table.changes, unchanged)


def _change_players(table: ComparedTable) -> tuple[dict[str, dict[int, str]], list[PlayerIdentity]]:
    """Write the changed fields of known players; their changed titles and numbers are returned, to be written."""
    changed_players: list[Player] = []
    changed_titles: dict[str, dict[int, str]] = {name: {} for name in discipline_titles()}
    changed_numbers: list[PlayerIdentity] = []
    for key, changes in table.changes.items():
        player = table.known[key]
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
    return changed_titles, changed_numbers


def _log_changes(table: ComparedTable, by: Actor) -> None:
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


def _create_players(register: Register, lines: Sequence[RegisterLine]) -> dict[int | str, Player]:
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


def _save_birth_dates(players: Mapping[int | str, Player], lines: Sequence[RegisterLine]) -> None:
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
