import json
import logging
import re
from datetime import UTC, datetime

# What every record has, and the objects that Django adds (the text of a request contains search terms).
STANDARD_ATTRIBUTES = {
    *vars(logging.makeLogRecord({})),
    "message",
    "asctime",
    "taskName",
    "request",
    "server",
}

# The key in such an address gives access to anyone who has it (the log of the proxy leaves it out too).
SECRET_IN_PATH = re.compile(r"(/requests/[0-9]+\.|/account/(?:reset|invitation|email)/)[\w:/=%.-]+")


class JsonLines(logging.Formatter):
    """The technical log: one JSON line per event. `extra` carries ids, never names."""

    def format(self, record: logging.LogRecord) -> str:
        event = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": SECRET_IN_PATH.sub(r"\1…", record.getMessage()),
        }
        event |= {name: value for name, value in vars(record).items() if name not in STANDARD_ATTRIBUTES}
        if record.exc_info:
            event["traceback"] = self.formatException(record.exc_info)
        return json.dumps(event, default=str, ensure_ascii=False)
