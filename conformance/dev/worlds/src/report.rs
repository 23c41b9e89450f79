//! The table of worlds that were searched.

use crate::search::{Facts, Tally};

/// A world that was searched.
#[derive(Debug)]
pub struct Row {
    /// What is said of it.
    pub facts: Facts,
    /// How far it was searched.
    pub bound: usize,
    /// What was found.
    pub tally: Tally,
}

/// A table in Markdown, a row for each world.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    let mut lines = vec![
        "| world | laws | alphabet | bound | cases | lawful | second source | outside | differences |".to_owned(),
        "|---|---|---|---|---:|---:|---|---|---:|".to_owned(),
    ];
    lines.extend(rows.iter().map(|Row { facts, bound, tally }| {
        let Facts { name, laws, alphabet, unit, second, outside, .. } = facts;
        let laws = laws.iter().map(|law| format!("`{law}`")).collect::<Vec<_>>().join(", ");
        let alphabet = alphabet.replace('|', "\\|");
        let (count, accepted, differing) = (grouped(tally.count), grouped(tally.accepted), grouped(tally.differing));
        format!(
            "| `{name}` | {laws} | {alphabet} | {bound} {unit} | {count} | {accepted} | {second} | {outside} | {differing} |"
        )
    }));
    lines.join("\n") + "\n"
}

/// Digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups() {
        assert_eq!([0, 999, 1000, 12_345_678].map(grouped), ["0", "999", "1,000", "12,345,678"]);
    }
}
