"""Values, issues, layout and record shapes of the kernel's second source.

What no ruling settles is OPEN. `settled` takes it out of an answer, and says whether anything was taken.
"""

import hashlib
import json
import re
import unicodedata

from stages import STAGES

LSI = "lsi/v1"
ALIASES = {"rel_vocab": "relationship_vocabulary"}
TURN_ID = re.compile(r"turn-[0-9]{4}\Z")
DIGEST = re.compile(r"[0-9a-f]{64}\Z")
COMMITTED = "index/committed"
LEDGER = COMMITTED + "/index/run_ledger.json"
TRIPLET = ("stem", "body_digest", "links_digest", "manifest_digest", "updated_at_turn", "lsi_version")
SOURCE = ("stem", "location", "relationship", "artifact_digest")
TOMBSTONE = {"kind", "stem", "dto_type", "id", "deleted_by_turn_id"}

# The union (KE-24): the kernel's registry, that of the sovereign specification, and codes of the public repository.
REGISTRY = set(
    """
    E_LSI_ORPHAN_REFERENCE E_LSI_PROMOTION_FAILED E_LSI_CORRUPT_RECORD E_CAPABILITY_DENIED
    I_REF_MULTISOURCE I_PROMOTION_PASS I_CAPABILITY_SKIPPED
    E_SIDE_EFFECT_UNDECLARED E_PERMISSION_DENIED E_CAPABILITY_NOT_RESOLVED E_CANONICALIZATION_ERROR
    E_REPLAY_INPUT_MISSING E_REPLAY_VERSION_MISMATCH E_REPLAY_EQUIVALENCE_FAILED E_REGISTRY_DIGEST_MISMATCH
    E_BASE_SHAPE_INVALID_JSON E_BASE_SHAPE_INVALID_BODY_VALUE E_BASE_SHAPE_INVALID_LINKS_VALUE
    E_BASE_SHAPE_INVALID_MANIFEST_VALUE E_BASE_SHAPE_INVALID_REFERENCE E_BASE_SHAPE_MISSING_RUN_ID
    E_DTO_LINKS_UNKNOWN_KEY E_DTO_LINKS_WRONG_CONTAINER_SHAPE E_TYPED_REF_MISMATCH E_RELATIONSHIP_INCOMPATIBLE
    E_RELATIONSHIP_CARDINALITY_VIOLATION E_POLICY_RAW_ID_FORBIDDEN E_DETERMINISM_VIOLATION E_TRIPLET_INCOMPLETE
    E_LSI_ORPHAN_TARGET E_ORPHAN_LINK_VIOLATION E_RELATIONSHIP_ORPHAN E_PROMOTION_FAILED E_PROMOTION_OUT_OF_ORDER
    E_PROMOTION_ALREADY_APPLIED E_TOMBSTONE_INVALID E_TOMBSTONE_STEM_MISMATCH E_DELETE_MISSING_TOMBSTONE
    I_NOOP_PROMOTION I_REF_VISIBLE I_GATEKEEPER_PASS
    """.split()
)
OPEN = object()


class Rejected(Exception):
    """A rejection of the whole operation, with its one code."""


class Unsettled(Exception):
    """A question of which no ruling says even whether it passes."""


class Failed(Exception):
    """A step that fails, with its issues."""

    def __init__(self, *issues):
        super().__init__()
        self.issues = list(issues)


class Banned(str):
    """A number token without canonical form: a fraction, an exponent or a negative zero."""


# Values


def once(pairs):
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name twice")
    return members


def no_constant(token):
    raise ValueError(token)


def read(document):
    """The value of a strict JSON text, with banned number tokens kept. Raises ValueError."""
    text = document.decode("utf-8") if isinstance(document, bytes) else document
    return json.loads(
        text,
        object_pairs_hook=once,
        parse_constant=no_constant,
        parse_float=Banned,
        parse_int=lambda token: Banned(token) if token == "-0" else int(token),
    )


def read_document(document):
    """The value of an operation's document."""
    try:
        return read(document)
    except RecursionError:
        raise Rejected("A_LIMIT") from None
    except ValueError:
        raise Rejected("A_JSON") from None


