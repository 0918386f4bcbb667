"""Norms of a list: searched with its draft, decided before its approval, published in norms.csv."""

import csv
import hashlib
import json
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from ratings.inputs.calculation_inputs import inputs_of_period
from ratings.models import CalculationRun, Pool, PublishedFile, RatingList
from ratings.production.answer_anomaly import answer_anomaly
from ratings.production.approve_list import approve_list
from ratings.production.calculate import calculate_period
from ratings.production.correct_list import correct_list
from ratings.production.publish_list import publish_list
from ratings.production.request_calculation import recalculate_period
from ratings.publishing.list_files import fill_emptied_files, has_files
from ratings.publishing.published_files import published_files
from ratings.publishing.verification.verify_lists import verify_list
from ratings.tasks import look_for_work
from reporting.log.audit import Actor
from reporting.models import LogEntry, Player, PlayerTitle, ResultSet, Role, User
from reporting.reports.decisions.services import decide_tournaments
from reporting.rules.register.registers import first_register
from tests.conftest import SAMPLES
from tests.databases import built_on
from tests.models import rows
from tests.norms import give_norm
from tests.people import create_user
from tests.services.norm_helpers import accept_ouagadougou
from tests.services.report_helpers import refusal
from titles.certificates.codes import norm_code_of
from titles.federations.facet import FOUND
from titles.models import Norm, NormDecision, TitleApplication
from titles.norms.selectors import norm_changes, opponents_of
from titles.norms.services.decide_norms import claim_norm, decide_norms
from titles.queries.needed_norms import needed_norms
from titles.queries.norms import confirmed_norms, undecided_norms
from titles.queries.search_norms import norms_of_inputs, norms_of_list

pytestmark = pytest.mark.django_db(transaction=True)

OFFICER, RELEASER = "officer@office.invalid", "releaser@office.invalid"


def by_command(email):
    return Actor(User.objects.get(email=email), by_command=True)


def council():
    found = User.objects.filter(email="council@example.org").first()
    return Actor(found or create_user("council@example.org", "Ada Council", roles=[Role.TITLE_COUNCIL]))


@built_on("empty")
def ouagadougou_draft():
    """The draft of the quarter of Ouagadougou, whose only tournament is that open, where it is installed."""
    if SAMPLES.is_dir():
        with TemporaryDirectory() as folder:
            accept_ouagadougou(SAMPLES, Path(folder))
        call_command("run_period", "fmjd-100", "--in-force", "2023-01-01", "--draft")


@pytest.fixture(name="ouagadougou_draft")
def _ouagadougou_draft(transactional_db, _database_of_its_own):
    """A copy of the database with that draft."""


@pytest.fixture
def draft(samples, ouagadougou_draft):
    return RatingList.objects.get(in_force=date(2023, 1, 1))


def decide(draft, norms, *, is_confirmed=True, reason="", by=None):
    decision = {"is_confirmed": is_confirmed, "reason": reason, "by": by or council()}
    return decide_norms(rating_list=draft, norms=[norm.pk for norm in norms], **decision)


def claim_of_late_title(draft):
    """The norm of GMI that 10001 had with another title of an opponent."""
    claimed = {"player": Player.objects.get(numbers__fmjd=10001), "tournament": ResultSet.objects.get()}
    reason = "The title of round 6's opponent was registered late."
    return claim_norm(rating_list=draft, title="GMI", colour="black", reason=reason, by=council(), **claimed)


def publish(draft):
    """Its files are made, its questions answered; then it is approved and published."""
    officer = by_command(OFFICER)
    look_for_work()
    draft.refresh_from_db()
    for anomaly in draft.anomalies.filter(answers=None):
        answer_anomaly(anomaly=anomaly, text="Looked at.", by=officer)
    approved = approve_list(rating_list=draft, sha256=draft.sha256, by=officer)
    look_for_work()
    return publish_list(rating_list=approved, sha256=approved.sha256, by=by_command(RELEASER))


