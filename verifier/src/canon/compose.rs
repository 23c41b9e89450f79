//! Canonical text put together from parts that are canonical already, in code point order.

use crate::json::append_json_string;

/// A string.
pub(crate) fn string(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 2);
    append_json_string(text.as_bytes(), &mut out);
    out
}

/// An object of these members; their names are different.
pub(crate) fn object<V: AsRef<[u8]>>(members: &[(&str, V)]) -> Vec<u8> {
    let mut sorted: Vec<_> = members.iter().collect();
    sorted.sort_by_key(|(name, _)| *name);
    let mut out = vec![b'{'];
    for (name, value) in sorted {
        if out.len() > 1 {
            out.push(b',');
        }
        append_json_string(name.as_bytes(), &mut out);
        out.push(b':');
        out.extend_from_slice(value.as_ref());
    }
    out.push(b'}');
    out
}

/// An array of these elements.
pub(crate) fn array(elements: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<u8> {
    let mut out = vec![b'['];
    for element in elements {
        if out.len() > 1 {
            out.push(b',');
        }
        out.extend_from_slice(element.as_ref());
    }
    out.push(b']');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canon::{Profile, canonicalize};

    #[test]
    fn what_is_composed_is_canonical() {
        let inner = object::<&[u8]>(&[]);
        let list = array([string("\u{1F}\"/"), inner, array([b"1.0"])]);
        let text = object(&[("\u{1F600}", b"null".to_vec()), ("\u{FF5E}", list), ("", b"0".to_vec())]);
        let expected = "{\"\":0,\"\u{FF5E}\":[\"\\u001f\\\"/\",{},[1.0]],\"\u{1F600}\":null}";
        assert_eq!(String::from_utf8(text.clone()).expect("UTF-8"), expected);
        assert_eq!(canonicalize(Profile::Authority, &text).expect("canonical").as_slice(), text);
    }
}
