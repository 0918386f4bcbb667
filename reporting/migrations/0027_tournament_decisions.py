from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """What the office and the Council decide of tournaments (R78)."""

    dependencies = [
        ('reporting', '0025_report_notes'),
    ]

    operations = [
        migrations.CreateModel(
            name='TournamentDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('item', models.CharField(choices=[('council_approved', 'council_approved'), ('official', 'official'), ('competition', 'competition'), ('world_cup_stars', 'world_cup_stars'), ('referee_level', 'referee_level'), ('over_age', 'over_age')], max_length=16)),
                ('value', models.CharField(blank=True, help_text='`yes`, `no`, or a value of the detail.', max_length=24)),
                ('about', models.TextField(blank=True, default='')),
                ('reason', models.TextField(blank=True)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='reporting.tournament')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('item__in', ['council_approved', 'official', 'competition', 'world_cup_stars', 'referee_level', 'over_age'])), name='tournament_decision_item_known')],
            },
        ),
        migrations.RunSQL((SQL / "tournament_decisions.sql").read_text(), migrations.RunSQL.noop),
    ]
