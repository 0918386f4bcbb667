import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


# Remarks are written once, as what they are about (refuse_change: sql/append_only.sql).
APPEND_ONLY = """
CREATE TRIGGER reporting_reviewremark_append_only
    BEFORE UPDATE OR DELETE ON reporting_reviewremark FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reporting_reviewremark_no_truncate
    BEFORE TRUNCATE ON reporting_reviewremark FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_reviewremark ENABLE ALWAYS TRIGGER reporting_reviewremark_append_only;
ALTER TABLE reporting_reviewremark ENABLE ALWAYS TRIGGER reporting_reviewremark_no_truncate;
REVOKE UPDATE, DELETE ON reporting_reviewremark FROM app_web, app_worker;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('reporting', '0009_report_results'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='entered_with',
            field=models.ForeignKey(blank=True, help_text='The report whose acceptance entered him; accepted again, it enters him no second time.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='newcomers', to='reporting.report'),
        ),
        migrations.AlterField(
            model_name='message',
            name='kind',
            field=models.CharField(choices=[('report_accepted', 'Report accepted'), ('report_returned', 'Report returned'), ('report_rejected', 'Report rejected'), ('report_taken_back', 'Acceptance taken back'), ('report_late', 'Late report'), ('report_next_list', 'Next list'), ('list_published', 'List published'), ('invitation', 'Invitation'), ('password_asked', 'New password asked for'), ('password_changed', 'Password changed'), ('email_asked', 'New e-mail address asked for'), ('email_confirm', 'Confirm e-mail address')], max_length=20),
        ),
        migrations.CreateModel(
            name='ReviewRemark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('line', models.PositiveIntegerField(blank=True, help_text='Of the file, from 1.', null=True)),
                ('field', models.CharField(blank=True, help_text='Name of the fact.', max_length=40)),
                ('text', models.TextField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='remarks', to='reporting.reportversion')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('line', None), ('line__gt', 0), _connector='OR'), name='remark_line_from_one'), models.CheckConstraint(condition=models.Q(('line', None), ('field', ''), _connector='OR'), name='remark_of_one_place'), models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='remark_has_text')],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, migrations.RunSQL.noop),
    ]
