from django.apps import AppConfig


class ToyConfig(AppConfig):
    """A federation that exists in tests alone: docs/how-to/add-a-federation.md tells how it was added."""

    name = "tests.toy_federation"
    label = "toy"

    def ready(self) -> None:
        from ratings.federations.registry import register_system
        from reporting.federations.registry import register_report_rules
        from tests.toy_federation.report_rules import ToyReportRules
        from tests.toy_federation.system import ToySystem

        register_report_rules(ToyReportRules())
        register_system(ToySystem())
