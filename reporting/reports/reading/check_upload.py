"""A report file checked as an upload does, for visitors, and not stored (docs/decisions/0088)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils import timezone

from reporting.formats.reader_process import Reading
from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.models import Player
from reporting.reports.reading.match_players import PlayerMatch, match_players
from reporting.reports.reading.parse import Submission, read_submission, read_upload
from reporting.reports.reading.validate import Matching, match_report
from reporting.rules.findings.finding_list import Finding


@dataclass(frozen=True)
class CheckedUpload:
    """A file as it was read and matched. `findings` name no report of other people.

    Nothing in it is of a player whom no published list names: such a player is matched by a number alone, `listed` are
    the others.
    """

    reading: Reading
    submission: Submission
    matching: Matching
    findings: Sequence[Finding]
    listed: Mapping[int, Player | None]


def check_upload(
    content: bytes, sidecar: bytes, *, published_players: Callable[[Collection[int]], set[int]]
) -> CheckedUpload:
    """The findings of a file with its details (TOML). At most 7 queries. Raises DomainError `busy`.

    `published_players` gives those of some keys of players whom published lists name.
    """
    details = read_sidecar(sidecar)
    reading = read_upload(content=content, sidecar=details)
    submission = read_submission(read=reading.read, sidecar=details, today=timezone.localdate())
    matches = match_players(submission)
    public = published_players({player.pk for match in matches for player in match.people})
    matching = match_report(
        submission, matches=[_as_published(match, public) for match in matches], public=public
    )
    findings = [finding for finding in matching.findings if finding.code != "looks-reported"]
    listed = {
        number: player if player is not None and player.pk in public else None
        for number, player in matching.players.items()
    }
    return CheckedUpload(reading, submission, matching, findings, listed)


def _as_published(match: PlayerMatch, public: Collection[int]) -> PlayerMatch:
    """A match without the players whom no published list names, but for one whose number the file has."""
    candidates = [candidate for candidate in match.candidates if candidate.player.pk in public]
    is_seen = match.player is not None and (match.number is not None or match.player.pk in public)
    return replace(
        match,
        player=match.player if is_seen else None,
        merged=match.merged if match.player is not None and match.player.pk in public else None,
        candidates=candidates,
        is_ambiguous=match.is_ambiguous and len(candidates) > 1,
    )
