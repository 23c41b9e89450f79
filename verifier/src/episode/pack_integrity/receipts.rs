//! The receipts of a pack: one line each, every line a receipt.

use std::collections::HashSet;
use std::ops::Range;

use crate::episode::canonical::Canon;
use crate::episode::inquiry::{Inquiry, RECEIPTS};
use crate::episode::receipt_envelope::{self, Receipt};
use crate::episode::{Options, limits};
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

/// Lines that are judged before their findings are handed on.
const TURN: usize = 1 << 14;

/// Reads every receipt, if their file can be read; a line that is none leaves a gap, and its fault among the findings.
pub(super) fn read(inquiry: &mut Inquiry<'_>) -> Option<(Vec<u8>, Vec<Option<Receipt>>)> {
    let mut text = Vec::new();
    if let Err(why) = inquiry.pack.read(RECEIPTS, limits::RECEIPTS_BYTES, &mut text) {
        inquiry.findings.unread(Law::PackIntegrity, RECEIPTS, &why);
        return None;
    }
    let lines = lines(&text);
    if lines.len() > limits::RECEIPTS {
        let message = format!("the pack has more than the limit of {} receipts", limits::RECEIPTS);
        inquiry.findings.coded("A_LIMIT", Law::PackIntegrity, RECEIPTS, JsonPointer::root(), message);
        return None;
    }
    let Options { numbers, threads, .. } = *inquiry.options;
    let mut receipts = Vec::with_capacity(lines.len());
    // In turns, so that what is said of many bad lines is never held at once.
    for turn in lines.chunks(TURN) {
        let judge = |canon: &mut Canon, line: &Range<usize>| receipt_envelope::read(&text, line.clone(), canon);
        for (receipt, found) in threads.map(turn, 64, || Canon::new(numbers), judge) {
            let index = receipts.len();
            for finding in found {
                let pointer = JsonPointer::from_text(format!("/{index}{}", finding.pointer));
                inquiry.findings.add(RECEIPTS, Finding { pointer, ..finding });
            }
            receipts.push(receipt);
        }
    }
    check_ids(inquiry, &receipts);
    Some((text, receipts))
}

/// Lines that are not blank.
fn lines(text: &[u8]) -> Vec<Range<usize>> {
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

fn check_ids(inquiry: &mut Inquiry<'_>, receipts: &[Option<Receipt>]) {
    let mut seen = HashSet::with_capacity(receipts.len());
    for (index, receipt) in receipts.iter().enumerate() {
        let Some(receipt) = receipt else { continue };
        if !receipt.receipt_id.is_empty() && !seen.insert(&receipt.receipt_id) {
            let pointer = JsonPointer::root().index(index).member("receipt_id");
            let message = format!("the receipt id {:?} comes twice", receipt.receipt_id);
            inquiry.findings.coded("E_DUPLICATE_ID", Law::PackIntegrity, RECEIPTS, pointer, message);
        }
    }
}
