"""What only the federation can say of a tournament, decided by a program of the office (R78, decision 0084)."""

import pytest

from reporting.models import LogEntry, Role, Scope, TournamentDecision
from tests.people import create_user
from tests.program import Program

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season_shared", "cleared_rate_limits"),
]

CODE = "2026-championship-of-italy"
ADDRESS = f"decisions/{CODE}/"


def program(role: Role, *scopes: Scope) -> Program:
    return Program(
        create_user(f"{role}@api.example", role.title(), roles=[role], federation_id="NED"), *scopes
    )


def test_a_program_of_the_office_reads_and_decides() -> None:
    director = program(Role.TOURNAMENT_DIRECTOR, Scope.DECIDE)
    before = director.ask("GET", ADDRESS).json()
    assert before["tournament"] == CODE
    items = {row["item"]: row for row in before["items"]}
    assert set(items) >= {"council_approved", "official", "competition", "world_cup_stars", "referee_level"}
    seen = max(row["number"] for row in before["items"])
    sent = {"decisions": {"world_cup_stars": "5"}, "reason": "By the contract.", "seen": seen}
    decided = director.ask("POST", ADDRESS, sent, key="stars")
    assert decided.status_code == 200, decided.text
    stars = next(row for row in decided.json()["items"] if row["item"] == "world_cup_stars")
    assert (stars["value"], stars["reason"], stars["decided_by"]) == (
        "5", "By the contract.", "Tournament_Director",
    )  # fmt: skip
    assert director.ask("POST", ADDRESS, sent, key="stars").json() == decided.json()
    assert TournamentDecision.objects.filter(item="world_cup_stars", tournament__code=CODE).count() == 1
    entry = LogEntry.objects.get(
        action="tournament.decide", subject=f"tournament {CODE}", after__world_cup_stars="5"
    )
    assert entry.after["program"] == director.token.name
    late = director.ask("POST", ADDRESS, sent | {"decisions": {"world_cup_stars": "3"}})
    assert (late.status_code, late.json()["code"]) == (409, "tournament_decided")


def test_a_program_decides_what_its_owner_decides_and_no_other_value() -> None:
    director = program(Role.TOURNAMENT_DIRECTOR, Scope.DECIDE)
    council = director.ask("POST", ADDRESS, {"decisions": {"council_approved": "no"}, "reason": "x"})
    assert (council.status_code, council.json()["code"]) == (403, "forbidden")
    for decisions in ({"official": "maybe"}, {"weather": "fine"}, {"world_cup_stars": 5}, []):
        assert director.ask("POST", ADDRESS, {"decisions": decisions}).status_code == 400
    assert director.ask("POST", ADDRESS, {"decisions": {}}).json()["code"] == "decisions_missing"
    assert director.ask("GET", "decisions/2026-none/").status_code == 404
    referee = program(Role.REFEREE)
    assert referee.ask("GET", ADDRESS).status_code == 403
    assert TournamentDecision.objects.filter(tournament=CODE, item="official", value="maybe").count() == 0
