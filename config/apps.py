from django.apps import AppConfig


class OfficeConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        # Every process that may wake the worker needs the Celery application, not only the worker itself.
        import config.celery  # noqa: F401, PLC0415
