"""The subjects of the audit log: label, name and, where the reader may open it, the address of the page."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext_lazy

from reporting.log.selectors import (
    accounts_of_log,
    announcements_of_log,
    identities_of_log,
    reports_of_log,
    result_sets_of_log,
)
from reporting.messages.labels import name_with_part
from reporting.models import User
from reporting.policies import can_see_account, check_can_see_decisions, check_can_see_inbox
from reporting.register.selectors.register import visible_players
from reporting.reports.selectors.rating_lists import rating_lists
from reporting.requests.selectors import visible_requests
from reporting.web.access import refusal_message

MAX_ID = 2**31 - 1


@dataclass(frozen=True)
class LogLink:
    """A subject: `Report 7`, its name where it has one, the address of its page or nothing."""

    label: str
    name: str = ""
    href: str = ""


def log_links(subjects: Collection[str], reader: User) -> dict[str, LogLink]:
    """A link for each subject of the log. A query for each kind among them, three for players, two for lists and for
    periods."""
    by_kind: dict[str, dict[str, str]] = {}
    for subject in subjects:
        kind, _, number = subject.partition(" ")
        by_kind.setdefault(kind, {})[number] = subject
    links = {subject: LogLink(_label(subject)) for subject in subjects}
    for kind, subject_of_number in by_kind.items():
        if kind in _finders:
            for number, link in _finders[kind](list(subject_of_number), reader).items():
                links[subject_of_number[number]] = link
    return links


def _label(subject: str) -> str:
    kind, _, number = subject.partition(" ")
    return str(_labels[kind]) % {"number": number} if kind in _labels else subject


def _reports(numbers: list[str], reader: User) -> Mapping[str, LogLink]:
    opens = not refusal_message(check_can_see_inbox, reader)
    reports = reports_of_log(_numbers(numbers))
    return {
        str(report.pk): LogLink(
            _label(f"report {report.pk}"),
            name_with_part(report.result_set) if report.result_set else "",
            reverse("office-report", args=[report.pk]) if opens else "",
        )
        for report in reports
    }


def _accounts(numbers: list[str], reader: User) -> Mapping[str, LogLink]:
    accounts = accounts_of_log(_numbers(numbers))
    return {
        str(account.pk): LogLink(
            _label(f"account {account.pk}"),
            account.name,
            reverse("account-page", args=[account.pk]) if can_see_account(reader, account) else "",
        )
        for account in accounts
    }


def _players(numbers: list[str], reader: User) -> Mapping[str, LogLink]:
    """The register's page for readers who may open it, the public one for all others."""
    identities = identities_of_log(numbers)
    keys = [identity.player_id for identity in identities]
    visible = set(visible_players(reader).filter(pk__in=keys).values_list("pk", flat=True))
    published = rating_lists().published_players(keys)
    found: dict[str, LogLink] = {}
    for identity in identities:
        player = identity.player
        if player.pk in visible:
            href = reverse("office-player", args=[player.address])
        else:
            href = reverse("player", args=[player.address]) if player.pk in published else ""
        name = f"{player.first_name} {player.last_name}".strip()
        found[str(identity)] = LogLink(_label(f"player {player.address}"), name, href)
    return found


def _announcements(numbers: list[str], reader: User) -> Mapping[str, LogLink]:  # noqa: ARG001 (without a page)
    return {
        str(announcement.pk): LogLink(_label(f"announcement {announcement.pk}"), announcement.name)
        for announcement in announcements_of_log(_numbers(numbers))
    }


def _tournaments(codes: list[str], reader: User) -> Mapping[str, LogLink]:
    opens = not refusal_message(check_can_see_decisions, reader)
    return {
        tournament.code: LogLink(
            _label(f"tournament {tournament.code}"),
            tournament.name,
            reverse("office-tournament", args=[tournament.code]) if opens else "",
        )
        for tournament in result_sets_of_log(codes)
    }


def _requests(numbers: list[str], reader: User) -> Mapping[str, LogLink]:
    found = visible_requests(reader).filter(pk__in=_numbers(numbers))
    return {
        str(correction_request.pk): LogLink(
            _label(f"request {correction_request.pk}"),
            correction_request.about,
            reverse("office-request", args=[correction_request.pk]),
        )
        for correction_request in found
    }


def _numbers(texts: Iterable[str]) -> list[int]:
    """Those that can be keys of the database."""
    whole = (
        int(text) for text in texts if text.isascii() and text.isdecimal() and len(text) < len(str(MAX_ID))
    )
    return [number for number in whole if number <= MAX_ID]


Finder = Callable[[list[str], User], Mapping[str, LogLink]]
"""Links for the subjects of one kind, by what follows the kind: the numbers of reports, the addresses of lists."""

_labels = {
    "report": gettext_lazy("Report %(number)s"),
    "account": gettext_lazy("Account %(number)s"),
    "player": gettext_lazy("Player %(number)s"),
    "announcement": gettext_lazy("Announcement %(number)s"),
    "tournament": gettext_lazy("Tournament %(number)s"),
    "request": gettext_lazy("Request %(number)s"),
    "register": gettext_lazy("Register %(number)s"),
    "period": gettext_lazy("Period %(number)s"),
    "list": gettext_lazy("List %(number)s"),
    "pool": gettext_lazy("Pool %(number)s"),
}
_finders: dict[str, Finder] = {
    "report": _reports,
    "account": _accounts,
    "player": _players,
    "announcement": _announcements,
    "tournament": _tournaments,
    "request": _requests,
}


def register_finders(finders: Mapping[str, Finder]) -> None:
    """Add the kinds of subjects of another app, each by the first word of the subject."""
    _finders.update(finders)
