from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    dependencies = [("reporting", "0005_acting_person")]

    operations = [
        migrations.CreateModel(
            name="RegisterChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
            options={"default_permissions": ()},
        ),
        migrations.CreateModel(
            name="MatchedPlayers",
            fields=[
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="matched_players",
                        serialize=False,
                        to="reporting.reportversion",
                    ),
                ),
                (
                    "register_changes",
                    models.BigIntegerField(help_text="Rows of RegisterChange before the players were matched."),
                ),
                ("matched_by", models.CharField(help_text="Digest of the code that matched them.", max_length=16)),
                ("players", models.JSONField(help_text="One object for each player, in the order of the report.")),
            ],
            options={"verbose_name_plural": "matched players"},
        ),
        migrations.RunSQL((SQL / "register_changes.sql").read_text(), migrations.RunSQL.noop),
    ]
