from django.apps import AppConfig


class FmjdReportsConfig(AppConfig):
    """The reports of the FMJD (Annex 9)."""

    name = "reporting.federations.fmjd"
    label = "fmjd_reports"

    def ready(self) -> None:
        from reporting.federations.fmjd.report_rules import FmjdReportRules  # noqa: PLC0415
        from reporting.federations.registry import register_report_rules  # noqa: PLC0415

        register_report_rules(FmjdReportRules())
