"""New players of a report who may be one person: with each other, with those of waiting reports, with the register."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from reporting.models import PersonalData, Player, Report, ReportVersion, ResultSet
from reporting.reports.reading.match_players import Candidate, Matches, is_new, key_of, name_key
from reporting.reports.reading.parse import Submission
from reporting.reports.reading.read_file import unpack_reading
from reporting.rules.findings.finding_list import Finding, Severity, finding
from reporting.rules.report import ReportedPlayer

MAX_NAMESAKES = 10
"""New players of one name in a report: each pair of them is compared, and the office decides about it."""


@dataclass(frozen=True)
class PersonQuestion:
    """Two of the same name, birth and country (R24a): a new player, and another line or a player of the register.

    `player` is the one of the register, None for another new player. `other` is the line of the second one, None for a
    player of the register who is not in the report. In `rounds` both play, so they are two people.
    """

    reported: ReportedPlayer
    other: ReportedPlayer | None
    player: Player | None
    rounds: Sequence[int]

    @property
    def key(self) -> str:
        """Both in short, the same until the report or its player of the register is another one."""
        second = f"p{self.player.pk}" if self.player else self.other.number if self.other else ""
        return f"{self.reported.number}-{second}"


@dataclass(frozen=True)
class NewcomerQuestion:
    """Who a new player is: a person of their own, or one of those alike, each by the question about the two.

    The questions of two new players are asked of the later one.
    """

    reported: ReportedPlayer
    alike: Sequence[PersonQuestion]

    @property
    def possible(self) -> Sequence[PersonQuestion]:
        """Those with whom the new player can be one person: the two do not play in one round."""
        return [question for question in self.alike if not question.rounds]

    @property
    def impossible(self) -> Sequence[PersonQuestion]:
        return [question for question in self.alike if question.rounds]


def newcomer_questions(questions: Sequence[PersonQuestion]) -> list[NewcomerQuestion]:
    """The questions of `same_person_questions`, one for each new player, in the order of their numbers."""
    by_newcomer: dict[int, tuple[ReportedPlayer, list[PersonQuestion]]] = {}
    for question in questions:
        reported = question.reported if question.player or question.other is None else question.other
        by_newcomer.setdefault(reported.number, (reported, []))[1].append(question)
    return [NewcomerQuestion(*by_newcomer[number]) for number in sorted(by_newcomer)]


def said_of_newcomers(questions: Sequence[PersonQuestion], chosen: Mapping[int, str]) -> dict[str, bool]:
    """Whether the two of each question are one person, by its key, for what was chosen of each new player.

    `chosen` are keys of questions by number of the new player, empty for a person of their own. Questions of a new
    player without a choice have no answer.
    """
    asked = {question.reported.number: question.alike for question in newcomer_questions(questions)}

    def person(number: int) -> str:
        key = chosen.get(number)
        return next(
            (other(question) for question in asked.get(number, ()) if question.key == key), f"n{number}"
        )

    def other(question: PersonQuestion) -> str:
        return f"p{question.player.pk}" if question.player else person(question.reported.number)

    return {
        question.key: person(number) == other(question)
        for number, alike in asked.items()
        if chosen.get(number) in ["", *(question.key for question in alike)]
        for question in alike
    }


def same_person_questions(
    submission: Submission,
    players: Mapping[int, Player | None],
    candidates: Mapping[int, Sequence[Candidate]],
) -> list[PersonQuestion]:
    """What the office has to say before it accepts a report: are these two people or one (R24a)? 0 queries or 1."""
    read = submission.read
    new = [player for player in read.players if players.get(player.number) is None]
    line_of = {known.pk: line for line in read.players if (known := players.get(line.number)) is not None}
    alike = [
        (player, candidate.player)
        for player in new
        for candidate in candidates.get(player.number, ())
        if name_key(player) == key_of(candidate.player.sort_name)
        and player.federation_code == candidate.player.federation_id
    ]
    born = dict(
        PersonalData.objects.filter(player__in=[player.pk for _, player in alike]).values_list(
            "player", "born"
        )
        if alike
        else ()
    )
    is_asked = submission.register.asks_birth_and_sex
    found = [
        PersonQuestion(first, second, None, rounds_of_both(submission, first.number, second.number))
        for namesakes in _by_name(new)
        for first, second in combinations(namesakes, 2)
        if _same_birth((first.born, first.born_year), (second.born, second.born_year), is_asked=is_asked)
        and first.federation_code == second.federation_code
    ]
    for reported, player in alike:
        if _same_birth(
            (reported.born, reported.born_year), (born.get(player.pk), player.birth_year), is_asked=is_asked
        ):
            other = line_of.get(player.pk)
            rounds = rounds_of_both(submission, reported.number, other.number) if other else ()
            found.append(PersonQuestion(reported, other, player, rounds))
    return found


def rounds_of_both(submission: Submission, first: int, second: int) -> list[int]:
    """The rounds in which both numbers have a game, or points without one.

    Where a player may have several games in a round, those in which the two play each other.
    """
    read = submission.read
    if not submission.rules.has_rounds:
        games = read.games_of.get(first, ())
        return sorted({game.round for game in games if {game.white, game.black} == {first, second}})

    def rounds(number: int) -> set[int]:
        return {
            game.round
            for game in read.games_of.get(number, ())
            if (game.white and game.black) or game.white_points or game.black_points
        }

    return sorted(rounds(first) & rounds(second))


def newcomers_alike(submission: Submission, matches: Matches) -> Iterator[Finding]:
    """New players of the report with the name of another one (R24a); an error where too many have one name."""
    for namesakes in _by_name(_new_players(submission, matches)):
        if len(namesakes) > MAX_NAMESAKES:
            one_more = namesakes[MAX_NAMESAKES]
            yield finding(
                "newcomers-alike.many",
                Severity.ERROR,
                line=one_more.line,
                column=one_more.column("name"),
                field="name",
                found=one_more.name,
                lines=len(namesakes),
                limit=MAX_NAMESAKES,
            )
            continue
        for first, second in combinations(namesakes, 2):
            same = first.federation_code == second.federation_code and _same_birth(
                (first.born, first.born_year),
                (second.born, second.born_year),
                is_asked=submission.register.asks_birth_and_sex,
            )
            yield finding(
                "newcomers-alike.same" if same else "newcomers-alike",
                line=second.line,
                column=second.column("name"),
                field="name",
                found=second.name,
                first=first.number,
                about=(second.number,),
            )


def newcomers_waiting(
    submission: Submission, matches: Matches, report: Report | None, alike: Collection[ResultSet]
) -> Iterator[Finding]:
    """New players with the name of a new one in another report that waits for the office. 0 queries or 1 (R24a).

    `alike` are the tournaments that the report looks like: they have their own finding. Of other reports only the name
    is said, no birth (R22a).
    """
    new = _new_players(submission, matches)
    waiting = _waiting_newcomers({name_key(player) for player in new}, report, alike) if new else {}
    for player in new:
        for tournament in sorted(waiting.get(name_key(player), ())):
            yield finding(
                "newcomer-waiting",
                line=player.line,
                column=player.column("name"),
                field="name",
                found=player.name,
                tournament=tournament,
            )


def _new_players(submission: Submission, matches: Matches) -> list[ReportedPlayer]:
    return [
        player
        for player, match in zip(submission.read.players, matches, strict=True)
        if match.player is None and (not match.number or player.is_new) and is_new(submission, player)
    ]


def _by_name(players: Sequence[ReportedPlayer]) -> Collection[Sequence[ReportedPlayer]]:
    by_name: defaultdict[str, list[ReportedPlayer]] = defaultdict(list)
    for player in players:
        by_name[name_key(player)].append(player)
    return by_name.values()


def _same_birth(one: tuple[Any, int | None], other: tuple[Any, int | None], *, is_asked: bool) -> bool:
    """Whether two births, each a day and a year where known, can be one; an unknown one where no birth is asked."""
    if not is_asked and None in (one[1], other[1]):
        return True
    return one[0] == other[0] if one[0] and other[0] else one[1] == other[1]


def _waiting_newcomers(
    names: set[str], report: Report | None, alike: Collection[ResultSet]
) -> dict[str, set[str]]:
    """The names of new players in the reports that wait for the office → the names of their tournaments. 1 query."""
    versions = (
        ReportVersion.objects.filter(report__state=Report.State.SUBMITTED)
        .exclude(report=report.pk if report else None)
        .exclude(report__result_set__in=alike)
        .order_by("report", "-number")
        .distinct("report")
    )
    found: defaultdict[str, set[str]] = defaultdict(set)
    for version in (
        ReportVersion.objects.filter(
            pk__in=versions.values("pk"), results__players__has_any_keys=sorted(names)
        )
        .select_related("matched_players")
        .defer("content", "sidecar", "findings")
    ):
        matched = getattr(version, "matched_players", None)
        players = unpack_reading(bytes(version.reading)).read.players
        for place, player in enumerate(players):
            if matched and place < len(matched.players) and "player" in matched.players[place]:
                continue
            if name_key(player) in names:
                found[name_key(player)].add(version.name)
    return found
