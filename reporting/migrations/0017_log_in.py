from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):

    dependencies = [
        ('reporting', '0016_stored_reading'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='user',
            name='new_email',
        ),
        migrations.CreateModel(
            name='SecurityEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False)),
                ('kind', models.CharField(choices=[('logged_in', 'Logged in'), ('logged_out', 'Logged out'), ('password_refused', 'Wrong password'), ('code_refused', 'Wrong code'), ('too_many', 'Too many attempts'), ('confirmed', 'Identity confirmed'), ('session_ended', 'Session expired'), ('password_changed', 'Password changed'), ('factor_added', 'Second factor set up'), ('factor_removed', 'Second factor removed'), ('codes_made', 'New recovery codes')], max_length=20)),
                ('email', models.EmailField(blank=True, help_text="As it was typed, or the account's.", max_length=254)),
                ('address', models.GenericIPAddressField(blank=True, null=True)),
                ('account', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='security_events', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        # The address is the name people log in with, compared in small letters.
        migrations.RunSQL("update reporting_user set email = lower(email)", migrations.RunSQL.noop),
        migrations.RunSQL((SQL / "security_log.sql").read_text(), migrations.RunSQL.noop),
    ]
