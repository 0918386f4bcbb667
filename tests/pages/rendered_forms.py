"""The form of a page with what a browser would send of it: every field as it was rendered, nothing picked by hand."""

from html.parser import HTMLParser


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, list[str]]] = []
        self.inside = False
        self.select = self.area = ""
        self.options: list[tuple[str, bool]] = []
        self.option: tuple[str | None, bool] | None = None
        self.words = ""

    def add(self, name: str, value: str) -> None:
        if self.inside and name:
            self.forms[-1].setdefault(name, []).append(value)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append({})
            self.inside = True
        elif tag == "input" and said.get("type") not in ("checkbox", "radio", "file", "submit"):
            self.add(said.get("name", ""), said.get("value", ""))
        elif tag == "input" and said.get("type") in ("checkbox", "radio") and "checked" in said:
            self.add(said["name"], said.get("value", "on"))
        elif tag == "select":
            self.select, self.options = said.get("name", ""), []
        elif tag == "option":
            self.option, self.words = (said.get("value"), "selected" in said), ""
        elif tag == "textarea":
            self.area, self.words = said.get("name", ""), ""

    def handle_data(self, data: str) -> None:
        self.words += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "option" and self.option:
            value, chosen = self.option
            self.options.append((self.words if value is None else value, chosen))
        elif tag == "select" and self.options:
            self.add(
                self.select, next((value for value, chosen in self.options if chosen), self.options[0][0])
            )
        elif tag == "textarea":
            self.add(self.area, self.words)


def form_with(page: str, field: str = "based_on") -> dict[str, str]:
    """The fields of the one form that has this field. Each name is in it once."""
    parser = _Forms()
    parser.feed(page)
    (form,) = (form for form in parser.forms if field in form)
    assert {name: values for name, values in form.items() if len(values) > 1} == {}
    return {name: values[0] for name, values in form.items()}
