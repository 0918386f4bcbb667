"""Import an opening list: the ratings a pool starts from, from a table."""

from dataclasses import replace
from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone

from ratings.federations.facet import RatingSystem
from ratings.federations.registry import edition_in_force
from ratings.models import Pool, RatingList
from ratings.policies import check_can_import_list, check_can_publish
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.publish_list import publish_list
from ratings.production.write_list import write_list
from ratings.publishing.list_files import write_files
from ratings.queries.periods import opening_drafts
from ratings.rules.declared import Kind
from ratings.rules.lifecycle import LIST_LIFECYCLE, ListMove
from ratings.rules.values import OpeningLine
from ratings.worker.progress import Progress
from reporting.federations.registry import report_rules
from reporting.formats.tables.csv_table import WHOLE_NUMBER, TableFindings, TableRow, read_table
from reporting.log.audit import Actor, record
from reporting.models import Player, User
from reporting.models.locks import share_names_lock
from reporting.refusals.domain_error import DomainError
from reporting.rules.lifecycle import move
from reporting.rules.register.registers import LARGEST_NUMBER
from reporting.rules.report import FIRST_LIST_DAY

REQUIRED = ("rating", "games")
OPTIONAL = ("last_game",)
MOST_GAMES = 100_000
YES_AND_NO = {
    "1": True,
    "yes": True,
    "y": True,
    "true": True,
    "0": False,
    "no": False,
    "n": False,
    "false": False,
}
NO_DIGEST = "0" * 64
FARTHEST = timedelta(days=366)


def import_list(*, content: bytes, pool: Pool, in_force: date, by: Actor, releaser: Actor) -> RatingList:
    """Publish the opening list of a pool that has none, approved by `by` and published by `releaser`.

    Where empty, `last_game` is the day before `in_force` and `games_3_years` is `games`; `reached_2300` follows
    from the rating. Raises DomainError `list_refused` with all findings, `pool_has_lists`, `too_far_ahead`,
    `too_far_back`, `same_person`, `forbidden`. All or nothing.
    """
    with transaction.atomic():
        rating_list = make_opening_draft(content, pool, in_force, by)
        rating_list = open_for_approval(rating_list=rating_list, by=by)
        rating_list = approve_list(rating_list=rating_list, sha256=rating_list.sha256, by=by)
        check_can_publish(releaser.user, rating_list)
        return publish_list(rating_list=rating_list, sha256=rating_list.sha256, by=releaser)


def make_opening_draft(
    content: bytes, pool: Pool, in_force: date, by: Actor, imported_by: User | None = None
) -> RatingList:
    """The draft of an opening list; it supersedes an earlier one. Must run in a transaction.

    `imported_by` is the person who does not approve it: who uploaded the table, none for a command.

    Raises DomainError `list_refused` with all findings, `pool_has_lists`, `too_far_ahead`, `too_far_back`, `busy`,
    `forbidden`.
    """
    share_names_lock()
    pool = Pool.objects.select_for_update().get(pk=pool.pk)
    lines = read_opening_list(content, pool, in_force, by)
    supersede_opening_drafts(pool, by)
    system = pool.rating_system
    rules = edition_in_force(system, in_force)
    rating_list = RatingList.objects.create(
        pool=pool,
        system=pool.system,
        in_force=in_force,
        closing=in_force - timedelta(days=1),
        revision=1,
        is_opening=True,
        edition=rules.id,
        imported_by=imported_by,
        by_command=by.by_command,
    )
    opening = system.opening_list(rules, in_force, lines)
    write_list(rating_list, opening, progress=Progress(None), input_digest=lambda: NO_DIGEST)
    write_files(rating_list)
    record(
        by=by,
        action="list.import_opening",
        subject=f"list {rating_list.address}",
        after={"players": len(lines), "sha256": rating_list.sha256},
    )
    return rating_list


def supersede_opening_drafts(pool: Pool, by: Actor) -> int:
    """Supersede the draft of an opening list, if there is one; answers how many. The caller has locked the pool."""
    drafts = opening_drafts(pool).select_for_update(of=("self",)).select_related("pool")
    for draft in drafts:
        before = draft.state
        draft.state = move(LIST_LIFECYCLE, before, ListMove.SUPERSEDE)
        draft.save(update_fields=["state"])
        record(
            by=by,
            action="list.supersede",
            subject=f"list {draft.address}",
            before={"state": before, "sha256": draft.sha256},
            after={"state": draft.state},
        )
    return len(drafts)


