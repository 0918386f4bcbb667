from django.apps import AppConfig


class IccfConfig(AppConfig):
    """The rating system of the ICCF (working rules)."""

    name = "ratings.federations.iccf"
    label = "iccf"

    def ready(self) -> None:
        from ratings.federations.iccf.system import IccfSystem  # noqa: PLC0415 (it needs the models)
        from ratings.federations.registry import register_system  # noqa: PLC0415

        register_system(IccfSystem())
