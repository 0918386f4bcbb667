"""The title council's pages: who may open them, what they show, and what their forms do."""

from datetime import date
from http import HTTPStatus

import pytest
from django.urls import reverse

from ratings.models import Anomaly, RatingList
from ratings.production.answer_anomaly import answer_anomaly
from ratings.production.approve_list import approve_list
from reporting.log.audit import Actor
from reporting.models import LogEntry, Role
from tests.people import create_user, logged_in
from tests.visitor import Visitor
from titles.models import Norm

pytestmark = pytest.mark.django_db(transaction=True)

DRAFT = ("fmjd-100", date(2027, 1, 1))
COUNCIL = Role.TITLE_COUNCIL


@pytest.fixture(autouse=True)
def office(season_with_draft, settings):
    settings.DEMO = True


def draft():
    return RatingList.objects.get(in_force=DRAFT[1], state=RatingList.State.READY)


def address(name):
    if name == "norm-drafts":
        return reverse(name)
    if name == "norm":
        return reverse(name, args=[Norm.objects.filter(list=draft(), origin="found").first().pk])
    return reverse(name, args=DRAFT)


@pytest.mark.database_role("web")
def test_the_council_refuses_several_norms_and_claims_one(subtests):
    client = logged_in(COUNCIL)
    path = reverse("norms-of-draft", args=DRAFT)
    one, other = Norm.objects.filter(list=draft(), origin="found", is_needed=True).order_by("pk")[:2]
    page = client.get(path + "?show=all")
    assert page.status_code == HTTPStatus.OK
    digest = draft().sha256

    with subtests.test("a refusal needs a reason, and what was chosen stays"):
        refusal = {"norms": [one.pk, other.pk], "action": "refuse"}
        refused = client.post(path + "?show=all", refusal | {"reason": ""})
        assert refused.status_code == HTTPStatus.BAD_REQUEST
        assert "Enter a reason." in refused.content.decode()
        assert refused.content.decode().count(" checked") == 2
    with subtests.test("no norm chosen"):
        refused = client.post(path, {"action": "confirm"})
        assert refused.status_code == HTTPStatus.BAD_REQUEST
    with subtests.test("several at once"):
        answer = client.post(path, refusal | {"reason": "Arranged games."}, follow=True)
        assert "2 norms decided." in answer.content.decode()
        assert {norm.decisions.order_by("-pk")[0].is_confirmed for norm in (one, other)} == {False}
        refusals = LogEntry.objects.filter(action="norm.refuse", actor__email=f"{COUNCIL}@example.org")
        assert refusals.count() == 2
        assert draft().sha256 != digest
    with subtests.test("a norm of another list is refused"):
        foreign = Norm.objects.exclude(list=draft()).first()
        response = client.post(path, {"norms": [foreign.pk], "action": "confirm"})
        assert response.status_code == HTTPStatus.BAD_REQUEST
    with subtests.test("a claim waits for a decision and shows its requirements"):
        missed = Norm.objects.filter(list=draft(), origin="near_miss", kind="result").first()
        form = client.get(reverse("norm-claim", args=DRAFT)).context["form"]
        assert form.fields["colour"].choices == [("black", "Black"), ("red", "Red")]
        claimed = client.post(
            reverse("norm-claim", args=DRAFT),
            {
                "tournament": missed.result_set_id, "number": missed.player.number.value, "title": missed.title,
                "colour": missed.colour, "reason": "The referee forgot a title.",
            },
            follow=True,
        )  # fmt: skip
        text = claimed.content.decode()
        assert "Norm claimed." in text
        assert "The referee forgot a title." in text
        assert "1 norm waits for a decision." in client.get(path).content.decode()
        claim = Norm.objects.get(origin="claimed")
        confirmed = {"action": "confirm", "reason": ""}
        decided = client.post(reverse("norm", args=[claim.pk]), confirmed, follow=True)
        assert "Decision saved." in decided.content.decode()
        assert "All norms are decided." in client.get(path).content.decode()
    with subtests.test("an unknown player is named"):
        unknown = {"tournament": missed.result_set_id, "number": 999_999_999, "title": "MI", "colour": "red"}
        refused = client.post(reverse("norm-claim", args=DRAFT), unknown | {"reason": "x"})
        assert refused.status_code == HTTPStatus.BAD_REQUEST
        assert "No player has this number." in refused.content.decode()


