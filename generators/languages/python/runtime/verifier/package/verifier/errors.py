"""What is no judgement: an answer of the verifier is a result, and these are raised."""

from __future__ import annotations


class AssizeError(Exception):
    """There was no judgement."""


class LimitError(AssizeError):
    """More bytes or levels than the verifier takes; `kind` is `size` or `depth`. Ask about less at a time."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class QuestionError(AssizeError):
    """What was handed over is no question: a text with a lone surrogate, a path that leads upwards."""


class UnsupportedError(AssizeError):
    """The core does not know the operation: it is older than this package's face."""


class FaultError(AssizeError):
    """The core broke, which is a bug of it."""
