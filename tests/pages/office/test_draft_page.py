"""The page of a draft: compared with the previous list, its anomalies, recalculated, signed by two persons."""

import re
from html import unescape

import pytest
from django.test import Client

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import AnomalyAnswer, CalculationRun, RatingList
from ratings.production.write_list import drop_superseded
from ratings.tasks import look_for_work
from reporting.models import LogEntry, Player, Role, User
from tests.pages.locked_rows import held
from tests.pages.office.office_pages import (
    PAGE,
    answer_all_anomalies,
    figures_on,
    movers_on,
    person,
    sign,
    text_of,
)
from tests.people import client_of

pytestmark = pytest.mark.django_db(transaction=True)


def compared_by_hand(draft: RatingList) -> dict[str, int]:
    """The counts of the difference, row by row in Python."""
    now = {row.player_id: row for row in FmjdListRow.objects.filter(list=draft)}
    before = {row.player_id: row for row in FmjdListRow.objects.filter(list=draft.previous)}
    both = now.keys() & before.keys()
    changes = [now[player].rating - before[player].rating for player in both]
    return {
        "Rating up": sum(change > 0 for change in changes),
        "Rating down": sum(change < 0 for change in changes),
        "Unchanged": sum(change == 0 for change in changes),
        "New on the list": len(now.keys() - before.keys()),
        "Removed from the list": len(before.keys() - now.keys()),
    }


def test_the_draft_next_to_the_last_list(draft: RatingList, client: Client) -> None:
    page = client.get(PAGE).content.decode()
    expected = compared_by_hand(draft)
    assert expected["Rating up"] > 0
    for name, count in expected.items():
        assert re.search(rf'{name}</dt>\s*<dd class="values__value">\s*(<a [^>]+>)?{count}\s*<', page), name
    largest = FmjdListRow.objects.filter(list=draft, change__isnull=False).order_by("-change").first()
    assert f"+{largest.change}" in movers_on(page)[0]
    shown = figures_on(page)
    assert shown["Players"] == str(draft.players)
    assert shown["Games counted"] == str(draft.games)
    assert shown["Anomalies"] == f"{draft.anomalies.count()} open"
    assert "Large jump: 30 points or more since the previous list" in page


def test_the_full_difference_row_by_row(draft: RatingList, client: Client) -> None:
    counts = compared_by_hand(draft)
    known = {
        "up": "Rating up", "down": "Rating down", "new": "New on the list", "left": "Removed from the list",
    }  # fmt: skip
    for show in ("all", *known, "category", "person"):
        response = client.get(f"{PAGE}differences/", {"show": show})
        assert response.status_code == 200
        rows = response.context["difference"].rows
        if show in known:
            assert response.context["difference"].total == counts[known[show]]
        if show == "up":
            assert [row["change"] for row in rows] == sorted((row["change"] for row in rows), reverse=True)
        for row in rows:
            assert row["name"] in unescape(response.text)


def test_differences_sorted_by_link_and_nothing_else(draft: RatingList, client: Client) -> None:
    page = client.get(f"{PAGE}differences/")
    for heading in page.context["headings"]:
        sorted_page = client.get(heading.href)
        assert sorted_page.status_code == 200
        assert 'aria-sort="' in sorted_page.content.decode()
    by_name = client.get(f"{PAGE}differences/?sort=name").context["difference"].rows
    names = [row["sort_name"] for row in by_name]
    assert names == sorted(names)
    for query in ("sort=drop", "show=secret", "against=replaced", "page=99"):
        assert client.get(f"{PAGE}differences/?{query}").status_code == 404, query
    for query in ("page=0", "page=x"):
        assert client.get(f"{PAGE}differences/?{query}").status_code == 400, query


# --- questions and answers


def test_an_answer_stands_under_its_question_and_the_last_one_holds(
    draft: RatingList, officer: User, client: Client
) -> None:
    anomaly = draft.anomalies.first()
    address = f"{PAGE}anomalies/{anomaly.pk}/"
    for text in ("A strong open was won.", "Seen <b>again</b>: right."):
        assert client.post(address, {"text": text}).status_code == 302
    page = client.get(PAGE).content.decode()
    assert "Seen &lt;b&gt;again&lt;/b&gt;: right." in page
    assert page.index("Seen &lt;b&gt;") < page.index("A strong open was won.")
    assert [answer.by for answer in AnomalyAnswer.objects.filter(anomaly=anomaly)] == [officer, officer]


