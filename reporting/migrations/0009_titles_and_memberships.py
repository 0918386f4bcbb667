from pathlib import Path

import django.contrib.postgres.constraints
import django.contrib.postgres.fields.ranges
import django.db.models.deletion
import reporting.models.membership
from django.contrib.postgres.operations import BtreeGistExtension
from django.db import migrations, models

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """Memberships of federations with their days; titles by awarder and section, with theirs."""

    dependencies = [("reporting", "0008_disciplines_of_systems")]

    operations = [
        BtreeGistExtension(),
        migrations.CreateModel(
            name="FederationMembership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "since",
                    models.DateField(
                        help_text="The first day; empty where no earlier federation is known.", null=True
                    ),
                ),
                (
                    "until",
                    models.DateField(
                        help_text="The first day in another federation; empty: a member now.", null=True
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
                        related_name="memberships",
                        to="reporting.player",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("until__isnull", False)),
                        fields=["until"],
                        name="membership_ended",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("since", None),
                            ("until", None),
                            ("since__lte", models.F("until")),
                            _connector="OR",
                        ),
                        name="membership_days_in_order",
                    ),
                    django.contrib.postgres.constraints.ExclusionConstraint(
                        expressions=[
                            ("player", "="),
                            (reporting.models.membership.DateRange("since", "until"), "&&"),
                        ],
                        name="membership_no_overlap",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PlayerTitle",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("awarded_by", models.CharField(help_text="The code of a rating system.", max_length=10)),
                (
                    "section",
                    models.CharField(help_text="One of reporting/rules/regulations/disciplines.py.", max_length=3),
                ),
                ("title", models.CharField(help_text="One of reporting/rules/register/titles.py.", max_length=4)),
                (
                    "registered_on",
                    models.DateField(help_text="The first day; empty where it is not known.", null=True),
                ),
                (
                    "withdrawn_on",
                    models.DateField(
                        help_text="The first day without the title; empty: held now.", null=True
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="titles",
                        to="reporting.player",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("title", ""), _negated=True), name="player_title_named"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("registered_on", None),
                            ("withdrawn_on", None),
                            ("registered_on__lte", models.F("withdrawn_on")),
                            _connector="OR",
                        ),
                        name="player_title_days_in_order",
                    ),
                    django.contrib.postgres.constraints.ExclusionConstraint(
                        expressions=[
                            ("player", "="),
                            ("awarded_by", "="),
                            ("section", "="),
                            (reporting.models.membership.DateRange("registered_on", "withdrawn_on"), "&&"),
                        ],
                        name="player_title_one_in_effect",
                    ),
                ],
            },
        ),
        migrations.RunSQL((SQL / "memberships.sql").read_text(), migrations.RunSQL.noop),
        migrations.RunSQL((SQL / "player_titles.sql").read_text(), migrations.RunSQL.noop),
        migrations.RemoveConstraint(model_name="player", name="player_title_known"),
        migrations.RemoveConstraint(model_name="player", name="player_title_64_known"),
        migrations.RemoveField(model_name="player", name="title"),
        migrations.RemoveField(model_name="player", name="title_64"),
    ]
