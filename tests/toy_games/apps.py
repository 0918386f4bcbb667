from django.apps import AppConfig


class ToyGamesConfig(AppConfig):
    """A second federation that exists in tests alone: rated by the game, in a league without rounds."""

    name = "tests.toy_games"
    label = "league"

    def ready(self) -> None:
        from ratings.federations.registry import register_system
        from reporting.federations.registry import register_report_rules
        from tests.toy_games.report_rules import LeagueReportRules
        from tests.toy_games.system import LeagueSystem

        register_report_rules(LeagueReportRules())
        register_system(LeagueSystem())
