import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models



# What a request said stays as it was said; its state moves on, and its sender can be forgotten. What office and
# sender say to each other is written once (refuse_change: sql/append_only.sql).
RIGHTS = """
REVOKE UPDATE, DELETE ON reporting_correctionrequest FROM app_web, app_worker;
GRANT UPDATE (state, turn_since, taken_by_id, confirmed_at, answered_at, reopened_at, name, email, erased_at)
    ON reporting_correctionrequest TO app_web, app_worker;
CREATE TRIGGER reporting_requestentry_append_only
    BEFORE UPDATE OR DELETE ON reporting_requestentry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reporting_requestentry_no_truncate
    BEFORE TRUNCATE ON reporting_requestentry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_requestentry ENABLE ALWAYS TRIGGER reporting_requestentry_append_only;
ALTER TABLE reporting_requestentry ENABLE ALWAYS TRIGGER reporting_requestentry_no_truncate;
REVOKE UPDATE, DELETE ON reporting_requestentry FROM app_web, app_worker;
"""


def create_visitor(apps, schema_editor):
    """Whoever has no account acts through this one, which has no password, no role, and can't log in."""
    apps.get_model("reporting", "User").objects.create(
        email="visitor@office.invalid", name="Visitor", roles=[], acts_by_command=True, password="!"
    )


