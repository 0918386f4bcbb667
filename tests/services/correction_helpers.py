"""Lists of six equal players, put right; and what is looked at afterwards."""

from collections import defaultdict
from datetime import date

from ratings.models import CarriedDifference, PeriodReport, PublishedFile
from ratings.production.correct_list import correct_list
from ratings.systems.fmjd.models import FmjdListRow

APRIL, JULY, OCTOBER, JANUARY = date(2025, 4, 1), date(2025, 7, 1), date(2025, 10, 1), date(2026, 1, 1)
SPRING = {"played_from": date(2025, 2, 7), "played_to": date(2025, 2, 9)}
MAY = {"played_from": date(2025, 5, 2), "played_to": date(2025, 5, 4)}
SUMMER = {"played_from": date(2025, 8, 1), "played_to": date(2025, 8, 3)}
OPENING = "fmjd_id rating games\n" + "\n".join(f"{number} 2000 100" for number in range(11, 17))
TWO_WINS, ONE_EACH, TWO_LOSSES = (
    ["1 1 2 2-0", "2 2 1 0-2"],
    ["1 1 2 2-0", "2 2 1 2-0"],
    ["1 1 2 0-2", "2 2 1 2-0"],
)


def published_files_by_list():
    """All files of all published lists, as anybody can load them: address → name → content."""
    found = defaultdict(dict)
    for file in PublishedFile.objects.select_related("list__pool"):
        found[f"{file.list.address}/r{file.list.revision}"][file.name] = bytes(file.content)
    return found


def opened(office):
    office.opening(OPENING, in_force=date(2025, 1, 1))


def correct(office, rating_list, later="carry", **changes):
    values = {"reason": "A wrong result.", "by": office.officer} | changes
    return correct_list(rating_list=rating_list, later=later, **values)


def again(office, code, name, players, games, **details):
    """A corrected report of a tournament, accepted."""
    return office.accept(name, players, games, corrects=f'"{code}"', **details)


def ratings(rating_list, *numbers):
    return tuple(office_row.rating for office_row in rows(rating_list, *numbers))


def rows(rating_list, *numbers):
    found = {row.register_number: row for row in FmjdListRow.objects.filter(list=rating_list)}
    return [found[number] for number in numbers]


def manifest(rating_list):
    lines = PeriodReport.objects.filter(period=rating_list.period, correction=rating_list.correction)
    return set(lines.values_list("tournament__code", "tournament__correction"))


def carried(rating_list):
    return {
        carried.player.numbers["fmjd"]: (carried.rating, carried.games)
        for carried in CarriedDifference.objects.filter(list=rating_list).select_related("player")
    }
