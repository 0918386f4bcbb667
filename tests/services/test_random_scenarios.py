"""Quarters of a few players: by chance, records are merged and are two again, lists corrected, carried and revised.

Each one is checked by the second calculation, from the published files alone, and by `verify_lists --recalculate`. The
same scenarios on every machine; `make test-faults` goes through a hundred.
"""

from collections import Counter
from datetime import date, timedelta
from random import Random

import pytest

from ratings.federations.fmjd.recompute import recompute
from ratings.federations.fmjd.rules.edition import FmjdRules
from ratings.federations.fmjd.rules.parameters import ANNEX_9_2024_04
from ratings.inputs.in_force import lists_in_force
from ratings.models import Correction, Period, Pool
from ratings.office.selectors.recalculated.replay import replay_lists, replayable_lists
from ratings.production.correct_list import correct_list, withdraw_correction
from reporting.models import PlayerMerge, ResultSet
from reporting.refusals.domain_error import DomainError
from tests.processes.faults.fault_tools import rounds
from tests.services.conftest import word
from tests.services.correction_helpers import published_files_by_list
from tests.services.report_helpers import whole
from tests.services.test_merge_players import merge, undo, verified

# In 37 a merged duplicate brings games of three years, and a first game is on their boundary.
SEEDS = rounds((0, 37), range(100))
# The last days of each quarter's reports; the closing dates are 15 March, June, September and December.
QUARTERS = {
    date(2026, 4, 1): date(2026, 3, 15),
    date(2026, 7, 1): date(2026, 6, 15),
    date(2026, 10, 1): date(2026, 9, 15),
    date(2027, 1, 1): date(2026, 12, 15),
}
RATED, UNRATED, NEWCOMERS = range(11, 16), (31, 32, 33), range(41, 71)
# On both sides of three and of five years before the closing dates.
OLD_DAYS = [date(year, 3, 15) + timedelta(days=days) for year in (2021, 2023) for days in (-1, 0, 1, 92, 184)]
RESULTS = ("2-0", "1-1", "0-2", "2x0")
DRAWER = "found in a drawer"