def test_an_answer_that_is_none_comes_back_as_it_was_typed(draft: RatingList, client: Client) -> None:
    anomaly = draft.anomalies.first()
    for text in ("", "   ", "x" * 2001, "\x00"):
        response = client.post(f"{PAGE}anomalies/{anomaly.pk}/", {"text": text})
        assert response.status_code == 400
        assert "field--bad" in response.text
        assert text.strip("\x00 ") in response.text
    assert not AnomalyAnswer.objects.filter(anomaly=anomaly).exists()


def test_an_answer_that_is_refused_is_not_lost(draft: RatingList, officer: User, client: Client) -> None:
    """During a recalculation anomalies cannot be answered: 409, with the sentence and the text typed."""
    assert client.post(f"{PAGE}calculate/", {"reason": "A name was edited."}).status_code == 302
    anomaly = draft.anomalies.first()
    response = client.post(f"{PAGE}anomalies/{anomaly.pk}/", {"text": "My long thought"})
    assert response.status_code == 409
    assert "This draft is being recalculated. Answer on the new one." in text_of(response)
    assert "My long thought" in response.content.decode()
    # A page has the summary of refused fields, what htmx takes in has its message: one of them has the focus.
    swap = {"HX-Request": "true", "HX-Target": f"anomaly-{anomaly.pk}"}
    for headers in ({}, swap):
        text = client.post(f"{PAGE}anomalies/{anomaly.pk}/", {"text": "x"}, headers=headers).text
        assert text.count(" autofocus") == 1
        assert ('role="alert"' in text) == bool(headers)
        assert (f'href="#id_text_{anomaly.pk}"' in text) == (not headers)


def test_a_draft_is_calculated_again_with_a_reason_and_says_what_changed(
    draft: RatingList, officer: User, client: Client
) -> None:
    """A federation edited in the register: one player differs, the figures and the answer given stay."""
    asked = draft.anomalies.filter(player__isnull=False).first()
    client.post(f"{PAGE}anomalies/{asked.pk}/", {"text": "Seen on the cards."})
    page = client.get(PAGE)
    assert "Changes by the recalculation" not in text_of(page)
    for reason, words in (("", "Fill this in."), ("x" * 2001, "at most 2000 characters")):
        refused = client.post(f"{PAGE}calculate/", {"reason": reason})
        assert refused.status_code == 400
        assert words in text_of(refused)
        assert reason in refused.content.decode()
    assert not CalculationRun.objects.filter(state="requested").exists()
    row = FmjdListRow.objects.filter(list=draft).exclude(federation="NED").first()
    Player.objects.filter(pk=row.player_id).update(federation="NED")
    for _ in range(2):  # pressed twice: asked for once
        assert client.post(f"{PAGE}calculate/", {"reason": "The player is of NED."}).status_code == 302
    entry = LogEntry.objects.get(action="calculation.recalculate")
    assert (entry.actor, entry.reason, entry.before["list"]) == (officer, "The player is of NED.", draft.pk)
    look_for_work()
    page = client.get(PAGE)
    assert page.context["draft"].pk != draft.pk
    assert (page.context["changed"].total, page.context["recalculation"].before) == (1, draft)
    shown = text_of(page)
    assert "Requested by Olga: The player is of NED." in shown
    assert f"was {row.federation}" in shown
    assert ", on an earlier draft: Seen on the cards." in shown
    full = client.get(f"{PAGE}differences/?against=before")
    assert [row["player_id"] for row in full.context["difference"].rows] == [row.player_id]
    assert client.get(f"{PAGE}differences/?against=before&show=up").context["difference"].total == 0


def test_calculated_again_from_the_same_facts_nothing_has_changed(draft: RatingList, client: Client) -> None:
    answer_all_anomalies(client, draft)
    client.post(f"{PAGE}calculate/", {"reason": "To be sure."})
    refused = sign(client, "approve", draft)
    assert refused.status_code == 409
    assert "It is being recalculated. Look at the new draft." in text_of(refused)
    look_for_work()
    page = text_of(client.get(PAGE))
    assert "Both drafts have the same input." in page
    assert "No changes since the previous draft." in page
    assert drop_superseded() == 1
    assert "Changes by the recalculation" not in text_of(client.get(PAGE)), "its rows went in the night"
    assert client.get(f"{PAGE}differences/?against=before").status_code == 404


