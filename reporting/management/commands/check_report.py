import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.management.office import OfficeCommand
from reporting.reports.reading.parse import read_submission, read_upload
from reporting.rules.findings.finding_list import count_findings
from reporting.rules.regulations.editions import cited


class Command(OfficeCommand):
    help = _("Check a report file without the register. Stores nothing.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument(
            "--details",
            help=gettext("The tournament details as TOML (default: the file with the same name and .toml)."),
        )
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help=gettext("Print all data read as JSON.")
        )

    def act(self, *, file: str, details: str | None, as_json: bool, **_: Any) -> None:
        next_to_it = Path(file).with_suffix(".toml")
        written = (
            Path(details).read_bytes()
            if details
            else next_to_it.read_bytes()
            if next_to_it.is_file()
            else b""
        )
        sidecar = read_sidecar(written)
        reading = read_upload(content=Path(file).read_bytes(), sidecar=sidecar)
        submission = read_submission(read=reading.read, sidecar=sidecar, today=timezone.localdate())
        rating_system, discipline = submission.regulations
        found = cited(submission.read.grouped_findings(submission.findings), discipline, rating_system)
        counts = count_findings(found)
        if as_json:
            document = submission.read.to_json() | {"findings": [finding.to_json() for finding in found]}
            self.stdout.write(json.dumps(document, ensure_ascii=False, indent=1, default=str))
        else:
            read = submission.read
            self.print_findings(found)
            self.stdout.write(
                gettext(
                    "%(format)s, %(encoding)s: %(players)s players, %(rounds)s rounds, %(games)s games;"
                    " %(errors)s errors, %(people)s people to identify, %(missing)s details missing,"
                    " %(warnings)s warnings."
                )
                % {
                    "format": read.format or gettext("unknown format"),
                    "encoding": read.encoding or gettext("unknown encoding"),
                    "players": len(read.players),
                    "rounds": read.rounds,
                    "games": len(read.games),
                    **asdict(counts),
                }
            )
        if counts.is_incomplete:
            raise CommandError(gettext("This report cannot be submitted."))
