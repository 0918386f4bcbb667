"""The office enters medals of earlier championships, withdraws them, and records what happens to title matches."""

from datetime import date

from django.db import transaction
from django.utils import timezone

from reporting.log.audit import Actor, record
from reporting.models import Federation, Player
from reporting.models.locks import take_repeat_lock
from reporting.refusals.domain_error import DomainError
from reporting.rules.points import parse_points, result_text
from reporting.rules.report import PointsScale
from titles.federations.fmjd.champions.medals import all_podiums, reported_championship
from titles.federations.fmjd.champions.title_matches import Move, TitleMatch, title_matches
from titles.federations.fmjd.models import EnteredMedal, MedalWithdrawal, TitleMatchStep
from titles.federations.fmjd.rules.championship_kinds import ChampionshipKind
from titles.policies import check_can_enter_champions

FIRST_YEAR = 1850


@transaction.atomic
def enter_medal(
    *,
    kind: ChampionshipKind,
    year: int,
    place: int,
    source: str,
    by: Actor,
    player: Player | None = None,
    name: str = "",
    federation: Federation | None = None,
) -> EnteredMedal:
    """Enter a medal of a championship without a report here: of a player, of a printed name, or of a team.

    A team is a federation, or a printed name. Raises DomainError `forbidden`, `busy`, `year_outside`,
    `source_missing`, `medallist_missing`, `medallist_twice`, `medal_entered`, `championship_reported`,
    `title_match_recorded`.
    """
    check_can_enter_champions(by.user)
    take_repeat_lock(f"champions {kind.code}")
    name, source = " ".join(name.split()), source.strip()
    today = timezone.localdate()
    if not FIRST_YEAR <= year <= today.year:
        raise DomainError("year_outside", first=str(FIRST_YEAR), last=str(today.year))
    if not source:
        raise DomainError("source_missing")
    if player is not None and name:
        raise DomainError("medallist_twice")
    if kind.teams and (player is not None or not (name or federation)):
        raise DomainError("medallist_missing.team")
    if not kind.teams and player is None and not name:
        raise DomainError("medallist_missing")
    if code := reported_championship(kind, year):
        raise DomainError("championship_reported", tournament=code)
    same = EnteredMedal.objects.filter(championship=kind.code, year=year, withdrawal=None)
    of_team = {} if player or name else {"federation": federation}
    if same.filter(player=player, name=name, **of_team).exists():
        raise DomainError("medal_entered")
    before = _title_matches(kind)
    medal = EnteredMedal.objects.create(
        championship=kind.code,
        year=year,
        place=place,
        player=player,
        name=name,
        federation=federation,
        source=source,
        by=by.user,
    )
    _check_recorded(before, _title_matches(kind))
    record(
        by=by,
        action="champions.enter",
        subject=f"medal {medal.pk}",
        after={
            "championship": kind.code,
            "year": year,
            "place": place,
            "player": player.address if player else "",
            "name": name,
            "federation": federation.pk if federation else "",
            "source": source,
        },
    )
    return medal


@transaction.atomic
def withdraw_medal(*, medal: EnteredMedal, reason: str, by: Actor) -> MedalWithdrawal:
    """Withdraw a medal that was entered wrongly; the entry stays, with the reason.

    Raises DomainError `forbidden`, `busy`, `reason_missing`, `medal_withdrawn`, `title_match_recorded`.
    """
    check_can_enter_champions(by.user)
    kind = ChampionshipKind.of(medal.championship)
    take_repeat_lock(f"champions {kind.code}")
    if not reason.strip():
        raise DomainError("reason_missing")
    if MedalWithdrawal.objects.filter(medal=medal).exists():
        raise DomainError("medal_withdrawn")
    before = _title_matches(kind)
    withdrawal = MedalWithdrawal.objects.create(medal=medal, reason=reason.strip(), by=by.user)
    _check_recorded(before, _title_matches(kind))
    record(by=by, action="champions.withdraw", subject=f"medal {medal.pk}", reason=withdrawal.reason)
    return withdrawal


