"""What only the federation can say of a tournament, on its pages: who may, and from a file to a norm (R78)."""

from http import HTTPStatus
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from ratings.models import RatingList
from ratings.production.calculate import calculate_period
from ratings.production.correct_list import correct_list
from reporting.log.audit import OFFICER, Actor
from reporting.models import Player, Report, ResultSet, Role, TournamentDecision, User
from tests.flows.test_report_to_list import FICTIONAL, tables_of
from tests.people import client_of, create_user
from tests.visitor import Visitor
from titles.models import Norm
from titles.norms.selectors import norms_of_correction

pytestmark = pytest.mark.django_db(transaction=True)

COUNCIL = Role.TITLE_COUNCIL


def person(role, federation=None):
    return create_user(f"{role}@decide.example", role.title(), roles=[role], federation_id=federation)


@pytest.fixture
def players(tmp_path):
    """The register and the list in force, with the titles and ratings that the file prints; all of them men."""
    file = tmp_path / "open.csv"
    file.write_bytes(FICTIONAL.read_bytes())
    tables_of(file, tmp_path)
    call_command("import_register", str(tmp_path / "register.csv"))
    call_command("import_list", str(tmp_path / "list.csv"), "--in-force", "2025-01-01")
    Player.objects.update(sex="M")


def uploaded(referee: Visitor) -> Report:
    """The export of a tournament program, uploaded and submitted by the pages, with what it does not say typed."""
    referee.open("/reports/new/")
    referee.attach("Report file", "open.csv", Path(FICTIONAL).read_bytes())
    referee.press("Upload report")
    referee.open_link("Details", nth=0)
    for name, text in (
        ("name", "Kaba-Tougan Open"), ("place", "Kaba-Tougan"), ("country", "BFA"),
        ("played_from", "2025-02-03"), ("played_to", "2025-02-09"), ("time_control", "80+60"),
        ("referee", "Salif Ouandaogo"),
        ("rounds", ", ".join(f"2025-02-0{day}" for day in range(3, 10))),
    ):  # fmt: skip
        referee.fill(referee.by_id(f"id_{name}"), text)
    for name, choice in (
        ("discipline", "100"), ("system", "swiss"), ("competition", "world-cup"), ("world_cup_stars", "3"),
        ("referee_level", "fmjd"),
    ):  # fmt: skip
        referee.choose(referee.by_id(f"id_{name}"), choice)
    referee.press("Save details")
    referee.open_link("Submission", nth=0)
    for box in referee.textboxes():
        referee.fill(box, "As played.")
    referee.press("Submit report")
    assert "Report submitted" in referee.text
    return Report.objects.get()


def test_a_file_uploaded_by_a_referee_brings_a_norm_by_result(players):
    """Annex 10 art. 4.2.8, R78: the report proposes, the office and the Council decide, then the norm is found."""
    referee, officer, council = (
        Visitor(person(role)) for role in (Role.REFEREE, Role.RATING_OFFICER, COUNCIL)
    )
    report = uploaded(referee)

    officer.open(f"/office/reports/{report.pk}/")
    assert officer.value("Official competition") == "=world-cup"
    officer.press("Save decisions")
    saved = "3 decisions saved: Official competition, World Cup stars, Level of the main referee."
    assert saved in officer.text
    officer.fill("Reason for admission", "The server was down.")
    officer.press("Accept report")
    assert Report.objects.get().state == "accepted"

    council.open("/titles/norms/")
    council.open_link("Decisions on tournaments")
    council.check("Kaba-Tougan Open: Approved by the Council")
    council.press("Approve chosen")
    assert "1 decision saved." in council.text
    assert "Nothing waits for a decision." in council.text
    assert set(TournamentDecision.objects.values_list("item", "value", "by__name")) == {
        ("competition", "world-cup", "Rating_Officer"), ("world_cup_stars", "3", "Rating_Officer"),
        ("referee_level", "fmjd", "Rating_Officer"), ("council_approved", "yes", "Title_Council"),
    }  # fmt: skip

    call_command("run_period", "fmjd-100", "--in-force", "2025-04-01", "--draft")
    norm = Norm.objects.filter(origin="found", kind="result").order_by("pk").first()
    assert norm is not None
    council.open(f"/titles/norms/{norm.pk}/")
    assert "Approved by the Council" in council.text
    council.open_link("Decided by the federation")
    assert "Title_Council" in council.text
    council.open(f"/titles/norms/{norm.pk}/")
    council.press("Confirm norm")
    assert "Decision saved." in council.text


