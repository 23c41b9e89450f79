//! The text that a failure is against: what a reader has to look up before he believes the report.

use assize_corpus::vector::{Case, Force, Weight};
use serde::Serialize;

use super::Failure;
use crate::clean::{clean, word};

/// Where it is written that an answer is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Basis {
    /// In words.
    pub(super) text: String,
    /// Its address, where the text is public and has one for the place.
    pub(super) address: Option<String>,
    /// The command that shows it, where that is ours.
    pub(super) command: Option<String>,
}

impl Basis {
    /// A place of a document, or a ruling where it is cited like one.
    pub(crate) fn of(document: &str, section: &str) -> Self {
        if document == RULINGS {
            return Self::ruling(section);
        }
        let number = document
            .strip_prefix("RFC ")
            .filter(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
        let plain = |section: &&str| {
            !section.is_empty() && section.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
        };
        let linked = number.zip(Some(section).filter(plain)).map(|(number, section)| {
            let kind = if section.starts_with(|letter: char| letter.is_ascii_digit()) { "section" } else { "appendix" };
            Self {
                text: format!("{document}, {kind} {section}"),
                address: Some(format!("{RFC}{number}#{kind}-{section}")),
                command: None,
            }
        });
        let words = || format!("{}, {}", clean(document), clean(section));
        linked.unwrap_or_else(|| Self { text: words(), address: None, command: None })
    }

    fn ruling(id: &str) -> Self {
        let command = Some(format!("assize explain {}", word(id)));
        Self { text: format!("ruling {}", clean(id)), address: None, command }
    }
}

/// How the vectors call the rulings where they cite them like a document.
const RULINGS: &str = "Assize rulings";
/// Where an RFC is published, with an anchor for each section.
const RFC: &str = "https://www.rfc-editor.org/rfc/rfc";

/// The places that a failure is against, each once: as heavy as the failure itself.
pub(crate) fn bases(failure: &Failure, case: Option<&Case>) -> Vec<Basis> {
    let own = case.map(|case| Basis::of(&case.spec.document, &case.spec.section));
    let mut bases: Vec<Basis> = Vec::new();
    let heavy = failure.mismatches.iter().filter_map(|mismatch| mismatch.force.as_ref());
    for force in heavy.filter(|force| force.weight() == failure.force) {
        let basis = match force {
            Force::Spec(Some(spec)) => Some(Basis::of(&spec.document, &spec.section)),
            Force::Spec(None) | Force::Permitted => own.clone(),
            Force::Ruling(id) => Some(Basis::ruling(id)),
            Force::Interface => None,
        };
        bases.extend(basis.filter(|basis| !bases.contains(basis)));
    }
    if bases.is_empty() && failure.force > Weight::Interface {
        bases.extend(own);
    }
    bases
}

#[cfg(test)]
mod tests {
    use assize_corpus::{
        agreement::{Mismatch, Outcome},
        vector::Spec,
    };

    use super::*;

    fn case(document: &str, section: &str) -> Case {
        let text = format!(
            r#"{{"id":"canon/episode/a","op":"canon.bytes","spec":{{"document":"{document}","section":"{section}"}},"force":"spec",
                "rationale":"r","provenance":"hand","expect":{{"is":"accept"}},"agreement":"verdict"}}"#
        );
        Case::parse("a.json", text.as_bytes()).unwrap()
    }

    fn failure(weight: Weight, forces: Vec<Force>) -> Failure {
        let mismatch = |force| Mismatch { force: Some(force), ..Mismatch::new("/is", None, None) };
        Failure {
            id: "canon/episode/a".to_owned(),
            law: "canon/episode".to_owned(),
            outcome: Outcome::WrongVerdict,
            force: weight,
            expectation: None,
            mismatches: forces.into_iter().map(mismatch).collect(),
            note: None,
            rationale: "r".to_owned(),
        }
    }

    #[track_caller]
    fn check(failure: &Failure, case: &Case, wanted: &[(&str, Option<&str>, Option<&str>)]) {
        let bases = bases(failure, Some(case));
        let seen: Vec<_> = bases
            .iter()
            .map(|basis| (basis.text.as_str(), basis.address.as_deref(), basis.command.as_deref()))
            .collect();
        assert_eq!(seen, wanted);
    }

    #[test]
    fn a_section_of_an_rfc_has_an_address() {
        let broken = failure(Weight::Spec, vec![Force::Spec(None), Force::Permitted]);
        let section = "https://www.rfc-editor.org/rfc/rfc8785#section-3.2.2.3";
        check(&broken, &case("RFC 8785", "3.2.2.3"), &[("RFC 8785, section 3.2.2.3", Some(section), None)]);
        let appendix = "https://www.rfc-editor.org/rfc/rfc8785#appendix-B";
        check(&broken, &case("RFC 8785", "B"), &[("RFC 8785, appendix B", Some(appendix), None)]);
        for (document, section) in
            [("RFC 8785", "3 and 4"), ("RFC ", "3"), ("RFC 87#", "3"), ("Kernel Contract 0.1.0", "2.1")]
        {
            check(&broken, &case(document, section), &[(format!("{document}, {section}").as_str(), None, None)]);
        }
    }

    #[test]
    fn the_place_is_that_of_the_heaviest_difference() {
        let elsewhere = || Force::Spec(Some(Spec { document: "RFC 8259".to_owned(), section: "7".to_owned() }));
        let broken =
            failure(Weight::Spec, vec![Force::Interface, Force::Ruling("EP-26".to_owned()), elsewhere(), elsewhere()]);
        let address = "https://www.rfc-editor.org/rfc/rfc8259#section-7";
        check(&broken, &case("RFC 8785", "3.1"), &[("RFC 8259, section 7", Some(address), None)]);
        let ruled = failure(Weight::Ruling, vec![Force::Interface, Force::Ruling("EP-26".to_owned())]);
        check(&ruled, &case("RFC 8785", "3.1"), &[("ruling EP-26", None, Some("assize explain EP-26"))]);
        let remark = failure(Weight::Interface, vec![Force::Interface]);
        check(&remark, &case("RFC 8785", "3.1"), &[]);
    }

    #[test]
    fn what_gave_no_answer_is_against_the_place_of_its_case() {
        let silent = failure(Weight::Spec, Vec::new());
        check(&silent, &case("Assize rulings", "KE-3"), &[("ruling KE-3", None, Some("assize explain KE-3"))]);
        assert_eq!(bases(&silent, None), []);
    }
}
