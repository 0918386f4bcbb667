import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models

from ratings.federations.table_operations import CreatePartitionedModel, RegisterSystemTables


def create_pool(apps, schema_editor):
    apps.get_model("ratings", "Pool").objects.create(code="iccf", system="iccf", discipline="", tempo="", name="ICCF")


class Migration(migrations.Migration):
    """The tables of the ICCF's rules."""

    initial = True

    dependencies = [("ratings", "0001_initial")]

    operations = [
        CreatePartitionedModel(
            name='IccfChange',
            fields=[
                ('pk', models.CompositePrimaryKey('list_id', 'player_id', 'sequence', blank=True, editable=False, primary_key=True, serialize=False)),
                ('sequence', models.SmallIntegerField(help_text='0, 1, … in the order of the calculation.')),
                ('games', models.IntegerField(help_text='N, counted.')),
                ('points', models.IntegerField(help_text='W, in halves: 2-1-0.')),
                ('first_game', models.DateField()),
                ('last_game', models.DateField()),
                ('colour', models.CharField(help_text='w or b.', max_length=1)),
                ('own_rating', models.IntegerField(help_text='Rating of the player on the day the game began.')),
                ('own_from', models.CharField(help_text='list or assumed.', max_length=7)),
                ('own_list', models.CharField(help_text='The list that has it; empty for none.', max_length=40)),
                ('opponent_rating', models.IntegerField(help_text='Rating of the opponent on the day the game began.')),
                ('opponent_from', models.CharField(help_text='list or assumed.', max_length=7)),
                ('opponent_list', models.CharField(help_text='The list that has it; empty for none.', max_length=40)),
                ('method', models.CharField(help_text='5-all, 5-period or 6.', max_length=8)),
                ('k_e6', models.BigIntegerField(help_text='k, by method 6.', null=True)),
                ('expected_e2', models.IntegerField(help_text='We, by method 6.', null=True)),
                ('added_e8', models.BigIntegerField(help_text='k × (W − We), by method 6.', null=True)),
                ('substitute', models.CharField(help_text='substitute, replaced or empty.', max_length=10)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.game')),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                ('opponent', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('result_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.resultset')),
            ],
            options={
                'db_table': 'iccf_change',
                'indexes': [models.Index(fields=['list', 'result_set'], name='iccfchange_tournament')],
                'constraints': [models.CheckConstraint(condition=models.Q(('games', 1), ('last_game__gte', models.F('first_game')), ('points__range', (0, 2))), name='iccfchange_figures_possible'), models.CheckConstraint(condition=models.Q(models.Q(('added_e8', None), ('expected_e2', None), ('k_e6', None), ('method__in', ['5-all', '5-period'])), models.Q(('added_e8__isnull', False), ('expected_e2__range', (1, 99)), ('k_e6__gt', 0), ('method', '6')), _connector='OR'), name='iccfchange_figures_of_method')],
            },
        ),
        CreatePartitionedModel(
            name='IccfListRow',
            fields=[
                ('pk', models.CompositePrimaryKey('list_id', 'position', blank=True, editable=False, primary_key=True, serialize=False)),
                ('position', models.IntegerField(help_text='1, 2, … by rating, then number in the register.')),
                ('name_position', models.IntegerField(help_text='1, 2, … by name (R13: the full list is alphabetical).')),
                ('official_position', models.IntegerField(help_text='1, 2, … on the official list; empty = not on it.', null=True)),
                ('register_number', models.IntegerField(help_text='In the register of its system.')),
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
                ('method', models.CharField(help_text='5-all, 5-period or 6; empty without games.', max_length=8)),
                ('k_e6', models.BigIntegerField(help_text='k, by method 6 and 5-period.', null=True)),
                ('status', models.CharField(help_text='fixed or not fixed.', max_length=9)),
                ('formula_games', models.IntegerField(help_text='The games of formula 5.', null=True)),
                ('opponents_sum', models.IntegerField(help_text="The sum of the opponents' limited ratings, by formula 5.", null=True)),
                ('points_sum', models.IntegerField(help_text='Points of formula 5, in halves.', null=True)),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
            ],
            options={
                'db_table': 'iccf_listrow',
                'constraints': [models.UniqueConstraint(fields=('list', 'player'), name='iccflistrow_player_once'), models.UniqueConstraint(fields=('list', 'name_position'), name='iccflistrow_name_position'), models.CheckConstraint(condition=models.Q(('games__gte', models.F('period_games')), ('name_position__gt', 0), ('position__gt', 0)), name='iccflistrow_figures_possible'), models.CheckConstraint(condition=models.Q(models.Q(('formula_games', None), ('k_e6', None), ('method', ''), ('period_games', 0)), models.Q(('formula_games__gt', 0), ('k_e6', None), ('method', '5-all'), ('period_games__gt', 0)), models.Q(('formula_games', models.F('period_games')), ('k_e6__gt', 0), ('method', '5-period'), ('period_games__gt', 0)), models.Q(('formula_games', None), ('k_e6__gt', 0), ('method', '6'), ('period_games__gt', 0)), _connector='OR'), name='iccflistrow_figures_of_method'), models.CheckConstraint(condition=models.Q(models.Q(('formula_games', None), ('opponents_sum', None), ('points_sum', None)), models.Q(('formula_games__gt', 0), ('opponents_sum__isnull', False), ('points_sum__range', (0, django.db.models.expressions.CombinedExpression(models.Value(2), '*', models.F('formula_games'))))), _connector='OR'), name='iccflistrow_sums_of_formula')],
            },
        ),
        RegisterSystemTables("iccf", rows_table="iccf_listrow", changes_table="iccf_change"),
        migrations.RunPython(create_pool),
    ]
