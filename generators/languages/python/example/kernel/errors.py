"""Why an input is refused. Each refusal carries the code by which it is reported."""


class Refusal(Exception):
    """A judgement about the input, never a fault of this program; `pointer` names the place, where it is known."""

    def __init__(self, code: str, message: str, pointer: str = "") -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.pointer = pointer


class NotJson(Refusal):
    """The bytes are not a JSON text of the dialect."""

    def __init__(self, message: str) -> None:
        super().__init__("A_JSON", message)


class TooDeep(Refusal):
    """The text opens more containers than the dialect allows; `pointer` names the one too many."""

    def __init__(self, limit: int, pointer: str) -> None:
        super().__init__("A_LIMIT", f"more than {limit} levels", pointer)


class BadInput(Refusal):
    """JSON, but nothing the operation is defined for."""

    def __init__(self, message: str, pointer: str = "") -> None:
        super().__init__("A_INPUT", message, pointer)


class NoForm(Refusal):
    """JSON without a canonical form in its profile."""
