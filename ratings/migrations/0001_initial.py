from pathlib import Path

import django.contrib.postgres.constraints
import django.contrib.postgres.fields
import django.core.serializers.json
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import ratings.models.lists
import ratings.models.period
from reporting.migrations._create_models import CreateModels

SQL = Path(__file__).with_name("sql")
FILES = (
    "published_figures", "partitions", "manifests", "rating_lists", "periods", "corrections", "erased_names",
    "open_data", "sources", "acting", "public_changes", "webhooks",
    "signed_history",
)


class Migration(migrations.Migration):
    """Pools, periods, lists and their files; what the database refuses, and the functions on partitions."""

    initial = True

    dependencies = [
        ("reporting", "0001_initial"),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name='Anomaly',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('list', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='anomalies', to='ratings.ratinglist')),
                    ('kind', models.CharField(max_length=10)),
                    ('player', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                    ('report', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.report')),
                    ('data', models.JSONField(default=dict)),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(fields=('list', 'kind', 'player', 'report'), name='anomaly_once', nulls_distinct=False),
                        models.CheckConstraint(condition=models.Q(models.Q(models.Q(('kind__in', ['late', 'excluded', 'corrected', 'look_alike']), _negated=True), models.Q(('player__isnull', True), ('report__isnull', True), _connector='OR')), models.Q(('kind__in', ['late', 'excluded', 'corrected', 'look_alike']), ('player__isnull', True), ('report__isnull', False)), _connector='OR'), name='anomaly_has_its_subject'),
                    ],
                    'verbose_name_plural': 'anomalies',
                },
            ),
            migrations.CreateModel(
                name='AnomalyAnswer',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('anomaly', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='ratings.anomaly')),
                    ('text', models.TextField()),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='anomaly_answer_has_text')],
                },
            ),
            migrations.CreateModel(
                name='CalculationRun',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('period', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='ratings.period')),
                    ('correction', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='ratings.correction')),
                    ('state', models.CharField(choices=[('requested', 'Requested'), ('done', 'Done'), ('failed', 'Failed')], db_index=True, default='requested', max_length=9)),
                    ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('requested_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('by_command', models.BooleanField(default=False)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('code_version', models.CharField(blank=True, max_length=40)),
                    ('list', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='run', to='ratings.ratinglist')),
                    ('stages', models.JSONField(default=dict, help_text='Stage → [rows, milliseconds].')),
                    ('error', models.TextField(blank=True, help_text='The exception of the last failed attempt, for a developer.')),
                    ('refusal', models.JSONField(default=dict, help_text='Key and values where it was a refusal; a page makes the sentence.')),
                    ('finished_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(condition=models.Q(('state', 'requested')), fields=('period',), name='run_one_requested_per_period'),
                        models.CheckConstraint(condition=models.Q(models.Q(('state', 'done'), _negated=True), ('list__isnull', False), _connector='OR'), name='run_done_has_list'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='OpeningImport',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('pool', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='opening_import', to='ratings.pool')),
                    ('in_force', models.DateField()),
                    ('content', models.BinaryField()),
                    ('sha256', models.CharField(max_length=64)),
                    ('filename', models.CharField(max_length=200)),
                    ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('requested_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('refusal', models.JSONField(default=dict, help_text='Key and values where no draft was made; a page makes the sentence.')),
                ],
            ),
            migrations.CreateModel(
                name='Export',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('stamp', models.CharField(blank=True, max_length=64)),
                    ('erasures', models.PositiveIntegerField(default=0)),
                    ('made_at', models.DateTimeField(null=True)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='export_one_row')],
                },
            ),
            migrations.CreateModel(
                name='ExportFile',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=60, unique=True)),
                    ('content_type', models.CharField(max_length=80)),
                    ('compressed', models.BinaryField(help_text='By gzip.')),
                    ('brotli', models.BinaryField(help_text='Empty for Parquet, which is compressed in itself.')),
                    ('sha256', models.CharField(max_length=64)),
                    ('size', models.PositiveBigIntegerField(help_text='Bytes.')),
                    ('rows', models.PositiveBigIntegerField(help_text='Lines of the table; 0 for the SQLite file.')),
                ],
            ),
            migrations.CreateModel(
                name='RatingList',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lists', to='ratings.pool')),
                    ('period', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='lists', to='ratings.period')),
                    ('in_force', models.DateField()),
                    ('closing', models.DateField(help_text='Years of activity are counted back from this day (R12).')),
                    ('revision', models.PositiveSmallIntegerField()),
                    ('state', models.CharField(choices=[('calculated', 'Calculated'), ('norms_searched', 'Norms searched'), ('ready', 'Ready for approval'), ('approved', 'Approved'), ('published', 'Published'), ('superseded', 'Superseded')], default='calculated', max_length=14)),
                    ('is_opening', models.BooleanField(default=False)),
                    ('system', models.CharField(help_text='The rating system of its pool.', max_length=10)),
                    ('edition', models.CharField(help_text='Edition of the rules of the rating system.', max_length=40)),
                    ('players', models.PositiveIntegerField(default=0)),
                    ('official_players', models.PositiveIntegerField(default=0)),
                    ('federations', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=3), default=list, help_text='The codes of those with a player on it.', size=None)),
                    ('tournaments', models.PositiveIntegerField(default=0)),
                    ('games', models.PositiveIntegerField(default=0)),
                    ('input_sha256', models.CharField(max_length=64)),
                    ('sha256', models.CharField(help_text='Digest of the figures file.', max_length=64)),
                    ('previous', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='successors', to='ratings.ratinglist')),
                    ('previous_sha256', models.CharField(blank=True, max_length=64)),
                    ('correction', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='lists', to='ratings.correction')),
                    ('input_lists', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, help_text='The lists it was calculated from, oldest first (R8).', size=None)),
                    ('other_lists', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, help_text='The lists of other pools that it was calculated from, by pool, oldest first.', size=None)),
                    ('source_lists', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, help_text='The lists of sources that it was calculated from, by source, oldest first.', size=None)),
                    ('membership_table', models.ForeignKey(help_text='The memberships of clubs that it was calculated from; none where none were imported or read.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.membershiptable')),
                    ('merges', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, help_text="The merges of players' records that it and the lists it was calculated from are read with (R24).", size=None)),
                    ('decisions', ratings.models.lists.NumbersField(base_field=models.BigIntegerField(), help_text='The decisions on its tournaments that it counts (R78); none before decisions were recorded.', null=True, size=None)),
                    ('calculated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('imported_by', models.ForeignKey(help_text='Who uploaded the table of an opening list; none where a command imported it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('approved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('approved_at', models.DateTimeField(null=True)),
                    ('approved_sha256', models.CharField(blank=True, max_length=64)),
                    ('published_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('published_at', models.DateTimeField(null=True)),
                    ('published_sha256', models.CharField(blank=True, max_length=64)),
                    ('by_command', models.BooleanField(default=False)),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(condition=models.Q(('state', 'published')), fields=('pool', 'in_force', 'revision'), name='list_revision_published_once'),
                        models.UniqueConstraint(condition=models.Q(('state__in', ['published', 'superseded']), _negated=True), fields=('period',), name='list_one_draft_per_period'),
                        models.CheckConstraint(condition=models.Q(('state', 'superseded'), models.Q(('approved_at__isnull', False), ('approved_by__isnull', False), ('approved_sha256', models.F('sha256')), ('state__in', ['approved', 'published'])), models.Q(models.Q(('state__in', ['approved', 'published']), _negated=True), ('approved_at', None), ('approved_by', None), ('approved_sha256', '')), _connector='OR'), name='list_approved_by_someone'),
                        models.CheckConstraint(condition=models.Q(models.Q(('state', 'published'), _negated=True), models.Q(('approved_sha256', models.F('sha256')), ('published_sha256', models.F('sha256')), ('approved_by__isnull', False), ('published_at__isnull', False), ('published_by__isnull', False), models.Q(('approved_by', models.F('published_by')), _negated=True)), _connector='OR'), name='list_published_with_two_signatures'),
                        models.CheckConstraint(condition=models.Q(('approved_by', models.F('imported_by')), _negated=True), name='list_approved_by_another_than_its_importer'),
                        models.CheckConstraint(condition=models.Q(('is_opening', True), ('period__isnull', False), _connector='OR'), name='list_has_period_or_opens'),
                        models.CheckConstraint(condition=models.Q(models.Q(('correction', None), ('revision__lte', 1)), models.Q(('correction__isnull', False), ('revision__gt', 1)), _connector='OR'), name='list_revision_has_correction'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='PlayerHistory',
                fields=[
                    ('pk', models.CompositePrimaryKey('player_id', 'list_id', blank=True, editable=False, primary_key=True, serialize=False)),
                    ('player', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='history', to='reporting.player')),
                    ('list', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                    ('in_force', models.DateField()),
                    ('rating', models.IntegerField()),
                    ('change', models.IntegerField(null=True)),
                    ('period_games', models.IntegerField()),
                    ('games', models.IntegerField()),
                    ('category', models.CharField(max_length=1)),
                    ('rank', models.IntegerField()),
                    ('official_rank', models.IntegerField(null=True)),
                    ('federation_rank', models.IntegerField(help_text='Among the players of the same federation on the official list.', null=True)),
                    ('derived_ranks', models.JSONField(db_default={}, default=dict, help_text='Name of a derived list (R13) → the rank on it.')),
                ],
                options={
                    'verbose_name_plural': 'player histories',
                },
            ),
            migrations.CreateModel(
                name='HeldRow',
                fields=[
                    ('pk', models.CompositePrimaryKey('list_id', 'player_id', blank=True, editable=False, primary_key=True, serialize=False)),
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='held_rows', to='ratings.ratinglist')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                    ('values', models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder, help_text='Column → value, those that the system declares of held rows.')),
                ],
            ),
            migrations.CreateModel(
                name='RegisterRow',
                fields=[
                    ('pk', models.CompositePrimaryKey('list_id', 'player_id', blank=True, editable=False, primary_key=True, serialize=False)),
                    ('list', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='register_rows', to='ratings.ratinglist')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                    ('numbers', models.JSONField(help_text="Code of a register → the player's number in it.")),
                    ('birth_year', models.PositiveSmallIntegerField(null=True)),
                    ('federation', models.CharField(help_text='That of the closing day (R12).', max_length=3)),
                ],
            ),
            migrations.CreateModel(
                name='PublishedFile',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='files', to='ratings.ratinglist')),
                    ('name', models.CharField(max_length=40)),
                    ('content_type', models.CharField(max_length=80)),
                    ('content', models.BinaryField()),
                    ('sha256', models.CharField(max_length=64)),
                    ('size', models.PositiveIntegerField(help_text='Bytes.')),
                    ('has_names', models.BooleanField()),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('list', 'name'), name='published_file_name_unique')],
                },
            ),
            migrations.CreateModel(
                name='CompressedFile',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('file', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='compressed', to='ratings.publishedfile')),
                    ('encoding', models.CharField(help_text='As in `Content-Encoding`.', max_length=4)),
                    ('content', models.BinaryField()),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('file', 'encoding'), name='compressed_file_encoding_unique')],
                },
            ),
            migrations.CreateModel(
                name='CarriedCorrection',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='carried', to='ratings.ratinglist')),
                    ('correction', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='carried_into', to='ratings.correction')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('list', 'correction'), name='carried_once')],
                },
            ),
            migrations.CreateModel(
                name='CarriedDifference',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='carried_differences', to='ratings.ratinglist')),
                    ('player', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                    ('rating', models.IntegerField(help_text='Points added to the rating of the list before.')),
                    ('games', models.IntegerField(help_text='Counted games added to those of the list before.')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('list', 'player'), name='carried_player_once')],
                },
            ),
            migrations.CreateModel(
                name='Pool',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('code', models.SlugField(max_length=30, unique=True)),
                    ('system', models.CharField(help_text='The code of the rating system.', max_length=10)),
                    ('discipline', models.CharField(max_length=3)),
                    ('tempo', models.CharField(max_length=12)),
                    ('name', models.CharField(max_length=60)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('system', 'discipline', 'tempo'), name='pool_once')],
                },
            ),
            migrations.CreateModel(
                name='Period',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='periods', to='ratings.pool')),
                    ('closing', models.DateField(help_text='Closing date: the last day on which a last round belongs to it.')),
                    ('in_force', models.DateField(help_text='Date of application of its list.')),
                    ('played_since', models.DateTimeField()),
                    ('played_before', models.DateTimeField(help_text='00:00 on the day after the closing date.')),
                    ('freezes_at', models.DateTimeField(help_text='00:00 on the 8th day after the closing date.')),
                    ('state', models.CharField(choices=[('open', 'Open'), ('frozen', 'Frozen'), ('published', 'Published'), ('correcting', 'Correcting')], default='open', max_length=10)),
                    ('frozen_at', models.DateTimeField(blank=True, null=True)),
                    ('frozen_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('freeze_reason', models.TextField(blank=True)),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(fields=('pool', 'in_force'), name='period_in_force_unique'),
                        models.CheckConstraint(condition=models.Q(('freezes_at__gte', models.F('played_before')), ('played_since__lt', models.F('played_before'))), name='period_instants_in_order'),
                        models.CheckConstraint(condition=models.Q(('state', 'open'), models.Q(('frozen_at__isnull', False), ('frozen_by__isnull', False)), _connector='OR'), name='period_frozen_by_someone'),
                        django.contrib.postgres.constraints.ExclusionConstraint(expressions=[('pool', '='), (ratings.models.period.TimestampRange('played_since', 'played_before'), '&&')], name='period_no_overlap'),
                        models.UniqueConstraint(condition=models.Q(('state', 'frozen')), fields=('pool',), name='period_one_frozen_per_pool'),
                        models.UniqueConstraint(condition=models.Q(('state', 'correcting')), fields=('pool',), name='period_one_correcting_per_pool'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='PastQuarters',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='past_quarters', to='ratings.pool')),
                    ('first', models.DateField()),
                    ('last', models.DateField()),
                    ('reason', models.TextField()),
                    ('confirmed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('confirmed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
                options={
                    'constraints': [
                        models.CheckConstraint(condition=models.Q(('first__lte', models.F('last'))), name='pastquarters_in_order'),
                        models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='pastquarters_has_reason'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='Correction',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('replaces', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='ratings.ratinglist')),
                    ('reason', models.TextField(help_text='Printed with the revision. One that follows another has the reason of the first.')),
                    ('later', models.CharField(choices=[('carry', 'Carry the difference into the next list'), ('revise', 'Revise all later lists in order')], default='carry', max_length=6)),
                    ('follows', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='followed_by', to='ratings.correction')),
                    ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('requested_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(condition=models.Q(('withdrawn_at', None)), fields=('replaces',), name='correction_one_per_list'),
                        models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='correction_has_reason'),
                        models.CheckConstraint(condition=models.Q(('follows', None), ('later', 'revise'), _connector='OR'), name='correction_follows_revised'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='PeriodReport',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('period', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='manifest', to='ratings.period')),
                    ('correction', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='manifest', to='ratings.correction')),
                    ('result_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='manifest_lines', to='reporting.resultset')),
                    ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='manifest_lines', to='reporting.reportversion')),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(fields=('period', 'correction', 'result_set'), name='periodreport_result_set_once', nulls_distinct=False),
                        models.UniqueConstraint(fields=('period', 'correction', 'version'), name='periodreport_version_once', nulls_distinct=False),
                    ],
                },
            ),
            migrations.CreateModel(
                name='SourceList',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('source', models.CharField(max_length=10)),
                    ('kind', models.CharField(max_length=10)),
                    ('in_force', models.DateField()),
                    ('sha256', models.CharField(help_text='Of the file as it was imported.', max_length=64)),
                    ('filename', models.CharField(max_length=200)),
                    ('size', models.PositiveIntegerField(help_text='Bytes of the file.')),
                    ('players', models.PositiveIntegerField(help_text='With a rating of this kind.')),
                    ('matched', models.PositiveIntegerField(help_text='Of them, those whose number a player of the register had on the day of the import.')),
                    ('numbers', models.BinaryField(help_text='Packed, rising.')),
                    ('ratings', models.BinaryField(help_text='16 bits each, little endian.')),
                    ('k_factors', models.BinaryField(help_text='The development coefficient K, 8 bits each; 0: none.')),
                    ('titles', models.BinaryField(help_text='The place among the words, 8 bits each.')),
                    ('title_words', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(blank=True, max_length=5), size=None)),
                    ('imported_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('imported_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('by_command', models.BooleanField(default=False)),
                ],
                options={
                    'indexes': [models.Index(fields=['source', 'kind', 'in_force'], name='sourcelist_of_day')],
                },
            ),
            migrations.CreateModel(
                name='SourceImport',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('source', models.CharField(max_length=10, unique=True)),
                    ('kind', models.CharField(blank=True, help_text='That of a file of one kind.', max_length=10)),
                    ('in_force', models.DateField()),
                    ('sha256', models.CharField(max_length=64)),
                    ('filename', models.CharField(max_length=200)),
                    ('size', models.PositiveIntegerField(help_text='Bytes.')),
                    ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('requested_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('refusal', models.JSONField(default=dict, help_text='Key, values and findings where nothing was imported; a page makes the sentences.')),
                ],
            ),
            migrations.CreateModel(
                name='SourceImportPart',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('upload', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='ratings.sourceimport')),
                    ('number', models.PositiveSmallIntegerField(help_text='0, 1, …')),
                    ('content', models.BinaryField()),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('upload', 'number'), name='sourceimportpart_number_once')],
                },
            ),
            migrations.CreateModel(
                name='ListValues',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='list_values', to='ratings.pool')),
                    ('in_force', models.DateField(help_text='The day of the list; its period need not be there yet.')),
                    ('rows', models.JSONField(help_text='Lines of whole numbers, rising by the first.')),
                    ('set_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('set_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('by_command', models.BooleanField(default=False)),
                ],
                options={
                    'verbose_name_plural': 'list values',
                    'constraints': [models.UniqueConstraint(fields=('pool', 'in_force'), name='listvalues_once')],
                },
            ),
            migrations.CreateModel(
                name='SignedStatement',
                fields=[
                    ('number', models.PositiveIntegerField(primary_key=True, serialize=False)),
                    ('content', models.TextField(help_text='The text that is signed, as it is signed.')),
                    ('signature', models.CharField(help_text='Ed25519, in hexadecimal.', max_length=128)),
                    ('list', models.OneToOneField(help_text='None for a statement about a key.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='signed', to='ratings.ratinglist')),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('signature__regex', '^[0-9a-f]{128}$')), name='signed_statement_signature')],
                },
            ),
            migrations.CreateModel(
                name='UnreadEntry',
                fields=[
                    ('entry', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='reporting.logentry')),
                ],
            ),
            migrations.CreateModel(
                name='PublicChange',
                fields=[
                    ('number', models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                    ('at', models.DateTimeField(help_text='When it was done; not in the order of numbers.')),
                    ('event', models.CharField(choices=[('list.published', 'List published'), ('list.corrected', 'List corrected'), ('player.changed', 'Player changed'), ('player.merged', 'Player records merged'), ('player.merge_undone', 'Merge undone'), ('player.erased', 'Name erased'), ('title.registered', 'Title registered'), ('title.withdrawn', 'Title withdrawn'), ('tournament.accepted', 'Tournament accepted'), ('tournament.acceptance_undone', 'Acceptance undone'), ('tournament.calculated', 'Tournament calculated'), ('tournament.excluded', 'Tournament excluded'), ('publication.published', 'Published'), ('publication.revised', 'Revision published')], max_length=30)),
                    ('changed', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=12), default=list, help_text='What changed of a player, without the values.', size=None)),
                    ('title', models.CharField(blank=True, max_length=4)),
                    ('discipline', models.CharField(blank=True, help_text='Of the title.', max_length=3)),
                    ('page', models.CharField(blank=True, help_text='The permanent address of what an upper app published.', max_length=200)),
                    ('entry', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.logentry')),
                    ('list', models.ForeignKey(db_index=False, help_text='Of a tournament the list that counts or excludes it, of a merge the first that reads it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                    ('merged_into', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                    ('player', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                    ('tournament', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.tournament', to_field='code')),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(fields=('entry', 'event', 'player', 'tournament', 'title', 'discipline'), name='publicchange_once', nulls_distinct=False),
                        models.CheckConstraint(condition=models.Q(models.Q(('event__startswith', 'list.'), ('list__isnull', False), ('player', None), ('tournament', None)), models.Q(('event__startswith', 'tournament.'), ('player', None), ('tournament__isnull', False)), models.Q(models.Q(('event__startswith', 'player.'), ('event__startswith', 'title.'), _connector='OR'), ('player__isnull', False), ('tournament', None)), models.Q(('event__startswith', 'publication.'), ('list', None), ('player', None), ('tournament', None)), _connector='OR'), name='publicchange_has_its_subject'),
                        models.CheckConstraint(condition=models.Q(models.Q(('event', 'player.merged'), ('merged_into__isnull', False)), models.Q(models.Q(('event', 'player.merged'), _negated=True), ('merged_into', None)), _connector='OR'), name='publicchange_merged_into_a_record'),
                        models.CheckConstraint(condition=models.Q(('event__startswith', 'title.'), models.Q(('discipline', ''), ('title', '')), _connector='XOR'), name='publicchange_of_a_title_names_it'),
                        models.CheckConstraint(condition=models.Q(('event__startswith', 'publication.'), ('page', ''), _connector='XOR'), name='publicchange_of_a_publication_has_a_page'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='Webhook',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='webhooks', to=settings.AUTH_USER_MODEL)),
                    ('token', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='webhooks', to='reporting.apitoken')),
                    ('url', models.CharField(max_length=500)),
                    ('secret', models.TextField(help_text='Encrypted with a key derived from SECRET_KEY.')),
                    ('queued', models.PositiveBigIntegerField(help_text='The changes up to this number have their deliveries.')),
                    ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('ended_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('account', 'url'), name='webhook_url_once')],
                },
            ),
            migrations.CreateModel(
                name='WebhookDelivery',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='ratings.webhook')),
                    ('change', models.ForeignKey(help_text='None: a test.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.publicchange')),
                    ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('next_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), null=True)),
                    ('tried_at', models.DateTimeField(null=True)),
                    ('status', models.PositiveSmallIntegerField(help_text='Of the last answer (HTTP).', null=True)),
                    ('problem', models.CharField(blank=True, choices=[('malformed', 'Not an address'), ('not_https', 'Not https'), ('unknown_host', 'Host not found'), ('private_address', 'Not a public network address'), ('no_connection', 'No connection'), ('too_slow', 'No answer within ten seconds'), ('status', 'Not accepted'), ('secret_lost', 'The secret cannot be read any more')], max_length=15)),
                    ('delivered_at', models.DateTimeField(null=True)),
                ],
                options={
                    'verbose_name_plural': 'webhook deliveries',
                    'indexes': [models.Index(condition=models.Q(('next_at__isnull', False)), fields=['next_at'], name='webhookdelivery_waiting')],
                    'constraints': [
                        models.UniqueConstraint(fields=('webhook', 'change'), name='webhookdelivery_once'),
                        models.CheckConstraint(condition=models.Q(('delivered_at', None), models.Q(('delivered_at', models.F('tried_at')), ('next_at', None), ('problem', '')), _connector='OR'), name='webhookdelivery_delivered_at_the_end'),
                    ],
                },
            ),
        ),
        *[migrations.RunSQL((SQL / f"{name}.sql").read_text()) for name in FILES],
    ]
