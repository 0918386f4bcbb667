"""The things that the audit log names, in words and with the page of each where the reader may come to it."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Q
from django.urls import reverse

from ratings.published.selectors.addresses import (
    PoolDay,
    periods_of_the_office,
    published_days,
    published_players,
)
from reporting.log.selectors import subject_parts
from reporting.models import Announcement, Player, Report, User
from reporting.policies import can_see_account, check_can_see_inbox
from reporting.register.selectors import visible_players
from reporting.requests.selectors import visible_requests
from reporting.web.access import refusal_message

DAY = re.compile(r"([a-z0-9-]+)[ /]([0-9]{4}-[0-9]{2}-[0-9]{2})\Z")
MAX_ID = 2**31 - 1


@dataclass(frozen=True)
class LogLink:
    """What was acted on: `Report 7`, its name where it has one, the address of its page or nothing."""

    words: str
    name: str = ""
    href: str = ""


def log_links(subjects: Collection[str], reader: User) -> dict[str, LogLink]:
    """Each subject of the log as a thing. A query for each kind among them, three for players, two for lists and for
    periods."""
    by_kind: dict[str, dict[str, str]] = {}
    for subject in subjects:
        kind, which = subject_parts(subject)
        by_kind.setdefault(kind, {})[which] = subject
    found = {subject: LogLink(_words(subject)) for subject in subjects}
    for kind, named in by_kind.items():
        if kind in FINDERS:
            for which, thing in FINDERS[kind](list(named), reader).items():
                found[named[which]] = thing
    return found


def _words(subject: str) -> str:
    kind, which = subject_parts(subject)
    return f"{kind[:1].upper()}{kind[1:]} {which}".strip()


def _reports(which: list[str], reader: User) -> Mapping[str, LogLink]:
    opens = not refusal_message(check_can_see_inbox, reader)
    reports = Report.objects.filter(pk__in=_numbers(which)).select_related("tournament")
    return {
        str(report.pk): LogLink(
            f"Report {report.pk}",
            report.tournament.name if report.tournament else "",
            reverse("office-report", args=[report.pk]) if opens else "",
        )
        for report in reports
    }


def _accounts(which: list[str], reader: User) -> Mapping[str, LogLink]:
    accounts = User.objects.filter(pk__in=_numbers(which), acts_by_command=False)
    return {
        str(account.pk): LogLink(
            f"Account {account.pk}",
            account.name,
            reverse("account-page", args=[account.pk]) if can_see_account(reader, account) else "",
        )
        for account in accounts
    }


def _players(which: list[str], reader: User) -> Mapping[str, LogLink]:
    """The register's page for who may look at it, the public one for everybody else."""
    ids, keys = (_numbers(text.removeprefix(word) for text in which) for word in ("fmjd ", "record "))
    players = list(Player.objects.filter(Q(fmjd_id__in=ids) | Q(pk__in=keys)))
    seen = set(
        visible_players(reader).filter(pk__in=[each.pk for each in players]).values_list("pk", flat=True)
    )
    published = published_players(ids)
    found: dict[str, LogLink] = {}
    for player in players:
        if player.pk in seen:
            href = reverse("office-player", args=[player.address])
        else:
            href = reverse("player", args=[player.fmjd_id]) if player.fmjd_id in published else ""
        name = f"{player.first_name} {player.last_name}".strip()
        thing = LogLink(f"Player {player.address}", name, href)
        found |= {f"fmjd {player.fmjd_id}": thing, f"record {player.pk}": thing}
    return {text: found[text] for text in which if text in found}


def _announcements(which: list[str], reader: User) -> Mapping[str, LogLink]:  # noqa: ARG001 (without a page)
    found = Announcement.objects.filter(pk__in=_numbers(which))
    return {str(each.pk): LogLink(f"Announcement {each.pk}", each.name) for each in found}


def _requests(which: list[str], reader: User) -> Mapping[str, LogLink]:
    found = visible_requests(reader).filter(pk__in=_numbers(which))
    return {
        str(each.pk): LogLink(f"Request {each.pk}", each.about, reverse("office-request", args=[each.pk]))
        for each in found
    }


def _periods(which: list[str], reader: User) -> Mapping[str, LogLink]:  # noqa: ARG001 (who reads the log sees drafts)
    return _of_days(which, "Period")


def _lists(which: list[str], reader: User) -> Mapping[str, LogLink]:  # noqa: ARG001 (who reads the log sees drafts)
    return _of_days(which, "List")


def _of_days(which: list[str], word: str) -> dict[str, LogLink]:
    days = {text: day for text in which if (day := _pool_day(text)) is not None}
    periods = periods_of_the_office(days.values())
    published = published_days(day for day in days.values() if day not in periods)
    return {
        text: LogLink(
            f"{word} {day[0]}, {day[1].isoformat()}",
            href=reverse("office-period", args=day)
            if day in periods
            else reverse("list-of-day", args=day)
            if day in published
            else "",
        )
        for text, day in days.items()
    }


def _pool_day(text: str) -> PoolDay | None:
    written = DAY.match(text)
    if written is None:
        return None
    try:
        return written[1], date.fromisoformat(written[2])
    except ValueError:
        return None


def _numbers(which: Iterable[str]) -> list[int]:
    """Those that can be keys of the database."""
    whole = (
        int(text) for text in which if text.isascii() and text.isdecimal() and len(text) < len(str(MAX_ID))
    )
    return [number for number in whole if number <= MAX_ID]


FINDERS: Mapping[str, Callable[[list[str], User], Mapping[str, LogLink]]] = {
    "report": _reports,
    "account": _accounts,
    "player": _players,
    "announcement": _announcements,
    "request": _requests,
    "period": _periods,
    "list": _lists,
}
