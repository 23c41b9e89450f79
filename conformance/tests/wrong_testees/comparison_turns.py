"""More wrong variants of the sealed comparator: how it joins turns, compares records and states its result."""

from comparison import planted

TRANSITIONS = '("prior_state_digest", "proposed_state_digest", "inputs_digest")'
FINAL = "    # 8. Final report\n    if mismatches:\n        return build_replay_report(run_id, mismatches, "
SORTED = '{0} = sorted(t{1}["capabilities"]["decisions"], key=lambda d: d["ordinal"])'


@planted("sovereign/single-emission")
def decisions_as_listed():
    """Pairs decisions by their position in the file instead of their ordinal."""
    return [
        (SORTED.format("da", "a"), 'da = list(ta["capabilities"]["decisions"])'),
        (SORTED.format("db", "b"), 'db = list(tb["capabilities"]["decisions"])'),
    ]


@planted("sovereign/single-emission")
def repeated_decisions_collapse():
    """Keeps one decision of those that share an ordinal."""
    return [
        (
            SORTED.format(f"d{side}", side),
            SORTED.format(f"d{side}", side)
            .replace("sorted(", "sorted({d['ordinal']: d for d in ")
            .replace("], key", "]}.values(), key"),
        )
        for side in "ab"
    ]


@planted("sovereign/single-emission")
def extra_decisions_ignored():
    """Compares as many decisions as both sides have and ignores the rest."""
    return [("        if len(da) != len(db):", "        if False:")]


@planted("sovereign/canonical-parity")
def counts_and_records():
    """Reports unequal counts of decisions and compares the records as well."""
    return [("        else:\n            for i, (xa, xb)", "        if True:\n            for i, (xa, xb)")]


@planted("sovereign/single-emission")
def ordinal_in_the_path():
    """Ends the path of a decision in its ordinal instead of its rank."""
    return [('f"/capabilities/decisions/{i}"', "f\"/capabilities/decisions/{xa['ordinal']}\"")]


@planted("sovereign/single-emission")
def ordinal_of_the_other_side():
    """Reports B's ordinal of a decision instead of A's."""
    return [('"ordinal": xa["ordinal"]', '"ordinal": xb["ordinal"]')]


@planted("sovereign/single-emission")
def rank_for_ordinal():
    """Reports the rank of a decision where its ordinal belongs."""
    return [('"ordinal": xa["ordinal"]', '"ordinal": i')]


@planted("sovereign/single-emission")
def decision_sides_swapped():
    """Calls A's digest of a decision the actual one and B's the expected one."""
    return [
        ('"expected_digest": sha256_hex(ba)', '"expected_digest": sha256_hex(bb)'),
        ('"actual_digest": sha256_hex(bb)', '"actual_digest": sha256_hex(ba)'),
    ]


@planted("sovereign/deny-precedence")
def deny_codes_ignored():
    """Leaves the deny code out of a decision's comparison."""
    return [
        ("ba = canonical_serialize(xa)", 'ba = canonical_serialize({k: v for k, v in xa.items() if k != "deny_code"})'),
        ("bb = canonical_serialize(xb)", 'bb = canonical_serialize({k: v for k, v in xb.items() if k != "deny_code"})'),
    ]


@planted("sovereign/canonical-parity")
def decision_ids_alone():
    """Compares decisions by their ids, which both sides have computed themselves."""
    return [
        (
            "                if ba != bb:",
            '                if ba != bb and xa.get("decision_id") != xb.get("decision_id"):',
        )
    ]


@planted("sovereign/surface-list")
def transition_ignored():
    """Compares no transition digest."""
    return [('if ta["transition"][field] != tb["transition"][field]:', "if False:")]


@planted("sovereign/surface-list")
def inputs_digest_ignored():
    """Compares the two state digests of a transition, and not the digest of its inputs."""
    return [(TRANSITIONS, '("prior_state_digest", "proposed_state_digest")')]


@planted("sovereign/surface-list")
def bundle_digests_ignored():
    """Compares none of the three bundle digests."""
    return [('        if bundle_a["digests"][dk] != bundle_b["digests"][dk]:', "        if False:")]


@planted("sovereign/surface-list")
def snapshot_digest_ignored():
    """Does not compare the digest of the contract registry snapshot."""
    return [('"runtime_profile_digest", "contract_registry_snapshot_digest")', '"runtime_profile_digest")')]


@planted("sovereign/surface-list")
def turn_digest_ignored():
    """Does not compare the digests that the bundles state for a turn."""
    return [('if ta_entry["turn_result_digest"] != tb_entry["turn_result_digest"]:', "if False:")]


