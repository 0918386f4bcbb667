"""One style sheet is sent, and it is the one that stands in parts under static/css."""

import re

from config.management.commands.write_stylesheet import CSS, stylesheet


def test_the_style_sheet_sent_is_up_to_date() -> None:
    assert (CSS / "office.css").read_text() == stylesheet(), "run `manage.py write_stylesheet`"


def test_every_part_is_in_it_and_nothing_is_fetched_further() -> None:
    parts = {path.relative_to(CSS).as_posix() for path in CSS.rglob("*.css")} - {"app.css", "office.css"}
    assert parts == set(re.findall(r'@import url\("([^"]+)"\)', (CSS / "app.css").read_text()))
    assert not re.search(r"@import|url\(|!important", stylesheet())


def test_colours_stand_among_the_tokens_alone() -> None:
    """A component that names a colour of its own would miss the dark side."""
    for path in CSS.glob("components/*.css"):
        rules = re.sub(r"/\*.*?\*/|light-dark\([^;]*\)|#ffcf5c", "", path.read_text(), flags=re.DOTALL)
        assert not re.search(r"#[0-9a-fA-F]{3,8}\b(?![^{]*\{)|rgb\(", rules), path.name
