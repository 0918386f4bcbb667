"""A World Cup classification from request to publication by two persons, and its revision (R71c, U27)."""

import json
from datetime import date
from hashlib import sha256
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from reporting.log.audit import Actor
from reporting.models import LogEntry, Player, Role
from reporting.refusals.domain_error import DomainError
from tests.concurrency import run_concurrently
from tests.people import create_user, give_roles
from tests.services import report_helpers
from tests.services.report_helpers import whole
from tests.services.test_world_cup_commands import CUP, accept
from tests.world_cup import tournaments_by_chance
from titles.federations.fmjd.models import Publication, PublicationRow
from titles.federations.fmjd.world_cup import recompute
from titles.federations.fmjd.world_cup.publications.classification import (
    INPUT_COLUMNS,
    OF_PARTICIPATION,
    OF_TOURNAMENT,
    calculate,
)
from titles.federations.fmjd.world_cup.publications.files import csv_text, digest, figures_csv, figures_json
from titles.federations.fmjd.world_cup.publications.selectors import (
    differences,
    figures_of,
    key_of_classification,
)
from titles.federations.fmjd.world_cup.publications.steps import (
    approve_publication,
    calculate_requested,
    publish_publication,
    request_publication,
    withdraw_publication,
)
from titles.federations.fmjd.world_cup.publications.verify import verify_publications

pytestmark = pytest.mark.django_db

EPOCH = date(1970, 1, 1).toordinal()
KEY = key_of_classification("100", date(2026, 6, 30), women=False)
BOTH_ROLES = [Role.RELEASING_OFFICER, Role.TOURNAMENT_DIRECTOR]


@pytest.fixture
def director():
    return Actor(create_user("dora@example.org", "Dora", roles=[Role.TOURNAMENT_DIRECTOR]))


@pytest.fixture
def releaser():
    return Actor(create_user("rob@example.org", "Rob", roles=BOTH_ROLES))


@pytest.fixture
def cup(office):
    """Five stars, one group: 11 M, 12 W, 13 M absent from the closing ceremony, 14 M, with 6, 4, 1 and 1 points."""
    office.register(11, 13, 14)
    office.register(12, sex="W")
    return accept(office, "Cup", [11, 12, 13, 14], absent_from_closing="[3]", **CUP)


def draft(director, key=KEY, **values):
    request_publication(key=key, by=director, **values)
    calculate_requested()
    return Publication.objects.latest("pk")


def approve(made, by):
    return approve_publication(publication=made, sha256=made.sha256, by=by)


def publish(approved, by):
    return publish_publication(publication=approved, sha256=approved.sha256, by=by)


def published(director, releaser, key=KEY, **values):
    return publish(approve(draft(director, key, **values), director), releaser)


def refusal(act, **values):
    with pytest.raises(DomainError) as raised, transaction.atomic():
        act(**values)
    return raised.value.key


def test_a_classification_is_published_by_two_persons_and_never_changes(cup, director, releaser):
    # Open places are counted among men: 11 is first, 100 + 5 * 6 = 130; 14 is third, 50 + 5 * 1 = 55; 13 was absent.
    made = draft(director)
    assert (made.state, made.revision, made.edition) == ("draft", 1, "world-cup-2024-04")
    rows = figures_of(made)
    assert [(row["rank"], row["fmjd_id"], row["federation"], row["points"]) for row in rows] == [
        (1, 11, "NED", 130), (2, 14, "NED", 55),
    ]  # fmt: skip
    assert sha256(figures_json(made, rows)).hexdigest() == made.sha256
    assert json.loads(figures_json(made, rows))["input_sha256"] == sha256(made.inputs.encode()).hexdigest()
    assert figures_csv(made, rows).decode().splitlines()[1] == "1,11,NED,130,1,0,0,130,3,0"
    assert not any(name in made.inputs for name in Player.objects.values_list("last_name", flat=True))

    assert refusal(publish, approved=made, by=releaser) == "wrong_state.publication"
    other_digest = {"publication": made, "sha256": "0" * 64}
    assert refusal(approve_publication, **other_digest, by=director) == "publication_changed"
    approved = approve(made, releaser)
    assert refusal(publish, approved=approved, by=releaser) == "same_person.publication"
    assert refusal(publish, approved=approved, by=director) == "forbidden.role"
    other = Actor(create_user("ria@example.org", "Ria", roles=[Role.RELEASING_OFFICER]))
    done = publish(approved, other)
    assert (done.state, done.approved_by, done.published_by) == ("published", releaser.user, other.user)
    for change in (
        lambda: Publication.objects.filter(pk=done.pk).update(state="approved"),
        lambda: Publication.objects.filter(pk=done.pk)._raw_delete("default"),
        lambda: done.rows.update(position=7),
        lambda: done.rows.all().delete(),
        lambda: PublicationRow.objects.create(publication=done, position=9, values={}),
    ):
        with pytest.raises(Exception, match=r"never change|refused|permission denied"), transaction.atomic():
            change()
    acts = LogEntry.objects.filter(subject=f"publication {done.pk}").order_by("pk")
    assert list(acts.values_list("action", flat=True)) == [
        "publication.request", "publication.approve", "publication.publish",
    ]  # fmt: skip


