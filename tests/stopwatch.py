"""How long the way is from log-in to a submitted report: pages, clicks, fields, tab stops, server time.

`python -m tests.stopwatch http://localhost:8000` walks five reports through a demonstration that runs (`make demo`), in
Chromium with script, without, and on a phone, and prints a table. Players are those of the demonstration's list. The
estimate is a person's: 40 words a minute (3.3 characters a second), 1.5 seconds a click, 4 seconds to look at a page.
Announcing a tournament and the office's return of a report happen in between and are not counted.
"""

import argparse
import csv
import io
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.request import urlopen

import openpyxl
from playwright.sync_api import Browser, Locator, Page, Request, sync_playwright

from reporting.formats.spreadsheets.template import template_xlsx

CHARACTERS_A_SECOND = 40 * 5 / 60
SECONDS_A_CLICK, SECONDS_A_PAGE = 1.5, 4.0
PASSWORD = "draughts-demo"  # noqa: S105 (the demonstration prints it)
COMMENT = "The club plays so every year."
LIST = "/lists/fmjd-100/2026-10-01/r1/files/list.csv"
WAYS = {
    "script": {"viewport": {"width": 1280, "height": 900}},
    "no script": {"viewport": {"width": 1280, "height": 900}, "java_script_enabled": False},
    "phone": {"viewport": {"width": 390, "height": 844}},
}

STOPS = ", ".join(
    f"{stop}:not([tabindex='-1']):visible"
    for stop in ("a[href]", "button", "input:not([type=hidden])", "select", "textarea", "summary")
)
"""What the Tab key stops at, nearly: radio buttons of one name are counted each."""


@dataclass
class Walk:
    """A person at a browser, counted."""

    page: Page
    pages: int = 0
    clicks: int = 0
    fields: int = 0
    characters: int = 0
    tab_stops: int = 0
    server_seconds: float = 0.0
    place: int = -1

    def __post_init__(self) -> None:
        self.page.set_default_timeout(15_000)
        self.page.on("requestfinished", self._answered)

    def _answered(self, request: Request) -> None:
        if "/static/" in request.url:
            return
        self.server_seconds += max(request.timing["responseStart"] - request.timing["requestStart"], 0) / 1000
        response = request.response()
        if request.is_navigation_request() and response is not None and not 300 <= response.status < 400:
            self.pages += 1
            self.place = -1

    def _reach(self, target: Locator) -> Locator:
        """Count the stops from the last element to this one."""
        handle = target.element_handle()
        stops = self.page.locator(STOPS).element_handles()
        place = next(
            (
                place
                for place, stop in enumerate(stops)
                if stop.evaluate("(one, other) => one === other", handle)
            ),
            self.place,
        )
        self.tab_stops += abs(place - self.place)
        self.place = place
        return target

    def type(self, target: Locator, text: str) -> None:
        self._reach(target).fill(text)
        self.fields += 1
        self.characters += len(text)

    def label(self, text: str) -> Locator:
        return self.page.get_by_label(text, exact=True).first

    def choose(self, target: Locator, value: str) -> None:
        self._reach(target).select_option(value)
        self.fields += 1
        self.characters += 2

    def click(self, target: Locator) -> None:
        self._reach(target).click()
        self.clicks += 1
        self.page.wait_for_load_state("load")

    def press(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name).first)

    def follow(self, name: str) -> None:
        self.click(self.page.get_by_role("link", name=name).first)

    def attach(self, name: str, content: bytes, label: str = "Report file") -> None:
        target = self._reach(self.page.get_by_label(label).first)
        self.clicks += 2  # the button, and the file in the window of the system
        target.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})

    @property
    def seconds(self) -> float:
        typing = self.characters / CHARACTERS_A_SECOND
        return typing + self.clicks * SECONDS_A_CLICK + self.pages * SECONDS_A_PAGE + self.server_seconds


def log_in(walk: Walk, who: str = "referee", then: str = "") -> None:
    walk.page.goto(f"/login/{then and f'?next={then}'}")
    walk.type(walk.page.get_by_label("E-mail address"), f"{who}@demo.example")
    walk.type(walk.page.get_by_label("Password", exact=True), PASSWORD)
    walk.press("Log in")


def announce(page: Page, name: str, days: Sequence[date], system: str) -> None:
    """Not counted."""
    walk = Walk(page)
    log_in(walk, then="/reports/announce/")
    for label, text in (
        ("Name", name), ("Town", "Ghent"), ("Country", "BEL"), ("Time control", "80+30"),
        ("First round", days[0].isoformat()), ("Last round", days[-1].isoformat()),
    ):  # fmt: skip
        walk.type(walk.label(label), text)
    walk.choose(walk.label("System"), system)
    walk.choose(walk.label("Discipline"), "100")
    walk.press("Announce tournament")
    # Another walk of the same days has announced a tournament like this one.
    questions = page.locator("input[name=confirmed][type=checkbox]").all()
    for question in questions:
        question.check()
    if questions:
        walk.press("Announce tournament")


