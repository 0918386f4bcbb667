import django.db.models.deletion
from django.db import migrations, models

from ratings.federations.table_operations import CreatePartitionedModel, RegisterSystemTables

# Discipline and tempo make a pool.
POOLS = [
    ("fmjd-100", "100", "classical", "100 squares, classical"),
    ("fmjd-100-rapidblitz", "100", "rapid-blitz", "100 squares, rapid-blitz"),
    ("fmjd-64", "64", "classical", "64 squares, classical"),
    ("fmjd-64-rapidblitz", "64", "rapid-blitz", "64 squares, rapid-blitz"),
]


def create_pools(apps, schema_editor):
    pool = apps.get_model("ratings", "Pool")
    pool.objects.bulk_create(
        pool(code=code, system="fmjd", discipline=discipline, tempo=tempo, name=name)
        for code, discipline, tempo, name in POOLS
    )


class Migration(migrations.Migration):
    """The tables of Annex 9."""

    initial = True

    dependencies = [
        ("ratings", "0001_initial"),
    ]

    operations = [
        CreatePartitionedModel(
            name='FmjdListRow',
            fields=[
                ('pk', models.CompositePrimaryKey('list_id', 'position', blank=True, editable=False, primary_key=True, serialize=False)),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                ('position', models.IntegerField(help_text='1, 2, … by rating, then number in the register.')),
                ('name_position', models.IntegerField(help_text='1, 2, … by name (R13: the full list is alphabetical).')),
                ('official_position', models.IntegerField(help_text='1, 2, … on the official list; empty = not on it.', null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('register_number', models.IntegerField(help_text="In the register of its system.")),
                ('name', models.CharField(max_length=130)),
                ('sort_name', models.CharField(max_length=130)),
                ('federation', models.CharField(max_length=3)),
                ('sex', models.CharField(max_length=1)),
                ('birth_year', models.SmallIntegerField(null=True)),
                ('title', models.CharField(max_length=4)),
                ('rating', models.IntegerField()),
                ('change', models.IntegerField(help_text='Against the list before; empty for a new player.', null=True)),
                ('period_games', models.IntegerField()),
                ('games', models.IntegerField()),
                ('last_game', models.DateField(null=True)),
                ('category', models.CharField(db_default='', help_text='A letter; empty in a system without categories.', max_length=1)),
                ('rank', models.IntegerField()),
                ('official_rank', models.IntegerField(null=True)),
                ('games_3_years', models.IntegerField()),
                ('reached_2300', models.BooleanField()),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('list', 'player'), name='ratinglistrow_player_once'),
                    models.UniqueConstraint(fields=('list', 'name_position'), name='ratinglistrow_name_position'),
                    models.CheckConstraint(condition=models.Q(('category__in', ['A', 'B', 'C'])), name='ratinglistrow_category_known'),
                    models.CheckConstraint(condition=models.Q(('games__gte', models.F('period_games')), ('name_position__gt', 0), ('position__gt', 0), ('rating__gt', 0)), name='ratinglistrow_figures_possible'),
                ],
                'db_table': 'fmjd_listrow',
            },
        ),
        CreatePartitionedModel(
            name='FmjdChange',
            fields=[
                ('pk', models.CompositePrimaryKey('list_id', 'player_id', 'sequence', blank=True, editable=False, primary_key=True, serialize=False)),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('sequence', models.SmallIntegerField(help_text='0, 1, … in the order of the calculation.')),
                ('result_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.resultset')),
                ('basis_list', models.ForeignKey(help_text='Whose ratings were used.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                ('before_e4', models.IntegerField(help_text='Running value before; empty = none.', null=True)),
                ('games_before', models.IntegerField()),
                ('games', models.IntegerField(help_text='N, counted.')),
                ('points', models.IntegerField(help_text='W, in halves: 2-1-0.')),
                ('after_e4', models.IntegerField(help_text='Running value after.')),
                ('first_game', models.DateField()),
                ('last_game', models.DateField()),
                ('method', models.CharField(max_length=11)),
                ('own_e4', models.IntegerField(help_text='Ro; empty for a first result.', null=True)),
                ('own_is_running', models.BooleanField(help_text='Ro is the running value, the player not being on the list (R8).')),
                ('unrated_games', models.IntegerField(help_text='Played, opponent not on the list: not counted (art. 5.3).')),
                ('opponents_sum', models.IntegerField()),
                ('average_e4', models.IntegerField(help_text='Rc.')),
                ('expected_percentage_e4', models.IntegerField(help_text='Pe.', null=True)),
                ('expected_score_e4', models.IntegerField(help_text='We.', null=True)),
                ('k', models.SmallIntegerField(null=True)),
                ('development', models.SmallIntegerField(help_text='Percentage of K (R6).', null=True)),
                ('delta_e4', models.IntegerField(help_text='ΔR.', null=True)),
                ('performance_e4', models.IntegerField(help_text='Rp; within 1900 and 2400 where it is provisional (R4).')),
                ('performance_limited', models.BooleanField(help_text="R4's limits moved the performance.")),
                ('seconds_for_60_moves', models.IntegerField(help_text='Of the games of a session that it counts (R25); empty: all games of the tournament.', null=True)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('delta_e4__isnull', True), ('development__isnull', True), ('expected_percentage_e4__isnull', True), ('expected_score_e4__isnull', True), ('k__isnull', True), ('method', 'provisional')), models.Q(('delta_e4__isnull', False), ('development__isnull', False), ('expected_percentage_e4__isnull', False), ('expected_score_e4__isnull', False), ('k__isnull', False), ('method', 'change'), ('own_e4__isnull', False)), _connector='OR'), name='ratingchange_columns_of_method'),
                    models.CheckConstraint(condition=models.Q(('games__gt', 0)), name='ratingchange_counts_a_game'),
                ],
                'db_table': 'fmjd_change',
                'indexes': [models.Index(fields=['list', 'result_set'], name='ratingchange_tournament')],
            },
        ),
        RegisterSystemTables("fmjd", rows_table="fmjd_listrow", changes_table="fmjd_change"),
        migrations.RunPython(create_pools),
    ]
