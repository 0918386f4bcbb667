import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Tables of opening lists that wait for the worker."""

    dependencies = [
        ('ratings', '0010_kinds_of_anomalies'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='OpeningImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('in_force', models.DateField()),
                ('content', models.BinaryField()),
                ('sha256', models.CharField(max_length=64)),
                ('filename', models.CharField(max_length=200)),
                ('requested_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('refusal', models.JSONField(default=dict, help_text='Key and values where no draft was made; a page makes the sentence.')),
                ('pool', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='opening_import', to='ratings.pool')),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RunSQL(
            "SELECT bind_to_acting_person('ratings_openingimport', 'requested_by_id');", migrations.RunSQL.noop
        ),
    ]
