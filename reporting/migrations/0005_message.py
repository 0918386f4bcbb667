import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


# What a person was told stays as it was told: the web adds rows, the worker marks them, nobody else writes.
RIGHTS = """
REVOKE UPDATE, DELETE ON reporting_message FROM app_web, app_worker;
GRANT UPDATE (due_at, attempts, sent_at) ON reporting_message TO app_worker;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('reporting', '0004_command_accounts'),
    ]

    operations = [
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('report_accepted', 'Report accepted'), ('report_late', 'Late report'), ('report_next_list', 'Next list'), ('list_published', 'List published')], max_length=20)),
                ('about', models.CharField(help_text='Address of the thing: /reports/7/.', max_length=200)),
                ('title', models.CharField(max_length=160)),
                ('text', models.TextField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('due_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='Not tried before; later after each failure.')),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('recipient', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='letters', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('sent_at__isnull', True)), fields=['due_at', 'id'], name='message_waiting')],
                'constraints': [models.UniqueConstraint(fields=('kind', 'about', 'recipient'), name='message_once')],
            },
        ),
        migrations.RunSQL(RIGHTS, migrations.RunSQL.noop),
    ]
