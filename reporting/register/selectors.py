"""The register of players as those who keep it look at it: found, filtered, and each with what became of his record.

Each docstring tells what it costs in queries. The names are read whole and held against what was typed in the
process: 15,000 cost a tenth of a second, and no key is stored that a better spelling rule would make stale.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import date
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from reporting.models import (
    Entry,
    LogEntry,
    PersonalData,
    Player,
    PlayerIdentity,
    PlayerMerge,
    Report,
    Role,
    User,
)
from reporting.policies import can_see_all_players
from reporting.rules.look_alikes import Person, Reason, look_alikes
from reporting.rules.name_search import NameSearch

PLAYERS_PER_PAGE = 100
MAX_HISTORY_LINES = 200
ERASED = "erased player"
NUMBER = re.compile(r"[0-9]{1,20}")


def visible_players(user: User) -> QuerySet[Player]:
    """The players whom a person may look at: all, or those of his federation. Nobody who was erased is here."""
    players = Player.objects.exclude(sort_name__startswith=ERASED)
    if can_see_all_players(user):
        return players
    if user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None:
        return players.filter(federation=user.federation_id)
    return players.none()


def visible_fmjd_ids(user: User, numbers: Collection[int | None]) -> set[int | None]:
    """Those of these FMJD-IDs whose owners a person may know. 1 query; none for the office and without numbers."""
    if can_see_all_players(user):
        return set(numbers)
    return set(visible_players(user).filter(fmjd_id__in=numbers).values_list("fmjd_id", flat=True))


# --- finding


@dataclass(frozen=True)
class RegisterFilters:
    """Which players are asked for; every field has been checked, empty ones ask nothing."""

    federation: str = ""
    sex: str = ""
    title: str = ""
    born: int | None = None
    fmjd_id: str = ""


NOT_KNOWN = "none"
"""As a sex, a title or an FMJD-ID asked for: players without one."""


def filtered_players(players: QuerySet[Player], filters: RegisterFilters) -> QuerySet[Player]:
    """Those of the players whom the filters leave."""
    if filters.federation:
        players = players.filter(federation=filters.federation)
    if filters.sex:
        players = players.filter(sex="" if filters.sex == NOT_KNOWN else filters.sex)
    if filters.title == NOT_KNOWN:
        players = players.filter(title="", title_64="")
    elif filters.title:
        players = players.filter(Q(title=filters.title) | Q(title_64=filters.title))
    if filters.born is not None:
        players = players.filter(birth_year=filters.born or None)
    if filters.fmjd_id:
        players = players.filter(fmjd_id__isnull=filters.fmjd_id == NOT_KNOWN)
    return players


def find_players(players: QuerySet[Player], typed: str) -> dict[int, str]:
    """Those of the players whom somebody means by a name or a number: key → why, empty where it is plain; best first.

    1 query for a name, 2 for a number: an FMJD-ID, the beginning of one, or a number in another register.
    """
    if NUMBER.fullmatch(typed):
        return _found_by_number(players, typed)
    rows = list(players.order_by("pk").values_list("pk", "sort_name"))
    names = NameSearch([name for _, name in rows])
    found = {rows[each.place][0]: each.reason for each in names.find(typed)}
    if not found and any(letter.isdecimal() for letter in typed):
        return _of_another_register(players, typed)
    return found


def _found_by_number(players: QuerySet[Player], typed: str) -> dict[int, str]:
    digits = typed.lstrip("0") or "0"
    by_id = players.annotate(digits=Cast("fmjd_id", TextField())).filter(digits__startswith=digits)
    own = dict(by_id.order_by("fmjd_id").values_list("pk", "digits"))
    whole = {key: "" for key, fmjd_id in own.items() if fmjd_id == digits}
    begun = dict.fromkeys(own, "FMJD-ID begins so")
    others = _of_another_register(players, typed)
    return whole | {key: why for key, why in (others | begun | others).items() if key not in whole}


def _of_another_register(players: QuerySet[Player], typed: str) -> dict[int, str]:
    """Who has this number, or one that begins so, in another register than the FMJD's. 1 query."""
    without_zeros = typed.lstrip("0") or typed
    identities = PlayerIdentity.objects.filter(
        Q(number__istartswith=typed) | Q(number__istartswith=without_zeros), player__in=players
    )
    found: dict[int, str] = {}
    for key, register, number in identities.order_by("number", "pk").values_list(
        "player", "register", "number"
    ):
        is_whole = number.casefold() in (typed.casefold(), without_zeros.casefold())
        words = PlayerIdentity.Register(register).label
        found.setdefault(key, f"{words} number{'' if is_whole else ' begins so'}")
    return found


