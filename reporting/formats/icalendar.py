"""Calendars for other programs to subscribe to (RFC 5545): writer."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

_OCTETS_A_LINE = 75


@dataclass(frozen=True, kw_only=True)
class CalendarEvent:
    """An event of whole days. `uid` never changes; `sequence` and `changed_at` rise with every change of the event."""

    uid: str
    first_day: date
    last_day: date
    summary: str
    location: str
    description: str
    url: str
    sequence: int
    created_at: datetime
    changed_at: datetime
    is_cancelled: bool = False


def write_calendar(name: str, events: Iterable[CalendarEvent]) -> bytes:
    """A calendar in UTF-8: lines ended by CR LF and folded after 75 octets, texts escaped (RFC 5545, 3.1, 3.3.11).

    Without METHOD, so DTSTAMP is the last change, as LAST-MODIFIED is (3.8.7.2).
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Rating Office//Tournament calendar//EN",
        "CALSCALE:GREGORIAN",
        f"NAME:{_text(name)}",
        f"X-WR-CALNAME:{_text(name)}",
    ]
    for event in events:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{event.uid}",
            f"DTSTAMP:{_instant(event.changed_at)}",
            f"CREATED:{_instant(event.created_at)}",
            f"LAST-MODIFIED:{_instant(event.changed_at)}",
            f"SEQUENCE:{event.sequence}",
            f"DTSTART;VALUE=DATE:{event.first_day:%Y%m%d}",
            f"DTEND;VALUE=DATE:{event.last_day + timedelta(days=1):%Y%m%d}",  # the first day after it
            f"SUMMARY:{_text(event.summary)}",
            *([f"LOCATION:{_text(event.location)}"] if event.location else []),
            f"DESCRIPTION:{_text(event.description)}",
            f"URL:{event.url}",
            f"STATUS:{'CANCELLED' if event.is_cancelled else 'CONFIRMED'}",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return b"".join(_folded(line) for line in lines)


def _text(text: str) -> str:
    """A text value: backslash, semicolon, comma and line end escaped (3.3.11)."""
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return "\\n".join(text.splitlines())


def _instant(instant: datetime) -> str:
    return f"{instant.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _folded(line: str) -> bytes:
    """A line in octets; what is over 75 continues after a space on the next one, no character in two (3.1)."""
    parts, length = [b""], 0
    for character in line:
        octets = character.encode()
        if length + len(octets) > _OCTETS_A_LINE:
            parts.append(b" ")
            length = 1
        parts[-1] += octets
        length += len(octets)
    return b"\r\n".join(parts) + b"\r\n"
