//! How far a value reaches: enough of the grammar to cut a long text into values, before each of them is read.

use super::scan::find_special;

/// Offset after the value that starts at `at`; none if the text ends before the value does.
///
/// Of well-formed text this is the value's end. Of other text it is some offset up to which reading the value fails, or
/// at which whatever follows is out of place.
pub(crate) fn extent(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at)? {
        b'"' => string(text, at),
        b'{' | b'[' => container(text, at),
        _ => scalar(text, at),
    }
}

fn container(text: &[u8], mut at: usize) -> Option<usize> {
    let mut open = 0_usize;
    loop {
        match text.get(at)? {
            b'"' => {
                at = string(text, at)?;
                continue;
            }
            b'{' | b'[' => open += 1,
            b'}' | b']' => {
                open -= 1;
                if open == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

fn string(text: &[u8], quote: usize) -> Option<usize> {
    let mut at = quote + 1;
    loop {
        at = find_special(text, at);
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            // A control character: whoever reads the string refuses it.
            _ => at += 1,
        }
    }
}

fn scalar(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let length = rest.iter().position(|byte| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r'))?;
    Some(at + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_cut_where_they_end() {
        for (value, rest) in [
            (r#"{"a]}\"":[{},"}"],"b":-1.5e3}"#, " , 1]"),
            (r#"[[],["\\"]]"#, "]"),
            (r#""\u0022\"]""#, ","),
            ("-Infinity", "]"),
            ("null", "\n"),
            ("", ","),
        ] {
            let text = format!("{value}{rest}");
            assert_eq!(extent(text.as_bytes(), 0), Some(value.len()), "{text}");
        }
    }

    #[test]
    fn what_is_cut_short_has_no_end() {
        for text in ["", "{", r#"{"a":1"#, r#""a"#, r#""a\"#, r#""a\""#, "[[]", "12"] {
            assert_eq!(extent(text.as_bytes(), 0), None, "{text}");
        }
    }
}
