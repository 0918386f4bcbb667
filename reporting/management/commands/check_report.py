import json
from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils import timezone

from reporting.formats.tournament_details_file import read_sidecar
from reporting.management.office import OfficeCommand
from reporting.reports.services.parse import read_submission, read_upload
from reporting.rules.findings import Severity


class Command(OfficeCommand):
    help = "Check a report file without the register. Stores nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument(
            "--details",
            help="The tournament details as TOML (default: the file with the same name and .toml).",
        )
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help="Print all data read as JSON."
        )

    def act(self, *, file: str, details: str | None, as_json: bool, **_: Any) -> None:
        beside = Path(file).with_suffix(".toml")
        written = Path(details).read_bytes() if details else beside.read_bytes() if beside.is_file() else b""
        sidecar = read_sidecar(written)
        reading = read_upload(content=Path(file).read_bytes(), sidecar=sidecar)
        submission = read_submission(read=reading.read, sidecar=sidecar, today=timezone.localdate())
        found = submission.read.grouped_findings(submission.findings)
        findings = [finding.to_json() for finding in found]
        errors = sum(finding.severity is Severity.ERROR for finding in found)
        if as_json:
            document = submission.read.to_json() | {"findings": findings}
            self.stdout.write(json.dumps(document, ensure_ascii=False, indent=1, default=str))
        else:
            read = submission.read
            self.print_findings(findings)
            self.stdout.write(
                f"{read.format or 'unknown format'}, {read.encoding or 'unknown encoding'}:"
                f" {len(read.players)} players,"
                f" {read.rounds} rounds, {len(read.games)} games; {errors} errors, {len(findings) - errors} warnings."
            )
        if errors:
            raise CommandError(f"{errors} errors: this report cannot be submitted.")