def test_a_recalculation_cancels_the_approval_and_the_old_draft_is_not_published(
    draft: RatingList, client: Client, releaser: User
) -> None:
    answer_all_anomalies(client, draft)
    sign(client, "approve", draft)
    assert "cancels the approval by Olga" in text_of(client.get(PAGE))
    client.post(f"{PAGE}calculate/", {"reason": "Approved too early."})
    reader = client_of(releaser)
    assert "It is being recalculated. Look at the new draft." in text_of(reader.get(PAGE))
    refused = sign(reader, "publish", draft)
    assert refused.status_code == 409
    assert "It is being recalculated. Look at the new draft." in text_of(refused)
    assert RatingList.objects.get(pk=draft.pk).state == "approved"
    look_for_work()
    assert RatingList.objects.get(pk=draft.pk).state == "superseded"
    again = RatingList.objects.get(period=draft.period, state="ready")
    assert again.approved_by is None
    assert not again.anomalies.filter(answers=None).exists(), "the same questions, answered already"


def test_by_htmx_the_question_and_the_signatures_come_back(draft: RatingList, client: Client) -> None:
    anomaly = draft.anomalies.first()
    address = f"{PAGE}anomalies/{anomaly.pk}/"
    asked = {"HX-Request": "true", "HX-Target": f"anomaly-{anomaly.pk}"}
    refused = client.post(address, {"text": ""}, headers=asked)
    assert refused.status_code == 400
    answered = client.post(address, {"text": "seen"}, headers=asked)
    for response in (refused, answered):
        page = response.content.decode()
        assert "<html" not in page
        assert page.lstrip().startswith("<section")
        assert f'id="anomaly-{anomaly.pk}"' in page
        assert 'id="sign-off" hx-swap-oob="true"' in page
    rest = draft.anomalies.count() - 1
    assert f"{rest} anomal" in text_of(answered)


# --- signatures


def test_what_stands_in_the_way_is_said_before_and_after_pressing(
    draft: RatingList, client: Client, releaser: User
) -> None:
    count = draft.anomalies.count()
    assert count > 1
    words = f"{count} anomalies have no answer yet."
    assert words in text_of(client.get(PAGE))
    response = sign(client, "approve", draft)
    assert response.status_code == 409
    assert f"{count} anomalies of this draft have no answer yet." in text_of(response)
    answer_all_anomalies(client, draft)
    assert "You can approve." in text_of(client.get(PAGE))
    response = sign(client_of(releaser), "publish", draft)
    assert response.status_code == 409
    assert "This is not possible any more. The list is in another state." in text_of(response)
    response = sign(client_of(releaser), "approve", draft)
    assert response.status_code == 403
    assert RatingList.objects.get(pk=draft.pk).state == "ready"


def test_one_person_cannot_approve_and_publish(draft: RatingList, releaser: User) -> None:
    both = person("Bea", Role.RATING_OFFICER, Role.RELEASING_OFFICER)
    client = client_of(both)
    answer_all_anomalies(client, draft)
    assert sign(client, "approve", draft).status_code == 302
    page = text_of(client.get(PAGE))
    assert "You approved this list. Another person publishes it." in page
    response = sign(client, "publish", draft)
    assert response.status_code == 409
    assert "Another person publishes it." in text_of(response)
    assert RatingList.objects.get(pk=draft.pk).state == "approved"


def test_a_signature_under_nothing_is_none(draft: RatingList, officer: User, releaser: User) -> None:
    for person_who_signs, verb in ((officer, "approve"), (releaser, "publish")):
        client = client_of(person_who_signs)
        for sent in ({}, {"sha256": ""}, {"sha256": "abc"}, {"sha256": "0" * 63 + "G"}):
            response = client.post(f"{PAGE}{verb}/", sent)
            assert response.status_code == 400
            assert "did not say which list" in text_of(response)


def test_a_signature_under_other_figures_is_refused(draft: RatingList, client: Client) -> None:
    answer_all_anomalies(client, draft)
    response = sign(client, "approve", draft, sha256="0" * 64)
    assert response.status_code == 409
    assert "The list has changed since you opened the page." in text_of(response)
    assert draft.sha256 in response.content.decode(), "the figures of now are on the page again"


def test_an_answer_typed_while_somebody_signs_stands_there_again(draft: RatingList, client: Client) -> None:
    anomaly = draft.anomalies.first()
    address = f"{PAGE}anomalies/{anomaly.pk}/"
    with held(draft):
        answered = client.post(address, {"text": "Four wins, cards seen."})
    assert answered.status_code == 503
    assert "Someone else is editing this. Please try again." in text_of(answered)
    assert "Four wins, cards seen." in text_of(answered)
    assert not anomaly.answers.exists()
    assert client.post(address, {"text": "Four wins, cards seen."}).status_code == 302
    with held(draft.period):
        asked = client.post(f"{PAGE}calculate/", {"reason": "A name was edited."})
    assert asked.status_code == 503
    assert "A name was edited." in text_of(asked)
    assert not CalculationRun.objects.filter(state="requested").exists()
