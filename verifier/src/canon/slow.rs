//! A second writer, which shares nothing with the first but how it prints numbers: it walks the tree of a document, sorts decoded
//! names and copies as it goes. Documents made at random are given to both.

use super::{Canonicalizer, Duplicates, KeyOrder, Profile, Rules, canonicalize_by};
use crate::json::{Document, Kind, NodeRef, append_json_string};

/// Canonical bytes, if the value has any.
fn slow(rules: &Rules, node: NodeRef<'_>, depth: u32, out: &mut Vec<u8>) -> Option<()> {
    if matches!(node.kind(), Kind::Object | Kind::Array) && depth == rules.depth {
        return None;
    }
    match node.kind() {
        Kind::Object => {
            let mut members: Vec<(Vec<u8>, NodeRef<'_>)> = Vec::new();
            for (name, value) in node.members() {
                let name = name.decode().into_bytes().into_owned();
                if let Some(earlier) = members.iter_mut().find(|(earlier, _)| *earlier == name) {
                    if rules.duplicates == Duplicates::Refused {
                        return None;
                    }
                    earlier.1 = value;
                } else {
                    members.push((name, value));
                }
            }
            for (name, _) in &members {
                std::str::from_utf8(name).ok()?;
            }
            match rules.key_order {
                KeyOrder::CodePoint => members.sort_by(|(a, _), (b, _)| a.cmp(b)),
                KeyOrder::Utf16 => members
                    .sort_by_key(|(name, _)| std::str::from_utf8(name).unwrap().encode_utf16().collect::<Vec<u16>>()),
            }
            out.push(b'{');
            for (index, (name, value)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                append_json_string(name, out);
                out.push(b':');
                slow(rules, *value, depth + 1, out)?;
            }
            out.push(b'}');
        }
        Kind::Array => {
            out.push(b'[');
            for (index, element) in node.elements().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                slow(rules, element, depth + 1, out)?;
            }
            out.push(b']');
        }
        Kind::String => {
            let string = node.as_string().unwrap();
            string.to_str()?;
            append_json_string(string.as_bytes(), out);
        }
        Kind::Number => (rules.number)(node.as_number().unwrap(), out).ok()?,
        Kind::True | Kind::False | Kind::Null => out.extend_from_slice(node.raw()),
    }
    Some(())
}

/// Documents made at random: white space, names and numbers of all sorts, out of order and repeated.
struct Maker {
    state: u64,
    text: String,
    /// Names, numbers and escapes are of all sorts.
    odd: bool,
    spaced: bool,
}

impl Maker {
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) as usize % bound
    }

    fn one_of(&mut self, of: &[&str]) {
        let choice = self.below(of.len());
        self.text.push_str(of[choice]);
    }

    fn space(&mut self) {
        if self.spaced {
            self.one_of(&["", " ", "  ", "\n", "\t\r"]);
        }
    }

    fn string(&mut self) {
        self.text.push('"');
        for _ in 0..[0, 1, 1, 1, 2, 3, 12][self.below(7)] {
            if self.odd {
                self.one_of(&[
                    "a",
                    "policy_source_",
                    "é",
                    "\u{FF61}",
                    "😀",
                    "\\n",
                    "\\\"",
                    "\\/",
                    "\\u0041",
                    "\\uff61",
                    "\\ud83d\\ude00",
                    "\\u000B",
                    "\\u000b",
                    "\\u001f",
                    "0",
                    "\u{7f}",
                    "\\\\",
                ]);
            } else {
                self.one_of(&["a", "b", "policy_", "z", "c", "ä"]);
            }
        }
        if self.below(200) == 0 {
            self.text.push_str("\\ud800");
        }
        self.text.push('"');
    }

    fn number(&mut self) {
        if self.odd && self.below(4) == 0 {
            self.one_of(&[
                "-0",
                "1.0",
                "1.5",
                "2.50",
                "1e3",
                "1E-7",
                "0.00001",
                "-12.75",
                "9007199254740993",
                "1e400",
                "-7",
            ]);
        } else {
            let number = self.below(1_000_000).to_string();
            self.text.push_str(&number);
        }
    }

    fn value(&mut self, depth: usize) {
        self.space();
        match self.below(if depth == 0 { 4 } else { 10 }) {
            0 => self.one_of(&["true", "false", "null"]),
            1 => self.string(),
            2 | 3 => self.number(),
            4..7 => self.list("[", "]", |maker| maker.value(depth - 1)),
            _ => self.list("{", "}", |maker| {
                maker.string();
                maker.space();
                maker.text.push(':');
                maker.value(depth - 1);
            }),
        }
        self.space();
    }

    fn list(&mut self, open: &str, close: &str, mut entry: impl FnMut(&mut Self)) {
        self.text.push_str(open);
        self.space();
        let count = if self.below(40) == 0 { self.below(50) } else { self.below(5) };
        for index in 0..count {
            if index > 0 {
                self.text.push(',');
                self.space();
            }
            entry(self);
        }
        self.text.push_str(close);
    }
}

fn all_rules() -> impl Iterator<Item = Rules> {
    Profile::ALL.map(Profile::rules).into_iter().chain([Rules::PARITY, Rules::ASSAY, Rules::EPISODE])
}

