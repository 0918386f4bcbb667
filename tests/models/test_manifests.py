"""Which tournaments may enter a manifest, of a freeze or of a correction: refused by triggers, for every account."""

import pytest
from django.db import IntegrityError, transaction

from ratings.models import Correction, Pool, RatingList
from tests.models.rows import (
    INSTANT,
    accounts,
    correction,
    frozen,
    manifest_line,
    next_period,
    period,
    publish,
    published_with,
    revision,
    set_state,
    signed,
    tournament,
)


def publish_revision(one, asked, number=2):
    draft = revision(
        period=one, in_force=one.in_force, closing=one.closing, is_opening=False, correction=asked,
        revision=number, **signed(),
    )  # fmt: skip
    publish(draft)
    set_state(one, "published")
    return draft


def line_refused(match, **values):
    with pytest.raises(IntegrityError, match=match), transaction.atomic():
        manifest_line(**values)


@pytest.mark.django_db
@accounts
def test_a_tournament_is_once_in_a_manifest_whichever_of_its_reports_it_is(account):
    event = tournament()
    again = tournament(code=event.code, revision=1)
    one = period(**frozen())
    manifest_line(period=one, result_set=event)
    line_refused("already counted", period=one, result_set=event)
    line_refused("already counted", period=one, result_set=again)
    manifest_line(period=one, result_set=tournament())  # the twin
    # The next manifest of the period may hold either.
    _, first = published_with(the_period=one)
    asked = correction(replaces=first)
    set_state(one, "correcting")
    manifest_line(period=one, result_set=again, correction=asked)
    line_refused("already counted", period=one, result_set=event, correction=asked)


@pytest.mark.django_db
@accounts
@pytest.mark.parametrize("state", ["open", "frozen", "published"])
def test_a_correction_s_manifest_is_written_only_while_its_list_is_corrected(account, state):
    one, first = published_with()
    asked = correction(replaces=first)
    set_state(one, state)
    line_refused("is frozen or its list corrected", period=one, correction=asked)
    set_state(one, "correcting")
    line_refused("is frozen or its list corrected", period=one)  # without the correction: the freeze is over
    manifest_line(period=one, correction=asked)  # the twin


@pytest.mark.django_db
@accounts
def test_a_manifest_grows_only_for_the_correction_under_way_in_its_own_period(account):
    one, first = published_with()
    withdrawn = correction(replaces=first, withdrawn_at=INSTANT)
    done = correction(replaces=first)
    second = publish_revision(one, done)
    asked = correction(replaces=second)
    set_state(one, "correcting")
    for other in (withdrawn, done, correction()):
        line_refused("not under way", period=one, correction=other)
    manifest_line(period=one, correction=asked)  # the twin


@pytest.mark.django_db
@accounts
def test_a_tournament_counts_in_one_period_at_a_time(account):
    event = tournament()
    again = tournament(code=event.code, revision=1)
    one, first = published_with(event)
    later = next_period(**frozen())
    line_refused("already counted", period=later, result_set=event)
    line_refused("already counted", period=later, result_set=again)
    # A correction under way that leaves it out does not free it yet, since it may be withdrawn …
    asked = correction(replaces=first)
    set_state(one, "correcting")
    line_refused("already counted", period=later, result_set=again)
    # … its publication does: the twin.
    publish_revision(one, asked)
    manifest_line(period=later, result_set=again)
    # And now the first list can't have it back.
    second = correction(replaces=RatingList.objects.get(correction=asked))
    set_state(one, "correcting")
    line_refused("already counted", period=one, result_set=event, correction=second)


@pytest.mark.django_db
@accounts
def test_a_tournament_with_a_session_counts_once_in_each_pool(account):
    """R25: each game in the pool of its tempo. Without a session a tournament is in one pool alone."""
    session, single = tournament(session=["80+30", "5+3"]), tournament()
    again = tournament(code=session.code, revision=1, session=["80+30", "5+3"])
    one = period(**frozen())
    quick = period(pool=Pool.objects.get(code="fmjd-64-rapidblitz"), **frozen())
    for event in (session, single):
        manifest_line(period=one, result_set=event)
    manifest_line(period=quick, result_set=session)
    line_refused("already counted", period=quick, result_set=single)
    line_refused("already counted", period=quick, result_set=again)


@pytest.mark.django_db
@accounts
def test_what_a_withdrawn_correction_took_in_is_free_again(account):
    event = tournament()
    one, first = published_with()
    later = next_period(**frozen())
    asked = correction(replaces=first)
    set_state(one, "correcting")
    manifest_line(period=one, result_set=event, correction=asked)
    line_refused("already counted", period=later, result_set=event)
    Correction.objects.filter(pk=asked.pk).update(withdrawn_at=INSTANT)
    manifest_line(period=later, result_set=event)  # the twin
