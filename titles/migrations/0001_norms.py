from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """Norms as found in a list's tournaments, claims, and the decisions on them; what the database refuses."""

    initial = True

    dependencies = [
        ('ratings', '0010_kinds_of_anomalies'),
        ('reporting', '0012_numbers_in_registers'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='NormLayout',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('requirements', models.JSONField(help_text='A list of objects with the fields of RequirementLayout (titles/rules/fmjd/requirement.py).')),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
            ],
        ),
        migrations.CreateModel(
            name='Norm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('section', models.CharField(help_text='The discipline of the tournament.', max_length=3)),
                ('title', models.CharField(help_text='One of reporting/rules/register/titles.py.', max_length=4)),
                ('kind', models.CharField(choices=[('result', 'Norm by result'), ('place', 'Norm by place'), ('title', 'Automatic title')], max_length=6)),
                ('origin', models.CharField(choices=[('found', 'Found'), ('near_miss', 'One requirement unmet'), ('on_request', 'Possible with a won game ignored'), ('claimed', 'Claimed')], max_length=10)),
                ('colour', models.CharField(blank=True, choices=[('red', 'Red'), ('black', 'Black'), ('', 'None')], max_length=5)),
                ('games', models.PositiveSmallIntegerField(help_text='Games that it brings towards a title.')),
                ('points_scored', models.PositiveSmallIntegerField(help_text='2-1-0; by result only.', null=True)),
                ('points_asked', models.PositiveSmallIntegerField(help_text='2-1-0; by result only.', null=True)),
                ('average_rating', models.PositiveSmallIntegerField(help_text='Rm of the opponents met.', null=True)),
                ('category', models.PositiveSmallIntegerField(help_text='Of table X-2, from 1 on.', null=True)),
                ('figures', django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None)),
                ('claim_reason', models.TextField(blank=True, default='')),
                ('layout', models.ForeignKey(db_constraint=False, db_index=False, help_text='What the figures mean; none for a title without requirements.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='titles.normlayout')),
                ('claimed_by', models.ForeignKey(db_index=False, help_text='Of a claim.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ignored_game', models.ForeignKey(db_constraint=False, db_index=False, help_text='The won game that it needs ignored (Annex 10 art. 4.5.2, R36).', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.game')),
                ('list', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='norms', to='ratings.ratinglist')),
                ('player', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='norms', to='reporting.player')),
                ('tournament', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='norms', to='reporting.tournament')),
            ],
        ),
        migrations.CreateModel(
            name='NormDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_confirmed', models.BooleanField()),
                ('reason', models.TextField(blank=True)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('norm', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='titles.norm')),
            ],
        ),
        migrations.AddIndex(
            model_name='norm',
            index=models.Index(fields=['player', 'section'], name='norm_of_player'),
        ),
        migrations.AddIndex(
            model_name='norm',
            index=models.Index(condition=models.Q(('ignored_game__isnull', False)), fields=['ignored_game'], name='norm_ignoring_game'),
        ),
        migrations.AddIndex(
            model_name='norm',
            index=models.Index(condition=models.Q(('claimed_by__isnull', False)), fields=['claimed_by'], name='norm_of_claimant'),
        ),
        migrations.AddConstraint(
            model_name='norm',
            constraint=models.UniqueConstraint(fields=('list', 'player', 'tournament', 'section', 'title', 'kind', 'origin', 'colour'), name='norm_once'),
        ),
        migrations.AddConstraint(
            model_name='norm',
            constraint=models.CheckConstraint(condition=models.Q(('title', ''), _negated=True), name='norm_names_a_title'),
        ),
        migrations.AddConstraint(
            model_name='norm',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ignored_game__isnull', False), ('origin', 'on_request')), models.Q(models.Q(('origin', 'on_request'), _negated=True), ('ignored_game__isnull', True)), _connector='OR'), name='norm_ignores_a_game_on_request'),
        ),
        migrations.AddConstraint(
            model_name='norm',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('claimed_by__isnull', False), ('origin', 'claimed'), models.Q(('claim_reason', ''), _negated=True)), models.Q(models.Q(('origin', 'claimed'), _negated=True), ('claim_reason', ''), ('claimed_by__isnull', True)), _connector='OR'), name='norm_claimed_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='normdecision',
            constraint=models.CheckConstraint(condition=models.Q(('is_confirmed', True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='norm_refused_with_a_reason'),
        ),
        migrations.RunSQL((SQL / "norms.sql").read_text(), migrations.RunSQL.noop),
    ]
