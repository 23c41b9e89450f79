//! A document for people: JSON indented where nothing is lost by it, text as text, other bytes escaped.

use assize_verifier::json::{Dialect, Document};

use crate::cli::output;

/// Letters that are shown of a document: the vector file has them all.
const MOST: usize = 4000;
/// Letters of JSON that stay on one line.
const LINE: usize = 100;
/// Levels that are indented: what is nested deeper is shown as it stands.
const DEEP: usize = 32;

/// The lines of a document.
///
/// A break between lines is a line feed of the document, but in JSON without white space, which is indented where it is
/// long. What does not show itself is escaped: a byte order mark as `<U+FEFF>`, a line feed at the end as `\n`.
pub(super) fn lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let shown = match indented(bytes) {
        Some(shown) if text.chars().nth(LINE).is_some() => shown,
        _ => as_it_stands(bytes),
    };
    let mut left = MOST;
    let mut lines = Vec::new();
    for line in shown.split('\n') {
        let letters = line.chars().count();
        if letters > left {
            lines.push(format!("{}... ({} bytes)", line.chars().take(left).collect::<String>(), bytes.len()));
            return lines;
        }
        left -= letters;
        lines.push(line.to_owned());
    }
    if let Err(error) = std::str::from_utf8(bytes) {
        lines.push(format!("(not UTF-8 from byte {}; \\xNN is one byte)", error.valid_up_to()));
    }
    lines
}

/// Text with its own breaks; bytes that are not text escaped one by one.
fn as_it_stands(bytes: &[u8]) -> String {
    let (inside, end) = match bytes.strip_suffix(b"\n") {
        Some(inside) => (inside, "\\n"),
        None => (bytes, ""),
    };
    let mut shown = String::with_capacity(bytes.len());
    for chunk in inside.utf8_chunks() {
        for (index, line) in chunk.valid().split('\n').enumerate() {
            if index > 0 {
                shown.push('\n');
            }
            shown.push_str(&visible(line));
        }
        for byte in chunk.invalid() {
            shown.push_str(&format!("\\x{byte:02x}"));
        }
    }
    shown + end
}

fn visible(text: &str) -> String {
    output::clean(text).replace('\u{feff}', "<U+FEFF>")
}

/// JSON without white space, indented; nothing for any other text, since white space may be what a case is about. Tokens stay
/// as they are spelled.
fn indented(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    Document::parse(bytes, &Dialect::PYTHON).ok()?;
    let mut shown = String::with_capacity(text.len() * 2);
    let (mut depth, mut inside, mut escaped) = (0_usize, false, false);
    let mut letters = text.chars().peekable();
    let wrap = |shown: &mut String, depth: usize| {
        shown.push('\n');
        shown.extend(std::iter::repeat_n("  ", depth));
    };
    while let Some(letter) = letters.next() {
        if inside {
            shown.push_str(&visible(letter.encode_utf8(&mut [0; 4])));
            (inside, escaped) = (escaped || letter != '"', !escaped && letter == '\\');
            continue;
        }
        match letter {
            ' ' | '\t' | '\r' | '\n' => return None,
            '{' | '[' => {
                shown.push(letter);
                if let Some(close) = letters.next_if(|next| matches!(next, '}' | ']')) {
                    shown.push(close);
                    continue;
                }
                depth += 1;
                if depth > DEEP {
                    return None;
                }
                wrap(&mut shown, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                wrap(&mut shown, depth);
                shown.push(letter);
            }
            ',' => {
                shown.push(letter);
                wrap(&mut shown, depth);
            }
            ':' => shown.push_str(": "),
            letter => {
                inside = letter == '"';
                shown.push(letter);
            }
        }
    }
    Some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], wanted: &[&str]) {
        assert_eq!(lines(bytes), wanted);
    }

    #[test]
    fn short_documents_stand_as_they_are() {
        check(br#"{"a":1}"#, &[r#"{"a":1}"#]);
        check(b"", &[""]);
        check(b"\n", &["\\n"]);
        check(b"one\ntwo\n", &["one", "two\\n"]);
        check(b"one\r\n\ttwo", &["one\\r", "\\ttwo"]);
    }

    #[test]
    fn what_does_not_show_itself_is_escaped() {
        check(b"\xef\xbb\xbf{}", &["<U+FEFF>{}"]);
        check("\u{202e}\u{0}".as_bytes(), &["\\u{202e}\\u{0}"]);
        check(b"[\"\xff\xfe\n\"]\n", &["[\"\\xff\\xfe", "\"]\\n", "(not UTF-8 from byte 2; \\xNN is one byte)"]);
    }

    #[test]
    fn long_json_is_indented_unless_white_space_could_matter() {
        let long = "x".repeat(LINE);
        let compact = format!(r#"{{"a":[1.0,{{}},[]],"b":"{long},:[\"{{","c":{{"d":-0}}}}"#);
        let string = format!("  \"b\": \"{long},:[\\\"{{\",");
        let wanted = [
            "{",
            "  \"a\": [",
            "    1.0,",
            "    {},",
            "    []",
            "  ],",
            &string,
            "  \"c\": {",
            "    \"d\": -0",
            "  }",
            "}",
        ];
        check(compact.as_bytes(), &wanted);
        let spaced = format!("[1, \"{long}\"]");
        check(spaced.as_bytes(), &[&spaced]);
        let deep =
            format!("{}{}", "[".repeat(DEEP + 20), "]".repeat(DEEP + 20)).replace("[]", &format!("[\"{long}\"]"));
        check(deep.as_bytes(), &[&deep]);
    }

    #[test]
    fn much_is_cut() {
        let lines = lines("y".repeat(2 * MOST).as_bytes());
        assert_eq!(lines, [format!("{}... ({} bytes)", "y".repeat(MOST), 2 * MOST)]);
    }
}
