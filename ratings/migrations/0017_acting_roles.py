from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """A list is approved by someone, and the web writes periods and lists only for a person who acts in a role that may."""

    dependencies = [
        ("ratings", "0015_decisions_of_lists"),
        ("reporting", "0037_acting_roles"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="ratinglist",
            constraint=models.CheckConstraint(
                condition=models.Q(("state", "superseded"))
                | models.Q(
                    models.Q(
                        ("approved_at__isnull", False),
                        ("approved_by__isnull", False),
                        ("approved_sha256", models.F("sha256")),
                        ("state__in", ["approved", "published"]),
                    )
                )
                | models.Q(
                    models.Q(("state__in", ["approved", "published"]), _negated=True),
                    ("approved_at", None),
                    ("approved_by", None),
                    ("approved_sha256", ""),
                ),
                name="list_approved_by_someone",
            ),
        ),
        migrations.RunSQL((SQL / "acting_roles.sql").read_text(), migrations.RunSQL.noop),
    ]
