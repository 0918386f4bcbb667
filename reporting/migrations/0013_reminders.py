from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reporting', '0012_player_merges'),
    ]

    operations = [
        migrations.AddField(
            model_name='announcement',
            name='reminded_at',
            field=models.DateTimeField(blank=True, help_text='When whoever announced it was last reminded of its report.', null=True),
        ),
        migrations.AlterField(
            model_name='message',
            name='kind',
            field=models.CharField(choices=[('report_accepted', 'Report accepted'), ('report_returned', 'Report returned'), ('report_rejected', 'Report rejected'), ('report_taken_back', 'Acceptance taken back'), ('report_late', 'Late report'), ('report_next_list', 'Next list'), ('report_reminder', 'Report is missing'), ('list_published', 'List published'), ('invitation', 'Invitation'), ('password_asked', 'New password asked for'), ('password_changed', 'Password changed'), ('email_asked', 'New e-mail address asked for'), ('email_confirm', 'Confirm e-mail address'), ('account_changed', 'Account changed'), ('request_received', 'Request received'), ('request_question', 'Question to a request'), ('request_answered', 'Request answered')], max_length=20),
        ),
    ]
