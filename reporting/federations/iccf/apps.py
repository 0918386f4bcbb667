from django.apps import AppConfig


class IccfReportsConfig(AppConfig):
    """The reports of the ICCF (working rules)."""

    name = "reporting.federations.iccf"
    label = "iccf_reports"

    def ready(self) -> None:
        from reporting.federations.iccf.report_rules import IccfReportRules  # noqa: PLC0415
        from reporting.federations.registry import register_report_rules  # noqa: PLC0415

        register_report_rules(IccfReportRules())
