//! The patterns that can be matched in one go: a row of characters and classes, of which the last alone may repeat freely.

/// An anchored pattern of ASCII characters.
#[derive(Debug)]
pub(super) struct Pattern {
    fixed: Vec<(Class, usize)>,
    /// What the rest consists of, and how much of it there is at least.
    rest: Option<(Class, usize)>,
}

/// Characters, as ranges of bytes: the first and how far the last is from it.
#[derive(Debug)]
struct Class([(u8, u8); MOST_RANGES]);

const MOST_RANGES: usize = 4;

impl Pattern {
    /// Compiles a pattern, if it is of this kind.
    pub(super) fn compile(pattern: &str) -> Option<Self> {
        let mut rest = pattern.strip_prefix('^')?.strip_suffix('$')?.as_bytes();
        let mut compiled = Self { fixed: Vec::new(), rest: None };
        while !rest.is_empty() {
            // Only the last may repeat freely: nothing has to be tried twice then.
            if compiled.rest.is_some() {
                return None;
            }
            let (class, after) = Class::compile(rest)?;
            rest = match after {
                [b'+', after @ ..] => {
                    compiled.rest = Some((class, 1));
                    after
                }
                [b'*', after @ ..] => {
                    compiled.rest = Some((class, 0));
                    after
                }
                [b'{', after @ ..] => {
                    let end = after.iter().position(|byte| *byte == b'}')?;
                    let (count, after) = after.split_at_checked(end)?;
                    let count = count.iter().all(u8::is_ascii_digit).then(|| std::str::from_utf8(count).ok())??;
                    compiled.fixed.push((class, count.parse().ok()?));
                    after.get(1..)?
                }
                after => {
                    compiled.fixed.push((class, 1));
                    after
                }
            };
        }
        Some(compiled)
    }

    /// Whether a whole text is of the pattern.
    pub(super) fn matches(&self, mut text: &[u8]) -> bool {
        for (class, count) in &self.fixed {
            let Some((some, after)) = text.split_at_checked(*count) else { return false };
            if !class.holds_all(some) {
                return false;
            }
            text = after;
        }
        match &self.rest {
            Some((class, least)) => text.len() >= *least && class.holds_all(text),
            None => text.is_empty(),
        }
    }
}

impl Class {
    /// Takes one character or class; gives what follows.
    fn compile(pattern: &[u8]) -> Option<(Self, &[u8])> {
        let (first, after) = pattern.split_first()?;
        if *first != b'[' {
            return is_plain(*first).then_some((Self([(*first, 0); MOST_RANGES]), after));
        }
        let end = after.iter().position(|byte| *byte == b']')?;
        let (mut inside, after) = after.split_at_checked(end)?;
        let mut ranges = Vec::new();
        while let Some((low, rest)) = inside.split_first() {
            let (high, rest) = match rest {
                [b'-', high, rest @ ..] => (high, rest),
                rest => (low, rest),
            };
            if !is_plain(*low) || !is_plain(*high) {
                return None;
            }
            ranges.push((*low, high.checked_sub(*low)?));
            inside = rest;
        }
        let first = *ranges.first()?;
        ranges.resize(ranges.len().max(MOST_RANGES), first);
        Some((Self(ranges.try_into().ok()?), after.get(1..)?))
    }

    /// Without a branch a byte, so that many are looked at in one step.
    fn holds_all(&self, text: &[u8]) -> bool {
        let within = |byte: u8| self.0.iter().fold(false, |any, (low, span)| any | (byte.wrapping_sub(*low) <= *span));
        text.iter().fold(true, |all, byte| all & within(*byte))
    }
}

/// Characters that mean themselves, in a class and out of it.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_classes_match_what_they_say() {
        let check = |pattern: &str, text: &str, expected: bool| {
            let pattern = Pattern::compile(pattern).expect("a row");
            assert_eq!(pattern.matches(text.as_bytes()), expected, "{text:?}");
        };
        let digest = "0123456789abcdef".repeat(4);
        check("^[a-f0-9]{64}$", &digest, true);
        check("^[a-f0-9]{64}$", digest.strip_prefix('0').expect("a digit"), false);
        check("^[a-f0-9]{64}$", &format!("{digest}0"), false);
        check("^[a-f0-9]{64}$", &format!("{digest}\n"), false);
        for wrong in ["A", "g", "/", ":", "`", "\u{e9}"] {
            check("^[a-f0-9]{64}$", &digest.replacen('0', wrong, 1), false);
        }
        for (text, expected) in
            [("E_A", true), ("E_A_9", true), ("E_", false), ("E_a", false), ("I_A", false), ("E_A-", false)]
        {
            check("^E_[A-Z0-9_]+$", text, expected);
        }
        check("^ab*$", "a", true);
        check("^ab*$", "abb", true);
        check("^ab*$", "", false);
        check("^ab*$", "ac", false);
    }

    #[test]
    fn other_patterns_are_not_understood() {
        for pattern in [
            "a",
            "^a",
            "a$",
            "^a+b$",
            "^a?$",
            "^a{1,2}$",
            "^a{+1}$",
            "^(a)$",
            "^[^a]$",
            "^a|b$",
            "^.$",
            "^\\d$",
            "^[]$",
            "^[a$",
            "^[z-a]$",
            "^[a-bc-de-fg-hi-j]$",
            "^\u{e9}$",
            "^[a-]$",
            "^a++$",
            "^[a&&b]$",
        ] {
            assert!(Pattern::compile(pattern).is_none(), "{pattern}");
        }
    }
}
