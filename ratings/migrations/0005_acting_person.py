from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """Signatures, requests and answers only in the name of the person who acts."""

    dependencies = [("ratings", "0004_pools"), ("reporting", "0005_acting_person")]

    operations = [migrations.RunSQL((SQL / "acting_person.sql").read_text(), migrations.RunSQL.noop)]
