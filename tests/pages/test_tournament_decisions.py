"""What only the federation can say of a tournament, on its pages: who may, and from a file to a norm (R78)."""

from http import HTTPStatus
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from reporting.models import Player, Report, Role, Tournament, TournamentDecision
from tests.flows.test_report_to_list import FICTIONAL, tables_of
from tests.people import create_user
from tests.visitor import Visitor
from titles.models import Norm

pytestmark = pytest.mark.django_db(transaction=True)

COUNCIL = Role.TITLE_COUNCIL
OFFICE = {Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR}
READ = {*OFFICE, COUNCIL, Role.ADMINISTRATOR}
DECIDE = {*OFFICE, COUNCIL}


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
    assert "3 decisions saved." in officer.text
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
