from django.db import migrations

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
        pool(code=code, federation="fmjd", discipline=discipline, tempo=tempo, name=name)
        for code, discipline, tempo, name in POOLS
    )


class Migration(migrations.Migration):
    dependencies = [("ratings", "0003_guards")]

    operations = [migrations.RunPython(create_pools, migrations.RunPython.noop)]
