//! Canonical bytes: one table of profiles, one writer.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Strict Canonical Parity Law, A, Float Ban Law, and C,
//! canonical_serialize; RFC 8785, by itself and with rulings EP-25 to EP-27, CN-1 and CN-2; Kernel Contract 0.1.0, 2.1, with rulings
//! AU-42 to AU-44 and AU-46.
//!
//! The profiles agree on white space, separators and escapes, and differ in the four columns of [`Rules`]: what they
//! read, how they order members, how they print numbers, and what a repeated name means. The writer makes one pass over
//! the text and keeps pieces of it; those of an object's members are permuted when it closes, and in the end the bytes are copied.
//!
//! Equal canonical bytes mean equal values in that profile. They do not mean that a value is lawful for a contract.
//!
//! ```
//! use assize_verifier::canon::{CanonRefusalKind, Profile, canonicalize};
//!
//! let bytes = canonicalize(Profile::Sovereign, br#"{"b": 1, "a": [true, "\u0041"]}"#)?;
//! assert_eq!(bytes.as_slice(), br#"{"a":[true,"A"],"b":1}"#);
//!
//! let refused = canonicalize(Profile::Sovereign, b"[1.0]").unwrap_err();
//! assert_eq!(refused.refusal(), Some(CanonRefusalKind::Float));
//! # Ok::<(), assize_verifier::canon::CanonError>(())
//! ```

pub(crate) mod compose;
mod float;
mod key;
pub(crate) mod laws;
mod member;
pub(crate) mod operations;
mod order;
mod pieces;
#[cfg(test)]
mod slow;
mod writer;

use laws::{authority, episode, rfc8785, sovereign};
use std::{cell::Cell, fmt};

use crate::digest::Digest;
use crate::json::{Dialect, JsonError, JsonPointer, NumberToken};
use crate::rejection::Rejection;

pub use writer::Canonicalizer;
pub(crate) use writer::MemberSpan;

/// A canonical form that a specification defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Profile {
    /// RFC 8785 over I-JSON, and nothing else: UTF-16 order, ECMAScript doubles.
    Rfc8785,
    /// RFC 8785 where integers beyond 2^53-1 are refused. It was called `jcs`, and still answers to that name.
    Episode,
    /// Sovereign spec v1.2.1: code point order, integers only.
    Sovereign,
    /// Kernel Contract 0.1.0: code point order, exact integers, Python's float layout.
    Authority,
}

impl Profile {
    /// Every profile, in the order of the manifest.
    pub const ALL: [Self; 4] = [Self::Rfc8785, Self::Episode, Self::Sovereign, Self::Authority];

    /// Names that profiles had before.
    pub const ALIASES: [(&'static str, Self); 1] = [("jcs", Self::Episode)];

    /// The name used in operations and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rfc8785 => "rfc8785",
            Self::Episode => "episode",
            Self::Sovereign => "sovereign",
            Self::Authority => "authority",
        }
    }

    /// The profile of that name, or of that former name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let called = Self::ALL.map(|profile| (profile.name(), profile)).into_iter().chain(Self::ALIASES);
        called.into_iter().find_map(|(known, profile)| (known == name).then_some(profile))
    }

    /// The profile's line in the table.
    #[must_use]
    pub fn rules(self) -> Rules {
        match self {
            Self::Rfc8785 => rfc8785::RULES,
            Self::Episode => episode::RULES,
            Self::Sovereign => sovereign::RULES,
            Self::Authority => authority::RULES,
        }
    }
}

/// One line of the table: everything in which canonical forms differ.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What is read.
    pub dialect: Dialect,
    /// How members are ordered.
    pub key_order: KeyOrder,
    /// How a number token is printed, or why it is not. Integers of up to 15 digits are printed as they stand, but for `-0`: of those
    /// the writer does not ask.
    pub number: fn(NumberToken<'_>, &mut Vec<u8>) -> Result<(), CanonRefusalKind>,
    /// What a repeated member name means.
    pub duplicates: Duplicates,
    /// Containers that may be open at once inside a canonicalized value.
    pub depth: u32,
}

impl Rules {
    /// The `sovereign` profile as the sealed comparator runs it: Python's reader in front, so that `-0` is `0` and the
    /// last of two repeated names wins (rulings NUM-04, JSN-06, RES-02).
    pub const PARITY: Self = sovereign::PARITY;

    /// The `episode` profile over the documents of the episode system.
    pub const EPISODE: Self = episode::EPISODE;

    /// The number form of the public episode tool (ruling EP-25).
    pub const ASSAY: Self = episode::ASSAY;

    /// The `sovereign` profile, which reads constants so that law mode can report them as floats.
    pub const LAW: Self = sovereign::RULES;
}

/// The order of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOrder {
    /// By Unicode code point, which is the byte order of UTF-8.
    CodePoint,
    /// By UTF-16 unit.
    Utf16,
}

/// What a repeated member name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// The value has no canonical form.
    Refused,
    /// The last value stands, and what the others were is forgotten.
    LastWins,
}

/// Why a value that could be read has no canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanonRefusalKind {
    /// A float spelling where only integers are canonical.
    Float,
    /// The token `-0`.
    NegativeZero,
    /// NaN, an infinity, or a number beyond the range of doubles.
    NonFinite,
    /// An integer that a double cannot hold exactly.
    UnsafeInteger,
    /// A string or name with a lone surrogate.
    LoneSurrogate,
    /// A repeated member name.
    Duplicate,
    /// More nesting than the profile allows.
    Depth,
}

