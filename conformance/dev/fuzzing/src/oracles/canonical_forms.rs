//! Canonical bytes by second sources: Python's `json` writes `sovereign` and `authority`, an independent RFC 8785 crate writes
//! `rfc8785` and `episode` from what Python read.
//!
//! Python throws away what some laws are about. That is not skipped but predicted, from the spelling that the hooks of its
//! reader read: the operation table `canon.bytes` says what each profile refuses.
//!
//! | in the text | sovereign | episode | rfc8785 | authority |
//! |---|---|---|---|---|
//! | repeated name | refused (JSN-06) | refused | refused | the last one stands, the others are forgotten |
//! | `-0` | refused (NUM-04) | `0` | `0` | `0` |
//! | `NaN`, an infinity | refused where it stands | no JSON | no JSON | refused, if it survives |
//! | number beyond doubles | refused as a float | refused | refused | refused, if it survives |
//! | integers beyond 2^53-1 | in full | refused (EP-26) | as the nearest double | in full |
//! | integers over 4,300 digits | in full (NUM-07) | refused | refused | in full (AU-43) |
//! | lone surrogate | refused (STR-06) | refused | refused | refused, if it survives |
//! | levels | 256 | 256 | as far as Python reads | 994; of 901 to 994 Python's answer counts where it has one (AU-44) |

use assize_oracle::{
    AbortClass, Canonical, OracleError, PythonProfile, Reading, canonical, canonical_of_any_size, read,
};
use assize_verifier::canon::{CanonError, CanonRefusalKind, Profile, canonicalize};

use super::spelling::{Feature, Spelling, nesting, value};

/// Levels that `sovereign` and `episode` accept (ruling OP).
const STRICT_DEPTH: usize = 256;
/// Levels that `authority` accepts, where CPython's default recursion limit stops it (ruling AU-44).
const PYTHON_DEPTH: usize = 994;
/// Levels that a verifier must accept in `authority`: after them Python's own answer moves with its caller.
const PORTABLE_DEPTH: usize = 900;
/// Digits that Python reads and writes.
const PYTHON_DIGITS: usize = 4_300;

/// An answer to the question for canonical bytes, in terms that every source has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// The bytes.
    Bytes(Vec<u8>),
    /// The text is not JSON in the profile's dialect, or too deep for it.
    Unreadable,
    /// The value has no form, for this reason: a lone surrogate only if there is no other, else the first in the text.
    Refused(CanonRefusalKind),
}

impl Form {
    /// The verifier's answer.
    #[must_use]
    pub fn of_verifier(profile: Profile, text: &[u8]) -> Self {
        match canonicalize(profile, text) {
            Ok(bytes) => Self::Bytes(bytes.as_slice().to_vec()),
            Err(CanonError::Value { refusal, .. }) => Self::Refused(refusal.kind),
            Err(_) => Self::Unreadable,
        }
    }
}

/// A text and what Python's reader made of it, once for all profiles.
#[derive(Debug)]
pub struct SecondSource<'t> {
    text: &'t [u8],
    reading: Reading,
}

impl<'t> SecondSource<'t> {
    /// Asks Python to read the text.
    ///
    /// # Errors
    /// When the oracle itself fails.
    pub fn read(text: &'t [u8]) -> Result<Self, OracleError> {
        Ok(Self { text, reading: read(text)? })
    }

    /// Demands that an answer is the second source's.
    ///
    /// # Errors
    /// Both answers, if they differ; and what is wrong with the second source, if it contradicts itself.
    pub fn judge(&self, profile: Profile, answer: &Form) -> Result<(), String> {
        match self.form(profile)? {
            Some(expected) if expected != *answer => Err(format!(
                "{}: verifier {}, second source {}\ntext: {}",
                profile.name(),
                show(answer),
                show(&expected),
                self.text.escape_ascii()
            )),
            _ => Ok(()),
        }
    }

