from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """Revisions of a published list, and the anomalies of a draft with their answers."""

    dependencies = [
        ('ratings', '0003_pools'),
        ('reporting', '0006_corrected_reports'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Anomaly',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('jump', 'Large jump'), ('few_games', 'Few games'), ('late', 'Late report'), ('left_out', 'Left out')], max_length=9)),
                ('figures', models.JSONField(default=dict)),
            ],
            options={
                'verbose_name_plural': 'anomalies',
            },
        ),
        migrations.CreateModel(
            name='AnomalyAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
        ),
        migrations.CreateModel(
            name='CarriedCorrection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ],
        ),
        migrations.CreateModel(
            name='CarriedDifference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rating', models.IntegerField(help_text='Points added to the rating of the list before.')),
                ('games', models.IntegerField(help_text='Counted games added to those of the list before.')),
            ],
        ),
        migrations.CreateModel(
            name='Correction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField(help_text='Printed with the revision.')),
                ('later', models.CharField(choices=[('carry', 'Carry the difference into the next list'), ('revise', 'Revise all later lists in order')], default='carry', max_length=6)),
                ('requested_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.RemoveField(
            model_name='ratinglist',
            name='reason',
        ),
        migrations.AddField(
            model_name='ratinglist',
            name='read_lists',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, help_text='The lists it was calculated from, oldest first (R8).', size=None),
        ),
        migrations.AlterField(
            model_name='period',
            name='state',
            field=models.CharField(choices=[('open', 'Open'), ('frozen', 'Frozen'), ('published', 'Published'), ('correcting', 'Correcting')], default='open', max_length=10),
        ),
        migrations.AlterField(
            model_name='periodreport',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='manifest_lines', to='reporting.tournament'),
        ),
        migrations.AlterField(
            model_name='periodreport',
            name='version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='manifest_lines', to='reporting.reportversion'),
        ),
        migrations.AddConstraint(
            model_name='period',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'correcting')), fields=('pool',), name='period_one_correcting_per_pool'),
        ),
        migrations.AddField(
            model_name='anomaly',
            name='list',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='anomalies', to='ratings.ratinglist'),
        ),
        migrations.AddField(
            model_name='anomaly',
            name='player',
            field=models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player'),
        ),
        migrations.AddField(
            model_name='anomaly',
            name='report',
            field=models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.report'),
        ),
        migrations.AddField(
            model_name='anomalyanswer',
            name='anomaly',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='ratings.anomaly'),
        ),
        migrations.AddField(
            model_name='anomalyanswer',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='carriedcorrection',
            name='list',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='carried', to='ratings.ratinglist'),
        ),
        migrations.AddField(
            model_name='carrieddifference',
            name='list',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='carried_differences', to='ratings.ratinglist'),
        ),
        migrations.AddField(
            model_name='carrieddifference',
            name='player',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player'),
        ),
        migrations.AddField(
            model_name='correction',
            name='follows',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='followed_by', to='ratings.correction'),
        ),
        migrations.AddField(
            model_name='correction',
            name='replaces',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='ratings.ratinglist'),
        ),
        migrations.AddField(
            model_name='correction',
            name='requested_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='carriedcorrection',
            name='correction',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='carried_into', to='ratings.correction'),
        ),
        migrations.AddField(
            model_name='calculationrun',
            name='correction',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='ratings.correction'),
        ),
        migrations.AddField(
            model_name='periodreport',
            name='correction',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='manifest', to='ratings.correction'),
        ),
        migrations.AddField(
            model_name='ratinglist',
            name='correction',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='lists', to='ratings.correction'),
        ),
        migrations.AddConstraint(
            model_name='periodreport',
            constraint=models.UniqueConstraint(fields=('period', 'correction', 'tournament'), name='periodreport_tournament_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='periodreport',
            constraint=models.UniqueConstraint(fields=('period', 'correction', 'version'), name='periodreport_version_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='ratinglist',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('correction', None), ('revision__lte', 1)), models.Q(('correction__isnull', False), ('revision__gt', 1)), _connector='OR'), name='list_revision_has_correction'),
        ),
        migrations.AddConstraint(
            model_name='anomaly',
            constraint=models.UniqueConstraint(fields=('list', 'kind', 'player', 'report'), name='anomaly_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='anomaly',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['jump', 'few_games']), ('player__isnull', False), ('report__isnull', True)), models.Q(('kind__in', ['late', 'left_out']), ('player__isnull', True), ('report__isnull', False)), _connector='OR'), name='anomaly_has_its_subject'),
        ),
        migrations.AddConstraint(
            model_name='anomalyanswer',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='anomaly_answer_has_words'),
        ),
        migrations.AddConstraint(
            model_name='carrieddifference',
            constraint=models.UniqueConstraint(fields=('list', 'player'), name='carried_player_once'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.UniqueConstraint(condition=models.Q(('withdrawn_at', None)), fields=('replaces',), name='correction_one_per_list'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='correction_has_reason'),
        ),
        migrations.AddConstraint(
            model_name='correction',
            constraint=models.CheckConstraint(condition=models.Q(('follows', None), ('later', 'revise'), _connector='OR'), name='correction_follows_revised'),
        ),
        migrations.AddConstraint(
            model_name='carriedcorrection',
            constraint=models.UniqueConstraint(fields=('list', 'correction'), name='carried_once'),
        ),
        migrations.RunSQL((SQL / "corrections.sql").read_text(), migrations.RunSQL.noop),
    ]