@pytest.mark.database_role("web")
def test_a_decision_in_another_window_is_not_overwritten():
    one, other = Norm.objects.filter(list=draft(), origin="found", is_needed=True).order_by("pk")[:2]
    path = reverse("norms-of-draft", args=DRAFT)
    windows = [Visitor(create_user(f"{name}@norms.example", name, roles=[COUNCIL])) for name in "ABC"]
    first, second, third = windows
    for window in (first, second):
        window.open(reverse("norm", args=[one.pk]))
    third.open(path + "?show=all")
    first.press("Confirm norm")
    second.fill("Reason", "Two games are missing.")
    second.press("Refuse norm", status=HTTPStatus.CONFLICT)
    assert "Another decision was made on 1 of these norms" in second.text
    assert "Confirmed, A," in second.text
    assert second.value("Reason") == "Two games are missing."
    second.press("Refuse norm")
    for number in (one.pk, other.pk):
        third.check(third.page.find(f".//input[@value='{number}'][@name='norms']"))
    third.press("Confirm selected", status=HTTPStatus.CONFLICT)
    third.press("Confirm selected")
    decided = one.decisions.order_by("pk").values_list("by__name", "is_confirmed")
    assert list(decided)[-3:] == [("A", True), ("B", False), ("C", True)]


@pytest.mark.database_role("web")
def test_the_table_of_the_council_says_what_each_norm_does(django_assert_max_num_queries):
    """R41: the title held, the effect, the evidence in place; norms that change nothing are folded."""
    page = Visitor(create_user("council@norms.example", "Cleo", roles=[COUNCIL]))
    found = Norm.objects.filter(list=draft(), origin="found")
    path = reverse("norms-of-draft", args=DRAFT)
    with django_assert_max_num_queries(30):
        page.open(path)
    folded = found.filter(is_needed=False)
    assert f"{folded.count()} norms change nothing" in page.text
    assert {link.get("href") for link in page.links()} >= {reverse("norm", args=[norm.pk]) for norm in folded}
    page.open(path + "?show=decided")
    form = ".//form[@id='decide']"
    assert page.texts(f"{form}/table/thead/tr/th") == [
        "Select", "Player", "Holds", "Norm", "Effect", "Tournament", "Found", "Evidence",
    ]  # fmt: skip
    assert not page.page.findall(f"{form}//input[@checked]")
    page.press("Select all")
    chosen = {int(box.get("value")) for box in page.page.findall(f"{form}//input[@checked]")}
    assert chosen == set(found.exclude(decisions=None).values_list("pk", flat=True))
    page.press("Select none")
    assert not page.page.findall(f"{form}//input[@checked]")
    field = page.page.find(f"{form}//input[@name='norms']")
    norm = found.exclude(decisions=None).get(pk=int(field.get("value")))
    assert f"Requirements: {norm.title}, {norm.player.printed_name}" in page.texts(f"{form}//caption")
    before = norm.decisions.count()
    page.press("Confirm this norm", nth=0)
    assert "1 norm decided." in page.text
    assert norm.decisions.count() == before + 1


def test_a_norm_shows_its_evidence(django_assert_max_num_queries):
    client = logged_in(COUNCIL)
    norm = Norm.objects.filter(list=draft(), origin="found", kind="result").order_by("pk").first()
    with django_assert_max_num_queries(16):
        text = client.get(reverse("norm", args=[norm.pk])).content.decode()
    assert f"{norm.points_scored} points in {norm.games} games, {norm.points_asked} asked" in text
    assert text.count('<th scope="row" class="table__name">') == len(norm.requirements) + norm.games
    # Rm is the mean of the ratings shown, unrated ones aside (art. 4.3).
    assert f"Rm {norm.average_rating}" in text


