"""Seconds of reading, for `make bench`: large reports, the largest, and what could make a reader look back."""

import time
from collections.abc import Callable
from functools import partial

from reporting.formats.detect import read_report
from reporting.formats.reader_process import CPU_SECONDS, UploadedFile, read_uploaded_file
from reporting.rules.report import MAX_FILE_BYTES, MAX_GAMES, MAX_PLAYERS, PointsScale
from tests.formats.test_hostile_spreadsheets import great_open_csv, great_open_xlsx
from tests.formats.test_limits import FORMATS
from tests.formats.test_reader_fuzz import FLOODS
from tests.formats.test_trf16_format import HALVES, great_open


def seconds(act: Callable[[], object]) -> float:
    begun = time.process_time()
    act()
    return time.process_time() - begun


def main() -> None:
    trf16, workbook, csv = great_open(1_000, 11), great_open_xlsx(), great_open_csv()
    print("1,000 players, 11 rounds")  # noqa: T201
    for name, read in (
        ("by columns", partial(read_report, trf16, points=HALVES)),
        ("workbook", partial(read_report, workbook)),
        ("CSV", partial(read_report, csv)),
    ):
        print(f"  {name:30} {seconds(read):6.2f} s")  # noqa: T201
    print(f"The largest legal report (limit {CPU_SECONDS} s), and 5 MB of players over the limit")  # noqa: T201
    for name, write in FORMATS.items():
        largest = write(MAX_PLAYERS, MAX_GAMES // (MAX_PLAYERS // 2))
        over = write(30_000, 7)
        over = (over + over[over.rindex(b"\n") :] * (MAX_FILE_BYTES // 10))[:MAX_FILE_BYTES]
        times = [
            seconds(partial(read_uploaded_file, UploadedFile(content, None, PointsScale.WHOLE)))
            for content in (largest, over)
        ]
        print(f"  {name:30} {times[0]:6.2f} s {times[1]:6.2f} s")  # noqa: T201
    print("A megabyte, and a quarter of it: four times as much is linear")  # noqa: T201
    for name, content in FLOODS.items():
        quarter = seconds(partial(read_report, content[: len(content) // 4]))
        whole = seconds(partial(read_report, content))
        print(f"  {name:30} {whole:6.2f} s {quarter:6.2f} s")  # noqa: T201


if __name__ == "__main__":
    main()
