from django.apps import AppConfig


class FmjdConfig(AppConfig):
    """The rating system of the FMJD (Annex 9)."""

    name = "ratings.systems.fmjd"
    label = "fmjd"

    def ready(self) -> None:
        from ratings.systems.fmjd.rules import rules_on  # noqa: PLC0415 (they need the models)
        from ratings.systems.fmjd.system import FmjdSystem  # noqa: PLC0415
        from ratings.systems.registry import register_system  # noqa: PLC0415
        from reporting.regulations import register_editions  # noqa: PLC0415

        register_system(FmjdSystem())
        register_editions(rules_on)