def test_from_the_calculation_to_the_published_list(draft):
    """The whole way: searched in the calculation, decided by the council, approved, published, verified."""
    run = CalculationRun.objects.get(list=draft)
    assert draft.state == RatingList.State.NORMS_SEARCHED
    assert run.stages["norms"][0] == Norm.objects.filter(list=draft).count() > 0
    second = Player.objects.get(numbers__fmjd=10002)
    master = Norm.objects.get(list=draft, player=second, title="MI", origin=Norm.Origin.FOUND)
    # 2098 + 2100 + 2227 + 2207 + 2367 + 2254 + 2190 + 2045 + 2339 = 19827, Rm = 2203 (R31): category XI, in which
    # MI asks 53 %, 0.53 × 18 = 9.54, so 10.
    assert (master.colour, master.kind, master.games) == ("black", "result", 9)
    assert (master.points_scored, master.points_asked) == (13, 10)
    assert (master.average_rating, master.category) == (2203, 11)
    assert {row.met for row in master.requirements if not row.colour} == {True}

    look_for_work()
    draft.refresh_from_db()
    assert draft.state == RatingList.State.READY
    officer = by_command(OFFICER)
    for anomaly in draft.anomalies.all():
        answer_anomaly(anomaly=anomaly, text="Looked at.", by=officer)
    digest = draft.sha256
    waiting = undecided_norms(draft).count()
    refused = refusal(approve_list, rating_list=draft, sha256=digest, by=officer)
    assert (refused.code, refused.values["count"]) == ("norms_undecided", waiting)

    # Refusals only: there is no norms.csv yet and the digest is that of the calculation.
    others = [norm for norm in undecided_norms(draft) if norm != master]
    decide(draft, others, is_confirmed=False, reason="Not asked for in this test.")
    draft.refresh_from_db()
    assert draft.sha256 == digest
    decide(draft, [master])
    draft.refresh_from_db()
    assert draft.sha256 != digest
    assert not undecided_norms(draft).exists()
    entry = LogEntry.objects.get(action="norm.confirm")
    assert (entry.actor, entry.after["title"], entry.after["confirmed"]) == (council().user, "MI", True)

    # A person who looked at the page before the decision cannot approve by it.
    assert refusal(approve_list, rating_list=draft, sha256=digest, by=officer).code == "list_changed"
    approved = approve_list(rating_list=draft, sha256=draft.sha256, by=officer)
    assert refusal(decide, approved, [master]).code == "norms_signed"
    release = {"rating_list": approved, "sha256": approved.sha256, "by": by_command(RELEASER)}
    assert refusal(publish_list, **release).code == "files_missing"
    look_for_work()
    published = publish_list(**release)

    files = {file.name: bytes(file.content) for file in PublishedFile.objects.filter(list=published)}
    (row,) = csv.DictReader(files["norms.csv"].decode().splitlines())
    assert row == {
        "fmjd_id": "10002", "tournament": "2022-ouagadougou-open", "section": "100", "title": "MI", "kind": "result",
        "colour": "black", "games": "9", "points_scored": "13", "points_asked": "10", "average_rating": "2203",
        "category": "XI", "ignored_game": "",
    }  # fmt: skip
    head, first, second, *_ = files["figures.csv"].decode().splitlines()
    norms_digest = hashlib.sha256(files["norms.csv"]).hexdigest()
    assert head.endswith(",list,previous_sha256,norms_sha256")
    assert first.endswith(f",fmjd-100/2023-01-01,{published.previous_sha256},{norms_digest}")
    assert second.endswith(",,,")
    assert hashlib.sha256(files["figures.csv"]).hexdigest() == published.sha256
    verified = verify_list(published, recalculate=True)
    assert [str(one) for one in verified.differences] == []


def test_what_is_stored_says_what_the_search_says(draft):
    """Figures and layouts give back every requirement of every norm and near miss, word for word."""
    search = norms_of_list(draft)
    players = search.people.player
    said = [
        (players[norm.participation], norm.title, norm.kind, norm.origin, norm.colour, norm.requirements)
        for norm in search.found
    ]
    stored = Norm.objects.filter(list=draft).order_by("pk").prefetch_related("layout")
    assert said == [
        (norm.player_id, norm.title, norm.kind, norm.origin, norm.colour, norm.requirements)
        for norm in stored
    ]
    assert {row.found.code for *_, rows in said for row in rows} >= {"points", "titled.4", "category"}


def test_the_opponents_of_a_norm_are_those_of_the_calculation(draft, django_assert_num_queries):
    """What the register says later changes nothing. Of the norm calculated by hand above, in the order of rounds."""
    norm = Norm.objects.get(list=draft, player__numbers__fmjd=10002, title="MI", origin=Norm.Origin.FOUND)
    PlayerTitle.objects.update(withdrawn_on="2022-11-19")
    with django_assert_num_queries(2):
        met = opponents_of(norm)
    assert [one.round for one in met] == list(range(1, 10))
    # An unrated man counts 2100 (R31).
    ratings = [2045, 2098, 2100, 2190, 2207, 2227, 2254, 2339, 2367]
    assert sorted(one.rating or 2100 for one in met) == ratings
    assert sum(one.points for one in met) == 13
    assert all(one.federation == one.player.federation_id for one in met)
    titles = {title.player_id: title.title for title in PlayerTitle.objects.all()}
    assert [one.title for one in met] == [titles.get(one.player.pk, "") for one in met]
    assert {one.title for one in met} >= {"", "GMI"}
    # A near miss of the same player, and one with other games ignored, has the same ones.
    others = Norm.objects.filter(list=draft, player=norm.player_id)
    assert {tuple(other.opponents) for other in others} == {tuple(norm.opponents)}


