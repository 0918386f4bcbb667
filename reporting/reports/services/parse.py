"""From bytes to values and findings: what the file and the facts beside it say, before the register is asked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from reporting.formats.reader_process import Reading
from reporting.formats.tournament_details_file import read_details, read_format_choices, read_people
from reporting.regulations import edition_on
from reporting.reports.services.read_file import read_file
from reporting.rules.checks import check_report
from reporting.rules.findings import Finding
from reporting.rules.merge_tournament_details import complete_details
from reporting.rules.report import ReadReport, ReportedPlayer
from reporting.rules.tournament_details import NewPlayer, TournamentDetails


@dataclass(frozen=True)
class Submission:
    """A report file with its facts, read.

    `details` are those of the sidecar, supplied by the file where the sidecar is silent; None where they can't be
    told. `newcomers` are whom they call new to the register, also while other facts are missing. `findings` are all
    findings that need no register (R20 to R22); `read.told` says them to people.
    """

    read: ReadReport
    details: TournamentDetails | None
    newcomers: Mapping[int, NewPlayer]
    findings: tuple[Finding, ...]


def read_upload(*, content: bytes, sidecar: bytes) -> Reading:
    """Read a file with the encoding and the scale of points that the facts beside it choose.

    In a process of its own, so never with a lock held. Raises DomainError `busy`.
    """
    encoding, points = read_format_choices(sidecar)
    return read_file(content, encoding=encoding, points=points)


def read_submission(*, read: ReadReport, sidecar: bytes, today: date) -> Submission:
    """Hold what was read of a file against the facts beside it. Never raises for what is in either.

    `today` is the day, in the office's zone, on which a report whose facts name no other counts as handed in.
    """
    details, findings = read_details(sidecar)
    found = [*read.findings, *findings]
    if details is not None:
        details, differences = complete_details(details, read.info)
        found += differences
    fmjd_ids, newcomers = read_people(sidecar)
    if (
        details is None
    ):  # whole facts are held against the file's own IDs; of broken ones the choice of people holds
        read = replace(
            read,
            players=tuple(
                replace(player, fmjd_id=fmjd_ids.get(player.number, player.fmjd_id))
                for player in read.players
            ),
        )
    read = replace(
        read, players=tuple(_as_told(player, newcomers.get(player.number)) for player in read.players)
    )
    found += check_report(read, details, today=today, edition_on=edition_on)
    return Submission(read, details, newcomers, tuple(found))


def _as_told(player: ReportedPlayer, told: NewPlayer | None) -> ReportedPlayer:
    """The player with what the facts say of him as a newcomer; as printed where they say nothing."""
    if told is None:
        return player
    return replace(
        player,
        last_name=told.last_name or player.last_name,
        first_name=told.first_name or player.first_name,
        federation_code=told.country or player.federation_code,
        sex=told.sex or player.sex,
        born=told.born or player.born,
        born_year=told.born.year if told.born else player.born_year,
    )
