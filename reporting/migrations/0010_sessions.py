

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reporting', '0009_titles_and_memberships'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='number',
            field=models.PositiveSmallIntegerField(db_default=1, default=1, help_text='In its round, from 1.'),
        ),
        migrations.AddField(
            model_name='game',
            name='seconds_for_60_moves',
            field=models.PositiveIntegerField(blank=True, help_text="Per player, for the first 60 moves (R6); empty: the tournament's.", null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='time_control',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.AddField(
            model_name='tournament',
            name='session',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, help_text="Time controls of the games of a round, in order; empty: one game, by the tournament's (R25).", size=None),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('number__gt', 0)), name='game_number_from_one'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('seconds_for_60_moves', None), ('time_control', '')), models.Q(models.Q(('time_control', ''), _negated=True), ('seconds_for_60_moves__gt', 0), ('seconds_for_60_moves__isnull', False)), _connector='OR'), name='game_has_whole_clock'),
        ),
    ]
