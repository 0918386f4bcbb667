"""From bytes to values and findings: the file and its tournament details, before the register is used."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

from reporting.federations.facet import ReportRules
from reporting.federations.registry import rules_of_report
from reporting.formats.reader_process import Reading
from reporting.formats.tournament_details.sidecar import Sidecar, read_sidecar
from reporting.reports.reading.read_file import read_file
from reporting.rules.checks import check_report
from reporting.rules.details.known_details import details_of, details_type, known_details
from reporting.rules.details.merge_tournament_details import complete_details
from reporting.rules.details.sessions import in_rounds
from reporting.rules.details.shared_details import NewPlayer
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import Finding, Severity
from reporting.rules.register.countries import country_code
from reporting.rules.register.registers import Register
from reporting.rules.report import PointsScale, ReadReport, ReportedPlayer


@dataclass(frozen=True)
class Submission:
    """A report file with its tournament details, read.

    `details` are those of the sidecar, completed by the file; None if they cannot be read. The players of `read` have
    the data that the details give of new players, also while other details are missing. The games of a session are in
    their rounds (R25), while the file has a round for each game. `found` are the findings of the readers, `entered`
    the details that are not missing where they cannot be read, with those values that can, `today` the day of receipt.
    """

    read: ReadReport
    details: TournamentDetails | None
    found: tuple[Finding, ...]
    entered: Mapping[str, Any]
    today: date

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings that need no register (R20 to R22); `read.grouped_findings` groups them for people.

        Checked when first asked for: of a stored version pages show the findings stored with it.
        """
        details = self.details
        checked = check_report(
            self.read,
            details,
            given=self.entered,
            today=self.today,
            rules=self.rules,
        )
        used = details_of(type(details) if details else details_type(self.entered))
        return tuple(_asking(finding, used) for finding in (*self.found, *checked))

    @property
    def points_scale(self) -> PointsScale:
        """The scale by which points of the tournament are printed; 2-1-0 while its details cannot be read."""
        return self.details.points_scale if self.details else PointsScale.WHOLE

    @property
    def printed_scale(self) -> PointsScale:
        """The scale of the points column of the file."""
        chosen = self.details.points if self.details else self.read.info.points
        return chosen or self.points_scale

    @cached_property
    def regulations(self) -> tuple[str, str]:
        """Its rating system and discipline, also while other details cannot be read; empty where not given."""
        if self.details is not None:
            return self.details.rating_system, self.details.discipline
        named = (self.entered.get("rating_system"), self.entered.get("discipline"))
        rating_system, discipline = (value if isinstance(value, str) else "" for value in named)
        return rating_system, discipline

    @cached_property
    def rules(self) -> ReportRules:
        """The rules of its federation; the first ones while it is not known."""
        return rules_of_report(*self.regulations)

    @property
    def register(self) -> Register:
        """The register whose numbers the report gives: that of its rating system."""
        return self.rules.register


def read_upload(*, content: bytes, sidecar: Sidecar) -> Reading:
    """Read a file with the encoding and the points scale that its details choose.

    In a separate process, so never while a lock is held. Raises DomainError `busy`.
    """
    return read_file(content, encoding=sidecar.encoding, points=sidecar.points)


def with_file(sidecar: Sidecar, read: ReadReport) -> Sidecar:
    """The sidecar, which may lack the time control where the report file has it."""
    if read.info.time_control and sidecar.details is None:
        return read_sidecar(sidecar.content, in_file={"time_control"})
    return sidecar


def read_submission(*, read: ReadReport, sidecar: Sidecar, today: date) -> Submission:
    """What was read of a file together with its details. Never raises for their content.

    `today` is the day, in the office's zone, on which a report counts as received unless its details name another.
    """
    sidecar = with_file(sidecar, read)
    details = sidecar.details
    lines = {player.number: player.line for player in read.players}
    found = [
        *(_of_info(finding, read, sidecar) for finding in read.findings),
        *(_at_player(finding, lines) for finding in sidecar.findings),
    ]
    if details is not None:
        details, differences = complete_details(details, read.info)
        found += differences
        rules = rules_of_report(details.rating_system, details.discipline)
        read = in_rounds(read, details.session, has_rounds=rules.has_rounds)
    players = read.players
    if details is None:
        # Details that can be read are checked against the IDs of the file; of others the choice of players counts.
        players = tuple(
            replace(player, fmjd_id=sidecar.fmjd_ids.get(player.number, player.fmjd_id)) for player in players
        )
    read = replace(
        read, players=tuple(_with_details(player, sidecar.newcomers.get(player.number)) for player in players)
    )
    if details is not None:
        read = _with_countries(read, details)
    # Where one detail cannot be read there are no details: those that are entered are not missing.
    entered = {name: sidecar.readable.get(name) for name in sidecar.entered} if details is None else {}
    return Submission(read, details, tuple(found), entered, today)


def _of_info(finding: Finding, read: ReadReport, sidecar: Sidecar) -> Finding:
    """An unreadable value of the tournament asks for its detail; where the details give it, it is a warning (R27).

    So it is where reports of the federation do not have the detail.
    """
    name = finding.field or ""
    place = read.info.positions.get(name)
    at = (finding.line, finding.column)
    if finding.severity is not Severity.ERROR or place is None or name not in known_details():
        return finding
    if at != place and (read.cells or finding.line != place[0]):
        return finding
    if name in sidecar.given or name not in details_of(details_type(sidecar.values)):
        return replace(finding, severity=Severity.WARNING)
    return replace(finding, asked_detail=name)


def _asking(finding: Finding, used: Collection[str]) -> Finding:
    """A finding about a detail itself asks for it; the people have a page of their own.

    No other one asks for a detail that reports of the federation do not have.
    """
    name = finding.field or ""
    if finding.asked_detail and finding.asked_detail not in used:
        return replace(finding, asked_detail="", proposed_value="")
    is_asked = name in known_details() and finding.step == "details"
    return replace(finding, asked_detail=name) if is_asked and not finding.asked_detail else finding


def _at_player(finding: Finding, lines: Mapping[int, int]) -> Finding:
    """The finding at the line of the player whose entry in the details it is about."""
    (line,) = {lines.get(number) for number in finding.about or ()} or {None}
    return finding if line is None else replace(finding, line=line)


def _with_countries(read: ReadReport, details: TournamentDetails) -> ReadReport:
    """The players, those without any number with the country of the tournament, else that of the register (U22)."""
    register = rules_of_report(details.rating_system, details.discipline).register
    country = country_code(details.country) or register.country
    if register.numbers_by_acceptance or not country:
        return read
    return replace(
        read,
        players=tuple(
            player
            if player.federation
            or player.federation_code
            or player.fmjd_id
            or player.other_numbers
            or player.number in details.players
            else replace(player, federation_code=country)
            for player in read.players
        ),
    )


def _with_details(player: ReportedPlayer, given: NewPlayer | None) -> ReportedPlayer:
    """The player as the details of a new player complete the printed ones."""
    if given is None:
        return player
    return replace(
        player,
        last_name=given.last_name or player.last_name,
        first_name=given.first_name or player.first_name,
        federation_code=given.country or player.federation_code,
        sex=given.sex or player.sex,
        born=given.born or player.born,
        born_year=given.born.year if given.born else player.born_year,
        is_new=True,
    )
