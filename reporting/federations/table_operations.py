"""What the first migration of a federation's details ends with."""

from collections.abc import Sequence
from typing import Any

from django.db import migrations


class RegisterOwnDetails(migrations.RunSQL):
    """Protect a table of `OwnDetails` as result sets are; `council` and `office` decide these columns (R78)."""

    def __init__(self, table: str, *, council: Sequence[str] = (), office: Sequence[str] = ()) -> None:
        self.table, self.council, self.office = table, list(council), list(office)
        super().__init__(
            [("SELECT register_own_details(%s, %s, %s)", [table, self.council, self.office])],
            # Its triggers go with the table; another federation may have the same items, so they stay known.
            migrations.RunSQL.noop,
        )

    def deconstruct(self) -> tuple[str, list[str], dict[str, Any]]:
        return type(self).__name__, [self.table], {"council": self.council, "office": self.office}
