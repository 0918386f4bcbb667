"""Messages about reports, written in the transaction of the action. They are mailed later: send_messages.py."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import cast

from django.conf import settings
from django.dispatch import Signal
from django.utils import formats, timezone, translation
from django.utils.translation import gettext, ngettext

from reporting.federations.registry import article_of, rules_of_report
from reporting.formats.tournament_details.sidecar import without_private_details
from reporting.messages.labels import name_with_part
from reporting.models import (
    LogEntry,
    Message,
    Report,
    ReportNote,
    ReportVersion,
    ResultSet,
    ReviewRemark,
    Tournament,
    User,
)
from reporting.policies import OFFICE_ROLES
from reporting.rules.lifecycle import ReportState
from reporting.rules.regulations.editions import report_due

MAX_LINES_IN_MESSAGE = 20
MAX_LINE_IN_MESSAGE = 160
TAKEN_BACK_INTERVAL = timedelta(hours=1)
"""The office gets one message in this time about a report that is taken back."""


counting_list_asked = Signal()
"""Sent with `tournament`; the app that publishes lists has the one receiver, which returns CountingLists."""


@dataclass(frozen=True)
class CountingList:
    """The list that a tournament counts in: its pool and its day in force; or the next revision of that list.

    No day where the office has not chosen it yet.
    """

    pool: str
    in_force: date | None
    revision: bool = False

    @property
    def counts_in(self) -> str:
        """A sentence for the submitter of a report."""
        if self.in_force is None:
            return gettext("It counts in the next list (%(pool)s).") % {"pool": self.pool}
        values = {"pool": self.pool, "day": format_day(self.in_force)}
        if self.revision:
            return gettext("It counts in the next revision of the list of %(day)s (%(pool)s).") % values
        return gettext("It counts in the list of %(day)s (%(pool)s).") % values


@contextmanager
def office_language() -> Iterator[None]:
    """Write in the office's language, whichever language the page of the sender has."""
    with translation.override(settings.LANGUAGE_CODE):
        yield


def create_message(*, kind: str, recipient: User, about: str, title: str, text: str) -> None:
    """Write a message to an account. A second one of the same kind about the same thing changes nothing.

    `about` is the path of a page. Closed accounts and those of commands get nothing.
    """
    if recipient.acts_by_command or not recipient.is_active:
        return
    one_line = " ".join(title.split())[: Message._meta.get_field("title").max_length]
    message = Message(kind=kind, recipient=recipient, about=about, title=one_line, text=text)
    Message.objects.bulk_create([message], ignore_conflicts=True)


@office_language()
def notify_accepted(report: Report, act: LogEntry) -> None:
    """Tell the submitter that the report is accepted and in which list it counts; each time it is accepted."""
    tournament = report.submitted_result_set
    sentences = [
        gettext("Your report of %(tournament)s (last round %(day)s) is accepted.") % _names(tournament)
    ]
    if report.corrects_id is not None:
        sentences.append(gettext("It replaces the report that it corrects."))
    sentences += [counting.counts_in for counting in counting_lists(tournament)]
    sentences.append(gettext("You need to do nothing more."))
    create_message(
        kind=Message.Kind.REPORT_ACCEPTED,
        recipient=report.submitted_by,
        about=_address_of_act(report, act),
        title=gettext("Accepted: %(tournament)s") % _names(tournament),
        text=" ".join(sentences),
    )


@office_language()
def notify_returned(report: Report, remarks: Sequence[ReviewRemark], act: LogEntry) -> None:
    """Tell the submitter what the office remarks and asks to correct; each time the report is returned."""
    tournament = report.submitted_result_set
    create_message(
        kind=Message.Kind.REPORT_RETURNED,
        recipient=report.submitted_by,
        about=_address_of_act(report, act),
        title=gettext("Returned: %(tournament)s") % _names(tournament),
        text=_paragraphs(
            gettext("Your report of %(tournament)s (last round %(day)s) is returned.") % _names(tournament)
            + " "
            + gettext("Version %(version)s has to be corrected.") % {"version": remarks[0].version.number},
            *(str(remark) for remark in remarks),
            gettext("Correct the report and submit it again. The date of its first submission stays."),
        ),
    )