def test_who_submitted_a_report_that_counts_does_not_approve(office, cup, director, releaser):
    referee = Actor(give_roles(office.referee.user, Role.TOURNAMENT_DIRECTOR))
    made = draft(referee)
    refused = report_helpers.refusal(approve, made, referee)
    assert refused.key == "own_results.publication"
    assert "(Cup)" in refused.message
    assert approve(made, director).state == "approved"
    # Of a day that does not count the report, the same person is refused only because no other report counts either.
    later = draft(referee, key_of_classification("100", date(2024, 6, 30), women=False))
    assert refusal(approve, made=later, by=referee) == "publication_empty"


def test_a_corrected_report_leaves_what_is_published_and_a_revision_says_why(office, cup, director, releaser):
    first = published(director, releaser)
    assert refusal(request_publication, key=KEY, by=director) == "reason_missing"
    # 14 wins another one: 55 + 100 + 5 * 6 = 185, before 11 with 130 + 70 + 5 * 4 = 220? 11 is second there: 220.
    accept(office, "Other", [14, 11, 13, 12], month=5, **CUP)
    assert [row["points"] for row in figures_of(first)] == [130, 55]
    second = published(director, releaser, reason="A tournament was reported late.")
    assert (second.revision, second.reason) == (2, "A tournament was reported late.")
    assert [(row["fmjd_id"], row["points"]) for row in figures_of(second)] == [(11, 220), (14, 185), (13, 55)]
    changed = differences(figures_of(first), figures_of(second))
    assert [(one.after["fmjd_id"], one.before and one.before["rank"], one.after["rank"]) for one in changed] == [
        (11, 1, 1), (14, 2, 2), (13, None, 3),
    ]  # fmt: skip


def test_a_draft_that_would_be_another_one_now_is_not_signed(office, cup, director):
    made = draft(director)
    accept(office, "Other", [14, 11, 13, 12], month=5, **CUP)
    assert refusal(approve, made=made, by=director) == "publication_outdated"
    assert refusal(withdraw_publication, publication=made, reason=" ", by=director) == "reason_missing"
    assert withdraw_publication(publication=made, reason="Outdated.", by=director).state == "withdrawn"
    again = draft(director)
    assert (again.revision, again.pk != made.pk, len(figures_of(again))) == (1, True, 3)


def test_a_classification_without_rows_is_not_approved(cup, director):
    # The only tournament has 100 squares.
    empty = draft(director, key_of_classification("64", KEY.day, women=False))
    assert (empty.state, figures_of(empty)) == ("draft", [])
    assert refusal(approve, made=empty, by=director) == "publication_empty"
    empty.refresh_from_db()
    assert empty.state == "draft"


def test_two_requests_make_one_draft(cup, director, releaser):
    one = request_publication(key=KEY, by=director)
    assert request_publication(key=KEY, by=releaser) == one
    assert calculate_requested() == 1
    assert calculate_requested() == 0


def test_a_draft_that_is_published_during_a_request_is_the_one_requested(cup, director, releaser):
    made = draft(director)
    approved = approve(made, director)
    reads = []

    def publish_after_the_first_read(execute, sql, *arguments):
        answer = execute(sql, *arguments)
        if sql.startswith("SELECT") and "publication" in sql and not reads:
            reads.append(sql)
            publish(approved, releaser)
        return answer

    with connection.execute_wrapper(publish_after_the_first_read):
        assert request_publication(key=KEY, by=director) == made
    assert [one.state for one in Publication.objects.all()] == ["published"]


def test_a_day_to_come_is_refused(director):
    key = key_of_classification("100", date(2099, 12, 31), women=False)
    assert refusal(request_publication, key=key, by=director) == "publication_day_ahead"


def test_nothing_but_a_request_begins_a_publication(director):
    with pytest.raises(IntegrityError, match="begins with its request"):
        Publication.objects.create(**KEY.columns(), state="draft", sha256="x", requested_by=director.user)


def write_files(folder, publication):
    rows = figures_of(publication)
    (folder / "figures.json").write_bytes(figures_json(publication, rows))
    (folder / "results.csv").write_text(publication.inputs)


