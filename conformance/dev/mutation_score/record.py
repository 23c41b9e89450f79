"""`contracts/mutation-score.json`: the published record, from outcomes to totals and rows and back.

The file stands for itself: totals and rows are derived from its list of mutants, and a test of the harness derives them
again. `contracts/interface/mutation-score.schema.json` describes every member.
"""

import hashlib
import json

from mutant import CONTRACTS, MODULES, OTHERS, ROOT, Key, Trouble, read_json, systems
from outcome import BITTEN, CANDIDATE, CRASHED, KILLED, SURVIVED, TESTED, TIMEOUT, UNJUDGED, UNVIABLE, Outcome

PATH = ROOT / "contracts" / "mutation-score.json"
EQUIVALENTS = ROOT / "conformance" / "dev" / "mutation_score" / "equivalents.json"
OPEN = ROOT / "conformance" / "dev" / "mutation_score" / "open.json"
# What is argued about a survivor: no input tells it from the verifier; only words change, which no agreement compares; only
# inputs that the documents leave without an answer tell it.
KINDS = ("equivalent", "words", "outside-domain")


def laws():
    """Slugs of all laws in their published order."""
    slugs = []
    for system in systems():
        declared = [read_json(path, dict) for path in (CONTRACTS / "laws" / system).glob("*.json")]
        slugs += [law["slug"] for law in sorted(declared, key=lambda law: (law["position"], law["slug"]))]
    return slugs


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
    """Outcomes by key, the keys that are argued, and the whole document; nothing if there is no file."""
    if not PATH.exists():
        return {}, set(), {}
    document = read_json(PATH, dict)
    try:
        return (*_outcomes(document), document)
    except (LookupError, TypeError, ValueError) as error:
        raise Trouble(f"{PATH}: has another shape than its schema: {type(error).__name__} {error}") from error


def _outcomes(document):
    slugs = [row["law"] for row in document["laws"]]
    outcomes, argued = {}, set()
    for file, rows in document["mutants"].items():
        for function, replacement, ordinal, kind, by in rows:
            found = Outcome(kind, frozenset(slugs[number] for number in unpack(by)))
            outcomes[Key(file, function, replacement, ordinal)] = found
    for row in document["survivors"]:
        key = Key(*(row[member] for member in Key._fields))
        outcomes[key] = Outcome(CANDIDATE if row["state"] == CANDIDATE else SURVIVED)
        if row["state"] in KINDS:
            argued.add(key)
    return outcomes, argued


def _written(path, name, *more):
    """Entries of a hand-written list, by key."""
    members = (*Key._fields, *more, "why")
    found = {}
    for entry in read_json(path, dict).get(name, ()):
        if not isinstance(entry, dict) or set(entry) != set(members) or not str(entry["why"]).strip():
            raise Trouble(f"{path.name}: an entry has the members {', '.join(members)}, and needs a reason: {entry}")
        key = Key(*(entry[member] for member in Key._fields))
        if key in found:
            raise Trouble(f"{path.name}: listed twice: {key}")
        found[key] = entry
    return found


def equivalents():
    """The hand-written arguments that no vector can kill a survivor, by key: kind and why."""
    found = {key: (entry["kind"], entry["why"]) for key, entry in _written(EQUIVALENTS, "equivalents", "kind").items()}
    for key, (kind, _) in found.items():
        if kind not in KINDS:
            raise Trouble(f"{EQUIVALENTS.name}: the kind is one of {', '.join(KINDS)}, not {kind!r}: {key}")
    return found


def open_reasons():
    """The hand-written reasons why survivors are still open, by key."""
    return {key: entry["why"] for key, entry in _written(OPEN, "open").items()}


def digest_of(cases):
    """What stands for a set of case ids: SHA-256 over the sorted ids, each followed by a line feed."""
    return hashlib.sha256("".join(f"{case}\n" for case in sorted(cases)).encode()).hexdigest()


def count(outcomes, argued):
    """Totals of some outcomes, with the score in percent: cut to one decimal, never rounded up; none without mutants."""
    of = lambda *kinds: sum(found.kind in kinds for found in outcomes.values())
    kinds = (TESTED, TIMEOUT, CRASHED)
    totals = {KILLED: of(KILLED), SURVIVED: of(SURVIVED, CANDIDATE), **{kind: of(kind) for kind in kinds}}
    bitten = of(*BITTEN)
    out = sum(key in argued for key in outcomes)
    scored = bitten + totals[SURVIVED] - out
    percent = lambda part: part * 1000 // scored / 10 if scored else None
    scores = {"score": percent(bitten), "by_vectors": percent(bitten - totals[TESTED])}
    return {**totals, "argued": out, UNVIABLE: of(UNVIABLE), **scores}


def document(outcomes, arguments, reasons, facts):
    """The record as a value: arguments by key, reasons of open survivors by key, and members that no outcome gives."""
    slugs = laws()
    number = {slug: at for at, slug in enumerate(slugs)}
    part = lambda module: {key: found for key, found in outcomes.items() if key.module == module}
    sets = [found.laws for found in outcomes.values() if found.kind == KILLED]
    files, survivors = {}, []
    for key, found in sorted(outcomes.items()):
        if found.kind in (SURVIVED, CANDIDATE):
            state, why = (CANDIDATE, None) if found.kind == CANDIDATE else arguments.get(key) or ("open", reasons.get(key))
            survivors.append({**key._asdict(), "state": state, **({"why": why} if why else {})})
        else:
            by = pack(number[slug] for slug in found.laws)
            files.setdefault(key.file, []).append([*key[1:], found.kind, by])
    return {
        **count(outcomes, arguments),
        **{kind: sum(found.kind == kind for found in outcomes.values()) for kind in (CANDIDATE, UNJUDGED)},
        **facts,
        "modules": [{"module": module, **count(part(module), arguments)} for module in (*MODULES, OTHERS)],
        "laws": [
            {"law": slug, "kills": sum(slug in of for of in sets), "alone": sum(of == {slug} for of in sets)} for slug in slugs
        ],
        "survivors": survivors,
        "mutants": files,
    }


def render(value):
    """The document with one row on each line, so that a change of one mutant changes one line."""
    compact = lambda part: json.dumps(part, ensure_ascii=False)
    rows = lambda of, indent: "[\n" + ",\n".join(indent + compact(row) for row in of) + "\n" + indent[2:] + "]"
    lines = []
    for name, part in value.items():
        if name == "sources" and part:
            text = "{\n" + ",\n".join(f"    {compact(file)}: {compact(digest)}" for file, digest in part.items()) + "\n  }"
        elif name == "mutants":
            files = [f"    {compact(file)}: {rows(of, ' ' * 6)}" for file, of in part.items()]
            text = "{\n" + ",\n".join(files) + "\n  }" if files else "{}"
        else:
            text = rows(part, "    ") if isinstance(part, list) and part else compact(part)
        lines.append(f"  {compact(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
