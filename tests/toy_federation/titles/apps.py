from django.apps import AppConfig


class ToyTitlesConfig(AppConfig):
    """The titles of the toy federation, a second app of its folder: not every federation has rules of titles."""

    name = "tests.toy_federation.titles"
    label = "toy_titles"

    def ready(self) -> None:
        from tests.toy_federation.titles.title_rules import ToyTitleRules
        from titles.federations.registry import register_title_rules

        register_title_rules(ToyTitleRules())