@transaction.atomic
def record_title_match(
    *,
    kind: ChampionshipKind,
    year: int,
    move: Move,
    on: date,
    by: Actor,
    player: Player | None = None,
    result: str = "",
    reason: str = "",
    seen: int | None = None,
) -> TitleMatchStep:
    """Record what happened to the title match after a championship: a refusal, the match, that it is not played.

    `player` is who refuses, or who won, and does not count for other moves; the other one of the two is the opponent.
    `Move.WITHDRAW` withdraws the newest entry that counts. `seen` is the newest step that the person saw, 0 for none
    (R24a). Raises DomainError `forbidden`, `busy`, `no_championship`, `preview_changed`, `title_match_ended`,
    `match_player_missing`, `no_right_to_match`, `result_missing`, `reason_missing`, `match_day_outside`,
    `nothing_to_withdraw`.
    """
    check_can_enter_champions(by.user)
    take_repeat_lock(f"champions {kind.code}")
    match = find_title_match(kind, year)
    if match is None:
        raise DomainError("no_championship")
    if seen is not None and seen != match.newest:
        raise DomainError("preview_changed")
    _check_match_day(match, on, year)
    result, reason = result.strip(), reason.strip()
    if move in {Move.CANCEL, Move.WITHDRAW} and not reason:
        raise DomainError("reason_missing")
    opponent, withdraws = None, None
    player = player if move in {Move.REFUSE, Move.PLAY} else None  # the form may have one for any move
    if move == Move.WITHDRAW:
        withdraws = match.last_in_force.written if match.last_in_force else None
        if withdraws is None:
            raise DomainError("nothing_to_withdraw")
    elif match.ended is not None:
        raise DomainError("title_match_ended")
    elif move in {Move.REFUSE, Move.PLAY}:
        other = _opponent_of(match, player)
        if move == Move.PLAY:
            opponent, result = other, _result_of(result)
    step = TitleMatchStep.objects.create(
        championship=kind.code,
        year=year,
        move=move,
        player=player,
        opponent=opponent,
        result=result if move == Move.PLAY else "",
        on=on,
        reason=reason,
        withdraws=withdraws,
        by=by.user,
    )
    record(
        by=by,
        action=f"title_match.{move}",
        subject=f"title-match {kind.code}-{year}",
        after={
            "championship": kind.code,
            "year": year,
            "on": on.isoformat(),
            "player": player.address if player else "",
            "result": step.result,
        },
        reason=reason,
    )
    return step


def _check_match_day(match: TitleMatch, on: date, year: int) -> None:
    """A step is of the year of the championship at the earliest, not before the step in force, nor in the future."""
    today, first = timezone.localdate(), date(year, 1, 1)
    if match.last_in_force:
        first = max(first, match.last_in_force.written.on)
    if not first <= on <= today:
        raise DomainError("match_day_outside", first=first, last=today)


def _opponent_of(match: TitleMatch, player: Player | None) -> Player:
    """The other one of the two who may play the match; refused for a player without a right to it."""
    if player is None:
        raise DomainError("match_player_missing")
    if match.pair is None or player not in match.pair:
        raise DomainError("no_right_to_match", player=player.printed_name)
    first, second = match.pair
    return first if player == second else second


def _result_of(written: str) -> str:
    """A result as it is stored, `13–11` or `6½–5½`, the winner’s points first. A match may end equal."""
    if not written:
        raise DomainError("result_missing")
    of_winner, _, of_opponent = written.replace("–", "-").partition("-")
    points, others = parse_points(of_winner.strip()), parse_points(of_opponent.strip())
    if points is None or others is None or points < others:
        raise DomainError("result_missing.points")
    return result_text(points, others, PointsScale.HALVES, sign="–")


def find_title_match(kind: ChampionshipKind, year: int) -> TitleMatch | None:
    """The title match after a championship, from all accepted reports; None without that championship. 8 queries."""
    return next((match for match in _title_matches(kind) if match.year == year), None)


def _title_matches(kind: ChampionshipKind) -> list[TitleMatch]:
    """The title matches of a kind, the newest first. 8 queries, none where it has no title match."""
    return title_matches(kind, all_podiums(published=False).podiums) if kind.has_title_match else []


def _check_recorded(before: list[TitleMatch], after: list[TitleMatch]) -> None:
    """Refuse medals that change champion, holder or pair of a recorded match: its entries would not fit them."""
    found = {match.year: match for match in after}
    for match in before:
        now = found.get(match.year)
        if match.last_in_force and (
            now is None
            or (match.champion, match.holder) != (now.champion, now.holder)
            or (match.pair is not None and match.pair != now.pair)
        ):
            raise DomainError("title_match_recorded", year=str(match.year))
