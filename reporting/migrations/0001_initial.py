import datetime
from pathlib import Path

import django.contrib.postgres.constraints
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import django.db.models.functions.text
from django.conf import settings
from django.contrib.postgres.operations import BtreeGistExtension
from django.db import migrations, models
from django.db.models.functions import Now

import reporting.models.membership
import reporting.rules.lifecycle
from reporting.migrations._create_models import CreateModels

SQL = Path(__file__).with_name("sql")
# In this order: a file uses the functions of those before it.
FILES = (
    "append_only", "role_assignments", "acting_person", "acting_roles", "logs", "accounts", "passwords", "reports",
    "first_reports", "tournaments", "player_merges", "memberships", "player_titles", "register_changes",
    "numbers_in_registers", "player_spellings",
)

# The commands of the office act through three of these, visitors without an account through the fourth. None has a
# password, none can log in.
ACCOUNTS = [
    ("importer@office.invalid", "Importer", ["referee", "tournament_director"]),
    ("officer@office.invalid", "Rating officer by command", ["rating_officer"]),
    ("releaser@office.invalid", "Releasing officer by command", ["releasing_officer"]),
    ("visitor@office.invalid", "Visitor", []),
]


def create_accounts(apps, schema_editor):
    user = apps.get_model("reporting", "User")
    assignment = apps.get_model("reporting", "RoleAssignment")
    for email, name, roles in ACCOUNTS:
        account = user.objects.create(email=email, name=name, acts_by_command=True, password="!")
        assignment.objects.bulk_create(
            assignment(
                account=account, role=role, assigned_by=account, confirmed_by=account, confirmed_at=Now(), by_command=True
            )
            for role in roles
        )


