from django.apps import AppConfig

from ratings.refusals import REFUSALS
from ratings.rules.fmjd.parameters import edition_in_force
from reporting.errors import register_refusals
from reporting.regulations import register_editions


class RatingsConfig(AppConfig):
    name = "ratings"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what reporting asks for and must not import: days of the regulations, the list that counts."""
        from ratings.publishing import notifications  # noqa: F401, PLC0415 (once models are there)

        register_editions(edition_in_force)
        register_refusals(REFUSALS)
