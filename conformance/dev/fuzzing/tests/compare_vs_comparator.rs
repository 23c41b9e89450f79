//! `compare_vs_comparator` finds planted bugs: copies of the sealed comparator in which one line is another.
use assize_fuzzing::oracles::comparator::{agree, same};
use assize_inputs::{Pair, seed::noise};
use assize_oracle::{AbortClass, Comparator, Outcome, comparator_source};

/// Most pairs that a bug may stay hidden for.
const PAIRS: u64 = 4_000;

/// A line's part in the sealed source, which stands there once, and what the copy has instead; with the law that it breaks.
const PLANTED: &[(&str, &str, &str)] = &[
    ("safe boundary: the message is kept", r#"if k != "message"}"#, r#"if k != "messages"}"#),
    ("issue detail parity: details are not part of the key", r#"canonical_serialize(issue["details"])"#, "b''"),
    ("issue multiplicity: counts are not compared", "if len(la_norm) != len(lb_norm):", "if False:"),
    ("report ordering: without the ordinal", r#"            m["ordinal"],"#, "            0,"),
    ("report ordering: stages by name", r#"stage_lookup.get(m["stage_name"], 99)"#, r#"m["stage_name"]"#),
    ("registry lock: no comparison", r#"if bundle_a["registry_digest"] != bundle_b["registry_digest"]:"#, "if False:"),
    (
        "registry lock: digests exchanged",
        r#""expected_digest": bundle_a["registry_digest"],"#,
        r#""expected_digest": bundle_b["registry_digest"],"#,
    ),
    (
        "path selection: the first path is final",
        "        except OSError:\n            continue",
        "        except OSError:\n            break",
    ),
    ("path selection: paths as they stand", r#"in sorted(turn_entry["paths"]):"#, r#"in turn_entry["paths"]:"#),
    (
        "path selection: paths by UTF-16 units",
        r#"sorted(turn_entry["paths"])"#,
        r#"sorted(turn_entry["paths"], key=lambda p: p.encode("utf-16-be", "surrogatepass"))"#,
    ),
    ("float ban: floats pass", "        return True\n", "        return False\n"),
    ("canonical parity: members as they stand", "        sort_keys=True,", "        sort_keys=False,"),
    ("canonical parity: beyond ASCII escaped", "ensure_ascii=False", "ensure_ascii=True"),
    (
        "decisions as they stand",
        r#"db = sorted(tb["capabilities"]["decisions"], key=lambda d: d["ordinal"])"#,
        r#"db = list(tb["capabilities"]["decisions"])"#,
    ),
    (
        "surface list: the last bundle digest is not compared",
        r#"("policy_digest", "runtime_profile_digest", "contract_registry_snapshot_digest")"#,
        r#"("policy_digest", "runtime_profile_digest")"#,
    ),
    (
        "surface list: turns of B alone go unseen",
        "for turn_id in sorted(set(turns_a) | set(turns_b)):",
        "for turn_id in sorted(set(turns_a)):",
    ),
    ("report identity: report_id stays in", r#"    tmp["report_id"] = None"#, r#"    tmp["report_id"] = """#),
];

/// The copy with one part exchanged.
fn copy(find: &str, replace: &str) -> String {
    let sealed = comparator_source();
    assert_eq!(sealed.matches(find).count(), 1, "{find}");
    sealed.replacen(find, replace, 1)
}

/// The pairs that the stream of strings of `tests/targets.rs` stands for, told by their number.
fn stream() -> impl Iterator<Item = (u64, Pair)> {
    (0..PAIRS).map(|seed| (seed, Pair::from_bytes(&noise(seed, usize::try_from(seed * 37 % 2_048).unwrap()))))
}

#[test]
fn every_planted_bug_is_found() {
    let mut hidden = Vec::new();
    for (law, find, replace) in PLANTED {
        let planted = Comparator::of(&copy(find, replace)).unwrap_or_else(|error| panic!("{law}: {error}"));
        match stream().find(|(_, pair)| agree(&planted, pair).is_err()) {
            Some((number, _)) => println!("{:5} pairs: {law}", number + 1),
            None => hidden.push(law),
        }
    }
    assert!(hidden.is_empty(), "not found in {PAIRS} pairs: {hidden:?}");
}

/// A copy that changes nothing is not taken for a bug: what is found above stems from the changed line.
#[test]
fn a_harmless_copy_agrees() {
    let harmless = copy("# 7. Issues (Safe Boundary + IssueKey multimap)", "# 7. Issues");
    let harmless = Comparator::of(&harmless).unwrap();
    for (number, pair) in stream().take(300) {
        agree(&harmless, &pair).unwrap_or_else(|why| panic!("pair {number}: {why}"));
    }
}

#[test]
fn outcomes_differ_by_class_and_by_byte() {
    let report = |text: &str| Outcome::Report(text.as_bytes().to_vec());
    assert!(same(&report("{}"), &report("{}")).is_ok());
    assert!(same(&report("{}"), &report("{ }")).is_err());
    assert!(same(&report("{}"), &Outcome::Abort(AbortClass::KeyError)).is_err());
    assert!(same(&Outcome::Abort(AbortClass::TypeError), &Outcome::Abort(AbortClass::KeyError)).is_err());
}
