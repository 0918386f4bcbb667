import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


# What was decided is written once (refuse_change: sql/append_only.sql).
APPEND_ONLY = """
CREATE TRIGGER reporting_lookalikedecision_append_only
    BEFORE UPDATE OR DELETE ON reporting_lookalikedecision FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reporting_lookalikedecision_no_truncate
    BEFORE TRUNCATE ON reporting_lookalikedecision FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_lookalikedecision ENABLE ALWAYS TRIGGER reporting_lookalikedecision_append_only;
ALTER TABLE reporting_lookalikedecision ENABLE ALWAYS TRIGGER reporting_lookalikedecision_no_truncate;
REVOKE UPDATE, DELETE ON reporting_lookalikedecision FROM app_web, app_worker;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('reporting', '0013_reminders'),
    ]

    operations = [
        migrations.CreateModel(
            name='LookAlikeDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_correction', models.BooleanField(help_text='Whether the report corrects it; else it is a different one.')),
                ('reason', models.TextField(blank=True, help_text='Why it is a different tournament.')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(help_text='The tournament, as first accepted, that the report looks like.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.tournament')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='look_alike_decisions', to='reporting.reportversion')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('is_correction', True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='different_tournament_has_reason')],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, migrations.RunSQL.noop),
    ]
