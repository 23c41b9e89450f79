"""A second source for the sovereign system, continued: `sovereign.compare` in law mode.

See `sovereign.py` for values, `sovereign_text.py` for how texts are read, and `sovereign_turn.py` for turn files.

Each side is judged by itself first: what breaks a law, and what is left that can be compared. A breach is a row of the
report without digests; the same one on both sides is one row. Then what is left of both is compared.
"""

import sovereign
import sovereign_audit
from sovereign import DIGESTS, Folder, Object, halves, is_digest
from sovereign_audit import FORMLESS, STAGES, repeated, step, without_form
from sovereign_text import digest, pointer, written
from sovereign_turn import COMPARED, FAILED, LOCKED, MISSING, VERSION, Turn, breach, differ, read, row, turn_surface

record, bundle, select_path, audit = sovereign.record, sovereign.bundle, sovereign.select_path, sovereign_audit.audit
canonicalize = sovereign.canonicalize

TOP = ("contract_version", "run_envelope", "registry_digest", "digests", "turn_results")
ENVELOPE = ("run_id", "workflow_id")
ENTRY = ("turn_id", "turn_result_digest", "paths")


class Stop(Exception):
    """Nothing is left to compare; the rows of the report are its arguments."""


def opened(octets, surface):
    """The value of a document that all depends on."""
    found = read(octets, surface)
    if found is None:
        raise Stop(breach("", "schema", "", MISSING))
    if found.deep is not None:
        raise Stop(breach("", "schema", pointer(found.deep)))
    return found.value


# The registry and the stage order


def local_registry(octets):
    value = opened(octets, lambda place: True)
    bans = [breach("", "schema", place, FORMLESS) for place, _ in without_form(value, "")]
    if bans:
        raise Stop(*bans)
    if not isinstance(value, Object):
        raise Stop(breach("", "schema", ""))
    return value


def check_stage_order(octets):
    value = opened(octets, lambda place: False)
    if not isinstance(value, Object):
        raise Stop(breach("", "schema", ""))
    # One breach, whatever else is wrong; the order itself comes first.
    owed = {"stage_order": list(STAGES), "contract_version": "kernel_api/v1"}
    places = [step("", name) for name in owed if name not in value or value[name] != owed[name]]
    places += [step("", name) for name in value if name not in (*owed, "description")]
    if not isinstance(value.get("description", ""), str):
        places.append("/description")
    if places:
        raise Stop(breach("", "schema", places[0]))


# Bundles


def bundle_surface(place):
    """Whether a place of a bundle lies on a canonical surface."""
    if place[:1] == ("registry_digest",):
        return True
    if place[:1] == ("digests",):
        return len(place) > 1
    return len(place) > 2 and place[0] == "turn_results" and place[2] == "turn_result_digest"


def surface_of(steps):
    return "bundle_digest" if bundle_surface(steps) else "schema"


def text_of(value, name):
    found = value.get(name) if isinstance(value, Object) else None
    return found if isinstance(found, str) else ""


class Entry:
    """A turn's entry in a bundle."""

    def __init__(self, index, turn_id):
        self.index, self.turn_id = index, turn_id
        self.digest, self.paths = None, None


