"""A reader without script: opens the links of a rendered page, fills in its fields by label and presses its buttons.

What is sent is what a browser would send of the form as it was rendered: every field with its value, nothing picked by
hand. `tests/browser/test_without_script.py` shows that Chromium without script agrees.
"""

from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from http import HTTPStatus
from typing import Any
from urllib.parse import urldefrag, urlencode, urljoin, urlsplit
from xml.etree.ElementTree import Element, TreeBuilder

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from reporting.models import User
from tests.people import PASSWORD

VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
INLINE = frozenset(
    {
        "a", "abbr", "b", "bdi", "code", "data", "del", "em", "i", "ins", "kbd", "label", "mark", "output", "q",
        "small", "span", "strong", "sub", "sup", "time", "var", "wbr",
    }
)  # fmt: skip
WITHOUT_TEXT = frozenset({"script", "style", "template", "textarea", "select"})
FIELDS = frozenset({"input", "select", "textarea"})
WITHOUT_VALUE = frozenset({"submit", "button", "reset", "image", "file"})


class _Page(HTMLParser):
    """The tree of a page; an element that is not closed where it should be is an error."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = TreeBuilder()
        self.unclosed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tree.start(tag, {name: value or "" for name, value in attrs})
        if tag in VOID:
            self.tree.end(tag)
        else:
            self.unclosed.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.unclosed.pop() == tag, (tag, self.getpos())
        self.tree.end(tag)

    def handle_data(self, data: str) -> None:
        if self.unclosed:
            self.tree.data(data)


def parse(page: str) -> Element:
    parser = _Page()
    parser.feed(page)
    parser.close()
    return parser.tree.close()


def _words(element: Element, *, of_name: bool) -> Iterator[str]:
    if element.tag in WITHOUT_TEXT or "hidden" in element.attrib:
        return
    if of_name and element.get("aria-hidden") == "true":
        return
    if element.tag not in INLINE:
        yield " "
    yield element.text or ""
    for child in element:
        yield from _words(child, of_name=of_name)
        yield child.tail or ""
    if element.tag not in INLINE:
        yield " "


def text_of(element: Element) -> str:
    """What a reader reads of it, in one line."""
    return " ".join("".join(_words(element, of_name=False)).split())


def name_of(element: Element) -> str:
    """The name by which a screen reader knows a link or a button."""
    return element.get("aria-label") or " ".join("".join(_words(element, of_name=True)).split())


class Visitor:
    """A window without script, its cookies and the page shown; with `user` the person is logged in."""

    def __init__(self, user: User | None = None) -> None:
        self.client = Client(enforce_csrf_checks=True)
        if user:
            self.client.force_login(user)
        self.address = "/"
        self.response: HttpResponse
        self.page: Element
        self.parents: dict[Element, Element] = {}
        self.ids: dict[str, Element] = {}
        self.files: dict[Element, SimpleUploadedFile] = {}

    # --- to a page

    def open(self, address: str, *, status: int = HTTPStatus.OK) -> None:
        self._arrive(lambda: self.client.get(urldefrag(address).url), address, status)

    def open_link(self, name: str, **which: Any) -> None:
        """The page of a link; a link to a place on this page loads nothing."""
        link = self.link(name, **which).attrib["href"]
        if link.startswith("#"):
            assert link[1:] in self.ids, link
        else:
            self.open(urljoin(self.address, link))

    def press(self, name: str, *, status: int = HTTPStatus.OK, **which: Any) -> None:
        """Submit the form of a button; the browser would not send it without what is required."""
        button = self.button(name, **which)
        assert "disabled" not in button.attrib, name
        form = self.form_of(button)
        assert form is not None, name
        if "novalidate" not in form.attrib and "formnovalidate" not in button.attrib:
            empty = [field.attrib for field in self.fields_of(form) if self._is_missing(field, form)]
            assert empty == [], (name, "required")
        action = button.get("formaction", form.get("action", ""))
        address = urljoin(self.address, action)
        target = urldefrag(address).url
        sent = self.sent_by(form, button)
        if form.get("method", "get").lower() == "get":
            address = target = f"{urlsplit(target).path}?{urlencode(sent)}"
            self._arrive(lambda: self.client.get(target), address, status)
        elif form.get("enctype") == "multipart/form-data":
            self._arrive(lambda: self.client.post(target, self._parts(form, sent)), address, status)
        else:
            body, kind = urlencode(sent), "application/x-www-form-urlencoded"
            self._arrive(lambda: self.client.post(target, body, content_type=kind), address, status)

    def _arrive(self, ask: Callable[[], Any], address: str, status: int) -> None:
        response = ask()
        for _ in range(5):
            if response.status_code not in {HTTPStatus.FOUND, HTTPStatus.SEE_OTHER}:
                break
            address = urljoin(address, response["Location"])
            response = self.client.get(urldefrag(address).url)
        assert response.status_code == status, (address, response.status_code)
        self.address, self.response = address, response
        self.show(response.content.decode())

    def show(self, page: str) -> None:
        self.page = parse(page)
        self.parents = {child: parent for parent in self.page.iter() for child in parent}
        self.ids = {each.attrib["id"]: each for each in self.page.iter() if "id" in each.attrib}
        self.files = {}

    def log_in(self, email: str, password: str = PASSWORD, *, then: str) -> None:
        """By the form, on the way to a page that asks for it."""
        self.open(f"/login/?next={then}")
        self.fill("E-mail address", email)
        self.fill("Password", password, exact=True)
        self.press("Log in", exact=True, within=self.page.find(".//main"))

    # --- what is on it

    @property
    def text(self) -> str:
        """What the reader reads in the page's main part."""
        (main,) = self.page.iter("main")
        return text_of(main)

    def texts(self, path: str) -> list[str]:
        """What is read in the elements of a path, as `ElementTree` takes it."""
        return [text_of(element) for element in self.page.findall(path)]

    def links(self, name: str = "", *, exact: bool = False, within: Element | None = None) -> list[Element]:
        return self._named(name, exact, (each for each in self._shown(within, "a") if "href" in each.attrib))

    def buttons(self, name: str = "", *, exact: bool = False, within: Element | None = None) -> list[Element]:
        return self._named(name, exact, self._shown(within, "button"))

    def link(self, name: str, *, nth: int | None = None, **which: Any) -> Element:
        return self._one(self.links(name, **which), name, nth)

    def button(self, name: str, *, nth: int | None = None, **which: Any) -> Element:
        return self._one(self.buttons(name, **which), name, nth)

    def fields(self, label: str, *, exact: bool = False, within: Element | None = None) -> list[Element]:
        """The fields with such a label, or with such a name for screen readers."""
        return [
            field
            for field in self._shown(within, *FIELDS)
            if any(self._fits(name, label, exact) for name in self._labels(field))
        ]

    def field(self, label: str, *, nth: int | None = None, **which: Any) -> Element:
        return self._one(self.fields(label, **which), label, nth)

    def textboxes(self, *, within: Element | None = None) -> list[Element]:
        return [each for each in self._shown(within, "input", "textarea") if _is_textbox(each)]

    def by_id(self, name: str) -> Element:
        return self.ids[name]

    def value(self, field: Element | str) -> str:
        """What stands in a field."""
        return self._value(self._field(field))

    # --- filling in

    def fill(self, field: Element | str, value: str, **which: Any) -> None:
        field = self._field(field, **which)
        assert not field.attrib.keys() & {"disabled", "readonly"}, field.attrib
        if field.tag == "textarea":
            field.text = value
        else:
            assert field.get("type", "text") not in {"checkbox", "radio", "file", "hidden"}, field.attrib
            field.set("value", value)

    def choose(self, field: Element | str, option: str, **which: Any) -> None:
        """An option of a select, by its value or its text."""
        field = self._field(field, **which)
        options = list(field.iter("option"))
        chosen = self._one(
            [one for one in options if option in {_option_value(one), text_of(one)}], option, None
        )
        for one in options:
            one.attrib.pop("selected", None)
        chosen.set("selected", "")

    def check(self, field: Element | str, **which: Any) -> None:
        """A checkbox, or a radio button in place of the others of its name."""
        field = self._field(field, **which)
        if field.get("type") == "radio":
            form = self.form_of(field)
            for other in self._shown(None, "input"):
                if (other.get("name"), self.form_of(other)) == (field.get("name"), form):
                    other.attrib.pop("checked", None)
        else:
            assert field.get("type") == "checkbox", field.attrib
        field.set("checked", "")

    def attach(self, field: Element | str, filename: str, content: bytes) -> None:
        field = self._field(field)
        assert field.get("type") == "file", field.attrib
        self.files[field] = SimpleUploadedFile(filename, content, "text/plain")

    # --- what a browser would send

    def form_of(self, field: Element) -> Element | None:
        if "form" in field.attrib:
            return self.by_id(field.attrib["form"])
        return next((above for above in self._above(field) if above.tag == "form"), None)

    def fields_of(self, form: Element) -> list[Element]:
        """Its fields and buttons in their order, also those elsewhere that name the form."""
        return [
            each
            for each in self.page.iter()
            if each.tag in FIELDS | {"button"} and self.form_of(each) is form
        ]

    def sent_by(self, form: Element, button: Element | None = None) -> list[tuple[str, str]]:
        """Names and values of a form as it is now, without files, submitted by this button."""
        sent = []
        for field in self.fields_of(form):
            name = field.get("name", "")
            if not name or "disabled" in field.attrib or self._is_fieldset_disabled(field):
                continue
            if field is button:
                sent.append((name, field.get("value", "")))
            elif field.tag == "select":
                sent += [(name, _option_value(option)) for option in _chosen(field)]
            elif field.tag == "textarea":
                sent.append((name, "\r\n".join(self._value(field).splitlines())))
            elif field.tag == "input" and field.get("type") in {"checkbox", "radio"}:
                sent += [(name, field.get("value", "on"))] * ("checked" in field.attrib)
            elif field.tag == "input" and field.get("type") not in WITHOUT_VALUE:
                sent.append((name, field.get("value", "")))
        return sent

    def _parts(self, form: Element, sent: list[tuple[str, str]]) -> dict[str, list[Any]]:
        parts: dict[str, list[Any]] = {}
        for name, value in sent:
            parts.setdefault(name, []).append(value)
        for field in self.fields_of(form):
            if field in self.files:
                parts.setdefault(field.attrib["name"], []).append(self.files[field])
        return parts

    def _is_missing(self, field: Element, form: Element) -> bool:
        if "required" not in field.attrib or "disabled" in field.attrib:
            return False
        if field.get("type") == "file":
            return field not in self.files
        if field.get("type") == "radio":
            return field.get("name") not in dict(self.sent_by(form))
        if field.get("type") == "checkbox":
            return "checked" not in field.attrib
        return not self._value(field)

    # --- reading

    def _shown(self, within: Element | None, *tags: str) -> Iterator[Element]:
        return (
            each
            for each in (self.page if within is None else within).iter()
            if each.tag in tags
            and each.get("type") != "hidden"
            and not any("hidden" in above.attrib for above in (each, *self._above(each)))
        )

    def _above(self, element: Element) -> Iterator[Element]:
        while (parent := self.parents.get(element)) is not None:
            yield parent
            element = parent

    def _is_fieldset_disabled(self, field: Element) -> bool:
        return any(above.tag == "fieldset" and "disabled" in above.attrib for above in self._above(field))

    def _labels(self, field: Element) -> Iterator[str]:
        if "aria-label" in field.attrib:
            yield field.attrib["aria-label"]
        for name in field.get("aria-labelledby", "").split():
            yield text_of(self.by_id(name))
        for label in self.page.iter("label"):
            if label.get("for", "") == field.get("id", "-") or label in self._above(field):
                yield text_of(label)

    def _value(self, field: Element) -> str:
        if field.tag == "textarea":
            return (field.text or "").removeprefix("\n")
        if field.tag == "select":
            return next(map(_option_value, _chosen(field)), "")
        return field.get("value", "")

    def _field(self, field: Element | str, **which: Any) -> Element:
        return self.field(field, **which) if isinstance(field, str) else field

    def _named(self, name: str, exact: bool, elements: Iterator[Element]) -> list[Element]:
        return [each for each in elements if self._fits(name_of(each), name, exact)]

    @staticmethod
    def _fits(name: str, wanted: str, exact: bool) -> bool:
        return name == wanted if exact else wanted.casefold() in name.casefold()

    def _one(self, found: list[Element], name: str, nth: int | None) -> Element:
        if nth is None:
            assert len(found) == 1, (self.address, name, [each.attrib for each in found])
            return found[0]
        return found[nth]


def _is_textbox(field: Element) -> bool:
    return field.tag == "textarea" or field.get("type", "text") in {"text", "email", "tel", "url"}


def _option_value(option: Element) -> str:
    return option.get("value", text_of(option))


def _chosen(select: Element) -> list[Element]:
    options = list(select.iter("option"))
    chosen = [option for option in options if "selected" in option.attrib]
    return chosen if chosen or "multiple" in select.attrib else options[:1]


def form_with(page: str, field: str = "based_on") -> dict[str, str]:
    """The fields of the one form that has this field. Each name stands in it once."""
    visitor = Visitor()
    visitor.show(page)
    (form,) = {visitor.form_of(each) for each in visitor.page.iter() if each.get("name") == field} - {None}
    sent = visitor.sent_by(form)
    assert len(dict(sent)) == len(sent)
    return dict(sent)