class Migration(migrations.Migration):
    """Accounts, register, reports and messages; what the database refuses whatever the code of the application says."""

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        BtreeGistExtension(),
        migrations.RunSQL((SQL / "roles.sql").read_text()),
        CreateModels(
            migrations.CreateModel(
                name='RoleAssignment',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
                    ('role', models.CharField(choices=[('referee', 'Referee'), ('national_official', 'National ratings official'), ('rating_officer', 'Rating officer'), ('releasing_officer', 'Releasing officer'), ('title_council', 'Title council'), ('tournament_director', 'Tournament director'), ('administrator', 'Administrator')], max_length=24)),
                    ('assigned_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('assigned_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('confirmed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                    ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('ended_at', models.DateTimeField(blank=True, null=True)),
                    ('by_command', models.BooleanField(default=False)),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(models.F('account'), models.F('role'), condition=models.Q(('ended_at', None)), name='role_assigned_once'),
                        models.CheckConstraint(condition=models.Q(('role__in', ['referee', 'national_official', 'rating_officer', 'releasing_officer', 'title_council', 'tournament_director', 'administrator'])), name='role_known'),
                        models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', None)), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False)), _connector='OR'), name='role_ended_by_somebody'),
                        models.CheckConstraint(condition=models.Q(('by_command', True), models.Q(models.Q(('assigned_by', models.F('account')), _negated=True), models.Q(('confirmed_at', None), models.Q(('role__in', ('rating_officer', 'releasing_officer', 'title_council', 'tournament_director', 'administrator')), _negated=True), models.Q(('ended_at__isnull', False), ('role', 'tournament_director')), models.Q(('confirmed_by__isnull', False), models.Q(('confirmed_by', models.F('assigned_by')), _negated=True), models.Q(('confirmed_by', models.F('account')), _negated=True)), _connector='OR')), _connector='OR'), name='role_given_by_two_others'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='NamedOfficial',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('account', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.roleassignment')),
                    ('chosen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
            ),
            migrations.CreateModel(
                name='User',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('password', models.CharField(max_length=128, verbose_name='password')),
                    ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                    ('email', models.EmailField(max_length=254, unique=True)),
                    ('name', models.CharField(max_length=120)),
                    ('federation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='users', to='reporting.federation')),
                    ('is_active', models.BooleanField(default=True)),
                    ('acts_by_command', models.BooleanField(default=False, help_text="Acts for the office's commands and can never log in.")),
                    ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('messages_read_to', models.BigIntegerField(db_default=0, default=0, help_text='Number of the newest message when the page of messages was last opened.')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='user_email_unique')],
                },
            ),
            migrations.CreateModel(
                name='AccountSession',
                fields=[
                    ('session_data', models.TextField(verbose_name='session data')),
                    ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                    ('session_key', models.CharField(help_text='SHA-256 of the key in the cookie.', max_length=64, primary_key=True, serialize=False)),
                    ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to=settings.AUTH_USER_MODEL)),
                    ('began_at', models.DateTimeField(null=True)),
                    ('address', models.GenericIPAddressField(null=True)),
                    ('user_agent', models.CharField(max_length=200)),
                ],
                options={
                    'verbose_name': 'session',
                    'verbose_name_plural': 'sessions',
                    'abstract': False,
                },
            ),
            migrations.CreateModel(
                name='Invitation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('account', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='invitation', to=settings.AUTH_USER_MODEL)),
                    ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invitations', to=settings.AUTH_USER_MODEL)),
                    ('sent_at', models.DateTimeField(help_text='The last time. The link works for seven days.')),
                    ('accepted_at', models.DateTimeField(blank=True, null=True)),
                    ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('accepted_at__isnull', True), ('withdrawn_at__isnull', True), _connector='OR'), name='invitation_ends_once')],
                },
            ),
            migrations.CreateModel(
                name='SecurityEvent',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False)),
                    ('kind', models.CharField(choices=[('logged_in', 'Logged in'), ('logged_out', 'Logged out'), ('password_refused', 'Wrong password'), ('code_refused', 'Wrong code'), ('too_many', 'Too many attempts'), ('confirmed', 'Identity confirmed'), ('session_ended', 'Session expired'), ('password_changed', 'Password changed'), ('factor_added', 'Second factor set up'), ('factor_removed', 'Second factor removed'), ('codes_generated', 'New recovery codes'), ('token_created', 'API token created'), ('token_refused', 'API token refused')], max_length=20)),
                    ('account', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='security_events', to=settings.AUTH_USER_MODEL)),
                    ('email', models.EmailField(blank=True, help_text='As entered, or the address of the account.', max_length=254)),
                    ('address', models.GenericIPAddressField(blank=True, null=True)),
                ],
            ),
            migrations.CreateModel(
                name='ApiToken',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
                    ('name', models.CharField(max_length=60)),
                    ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('reports:read', 'Read my reports and their findings'), ('reports:write', 'Upload files, change details, save comments'), ('reports:submit', 'Announce tournaments, submit reports to the office'), ('tournaments:decide', 'Decide about tournaments, for the office'), ('webhooks', 'Register addresses that are told of public changes')], max_length=20), size=None)),
                    ('start', models.CharField(help_text='The first characters of the secret, to recognise it.', max_length=10)),
                    ('secret_sha256', models.CharField(max_length=64, unique=True)),
                    ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('expires_at', models.DateTimeField()),
                    ('last_used_on', models.DateField(blank=True, null=True)),
                    ('revoked_at', models.DateTimeField(blank=True, null=True)),
                    ('revoked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(condition=models.Q(('revoked_at', None)), fields=('account', 'name'), name='api_token_name_once'),
                        models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['reports:read', 'reports:write', 'reports:submit', 'tournaments:decide', 'webhooks']), ('scopes__len__gt', 0)), name='api_token_scopes_known'),
                        models.CheckConstraint(condition=models.Q(('expires_at__lte', django.db.models.expressions.CombinedExpression(models.F('created_at'), '+', models.Value(datetime.timedelta(days=366))))), name='api_token_ends'),
                        models.CheckConstraint(condition=models.Q(models.Q(('revoked_at', None), ('revoked_by', None)), models.Q(('revoked_at__isnull', False), ('revoked_by__isnull', False)), _connector='OR'), name='api_token_revoked_by_somebody'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='ApiAnswer',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('key', models.CharField(max_length=64)),
                    ('request_sha256', models.CharField(help_text='Of what was asked.', max_length=64)),
                    ('status', models.PositiveSmallIntegerField()),
                    ('answer', models.TextField(help_text='JSON, as it was sent.')),
                    ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('account', 'key'), name='api_answer_one_per_key')],
                },
            ),
            migrations.CreateModel(
                name='LogEntry',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False)),
                    ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='log_entries', to=settings.AUTH_USER_MODEL)),
                    ('action', models.CharField(db_index=True, max_length=60)),
                    ('subject', models.CharField(help_text='Kind and number or address: report 7.', max_length=200)),
                    ('before', models.JSONField(default=dict)),
                    ('after', models.JSONField(default=dict)),
                    ('reason', models.TextField(blank=True)),
                    ('by_command', models.BooleanField(default=False)),
                ],
                options={
                    'indexes': [models.Index(fields=['subject', 'at'], name='logentry_subject')],
                },
            ),
            migrations.CreateModel(
                name='Report',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('result_set', models.ForeignKey(blank=True, help_text='Known once the report is submitted; a draft may not say it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='reporting.resultset')),
                    ('announcement', models.ForeignKey(blank=True, help_text='The announced tournament that this report is about.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='reporting.tournament')),
                    ('corrects', models.ForeignKey(blank=True, db_column='corrects_code', help_text='The accepted tournament that this report corrects.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='reporting.tournament', to_field='code')),
                    ('state', models.CharField(choices=[(reporting.rules.lifecycle.ReportState['DRAFT'], 'Draft'), (reporting.rules.lifecycle.ReportState['SUBMITTED'], 'Submitted'), (reporting.rules.lifecycle.ReportState['ACCEPTED'], 'Accepted'), (reporting.rules.lifecycle.ReportState['RETURNED'], 'Returned'), (reporting.rules.lifecycle.ReportState['REJECTED'], 'Rejected'), (reporting.rules.lifecycle.ReportState['WITHDRAWN'], 'Withdrawn')], db_index=True, default='draft', max_length=10)),
                    ('submitted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to=settings.AUTH_USER_MODEL)),
                    ('first_submitted_at', models.DateTimeField(blank=True, null=True)),
                    ('received_on', models.DateField(blank=True, help_text='The day it reached the office by another way, until the end of that day.', null=True)),
                    ('accepted_version', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.reportversion')),
                    ('admitted_reason', models.TextField(blank=True, help_text='Why the rating officer admits a late, incomplete or unannounced report (R11).')),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(condition=models.Q(('state', 'accepted')), fields=('result_set',), name='report_one_accepted_per_result_set'),
                        models.CheckConstraint(condition=models.Q(models.Q(('state', 'accepted'), _negated=True), ('accepted_version__isnull', False), _connector='OR'), name='report_accepted_has_version'),
                        models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'withdrawn']), ('result_set__isnull', False), _connector='OR'), name='report_submitted_has_result_set'),
                        models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'withdrawn']), ('first_submitted_at__isnull', False), _connector='OR'), name='report_submitted_has_instant'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='ReportVersion',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='reporting.report')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('filename', models.CharField(max_length=200)),
                    ('content', models.BinaryField()),
                    ('reading', models.BinaryField(default=b'', help_text='The data read from it, compressed (reporting/formats/reader_process.py).')),
                    ('sha256', models.CharField(db_index=True, max_length=64)),
                    ('sidecar', models.BinaryField(default=b'', help_text='The tournament details as uploaded, TOML (R25).')),
                    ('format', models.CharField(max_length=20)),
                    ('encoding', models.CharField(max_length=20)),
                    ('findings', models.JSONField(default=list)),
                    ('errors', models.PositiveSmallIntegerField(default=0)),
                    ('warnings', models.PositiveSmallIntegerField(default=0)),
                    ('name', models.CharField(blank=True, default='', help_text='Of the tournament, as read.', max_length=80)),
                    ('played_to', models.DateField(blank=True, help_text='Day of the last round, as read.', null=True)),
                    ('players', models.PositiveIntegerField(default=0, help_text='As read.')),
                    ('games', models.PositiveIntegerField(default=0, help_text='Played games, as read.')),
                    ('results', models.JSONField(default=dict, help_text='Players and results by name, to compare with other reports (R21).')),
                    ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('report', 'number'), name='report_version_number_unique')],
                },
            ),
            migrations.CreateModel(
                name='ReportStep',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='reporting.reportversion')),
                    ('move', models.CharField(choices=[('submit', 'Submitted'), ('accept', 'Accepted')], max_length=6)),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
            ),
            migrations.CreateModel(
                name='MatchedPlayers',
                fields=[
                    ('version', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='matched_players', serialize=False, to='reporting.reportversion')),
                    ('register_changes', models.BigIntegerField(help_text='Rows of RegisterChange before the players were matched.')),
                    ('matched_by', models.CharField(help_text='Digest of the code that matched them.', max_length=16)),
                    ('players', models.JSONField(help_text='One object for each player, in the order of the report.')),
                ],
                options={
                    'verbose_name_plural': 'matched players',
                },
            ),
            migrations.CreateModel(
                name='WarningComment',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='comments', to='reporting.reportversion')),
                    ('finding', models.PositiveSmallIntegerField(help_text="Index of the finding in the version's findings.")),
                    ('text', models.TextField()),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('version', 'finding'), name='comment_one_per_warning')],
                },
            ),
            migrations.CreateModel(
                name='DraftComments',
                fields=[
                    ('report', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='draft_comments', serialize=False, to='reporting.report')),
                    ('version', models.PositiveIntegerField()),
                    ('single', models.JSONField(default=dict, help_text="Index of a finding in the version's findings → the comment.")),
                    ('of_kinds', models.JSONField(default=dict, help_text='Code → the comment on all findings of the code.')),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'verbose_name_plural': 'draft comments',
                },
            ),
            migrations.CreateModel(
                name='LookAlikeDecision',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='look_alike_decisions', to='reporting.reportversion')),
                    ('tournament', models.ForeignKey(db_column='tournament_code', help_text='The tournament that the report looks like.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.tournament', to_field='code')),
                    ('is_correction', models.BooleanField(help_text='Whether the report corrects it; otherwise it is a different tournament.')),
                    ('reason', models.TextField(blank=True, help_text='Why it is a different tournament.')),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('is_correction', True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='different_tournament_has_reason')],
                },
            ),
            migrations.CreateModel(
                name='ReviewRemark',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='remarks', to='reporting.reportversion')),
                    ('line', models.PositiveIntegerField(blank=True, help_text='Of the file, from 1.', null=True)),
                    ('field', models.CharField(blank=True, help_text='Name of the tournament detail.', max_length=40)),
                    ('text', models.TextField()),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
                options={
                    'constraints': [
                        models.CheckConstraint(condition=models.Q(('line', None), ('line__gt', 0), _connector='OR'), name='remark_line_from_one'),
                        models.CheckConstraint(condition=models.Q(('line', None), ('field', ''), _connector='OR'), name='remark_of_one_place'),
                        models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='remark_has_text'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='ReportNote',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notes', to='reporting.report')),
                    ('text', models.TextField()),
                    ('from_office', models.BooleanField(help_text="Whether a person of the office wrote it, about another person's report.")),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='note_has_text')],
                },
            ),
            migrations.CreateModel(
                name='CorrectionRequest',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('figure', models.CharField(choices=[('rating', 'Rating on a list'), ('change', 'Rating change by a tournament'), ('result', 'Result of a game'), ('person', 'Name, federation, title or year of birth'), ('tournament', 'Tournament details'), ('erasure', 'Erasure of a name')], max_length=10)),
                    ('reference', models.CharField(help_text='Identifies the figure: kind; pool, day and revision of the list; subject.', max_length=200)),
                    ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='correction_requests', to='reporting.player')),
                    ('result_set', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='correction_requests', to='reporting.resultset')),
                    ('pool', models.CharField(help_text='Code of the pool.', max_length=40)),
                    ('pool_name', models.CharField(help_text='Name of the pool.', max_length=60)),
                    ('published_values', models.JSONField(default=dict, help_text='The values of the figure when the request came; a page makes the sentence.')),
                    ('article', models.CharField(blank=True, help_text='Its article.', max_length=120)),
                    ('error_description', models.TextField(help_text='What is wrong.')),
                    ('proposed_value', models.TextField(blank=True, help_text='What it should be.')),
                    ('evidence', models.TextField(blank=True, help_text='How the sender knows.')),
                    ('name', models.CharField(blank=True, max_length=120)),
                    ('email', models.EmailField(blank=True, max_length=254)),
                    ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('state', models.CharField(choices=[(reporting.rules.lifecycle.RequestState['OPEN'], 'Open'), (reporting.rules.lifecycle.RequestState['TAKEN'], 'Taken'), (reporting.rules.lifecycle.RequestState['ASKED'], 'Asked'), (reporting.rules.lifecycle.RequestState['ANSWERED'], 'Answered')], db_index=True, default='open', max_length=10)),
                    ('waiting_since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='Time of the last act.')),
                    ('taken_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='correction_requests', to=settings.AUTH_USER_MODEL)),
                    ('confirmed_at', models.DateTimeField(blank=True, help_text='When the sender confirmed the e-mail address.', null=True)),
                    ('answered_at', models.DateTimeField(blank=True, null=True)),
                    ('reopened_at', models.DateTimeField(blank=True, help_text='At most once.', null=True)),
                    ('erased_at', models.DateTimeField(blank=True, help_text='When name and address were erased.', null=True)),
                ],
                options={
                    'constraints': [
                        models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['taken', 'asked', 'answered']), _negated=True), ('taken_by__isnull', False), _connector='OR'), name='request_taken_by_someone'),
                        models.CheckConstraint(condition=models.Q(models.Q(('answered_at__isnull', False), ('state', 'answered')), models.Q(models.Q(('state', 'answered'), _negated=True), ('answered_at__isnull', True)), _connector='OR'), name='request_answered_has_instant'),
                        models.CheckConstraint(condition=models.Q(models.Q(('erased_at__isnull', True), models.Q(('name', ''), _negated=True), models.Q(('email', ''), _negated=True)), models.Q(('email', ''), ('erased_at__isnull', False), ('name', ''), ('state', 'answered')), _connector='OR'), name='request_has_sender_until_erased'),
                        models.CheckConstraint(condition=models.Q(('error_description', ''), _negated=True), name='request_has_error_description'),
                        models.CheckConstraint(condition=models.Q(('player__isnull', False), ('result_set__isnull', False), _connector='OR'), name='request_about_something'),
                    ],
                    'indexes': [models.Index(django.db.models.functions.text.Lower('email'), models.F('created_at'), name='request_email')],
                },
            ),
            migrations.CreateModel(
                name='RequestEntry',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('correction_request', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='reporting.correctionrequest')),
                    ('kind', models.CharField(choices=[('question', 'Question'), ('reply', 'Reply'), ('answer', 'Answer'), ('reopening', 'Reopened')], max_length=10)),
                    ('outcome', models.CharField(blank=True, choices=[('corrected', 'Corrected'), ('will_be_corrected', 'Will be corrected'), ('unchanged', 'Not changed'), ('not_about_ratings', 'Not about ratings'), ('erased', 'Erased')], max_length=20)),
                    ('basis', models.CharField(blank=True, help_text='What changed, the list with which it will change, or the article.', max_length=200)),
                    ('text', models.TextField()),
                    ('by', models.ForeignKey(blank=True, help_text='The person of the office; empty for the sender.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
                options={
                    'constraints': [
                        models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='request_entry_has_text'),
                        models.CheckConstraint(condition=models.Q(models.Q(('by__isnull', False), ('kind__in', ['question', 'answer'])), models.Q(('by__isnull', True), ('kind__in', ['reply', 'reopening'])), _connector='OR'), name='request_entry_by_its_side'),
                        models.CheckConstraint(condition=models.Q(models.Q(('kind', 'answer'), models.Q(('outcome', ''), _negated=True)), models.Q(models.Q(('kind', 'answer'), _negated=True), ('outcome', '')), _connector='OR'), name='request_answer_has_outcome'),
                        models.CheckConstraint(condition=models.Q(models.Q(('outcome__in', ['corrected', 'will_be_corrected', 'unchanged']), _negated=True), models.Q(('basis', ''), _negated=True), _connector='OR'), name='request_answer_has_basis'),
                    ],
                    'verbose_name_plural': 'request entries',
                },
            ),
            migrations.CreateModel(
                name='FederationMembership',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='reporting.player')),
                    ('federation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.federation')),
                    ('since', models.DateField(help_text='The first day; empty where no earlier federation is known.', null=True)),
                    ('until', models.DateField(help_text='The first day in another federation; empty: a member now.', null=True)),
                ],
                options={
                    'constraints': [
                        models.CheckConstraint(condition=models.Q(('since', None), ('until', None), ('since__lte', models.F('until')), _connector='OR'), name='membership_days_in_order'),
                        django.contrib.postgres.constraints.ExclusionConstraint(expressions=[('player', '='), (reporting.models.membership.DateRange('since', 'until'), '&&')], name='membership_no_overlap'),
                    ],
                    'indexes': [models.Index(condition=models.Q(('until__isnull', False)), fields=['until'], name='membership_ended')],
                },
            ),
            migrations.CreateModel(
                name='MembershipTable',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('register', models.CharField(help_text='One of reporting/rules/register/registers.py.', max_length=8)),
                    ('filename', models.CharField(max_length=200)),
                    ('sha256', models.CharField(max_length=64)),
                    ('imported_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('imported_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('by_command', models.BooleanField(default=False)),
                ],
                options={
                    'indexes': [models.Index(fields=['register', '-id'], name='membership_table_newest')],
                },
            ),
            migrations.CreateModel(
                name='ClubMembership',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='reporting.membershiptable')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='club_memberships', to='reporting.player')),
                    ('club', models.CharField(help_text="The club's number, six digits.", max_length=6)),
                    ('member_from', models.DateField()),
                    ('member_until', models.DateField(help_text='The last day; empty: no end is known.', null=True)),
                ],
                options={
                    'constraints': [
                        models.CheckConstraint(condition=models.Q(('club__regex', '^[0-9]{6}$')), name='club_membership_club_number'),
                        models.CheckConstraint(condition=models.Q(('member_until', None), ('member_from__lte', models.F('member_until')), _connector='OR'), name='club_membership_days_in_order'),
                        django.contrib.postgres.constraints.ExclusionConstraint(expressions=[('table', '='), ('player', '='), (reporting.models.membership.DateRange('member_from', 'member_until', models.Value('[]')), '&&')], name='club_membership_one_a_day'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='Message',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(max_length=20)),
                    ('recipient', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='messages', to=settings.AUTH_USER_MODEL)),
                    ('correction_request', models.ForeignKey(blank=True, help_text='Its sender gets the message, who has no account: only the request has name and address.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='messages', to='reporting.correctionrequest')),
                    ('address', models.EmailField(blank=True, default='', help_text="The address for the mail, if it is not the account's own.", max_length=254)),
                    ('about', models.CharField(help_text='Path of the page: /reports/7/.', max_length=200)),
                    ('title', models.CharField(max_length=160)),
                    ('text', models.TextField()),
                    ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('due_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='Not sent before this; later after each failure.')),
                    ('attempts', models.PositiveIntegerField(default=0)),
                    ('sent_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(condition=models.Q(('kind__in', ['invitation', 'password_reset', 'password_changed', 'email_change', 'email_confirm', 'account_changed']), _negated=True), fields=('kind', 'about', 'recipient'), name='message_once'),
                        models.CheckConstraint(condition=models.Q(models.Q(('correction_request__isnull', True), ('recipient__isnull', False)), models.Q(('correction_request__isnull', False), ('recipient__isnull', True)), _connector='OR'), name='message_to_one_person'),
                        models.CheckConstraint(condition=models.Q(('address', ''), ('kind__in', ['email_change', 'email_confirm']), _connector='OR'), name='message_to_own_address'),
                    ],
                    'indexes': [models.Index(condition=models.Q(('sent_at__isnull', True)), fields=['due_at', 'id'], name='message_waiting')],
                },
            ),
            migrations.CreateModel(
                name='MailOptOut',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='mail_opt_outs', to=settings.AUTH_USER_MODEL)),
                    ('kind', models.CharField(max_length=20)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('account', 'kind'), name='mail_opt_out_once')],
                },
            ),
            migrations.CreateModel(
                name='PlayerMerge',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('duplicate', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merges', to='reporting.player')),
                    ('surviving', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merged_records', to='reporting.player')),
                    ('reason', models.TextField()),
                    ('merged_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('merged_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('undone_reason', models.TextField(blank=True)),
                    ('undone_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('undone_at', models.DateTimeField(null=True)),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(condition=models.Q(('undone_at', None)), fields=('duplicate',), name='player_merged_into_one'),
                        models.CheckConstraint(condition=models.Q(('duplicate', models.F('surviving')), _negated=True), name='player_not_merged_into_itself'),
                        models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='player_merge_has_reason'),
                        models.CheckConstraint(condition=models.Q(models.Q(('undone_at', None), ('undone_by', None), ('undone_reason', '')), models.Q(('undone_at__isnull', False), ('undone_by__isnull', False), models.Q(('undone_reason', ''), _negated=True)), _connector='OR'), name='player_merge_undone_by_someone'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='PlayerTitle',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='titles', to='reporting.player')),
                    ('awarded_by', models.CharField(help_text='The code of a rating system.', max_length=10)),
                    ('discipline', models.CharField(help_text='One of the disciplines of its rules of reports.', max_length=3)),
                    ('title', models.CharField(help_text='One of reporting/rules/register/titles.py.', max_length=4)),
                    ('ladder', models.CharField(blank=True, default='', help_text='Titles of several ladders are held next to each other (R33).', max_length=10)),
                    ('registered_on', models.DateField(help_text='The first day; empty where it is not known.', null=True)),
                    ('withdrawn_on', models.DateField(help_text='The first day without the title; empty: held now.', null=True)),
                ],
                options={
                    'constraints': [
                        models.CheckConstraint(condition=models.Q(('title', ''), _negated=True), name='player_title_named'),
                        models.CheckConstraint(condition=models.Q(('registered_on', None), ('withdrawn_on', None), ('registered_on__lte', models.F('withdrawn_on')), _connector='OR'), name='player_title_days_in_order'),
                        django.contrib.postgres.constraints.ExclusionConstraint(expressions=[('player', '='), ('awarded_by', '='), ('discipline', '='), ('ladder', '='), (reporting.models.membership.DateRange('registered_on', 'withdrawn_on'), '&&')], name='player_title_one_of_a_kind'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='Federation',
                fields=[
                    ('code', models.CharField(max_length=3, primary_key=True, serialize=False)),
                    ('name', models.CharField(max_length=60)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('code__regex', '^[A-Z]{3}$')), name='federation_code_form')],
                },
            ),
            migrations.CreateModel(
                name='Player',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('numbers', models.JSONField(default=dict, editable=False, help_text="Code of a register → the player's number in it. The database copies it from PlayerIdentity.")),
                    ('last_name', models.CharField(max_length=60)),
                    ('first_name', models.CharField(blank=True, max_length=60)),
                    ('sort_name', models.CharField(db_index=True, help_text='Last and first name, normalized for order and search.', max_length=130)),
                    ('federation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='players', to='reporting.federation')),
                    ('sex', models.CharField(blank=True, choices=[('W', 'Woman'), ('M', 'Man')], max_length=1)),
                    ('birth_year', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('entered_by_report', models.ForeignKey(blank=True, help_text='The report whose acceptance created this player; accepting it again creates no second one.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='newcomers', to='reporting.report')),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('sex__in', ['', 'W', 'M'])), name='player_sex_known')],
                },
            ),
            migrations.CreateModel(
                name='PlayerIdentity',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='identities', to='reporting.player')),
                    ('register', models.CharField(help_text='One of reporting/rules/register/registers.py.', max_length=8)),
                    ('number', models.CharField(max_length=20)),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(condition=models.Q(('register', 'national'), _negated=True), fields=('register', 'number'), name='identity_number_unique'),
                        models.UniqueConstraint(fields=('player', 'register'), name='identity_one_per_register'),
                        models.CheckConstraint(condition=models.Q(('register', 'national'), ('number__regex', '^[1-9][0-9]{0,17}$'), _connector='OR'), name='identity_whole_number'),
                    ],
                    'verbose_name_plural': 'player identities',
                },
            ),
            migrations.CreateModel(
                name='PersonalData',
                fields=[
                    ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='personal_data', serialize=False, to='reporting.player')),
                    ('born', models.DateField()),
                ],
                options={
                    'verbose_name_plural': 'personal data',
                },
            ),
            migrations.CreateModel(
                name='PlayerSpelling',
                fields=[
                    ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='spelling', serialize=False, to='reporting.player')),
                    ('words', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                    ('parts', django.contrib.postgres.search.SearchVectorField()),
                ],
                options={
                    'default_permissions': (),
                    'indexes': [django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['words'], name='player_spelling_words'), django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['parts'], name='player_spelling_parts')],
                },
            ),
            migrations.CreateModel(
                name='SpeltWord',
                fields=[
                    ('word', models.TextField(primary_key=True, serialize=False)),
                    ('keys', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                ],
                options={
                    'default_permissions': (),
                    'indexes': [django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['keys'], name='spelt_word_keys')],
                },
            ),
            migrations.CreateModel(
                name='RegisterChange',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ],
                options={
                    'default_permissions': (),
                },
            ),
            migrations.CreateModel(
                name='RegisterUpload',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('content', models.BinaryField()),
                    ('sha256', models.CharField(max_length=64)),
                    ('filename', models.CharField(max_length=200)),
                    ('register', models.CharField(help_text='Code of the register of its numbers.', max_length=20)),
                    ('changed_on', models.DateField(blank=True, help_text='The day from which changed federations and titles count; empty = the day of the import.', null=True)),
                    ('uploaded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('uploaded_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
            ),
            migrations.CreateModel(
                name='Tournament',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('code', models.SlugField(blank=True, help_text='Its address, which never changes; empty until a report is submitted.', max_length=80, null=True, unique=True)),
                    ('name', models.CharField(max_length=80)),
                    ('place', models.CharField(blank=True, max_length=60)),
                    ('country', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tournaments', to='reporting.federation')),
                    ('played_from', models.DateField(help_text='As planned; without an announcement as first reported.')),
                    ('played_to', models.DateField(help_text='The same.')),
                    ('rating_system', models.CharField(blank=True, help_text='Empty: the first one that rates its discipline.', max_length=10)),
                    ('discipline', models.CharField(blank=True, max_length=3)),
                    ('time_control', models.CharField(blank=True, max_length=40)),
                    ('system', models.CharField(blank=True, max_length=12)),
                    ('official', models.BooleanField(default=False, help_text='Tournament of the federation of its system or of a confederation, as the office says.')),
                    ('national_championship', models.CharField(blank=True, help_text="As its federation's official or the office says; empty: not said.", max_length=13)),
                    ('announced_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='announcements', to=settings.AUTH_USER_MODEL)),
                    ('announced_on', models.DateField(blank=True, help_text="The day it reached the office, in the office's time zone; empty: not announced.", null=True)),
                    ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                    ('reminded_at', models.DateTimeField(blank=True, help_text='When the last reminder of its report was sent.', null=True)),
                ],
                options={
                    'constraints': [
                        models.CheckConstraint(condition=models.Q(('played_from__lte', models.F('played_to'))), name='tournament_dates_in_order'),
                        models.CheckConstraint(condition=models.Q(models.Q(('discipline', ''), _negated=True), models.Q(('rating_system', ''), _negated=True), _connector='OR'), name='tournament_has_discipline_or_system'),
                        models.CheckConstraint(condition=models.Q(models.Q(('announced_by', None), ('announced_on', None)), models.Q(('announced_by__isnull', False), ('announced_on__isnull', False), ('country__isnull', False)), _connector='OR'), name='tournament_announced_by_someone'),
                        models.CheckConstraint(condition=models.Q(('code__isnull', False), ('announced_on__isnull', False), _connector='OR'), name='tournament_announced_or_reported'),
                    ],
                    'indexes': [models.Index(fields=['played_from'], name='tournament_order')],
                },
            ),
            migrations.CreateModel(
                name='ResultSet',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('tournament', models.ForeignKey(db_column='code', on_delete=django.db.models.deletion.PROTECT, related_name='result_sets', to='reporting.tournament', to_field='code')),
                    ('part', models.PositiveSmallIntegerField(db_default=1, default=1, help_text='Of the tournament, from 1.')),
                    ('revision', models.PositiveSmallIntegerField(default=0, help_text='0 = as first accepted; n = its nth corrected report, with its own results.')),
                    ('name', models.CharField(max_length=80)),
                    ('place', models.CharField(blank=True, max_length=60)),
                    ('country', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='result_sets', to='reporting.federation')),
                    ('played_from', models.DateField()),
                    ('played_to', models.DateField()),
                    ('counting_day', models.DateField(help_text='By which its list is found, as its rating system answers (`TournamentDetails.counting_day`).')),
                    ('number', models.PositiveIntegerField(help_text='Order among tournaments that end on one day (R5).')),
                    ('rating_system', models.CharField(blank=True, help_text='Empty: the first one that rates its discipline.', max_length=10)),
                    ('discipline', models.CharField(blank=True, help_text='One of the disciplines of its rules of reports; empty where the rating system does not ask for it.', max_length=3)),
                    ('time_control', models.CharField(blank=True, max_length=40)),
                    ('seconds_for_60_moves', models.PositiveIntegerField(blank=True, help_text='Per player, for the first 60 moves (R6); empty: without a clock.', null=True)),
                    ('session', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, help_text="Time controls of the games of a round, in order; empty: one game, by the tournament's (R25).", size=None)),
                    ('points', models.CharField(choices=[('2-1-0', '2-1-0'), ('1-0.5-0', '1-0.5-0')], default='2-1-0', help_text='The scale by which its points, which are stored in halves, are printed.', max_length=7)),
                    ('system', models.CharField(choices=[('swiss', 'Swiss'), ('round-robin', 'Round robin'), ('teams', 'Teams'), ('other', 'Other')], max_length=12)),
                    ('official', models.BooleanField(default=False)),
                    ('national_championship', models.CharField(choices=[('final', 'Final'), ('qualification', 'Qualification'), ('no', 'No')], default='no', max_length=13)),
                    ('women_only', models.BooleanField(default=False)),
                    ('youth_only', models.BooleanField(default=False, help_text='For a group of youth, by the details of its federation.')),
                    ('veterans', models.BooleanField(default=False)),
                    ('announced', models.DateField(blank=True, null=True)),
                    ('referee', models.CharField(blank=True, max_length=60)),
                    ('standings', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), blank=True, default=list, size=None)),
                    ('unplayed', models.CharField(blank=True, max_length=30)),
                    ('round_scores', models.JSONField(blank=True, default=list, help_text='Points of winner and loser of a round by the game that decided it.')),
                    ('plus_draws', models.JSONField(blank=True, default=list, help_text='Round, game of the round, number with the advantage, its opponent.')),
                    ('decided_ties', models.JSONField(blank=True, default=list, help_text='Numbers of tied players in the order that was decided.')),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(fields=('tournament', 'part', 'revision'), name='result_set_revision_once'),
                        models.CheckConstraint(condition=models.Q(('played_from__lte', models.F('played_to'))), name='result_set_dates_in_order'),
                        models.CheckConstraint(condition=models.Q(('seconds_for_60_moves__gt', 0)), name='result_set_has_time'),
                        models.CheckConstraint(condition=models.Q(models.Q(('discipline', ''), _negated=True), models.Q(('rating_system', ''), _negated=True), _connector='OR'), name='result_set_has_discipline_or_system'),
                        models.CheckConstraint(condition=models.Q(('points__in', ['2-1-0', '1-0.5-0'])), name='result_set_points_known'),
                    ],
                    'indexes': [models.Index(fields=['played_to', 'number'], name='result_set_order')],
                },
            ),
            migrations.CreateModel(
                name='TournamentDecision',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('tournament', models.ForeignKey(db_column='tournament_code', on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='reporting.tournament', to_field='code')),
                    ('item', models.CharField(help_text='One of the table `decided_items`.', max_length=16)),
                    ('value', models.CharField(blank=True, help_text='`yes`, `no`, or a value of the detail.', max_length=24)),
                    ('about', models.TextField(blank=True, default='')),
                    ('reason', models.TextField(blank=True)),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
            ),
            migrations.CreateModel(
                name='Round',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('result_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='reporting.resultset')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('played_on', models.DateField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('result_set', 'number'), name='round_number_unique')],
                },
            ),
            migrations.CreateModel(
                name='Entry',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('result_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='reporting.resultset')),
                    ('player', models.ForeignKey(blank=True, help_text='Empty until the report is accepted.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='reporting.player')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('place', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('points_printed', models.PositiveSmallIntegerField(blank=True, help_text='In halves: a win is 2.', null=True)),
                    ('reported_name', models.CharField(max_length=80)),
                    ('reported_federation', models.CharField(blank=True, max_length=20)),
                    ('reported_title', models.CharField(blank=True, max_length=10)),
                    ('reported_rating', models.PositiveSmallIntegerField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('result_set', 'number'), name='entry_number_unique')],
                    'verbose_name_plural': 'entries',
                },
            ),
            migrations.CreateModel(
                name='Game',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('result_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games', to='reporting.resultset')),
                    ('round', models.PositiveSmallIntegerField()),
                    ('number', models.PositiveSmallIntegerField(db_default=1, default=1, help_text='In its round, from 1.')),
                    ('time_control', models.CharField(blank=True, db_default='', default='', max_length=40)),
                    ('seconds_for_60_moves', models.PositiveIntegerField(blank=True, help_text="Per player, for the first 60 moves (R6); empty: the tournament's.", null=True)),
                    ('white', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='games_as_white', to='reporting.entry')),
                    ('black', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='games_as_black', to='reporting.entry')),
                    ('white_points', models.PositiveSmallIntegerField(help_text='In halves: a win is 2.')),
                    ('black_points', models.PositiveSmallIntegerField(help_text='In halves: a win is 2.')),
                    ('played', models.BooleanField()),
                    ('started_on', models.DateField(blank=True, help_text="The game's own day, where the report has it; else that of its round.", null=True)),
                    ('finished_on', models.DateField(blank=True, help_text='The day of its result; empty as above.', null=True)),
                    ('white_for', models.PositiveIntegerField(blank=True, help_text='The number in the register of the player whom a substitute replaces.', null=True)),
                    ('black_for', models.PositiveIntegerField(blank=True, help_text='The same for Black.', null=True)),
                ],
                options={
                    'constraints': [
                        models.CheckConstraint(condition=models.Q(('white__isnull', False), ('black__isnull', False), _connector='OR'), name='game_has_a_player'),
                        models.CheckConstraint(condition=models.Q(('played', False), models.Q(('black__isnull', False), ('white__isnull', False), ('white_points', django.db.models.expressions.CombinedExpression(models.Value(2), '-', models.F('black_points')))), _connector='OR'), name='game_played_shares_two_points'),
                        models.CheckConstraint(condition=models.Q(('black_points__lte', 2), ('white_points__lte', 2)), name='game_points_at_most_two'),
                        models.CheckConstraint(condition=models.Q(('white', models.F('black')), _negated=True), name='game_has_two_different_players'),
                        models.CheckConstraint(condition=models.Q(('number__gt', 0)), name='game_number_from_one'),
                        models.CheckConstraint(condition=models.Q(models.Q(('seconds_for_60_moves', None), ('time_control', '')), models.Q(models.Q(('time_control', ''), _negated=True), ('seconds_for_60_moves__gt', 0), ('seconds_for_60_moves__isnull', False)), _connector='OR'), name='game_has_whole_clock'),
                        models.CheckConstraint(condition=models.Q(('started_on__isnull', True), ('finished_on__isnull', True), ('started_on__lte', models.F('finished_on')), _connector='OR'), name='game_days_in_order'),
                    ],
                    'indexes': [models.Index(fields=['result_set', 'round'], name='game_result_set_round')],
                },
            ),
        ),
        *[migrations.RunSQL((SQL / f"{name}.sql").read_text()) for name in FILES],
        migrations.RunPython(create_accounts),
    ]
