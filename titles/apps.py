from django.apps import AppConfig


class TitlesConfig(AppConfig):
    name = "titles"
    default_auto_field = "django.db.models.BigAutoField"
