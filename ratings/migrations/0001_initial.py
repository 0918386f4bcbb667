import django.contrib.postgres.constraints
import django.contrib.postgres.fields
import django.contrib.postgres.operations
import django.db.models.deletion
import django.db.models.functions.datetime
import ratings.models.period
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("reporting", "0001_initial"),
    ]

    operations = [
        django.contrib.postgres.operations.BtreeGistExtension(),
        migrations.CreateModel(
            name="Correction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.TextField(help_text="Printed with the revision.")),
                (
                    "later",
                    models.CharField(
                        choices=[
                            ("carry", "Carry the difference into the next list"),
                            ("revise", "Revise all later lists in order"),
                        ],
                        default="carry",
                        max_length=6,
                    ),
                ),
                (
                    "requested_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "follows",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="followed_by",
                        to="ratings.correction",
                    ),
                ),
                (
                    "requested_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="correction_has_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("follows", None), ("later", "revise"), _connector="OR"),
                        name="correction_follows_revised",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Pool",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.SlugField(max_length=30, unique=True)),
                ("federation", models.CharField(help_text="Whose rules: fmjd.", max_length=10)),
                ("discipline", models.CharField(max_length=3)),
                ("tempo", models.CharField(max_length=12)),
                ("name", models.CharField(max_length=60)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("federation", "discipline", "tempo"), name="pool_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Period",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "closing",
                    models.DateField(
                        help_text="Closing date: the last day on which a last round belongs to it."
                    ),
                ),
                ("in_force", models.DateField(help_text="Date of application of its list.")),
                ("played_since", models.DateTimeField()),
                ("played_before", models.DateTimeField(help_text="00:00 on the day after the closing date.")),
                (
                    "freezes_at",
                    models.DateTimeField(help_text="00:00 on the 8th day after the closing date."),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("frozen", "Frozen"),
                            ("published", "Published"),
                            ("correcting", "Correcting"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("frozen_at", models.DateTimeField(blank=True, null=True)),
                ("freeze_reason", models.TextField(blank=True)),
                (
                    "frozen_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="periods", to="ratings.pool"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("pool", "in_force"), name="period_in_force_unique"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("freezes_at__gte", models.F("played_before")),
                            ("played_since__lt", models.F("played_before")),
                        ),
                        name="period_instants_in_order",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state", "open"),
                            models.Q(("frozen_at__isnull", False), ("frozen_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="period_frozen_by_someone",
                    ),
                    django.contrib.postgres.constraints.ExclusionConstraint(
                        expressions=[
                            ("pool", "="),
                            (ratings.models.period.TimestampRange("played_since", "played_before"), "&&"),
                        ],
                        name="period_no_overlap",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "frozen")),
                        fields=("pool",),
                        name="period_one_frozen_per_pool",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "correcting")),
                        fields=("pool",),
                        name="period_one_correcting_per_pool",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PastQuarters",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first", models.DateField()),
                ("last", models.DateField()),
                ("reason", models.TextField()),
                (
                    "confirmed_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "confirmed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="past_quarters",
                        to="ratings.pool",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("first__lte", models.F("last"))), name="pastquarters_in_order"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="pastquarters_has_reason"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingList",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("in_force", models.DateField()),
                (
                    "closing",
                    models.DateField(help_text="Years of activity are counted back from this day (R12)."),
                ),
                ("revision", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("calculated", "Calculated"),
                            ("norms_searched", "Norms searched"),
                            ("ready", "Ready for approval"),
                            ("approved", "Approved"),
                            ("published", "Published"),
                            ("superseded", "Superseded"),
                        ],
                        default="calculated",
                        max_length=14,
                    ),
                ),
                ("is_opening", models.BooleanField(default=False)),
                (
                    "edition",
                    models.CharField(
                        help_text="Edition of the rules, ratings/systems/fmjd/rules/parameters.py.",
                        max_length=40,
                    ),
                ),
                ("players", models.PositiveIntegerField(default=0)),
                ("official_players", models.PositiveIntegerField(default=0)),
                ("tournaments", models.PositiveIntegerField(default=0)),
                ("games", models.PositiveIntegerField(default=0)),
                ("input_sha256", models.CharField(max_length=64)),
                ("sha256", models.CharField(help_text="Digest of the figures file.", max_length=64)),
                ("previous_sha256", models.CharField(blank=True, max_length=64)),
                (
                    "input_lists",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        default=list,
                        help_text="The lists it was calculated from, oldest first (R8).",
                        size=None,
                    ),
                ),
                (
                    "merges",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        default=list,
                        help_text="The merges of players' records that it and the lists it was calculated from are read with (R24).",
                        size=None,
                    ),
                ),
                (
                    "calculated_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("approved_at", models.DateTimeField(null=True)),
                ("approved_sha256", models.CharField(blank=True, max_length=64)),
                ("published_at", models.DateTimeField(null=True)),
                ("published_sha256", models.CharField(blank=True, max_length=64)),
                ("by_command", models.BooleanField(default=False)),
                (
                    "approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "correction",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lists",
                        to="ratings.correction",
                    ),
                ),
                (
                    "period",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lists",
                        to="ratings.period",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="lists", to="ratings.pool"
                    ),
                ),
                (
                    "previous",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="successors",
                        to="ratings.ratinglist",
                    ),
                ),
                (
                    "published_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "published")),
                        fields=("pool", "in_force", "revision"),
                        name="list_revision_published_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["published", "superseded"]), _negated=True),
                        fields=("period",),
                        name="list_one_draft_per_period",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "published"), _negated=True),
                            models.Q(
                                ("approved_sha256", models.F("sha256")),
                                ("published_sha256", models.F("sha256")),
                                ("approved_by__isnull", False),
                                ("published_at__isnull", False),
                                ("published_by__isnull", False),
                                models.Q(("approved_by", models.F("published_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="list_published_with_two_signatures",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("is_opening", True), ("period__isnull", False), _connector="OR"),
                        name="list_has_period_or_opens",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("correction", None), ("revision__lte", 1)),
                            models.Q(("correction__isnull", False), ("revision__gt", 1)),
                            _connector="OR",
                        ),
                        name="list_revision_has_correction",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PublishedFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("content_type", models.CharField(max_length=80)),
                ("content", models.BinaryField()),
                ("sha256", models.CharField(max_length=64)),
                ("size", models.PositiveIntegerField(help_text="Bytes.")),
                ("has_names", models.BooleanField()),
                (
                    "list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="files",
                        to="ratings.ratinglist",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("list", "name"), name="published_file_name_unique")
                ],
            },
        ),
        migrations.CreateModel(
            name="PlayerHistory",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "player_id", "list_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("in_force", models.DateField()),
                ("rating", models.IntegerField()),
                ("change", models.IntegerField(null=True)),
                ("period_games", models.IntegerField()),
                ("games", models.IntegerField()),
                ("category", models.CharField(max_length=1)),
                ("rank", models.IntegerField()),
                ("official_rank", models.IntegerField(null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="history",
                        to="reporting.player",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="ratings.ratinglist"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "player histories",
            },
        ),
        migrations.AddField(
            model_name="correction",
            name="replaces",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="corrections",
                to="ratings.ratinglist",
            ),
        ),
        migrations.CreateModel(
            name="CarriedDifference",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rating", models.IntegerField(help_text="Points added to the rating of the list before.")),
                ("games", models.IntegerField(help_text="Counted games added to those of the list before.")),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reporting.player",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="carried_differences",
                        to="ratings.ratinglist",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("list", "player"), name="carried_player_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="CarriedCorrection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "correction",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="carried_into",
                        to="ratings.correction",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="carried",
                        to="ratings.ratinglist",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("list", "correction"), name="carried_once")],
            },
        ),
        migrations.CreateModel(
            name="CalculationRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("requested", "Requested"), ("done", "Done"), ("failed", "Failed")],
                        db_index=True,
                        default="requested",
                        max_length=9,
                    ),
                ),
                (
                    "requested_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("by_command", models.BooleanField(default=False)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("code_version", models.CharField(blank=True, max_length=40)),
                ("stages", models.JSONField(default=dict, help_text="Stage → [rows, milliseconds].")),
                ("error", models.TextField(blank=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "requested_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "correction",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="ratings.correction",
                    ),
                ),
                (
                    "period",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="runs", to="ratings.period"
                    ),
                ),
                (
                    "list",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="run",
                        to="ratings.ratinglist",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "requested")),
                        fields=("period",),
                        name="run_one_requested_per_period",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "done"), _negated=True),
                            ("list__isnull", False),
                            _connector="OR",
                        ),
                        name="run_done_has_list",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Anomaly",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("jump", "Large jump"),
                            ("few_games", "Few games"),
                            ("late", "Admitted report"),
                            ("excluded", "Excluded report"),
                            ("corrected", "Corrected report"),
                            ("look_alike", "Similar tournaments"),
                        ],
                        max_length=10,
                    ),
                ),
                ("data", models.JSONField(default=dict)),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reporting.player",
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reporting.report",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="anomalies",
                        to="ratings.ratinglist",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "anomalies",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("list", "kind", "player", "report"), name="anomaly_once", nulls_distinct=False
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("kind__in", ["jump", "few_games"]),
                                ("player__isnull", False),
                                ("report__isnull", True),
                            ),
                            models.Q(
                                ("kind__in", ["late", "excluded", "corrected", "look_alike"]),
                                ("player__isnull", True),
                                ("report__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="anomaly_has_its_subject",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AnomalyAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField()),
                (
                    "at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "anomaly",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="ratings.anomaly",
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
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="anomaly_answer_has_text"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PeriodReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "correction",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="manifest",
                        to="ratings.correction",
                    ),
                ),
                (
                    "period",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="manifest",
                        to="ratings.period",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="manifest_lines",
                        to="reporting.tournament",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="manifest_lines",
                        to="reporting.reportversion",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("period", "correction", "tournament"),
                        name="periodreport_tournament_once",
                        nulls_distinct=False,
                    ),
                    models.UniqueConstraint(
                        fields=("period", "correction", "version"),
                        name="periodreport_version_once",
                        nulls_distinct=False,
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdrawn_at", None)),
                fields=("replaces",),
                name="correction_one_per_list",
            ),
        ),
    ]
