from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """Rows and changes belong to the rating systems, each with its own tables; the functions on partitions know them."""

    dependencies = [("ratings", "0007_rating_systems")]

    operations = [
        migrations.RunSQL((SQL / "system_tables.sql").read_text(), migrations.RunSQL.noop),
        # The tables stay: ratings/systems/fmjd/migrations/0001_initial.py takes them over.
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel("RatingChange"), migrations.DeleteModel("RatingListRow")]
        ),
    ]
