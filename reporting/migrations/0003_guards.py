from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")
FILES = ("append_only", "player_merges", "security_log", "role_assignments", "not_by_the_web")


class Migration(migrations.Migration):
    """What the database refuses whatever the code of the application says."""

    dependencies = [("reporting", "0002_database_roles")]

    operations = [
        migrations.RunSQL((SQL / f"{name}.sql").read_text(), migrations.RunSQL.noop) for name in FILES
    ]
