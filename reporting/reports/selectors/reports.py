"""A referee's reports and announcements, and the differences between two versions."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cached_property
from typing import Any

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Func,
    JSONField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)
from django.utils import timezone

from reporting.formats.tournament_details.sidecar import Sidecar, read_sidecar
from reporting.models import (
    LogEntry,
    MatchedPlayers,
    Report,
    ReportVersion,
    ResultSet,
    Role,
    Tournament,
    User,
)
from reporting.policies import OFFICE_ROLES
from reporting.rules.lifecycle import LIFECYCLE, ReportMove, ReportState, Turn
from reporting.rules.regulations.editions import report_due

CONTEXT_LINES = 2
MOST_ANNOUNCEMENTS = 200
"""Announcements on the page of announcing."""
A_MONTH = timedelta(days=31)
MOST_PAIRS, MOST_PAIRS_IN_ALL = 10_000, 400_000
"""Pairs of lines that are compared closely: 100 lines with 100 others between two equal lines."""

DECISIONS = (
    "report.accept",
    "report.undo_acceptance",
    "report.return",
    "report.reject",
    "report.take_back",
    "report.withdraw",
)
"""The actions on a report that send a message with a link to them."""


@dataclass(frozen=True)
class ReportLine:
    """A report in a list: its newest version, who acts next, and when it is due."""

    report: Report
    version: ReportVersion

    @cached_property
    def sidecar(self) -> Sidecar:
        """The tournament details of the newest version as they are written, and as they are read."""
        return read_sidecar(bytes(self.version.sidecar))

    @property
    def turn(self) -> Turn:
        return LIFECYCLE[ReportState(self.report.state)].turn

    @property
    def description(self) -> str:
        """The meaning of its state."""
        return LIFECYCLE[ReportState(self.report.state)].description

    @property
    def title(self) -> str:
        return self.version.name or self.version.filename

    @property
    def part(self) -> int:
        """The part of a tournament that it reports, as submitted; 1 before."""
        return self.report.result_set.part if self.report.result_set else 1

    @property
    def due(self) -> date | None:
        """The last day in time (R11), also of a draft; None without a day of the last round, and of a correction."""
        last, tournament = self.version.played_to, self.report.result_set
        if last is None or self.report.corrects_id is not None:
            return None
        if tournament:
            return report_due(last, tournament.discipline, tournament.rating_system)
        given = self.sidecar.readable
        return report_due(last, given.get("discipline", ""), given.get("rating_system", ""))

    @property
    def days_left(self) -> int | None:
        """Days until then in the office's time zone, below zero afterwards; None for a submitted report."""
        if self.due is None or self.report.first_submitted_at is not None:
            return None
        return (self.due - timezone.localdate()).days

    def allows(self, move: ReportMove) -> bool:
        return move in LIFECYCLE[ReportState(self.report.state)].moves


def own_reports(user: User, state: str = "", rows: slice = slice(None)) -> list[ReportLine]:
    """The reports of a referee, or of a national official's federation, newest first; of one state. 2 queries."""
    reports = Report.objects.filter(_own(user)).select_related("result_set", "submitted_by")
    reports = reports.filter(state=state) if state else reports
    return list(report_lines(reports.order_by("-pk")[rows]))


def is_own_report(user: User, number: int) -> bool:
    """Whether a report is one of `own_reports`. 1 query."""
    return Report.objects.filter(_own(user), pk=number).exists()


def own_report_counts(user: User) -> list[tuple[ReportState, int]]:
    """State → number of reports, of the same reports as `own_reports`, in the order of the states. 1 query."""
    counts = Report.objects.filter(_own(user)).values_list("state").annotate(Count("pk")).order_by()
    by_state = dict(counts)
    return [(state, by_state[state]) for state in ReportState if state in by_state]


@dataclass(frozen=True)
class UnknownPlayers:
    """An open report with players who have no number yet: new ones, and those who are not identified."""

    report: int
    title: str
    players: int


