//! What each difference between an answer and an expectation weighs.

use std::collections::{BTreeMap, BTreeSet};

use super::{Judgement, Mismatch, Outcome};
use crate::{
    node::Node,
    operation,
    vector::{Bound, Case, Expect, Force, Verdict, Weight},
};

/// On what terms answers are judged: what the one who asks leaves out, and what the one who answers did not declare.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    /// Rulings that are left out: what they decide binds as a convention.
    pub without: BTreeSet<String>,
    /// Optional outputs that are not compared, by operation.
    pub undeclared: BTreeMap<String, BTreeSet<String>>,
}

impl Terms {
    fn force(&self, force: &Force) -> Force {
        match force {
            Force::Ruling(id) if self.without.contains(id) => Force::Interface,
            other => other.clone(),
        }
    }

    /// Whether an output of an operation is not compared.
    #[must_use]
    pub fn omits(&self, op: &str, output: &str) -> bool {
        self.undeclared.get(op).is_some_and(|outputs| outputs.contains(output))
    }
}

/// Whether a code is registered by a specification: not one of the protocol's own, and not the name of a law.
#[must_use]
pub fn is_registered(code: &str) -> bool {
    !code.starts_with("A_") && !code.contains('/') && code != "ABORT"
}

/// What a part of an answer weighs, by its pointer, where nothing was expected; nothing for one that is not compared.
pub(super) fn surplus<'c>(case: &'c Case, terms: &'c Terms) -> impl Fn(&str) -> Option<Weight> + 'c {
    let bound = Bound::new(&case.force, operation::table().find(&case.op).map(|operation| &operation.force));
    move |pointer| {
        let omitted = output(pointer).is_some_and(|name| terms.omits(&case.op, name));
        (!omitted).then(|| terms.force(bound.at(pointer)).weight())
    }
}

/// Gives every mismatch its force, and the judgement that of the strongest.
pub(super) fn weigh(case: &Case, expect: &Expect, terms: &Terms, mut judgement: Judgement) -> Judgement {
    let operation = operation::table().find(&case.op);
    let bound = Bound::new(&case.force, operation.map(|operation| &operation.force));
    judgement.mismatches.retain(|mismatch| !output(&mismatch.pointer).is_some_and(|name| terms.omits(&case.op, name)));
    // What a comparison has weighed itself is the same for every case.
    for mismatch in judgement.mismatches.iter_mut().filter(|mismatch| mismatch.force.is_none()) {
        let wrong_verdict = judgement.outcome == Outcome::WrongVerdict;
        let force = if wrong_verdict || mismatch.pointer == "/codes" && codes_bind(expect, mismatch) {
            bound.at("/is")
        } else if mismatch.pointer == "/codes" {
            &Force::Interface
        } else {
            place(bound, mismatch)
        };
        mismatch.force = Some(terms.force(force));
    }
    judgement.force = judgement.mismatches.iter().filter_map(|mismatch| Some(mismatch.force.as_ref()?.weight())).max();
    if judgement.mismatches.is_empty() {
        judgement.outcome = Outcome::Pass;
    } else if judgement.outcome == Outcome::WrongCode
        && judgement.mismatches.iter().all(|found| found.pointer != "/codes")
    {
        judgement.outcome = Outcome::WrongOutput;
    }
    judgement
}

/// The output that a pointer leads into.
fn output(pointer: &str) -> Option<&str> {
    pointer.strip_prefix("/out/")?.split('/').next()
}

/// Whether the registered codes differ from those that the expectation has.
fn codes_bind(expect: &Expect, mismatch: &Mismatch) -> bool {
    let owed: BTreeSet<&str> = expect.codes.iter().map(String::as_str).filter(|code| is_registered(code)).collect();
    let given = match &mismatch.actual {
        Some(Node::Array(codes)) => codes.iter().filter_map(Node::text).filter(|code| is_registered(code)).collect(),
        _ => BTreeSet::new(),
    };
    expect.is == Verdict::Reject && !owed.is_empty() && owed != given
}

