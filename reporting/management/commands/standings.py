import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.management.office import OfficeCommand
from reporting.reports.standings.classify_file import classify_file
from reporting.reports.standings.labels import COUNTED, KINDS, value_text
from reporting.rules.standings.classify import Standings
from reporting.rules.standings.explain import explain as explain_player
from reporting.rules.standings.fide import Edition
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.rules.standings.unplayed import METHODS


class Command(OfficeCommand):
    help = _("Print the standings of a report file by its points and chosen tie-breaks. Stores nothing.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument(
            "--tie-breaks",
            default="",
            metavar="KEY,KEY",
            help=gettext("The tie-breaks in order: %(keys)s.") % {"keys": " ".join(TIE_BREAKS)},
        )
        parser.add_argument(
            "--unplayed",
            default="",
            metavar="METHOD",
            help=gettext("The method for unplayed games: %(methods)s.") % {"methods": " ".join(METHODS)},
        )
        parser.add_argument(
            "--edition",
            default="",
            metavar="ID",
            help=gettext(
                "The edition of FIDE’s tie-breaks: %(editions)s (default: by the tournament’s last day)."
            )
            % {"editions": " ".join(Edition)},
        )
        parser.add_argument(
            "--details",
            help=gettext("The tournament details as TOML (default: the file with the same name and .toml)."),
        )
        parser.add_argument(
            "--explain", type=int, metavar="NUMBER", help=gettext("Explain each value of this player.")
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help=gettext("Print JSON."))

    def act(
        self,
        *,
        file: str,
        tie_breaks: str,
        unplayed: str,
        edition: str,
        details: str | None,
        explain: int | None,
        as_json: bool,
        **_: Any,
    ) -> None:
        next_to_it = Path(details) if details else Path(file).with_suffix(".toml")
        written = next_to_it.read_bytes() if details or next_to_it.is_file() else b""
        classified = classify_file(
            content=Path(file).read_bytes(),
            sidecar=read_sidecar(written),
            keys=[key.strip() for key in tie_breaks.split(",") if key.strip()],
            unplayed=unplayed,
            edition=edition,
            today=timezone.localdate(),
        )
        self.print_findings(classified.findings)
        standings = classified.standings
        if standings is None:
            raise CommandError(gettext("The report has errors, so it has no standings."))
        if explain is not None:
            self._explain(standings, explain)
        elif as_json:
            self.stdout.write(json.dumps(standings.to_json(), ensure_ascii=False, indent=1))
        else:
            self._print(standings)

    def _print(self, standings: Standings) -> None:
        keys = [tie_break.key for tie_break in standings.tie_breaks]
        rows = [[gettext("Place"), gettext("Number"), gettext("Name"), gettext("Points"), *keys]]
        scale = standings.table.halves_a_point
        for row in standings.order.tolist():
            rows.append(
                [
                    str(standings.places[row] or "–"),
                    str(standings.table.numbers[row]),
                    standings.table.names[row],
                    value_text(Fraction(int(standings.table.scores[row]), scale)),
                    *(value_text(column.value(row, scale)) for column in standings.columns),
                ]
            )
        self._print_rows(rows)

    def _explain(self, standings: Standings, number: int) -> None:
        try:
            explanations = explain_player(standings, number)
        except KeyError:
            raise CommandError(gettext("No player has the number %(number)s.") % {"number": number}) from None
        for explanation in explanations:
            tie_break = explanation.tie_break
            self.stdout.write(
                f"{tie_break.key}: {value_text(explanation.value)} – {tie_break.name} ({tie_break.article})"
            )
            rows = [
                [
                    "",
                    str(each.round),
                    str(KINDS[each.kind]),
                    str(each.opponent or "–"),
                    str(COUNTED[each.counted]),
                    value_text(each.score)
                    + (f" × {value_text(each.weight)}" if each.weight is not None else ""),
                    "" if each.kept else gettext("left out"),
                    each.article,
                ]
                for each in explanation.rounds
            ]
            if rows:
                self._print_rows(rows)

    def _print_rows(self, rows: Sequence[Sequence[str]]) -> None:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            line = "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
            self.stdout.write(line.rstrip())
