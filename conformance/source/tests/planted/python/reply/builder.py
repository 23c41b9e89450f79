from dataclasses import dataclass
from typing import Literal, Optional


@dataclass(frozen=True)
class Reply:
    reply_type: Literal["S", "I", "D", "E"]
    code: str
    data: Optional[dict] = None

    def with_data(self, data):
        return Reply(self.reply_type, self.code, data)


class ReplyBuilder:
    def __init__(self):
        self._frozen = False

    def _make(self, kind, code, data):
        if self._frozen:
            raise RuntimeError("frozen")
        self._frozen = kind != "S"
        return Reply(kind, code, data)

    def success(self, data=None):
        return self._make("S", "MCP-SYS-S-001", data)

    def invalid(self, code, data=None):
        return self._make("I", code, data)

    def denied(self, code, data=None):
        return self._make("D", code, data)

    def error(self, code, data=None):
        return self._make("E", code, data)

    def warn(self, text):  # fault: reply/no-forbidden-methods
        return self.success({"warnings": [text]})


class QuietBuilder(ReplyBuilder):  # fault: reply/single-builder
    def error(self, code, data=None):
        return self._make("E", code, None)
