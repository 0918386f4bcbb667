"""What people are told, written in the transaction of the act that is told of. Mail leaves later: send_messages.py."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import cast

from django.dispatch import Signal
from django.utils import timezone

from reporting.formats.tournament_details_file import read_details, without_private_details
from reporting.models import LogEntry, Message, Report, ReportVersion, ReviewRemark, Tournament, User
from reporting.regulations import report_due

MAX_LINES_IN_MESSAGE = 20
MAX_LINE_IN_MESSAGE = 160


counting_list_asked = Signal()
"""Sent with `tournament`; the app that publishes lists has the one receiver, which returns a CountingList."""


@dataclass(frozen=True)
class CountingList:
    """The list that a tournament counts in: of which pool, from which day in force; or its next revision."""

    pool: str
    in_force: date
    revision: bool = False

    def __str__(self) -> str:
        words = f"the list of {format_day(self.in_force)} ({self.pool})"
        return f"the next revision of {words}" if self.revision else words


def create_message(*, kind: Message.Kind, recipient: User, about: str, title: str, text: str) -> None:
    """Tell somebody something, once: the same kind about the same thing again changes nothing.

    `about` is the thing's address. Commands' accounts and closed ones are told nothing.
    """
    if recipient.acts_by_command or not recipient.is_active:
        return
    one_line = " ".join(title.split())[: Message._meta.get_field("title").max_length]
    message = Message(kind=kind, recipient=recipient, about=about, title=one_line, text=text)
    Message.objects.bulk_create([message], ignore_conflicts=True)


def notify_accepted(report: Report, act: LogEntry) -> None:
    """Tell the submitter of an accepted report in which list it counts; each time it is accepted."""
    tournament = _tournament_of(report)
    counts = f"It counts in {counting_list(tournament)}."
    if report.corrects is not None:
        counts = f"It takes the place of the report that it corrects. {counts}"
    create_message(
        kind=Message.Kind.REPORT_ACCEPTED,
        recipient=report.submitted_by,
        about=_address_of_act(report, act),
        title=f"Accepted: {tournament.name}",
        text=f"Your report of {tournament.name} (last round {format_day(tournament.played_to)}) was accepted."
        f" {counts} Nothing more is asked of you.",
    )


def notify_returned(report: Report, remarks: Sequence[ReviewRemark], act: LogEntry) -> None:
    """Tell the submitter what the office remarks and that it is his turn; each time it is returned."""
    tournament = _tournament_of(report)
    create_message(
        kind=Message.Kind.REPORT_RETURNED,
        recipient=report.submitted_by,
        about=_address_of_act(report, act),
        title=f"Returned: {tournament.name}",
        text=f"Your report of {tournament.name} (last round {format_day(tournament.played_to)}) was returned:"
        f" version {remarks[0].version.number} is not accepted as it is.\n\n"
        + "\n\n".join(str(remark) for remark in remarks)
        + "\n\nMend it and hand it in again. The day on which it first came in stays.",
    )


def notify_changed(report: Report, version: ReportVersion, by: User) -> None:
    """Tell the submitter of a version that somebody else saved, with what differs from the version before."""
    before = report.versions.get(number=version.number - 1)
    changed = []
    for old, new in (
        (bytes(before.content), bytes(version.content)),
        (without_private_details(bytes(before.sidecar)), without_private_details(bytes(version.sidecar))),
    ):
        gone, come = Counter(text_lines(old)), Counter(text_lines(new))
        changed += [f"- {line[:MAX_LINE_IN_MESSAGE]}" for line in (gone - come).elements()]
        changed += [f"+ {line[:MAX_LINE_IN_MESSAGE]}" for line in (come - gone).elements()]
    told = "\n".join(changed[:MAX_LINES_IN_MESSAGE]) or "The file differs, but not in lines of text."
    more = (
        f"\n… and {len(changed) - MAX_LINES_IN_MESSAGE} more lines"
        if len(changed) > MAX_LINES_IN_MESSAGE
        else ""
    )
    create_message(
        kind=Message.Kind.REPORT_CHANGED,
        recipient=report.submitted_by,
        about=f"{report_path(report)}changes/{before.number}-{version.number}/",
        title=f"Changed: {version.name or f'report {report.pk}'}",
        text=f"{by.name} saved version {version.number} of your report. Another person of the office decides about it."
        f" What differs from version {before.number}:\n\n{told}{more}\n\n"
        "If something is wrong, change it back or write to the rating office.",
    )


def text_lines(content: bytes) -> list[str]:
    return content.decode("utf-8", errors="replace").split("\n")


def notify_rejected(report: Report, reason: str, act: LogEntry) -> None:
    """Tell the submitter that the report is not calculated, and why."""
    tournament = _tournament_of(report)
    create_message(
        kind=Message.Kind.REPORT_REJECTED,
        recipient=report.submitted_by,
        about=_address_of_act(report, act),
        title=f"Rejected: {tournament.name}",
        text=f"Your report of {tournament.name} (last round {format_day(tournament.played_to)}) was rejected; it is"
        f" not calculated. The reason:\n\n{reason}\n\nIt is kept as you sent it. If something speaks against the"
        " decision, write to the rating office.",
    )


def notify_acceptance_undone(report: Report, reason: str, act: LogEntry) -> None:
    """Tell the submitter that an acceptance he was told of no longer holds; each time it is taken back."""
    tournament = _tournament_of(report)
    create_message(
        kind=Message.Kind.ACCEPTANCE_UNDONE,
        recipient=report.submitted_by,
        about=_address_of_act(report, act),
        title=f"Acceptance taken back: {tournament.name}",
        text=f"The office took back its acceptance of your report of {tournament.name} (last round"
        f" {format_day(tournament.played_to)}). The reason:\n\n{reason}\n\nNo list has counted it yet. The office"
        " looks at it again and tells you what it decides; you need not send it again.",
    )


def notify_if_late(report: Report) -> None:
    """Tell the submitter of a late report at once what that means and what there is to do (R11).

    A correction is not late: the report that it corrects was in time, or was admitted.
    """
    if report.corrects_id is not None:
        return
    tournament = _tournament_of(report)
    last_round = tournament.played_to
    came, due = received_date(report), report_due(last_round)
    if came <= due:
        return
    create_message(
        kind=Message.Kind.REPORT_LATE,
        recipient=report.submitted_by,
        about=report_path(report),
        title=f"Late: {tournament.name}",
        text=f"Your report of {tournament.name} came {(came - last_round).days} days after its last round. It was"
        f" due by {format_day(due)}, {(due - last_round).days} days after it (Annex 9 art. 4.1, 4.5; R11).\n\n"
        "It is kept as you sent it, but it is calculated only if the rating officer admits it with a written reason."
        " He reads the word you gave to the warning. If there is more to say for it, write to the rating office;"
        " do not send the report again. Admitted after the list of its period is published, it counts in the"
        " next one.",
    )


def counting_list(tournament: Tournament) -> CountingList:
    """The list that a tournament accepted now will count in, as the receiver of `counting_list_asked` answers."""
    ((_, answer),) = counting_list_asked.send(sender=Tournament, tournament=tournament)
    return cast(CountingList, answer)


def received_date(report: Report) -> date:
    """The day on which a submitted report reached the office, in the office's zone (R11).

    Decided by its first submission, or by the day its facts say that it came another way.
    """
    assert report.first_submitted_at is not None  # noqa: S101 (the database holds it of every submitted report)
    sidecar = report.versions.order_by("-number").values_list("sidecar", flat=True)[0]
    details, _ = read_details(bytes(sidecar))
    return (details.received if details else None) or timezone.localdate(report.first_submitted_at)


def report_path(report: Report) -> str:
    return f"/reports/{report.pk}/"


def _address_of_act(report: Report, act: LogEntry) -> str:
    """The same may be done to a report more than once, with one version even: each act is told of."""
    return f"{report_path(report)}#act-{act.pk}"


def format_day(day: date) -> str:
    """A date that means one day everywhere: `1 Oct 2026`."""
    return f"{day.day} {day:%b %Y}"


def _tournament_of(report: Report) -> Tournament:
    assert report.tournament is not None  # noqa: S101 (the database holds it of every submitted report)
    return report.tournament