def check_list_day(in_force: date) -> None:
    """Refuse a day on which no list comes into force. Raises DomainError `too_far_ahead`, `too_far_back`."""
    if in_force > timezone.localdate() + FARTHEST:
        raise DomainError("too_far_ahead", in_force=in_force)
    if in_force < FIRST_LIST_DAY:
        raise DomainError("too_far_back", in_force=in_force, first=FIRST_LIST_DAY)


def read_opening_list(content: bytes, pool: Pool, in_force: date, by: Actor) -> list[OpeningLine]:
    """The lines of a table without errors, in the order of players. At most 3 queries.

    Raises DomainError `list_refused` with all findings, `pool_has_lists`, `too_far_ahead`, `too_far_back`, `forbidden`.
    """
    check_can_import_list(by.user)
    check_list_day(in_force)
    lists = RatingList.objects.filter(pool=pool).exclude(state=RatingList.State.SUPERSEDED)
    if lists.exclude(pk__in=opening_drafts(pool)).exists():
        raise DomainError("pool_has_lists", pool=str(pool))
    system = pool.rating_system
    optional = (*OPTIONAL, *system.declaration.opening_file)
    id_header = system.declaration.header("register_number")
    rows, findings = read_table(
        content, required=(id_header, *REQUIRED), optional=optional, aliases={"id": id_header}, workbooks=True
    )
    read = {row.line: _read_line(row, system, in_force, findings) for row in rows}
    numbers = {
        row.line: int(row.values[id_header]) for row in rows if WHOLE_NUMBER.match(row.values[id_header])
    }
    register = pool.report_rules.register
    known = Player.objects.with_numbers(register, numbers.values())
    players = dict(known.values_list(f"numbers__{register.code}", "pk"))
    seen: set[int] = set()
    for place, number in numbers.items():
        if number not in players:
            findings.add(
                "fmjd-id-unknown.list",
                line=place,
                field=id_header,
                found=str(number),
                label=register.number_label,
            )
        if number in seen:
            findings.add("id-repeated", line=place, field=id_header, found=str(number))
        seen.add(number)
    if not rows and not findings.findings:
        findings.add("table-empty", line=1)
    if findings.findings:
        raise DomainError("list_refused", findings.in_order())

    lines = [
        replace(line, player=players[line.register_number]) for line in read.values() if line is not None
    ]
    lines.sort(key=lambda line: line.player)
    return lines


def _read_line(
    row: TableRow, system: RatingSystem, in_force: date, findings: TableFindings
) -> OpeningLine | None:
    """The line, its player not known yet; None where a value that every list needs is missing or wrong."""
    id_header = system.declaration.header("register_number")
    for name in (id_header, *REQUIRED):
        if not row.values[name]:
            findings.add("value-missing", line=row.line, field=name)
    number = findings.whole_number(
        row, id_header, 1, report_rules(system.code).register.largest or LARGEST_NUMBER
    )
    rating = findings.whole_number(row, "rating", 1, 4000)
    games = findings.whole_number(row, "games", 0, MOST_GAMES)
    more: dict[str, int | None] = {}
    for name in system.declaration.opening_file:
        column = system.declaration.column(name)
        if column.kind is Kind.FLAG:
            more[name] = _read_flag(row, name, findings)
            continue
        least, most = column.opening_range or (0, MOST_GAMES)
        more[name] = counted = findings.whole_number(row, name, least, most)
        is_of_games = column.opening_range is None
        if is_of_games and counted is not None and games is not None and counted > games:
            findings.add("number-too-large", line=row.line, field=name, found=str(counted), games=games)
    last_game = findings.day(row, "last_game")
    if last_game is not None and last_game >= in_force:
        findings.add(
            "date-too-late",
            line=row.line,
            field="last_game",
            found=last_game.isoformat(),
            in_force=in_force.isoformat(),
        )
    if number is None or rating is None or games is None:
        return None
    return OpeningLine(
        player=0,
        register_number=number,
        rating=rating,
        games=games,
        last_game=last_game or in_force - timedelta(days=1),
        more=more,
    )


def _read_flag(row: TableRow, name: str, findings: TableFindings) -> bool | None:
    found = row.values.get(name, "").lower()
    if found and found not in YES_AND_NO:
        findings.add("value-unknown", line=row.line, field=name, found=found, allowed="1, 0")
    return YES_AND_NO.get(found)
