"""From a report file to its standings, without the register and without storing anything."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from reporting.federations.registry import rules_of_report
from reporting.formats.tournament_details.sidecar import Sidecar
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.parse import read_upload, with_file
from reporting.rules.checks import check_games
from reporting.rules.details.merge_tournament_details import complete_details, tie_breaks_of
from reporting.rules.details.sessions import in_rounds
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding, Severity
from reporting.rules.regulations.editions import cited
from reporting.rules.regulations.rating_differences import rating_differences_e2
from reporting.rules.report import PointsScale, ReadReport
from reporting.rules.standings.classify import (
    RoundPointsError,
    Standings,
    TeamsOnlyError,
    TieBreakNotDefinedError,
    UnknownKeyError,
    classify,
)
from reporting.rules.standings.cross_table import Counting, cross_table
from reporting.rules.standings.teams import NoTeamsError, NotTeamMatchesError, team_table


@dataclass(frozen=True)
class ClassifiedFile:
    """A file as read, what was found about its games, and its standings; None where a finding is an error."""

    read: ReadReport
    findings: tuple[Finding, ...]
    standings: Standings | None


def classify_file(
    *,
    content: bytes,
    sidecar: Sidecar,
    keys: Sequence[str],
    unplayed: str = "",
    edition: str = "",
    system: str = "",
    today: date,
) -> ClassifiedFile:
    """Read a report file and classify its players by the tie-breaks named by `keys`.

    Without keys, and without a method for unplayed games, those of the details hold, or of the file; `system` is the
    system of play where the details do not say it. An empty `edition` is that of the last day. Raises DomainError
    `unknown_tie_break`, `tie_break_not_defined`, `round_points_only`, `tie_break_of_teams`, `no_teams`,
    `not_team_matches` or `busy`.
    """
    read = read_upload(content=content, sidecar=sidecar).read
    sidecar = with_file(sidecar, read)
    details, counting = sidecar.details, sidecar.counting
    if details is not None:
        details, _ = complete_details(details, read.info)
        counting = details.counting
    rules = rules_of_report(*((details.rating_system, details.discipline) if details else ("", "")))
    counting = replace(counting, default_tie_breaks=rules.details.default_tie_breaks)
    read = in_rounds(read, counting.session, has_rounds=rules.has_rounds)
    return classify_report(
        read,
        details,
        counting=counting,
        scale=details.points_scale if details else sidecar.points or read.info.points or PointsScale.WHOLE,
        keys=keys,
        unplayed=unplayed,
        edition=edition,
        system=system,
        today=today,
    )


def classify_report(
    read: ReadReport,
    details: TournamentDetails | None,
    *,
    counting: Counting,
    scale: PointsScale,
    keys: Sequence[str],
    unplayed: str = "",
    edition: str = "",
    system: str = "",
    today: date,
) -> ClassifiedFile:
    """Classify a report that was read, its games in their rounds; otherwise as `classify_file`."""
    rating_system, discipline = (details.rating_system, details.discipline) if details else ("", "")
    rules = rules_of_report(rating_system, discipline)
    found = check_games(read, details, today=today, counting=counting, rules=rules)
    has_errors = any(finding.severity is Severity.ERROR for finding in found)
    has_standings = bool(read.format) and not has_errors
    shown = found if found or has_standings else read.findings
    findings = cited(read.grouped_findings(shown), discipline, rating_system)
    if not has_standings:
        return ClassifiedFile(read, findings, None)
    system = system or (details.system if details else "") or read.info.system
    table = cross_table(read, scale=scale, system=system, counting=counting)
    if system == "teams":
        try:
            table = team_table(table, read)
        except NoTeamsError as refused:
            raise DomainError("no_teams", number=refused.number) from None
        except NotTeamMatchesError as refused:
            raise DomainError("not_team_matches", round=refused.round, number=refused.number) from None
    try:
        standings = classify(
            table,
            list(keys) or list(details.standings if details else tie_breaks_of(read.info)),
            unplayed=unplayed or (details.unplayed if details else ""),
            edition=edition,
            last_day=(details.played_to if details else None) or read.info.played_to,
            rating_differences_e2=rating_differences_e2(rules.system),
        )
    except UnknownKeyError as refused:
        raise DomainError("unknown_tie_break", found=refused.found, known=", ".join(refused.known)) from None
    except TeamsOnlyError as refused:
        raise DomainError("tie_break_of_teams", keys=str(refused)) from None
    except RoundPointsError as refused:
        raise DomainError("round_points_only", keys=str(refused)) from None
    except TieBreakNotDefinedError as refused:
        raise DomainError("tie_break_not_defined", keys=str(refused)) from None
    return ClassifiedFile(read, findings, standings)
