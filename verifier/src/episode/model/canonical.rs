//! Canonical objects: hashes of a whole document, of its members, and of what is left without some of them.
//!
//! Spec: RCE Profile v0.1, 0.1 Hash encoding, Replay-normative view: `H(x)` is `sha256:` and the digest of the RFC 8785
//! bytes.

use super::options::Numbers;
use crate::canon::{CanonError, Canonicalizer, MemberSpan};
use crate::digest::Digest;
use crate::json::JsonStr;

/// Writes canonical bytes in one number form, reusing its memory.
pub(crate) struct Canon {
    writer: Canonicalizer,
    bytes: Vec<u8>,
}

impl Canon {
    pub(crate) fn new(numbers: Numbers) -> Self {
        Self { writer: Canonicalizer::new(numbers.rules()).tracking(), bytes: Vec::new() }
    }

    /// Canonical bytes of a whole document, with the places of its outermost members.
    pub(crate) fn object(&mut self, text: &[u8]) -> Result<CanonicalObject<'_>, CanonError> {
        self.bytes.clear();
        self.writer.document(text, &mut self.bytes)?;
        Ok(CanonicalObject { bytes: &self.bytes, members: self.writer.outermost_members() })
    }

    /// Digest of the canonical bytes of a whole document.
    pub(crate) fn digest(&mut self, text: &[u8]) -> Result<Digest, CanonError> {
        self.object(text).map(|object| object.digest())
    }
}

/// A document in canonical form.
#[derive(Clone, Copy)]
pub(crate) struct CanonicalObject<'c> {
    bytes: &'c [u8],
    members: &'c [MemberSpan],
}

impl<'c> CanonicalObject<'c> {
    pub(crate) fn digest(self) -> Digest {
        Digest::of(self.bytes)
    }

    /// Canonical bytes of a member of the outermost object. The name must need no escape.
    pub(crate) fn member(self, name: &str) -> Option<&'c [u8]> {
        let found = self.members.iter().find(|member| self.slice(member.name) == name.as_bytes())?;
        Some(self.slice(found.value))
    }

    /// How many canonical bytes there are.
    pub(crate) fn len(self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn is_object(self) -> bool {
        self.bytes.first() == Some(&b'{')
    }

    /// A member of the outermost object that is a string, decoded.
    pub(crate) fn text(self, name: &str) -> Option<String> {
        let quoted = self.member(name)?.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        String::from_utf8(JsonStr::from_escaped(quoted).into_bytes().into_owned()).ok()
    }

    /// Canonical bytes of the outermost object without the named members.
    pub(crate) fn without(self, names: &[&str]) -> Vec<u8> {
        if self.members.is_empty() {
            return self.bytes.to_vec();
        }
        let mut out = Vec::with_capacity(self.bytes.len());
        for member in self.members {
            let name = self.slice(member.name);
            if names.iter().any(|left_out| left_out.as_bytes() == name) {
                continue;
            }
            out.push(if out.is_empty() { b'{' } else { b',' });
            out.extend_from_slice(self.slice((member.name.0.saturating_sub(1), member.value.1)));
        }
        if out.is_empty() {
            out.push(b'{');
        }
        out.push(b'}');
        out
    }

    fn slice(self, (start, end): (u32, u32)) -> &'c [u8] {
        self.bytes.get(start as usize..end as usize).unwrap_or_default()
    }
}

/// A digest as the episode layer spells it.
pub(crate) fn prefixed(digest: Digest) -> String {
    format!("sha256:{digest}")
}

/// `H(value)` of a value that the verifier has made.
pub(crate) fn hash(value: &serde_json::Value) -> String {
    prefixed(Digest::of(&canonical(value)))
}

/// Canonical bytes of a value that the verifier has made.
pub(crate) fn canonical(value: &serde_json::Value) -> Vec<u8> {
    let mut canon = Canon::new(Numbers::Rfc8785);
    // serde_json writes JSON, and strings of Rust have no lone surrogates.
    canon.object(value.to_string().as_bytes()).map(|object| object.bytes.to_vec()).unwrap_or_default()
}

/// The digest that is spelled `sha256:` and 64 lower-case hexadecimal digits.
pub(crate) fn is_prefixed(text: &str) -> bool {
    text.strip_prefix("sha256:").is_some_and(|hex| Digest::is_spelled(hex.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_left_out_wherever_they_stand() {
        let mut canon = Canon::new(Numbers::Rfc8785);
        let object = canon.object(br#"{"c":[1.0],"a":null,"b":{"a":1}}"#).expect("canonical");
        let check = |names: &[&str], expected: &str| {
            assert_eq!(String::from_utf8(object.without(names)).expect("UTF-8"), expected);
        };
        check(&[], r#"{"a":null,"b":{"a":1},"c":[1]}"#);
        check(&["a"], r#"{"b":{"a":1},"c":[1]}"#);
        check(&["b", "x"], r#"{"a":null,"c":[1]}"#);
        check(&["c", "a", "b"], "{}");
        assert_eq!(object.member("b"), Some(&br#"{"a":1}"#[..]));
        assert_eq!(object.member("d"), None);
    }

    #[test]
    fn what_is_no_object_has_no_members() {
        let mut canon = Canon::new(Numbers::Rfc8785);
        assert_eq!(canon.object(b"[1, 2]").expect("canonical").without(&["a"]), b"[1,2]");
        assert_eq!(canon.object(b"{ }").expect("canonical").without(&["a"]), b"{}");
    }
}
