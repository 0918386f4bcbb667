from django.conf import settings
from django.db import migrations, models
import django.db.models.deletion
import django.db.models.functions.datetime


# An officer's decision is written once (refuse_change: reporting/migrations/sql/append_only.sql).
APPEND_ONLY = """
CREATE TRIGGER ratings_pastquarters_append_only
    BEFORE UPDATE OR DELETE ON ratings_pastquarters FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ratings_pastquarters_no_truncate
    BEFORE TRUNCATE ON ratings_pastquarters FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_pastquarters ENABLE ALWAYS TRIGGER ratings_pastquarters_append_only;
ALTER TABLE ratings_pastquarters ENABLE ALWAYS TRIGGER ratings_pastquarters_no_truncate;
REVOKE UPDATE, DELETE ON ratings_pastquarters FROM app_web, app_worker;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0006_counted_reports_decided'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PastQuarters',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.DateField()),
                ('last', models.DateField()),
                ('reason', models.TextField()),
                ('confirmed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('confirmed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='past_quarters', to='ratings.pool')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('first__lte', models.F('last'))), name='pastquarters_in_order'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='pastquarters_has_reason')],
            },
        ),
        migrations.RunSQL(APPEND_ONLY, migrations.RunSQL.noop),
    ]
