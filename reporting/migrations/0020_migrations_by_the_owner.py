from django.db import migrations


class Migration(migrations.Migration):
    """What was migrated is the owner's to say: neither the web nor the worker writes it."""

    dependencies = [("reporting", "0019_log_in")]

    operations = [
        migrations.RunSQL(
            "revoke insert, update, delete on django_migrations from app_web, app_worker",
            "grant insert, update, delete on django_migrations to app_web, app_worker",
        )
    ]
