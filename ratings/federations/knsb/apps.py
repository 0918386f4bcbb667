from django.apps import AppConfig


class KnsbConfig(AppConfig):
    """The rating system of the KNSB (Rekenregels KNSB rating)."""

    name = "ratings.federations.knsb"
    label = "knsb"

    def ready(self) -> None:
        from ratings.federations.knsb.system import KnsbSystem  # noqa: PLC0415 (it needs the models)
        from ratings.federations.registry import register_system  # noqa: PLC0415

        register_system(KnsbSystem())
