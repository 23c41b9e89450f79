"""The sovereign index of the kernel's second source: staging, link validation, promotion.

A home folder is a dict from relative path to bytes, with None for a folder that was made on purpose. Promotion builds its new
tree aside and replaces the old one in one assignment, so there is nothing to recover: a crash before the switch leaves the old
tree, one after it the new.
"""

from kernel_values import (
    COMMITTED,
    LEDGER,
    LSI,
    OPEN,
    SOURCE,
    TOMBSTONE,
    TURN_ID,
    Failed,
    canonical,
    corrupt,
    digest,
    escape,
    fail,
    is_ledger,
    is_refs,
    is_triplet,
    issue,
    issue_key,
    object_path,
    parse,
    pointer_of,
    read,
    references,
    refs_path,
    refused,
    scope_of,
    sha256,
    source_key,
    stem_of,
    token,
    tombstone_path,
    triplet_path,
    without_form,
)


# The home folder


class Home(dict):
    """Files by relative path."""

    def __init__(self, files=()):
        super().__init__(files)
        # Whether staging is settled.
        self.staging_settled = True
        # The turns that were executed, by run: no file tells them (KE-51).
        self.executed = {}
        # The runs that were started: nor does one tell them (KE-52).
        self.started = set()

    def below(self, folder):
        return sorted(path for path, content in self.items() if path.startswith(folder + "/") and content is not None)

    def remove(self, folder):
        for path in [path for path in self if path == folder or path.startswith(folder + "/")]:
            del self[path]

    def put(self, path, value):
        parts = path.split("/")
        above = ("/".join(parts[:length]) for length in range(1, len(parts)))
        if any(self.get(folder) is not None for folder in above) or self.is_folder(path):
            raise corrupt(path)
        self[path] = canonical(value).encode("utf-8")

    def is_folder(self, path):
        return path in self and self[path] is None or any(other.startswith(path + "/") for other in self)

    def triplets(self, scope):
        """(stem, path) of the triplet records below a scope."""
        folder = f"{scope}/triplets"
        for path in self.below(folder):
            if path.endswith(".json") and not path.endswith(".tombstone.json"):
                yield path[len(folder) + 1 : -len(".json")], path

    def references(self, scope):
        """Paths of the reference records below a scope, and of folders in their place."""
        folder = f"{scope}/refs/by_id"
        made = (path for path, content in self.items() if content is None and path.startswith(folder + "/"))
        # A folder right below is that of a type, whatever its name.
        due = (path for path in made if "/" in path[len(folder) + 1 :])
        return sorted(path for path in {*self.below(folder), *due} if path.endswith(".json"))

    def tombstones(self, scope):
        folder, suffix = f"{scope}/triplets", ".tombstone.json"
        for path in self.below(folder):
            if path.endswith(suffix):
                yield path[len(folder) + 1 : -len(suffix)], path

    def sources(self, scope, path):
        """The sources of the reference record at a path of a scope; those of an absent one are none."""
        if path not in self:
            return []
        record = parse(self[path], path, is_refs)
        if refs_path(scope, record["type"], record["id"]) != path:
            raise corrupt(path)
        return record["sources"]

    def runs(self):
        """The ledger's runs, or a failure."""
        return parse(self[LEDGER], LEDGER, is_ledger)["runs"] if LEDGER in self else {}

    def object(self, scope, name):
        """The value of an object, or None where no such JSON has that digest."""
        octets = self.get(object_path(scope, name))
        try:
            return read(octets) if octets is not None and sha256(octets) == name else None
        except ValueError:
            return None

    def body(self, scope, path):
        """The body of a record, or None where its object is gone. A record that is none fails (KE-19)."""
        return self.object(scope, parse(self[path], path, is_triplet)["body_digest"])


def identity(body):
    """(dto_type, id) of a body, or None."""
    names = [body.get(name) for name in ("dto_type", "id")] if isinstance(body, dict) else [None]
    return tuple(names) if all(isinstance(name, str) for name in names) else None


# Staging


def stage_triplet(home, run_id, turn_id, stem, parts):
    """Stages body, links and manifest under a stem, and gives their digests."""
    scope, stem = scope_of(run_id, turn_id), stem_of(stem)
    banned = [place for name, value in parts.items() for place in without_form(value, f"/{name}")]
    if banned:
        # Which of several is told, no ruling says: cases have one.
        raise Failed(*(fail("determinism", "E_CANONICALIZATION_ERROR", place) for place in banned))
    digests = {f"{name}_digest": digest(value) for name, value in parts.items()}
    for kind, name, _, _ in references(parts["links"]):
        # Before anything is written.
        home.sources(scope, refs_path(scope, kind, name))
    for name, value in parts.items():
        path = object_path(scope, digests[f"{name}_digest"])
        # Objects are written only if absent.
        if path not in home:
            home.put(path, value)
    record = {"stem": stem, **digests, "updated_at_turn": turn_id, "lsi_version": LSI}
    home.put(triplet_path(scope, stem), record)
    insert(home, scope, stem, parts["links"], digests["links_digest"])
    return digests


