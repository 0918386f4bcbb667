from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    dependencies = [("reporting", "0001_initial"), ("sessions", "0001_initial")]

    operations = [migrations.RunSQL((SQL / "roles.sql").read_text(), migrations.RunSQL.noop)]
