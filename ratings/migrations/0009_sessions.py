from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """A tournament with a session counts in several pools (R25)."""

    dependencies = [("ratings", "0008_system_tables"), ("reporting", "0010_sessions")]

    operations = [migrations.RunSQL((SQL / "sessions.sql").read_text(), migrations.RunSQL.noop)]