/// How many forms there were.
fn compare(text: &str) -> usize {
    let mut forms = 0;
    for rules in all_rules() {
        let document = Document::parse(text.as_bytes(), &rules.dialect).unwrap();
        let mut expected = Vec::new();
        let expected = slow(&rules, document.root(), 0, &mut expected).map(|()| expected);
        let found = canonicalize_by(&rules, text.as_bytes()).ok();
        let found = found.as_ref().map(|bytes| bytes.as_slice());
        let spell = |bytes: Option<&[u8]>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        assert_eq!(spell(found), spell(expected.as_deref()), "{text}");
        forms += usize::from(found.is_some());
    }
    forms
}

#[test]
fn both_writers_agree() {
    let mut maker = Maker { state: 1, text: String::new(), odd: false, spaced: false };
    let mut forms = 0;
    for _ in 0..4_000 {
        maker.text.clear();
        (maker.odd, maker.spaced) = (maker.below(3) == 0, maker.below(2) == 0);
        maker.value(4);
        forms += compare(&maker.text);
    }
    assert!((14_000..27_900).contains(&forms), "{forms}: both outcomes are frequent");
}

#[test]
fn both_writers_agree_where_pieces_gather() {
    for (open, close) in [
        ("[", "]"),
        ("[[", "],{\"b\":1,\"a\":2}]"),
        (r#"{"z":["#, r#"],"b":[1, 2],"\u0061":{}}"#),
        (r#"{"b":{"z":1,"y":[["#, r#"],"x"],"c":1},"a":[{}, 1]}"#),
        (r#"{"a":0, "b":{"a":["#, r#"], "b": 2},"c":3}"#),
    ] {
        let mut maker = Maker { state: 7, text: open.to_owned(), odd: false, spaced: true };
        for index in 0..6_000 {
            if index > 0 {
                maker.text.push(',');
            }
            maker.space();
            match maker.below(3) {
                0 => maker.number(),
                1 => maker.text.push_str(r#"{"b": [1, 2],"a": "\u0041", "c":{"y":null,"x":7}}"#),
                _ => maker.text.push_str(r#"["a" , "\/"]"#),
            }
        }
        maker.text.push_str(close);
        assert_eq!(compare(&maker.text), all_rules().count());
    }
}

#[test]
fn a_writer_is_as_new_after_every_value() {
    let mut writer = Canonicalizer::new(Rules::PARITY);
    for (text, expected) in [
        (r#"[1.5,{"b":"\ud800","a":"#, None),
        (r#"{"b":[[{"c":1,"#, None),
        (r#"{"b":1, "a":"\u0041"}"#, Some(r#"{"a":"A","b":1}"#)),
        ("[1.5]", None),
        (r#"{"c":{"b":1, "a":2}}"#, Some(r#"{"c":{"a":2,"b":1}}"#)),
    ] {
        let mut out = Vec::new();
        let written = writer.document(text.as_bytes(), &mut out);
        assert_eq!(written.ok().map(|()| String::from_utf8(out).unwrap()).as_deref(), expected);
    }
}

#[test]
fn the_members_of_an_outermost_object_are_located() {
    let rules = Rules::PARITY;
    let mut maker = Maker { state: 3, text: String::new(), odd: false, spaced: false };
    let mut writer = Canonicalizer::new(rules).tracking();
    let mut leaving_out = Canonicalizer::new(rules).tracking().omitting("a");
    let mut located = 0;
    for _ in 0..4_000 {
        maker.text.clear();
        (maker.odd, maker.spaced) = (maker.below(3) == 0, maker.below(2) == 0);
        maker.list("{", "}", |maker| {
            maker.string();
            maker.space();
            maker.text.push(':');
            maker.value(2);
        });
        let document = Document::parse(maker.text.as_bytes(), &rules.dialect).unwrap();
        for (writer, omitted) in [(&mut writer, None), (&mut leaving_out, Some("a"))] {
            let mut out = b"before".to_vec();
            if writer.document(maker.text.as_bytes(), &mut out).is_err() {
                continue;
            }
            let mut expected: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
            for (name, value) in
                document.root().members().filter(|(name, _)| omitted.is_none_or(|a| name.decode() != a))
            {
                let mut canonical = Vec::new();
                // A value that another one of its name replaces need not have a form.
                let _ = slow(&rules, value, 1, &mut canonical);
                let name = name.decode().into_bytes().into_owned();
                expected.retain(|(other, _)| *other != name);
                expected.push((name, canonical));
            }
            expected.sort();
            let spelled = |name: &[u8]| {
                let mut out = Vec::new();
                append_json_string(name, &mut out);
                out[1..out.len() - 1].to_vec()
            };
            let expected: Vec<_> = expected.into_iter().map(|(name, value)| (spelled(&name), value)).collect();
            let bytes = |(start, end): (u32, u32)| out[start as usize..end as usize].to_vec();
            let members = writer.outermost_members().iter();
            let found: Vec<_> = members.map(|member| (bytes(member.name), bytes(member.value))).collect();
            assert_eq!(found, expected, "{}", maker.text);
            located += found.len();
        }
    }
    assert!(located > 8_000, "{located}");
}
