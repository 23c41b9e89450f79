"""The sealed comparator with one planted fault each: its source, in which a piece that occurs exactly once is replaced.

Every variant declares `sovereign.compare` in reference mode, where the comparator is what conforms.
"""

from comparator import COMPARATOR, STAGE_ORDER, Comparator, sealed
from register import enter

from atp import accept, serve

OPS = {"sovereign.compare": {"mode": ["reference"]}}


def source_with(patches):
    """The sealed source with its replacements."""
    source = sealed(COMPARATOR).decode("utf-8")
    for old, new in patches:
        if source.count(old) != 1:
            raise ValueError(f"occurs {source.count(old)} times in the sealed comparator: {old!r}")
        source = source.replace(old, new)
    return source


def serve_source(name, source, kind=Comparator):
    """Serves a comparator of this source."""
    serve(name, "1", OPS, kind(source.encode("utf-8"), sealed(STAGE_ORDER)).answer)


def honest_comparator():
    """Nothing: the sealed comparator as it is."""


enter(honest_comparator, "honest", {}, lambda: serve_source("honest-comparator", source_with([])))


def planted(*laws):
    """Enters a function that gives the replacements; the laws are the ones whose cases have to catch it."""

    def enter_it(function):
        name = function.__name__.replace("_", "-")
        return enter(function, "comparison", {"laws": list(laws)}, lambda: serve_source(name, source_with(function())))

    return enter_it


def swallows_aborts():
    """Takes every abort of the comparison for equivalence."""


class Swallowing(Comparator):
    """A comparator that hides its aborts."""

    def compare(self, bundle_a, bundle_b):
        answer = super().compare(bundle_a, bundle_b)
        if answer["is"] == "accept":
            return answer
        report = self.module["build_replay_report"]("", [], "EQUIVALENT", 0, {})
        return accept(report=self.module["canonical_serialize"](report).decode("utf-8"))


enter(
    swallows_aborts,
    "comparison",
    {"laws": ["sovereign/float-ban"]},
    lambda: serve_source("swallows-aborts", source_with([]), Swallowing),
)


@planted("sovereign/canonical-parity")
def decisions_as_objects():
    """Compares decision records as Python objects, so that 1 and true are one value."""
    return [("                if ba != bb:", "                if xa != xb:")]


@planted("sovereign/canonical-parity")
def members_unsorted():
    """Serializes members in the order in which they stand."""
    return [("        sort_keys=True,\n", "")]


@planted("sovereign/canonical-parity")
def escapes_beyond_ascii():
    """Hashes text with everything beyond ASCII escaped."""
    return [("        ensure_ascii=False\n", "        ensure_ascii=True\n")]


@planted("sovereign/canonical-parity")
def spaced_separators():
    """Hashes text with a space after commas and colons."""
    return [('separators=(",", ":"),', 'separators=(", ", ": "),')]


@planted("sovereign/canonical-parity")
def upper_case_digests():
    """Writes digests in upper case."""
    return [("return hashlib.sha256(b).hexdigest()", "return hashlib.sha256(b).hexdigest().upper()")]


@planted("sovereign/canonical-parity")
def integers_through_double():
    """Hashes integers after they have been doubles."""
    rounded = "lambda token: int(float(token)) if len(token) < 300 else int(token)"
    return [
        (
            "    return json.dumps(\n        obj,",
            f"    return json.dumps(\n        json.loads(json.dumps(obj), parse_int={rounded}),",
        )
    ]


@planted("sovereign/float-ban")
def floats_accepted():
    """Bans NaN alone and lets other floats through."""
    return [("if isinstance(x, float):", "if isinstance(x, float) and x != x:")]


@planted("sovereign/float-ban")
def floats_in_lists_accepted():
    """Does not look for floats inside arrays."""
    return [
        (
            "if isinstance(x, list):\n        return any(contains_forbidden_numbers(v) for v in x)",
            "if False:\n        pass",
        )
    ]


@planted("sovereign/float-ban")
def whole_floats_accepted():
    """Lets a float through whose value is whole."""
    return [("if isinstance(x, float):", "if isinstance(x, float) and not x.is_integer():")]