def insert(home, scope, stem, links, artifact):
    """Puts a stem's references into the records of a scope, in place of its old sources there. Gives the paths written."""
    found = {}
    for kind, name, relationship, location in references(links):
        source = dict(zip(SOURCE, (stem, location, relationship, artifact)))
        found.setdefault((kind, name), []).append(source)
    paths = set()
    for (kind, name), sources in found.items():
        path = refs_path(scope, kind, name)
        sources += [source for source in home.sources(scope, path) if source["stem"] != stem]
        record = {"lsi_version": LSI, "type": kind, "id": name, "sources": sorted(sources, key=source_key)}
        home.put(path, record)
        paths.add(path)
    return paths


def stage_deletions(home, run_id, turn_id, stems):
    scope, tombstones = scope_of(run_id, turn_id), {}
    for stem in [stem_of(stem) for stem in stems]:
        places = [(COMMITTED, triplet_path(COMMITTED, stem)), (scope, triplet_path(scope, stem))]
        bodies = (home.body(*place) for place in places if place[1] in home)
        kind, name = identity(next((body for body in bodies if body is not None), None)) or ("", "")
        kind, name = kind or "unknown", name or "unknown"
        tombstone = {"kind": "tombstone", "stem": stem, "dto_type": kind, "id": name, "deleted_by_turn_id": turn_id}
        tombstones[tombstone_path(scope, stem)] = tombstone
    # Nothing is written where one of the stems fails the step.
    for path, tombstone in tombstones.items():
        home.put(path, tombstone)


# Link validation


def visible(home, scope):
    """The identities that a turn sees: of its own staging, and of committed records that it neither replaces nor deletes."""
    staged, deleted = dict(home.triplets(scope)), dict(home.tombstones(scope))
    seen = {identity(home.body(scope, path)) for path in staged.values()}
    for stem, path in home.triplets(COMMITTED):
        if stem not in staged and stem not in deleted:
            seen.add(identity(home.body(COMMITTED, path)))
    return seen - {None}


def validate_links(home, run_id, turn_id, stem):
    """The issues of a staged triplet's links; OPEN where targets resolve, as it is not settled what is said of those."""
    scope, stem = scope_of(run_id, turn_id), stem_of(stem)
    path = triplet_path(scope, stem)
    if path not in home:
        raise Failed(fail("lsi", "E_LSI_ORPHAN_REFERENCE", "/ci/schema"))
    record = parse(home[path], path, lambda record: isinstance(record, dict))
    if not isinstance(record.get("links_digest"), str) or not record["links_digest"]:
        raise Failed(fail("lsi", "E_LSI_CORRUPT_RECORD", "/manifest"))
    links = home.object(scope, record["links_digest"])
    if not isinstance(links, dict):
        raise Failed(fail("lsi", "E_LSI_CORRUPT_RECORD", "/links"))
    if not is_triplet(record):
        raise corrupt(path)
    found = list(references(links))
    # Where nothing is looked for, nobody's record is looked at.
    seen = visible(home, scope) if found else set()
    orphans = [
        fail("lsi", "E_LSI_ORPHAN_REFERENCE", f"{location}/id", {"type": kind, "id": name, "relationship": relationship})
        for kind, name, relationship, location in found
        if (kind, name) not in seen
    ]
    resolved = len(found) > len(orphans)
    return bool(orphans), OPEN if resolved else sorted(orphans, key=issue_key)


# Promotion


