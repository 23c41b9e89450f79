//! What was read of sources, kept for the next run: a source that is the same is not parsed again.
//!
//! What is kept is what a source says by itself, whatever stands in others and whatever things are called. So what is found in one source
//! follows a change of another which it imports, and names that are given otherwise change nothing of it. A source is known by the digest
//! of its bytes and by its language.

mod form;

use std::{collections::HashMap, ops::Range};

use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::{Language, allow::Remark, syntax::Module};
use form::{Input, Kept, Output};

/// What a file of this kind begins with.
const MARK: &[u8; 16] = b"assize-source/1\n";
/// What it begins with in any version.
const OURS: &[u8] = b"assize-source/";
/// Bytes of a digest.
const DIGEST: usize = 32;

type Digest = [u8; DIGEST];

/// What earlier runs have read, and what this one adds.
#[derive(Debug, Default)]
pub struct Cache {
    /// The whole file.
    bytes: Vec<u8>,
    /// Where the entry of each source lies, and its digest.
    places: HashMap<Digest, (Digest, Range<usize>)>,
    taken: usize,
    damaged: usize,
    changed: bool,
}

/// Why a file is not taken for a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unusable {
    /// It is something else.
    #[error("it is no cache of sources")]
    Foreign,
    /// Other readers have written it.
    #[error("another version has written it")]
    Another,
    /// It ends where it should not.
    #[error("it is torn")]
    Torn,
}

/// What is kept of one source.
pub(crate) struct Known {
    pub(crate) module: Module,
    pub(crate) remarks: Vec<Remark>,
}

/// What became of one source, for the next run.
pub(crate) enum Entry {
    /// It is kept already.
    Kept(Digest),
    /// It is kept from now on.
    New(Digest, Vec<u8>),
    /// What was kept of it is damaged, and this takes its place.
    Instead(Digest, Vec<u8>),
}

impl Cache {
    /// What the bytes of a file hold that an earlier run has written.
    ///
    /// # Errors
    /// The bytes are none that this version writes.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, Unusable> {
        let head = MARK.len() + DIGEST;
        let other = if bytes.starts_with(OURS) { Unusable::Another } else { Unusable::Foreign };
        let rest = bytes.strip_prefix(MARK).ok_or(other)?;
        let version = rest.get(..DIGEST).ok_or(Unusable::Torn)?;
        if version != readers() {
            return Err(Unusable::Another);
        }
        let mut places = HashMap::new();
        let mut at = head;
        while at < bytes.len() {
            let digest = |at: usize| -> Option<Digest> { bytes.get(at..at + DIGEST)?.try_into().ok() };
            let entry = || -> Option<(Digest, Digest, Range<usize>)> {
                let (source, own) = (digest(at)?, digest(at + DIGEST)?);
                let start = at + 2 * DIGEST + LENGTH;
                let length = bytes.get(start - LENGTH..start)?.try_into().ok()?;
                let end = start.checked_add(usize::try_from(u64::from_le_bytes(length)).ok()?)?;
                (end <= bytes.len()).then_some((source, own, start..end))
            };
            let (source, own, place) = entry().ok_or(Unusable::Torn)?;
            at = place.end;
            places.insert(source, (own, place));
        }
        Ok(Self { bytes, places, ..Self::default() })
    }

    /// The bytes of a file for the next run; none where they are what was read.
    #[must_use]
    pub fn to_write(&self) -> Option<&[u8]> {
        self.changed.then_some(self.bytes.as_slice())
    }

    /// How many sources of the last run were not parsed again.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// How many entries were damaged, and parsed again.
    #[must_use]
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// What is known of a source. Its module is left empty where nobody asks for more than whether it was read well.
    pub(crate) fn find(&self, digest: &Digest, whole: bool) -> Option<Result<Known, Damaged>> {
        let (own, place) = self.places.get(digest)?;
        let bytes = self.bytes.get(place.clone()).unwrap_or_default();
        let is_own = Sha256::digest(bytes).as_slice() == own;
        Some(is_own.then(|| known(bytes, whole)).flatten().ok_or(Damaged))
    }

    /// Holds what the sources of a run have come to, and nothing else.
    pub(crate) fn renew(&mut self, entries: impl IntoIterator<Item = Entry>) {
        let mut bytes = [MARK.as_slice(), &readers()].concat();
        let mut places = HashMap::new();
        (self.taken, self.damaged) = (0, 0);
        for entry in entries {
            let (source, own, kept): (Digest, Digest, &[u8]) = match &entry {
                Entry::Kept(digest) => {
                    self.taken += 1;
                    let Some((own, place)) = self.places.get(digest) else { continue };
                    (*digest, *own, self.bytes.get(place.clone()).unwrap_or_default())
                }
                Entry::New(digest, made) | Entry::Instead(digest, made) => {
                    self.damaged += usize::from(matches!(entry, Entry::Instead(..)));
                    (*digest, Sha256::digest(made).into(), made)
                }
            };
            if places.contains_key(&source) {
                continue;
            }
            bytes.extend_from_slice(&source);
            bytes.extend_from_slice(&own);
            bytes.extend_from_slice(&u64::try_from(kept.len()).unwrap_or(u64::MAX).to_le_bytes());
            let start = bytes.len();
            bytes.extend_from_slice(kept);
            places.insert(source, (own, start..bytes.len()));
        }
        self.changed |= bytes != self.bytes;
        (self.bytes, self.places) = (bytes, places);
    }
}

/// Bytes of the length of an entry.
const LENGTH: usize = 8;

/// What is kept of a source is not what was written.
pub(crate) struct Damaged;

/// What tells a source from others.
pub(crate) fn digest(text: &str, language: Language) -> Digest {
    Sha256::new().chain_update([language as u8]).chain_update(text).finalize().into()
}

/// What is kept of a source; none where that would be nested too deeply to be read again.
pub(crate) fn entry(module: &Module, remarks: &[Remark]) -> Option<Vec<u8>> {
    let mut output = Output::default();
    (module.whole, module.too_deep).put(&mut output);
    output.list(remarks);
    module.put(&mut output);
    output.finish()
}

fn known(bytes: &[u8], whole: bool) -> Option<Known> {
    let mut input = Input::new(bytes);
    let (fits, too_deep) = <(bool, bool)>::take(&mut input)?;
    let remarks = Kept::take(&mut input)?;
    let module = if whole { Module::take(&mut input)? } else { Module::default() };
    (!whole || input.is_empty()).then_some(Known { module: Module { whole: fits, too_deep, ..module }, remarks })
}

/// What the readers are, grammars included.
fn readers() -> Digest {
    let mut hasher = Sha256::new();
    hasher.update(env!("CARGO_PKG_VERSION"));
    hasher.update(env!("ASSIZE_SOURCE_READERS"));
    for language in Language::ALL {
        let grammar = language.grammar();
        for count in
            [grammar.abi_version(), grammar.node_kind_count(), grammar.parse_state_count(), grammar.field_count()]
        {
            hasher.update(u64::try_from(count).unwrap_or(u64::MAX).to_le_bytes());
        }
    }
    hasher.finalize().into()
}