class Migration(migrations.Migration):

    dependencies = [
        ('reporting', '0010_review'),
    ]

    operations = [
        migrations.CreateModel(
            name='CorrectionRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('figure', models.CharField(choices=[('rating', 'Rating on a list'), ('change', 'Change by a tournament'), ('result', 'Result of a game'), ('person', 'Name, federation, title or year of birth'), ('tournament', 'Facts of a tournament')], max_length=10)),
                ('reference', models.CharField(help_text='Which figure: how it is found again.', max_length=200)),
                ('pool', models.CharField(help_text='Code of the pool.', max_length=40)),
                ('published_as', models.TextField(help_text='The figure as it was when the request came.')),
                ('published_in', models.CharField(help_text='List and revision, in words.', max_length=200)),
                ('address', models.CharField(help_text='Address of the page it stands on.', max_length=300)),
                ('article', models.CharField(blank=True, help_text='What it follows from.', max_length=120)),
                ('wrong', models.TextField(help_text='What is wrong.')),
                ('should_be', models.TextField(blank=True, help_text='What it should be.')),
                ('evidence', models.TextField(blank=True, help_text='How the sender knows.')),
                ('name', models.CharField(blank=True, max_length=120)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('state', models.CharField(choices=[('open', 'Open'), ('taken', 'Taken'), ('asked', 'Asked'), ('answered', 'Answered')], db_index=True, default='open', max_length=10)),
                ('turn_since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='Since when it waits for whose turn it is.')),
                ('confirmed_at', models.DateTimeField(blank=True, help_text='When the sender showed that he reads the mail of his address.', null=True)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('reopened_at', models.DateTimeField(blank=True, help_text='Once at the most.', null=True)),
                ('erased_at', models.DateTimeField(blank=True, help_text='When name and address were emptied.', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='RequestEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('question', 'Question'), ('reply', 'Reply'), ('answer', 'Answer'), ('reopening', 'Reopened')], max_length=10)),
                ('outcome', models.CharField(blank=True, choices=[('corrected', 'Corrected'), ('will_be_corrected', 'Will be corrected'), ('stays', 'Stays as it is'), ('not_about_ratings', 'Not about ratings')], max_length=20)),
                ('basis', models.CharField(blank=True, help_text='What changed, with which list it will, or the article it stays by.', max_length=200)),
                ('text', models.TextField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'verbose_name_plural': 'request entries',
            },
        ),
        migrations.RemoveConstraint(
            model_name='message',
            name='message_once',
        ),
        migrations.AlterField(
            model_name='message',
            name='kind',
            field=models.CharField(choices=[('report_accepted', 'Report accepted'), ('report_returned', 'Report returned'), ('report_rejected', 'Report rejected'), ('report_taken_back', 'Acceptance taken back'), ('report_late', 'Late report'), ('report_next_list', 'Next list'), ('list_published', 'List published'), ('invitation', 'Invitation'), ('password_asked', 'New password asked for'), ('password_changed', 'Password changed'), ('email_asked', 'New e-mail address asked for'), ('email_confirm', 'Confirm e-mail address'), ('account_changed', 'Account changed'), ('request_received', 'Request received'), ('request_question', 'Question to a request'), ('request_answered', 'Request answered')], max_length=20),
        ),
        migrations.AlterField(
            model_name='message',
            name='recipient',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='letters', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='correctionrequest',
            name='player',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='correction_requests', to='reporting.player'),
        ),
        migrations.AddField(
            model_name='correctionrequest',
            name='taken_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='correction_requests', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='correctionrequest',
            name='tournament',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='correction_requests', to='reporting.tournament'),
        ),
        migrations.AddField(
            model_name='message',
            name='correction_request',
            field=models.ForeignKey(blank=True, help_text='Whose sender is told, where the person told has no account: name and address stand there alone.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='letters', to='reporting.correctionrequest'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.UniqueConstraint(condition=models.Q(('kind__in', ['invitation', 'password_asked', 'password_changed', 'email_asked', 'email_confirm', 'account_changed']), _negated=True), fields=('kind', 'about', 'recipient'), name='message_once'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('correction_request__isnull', True), ('recipient__isnull', False)), models.Q(('correction_request__isnull', False), ('recipient__isnull', True)), _connector='OR'), name='message_to_one_person'),
        ),
        migrations.AddField(
            model_name='requestentry',
            name='by',
            field=models.ForeignKey(blank=True, help_text='Of the office; nobody is the sender.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='requestentry',
            name='correction_request',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='reporting.correctionrequest'),
        ),
        migrations.AddIndex(
            model_name='correctionrequest',
            index=models.Index(django.db.models.functions.text.Lower('email'), models.F('created_at'), name='request_email'),
        ),
        migrations.AddConstraint(
            model_name='correctionrequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['taken', 'asked', 'answered']), _negated=True), ('taken_by__isnull', False), _connector='OR'), name='request_taken_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='correctionrequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answered_at__isnull', False), ('state', 'answered')), models.Q(models.Q(('state', 'answered'), _negated=True), ('answered_at__isnull', True)), _connector='OR'), name='request_answered_has_instant'),
        ),
        migrations.AddConstraint(
            model_name='correctionrequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('erased_at__isnull', True), models.Q(('name', ''), _negated=True), models.Q(('email', ''), _negated=True)), models.Q(('email', ''), ('erased_at__isnull', False), ('name', ''), ('state', 'answered')), _connector='OR'), name='request_has_sender_until_erased'),
        ),
        migrations.AddConstraint(
            model_name='correctionrequest',
            constraint=models.CheckConstraint(condition=models.Q(('wrong', ''), _negated=True), name='request_says_what_is_wrong'),
        ),
        migrations.AddConstraint(
            model_name='correctionrequest',
            constraint=models.CheckConstraint(condition=models.Q(('player__isnull', False), ('tournament__isnull', False), _connector='OR'), name='request_about_something'),
        ),
        migrations.AddConstraint(
            model_name='requestentry',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='request_entry_has_text'),
        ),
        migrations.AddConstraint(
            model_name='requestentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('by__isnull', False), ('kind__in', ['question', 'answer'])), models.Q(('by__isnull', True), ('kind__in', ['reply', 'reopening'])), _connector='OR'), name='request_entry_by_its_side'),
        ),
        migrations.AddConstraint(
            model_name='requestentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'answer'), models.Q(('outcome', ''), _negated=True)), models.Q(models.Q(('kind', 'answer'), _negated=True), ('outcome', '')), _connector='OR'), name='request_answer_has_outcome'),
        ),
        migrations.AddConstraint(
            model_name='requestentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('outcome__in', ['corrected', 'will_be_corrected', 'stays']), _negated=True), models.Q(('basis', ''), _negated=True), _connector='OR'), name='request_answer_has_basis'),
        ),
        migrations.RunSQL(RIGHTS, migrations.RunSQL.noop),
        migrations.RunPython(create_visitor, migrations.RunPython.noop),
    ]
