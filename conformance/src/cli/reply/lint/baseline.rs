//! Findings that were there before somebody looked: a file of them, which a later run does not count again.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};

use super::{CliError, input, output, row::Row};

/// The file. A finding is known by its law, its file below the root and its line's text, so that it may move within the file, and the
/// root be named in another way.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Known {
    findings: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    law: String,
    file: String,
    text: String,
    count: usize,
}

type Key = (String, String, String);

fn key(row: &Row) -> Option<Key> {
    let seen = row.seen.as_ref()?;
    Some((row.law.slug().to_owned(), seen.file.clone(), seen.text.trim().to_owned()))
}

impl Known {
    pub(super) fn read(path: &Path) -> Result<Self, CliError> {
        let (name, bytes) = input::document(path)?;
        serde_json::from_slice(&bytes).map_err(|error| {
            let help = "write the file anew: `--baseline FILE --renew`";
            CliError::unreadable(format!("{name}: is no baseline: {error}"), help)
        })
    }

    /// Takes out what the file knows, and says how many findings that were and how many it knows in vain.
    pub(super) fn subtract(self, rows: &mut Vec<Row>) -> (usize, usize) {
        let mut left: BTreeMap<Key, usize> = BTreeMap::new();
        for entry in self.findings {
            let count = left.entry((entry.law, entry.file, entry.text)).or_default();
            *count = count.saturating_add(entry.count);
        }
        let before = rows.len();
        rows.retain(|row| {
            let count = key(row).and_then(|key| left.get_mut(&key)).filter(|count| **count > 0);
            let known = count.is_some();
            if let Some(count) = count {
                *count -= 1;
            }
            !known
        });
        (before - rows.len(), left.values().fold(0, |sum, count| sum.saturating_add(*count)))
    }
}

/// Writes all findings in sources to the file, and says how many they are.
pub(super) fn renew(path: &Path, rows: &mut Vec<Row>) -> Result<usize, CliError> {
    let mut counts: BTreeMap<Key, usize> = BTreeMap::new();
    for key in rows.iter().filter_map(key) {
        *counts.entry(key).or_default() += 1;
    }
    let findings = counts.into_iter().map(|((law, file, text), count)| Entry { law, file, text, count }).collect();
    output::atomically(path, &output::pretty(&Known { findings })?)?;
    let before = rows.len();
    rows.retain(|row| row.seen.is_none());
    Ok(before - rows.len())
}