@dataclass(frozen=True)
class FoundPlayer:
    """A player of a page with the reason he was found for, and his numbers in other registers."""

    player: Player
    reason: str
    numbers: Sequence[PlayerIdentity]


@dataclass(frozen=True)
class RegisterPage:
    """A page of the players found, and how many there are in all; page 1 of 0 players is empty."""

    players: Sequence[FoundPlayer]
    total: int
    page: int
    pages: int


def register_page(players: QuerySet[Player], typed: str, page: int) -> RegisterPage:
    """A page of these players: by the alphabet, or what was typed and the best first. 3 or 4 queries.

    A page beyond the last one is the last one.
    """
    found = find_players(players, typed) if typed else {}
    total = len(found) if typed else players.count()
    pages = max(-(-total // PLAYERS_PER_PAGE), 1)
    page = min(page, pages)
    places = slice((page - 1) * PLAYERS_PER_PAGE, page * PLAYERS_PER_PAGE)
    if typed:
        keys = list(found)[places]
        by_key = {player.pk: player for player in Player.objects.filter(pk__in=keys)}
        shown = [by_key[key] for key in keys]
    else:
        shown = list(players.order_by("sort_name", "pk")[places])
    numbers = numbers_of(shown)
    return RegisterPage(
        [FoundPlayer(each, found.get(each.pk, ""), numbers.get(each.pk, ())) for each in shown],
        total,
        page,
        pages,
    )


def players_found(players: QuerySet[Player], typed: str) -> list[FoundPlayer]:
    """All of these players, as `register_page` has them. 2 to 4 queries."""
    players = players.order_by("sort_name", "pk")
    if not typed:
        numbers = numbers_of(players)
        return [FoundPlayer(each, "", numbers.get(each.pk, ())) for each in players]
    found = find_players(players, typed)
    by_key = Player.objects.in_bulk(found)
    numbers = numbers_of(by_key.values())
    return [FoundPlayer(by_key[key], reason, numbers.get(key, ())) for key, reason in found.items()]


def numbers_of(players: QuerySet[Player] | Iterable[Player]) -> dict[int, list[PlayerIdentity]]:
    """Player's key → his numbers in other registers, in their order. 1 query."""
    numbers: dict[int, list[PlayerIdentity]] = {}
    for each in PlayerIdentity.objects.filter(player__in=players).order_by("pk"):
        numbers.setdefault(each.player_id, []).append(each)
    return numbers


# --- one player


@dataclass(frozen=True)
class PlayerRecord:
    """Everything a person can change of a player, and nothing else; `national` to `iccf` are numbers elsewhere."""

    last_name: str
    first_name: str
    federation: str
    sex: str
    birth_year: int | None
    born: date | None
    title: str
    title_64: str
    national: str = ""
    knsb: str = ""
    fide: str = ""
    iccf: str = ""

    @property
    def digest(self) -> str:
        """Another one whenever anything of the record is another."""
        return hashlib.sha256(repr(astuple(self)).encode()).hexdigest()[:32]

    @property
    def printed_name(self) -> str:
        """`Last, First`, as lists print it."""
        return f"{self.last_name}, {self.first_name}" if self.first_name else self.last_name


def record_of(player: Player) -> PlayerRecord:
    """The record of a player as it stands at this moment. 3 queries."""
    last_name, first_name, federation, sex, birth_year, title, title_64 = Player.objects.values_list(
        "last_name", "first_name", "federation_id", "sex", "birth_year", "title", "title_64"
    ).get(pk=player.pk)
    numbers = dict(PlayerIdentity.objects.filter(player=player).values_list("register", "number"))
    born = PersonalData.objects.filter(player=player).values_list("born", flat=True).first()
    return PlayerRecord(last_name, first_name, federation, sex, birth_year, born, title, title_64, **numbers)


def subject_of(player: Player) -> str:
    """How the audit log names a player who is edited."""
    return f"player fmjd {player.fmjd_id}" if player.fmjd_id else f"player record {player.pk}"


@dataclass(frozen=True)
class HistoryLine:
    """An act on a player's record: each changed field by its name in the log, with what stood there and what came."""

    entry: LogEntry
    changes: Sequence[tuple[str, Any, Any]]

    @property
    def merged_with(self) -> list[int]:
        """FMJD-IDs of the records that the act merged with this one or parted from it; empty for other acts."""
        if self.entry.action not in ("player.merge", "player.undo_merge"):
            return []
        return [after or before for _, before, after in self.changes]


def history_of(player: Player, numbers: Sequence[PlayerIdentity]) -> list[HistoryLine]:
    """What was done to a player's record, the newest first, at most MAX_HISTORY_LINES. 1 query.

    Imports of another register name a player by his number there, and he may have had no FMJD-ID at first.
    """
    subjects = {subject_of(player), f"player record {player.pk}"}
    subjects |= {f"player {each.register} {each.number}" for each in numbers}
    acts = LogEntry.objects.filter(subject__in=subjects).select_related("actor").order_by("-at", "-pk")
    return [
        HistoryLine(
            act,
            [
                (field, act.before.get(field, ""), act.after.get(field, ""))
                for field in dict.fromkeys((*act.before, *act.after))
            ],
        )
        for act in acts[:MAX_HISTORY_LINES]
    ]


@dataclass(frozen=True)
class RegisterOrigin:
    """How a player came into the register: by the acceptance of a report, or unknown where no report brought him."""

    report: Report | None
    entry: LogEntry | None


def register_origin(player: Player) -> RegisterOrigin:
    """The report that brought a player, and its acceptance that gave him his FMJD-ID. 2 queries, none without."""
    if player.entered_by_report_id is None:
        return RegisterOrigin(None, None)
    report = Report.objects.select_related("tournament").get(pk=player.entered_by_report_id)
    acts = LogEntry.objects.filter(subject=f"report {report.pk}", action="report.accept")
    acts = acts.select_related("actor").order_by("at", "pk")
    return RegisterOrigin(
        report, next((act for act in acts if player.fmjd_id in act.after.get("newcomers", ())), None)
    )


@dataclass(frozen=True)
class ReportedEntry:
    """A player's line in an accepted report, with the report itself."""

    entry: Entry
    report: Report | None


def entries_of(player: Player) -> list[ReportedEntry]:
    """The accepted reports a player is in, the newest competition first. 2 queries."""
    entries = list(
        Entry.objects.filter(player=player)
        .select_related("tournament")
        .order_by("-tournament__played_to", "-tournament__number", "-tournament__correction")
    )
    reports = {
        report.tournament_id: report
        for report in Report.objects.filter(
            tournament__in=[each.tournament_id for each in entries], state=Report.State.ACCEPTED
        )
    }
    return [ReportedEntry(each, reports.get(each.tournament_id)) for each in entries]


@dataclass(frozen=True)
class PossibleDuplicate:
    """Another record that may be the same person, and why."""

    player: Player
    reasons: Sequence[Reason]


def possible_duplicates(player: Player, seen: QuerySet[Player]) -> list[PossibleDuplicate]:
    """Who of the players seen looks like this one, best first. 2 queries; the names are read whole."""
    columns = ("pk", "sort_name", "federation_id", "birth_year", "sex")
    gone = PlayerMerge.objects.filter(undone_at=None).values("duplicate")
    others = seen.exclude(pk=player.pk).exclude(pk__in=gone).order_by("pk").values_list(*columns)
    wanted = Person(player.pk, player.sort_name, player.federation_id, player.birth_year, player.sex)
    alike = look_alikes([wanted], [Person._make(row) for row in others])[player.pk]
    players: Mapping[int, Player] = Player.objects.in_bulk([each.number for each in alike])
    return [PossibleDuplicate(players[each.number], each.reasons) for each in alike]


def merges_of(player: Player) -> list[PlayerMerge]:
    """The merges in force that a player's record stands in, on either side, oldest first. 1 query."""
    merges = PlayerMerge.objects.filter(Q(duplicate=player) | Q(surviving=player), undone_at=None)
    return list(merges.select_related("duplicate", "surviving", "merged_by").order_by("pk"))