    /// The second source's answer; `None` where Python's depends on its caller's depth and the specification leaves it open.
    ///
    /// # Errors
    /// What is wrong with the second source.
    pub fn form(&self, profile: Profile) -> Result<Option<Form>, String> {
        let lines = match &self.reading.spelling {
            Ok(lines) => lines,
            Err(AbortClass::RecursionError) if profile == Profile::Rfc8785 => return Ok(None),
            Err(AbortClass::RecursionError) if profile == Profile::Authority && nesting(self.text) <= PYTHON_DEPTH => {
                return Ok(None);
            }
            Err(_) => return Ok(Some(Form::Unreadable)),
        };
        let spelling = Spelling::of(lines);
        let deepest = match profile {
            Profile::Rfc8785 | Profile::Authority => PYTHON_DEPTH,
            Profile::Episode | Profile::Sovereign => STRICT_DEPTH,
        };
        let strict = matches!(profile, Profile::Rfc8785 | Profile::Episode);
        if spelling.depth > deepest || (strict && spelling.has_constants()) {
            return Ok(Some(Form::Unreadable));
        }
        if let Some(kind) = refusal(profile, &spelling.features) {
            return Ok(Some(Form::Refused(kind)));
        }
        match profile {
            Profile::Rfc8785 | Profile::Episode => {
                let value = value(lines).ok_or("a lawful text has no value")?;
                let octets = serde_json_canonicalizer::to_vec(&value).map_err(|error| error.to_string())?;
                Ok(Some(Form::Bytes(octets)))
            }
            Profile::Sovereign => match self.python(PythonProfile::Sovereign, &spelling)? {
                Canonical::Bytes(octets) => Ok(Some(Form::Bytes(octets))),
                other => Err(format!("the sealed canonical_serialize refuses a lawful text: {other:?}")),
            },
            Profile::Authority => match self.python(PythonProfile::Authority, &spelling)? {
                Canonical::Bytes(octets) => Ok(Some(Form::Bytes(octets))),
                Canonical::Refused(AbortClass::ValueError) => Ok(Some(Form::Refused(CanonRefusalKind::NonFinite))),
                Canonical::Refused(AbortClass::UnicodeEncodeError) => {
                    Ok(Some(Form::Refused(CanonRefusalKind::LoneSurrogate)))
                }
                Canonical::Refused(AbortClass::RecursionError) | Canonical::Unreadable(AbortClass::RecursionError)
                    if spelling.depth > PORTABLE_DEPTH =>
                {
                    Ok(None)
                }
                other => Err(format!("Python reads the text in one way and not in another: {other:?}")),
            },
        }
    }

    fn python(&self, profile: PythonProfile, spelling: &Spelling) -> Result<Canonical, String> {
        let ask = if spelling.digits > PYTHON_DIGITS { canonical_of_any_size } else { canonical };
        ask(profile, self.text).map_err(|error| error.to_string())
    }
}

/// Why a text of these features has no form, whatever Python would write: none in `authority`, where values that do not
/// survive are forgotten, so that Python alone can tell.
fn refusal(profile: Profile, features: &[Feature]) -> Option<CanonRefusalKind> {
    let kind = |feature: &Feature| match (profile, feature) {
        (Profile::Authority, _) => None,
        (_, Feature::LoneSurrogate) => Some(CanonRefusalKind::LoneSurrogate),
        (_, Feature::Duplicate) => Some(CanonRefusalKind::Duplicate),
        (_, Feature::Constant) => Some(CanonRefusalKind::NonFinite),
        (Profile::Sovereign, Feature::Float | Feature::Overflow) => Some(CanonRefusalKind::Float),
        (Profile::Sovereign, Feature::NegativeZero) => Some(CanonRefusalKind::NegativeZero),
        (Profile::Rfc8785 | Profile::Episode, Feature::Overflow) => Some(CanonRefusalKind::NonFinite),
        (Profile::Rfc8785, Feature::HugeInteger) => Some(CanonRefusalKind::NonFinite),
        (Profile::Episode, Feature::UnsafeInteger) => Some(CanonRefusalKind::UnsafeInteger),
        (Profile::Sovereign, Feature::UnsafeInteger | Feature::HugeInteger)
        | (Profile::Episode, Feature::HugeInteger)
        | (Profile::Rfc8785, Feature::UnsafeInteger)
        | (Profile::Rfc8785 | Profile::Episode, Feature::Float | Feature::NegativeZero) => None,
    };
    let kinds: Vec<_> = features.iter().filter_map(kind).collect();
    kinds.iter().find(|kind| **kind != CanonRefusalKind::LoneSurrogate).or(kinds.first()).copied()
}

fn show(form: &Form) -> String {
    match form {
        Form::Bytes(octets) => octets.escape_ascii().to_string(),
        Form::Unreadable => "cannot read it".to_owned(),
        Form::Refused(kind) => format!("refuses {kind}"),
    }
}
