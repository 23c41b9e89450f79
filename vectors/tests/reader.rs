//! What the verifier's library says below the operations: where a text fails, what a walk meets, which refusal is told.
//!
//! Operations show codes and canonical bytes; other layers and the command line also build on offsets and pointers. Every
//! offset here is counted by hand from the text beside it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use assize_verifier::canon::{CanonError, CanonRefusalKind, Canonicalizer, Profile, Rules, canonicalize};
use assize_verifier::digest::Digest;
use assize_verifier::episode::Rejection;
use assize_verifier::finding::Finding;
use assize_verifier::json::{Dialect, Document, JsonErrorKind, JsonPointer, Reader, Skip};
use assize_verifier::law::Law;

#[test]
fn a_text_fails_at_its_first_fault_and_in_its_innermost_value() {
    use JsonErrorKind as Kind;
    let shallow = Dialect { depth: 2, ..Dialect::STRICT };
    let short = Dialect { integer_digits: Some(3), ..Dialect::STRICT };
    let small = Dialect { bytes: 4, ..Dialect::STRICT };
    let strict = Dialect::STRICT;
    let table: [(&Dialect, &[u8], Kind, usize, &str); 20] = [
        (&strict, b"", Kind::UnexpectedEnd, 0, ""),
        (&strict, b"  ", Kind::UnexpectedEnd, 2, ""),
        (&strict, b"[1, 2, x]", Kind::Unexpected(b'x'), 7, "/2"),
        (&strict, b"[[1,2],[3,[4,5],x]]", Kind::Unexpected(b'x'), 16, "/1/2"),
        (&strict, b"[{},{},x]", Kind::Unexpected(b'x'), 7, "/2"),
        (&strict, br#"{"a": {"b/c": [0, +1]}}"#, Kind::Unexpected(b'+'), 18, "/a/b~1c/1"),
        (&strict, br#"{"a": 1, "b~": tru}"#, Kind::Unexpected(b'}'), 18, "/b~0"),
        (&strict, br#"[[],{"k":[1,2,{"z":[],"y":-}]}]"#, Kind::Unexpected(b'}'), 27, "/1/k/2/y"),
        (&strict, br#"["ab"#, Kind::UnexpectedEnd, 4, "/0"),
        (&strict, b"[\"a\nb\"]", Kind::ControlCharacter(b'\n'), 3, "/0"),
        (&strict, br#"[0,"a\x"]"#, Kind::BadEscape, 5, "/1"),
        (&strict, b"[] []", Kind::TrailingData, 3, ""),
        (&strict, br#"{"n":NaN}"#, Kind::Constant, 5, "/n"),
        (&strict, b"[\"a\xFF\"]", Kind::Encoding, 3, ""),
        (&strict, b"\xEF\xBB\xBF1", Kind::ByteOrderMark, 0, ""),
        (&shallow, b"[0,[[]]]", Kind::Depth(2), 4, "/1/0"),
        (&shallow, br#"{"a":{},"b":{"c":{}}}"#, Kind::Depth(2), 17, "/b/c"),
        (&short, br#"{"a":[1,-1234]}"#, Kind::IntegerDigits(3), 8, "/a/1"),
        (&short, b"[123,1234]", Kind::IntegerDigits(3), 5, "/1"),
        (&small, b"[1,2]", Kind::Size(4), 4, ""),
    ];
    for (dialect, text, kind, offset, pointer) in table {
        let shown = String::from_utf8_lossy(text);
        let error = Document::parse(text, dialect).unwrap_err();
        assert_eq!((error.kind, error.offset, error.pointer.as_str()), (kind, offset, pointer), "{shown}");
        assert_eq!(kind.is_limit(), matches!(kind, Kind::Depth(_) | Kind::IntegerDigits(_) | Kind::Size(_)), "{shown}");
    }
}

/// Levels, digits of an integer and bytes (rulings NUM-14, RES-01, RES-06, EP-27 and AU-44).
#[test]
fn the_stated_limits_of_the_dialects() {
    use JsonErrorKind as Kind;
    let nested = |levels: u32| "[".repeat(levels as usize) + &"]".repeat(levels as usize);
    for (dialect, depth, digits, bytes) in [
        (Dialect::STRICT, 256, None, 512 << 20),
        (Dialect::LAW, 256, None, 512 << 20),
        (Dialect::I_JSON, 10_000, None, 512 << 20),
        (Dialect::EPISODE, 512, None, 512 << 20),
        (Dialect::PYTHON, 990, Some(4300), u32::MAX - 1),
        (Dialect::AUTHORITY, 994, None, 512 << 20),
    ] {
        let fault = |text: &[u8]| Document::parse(text, &dialect).err().map(|error| error.kind);
        assert_eq!(fault(nested(depth).as_bytes()), None, "{}", dialect.name);
        assert_eq!(fault(nested(depth + 1).as_bytes()), Some(Kind::Depth(depth)), "{}", dialect.name);
        assert_eq!(fault(format!("-{}", "7".repeat(4300)).as_bytes()), None, "{}", dialect.name);
        assert_eq!(fault("7".repeat(4301).as_bytes()), digits.map(Kind::IntegerDigits), "{}", dialect.name);
        // Nothing of this memory is touched.
        assert_eq!(fault(&vec![0; bytes as usize + 1]), Some(Kind::Size(bytes)), "{}", dialect.name);
    }
}

/// As deep as its documents, except where the comparator runs: there its number check is what gives up (RES-02).
#[test]
fn the_stated_depths_of_the_profiles() {
    for (rules, depth) in [
        (Profile::Sovereign.rules(), 256),
        (Rules::LAW, 256),
        (Rules::PARITY, 330),
        (Profile::Rfc8785.rules(), 10_000),
        (Profile::Episode.rules(), 256),
        (Rules::EPISODE, 512),
        (Rules::ASSAY, 512),
        (Profile::Authority.rules(), 994),
    ] {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        let canonical = |levels| {
            let mut out = Vec::new();
            Canonicalizer::new(rules).document(nested(levels).as_bytes(), &mut out).is_ok()
        };
        assert_eq!((canonical(depth), canonical(depth + 1)), (true, false), "{depth} {}", rules.dialect.name);
    }
}

#[test]
fn a_pointer_names_the_value_or_the_member_that_begins_at_an_offset() {
    let text = br#"{"a":[10,{"b":null}],"c":"d"}"#;
    let reader = Reader::new(text, &Dialect::STRICT).unwrap();
    for (offset, pointer) in [
        (0, ""),
        (1, "/a"),
        (5, "/a"),
        (6, "/a/0"),
        (9, "/a/1"),
        (10, "/a/1/b"),
        (14, "/a/1/b"),
        (21, "/c"),
        (25, "/c"),
    ] {
        assert_eq!(reader.pointer_at(offset).as_str(), pointer, "{offset}");
    }
}

#[test]
fn a_walk_moves_from_value_to_value() {
    let mut reader = Reader::new(br#"[1,[],{"k":2}]"#, &Dialect::STRICT).unwrap();
    assert_eq!(reader.offset(), 0);
    assert_eq!((reader.enter_array(), reader.offset()), (Ok(()), 1));
    assert_eq!((reader.next_element(true), reader.offset()), (Ok(true), 1));
    assert_eq!((reader.parse(&mut Skip), reader.offset()), (Ok(()), 2));
    assert_eq!((reader.next_element(false), reader.offset()), (Ok(true), 3));
    assert_eq!((reader.enter_array(), reader.offset()), (Ok(()), 4));
    assert_eq!((reader.next_element(true), reader.offset()), (Ok(false), 5));
    assert_eq!((reader.next_element(false), reader.offset()), (Ok(true), 6));
    assert_eq!((reader.enter_object(), reader.offset()), (Ok(()), 7));
    let key = reader.next_key(true).unwrap().unwrap();
    assert_eq!((key.start, key.raw, reader.offset()), (8, &b"k"[..], 11));
    assert_eq!((reader.parse(&mut Skip), reader.offset()), (Ok(()), 12));
    assert!(reader.next_key(false).unwrap().is_none());
    assert_eq!((reader.next_element(false), reader.offset()), (Ok(false), 14));
    assert_eq!(reader.finish(), Ok(()));
}

#[test]
fn a_walk_refuses_what_no_array_or_object_holds() {
    let reader = |text: &'static str| Reader::new(text.as_bytes(), &Dialect::STRICT).unwrap();
    assert_eq!(reader("{}").enter_array(), Err(JsonErrorKind::Unexpected(b'{')));
    assert_eq!(reader("[]").enter_object(), Err(JsonErrorKind::Unexpected(b'[')));

    let mut array = reader("[1;2]");
    array.enter_array().unwrap();
    assert_eq!(array.next_element(true), Ok(true));
    array.parse(&mut Skip).unwrap();
    assert_eq!(array.next_element(false), Err(JsonErrorKind::Unexpected(b';')));
    assert_eq!(array.offset(), 2);

    for (text, first) in [(r#"{,"a":1}"#, true), (r#"{"a":1 "b":2}"#, false)] {
        let mut object = reader(text);
        object.enter_object().unwrap();
        if !first {
            assert!(object.next_key(true).unwrap().is_some());
            object.parse(&mut Skip).unwrap();
        }
        let refused = if first { b',' } else { b'"' };
        assert_eq!(object.next_key(first).unwrap_err(), JsonErrorKind::Unexpected(refused), "{text}");
    }
}

/// Containers that were left no longer count; the one that is too deep is named at its bracket.
#[test]
fn a_walk_counts_the_containers_that_are_open() {
    let mut reader = Reader::new(b"[[],{},[[]]]", &Dialect { depth: 2, ..Dialect::STRICT }).unwrap();
    reader.enter_array().unwrap();
    assert_eq!(reader.next_element(true), Ok(true));
    reader.enter_array().unwrap();
    assert_eq!(reader.next_element(true), Ok(false));
    assert_eq!(reader.next_element(false), Ok(true));
    reader.enter_object().unwrap();
    assert!(reader.next_key(true).unwrap().is_none());
    assert_eq!(reader.next_element(false), Ok(true));
    reader.enter_array().unwrap();
    assert_eq!(reader.next_element(true), Ok(true));
    assert_eq!(reader.clone().parse(&mut Skip), Err(JsonErrorKind::Depth(2)));
    assert_eq!(reader.enter_array(), Err(JsonErrorKind::Depth(2)));
    let error = reader.locate(JsonErrorKind::Depth(2));
    assert_eq!((error.offset, error.pointer.as_str()), (8, "/2/0"));
}

#[test]
fn a_document_keeps_its_text_and_numbers_its_values() {
    let text = br#"{"a":[1,2],"b":{"c":"d"}}"#;
    let document = Document::parse(text, &Dialect::STRICT).unwrap();
    assert_eq!(document.text(), text);
    let root = document.root();
    let (a, b) = (root.get("a").unwrap(), root.get("b").unwrap());
    let mut ids = vec![root.id(), a.id()];
    ids.extend(a.elements().map(|element| element.id()));
    ids.extend([b.id(), b.get("c").unwrap().id()]);
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 6, "each value has its own: {ids:?}");
    assert!(ids.is_sorted(), "document order: {ids:?}");
}

#[test]
fn a_constant_is_found_by_the_first_three_steps_of_its_place() {
    let text = br#"{"a":{"b":{"c":{"d":NaN}}},"e":[1,[[[Infinity]]]]}"#;
    let document = Document::parse(text, &Dialect::LAW).unwrap();
    let shown = RefCell::new(BTreeSet::new());
    let found = document.constant_where(|place| {
        shown.borrow_mut().insert(place.as_str().to_owned());
        true
    });
    assert_eq!(found.unwrap().as_str(), "/a/b/c/d");
    assert_eq!(shown.into_inner(), ["/a/b/c", "/e/1/0"].map(str::to_owned).into());
    let found = document.constant_where(|place| place.is_within("/e"));
    assert_eq!(found.unwrap().as_str(), "/e/1/0/0/0");
    assert_eq!(document.constant_where(|_| false), None);
}

#[test]
fn pointers_are_joined_and_the_root_is_empty() {
    let root = JsonPointer::root();
    let place = root.member("a/b").index(3);
    assert_eq!(place.below(&root.member("c~")).as_str(), "/a~1b/3/c~0");
    assert_eq!(place.below(&root), place);
    assert_eq!((root.is_root(), place.is_root()), (true, false));
}

/// The order of the reference: numbers and nesting are checked first and text is encoded last; else the first one counts.
#[test]
fn of_several_troubles_the_surrogate_yields_and_else_the_first_is_told() {
    for (text, kind, offset, pointer) in [
        (r#"["\ud800",1.5]"#, CanonRefusalKind::Float, 10, "/1"),
        (r#"[1.5,"\ud800"]"#, CanonRefusalKind::Float, 1, "/0"),
        (r"[1.5,-0]", CanonRefusalKind::Float, 1, "/0"),
        (r"[-0,1.5]", CanonRefusalKind::NegativeZero, 1, "/0"),
        (r#"["\ud800","\udc00"]"#, CanonRefusalKind::LoneSurrogate, 1, "/0"),
        (r#"{"b":1.5,"a":-0}"#, CanonRefusalKind::Float, 5, "/b"),
        (r#"{"b":"\ud800","a":[0,-0]}"#, CanonRefusalKind::NegativeZero, 21, "/a/1"),
        (r#"{"b":0,"a":1,"a":2}"#, CanonRefusalKind::Duplicate, 13, "/a"),
    ] {
        let error = canonicalize(Profile::Sovereign, text.as_bytes()).unwrap_err();
        assert_eq!(error.refusal(), Some(kind), "{text}");
        let CanonError::Value { refusal, pointer: place } = error else { panic!("{text}: unreadable") };
        assert_eq!((refusal.offset, place.as_str()), (offset, pointer), "{text}");
    }
    assert_eq!(canonicalize(Profile::Sovereign, b"[").unwrap_err().refusal(), None);
}

/// Ruling EP-25: integers in full, exponents without a plus sign and in upper case.
#[test]
fn the_number_form_of_the_public_episode_tool() {
    let mut out = Vec::new();
    Canonicalizer::new(Rules::ASSAY)
        .document(b"[9007199254740993,-0,1.50,1e20,1e21,-1.5e21,0.000001,1.5e-7]", &mut out)
        .unwrap();
    let expected = "[9007199254740993,0,1.5,100000000000000000000,1E21,-1.5E21,0.000001,1.5E-7]";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn a_member_is_left_out_however_its_name_is_spelled() {
    let mut out = Vec::new();
    let text = br#"{"c\u006fde":1,"mess\u0061ge":2,"stage":{"message":3}}"#;
    Canonicalizer::new(Rules::LAW).omitting("message").document(text, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), r#"{"code":1,"stage":{"message":3}}"#);
}

/// The example of FIPS 180-4 for the text `abc`.
#[test]
fn a_digest_gives_its_bytes() {
    let digest = Digest::of(b"abc");
    assert_eq!(digest.as_bytes()[..8], [0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea]);
    assert_eq!(digest.as_bytes()[28..], [0xf2, 0x00, 0x15, 0xad]);
}

#[test]
fn a_finding_keeps_its_code() {
    let finding = Finding::error(Law::named("episode/receipt-envelope"), JsonPointer::root(), "why");
    assert_eq!(finding.code, None);
    assert_eq!(finding.with_code("E_CANON_MISMATCH").code, Some("E_CANON_MISMATCH"));
}

#[test]
fn a_rejection_says_its_codes_and_its_place() {
    let refused = |text: &[u8]| {
        let dialect = Dialect { depth: 2, ..Dialect::STRICT };
        Rejection::from(Document::parse(text, &dialect).unwrap_err())
    };
    let place = JsonPointer::from_text("/a/1");
    let found =
        [Law::named("episode/script-graph"), Law::named("episode/identity-view"), Law::named("episode/script-graph")];
    let laws = found.map(|law| Finding::error(law, place.clone(), "why")).to_vec();
    for (rejection, codes, pointer) in [
        (refused(b"[0,[[]]]"), vec!["A_LIMIT"], "/1/0"),
        (refused(b"[0,x]"), vec!["A_JSON"], "/1"),
        (Rejection::Value(place.clone(), "why".into()), vec!["A_VALUE"], "/a/1"),
        (Rejection::Laws(laws), vec!["episode/identity-view", "episode/script-graph"], "/a/1"),
        (Rejection::Limit("why".into()), vec!["A_LIMIT"], ""),
        (Rejection::Input("why".into()), vec!["A_INPUT"], ""),
    ] {
        assert_eq!((rejection.codes(), rejection.pointer().as_str()), (codes, pointer), "{rejection:?}");
    }
}