def promoted(home, run_id, turn_id):
    """The committed tree after promoting a turn, with the stems and the issues. The home is left alone."""
    scope = scope_of(run_id, turn_id)
    runs = home.runs()
    last = runs.get(run_id, "turn-0000")
    if int(turn_id[5:]) != int(last[5:]) + 1:
        reason = "already_applied" if turn_id <= last else "out_of_order"
        details = {"reason": reason, "turn_id": turn_id, "last_promoted_turn_id": last}
        raise Failed(fail("promotion", "E_LSI_PROMOTION_FAILED", pointer_of(LEDGER), details))

    staged, deleted = dict(home.triplets(scope)), dict(home.tombstones(scope))
    bad = [breach for stem, path in deleted.items() for breach in tombstone_breach(home[path], stem, turn_id)]
    if bad:
        raise Failed(*sorted(bad, key=issue_key))
    records = {stem: parse(home[path], path, is_triplet) for stem, path in staged.items()}
    links = {}
    for stem, record in records.items():
        parts = [home.object(scope, record[f"{part}_digest"]) for part in ("body", "links", "manifest")]
        if not all(isinstance(part, dict) for part in parts):
            raise Failed(fail("lsi", "E_LSI_CORRUPT_RECORD", OPEN))
        links[stem] = parts[1]

    tree = Home({path: content for path, content in home.items() if path.startswith(COMMITTED + "/")})
    stems = set(staged) | set(deleted)
    written = prune(tree, stems)
    for stem in set(deleted) - set(staged):
        tree.pop(triplet_path(COMMITTED, stem), None)
    # Every staged object that is absent, also one that a later version of its stem has left behind.
    for path in home.below(f"{scope}/objects"):
        if sha256(home[path]) == path.rpartition("/")[2]:
            tree.setdefault(COMMITTED + path[len(scope) :], home[path])
    for stem, path in staged.items():
        tree[triplet_path(COMMITTED, stem)] = home[path]
        written |= insert(tree, COMMITTED, stem, links[stem], records[stem]["links_digest"])
    tree.put(LEDGER, {"lsi_version": LSI, "runs": {**runs, run_id: turn_id}})

    details = {"run_id": run_id, "turn_id": turn_id, "stems": sorted(stems)}
    issues = [issue("INFO", "promotion", "I_PROMOTION_PASS", "/index/committed", details)]
    issues += [collision(record) for record in map(read, map(tree.get, written)) if len(record["sources"]) > 1]
    return tree, sorted(stems), sorted(issues, key=issue_key)


def tombstone_breach(octets, stem, turn_id):
    place = f"/index/staging/triplets/{escape(stem)}.tombstone.json"
    try:
        value = read(octets)
    except ValueError:
        value = None
    if (
        not isinstance(value, dict)
        or set(value) != TOMBSTONE
        or not all(isinstance(member, str) and member for member in value.values())
        or value["kind"] != "tombstone"
    ):
        yield fail("promotion", "E_TOMBSTONE_INVALID", place)
    elif value["stem"] != stem:
        yield fail("promotion", "E_TOMBSTONE_STEM_MISMATCH", f"{place}/stem")
    elif value["deleted_by_turn_id"] != turn_id:
        yield fail("promotion", "E_TOMBSTONE_INVALID", f"{place}/deleted_by_turn_id")


def prune(tree, stems):
    """Takes the sources of some stems out of every reference record. Gives the paths written."""
    written = set()
    for path in tree.references(COMMITTED):
        sources = tree.sources(COMMITTED, path)
        kept = [source for source in sources if source["stem"] not in stems]
        if len(kept) < len(sources):
            tree.put(path, {**read(tree[path]), "sources": kept})
            written.add(path)
    return written


def collision(record):
    stems = sorted({source["stem"] for source in record["sources"]})
    place = f"/index/refs/by_id/{escape(record['type'])}/{escape(record['id'])}"
    # How often a stem with two sources is named, no ruling says.
    once = len(stems) == len(record["sources"])
    details = {"type": record["type"], "id": record["id"], "stems": stems if once else OPEN}
    return issue("INFO", "promotion", "I_REF_MULTISOURCE", place, details)


def promote(home, run_id, turn_id, at=None):
    """Promotes a turn, or stops at a point of doing so."""
    tree, stems, issues = promoted(home, run_id, turn_id)
    if at in ("build", "before-switch"):
        return stems, issues
    if at:
        # Staging may survive a stop after the switch.
        home.staging_settled = False
    home.remove(COMMITTED)
    home.update(tree)
    home.remove(scope_of(run_id, turn_id))
    return stems, issues


def finish_run(home, run_id, outcome, commit, keep_evidence):
    if not run_id:
        raise refused("/run_id")
    folder = f"index/staging/{token(run_id)}"
    turns, stems, issues, failed = [], set(), [], False
    if outcome == "PASS" and commit:
        staged = {path[len(folder) + 1 :].split("/")[0] for path in home.below(folder)}
        for turn_id in sorted(turn for turn in staged if TURN_ID.match(turn)):
            try:
                more, said = promote(home, run_id, turn_id)
            except Failed as failure:
                issues, failed = issues + failure.issues, True
                break
            turns.append(turn_id)
            stems |= set(more)
            issues += said
    elif outcome == "FAIL" and not keep_evidence:
        home.remove(folder)
    return failed, turns, sorted(stems), sorted(issues, key=issue_key)