@planted("sovereign/safe-boundary")
def messages_compared():
    """Compares the messages of issues."""
    return [('if k != "message"}', "}")]


@planted("sovereign/safe-boundary")
def messages_nulled():
    """Sets the message of an issue to null instead of leaving it out."""
    return [('{k: v for k, v in issue.items() if k != "message"}', '{**issue, "message": None}')]


@planted("sovereign/issue-detail-parity")
def messages_in_details_dropped():
    """Leaves out members called message inside the details too."""
    return [
        (
            '{k: v for k, v in issue.items() if k != "message"}',
            '{k: {n: w for n, w in v.items() if n != "message"} if isinstance(v, dict) else v '
            'for k, v in issue.items() if k != "message"}',
        )
    ]


@planted("sovereign/safe-boundary")
def events_compared():
    """Compares the events of a turn."""
    return [
        (
            "        # 7. Issues",
            '        if ta.get("events") != tb.get("events"):\n'
            "            mismatches.extend(compare_issues(turn_id, [], "
            '[{"stage": "ci", "location": "/events", "code": "E", "details": {}}], stage_lookup))\n        # 7. Issues',
        )
    ]


@planted("sovereign/issue-detail-parity")
def details_not_in_the_key():
    """Leaves the details out of an issue's key."""
    return [('        sha256_hex(canonical_serialize(issue["details"]))\n', "")]


@planted("sovereign/issue-detail-parity")
def details_ignored():
    """Neither keys nor compares the details of an issue."""
    return [
        ('        sha256_hex(canonical_serialize(issue["details"]))\n', ""),
        ('if k != "message"}', 'if k not in ("message", "details")}'),
    ]


@planted("sovereign/issue-detail-parity")
def details_by_name_alone():
    """Puts the names of the details into the key, and not their values."""
    return [('canonical_serialize(issue["details"])', 'canonical_serialize(sorted(issue["details"]))')]


@planted("sovereign/issue-multiplicity")
def levels_ignored():
    """Leaves the level of an issue out of the comparison."""
    return [('if k != "message"}', 'if k not in ("message", "level")}')]


@planted("sovereign/issue-multiplicity")
def issues_as_a_set():
    """Takes two equal issues for one."""
    return [("if len(la_norm) != len(lb_norm):", "if bool(la_norm) != bool(lb_norm):")]


@planted("sovereign/issue-multiplicity")
def issues_in_file_order():
    """Pairs the issues of one key in the order in which they stand."""
    start = "(normalize_issue(x) for x in l{0}),\n            key=lambda x: "
    starts = [start.format(side) for side in "ab"]
    return [(start + "sha256_hex(canonical_serialize(x))", start + "0") for start in starts]


@planted("sovereign/issue-multiplicity")
def absent_issues_empty():
    """Writes the absent side of an issue as an empty list."""
    return [
        ("la_norm if la_norm else [missing_sentinel]", "la_norm"),
        ("lb_norm if lb_norm else [missing_sentinel]", "lb_norm"),
    ]


@planted("sovereign/issue-multiplicity")
def absent_issues_null():
    """Writes another placeholder for the absent side of an issue."""
    return [('missing_sentinel = {"_missing": True}', "missing_sentinel = None")]


@planted("sovereign/issue-multiplicity")
def absent_issues_owed():
    """Demands the member issues instead of taking its absence for none."""
    return [('ta.get("issues", [])', 'ta["issues"]'), ('tb.get("issues", [])', 'tb["issues"]')]


@planted("sovereign/issue-multiplicity")
def issues_of_one_side():
    """Looks for A's issues in B, and not for B's in A."""
    return [("sorted(set(keyed_a) | set(keyed_b))", "sorted(set(keyed_a))")]


@planted("sovereign/registry-lock")
def registry_unlocked():
    """Does not compare the registry digests."""
    return [('if bundle_a["registry_digest"] != bundle_b["registry_digest"]:', "if False:")]


@planted("sovereign/registry-lock")
def registry_lock_yields():
    """Lets the registry lock yield when the bundle digests differ too."""
    return [
        (
            '    if bundle_a["registry_digest"] !=',
            '    if bundle_a["digests"] == bundle_b["digests"] and bundle_a["registry_digest"] !=',
        )
    ]


