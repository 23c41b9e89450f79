//! JSON in ASCII: what lies in a suite or a pack passes through any editor, checkout and shell unchanged.

use serde::Serialize;

/// One value on one line, without a line feed.
///
/// # Errors
/// The value has no JSON form.
pub fn json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(ascii(&serde_json::to_string(value)?))
}

/// One value, indented, with a final line feed.
///
/// # Errors
/// The value has no JSON form.
pub fn pretty(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(ascii(&serde_json::to_string_pretty(value)?) + "\n")
}

/// Outside strings a JSON text is ASCII already, so that every other character can become an escape where it stands.
fn ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        // DEL is ASCII, and still no character that can be seen.
        if letter.is_ascii() && letter != '\u{7f}' {
            plain.push(letter);
        } else {
            plain.extend(letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_beyond_ascii_is_an_escape() {
        let text = json(&"a\"\u{e9}\u{1f600}\u{7f}\n").unwrap();
        assert_eq!(text, r#""a\"\u00e9\ud83d\ude00\u007f\n""#);
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), "a\"\u{e9}\u{1f600}\u{7f}\n");
        assert_eq!(pretty(&["\u{e9}"]).unwrap(), "[\n  \"\\u00e9\"\n]\n");
    }
}
