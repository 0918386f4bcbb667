import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Tables for the register that wait for their confirmation."""

    dependencies = [
        ('reporting', '0013_titles_by_kind'),
    ]

    operations = [
        migrations.CreateModel(
            name='RegisterUpload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.BinaryField()),
                ('sha256', models.CharField(max_length=64)),
                ('filename', models.CharField(max_length=200)),
                ('register', models.CharField(help_text='Code of the register of its numbers.', max_length=20)),
                ('changed_on', models.DateField(blank=True, help_text='The day from which changed federations and titles count; empty = the day of the import.', null=True)),
                ('uploaded_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('uploaded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RunSQL(
            "SELECT bind_to_acting_person('reporting_registerupload', 'uploaded_by_id');", migrations.RunSQL.noop
        ),
    ]
