from typing import Any

from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation


class CreateModels(Operation):
    """Create the tables of the models of an app together: they may refer to each other in any order.

    Django renders all related models again for each table; here once, which makes an empty database in half the time.
    """

    reversible = False

    def __init__(self, *models: CreateModel) -> None:
        self.models = models

    def state_forwards(self, app_label: str, state: Any) -> None:
        vars(state).pop("apps", None)  # what is rendered; asked for below, it is rendered with all models
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)
