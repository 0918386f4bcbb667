from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """The office deletes drafts that were never submitted."""

    dependencies = [("reporting", "0037_acting_roles")]

    operations = [
        migrations.RunSQL((SQL / "office_deletes_drafts.sql").read_text(), migrations.RunSQL.noop)
    ]
