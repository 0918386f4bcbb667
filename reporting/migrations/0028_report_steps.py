from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """Who submitted and who accepted which version; the acceptance by a person who acted on the report is refused."""

    dependencies = [
        ('reporting', '0027_tournament_decisions'),
    ]

    operations = [
        migrations.CreateModel(
            name='ReportStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('move', models.CharField(choices=[('submit', 'Submitted'), ('accept', 'Accepted')], max_length=6)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='reporting.reportversion')),
            ],
        ),
        migrations.RunSQL((SQL / "report_steps.sql").read_text(), migrations.RunSQL.noop),
    ]