/// What is absent, or there as something else, takes the strongest force of everything that is expected there.
fn place<'c>(bound: Bound<'c>, mismatch: &Mismatch) -> &'c Force {
    let same_kind = |expected: &Node, actual: &Node| std::mem::discriminant(expected) == std::mem::discriminant(actual);
    match (&mismatch.expected, &mismatch.actual) {
        (Some(expected), None) => bound.strongest(&mismatch.pointer, expected),
        (Some(expected), Some(actual)) if !same_kind(expected, actual) => bound.strongest(&mismatch.pointer, expected),
        _ => bound.at(&mismatch.pointer),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        agreement::judge,
        testee::{Answer, Output},
    };

    fn case(op: &str, force: &str, agreement: &str, expect: &str, any_of: &str) -> Case {
        let text = format!(
            r#"{{"id":"canon/sovereign/a","op":"{op}","spec":{{"document":"d","section":"s"}},"force":{force},"rationale":"r",
                "provenance":"hand","expect":{expect},"any_of":{any_of},"agreement":"{agreement}"}}"#
        );
        Case::parse("a.json", text.as_bytes()).unwrap()
    }

    fn weighed(case: &Case, answer: &Answer) -> (Outcome, Option<Weight>) {
        let judgement = judge(case, answer, &Terms::default());
        (judgement.outcome, judgement.force)
    }

    fn bytes(text: &str) -> Answer {
        Answer::accept([("bytes", Output::Bytes(text.as_bytes().to_vec()))])
    }

    fn report(text: &str) -> Answer {
        Answer::accept([("report", Output::Doc(text.to_owned()))])
    }

    fn reject(codes: &[&str]) -> Answer {
        Answer::Reject { codes: codes.iter().map(ToString::to_string).collect(), out: BTreeMap::new() }
    }

    const INTERFACE: Option<Weight> = Some(Weight::Interface);
    const RULING: Option<Weight> = Some(Weight::Ruling);
    const SPEC: Option<Weight> = Some(Weight::Spec);

    #[test]
    fn of_lawful_answers_each_passes_and_is_numbered_and_no_other_does() {
        let rounds = r#"{"is":"accept","out":{"bytes":{"text":"9007199254740992"}}}"#;
        let refuses = r#"[{"is":"reject","codes":["A_VALUE"]}]"#;
        let case = case("canon.bytes", r#"{"/is":"permitted","/out/bytes":"spec"}"#, "located", rounds, refuses);
        let behaviour = |answer: &Answer| judge(&case, answer, &Terms::default()).behaviour;
        assert_eq!(behaviour(&bytes("9007199254740992")), Some(1));
        assert_eq!(behaviour(&reject(&["A_VALUE"])), Some(2));
        assert_eq!(weighed(&case, &reject(&["A_JSON"])), (Outcome::WrongCode, INTERFACE));
        assert_eq!(weighed(&case, &bytes("9007199254740993")), (Outcome::WrongOutput, SPEC));
        assert_eq!(behaviour(&bytes("9007199254740993")), None);
    }

    #[test]
    fn a_wrong_verdict_weighs_as_the_verdict_and_shows_the_answer() {
        for (force, weight) in [("spec", SPEC), ("ruling EP-26", RULING), ("permitted", SPEC), ("interface", INTERFACE)]
        {
            let force = format!(r#"{{"/is":"{force}"}}"#);
            let case = case("canon.bytes", &force, "located", r#"{"is":"reject","codes":["A_VALUE"]}"#, "[]");
            assert_eq!(weighed(&case, &bytes("1")), (Outcome::WrongVerdict, weight), "{force}");
            let mismatches = judge(&case, &bytes("1"), &Terms::default()).mismatches;
            assert_eq!(mismatches[1].to_string(), r#"/out: expected nothing, got {"bytes":{"base64":"MQ=="}}"#);
        }
    }

    #[test]
    fn registered_codes_bind_as_the_verdict_and_all_others_as_a_convention() {
        let case = |codes: &str| {
            case(
                "canon.bytes",
                r#""ruling NUM-02""#,
                "located",
                &format!(r#"{{"is":"reject","codes":[{codes}]}}"#),
                "[]",
            )
        };
        let own = case(r#""A_JSON","reply/type-closed""#);
        assert_eq!(weighed(&own, &reject(&["A_VALUE"])), (Outcome::WrongCode, INTERFACE));
        assert_eq!(weighed(&own, &reject(&["E_CANONICALIZATION_ERROR"])), (Outcome::WrongCode, INTERFACE));
        let registered = case(r#""E_CANONICALIZATION_ERROR","A_JSON""#);
        assert_eq!(weighed(&registered, &reject(&["E_CANONICALIZATION_ERROR", "A_JSON"])), (Outcome::Pass, None));
        assert_eq!(weighed(&registered, &reject(&["E_CANONICALIZATION_ERROR"])), (Outcome::WrongCode, INTERFACE));
        assert_eq!(weighed(&registered, &reject(&["A_JSON"])), (Outcome::WrongCode, RULING));
        assert_eq!(
            weighed(&registered, &reject(&["E_OTHER", "E_CANONICALIZATION_ERROR"])),
            (Outcome::WrongCode, RULING)
        );
    }

    #[test]
    fn an_answer_weighs_as_its_strongest_difference() {
        let force = r#"{"/is":"spec","/out/report/note":"interface","/out/report/rows/*/at":"ruling ORD-01"}"#;
        let expect = r#"{"is":"accept","out":{"report":{"note":1,"rows":[{"at":2,"code":3}]}}}"#;
        let exact = case("sovereign.compare", force, "exact", expect, "[]");
        let weight = |text: &str| weighed(&exact, &report(text)).1;
        assert_eq!(weight(r#"{"note":1,"rows":[{"at":2,"code":3}]}"#), None);
        assert_eq!(weight(r#"{"note":9,"rows":[{"at":2,"code":3}]}"#), INTERFACE);
        assert_eq!(weight(r#"{"note":9,"rows":[{"at":9,"code":3}]}"#), RULING);
        assert_eq!(weight(r#"{"note":9,"rows":[{"at":9,"code":9}]}"#), SPEC);
        // What is absent, or of another kind, weighs as everything that was expected there.
        assert_eq!(weight(r#"{"rows":[{"at":2,"code":3}]}"#), INTERFACE);
        assert_eq!(weight(r#"{"note":1,"rows":[]}"#), SPEC);
        assert_eq!(weight(r#"{"note":1,"rows":[{"code":3}]}"#), RULING);
        assert_eq!(weight(r#"{"note":1,"rows":null}"#), SPEC);
        // The spelling of an answer is a convention, also where the place of the document is ordered; what it says is not.
        assert_eq!(weight(r#"{"note":1, "rows":[{"at":2,"code":3}]}"#), INTERFACE);
        assert_eq!(weight(r#"{"rows":[{"code":3,"at":2}],"note":1}"#), INTERFACE);
        assert_eq!(weight(r#"{"note":1, "rows":[{"at":9,"code":3}]}"#), RULING);
        assert_eq!(weight(r#"{"note":1, "rows":[{"at":2,"code":9}]}"#), SPEC);
        assert_eq!(weight(r#"{"note":1, "rows":["#), SPEC);
    }

    #[test]
    fn what_is_left_out_or_undeclared_condemns_nobody() {
        let expect = r#"{"is":"accept","out":{"advice":[],"bytes":{"text":"1"}}}"#;
        let force = r#"{"/is":"ruling EP-26","/out/bytes":"spec"}"#;
        let case = case("canon.bytes", force, "located", expect, "[]");
        let without = Terms { without: ["EP-26".to_owned()].into(), ..Terms::default() };
        let refused = reject(&["A_VALUE"]);
        assert_eq!(judge(&case, &refused, &Terms::default()).force, RULING);
        assert_eq!(judge(&case, &refused, &without).force, INTERFACE);
        let undeclared = [("canon.bytes".to_owned(), ["advice".to_owned()].into())].into();
        let undeclared = Terms { undeclared, ..Terms::default() };
        assert_eq!(judge(&case, &bytes("1"), &undeclared).outcome, Outcome::Pass);
        assert_eq!(judge(&case, &bytes("1"), &Terms::default()).force, RULING);
        let given = Answer::accept([("bytes", Output::Bytes(b"2".to_vec())), ("advice", Output::Value(json!([1])))]);
        assert_eq!(judge(&case, &given, &undeclared).force, SPEC);
    }

    #[test]
    fn of_very_many_surplus_parts_some_are_told_and_the_heaviest_counts() {
        let force = r#"{"/is":"spec","/out/report":"interface","/out/report/y":"ruling EP-26","/out/report/z":"spec"}"#;
        let exact = case("sovereign.compare", force, "exact", r#"{"is":"accept","out":{"report":{}}}"#, "[]");
        let members = |last: &str| {
            let many: Vec<String> = (1000..6000).map(|name| format!(r#""m{name}":0"#)).collect();
            judge(&exact, &report(&format!("{{{}{last}}}", many.join(","))), &Terms::default())
        };
        for (last, heavy, weight) in
            [("", 0, INTERFACE), (r#","y":0"#, 1, RULING), (r#","y":0,"z":0"#, 2, SPEC), (r#","z":0,"zz":0"#, 1, SPEC)]
        {
            let found = members(last);
            assert_eq!((found.force, found.mismatches.len()), (weight, 1000 + heavy), "{last}");
            assert_eq!(found.untold, 4000 + usize::from(last.contains("zz")), "{last}");
        }
        let array = case("sovereign.compare", force, "exact", r#"{"is":"accept","out":{"report":[]}}"#, "[]");
        let zeros = report(&format!("[{}]", vec!["0"; 5000].join(",")));
        let found = judge(&array, &zeros, &Terms::default());
        assert_eq!((found.mismatches.len(), found.untold, found.force), (1000, 4000, INTERFACE));
    }

    #[test]
    fn very_many_parts_of_an_undeclared_output_condemn_nobody() {
        let expect = r#"{"is":"accept","out":{"advice":[],"bytes":{"text":"1"}}}"#;
        let case = case("canon.bytes", r#""spec""#, "located", expect, "[]");
        let undeclared = [("canon.bytes".to_owned(), ["advice".to_owned()].into())].into();
        let terms = Terms { undeclared, ..Terms::default() };
        let advice = Output::Value(json!(vec![0; 5000]));
        let answer = |bytes: &[u8]| {
            let answer = [("bytes", Output::Bytes(bytes.to_vec())), ("advice", advice.clone())];
            judge(&case, &Answer::accept(answer), &terms)
        };
        assert_eq!((answer(b"1").outcome, answer(b"1").untold), (Outcome::Pass, 0));
        let found = answer(b"2");
        assert_eq!((found.force, found.mismatches.len(), found.untold), (SPEC, 1, 0));
    }

    #[test]
    fn of_several_alternatives_the_lightest_decides() {
        let force = r#"{"/is":"spec","/out/bytes":"interface"}"#;
        let case = case(
            "canon.bytes",
            force,
            "located",
            r#"{"is":"reject","codes":["A_JSON"]}"#,
            r#"[{"is":"accept","out":{"bytes":{"text":"1"}}}]"#,
        );
        assert_eq!(weighed(&case, &bytes("2")), (Outcome::WrongOutput, INTERFACE));
    }

    #[test]
    fn no_answer_is_against_the_specification() {
        let case = case("canon.bytes", r#""interface""#, "verdict", r#"{"is":"accept"}"#, "[]");
        let fault = Answer::Fault { kind: "panic".to_owned(), message: "m".to_owned() };
        assert_eq!(weighed(&case, &fault), (Outcome::Fault, SPEC));
    }
}
