"""A tournament is announced and withdrawn; whether in time depends on the day in the office's zone (R11)."""

from datetime import UTC, date, datetime, timedelta
from time import sleep

import pytest
from django.test import override_settings
from django.utils import timezone

from reporting.formats.tournament_details.sidecar import write_details
from reporting.messages.notifications import format_day
from reporting.models import LogEntry, Message, Tournament
from reporting.reports.services.announce import (
    Question,
    announce_tournament,
    change_announcement,
    state_digest,
    withdraw_announcement,
)
from reporting.reports.services.edit_report import announced_details, choose_announcement
from reporting.reports.services.reminders import send_report_reminder
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from tests.services.report_helpers import refusal

pytestmark = pytest.mark.django_db

PLAYERS, GAMES = [11, 12, 13], ["1 1 2 2-0", "1 3 0 2-0", "2 1 3 1-1", "2 0 2 0-2"]


def values(first: date, **others: str) -> dict[str, str]:
    about = {"name": "Riverside Open", "place": "Ghent", "country": "be"}
    days = {"played_from": first.isoformat(), "played_to": (first + timedelta(days=2)).isoformat()}
    return about | days | {"discipline": "100", "time_control": "80+30", "system": "swiss"} | others


def warned(uploaded) -> bool:
    return "not-announced" in [finding["code"] for finding in uploaded.version.findings]


def test_an_announcement_keeps_what_was_said_and_who_said_it(office):
    first = timezone.localdate() + timedelta(days=30)
    announcement = announce_tournament(values=values(first), by=office.referee)
    announcement.refresh_from_db()
    assert (announcement.name, announcement.place) == ("Riverside Open", "Ghent")
    assert announcement.country_id == "BEL"
    assert announcement.announced_by == office.referee.user
    assert announcement.announced_on == timezone.localdate()
    entry = LogEntry.objects.get(action="announcement.create")
    assert (entry.actor, entry.subject) == (office.referee.user, f"announcement {announcement.pk}")


def test_the_same_announcement_again_is_the_one_that_there_is(office):
    """A form sent twice announces once; also the next day, and once the tournament is withdrawn it counts again."""
    first = timezone.localdate() + timedelta(days=30)
    once = announce_tournament(values=values(first), by=office.referee)
    Tournament.objects.announced().update(announced_on=timezone.localdate() - timedelta(days=1))
    again = announce_tournament(values=values(first, name=" Riverside Open "), by=office.referee)
    assert (once.already_there, again.already_there) == (False, True)
    assert (again, LogEntry.objects.filter(action="announcement.create").count()) == (once, 1)
    withdraw_announcement(announcement=once, reason="no hall", by=office.referee)
    assert announce_tournament(values=values(first), by=office.referee) != once


@pytest.mark.parametrize(
    ("changed", "asked"),
    [
        ({"name": "Riverside Cup"}, "announced-alike.own"),  # the same town
        ({"place": "Bruges"}, "announced-alike.own"),  # the same name
        ({"name": "Riverside Cup", "place": "Bruges"}, None),
        ({"name": "Riverside Cup", "place": ""}, None),
        ({"name": "riverside  OPEN", "discipline": "64"}, None),
        ({"name": "Riverside Cup", "country": "NED"}, None),
    ],
)
def test_an_announcement_like_another_one_is_asked_about(office, changed, asked):
    first = timezone.localdate() + timedelta(days=30)
    announce_tournament(values=values(first), by=office.referee)
    second = values(first + timedelta(days=2), **changed)  # its first day is the last day of the other
    if asked:
        refused = refusal(announce_tournament, values=second, by=office.referee)
        assert refused.code == "announcement_questions"
        assert [found.key for found in refused.findings] == [asked]
        assert Tournament.objects.announced().count() == 1
        (of_another,) = refusal(announce_tournament, values=second, by=office.director).findings
        assert of_another.key == "announced-alike"
    announce_tournament(values=second, by=office.referee, confirmed=["announced-alike"])
    assert Tournament.objects.announced().count() == 2
    announce_tournament(values=values(first + timedelta(days=5)), by=office.referee)  # none of their days