@office_language()
def notify_submitted_by_other(report: Report, by: User, act: LogEntry) -> None:
    """Tell the submitter that another person submitted the report; each time."""
    create_message(
        kind=Message.Kind.REPORT_SUBMITTED,
        recipient=report.submitted_by,
        about=f"{report_path(report)}?act={act.pk}#versions",
        title=gettext("Submitted: %(tournament)s") % _names(report.submitted_result_set),
        text=_paragraphs(
            gettext(
                "%(name)s submitted your report of %(tournament)s (last round %(day)s) and commented on its warnings."
            )
            % {"name": by.name, **_names(report.submitted_result_set)}
            + " "
            + gettext("Another person of the office reviews it."),
            gettext("If something is wrong, take the report back or write to the office on its page."),
        ),
    )


@office_language()
def notify_note(note: ReportNote, recipients: Iterable[User]) -> None:
    """Give people a note on a report to read, once each."""
    title = gettext("Note on a report: %(report)s") % {
        "report": note.report.result_set.name if note.report.result_set else note.report.pk
    }
    for recipient in recipients:
        create_message(
            kind=Message.Kind.REPORT_NOTE,
            recipient=recipient,
            about=f"{report_path(note.report)}notes/#note-{note.pk}",
            title=title,
            text=_paragraphs(
                gettext("%(name)s writes:") % {"name": note.by.name},
                note.text,
                gettext("The state of the report has not changed. Answer on its page, not by mail."),
            ),
        )


@office_language()
def notify_changed(report: Report, version: ReportVersion, by: User) -> None:
    """Tell the submitter that another person saved a version, with its differences from the version before."""
    before = report.versions.get(number=version.number - 1)
    changes = []
    for old, new in (
        (bytes(before.content), bytes(version.content)),
        (without_private_details(bytes(before.sidecar)), without_private_details(bytes(version.sidecar))),
    ):
        old_lines, new_lines = Counter(text_lines(old)), Counter(text_lines(new))
        changes += [f"- {line[:MAX_LINE_IN_MESSAGE]}" for line in (old_lines - new_lines).elements()]
        changes += [f"+ {line[:MAX_LINE_IN_MESSAGE]}" for line in (new_lines - old_lines).elements()]
    lines = changes[:MAX_LINES_IN_MESSAGE] or [gettext("The file differs, but not in lines of text.")]
    if left := len(changes) - len(changes[:MAX_LINES_IN_MESSAGE]):
        lines.append(ngettext("… and %(left)s more line", "… and %(left)s more lines", left) % {"left": left})
    create_message(
        kind=Message.Kind.REPORT_CHANGED,
        recipient=report.submitted_by,
        about=f"{report_path(report)}changes/{before.number}-{version.number}/",
        title=gettext("Changed: %(report)s")
        % {"report": version.name or gettext("report %(number)s") % {"number": report.pk}},
        text=_paragraphs(
            gettext(
                "%(name)s saved version %(version)s of your report. Another person of the office reviews it."
            )
            % {"name": by.name, "version": version.number},
            gettext("Differences from version %(version)s:") % {"version": before.number},
            "\n".join(lines),
            gettext("If something is wrong, change it back or write to the rating office."),
        ),
    )


@office_language()
def notify_draft_deleted(report: Report, title: str, reason: str, by: User) -> None:
    """Tell the submitter that the office deleted a draft, and why."""
    values = {"name": by.name, "report": title}
    create_message(
        kind=Message.Kind.DRAFT_DELETED,
        recipient=report.submitted_by,
        about=f"/reports/?deleted={report.pk}",
        title=gettext("Draft deleted: %(report)s") % values,
        text=_paragraphs(
            gettext("%(name)s deleted your draft “%(report)s”. It was never submitted.") % values,
            gettext("Reason: %(reason)s") % {"reason": reason},
            gettext("You can upload the file again."),
        ),
    )


