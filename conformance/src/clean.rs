//! Text from strangers, made safe to show: what a document or a testee says must not control a terminal, a shell or a reader.

use std::borrow::Cow;

/// Whether a letter does anything besides showing itself: control characters, marks that turn the writing direction, line
/// ends that few programs know, and the two that XML cannot hold.
#[must_use]
pub fn steers(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{fffe}' | '\u{ffff}')
}

/// The text with every letter that [`steers`] escaped, all on one line.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if steers(letter) { clean.extend(letter.escape_default()) } else { clean.push(letter) }
    }
    Cow::Owned(clean)
}

/// The lines of a text, each of them clean.
pub fn lines(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.lines().map(clean)
}

/// How much of a message is kept whole, and how much is shown of a longer one, in bytes.
const BRIEF: usize = 2 << 10;
const START: usize = 1 << 10;

/// A message that may quote a stranger; a long one is told by its start.
#[must_use]
pub fn brief(message: String) -> String {
    if message.len() <= BRIEF {
        return message;
    }
    let start = message.get(..message.floor_char_boundary(START)).unwrap_or_default();
    format!("{start}... ({} bytes)", message.len())
}

/// A word for a shell: bare where that is safe, otherwise in single quotes; one that [`steers`] in `$'...'`, which bash, zsh and
/// POSIX of 2024 read.
#[must_use]
pub fn word(text: &str) -> Cow<'_, str> {
    let bare = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=@%+,".contains(letter);
    if !text.is_empty() && text.chars().all(bare) {
        return Cow::Borrowed(text);
    }
    if !text.contains(steers) {
        return Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")));
    }
    let mut quoted = "$'".to_owned();
    for letter in text.chars() {
        match letter {
            '\'' | '\\' => quoted.extend(['\\', letter]),
            letter if steers(letter) => {
                for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
                    quoted.push_str(&format!("\\{byte:03o}"));
                }
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('\'');
    Cow::Owned(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_escaped() {
        for (text, shown) in [
            ("plain ü 漢", "plain ü 漢"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("a\r\nb\tc\0", "a\\r\\nb\\tc\\u{0}"),
            ("safe\u{202e}txt.exe", "safe\\u{202e}txt.exe"),
            ("\u{2028}\u{200f}\u{ffff}\u{9b}", "\\u{2028}\\u{200f}\\u{ffff}\\u{9b}"),
        ] {
            assert_eq!(clean(text), shown);
        }
        assert_eq!(lines("a\u{7}\nb").collect::<Vec<_>>(), ["a\\u{7}", "b"]);
    }

    #[test]
    fn a_long_message_is_told_by_its_start() {
        let short = "m".repeat(BRIEF);
        assert_eq!(brief(short.clone()), short);
        assert_eq!(brief(format!("{short}\u{e9}")), format!("{}... ({} bytes)", "m".repeat(START), BRIEF + 2));
        assert!(brief("\u{20ac}".repeat(BRIEF)).ends_with("\u{20ac}... (6144 bytes)"));
    }

    #[test]
    fn a_word_stays_one_word() {
        for (text, quoted) in [
            ("canon/episode/a", "canon/episode/a"),
            ("", "''"),
            ("a b", "'a b'"),
            ("$(x)", "'$(x)'"),
            ("it's", r"'it'\''s'"),
            ("a\nb", r"$'a\012b'"),
            ("'\\\u{202e}", r"$'\'\\\342\200\256'"),
        ] {
            assert_eq!(word(text), quoted);
        }
    }
}