def own_unknown_players(user: User) -> list[UnknownPlayers]:
    """The open reports of `own_reports` with players without a number, newest first. 1 query.

    As the players of the newest version were matched last: its pages match them again after changes of the register.
    """
    newer = ReportVersion.objects.filter(
        report=OuterRef("version__report"), number__gt=OuterRef("version__number")
    )
    open_ones = Report.objects.filter(
        _own(user), state__in=[state for state, row in LIFECYCLE.items() if row.turn is not Turn.NONE]
    )
    found = MatchedPlayers.objects.filter(~Exists(newer), version__report__in=open_ones).order_by(
        "-version__report"
    )
    lines = [
        UnknownPlayers(report, name or filename, sum("player" not in match for match in players))
        for report, name, filename, players in found.values_list(
            "version__report", "version__name", "version__filename", "players"
        )
    ]
    return [line for line in lines if line.players]


def tournaments_to_correct(
    user: User, *, words: str = "", near: date | None = None, most: int
) -> tuple[list[ResultSet], int]:
    """Accepted tournaments whose report a person can correct, as last accepted, and their number. 2 queries.

    At most `most` tournaments: those played within a month of the day `near` first, then the newest. With `words` only
    tournaments whose name, place or code contains every word. As in `check_can_submit` these are the reports of the
    referee, of the national official's federation, or all for the office.
    """
    reports = Report.objects.filter(state=ReportState.ACCEPTED)
    if not user.has_role(*OFFICE_ROLES):
        reports = reports.filter(_own(user))
    last = (
        ResultSet.objects.filter(reports__in=reports)
        .order_by("tournament__code", "-revision")
        .distinct("tournament__code")
    )
    found = ResultSet.objects.filter(pk__in=last.values("pk"))
    for word in words.split():
        found = found.filter(
            Q(name__icontains=word) | Q(place__icontains=word) | Q(tournament__code__icontains=word)
        )
    around = Q(played_from__lte=near + A_MONTH, played_to__gte=near - A_MONTH) if near else Q(pk=None)
    ordered = found.order_by(Case(When(around, then=0), default=1), "-played_to", "-number")
    return list(ordered[:most]), found.count()


def corrections_of(tournament: ResultSet) -> list[Report]:
    """The reports that correct a part of a tournament, and drafts that may, newest first. 1 query.

    Without rejected and withdrawn ones.
    """
    of_part = Q(result_set=None) | Q(result_set__part=tournament.part)
    reports = Report.objects.filter(of_part, corrects__code=tournament.code).select_related(
        "result_set", "submitted_by"
    )
    return list(reports.exclude(state__in=[ReportState.REJECTED, ReportState.WITHDRAWN]).order_by("-pk"))


def accepted_report(result_set: int) -> Report | None:
    """The accepted report of a result set, with its submitter. 1 query."""
    accepted = Report.objects.filter(result_set=result_set, state=ReportState.ACCEPTED)
    return accepted.select_related("result_set", "submitted_by").first()


def newest_accepted_report(code: str) -> Report | None:
    """The accepted report with the last correction of a tournament. 1 query."""
    accepted = Report.objects.filter(state=ReportState.ACCEPTED, result_set__tournament__code=code)
    return accepted.order_by("-result_set__revision").first()


def first_results(code: str, part: int) -> ResultSet:
    """What the first accepted report of a part of a tournament says of it. 1 query."""
    return ResultSet.objects.get(tournament__code=code, part=part, revision=0)


def decisions_on(report: Report) -> list[LogEntry]:
    """The decisions on a report, newest first. 1 query."""
    entries = LogEntry.objects.filter(subject=f"report {report.pk}", action__in=DECISIONS)
    return list(entries.order_by("-pk"))


def same_files(files: Iterable[tuple[Report, str]]) -> dict[int, list[Report]]:
    """The other reports with the same file (SHA-256), by report. 0 or 1 query.

    Without withdrawn reports, and without pairs where one corrects the other: a correction starts with that file.
    """
    by_digest: dict[str, list[Report]] = {}
    for report, sha256 in files:
        by_digest.setdefault(sha256, []).append(report)
    if not by_digest:
        return {}
    found = (
        ReportVersion.objects.filter(sha256__in=by_digest)
        .exclude(report__state=ReportState.WITHDRAWN)
        .select_related("report__result_set", "report__submitted_by")
        .only("sha256", "report")
        .order_by("report", "sha256")
        .distinct("report", "sha256")
    )
    same: dict[int, list[Report]] = {}
    for other in found:
        for report in by_digest[other.sha256]:
            if other.report != report and not _correct_each_other(report, other.report):
                same.setdefault(report.pk, []).append(other.report)
    return same


