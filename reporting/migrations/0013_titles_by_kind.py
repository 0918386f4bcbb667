import django.contrib.postgres.constraints
import reporting.models.membership
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.functions import Cast

from reporting.rules.register.titles import title_sections

EXPRESSIONS = [("player", "="), ("awarded_by", "="), ("section", "=")]
DAYS = (reporting.models.membership.DateRange("registered_on", "withdrawn_on"), "&&")


def mark_womens_titles(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The titles that a rating system registers as women's."""
    titles = apps.get_model("reporting", "PlayerTitle").objects.using(schema_editor.connection.alias)
    for section in title_sections().values():
        womens = [title for title in section.titles if section.is_womens(title)]
        rows = titles.filter(awarded_by=section.awarded_by, section=section.section, title__in=womens)
        rows.update(is_womens=True)


class Migration(migrations.Migration):
    """An open title and a women's title next to each other (R33)."""

    dependencies = [("reporting", "0012_numbers_in_registers")]

    operations = [
        migrations.AddField(
            model_name="playertitle",
            name="is_womens",
            field=models.BooleanField(
                default=False, help_text="Of the women's titles, which are held next to the open ones (R33)."
            ),
        ),
        migrations.RunPython(mark_womens_titles, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="playertitle", name="player_title_one_in_effect"),
        migrations.AddConstraint(
            model_name="playertitle",
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(
                expressions=[*EXPRESSIONS, (Cast("is_womens", models.IntegerField()), "="), DAYS],
                name="player_title_one_of_a_kind",
            ),
        ),
    ]
