from django.db import migrations, models


class Migration(migrations.Migration):
    """Up to which message a person has opened their messages."""

    dependencies = [
        ('reporting', '0018_delete_drafts'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='messages_read_to',
            field=models.BigIntegerField(db_default=0, default=0, help_text='Number of the newest message when the page of messages was last opened.'),
        ),
    ]