@office_language()
def notify_storage_reached(version: ReportVersion, by: User, *, of_report: int, of_day: int) -> None:
    """Tell the office that a report, or a person on one day, reached a limit of what is stored; once for each version.

    The sizes are in megabytes.
    """
    values = {"name": by.name, "version": version.number, "of_report": of_report, "of_day": of_day}
    for recipient in User.objects.holding(*OFFICE_ROLES).order_by("pk"):
        create_message(
            kind=Message.Kind.STORAGE_REACHED,
            recipient=recipient,
            about=f"/office/reports/{version.report_id}/?version={version.number}",
            title=gettext("Limit of stored reports reached: %(name)s") % values,
            text=_paragraphs(
                gettext(
                    "%(name)s stored version %(version)s of a report. Its versions have %(of_report)s MB. All that"
                    " %(name)s stored today has %(of_day)s MB."
                )
                % values,
                gettext("No further file is stored. You can delete drafts that were never submitted."),
            ),
        )


def text_lines(content: bytes) -> list[str]:
    return content.decode("utf-8", errors="replace").split("\n")


@office_language()
def notify_rejected(report: Report, reason: str, act: LogEntry) -> None:
    """Tell the submitter that the report is not rated, and why."""
    tournament = report.submitted_result_set
    create_message(
        kind=Message.Kind.REPORT_REJECTED,
        recipient=report.submitted_by,
        about=_address_of_act(report, act),
        title=gettext("Rejected: %(tournament)s") % _names(tournament),
        text=_paragraphs(
            gettext("Your report of %(tournament)s (last round %(day)s) is rejected. It is not rated.")
            % _names(tournament),
            gettext("Reason: %(reason)s") % {"reason": reason},
            gettext("The office keeps it as you sent it. If you disagree, write to the rating office."),
        ),
    )


@office_language()
def notify_acceptance_undone(report: Report, reason: str, act: LogEntry) -> None:
    """Tell the submitter that an acceptance no longer holds; each time it is undone."""
    tournament = report.submitted_result_set
    create_message(
        kind=Message.Kind.ACCEPTANCE_UNDONE,
        recipient=report.submitted_by,
        about=_address_of_act(report, act),
        title=gettext("Acceptance undone: %(tournament)s") % _names(tournament),
        text=_paragraphs(
            gettext("The office undid the acceptance of your report of %(tournament)s (last round %(day)s).")
            % _names(tournament),
            gettext("Reason: %(reason)s") % {"reason": reason},
            gettext(
                "No list has counted the report yet. The office reviews it again and tells you the decision."
            )
            + " "
            + gettext("You need not send it again."),
        ),
    )


@office_language()
def notify_left_office(report: Report, reason: str, act: LogEntry) -> None:
    """Tell the office, and the submitter where another person did it, that a submitted report left the inbox (R24b).

    Of a report that is taken back several times in an hour the office gets one message.
    """
    by, withdrawn = act.actor, report.state == ReportState.WITHDRAWN
    assert by is not None  # noqa: S101 (a person or a command)
    names = _names(report.submitted_result_set) | {"name": by.name}
    if withdrawn:
        title, what = (
            gettext("Withdrawn: %(tournament)s"),
            gettext(
                "%(name)s withdrew the report of %(tournament)s (last round %(day)s). There is nothing to review."
            ),
        )
    else:
        title, what = (
            gettext("Taken back: %(tournament)s"),
            gettext(
                "%(name)s took the report of %(tournament)s (last round %(day)s) back to change it. It comes back to"
                " the inbox when it is submitted again. The date of its first submission stays."
            ),
        )
    paragraphs = [what % names]
    if reason.strip():
        paragraphs.append(gettext("Reason: %(reason)s") % {"reason": reason.strip()})
    office = User.objects.holding(*OFFICE_ROLES).order_by("pk")
    if not withdrawn:
        told = Message.objects.filter(
            kind=Message.Kind.REPORT_LEFT_OFFICE,
            about__startswith=f"{report_path(report)}#",
            created_at__gt=timezone.now() - TAKEN_BACK_INTERVAL,
        )
        office = office.exclude(pk__in=told.values("recipient"))
    for recipient in {*office, report.submitted_by} - {by}:
        create_message(
            kind=Message.Kind.REPORT_LEFT_OFFICE,
            recipient=recipient,
            about=_address_of_act(report, act),
            title=title % names,
            text=_paragraphs(*paragraphs),
        )


