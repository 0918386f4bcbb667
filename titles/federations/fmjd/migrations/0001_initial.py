from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):

    """What the federation alone records for World Cup and championships."""

    initial = True

    dependencies = [
        ('reporting', '0002_second_factors'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Championship',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.SlugField(help_text='Its address, `world-2027`.', max_length=12, unique=True)),
                ('kind', models.CharField(choices=[('world-20', 'World Championship, 20 players'), ('world-40', 'World Championship, 40 players'), ('women-20', 'Women’s World Championship, 20 players')], max_length=8)),
                ('year', models.PositiveSmallIntegerField()),
                ('place', models.CharField(blank=True, help_text='The place, or places, of play.', max_length=80)),
                ('organiser', models.CharField(blank=True, max_length=80)),
                ('first_day', models.DateField()),
                ('council_day', models.DateField(help_text='The day from which the reserve list replaces players who withdraw (R74c).')),
                ('match_played', models.BooleanField(default=False)),
                ('refused', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), blank=True, default=list, help_text='The FMJD-IDs of players who refused the title match.', size=None)),
                ('extra_places', models.PositiveSmallIntegerField(default=0, help_text='By Option 24 or 48 (R74d).')),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('champion', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('opponent', models.ForeignKey(blank=True, help_text='Of the champion in the title match.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('previous', models.ForeignKey(blank=True, db_column='previous', help_text='The previous championship, whose final classification item 2 follows.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.tournament', to_field='code')),
            ],
        ),
        migrations.CreateModel(
            name='DrawnLot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(choices=[('world-cup', 'World Cup'), ('rating', 'Rating')], max_length=9)),
                ('players', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), help_text='FMJD-IDs in the order drawn.', size=None)),
                ('on', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('championship', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lots', to='fmjd_titles.championship')),
            ],
        ),
        migrations.CreateModel(
            name='EnteredMedal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('championship', models.CharField(help_text='A code of titles/federations/fmjd/rules/championship_kinds.py.', max_length=48)),
                ('year', models.PositiveSmallIntegerField(help_text='Of its last round.')),
                ('place', models.PositiveSmallIntegerField(help_text='1 to 3; players who share a place have the same one.')),
                ('name', models.CharField(blank=True, help_text='As the source prints it, of who is not in the register.', max_length=80)),
                ('source', models.CharField(max_length=300)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('federation', models.ForeignKey(blank=True, help_text='At the time of the championship.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.federation')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
            ],
        ),
        migrations.CreateModel(
            name='MedalWithdrawal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('medal', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='withdrawal', to='fmjd_titles.enteredmedal')),
            ],
        ),
        migrations.CreateModel(
            name='PlaceStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('move', models.CharField(choices=[('name', 'Named'), ('remove', 'Name removed'), ('confirm', 'Confirmed'), ('decline', 'Withdrawn'), ('undo', 'Answer undone')], max_length=7)),
                ('item', models.PositiveSmallIntegerField(help_text='Of a name, and of one removed.', null=True)),
                ('on', models.DateField(help_text='The day on which the office was informed.')),
                ('reason', models.TextField(blank=True)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('championship', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='fmjd_titles.championship')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
            ],
        ),
        migrations.CreateModel(
            name='Publication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('classification', 'World Cup classification'), ('participants', 'List of participants'), ('reserves', 'Reserve list')], max_length=14)),
                ('section', models.CharField(blank=True, help_text='`100` or `64`: of a classification.', max_length=3)),
                ('women', models.BooleanField(default=False, help_text='Of a classification.')),
                ('day', models.DateField(help_text='Of a classification.', null=True)),
                ('championship', models.SlugField(blank=True, help_text='The code of a championship.', max_length=40)),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('reason', models.TextField(blank=True, help_text='Why there is a revision; empty for the first.')),
                ('state', models.CharField(choices=[('requested', 'Being calculated'), ('draft', 'Draft'), ('approved', 'Approved'), ('published', 'Published'), ('withdrawn', 'Withdrawn')], default='requested', max_length=9)),
                ('edition', models.CharField(blank=True, max_length=30)),
                ('inputs', models.TextField(blank=True)),
                ('input_sha256', models.CharField(blank=True, max_length=64)),
                ('sha256', models.CharField(blank=True, max_length=64)),
                ('requested_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('error', models.TextField(blank=True, help_text='The exception of the last attempt, for a developer.')),
                ('approved_at', models.DateTimeField(null=True)),
                ('approved_sha256', models.CharField(blank=True, max_length=64)),
                ('published_at', models.DateTimeField(null=True)),
                ('approved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('published_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='PublicationRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(help_text='From 1, in the order of the publication.')),
                ('values', models.JSONField()),
                ('player', models.ForeignKey(help_text='None: an open place.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('publication', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rows', to='fmjd_titles.publication')),
            ],
        ),
        migrations.CreateModel(
            name='StandingDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField()),
                ('number', models.PositiveSmallIntegerField(help_text='1, 2 … of the federation and year.')),
                ('is_good', models.BooleanField()),
                ('reason', models.TextField(blank=True)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('federation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.federation')),
            ],
        ),
        migrations.CreateModel(
            name='TitleMatchStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('championship', models.CharField(help_text='A code of titles/federations/fmjd/rules/championship_kinds.py.', max_length=48)),
                ('year', models.PositiveSmallIntegerField(help_text='Of the championship that gives the right.')),
                ('move', models.CharField(choices=[('refuse', 'Refused'), ('play', 'Played'), ('cancel', 'Not played'), ('withdraw', 'Entry withdrawn')], max_length=8)),
                ('result', models.CharField(blank=True, help_text='As printed, the winner first.', max_length=40)),
                ('on', models.DateField(help_text='The day of the refusal or decision; of a match its last day.')),
                ('reason', models.TextField(blank=True)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('opponent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('withdraws', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='withdrawn_by', to='fmjd_titles.titlematchstep')),
            ],
        ),
        migrations.CreateModel(
            name='WorldCupDeclaration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField()),
                ('declared_on', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('withdrawal_reason', models.TextField(blank=True, default='')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('withdrawn_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddConstraint(
            model_name='championship',
            constraint=models.CheckConstraint(condition=models.Q(('year', django.db.models.functions.datetime.ExtractYear('first_day'))), name='championship_begins_in_its_year'),
        ),
        migrations.AddConstraint(
            model_name='championship',
            constraint=models.CheckConstraint(condition=models.Q(('council_day__lte', models.F('first_day'))), name='championship_withdrawals_before_it'),
        ),
        migrations.AddConstraint(
            model_name='championship',
            constraint=models.CheckConstraint(condition=models.Q(('match_played', False), ('opponent__isnull', False), _connector='OR'), name='championship_match_of_two'),
        ),
        migrations.AddConstraint(
            model_name='championship',
            constraint=models.CheckConstraint(condition=models.Q(('extra_places', 0), models.Q(('extra_places__lte', 4), ('kind', 'women-20')), models.Q(('extra_places', 8), ('kind', 'world-40')), _connector='OR'), name='championship_extra_places_of_its_option'),
        ),
        migrations.AddConstraint(
            model_name='drawnlot',
            constraint=models.CheckConstraint(condition=models.Q(('players__len__gte', 2)), name='lot_of_two_players_or_more'),
        ),
        migrations.AddIndex(
            model_name='enteredmedal',
            index=models.Index(fields=['championship', 'year'], name='entered_medal_championship'),
        ),
        migrations.AddConstraint(
            model_name='enteredmedal',
            constraint=models.CheckConstraint(condition=models.Q(('place__range', (1, 3))), name='entered_medal_place'),
        ),
        migrations.AddConstraint(
            model_name='enteredmedal',
            constraint=models.CheckConstraint(condition=models.Q(('source', ''), _negated=True), name='entered_medal_has_a_source'),
        ),
        migrations.AddConstraint(
            model_name='enteredmedal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('name', ''), ('player__isnull', False)), models.Q(('player', None), models.Q(models.Q(('name', ''), _negated=True), ('federation__isnull', False), _connector='OR')), _connector='OR'), name='entered_medal_is_of_someone'),
        ),
        migrations.AddConstraint(
            model_name='medalwithdrawal',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='medal_withdrawn_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='placestep',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('item__isnull', False), ('move__in', ['name', 'remove'])), models.Q(models.Q(('move__in', ['name', 'remove']), _negated=True), ('item', None)), _connector='OR'), name='place_step_names_for_an_item'),
        ),
        migrations.AddConstraint(
            model_name='placestep',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('move__in', ['remove', 'undo']), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='place_step_undone_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['requested', 'draft', 'approved'])), fields=('kind', 'section', 'women', 'day', 'championship'), name='publication_one_draft', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'withdrawn'), _negated=True), fields=('kind', 'section', 'women', 'day', 'championship', 'revision'), name='publication_revision_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('championship', ''), ('day__isnull', False), ('kind', 'classification'), ('section__in', ['100', '64'])), models.Q(models.Q(('kind', 'classification'), _negated=True), models.Q(('championship', ''), _negated=True), ('day', None), ('section', ''), ('women', False)), _connector='OR'), name='publication_says_of_what'),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reason', ''), ('revision', 1)), models.Q(('revision__gt', 1), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='publication_revised_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['requested', 'withdrawn']), models.Q(('sha256', ''), _negated=True), _connector='OR'), name='publication_has_figures'),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['approved', 'published']), _negated=True), models.Q(('approved_at__isnull', False), ('approved_by__isnull', False), ('approved_sha256', models.F('sha256'))), _connector='OR'), name='publication_approved_by_someone'),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'published'), _negated=True), models.Q(('published_at__isnull', False), ('published_by__isnull', False), models.Q(('approved_by', models.F('published_by')), _negated=True)), _connector='OR'), name='publication_published_by_another'),
        ),
        migrations.AddConstraint(
            model_name='publicationrow',
            constraint=models.UniqueConstraint(fields=('publication', 'position'), name='publication_position_once'),
        ),
        migrations.AddConstraint(
            model_name='standingdecision',
            constraint=models.UniqueConstraint(fields=('federation', 'year', 'number'), name='standing_decided_in_turn'),
        ),
        migrations.AddConstraint(
            model_name='standingdecision',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='standing_decided_with_a_reason'),
        ),
        migrations.AddIndex(
            model_name='titlematchstep',
            index=models.Index(fields=['championship', 'year'], name='title_match_championship'),
        ),
        migrations.AddConstraint(
            model_name='titlematchstep',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('move__in', ['refuse', 'play']), ('player__isnull', False)), models.Q(('move__in', ['cancel', 'withdraw']), ('player', None)), _connector='OR'), name='title_match_step_of_someone'),
        ),
        migrations.AddConstraint(
            model_name='titlematchstep',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('move', 'play'), ('opponent__isnull', False), models.Q(('result', ''), _negated=True), models.Q(('opponent', models.F('player')), _negated=True)), models.Q(models.Q(('move', 'play'), _negated=True), ('opponent', None), ('result', '')), _connector='OR'), name='title_match_of_two_with_a_result'),
        ),
        migrations.AddConstraint(
            model_name='titlematchstep',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('move', 'withdraw'), ('withdraws__isnull', False)), models.Q(models.Q(('move', 'withdraw'), _negated=True), ('withdraws', None)), _connector='OR'), name='title_match_step_withdrawn'),
        ),
        migrations.AddConstraint(
            model_name='titlematchstep',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('move__in', ['cancel', 'withdraw']), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='title_match_ended_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='worldcupdeclaration',
            constraint=models.UniqueConstraint(condition=models.Q(('withdrawn_at', None)), fields=('player', 'year'), name='world_cup_declaration_once'),
        ),
        migrations.AddConstraint(
            model_name='worldcupdeclaration',
            constraint=models.CheckConstraint(condition=models.Q(('year', models.F('declared_on__year')), ('year', django.db.models.expressions.CombinedExpression(models.F('declared_on__year'), '+', models.Value(1))), _connector='OR'), name='world_cup_declaration_year'),
        ),
        migrations.AddConstraint(
            model_name='worldcupdeclaration',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('withdrawal_reason', ''), ('withdrawn_at', None), ('withdrawn_by', None)), models.Q(('withdrawn_at__isnull', False), ('withdrawn_by__isnull', False), models.Q(('withdrawal_reason', ''), _negated=True)), _connector='OR'), name='world_cup_declaration_withdrawn_with_a_reason'),
        ),
        *[migrations.RunSQL((SQL / f"{name}.sql").read_text()) for name in ("champions", "championships", "declarations", "publications")],
    ]
