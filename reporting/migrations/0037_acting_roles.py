from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """The web writes what figures and decisions stand on only for a person who acts in a role that may."""

    dependencies = [
        ("reporting", "0032_first_reports"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunSQL((SQL / "acting_roles.sql").read_text(), migrations.RunSQL.noop)]