@office_language()
def notify_if_late(report: Report) -> None:
    """Tell the submitter of a late report what that means and what to do (R11).

    A correction is not late: the report that it corrects was in time, or was admitted.
    """
    if report.corrects_id is not None:
        return
    tournament = report.submitted_result_set
    last_round = tournament.played_to
    received, due = report.received, report.due
    if due is None or received <= due:
        return
    create_message(
        kind=Message.Kind.REPORT_LATE,
        recipient=report.submitted_by,
        about=report_path(report),
        title=gettext("Late: %(tournament)s") % _names(tournament),
        text=_paragraphs(
            gettext("Your report of %(tournament)s came %(days)s days after its last round.")
            % {**_names(tournament), "days": (received - last_round).days}
            + " "
            + gettext("It was due by %(due)s, %(days)s days after the last round%(source)s.")
            % {
                "due": format_day(due),
                "days": (due - last_round).days,
                "source": _source("report-late", tournament),
            },
            gettext(
                "The office keeps it as you sent it. It is rated only if the rating officer admits it with a written"
                " reason."
            )
            + " "
            + gettext(
                "The rating officer reads your comment on the warning. To add more, write to the rating office."
            )
            + " "
            + gettext("Do not send the report again.")
            + " "
            + gettext(
                "If it is admitted after the list of its period is published, it counts in the next list."
            ),
        ),
    )


@office_language()
def notify_report_missing(announcement: Tournament, reminded: datetime) -> None:
    """Remind the account of an announcement that its report has not come; each time a reminder is sent (R11)."""
    due = report_due(announcement.played_to, announcement.discipline, announcement.rating_system)
    values = {
        "tournament": announcement.name,
        "last_round": format_day(announcement.played_to),
        "due": format_day(due) if due else "",
        "source": _source("report-due", announcement),
    }
    if due is None:
        when = gettext("%(tournament)s ended on %(last_round)s. Its report has not been received.")
    elif due < timezone.localdate():
        when = gettext(
            "%(tournament)s ended on %(last_round)s. Its report was due on %(due)s%(source)s. A late report is"
            " calculated only if the rating officer admits it with a reason (R11)."
        )
    else:
        when = gettext("%(tournament)s ended on %(last_round)s. Its report is due on %(due)s%(source)s.")
    create_message(
        kind=Message.Kind.REPORT_REMINDER,
        recipient=announcement.announced_by,
        about=f"/reports/?reminded={int(reminded.timestamp())}#announcement-{announcement.pk}",
        title=gettext("Report missing: %(tournament)s") % values,
        text=_paragraphs(
            when % values,
            gettext(
                "Submit it on the page My reports. If the tournament was not played, withdraw the announcement there."
            ),
        ),
    )


