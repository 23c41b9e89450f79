"""`contracts/teeth.json`: the published record, from outcomes to totals and rows and back.

The file stands for itself: totals and rows are derived from its list of mutants, and a test of the harness derives them
again. `contracts/interface/teeth.schema.json` describes every member.
"""

import json

from mutant import MODULES, OTHERS, ROOT, Key, Trouble
from outcome import BITTEN, CANDIDATE, CRASHED, KILLED, SURVIVED, TESTED, TIMEOUT, UNVIABLE, Outcome

PATH = ROOT / "contracts" / "teeth.json"
EQUIVALENTS = ROOT / "conformance" / "teeth" / "equivalents.json"
SYSTEMS = ("canon", "sovereign", "episode", "authority", "kernel", "reply")


def laws():
    """Slugs of all laws in their published order."""
    files = sorted((ROOT / "contracts" / "laws").glob("*.json"), key=lambda path: SYSTEMS.index(path.stem))
    return [law["slug"] for path in files for law in json.loads(path.read_text(encoding="utf-8"))["laws"]]


def pack(numbers):
    """Ascending numbers as ranges: `0-2 5`."""
    ranges = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def unpack(text):
    """The numbers of such ranges."""
    ranges = [part.split("-") for part in text.split()]
    return [number for bounds in ranges for number in range(int(bounds[0]), int(bounds[-1]) + 1)]


def load():
    """Outcomes by key, the arguments for equivalents among them, and the whole document; nothing where no file is."""
    if not PATH.exists():
        return {}, {}, {}
    document = json.loads(PATH.read_text(encoding="utf-8"))
    slugs = [row["law"] for row in document["laws"]]
    outcomes, arguments = {}, {}
    for file, rows in document["mutants"].items():
        for function, replacement, ordinal, kind, by in rows:
            found = Outcome(kind, frozenset(slugs[number] for number in unpack(by)))
            outcomes[Key(file, function, replacement, ordinal)] = found
    for row in document["survivors"]:
        key = Key(*(row[member] for member in Key._fields))
        outcomes[key] = Outcome(CANDIDATE if row["state"] == CANDIDATE else SURVIVED)
        if row["state"] == "equivalent":
            arguments[key] = row["why"]
    return outcomes, arguments, document


def equivalents():
    """The hand-written arguments, by key."""
    found = {}
    for entry in json.loads(EQUIVALENTS.read_text(encoding="utf-8"))["equivalents"]:
        if set(entry) != {*Key._fields, "why"} or not str(entry["why"]).strip():
            members = ", ".join((*Key._fields, "why"))
            raise Trouble(f"{EQUIVALENTS.name}: an entry has the members {members}, and needs an argument: {entry}")
        key = Key(*(entry[member] for member in Key._fields))
        if key in found:
            raise Trouble(f"{EQUIVALENTS.name}: listed twice: {key}")
        found[key] = entry["why"]
    return found


def count(outcomes, arguments):
    """Totals of some outcomes, with the score in percent: cut to one decimal, never rounded up; none without mutants."""
    of = lambda *kinds: sum(found.kind in kinds for found in outcomes.values())
    kinds = (TESTED, TIMEOUT, CRASHED)
    totals = {KILLED: of(KILLED), SURVIVED: of(SURVIVED, CANDIDATE), **{kind: of(kind) for kind in kinds}}
    bitten = of(*BITTEN)
    equivalent = sum(key in arguments for key in outcomes)
    scored = bitten + totals[SURVIVED] - equivalent
    percent = lambda part: part * 1000 // scored / 10 if scored else None
    scores = {"score": percent(bitten), "by_vectors": percent(bitten - totals[TESTED])}
    return {**totals, "equivalent": equivalent, UNVIABLE: of(UNVIABLE), **scores}


def document(outcomes, arguments, facts):
    """The record as a value; `facts` are the members that are not derived from outcomes."""
    slugs = laws()
    number = {slug: at for at, slug in enumerate(slugs)}
    part = lambda module: {key: found for key, found in outcomes.items() if key.module == module}
    sets = [found.laws for found in outcomes.values() if found.kind == KILLED]
    files, survivors = {}, []
    for key, found in sorted(outcomes.items()):
        if found.kind in (SURVIVED, CANDIDATE):
            state = CANDIDATE if found.kind == CANDIDATE else "equivalent" if key in arguments else "open"
            why = {"why": arguments[key]} if state == "equivalent" else {}
            survivors.append({**key._asdict(), "state": state, **why})
        else:
            by = pack(number[slug] for slug in found.laws)
            files.setdefault(key.file, []).append([*key[1:], found.kind, by])
    return {
        **count(outcomes, arguments),
        CANDIDATE: sum(found.kind == CANDIDATE for found in outcomes.values()),
        **facts,
        "modules": [{"module": module, **count(part(module), arguments)} for module in (*MODULES, OTHERS)],
        "laws": [
            {"law": slug, "kills": sum(slug in of for of in sets), "alone": sum(of == {slug} for of in sets)} for slug in slugs
        ],
        "survivors": survivors,
        "mutants": files,
    }


def render(value):
    """The document with one row a line, so that a change of one mutant changes one line."""
    compact = lambda part: json.dumps(part, ensure_ascii=False)
    rows = lambda of, indent: "[\n" + ",\n".join(indent + compact(row) for row in of) + "\n" + indent[2:] + "]"
    lines = []
    for name, part in value.items():
        if name == "mutants":
            files = [f"    {compact(file)}: {rows(of, ' ' * 6)}" for file, of in part.items()]
            text = "{\n" + ",\n".join(files) + "\n  }" if files else "{}"
        else:
            text = rows(part, "    ") if isinstance(part, list) and part else compact(part)
        lines.append(f"  {compact(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
