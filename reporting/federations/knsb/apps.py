from django.apps import AppConfig


class KnsbReportsConfig(AppConfig):
    """The reports of the KNSB (Rekenregels KNSB rating)."""

    name = "reporting.federations.knsb"
    label = "knsb_reports"

    def ready(self) -> None:
        from reporting.federations.knsb.report_rules import KnsbReportRules  # noqa: PLC0415
        from reporting.federations.registry import register_report_rules  # noqa: PLC0415

        register_report_rules(KnsbReportRules())