@office_language()
def notify_report_due(announcement: Tournament, kind: str, recipients: Iterable[User]) -> None:
    """Remind people that the report of an announcement is due, or overdue; once for each kind and due date (R11)."""
    due = report_due(announcement.played_to, announcement.discipline, announcement.rating_system)
    assert due is not None  # noqa: S101 (without a due date there is no such reminder)
    values = {
        "tournament": announcement.name,
        "last_round": format_day(announcement.played_to),
        "due": format_day(due),
        "source": _source("report-due", announcement),
    }
    title, when = {
        Message.Kind.REPORT_DUE_SOON: (
            gettext("Report due on %(due)s: %(tournament)s"),
            gettext("Its report is due on %(due)s%(source)s."),
        ),
        Message.Kind.REPORT_DUE_TODAY: (
            gettext("Report due today: %(tournament)s"),
            gettext("Its report is due today, %(due)s%(source)s."),
        ),
        Message.Kind.REPORT_OVERDUE: (
            gettext("Report overdue: %(tournament)s"),
            gettext(
                "Its report was due on %(due)s%(source)s. A late report is calculated only if the rating"
                " officer admits it with a reason (R11)."
            ),
        ),
    }[Message.Kind(kind)]
    ended = gettext("%(tournament)s ended on %(last_round)s.")
    for recipient in recipients:
        create_message(
            kind=kind,
            recipient=recipient,
            about=due_path(announcement),
            title=title % values,
            text=_paragraphs(
                f"{ended} {when}" % values,
                gettext(
                    "Submit it on the page My reports. If the tournament was not played, withdraw the announcement"
                    " there."
                )
                if recipient == announcement.announced_by
                else gettext("%(name)s announced the tournament. Ask for the report, or submit it yourself.")
                % {"name": announcement.announced_by.name},
            ),
        )


def due_path(announcement: Tournament) -> str:
    """The row of an announcement on the page of those without a report; its due date makes one message of one stage."""
    due = report_due(announcement.played_to, announcement.discipline, announcement.rating_system)
    assert due is not None  # noqa: S101 (without a due date there is no reminder)
    return f"/reports/?due={due.isoformat()}#announcement-{announcement.pk}"


@office_language()
def notify_unanswered(report: Report, act: LogEntry) -> None:
    """Remind the submitter of a returned report; once for each time that it is returned."""
    tournament = report.submitted_result_set
    create_message(
        kind=Message.Kind.REPORT_UNANSWERED,
        recipient=report.submitted_by,
        about=_address_of_act(report, act),
        title=gettext("Waiting for your answer: %(tournament)s") % _names(tournament),
        text=_paragraphs(
            gettext("Your report of %(tournament)s (last round %(day)s) was returned on %(returned)s.")
            % {**_names(tournament), "returned": format_day(timezone.localdate(act.at))}
            + " "
            + gettext("It has not been submitted again since."),
            gettext("Correct the report and submit it again. The date of its first submission stays."),
        ),
    )


def _source(subject: str, tournament: Tournament | ResultSet) -> str:
    """The article on a subject in brackets, by the federation of a tournament; empty where that has none."""
    article = article_of(rules_of_report(tournament.rating_system, tournament.discipline), subject)
    return f" ({article})" if article else ""


def counting_lists(tournament: ResultSet) -> list[CountingList]:
    """The lists that a tournament accepted now will count in, as the receiver of `counting_list_asked` answers.

    One; of a session one for each of its pools (R25).
    """
    ((_, answer),) = counting_list_asked.send(sender=ResultSet, tournament=tournament)
    return cast(list[CountingList], answer)


def report_path(report: Report) -> str:
    return f"/reports/{report.pk}/"


def _address_of_act(report: Report, act: LogEntry) -> str:
    """The report's page with a mark for the action: the same action on a report may happen more than once."""
    return f"{report_path(report)}#act-{act.pk}"


def format_day(day: date) -> str:
    """A date that means one day everywhere: `1 Oct 2026`."""
    return str(formats.date_format(day, "j M Y"))


def format_minute(moment: datetime) -> str:
    """A moment in the office's zone, which it names: `23 Sep 2026, 14:05 Europe/Amsterdam`."""
    local = timezone.localtime(moment)
    return f"{formats.date_format(local, 'j M Y, H:i')} {settings.OFFICE_TIME_ZONE}"


def _names(tournament: ResultSet) -> dict[str, str]:
    return {"tournament": name_with_part(tournament), "day": format_day(tournament.played_to)}


def _paragraphs(*texts: str) -> str:
    return "\n\n".join(texts)
