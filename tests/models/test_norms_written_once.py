"""Norms and decisions are written while their list is a draft, and never changed."""

import pytest
from django.db import IntegrityError, transaction

from ratings.models import RatingList
from tests.models.rows import approve, player, rating_list, tournament, user
from tests.models.test_written_once import moved_to
from titles.models import Norm, NormDecision, NormLayout

pytestmark = pytest.mark.django_db

SIGNED = ["approved", "published", "superseded"]


def norm(**instead):
    values = {
        "list": instead.pop("list", None) or rating_list(), "player": player(), "result_set": tournament(),
        "discipline": "100", "title": "MI", "kind": Norm.Kind.RESULT, "origin": Norm.Origin.FOUND,
        "colour": "black", "games": 9, "figures": [],
    }  # fmt: skip
    return Norm.objects.create(**values | instead)


@pytest.mark.parametrize("state", SIGNED)
def test_norms_and_decisions_end_with_the_approval(state):
    found = norm()
    NormDecision.objects.create(norm=found, is_confirmed=True, by=user())  # the twin
    moved_to(found.list, state)
    for write in (
        lambda: norm(list=found.list),
        lambda: NormDecision.objects.create(norm=found, is_confirmed=True, by=user()),
        lambda: NormLayout.objects.create(list=found.list, requirements=[]),
    ):
        with pytest.raises(IntegrityError, match="of a signed list never change"), transaction.atomic():
            write()


def test_a_norm_has_a_list_that_is_there():
    missing = RatingList(pk=norm().list_id + 1)
    with pytest.raises(IntegrityError, match="of a signed list never change"), transaction.atomic():
        norm(list=missing)


@pytest.mark.database_role("web")
def test_the_web_writes_claims_only():
    with pytest.raises(IntegrityError, match="claimed norms only"), transaction.atomic():
        norm()


@pytest.mark.parametrize(
    "values",
    [
        {"origin": Norm.Origin.CLAIMED},
        {"claim_reason": "why"},
        {"origin": Norm.Origin.ON_REQUEST},
        {"title": ""},
    ],
    ids=["a claim of no person", "a reason of no claim", "no game ignored", "no title"],
)
def test_what_a_norm_must_have(values):
    with pytest.raises(IntegrityError), transaction.atomic():
        norm(**values)


def test_the_digest_of_a_draft_follows_its_norms_until_the_approval():
    found = norm()
    draft = RatingList.objects.get(pk=found.list_id)
    RatingList.objects.filter(pk=draft.pk).update(sha256="b" * 64)  # the twin
    approve(draft)
    with pytest.raises(IntegrityError, match="figures of a draft never change"), transaction.atomic():
        RatingList.objects.filter(pk=draft.pk).update(sha256="c" * 64)
