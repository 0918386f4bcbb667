from django.db import migrations, models


class Migration(migrations.Migration):
    """Ranks of a player in the federation and on derived lists, from the next publication on (decision 0064)."""

    dependencies = [
        ('ratings', '0011_opening_imports'),
    ]

    operations = [
        migrations.AddField(
            model_name='playerhistory',
            name='derived_ranks',
            field=models.JSONField(db_default={}, default=dict, help_text='Name of a derived list (R13) → the rank on it.'),
        ),
        migrations.AddField(
            model_name='playerhistory',
            name='federation_rank',
            field=models.IntegerField(help_text='Among the players of the same federation on the official list.', null=True),
        ),
    ]
