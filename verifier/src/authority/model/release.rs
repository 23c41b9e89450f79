//! Releases of a kernel, as far as change control sees them.
//!
//! Spec: Kernel Contract 0.1.0, 5; ruling AU-48.

use std::collections::{BTreeMap, BTreeSet};

/// One release: what it is called, and what it promises.
#[derive(Debug)]
pub(crate) struct Release {
    pub(crate) version: Version,
    /// Golden fixtures by name, each with the canonical text of its members.
    pub(crate) goldens: BTreeMap<String, BTreeMap<&'static str, Vec<u8>>>,
    pub(crate) fields: BTreeMap<String, Fields>,
}

/// The fields of an artefact.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) hashed: BTreeSet<String>,
    pub(crate) excluded: BTreeSet<String>,
}

/// Three numbers of any size, each by its length and its digits, so that they compare as numbers do.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version([(usize, String); 3]);

impl Version {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let number = |part: &str| {
            let plain = part == "0" || !part.is_empty() && !part.starts_with('0');
            (plain && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| (part.len(), part.to_owned()))
        };
        let parts: Option<Vec<_>> = text.split('.').map(number).collect();
        parts?.try_into().ok().map(Self)
    }

    pub(crate) fn has_higher_major_than(&self, other: &Self) -> bool {
        self.0.first() > other.0.first()
    }

    /// Whether the major number is higher, or the minor one under the same major.
    pub(crate) fn has_higher_minor_than(&self, other: &Self) -> bool {
        self.0.iter().take(2).gt(other.0.iter().take(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        let version = |text| Version::parse(text).unwrap();
        assert!(version("0.10.0") > version("0.9.9"));
        assert!(version("10.0.0").has_higher_major_than(&version("9.9.9")));
        assert!(version("1.2.0").has_higher_minor_than(&version("1.1.9")));
        assert!(!version("1.1.1").has_higher_minor_than(&version("1.1.0")));
        assert!(version("2.0.0").has_higher_minor_than(&version("1.9.0")));
        for wrong in ["", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.x", "1..3", " 1.2.3", "1.2.3-rc", "-1.2.3", "1.2.03"] {
            assert_eq!(Version::parse(wrong), None, "{wrong}");
        }
    }
}