@pytest.mark.parametrize(
    ("first", "last", "asked"),
    [
        (date(2026, 3, 1), date(2026, 3, 31), []),  # 31 days
        (date(2026, 3, 1), date(2026, 4, 1), ["announced-long"]),
        (date(2028, 1, 15), date(2028, 1, 16), []),  # two years ahead to the day
        (date(2028, 1, 16), date(2028, 1, 17), ["announced-far"]),
        (date(2062, 3, 1), date(2071, 3, 1), ["announced-long", "announced-far"]),
    ],
)
def test_long_and_far_tournaments_are_asked_about(office, monkeypatch, first, last, asked):
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 1, 15, 12, tzinfo=UTC))
    sent = values(first, played_to=last.isoformat())
    if asked:
        refused = refusal(announce_tournament, values=sent, by=office.referee)
        assert [found.code for found in refused.findings] == asked
        one = refusal(announce_tournament, values=sent, by=office.referee, confirmed=asked[1:])
        assert [found.code for found in one.findings] == asked[:1]
    announced = announce_tournament(values=sent, by=office.referee, confirmed=asked)
    announced.refresh_from_db()
    assert announced.played_to == last
    # The same questions about a change.
    moved = {"based_on": state_digest(announced), "values": sent | {"name": "Other"}, "by": office.referee}
    if asked:
        assert refusal(change_announcement, announcement=announced, **moved).code == "announcement_questions"
    assert change_announcement(announcement=announced, **moved, confirmed=asked).name == "Other"


# 14 days before the first round is in time, 13 is late (Annex 9 art. 1.2.1.3, R11).
@pytest.mark.parametrize(("days", "in_time"), [(14, True), (13, False), (0, False), (-3, False)])
def test_fourteen_days_before_the_first_round_are_in_time(office, days, in_time):
    first = timezone.localdate() + timedelta(days=days)
    announcement = announce_tournament(values=values(first), by=office.referee)
    assert (announcement.notice_days, announcement.is_in_time) == (days, in_time)


# 15 January 2026, 23:30 UTC is half past midnight on the 16th in Amsterdam: 14 days before 30 January there, 15 in UTC.
@pytest.mark.parametrize(
    ("zone", "day", "notice"), [("UTC", date(2026, 1, 15), 15), ("Europe/Amsterdam", date(2026, 1, 16), 14)]
)
def test_the_day_is_that_of_the_office_s_zone(office, monkeypatch, zone, day, notice):
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 1, 15, 23, 30, tzinfo=UTC))
    with override_settings(TIME_ZONE=zone):
        announcement = announce_tournament(values=values(date(2026, 1, 30)), by=office.referee)
    assert (announcement.announced_on, announcement.notice_days) == (day, notice)


def test_an_announcement_takes_what_other_doors_take(office):
    first = timezone.localdate() + timedelta(days=30)
    spelt = values(first, played_from=f"{first:%d.%m.%Y}", country="Netherlands", name="Dyke\u00a0Town\tOpen")
    announcement = announce_tournament(values=spelt, by=office.referee)
    assert (announcement.played_from, announcement.country_id) == (first, "NED")
    assert announcement.name == "Dyke Town Open"


def test_the_office_names_an_earlier_day_of_receipt_and_no_one_else(office):
    first, earlier = (timezone.localdate() + timedelta(days=5), timezone.localdate() - timedelta(days=20))
    announced = values(first, announced=earlier.isoformat())
    assert refusal(announce_tournament, values=announced, by=office.referee).code == "forbidden"
    assert not Tournament.objects.announced().exists()
    announcement = announce_tournament(values=announced, by=office.director)
    assert (announcement.announced_on, announcement.is_in_time) == (earlier, True)  # 25 days before


def test_a_day_of_receipt_to_come_is_reported_and_not_replaced(office):
    tomorrow = timezone.localdate() + timedelta(days=1)
    announced = values(tomorrow + timedelta(days=30), announced=tomorrow.isoformat())
    refused = refusal(announce_tournament, values=announced, by=office.director)
    (finding,) = refused.findings
    assert (finding.code, finding.field) == ("received-in-future", "announced")
    assert not Tournament.objects.announced().exists()