def test_readers_recalculate_from_files_and_find_an_altered_cell(cup, director, releaser, tmp_path, capsys):
    write_files(tmp_path, published(director, releaser))
    assert recompute.main(str(tmp_path)) == 0
    assert " 0 different" in capsys.readouterr().out
    figures = tmp_path / "figures.json"
    figures.write_text(figures.read_text().replace('"points": 130', '"points": 131', 1))
    assert recompute.main(str(tmp_path)) == 1
    assert "published 131, recalculated 130" in capsys.readouterr().out
    (tmp_path / "results.csv").unlink()
    assert recompute.main(str(tmp_path)) == 2


@pytest.mark.parametrize("women", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_the_program_for_readers_and_the_engine_agree(seed, women, tmp_path, capsys):
    tournaments, participations, declarations = tournaments_by_chance(seed, tournaments=12, players=20)
    days = [date.fromordinal(int(day) + EPOCH) for day in declarations.day]
    declared = dict(
        zip(zip(declarations.player.tolist(), declarations.year.tolist(), strict=True), days, strict=True)
    )
    lines = []
    for at, of in enumerate(participations.tournament.tolist()):
        last = date.fromordinal(int(tournaments.last_round[of]) + EPOCH)
        key = (int(participations.player[at]), last.year)
        lines.append(
            {name: getattr(participations, name)[at].item() for name in OF_PARTICIPATION[1:]}
            | {name: getattr(tournaments, name)[of].item() for name in OF_TOURNAMENT}
            | {
                "tournament": f"t{of}", "last_round": last, "fmjd_id": key[0], "federation": "NED",
                "first_round": date.fromordinal(int(tournaments.first_round[of]) + EPOCH), "year": last.year,
                "declared_on": declared.get(key),
            }
        )  # fmt: skip
    key = key_of_classification("100", date(2026, 12, 31), women=women)
    inputs = csv_text(INPUT_COLUMNS, lines)
    rows = calculate(key, inputs)
    assert rows
    sources = {"inputs": inputs, "input_sha256": digest(inputs.encode())}
    made = Publication(**key.columns(), edition="world-cup-2024-04", **sources)
    (tmp_path / "figures.json").write_bytes(figures_json(made, rows))
    (tmp_path / "results.csv").write_text(inputs)
    assert recompute.main(str(tmp_path)) == 0, capsys.readouterr().out


def test_by_command_it_is_published_in_the_name_of_two_accounts_and_verified(cup):
    out, errors = StringIO(), StringIO()
    call_command("world_cup", "--on", "2026-06-30", "--publish", stdout=out, stderr=errors)
    one = Publication.objects.get()
    assert errors.getvalue() == f"/world-cup/100/2026-06-30/r1/ {one.sha256}\n"
    assert one.approved_by.email == "importer@office.invalid"
    assert one.published_by.email == "releaser@office.invalid"
    with pytest.raises(CommandError, match="reason_missing"):
        call_command("world_cup", "--on", "2026-06-30", "--publish", stdout=out, stderr=errors)
    assert list(verify_publications()) == [("/world-cup/100/2026-06-30/r1/", [])]


@pytest.mark.database_role("owner")
def test_verification_finds_a_row_that_was_tampered_with(cup, director, releaser):
    one = published(director, releaser)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE fmjd_titles_publicationrow DISABLE TRIGGER USER")
        cursor.execute(
            "UPDATE fmjd_titles_publicationrow SET values = jsonb_set(values, '{points}', '131')"
            " WHERE publication_id = %s AND position = 1",
            [one.pk],
        )
    ((address, found),) = verify_publications()
    assert [text.removeprefix(f"{address}: ").split(":")[0] for text in found] == ["sha256", "row 1, points"]


@whole
def test_of_two_officers_who_publish_at_the_same_moment_one_does(office):
    office.register(11, 13, 14)
    office.register(12, sex="W")
    accept(office, "Cup", [11, 12, 13, 14], **CUP)
    director = Actor(create_user("dora@example.org", "Dora", roles=[Role.TOURNAMENT_DIRECTOR]))
    people = [Actor(create_user(f"{name}@example.org", name, roles=BOTH_ROLES)) for name in ("rob", "ria")]
    requested = run_concurrently(*(lambda by=by: request_publication(key=KEY, by=by) for by in people))
    assert len({one.pk for one in requested}) == 1
    calculate_requested()
    made = Publication.objects.get()
    approve(made, director)
    outcomes = run_concurrently(*(lambda by=by: publish(made, by) for by in people))
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["DomainError", "Publication"]
    acts = LogEntry.objects.filter(subject=f"publication {made.pk}")
    assert sorted(acts.values_list("action", flat=True)) == [
        "publication.approve", "publication.publish", "publication.request",
    ]  # fmt: skip