class Scenario:
    """An office to which things happen by chance; what it refuses is counted, and it goes on."""

    def __init__(self, office, seed):
        self.office, self.done = office, Counter()
        self.chance = Random(seed)  # noqa: S311 - a scenario, no secret
        self.reports = 0
        self.known = [*RATED, *UNRATED]
        # An undone merge makes lists ask further back for days: half of the offices merge no one.
        self.kinds = ("merge", "undo", "correct") if seed % 2 else ("correct",)
        self.carried_among = 0  # how many lists there were when a correction was last carried
        lines = ["fmjd_id rating games reached_2300 last_game games_3_years"]
        for number in RATED:
            games = self.chance.choice((3, 20, 27, 40, 60, 100))
            lines.append(
                f"{number} {self.chance.randint(1950, 2360)} {games} - {self.chance.choice(OLD_DAYS)}"
                f" {self.chance.randint(0, games)}"
            )
        office.opening("\n".join(lines))
        office.register(*UNRATED, *NEWCOMERS)
        self.newcomers = iter(NEWCOMERS)
        self.pool = Pool.objects.get(code="fmjd-100")

    def attempt(self, what, act):
        """Let something happen that may be refused; the answer is whether it was not."""
        try:
            act()
        except DomainError as refused:
            if refused.key == "recalculation_differs":
                raise
            self.done[f"{what}: {refused.code}"] += 1
            return False
        self.done[what] += 1
        return True

    def results(self, players):
        """Two or three rounds of the players, each against the next one in a circle that turns."""
        lines = []
        for number in range(self.chance.randint(2, 3)):
            order = [*range(1, len(players) + 1)]
            self.chance.shuffle(order)
            pairs = zip(order[::2], order[1::2], strict=False)
            lines += [f"{number + 1} {white} {black} {self.chance.choice(RESULTS)}" for white, black in pairs]
        return lines

    def report(self, before, corrects=None, *, is_found=False):
        """Accept a report of the quarter that closes on a day, or one come late; or a corrected one.

        One that is found long after that quarter names a newcomer who is on no list; some pause from then on.
        """
        players = self.chance.sample(self.known, self.chance.choice((2, 4)))
        details = {"time_control": self.chance.choice(('"120+0"', '"120+0"', '"80+30"', '"60+0"'))}
        if corrects is None:
            self.reports += 1
            name = f"Cup {word(self.reports)}"
            last = before - timedelta(days=self.chance.randint(10, 80))
            if is_found:
                players = [next(self.newcomers), *self.chance.sample(RATED, 1)]
                if self.chance.random() < 0.5:
                    self.known.append(players[0])
                details |= {"admitted_reason": DRAWER, "received": str(before + timedelta(days=60))}
            elif self.chance.random() < 0.25:
                last = self.chance.choice(OLD_DAYS)
                details |= {"admitted_reason": DRAWER, "received": str(before)}
        else:
            name, last = corrects.name, corrects.played_to
            details["corrects"] = f'"{corrects.code}"'
            if self.chance.random() < 0.6:  # other results of the same players
                entries = corrects.entries.order_by("number")
                players = list(entries.values_list("player__numbers__fmjd", flat=True))
            details["admitted_reason"] = "corrected"
        if self.reports % 4 == 0:  # two clocks of the pool, and the third game in another one (R25)
            details["session"] = '["120+0", "60+0", "15+0"]'
        days = {"played_from": last - timedelta(days=2), "played_to": last}
        return self.office.accept(name, players, self.results(players), **days, **details)

    def merge(self):
        merge(self.office, *self.chance.sample(self.known, 2))

    def undo(self):
        undo(self.office, self.chance.choice(PlayerMerge.objects.filter(undone_at=None).order_by("pk")))

    def correct(self, later=None, *, oldest=False, is_found=False):
        """Correct a published list to its end; the lists after it too, where they follow.

        A report that is found corrects a list so old that the last one rests on another without its newcomer.
        """
        lists = [rating_list for rating_list in lists_in_force(self.pool.pk) if not rating_list.is_opening]
        chosen = lists[0] if oldest else self.chance.choice(lists[:-2] if is_found else lists)
        # A list that lacks the newcomer of a carried correction is revised, and those after it which have the newcomer.
        is_above = not (oldest or is_found) and 0 < self.carried_among < len(lists)
        if is_above:
            chosen, later = lists[self.carried_among - 1], "revise"
        counted = ResultSet.objects.filter(
            manifest_lines__period=chosen.period, manifest_lines__correction=chosen.correction
        ).order_by("pk")
        changes = {}
        if is_found or (not oldest and self.chance.random() < 0.3):
            changes["included_reports"] = [self.report(chosen.closing, is_found=True).pk]
        elif counted and not oldest:
            tournament = self.chance.choice(counted)
            if self.chance.random() < 0.4:
                changes["excluded_tournaments"] = [tournament.code]
            else:
                changes["included_reports"] = [self.report(None, corrects=tournament).pk]
        later = later or self.chance.choice(Correction.Later.values)
        by = self.office.officer
        correct_list(rating_list=chosen, reason="Wrong.", later=later, by=by, **changes)
        try:
            self.office.run(chosen.in_force)
        except DomainError:
            withdraw_correction(period=chosen.period, reason="It can't be carried.", by=by)
            raise
        while following := Period.objects.filter(pool=self.pool, state=Period.State.CORRECTING).first():
            self.office.run(following.in_force)
        self.done[f"correct: {later}"] += 1
        if later == "carry" and chosen != lists[-1]:
            self.carried_among = len(lists)
        elif is_above:
            self.carried_among = 0

    def quarter(self, in_force, closing):
        for _ in range(self.chance.randint(1, 2)):
            self.attempt("report", lambda: self.report(closing))
        self.happens(self.chance.randint(0, len(self.kinds)))
        if len(lists_in_force(self.pool.pk)) > 3:  # three besides the opening list
            self.attempt("correct", lambda: self.correct("carry", is_found=True))
        if not self.attempt("list", lambda: self.office.run(in_force)):
            # A correction that no sum of points carries: all lists are revised, the first one first.
            self.correct("revise", oldest=True)
            self.office.run(in_force)
        self.happens(self.chance.randint(0, len(self.kinds)))
        if self.carried_among:
            self.attempt("correct", self.correct)

    def happens(self, times):
        for _ in range(times):
            what = self.chance.choice(self.kinds)
            lists = len(lists_in_force(self.pool.pk))
            if (what == "undo" and not PlayerMerge.objects.filter(undone_at=None).exists()) or (
                what == "correct" and lists < 2
            ):
                what = self.kinds[0]
            if what != "correct" or lists > 1:
                self.attempt(what, getattr(self, what))


@whole
@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_happens_every_list_is_calculated_again_from_its_files(office, seed):
    scenario = Scenario(office, seed)
    for in_force, closing in QUARTERS.items():
        scenario.quarter(in_force, closing)
    assert recompute(published_files_by_list()).different == []
    assert verified() == []
    replayed = replay_lists(scenario.pool, FmjdRules(ANNEX_9_2024_04), replayable_lists(scenario.pool))
    assert {one.rating_list.in_force: one.differing for one in replayed} == dict.fromkeys(QUARTERS, 0)
