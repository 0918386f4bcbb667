"""The register of players for the office: search, filters, and the record of a player with its history.

Docstrings give the number of queries. Searches and look-alikes read only the names that can match (similar_players.py).
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, Sum
from django.db.models.functions import Extract, Length
from django.utils import timezone

from reporting.models import (
    Entry,
    Federation,
    FederationMembership,
    LogEntry,
    PersonalData,
    Player,
    PlayerIdentity,
    PlayerMerge,
    PlayerQuerySet,
    PlayerTitle,
    RegisterChange,
    RegisterUpload,
    Report,
    Role,
    User,
)
from reporting.models.player_title import PlayerTitleQuerySet
from reporting.models.register import ERASED_SORT_NAME
from reporting.policies import can_see_all_players
from reporting.register.similar_players import names_that_can_match, similar_players
from reporting.rules.names.look_alikes import Person, Reason
from reporting.rules.names.name_search import NameSearch
from reporting.rules.register.registers import (
    Register,
    first_register,
    other_registers,
    register_by_code,
    register_of_games,
    register_of_new_players,
    registers,
    registers_of_systems,
)
from reporting.rules.register.titles import discipline_titles, titles_by_field

PLAYERS_PER_PAGE = 100
MAX_HISTORY_LINES = 200
NUMBER = re.compile(r"[0-9]{1,20}")


def federation_names() -> list[tuple[str, str]]:
    """Code and name of every federation, by name. 1 query."""
    return list(Federation.objects.order_by("name").values_list("code", "name"))


def waiting_upload(user: User) -> RegisterUpload | None:
    """The table that a person uploaded and neither imported nor discarded, without its content. 1 query."""
    return RegisterUpload.objects.filter(uploaded_by=user).defer("content").first()


def uploaded_table(user: User, number: int) -> RegisterUpload | None:
    """This table of a person, with its content. 1 query."""
    return RegisterUpload.objects.filter(pk=number, uploaded_by=user).first()


def players_by_number(register: Register, numbers: Iterable[int]) -> dict[int | None, Player]:
    """The players with these numbers of a register. 1 query."""
    return {player.number_in(register): player for player in Player.objects.with_numbers(register, numbers)}


def register_changes() -> int:
    """A value that changes with any name, number or merge of the register. 1 query."""
    return RegisterChange.objects.count()


def title_changes() -> tuple[date | int | str, ...]:
    """Values that change with the titles held: with each new or ended title, and with the day. 1 query.

    Rows are counted: the highest key would miss what commits after a later act.
    """
    days = Sum(Extract("withdrawn_on", "epoch"))
    titles = PlayerTitle.objects.aggregate(all=Count("pk"), ended=Count("withdrawn_on"), days=days)
    return timezone.localdate(), titles["all"], titles["ended"], str(titles["days"])


def visible_players(user: User) -> PlayerQuerySet:
    """The players whom a person may see: all, or those of the person's federation, without erased players."""
    players = Player.objects.exclude(sort_name__startswith=ERASED_SORT_NAME)
    if can_see_all_players(user):
        return players
    if user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id is not None:
        return players.filter(federation=user.federation_id)
    return players.none()


def visible_addresses(user: User, addresses: Collection[str]) -> set[str]:
    """The addresses of players among these whom a person may see. 1 query a register; none for the office."""
    if can_see_all_players(user):
        return set(addresses)
    by_register: dict[str, list[str]] = {}
    for address in addresses:
        code, _, number = address.rpartition("-")
        by_register.setdefault(code or first_register().code, []).append(number)
    return {
        player.address
        for register in registers()
        if register.code in by_register
        for player in visible_players(user).with_numbers(register, by_register[register.code])
    } & set(addresses)


# --- search


@dataclass(frozen=True)
class RegisterFilters:
    """The filters of the register, already validated; an empty field does not filter."""

    federation: str = ""
    sex: str = ""
    title: str = ""
    born: int | None = None
    number: str = ""


NOT_KNOWN = "none"
"""As a filter of sex, title or number: players without one; of a register that is not the first `none-<code>`."""


