import django.db.models.deletion
from django.db import migrations, models

from ratings.federations.table_operations import CreatePartitionedModel, RegisterSystemTables

POOLS = [
    ("knsb-klassiek", "klassiek", "KNSB klassiek"),
    ("knsb-rapid", "rapid", "KNSB rapid"),
    ("knsb-blitz", "blitz", "KNSB blitz"),
]


def create_pools(apps, schema_editor):
    pool = apps.get_model("ratings", "Pool")
    pool.objects.bulk_create(
        pool(code=code, system="knsb", discipline="", tempo=tempo, name=name) for code, tempo, name in POOLS
    )


class Migration(migrations.Migration):
    """The tables of the KNSB's rules."""

    initial = True

    dependencies = [
        ("ratings", "0001_initial"),
    ]

    operations = [
        CreatePartitionedModel(
            name='KnsbChange',
            fields=[
                ('pk', models.CompositePrimaryKey('list_id', 'player_id', 'sequence', blank=True, editable=False, primary_key=True, serialize=False)),
                ('sequence', models.SmallIntegerField(help_text='0, 1, … in the order of the calculation.')),
                ('games', models.IntegerField(help_text='N, counted.')),
                ('points', models.IntegerField(help_text='W, in halves: 2-1-0.')),
                ('first_game', models.DateField()),
                ('last_game', models.DateField()),
                ('colour', models.CharField(help_text='w or b.', max_length=1)),
                ('calculation_day', models.DateField(help_text='Article 4.1.')),
                ('own_rating', models.IntegerField(help_text='R_o.')),
                ('own_from', models.CharField(help_text='What gives R_o.', max_length=13)),
                ('own_list', models.CharField(help_text='The list that has R_o; empty for none.', max_length=40)),
                ('opponent_rating', models.IntegerField(help_text='R_c.')),
                ('opponent_from', models.CharField(help_text='What gives R_c.', max_length=13)),
                ('opponent_list', models.CharField(help_text='The list that has R_c; empty for none.', max_length=40)),
                ('n_v_e4', models.IntegerField(help_text='N_v of R_o.')),
                ('k_e6', models.BigIntegerField(help_text='k.')),
                ('expected_e10', models.BigIntegerField(help_text='W_e.')),
                ('added_e10', models.BigIntegerField(help_text='(W − W_e) × k.')),
                ('waited', models.BooleanField(help_text='Of a report of an earlier list (article 5.2).')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.game')),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                ('opponent', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('result_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.resultset')),
            ],
            options={
                'db_table': 'knsb_change',
                'indexes': [models.Index(fields=['list', 'result_set'], name='knsbchange_tournament')],
                'constraints': [models.CheckConstraint(condition=models.Q(('expected_e10__range', (0, 10000000000)), ('games', 1), ('k_e6__gt', 0), ('points__range', (0, 2))), name='knsbchange_figures_possible')],
            },
        ),
        CreatePartitionedModel(
            name='KnsbListRow',
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
                ('n_v', models.SmallIntegerField(help_text='N_v, 1 to 100.')),
                ('r_i', models.IntegerField(help_text='R_i.', null=True)),
                ('r_i_from', models.CharField(help_text='What gives R_i; empty on an opening list.', max_length=13)),
                ('r_i_list', models.CharField(help_text='The list that has R_i; empty for none.', max_length=40)),
                ('sum_e10', models.BigIntegerField(help_text='R_tt; empty without games.', null=True)),
                ('bonus_e4', models.IntegerField(help_text='Points added by article 9.1.')),
                ('lpr_e3', models.IntegerField(help_text='LPR; empty without games.', null=True)),
                ('limited_by', models.CharField(help_text='The articles that changed the figure, in their order.', max_length=20)),
                ('club', models.CharField(help_text='Of the player on the day of the list; empty for none.', max_length=6)),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
            ],
            options={
                'db_table': 'knsb_listrow',
                'constraints': [models.UniqueConstraint(fields=('list', 'player'), name='knsblistrow_player_once'), models.UniqueConstraint(fields=('list', 'name_position'), name='knsblistrow_name_position'), models.CheckConstraint(condition=models.Q(('games__gte', models.F('period_games')), ('n_v__range', (1, 100)), ('name_position__gt', 0), ('position__gt', 0), ('rating__gt', 0)), name='knsblistrow_figures_possible'), models.CheckConstraint(condition=models.Q(models.Q(('lpr_e3', None), ('period_games', 0), ('sum_e10', None)), models.Q(('lpr_e3__isnull', False), ('period_games__gt', 0), ('sum_e10__isnull', False)), _connector='OR'), name='knsblistrow_figures_of_games')],
            },
        ),
        RegisterSystemTables("knsb", rows_table="knsb_listrow", changes_table="knsb_change"),
        migrations.RunPython(create_pools),
    ]
