from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """What the database refuses whatever the code of the application says, and the functions on partitions."""

    dependencies = [("ratings", "0002_partitioned_tables"), ("reporting", "0003_guards")]

    operations = [
        migrations.RunSQL((SQL / f"{name}.sql").read_text(), migrations.RunSQL.noop)
        for name in ("immutable", "partitions", "corrections")
    ]