def test_a_list_without_confirmed_norms_has_no_norms_file(draft):
    assert "norms.csv" not in {file.name for file in published_files(draft)}
    figures = next(file for file in published_files(draft) if file.name == "figures.csv")
    assert bytes(figures.content).decode().splitlines()[0].endswith(",list,previous_sha256")
    assert figures.sha256 == draft.sha256


@pytest.mark.database_role("owner")
def test_a_file_filled_after_an_erasure_has_the_digest_of_the_other_files(draft):
    """A decision is taken back: the draft has the digest of its first files again, and they are not written again."""
    norm = undecided_norms(draft).earliest("pk")
    decide(draft, [norm])
    with connection.cursor() as cursor:
        cursor.execute("SELECT erase_player_name(%s)", [draft.rows.earliest("position").player_id])
    fill_emptied_files()
    decide(draft, [norm], is_confirmed=False, reason="The game of round 9 was arranged.")
    draft.refresh_from_db()
    assert has_files(draft)
    fill_emptied_files()
    (named,) = PublishedFile.objects.filter(list=draft, name="list.json")
    assert json.loads(bytes(named.content))["sha256"] == draft.sha256


def test_norms_at_or_below_a_title_held_are_not_asked_and_in_no_file(draft, client):
    """R41. By the printed titles: 10001 and 10004 are GMI, 10003 MI, 10002 and 10007 MF, 10008 has none."""
    found = Norm.objects.filter(list=draft, origin=Norm.Origin.FOUND)
    spare = found.filter(is_needed=False).values_list("player__numbers__fmjd", "title")
    assert sorted(spare) == [
        (10001, "MF"), (10001, "MI"), (10002, "MF"), (10003, "MF"), (10003, "MI"), (10004, "MF"), (10007, "MF"),
    ]  # fmt: skip
    assert set(found.filter(player__numbers__fmjd=10008).values_list("is_needed", flat=True)) == {True}
    for norm in undecided_norms(draft):
        decide(draft, [norm])
    # All that is asked is decided: the list can be approved, and its file has what was asked only.
    grandmaster = found.get(player__numbers__fmjd=10001, title="MI")
    decide(draft, [grandmaster])
    published = publish(draft)
    lines = csv.DictReader(bytes(published.files.get(name="norms.csv").content).decode().splitlines())
    assert {line["fmjd_id"] for line in lines} == {
        "10002", "10007", "10008", "10009", "10013", "10014", "10015", "10016", "10017", "10018", "10019",
    }  # fmt: skip
    hidden = reverse("title-norm", args=[grandmaster.pk])
    missed = Norm.objects.filter(list=published, player=grandmaster.player, origin=Norm.Origin.NEAR_MISS)
    missed = missed.get(title="GMI")
    assert client.get(hidden).status_code == 404
    assert client.get(reverse("title-norm", args=[missed.pk])).status_code == 404
    assert client.get(reverse("title-certificate", args=[norm_code_of(grandmaster)])).status_code == 404
    of_player = client.get("/api/v1/norms/", {"player": "10001"}).json()
    assert of_player["count"] == 0
    # It counts like any other once the title is withdrawn.
    PlayerTitle.objects.filter(player=grandmaster.player).update(withdrawn_on=timezone.localdate())
    assert client.get(hidden).status_code == 200
    assert client.get(reverse("title-certificate", args=[norm_code_of(grandmaster)])).status_code == 200
    (ledger,) = client.get("/api/v1/players/10001/titles/").json()
    assert {norm["title"] for norm in ledger["norms"]} == {"MI", "MF"}
    assert client.get("/api/v1/norms/", {"player": "10001"}).json()["count"] == 2


def test_an_open_norm_for_a_title_held_is_needed_for_the_womens_title(draft):
    """4.6, R33a, R41: the printed MF of 10002 used no norm up. A woman's MF norm is her first one of MFF, where the
    tournament brought no other norm."""
    player = Player.objects.get(numbers__fmjd=10002)

    def needed():
        search = norms_of_list(draft)
        found = search.columns
        only = (found.title == search.titles.index("MF")) & (found.origin == FOUND)
        only &= search.people.player[found.participation] == player.pk
        return needed_norms(draft, search, found.rows(only)).tolist()

    assert needed() == [False]
    Player.objects.filter(pk=player.pk).update(sex="W")
    assert needed() == [True]


