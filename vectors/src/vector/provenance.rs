//! Where an expectation comes from.
//!
//! The verifier's own output is not a source, and no spelling of it loads. A well-formed provenance is a claim: the second
//! sources in `conformance` are what tests it.

use std::fmt;

use serde::Deserialize;

/// Where an expectation comes from; never the verifier.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Provenance {
    /// Produced by the sealed comparator.
    Comparator,
    /// A ruling, by its id (`contracts/rulings`).
    Ruling(String),
    /// Recomputed by an independent tool that the rationale names.
    Arithmetic,
    /// RFC 8785 itself.
    Rfc8785,
    /// Follows directly from the specification's text.
    Hand,
}

impl TryFrom<String> for Provenance {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Ok(match text.as_str() {
            "comparator" => Self::Comparator,
            "arithmetic" => Self::Arithmetic,
            "rfc8785" => Self::Rfc8785,
            "hand" => Self::Hand,
            other => match other.strip_prefix("ruling ") {
                Some(id) if ruling_id(id) => Self::Ruling(id.to_owned()),
                _ => {
                    return Err(format!(
                        "unknown provenance {text:?}: write comparator, ruling ID, arithmetic, rfc8785 or hand"
                    ));
                }
            },
        })
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Comparator => f.write_str("comparator"),
            Self::Ruling(id) => write!(f, "ruling {id}"),
            Self::Arithmetic => f.write_str("arithmetic"),
            Self::Rfc8785 => f.write_str("rfc8785"),
            Self::Hand => f.write_str("hand"),
        }
    }
}

/// `NUM-04`, `SV-3`, `OP`: capitals, then perhaps a hyphen and digits.
fn ruling_id(id: &str) -> bool {
    let (head, tail) = id.split_once('-').map_or((id, None), |(head, tail)| (head, Some(tail)));
    !head.is_empty()
        && head.bytes().all(|byte| byte.is_ascii_uppercase())
        && tail.is_none_or(|tail| !tail.is_empty() && tail.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_independent_sources() {
        let read = |text: &str| Provenance::try_from(text.to_owned());
        assert_eq!(read("comparator"), Ok(Provenance::Comparator));
        for id in ["NUM-04", "SV-3", "OP"] {
            assert_eq!(read(&format!("ruling {id}")), Ok(Provenance::Ruling(id.to_owned())));
        }
        for text in ["verifier", "", "OP", "ruling", "ruling ", "ruling num-04", "ruling NUM-", "ruling NUM-4x", "Hand"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
