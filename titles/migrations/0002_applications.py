from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """Applications for titles, with their steps."""

    dependencies = [
        ("reporting", "0013_titles_by_kind"),
        ("titles", "0001_norms"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="TitleApplication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("awarded_by", models.CharField(help_text="The code of a rating system.", max_length=10)),
                ("section", models.CharField(help_text="The discipline of the title.", max_length=3)),
                (
                    "title",
                    models.CharField(help_text="One of reporting/rules/register/titles.py.", max_length=4),
                ),
                (
                    "basis",
                    models.CharField(
                        choices=[("norms", "Norms"), ("automatic", "Automatic title")], max_length=9
                    ),
                ),
                ("evidence", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("submitted", "Submitted"),
                            ("paid", "Fee paid"),
                            ("approved", "Approved by the Council"),
                            ("confirmed", "Confirmed by the General Assembly"),
                            ("registered", "Registered"),
                            ("refused", "Refused"),
                            ("withdrawn", "Withdrawn"),
                            ("title_withdrawn", "Title withdrawn"),
                        ],
                        default="submitted",
                        max_length=15,
                    ),
                ),
                (
                    "submitted_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "federation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reporting.federation",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="title_applications",
                        to="reporting.player",
                    ),
                ),
                (
                    "player_title",
                    models.OneToOneField(
                        help_text="The title that its registration wrote.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="application",
                        to="reporting.playertitle",
                    ),
                ),
                (
                    "submitted_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ApplicationStep",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "move",
                    models.CharField(
                        choices=[
                            ("submit", "Application submitted"),
                            ("mark_paid", "Fee paid"),
                            ("approve", "Approved by the Council"),
                            ("confirm", "Confirmed by the General Assembly"),
                            ("register", "Title registered"),
                            ("refuse", "Application refused"),
                            ("withdraw", "Application withdrawn"),
                            ("withdraw_title", "Title withdrawn"),
                        ],
                        max_length=14,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("submitted", "Submitted"),
                            ("paid", "Fee paid"),
                            ("approved", "Approved by the Council"),
                            ("confirmed", "Confirmed by the General Assembly"),
                            ("registered", "Registered"),
                            ("refused", "Refused"),
                            ("withdrawn", "Withdrawn"),
                            ("title_withdrawn", "Title withdrawn"),
                        ],
                        help_text="After it.",
                        max_length=15,
                    ),
                ),
                ("on", models.DateField(help_text="The day of the payment, the decision, the registration.")),
                (
                    "reference",
                    models.CharField(
                        blank=True, help_text="Number of the minutes, or of the payment.", max_length=80
                    ),
                ),
                ("reason", models.TextField(blank=True)),
                (
                    "at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "application",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="steps",
                        to="titles.titleapplication",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="titleapplication",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["refused", "withdrawn", "title_withdrawn"]), _negated=True),
                fields=("player", "awarded_by", "section", "title"),
                name="application_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="titleapplication",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("player_title__isnull", False), ("state__in", ["registered", "title_withdrawn"])
                    ),
                    models.Q(
                        models.Q(("state__in", ["registered", "title_withdrawn"]), _negated=True),
                        ("player_title", None),
                    ),
                    _connector="OR",
                ),
                name="application_registered_with_a_title",
            ),
        ),
        migrations.AddConstraint(
            model_name="applicationstep",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("move__in", ["refuse", "withdraw_title"]), _negated=True),
                    models.Q(("reason", ""), _negated=True),
                    _connector="OR",
                ),
                name="application_refused_with_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="applicationstep",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("move__in", ["confirm", "withdraw_title"]), _negated=True),
                    models.Q(("reference", ""), _negated=True),
                    _connector="OR",
                ),
                name="application_step_names_minutes",
            ),
        ),
        migrations.RunSQL((SQL / "applications.sql").read_text(), migrations.RunSQL.noop),
    ]
