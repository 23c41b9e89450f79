//! The table of worlds that were searched.

use crate::declared::{Declared, Searched};

/// A table in Markdown, a row for each world with what a search of it has found.
#[must_use]
pub fn table<'r>(rows: impl IntoIterator<Item = (&'r Declared, Searched)>) -> String {
    let mut lines = vec![
        "| world | laws | alphabet | bound | cases | lawful | second source | outside | differences |".to_owned(),
        "|---|---|---|---|---:|---:|---|---|---:|".to_owned(),
    ];
    lines.extend(rows.into_iter().map(|(declared, searched)| {
        let Declared { name, laws, alphabet, second, outside, .. } = declared;
        let laws = laws.iter().map(|law| format!("`{law}`")).collect::<Vec<_>>().join(", ");
        let (alphabet, reach) = (alphabet.replace('|', "\\|"), declared.reach(searched.bound));
        let [cases, lawful, differing] = [searched.cases, searched.lawful, searched.differing].map(grouped);
        format!(
            "| `{name}` | {laws} | {alphabet} | {reach} | {cases} | {lawful} | {second} | {outside} | {differing} |"
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
