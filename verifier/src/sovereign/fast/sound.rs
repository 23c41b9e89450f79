//! Values that have a canonical form: every name once, no lone surrogate, no number but integers.

use crate::json::{JsonErrorKind, RawString, Reader, Scalar, Sink};
use crate::sovereign::laws::{canonical_parity, float_ban};

/// Names of open objects, each with a mark by which most of them are told apart.
#[derive(Default)]
pub(super) struct Names {
    met: Vec<Name>,
    /// For each open container the first of its names.
    open: Vec<usize>,
    /// What names mean that are spelled with escapes.
    decoded: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    mark: u64,
    /// Where it stands in the text or, with the highest bit, in what was decoded: no text is so long.
    start: u32,
    length: u32,
}

const DECODED: u32 = 1 << 31;

impl Name {
    fn spelled<'t>(&self, text: &'t [u8], decoded: &'t [u8]) -> Option<&'t [u8]> {
        let (from, start) =
            if self.start & DECODED == 0 { (text, self.start) } else { (decoded, self.start ^ DECODED) };
        from.get(start as usize..)?.get(..self.length as usize)
    }
}

/// Names up to which each is compared with each.
const FEW: usize = 16;

impl Names {
    /// Forgets what an earlier walk left.
    pub(super) fn clear(&mut self) {
        self.met.clear();
        self.open.clear();
        self.decoded.clear();
    }

    /// A container opens, whose names are its own.
    pub(super) fn enter(&mut self) {
        self.open.push(self.met.len());
    }

    /// Takes a name of the innermost container; none if it has no canonical form.
    pub(super) fn take(&mut self, key: RawString<'_>) -> Option<()> {
        let (mark, start, length) =
            if key.escaped { self.decode(key)? } else { (mark(key.raw), key.start, key.raw.len()) };
        self.met.push(Name { mark, start: u32::try_from(start).ok()?, length: u32::try_from(length).ok()? });
        Some(())
    }

    /// Keeps what a name means that is spelled with escapes; gives its mark, start and length.
    #[cold]
    fn decode(&mut self, key: RawString<'_>) -> Option<(u64, usize, usize)> {
        let name = key.decode();
        if canonical_parity::banned_text(&name).is_some() {
            return None;
        }
        let start = self.decoded.len() | DECODED as usize;
        self.decoded.extend_from_slice(name.as_bytes());
        Some((mark(name.as_bytes()), start, name.as_bytes().len()))
    }

    /// The innermost container closes; none if two of its names are the same.
    pub(super) fn leave(&mut self, text: &[u8]) -> Option<()> {
        let Self { met, open, decoded } = self;
        let first = open.pop()?;
        let names = met.get_mut(first..)?;
        let same = |a: &Name, b: &Name| a.mark == b.mark && a.spelled(text, decoded) == b.spelled(text, decoded);
        let repeated = if names.len() <= FEW {
            let mut rest = &*names;
            let mut repeated = false;
            while let Some((name, others)) = rest.split_first() {
                repeated |= others.iter().any(|other| same(name, other));
                rest = others;
            }
            repeated
        } else {
            // Equal names have equal marks; of others that do, hardly any stand between two equal ones.
            names.sort_unstable();
            names.chunk_by(|a, b| a.mark == b.mark).any(|run| {
                let mut spelled: Vec<_> = run.iter().map(|name| name.spelled(text, decoded)).collect();
                spelled.sort_unstable();
                !spelled.is_sorted_by(|a, b| a < b)
            })
        };
        met.truncate(first);
        (!repeated).then_some(())
    }
}

/// The first and the last eight bytes and the length, mixed: different for most names that differ.
fn mark(name: &[u8]) -> u64 {
    let ends = match (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        (Some(first), Some(last)) => u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(29),
        _ => name.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)),
    };
    ends ^ (name.len() as u64).rotate_left(57)
}

/// Reads any value that has a canonical form; none if it may have none.
pub(super) fn read(text: &[u8], reader: &mut Reader<'_>, names: &mut Names) -> Option<()> {
    reader.parse(&mut Sound { text, names }).ok()
}

/// Refuses what has no canonical form.
struct Sound<'n> {
    text: &'n [u8],
    names: &'n mut Names,
}

/// What a walk is ended by; nobody looks at it.
const GIVEN_UP: JsonErrorKind = JsonErrorKind::RepeatedName;