def test_a_recalculated_draft_keeps_decisions_and_claims_with_their_author(draft):
    officer = Actor(create_user("officer@example.org", "Ole Officer", roles=[Role.RATING_OFFICER]))
    one, other = undecided_norms(draft).order_by("pk")[:2]
    decide(draft, [one])
    decide(draft, [other], is_confirmed=False, reason="A game was arranged.")
    claimed = claim_of_late_title(draft)
    unmet = [row.article for row in claimed.requirements if not row.met and row.colour != "red"]
    assert unmet == ["4.5.3, 4.5.9, 4.5.10"]
    decide(draft, [claimed])
    # 4.6, R39: three norms gave 10003 the title MI, one of them of GMI. The MI norm found here frees that one.
    master = Player.objects.get(numbers__fmjd=10003)
    opening = RatingList.objects.get(is_opening=True)
    for text in ("GMI black 9", "MI red 9", "MI black 9"):
        give_norm(master, text, by=council().user, rating_list=opening, tournament=rows.tournament())
    TitleApplication.objects.create(
        player=master, federation_id=master.federation_id, awarded_by="fmjd", discipline="100", title="MI",
        basis="norms", evidence={}, state="registered", submitted_by=council().user,
        player_title=master.titles.get(),
    )  # fmt: skip
    draft.refresh_from_db()
    digest, made_at = draft.sha256, NormDecision.objects.get(norm=one).at
    recalculate_period(period=draft.period, reason="A test.", by=officer)
    again = calculate_period(run=CalculationRun.objects.get(state="requested"))
    assert again.pk != draft.pk
    of_master = Norm.objects.filter(player=master, origin=Norm.Origin.FOUND)
    assert list(of_master.filter(list=draft, is_needed=True)) == []
    assert {norm.title for norm in of_master.filter(list=again, is_needed=True)} == {"MI"}
    decisions = NormDecision.objects.filter(norm__list=again).order_by("pk")
    assert {(made.norm.title, made.norm.player_id, made.is_confirmed, made.reason) for made in decisions} == {
        (one.title, one.player_id, True, ""),
        (other.title, other.player_id, False, "A game was arranged."),
        ("GMI", claimed.player_id, True, ""),
    }
    assert {made.by for made in decisions} == {council().user}
    assert decisions.get(norm__title=one.title, norm__player=one.player_id).at == made_at
    # The same figures and the same confirmed norms: the same digest.
    assert again.sha256 == digest


def test_a_claim_is_examined_where_nothing_else_is_searched(draft):
    """Two details decided otherwise leave the tournament out of the search, but not a claim's requirements."""
    officer = by_command(OFFICER)
    tournament = ResultSet.objects.get()
    claim = claim_of_late_title(draft)
    values = {"council_approved": "no", "referee_level": "", "competition": ""}
    decided = [(tournament.code, item, value) for item, value in values.items()]
    decide_tournaments(chosen=decided, reason="A test.", by=officer)
    assert len(norms_of_inputs(inputs_of_period(draft.period, None), ()).people) == 0
    recalculate_period(period=draft.period, reason="A test.", by=officer)
    again = calculate_period(run=CalculationRun.objects.get(state="requested"))
    (norm,) = Norm.objects.filter(list=again)
    assert (norm.player, norm.origin) == (claim.player, Norm.Origin.CLAIMED)
    unmet = {row.article for row in norm.requirements if not row.met and not row.colour}
    assert {"4.2.8", "4.4.1.5", "4.5.3, 4.5.9, 4.5.10"} <= unmet


