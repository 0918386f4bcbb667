"""A World Cup event from the proposal to the report: approved by another person, stars only up, taken by the report."""

from datetime import date, timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.db import IntegrityError, ProgrammingError, transaction
from django.utils import timezone

from reporting.federations.fmjd.models import WorldCupProposal
from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.log.audit import Actor
from reporting.models import LogEntry, Message, Role, Tournament
from reporting.reports.services.announce import announce_tournament
from reporting.reports.services.edit_report import (
    choose_announcement,
    edit_tournament_details,
    starting_details,
)
from reporting.reports.services.upload import upload_report
from tests.concurrency import run_concurrently
from tests.people import create_user
from tests.services.report_helpers import refusal
from titles.federations.fmjd.world_cup.events.services import approve_event, propose_event, return_event

pytestmark = pytest.mark.django_db

CONDITIONS = {
    "stars": 3, "groups": "one", "system": "swiss", "rounds": 9, "entry_fee": Decimal(50),
    "prizes_open": [1200, 900, 800, 600, 450, 350, 250, 150], "prizes_women": [600, 400, 300],
    "tie_breaks": ["short", "plus", "baliakin", "full"], "referee": "Ada Referee", "referee_level": "fmjd",
    "regulations": "", "regulations_on": None,
}  # fmt: skip


def official(country="BEL", name="Olga"):
    email = f"{name.lower()}@{country.lower()}.example"
    return Actor(create_user(email, name, roles=[Role.NATIONAL_OFFICIAL], federation_id=country))


def announced(by, first=None):
    first = first or timezone.localdate() + timedelta(days=200)
    values = {
        "name": "Riverside Cup", "place": "Ghent", "country": "BEL", "played_from": first.isoformat(),
        "played_to": (first + timedelta(days=8)).isoformat(), "discipline": "100", "time_control": "80+30",
        "system": "swiss",
    }  # fmt: skip
    return announce_tournament(values=values, by=by)


def propose(tournament, by, **changes):
    newest = tournament.world_cup_proposals.order_by("-pk").first()
    seen = newest.pk if newest else 0
    return propose_event(tournament=tournament, values=CONDITIONS | changes, seen=seen, by=by)


def states(tournament):
    return list(tournament.world_cup_proposals.order_by("pk").values_list("stars", "state"))


def move_first_day(tournament, days):
    """The first round is so many days from today."""
    first = timezone.localdate() + timedelta(days=days)
    Tournament.objects.filter(pk=tournament.pk).update(played_from=first, played_to=first + timedelta(days=8))


@pytest.fixture
def belgium(office):
    return official()


def test_an_event_is_proposed_by_its_official_and_approved_by_another_person(office, belgium):
    cup = announced(belgium)
    proposal = propose(cup, belgium)
    entry = LogEntry.objects.get(action="world_cup_event.propose")
    assert entry.subject == f"announcement {cup.pk}"
    assert (entry.after["stars"], entry.after["prizes_women"]) == (3, "600, 400, 300")
    assert propose(cup, belgium) == proposal  # the same again changes nothing
    assert refusal(approve_event, proposal=proposal, by=belgium).code == "forbidden"
    approve_event(proposal=proposal, by=office.director)
    proposal.refresh_from_db()
    assert (proposal.state, proposal.decided_by) == ("approved", office.director.user)
    assert refusal(approve_event, proposal=proposal, by=office.director).key == "wrong_state.event"


def test_who_proposes_is_the_official_of_the_country_or_the_office(office, belgium):
    cup = announced(office.referee)
    for person in (office.referee, official("NED", "Nina")):
        assert refusal(propose, cup, person).code == "forbidden"
    own = propose(cup, office.director)
    assert refusal(approve_event, proposal=own, by=office.director).code == "own_proposal"
    assert refusal(return_event, proposal=own, reason="no", by=office.director).code == "own_proposal"
    # The official's proposal takes its place.
    propose(cup, belgium, stars=5)
    assert states(cup) == [(3, "replaced"), (5, "proposed")]


def test_a_returned_proposal_has_its_reason_and_the_approved_one_stays(office, belgium):
    cup = announced(belgium)
    approve_event(proposal=propose(cup, belgium), by=office.director)
    change = propose(cup, belgium, groups="separate")
    assert refusal(return_event, proposal=change, reason=" ", by=office.director).code == "reason_missing"
    return_event(proposal=change, reason="One group was announced.", by=office.director)
    assert states(cup) == [(3, "approved"), (3, "returned")]
    assert starting_details(cup)["world_cup_groups"] == "one"
    told = Message.objects.filter(kind="world_cup_event", recipient=belgium.user).order_by("pk")
    assert [message.title for message in told] == [
        "World Cup event approved: Riverside Cup", "World Cup event returned: Riverside Cup",
    ]  # fmt: skip
    assert "One group was announced." in told[1].text
    propose(cup, belgium, groups="separate")  # again, as a new proposal
    assert states(cup)[-1] == (3, "proposed")


def test_stars_go_up_until_three_months_before_and_never_down(office, belgium):
    cup = announced(belgium)
    approve_event(proposal=propose(cup, belgium), by=office.director)
    assert refusal(propose, cup, belgium, stars=1).code == "stars_down"
    approve_event(proposal=propose(cup, belgium, stars=5), by=office.director)
    assert states(cup) == [(3, "replaced"), (5, "approved")]
    assert refusal(propose, cup, belgium, stars=3).code == "stars_down"
    move_first_day(cup, 80)  # three months are at least 89 days
    late = refusal(propose, cup, belgium, stars=7)
    assert (late.code, late.values["stars"]) == ("stars_late", 5)
    propose(cup, belgium, stars=5, entry_fee=Decimal(40))  # other changes are possible