def test_all_faults_are_reported_at_once_by_their_field(office):
    announced = {"name": "", "country": "Atlantis", "played_from": "31/02/2026", "discipline": "100"}
    announced["time_control"] = "fast"
    refused = refusal(announce_tournament, values=announced, by=office.referee)
    assert refused.code == "announcement_refused"
    fields = {finding.field for finding in refused.findings}
    assert fields == {"name", "country", "played_from", "played_to", "time_control"}
    first = timezone.localdate()
    announced = values(first, played_to=(first - timedelta(days=1)).isoformat())
    refused = refusal(announce_tournament, values=announced, by=office.referee)
    (finding,) = refused.findings
    assert (finding.code, finding.field) == ("dates-reversed", "played_to")


@pytest.mark.parametrize(("days", "late"), [(14, False), (13, True)])
def test_the_warning_of_a_report_is_computed_from_its_announcement(office, days, late):
    """Chosen when it is uploaded, or afterwards: the same word."""
    office.register(*PLAYERS)
    first = timezone.localdate() - timedelta(days=4)
    reached = (first - timedelta(days=days)).isoformat()
    announcement = announce_tournament(values=values(first, announced=reached), by=office.director)
    content = office.report_file("Riverside Open", PLAYERS, GAMES, first, first + timedelta(days=2))
    file = {"content": content, "filename": "open.txt", "by": office.referee}
    sidecar = write_details(announced_details(announcement))
    assert warned(upload_report(**file, sidecar=sidecar, announcement=announcement)) is late
    without = upload_report(**file | {"content": content + b"\n"}, sidecar=write_details({}))
    draft = {"report": without.report, "by": office.referee}
    assert warned(choose_announcement(**draft, based_on=1, announcement=announcement)) is late
    # The twin: taken away again, nothing was announced.
    assert warned(choose_announcement(**draft, based_on=2, announcement=None))


def test_the_first_report_of_an_announced_tournament_gives_it_its_code_a_second_one_has_its_own(office):
    """Two groups that were announced together; without an announcement a tournament begins with its report."""
    office.register(*PLAYERS)
    first = timezone.localdate() - timedelta(days=4)
    in_time = values(first, announced=(first - timedelta(days=14)).isoformat())
    announced = announce_tournament(values=in_time, by=office.director)

    def submitted(name, **of):
        days = (first, first + timedelta(days=2))
        content, sidecar = (
            office.report_file(name, PLAYERS, GAMES, *days),
            office.details(*days, received=None),
        )
        file = {"content": content, "filename": "a.txt", "sidecar": sidecar}
        uploaded = upload_report(**file, by=office.referee, **of)
        report = submit_report(report=uploaded.report, comments=office.comments(uploaded), by=office.referee)
        return report.result_set.tournament

    assert announced.code is None
    group_a = submitted("Riverside A", announcement=announced)
    assert (group_a.pk, group_a.code) == (announced.pk, f"{first.year}-riverside-a")
    group_b = submitted("Riverside B", announcement=announced)
    assert (group_b.code, group_b.announced_on) == (f"{first.year}-riverside-b", None)
    assert submitted("Harbour Open").announced_on is None
    assert Tournament.objects.announced().count() == 1


def test_no_tick_of_a_referee_makes_a_tournament_official_and_a_mark_of_its_announcement_does(office):
    """R11: announced too late, the report says that it is official; its announcement by the office says it or not."""
    office.register(*PLAYERS)
    first = timezone.localdate() - timedelta(days=4)
    content = office.report_file("Riverside Open", PLAYERS, GAMES, first, first + timedelta(days=2))
    ticks = {"official": True, "competition": "world-cup"}

    def uploaded(turn, **marks):
        late = values(first, name=f"Riverside {turn}", announced=first.isoformat(), **marks)
        announcement = announce_tournament(values=late, by=office.director, confirmed=[Question.ALIKE])
        sidecar = write_details(announced_details(announcement) | ticks)
        file = {"content": content + b"\n" * turn, "filename": "open.txt", "sidecar": sidecar}
        return upload_report(**file, by=office.referee, announcement=announcement)

    assert warned(uploaded(1))
    assert not warned(uploaded(2, official="true"))
    assert not warned(uploaded(3, national_championship="qualification"))


