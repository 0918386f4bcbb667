"""Put the style sheets of static/css together into the one that pages link."""

import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand

CSS = Path(settings.BASE_DIR, "static", "css")
IMPORT = re.compile(r'@import url\("([^"]+)"\) layer\(([a-z]+)\);')


def stylesheet() -> str:
    """static/css/app.css with every import replaced by the file, inside its layer: one request instead of forty."""
    source = (CSS / "app.css").read_text()
    layered = IMPORT.sub(lambda found: f"@layer {found[2]} {{\n{(CSS / found[1]).read_text()}}}", source)
    return (
        f"/* Written by `manage.py write_stylesheet` from app.css and its parts: change those. */\n{layered}"
    )


class Command(BaseCommand):
    help = __doc__

    def handle(self, *_: Any, **__: Any) -> None:
        (CSS / "office.css").write_text(stylesheet())