def test_the_draft_s_page_links_to_its_norms():
    client = logged_in(Role.RATING_OFFICER)
    text = client.get(reverse("office-period", args=DRAFT)).content.decode()
    assert reverse("norms-of-draft", args=DRAFT) in text
    dashboard = client.get(reverse("office-dashboard")).content.decode()
    assert "Norms to decide" in dashboard


def test_norms_of_a_signed_list_say_why_they_have_no_form_and_lead_on_after_publication():
    client = logged_in(COUNCIL)
    path = reverse("norms-of-draft", args=DRAFT)
    norm = address("norm")
    sentence = "only a correction of the list changes its norms."
    for page in (path + "?show=all", norm):
        text = client.get(page).text
        assert sentence not in text
        assert ">Confirm " in text
    officer = Actor(create_user("rating@norms.example", "Rita", roles=[Role.RATING_OFFICER]))
    for anomaly in Anomaly.objects.filter(list=draft()):
        answer_anomaly(anomaly=anomaly, text="Checked.", by=officer)
    approve_list(rating_list=draft(), sha256=draft().sha256, by=officer)
    for page in (path + "?show=all", norm):
        text = client.get(page).text
        assert sentence in text
        assert ">Confirm " not in text


def test_the_norms_of_a_draft_lead_to_its_tournaments_after_publication():
    client = logged_in(COUNCIL)
    lists = RatingList.objects.filter(pool__code=DRAFT[0], state=RatingList.State.PUBLISHED)
    published = lists.filter(in_force__lt=DRAFT[1]).latest("in_force", "revision")
    path = reverse("norms-of-draft", args=[DRAFT[0], published.in_force])
    tournaments = reverse("list-tournaments", args=[DRAFT[0], published.in_force, published.revision])
    answer = client.get(path, follow=True)
    assert answer.redirect_chain == [(tournaments, HTTPStatus.FOUND)]
    assert answer.status_code == HTTPStatus.OK
    # What was typed before the publication is refused with the reason.
    norm = Norm.objects.filter(list=published, origin="found").earliest("pk")
    late = client.post(path, {"norms": [norm.pk], "action": "confirm"})
    assert late.status_code == HTTPStatus.CONFLICT
    assert "Only a correction of the list changes its norms." in late.text


def test_published_norms_are_on_the_pages_of_player_and_tournament(client, django_assert_max_num_queries):
    decided = Norm.objects.filter(list__state="published", decisions__is_confirmed=True)
    norm = decided.filter(origin="found", kind="result").order_by("-pk").first()
    with django_assert_max_num_queries(40):
        player = client.get(reverse("player", args=[norm.player.address])).content.decode()
    with django_assert_max_num_queries(40):
        tournament = client.get(reverse("tournament-norms", args=[norm.result_set.code])).content.decode()
    for text in (player, tournament):
        assert 'id="norms"' in text
        assert f"{norm.points_scored} points in {norm.games} games" in text
    # A tournament may have hundreds: a row each; the page of the norm and the player's page have the requirements.
    assert f'href="{reverse("player", args=[norm.player.address])}#norms"' in tournament
    link = f'<a href="{reverse("title-norm", args=[norm.pk])}">{norm.title} {norm.colour.capitalize()}</a>'
    assert link in tournament
    assert "<details" in player.split('id="norms"')[1]
    assert "<details" not in tournament.split('id="norms"')[1].split("</section>")[0]
    # Norms of a draft are not public.
    hidden = Norm.objects.filter(list=draft()).exclude(result_set__norms__list__state="published").first()
    of_tournament = client.get(reverse("tournament-norms", args=[hidden.result_set.code])).content.decode()
    assert 'id="norms"' not in of_tournament
