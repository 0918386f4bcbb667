from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """Tournament directors are confirmed by a second administrator; who brought an account in leaves its first reports
    to others, and no one decides about a tournament in a report of which they had a part (R78).
    """

    dependencies = [
        ('reporting', '0030_scope_to_decide'),
    ]

    operations = [
        migrations.RunSQL((SQL / "directors_by_two.sql").read_text(), migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='roleassignment',
            name='role_given_by_two_others',
        ),
        migrations.AddConstraint(
            model_name='roleassignment',
            constraint=models.CheckConstraint(condition=models.Q(('by_command', True), models.Q(models.Q(('assigned_by', models.F('account')), _negated=True), models.Q(('confirmed_at', None), models.Q(('role__in', ('rating_officer', 'releasing_officer', 'title_council', 'tournament_director', 'administrator')), _negated=True), models.Q(('ended_at__isnull', False), ('role', 'tournament_director')), models.Q(('confirmed_by__isnull', False), models.Q(('confirmed_by', models.F('assigned_by')), _negated=True), models.Q(('confirmed_by', models.F('account')), _negated=True)), _connector='OR')), _connector='OR'), name='role_given_by_two_others'),
        ),
        migrations.RunSQL((SQL / "first_reports.sql").read_text(), migrations.RunSQL.noop),
    ]
