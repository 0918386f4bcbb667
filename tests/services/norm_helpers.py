"""The Ouagadougou Open 2022 accepted as a World Cup tournament, so that it brings norms."""

from django.core.management import call_command

from tests.flows.test_report_to_list import DETAILS, tables_of

WORLD_CUP = 'competition = "world-cup"\ncouncil_approved = true\n'


def accept_ouagadougou(samples, tmp_path):
    """Register and list with the printed titles and ratings, and the open accepted; its details are DETAILS."""
    report = tmp_path / "reports" / "open.csv"
    report.parent.mkdir()
    report.write_bytes((samples / "draughts-arbiter-2022-ouagadougou.csv").read_bytes())
    days = ", ".join(f"2022-11-{19 + day:02d}" for day in range(9))
    details = DETAILS.format(name="Ouagadougou Open 2022", place="Ouagadougou", country="BFA", rounds=days)
    report.with_suffix(".toml").write_text(details + WORLD_CUP)
    tables_of(report, tmp_path)
    call_command("import_register", str(tmp_path / "register.csv"))
    call_command("import_list", str(tmp_path / "list.csv"), "--in-force", "2022-10-01")
    call_command("import_reports", str(report.parent), "--accept")
