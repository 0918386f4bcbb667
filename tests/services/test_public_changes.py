"""The feed of changes: what is told of each act, when, in which order, and that each act is told once."""

from dataclasses import replace
from datetime import date
from threading import Thread

import pytest
from django.db import connection, transaction
from django.db.backends.postgresql.base import DatabaseWrapper

from ratings.models import PublicChange, UnreadEntry
from ratings.publishing.public_changes.number_changes import number_changes
from ratings.publishing.public_changes.webhooks.deliver import deliver_webhooks
from reporting.log.audit import record
from reporting.models import LogEntry, Player
from reporting.register.selectors.records import record_of
from reporting.register.services.edit_player import edit_player
from reporting.register.services.erase_name import erase_name
from reporting.register.services.import_register import import_register
from reporting.register.services.merge_players import merge_players, undo_merge
from reporting.register.services.transfer_player import transfer_player
from reporting.reports.services.review import undo_acceptance
from tests.services.correction_helpers import APRIL, JULY, SPRING, TWO_LOSSES, TWO_WINS, again, correct
from tests.services.report_helpers import whole

quick = pytest.mark.django_db


def player(number: int) -> Player:
    return Player.objects.get(numbers__fmjd=number)


def told() -> list[tuple[object, ...]]:
    """What is new in the feed: event, and what it is about."""
    last = PublicChange.objects.count()
    number_changes()
    found = PublicChange.objects.filter(number__gt=last).order_by("number")
    assert [change.number for change in found] == list(range(last + 1, last + 1 + len(found)))
    return [(change.event, *about(change)) for change in found]


def about(change: PublicChange) -> list[object]:
    values = [
        change.list and f"{change.list.address}/r{change.list.revision}",
        change.player and change.player.address,
        change.merged_into and change.merged_into.address,
        change.tournament_id,
        " ".join(change.changed),
        f"{change.title} {change.discipline}".strip(),
    ]
    return [value for value in values if value]


def edit(office, number: int, reason: str = "a test", **values: object) -> None:
    known = record_of(player(number))
    decision = {"decision": "GA 2026/4"} if "titles" in values else {}
    act = {"looked_at": known.digest, "reason": reason, "by": office.officer} | decision
    edit_player(player=player(number), wanted=replace(known, **values), **act)


# --- what is told


@pytest.mark.usefixtures("two_records_shared")
@whole
def test_a_publication_tells_the_list_its_tournaments_and_the_merges_that_it_is_the_first_to_read(office):
    assert told() == [("list.published", "fmjd-100/2025-01-01/r1")]
    merge = merge_players(duplicate=player(21), surviving=player(11), reason="one person", by=office.officer)
    assert told() == []  # /players/21/ is still an address of its own
    office.accept("Spring", [21, 12], TWO_WINS, **SPRING)
    assert told() == [("tournament.accepted", "2025-spring")]
    office.run(APRIL, publish=False)
    assert told() == []  # a draft
    office.run(APRIL)
    assert told() == [
        ("list.published", "fmjd-100/2025-04-01/r1"),
        ("tournament.calculated", "fmjd-100/2025-04-01/r1", "2025-spring"),
        ("player.merged", "fmjd-100/2025-04-01/r1", "21", "11"),
    ]
    office.run(JULY)
    assert told() == [("list.published", "fmjd-100/2025-07-01/r1")]
    undo_merge(merge=merge, reason="two people", by=office.officer)
    assert told() == [("player.merge_undone", "21")]


@pytest.mark.usefixtures("april_list")
@whole
def test_a_correction_tells_what_it_excludes_and_what_it_counts_otherwise(office) -> None:
    office.accept("Lent", [13, 14], TWO_WINS, **SPRING)
    told()
    april = office.run(JULY)
    assert told()[1:] == [("tournament.calculated", "fmjd-100/2025-07-01/r1", "2025-lent")]
    again(office, "2025-spring", "Spring", [11, 12], TWO_LOSSES, **SPRING)
    assert told() == []  # published figures do not change before the revision
    correct(office, april, excluded_tournaments=["2025-lent"])
    assert told() == []
    office.run(JULY)
    assert told() == [
        ("list.corrected", "fmjd-100/2025-07-01/r2"),
        ("tournament.excluded", "fmjd-100/2025-07-01/r2", "2025-lent"),
    ]


@pytest.mark.usefixtures("three_players_shared")
@whole
def test_an_undone_acceptance_is_told(office) -> None:
    report = office.accept("Spring", [11, 12], TWO_WINS)
    undo_acceptance(report=report, reason="too early", by=office.director)
    spring = "2026-spring"
    assert told()[1:] == [("tournament.accepted", spring), ("tournament.acceptance_undone", spring)]


