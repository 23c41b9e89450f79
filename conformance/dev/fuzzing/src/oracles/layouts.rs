//! A ledger has one verdict, however it is laid out and wherever its text is cut while it is read.
//!
//! Spec: Kernel Contract 0.1.0, 2.2; ruling AU-10. The layouts are Assize's own.

use std::io::{self, Read};

use assize_verifier::authority::{Assumed, Breach, Chain, Layout, LedgerError, Reading, chain, replay};
use assize_verifier::threads::Threads;
use serde_json::value::RawValue;

/// Where a text is cut while it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Border {
    /// The reader's first block ends so many bytes after the beginning of the text; none: the text is in one block.
    pub behind: Option<usize>,
    /// A source gives at most so many bytes at a time.
    pub sip: usize,
}

/// Bytes that the verifier reads at a time.
const BLOCK: usize = 1 << 20;

/// What may be said of a ledger in any layout: the verdict, but for places in the text.
#[derive(Debug, PartialEq, Eq)]
enum ChainVerdict {
    /// Records, the last hash, and the first failure with its offset.
    Judged(u64, Option<String>, Option<Box<Breach>>),
    /// No verdict: the code.
    Refused(Option<&'static str>),
}

impl ChainVerdict {
    fn of(found: Result<Chain, LedgerError>, offset: impl Fn(u64) -> u64) -> Self {
        match found {
            Ok(chain) => {
                let breach = chain.breach.map(|breach| Box::new(Breach { offset: offset(breach.offset), ..breach }));
                Self::Judged(chain.records, chain.last_hash, breach)
            }
            Err(error) => Self::Refused(error.code()),
        }
    }
}

/// Demands one verdict on a ledger, which is an array, from all ways of reading it.
///
/// # Errors
/// Two verdicts that differ.
pub fn layouts_agree(array: &[u8], border: Border) -> Result<(), String> {
    judged_alike(array, Layout::Array, border)?;
    let Ok(records) = serde_json::from_slice::<Vec<&RawValue>>(array) else { return Ok(()) };
    // A line feed inside a record stands between tokens: a string cannot hold one.
    let texts: Vec<_> = records.iter().map(|record| record.get().replace('\n', " ")).collect();
    let lines = texts.join("\n").into_bytes();
    judged_alike(&lines, Layout::Lines, border)?;
    let placeless = |text: &[u8], layout| ChainVerdict::of(chain(text, &reading(Some(layout))), |_| 0);
    same("array, lines", &placeless(array, Layout::Array), &placeless(&lines, Layout::Lines))?;
    let replayed = |text: &[u8], layout| match replay(text, &Assumed::default(), &reading(Some(layout))) {
        Ok(replay) => match replay.outcome {
            Ok(run) => Ok((run.outcome, run.run_id, run.summary_hash, run.artifact_hashes, run.reason_codes)),
            Err(breach) => Err(ChainVerdict::Judged(0, None, Some(Box::new(Breach { offset: 0, ..breach })))),
        },
        Err(error) => Err(ChainVerdict::Refused(error.code())),
    };
    same("replay of array, lines", &replayed(array, Layout::Array), &replayed(&lines, Layout::Lines))
}

/// The same text at once, in sips, after white space that moves the block's end, and without a word about its layout.
fn judged_alike(text: &[u8], layout: Layout, border: Border) -> Result<(), String> {
    let named = reading(Some(layout));
    let whole = ChainVerdict::of(chain(text, &named), |offset| offset);
    let sips = Sips { text, most: border.sip.max(1) };
    same("whole, in sips", &whole, &ChainVerdict::of(chain(sips, &named), |offset| offset))?;
    if text.trim_ascii_start().starts_with(b"[") == (layout == Layout::Array) {
        same("whole, layout untold", &whole, &ChainVerdict::of(chain(text, &reading(None)), |offset| offset))?;
    }
    let Some(pad) = border.behind.and_then(|behind| BLOCK.checked_sub(behind)) else { return Ok(()) };
    // A byte order mark is refused at the begin of a text, and elsewhere too.
    let padded = [b" ".repeat(pad).as_slice(), text].concat();
    let cut = ChainVerdict::of(chain(padded.as_slice(), &named), |offset| offset.saturating_sub(pad as u64));
    same("in one block, in two", &whole, &cut)
}

fn reading(layout: Option<Layout>) -> Reading {
    Reading { layout, threads: Threads::Caller }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, other: &T) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("{what}:\n{one:?}\n{other:?}")) }
}

/// A source that gives at most so many bytes at a time.
struct Sips<'t> {
    text: &'t [u8],
    most: usize,
}

impl Read for Sips<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = self.most.min(into.len());
        self.text.read(into.get_mut(..most).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BORDER: Border = Border { behind: Some(3), sip: 2 };

    #[test]
    fn verdicts_that_differ_are_seen() {
        let verdict = |records| ChainVerdict::Judged(records, None, None);
        assert!(same("", &verdict(1), &verdict(1)).is_ok());
        assert!(same("", &verdict(1), &verdict(2)).is_err());
        assert!(same("", &verdict(1), &ChainVerdict::Refused(Some("A_JSON"))).is_err());
        // Lines where an array was promised: the layout that was named refuses what the other takes.
        assert!(judged_alike(b"{}\n{}", Layout::Array, Border { behind: None, sip: 1 }).is_ok());
        let lines = ChainVerdict::of(chain(b"{}\n{}".as_slice(), &reading(None)), |offset| offset);
        let array = ChainVerdict::of(chain(b"{}\n{}".as_slice(), &reading(Some(Layout::Array))), |offset| offset);
        assert!(same("", &lines, &array).is_err());
    }

    #[test]
    fn odd_texts_have_one_verdict() {
        for text in ["[]", "[1,{}]", "[", "", "{}", "[{\n\"v\" :\n1}\n]", "\u{feff}[]", "[]x"] {
            layouts_agree(text.as_bytes(), BORDER).unwrap();
        }
    }
}
