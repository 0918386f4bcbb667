"""A World Cup classification from request to publication by two persons, and its revision (R71c, U27)."""

import json
from datetime import date
from hashlib import sha256

import pytest
from django.db import IntegrityError, transaction

from reporting.log.audit import Actor
from reporting.models import LogEntry, Player, Role
from reporting.refusals.domain_error import DomainError
from tests.people import create_user
from tests.services.test_world_cup_commands import CUP, accept
from titles.federations.fmjd.models import Publication, PublicationRow
from titles.federations.fmjd.world_cup.publications.files import figures_csv, figures_json
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

pytestmark = pytest.mark.django_db

KEY = key_of_classification("100", date(2026, 6, 30), women=False)


@pytest.fixture
def director():
    return Actor(create_user("dora@example.org", "Dora", roles=[Role.TOURNAMENT_DIRECTOR]))


@pytest.fixture
def releaser():
    return Actor(
        create_user("rob@example.org", "Rob", roles=[Role.RELEASING_OFFICER, Role.TOURNAMENT_DIRECTOR])
    )


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


def published(director, releaser, key=KEY, **values):
    made = draft(director, key, **values)
    approved = approve_publication(publication=made, sha256=made.sha256, by=director)
    return publish_publication(publication=approved, sha256=made.sha256, by=releaser)


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

    assert refusal(publish_publication, publication=made, sha256=made.sha256, by=releaser) == (
        "wrong_state.publication"
    )
    assert (
        refusal(approve_publication, publication=made, sha256="0" * 64, by=director) == "publication_changed"
    )
    approved = approve_publication(publication=made, sha256=made.sha256, by=releaser)
    assert refusal(publish_publication, publication=approved, sha256=made.sha256, by=releaser) == (
        "same_person.publication"
    )
    assert (
        refusal(publish_publication, publication=approved, sha256=made.sha256, by=director)
        == "forbidden.role"
    )
    other = Actor(create_user("ria@example.org", "Ria", roles=[Role.RELEASING_OFFICER]))
    done = publish_publication(publication=approved, sha256=made.sha256, by=other)
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


def test_a_corrected_report_leaves_the_published_as_it_is_and_a_revision_says_why(
    office, cup, director, releaser
):
    first = published(director, releaser)
    assert refusal(request_publication, key=KEY, by=director) == "reason_missing"
    # 14 wins another one: 55 + 100 + 5 * 6 = 185, before 11 with 130 + 70 + 5 * 4 = 220? 11 is second there: 220.
    accept(office, "Other", [14, 11, 13, 12], month=5, **CUP)
    assert [row["points"] for row in figures_of(first)] == [130, 55]
    second = published(director, releaser, reason="A tournament was reported late.")
    assert (second.revision, second.reason) == (2, "A tournament was reported late.")
    assert [(row["fmjd_id"], row["points"]) for row in figures_of(second)] == [(11, 220), (14, 185), (13, 55)]
    changed = differences(figures_of(first), figures_of(second))
    assert [(one.fmjd_id, one.before and one.before["rank"], one.after["rank"]) for one in changed] == [
        (11, 1, 1), (14, 2, 2), (13, None, 3),
    ]  # fmt: skip


def test_a_draft_that_would_be_another_one_now_is_not_signed(office, cup, director):
    made = draft(director)
    accept(office, "Other", [14, 11, 13, 12], month=5, **CUP)
    assert refusal(approve_publication, publication=made, sha256=made.sha256, by=director) == (
        "publication_outdated"
    )
    assert refusal(withdraw_publication, publication=made, reason=" ", by=director) == "reason_missing"
    assert withdraw_publication(publication=made, reason="Outdated.", by=director).state == "withdrawn"
    again = draft(director)
    assert (again.revision, again.pk != made.pk, len(figures_of(again))) == (1, True, 3)


def test_two_requests_make_one_draft(cup, director, releaser):
    one = request_publication(key=KEY, by=director)
    assert request_publication(key=KEY, by=releaser) == one
    assert calculate_requested() == 1
    assert calculate_requested() == 0


def test_a_day_to_come_is_refused(director):
    key = key_of_classification("100", date(2099, 12, 31), women=False)
    assert refusal(request_publication, key=key, by=director) == "publication_day_ahead"


def test_nothing_but_a_request_begins_a_publication(director):
    with pytest.raises(IntegrityError, match="begins with its request"):
        Publication.objects.create(**KEY.columns(), state="draft", sha256="x", requested_by=director.user)
