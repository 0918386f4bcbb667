"""What the register says about each player of a report, whom the office or a visitor looks at (R20, R21, R22a)."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from django.db.models import Q

from reporting.models import FederationMembership, Player
from reporting.reports.reading.match_players import (
    Candidate,
    PlayerMatch,
    is_new,
    key_of,
    name_key,
)
from reporting.reports.reading.parse import Submission
from reporting.rules.checks import check_new_player
from reporting.rules.findings.catalogue import NAME_CODES
from reporting.rules.findings.finding_list import Finding, Severity, finding
from reporting.rules.report import ReportedPlayer, is_made_for_reports

MAX_COMPARED_FOR_VISITORS = 20
"""Players on no published list whom a visitor's file is compared with (docs/decisions/0088). Our figure."""


def player_findings(
    submission: Submission,
    matched: Sequence[tuple[ReportedPlayer, PlayerMatch]],
    public: Collection[int] | None,
) -> list[Finding]:
    """The findings about the players of a report, in its order. At most 1 query.

    `public` are the keys of the players whose values findings may name, as in `match_report`.
    """
    players = {player.number: match.player for player, match in matched}
    earlier = _earlier_federations(submission, players)
    compared = _compared_for_visitors(matched, public)
    findings: list[Finding] = []
    for place, (player, match) in enumerate(matched):
        if match.player is None or is_public(match.player, public):
            findings += _findings_of_player(submission, player, match, earlier)
        elif place not in compared or not _is_as_registered(player, match.player, earlier):
            findings.append(_differs_or_not_compared(player, match, submission.register.number_label))
    return findings


def _earlier_federations(submission: Submission, players: Mapping[int, Player | None]) -> dict[int, str]:
    """The federation on the first day of the tournament, by key of the player, of those who are of another one now.

    1 query for the players whose country in the report is not that of the register, none without any.
    """
    differ = [
        known.pk
        for player in submission.read.players
        if (known := players[player.number]) and player.federation_code not in ("", known.federation_id)
    ]
    day = submission.details.played_from if submission.details else None
    if not differ or day is None:
        return {}
    members = FederationMembership.objects.filter(Q(since=None) | Q(since__lte=day), until__gt=day)
    return dict(members.filter(player__in=differ).values_list("player", "federation"))


def is_public(player: Player | None, public: Collection[int] | None) -> bool:
    return player is None or public is None or player.pk in public


def _compared_for_visitors(
    matched: Sequence[tuple[ReportedPlayer, PlayerMatch]], public: Collection[int] | None
) -> set[int]:
    """The places in the report of the players on no published list who are compared with the register.

    Each line is one guess of a whole person: a name on several lines would find its number, several lines with one
    number its name, and a line without country or sex either of them alone.
    """
    if public is None:
        return set()
    lines_of_name = Counter(name_key(player) for player, _ in matched)
    lines_of = Counter(match.player.pk for _, match in matched if match.player)
    whole = [
        place
        for place, (player, match) in enumerate(matched)
        if match.player is not None
        and match.player.pk not in public
        and lines_of[match.player.pk] == lines_of_name[name_key(player)] == 1
        and player.federation_code
        and player.sex
    ]
    return set(whole[:MAX_COMPARED_FOR_VISITORS])


def _is_as_registered(player: ReportedPlayer, known: Player, earlier: Mapping[int, str]) -> bool:
    """Whether name, country and sex are all those of the register. No birth, so that none can be guessed (R22a)."""
    federation = earlier.get(known.pk, known.federation_id)
    return (name_key(player), player.federation_code, player.sex) == (
        key_of(known.sort_name),
        federation,
        known.sex,
    )


def _findings_of_player(
    submission: Submission, player: ReportedPlayer, match: PlayerMatch, earlier: Mapping[int, str]
) -> list[Finding]:
    """What the register says about one player of a report."""
    known, candidates = match.player, match.candidates
    label = submission.register.number_label
    if match.number and known is None:
        return [_unknown_id(player, match.number, candidates, label)]
    if match.number and known is not None:
        merged = [_merged(player, match.number, known, label)] if match.merged else []
        registered = [_new_but_registered(player, match.number, known, label)] if player.is_new else []
        federation = earlier.get(known.pk, known.federation_id)
        return [*merged, *registered, *_differences(player, known, candidates, federation)]
    if is_new(submission, player):
        reported = [_unknown_id_of_new(player, player.fmjd_id, label)] if player.fmjd_id else []
        similar = [_looks_like(player, candidates, label)] if candidates else []
        exported = not is_made_for_reports(submission.read.format)
        return [*reported, *similar, *(check_new_player(player, submission.register) if exported else ())]
    if known is not None:
        return []
    return [
        _not_identified(player, candidates, label, several=match.is_ambiguous),
        # A name that breaks the rules is only a warning for a registered player, an error for others (R20).
        *(found for found in check_new_player(player, submission.register) if found.code in NAME_CODES),
    ]


