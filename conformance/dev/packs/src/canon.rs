//! Canonical text, digests, and the readable layout of the files that are not canonical text.
//!
//! Spec: RFC 8785; RCE Profile v0.1. The canonical form is another crate's, not the verifier's.

use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The RFC 8785 text of a value.
///
/// # Panics
/// If the value has none; none of ours is without.
#[must_use]
pub fn jcs(value: &Value) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(value).expect("a value of serde_json has a canonical form")
}

/// SHA-256 as 64 lower-case hexadecimal digits: how the container spells it.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// `H(x)`: `sha256:` and the digest of the canonical text, how contracts and receipts spell it.
#[must_use]
pub fn hash(value: &Value) -> String {
    format!("sha256:{}", sha256(&jcs(value)))
}

/// Indented JSON with sorted names and a final line feed.
///
/// Sorted here and not by `serde_json`, whose order depends on a feature that any crate of the build may switch on.
#[must_use]
pub fn pretty(value: &Value) -> String {
    let mut text = String::new();
    layout(value, 0, &mut text);
    text.push('\n');
    text
}

/// Indented JSON without a final line feed, as a member of something at `level`.
pub(crate) fn layout(value: &Value, level: usize, text: &mut String) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let mut names: Vec<_> = members.keys().collect();
            names.sort_unstable();
            text.push('{');
            for (index, name) in names.into_iter().enumerate() {
                line(index, level + 1, text);
                let _ = write!(text, "{}: ", Value::from(name.as_str()));
                layout(&members[name], level + 1, text);
            }
            line(0, level, text);
            text.push('}');
        }
        Value::Array(items) if !items.is_empty() => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                line(index, level + 1, text);
                layout(item, level + 1, text);
            }
            line(0, level, text);
            text.push(']');
        }
        scalar => {
            let _ = write!(text, "{scalar}");
        }
    }
}

fn line(index: usize, level: usize, text: &mut String) {
    if index > 0 {
        text.push(',');
    }
    text.push('\n');
    text.extend(std::iter::repeat_n("  ", level));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_published_hashes() {
        assert_eq!(hash(&json!([])), "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945");
        let assertion = |passed: bool| hash(&json!({"assertion_passed": passed}));
        assert_eq!(assertion(true), "sha256:2e6afe13cb80f2e98f3f7ff32b714a57c81f1ff65b42dcd39873853e152e2bf1");
        assert_eq!(assertion(false), "sha256:8defe4d6a92989da3f0d9908a6761111b4fce4dee3b42a582e3a0b955cbbe5f7");
        assert_eq!(sha256(b"[1,2,3]\n"), "9c6bc7ac937d2daffe5ecdbe7eb3a59aba4f43e96a58a99f08838d4ce48c92ba");
    }

    #[test]
    fn the_layout_is_readable_and_sorted() {
        let value = json!({"b": [1, {}], "a": {"d": [], "c": "\"\n"}});
        let text = "{\n  \"a\": {\n    \"c\": \"\\\"\\n\",\n    \"d\": []\n  },\n  \"b\": [\n    1,\n    {}\n  ]\n}\n";
        assert_eq!(pretty(&value), text);
    }
}
