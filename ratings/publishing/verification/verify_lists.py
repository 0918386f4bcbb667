"""Verify everything published: files, digests, chain, rows, changes, histories. Nothing is written."""

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Q

from ratings.federations.registry import edition_in_force
from ratings.inputs.held_rows import held_digest
from ratings.inputs.in_force import lists_in_force
from ratings.models import PlayerHistory, Pool, PublishedFile, RatingList
from ratings.publishing.verification.verification_texts import words
from ratings.publishing.verification.verified_list import HISTORY, LIST, VerifiedList
from ratings.publishing.verification.verify_calculation import verify_by_files, verify_calculation
from ratings.publishing.verification.verify_files import verify_files
from ratings.publishing.verification.verify_rows import verify_names, verify_order, verify_sums
from ratings.queries.time_controls import clocks_in_list
from ratings.queries.tournaments import tournaments_of
from ratings.rules.derived_lists import birth_years
from reporting.models import Game, Player

HISTORY_FIGURES = ("rating", "change", "period_games", "games", "category", "rank", "official_rank")


def verify_lists(pool: Pool | None = None, *, recalculate: bool = False) -> Iterator[VerifiedList]:
    """Compare every published list, of one pool or of all, oldest first; see `verify_list`."""
    lists = RatingList.objects.filter(state=RatingList.State.PUBLISHED)
    if pool is not None:
        lists = lists.filter(pool=pool)
    for rating_list in lists.select_related("pool", "period", "previous", "correction__replaces").order_by(
        "pool_id", "in_force", "revision"
    ):
        yield verify_list(rating_list, recalculate=recalculate)


def verify_list(rating_list: RatingList, *, recalculate: bool = False) -> VerifiedList:
    """Compare the parts of one published list with each other; all differences at once.

    Files against their digests and against the rows they were made from, signatures and chain, order and ranks (R12,
    R13), sums of players' changes and carried points (R9), reports against their digests, histories. With `recalculate`
    the inputs are read and every figure is recalculated. Nothing is written; damage that prevents a comparison is a
    difference too.
    """
    register = rating_list.report_rules.register
    numbers = dict(Player.objects.in_register(register).values_list("pk", f"numbers__{register.code}"))
    numbers |= rating_list.register_rows.values_list("player", f"numbers__{register.code}")
    verified = VerifiedList(rating_list, numbers)
    checks: list[Callable[[VerifiedList], None]] = [
        verify_files, _verify_list_itself, verify_order, verify_names, verify_sums, _verify_reports,
        _verify_histories,
    ]  # fmt: skip
    if recalculate and rating_list.period is not None:
        checks += [verify_calculation, verify_by_files]
    for check in checks:
        try:
            check(verified)
        except Exception as error:  # damage of any kind is reported, and the other checks continue
            step = words(check.__name__.removeprefix("_"))
            verified.expect(step, "all", f"{type(error).__name__}: {error}", words("a_comparison"))
    return verified


def _verify_list_itself(verified: VerifiedList) -> None:
    rating_list, period = verified.rating_list, verified.rating_list.period
    signed = PublishedFile.objects.filter(list=rating_list, name="figures.csv").first()
    digest = hashlib.sha256(bytes(signed.content)).hexdigest() if signed else ""
    lines = bytes(signed.content).decode(errors="replace").splitlines() if signed else []
    previous, correction = rating_list.previous, rating_list.correction
    norms = PublishedFile.objects.filter(list=rating_list, name="norms.csv").first()
    chain = f",{rating_list.address},{previous.sha256 if previous else ''}"
    if held := held_digest(rating_list):
        chain += f",{held}"
    if norms is not None:
        chain += f",{hashlib.sha256(bytes(norms.content)).hexdigest()}"
    if len(lines) > 1:
        verified.expect("figures.csv", "previous_sha256", lines[1][-len(chain) :], chain)
    expected: dict[str, Any] = {
        "sha256": digest,
        "approved_sha256": digest,
        "published_sha256": digest,
        "previous_sha256": previous.sha256 if previous else "",
        "previous_id": rating_list.input_lists[-1] if rating_list.input_lists else None,
        "edition": edition_in_force(rating_list.rating_system, rating_list.in_force).id,
        "is_opening": period is None,
        "revision": correction.replaces.revision + 1 if correction else 1,
        "players": len(verified.rows),
        "official_players": sum(row.official_position is not None for row in verified.rows),
        "federations": sorted({row.federation for row in verified.rows}),
    }
    if period is not None:
        lines_counted = rating_list.manifest
        expected |= {
            "in_force": period.in_force,
            "closing": period.closing,
            "pool_id": period.pool_id,
            "tournaments": lines_counted.count(),
            "games": _played_games(rating_list),
        }
    for column, value in expected.items():
        verified.expect(LIST, column, getattr(rating_list, column), value)
        verified.compared["columns of the list"] += 1


