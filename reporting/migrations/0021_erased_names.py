from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).with_name("sql")
FIGURES = [
    ("rating", "Rating on a list"),
    ("change", "Rating change by a tournament"),
    ("result", "Result of a game"),
    ("person", "Name, federation, title or year of birth"),
    ("tournament", "Tournament details"),
    ("erasure", "Erasure of a name"),
]
OUTCOMES = [
    ("corrected", "Corrected"),
    ("will_be_corrected", "Will be corrected"),
    ("unchanged", "Not changed"),
    ("not_about_ratings", "Not about ratings"),
    ("erased", "Erased"),
]


class Migration(migrations.Migration):
    """Names are erased on request, with the files that have them (decision 0073)."""

    dependencies = [("reporting", "0020_counting_systems"), ("ratings", "0013_open_data")]

    operations = [
        migrations.AlterField(
            model_name="correctionrequest",
            name="figure",
            field=models.CharField(choices=FIGURES, max_length=10),
        ),
        migrations.AlterField(
            model_name="requestentry",
            name="outcome",
            field=models.CharField(blank=True, choices=OUTCOMES, max_length=20),
        ),
        migrations.RunSQL((SQL / "erased_names.sql").read_text(), migrations.RunSQL.noop),
    ]
