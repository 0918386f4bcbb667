import datetime
from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """Tokens of programs, and the answers that are kept for a request sent again."""

    dependencies = [
        ('reporting', '0021_erased_names'),
    ]

    operations = [
        migrations.AlterField(
            model_name='securityevent',
            name='kind',
            field=models.CharField(choices=[('logged_in', 'Logged in'), ('logged_out', 'Logged out'), ('password_refused', 'Wrong password'), ('code_refused', 'Wrong code'), ('too_many', 'Too many attempts'), ('confirmed', 'Identity confirmed'), ('session_ended', 'Session expired'), ('password_changed', 'Password changed'), ('factor_added', 'Second factor set up'), ('factor_removed', 'Second factor removed'), ('codes_generated', 'New recovery codes'), ('token_created', 'API token created'), ('token_refused', 'API token refused')], max_length=20),
        ),
        migrations.CreateModel(
            name='ApiAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('request_sha256', models.CharField(help_text='Of what was asked.', max_length=64)),
                ('status', models.PositiveSmallIntegerField()),
                ('answer', models.TextField(help_text='JSON, as it was sent.')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('account', 'key'), name='api_answer_one_per_key')],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('reports:read', 'Read my reports and their findings'), ('reports:write', 'Upload files, change details, save comments'), ('reports:submit', 'Submit reports to the office')], max_length=20), size=None)),
                ('start', models.CharField(help_text='The first characters of the secret, to recognise it.', max_length=10)),
                ('secret_sha256', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('expires_at', models.DateTimeField()),
                ('last_used_on', models.DateField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
                ('revoked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('revoked_at', None)), fields=('account', 'name'), name='api_token_name_once'), models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['reports:read', 'reports:write', 'reports:submit']), ('scopes__len__gt', 0)), name='api_token_scopes_known'), models.CheckConstraint(condition=models.Q(('expires_at__lte', django.db.models.expressions.CombinedExpression(models.F('created_at'), '+', models.Value(datetime.timedelta(days=366))))), name='api_token_ends'), models.CheckConstraint(condition=models.Q(models.Q(('revoked_at', None), ('revoked_by', None)), models.Q(('revoked_at__isnull', False), ('revoked_by__isnull', False)), _connector='OR'), name='api_token_revoked_by_somebody')],
            },
        ),
        migrations.RunSQL((SQL / "api_tokens.sql").read_text(), migrations.RunSQL.noop),
    ]