def _correct_each_other(one: Report, other: Report) -> bool:
    codes = [
        {report.corrects_id, report.result_set.code if report.result_set else None} - {None}
        for report in (one, other)
    ]
    return bool((one.corrects_id or other.corrects_id) and codes[0] & codes[1])


def _own(user: User) -> Q:
    mine = Q(submitted_by=user)
    if user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id:
        mine |= Q(submitted_by__federation=user.federation_id) | Q(result_set__country=user.federation_id)
    return mine


class ErrorFindings(Func):
    """The stored errors of a version without their values, for `ReportVersion.counts`."""

    template = (
        "(SELECT coalesce(jsonb_agg(jsonb_build_object('severity', f->'severity', 'code', f->'code', 'case', f->'case',"
        " 'line', f->'line', 'column', NULL, 'field', f->'field', 'article', '', 'values', '{}'::jsonb)), '[]')"
        " FROM jsonb_array_elements(%(expressions)s) f WHERE f->>'severity' = 'error')"
    )
    output_field = JSONField()


def report_lines(reports: QuerySet[Report]) -> Sequence[ReportLine]:
    """Reports with their newest version, without the bytes of its file. 2 queries."""
    found = list(reports)
    versions = (
        ReportVersion.objects.filter(report__in=[report.pk for report in found])
        .alias(newest=Max("report__versions__number"))
        .filter(number=F("newest"))
        .annotate(error_findings=ErrorFindings("findings"))
        .defer("content", "reading", "findings", "results")
    )
    by_report = {version.report_id: version for version in versions}
    return [ReportLine(report, by_report[report.pk]) for report in found if report.pk in by_report]


def announced_tournament(number: int) -> Tournament | None:
    """A tournament that was announced, withdrawn or not. 1 query."""
    return Tournament.objects.announced().filter(pk=number).first()


def announced_tournaments(announcements: Iterable[Tournament]) -> QuerySet[Tournament]:
    """These announcements as a field of choices takes them. 1 query."""
    return Tournament.objects.announced().filter(pk__in=[announcement.pk for announcement in announcements])


class AnnouncementState(StrEnum):
    """What became of an announcement: reported once there is a report of it, a draft too."""

    ANNOUNCED = "announced"
    REPORTED = "reported"
    WITHDRAWN = "withdrawn"


def followed_announcements(user: User, *states: AnnouncementState) -> QuerySet[Tournament]:
    """Announced tournaments of a person or their federation, each with its `state`, latest first; only in these states.

    1 query.
    """
    mine = Q(announced_by=user)
    if user.federation_id:
        mine |= Q(country=user.federation_id)
    has_report = Exists(Report.objects.filter(announcement=OuterRef("pk")))
    state = Case(
        When(withdrawn_at__isnull=False, then=Value(AnnouncementState.WITHDRAWN)),
        When(has_report, then=Value(AnnouncementState.REPORTED)),
        default=Value(AnnouncementState.ANNOUNCED),
    )
    followed = Tournament.objects.announced().filter(mine).annotate(state=state)
    return followed.filter(state__in=states or AnnouncementState).order_by("-played_from", "-pk")


def open_announcements(user: User) -> list[Tournament]:
    """Those of `followed_announcements` that wait for a report, by first day. 1 query."""
    waiting = followed_announcements(user, AnnouncementState.ANNOUNCED)
    return list(waiting.select_related("country", "announced_by").order_by("played_from", "pk"))


def announcements_to_change(user: User) -> list[Tournament]:
    """The announcements of a person, their federation or for the office all, latest tournament first. 1 query.

    At most MOST_ANNOUNCEMENTS. `reported` says whether there is a report, `submitted` whether it was submitted.
    """
    reports = Report.objects.filter(announcement=OuterRef("pk"))
    submitted = reports.filter(first_submitted_at__isnull=False).exclude(state=Report.State.WITHDRAWN)
    found = Q(announced_by=user)
    if user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id:
        found |= Q(country=user.federation_id)
    if user.has_role(*OFFICE_ROLES):
        found = Q()
    return list(
        Tournament.objects.announced()
        .filter(found)
        .select_related("country", "announced_by")
        .annotate(reported=Exists(reports), submitted=Exists(submitted))
        .order_by("-played_from", "-pk")[:MOST_ANNOUNCEMENTS]
    )


