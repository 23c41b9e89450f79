//! A JSON value as YAML: block style, every string and name in double quotes, ASCII alone.
//!
//! YAML 1.2 sections 5.7 and 7.3.1: an escape names a character, never half of a surrogate pair, so that what lies beyond
//! the BMP is `\U0001F600`. A general YAML writer decides by itself which strings to quote; here none is left to guess.

use std::fmt::Write as _;

use serde_json::Value;

/// One document.
pub(super) fn document(value: &Value) -> String {
    let mut text = String::from("---\n");
    node(value, 0, &mut text);
    text
}

/// A value on lines of its own, at this depth.
fn node(value: &Value, depth: usize, text: &mut String) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                indent(depth, text);
                text.push('-');
                child(item, depth, text);
            }
        }
        Value::Object(members) if !members.is_empty() => {
            for (name, member) in members {
                indent(depth, text);
                quote(name, text);
                text.push(':');
                child(member, depth, text);
            }
        }
        leaf => {
            scalar(leaf, text);
            text.push('\n');
        }
    }
}

/// A value after `-` or `:`.
fn child(value: &Value, depth: usize, text: &mut String) {
    let nested = match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => false,
    };
    text.push(if nested { '\n' } else { ' ' });
    node(value, depth + 1, text);
}

fn indent(depth: usize, text: &mut String) {
    text.extend(std::iter::repeat_n("  ", depth));
}

fn scalar(value: &Value, text: &mut String) {
    match value {
        Value::String(content) => quote(content, text),
        // Null, booleans, numbers and empty containers are spelled as in JSON.
        other => text.push_str(&other.to_string()),
    }
}

fn quote(content: &str, text: &mut String) {
    text.push('"');
    for letter in content.chars() {
        // Writing to a string cannot fail.
        let _ = match letter {
            '"' | '\\' => write!(text, "\\{letter}"),
            '\n' => write!(text, "\\n"),
            ' '..='~' => write!(text, "{letter}"),
            _ if u32::from(letter) > 0xffff => write!(text, "\\U{:08X}", u32::from(letter)),
            _ => write!(text, "\\u{:04X}", u32::from(letter)),
        };
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_string_is_quoted() {
        let value =
            json!([{"a": "no", "b": ["\u{1f600}\u{e9}\"\\\n\t", 1, 1.5, null, true, {}, []], "c": {"d": "12"}}]);
        let text = document(&value);
        assert_eq!(
            text,
            "---\n-\n  \"a\": \"no\"\n  \"b\":\n    - \"\\U0001F600\\u00E9\\\"\\\\\\n\\u0009\"\n    - 1\n    - 1.5\n    - null\n    \
             - true\n    - {}\n    - []\n  \"c\":\n    \"d\": \"12\"\n"
        );
        assert_eq!(serde_saphyr::from_str::<Value>(&text).unwrap(), value);
    }
}
