"""Who the players of a report are: by their FMJD-ID, else by name and federation (R20, R21, R24)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import CharField, F, Func, Value

from reporting.formats.values import FORMS_OF_ANNEX_9, ReportedPlayer
from reporting.models import Player, Report, Tournament
from reporting.rules.checks import check_new_player
from reporting.rules.facts import TournamentFacts
from reporting.rules.findings import NAME_RULES, Finding, Severity, error, in_file_order, warning
from reporting.rules.folding import folded
from reporting.services.parse import Submission


@dataclass(frozen=True)
class Matching:
    """The players of a report by their number: a player of the register, or None for a newcomer.

    `findings` are all findings of the submission, those that hung on the matching settled.
    """

    players: Mapping[int, Player | None]
    findings: tuple[Finding, ...]

    @property
    def has_errors(self) -> bool:
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def match_players(submission: Submission) -> Matching:
    """Match every player of a submission in two queries.

    An FMJD-ID, from the file or the facts, decides. Program exports carry none: there a name that, folded, stands
    exactly once in the register under the same federation is that player; otherwise the referee is asked. In the
    forms that ask for the ID a player without one is a newcomer, and so is whom the facts call one; a registered
    namesake is a warning.
    """
    reported = submission.read.players
    named_ids = dict(submission.facts.players) if submission.facts else {}
    ids = {player.number: named_ids.get(player.number) or player.fmjd_id for player in reported}
    by_id = {
        player.fmjd_id: player
        for player in Player.objects.filter(fmjd_id__in=[number for number in ids.values() if number])
    }
    namesakes = _namesakes([player for player in reported if not ids[player.number]])
    carries_ids = submission.read.format in FORMS_OF_ANNEX_9
    newcomers = submission.facts.newcomers if submission.facts else {}

    players: dict[int, Player | None] = {}
    findings: list[Finding] = []
    for player in reported:
        fmjd_id = ids[player.number]
        if fmjd_id:
            players[player.number] = by_id.get(fmjd_id)
            if fmjd_id not in by_id:
                findings.append(_unknown_id(player, fmjd_id))
            else:
                findings += _differences(player, by_id[fmjd_id])
            continue
        candidates = namesakes[_key(player)]
        compatriots = [known for known in candidates if known.federation_id == player.federation_code]
        if carries_ids or player.number in newcomers:
            players[player.number] = None
            if candidates:
                findings.append(_looks_like(player, candidates))
            if not carries_ids:
                findings += check_new_player(player)
        elif len(compatriots) == 1:
            players[player.number] = compatriots[0]
        else:
            players[player.number] = None
            findings.append(_not_identified(player, candidates))
            # A name that breaks the rules is forgiven to a player the register knows, not to a stranger (R20).
            findings += [finding for finding in check_new_player(player) if finding.code in NAME_RULES]
    findings += _same_person_twice(submission, players)
    if submission.facts and submission.facts.corrects and corrected_tournament(submission.facts) is None:
        findings.append(_corrects_nothing(submission.facts.corrects))
    named = submission.read.name_cells(findings)
    return Matching(players, in_file_order([*submission.findings, *named]))


def corrected_tournament(facts: TournamentFacts | None) -> Tournament | None:
    """The accepted tournament, as it was first accepted, that a report puts right by its facts. 0 or 1 query."""
    if facts is None or not facts.corrects:
        return None
    accepted = Tournament.objects.filter(reports__state=Report.State.ACCEPTED)
    return accepted.filter(code=facts.corrects, correction=0).first()


def _corrects_nothing(code: str) -> Finding:
    return error(
        "corrects-unknown",
        "No report of a tournament of this code has been accepted, so there is nothing to correct.",
        field="corrects",
        found=code,
        expected="the code in the address of the tournament's page",
        suggestion="Look the tournament up, or leave this fact out if the report is its first.",
    )


def _key(player: ReportedPlayer) -> str:
    """Folded words of the name in order of the alphabet, so that `Last, First` and `First Last` are one."""
    return " ".join(sorted(folded(player.name).split()))


def _namesakes(reported: list[ReportedPlayer]) -> Mapping[str, list[Player]]:
    found: defaultdict[str, list[Player]] = defaultdict(list)
    wanted = {_key(player) for player in reported}
    if wanted:
        # The key of a whole register is not made for a few names: the first word of the surname narrows it.
        first_word = Func(F("sort_name"), Value(r"^\w+"), function="regexp_substr", output_field=CharField())
        known = Player.objects.filter(fmjd_id__isnull=False)
        words = {word for key in wanted for word in key.split()}
        for player in known.alias(first_word=first_word).filter(first_word__in=words):
            key = " ".join(sorted(folded(player.printed_name).split()))
            if key in wanted:
                found[key].append(player)
    return found


def _unknown_id(player: ReportedPlayer, fmjd_id: int) -> Finding:
    return error(
        "fmjd-id-unknown",
        f"No player has the FMJD-ID {fmjd_id}.",
        line=player.line,
        column=player.column("fmjd_id"),
        field="fmjd_id",
        found=str(fmjd_id),
        expected="the number of a registered player, or 0 for a new one",
        suggestion=f"Look {player.name} up in the register; a newcomer gets his number when the report is accepted.",
    )


def _differences(player: ReportedPlayer, known: Player) -> list[Finding]:
    """Where the report and the register say different things of one person (R21)."""
    pairs = [
        (
            "name",
            player.name,
            known.printed_name,
            _key(player) != " ".join(sorted(folded(known.printed_name).split())),
        ),
        (
            "country",
            player.federation_code or player.federation,
            known.federation_id,
            bool(player.federation_code) and player.federation_code != known.federation_id,
        ),
        ("sex", player.sex, known.sex, bool(player.sex and known.sex) and player.sex != known.sex),
        (
            "born",
            str(player.born_year),
            str(known.birth_year),
            bool(player.born_year and known.birth_year) and player.born_year != known.birth_year,
        ),
    ]
    return [
        warning(
            "register-differs",
            f"The {field} of FMJD-ID {known.fmjd_id} is another in the register.",
            line=player.line,
            column=player.column(field),
            field=field,
            found=found,
            expected=expected,
            suggestion="If the FMJD-ID is right, say whether the register or the report is to be mended.",
        )
        for field, found, expected, differs in pairs
        if differs
    ]


def _looks_like(player: ReportedPlayer, candidates: list[Player]) -> Finding:
    return warning(
        "looks-registered",
        f"{player.name} has no FMJD-ID here, but a player of that name has one.",
        line=player.line,
        column=player.column("fmjd_id"),
        field="fmjd_id",
        found="0",
        expected=" or ".join(
            f"{known.fmjd_id} ({known.printed_name}, {known.federation_id})" for known in candidates
        ),
        suggestion="If it is the same person, give the FMJD-ID; if not, say so.",
    )


def _not_identified(player: ReportedPlayer, candidates: list[Player]) -> Finding:
    several = len(candidates) > 1
    return error(
        "player-not-identified",
        f"{player.name} ({player.federation or 'no federation'}) "
        + (
            "can be more than one player of the register."
            if several
            else "is not in the register under that name."
        ),
        line=player.line,
        column=player.column("name"),
        field="name",
        found=player.name,
        expected="one player of the register"
        + "".join(f"; {known.fmjd_id} {known.printed_name}, {known.federation_id}" for known in candidates),
        suggestion=f"Give the FMJD-ID of number {player.number} in the facts, under [players].",
    )


def _same_person_twice(submission: Submission, players: Mapping[int, Player | None]) -> list[Finding]:
    first: dict[int, ReportedPlayer] = {}
    findings = []
    for reported in submission.read.players:
        player = players.get(reported.number)
        if player is None:
            continue
        if player.pk in first:
            findings.append(
                error(
                    "player-entered-twice",
                    f"{player.printed_name} is entered twice, as number {first[player.pk].number} and "
                    f"number {reported.number}.",
                    line=reported.line,
                    column=reported.column("name"),
                    field="name",
                    found=reported.name,
                    expected="each player once",
                    suggestion="Correct the FMJD-ID of one of the two.",
                )
            )
        first.setdefault(player.pk, reported)
    return findings
