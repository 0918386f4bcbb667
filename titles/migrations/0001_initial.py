from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from reporting.migrations._create_models import CreateModels

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """Norms as found in a list's tournaments, claims and decisions; applications for titles with their steps."""

    initial = True

    dependencies = [
        ("ratings", "0001_initial"),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name='TitleApplication',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='title_applications', to='reporting.player')),
                    ('federation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.federation')),
                    ('awarded_by', models.CharField(help_text='The code of a rating system.', max_length=10)),
                    ('discipline', models.CharField(help_text='The discipline of the title.', max_length=3)),
                    ('title', models.CharField(help_text='One of reporting/rules/register/titles.py.', max_length=4)),
                    ('basis', models.CharField(choices=[('norms', 'Norms'), ('automatic', 'Automatic title'), ('rating', 'Rating on a list')], max_length=9)),
                    ('evidence', models.JSONField()),
                    ('state', models.CharField(choices=[('submitted', 'Submitted'), ('paid', 'Fee paid'), ('approved', 'Approved by the Council'), ('confirmed', 'Confirmed by the General Assembly'), ('registered', 'Registered'), ('refused', 'Refused'), ('withdrawn', 'Withdrawn'), ('title_withdrawn', 'Title withdrawn')], default='submitted', max_length=15)),
                    ('submitted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('submitted_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                    ('player_title', models.OneToOneField(help_text='The title that its registration wrote.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='application', to='reporting.playertitle')),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(condition=models.Q(('state__in', ['refused', 'withdrawn', 'title_withdrawn']), _negated=True), fields=('player', 'awarded_by', 'discipline', 'title'), name='application_once'),
                        models.CheckConstraint(condition=models.Q(models.Q(('player_title__isnull', False), ('state__in', ['registered', 'title_withdrawn'])), models.Q(models.Q(('state__in', ['registered', 'title_withdrawn']), _negated=True), ('player_title', None)), _connector='OR'), name='application_registered_with_a_title'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='ApplicationStep',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='titles.titleapplication')),
                    ('move', models.CharField(choices=[('submit', 'Application submitted'), ('mark_paid', 'Fee paid'), ('approve', 'Approved by the Council'), ('confirm', 'Confirmed by the General Assembly'), ('register', 'Title registered'), ('refuse', 'Application refused'), ('withdraw', 'Application withdrawn'), ('withdraw_title', 'Title withdrawn')], max_length=14)),
                    ('state', models.CharField(choices=[('submitted', 'Submitted'), ('paid', 'Fee paid'), ('approved', 'Approved by the Council'), ('confirmed', 'Confirmed by the General Assembly'), ('registered', 'Registered'), ('refused', 'Refused'), ('withdrawn', 'Withdrawn'), ('title_withdrawn', 'Title withdrawn')], help_text='After it.', max_length=15)),
                    ('on', models.DateField(help_text='The day of the payment, the decision, the registration.')),
                    ('reference', models.CharField(blank=True, help_text='Number of the minutes, or of the payment.', max_length=80)),
                    ('reason', models.TextField(blank=True)),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
                options={
                    'constraints': [
                        models.CheckConstraint(condition=models.Q(models.Q(('move__in', ['refuse', 'withdraw_title']), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='application_refused_with_a_reason'),
                        models.CheckConstraint(condition=models.Q(models.Q(('move__in', ['confirm', 'withdraw_title']), _negated=True), models.Q(('reference', ''), _negated=True), _connector='OR'), name='application_step_names_minutes'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='NormLayout',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                    ('requirements', models.JSONField(help_text='Objects with the fields of RequirementLayout (titles/rules/requirement.py).')),
                ],
            ),
            migrations.CreateModel(
                name='Norm',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('list', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='norms', to='ratings.ratinglist')),
                    ('player', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='norms', to='reporting.player')),
                    ('result_set', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='norms', to='reporting.resultset')),
                    ('discipline', models.CharField(help_text='The discipline of the tournament.', max_length=3)),
                    ('title', models.CharField(help_text='One of reporting/rules/register/titles.py.', max_length=4)),
                    ('kind', models.CharField(choices=[('result', 'Norm by result'), ('place', 'Norm by place'), ('title', 'Automatic title')], max_length=6)),
                    ('origin', models.CharField(choices=[('found', 'Found'), ('near_miss', 'One requirement unmet'), ('on_request', 'Possible with a won game ignored'), ('claimed', 'Claimed')], max_length=10)),
                    ('colour', models.CharField(blank=True, help_text='One of its federation; empty for a title, or where norms have none.', max_length=5)),
                    ('games', models.PositiveSmallIntegerField(help_text='Games that it brings towards a title.')),
                    ('is_needed', models.BooleanField(db_default=True, default=True, help_text='Not where the player held this title or a higher one at the closing date of the list (R41).')),
                    ('points_scored', models.PositiveSmallIntegerField(help_text='2-1-0; by result only.', null=True)),
                    ('points_asked', models.PositiveSmallIntegerField(help_text='2-1-0; by result only.', null=True)),
                    ('average_rating', models.PositiveSmallIntegerField(help_text='Rm of the opponents met.', null=True)),
                    ('category', models.PositiveSmallIntegerField(help_text='Of table X-2, from 1 on.', null=True)),
                    ('ignored_game', models.ForeignKey(db_constraint=False, db_index=False, help_text='The won game that it needs ignored.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.game')),
                    ('layout', models.ForeignKey(db_constraint=False, db_index=False, help_text='What the figures mean; none for a title without requirements.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='titles.normlayout')),
                    ('figures', django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None)),
                    ('opponents', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=tuple, help_text='Two numbers for each game played (titles/rules/met_opponents.py); zeros after the last.', size=None)),
                    ('claimed_by', models.ForeignKey(db_index=False, help_text='Of a claim.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('claim_reason', models.TextField(blank=True, default='')),
                ],
                options={
                    'constraints': [
                        models.UniqueConstraint(fields=('player', 'list', 'result_set', 'title', 'kind', 'origin', 'colour'), name='norm_once'),
                        models.CheckConstraint(condition=models.Q(('title', ''), _negated=True), name='norm_names_a_title'),
                        models.CheckConstraint(condition=models.Q(models.Q(('ignored_game__isnull', False), ('origin', 'on_request')), models.Q(models.Q(('origin', 'on_request'), _negated=True), ('ignored_game__isnull', True)), _connector='OR'), name='norm_ignores_a_game_on_request'),
                        models.CheckConstraint(condition=models.Q(models.Q(('claimed_by__isnull', False), ('origin', 'claimed'), models.Q(('claim_reason', ''), _negated=True)), models.Q(models.Q(('origin', 'claimed'), _negated=True), ('claim_reason', ''), ('claimed_by__isnull', True)), _connector='OR'), name='norm_claimed_with_a_reason'),
                    ],
                    'indexes': [
                        models.Index(condition=models.Q(('ignored_game__isnull', False)), fields=['ignored_game'], name='norm_ignoring_game'),
                        models.Index(condition=models.Q(('claimed_by__isnull', False)), fields=['list'], name='norm_claimed'),
                    ],
                },
            ),
            migrations.CreateModel(
                name='NormDecision',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('norm', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='titles.norm')),
                    ('is_confirmed', models.BooleanField()),
                    ('reason', models.TextField(blank=True)),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('is_confirmed', True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='norm_refused_with_a_reason')],
                },
            ),
        ),
        *[migrations.RunSQL((SQL / f"{name}.sql").read_text()) for name in ("norms", "rating_lists", "applications")],
    ]
