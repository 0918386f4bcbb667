"""Lists of six equal players, put right; and what is looked at afterwards."""

import csv
import hashlib
import io
import re
from collections import defaultdict
from datetime import date, timedelta

from ratings.federations.fmjd.models import FmjdListRow
from ratings.federations.fmjd.recompute import GIVEN, MissingFilesError, recompute
from ratings.models import CarriedDifference, PeriodReport, PublishedFile
from ratings.production.correct_list import correct_list

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
    for file in PublishedFile.objects.filter(list__state="published").select_related("list__pool"):
        found[f"{file.list.address}/r{file.list.revision}"][file.name] = bytes(file.content)
    return found


def unseen_alterations(files, address, places):
    """The cells of a list that may say something else without `recompute` telling it or saying that it takes them so.

    Of each column of each of its files the cells in some lines; each time the digests are made to fit.
    """
    unseen = []
    kind = "" if "lists-read.csv" in files[address] else " of an opening list"
    for name in sorted(name for name in files[address] if name.endswith(".csv") and name != "list.csv"):
        header, *lines = csv.reader(io.StringIO(files[address][name].decode()))
        given = GIVEN.get(name, GIVEN.get(name + kind, "")).split()
        for place in {place % len(lines) for place in places} if lines else ():
            for column, heading in enumerate(header):
                for cell in (another(lines, place, column), "x"):
                    rows = [[*line] for line in lines]
                    rows[place][column] = cell
                    altered = files[address] | {name: csv_bytes([header, *rows])}
                    if heading not in given and not is_told(files, address, with_digests(altered, heading)):
                        unseen.append((address, name, place, heading, lines[place][column], cell))
    return unseen


def another(lines, place, column):
    """A cell of the same kind: the next number, day or digest, or what another line has there."""
    cell = lines[place][column]
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", cell):
        return str(date.fromisoformat(cell) + timedelta(days=1))
    if re.fullmatch(r"-?[0-9]+", cell):
        return str(int(cell) + 1)
    if re.fullmatch(r"[0-9a-f]{64}", cell):
        return cell[::-1]
    return next((line[column] for line in lines if line[column] != cell), f"{cell}1")


def csv_bytes(lines):
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue().encode()


def with_digests(files, altered):
    """The files of a list with the digests that name another of its files, but for an altered one."""
    files = dict(files)
    if "norms.csv" in files and altered != "norms_sha256":
        header, first, *lines = csv.reader(io.StringIO(files["figures.csv"].decode()))
        first[-1] = hashlib.sha256(files["norms.csv"]).hexdigest()
        files["figures.csv"] = csv_bytes([header, first, *lines])
    if altered != "sha256":
        header, line = csv.reader(io.StringIO(files["calculation.csv"].decode()))
        if "sha256" in header:
            line[header.index("sha256")] = hashlib.sha256(files["figures.csv"]).hexdigest()
        files["calculation.csv"] = csv_bytes([header, line])
    return files


def is_told(files, address, altered):
    try:
        return recompute(files | {address: altered}, only=address).different != []
    except MissingFilesError as missing:
        return bool(str(missing))


def opened(office):
    office.opening(OPENING, in_force=date(2025, 1, 1))


def correct(office, rating_list, later="carry", **changes):
    values = {"reason": "A wrong result.", "by": office.officer} | changes
    return correct_list(rating_list=rating_list, later=later, **values)


def again(office, code, name, players, games, **details):
    """A corrected report of a tournament, accepted."""
    return office.accept(name, players, games, corrects=f'"{code}"', **details)


def correct_spring(office, april, games=ONE_EACH, **changes):
    """The Spring of 11 and 12 has other games: a corrected report, which a correction of its list includes."""
    report = again(office, "2025-spring", "Spring", [11, 12], games, **SPRING)
    return correct(office, april, included_reports=[report.pk], **changes)


def ratings(rating_list, *numbers):
    return tuple(office_row.rating for office_row in rows(rating_list, *numbers))


def rows(rating_list, *numbers):
    found = {row.register_number: row for row in FmjdListRow.objects.filter(list=rating_list)}
    return [found[number] for number in numbers]


def manifest(rating_list):
    lines = PeriodReport.objects.filter(period=rating_list.period, correction=rating_list.correction)
    return set(lines.values_list("result_set__tournament__code", "result_set__revision"))


def carried(rating_list):
    return {
        carried.player.numbers["fmjd"]: (carried.rating, carried.games)
        for carried in CarriedDifference.objects.filter(list=rating_list).select_related("player")
    }
