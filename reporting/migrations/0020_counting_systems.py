from django.db import migrations, models


class Migration(migrations.Migration):
    """Points of rounds, plus draws and decided ties of a tournament (Annex 3 art. 5.6a, 5.10; R25)."""

    dependencies = [("reporting", "0019_messages_read")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="round_scores",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="Points of winner and loser of a round by the game that decided it.",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="plus_draws",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="Round, game of the round, number with the advantage, its opponent.",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="decided_ties",
            field=models.JSONField(
                blank=True, default=list, help_text="Numbers of tied players in the order that was decided."
            ),
        ),
    ]
