from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """The web writes norms and applications only for a person who acts in a role that may."""

    dependencies = [("titles", "0003_norms_not_needed"), ("reporting", "0037_acting_roles")]

    operations = [migrations.RunSQL((SQL / "acting_roles.sql").read_text(), migrations.RunSQL.noop)]
