"""Finds the implementation and what it declares: the module `implementation`."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from .declaration import Declaration, checked
from .interface import Implementation


@dataclass(frozen=True)
class Binding:
    """An implementation and what it declares."""

    implementation: Implementation
    declared: Declaration


def bind() -> Binding:
    """What the implementer has written."""
    module = importlib.import_module("implementation")
    return Binding(module.IMPLEMENTATION, checked(module.DECLARED))