def filtered_players(players: PlayerQuerySet, filters: RegisterFilters) -> PlayerQuerySet:
    """The players that match the filters."""
    if filters.federation:
        players = players.filter(federation=filters.federation)
    if filters.sex:
        players = players.filter(sex="" if filters.sex == NOT_KNOWN else filters.sex)
    held = PlayerTitle.objects.held_on(timezone.localdate()).filter(player=OuterRef("pk"))
    if filters.title == NOT_KNOWN:
        players = players.filter(~Exists(held))
    elif filters.title:
        players = players.filter(Exists(held.filter(title=filters.title)))
    if filters.born is not None:
        players = players.filter(birth_year=filters.born or None)
    if filters.number:
        kind, _, code = filters.number.partition("-")
        numbered = players.in_register(register_by_code(code or first_register().code))
        players = players.exclude(pk__in=numbered) if kind == NOT_KNOWN else numbered
    return players


@dataclass(frozen=True)
class NumberMatch:
    """A number by which a search found a player; `is_whole` is false where it only starts with the typed digits."""

    register: Register
    is_whole: bool


Match = str | NumberMatch
"""Why a search found a player: how the name is similar, or a number; empty for an exact match."""


def find_players(players: PlayerQuerySet, typed: str) -> dict[int, Match]:
    """The players that match a typed name or number: key → match, best first.

    1 query for a number: one in any register, or the start of one; at most 2 for a name.
    """
    if NUMBER.fullmatch(typed):
        return _found_by_number(players, typed)
    rows = names_that_can_match(players, [typed])
    names = NameSearch([name for _, name in rows])
    found: dict[int, Match] = {rows[match.place][0]: match.reason for match in names.find(typed)}
    if not found and any(letter.isdecimal() for letter in typed):
        return _found_by_number(players, typed)
    return found


def find_players_of_names(players: PlayerQuerySet, names: Sequence[str], *, most: int) -> list[list[int]]:
    """The keys of players for each name, best first: with all its words, else with its longest one.

    At most 4 queries.
    """
    found = _keys_of_names(players, names)
    longest = {
        name: max(name.replace(",", " ").split(), key=len, default="")
        for name, keys in found.items()
        if not keys
    }
    found_by_one = _keys_of_names(players, list(longest.values()))
    return [(found[name] or found_by_one[longest[name]])[:most] for name in names]


def _keys_of_names(players: PlayerQuerySet, names: Sequence[str]) -> dict[str, list[int]]:
    """The keys of the players whom each search by name finds, best first. At most 2 queries."""
    rows = names_that_can_match(players, names)
    search = NameSearch([name for _, name in rows])
    return {name: [rows[match.place][0] for match in search.find(name)] for name in names}


def _found_by_number(players: PlayerQuerySet, typed: str) -> dict[int, Match]:
    """Players whose number in a register is the typed one or starts with it. 1 query.

    The number in the first register comes first where it is the typed one, then other registers, then numbers in the
    first register that only start with it.
    """
    without_zeros = typed.lstrip("0") or typed
    identities = PlayerIdentity.objects.filter(
        Q(number__istartswith=typed) | Q(number__istartswith=without_zeros), player__in=players
    )
    by_code = {register.code: register for register in registers()}
    exact: dict[int, Match] = {}
    others: dict[int, Match] = {}
    started: dict[int, Match] = {}
    for key, code, number in identities.order_by(Length("number"), "number", "pk").values_list(
        "player", "register", "number"
    ):
        is_whole = number.casefold() in (typed.casefold(), without_zeros.casefold())
        if code == first_register().code:
            (exact if is_whole else started)[key] = "" if is_whole else NumberMatch(by_code[code], is_whole)
        else:
            others.setdefault(key, NumberMatch(by_code[code], is_whole))
    # Numbers in other registers come first, also where the number in the first one starts with the digits.
    return exact | {key: match for key, match in (others | started | others).items() if key not in exact}


@dataclass(frozen=True)
class FoundPlayer:
    """A player found by a search, with the match."""

    player: Player
    match: Match


@dataclass(frozen=True)
class RegisterPage:
    """A page of the found players, and how many there are in total; page 1 of 0 players is empty."""

    players: Sequence[FoundPlayer]
    total: int
    page: int
    pages: int