def _played_games(rating_list: RatingList) -> int:
    """The played games of its tournaments, of sessions those of its pool (R25). 2 queries."""
    tournaments = tournaments_of(rating_list)
    clocks = {seconds for one in tournaments for _, seconds in clocks_in_list(one, rating_list)}
    played = Game.objects.filter(result_set__in=[one.pk for one in tournaments], played=True)
    return played.filter(Q(seconds_for_60_moves=None) | Q(seconds_for_60_moves__in=clocks)).count()


def _verify_reports(verified: VerifiedList) -> None:
    lines = verified.rating_list.manifest
    for line in (
        lines.select_related("version", "result_set").defer("version__reading").iterator(chunk_size=50)
    ):
        verified.compared["reports"] += 1
        digest = hashlib.sha256(bytes(line.version.content)).hexdigest()
        where = words("report", tournament=line.result_set.code)
        verified.expect(where, "sha256", line.version.sha256, digest)


def _verify_histories(verified: VerifiedList) -> None:
    """A player's history has the newest revision of each list; a replaced revision has none."""
    rating_list = verified.rating_list
    newest = [one.pk for one in lists_in_force(rating_list.pool_id) if one.in_force == rating_list.in_force]
    rows = {row.player_id: row for row in verified.rows} if newest == [rating_list.pk] else {}
    history = {row.player_id: row for row in PlayerHistory.objects.filter(list_id=rating_list.pk)}
    of_federation, derived = _ranks_of_groups(rating_list, list(rows.values()))
    for player in dict.fromkeys([*rows, *history]):
        verified.compared["histories"] += 1
        number, row, entry = verified.numbers.get(player), rows.get(player), history.get(player)
        if row is None or entry is None:
            verified.expect(HISTORY, "player_id", entry and number, row and number, number)
            continue
        verified.expect(HISTORY, "in_force", entry.in_force, rating_list.in_force, number)
        for column in HISTORY_FIGURES:
            verified.expect(HISTORY, column, getattr(entry, column), getattr(row, column), number)
        verified.expect(HISTORY, "federation_rank", entry.federation_rank, of_federation.get(player), number)
        ranks = {name: group[player] for name, group in derived.items() if player in group}
        verified.expect(HISTORY, "derived_ranks", entry.derived_ranks, ranks, number)


def _ranks_of_groups(
    rating_list: RatingList, rows: list[Any]
) -> tuple[dict[int, int], dict[str, dict[int, int]]]:
    """Player → rank among the official players of the federation, and for each derived list player → rank (R13)."""
    federations: dict[str, dict[int, int]] = {}
    for row in rows:
        if row.official_position is not None:
            federations.setdefault(row.federation, {})[row.player_id] = row.rating
    of_federation = {player: rank for group in federations.values() for player, rank in _ranks(group).items()}
    derived = {}
    for one in rating_list.rules.derived_lists:
        first, last = birth_years(one, rating_list.in_force.year)
        group = {
            row.player_id: row.rating
            for row in rows
            if (not one.sex or row.sex == one.sex)
            and (first is None or (row.birth_year is not None and row.birth_year >= first))
            and (last is None or (row.birth_year is not None and row.birth_year <= last))
        }
        derived[one.name] = _ranks(group)
    return of_federation, derived


def _ranks(ratings: dict[int, int]) -> dict[int, int]:
    """Equal ratings share the best rank."""
    ordered = sorted(ratings.values())
    return {player: 1 + len(ordered) - bisect_right(ordered, rating) for player, rating in ratings.items()}
