//! Receipts as a pack holds them: one line each, in either shape of the envelope.
//!
//! Spec: Constitutional Receipt Standard v0.1, 3.1 Required fields; ruling EP-2.

use std::ops::Range;

use super::canonical::CanonicalObject;
use super::member::string;
use crate::digest::Digest;
use crate::json::{Dialect, Document};

/// Members that the public tool leaves out of a receipt's hash, which is what `head_hash` needs.
pub(crate) const UNHASHED_BY_TOOL: [&str; 5] = ["receipt_hash", "signature", "signatures", "cose_signature", "anchor"];

episode_receipt_types_receipt! {
    /// What an episode has a receipt for: `contracts/episode/tables/receipt-types.json`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum ReceiptKind
}

impl ReceiptKind {
    /// The kind of this type; none for a receipt that is not one of the episode's own.
    pub(crate) fn of(type_name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.type_name() == type_name)
    }

    /// The type in receipts.
    pub(crate) fn type_name(self) -> &'static str {
        self.row().r#type
    }
}

/// A receipt whose envelope was read.
#[derive(Debug)]
pub(crate) struct Receipt {
    /// Its line in the text of all receipts.
    pub(crate) line: Range<usize>,
    pub(crate) hash: Digest,
    pub(crate) receipt_id: String,
    pub(crate) timestamp: String,
    /// None if it is not one of the episode's own.
    pub(crate) kind: Option<ReceiptKind>,
    /// Hashes of predecessors; none if the member is absent or no array of strings.
    pub(crate) parents: Option<Vec<String>>,
}

/// The members in which a receipt has its type and its time: either spelling, and that of the tool where both stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spelling {
    pub(crate) type_name: &'static str,
    pub(crate) time: &'static str,
}

impl Spelling {
    pub(crate) fn of(receipt: CanonicalObject<'_>) -> Self {
        let has = |name: &str| receipt.member(name).is_some();
        let spelled = |tool: &'static str, standard| if has(standard) && !has(tool) { standard } else { tool };
        Self { type_name: spelled("type", "receipt_type"), time: spelled("timestamp", "ts") }
    }
}

/// The entries of `parent_hashes`, given in canonical form; none unless it is an array of strings.
pub(crate) fn parents(member: Option<&[u8]>) -> Option<Vec<String>> {
    let document = Document::parse(member?, &Dialect::EPISODE).ok()?;
    let root = document.root();
    if root.is_array() { root.elements().map(string).collect() } else { None }
}

/// Lines that are not blank.
pub(crate) fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split(|&byte| byte == b'\n') {
        let end = start + line.len();
        if !line.iter().all(u8::is_ascii_whitespace) {
            lines.push(start..end);
        }
        start = end + 1;
    }
    lines
}

/// The receipts of an episode, with their indices in the pack.
pub(crate) struct EpisodeReceipts<'p> {
    pub(crate) opens: Vec<(usize, &'p Receipt)>,
    pub(crate) steps: Vec<(usize, &'p Receipt)>,
    pub(crate) closes: Vec<(usize, &'p Receipt)>,
}

impl<'p> EpisodeReceipts<'p> {
    pub(crate) fn of(receipts: &'p [Receipt]) -> Self {
        let of = |kind| receipts.iter().enumerate().filter(move |(_, receipt)| receipt.kind == Some(kind)).collect();
        Self { opens: of(ReceiptKind::Open), steps: of(ReceiptKind::Step), closes: of(ReceiptKind::Close) }
    }
}
