from django.apps import AppConfig


class FmjdTitlesConfig(AppConfig):
    """The norms and titles of the FMJD (Annex 10)."""

    name = "titles.federations.fmjd"
    label = "fmjd_titles"

    def ready(self) -> None:
        from titles.federations.fmjd.title_rules import FmjdTitleRules  # noqa: PLC0415 (it needs the models)
        from titles.federations.registry import register_title_rules  # noqa: PLC0415

        register_title_rules(FmjdTitleRules())