@planted("sovereign/surface-list")
def turn_digest_decides():
    """Believes equal turn digests and does not open the files."""
    return [
        (
            "        # 4b. Load TurnResult",
            '        if ta_entry["turn_result_digest"] == tb_entry["turn_result_digest"]:\n            continue\n'
            "        # 4b. Load TurnResult",
        )
    ]


@planted("sovereign/canonical-parity")
def digests_without_case():
    """Compares turn digests without regard to letter case."""
    return [
        (
            'if ta_entry["turn_result_digest"] != tb_entry["turn_result_digest"]:',
            'if str(ta_entry["turn_result_digest"]).lower() != str(tb_entry["turn_result_digest"]).lower():',
        )
    ]


@planted("sovereign/surface-list")
def turns_of_one_side():
    """Looks for A's turns in B, and not for B's in A."""
    return [("sorted(set(turns_a) | set(turns_b))", "sorted(set(turns_a))")]


@planted("sovereign/surface-list")
def missing_turns_ignored():
    """Compares the turns that both bundles have, and reports none that one lacks."""
    return [
        (
            "        if ta_entry is None or tb_entry is None:\n",
            "        if ta_entry is None or tb_entry is None:\n            continue\n",
        )
    ]


@planted("sovereign/contract-replay-bundle")
def first_turn_entry_stands():
    """Keeps the first of two entries of one turn."""
    return [
        (f'for t in bundle_{side}["turn_results"]}}', f'for t in reversed(bundle_{side}["turn_results"])}}')
        for side in "ab"
    ]


@planted("sovereign/contract-replay-bundle")
def members_in_other_order():
    """Looks for the members of a bundle in another order, and so reports another one of several missing."""
    return [
        (
            '("contract_version", "run_envelope", "registry_digest", "digests", "turn_results")',
            '("turn_results", "contract_version", "run_envelope", "registry_digest", "digests")',
        )
    ]


@planted("sovereign/contract-replay-bundle")
def members_of_a_alone():
    """Looks for missing members in A alone."""
    return [("if k not in bundle_a or k not in bundle_b:", "if k not in bundle_a:")]


@planted("sovereign/path-selection")
def missing_turn_stops():
    """Stops at the first turn that cannot be loaded."""
    entry = '"reason_code": "E_REPLAY_INPUT_MISSING",\n                "diagnostic": None\n            })\n            '
    return [(entry + "continue", entry + "break")]


@planted("sovereign/contract-replay-report")
def divergence_exits_with_0():
    """Gives a divergent report the exit code 0."""
    return [(FINAL + '"DIVERGENT", 1', FINAL + '"DIVERGENT", 0')]


@planted("sovereign/contract-replay-report")
def divergence_exits_with_2():
    """Gives a divergent report the exit code 2."""
    return [(FINAL + '"DIVERGENT", 1', FINAL + '"DIVERGENT", 2')]


@planted("sovereign/contract-replay-report")
def mismatches_are_errors():
    """Gives every report with mismatches the status ERROR."""
    return [(FINAL + '"DIVERGENT"', FINAL + '"ERROR"')]


@planted("sovereign/contract-replay-report")
def run_id_of_b():
    """Writes B's run_id into the report."""
    return [('run_id = bundle_a["run_envelope"]["run_id"]', 'run_id = bundle_b["run_envelope"]["run_id"]')]


@planted("sovereign/report-identity")
def report_id_left_out():
    """Leaves report_id out of the hashed report instead of setting it to null."""
    return [('tmp["report_id"] = None', 'del tmp["report_id"]')]


@planted("sovereign/report-identity")
def diagnostics_left_out():
    """Leaves diagnostics out of the hashed report instead of setting them to null."""
    return [('m["diagnostic"] = None', 'del m["diagnostic"]')]


@planted("sovereign/report-identity")
def report_id_of_the_mismatches():
    """Hashes the mismatches alone for the report's identity."""
    return [
        (
            "    return sha256_hex(canonical_serialize(tmp))",
            '    return sha256_hex(canonical_serialize(tmp["mismatches"]))',
        )
    ]


@planted("sovereign/report-identity")
def report_id_without_run():
    """Leaves the run out of the report's identity."""
    return [('tmp["report_id"] = None', 'tmp["report_id"] = tmp["run_id"] = None')]


@planted("sovereign/report-identity")
def report_id_with_line_feed():
    """Hashes the report with a line feed at its end."""
    return [
        ("    return sha256_hex(canonical_serialize(tmp))", '    return sha256_hex(canonical_serialize(tmp) + b"\\n")')
    ]


@planted("sovereign/report-ordering")
def report_id_before_sorting():
    """Computes the report's identity before the mismatches are sorted."""
    return [
        (
            '    report["report_id"] = compute_report_id(report)',
            '    report["report_id"] = compute_report_id({**report, "mismatches": mismatches})',
        )
    ]