def submit(walk: Walk, report: str) -> None:
    """From any step: the comments that are asked for, then submission."""
    if "/submit" not in walk.page.url:
        walk.follow("Submission")
    for box in walk.page.locator("textarea:visible").all():
        walk.type(box, COMMENT)
    walk.press("Submit report")
    text = walk.page.locator("main").inner_text()
    if "Report submitted" not in text:
        raise AssertionError(f"{report} was not submitted: {walk.page.url}")


@dataclass(frozen=True)
class Someone:
    """A player of the demonstration's list."""

    number: str
    name: str
    federation: str
    sex: str
    born: str
    rating: str


def people_of(office: str, first: int, most: int) -> list[Someone]:
    with urlopen(office + LIST) as answer:  # noqa: S310 (the demonstration's own)
        rows = csv.DictReader(io.StringIO(answer.read().decode("utf-8-sig")))
        known = [
            Someone(
                row["fmjd_id"], row["name"], row["federation"], row["sex"], row["birth_year"], row["rating"]
            )
            for row in rows
            if row["birth_year"]
        ]
    return known[first : first + most]


def all_against_all(players: int, rounds: int) -> list[list[tuple[int, int, int]]]:
    """Rounds of (white, black, points of white), numbers from 1: a circle; the lower number draws or wins."""
    circle = list(range(2, players + 1))
    found = []
    for turn in range(rounds):
        line = [1, *circle]
        pairs = list(zip(line[: players // 2], reversed(line[players // 2 :]), strict=True))
        sides = [(a, b) if (turn + place) % 2 else (b, a) for place, (a, b) in enumerate(pairs)]
        found.append(
            [(white, black, 1 if (white + black) % 3 else 2 * (white < black)) for white, black in sides]
        )
        circle = [circle[-1], *circle[:-1]]
    return found


def totals(
    players: int, rounds: Sequence[Sequence[tuple[int, int, int]]]
) -> tuple[dict[int, int], dict[int, int]]:
    """Points and places by number."""
    points = dict.fromkeys(range(1, players + 1), 0)
    for white, black, gained in (game for turn in rounds for game in turn):
        points[white] += gained
        points[black] += 2 - gained
    ranked = sorted(points, key=lambda number: (-points[number], number))
    return points, {number: place for place, number in enumerate(ranked, 1)}


def trf(name: str, people: Sequence[Someone], days: Sequence[date]) -> bytes:
    """TRF16 in 1-½-0, as programs of chess write it."""
    rounds = all_against_all(len(people), len(days))
    points, places = totals(len(people), rounds)
    cells: dict[int, list[str]] = {number: [] for number in points}
    for turn in rounds:
        for white, black, gained in turn:
            cells[white].append(f"  {black:>4} w {'0=1'[gained]}")
            cells[black].append(f"  {white:>4} b {'1=0'[gained]}")
    lines = [
        f"012 {name}", "022 Ghent", "032 BEL", f"042 {days[0]:%Y/%m/%d}", f"052 {days[-1]:%Y/%m/%d}",
        f"062 {len(people)}", "092 Individual: Swiss-System", "102 Harriet Quill", "122 80 min + 30 s",
        "132" + " " * 88 + "  ".join(f"{day:%y/%m/%d}" for day in days),
    ]  # fmt: skip
    for number, one in enumerate(people, 1):
        lines.append(
            f"001 {number:>4} {'w' if one.sex == 'W' else 'm'}    {one.name:<33} {one.rating:>4} {one.federation:<3}"
            f" {one.number:>11} {one.born}/00/00 {points[number] / 2:>4.1f} {places[number]:>4}"
            + "".join(cells[number])
        )
    return ("\n".join(lines) + f"\nXXR {len(days)}\n").encode()


def toernooibase(name: str, people: int, rounds: int) -> bytes:
    """An export of people whom the register does not know: places as numbers, points 2-1-0."""
    turns = all_against_all(people, rounds)
    points, places = totals(people, turns)
    cells: dict[int, list[str]] = {number: [] for number in points}
    for turn in turns:
        for white, black, gained in turn:
            cells[white].append(f"{gained}/{places[black]}w")
            cells[black].append(f"{2 - gained}/{places[white]}b")
    heads = ";".join(f"R{number}" for number in range(1, rounds + 1))
    lines = [f";{name};", "Pl;FMJD-id;Title;Name;Cn;" + heads + ";Pt;"]
    for number in sorted(points, key=lambda one: places[one]):
        first, last = FIRST_NAMES[number % len(FIRST_NAMES)], LAST_NAMES[number % len(LAST_NAMES)]
        lines.append(
            f"{places[number]};;;{first} {last}{chr(96 + number)};nl;"
            + ";".join(cells[number])
            + f";{points[number]};"
        )
    return "\n".join(lines).encode()


FIRST_NAMES = ("Jelle", "Sietske", "Wout", "Marijke", "Bauke", "Femke", "Douwe")
LAST_NAMES = ("Grootveldsma", "Zandwijkers", "Overbeekstra", "Kloosterhuisen", "Waterlandt")


def workbook(name: str, people: Sequence[Someone], days: Sequence[date], *, faulty: bool) -> bytes:
    """The template filled in; faulty: with a result and a day that are wrong."""
    rounds = all_against_all(len(people), len(days))
    points, places = totals(len(people), rounds)
    book = openpyxl.load_workbook(io.BytesIO(template_xlsx()))
    rows = {row[0].value: row[0].row for row in book["Info"].iter_rows(max_col=1) if row[0].value}
    winner = next(number for number, place in places.items() if place == 1)
    info = {
        "Name": name, "Played from": days[0], "Played to": "31/02/2026" if faulty else days[-1],
        "Type": "SWISS", "National championship": "N", "Women championship": "N", "Name of referee": "Harriet Quill",
        "Place": "Ghent", "Country": "be",
        "Winner": people[winner - 1].name,
    }  # fmt: skip
    for key, value in info.items():
        book["Info"].cell(rows[key], 2).value = value
    for number, one in enumerate(people, 1):
        last, _, first = one.name.partition(", ")
        for column, value in {
            1: number, 2: int(one.number), 3: last, 4: first, 6: one.federation, 9: places[number], 10: points[number],
        }.items():  # fmt: skip
            book["Players"].cell(number + 1, column).value = value
    results = [(turn, *game) for turn, games in enumerate(rounds, 1) for game in games]
    for row, (turn, white, black, gained) in enumerate(results, 2):
        for column, value in enumerate(
            (turn, white, black, "3-0" if faulty and row == 2 else f"{gained}-{2 - gained}"), 1
        ):
            book["Results"].cell(row, column).value = value
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def announced_swiss(browser: Browser, office: str, way: str) -> Walk:
    """A TRF of an announced Swiss: 1-½-0, which its sums show, eight players whom the register knows."""
    name, days = named("Ghent Swiss", way), played_days(5)
    announce(browser.new_context(base_url=office).new_page(), name, days, "swiss")
    walk = Walk(browser.new_context(base_url=office, **WAYS[way]).new_page())
    log_in(walk)
    walk.follow(f"Upload report of {name}")
    walk.attach("swiss.trf", trf(name, people_of(office, 40, 8), days))
    walk.press("Upload report")
    submit(walk, name)
    return walk


def unknown_players(browser: Browser, office: str, way: str) -> Walk:
    """A toernooibase file with 22 players whom the register does not know; nothing was announced."""
    name, days = named("Ghent Table", way), played_days(5)
    walk = Walk(browser.new_context(base_url=office, **WAYS[way]).new_page())
    log_in(walk)
    walk.follow("Upload")
    walk.attach("table.csv", toernooibase(name, 22, 5))
    walk.press("Upload report")
    walk.follow("Details")
    walk.choose(walk.page.locator("#id_discipline"), "100")
    walk.type(walk.page.locator("#id_time_control"), "80+30")
    walk.choose(walk.page.locator("#id_national_championship"), "no")
    walk.type(walk.page.locator("#id_referee"), "Harriet Quill")
    unfold(walk, "#id_place", "Tournament")
    walk.type(walk.page.locator("#id_place"), "Ghent")
    walk.type(walk.page.locator("#id_country"), "BEL")
    walk.type(walk.page.locator("#id_played_from"), days[0].isoformat())
    walk.type(walk.page.locator("#id_played_to"), days[-1].isoformat())
    walk.choose(walk.page.locator("#id_system"), "swiss")
    walk.press("Save and continue")
    for row in range(1, 23):
        walk.choose(walk.page.locator(f"#sex-{row}"), "WM"[row % 2])
        walk.type(walk.page.locator(f"#born-{row}"), f"19{60 + row}-04-0{row % 9 + 1}")
        walk.characters -= 2  # a field for days takes eight digits
    walk.press("Save and continue")
    submit(walk, name)
    return walk


def workbook_with_errors(browser: Browser, office: str, way: str) -> Walk:
    """An XLSX of an announced Swiss with two errors: a day and a result."""
    name, days = named("Ghent Sheet", way), played_days(5)
    announce(browser.new_context(base_url=office).new_page(), name, days, "swiss")
    walk = Walk(browser.new_context(base_url=office, **WAYS[way]).new_page())
    log_in(walk)
    walk.follow(f"Upload report of {name}")
    people = people_of(office, 60, 8)
    walk.attach("sheet.xlsx", workbook(name, people, days, faulty=True))
    walk.press("Upload report")
    # The cells are corrected in the spreadsheet: two fields, not in the browser.
    walk.fields, walk.characters = walk.fields + 2, walk.characters + 13
    walk.attach("sheet.xlsx", workbook(name, people, days, faulty=False), "New file")
    walk.press("Upload file")
    submit(walk, name)
    return walk


def typed_round_robin(browser: Browser, office: str, way: str) -> Walk:
    """A round robin of ten typed by keyboard: players by number, the crosstable by points, the rest from the table."""
    name, days = named("Ghent Ten", way), played_days(9)
    announce(browser.new_context(base_url=office).new_page(), name, days, "round-robin")
    people = people_of(office, 80, 10)
    walk = Walk(browser.new_context(base_url=office, **WAYS[way]).new_page())
    log_in(walk)
    walk.follow(f"enter results of {name}")
    walk.choose(walk.page.locator("#id_national_championship"), "no")
    walk.choose(walk.page.locator("#id_women_only"), "false")
    walk.type(walk.page.locator("#id_referee"), "Harriet Quill")
    for row, one in enumerate(people, 1):
        walk.type(walk.page.locator(f"#fmjd_id-{row}"), one.number)
    walk.press("Save and enter results")
    walk.press("Fill in pairs: single round robin")
    points = all_against_all(10, 9)
    won = {(white, black): gained for turn in points for white, black, gained in turn}
    for row in range(1, 11):
        for column in range(1, 10):
            cell = walk.page.locator(f"#c-{row}-{column}")
            value = cell.input_value()
            if not value or value[-1].isdigit():
                continue
            other = int("".join(letter for letter in value if letter.isdigit()))
            gained = won.get((row, other), 2 - won.get((other, row), 0))
            walk.type(cell, str(gained))  # opponent and colour are in the cell
            cell.press("Tab" if way == "no script" else "Enter")  # without script the Enter key saves
    walk.page.get_by_label("Fill in the places by points").first.check()
    walk.press("Save crosstable")
    submit(walk, name)
    return walk


def returned_report(browser: Browser, office: str, way: str) -> Walk:
    """A report that the office returned with a remark: one line changed, submitted again."""
    name = announced_swiss(browser, office, way).page.locator("h1").first.inner_text()
    officer = Walk(browser.new_context(base_url=office).new_page())
    log_in(officer, "officer", "/office/reports/")
    officer.follow(name)
    officer.type(officer.page.get_by_label("General remark").first, "Write the town in full.")
    officer.press("Return report")
    walk = Walk(browser.new_context(base_url=office, **WAYS[way]).new_page())
    log_in(walk)
    walk.follow(name)
    walk.follow("Details")
    unfold(walk, "#id_place", "Tournament")
    walk.type(walk.page.locator("#id_place"), "Ghent-Zuid")
    walk.press("Save and continue")
    submit(walk, name)
    return walk


def unfold(walk: Walk, field: str, group: str) -> None:
    if not walk.page.locator(field).is_visible():
        walk.click(walk.page.locator("summary", has_text=group).first)


def named(name: str, way: str) -> str:
    return f"{name} {way} {int(time.time()) % 10_000}"


def played_days(rounds: int) -> list[date]:
    last = date.today() - timedelta(days=1)
    return [last - timedelta(days=rounds - 1 - turn) for turn in range(rounds)]


FLOWS: dict[str, Callable[[Browser, str, str], Walk]] = {
    "TRF of an announced Swiss": announced_swiss,
    "toernooibase, 22 unknown players": unknown_players,
    "XLSX with two errors": workbook_with_errors,
    "round robin of ten, typed": typed_round_robin,
    "returned report, corrected": returned_report,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("office", help="The address of a demonstration.")
    office = parser.parse_args().office.rstrip("/")
    print(  # noqa: T201
        f"{'report':<40}{'':<11}{'pages':>6}{'clicks':>7}{'fields':>7}{'tabs':>6}{'server':>8}{'person':>8}"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("chromium-headless-shell"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        for title, flow in FLOWS.items():
            for way in WAYS:
                walk = flow(browser, office, way)
                print(  # noqa: T201
                    f"{title:<40}{way:<11}{walk.pages:>6}{walk.clicks:>7}{walk.fields:>7}{walk.tab_stops:>6}"
                    f"{walk.server_seconds:>6.1f} s{walk.seconds:>6.0f} s"
                )
                walk.page.context.close()


if __name__ == "__main__":
    main()