class Bundle:
    """A bundle that was read, with its own breaches."""

    def __init__(self, value):
        self.value, self.rows = value, []
        self.turns, self.digests = {}, {}

    def at(self, steps, code=None, turn_id=""):
        # A breach tells its place by position: it does without an id that no report can hold.
        turn_id = "" if halves(turn_id) else turn_id
        self.rows.append(breach(turn_id, surface_of(steps), pointer(steps), code))

    def judge(self):
        """Tells every breach; of a name that is repeated each value is judged, and the last one is left to compare."""
        self.members(self.value, TOP, (), self.top_member)
        self.repeats(self.value, ())
        # Where something has no canonical form, that is the breach, and not what else is wrong with it.
        banned = {found[4] for found in self.rows if found[7] == FORMLESS}
        self.rows = [found for found in self.rows if found[7] == FORMLESS or found[4] not in banned]
        # What a name that is repeated holds is not compared.
        several = repeated(self.value)
        self.turns = None if "turn_results" in several else self.turns
        self.digests = {} if "digests" in several else self.digests

    def members(self, value, owed, steps, judge, turn_id=""):
        """The members of an object: each owed one, and no other."""
        for name in owed:
            if name not in value:
                self.at((*steps, name), None, turn_id)
        for name, member in value.written:
            if name not in owed:
                self.at((*steps, name), None, turn_id)
            judge(name, member)

    def top_member(self, name, member):
        if name == "contract_version" and member != "replay_bundle/v1":
            self.at((name,), VERSION)
        elif name == "run_envelope":
            if isinstance(member, Object):
                self.members(member, ENVELOPE, (name,), self.envelope_member)
            else:
                self.at((name,))
        elif name == "registry_digest":
            self.is_digest(member, (name,))
        elif name == "digests":
            self.read_digests(member)
        elif name == "turn_results":
            self.turns = {} if isinstance(member, list) else None
            if self.turns is None:
                self.at((name,))
            for index, turn in enumerate(member if isinstance(member, list) else ()):
                self.entry(index, turn)

    def envelope_member(self, name, member):
        steps = ("run_envelope", name)
        if name in ENVELOPE and not isinstance(member, str):
            self.at(steps)
        if name == "run_id":
            for place, law in without_form(member, pointer(steps)):
                if law != "float-ban":
                    self.rows.append(breach("", "schema", place, FORMLESS))

    def read_digests(self, digests):
        bans = {place for place, _ in without_form(digests, "/digests")} - {"/digests"}
        for place in bans:
            self.rows.append(breach("", "bundle_digest", place, FORMLESS))
        self.digests = {}
        if not isinstance(digests, Object):
            self.at(("digests",))
            return

        def judge(name, member):
            if is_digest(member):
                self.digests[name] = member
            else:
                self.at(("digests", name))

        self.members(digests, DIGESTS, ("digests",), judge)
        self.digests = {name: self.digests[name] for name in self.digests if pointer(("digests", name)) not in bans}

    def repeats(self, value, steps, turn_id=""):
        """Every name that is repeated at or below a place."""
        if isinstance(value, Object):
            for name in repeated(value):
                self.at((*steps, name), FORMLESS, turn_id)
            for name, member in value.written:
                self.repeats(member, (*steps, name), turn_id)
        elif isinstance(value, list):
            for index, member in enumerate(value):
                whose = text_of(member, "turn_id") if steps == ("turn_results",) else turn_id
                self.repeats(member, (*steps, index), whose)

    def is_digest(self, value, steps, turn_id=""):
        """Whether a value is a digest; told where it is none."""
        for place, _ in without_form(value, pointer(steps)):
            self.rows.append(breach("" if halves(turn_id) else turn_id, "bundle_digest", place, FORMLESS))
        if not is_digest(value):
            self.at(steps, None, turn_id)
        return is_digest(value)

    def entry(self, index, turn):
        steps = ("turn_results", index)
        if not isinstance(turn, Object):
            self.at(steps)
            return
        turn_id = text_of(turn, "turn_id")
        entry = Entry(index, turn_id)

        def judge(name, member):
            place = (*steps, name)
            if name == "turn_id" and not isinstance(member, str):
                self.at(place, None, turn_id)
            elif name == "turn_result_digest":
                entry.digest = member if self.is_digest(member, place, turn_id) else None
            elif name == "paths":
                entry.paths = self.paths(member, place, turn_id)

        self.members(turn, ENTRY, steps, judge, turn_id)
        if "turn_result_digest" in repeated(turn):
            entry.digest = None
        if isinstance(turn.get("turn_id"), str):
            if turn_id in self.turns:
                self.at((*steps, "turn_id"), None, turn_id)
            self.turns[turn_id] = entry

    def paths(self, paths, steps, turn_id):
        if not isinstance(paths, list) or not paths:
            self.at(steps, None, turn_id)
            return None
        wrong = [index for index, path in enumerate(paths) if not isinstance(path, str)]
        for index in wrong:
            self.at((*steps, index), None, turn_id)
        if wrong:
            return None
        if paths != sorted(paths):
            self.at(steps, None, turn_id)
        return sorted(paths)


