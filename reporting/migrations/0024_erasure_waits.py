from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """A name is erased after the lists that are being calculated or published (decision 0073)."""

    dependencies = [("reporting", "0023_named_officials")]

    operations = [
        migrations.RunSQL((SQL / "erasure_waits.sql").read_text(), migrations.RunSQL.noop),
    ]
