//! Where two answers to one question part, when neither of them is the expected one.
//!
//! Agreement is `exact` (`vectors/README.md`). Used to tell what two implementations disagree about; that they agree
//! says nothing about either being right.

use super::{
    Mismatch, Outputs,
    difference::{self, Found},
    set, word,
};
use crate::{
    node::{Node, push},
    testee::{Answer, Output},
};

/// The places where the answer of `theirs` is another than that of `ours`, but for what there is too much of. Answers that are not a
/// judgement part as a whole, at the empty pointer; what they say for people is not looked at.
#[must_use]
pub fn between(ours: &Answer, theirs: &Answer) -> Vec<Mismatch> {
    let mut found = Found::between();
    let (ours_accept, ours_codes, ours_out) = judged(ours);
    let (theirs_accept, theirs_codes, theirs_out) = judged(theirs);
    if ours_accept != theirs_accept {
        let at = |answer: Option<bool>| Some(answer.map_or_else(|| Node::Text("no judgement".to_owned()), word));
        return vec![Mismatch::new("/is", at(ours_accept), at(theirs_accept))];
    }
    if ours_codes != theirs_codes {
        let (expected, actual) = (ours_codes.map(set), theirs_codes.map(set));
        found.mismatches.push(Mismatch::new("/codes", expected, actual));
    }
    let empty = Outputs::new();
    let (ours_out, theirs_out) = (ours_out.unwrap_or(&empty), theirs_out.unwrap_or(&empty));
    for name in ours_out.keys().chain(theirs_out.keys().filter(|name| !ours_out.contains_key(*name))) {
        let mut pointer = "/out".to_owned();
        push(&mut pointer, name);
        outputs(ours_out.get(name), theirs_out.get(name), pointer, &mut found);
    }
    found.mismatches
}

type Judged<'a> = (Option<bool>, Option<&'a std::collections::BTreeSet<String>>, Option<&'a Outputs>);

fn judged(answer: &Answer) -> Judged<'_> {
    match answer {
        Answer::Accept { out } => (Some(true), None, Some(out)),
        Answer::Reject { codes, out } => (Some(false), Some(codes), Some(out)),
        Answer::Unsupported { .. } | Answer::Fault { .. } => (None, None, None),
    }
}

fn outputs(ours: Option<&Output>, theirs: Option<&Output>, mut pointer: String, found: &mut Found<'_>) {
    match (ours, theirs) {
        (Some(Output::Value(ours)), Some(Output::Value(theirs))) => {
            difference::nodes(&Node::from(ours), &Node::from(theirs), difference::Extent::WHOLE, &mut pointer, found);
        }
        (Some(Output::Doc(ours)), Some(Output::Doc(theirs))) if ours != theirs => {
            let before = found.mismatches.len();
            if let (Ok(ours), Ok(theirs)) = (Node::parse(ours), Node::parse(theirs)) {
                difference::nodes(&ours, &theirs, difference::Extent::WHOLE, &mut pointer, found);
            }
            // Another spelling of the same value, or a text that this reader does not take.
            if found.mismatches.len() == before {
                let text = |text: &str| Node::Text(text.to_owned());
                found.add(pointer, text(ours), Some(text(theirs)));
            }
        }
        _ if ours == theirs => {}
        (Some(ours), theirs) => found.add(pointer, difference::shown(ours), theirs.map(difference::shown)),
        (None, Some(theirs)) => found.surplus(&pointer, || difference::shown(theirs)),
        (None, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(ours: &Answer, theirs: &Answer) -> Vec<String> {
        between(ours, theirs).into_iter().map(|mismatch| mismatch.pointer).collect()
    }

    fn doc(text: &str) -> Answer {
        Answer::accept([("report", Output::Doc(text.to_owned()))])
    }

    #[test]
    fn verdict_then_codes_then_outputs() {
        let bytes = |bytes: &[u8]| Answer::accept([("bytes", Output::Bytes(bytes.to_vec()))]);
        assert_eq!(places(&bytes(b"1"), &Answer::reject("A_JSON")), ["/is"]);
        assert_eq!(places(&Answer::reject("A_VALUE"), &Answer::reject("A_JSON")), ["/codes"]);
        assert_eq!(places(&bytes(b"1"), &bytes(b"2")), ["/out/bytes"]);
        assert_eq!(places(&bytes(b"1"), &Answer::accept::<String>([])), ["/out/bytes"]);
        assert_eq!(places(&bytes(b"1"), &bytes(b"1")), [""; 0]);
        let fault = |message: &str| Answer::Fault { kind: "panic".to_owned(), message: message.to_owned() };
        assert_eq!(places(&fault("a"), &fault("b")), [""; 0]);
        assert_eq!(places(&fault("a"), &bytes(b"1")), ["/is"]);
    }

    #[test]
    fn of_very_many_places_some_are_told() {
        let array = |item: &str, count: usize| doc(&format!("[{}]", vec![item; count].join(",")));
        for (ours, theirs) in
            [("1", 0), ("1", 5000), ("0", 5000)].map(|(item, more)| (array(item, 5000), array("2", more)))
        {
            for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
                let found = places(one, other);
                assert_eq!((found.len(), found[999].as_str()), (1000, "/out/report/999"));
            }
        }
    }

    #[test]
    fn documents_part_member_by_member_and_then_by_spelling() {
        assert_eq!(
            places(&doc(r#"{"a":[1,{"b":2}],"c":0}"#), &doc(r#"{"a":[1,{"b":3}],"d":0}"#)),
            ["/out/report/a/1/b", "/out/report/c", "/out/report/d"]
        );
        assert_eq!(places(&doc(r#"{"a":1}"#), &doc(r#"{"a": 1}"#)), ["/out/report"]);
        assert_eq!(places(&doc("1"), &doc("NaN")), ["/out/report"]);
        assert_eq!(places(&doc("NaN"), &doc("NaN")), [""; 0]);
    }
}
