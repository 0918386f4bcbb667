"""Match the players of a report with the register: once a version, and stored (docs/decisions/0035)."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from django.db import transaction

from reporting.formats.tournament_details import reader, sidecar
from reporting.log.acting_person import name_person
from reporting.models import (
    Entry,
    MatchedPlayers,
    Player,
    PlayerMerge,
    RegisterChange,
    Report,
    ReportVersion,
    ResultSet,
)
from reporting.register import similar_players
from reporting.reports.reading import parse
from reporting.reports.reading.parse import Submission
from reporting.reports.selectors.parts import earlier_parts
from reporting.rules.names import look_alikes, normalize_name, plain_text
from reporting.rules.names.look_alikes import LookAlike, Person, Reason
from reporting.rules.register.registers import OFFICE, Register, number_in_address, registers
from reporting.rules.report import ReportedPlayer, is_made_for_reports

MATCHED_BY = sha256(
    b"".join(
        Path(source).read_bytes()
        for source in (
            __file__,
            similar_players.__file__,
            look_alikes.__file__,
            normalize_name.__file__,
            plain_text.__file__,
            parse.__file__,
            reader.__file__,
            sidecar.__file__,
        )
    )
).hexdigest()[:16]
"""The code that decides who is who. What another release stored is not used."""


@dataclass(frozen=True)
class Candidate:
    """A player of the register who may be the one of the report, and why."""

    player: Player
    reasons: tuple[Reason, ...]

    def __str__(self) -> str:
        known = self.player
        born = f", {known.birth_year}" if known.birth_year else ""
        return f"{known.number} ({known.printed_name}, {known.federation_id}{born})"


@dataclass(frozen=True)
class PlayerMatch:
    """Who of the register a player of a report is.

    `player` is None for a new player and for one who is not identified. `number` is the one that the file or the
    details name, in the register of the tournament, or the address of a player without one; None for one who is known
    by the name; `merged` is its record
    where that is merged into the one of `player`. `candidates` are best first, for a player without a known number or
    with a different name in the register; `is_ambiguous` if several of them have the name and the federation of the
    report.
    """

    number: int | str | None = None
    player: Player | None = None
    merged: Player | None = None
    candidates: Sequence[Candidate] = ()
    is_ambiguous: bool = False

    @property
    def people(self) -> list[Player]:
        """Every player of the register whom the match names."""
        named = (self.player, self.merged, *(candidate.player for candidate in self.candidates))
        return [player for player in named if player is not None]


Matches = Sequence[PlayerMatch]
"""The matches of the players of a report, in the order of the report."""


def match_players(submission: Submission) -> Matches:
    """Match the players of a submission with the register. 5 queries, 2 if each has a known number and its name, and 1
    for each other register of which the report has numbers.

    A number, from the file or the details, decides; without one that of another register, where a player has it.
    Program exports have none: there a normalized name that is in the register exactly once, with the same federation,
    is that player. In the formats that have the ID a player without one is new, and so is a player whom the details
    name as new, unless the register has the number in the file.
    """
    reported = submission.read.players
    named_ids = dict(submission.details.players) if submission.details else {}
    register = submission.register
    of_countries = {other.country: other.code for other in registers() if other.country}
    others = {
        player.number: {of_countries.get(code, code): number for code, number in player.other_numbers.items()}
        for player in reported
    }
    ids = {
        player.number: named_ids.get(player.number)
        or player.fmjd_id
        or others[player.number].get(register.code)
        for player in reported
    }
    elsewhere = {
        number: [f"{code}-{other}" for code, other in others[number].items()]
        for number, known in ids.items()
        if not known
    }
    named = [number for number in ids.values() if number]
    records, by_id, merged = _registered(register, [*named, *chain.from_iterable(elsewhere.values())])
    ids |= {
        number: next((address for address in addresses if address in records), None)
        for number, addresses in elsewhere.items()
    }
    ids |= {player.number: None for player in reported if player.is_new and ids[player.number] not in by_id}
    names = [name_key(player) for player in reported]
    unclear = [
        player
        for player, name in zip(reported, names, strict=True)
        if (known := by_id.get(ids[player.number])) is None or name != key_of(known.sort_name)
    ]
    alike, registered = _look_alikes(register, unclear)
    in_tournament = _numberless_of_tournament(submission)
    lines_of = Counter(names)
    matches = []
    for player, name in zip(reported, names, strict=True):
        number = ids[player.number]
        same = in_tournament.get(name)
        if not number and not player.is_new and same is not None and lines_of[name] == 1:
            matches.append(PlayerMatch(player=same))
            continue
        found = alike.get(player.number, ())
        match = PlayerMatch(
            number,
            by_id.get(number) if number else None,
            merged.get(number),
            [
                Candidate(registered[look_alike.number], look_alike.reasons)
                for look_alike in found
                if registered[look_alike.number] != records.get(number)
            ],
        )
        if match.player is not None and len(match.candidates) < len(found):
            # The name in the register is the same one in a different spelling.
            match = replace(match, candidates=())
        elif not number and not is_new(submission, player):
            namesakes = [registered[look_alike.number] for look_alike in found if look_alike.same_name]
            match = _by_name(match, player, namesakes)
        matches.append(match)
    return matches


def _numberless_of_tournament(submission: Submission) -> Mapping[str, Player]:
    """The players without a number in the other reports of the tournament, by `name_key`: one name is one player (U22).

    None where acceptances give numbers, and for the first report of a tournament. 0 queries, else at most 3.
    """
    details = submission.details
    if details is None or submission.register.numbers_by_acceptance:
        return {}
    code = details.corrects
    if not code and details.part not in (None, 1):
        code = next((part.code for part in earlier_parts(details)[0].values()), "")
    if not code:
        return {}
    entries = Entry.objects.filter(
        result_set__tournament__code=code,
        result_set__reports__state=Report.State.ACCEPTED,
        player__numbers__has_key=OFFICE.code,
    )
    return {
        key_of(normalize_name.normalize_name(entry.reported_name)): entry.player
        for entry in entries.select_related("player").order_by("pk")
    }


def is_new(submission: Submission, player: ReportedPlayer) -> bool:
    """Whether a player without a number is a new one: the format has the numbers, the details say so, or the federation
    gives numbers itself (U22).
    """
    is_numbered_elsewhere = not submission.register.numbers_by_acceptance
    return player.is_new or is_numbered_elsewhere or is_made_for_reports(submission.read.format)


def name_key(player: ReportedPlayer) -> str:
    """Normalized words in alphabetical order, so that `Last, First` and `First Last` are equal."""
    return key_of(normalize_name.normalize_name(player.name))


def key_of(name: str) -> str:
    """The same of a normalized name."""
    return " ".join(sorted(name.replace(",", "").split()))


def reported_sort_name(player: ReportedPlayer) -> str:
    """As in the register, or without a comma if the format does not separate the surname."""
    if player.last_name:
        return normalize_name.sort_name(player.last_name, player.first_name)
    return normalize_name.normalize_name(player.name)


def _by_name(match: PlayerMatch, player: ReportedPlayer, namesakes: Sequence[Player]) -> PlayerMatch:
    """The match of a player of an export: the only candidate with the same name and federation."""
    compatriots = [known for known in namesakes if known.federation_id == player.federation_code]
    if len(compatriots) != 1:
        return replace(match, is_ambiguous=len(compatriots) > 1)
    others = [candidate for candidate in match.candidates if candidate.player is not compatriots[0]]
    return replace(match, player=compatriots[0], candidates=others)


_ByNumber = Mapping[int | str | None, Player]


def _registered(register: Register, numbers: Sequence[int | str]) -> tuple[_ByNumber, _ByNumber, _ByNumber]:
    """The records with these numbers, the players they are of, and the merged records. 2 queries.

    A number is one in this register, or the address of a player; 1 query more for each other register.
    """
    named: dict[int | str | None, Player] = {}
    own = [number for number in numbers if isinstance(number, int)]
    for player in Player.objects.with_numbers(register, own):
        named[player.number_in(register)] = player
    elsewhere: defaultdict[Register, dict[str, str]] = defaultdict(dict)
    for address in numbers:
        if isinstance(address, str) and (found := number_in_address(address)) is not None:
            elsewhere[found[0]][address] = found[1]
    for other, wanted in elsewhere.items():
        players = {
            str(player.number_in(other)): player
            for player in Player.objects.with_numbers(other, wanted.values())
        }
        named |= {address: players[number] for address, number in wanted.items() if number in players}
    merges = PlayerMerge.objects.filter(duplicate__in=named.values(), undone_at=None)
    surviving = {merge.duplicate_id: merge.surviving for merge in merges.select_related("surviving")}
    return (
        named,
        {number: surviving.get(player.pk, player) for number, player in named.items()},
        {number: player for number, player in named.items() if player.pk in surviving},
    )


def _look_alikes(
    register: Register, unclear: Sequence[ReportedPlayer]
) -> tuple[Mapping[int, Sequence[LookAlike]], Mapping[int, Player]]:
    """Look-alikes of these players, by tournament number, and the records that they number. 3 queries.

    Look-alikes are in the order of their numbers in this register, then those without one.
    """
    wanted = [
        Person(
            player.number, reported_sort_name(player), player.federation_code, player.born_year, player.sex
        )
        for player in unclear
    ]
    gone = PlayerMerge.objects.filter(undone_at=None).values("duplicate")
    return similar_players.similar_players(wanted, Player.objects.exclude(pk__in=gone), register)


def with_created_players(tournament: ResultSet, submission: Submission, matches: Matches) -> Matches:
    """The matches of an accepted report: its new players are the records of their entries. 0 queries or 1."""
    new = [
        player.number
        for player, match in zip(submission.read.players, matches, strict=True)
        if match.player is None
    ]
    if not new:
        return matches
    entries = tournament.entries.filter(number__in=new).select_related("player")
    created = {entry.number: entry.player for entry in entries}
    return [
        replace(match, player=created[player.number], candidates=()) if player.number in created else match
        for player, match in zip(submission.read.players, matches, strict=True)
    ]


# --- stored with the version


def match_version(version: ReportVersion, submission: Submission, *, store: bool) -> Matches:
    """The matched players of a stored version, as they are in the register now. At most 3 queries if they are stored.

    They are matched again if the register has changed since they were stored (RegisterChange), or the code. With
    `store` the new matches are stored; acts that hold locks only read them, so that no page waits for an act.
    """
    changes = RegisterChange.objects.count()
    stored = MatchedPlayers.objects.filter(
        version=version, register_changes=changes, matched_by=MATCHED_BY
    ).first()
    if stored is not None:
        return _load(stored.players)
    matches = match_players(submission)
    if store:
        store_matches(version, matches, changes)
    return matches


@transaction.atomic
def store_matches(version: ReportVersion, matches: Matches, changes: int) -> None:
    """Store the matches of a version. `changes` is the number of register changes before they were made. 1 query,
    and one that names the person, because a page that is only read stores them too.
    """
    name_person()
    MatchedPlayers.objects.bulk_create(
        [
            MatchedPlayers(
                version=version,
                register_changes=changes,
                matched_by=MATCHED_BY,
                players=[_to_stored(match) for match in matches],
            )
        ],
        update_conflicts=True,
        unique_fields=["version"],
        update_fields=["register_changes", "matched_by", "players"],
    )


def _to_stored(match: PlayerMatch) -> dict[str, Any]:
    stored = {
        "number": match.number,
        "player": match.player and match.player.pk,
        "merged": match.merged and match.merged.pk,
        "candidates": [[candidate.player.pk, candidate.reasons] for candidate in match.candidates],
        "is_ambiguous": match.is_ambiguous,
    }
    return {name: value for name, value in stored.items() if value}


def _load(stored: Sequence[Mapping[str, Any]]) -> Matches:
    """The stored matches with the present records of their players. 0 queries or 1."""
    wanted = {
        key
        for match in stored
        for key in (
            match.get("player"),
            match.get("merged"),
            *(player for player, _ in match.get("candidates", ())),
        )
        if key
    }
    players = Player.objects.in_bulk(wanted)
    return [
        PlayerMatch(
            match.get("number"),
            players[match["player"]] if "player" in match else None,
            players[match["merged"]] if "merged" in match else None,
            [
                Candidate(players[player], tuple(Reason(*reason) for reason in reasons))
                for player, reasons in match.get("candidates", ())
            ],
            match.get("is_ambiguous", False),
        )
        for match in stored
    ]
