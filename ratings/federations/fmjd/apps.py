from django.apps import AppConfig


class FmjdConfig(AppConfig):
    """The rating system of the FMJD (Annex 9)."""

    name = "ratings.federations.fmjd"
    label = "fmjd"

    def ready(self) -> None:
        from ratings.federations.fmjd.system import FmjdSystem  # noqa: PLC0415 (it needs the models)
        from ratings.federations.fmjd.titles import SECTIONS, TITLES  # noqa: PLC0415
        from ratings.federations.registry import register_system  # noqa: PLC0415
        from reporting.rules.register.titles import register_titles  # noqa: PLC0415

        register_system(FmjdSystem())
        register_titles(FmjdSystem.code, TITLES, SECTIONS)
