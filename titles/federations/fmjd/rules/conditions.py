"""The requirements of norms, for all groups at once (art. 1.2, 4.2 to 4.5; R30 to R35).

``conditions`` gives those that every norm asks, ``title_conditions`` those of one title. Decisions and the
evidence shown to people are read from the same columns; nothing is calculated a second time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ratings.rules.columns import NO_DAY, Flags, Integers
from titles.federations.fmjd.rules.columns import (
    BLACK,
    CATEGORIES,
    CHAMPIONSHIPS,
    COMPETITIONS,
    GMI,
    MI,
    RED,
    REFEREES,
    SEX_UNKNOWN,
    SEXES,
    SYSTEMS,
    UNKNOWN,
    WOMAN,
    ParticipationColumns,
    TournamentColumns,
    is_women_title,
    title_level,
)
from titles.federations.fmjd.rules.groups import GroupColumns, Groups, TitledColumns, TournamentCounts
from titles.federations.fmjd.rules.parameters import Parameters, share_of
from titles.rules.requirement import Condition


@dataclass(frozen=True, eq=False)
class Score:
    """Rm, category and points of each group for one title (art. 4.3, X-2, X-3; R31, R32).

    ``rm`` and ``category`` are 0 where no game was played or the sex of an unrated opponent is not known.
    ``asked`` is 0 where the category has no points in X-3; ``measured`` are then those of the first category
    that has.
    """

    rm: Integers
    category: Integers
    asked: Integers
    measured: Integers


def is_official(parameters: Parameters, tournaments: TournamentColumns) -> Flags:
    """Official competitions: no approval by 4.2.1 and 4.2.2 is needed (art. 4.2 a, R30a)."""
    codes = [COMPETITIONS.index(name) for name in parameters.official_competitions]
    official: Flags = tournaments.official | np.isin(tournaments.competition, codes)
    return official


def is_national_final(tournaments: TournamentColumns) -> Flags:
    """The final of a national championship (art. 4.2.5, R30b)."""
    final: Flags = tournaments.championship == CHAMPIONSHIPS.index("final")
    return final


def _details_conditions(parameters: Parameters, of: TournamentColumns) -> dict[str, Condition]:
    """What every norm asks of the details of a tournament alone, by code."""
    full, unknown_referee = _full(len(of)), of.referee == UNKNOWN
    found = (
        Condition(
            "development",
            "1.2, 4.4",
            of.development >= parameters.black_development,
            {"percentage": full(parameters.black_development)},
            {"percentage": of.development},
            missing={"time_control": of.development == UNKNOWN},
        ),
        Condition(
            "rounds",
            "4.2.4",
            of.rounds >= parameters.least_rounds,
            {"rounds": full(parameters.least_rounds)},
            {"rounds": of.rounds},
            missing={"rounds": of.rounds == UNKNOWN},
        ),
        Condition(
            "in_time",
            "4.2.7",
            of.announced & of.in_time,
            found={"announced": of.announced.astype(np.int64), "in_time": of.in_time.astype(np.int64)},
        ),
        Condition("council_approved", "4.2.8", of.council_approved),
        Condition(
            "referee_stated",
            "4.4.1.5",
            ~unknown_referee,
            found={"referee": np.maximum(of.referee, 0)},
            missing={"referee_level": unknown_referee},
            words={"referee": REFEREES},
        ),
    )
    return {condition.code: condition for condition in found}


def can_bring_norms(parameters: Parameters, tournaments: TournamentColumns) -> Flags:
    """Where a norm, an automatic title or a near miss can be found, by the details of the tournament alone.

    With two requirements unmet a result is not even a near miss; a place brings something in a national final, or in
    one of the competitions of X-1 and art. 3 (R37).
    """
    unmet = np.zeros(len(tournaments), np.int64)
    for condition in _details_conditions(parameters, tournaments).values():
        unmet += condition.unmet
    brings: Flags = (
        (unmet <= 1) | is_national_final(tournaments) | (tournaments.competition != COMPETITIONS.index(""))
    )
    return brings


def conditions(
    parameters: Parameters,
    tournaments: TournamentColumns,
    tournament_counts: TournamentCounts,
    participations: ParticipationColumns,
    groups: Groups,
) -> tuple[Condition, ...]:
    """What every norm asks of the tournament and of the group (art. 1.2, 4.2, 4.4; R30 to R35)."""
    counts = groups.counts
    at = participations.tournament[counts.owner]
    of = tournaments.rows(at)
    details = _details_conditions(parameters, of)
    return (
        details["development"],
        details["rounds"],
        Condition(
            "games",
            "1.2",
            counts.games >= parameters.least_games,
            {"games": _full(len(counts))(parameters.least_games)},
            {"games": counts.games},
        ),
        *_tournament_conditions(parameters, of, tournament_counts.rows(at)),
        details["in_time"],
        details["council_approved"],
        details["referee_stated"],
        *_black_conditions(parameters, of, counts),
        *_red_conditions(parameters, of, counts),
    )


def _tournament_conditions(
    parameters: Parameters, of: TournamentColumns, tournament: TournamentCounts
) -> tuple[Condition, ...]:
    """What every norm asks of the participants, the system and the days of the tournament (art. 4.2)."""
    full = _full(len(of))
    national = is_national_final(of)
    international = ~national & ~is_official(parameters, of)
    abroad = share_of(parameters.participants_abroad, tournament.participants)
    all_around = of.system == SYSTEMS.index("round-robin")
    system_missing = of.system == UNKNOWN
    round_robin_rated = (
        share_of(parameters.round_robin_rated, tournament.participants) + parameters.round_robin_rated_more
    )
    national_rated = np.where(
        all_around,
        parameters.national_round_robin_rated,
        share_of(parameters.national_swiss_rated, tournament.participants),
    )
    dates_missing = (of.first_day == NO_DAY) | (of.last_day == NO_DAY)
    return (
        Condition(
            "federations",
            "4.2.1",
            (tournament.other_federations >= parameters.other_federations) & (tournament.abroad >= abroad),
            {"federations": full(parameters.other_federations), "participants": abroad},
            {
                "federations": tournament.other_federations,
                "participants": tournament.abroad,
                "of": tournament.participants,
            },
            applies=international,
            missing={"country": of.federation <= 0},
        ),
        Condition(
            "round_robin_rated",
            "4.2.2",
            tournament.rated >= round_robin_rated,
            {"rated": round_robin_rated},
            {"rated": tournament.rated, "of": tournament.participants},
            applies=international & (all_around | system_missing),
            missing={"system": system_missing},
        ),
        Condition(
            "national_rated",
            "4.2.5",
            tournament.rated >= national_rated,
            {"rated": national_rated},
            {"rated": tournament.rated, "of": tournament.participants},
            applies=national,
            missing={"system": system_missing},
        ),
        Condition(
            "days",
            "4.2.6",
            (tournament.most_a_day <= parameters.rounds_a_day) & ~tournament.doubled,
            {"rounds": full(parameters.rounds_a_day)},
            {"rounds": tournament.most_a_day, "in_a_row": tournament.doubled.astype(np.int64)},
            missing={"dates": dates_missing, "round_days": ~tournament.days_known},
        ),
    )


def _black_conditions(
    parameters: Parameters, of: TournamentColumns, counts: GroupColumns
) -> tuple[Condition, ...]:
    """What a black norm asks of the group (art. 4.4.3); a red one meets it too."""
    foreign = share_of(parameters.black_foreign, counts.persons)
    rated = share_of(parameters.black_rated, counts.persons) + parameters.black_rated_more
    return (
        Condition(
            "black_foreign",
            "4.4.3.2",
            counts.foreign >= foreign,
            {"persons": foreign},
            {"persons": counts.foreign, "of": counts.persons},
            applies=~is_national_final(of),
            colour=BLACK,
        ),
        Condition(
            "black_rated",
            "4.4.3.4",
            counts.rated >= rated,
            {"persons": rated},
            {"persons": counts.rated, "of": counts.persons},
            colour=BLACK,
        ),
    )


def _red_conditions(
    parameters: Parameters, of: TournamentColumns, counts: GroupColumns
) -> tuple[Condition, ...]:
    """What only a red norm asks, of the tournament and of the group (art. 4.2.5, 4.4, 4.4.1)."""
    full = _full(len(counts))
    foreign = share_of(parameters.red_foreign, counts.persons)
    rated = share_of(parameters.red_rated, counts.persons)
    referees = [REFEREES.index(name) for name in parameters.red_referees]
    return (
        Condition("not_national", "4.2.5", ~is_national_final(of), colour=RED),
        Condition(
            "red_development",
            "4.4",
            of.development >= parameters.red_development,
            {"percentage": full(parameters.red_development)},
            {"percentage": of.development},
            applies=of.development != UNKNOWN,
            colour=RED,
        ),
        Condition(
            "red_group",
            "4.4.1, X-3",
            counts.persons >= parameters.red_least_group,
            {"persons": full(parameters.red_least_group)},
            {"persons": counts.persons},
            applies=full(parameters.red_least_group) > 0,
            colour=RED,
        ),
        Condition(
            "red_foreign",
            "4.4.1.3",
            counts.foreign >= foreign,
            {"persons": foreign},
            {"persons": counts.foreign, "of": counts.persons},
            colour=RED,
        ),
        Condition(
            "red_rated",
            "4.4.1.4",
            counts.rated >= rated,
            {"persons": rated},
            {"persons": counts.rated, "of": counts.persons},
            colour=RED,
        ),
        Condition(
            "red_referee",
            "4.4.1.5",
            np.isin(of.referee, referees),
            found={"referee": np.maximum(of.referee, 0)},
            applies=of.referee != UNKNOWN,
            words={"referee": REFEREES},
            colour=RED,
        ),
    )


def red_titled(
    parameters: Parameters,
    tournaments: TournamentColumns,
    participations: ParticipationColumns,
    groups: Groups,
    women: bool,
) -> Condition:
    """Half of the group titled or with the rating of art. 4.4.1.2 (R35, R37b)."""
    counts = groups.counts
    women_only = tournaments.women_only[participations.tournament[counts.owner]]
    titled = counts.red_women if women else counts.red_open
    least = share_of(parameters.red_titled, counts.persons)
    rating = np.where(women_only, parameters.red_rating_women, parameters.red_rating)
    return Condition(
        "red_titled",
        "4.4.1.2",
        titled >= least,
        {"persons": least, "rating": rating},
        {"persons": titled, "of": counts.persons},
        colour=RED,
    )


def score_of(parameters: Parameters, groups: Groups, level: int, women: bool) -> Score:
    """Rm, rounded half up, its category and the points asked (art. 4.3, X-2, X-3; R31, R32)."""
    counts, table = groups.counts, parameters.points_table
    games = np.maximum(counts.games, 1)
    known = (counts.games > 0) & (counts.sexes_missing == 0)
    rm = np.where(known, (2 * counts.rating_sum + games) // (2 * games), 0)
    begins = np.array(table.women_from if women else table.open_from)
    category = np.where(known, np.searchsorted(begins, rm, side="right") + 1, 0)
    percentages = np.array((0, *table.percentages[level]))
    first = int(percentages[table.first_category(level)])
    percentage = percentages[category]

    def points(percentages: Integers) -> Integers:
        return -(-percentages * 2 * counts.games // 100)

    return Score(rm, category, points(percentage), points(np.where(percentage > 0, percentage, first)))


def title_conditions(
    parameters: Parameters,
    participations: ParticipationColumns,
    groups: Groups,
    title: int,
    score: Score,
) -> tuple[Condition, ...]:
    """What one title of ``TITLES`` asks: the player, the category, the points, the titled opponents (art.
    4.3, 4.5; R32 to R34).
    """
    counts, level, women = groups.counts, title_level(title), is_women_title(title)
    full = _full(len(counts))
    sex = participations.sex[counts.owner]
    first = parameters.points_table.first_category(level)
    sexes = counts.sexes_missing > 0
    of_women = (
        Condition(
            "woman",
            "9",
            sex == WOMAN,
            found={"sex": sex},
            missing={"sex": sex == SEX_UNKNOWN},
            words={"sex": SEXES},
        ),
    )
    return (
        *(of_women if women else ()),
        Condition(
            "category",
            "4.3, X-2",
            score.category >= first,
            {"category": full(first)},
            {"category": score.category, "rm": score.rm, "opponents": counts.sexes_missing},
            missing={"opponents_sex": sexes},
            words={"category": CATEGORIES},
        ),
        Condition(
            "points",
            "4.3, X-3",
            (counts.points >= score.measured) & (counts.games > 0),
            {"points": score.measured, "games": counts.games},
            {"points": counts.points},
            applies=~sexes,
        ),
        _titled(parameters, groups.women_titled if women else groups.open_titled, level, women),
    )


def _titled(parameters: Parameters, met: TitledColumns, level: int, women: bool) -> Condition:
    """Titled opponents met; three lower ones may count as one, each used once (art. 4.5.3 to 4.5.10, R34)."""
    full = _full(len(met))
    together = parameters.counted_as_one
    if level == GMI:
        titles = parameters.women_titles if women else parameters.open_titles
        # An MI made of three MF has the rating of ``titles.mi`` only, and may be too low to be one of three MI.
        made = met.strong_mf // together if titles.mi >= titles.strong_mi else 0
        counted = met.gmi + (met.strong_mi + made) // together
        asks = {"gmi": full(parameters.gmi_opponents)}
        ok, article = counted >= parameters.gmi_opponents, "4.5.3, 4.5.9, 4.5.10"
    elif level == MI:
        counted = met.gmi + met.mi + met.strong_mf // together
        asks = {"mi": full(parameters.mi_opponents), "gmi": full(parameters.gmi_opponents_for_mi)}
        ok = (counted >= parameters.mi_opponents) | (met.gmi >= parameters.gmi_opponents_for_mi)
        article = "4.5.4, 4.5.9"
    else:
        counted = met.gmi + met.mi + met.mf
        asks = {"mf": full(parameters.mf_opponents)}
        ok, article = counted >= parameters.mf_opponents, "4.5.7"
    found = {"gmi": met.gmi, "mi": met.mi, "mf": met.mf, "counted": counted}
    return Condition(f"titled.{level}", article, ok, asks, found)


def _full(length: int) -> Callable[[int], Integers]:
    """Columns of one number."""
    return lambda value: np.broadcast_to(np.int64(value), length)
