"""Who the players of an accepted report are: known before, one person or two, new with a number (R24, R24a)."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from django.db import connection
from django.db.models import Q

from reporting.models import PersonalData, Player, PlayerMerge, Report, ResultSet
from reporting.models.locks import take_numbering_lock
from reporting.refusals.domain_error import DomainError
from reporting.register.services.federations import ensure_federations
from reporting.register.services.numbers import give_number, last_number
from reporting.reports.reading.clean_reports import needs_decision
from reporting.reports.reading.parse import Submission
from reporting.reports.reading.players.newcomers import rounds_of_both, same_person_questions
from reporting.reports.reading.validate import Matching
from reporting.rules.names.normalize_name import sort_name
from reporting.rules.register.registers import OFFICE, Register, register_of_new_players
from reporting.rules.report import ReportedPlayer


def match_players_created_before(
    report: Report, submission: Submission, players: Mapping[int, Player | None], newcomers_are_others: bool
) -> dict[int, Player | None]:
    """The players; those without a number are matched with players that an earlier acceptance of the report created.

    For a corrected report or a later part these are also the players that came with earlier reports of the tournament.
    They match by name, federation, sex and year of birth, and people with equal values in the order of their numbers.
    Where acceptances give no numbers, one name without a number is one player in all reports of a tournament (U22).
    Nothing else is guessed.
    """
    known = dict(players)
    named = {player.pk for player in known.values() if player is not None}
    created: defaultdict[tuple[str, str, str, int | None], list[Player]] = defaultdict(list)
    created_by = Q(entered_by_report=report)
    if report.corrects_id is not None or report.submitted_result_set.part > 1:
        code = report.corrects_id or report.submitted_result_set.code
        created_by |= Q(entered_by_report__result_set__tournament__code=code)
    created_before = Player.objects.filter(created_by).exclude(pk__in=named)
    register = register_of_new_players(submission.register)
    for player in created_before.order_by(f"numbers__{register.code}", "pk"):
        created[_identity(player)].append(player)
    strangers = []
    for reported in sorted(submission.read.players, key=lambda reported: reported.number):
        if known[reported.number] is not None:
            continue
        if matches := created[_identity(_newcomer(reported))]:
            known[reported.number] = matches.pop(0)
        else:
            strangers.append(reported)
    unmatched = [player for matches in created.values() for player in matches]
    if strangers and unmatched and not newcomers_are_others:
        raise DomainError(
            "newcomers_unclear",
            players=", ".join(f"{player.number} {player.printed_name}" for player in unmatched),
            strangers=", ".join(f"{reported.number} {reported.name}" for reported in strangers),
        )
    return known


def _identity(player: Player) -> tuple[str, str, str, int | None]:
    return player.sort_name, player.federation_id, player.sex, player.birth_year


def _newcomer(reported: ReportedPlayer) -> Player:
    """A new record; a name that is not split is kept as printed, for a register that takes it so."""
    last_name = reported.last_name or reported.name
    return Player(
        last_name=last_name,
        first_name=reported.first_name,
        sort_name=sort_name(last_name, reported.first_name),
        federation_id=reported.federation_code,
        sex=reported.sex,
        birth_year=reported.born_year,
    )


def decide_same_people(
    submission: Submission,
    players: Mapping[int, Player | None],
    matching: Matching,
    same_person: Mapping[str, bool],
) -> tuple[dict[int, Player | None], dict[int, int], dict[str, Any]]:
    """The players as the office decided who is one person, second lines of one person → first lines, and the log.

    Second lines have no player of their own. Raises DomainError `people_undecided`, `people_contradict`, `people_meet`.
    """
    questions = same_person_questions(submission, players, matching.candidates)
    if any(question.key not in same_person for question in questions):
        raise DomainError("people_undecided", [*filter(needs_decision, matching.findings)])
    known = dict(players)
    second_lines: dict[int, int] = {}
    for question in questions:
        number = question.reported.number
        if same_person[question.key] and question.player is not None:
            known[number] = question.player
        elif same_person[question.key] and question.other is not None:
            second_lines[question.other.number] = second_lines.get(number, number)
    for second, first in second_lines.items():
        if known[first] is None:
            known[first] = known[second]
        del known[second]
    people = _people(submission, known, second_lines)
    for question in questions:
        second = (
            question.player.pk if question.player else people[question.other.number] if question.other else 0
        )
        if (people[question.reported.number] == second) is not same_person[question.key]:
            raise DomainError(
                "people_contradict", number=question.reported.number, name=question.reported.name
            )
    _check_rounds(submission, people)
    decided = {
        "one_person" if one else "two_people": keys
        for one in (True, False)
        if (keys := sorted(question.key for question in questions if same_person[question.key] is one))
    }
    return known, second_lines, decided


def _people(
    submission: Submission, players: Mapping[int, Player | None], second_lines: Mapping[int, int]
) -> dict[int, int]:
    """Number of the report → key of its player; below 0 of a new one, equal for lines of one person."""
    firsts = {line.number: second_lines.get(line.number, line.number) for line in submission.read.players}
    return {
        number: -first if (player := players[first]) is None else player.pk
        for number, first in firsts.items()
    }


def _check_rounds(submission: Submission, people: Mapping[int, int]) -> None:
    """Refuse lines of one person that both play in a round (R20, R24a)."""
    lines: defaultdict[int, list[int]] = defaultdict(list)
    for number, person in people.items():
        lines[person].append(number)
    for numbers in lines.values():
        for first, second in combinations(numbers, 2):
            if rounds := rounds_of_both(submission, first, second):
                raise DomainError(
                    "people_meet", first=first, second=second, rounds=", ".join(map(str, rounds))
                )


def check_merged_players(players: Mapping[int, Player | None]) -> None:
    """Refuse two records of one person: a player created by an earlier acceptance may be merged since."""
    present = {player.pk for player in players.values() if player is not None}
    merges = PlayerMerge.objects.filter(duplicate__in=present, undone_at=None).select_related(
        "duplicate", "surviving"
    )
    for merge in merges:
        if merge.surviving_id in present or any(
            other.surviving_id == merge.surviving_id and other.pk != merge.pk for other in merges
        ):
            raise DomainError(
                "same_person_twice",
                player=f"{merge.duplicate.number} {merge.duplicate.printed_name}",
                into=f"{merge.surviving.number} {merge.surviving.printed_name}",
            )


def number_players(
    report: Report, submission: Submission, players: Mapping[int, Player | None], register: Register
) -> dict[int, Player]:
    """Every player of the report: new ones get the next numbers of this register, in the order of the report's numbers.

    So do players who have only numbers in other registers, unless it is that of the office, where they need none.
    """
    known = {number: player for number, player in players.items() if player is not None}
    unnumbered = [
        reported
        for reported in sorted(submission.read.players, key=lambda reported: reported.number)
        if reported.number in players
        and (
            reported.number not in known
            or (register != OFFICE and known[reported.number].number_in(register) is None)
        )
    ]
    if not unnumbered:
        return known
    take_numbering_lock()
    last = last_number(register)
    if register.largest is not None and last + len(unnumbered) > register.largest:
        raise DomainError("no_numbers_left", label=register.number_label, largest=register.largest)
    newcomers = [reported for reported in unnumbered if reported.number not in known]
    ensure_federations(reported.federation_code for reported in newcomers)
    created: list[tuple[int, Player]] = []
    for given, reported in enumerate(unnumbered, start=last + 1):
        player = known.setdefault(reported.number, _newcomer(reported))
        if player.pk:
            give_number(player, register, given)
        else:
            player.entered_by_report = report
            created.append((given, player))
    Player.objects.create_with_numbers(register, created)
    PersonalData.objects.bulk_create(
        PersonalData(player=known[reported.number], born=reported.born)
        for reported in newcomers
        if reported.born
    )
    return known


def write_players(result_set: ResultSet, players: Mapping[int, Player]) -> None:
    """Say who of the register the entries of a result set are, by their numbers. 1 query."""
    with connection.cursor() as cursor:  # `bulk_update` has a condition for each entry: ten times as long
        cursor.execute(
            "UPDATE reporting_entry SET player_id = given.player"
            " FROM unnest(%s::int[], %s::bigint[]) AS given (number, player)"
            " WHERE result_set_id = %s AND reporting_entry.number = given.number",
            [[*players], [player.pk for player in players.values()], result_set.pk],
        )
