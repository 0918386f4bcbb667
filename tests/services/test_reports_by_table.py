"""Reports that are tables: who their players are, and what a table form still needs (R11, R20, R24, R25)."""

import pytest

from reporting.models import Entry, Game, PersonalData, Player
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from tests.services.report_helpers import refusal

pytestmark = pytest.mark.django_db

DAYS = b"played_from = 2026-02-06\nplayed_to = 2026-02-08\n"
KNOWN = {
    "name": '"Open"', "place": '"Utrecht"', "country": '"NED"', "referee": '"Piet Fluit"', "system": '"other"',
}  # fmt: skip


def submitted(office, *lines, **details):
    file = {"content": "\n".join(lines).encode(), "filename": "table.txt"}
    sidecar = DAYS + office.details(**KNOWN, **details)
    uploaded = upload_report(**file, sidecar=sidecar, by=office.referee)
    report = submit_report(report=uploaded.report, comments=office.comments(uploaded), by=office.referee)
    return report, uploaded


def row(office, number, rest):
    return f"{number} {' '.join(office.names[number])} nl {rest}"


def test_a_table_is_accepted_and_its_newcomer_entered_with_birth_and_sex(office):
    office.register(11)
    nova = "0 Nova Kometa be 01/02/2001 W 0/1 0/0 0"
    report, _ = submitted(office, row(office, 11, "2/2 2/0 4"), nova, rating_service_paid="true")
    accepted = accept_report(report=report, by=office.officer)
    assert (accepted.state, accepted.admitted_reason) == ("accepted", "")
    nova = Player.objects.get(last_name="Kometa")
    assert (nova.first_name, nova.federation_id, nova.sex, nova.birth_year) == ("Nova", "BEL", "W", 2001)
    assert PersonalData.objects.get(player=nova).born.isoformat() == "2001-02-01"
    entries = Entry.objects.order_by("number").values_list("number", "place", "player__numbers__fmjd")
    assert list(entries) == [(1, 1, 11), (2, 2, nova.numbers["fmjd"])]
    games = Game.objects.order_by("round").values_list("round", "white__number", "black__number", "played")
    assert list(games) == [(1, 1, 2, True), (2, 1, None, False)]


def test_a_table_whose_rating_service_is_not_paid_is_accepted_only_with_a_reason_of_the_officer(office):
    office.register(11, 12)
    report, _ = submitted(office, row(office, 11, "2/2 2"), row(office, 12, "0/1 0"))
    refused = refusal(accept_report, report=report, by=office.officer)
    assert refused.code == "needs_admission"
    assert [finding.code for finding in refused.findings] == ["service-not-paid"]
    accepted = accept_report(report=report, by=office.officer, admitted_reason="the bank was closed")
    assert accepted.admitted_reason == "the bank was closed"


def test_a_newcomer_whose_surname_is_not_clear_cannot_be_submitted(office):
    office.register(11)
    unclear = "0 Nova van Kometa be 01/02/2001 W 0/1 0"
    refused = refusal(submitted, office, row(office, 11, "2/2 2"), unclear)
    assert refused.code == "has_errors"
    assert [finding.code for finding in refused.findings] == ["name-not-split"]


def test_a_player_of_toernooibase_is_found_by_their_whole_name_and_country(office):
    office.register(11, 12)
    first, second = (" ".join(office.names[number]) for number in (11, 12))
    head = ("; Open", "Pl;Sno;Title;Name;Cn;FMJD;R1;Pt ")
    lines = (f" 1; 7;;{first};nl;;2/2w;2", f" 2; 3;;{second};nl;;0/1b;0")
    report, uploaded = submitted(office, *head, *lines)
    players = uploaded.matching.players
    assert {number: player.numbers["fmjd"] for number, player in players.items()} == {7: 11, 3: 12}
    accept_report(report=report, by=office.officer)
    assert list(Game.objects.values_list("white__number", "black__number", "white_points")) == [(7, 3, 2)]
