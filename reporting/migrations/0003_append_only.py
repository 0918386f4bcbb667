from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    dependencies = [("reporting", "0002_database_roles")]

    operations = [migrations.RunSQL((SQL / "append_only.sql").read_text(), migrations.RunSQL.noop)]
