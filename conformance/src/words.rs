//! How many of what, in words.

use std::fmt::Display;

/// The word for so many things.
#[must_use]
pub fn plural<'w>(count: impl PartialEq + From<u8>, one: &'w str, many: &'w str) -> &'w str {
    if count == 1.into() { one } else { many }
}

/// A number of things, with the word for them.
#[must_use]
pub fn counted(count: impl Copy + Display + PartialEq + From<u8>, one: &str, many: &str) -> String {
    format!("{count} {}", plural(count, one, many))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        let said = [0_usize, 1, 2].map(|count| counted(count, "law", "laws"));
        assert_eq!(said, ["0 laws", "1 law", "2 laws"]);
        assert_eq!(counted(1_u64, "byte", "bytes"), "1 byte");
    }
}
