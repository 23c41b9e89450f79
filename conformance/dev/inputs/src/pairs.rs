//! Makes inputs for differential tests: pairs of replay bundles with their turn files, and single JSON texts.
//!
//! A pair starts from a lawful draft. Now and then something awkward is planted in it, the draft is copied for the other side,
//! and the copy gets up to three mutations more. All of it is drawn from a string of bytes through [`Unstructured`], and
//! bytes that run out make a lawful pair of equal sides.
//!
//! What is never made: nesting from 201 to 19,999 levels, where interpreters differ; open file descriptors; paths that lead out
//! of the case's folder.

pub(crate) mod damage;
mod draft;
pub(crate) mod draw;
pub(crate) mod emit;
mod equivalent;
pub(crate) mod json;
mod mutate;

use std::collections::BTreeMap;
use std::fmt;

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::seed::noise;

use self::damage::Damage;
use self::draft::Draft;
use self::draw::{int, odds};
use self::emit::Style;

pub use self::equivalent::EquivalentPair;

/// Two replay bundles and the turn files that their paths lead to.
#[derive(Clone, PartialEq, Eq)]
pub struct Pair {
    /// Bundle A.
    pub bundle_a: Vec<u8>,
    /// Bundle B.
    pub bundle_b: Vec<u8>,
    /// Turn files by relative path; bundle A's are below `a/`, bundle B's below `b/`.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Pair {
    /// The pair that a string of bytes stands for. Every string stands for one.
    #[must_use]
    pub fn from_bytes(octets: &[u8]) -> Self {
        Self::arbitrary(&mut Unstructured::new(octets)).unwrap_or_else(|_| Self::empty())
    }

    /// The pair of a seed: the same for ever within one version of this crate.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self::from_bytes(&noise(seed, 1024))
    }

    fn empty() -> Self {
        Self { bundle_a: b"{}".to_vec(), bundle_b: b"{}".to_vec(), files: BTreeMap::new() }
    }
}

impl<'a> Arbitrary<'a> for Pair {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let (a, b) = drafts(u)?;
        finish(u, a, b)
    }
}

/// Both sides of a pair, lawful or not.
fn drafts(u: &mut Unstructured<'_>) -> Result<(Draft, Draft)> {
    let mut a = Draft::lawful(u)?;
    // Awkwardness that both sides share, then what tells them apart.
    for _ in 0..few(u, &[64, 27, 9])? {
        mutate::one(u, &mut a)?;
    }
    let mut b = a.clone();
    for _ in 0..few(u, &[18, 36, 26, 20])? {
        mutate::one(u, &mut b)?;
    }
    if odds(u, 1, 5)? {
        mutate::kin(u, &mut a, &mut b)?;
    }
    if odds(u, 1, 50)? {
        mutate::two_faults(u, &mut a, &mut b)?;
    }
    if odds(u, 1, 16)? {
        mutate::overlap(u, &mut a, &mut b)?;
    }
    if odds(u, 1, 4)? {
        std::mem::swap(&mut a, &mut b);
    }
    Ok((a, b))
}

/// Writes both sides, each in a style of its own.
fn finish(u: &mut Unstructured<'_>, a: Draft, b: Draft) -> Result<Pair> {
    let mut files = BTreeMap::new();
    let (style_a, style_b) = (Style::draw(u)?, Style::draw(u)?);
    let bundle_a = a.finish(u, 'a', &style_a, &mut files)?;
    let bundle_b = b.finish(u, 'b', &style_b, &mut files)?;
    Ok(Pair { bundle_a, bundle_b, files })
}

/// A JSON text of any kind of value, in any spelling, about one in five of them malformed.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn json_text(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let wild = odds(u, 1, 2)?;
    let value = if odds(u, 1, 12)? { draw::chain(u, wild)? } else { draw::value(u, 4, wild)? };
    let style = Style::draw(u)?;
    let mut octets = emit::emit(&value, &style);
    if odds(u, 1, 6)? {
        Damage::draw(u)?.apply(u, &mut octets)?;
    }
    Ok(octets)
}

/// The JSON text of a seed: the same for ever within one version of this crate.
#[must_use]
pub fn seeded_json_text(seed: u64) -> Vec<u8> {
    json_text(&mut Unstructured::new(&noise(seed, 256))).unwrap_or_default()
}

/// An index, drawn by weights.
fn few(u: &mut Unstructured<'_>, weights: &[u32]) -> Result<usize> {
    let mut left = int(u, weights.iter().sum::<u32>().saturating_sub(1))?;
    for (index, weight) in weights.iter().enumerate() {
        if left < *weight {
            return Ok(index);
        }
        left -= weight;
    }
    Ok(0)
}

impl fmt::Debug for Pair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "Pair")?;
        writeln!(formatter, "  bundle_a: {}", self.bundle_a.escape_ascii())?;
        writeln!(formatter, "  bundle_b: {}", self.bundle_b.escape_ascii())?;
        for (path, content) in &self.files {
            writeln!(formatter, "  {path}: {}", content.escape_ascii())?;
        }
        Ok(())
    }
}