@planted("sovereign/registry-lock")
def registry_error():
    """Reports the registry mismatch under status ERROR."""
    return [
        (
            'build_replay_report(run_id, mismatches, "DIVERGENT", 1, stage_lookup)\n\n    mismatches:',
            'build_replay_report(run_id, mismatches, "ERROR", 1, stage_lookup)\n\n    mismatches:',
        )
    ]


@planted("sovereign/path-selection")
def first_path_alone():
    """Tries the first path and no other."""
    return [('sorted(turn_entry["paths"])', 'sorted(turn_entry["paths"])[:1]')]


@planted("sovereign/path-selection")
def paths_as_listed():
    """Tries the paths in the order in which they stand."""
    return [('sorted(turn_entry["paths"])', 'turn_entry["paths"]')]


@planted("sovereign/path-selection")
def paths_by_letter():
    """Sorts paths without regard to letter case, as a locale does."""
    return [('sorted(turn_entry["paths"])', 'sorted(turn_entry["paths"], key=lambda p: (p.lower(), p))')]


@planted("sovereign/path-selection")
def paths_by_utf16():
    """Sorts paths by UTF-16 unit."""
    return [
        (
            'sorted(turn_entry["paths"])',
            'sorted(turn_entry["paths"], key=lambda p: p.encode("utf-16-be", "surrogatepass"))',
        )
    ]


@planted("sovereign/path-selection")
def malformed_skipped():
    """Goes on to the next path when a file is not JSON."""
    return [("        except OSError:\n", "        except (OSError, ValueError):\n")]


@planted("sovereign/path-selection")
def mark_skipped():
    """Reads a turn file that begins with a byte order mark."""
    return [
        (
            "                return json.load(f)\n        except",
            '                return json.loads(f.read().lstrip("\\ufeff"))\n        except',
        )
    ]


@planted("sovereign/path-selection")
def folders_end_the_search():
    """Goes on to the next path after an absent file, and not after a folder or a loop of links."""
    narrow = "        except FileNotFoundError:\n            continue\n        except OSError:\n            break\n"
    return [("        except OSError:\n            continue\n", narrow)]


@planted("sovereign/report-ordering")
def report_unsorted():
    """Leaves mismatches in the order in which they were found."""
    return [('"mismatches": mismatches_sorted', '"mismatches": mismatches')]


@planted("sovereign/report-ordering")
def surface_before_ordinal():
    """Sorts the report by surface before ordinal."""
    return [('m["ordinal"],\n            m["surface"],', 'm["surface"],\n            m["ordinal"],')]


@planted("sovereign/report-ordering")
def path_before_surface():
    """Sorts the report by path before surface."""
    return [('m["surface"],\n            m["path"]', 'm["path"],\n            m["surface"]')]


@planted("sovereign/report-ordering")
def ordinals_as_text():
    """Sorts ordinals as text, 10 before 2."""
    return [('m["ordinal"],\n            m["surface"],', 'str(m["ordinal"]),\n            m["surface"],')]


@planted("sovereign/report-ordering")
def stages_by_name():
    """Sorts stages by name instead of by the stage order."""
    return [('stage_lookup.get(m["stage_name"], 99)', 'm["stage_name"]')]


@planted("sovereign/issue-multiplicity")
def unknown_stage_key_first():
    """Walks issues of an unknown stage before the others."""
    return [('stage_lookup.get(issue["stage"], 99)', 'stage_lookup.get(issue["stage"], -1)')]


@planted("sovereign/report-ordering")
def turns_by_number():
    """Sorts turns of the report by length first, so that turn-10 follows turn-9."""
    return [
        (
            '            m["turn_id"],\n            stage_lookup',
            '            (len(m["turn_id"]), m["turn_id"]),\n            stage_lookup',
        )
    ]


@planted("sovereign/contract-stage-order")
def stages_renumbered():
    """Sorts the stages of the document by name before it numbers them."""
    return [("enumerate(order)", "enumerate(sorted(order))")]


@planted("sovereign/contract-stage-order")
def first_index_stands():
    """Keeps the first index of a stage that is named twice."""
    return [("{name: idx for idx, name in enumerate(order)}", "{name: order.index(name) for name in order}")]
