"""Finds the implementation and what it declares: the module `implementation`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from .answers import Json
from .declaration import Declaration, checked
from .interface import Implementation


@dataclass(frozen=True)
class Binding:
    """An implementation, what it declares, and what it can be asked beside that."""

    implementation: Implementation
    declared: Declaration
    capabilities: Mapping[str, Json] = field(default_factory=dict)


def bind() -> Binding:
    """What the implementer has written."""
    module = importlib.import_module("implementation")
    return Binding(module.IMPLEMENTATION, checked(module.DECLARED), getattr(module, "CAPABILITIES", {}))