def test_on_the_last_day_stars_still_go_up(office, belgium, monkeypatch):
    cup = announced(belgium, date(2027, 6, 15))
    approve_event(proposal=propose(cup, belgium), by=office.director)
    monkeypatch.setattr(timezone, "localdate", lambda *_: date(2027, 3, 16))
    assert refusal(propose, cup, belgium, stars=5).code == "stars_late"
    monkeypatch.setattr(timezone, "localdate", lambda *_: date(2027, 3, 15))
    propose(cup, belgium, stars=5)


def test_more_stars_are_not_approved_where_the_first_round_moved_to_an_earlier_day(office, belgium):
    cup = announced(belgium)
    approve_event(proposal=propose(cup, belgium), by=office.director)
    more = propose(cup, belgium, stars=5)
    move_first_day(cup, 60)
    assert refusal(approve_event, proposal=more, by=office.director).code == "stars_late"


def test_the_report_takes_stars_and_groups_and_another_value_is_a_finding(office, belgium):
    played = timezone.localdate() - timedelta(days=30)
    cup = announced(office.director, played)
    proposal = propose(cup, belgium)
    content = office.report_file("Riverside Cup", [11, 12, 13], ["1 1 2 2-0"], played, played)
    draft = upload_report(content=content, filename="cup.txt", sidecar=b"", by=belgium)
    choice = {"based_on": draft.version.number, "announcement": cup, "by": belgium}
    chosen = choose_announcement(report=draft.report, **choice)
    assert "world_cup_stars" not in read_sidecar(bytes(chosen.version.sidecar)).values

    # A draft follows the approval.
    approve_event(proposal=proposal, by=office.director)
    version = draft.report.versions.order_by("-number")[0]
    values = read_sidecar(bytes(version.sidecar)).values
    assert {name: values[name] for name in ("competition", "world_cup_stars", "world_cup_groups")} == {
        "competition": "world-cup", "world_cup_stars": 3, "world_cup_groups": "one",
    }  # fmt: skip
    assert differing(version) == []

    edit = {"based_on": version.number, "values": {"world_cup_stars": 5}, "by": belgium}
    edited = edit_tournament_details(report=draft.report, **edit)
    assert differing(edited.version) == [("world_cup_stars", "Annex 18 conditions 4, 10, 11; R70f", "3")]


def differing(version):
    return [
        (found["field"], found["article"], dict(found["values"])["approved"])
        for found in version.findings
        if found["code"] == "approved-differs"
    ]


def test_a_report_that_starts_from_the_announcement_has_them(office, belgium):
    cup = announced(belgium)
    assert "world_cup_stars" not in starting_details(cup)
    approve_event(proposal=propose(cup, belgium), by=office.director)
    details = starting_details(cup)
    assert (details["competition"], details["system"]) == ("world-cup", "swiss")
    assert details["world_cup_stars"] == 3


def test_what_was_seen_before_another_proposal_is_not_proposed_or_approved(office, belgium):
    cup = announced(belgium)
    first = propose(cup, belgium)
    stale = {"tournament": cup, "values": CONDITIONS | {"stars": 7}, "seen": 0, "by": belgium}
    assert refusal(propose_event, **stale).code == "preview_changed"
    propose(cup, belgium, stars=5)
    assert refusal(approve_event, proposal=first, by=office.director).key == "wrong_state.event"


@pytest.mark.django_db(transaction=True)
def test_two_directors_who_approve_at_once_have_one_effect(office, belgium):
    cup = announced(belgium)
    proposal = propose(cup, belgium)
    other = Actor(create_user("second@example.org", "Second", roles=[Role.TOURNAMENT_DIRECTOR]))
    outcomes = run_concurrently(
        *(partial(approve_event, proposal=proposal, by=person) for person in (office.director, other))
    )
    keys = sorted(getattr(outcome, "key", "approved") for outcome in outcomes)
    assert keys == ["approved", "wrong_state.event"]
    assert states(cup) == [(3, "approved")]
    assert LogEntry.objects.filter(action="world_cup_event.approve").count() == 1


def test_the_database_refuses_a_changed_proposal(office, belgium):
    cup = announced(belgium)
    approve_event(proposal=propose(cup, belgium, stars=5), by=office.director)
    rows = WorldCupProposal.objects.filter(tournament=cup)
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        rows.update(stars=7)
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        rows.delete()
    for change in ({"state": "proposed", "decided_by": None, "decided_at": None}, {"reason": "x"}):
        with pytest.raises(IntegrityError, match="stays as it was made"), transaction.atomic():
            rows.update(**change)
    rows.update(state="replaced")
    lower = WorldCupProposal.objects.create(tournament=cup, proposed_by=belgium.user, **CONDITIONS)
    approved = {"decided_by": office.director.user, "decided_at": timezone.now()}
    with pytest.raises(IntegrityError, match="stays as it was made"), transaction.atomic():
        WorldCupProposal.objects.filter(pk=lower.pk).update(state="approved", **approved)