def register_page(players: PlayerQuerySet, typed: str, page: int) -> RegisterPage:
    """A page of these players: by name, or those that match the typed text, best first. 2 to 4 queries.

    A number above the last page gives the last page.
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
    return RegisterPage(
        [FoundPlayer(player, found.get(player.pk, "")) for player in shown],
        total,
        page,
        pages,
    )


def players_found(players: PlayerQuerySet, typed: str) -> list[FoundPlayer]:
    """All of these players, as `register_page` has them. 1 to 3 queries."""
    players = players.order_by("sort_name", "pk")
    if not typed:
        return [FoundPlayer(player, "") for player in players]
    found = find_players(players, typed)
    by_key = Player.objects.in_bulk(found)
    return [FoundPlayer(by_key[key], match) for key, match in found.items()]


# --- one player


@dataclass(frozen=True)
class PlayerRecord:
    """The editable values of a player.

    `titles` are those of now by the fields of `rules/register/titles.py`, empty without one; `numbers` those in
    registers without a rating system, by register, and those that a federation gives itself as long as the player has
    none there.
    """

    last_name: str
    first_name: str
    federation: str
    sex: str
    birth_year: int | None
    born: date | None
    titles: Mapping[str, str]
    numbers: Mapping[str, str]

    def with_values(self, values: Mapping[str, Any]) -> "PlayerRecord":
        """The record with some of its values changed, by the names of `values`."""
        titles = {name: values.get(name, title) for name, title in self.titles.items()}
        numbers = {code: values.get(code, number) for code, number in self.numbers.items()}
        own = {name: value for name, value in values.items() if name not in titles and name not in numbers}
        return replace(self, **own, titles=titles, numbers=numbers)

    @property
    def digest(self) -> str:
        """A digest of all values: two records with the same digest are equal."""
        return hashlib.sha256(repr(self.values).encode()).hexdigest()[:32]

    @property
    def values(self) -> dict[str, Any]:
        """The values by field, each title by its own, each number by its register."""
        of_several = ("titles", "numbers")
        own = {
            field.name: getattr(self, field.name) for field in fields(self) if field.name not in of_several
        }
        return {**own, **self.titles, **self.numbers}

    @property
    def printed_name(self) -> str:
        """`Last, First`, as lists print it."""
        return f"{self.last_name}, {self.first_name}" if self.first_name else self.last_name


def record_of(player: Player) -> PlayerRecord:
    """The current record of a player. 4 queries."""
    last_name, first_name, federation, sex, birth_year = Player.objects.values_list(
        "last_name", "first_name", "federation_id", "sex", "birth_year"
    ).get(pk=player.pk)
    titles = dict.fromkeys(discipline_titles(), "") | titles_of([player.pk])[player.pk]
    known = dict(PlayerIdentity.objects.filter(player=player).values_list("register", "number"))
    numbers = {
        register.code: known.get(register.code, "")
        for register in (*registers_of_systems(), *other_registers())
        if register in other_registers() or not (register.numbers_by_acceptance or register.code in known)
    }
    born = PersonalData.objects.filter(player=player).values_list("born", flat=True).first()
    return PlayerRecord(last_name, first_name, federation, sex, birth_year, born, titles, numbers)


def titles_of(players: Collection[int], day: date | None = None) -> dict[int, dict[str, str]]:
    """The titles of players on a day, today if none is given: player's key → field of the discipline → title. 1 query.

    Of an open title and a women's title in one discipline it is the higher.
    """
    held: dict[int, list[tuple[str, str, str]]] = {player: [] for player in players}
    titles = PlayerTitle.objects.held_on(day or timezone.localdate()).filter(player__in=players)
    for player, *title in titles.values_list("player_id", "awarded_by", "discipline", "title"):
        held[player].append((title[0], title[1], title[2]))
    return {player: titles_by_field(own) for player, own in held.items()}


NEWEST_TITLES = 50
ALL_TITLES = Q()


def known_titles() -> PlayerTitleQuerySet:
    """Every title that counted on a day, of players who are in the register by their own record."""
    merged = PlayerMerge.objects.filter(undone_at=None).values("duplicate")
    return PlayerTitle.objects.exclude(registered_on__isnull=False, registered_on=F("withdrawn_on")).exclude(
        Q(player__in=merged) | Q(player__sort_name=ERASED_SORT_NAME)
    )


def newest_titles(of: Q = ALL_TITLES) -> Sequence[PlayerTitle]:
    """The titles registered last, the newest first: of all players, or of some of them. 1 query."""
    titles = known_titles().filter(of, registered_on__lte=timezone.localdate())
    return list(titles.select_related("player__federation").order_by("-registered_on", "-pk")[:NEWEST_TITLES])


@dataclass(frozen=True)
class MembershipSpan:
    """A federation of a player, from a day (None: since ever known) up to, not including, another (None: now)."""

    federation: str
    since: date | None
    until: date | None


def membership_history(player: Player) -> list[MembershipSpan]:
    """The federations of a player, oldest first, without replaced statements. 1 query."""
    rows = FederationMembership.objects.filter(player=player).order_by("pk")
    spans: list[MembershipSpan] = []
    for row in sorted(rows, key=lambda row: row.since or date.min):
        if row.since is not None and row.since == row.until:
            continue
        since = row.since
        if spans and spans[-1].federation == row.federation_id:
            since = spans.pop().since
        spans.append(MembershipSpan(row.federation_id, since, row.until))
    return spans


def subject_of(player: Player) -> str:
    """The subject of audit entries about an edit of the player."""
    return f"player {player.number.register.code} {player.number.value}"


@dataclass(frozen=True)
class HistoryLine:
    """An act on a player's record: the changed fields by their names in the log, with value before and after."""

    entry: LogEntry
    changes: Sequence[tuple[str, Any, Any]]

    @property
    def merged_with(self) -> list[str]:
        """Addresses of the records of a merge or an undone merge; empty for other acts."""
        if self.entry.action not in ("player.merge", "player.undo_merge"):
            return []
        return [after or before for _, before, after in self.changes]