def compare_turn(turn_id, entries, folder, registry):
    """The rows of a turn that both bundles tell of."""
    rows = []
    a, b = entries
    if a.digest and b.digest and a.digest != b.digest:
        path = pointer(("turn_results", turn_id, "turn_result_digest"))
        rows.append(differ(turn_id, path, a.digest, b.digest, "bundle_digest"))
    if a.paths is None or b.paths is None:
        return rows
    texts = []
    for entry in entries:
        octets = next((found for found in map(folder.read, entry.paths) if found is not None), None)
        texts.append(None if octets is None else read(octets, turn_surface))
    too_deep = [Turn(one, turn_id, registry) for one in texts if one is not None and one.deep]
    if None in texts:
        rows.append(row(turn_id, "schema", pointer(("turn_results", turn_id, "paths")), MISSING))
    if None in texts or too_deep:
        # Open: of a file over the limit nothing else is compared (RES-01), and whether the breaches of the other one are
        # told beside that is not said there. The verifier tells none, and so does this, until it is settled.
        return [*rows, *(found for turn in too_deep for found in turn.rows)]
    turns = [Turn(one, turn_id, registry) for one in texts]
    for turn in turns:
        rows += turn.rows
    for part, compare_part in COMPARED.items():
        if all(getattr(turn, part) is not None for turn in turns):
            rows += compare_part(turn_id, *turns)
    return rows


# The comparison


def lock(bundles, local):
    for bundle in bundles:
        declared = bundle["registry_digest"]
        if is_digest(declared) and declared != local and "registry_digest" not in repeated(bundle):
            raise Stop(row("", "bundle_digest", "/registry_digest", LOCKED, digests=(local, declared)))


def compare_bundles(values, registry, folder):
    values_read, rows = [], []
    for octets in values:
        try:
            value = opened(octets, bundle_surface)
            if not isinstance(value, Object):
                raise Stop(breach("", "schema", ""))
            values_read.append(value)
        except Stop as why:
            if why.args[0][7] == MISSING:
                raise
            rows += why.args
    for value in values_read:
        rows += [breach("", "schema", step("", name), MISSING) for name in TOP if name not in value]
    if rows:
        raise Stop(*rows)
    lock(values_read, digest(registry))
    a, b = bundles = [Bundle(value) for value in values_read]
    for bundle in bundles:
        bundle.judge()
        rows += bundle.rows
    for name in set(a.digests) & set(b.digests):
        if a.digests[name] != b.digests[name]:
            digests = a.digests[name], b.digests[name]
            rows.append(row("", "bundle_digest", step("/digests", name), VERSION, digests=digests))
    # A turn is missing from a list alone.
    listed_turns = () if a.turns is None or b.turns is None else {*a.turns, *b.turns}
    for turn_id in listed_turns:
        entries = [bundle.turns.get(turn_id) for bundle in bundles]
        if None in entries:
            found = [row(turn_id, "schema", "/turn_results", FAILED)]
        else:
            found = compare_turn(turn_id, entries, folder, registry)
        if halves(turn_id) and found:
            where = [entry.index for entry in entries if entry is not None]
            found = [breach("", "schema", f"/turn_results/{index}/turn_id", FORMLESS) for index in where]
        rows += found
    return rows


def is_difference(found):
    """Whether a row tells of a difference, and not of a breach."""
    return found[7] in (FAILED, LOCKED) or (found[7] == VERSION and found[3] == "bundle_digest")


def sort_key(found):
    turn_id, stage, ordinal, surface, path, expected, actual, _ = found
    return turn_id, STAGES.index(stage), ordinal, surface, path, expected or "", actual or ""


NAMES = (
    "turn_id",
    "stage_name",
    "ordinal",
    "surface",
    "path",
    "expected_digest",
    "actual_digest",
    "reason_code",
)


def run_id_of(octets):
    found = read(octets, bundle_surface)
    value = found.value if found and found.deep is None else None
    run_id = text_of(value.get("run_envelope") if isinstance(value, Object) else None, "run_id")
    return "" if halves(run_id) else run_id


def law_report(bundle_a, bundle_b, registry, stage_order, files):
    """The text of the report of `sovereign.compare` in law mode, every diagnostic null; `stage_order` may be None."""
    try:
        if stage_order is not None:
            check_stage_order(stage_order)
        rows = compare_bundles((bundle_a, bundle_b), local_registry(registry), Folder(files))
    except Stop as why:
        rows = why.args
    told = {found for found in rows if not is_difference(found)}
    mismatches = sorted([*told, *filter(is_difference, rows)], key=sort_key)
    status = "ERROR" if told else "DIVERGENT" if mismatches else "EQUIVALENT"
    report = {
        "contract_version": "kernel_api/v1",
        "report_id": None,
        "run_id": run_id_of(bundle_a),
        "status": status,
        "exit_code": int(status != "EQUIVALENT"),
        "mismatches": [dict(zip(NAMES, found)) | {"diagnostic": None} for found in mismatches],
    }
    return written(report | {"report_id": digest(report)})
