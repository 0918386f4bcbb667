from pathlib import Path
from typing import Any

from django.core.management import CommandError, CommandParser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from reporting.management.import_reports import ReportFile, import_reports
from reporting.management.office import IMPORTER, OfficeCommand


class Command(OfficeCommand):
    help = _(
        "Submit a folder of report files, each with its tournament details as .toml; with --accept, accept them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", help=gettext("A folder, or one file."))
        parser.add_argument(
            "--accept", action="store_true", help=gettext("Comment on the warnings and accept as --as.")
        )
        parser.add_argument(
            "--two-people",
            action="store_true",
            help=gettext("New players with the name, birth and country of another person are other people."),
        )
        self.add_actor_argument(parser)

    def act(self, *, folder: str, accept: bool, two_people: bool, email: str, **_: Any) -> None:
        place = Path(folder)
        if not place.exists():
            raise CommandError(gettext("%(folder)s: no such folder or file.") % {"folder": folder})
        paths = [place] if place.is_file() else list(place.iterdir())
        files = [
            self.report_file(path) for path in paths if path.is_file() and path.suffix.lower() != ".toml"
        ]
        if not files:
            raise CommandError(gettext("%(folder)s contains no report file.") % {"folder": folder})
        officer = self.actor(email) if accept else None
        wanted, failed = ("accepted" if accept else "submitted", "already there"), 0
        for imported in import_reports(
            files=files, accept_as=officer, importer=self.actor(IMPORTER), two_people=two_people
        ):
            code = (
                imported.report.result_set.part_code if imported.report and imported.report.result_set else ""
            )
            about = ": ".join(filter(None, (imported.outcome, imported.message)))
            self.stdout.write(f"{imported.filename}  {code}  {about}")
            if imported.outcome not in wanted:
                failed += 1
                self.print_findings(imported.findings, indent="    ")
        self.stdout.write(
            gettext("%(files)s files, %(good)s in order.")
            % {"files": len(files), "good": len(files) - failed}
        )
        if failed:
            raise CommandError(
                gettext("%(failed)s of %(files)s files are not %(outcome)s.")
                % {"failed": failed, "files": len(files), "outcome": wanted[0]},
                returncode=2,
            )

    def report_file(self, path: Path) -> ReportFile:
        sidecar = path.with_suffix(".toml")
        return ReportFile(path.name, path.read_bytes(), sidecar.read_bytes() if sidecar.is_file() else None)