def test_a_later_decision_is_made_by_a_correction_of_the_list(samples, tmp_path, client):
    accept_ouagadougou(samples, tmp_path)
    call_command("run_period", "fmjd-100", "--in-force", "2023-01-01", "--confirm-norms")
    published = RatingList.objects.get(in_force=date(2023, 1, 1))
    stored = {file.name: bytes(file.content) for file in published.files.all()}
    before = set(confirmed_norms(published).values_list("player__numbers__fmjd", "title", "kind"))
    ledger = "/api/v1/players/10008/titles/"
    first = client.get(ledger)
    assert {norm["title"] for norm in first.json()[0]["norms"]} == {"MI", "MF", "CMF"}
    officer = by_command(OFFICER)
    run = correct_list(rating_list=published, reason="A norm was arranged.", later="carry", by=officer)
    draft = calculate_period(run=run)
    # The decisions on the same norms are there; nothing is undecided.
    assert not undecided_norms(draft).exists()
    assert norm_changes(draft) == []
    norm = confirmed_norms(draft).get(player__numbers__fmjd=10008, title="MI")
    decide(draft, [norm], is_confirmed=False, reason="The game of round 9 was arranged.")
    (change,) = norm_changes(draft)
    assert (change.norm.title, change.is_added, change.is_undecided) == ("MI", False, False)
    assert change.norm.player.printed_name == "Coulibaly, Moussa"
    revision = publish(draft)
    after = set(confirmed_norms(revision).values_list("player__numbers__fmjd", "title", "kind"))
    assert before - after == {(10008, "MI", "result")}
    second = client.get(ledger, headers={"If-None-Match": first["ETag"]})
    assert second.status_code == 200
    assert {norm["title"] for norm in second.json()[0]["norms"]} == {"MF", "CMF"}
    assert {file.name: bytes(file.content) for file in published.files.all()} == stored
    assert [str(one) for one in verify_list(revision).differences] == []
    differences = reverse("list-differences", args=["fmjd-100", revision.in_force, revision.revision])
    assert "taken away" in client.get(differences).text


def test_a_norm_of_a_revision_that_waits_again_is_not_taken_away(samples, tmp_path):
    """As after a game with another result: its evidence is another one."""
    accept_ouagadougou(samples, tmp_path)
    call_command("run_period", "fmjd-100", "--in-force", "2023-01-01", "--confirm-norms")
    published = RatingList.objects.get(in_force=date(2023, 1, 1))
    run = correct_list(rating_list=published, reason="A game.", later="carry", by=by_command(OFFICER))
    draft = calculate_period(run=run)
    known = confirmed_norms(draft).get(player__numbers__fmjd=10008, title="MI")
    given = {"by": council().user, "tournament": known.result_set}
    give_norm(known.player, "GMI red 9", rating_list=published, **given)
    waiting = give_norm(known.player, "GMI red 9", rating_list=draft, confirmed=None, **given)
    (change,) = norm_changes(draft)
    assert (change.norm.title, change.is_added, change.is_undecided) == ("GMI", False, True)
    decide(draft, [waiting])
    assert norm_changes(draft) == []


def test_what_the_council_may_not_do(draft):
    norm = undecided_norms(draft).order_by("pk").first()
    officer = Actor(create_user("officer@example.org", "Ole Officer", roles=[Role.RATING_OFFICER]))
    assert refusal(decide, draft, [norm], by=officer).code == "forbidden"
    assert refusal(decide, draft, [norm], is_confirmed=False, reason=" ").code == "reason_missing"
    assert refusal(decide, draft, []).code == "norms_missing"
    missed = Norm.objects.filter(list=draft, origin=Norm.Origin.NEAR_MISS).first()
    assert refusal(decide, draft, [missed]).code == "norm_not_possible"
    claim = {
        "rating_list": draft, "player": norm.player, "tournament": norm.result_set, "title": norm.title,
        "colour": norm.colour or "black", "reason": "A reason.", "by": council(),
    }  # fmt: skip
    assert refusal(claim_norm, **claim | {"reason": ""}).code == "reason_missing"
    assert refusal(claim_norm, **claim | {"title": "XYZ"}).code == "norm_unknown"
    assert refusal(claim_norm, **claim | {"by": officer}).code == "forbidden"
    stranger = Player(last_name="Nowhere", first_name="Nora", federation_id="BFA")
    Player.objects.create_with_numbers(first_register(), [(99_999, stranger)])
    assert refusal(claim_norm, **claim | {"player": stranger}).code == "norm_unknown"
    assert not NormDecision.objects.exists()


def test_the_command_refuses_undecided_norms_and_confirms_them_with_an_option(samples, tmp_path):
    accept_ouagadougou(samples, tmp_path)
    with pytest.raises(CommandError, match="norms_undecided"):
        call_command("run_period", "fmjd-100", "--in-force", "2023-01-01")
    call_command("run_period", "fmjd-100", "--in-force", "2023-01-01", "--confirm-norms")
    published = RatingList.objects.get(in_force=date(2023, 1, 1), state=RatingList.State.PUBLISHED)
    assert confirmed_norms(published).exists()
    assert not undecided_norms(published).exists()
    assert set(LogEntry.objects.filter(action="norm.confirm").values_list("by_command", flat=True)) == {True}
    assert Pool.objects.get(code="fmjd-100").lists.filter(state="published").count() == 2
