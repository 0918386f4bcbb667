from django.apps import AppConfig


class FmjdReportsConfig(AppConfig):
    """The reports of the FMJD (Annex 9)."""

    name = "reporting.federations.fmjd"
    label = "fmjd_reports"

    def ready(self) -> None:
        from reporting.federations.fmjd.report_rules import FmjdReportRules  # noqa: PLC0415
        from reporting.federations.fmjd.world_cup_calendar import approved_world_cup_events  # noqa: PLC0415
        from reporting.federations.registry import (  # noqa: PLC0415
            register_approved_events,
            register_report_rules,
        )

        register_report_rules(FmjdReportRules())
        register_approved_events("world_cup_event.approve", approved_world_cup_events)
