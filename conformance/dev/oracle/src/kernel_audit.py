"""The audit of a home folder by the kernel's second source: what rests on one record, then what joins two."""

from kernel_trace import breaches
from kernel_values import (
    COMMITTED,
    LEDGER,
    OPEN,
    SOURCE,
    Failed,
    is_refs,
    is_triplet,
    object_path,
    parse,
    pointer_of,
    references,
    refs_path,
    sha256,
    source_key,
)

PROMOTIONS = ("promote", "finish_run")


def finding(law, pointer=OPEN):
    return {"law": law if law is OPEN else f"kernel/{law}", "code": OPEN, "pointer": pointer, "severity": "error"}


def findings(home, before, operation, outcome):
    """Every finding. Where several are due, their order is that of the pointers that are settled."""
    found = [*changes(home, before, operation, outcome), *switch(home), *ledger(home), *objects(home)]
    records, refs = {}, {}
    for stem, path in home.triplets(COMMITTED):
        try:
            records[stem] = parse(home[path], path, is_triplet)
        except Failed:
            found.append(finding("record-shape", pointer_of(path)))
            continue
        if records[stem]["stem"] != stem:
            found.append(finding("path-safety", pointer_of(path)))
    for path in home.below(f"{COMMITTED}/refs/by_id"):
        try:
            refs[path] = parse(home[path], path, is_refs)
        except Failed:
            found.append(finding("record-shape", pointer_of(path)))
            continue
        if refs_path(COMMITTED, refs[path]["type"], refs[path]["id"]) != path:
            found.append(finding("path-safety", pointer_of(path)))
        if sorted(refs[path]["sources"], key=source_key) != refs[path]["sources"]:
            found.append(finding("sort-order", pointer_of(path)))
    found += joins(home, records, refs)
    # No code is registered for what a trace lacks.
    found += [{**finding("trace-artifacts", pointer_of(path)), "code": None} for path in breaches(home)]
    return sorted(found, key=lambda item: "" if item["pointer"] is OPEN else item["pointer"])


def changes(home, before, operation, outcome):
    """Whether committed changed although it was not to."""
    if before is None or operation in PROMOTIONS and outcome == "PASS":
        return
    files = {path for path, entry in before.items() if path.startswith(COMMITTED + "/") and entry != "dir"}
    for path in sorted(files | set(home.below(COMMITTED))):
        if home.get(path) is None or before.get(path) != sha256(home[path]):
            # A promotion that failed broke its atomicity, or the fortress: no ruling says which.
            yield finding(OPEN if operation in PROMOTIONS else "fortress")


def switch(home):
    """A tree beside committed, and no committed."""
    if home.below(f"{COMMITTED}.__bak") and not home.below(COMMITTED):
        yield finding("promotion-atomicity")


def ledger(home):
    try:
        home.runs()
    except Failed:
        yield finding("ledger", pointer_of(LEDGER))


def objects(home):
    for path in home.below(f"{COMMITTED}/objects"):
        if sha256(home[path]) != path.rpartition("/")[2]:
            yield finding("object-digest", pointer_of(path))


def joins(home, records, refs):
    """Records to their objects, sources to their links, links to their sources.

    A damaged file is one finding. What it hides, the sources of its links or the links of its sources, is passed over.
    """
    due, told = {}, set()
    for stem, record in records.items():
        for part in ("body", "links", "manifest"):
            if object_path(COMMITTED, record[f"{part}_digest"]) not in home:
                yield finding("object-digest")
        links = home.object(COMMITTED, record["links_digest"])
        if isinstance(links, dict):
            told.add(stem)
        for kind, name, relationship, location in references(links if isinstance(links, dict) else {}):
            source = dict(zip(SOURCE, (stem, location, relationship, record["links_digest"])))
            due.setdefault(refs_path(COMMITTED, kind, name), []).append(source)
    hidden = {stem for stem, _ in home.triplets(COMMITTED)} - told
    damaged = set(home.below(f"{COMMITTED}/refs/by_id")) - set(refs)
    for path in {*due, *refs} - damaged:
        there = refs[path]["sources"] if path in refs else []
        owed = due.get(path, [])
        for source in there:
            if source not in owed and source["stem"] not in hidden:
                yield finding("source-of-record")
        for source in owed:
            if source not in there:
                yield finding("link-of-record")
