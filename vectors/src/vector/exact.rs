//! The exact bytes of a `json` document: the text of the vector file without its white space.
//!
//! Contract: `vectors/README.md`. Number tokens, escapes and the order of members stay as they stand in the file; only
//! white space outside strings goes. What cannot be written in a vector file at all belongs into `text` or `base64`.

use serde_json::value::RawValue;

/// Tells what belongs to a string from what stands around it, letter by letter.
#[derive(Default)]
struct Strings {
    inside: bool,
    escaped: bool,
}

impl Strings {
    /// Whether the next letter belongs to a string, its quotes included.
    fn hold(&mut self, letter: char) -> bool {
        if !self.inside {
            self.inside = letter == '"';
            return self.inside;
        }
        self.inside = self.escaped || letter != '"';
        self.escaped = !self.escaped && letter == '\\';
        true
    }
}

/// The document's text, compacted.
#[must_use]
pub fn compact(raw: &RawValue) -> String {
    let mut text = String::with_capacity(raw.get().len());
    let mut strings = Strings::default();
    text.extend(
        raw.get().chars().filter(|letter| strings.hold(*letter) || !matches!(letter, ' ' | '\t' | '\n' | '\r')),
    );
    text
}

/// The deepest nesting of a text, without which indenting one could take the square of its length.
#[must_use]
pub fn depth(raw: &RawValue) -> usize {
    let mut strings = Strings::default();
    let (mut level, mut deepest) = (0_usize, 0);
    for letter in raw.get().chars().filter(|letter| !strings.hold(*letter)) {
        match letter {
            '{' | '[' => {
                level += 1;
                deepest = deepest.max(level);
            }
            '}' | ']' => level = level.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The same tokens on lines of their own, two spaces a level: how vector files are laid out.
#[must_use]
pub fn indent(raw: &RawValue) -> String {
    let compact = compact(raw);
    let mut text = String::with_capacity(compact.len() * 2);
    let mut strings = Strings::default();
    let mut level = 0_usize;
    let mut letters = compact.chars().peekable();
    while let Some(letter) = letters.next() {
        if strings.hold(letter) {
            text.push(letter);
            continue;
        }
        match letter {
            '{' | '[' => {
                text.push(letter);
                match letters.next_if(|next| matches!(next, '}' | ']')) {
                    Some(close) => text.push(close),
                    None => {
                        level += 1;
                        line(&mut text, level);
                    }
                }
            }
            '}' | ']' => {
                level = level.saturating_sub(1);
                line(&mut text, level);
                text.push(letter);
            }
            ',' => {
                text.push(letter);
                line(&mut text, level);
            }
            ':' => text.push_str(": "),
            _ => text.push(letter),
        }
    }
    text
}

fn line(text: &mut String, level: usize) {
    text.push('\n');
    text.extend(std::iter::repeat_n("  ", level));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(written: &str, expected: &str) {
        let raw = RawValue::from_string(written.to_owned()).unwrap();
        assert_eq!(compact(&raw), expected);
    }

    #[test]
    fn number_tokens_survive() {
        check(
            "{\n  \"b\": -0,\n  \"a\": [1.0, 1e2, 1E+2, 36893488147419103232, 0.10]\n}",
            "{\"b\":-0,\"a\":[1.0,1e2,1E+2,36893488147419103232,0.10]}",
        );
    }

    #[test]
    fn strings_survive() {
        check(r#"{ "a b" : "\u0041 \\" , "c" : "\" : , \/" }"#, r#"{"a b":"\u0041 \\","c":"\" : , \/"}"#);
        check(r#"[ "\ud800" , "é" ]"#, r#"["\ud800","é"]"#);
    }

    #[test]
    fn order_and_duplicates_survive() {
        check(r#"{ "b": 1, "a": 2, "b": 3 }"#, r#"{"b":1,"a":2,"b":3}"#);
    }

    #[test]
    fn depth_counts_containers_outside_of_strings() {
        let raw = |text: &str| depth(&RawValue::from_string(text.to_owned()).unwrap());
        assert_eq!(
            [raw("1"), raw("[]"), raw(r#"{"a":[{"b":1}],"c":["\"[[[["]}"#), raw(r#"["\\",[[]]]"#)],
            [0, 1, 3, 3]
        );
    }

    #[test]
    fn indents_like_a_vector() {
        let raw = RawValue::from_string(r#"{"a":[1.0,{}],"b":[],"c":{"d":"x, [y\" {"}}"#.to_owned()).unwrap();
        let text =
            "{\n  \"a\": [\n    1.0,\n    {}\n  ],\n  \"b\": [],\n  \"c\": {\n    \"d\": \"x, [y\\\" {\"\n  }\n}";
        assert_eq!(indent(&raw), text);
    }
}
