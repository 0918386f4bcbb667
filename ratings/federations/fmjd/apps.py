from django.apps import AppConfig


class FmjdConfig(AppConfig):
    """The rating system of the FMJD (Annex 9)."""

    name = "ratings.federations.fmjd"
    label = "fmjd"

    def ready(self) -> None:
        from ratings.federations.fmjd.rules.tables import RATING_DIFFERENCE_E2  # noqa: PLC0415
        from ratings.federations.fmjd.system import FmjdSystem  # noqa: PLC0415 (it needs the models)
        from ratings.federations.registry import (  # noqa: PLC0415
            MethodSection,
            register_method_section,
            register_system,
        )
        from reporting.reports.pairing.shown import worked_round  # noqa: PLC0415
        from reporting.rules.regulations.rating_differences import register_rating_differences  # noqa: PLC0415

        register_system(FmjdSystem())
        register_method_section(
            FmjdSystem.code, MethodSection("reporting/pairing/how_a_round_is_paired.html", worked_round)
        )
        register_rating_differences(FmjdSystem.code, RATING_DIFFERENCE_E2.tolist())
