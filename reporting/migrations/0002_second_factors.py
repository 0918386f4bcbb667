from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """Guards of allauth's tables, which need the accounts of the first migration."""

    dependencies = [
        ("reporting", "0001_initial"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [migrations.RunSQL((SQL / "second_factors.sql").read_text())]
