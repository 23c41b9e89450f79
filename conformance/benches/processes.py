"""Times whole processes: what the benchmark scripts share."""

import glob
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RELEASE = os.path.join(ROOT, "target", "release")
# What starts a command: the script's own process is too large for its child's peak to be the command's.
PEAK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peak.py")


def newest(pattern):
    """The newest program that a pattern names."""
    found = [path for path in glob.glob(pattern) if os.access(path, os.X_OK) and not path.endswith(".d")]
    if not found:
        sys.exit(f"nothing at {pattern}: run the cargo commands of this script's help first")
    return max(found, key=os.path.getmtime)


@dataclass
class Cost:
    """What a process took: seconds of processor and of wall time, and megabytes at its peak; and how it ended."""

    cpu: float
    wall: float
    megabytes: float
    status: int


def cost(command, folder=None, environment=None, ends=None):
    """Runs a command to its end; one that ends otherwise than `ends` says ends the measurement."""
    launcher = [sys.executable, "-S", "-E", PEAK, *command]
    surroundings = {**os.environ, **(environment or {})}
    done = subprocess.run(launcher, cwd=folder, env=surroundings, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    status, cpu, wall, kilobytes = done.stdout.split()
    if ends is not None and int(status) not in ends:
        sys.exit(f"{' '.join(command)}: ended with {int(status)}")
    return Cost(float(cpu), float(wall), int(kilobytes) / 1024, int(status))


@dataclass
class Way:
    """One way to do a work: a command, where it runs, and how it may end."""

    command: list
    folder: str = None
    environment: dict = field(default_factory=dict)
    ends: tuple = (0,)

    def cost(self):
        return cost(self.command, self.folder, self.environment, self.ends)


def on(processors, ways):
    """The same ways on these processors alone."""
    return {name: Way(["taskset", "-c", processors, *way.command], way.folder, way.environment, way.ends) for name, way in ways.items()}


@dataclass
class Figure:
    """A figure of a row: the `what` of a way, divided by another's where there is one, and what it should be.

    `what` is cpu, wall or megabytes. `least` and `most` are the aim; a figure without either is there to be read.
    """

    name: str
    what: str
    over: str = None
    least: float = None
    most: float = None

    @property
    def title(self):
        unit = {"cpu": "CPU s", "wall": "wall s", "megabytes": "MB"}[self.what]
        return f"{self.name}/{self.over}, {self.what}" if self.over else f"{self.name}, {unit}"

    def values(self, costs):
        """One value a round: what stands side by side was measured side by side."""
        mine = [getattr(each, self.what) for each in costs[self.name]]
        return [a / getattr(b, self.what) for a, b in zip(mine, costs[self.over])] if self.over else mine

    def aim(self, median):
        """The aim in words, and whether the median meets it."""
        if self.least is not None:
            return f"at least {self.least:g}", median >= self.least
        if self.most is not None:
            return f"at most {self.most:g}", median <= self.most
        return "", True


@dataclass
class Row:
    """A work that is done in several ways, one after the other in each round; what they need is made once they are asked for."""

    work: str
    ways: Callable[[], dict]
    figures: list

    def costs(self, rounds):
        """Costs of each way over so many rounds, after one that is not counted."""
        ways = self.ways()
        for way in ways.values():
            way.cost()
        costs = {name: [] for name in ways}
        for _ in range(rounds):
            for name, way in ways.items():
                costs[name].append(way.cost())
        return costs
