"""The pages of ledgers, applications, titles and certificates: who gets what, what they cost and say."""

import re
from http import HTTPStatus
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from reporting.log.audit import Actor
from reporting.models import Player, PlayerTitle, ResultSet, Role, User
from reporting.register.title_codes import title_code_of
from tests.norms import give_norm, give_norms, published_lists
from tests.people import client_of, create_user, logged_in
from tests.visitor import Visitor
from titles.applications.evidence import evidence_digest
from titles.applications.submit_application import submit_application
from titles.certificates.codes import norm_code_of
from titles.models import Norm, NormDecision, TitleApplication
from titles.queries.ledgers import AutomaticTitle, DisciplineLedger, player_ledgers

pytestmark = [pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared")]

OFFICE = {Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR}
SEES = {*OFFICE, Role.NATIONAL_OFFICIAL, Role.TITLE_COUNCIL, Role.ADMINISTRATOR}


@pytest.fixture
def council() -> User:
    return create_user("council@titles.example", "Cleo", roles=[Role.TITLE_COUNCIL])


@pytest.fixture
def player(council: User) -> Player:
    """A player of NED with a due title MF, and a norm short of MI."""
    untitled = Player.objects.filter(sex="M", titles=None, norms=None, federation="NED")
    player = untitled.exclude(history=None).earliest("pk")
    give_norms(player, "MF black 7", "MF red 7", "MI black 7", by=council)
    return player


def official(federation: str = "NED") -> User:
    email = f"official.{federation}@titles.example"
    return create_user(email, "Olav", roles=[Role.NATIONAL_OFFICIAL], federation_id=federation)


@pytest.fixture
def application(player: Player) -> TitleApplication:
    return submit_application(player=player, discipline="100", title="MF", by=Actor(official()))


@pytest.mark.parametrize(
    ("who", "may"), [(Role.NATIONAL_OFFICIAL, True), (Role.TITLE_COUNCIL, True), (Role.RATING_OFFICER, False)]
)
def test_a_national_official_applies_or_the_council_proposes(player: Player, who: str, may: bool) -> None:
    """Who comes to the page is in test_access.py."""
    client, path = logged_in(who, federation="NED"), reverse("title-ledger", args=[player.address])
    sent = {"discipline": "100", "title": "MF", "seen": evidence_digest(player_ledgers([player])[0])}
    stale = client.post(path, sent | {"seen": "0123456789abcdef"})
    if may:
        assert stale.status_code == HTTPStatus.CONFLICT
        assert "What this page shows has changed since you opened it." in stale.text
    assert not TitleApplication.objects.filter(player=player).exists()
    assert client.post(path, sent).status_code == (HTTPStatus.FOUND if may else HTTPStatus.FORBIDDEN)
    assert TitleApplication.objects.filter(player=player).exists() is may


def test_an_official_sees_the_own_federation_only(application: TitleApplication, player: Player) -> None:
    client = client_of(official("BEL"))
    assert client.get(application.address).status_code == HTTPStatus.NOT_FOUND
    assert client.get(reverse("title-ledger", args=[player.address])).status_code == HTTPStatus.NOT_FOUND
    for name in ("title-ledgers", "title-applications"):
        assert player.printed_name not in client.get(reverse(name)).text


def test_the_ledger_says_what_is_missing(player: Player) -> None:
    client = client_of(official())
    page = client.get(reverse("title-ledger", args=[player.address])).text
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Apply for MF" in text
    # MI: 3 norms of 25 games, one red, and 2250; there is one black norm of 7 games.
    assert "2 norms; 18 games; 1 red norm" in text
    assert "Apply for MI" not in text
    highest = r"Highest rating on a classical list: \d+\. A norm serves one title \(Annex 10 art\. 4\.6\)\."
    assert re.search(highest, text)


@pytest.mark.parametrize(("address", "text"), [
    ("/titles/", "A title counts from its registration, for life (Annex 10 art. 1.3)."),
    ("/titles/applications/", "then the office registers the title (Annex 10 art. 15)."),
    ("/titles/norms/", "Without the Council’s approval a tournament brings no norm."),
])  # fmt: skip
def test_pages_say_what_the_rules_of_titles_say(season_shared: None, address: str, text: str) -> None:
    assert text in logged_in(Role.TITLE_COUNCIL, federation="NED").get(address).text


def test_the_link_to_applications_says_how_many_wait(application: TitleApplication) -> None:
    path = "/titles/applications/"
    waits = {who: "Applications (1)" in logged_in(who, federation="NED").get(path).text for who in SEES}
    assert waits == {who: who in OFFICE for who in SEES}


def test_a_refused_step_keeps_what_was_typed(application: TitleApplication) -> None:
    client = logged_in(Role.TOURNAMENT_DIRECTOR, federation="NED")
    data = {"action": "mark_paid", "mark_paid-on": "2020-01-01", "mark_paid-reference": "Invoice 7"}
    response = client.post(application.address, data)
    assert response.status_code == HTTPStatus.CONFLICT
    assert 'value="Invoice 7"' in response.text
    assert "Nothing was changed." in response.text
    data["mark_paid-on"] = "yesterday"
    assert client.post(application.address, data).status_code == HTTPStatus.BAD_REQUEST
    assert client.post(application.address, {"action": "burn"}).status_code == HTTPStatus.CONFLICT
    assert client.post(application.address, {"action": "approve"}).status_code == HTTPStatus.BAD_REQUEST
    data = {"action": "approve", "approve-on": timezone.localdate().isoformat()}
    assert client.post(application.address, data).status_code == HTTPStatus.FORBIDDEN
    data = {"action": "register", "register-on": timezone.localdate().isoformat()}
    assert client.post(application.address, data).status_code == HTTPStatus.CONFLICT


def test_a_step_made_in_another_window_keeps_what_was_typed(application: TitleApplication) -> None:
    office = create_user("dora@titles.example", "Dora", roles=[Role.TOURNAMENT_DIRECTOR])
    first, second = Visitor(office), Visitor(office)
    for window in (first, second):
        window.open(application.address)
        window.fill("Number of the payment", f"Invoice {window is first}")
    first.press("Mark fee as paid")
    assert "Waiting for title council" in first.text
    second.press("Mark fee as paid", status=HTTPStatus.CONFLICT)
    assert "This step is not possible in the present state of the application." in second.text
    assert "Number of the payment: Invoice False" in second.text
    assert application.steps.count() == 2


def test_a_step_on_a_page_without_the_newest_step_is_shown_it_first(
    application: TitleApplication,
) -> None:
    """R24a: a withdrawal is possible before the payment and after it, and is decided by who knows of it."""
    paid = Visitor(create_user("dora@titles.example", "Dora", roles=[Role.TOURNAMENT_DIRECTOR]))
    withdrawn = Visitor(application.submitted_by)
    for window in (paid, withdrawn):
        window.open(application.address)
    withdrawn.fill("Reason", "The player prefers to wait for MI.")
    paid.press("Mark fee as paid")
    withdrawn.press("Withdraw application", status=HTTPStatus.CONFLICT)
    assert "What this page shows has changed since you opened it." in withdrawn.text
    assert "Waiting for title council" in withdrawn.text
    assert withdrawn.value("Reason") == "The player prefers to wait for MI."
    assert application.steps.count() == 2
    withdrawn.press("Withdraw application")
    assert application.steps.latest("pk").reason == "The player prefers to wait for MI."


@pytest.mark.parametrize(
    ("address", "first", "second"),
    [("/titles/", 11, 3), ("/titles/?q=a&title=MF&former=on", 11, 3), ("/titles/feed.atom", 4, 3)],
)
def test_public_pages_cost_fixed_queries(player: Player, address: str, first: int, second: int) -> None:
    PlayerTitle.objects.create(
        player=player, awarded_by="fmjd", discipline="100", title="MF", registered_on=timezone.localdate()
    )
    for budget in (first, second):
        with CaptureQueriesContext(connection) as queries:
            response = Client().get(address)
        assert response.status_code == HTTPStatus.OK
        assert len(queries) == budget, "\n".join(query["sql"][:200] for query in queries)


def give_forty_norms(player: Player, council: User) -> None:
    """Two norms and four near misses of each of twenty tournaments, with the figures of a near miss of the season."""
    like = Norm.objects.filter(origin="near_miss", kind="result").earliest("pk")
    evidence = {name: getattr(like, name) for name in
                ("layout", "figures", "points_scored", "points_asked", "average_rating", "category")}  # fmt: skip
    for tournament in ResultSet.objects.filter(norms__list__state="published").distinct().order_by("pk")[:20]:
        values = {"tournament": tournament, "by": council, **evidence}
        for text in ("MF black 9", "MI red 9"):
            give_norm(player, text, **values)
        for text in ("MI black 9", "GMI black 9", "GMI red 9", "MF red 9"):
            give_norm(player, text, origin="near_miss", confirmed=None, **values)


def test_the_page_of_a_player_with_many_norms_stays_small(council: User) -> None:
    """Requirements are on a page of each norm: 20 tournaments with 40 norms and 80 near misses, below 150 KB."""
    untitled = Player.objects.filter(titles=None, norms=None, sex="M", federation="NED")
    plain, player = untitled.filter(history__list=published_lists()[-1]).order_by("pk")[:2]
    give_forty_norms(player, council)
    costs = []
    for each in (plain, player):
        with CaptureQueriesContext(connection) as queries:
            page = Client().get(reverse("player", args=[each.address]))
        costs.append(len(queries))
    assert costs[1] - costs[0] <= 8
    assert len(page.content) < 150_000
    text = " ".join(re.sub(r"<[^>]+>", " ", page.text).split())
    assert player.norms.filter(origin="found").count() == 40
    assert all(f">{norm_code_of(norm)}</a>" in page.text for norm in player.norms.filter(origin="found"))
    assert "80 norms missed by one requirement" in text
    assert "The newest 40 are listed." in text
    # By hand: MF needs 3 norms of 20 games; 40 norms, 20 of them MI red, give MF and MI but for the rating.
    assert "International master (MI) missing: a rating of 2250 once" in text
    assert "Federation master (MF) due" in text
    assert page.text.count('scope="rowgroup"') == 2
    missed = player.norms.filter(origin="near_miss").earliest("pk")
    evidence = Client().get(reverse("title-norm", args=[missed.pk])).text
    assert evidence.count('<th scope="row" class="table__name">') == len(missed.requirements)


def test_norms_that_are_not_public_have_no_page(council: User, player: Player) -> None:
    refused = give_norm(player, "MI red 9", by=council, confirmed=False)
    open_one = give_norm(player, "MI red 9", by=council, confirmed=None)
    response = Client().get(reverse("title-norm", args=[player.norms.earliest("pk").pk]))
    assert response.status_code == HTTPStatus.OK
    for norm in (refused, open_one):
        assert Client().get(reverse("title-norm", args=[norm.pk])).status_code == HTTPStatus.NOT_FOUND


def test_a_page_of_titles_changes_with_a_title(player: Player) -> None:
    client = Client()
    before = client.get("/titles/?year=2026")
    title = PlayerTitle.objects.create(
        player=player, awarded_by="fmjd", discipline="100", title="MF", registered_on=timezone.localdate()
    )
    assert player.printed_name not in before.text
    after = client.get("/titles/?year=2026")
    assert player.printed_name in after.text
    assert before["ETag"] != after["ETag"]
    feed = client.get("/titles/feed.atom")
    assert feed["Content-Type"].startswith("application/atom+xml")
    assert player.printed_name in feed.text
    PlayerTitle.objects.filter(pk=title.pk).update(withdrawn_on=timezone.localdate())
    assert player.printed_name not in client.get("/titles/?year=2026").text


@pytest.mark.parametrize(
    "query", ["year=soon", "title=XX", "discipline=12", "federation=QQ", "page=0", "q=%00"]
)
def test_filters_that_mean_nothing_break_nothing(query: str) -> None:
    response = Client().get(f"/titles/?{query}")
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert ("“page” is “0”" if query == "page=0" else "ignored") in response.text


def test_a_certificate_says_what_the_register_has_now(player: Player) -> None:
    values = {"player": player, "awarded_by": "fmjd", "discipline": "100"}
    title = PlayerTitle.objects.create(
        title="MF", registered_on=timezone.localdate().replace(day=1), **values
    )
    code = title_code_of(title)
    address = reverse("title-certificate", args=[code])
    assert "Valid." in Client().get(address).text
    today = timezone.localdate()
    PlayerTitle.objects.filter(pk=title.pk).update(withdrawn_on=today)
    assert "Title withdrawn." in Client().get(address).text
    assert Client().get(f"{address}certificate.pdf").status_code == HTTPStatus.NOT_FOUND
    PlayerTitle.objects.create(title="MI", registered_on=today, **values)
    assert "Replaced by a higher title." in Client().get(address).text
    other = f"{code[:-1]}{'A' if code[-1] != 'A' else 'B'}"
    unknown = Client().get(reverse("title-certificate", args=[other]))
    assert unknown.status_code == HTTPStatus.NOT_FOUND
    assert "No certificate has this code." in unknown.text
    assert Client().get(f"/titles/certificates/{other}/certificate.pdf").status_code == HTTPStatus.NOT_FOUND


def test_the_certificate_of_a_norm(player: Player, council: User) -> None:
    norm = give_norm(player, "MI red 9", by=council, rating_list=published_lists()[0])
    address = reverse("title-certificate", args=[norm_code_of(norm)])
    page = Client().get(address).text
    assert "Valid." in page
    assert norm.result_set.name in page
    pdf = Client().get(f"{address}certificate.pdf")
    assert (pdf.status_code, pdf["Content-Type"], pdf.content[:5]) == (200, "application/pdf", b"%PDF-")
    NormDecision.objects.create(norm=norm, is_confirmed=False, reason="Wrong.", by=council)
    assert "Not valid" in Client().get(address).text


def test_a_code_is_checked_before_it_is_looked_for() -> None:
    page = Client().get("/titles/certificates/?code=abc")
    assert "A code has a letter" in page.text
    typed = Client().get("/titles/certificates/", {"code": " t12-ab 01 8cde "})
    assert typed["Location"] == "/titles/certificates/T12-ABOIBCDE/"
    assert Client().get("/titles/certificates/").status_code == HTTPStatus.OK


@pytest.mark.parametrize(
    ("with_norms", "lacking"), [(("CMF", "MF"), []), (("MF", "GMI", "MIF"), ["GMI", "MIF"])]
)
def test_a_list_of_ledgers_has_the_highest_automatic_titles_and_what_is_above(
    with_norms: tuple[str, ...], lacking: list[str]
) -> None:
    """An automatic MI includes the CMF; a norm of an MF below it leads nowhere, one of a GMI does. MFF is women's."""
    ledger = DisciplineLedger(
        awarded_by="fmjd", discipline="100",
        norms=[], automatic_norms=[], held=[], highest_rating=0,
        titles=[SimpleNamespace(title=title, is_due=False, norms=[1]) for title in with_norms],
        automatic=[AutomaticTitle(Norm(title=title), None) for title in ("MI", "CMF", "MFF")],
    )  # fmt: skip
    assert [each.norm.title for each in ledger.gained] == ["MI", "MFF"]
    assert [each.title for each in ledger.lacking] == lacking