def history_of(player: Player) -> list[HistoryLine]:
    """The acts on a player's record, newest first, at most MAX_HISTORY_LINES. 1 query.

    An act names a player by the number of an import, or by the first number that the player had at the time.
    """
    subjects = {f"player {number.register.code} {number.value}" for number in player.all_numbers}
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
    """How a player came into the register: with an accepted report, or by an import (no report)."""

    report: Report | None
    entry: LogEntry | None


def register_origin(player: Player) -> RegisterOrigin:
    """The report that added a player, and its acceptance that gave the number. 2 queries, none without a report."""
    if player.entered_by_report_id is None:
        return RegisterOrigin(None, None)
    report = Report.objects.select_related("result_set").get(pk=player.entered_by_report_id)
    acts = LogEntry.objects.filter(subject=f"report {report.pk}", action="report.accept")
    acts = acts.select_related("actor").order_by("at", "pk")
    number = (
        player.number_in(
            register_of_new_players(
                register_of_games(report.result_set.rating_system, report.result_set.discipline)
            )
        )
        if report.result_set
        else None
    )
    return RegisterOrigin(
        report, next((act for act in acts if number in act.after.get("newcomers", ())), None)
    )


@dataclass(frozen=True)
class ReportedEntry:
    """A player's line in an accepted report, with the report."""

    entry: Entry
    report: Report | None


def entries_of(player: Player) -> list[ReportedEntry]:
    """The accepted reports with a player, newest tournament first. 2 queries."""
    entries = list(
        Entry.objects.filter(player=player)
        .select_related("result_set")
        .order_by("-result_set__played_to", "-result_set__number", "-result_set__revision")
    )
    reports = {
        report.result_set_id: report
        for report in Report.objects.filter(
            result_set__in=[entry.result_set_id for entry in entries], state=Report.State.ACCEPTED
        )
    }
    return [ReportedEntry(entry, reports.get(entry.result_set_id)) for entry in entries]


@dataclass(frozen=True)
class PossibleDuplicate:
    """Another record that may be the same person, with the similarities."""

    player: Player
    reasons: Sequence[Reason]


def possible_duplicates(player: Player, seen: PlayerQuerySet) -> list[PossibleDuplicate]:
    """The records among those seen that look like this player, most likely first. 3 queries."""
    merged = PlayerMerge.objects.filter(undone_at=None).values("duplicate")
    others = seen.exclude(pk=player.pk).exclude(pk__in=merged)
    wanted = Person(player.pk, player.sort_name, player.federation_id, player.birth_year, player.sex)
    similar, players = similar_players([wanted], others)
    return [PossibleDuplicate(players[found.number], found.reasons) for found in similar[player.pk]]


def merges_of(player: Player) -> list[PlayerMerge]:
    """The merges in force with a player's record on either side, oldest first. 1 query."""
    merges = PlayerMerge.objects.filter(Q(duplicate=player) | Q(surviving=player), undone_at=None)
    return list(merges.select_related("duplicate", "surviving", "merged_by").order_by("pk"))
