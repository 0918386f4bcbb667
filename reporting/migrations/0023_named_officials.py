from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """National ratings officials who chose to be named on the public page of their federation."""

    dependencies = [
        ('reporting', '0022_api_tokens'),
    ]

    operations = [
        migrations.CreateModel(
            name='NamedOfficial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chosen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.roleassignment')),
            ],
        ),
        migrations.RunSQL((SQL / "named_officials.sql").read_text(), migrations.RunSQL.noop),
    ]
