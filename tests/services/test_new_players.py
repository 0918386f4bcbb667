"""Newcomers keep their FMJD-IDs when a report comes back and is accepted again (R24)."""

from unittest.mock import patch

import pytest
from django.db import transaction

from ratings.systems.fmjd.models import FmjdListRow
from reporting.models import Entry, LogEntry, Player, ReportVersion
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.read_file import pack_reading, read_file
from reporting.reports.services.review import accept_report, return_report, undo_acceptance
from tests.services.report_helpers import (
    GAMES,
    OPENING,
    REMARKS,
    everything,
    newest,
    quick,
    refusal,
    resubmit,
    results,
    whole,
)


def version_with(office, report, players, *, games=GAMES, **details):
    """The next version of a report that is returned for it, with other players in its file; submitted."""
    return_report(report=report, remarks=REMARKS, by=office.officer)
    old, content = newest(report), office.report_file("Open", players, games)
    made = ReportVersion.objects.create(
        report=report, number=old.number + 1, filename=old.filename,
        content=content, reading=pack_reading(read_file(content)), sha256="0" * 64,
        sidecar=office.details(**details), format=old.format, encoding=old.encoding, findings=[],
        created_by=office.referee.user,
    )  # fmt: skip
    if refused := first_refusal(report, office):
        assert refused.code == "findings_changed"
        resubmit(office, report)
    return made


def first_refusal(report, office):
    try:
        resubmit(office, report)
    except DomainError as refused:
        return refused
    return None


def in_the_register():
    return list(Player.objects.order_by("numbers__fmjd").values_list("numbers__fmjd", "last_name"))


@quick
def test_whom_an_acceptance_entered_is_not_entered_again(office):
    office.register(11)
    players = [office.newcomer("Zora", "Zett", sex="W"), 11, office.newcomer("Anna", "Alpha", country="BEL")]
    report = office.accept("Open", players, GAMES)
    first, entered = results(report.tournament), in_the_register()
    assert entered == [(11, "Familyal"), (12, "Zett"), (13, "Alpha")]
    for _ in range(2):
        undo_acceptance(report=report, reason="so", by=office.officer)
        assert in_the_register() == entered
        accept_report(report=report, by=office.officer)
        assert results(report.tournament) == first
        assert in_the_register() == entered
    acts = LogEntry.objects.filter(action="report.accept").order_by("pk")
    assert [act.after["newcomers"] for act in acts] == [[12, 13], [], []]


@quick
def test_people_alike_in_everything_keep_their_numbers_in_order(office):
    office.register(11)
    players = [office.newcomer("Jan", "Smit"), office.newcomer("Jan", "Smit"), 11]
    report = office.accept("Open", players, GAMES)
    first = results(report.tournament)
    undo_acceptance(report=report, reason="so", by=office.officer)
    accept_report(report=report, by=office.officer)
    assert results(report.tournament) == first


@quick
def test_a_newcomer_who_played_elsewhere_since_is_the_same_there_and_here(office):
    office.register(11)
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    zett = Player.objects.get(last_name="Zett")
    office.names[zett.numbers["fmjd"]] = ("Zora", "Zett")
    other = office.accept("Other", [zett.numbers["fmjd"], 11], GAMES[:1])
    undo_acceptance(report=report, reason="so", by=office.officer)
    assert other.tournament.entries.filter(player=zett).exists()
    accept_report(report=report, different_because="another day", by=office.officer)
    assert set(Entry.objects.filter(player=zett).values_list("tournament__name", flat=True)) == {
        "Open",
        "Other",
    }


@quick
def test_a_newcomer_of_another_report_is_not_taken_for_one_of_this(office):
    """Whether two of one name in two reports are one person is asked by `looks-registered`, as ever (R21)."""
    office.register(11)
    office.accept("Other", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    office.accept("Open", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    assert in_the_register() == [(11, "Familyal"), (12, "Zett"), (13, "Zett")]


CHANGED = {
    "name": ("Zora", "Zet", {}),
    "federation": ("Zora", "Zett", {"country": "BEL"}),
    "year of birth": ("Zora", "Zett", {"born": "01/02/2002"}),
    "sex": ("Zora", "Zett", {"sex": "W"}),
}


@quick
@pytest.mark.parametrize("what", CHANGED)
def test_where_a_newcomer_was_edited_the_office_is_asked_whether_it_is_he(office, what):
    office.register(11, 12)
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11, 12], GAMES)
    undo_acceptance(report=report, reason="so", by=office.officer)
    first_name, last_name, details = CHANGED[what]
    corrected = office.newcomer(first_name, last_name, **details)
    version_with(office, report, [corrected, 11, 12])
    before = everything()
    refused = refusal(accept_report, report=report, by=office.officer)
    assert refused.code == "newcomers_unclear"
    assert "13 Zett, Zora came into the register" in refused.message
    assert f"number 1 Zora {last_name}?" in refused.message
    assert everything() == before
    with transaction.atomic():  # one way: they are others
        accept_report(report=report, by=office.officer, newcomers_are_others=True)
        assert [number for number, _ in in_the_register()] == [11, 12, 13, 14]
        assert report.tournament.entries.get(number=1).player.numbers["fmjd"] == 14
        transaction.set_rollback(True)
    # The other way: it is that player, by the FMJD-ID in the details.
    sidecar = office.details().decode() + "[players]\n1 = 13\n"
    with patch.object(type(office), "details", lambda *_, **__: sidecar.encode()):
        version_with(office, report, [corrected, 11, 12])
    accept_report(report=report, by=office.officer)
    assert in_the_register() == [(11, "Familyal"), (12, "Familyam"), (13, "Zett")]
    assert report.tournament.entries.get(number=1).player.numbers["fmjd"] == 13


@quick
def test_a_newcomer_keeps_their_number_on_another_line_and_when_a_edited_version_leaves_them_out(office):
    office.register(11, 12)
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11, 12], GAMES)
    entered = in_the_register()
    undo_acceptance(report=report, reason="so", by=office.officer)
    version_with(office, report, [11, 12, office.newcomer("Zora", "Zett")])
    accept_report(report=report, by=office.officer)
    assert report.tournament.entries.get(number=3).player.numbers["fmjd"] == 13
    undo_acceptance(report=report, reason="so", by=office.officer)
    version_with(office, report, [11, 12], games=GAMES[:1])
    accept_report(report=report, by=office.officer)
    assert report.tournament.entries.count() == 2
    assert in_the_register() == entered == [(11, "Familyal"), (12, "Familyam"), (13, "Zett")]


@whole
def test_a_newcomer_without_games_is_on_no_list(office):
    office.opening(OPENING)
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11, 12], GAMES)
    undo_acceptance(report=report, reason="so", by=office.officer)
    version_with(office, report, [11, 12], games=GAMES[:1])
    accept_report(report=report, by=office.officer)
    printed = FmjdListRow.objects.filter(list=office.run()).values_list("register_number", flat=True)
    assert set(printed) == {11, 12, 13}
    assert Player.objects.get(last_name="Zett").numbers["fmjd"] == 14