def _unknown_id(
    player: ReportedPlayer, number: int | str, candidates: Sequence[Candidate], label: str
) -> Finding:
    return finding(
        "fmjd-id-unknown",
        line=player.line,
        column=player.column("fmjd_id"),
        field="fmjd_id",
        found=str(number),
        label=label,
        name=player.name,
        candidates=_listed(candidates),
    )


def _unknown_id_of_new(player: ReportedPlayer, number: int | str, label: str) -> Finding:
    """A note for the office: the number stays what the report says, the player gets one of the register (R24)."""
    return finding(
        "fmjd-id-unknown.new",
        Severity.NOTE,
        line=player.line,
        column=player.column("fmjd_id"),
        field="fmjd_id",
        found=str(number),
        label=label,
    )


def _new_but_registered(player: ReportedPlayer, number: int | str, known: Player, label: str) -> Finding:
    return finding(
        "new-player-unknown.registered",
        line=player.line,
        column=player.column("fmjd_id"),
        field="fmjd_id",
        found=str(number),
        label=label,
        name=known.printed_name,
    )


def _merged(player: ReportedPlayer, number: int | str, known: Player, label: str) -> Finding:
    return finding(
        "fmjd-id-merged",
        line=player.line,
        column=player.column("fmjd_id"),
        field="fmjd_id",
        label=label,
        duplicate=str(number),
        surviving=str(known.number),
        name=known.printed_name,
    )


def _differences(
    player: ReportedPlayer, known: Player, candidates: Sequence[Candidate], federation: str
) -> list[Finding]:
    """Differences between the report and the register about one person (R21).

    The country is compared with the federation on the first day of the tournament. Of a birth only the public year; the
    day is compared at submission (birth_dates.py, R22a).
    """
    pairs = [
        ("name", "Name", player.name, known.printed_name, name_key(player) != key_of(known.sort_name)),
        (
            "country",
            "Country",
            player.federation_code or player.federation,
            federation,
            bool(player.federation_code) and player.federation_code != federation,
        ),
        ("sex", "Sex", player.sex, known.sex, bool(player.sex and known.sex) and player.sex != known.sex),
        (
            "born",
            "Year of birth",
            str(player.born_year),
            str(known.birth_year),
            bool(player.born_year and known.birth_year) and player.born_year != known.birth_year,
        ),
    ]
    return [
        finding(
            "register-differs",
            line=player.line,
            column=player.column(field),
            field=field,
            found=found,
            detail=label,
            registered=registered,
            label=known.number.register.number_label,
            number=str(known.number.value),
            candidates=_listed(candidates) if field == "name" else "",
        )
        for field, label, found, registered, differs in pairs
        if differs
    ]


def _differs_or_not_compared(player: ReportedPlayer, match: PlayerMatch, label: str) -> Finding:
    """The one answer to visitors about a player on no published list; it does not say which value, or where."""
    return finding(
        "register-differs.private",
        line=player.line,
        column=player.column("fmjd_id"),
        field="fmjd_id",
        found=str(match.number),
        label=label,
        number=str(match.number),
        limit=MAX_COMPARED_FOR_VISITORS,
    )


def _listed(candidates: Sequence[Candidate]) -> str:
    return "; ".join(str(candidate) for candidate in candidates)


def _looks_like(player: ReportedPlayer, candidates: Sequence[Candidate], label: str) -> Finding:
    return finding(
        "looks-registered",
        line=player.line,
        column=player.column("fmjd_id"),
        field="fmjd_id",
        label=label,
        candidates=_listed(candidates),
    )


def _not_identified(
    player: ReportedPlayer, candidates: Sequence[Candidate], label: str, *, several: bool
) -> Finding:
    return finding(
        "player-not-identified.several" if several else "player-not-identified",
        line=player.line,
        column=player.column("name"),
        field="name",
        found=player.name,
        label=label,
        number=player.number,
        candidates=_listed(candidates),
    )
