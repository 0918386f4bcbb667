import csv
import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.formats.pairing.pairing_file import MAX_PLAYERS, MAX_RATING, MAX_ROUNDS
from reporting.management.commands.simulate_tournament import share
from reporting.management.office import OfficeCommand, whole_between
from reporting.rules.pairing.studies.plot import plotted
from reporting.rules.pairing.studies.study import SINGLES, Study, Totals, UnpairableStudyError, study_block
from reporting.rules.pairing.studies.tournaments import UNPLAYED_RATES, StudyRates
from reporting.rules.pairing.tournament import SYSTEMS, Colours

BLOCK = 50
"""Tournaments between two saved results. Their sums are added in the order of the blocks."""

TABLES = ("all", "top")
ARRAYS = ("cells", "squares", "crossed", "crossed_squares")


class Command(OfficeCommand):
    help = _(
        "Compare tie-breaks with global criteria over simulated tournaments. Stores nothing in the database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=whole_between(4, MAX_PLAYERS), metavar="N", default=100)
        parser.add_argument("--rounds", type=whole_between(2, MAX_ROUNDS), metavar="R", default=9)
        parser.add_argument("--tournaments", type=whole_between(1, 1_000_000), metavar="N", default=10_000)
        parser.add_argument("--seed", type=int, metavar="K", default=1)
        parser.add_argument(
            "--unplayed", action="store_true", help=gettext("The second study: methods for unplayed games.")
        )
        parser.add_argument(
            "--ratings", metavar="FILE", help=gettext("A rating a line, one for each player.")
        )
        parser.add_argument(
            "--top",
            type=whole_between(0, 2 * MAX_ROUNDS),
            metavar="HALVES",
            default=0,
            help=gettext("Half points from which a player is on top."),
        )
        parser.add_argument("--system", choices=list(SYSTEMS), default="rating")
        parser.add_argument("--colours", choices=list(Colours), default=Colours.WEAK)
        for rate in fields(StudyRates):
            parser.add_argument(f"--{rate.name.replace('_', '-')}", type=share, metavar="P")
        parser.add_argument("--workers", type=whole_between(1, 64), metavar="N", default=1)
        parser.add_argument("--out", metavar="FOLDER", default="study")

    def act(self, *, workers: int, out: str, **options: Any) -> None:
        study = self._study(options)
        folder = Path(out)
        self._begin(folder, study)
        blocks = [
            (first, min(first + BLOCK, study.tournaments)) for first in range(0, study.tournaments, BLOCK)
        ]
        self._make(folder, study, blocks, workers)
        totals = Totals.nothing(study)
        for first, _last in blocks:
            totals.add_block(_read_block(folder, first))
        text = "".join(_text(study, totals))
        (folder / "tables.txt").write_text(text, encoding="utf-8")
        (folder / "plot.svg").write_text(plotted(*_bars(study, totals)), encoding="utf-8")
        _write_csv(folder / "tables.csv", study, totals)
        self.stdout.write(text)

    def _study(self, options: dict[str, Any]) -> Study:
        given = {
            rate.name: options[rate.name] for rate in fields(StudyRates) if options[rate.name] is not None
        }
        defaults = UNPLAYED_RATES if options["unplayed"] else StudyRates()
        rates = StudyRates(**(asdict(defaults) | given))
        if not options["unplayed"] and (
            rates.forfeits or rates.half_point_byes or rates.absences or rates.retirements
        ):
            raise CommandError(gettext("Games are unplayed only in the second study: add --unplayed."))
        return Study(
            players=options["players"],
            rounds=options["rounds"],
            tournaments=options["tournaments"],
            seed=options["seed"],
            rates=rates,
            is_of_unplayed=options["unplayed"],
            ratings=_ratings(options["ratings"], options["players"]) if options["ratings"] else (),
            top=options["top"],
            system=options["system"],
            colours=Colours(options["colours"]),
        )

    def _begin(self, folder: Path, study: Study) -> None:
        """Make the folder, or go on in it if it is of the same study; the number of tournaments may grow."""
        same = {name: value for name, value in asdict(study).items() if name != "tournaments"} | {
            "block": BLOCK
        }
        text = json.dumps(same, sort_keys=True, indent=1) + "\n"
        (folder / "blocks").mkdir(parents=True, exist_ok=True)
        parameters = folder / "study.json"
        if parameters.exists() and parameters.read_text(encoding="utf-8") != text:
            raise CommandError(
                gettext("%(folder)s has another study: choose another folder, or delete it.")
                % {"folder": folder}
            )
        parameters.write_text(text, encoding="utf-8")

    def _make(self, folder: Path, study: Study, blocks: list[tuple[int, int]], workers: int) -> None:
        """Simulate the blocks that the folder does not have, and say after each one how far it is."""
        missing = [block for block in blocks if not _has_block(folder, block)]
        try:
            self._simulate(folder, study, missing, workers)
        except UnpairableStudyError:
            raise CommandError(
                gettext("%(rounds)s rounds of %(players)s players cannot be paired. Ask for fewer rounds.")
                % {"rounds": study.rounds, "players": study.players}
            ) from None

    def _simulate(self, folder: Path, study: Study, missing: list[tuple[int, int]], workers: int) -> None:
        with ProcessPoolExecutor(workers) as pool:
            for block, totals in zip(missing, pool.map(partial(study_block, study), missing), strict=True):
                _write_block(folder, block[0], totals)
                self.stderr.write(
                    gettext("%(done)s of %(all)s tournaments") % {"done": block[1], "all": study.tournaments}
                )


def _ratings(name: str, players: int) -> tuple[int, ...]:
    lines = Path(name).read_text(encoding="utf-8").split()
    if len(lines) != players or not all(line.isascii() and line.isdigit() for line in lines):
        raise CommandError(
            gettext("%(file)s needs %(players)s whole numbers, one a line.")
            % {"file": name, "players": players}
        )
    ratings = sorted(map(int, lines), reverse=True)
    if not 1 <= ratings[-1] <= ratings[0] <= MAX_RATING:
        raise CommandError(gettext("Ratings are from 1 to %(most)s.") % {"most": MAX_RATING})
    return tuple(ratings)


# --- results of blocks, in files


def _path(folder: Path, first: int) -> Path:
    return folder / "blocks" / f"{first:07d}.json"


def _has_block(folder: Path, block: tuple[int, int]) -> bool:
    path = _path(folder, block[0])
    return path.exists() and json.loads(path.read_text())["tournaments"] == block[1] - block[0]


def _write_block(folder: Path, first: int, totals: Totals) -> None:
    values = {name: getattr(totals, name).tolist() for name in ARRAYS} | {"tournaments": totals.tournaments}
    partly = _path(folder, first).with_suffix(".part")
    partly.write_text(json.dumps(values))
    partly.replace(_path(folder, first))


def _read_block(folder: Path, first: int) -> Totals:
    values = json.loads(_path(folder, first).read_text())
    return Totals(**{name: np.array(values[name]) for name in ARRAYS}, tournaments=values["tournaments"])


# --- the tables


def _text(study: Study, totals: Totals) -> Iterator[str]:
    yield f"{study.players} players, {study.rounds} rounds, {totals.tournaments} tournaments, seed {study.seed}\n"
    means, errors = totals.mean_and_error(totals.cells, totals.squares)
    crossed, errors_of_crossed = totals.mean_and_error(totals.crossed, totals.crossed_squares)
    titles = (gettext("All players"), gettext("From %(halves)s half points") % {"halves": study.top_halves})
    yield from _text_table(gettext("Criteria"), study.criteria, study.criteria, crossed, errors_of_crossed)
    for title, mean, error in zip(titles, means, errors, strict=True):
        yield from _text_table(title, study.rows, study.criteria, mean, error)


def _text_table(
    title: str, rows: Iterable[str], columns: Iterable[str], mean: Any, error: Any
) -> Iterator[str]:
    yield f"\n{title}\n{'':16}" + "".join(f"{column:>18}" for column in columns) + "\n"
    for name, own, own_errors in zip(rows, mean, error, strict=True):
        cells = "".join(f"{value:10.4f} ±{wrong:6.4f}" for value, wrong in zip(own, own_errors, strict=True))
        yield f"{name:16}{cells}\n"


def _write_csv(path: Path, study: Study, totals: Totals) -> None:
    means, errors = totals.mean_and_error(totals.cells, totals.squares)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["players", "row", "criterion", "mean", "standard_error"])
        for table, name in enumerate(TABLES):
            for row, of_row in enumerate(study.rows):
                for column, criterion in enumerate(study.criteria):
                    cell = table, row, column
                    writer.writerow([name, of_row, criterion, f"{means[cell]:.6f}", f"{errors[cell]:.6f}"])


def _bars(study: Study, totals: Totals) -> tuple[list[str], list[str], list[list[float]], list[list[float]]]:
    """The bars of the plot: the single tie-breaks, or all methods with Buchholz; all players; without RANDOM."""
    means, errors = totals.mean_and_error(totals.cells, totals.squares)
    shown = [
        row
        for row, name in enumerate(study.rows)
        if (name.endswith(" BH") if study.is_of_unplayed else name in SINGLES)
    ]
    columns = len(study.criteria) - 1
    return (
        [study.rows[row] for row in shown],
        list(study.criteria[:columns]),
        [means[0, row, :columns].tolist() for row in shown],
        [errors[0, row, :columns].tolist() for row in shown],
    )