@pytest.mark.usefixtures("three_players_shared")
@quick
def test_register_changes_are_told_of_listed_players_without_a_value(office) -> None:
    told()
    edit(office, 11, last_name="Whitfield", sex="W")
    edit(office, 11, born=date(1990, 2, 1))  # the day is not public; of a known year nothing else changes
    moved = {"federation": "BEL", "on": date(2026, 1, 1), "reason": "moved"}
    transfer_player(player=player(12), by=office.officer, **moved)
    office.register(14)
    edit(office, 14, last_name="Unlisted")
    assert told() == [("player.changed", "11", "name sex"), ("player.changed", "12", "federation")]
    texts = {field.name for field in PublicChange._meta.get_fields()}
    assert texts == {
        "number", "entry", "at", "event", "list", "player", "merged_into", "tournament", "title", "discipline",
        "changed", "page",
    }  # fmt: skip


@pytest.mark.usefixtures("three_players_shared")
@quick
def test_titles_are_told_by_edits_and_imports(office) -> None:
    told()
    edit(office, 11, titles={**record_of(player(11)).titles, "title": "MF"})
    header = "fmjd_id,last_name,first_name,federation,sex,born,title"
    import_register(content=f"{header}\n12,Two,New,NED,M,1990,GMI".encode(), by=office.officer)
    edit(office, 11, titles={**record_of(player(11)).titles, "title": ""})
    assert told() == [
        ("title.registered", "11", "MF 100"),
        ("player.changed", "12", "name"),
        ("title.registered", "12", "GMI 100"),
        ("title.withdrawn", "11", "MF 100"),
    ]


@pytest.mark.usefixtures("two_records_shared")
@pytest.mark.django_db(transaction=True)
@pytest.mark.database_role("owner")
def test_an_erasure_is_told_of_every_record_of_the_person_that_a_list_names(office) -> None:
    told()
    merge_players(duplicate=player(21), surviving=player(11), reason="one person", by=office.officer)
    erase_name(player=player(11), reason="Asked for it.", by=office.officer)
    assert told() == [("player.erased", "11"), ("player.erased", "21")]


# --- in which order, and once


@whole
def test_an_act_that_commits_after_later_ones_is_not_skipped(office) -> None:
    """Keys of log entries are given before the commit: the first act here commits last."""
    office.opening("fmjd_id rating games\n11 2000 100\n12 2000 100")
    told()
    late: DatabaseWrapper = connection.copy()
    subject = (
        "INSERT INTO reporting_logentry (actor_id, action, subject, before, after, reason, by_command) VALUES"
    )
    values = f"{subject} (%s, 'player.edit', 'player fmjd 11', '{{}}', '{{\"sex\": \"W\"}}', '', true) RETURNING id"
    try:
        late.set_autocommit(False)
        with late.cursor() as cursor:
            cursor.execute(values, [office.officer.user.pk])
            first = cursor.fetchone()[0]
        edit(office, 12, sex="W")
        assert LogEntry.objects.latest("pk").pk > first
        assert told() == [("player.changed", "12", "sex")]
        assert told() == []
        late.commit()
        assert told() == [("player.changed", "11", "sex")]
    finally:
        late.close()


@whole
def test_two_workers_at_once_number_each_act_once(office) -> None:
    office.opening("fmjd_id rating games\n11 2000 100")
    told()
    with transaction.atomic():
        for sex in ("W", "M") * 600:  # more than are read at once
            record(by=office.officer, action="player.edit", subject="player fmjd 11", after={"sex": sex})
    done: list[int] = []

    def number() -> None:
        done.append(number_changes())
        connection.close()

    threads = [Thread(target=number) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    number_changes()  # for the case that the lock was with none of them at the end
    assert list(PublicChange.objects.order_by("number").values_list("number", flat=True)) == [*range(1, 1202)]
    assert PublicChange.objects.values("entry").distinct().count() == 1201
    assert not UnreadEntry.objects.exists()


@whole
def test_a_worker_that_dies_before_its_commit_leaves_everything_to_the_next(office) -> None:
    office.opening("fmjd_id rating games\n11 2000 100")
    with transaction.atomic():
        assert number_changes() == 1
        transaction.set_rollback(True)
    assert not PublicChange.objects.exists()
    assert told() == [("list.published", "fmjd-100/2026-01-01/r1")]
    assert told() == []


@whole
def test_a_worker_that_finds_nothing_uses_no_transaction_number(office) -> None:
    """Pages are kept under the database's snapshot: one that is used has all of them made again (decision 0075)."""
    office.opening("fmjd_id rating games\n11 2000 100")
    with transaction.atomic():
        assert number_changes() == 1
        assert transaction_number() is not None
    with transaction.atomic():
        assert (number_changes(), deliver_webhooks()) == (0, 0)
        assert transaction_number() is None


def transaction_number() -> str | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id_if_assigned()::text")
        return cursor.fetchone()[0]