@dataclass(frozen=True)
class ChangedLine:
    """A line of two versions side by side; number and text are None where a side has no line."""

    old_number: int | None
    old: str | None
    new_number: int | None
    new: str | None

    @property
    def is_same(self) -> bool:
        return self.old == self.new

    def length(self, most: int) -> int:
        """The number of characters of both sides, at most `most` of each."""
        return min(len(self.old or ""), most) + min(len(self.new or ""), most)


def difference(old: Sequence[str], new: Sequence[str]) -> list[list[ChangedLine]]:
    """The differences of two texts, in spans with two lines before and after; none for equal texts.

    Lines that occur once in each text align the two. The lines between them are compared closely if they are few. So
    the cost grows with the length of the texts, not with its square: hundreds of replaced or moved lines in a row are
    shown as replaced one by one.
    """
    lines: list[ChangedLine] = []
    pairs_left = MOST_PAIRS_IN_ALL
    old_from, new_from = 0, 0
    for old_at, new_at in [*_anchors(old, new), (len(old), len(new))]:
        pairs = (old_at - old_from) * (new_at - new_from)
        closely = pairs <= min(MOST_PAIRS, pairs_left)
        pairs_left -= pairs if closely else 0
        lines += _between(old, new, range(old_from, old_at), range(new_from, new_at), closely=closely)
        if old_at < len(old) and new_at < len(new):
            lines.append(ChangedLine(old_at + 1, old[old_at], new_at + 1, new[new_at]))
        old_from, new_from = old_at + 1, new_at + 1
    spans: list[list[ChangedLine]] = []
    shown_to = 0
    for place, line in enumerate(lines):
        if not line.is_same:
            start = max(place - CONTEXT_LINES, shown_to)
            if not spans or start > shown_to:
                spans.append([])
            spans[-1] += lines[start : place + 1 + CONTEXT_LINES]
            shown_to = max(shown_to, min(place + 1 + CONTEXT_LINES, len(lines)))
    return spans


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The places of lines that occur once in each text, as many as are in one order (patience difference)."""
    once = {line for line, times in Counter(old).items() if times == 1}
    once &= {line for line, times in Counter(new).items() if times == 1}
    place_in_new = {line: place for place, line in enumerate(new) if line in once}
    ends: list[int] = []  # for each length of a chain the smallest place in the new text at which one ends
    chains: list[tuple[int, int, Any]] = []
    for place, line in enumerate(old):
        if line in once:
            at = place_in_new[line]
            length = bisect_left(ends, at)
            ends[length : length + 1] = [at]
            before = chains[length - 1] if length else None
            chains[length : length + 1] = [(place, at, before)]
    anchors = []
    chain = chains[-1] if chains else None
    while chain is not None:
        anchors.append(chain[:2])
        chain = chain[2]
    return anchors[::-1]


def _between(
    old: Sequence[str], new: Sequence[str], old_part: range, new_part: range, *, closely: bool
) -> list[ChangedLine]:
    """The lines of two parts side by side; a close comparison aligns similar lines."""
    old_lines, new_lines = [old[place] for place in old_part], [new[place] for place in new_part]
    steps = [(0, len(old_lines), 0, len(new_lines))]
    if closely:
        matcher = SequenceMatcher(None, old_lines, new_lines, autojunk=False)
        steps = [step[1:] for step in matcher.get_opcodes()]
    return [
        ChangedLine(
            old_part[left] + 1 if left < old_to else None,
            old_lines[left] if left < old_to else None,
            new_part[right] + 1 if right < new_to else None,
            new_lines[right] if right < new_to else None,
        )
        for old_from, old_to, new_from, new_to in steps
        for left, right in zip(
            range(old_from, old_from + max(old_to - old_from, new_to - new_from)),
            range(new_from, new_from + max(old_to - old_from, new_to - new_from)),
            strict=True,
        )
    ]


def announcement_choices(report: Report) -> list[Tournament]:
    """The announcements to choose from: the report's own, and those of its referee without a report. 1 query."""
    own = report.announcement
    return [*([own] if own else []), *open_announcements(report.submitted_by)]
