import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

APPEND_ONLY = """
SELECT bind_to_acting_person('reporting_reportnote', 'by_id');
CREATE TRIGGER reporting_reportnote_append_only BEFORE UPDATE OR DELETE ON reporting_reportnote
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reporting_reportnote_no_truncate BEFORE TRUNCATE ON reporting_reportnote
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_reportnote ENABLE ALWAYS TRIGGER reporting_reportnote_append_only;
ALTER TABLE reporting_reportnote ENABLE ALWAYS TRIGGER reporting_reportnote_no_truncate;
REVOKE UPDATE, DELETE ON reporting_reportnote FROM app_web, app_worker;
"""


class Migration(migrations.Migration):
    """Notes on a report between the office and the people of the report."""

    dependencies = [
        ('reporting', '0024_erasure_waits'),
    ]

    operations = [
        migrations.CreateModel(
            name='ReportNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('from_office', models.BooleanField(help_text="Whether a person of the office wrote it, about another person's report.")),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notes', to='reporting.report')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='note_has_text')],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, migrations.RunSQL.noop),
    ]
