"""What the first migration of a rating system is made of: its two partitioned tables, and their registration."""

from typing import Any

from django.db import migrations


class CreatePartitionedModel(migrations.CreateModel):
    """Create the table of a model derived from `ListRow` or `Change`, partitioned by list.

    Without the indexes that Django makes for foreign keys: every query names the list, and the functions on partitions
    index each list.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:  # noqa: ARG002
        model = to_state.apps.get_model(app_label, self.name)
        statement, values = schema_editor.table_sql(model)
        schema_editor.execute(f"{statement} PARTITION BY LIST (list_id)", values or None)
        for index in model._meta.indexes:
            schema_editor.add_index(model, index)


class RegisterSystemTables(migrations.RunSQL):
    """Let the functions on partitions work on the tables of a system, and protect them as published figures are."""

    def __init__(self, system: str, rows_table: str, changes_table: str) -> None:
        self.system, self.rows_table, self.changes_table = system, rows_table, changes_table
        super().__init__([("SELECT register_rating_system(%s, %s, %s)", [system, rows_table, changes_table])])

    def deconstruct(self) -> tuple[str, list[str], dict[str, Any]]:
        return type(self).__name__, [self.system, self.rows_table, self.changes_table], {}