def test_an_announcement_is_withdrawn_once_with_a_reason_by_its_own_or_the_office(office):
    first = timezone.localdate() + timedelta(days=30)
    announcement = announce_tournament(values=values(first), by=office.director)
    for reason, by, code in (
        ("no hall", office.referee, "forbidden"),
        (" ", office.director, "reason_missing"),
    ):
        refused = refusal(withdraw_announcement, announcement=announcement, reason=reason, by=by)
        assert refused.code == code
    withdrawn = withdraw_announcement(announcement=announcement, reason="no hall", by=office.officer)
    assert withdrawn.withdrawn_at is not None
    assert LogEntry.objects.get(action="announcement.withdraw").reason == "no hall"
    refused = refusal(withdraw_announcement, announcement=announcement, reason="again", by=office.director)
    assert refused.code == "wrong_state"


def test_a_reported_or_withdrawn_tournament_is_no_longer_open(office):
    office.register(*PLAYERS)
    first = timezone.localdate() + timedelta(days=30)
    announcement = announce_tournament(values=values(first), by=office.referee)
    uploaded = office.upload("Riverside Open", PLAYERS, GAMES)
    withdrawn = announce_tournament(values=values(first, name="Cup", place=""), by=office.referee)
    withdraw_announcement(announcement=withdrawn, reason="no hall", by=office.referee)
    refused = refusal(
        choose_announcement, report=uploaded.report, based_on=1, announcement=withdrawn, by=office.referee
    )
    assert refused.code == "announcement_withdrawn"
    choose_announcement(report=uploaded.report, based_on=1, announcement=announcement, by=office.referee)
    refused = refusal(withdraw_announcement, announcement=announcement, reason="no", by=office.referee)
    assert refused.code == "wrong_state"


def test_who_announced_is_reminded_of_the_report_once_in_three_days(office):
    """Ended 10 days ago, so due 3 days ago (Annex 9 art. 4.1: within 7 days)."""
    last = timezone.localdate() - timedelta(days=10)
    in_a_month = values(timezone.localdate() + timedelta(days=30))
    announced = announce_tournament(values=in_a_month, by=office.referee)

    def refused(by):
        return refusal(send_report_reminder, announcement=announced, by=by).code

    assert refused(office.officer) == "wrong_state"  # to come
    Tournament.objects.announced().update(played_from=last, played_to=last)
    for by in (office.referee, office.releaser):
        assert refused(by) == "forbidden"
    send_report_reminder(announcement=announced, by=office.director)
    reminder = Message.objects.get(kind="report_reminder")
    assert reminder.recipient == office.referee.user
    assert f"was due on {format_day(last + timedelta(days=7))} (Annex 9 art. 4.1)" in reminder.text
    assert "admits it with a reason (R11)" in reminder.text
    entry = LogEntry.objects.get(action="announcement.remind")
    assert (entry.actor, entry.subject) == (office.director.user, f"announcement {announced.pk}")
    assert refused(office.officer) == "reminded_recently"
    Tournament.objects.announced().update(reminded_at=timezone.now() - timedelta(days=3))
    office.referee.user.is_active = False
    office.referee.user.save()
    assert refused(office.officer) == "account_closed"
    office.referee.user.is_active = True
    office.referee.user.save()
    Tournament.objects.announced().update(played_to=timezone.localdate() - timedelta(days=7))
    # Reminded a second time, a second later at the least; on the day itself it is not late yet.
    sleep(1)
    send_report_reminder(announcement=announced, by=office.officer)
    assert "is due on" in Message.objects.latest("pk").text
    assert Message.objects.filter(kind="report_reminder").count() == 2
    Tournament.objects.announced().update(reminded_at=None)
    office.register(*PLAYERS)
    report = office.submit("Open", PLAYERS, GAMES)
    report.announcement = announced
    report.save(update_fields=["announcement"])
    assert refused(office.officer) == "wrong_state"
