from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """A draft that was never submitted can be deleted by the person who made it."""

    dependencies = [("reporting", "0017_announcement_marks")]

    operations = [migrations.RunSQL((SQL / "delete_drafts.sql").read_text(), migrations.RunSQL.noop)]
