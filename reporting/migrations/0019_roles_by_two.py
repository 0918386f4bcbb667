from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

SQL = Path(__file__).with_name("sql")

# Roles that accounts have from before stay, as given by command.
KEEP_ROLES = """
INSERT INTO reporting_roleassignment
    (account_id, role, assigned_by_id, confirmed_by_id, confirmed_at, by_command)
SELECT account.id, role, command.id, command.id, now(), true
FROM reporting_user account CROSS JOIN LATERAL unnest(account.roles) role
    JOIN reporting_user command ON command.email = 'officer@office.invalid'
ORDER BY account.id, array_position(account.roles, role);
SET CONSTRAINTS ALL IMMEDIATE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('reporting', '0018_not_by_the_web'),
    ]

    operations = [
        migrations.CreateModel(
            name='RoleAssignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('referee', 'Referee'), ('national_official', 'National ratings official'), ('rating_officer', 'Rating officer'), ('releasing_officer', 'Releasing officer'), ('title_council', 'Title council'), ('tournament_director', 'Tournament director'), ('administrator', 'Administrator')], max_length=24)),
                ('assigned_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('by_command', models.BooleanField(default=False)),
            ],
        ),
        migrations.AddField(
            model_name='roleassignment',
            name='account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='roleassignment',
            name='assigned_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='roleassignment',
            name='confirmed_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='roleassignment',
            name='ended_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='roleassignment',
            constraint=models.UniqueConstraint(models.F('account'), models.F('role'), condition=models.Q(('ended_at', None)), name='role_assigned_once'),
        ),
        migrations.AddConstraint(
            model_name='roleassignment',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['referee', 'national_official', 'rating_officer', 'releasing_officer', 'title_council', 'tournament_director', 'administrator'])), name='role_known'),
        ),
        migrations.AddConstraint(
            model_name='roleassignment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', None)), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False)), _connector='OR'), name='role_ended_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='roleassignment',
            constraint=models.CheckConstraint(condition=models.Q(('by_command', True), models.Q(models.Q(('assigned_by', models.F('account')), _negated=True), models.Q(('confirmed_at', None), models.Q(('role__in', ('rating_officer', 'releasing_officer', 'title_council', 'administrator')), _negated=True), models.Q(('confirmed_by__isnull', False), models.Q(('confirmed_by', models.F('assigned_by')), _negated=True), models.Q(('confirmed_by', models.F('account')), _negated=True)), _connector='OR')), _connector='OR'), name='role_given_by_two_others'),
        ),
        migrations.RunSQL((SQL / "role_assignments.sql").read_text(), migrations.RunSQL.noop),
        migrations.RunSQL((SQL / "not_by_the_web.sql").read_text(), migrations.RunSQL.noop),
        migrations.RunSQL(KEEP_ROLES, migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='user',
            name='user_roles_known',
        ),
        migrations.RemoveField(
            model_name='user',
            name='roles',
        ),
    ]
