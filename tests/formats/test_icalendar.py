"""The calendar file follows RFC 5545: escaped texts, folded lines, days whose end is the first one after."""

from dataclasses import replace
from datetime import UTC, date, datetime

from reporting.formats.icalendar import CalendarEvent, write_calendar

EVENT = CalendarEvent(
    uid="announcement-7@office.example", first_day=date(2026, 12, 28), last_day=date(2026, 12, 31),
    summary="Côte d’Ivoire: Open; women, youth \\ " + "é" * 60, location="Abidjan",
    description="80 min\nfirst line\r\nsecond", url="https://office.example/tournaments/calendar/", sequence=2,
    created_at=datetime(2026, 10, 1, 9, tzinfo=UTC), changed_at=datetime(2026, 11, 2, 23, 30, 5, tzinfo=UTC),
)  # fmt: skip


def test_lines_are_folded_and_texts_escaped():
    written = write_calendar("Tournaments", [EVENT])
    lines = written.split(b"\r\n")
    assert lines.pop() == b""
    assert max(map(len, lines)) == 75  # octets without the line end (3.1)
    assert all(line.decode() and b"\n" not in line for line in lines)  # no character is in two lines
    unfolded = written.decode().replace("\r\n ", "").split("\r\n")
    assert f"SUMMARY:Côte d’Ivoire: Open\\; women\\, youth \\\\ {'é' * 60}" in unfolded  # 3.3.11
    assert "DESCRIPTION:80 min\\nfirst line\\nsecond" in unfolded
    assert {"DTSTART;VALUE=DATE:20261228", "DTEND;VALUE=DATE:20270101"} < {*unfolded}  # 3.6.1: not inclusive
    assert {"DTSTAMP:20261102T233005Z", "LAST-MODIFIED:20261102T233005Z", "SEQUENCE:2"} < {*unfolded}
    assert {"LOCATION:Abidjan", "STATUS:CONFIRMED"} < {*unfolded}
    assert b"LOCATION" not in write_calendar("Tournaments", [replace(EVENT, location="")])
    assert (unfolded[0], unfolded[-2]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
