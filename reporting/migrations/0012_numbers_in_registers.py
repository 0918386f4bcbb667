from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).with_name("sql")
COPY_FMJD_IDS = """
INSERT INTO reporting_playeridentity (player_id, register, number)
SELECT id, 'fmjd', fmjd_id::text FROM reporting_player WHERE fmjd_id IS NOT NULL
"""


class Migration(migrations.Migration):
    """Every number of a player is in PlayerIdentity; the player's row has a copy that triggers write."""

    dependencies = [("reporting", "0011_games_of_all_systems")]

    operations = [
        migrations.AlterField(
            model_name="playeridentity",
            name="register",
            field=models.CharField(help_text="One of reporting/rules/register/registers.py.", max_length=8),
        ),
        migrations.AddConstraint(
            model_name="playeridentity",
            constraint=models.CheckConstraint(
                condition=models.Q(("register", "national"), ("number__regex", "^[1-9][0-9]{0,17}$"), _connector="OR"),
                name="identity_whole_number",
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="numbers",
            field=models.JSONField(
                default=dict,
                editable=False,
                help_text="Code of a register → the player's number in it. The database copies it from PlayerIdentity.",
            ),
        ),
        migrations.RunSQL(COPY_FMJD_IDS, migrations.RunSQL.noop),
        # Rows copied with deferred foreign keys have events pending, and a table that has any is not altered.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.RunSQL((SQL / "numbers_in_registers.sql").read_text(), migrations.RunSQL.noop),
        migrations.RemoveConstraint(model_name="player", name="player_fmjd_id_positive"),
        migrations.RemoveField(model_name="player", name="fmjd_id"),
    ]