impl fmt::Display for CanonRefusalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Float => "a number with a fraction or an exponent",
            Self::NegativeZero => "the number -0",
            Self::NonFinite => "NaN, an infinity, or a number beyond the range of doubles",
            Self::UnsafeInteger => "an integer beyond 2^53-1",
            Self::LoneSurrogate => "a lone surrogate",
            Self::Duplicate => "a repeated member name",
            Self::Depth => "nesting beyond the profile's limit",
        })
    }
}

impl CanonRefusalKind {
    /// What the author of the document can do.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Float => "write fractions as strings or as fixed-point integers",
            Self::NegativeZero => "write 0",
            Self::NonFinite => "write the value as a string",
            Self::UnsafeInteger => "write large integers as strings",
            Self::LoneSurrogate => "write complete surrogate pairs",
            Self::Duplicate => "keep one member of each name",
            Self::Depth => "flatten the value",
        }
    }
}

/// A reason and the byte offset of the value or name that gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CanonRefusal {
    /// The reason.
    pub kind: CanonRefusalKind,
    /// Byte offset in the document.
    pub offset: usize,
}

impl CanonRefusal {
    /// The refusal to report of two: Python checks numbers and recursion first and encodes last, so a lone surrogate
    /// yields to the others; else the one that stands first.
    pub(crate) fn worst(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        let rank = |refusal: &Self| (refusal.kind == CanonRefusalKind::LoneSurrogate, refusal.offset);
        match (a, b) {
            (Some(a), Some(b)) => Some(if rank(&b) < rank(&a) { b } else { a }),
            (a, b) => a.or(b),
        }
    }
}

/// Why there are no canonical bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CanonError {
    /// The text is not JSON in the profile's dialect, or exceeds a limit.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// The text is JSON, but the value has no canonical form in this profile.
    #[error("{} has no canonical form at byte {}{}", .refusal.kind, .refusal.offset, at(.pointer))]
    Value {
        /// The first reason.
        refusal: CanonRefusal,
        /// Where it stands.
        pointer: JsonPointer,
    },
}

/// Where something stands, as the end of a sentence; nothing where that is the document itself.
pub(crate) fn at(pointer: &JsonPointer) -> String {
    if pointer.is_root() { String::new() } else { format!(", at {pointer}") }
}

impl CanonError {
    /// The reason, where the text could be read.
    #[must_use]
    pub fn refusal(&self) -> Option<CanonRefusalKind> {
        match self {
            Self::Json(_) => None,
            Self::Value { refusal, .. } => Some(refusal.kind),
        }
    }
}

impl From<CanonError> for Rejection {
    fn from(why: CanonError) -> Self {
        match why {
            CanonError::Json(error) => Self::Json(error),
            CanonError::Value { refusal, pointer } => {
                let message = format!("{} at byte {}: {}", refusal.kind, refusal.offset, refusal.kind.help());
                Self::Value(pointer, message)
            }
        }
    }
}

/// Canonical bytes of a whole document. Only this module makes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalBytes(Vec<u8>);

impl CanonicalBytes {
    /// The bytes: UTF-8 without a final line feed.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }

    /// SHA-256 of the bytes.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.0)
    }
}

/// Python's `repr` of any double, for texts that the comparator builds.
pub(crate) fn python_repr(value: f64) -> Vec<u8> {
    if value.is_nan() {
        return b"nan".to_vec();
    }
    if value.is_infinite() {
        return if value > 0.0 { b"inf".to_vec() } else { b"-inf".to_vec() };
    }
    let mut out = Vec::new();
    float::Decimal::of(value).append_python(&mut out);
    out
}

/// Reads a document and writes its canonical bytes.
///
/// # Errors
/// If the document is not JSON in the profile's dialect, or the value has no canonical form.
pub fn canonicalize(profile: Profile, text: &[u8]) -> Result<CanonicalBytes, CanonError> {
    canonicalize_by(&profile.rules(), text)
}

thread_local! {
    /// The writer of the last document: what it needs it has already, which for a small document is half of the work.
    static SPARE: Cell<Option<Box<Canonicalizer>>> = const { Cell::new(None) };
}

/// [`canonicalize`] under rules that are not one of the published profiles.
pub(crate) fn canonicalize_by(rules: &Rules, text: &[u8]) -> Result<CanonicalBytes, CanonError> {
    let mut out = Vec::new();
    // Where a thread is about to end there is none, and none is kept.
    let spare = SPARE.try_with(Cell::take).ok().flatten();
    let mut writer = spare.unwrap_or_else(|| Box::new(Canonicalizer::new(*rules)));
    writer.set_rules(*rules);
    let written = writer.document(text, &mut out);
    if writer.is_small() {
        let _ = SPARE.try_with(|spare| spare.set(Some(writer)));
    }
    written.map(|()| CanonicalBytes(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_answers_to_its_name_and_to_its_former_one() {
        for profile in Profile::ALL {
            assert_eq!(Profile::from_name(profile.name()), Some(profile));
        }
        assert_eq!(Profile::from_name("jcs"), Some(Profile::Episode));
        assert_eq!(Profile::from_name("JCS"), None);
    }
}
