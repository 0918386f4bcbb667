from django.db import migrations


class Migration(migrations.Migration):
    """A newcomer on two lines of a report is one player with two entries (R24a)."""

    dependencies = [("reporting", "0028_report_steps")]

    operations = [
        migrations.RemoveConstraint(model_name="entry", name="entry_player_unique"),
    ]
