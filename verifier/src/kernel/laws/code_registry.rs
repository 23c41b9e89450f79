//! kernel/code-registry: every code that is emitted or recorded stands in the union registry.
//!
//! Spec: Kernel v1 Requirements Pack, Law 7 and Error Codes, Registry Rule; rulings KE-24, KE-26. The registry is data,
//! `contracts/kernel/error-codes-v1.json`, and says for each code where it comes from: a specification, or the public
//! repository alone. It does not say what a code means.

use crate::contracts;
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/code-registry");

/// A code outside the registry is a finding at `place`; whoever recorded it may be of a later minor version.
pub(crate) fn check(code: &str, place: JsonPointer) -> Option<Finding> {
    let registered = origin(code).is_some();
    (!registered).then(|| {
        let message =
            format!("{code} is not a registered code: register it, which needs a minor version, or correct it");
        Finding::error(LAW, place, message)
    })
}

/// The documents that register a code, or `None` for one that nobody registers.
///
/// ```
/// use assize_verifier::kernel::origin;
///
/// assert_eq!(origin("I_PROMOTION_PASS").unwrap(), ["Kernel v1 Requirements Pack", "repository"]);
/// assert_eq!(origin("I_REF_INDEX_LAG"), None);
/// ```
#[must_use]
pub fn origin(code: &str) -> Option<Vec<String>> {
    let registry = Document::parse(contracts::KERNEL_CODES.as_bytes(), &Dialect::STRICT).ok()?;
    let origins = registry.root().get("codes")?.get(code)?.get("origin")?;
    let named = origins.elements().filter_map(|origin| Some(origin.as_string()?.to_str()?.to_owned()));
    Some(named.collect())
}

// The union is held against the registry of the sovereign system.
#[cfg(test)]
#[cfg(feature = "sovereign")]
mod tests {
    use super::*;
    use crate::canon::{Profile, canonicalize};

    const KERNEL: &str = "Kernel v1 Requirements Pack";
    const SOVEREIGN: &str = "Sovereign Capability & Replay Spec v1.2.1";

    fn codes(text: &str) -> Vec<String> {
        let document = Document::parse(text.as_bytes(), &Dialect::STRICT).expect("JSON");
        let codes = document.root().get("codes").expect("codes");
        codes.members().map(|(name, _)| name.decode().to_text_lossy().into_owned()).collect()
    }

    #[test]
    fn the_union_holds_the_codes_of_both_seeds_with_their_origin() {
        let of_the_kernel = [
            "E_LSI_ORPHAN_REFERENCE",
            "E_LSI_PROMOTION_FAILED",
            "E_LSI_CORRUPT_RECORD",
            "E_CAPABILITY_DENIED",
            "I_REF_MULTISOURCE",
            "I_PROMOTION_PASS",
            "I_CAPABILITY_SKIPPED",
        ];
        let of_the_comparator = codes(contracts::ERROR_CODES);
        let from = |document: &str| -> Vec<String> {
            let all = codes(contracts::KERNEL_CODES).into_iter();
            all.filter(|code| origin(code).is_some_and(|origin| origin.iter().any(|one| one == document))).collect()
        };
        let sorted = |codes: &[String]| {
            let mut codes = codes.to_vec();
            codes.sort();
            codes
        };
        assert_eq!(from(KERNEL), sorted(&of_the_kernel.map(str::to_owned)));
        assert_eq!(from(SOVEREIGN), sorted(&of_the_comparator));
    }

    #[test]
    fn the_registry_is_sorted_and_repeats_nothing() {
        let listed = codes(contracts::KERNEL_CODES);
        assert!(listed.is_sorted_by(|a, b| a < b));
        assert!(canonicalize(Profile::Sovereign, contracts::KERNEL_CODES.as_bytes()).is_ok());
        for code in listed {
            let rest = code.strip_prefix("E_").or_else(|| code.strip_prefix("I_")).expect("a level");
            assert!(rest.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_')), "{code}");
            assert!(origin(&code).is_some_and(|origin| !origin.is_empty()), "{code}");
        }
    }

    #[test]
    fn an_unknown_code_is_a_finding() {
        assert_eq!(check("E_TYPED_REF_MISMATCH", JsonPointer::root()), None);
        let found = check("E_LSI_ORPHAN", JsonPointer::from_text("/code")).expect("a finding");
        assert_eq!((found.law, found.pointer.as_str()), (LAW, "/code"));
        assert!(check("e_typed_ref_mismatch", JsonPointer::root()).is_some());
    }
}
