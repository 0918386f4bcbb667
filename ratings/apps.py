from django.apps import AppConfig

from ratings.rules.fmjd.parameters import edition_in_force
from reporting.regulations import register_editions


class RatingsConfig(AppConfig):
    name = "ratings"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Reporting asks for days of the regulations and must not know where they stand.
        register_editions(edition_in_force)