def test_an_approval_after_the_list_names_the_norms_that_its_correction_finds(players):
    """R30d: a published list never changes; its correction counts what was decided since, and finds the norms."""
    officer, council = Visitor(person(Role.RATING_OFFICER)), Visitor(person(COUNCIL))
    report = uploaded(Visitor(person(Role.REFEREE)))
    officer.open(f"/office/reports/{report.pk}/")
    officer.press("Save decisions")
    officer.fill("Reason for admission", "The server was down.")
    officer.press("Accept report")
    call_command("run_period", "fmjd-100", "--in-force", "2025-04-01", "--confirm-norms")
    published = RatingList.objects.get(state="published", is_opening=False)
    assert not Norm.objects.filter(list=published, origin="found", kind="result").exists()

    address = f"/office/tournaments/{report.result_set.code}/"
    council.open(address)
    assert "Decided after the list was published" not in council.text
    council.choose("Approved by the Council", "=yes")
    council.press("Save decisions")
    council.open(address)
    assert "Decided after the list was published" in council.text
    named = [change.found for change in norms_of_correction(published)]
    assert {(norm.kind, norm.is_added) for norm in named} >= {("result", True)}

    by = Actor(User.objects.get(email=OFFICER), by_command=True)
    run = correct_list(rating_list=published, reason="Approved since.", later="carry", by=by)
    revision = calculate_period(run=run)
    found = Norm.objects.filter(list=revision, origin="found")
    added = {(norm.player, norm.title, norm.kind, norm.colour) for norm in named if norm.is_added}
    assert added <= {(norm.player_id, norm.title, norm.kind, norm.colour) for norm in found}


CODE = "2026-championship-of-italy"


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_a_decision_of_the_web_is_in_the_name_of_its_person_and_what_was_typed_stays(season_shared):
    tournament = ResultSet.objects.get(tournament__code=CODE)
    director, council = Visitor(person(Role.TOURNAMENT_DIRECTOR)), Visitor(person(COUNCIL))
    council.open(f"/office/tournaments/{CODE}/")
    assert council.fields("Official competition") == []  # decided by the office
    council.choose("Approved by the Council", "=no")
    council.press("Save decisions", status=HTTPStatus.CONFLICT)
    assert "Enter a reason" in council.text or "reason" in council.text
    assert council.value("Approved by the Council") == "=no"
    council.fill("Reason", "The regulations came too late.")
    council.press("Save decisions")
    decision = TournamentDecision.objects.filter(tournament=tournament.code).latest("pk")
    assert (decision.value, decision.by.email) == ("no", "title_council@decide.example")
    director.open(f"/office/tournaments/{CODE}/")
    director.choose("World Cup stars", "=5")
    late = Visitor(create_user("late@decide.example", "Late", roles=[Role.RATING_OFFICER]))
    late.open(f"/office/tournaments/{CODE}/")
    director.press("Save decisions")
    late.choose("World Cup stars", "=3")
    late.press("Save decisions", status=HTTPStatus.CONFLICT)
    assert "Someone else decided about" in late.text


@pytest.mark.django_db
@pytest.mark.database_role("web")
@pytest.mark.parametrize(
    "chosen", ["x", "2026-none:official:yes", f"{CODE}:official:maybe", f"{CODE}:nothing:yes"]
)
def test_a_box_that_is_not_on_the_page_decides_nothing(season_shared, chosen):
    client = client_of(person(Role.RATING_OFFICER))
    decisions = TournamentDecision.objects.count()
    answer = client.post(reverse("office-decisions"), {"chosen": chosen, "action": "confirm", "seen": "0"})
    assert answer.status_code in {HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT}
    assert TournamentDecision.objects.count() == decisions
