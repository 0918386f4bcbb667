import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Comments on warnings of reports that are not submitted yet."""

    dependencies = [
        ('reporting', '0015_mail_opt_outs'),
    ]

    operations = [
        migrations.CreateModel(
            name='DraftComments',
            fields=[
                ('report', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='draft_comments', serialize=False, to='reporting.report')),
                ('version', models.PositiveIntegerField()),
                ('single', models.JSONField(default=dict, help_text="Index of a finding in the version's findings → the comment.")),
                ('of_kinds', models.JSONField(default=dict, help_text='Code → the comment on all findings of the code.')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'draft comments',
            },
        ),
        migrations.RunSQL(
            "SELECT bind_to_acting_person('reporting_draftcomments', 'by_id');", migrations.RunSQL.noop
        ),
    ]