def canonical(value):
    """Canonical text: names in code point order, which is how Python orders strings."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def sha256(octets):
    return hashlib.sha256(octets).hexdigest()


def digest(value):
    return sha256(canonical(value).encode("utf-8"))


def escape(part):
    """One part of a JSON Pointer."""
    return part.replace("~", "~0").replace("/", "~1")


def lone(text):
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def without_form(value, pointer):
    """Where a value holds what has no canonical form. For a name that is not told: no ruling places it."""
    if isinstance(value, Banned) or isinstance(value, str) and lone(value):
        yield pointer
    elif isinstance(value, dict):
        for name, member in value.items():
            if lone(name):
                yield OPEN
            yield from without_form(member, f"{pointer}/{escape(name)}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from without_form(item, f"{pointer}/{index}")


def settled(value):
    """A value without its open parts, and whether there were none."""
    if isinstance(value, dict):
        kept = {name: settled(member) for name, member in value.items() if member is not OPEN}
        whole = len(kept) == len(value) and all(part[1] for part in kept.values())
        return {name: part[0] for name, part in kept.items()}, whole
    if isinstance(value, list):
        kept = [settled(item) for item in value]
        return [part[0] for part in kept], all(part[1] for part in kept)
    return value, True


# Issues


def issue(level, stage, code, location, details=OPEN):
    return {"level": level, "stage": stage, "code": code, "location": location, "details": details}


def fail(stage, code, location, details=OPEN):
    return issue("FAIL", stage, code, location, details)


def issue_key(item):
    """Stage by index, an unknown one last by name; location; code; canonical details, absent ones as `{}`."""
    stage = ALIASES.get(item["stage"], item["stage"])
    place = (STAGES.index(stage), "") if stage in STAGES else (len(STAGES), stage)
    known, _ = settled(item)
    return place, known.get("location", ""), known.get("code", ""), canonical(known.get("details", {}))


def corrupt(path):
    return Failed(fail("lsi", "E_LSI_CORRUPT_RECORD", pointer_of(path)))


def pointer_of(path):
    """A record's path as a location."""
    return "".join("/" + escape(part) for part in path.split("/"))


# Layout


def token(text):
    """A run, turn, type or id as one path part. Dots alone would name a folder."""
    if text in (".", ".."):
        return text.replace(".", "%2E")
    for raw, escaped in (("%", "%25"), ("/", "%2F"), ("\\", "%5C"), (":", "%3A")):
        text = text.replace(raw, escaped)
    return text


def refused(location):
    return Failed(fail("base_shape", "E_BASE_SHAPE_INVALID_MANIFEST_VALUE", location))


def stem_of(text):
    """The stem in its one form, or a failure."""
    stem = text.replace("\\", "/").strip("/")
    control = any(unicodedata.category(letter) == "Cc" for letter in stem)
    if control or any(part in ("", ".", "..") for part in stem.split("/")):
        raise refused("/stem")
    return stem


def scope_of(run_id, turn_id):
    """The staging folder of a turn, or a failure."""
    if not run_id:
        raise refused("/run_id")
    if not TURN_ID.match(turn_id):
        raise refused("/turn_id")
    return f"index/staging/{token(run_id)}/{token(turn_id)}"


def triplet_path(scope, stem):
    return f"{scope}/triplets/{stem}.json"


def tombstone_path(scope, stem):
    return f"{scope}/triplets/{stem}.tombstone.json"


def refs_path(scope, kind, name):
    return f"{scope}/refs/by_id/{token(kind)}/{token(name)}.json"


def object_path(scope, name):
    return f"{scope}/objects/{name[:2]}/{name}"


# Records


def parse(octets, path, lawful):
    if octets is None:  # a folder
        raise corrupt(path)
    try:
        value = read(octets)
    except ValueError:
        raise corrupt(path) from None
    if not lawful(value):
        raise corrupt(path)
    return value


def readable(home, paths, lawful):
    """(name, record) of the records that can be read."""
    for name, path in paths:
        try:
            yield name, parse(home[path], path, lawful)
        except Failed:
            pass


def is_triplet(value):
    """The six members, as they have to be. An extra dto_type is let pass."""
    return (
        isinstance(value, dict)
        and set(value) - {"dto_type"} == set(TRIPLET)
        and all(isinstance(value[name], str) for name in TRIPLET)
        and all(DIGEST.match(value[f"{part}_digest"]) for part in ("body", "links", "manifest"))
        and value["lsi_version"] == LSI
    )


def is_source(value):
    return (
        isinstance(value, dict)
        and set(value) == set(SOURCE)
        and all(isinstance(value[name], str) or name == "relationship" and value[name] is None for name in SOURCE)
    )


def is_refs(value):
    return (
        isinstance(value, dict)
        and set(value) == {"lsi_version", "type", "id", "sources"}
        and value["lsi_version"] == LSI
        and isinstance(value["type"], str)
        and isinstance(value["id"], str)
        and isinstance(value["sources"], list)
        and all(map(is_source, value["sources"]))
    )


def is_ledger(value):
    return (
        isinstance(value, dict)
        and set(value) == {"lsi_version", "runs"}
        and value["lsi_version"] == LSI
        and isinstance(value["runs"], dict)
        and all(isinstance(turn, str) and TURN_ID.match(turn) for turn in value["runs"].values())
    )


def source_key(source):
    return source["stem"], source["location"], source["relationship"] or "", source["artifact_digest"]


def references(links):
    """(type, id, relationship, location) of every reference: single objects and items of arrays, no deeper."""
    for key in sorted(links):
        place, value = f"/links/{escape(key)}", links[key]
        many = isinstance(value, list)
        items = [(f"{place}/{index}", item) for index, item in enumerate(value)] if many else [(place, value)]
        for location, item in items:
            if isinstance(item, dict) and isinstance(item.get("type"), str) and isinstance(item.get("id"), str):
                relationship = item.get("relationship")
                yield item["type"], item["id"], relationship if isinstance(relationship, str) else None, location
