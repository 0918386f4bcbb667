from django.db import migrations


class Migration(migrations.Migration):
    """What the office's own processes never write: what was migrated, and another submitter of a report."""

    dependencies = [("reporting", "0017_log_in")]

    operations = [
        migrations.RunSQL(
            "revoke insert, update, delete on django_migrations from app_web, app_worker",
            "grant insert, update, delete on django_migrations to app_web, app_worker",
        ),
        migrations.RunSQL(
            """
            create trigger reporting_report_submitter_once before update on reporting_report for each row
                when (old.submitted_by_id is distinct from new.submitted_by_id) execute function refuse_change();
            alter table reporting_report enable always trigger reporting_report_submitter_once;
            """,
            "drop trigger reporting_report_submitter_once on reporting_report",
        ),
    ]