impl Sink for Sound<'_> {
    fn begin_object(&mut self, _: usize) -> Result<(), JsonErrorKind> {
        self.names.enter();
        Ok(())
    }

    fn key(&mut self, _: &[u8], key: RawString<'_>) -> Result<(), JsonErrorKind> {
        self.names.take(key).ok_or(GIVEN_UP)
    }

    fn end_object(&mut self, _: usize) -> Result<(), JsonErrorKind> {
        self.names.leave(self.text).ok_or(GIVEN_UP)
    }

    fn begin_array(&mut self, _: usize) -> Result<(), JsonErrorKind> {
        Ok(())
    }

    fn end_array(&mut self, _: usize) -> Result<(), JsonErrorKind> {
        Ok(())
    }

    fn scalar(&mut self, _: &[u8], scalar: Scalar<'_>) -> Result<(), JsonErrorKind> {
        let banned = match scalar {
            Scalar::String(string) if string.escaped => canonical_parity::banned_text(&string.decode()).is_some(),
            Scalar::Number(_, token) => float_ban::banned_number(token).is_some(),
            _ => false,
        };
        if banned { Err(GIVEN_UP) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Dialect;

    fn is_sound(text: &str) -> bool {
        let mut names = Names::default();
        let mut reader = Reader::new(text.as_bytes(), &Dialect::STRICT).expect("UTF-8");
        read(text.as_bytes(), &mut reader, &mut names).is_some() && reader.finish().is_ok()
    }

    /// An object of so many members, whose names are long and differ in the middle alone, with one that is added.
    fn object(members: usize, added: &str) -> String {
        let names: Vec<String> = (0..members).map(|n| format!("\"beginning-{n:04}-the-end\":{{\"a\":{n}}}")).collect();
        format!("{{{},\"{added}\":0}}", names.join(","))
    }

    #[test]
    fn a_name_comes_once_in_its_object() {
        for text in
            [r#"{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":3}}"#, "{}", "[]", r#"[{"":0},{"":1}]"#, r#"{"ab":0,"ba":1}"#]
        {
            assert!(is_sound(text), "{text}");
        }
        for text in [r#"{"a":1,"a":1}"#, r#"{"b":{"c":[{"x":1,"y":2,"x":3}]}}"#, r#"{"":0,"":1}"#] {
            assert!(!is_sound(text), "{text}");
        }
        for text in [r#"{"\u0061":{"\u0061":1},"b":2,"\\u0061":3}"#, r#"{"\u00fc":1,"\u0055":2,"u":3,"":4}"#] {
            assert!(is_sound(text), "{text}");
        }
        for text in [r#"{"a":1,"\u0061":1}"#, r#"{"\u0061":[{"\n":1}],"b":2,"\u0061":1}"#, r#"{"ü":1,"\u00fc":1}"#] {
            assert!(!is_sound(text), "{text}");
        }
        for members in [1, FEW - 1, FEW, FEW + 1, 100] {
            assert!(is_sound(&object(members, "other")), "{members}");
            assert!(is_sound(&object(members, &format!("beginning-{members:04}-the-end"))), "{members}");
            for repeated in [0, members / 2, members - 1] {
                assert!(!is_sound(&object(members, &format!("beginning-{repeated:04}-the-end"))), "{members}");
                assert!(!is_sound(&object(members, &format!("beginning-{repeated:04}\\u002dthe-end"))), "{members}");
            }
        }
    }

    #[test]
    fn names_of_one_mark_are_told_apart() {
        let same = ["12345678middle-a12345678", "12345678middle-b12345678"];
        assert_eq!(mark(same[0].as_bytes()), mark(same[1].as_bytes()));
        let object = |names: &[String]| {
            let members: Vec<String> = names.iter().map(|name| format!("\"{name}\":0")).collect();
            format!("{{{}}}", members.join(","))
        };
        let mut many: Vec<String> = (0..40).map(|n| format!("12345678middle-{n:02}12345678")).collect();
        assert!(is_sound(&object(&many)) && is_sound(&object(&many[..3])));
        many.swap(7, 30);
        many.push(many[20].clone());
        assert!(!is_sound(&object(&many)));
        assert!(!is_sound(&object(&[many[0].clone(), many[1].clone(), many[0].clone()])));
    }

    #[test]
    fn numbers_and_texts_are_looked_at() {
        for text in ["[0,-1,18446744073709551616,true,null]", r#"["\ud83d\ude00","\n\u00e4","\\ud800"]"#] {
            assert!(is_sound(text), "{text}");
        }
        for text in ["-0", "[1.0]", "1e2", "[NaN]", r#"["\ud800"]"#, r#"{"\ud800":0}"#, r#"{"a\udfff":0}"#] {
            assert!(!is_sound(text), "{text}");
        }
    }
}
