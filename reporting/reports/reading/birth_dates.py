"""Compare the dates of birth of a report with the register, only at its submission (R21, R22a)."""

from collections import Counter

from django.db.models import Q
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.models import LogEntry, PersonalData, Player, ReportVersion, User
from reporting.models.locks import take_birth_dates_lock
from reporting.reports.reading.parse import Submission
from reporting.reports.reading.validate import Matching
from reporting.rules.findings.finding_list import MAX_FINDINGS, Finding, finding
from reporting.rules.regulations.editions import cited
from reporting.rules.report import ReportedPlayer

MAX_ATTEMPTS = 3
"""Submissions a day from one federation that can find that a player's date of birth differs. Our figure."""

DIFFERS, NOT_COMPARED = "birth-date-differs", "birth-date-not-compared"
ACTION = "report.compare_birth_dates"


def compare_birth_dates(
    *, version: ReportVersion, submission: Submission, matching: Matching, by: Actor
) -> tuple[Finding, ...]:
    """A warning for each player whose date of birth differs from the register, and a note for each not compared.

    Compared are the players who have a date of birth in the report and in the register, of the same (public) year. No
    finding has a date. A finding that the version has already is not a new attempt; any other warning is one, and is
    logged by player, without a date. After MAX_ATTEMPTS attempts today on a player's date, by the account or others of
    its federation but not by commands, that date is not compared, whether it is right or not. At most 4 queries, none
    if no date is given. The caller locks the report and commits the log with the answer.
    """
    given: dict[ReportedPlayer, Player] = {}
    for player in submission.read.players:
        known = matching.players.get(player.number)
        if player.born and known and known.birth_year == player.born.year:
            given[player] = known
    if not given:
        return ()
    take_birth_dates_lock()
    earlier = {found.line for found in earlier_birth_date_findings(version) if found.code == DIFFERS}
    attempts = Counter[str]() if by.by_command else _attempts_today(by.user)
    over = [
        player
        for player, known in given.items()
        if player.line not in earlier and attempts[known.address] >= MAX_ATTEMPTS
    ]
    compared = given.keys() - set(over)
    born = dict(PersonalData.objects.filter(player__in=given.values()).values_list("player", "born"))
    differ = [
        player
        for player, known in given.items()
        if player in compared and born.get(known.pk, player.born) != player.born
    ]
    differ = differ[: MAX_FINDINGS - len(matching.findings)]
    over = over[: MAX_FINDINGS - len(matching.findings) - len(differ)]
    new = sorted(given[player].address for player in differ if player.line not in earlier)
    if new or over:
        number = version.number + 1
        logged = {"differ": new, "not_compared": sorted(given[player].address for player in over)}
        after = {"version": number} | {name: players for name, players in logged.items() if players}
        record(by=by, action=ACTION, subject=f"report {version.report_id}", after=after)
    found = [_about(DIFFERS, player, given[player]) for player in differ]
    found += [_about(NOT_COMPARED, player, given[player]) for player in over]
    rating_system, discipline = submission.regulations
    return cited(submission.read.grouped_findings(found), discipline, rating_system)


def earlier_birth_date_findings(version: ReportVersion) -> list[Finding]:
    """The findings about dates of birth of an earlier submission of this version's file; they stay."""
    codes = (DIFFERS, NOT_COMPARED)
    return [Finding.from_json(stored) for stored in version.findings if stored["code"] in codes]


def _attempts_today(by: User) -> Counter[str]:
    """How often each player's date was found to differ today for a person or their federation. 1 query.

    Today in the office's time zone.
    """
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    people = Q(actor=by)
    if by.federation_id is not None:
        people |= Q(actor__federation=by.federation_id)
    entries = LogEntry.objects.filter(people, action=ACTION, at__gte=midnight, by_command=False)
    return Counter(
        address for after in entries.values_list("after", flat=True) for address in after.get("differ", ())
    )


def _about(code: str, player: ReportedPlayer, known: Player) -> Finding:
    return finding(
        code,
        line=player.line,
        column=player.column("born"),
        field="born",
        label=known.number.register.number_label,
        number=str(known.number.value),
    )
