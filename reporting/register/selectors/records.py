"""The record of a player with its history, for the office.

Docstrings give the number of queries. Look-alikes read only the names that can match (similar_players.py).
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

from django.db.models import Q

from reporting.models import (
    Entry,
    FederationMembership,
    LogEntry,
    PersonalData,
    Player,
    PlayerIdentity,
    PlayerMerge,
    PlayerQuerySet,
    Report,
)
from reporting.register.selectors.titles import titles_of
from reporting.register.similar_players import similar_players
from reporting.rules.names.look_alikes import Person, Reason
from reporting.rules.register.registers import (
    other_registers,
    register_of_games,
    register_of_new_players,
    registers_of_systems,
)
from reporting.rules.register.titles import discipline_titles

MAX_HISTORY_LINES = 200


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


def entries_of(records: Collection[int]) -> list[ReportedEntry]:
    """The accepted reports with a player, who has these records (by id), newest tournament first. 2 queries."""
    entries = list(
        Entry.objects.filter(player__in=records)
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
    wanted = Person(player.pk, player.sort_name, player.federation_id, player.birth_year, player.sex)
    return possible_duplicates_of_persons([wanted], seen.exclude(pk=player.pk))[player.pk]


def possible_duplicates_of_persons(
    wanted: Sequence[Person], seen: PlayerQuerySet
) -> dict[int, list[PossibleDuplicate]]:
    """The same for each of several persons, by number. 3 queries, none without a person."""
    merged = PlayerMerge.objects.filter(undone_at=None).values("duplicate")
    similar, players = similar_players(wanted, seen.exclude(pk__in=merged))
    return {
        number: [PossibleDuplicate(players[found.number], found.reasons) for found in look_alikes]
        for number, look_alikes in similar.items()
    }


def merges_of(player: Player) -> list[PlayerMerge]:
    """The merges in force with a player's record on either side, oldest first. 1 query."""
    merges = PlayerMerge.objects.filter(Q(duplicate=player) | Q(surviving=player), undone_at=None)
    return list(merges.select_related("duplicate", "surviving", "merged_by").order_by("pk"))
