from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """The web writes rows only in the name of the person who acts."""

    dependencies = [("reporting", "0004_command_accounts")]

    operations = [migrations.RunSQL((SQL / "acting_person.sql").read_text(), migrations.RunSQL.noop)]
