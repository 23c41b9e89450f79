//! The writer: appends canonical bytes while the text is read.

use std::cmp::Ordering;

use super::{CanonError, CanonRefusal, CanonRefusalKind, Duplicates, KeyOrder, Rules, key};
use crate::json::{JsonError, JsonErrorKind, NodeRef, RawString, Reader, Scalar, Sink, respell};

/// Writes canonical bytes of one value after the other, reusing its memory.
#[derive(Debug)]
pub struct Canonicalizer {
    rules: Rules,
    frames: Vec<Frame>,
    members: Vec<Member>,
    /// Copy of an object's bytes while its members are permuted.
    permuted: Vec<u8>,
    /// Refusal of a value that stands in no container.
    bare: Option<CanonRefusal>,
    /// A refusal has been noted in this value.
    troubled: bool,
    /// Name of the member that is left out of the outermost object.
    omitted: Option<&'static str>,
    /// Whether `outermost` is kept.
    tracked: bool,
    /// Where the members of the outermost object ended up.
    outermost: Vec<MemberSpan>,
}

/// A member of the outermost object, as byte offsets in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemberSpan {
    /// The name without its quotes, as written.
    pub(crate) name: (u32, u32),
    /// The value.
    pub(crate) value: (u32, u32),
}

/// An open container.
#[derive(Clone, Copy, Debug)]
struct Frame {
    object: bool,
    /// Names have come in canonical order so far, each different from the one before.
    sorted: bool,
    /// Output offset after the opening bracket.
    start: u32,
    /// Index of the object's first entry in `members`.
    first: u32,
    /// Refusal of an array's elements.
    refusal: Option<CanonRefusal>,
}

/// A member of an open object.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// Output offset before the comma that precedes the member, if there is one.
    start: u32,
    /// The name without its quotes.
    name: (u32, u32),
    /// The first eight bytes of the name, which settle most comparisons.
    prefix: u64,
    /// Bytes do not sort like the name: it holds an escape, or a character that UTF-16 orders in its own way.
    indirect: bool,
    /// The member is left out.
    omitted: bool,
    /// Output offset after the value, once it is complete.
    end: u32,
    /// Document offset of the name.
    source: u32,
    refusal: Option<CanonRefusal>,
}

impl Canonicalizer {
    /// A writer for one set of rules.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            // Room for usual records, so that one of them costs no growing.
            frames: Vec::with_capacity(16),
            members: Vec::with_capacity(32),
            permuted: Vec::new(),
            bare: None,
            troubled: false,
            omitted: None,
            tracked: false,
            outermost: Vec::new(),
        }
    }

    /// Keeps track of where the members of outermost objects end up.
    #[must_use]
    pub(crate) fn tracking(mut self) -> Self {
        self.tracked = true;
        self
    }

    /// Leaves the member of this name out of outermost objects.
    #[must_use]
    pub fn omitting(mut self, name: &'static str) -> Self {
        self.omitted = Some(name);
        self
    }

    /// Reads one value and appends its canonical bytes.
    ///
    /// If there is a refusal the bytes mean nothing, but reading has gone on to the end of the value.
    ///
    /// # Errors
    /// If the text is malformed or exceeds a limit.
    pub fn append(
        &mut self,
        reader: &mut Reader<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Option<CanonRefusal>, JsonErrorKind> {
        self.frames.clear();
        self.members.clear();
        self.outermost.clear();
        self.bare = None;
        self.troubled = false;
        reader.parse(&mut Pass { state: self, out })?;
        Ok(self.bare)
    }

    /// Reads a whole document and appends its canonical bytes, which mean nothing after an error.
    ///
    /// # Errors
    /// If the text is not JSON in the rules' dialect, or the value has no canonical form.
    pub fn document(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<(), CanonError> {
        let mut reader = Reader::new(text, &self.rules.dialect)?;
        let refusal = self
            .append(&mut reader, out)
            .and_then(|refusal| reader.finish().map(|()| refusal))
            .map_err(|kind| reader.locate(kind))?;
        match refusal {
            Some(refusal) => Err(CanonError::Value { refusal, pointer: reader.pointer_at(refusal.offset) }),
            None => Ok(()),
        }
    }

    /// Appends the canonical bytes of one value of a document that has been read.
    ///
    /// # Errors
    /// If the value's own text exceeds a limit of these rules.
    pub(crate) fn append_node(
        &mut self,
        node: NodeRef<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Option<CanonRefusal>, JsonError> {
        let mut reader = Reader::new(node.raw(), &self.rules.dialect)?;
        self.append(&mut reader, out).map_err(|kind| reader.locate(kind))
    }

    /// The members of the object that was written last, in canonical order, if they are tracked.
    #[must_use]
    pub(crate) fn outermost_members(&self) -> &[MemberSpan] {
        &self.outermost
    }

    #[cold]
    fn note(&mut self, kind: CanonRefusalKind, offset: usize) {
        self.troubled = true;
        self.merge(Some(CanonRefusal { kind, offset }));
    }

    /// Adds a refusal to the innermost open member, array or bare value.
    fn merge(&mut self, refusal: Option<CanonRefusal>) {
        let Some(new) = refusal else { return };
        let slot = match self.frames.last_mut() {
            None => &mut self.bare,
            Some(frame) if frame.object => match self.members.last_mut() {
                Some(member) => &mut member.refusal,
                None => return,
            },
            Some(frame) => &mut frame.refusal,
        };
        *slot = CanonRefusal::worst(*slot, Some(new));
    }
}

impl Member {
    /// Orders two members of one object by their names.
    #[inline]
    fn compare(&self, other: &Self, order: KeyOrder, out: &[u8]) -> Ordering {
        if self.indirect || other.indirect {
            return key::compare(order, slice(out, self.name), slice(out, other.name));
        }
        match self.prefix.cmp(&other.prefix) {
            Ordering::Equal => slice(out, self.name).cmp(slice(out, other.name)),
            unequal => unequal,
        }
    }
}

/// The first eight bytes as a number that sorts like them; shorter names are filled up with zeros, which stand in no name.
#[inline]
fn prefix(name: &[u8]) -> u64 {
    if let Some(chunk) = name.first_chunk::<8>() {
        return u64::from_be_bytes(*chunk);
    }
    // Byte by byte in a register: bytes that are stored one by one cannot be loaded as eight at once for a while.
    let shorter = name.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
    if name.is_empty() { 0 } else { shorter << (64 - 8 * name.len()) }
}

/// Offsets fit 32 bits: no dialect reads larger documents, and those in which numbers can grow are smaller still.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn slice(bytes: &[u8], (start, end): (u32, u32)) -> &[u8] {
    bytes.get(start as usize..end as usize).unwrap_or_default()
}

/// One run over one value.
struct Pass<'c> {
    state: &'c mut Canonicalizer,
    out: &'c mut Vec<u8>,
}

impl Pass<'_> {
    /// Writes the comma before an array element. Members get theirs with their name.
    fn separate(&mut self) {
        if let Some(frame) = self.state.frames.last()
            && !frame.object
            && self.out.len() > frame.start as usize
        {
            self.out.push(b',');
        }
    }

    fn begin(&mut self, at: usize, object: bool) {
        self.separate();
        if self.state.frames.len() >= self.state.rules.depth as usize {
            self.state.note(CanonRefusalKind::Depth, at);
        }
        self.out.push(if object { b'{' } else { b'[' });
        let (start, first) = (offset(self.out.len()), offset(self.state.members.len()));
        self.state.frames.push(Frame { object, sorted: true, start, first, refusal: None });
    }

    /// Appends a string with its quotes; tells whether an escape or a surrogate was written.
    #[inline]
    fn append_string(&mut self, text: &[u8], string: &RawString<'_>) -> (bool, bool) {
        if !string.escaped {
            // The quotes stand around it in the text already.
            let quoted = text.get(string.start - 1..=string.start + string.raw.len());
            self.out.extend_from_slice(quoted.unwrap_or_default());
            return (false, false);
        }
        self.out.push(b'"');
        let told = respell(string.raw, self.out);
        self.out.push(b'"');
        told
    }

    /// Completes the member that was open, if there is one.
    fn end_member(&mut self, first: usize) {
        let end = offset(self.out.len());
        if self.state.members.len() <= first {
            return;
        }
        if let Some(member) = self.state.members.last_mut() {
            member.end = end;
            if member.omitted {
                self.out.truncate(member.start as usize);
                self.state.members.pop();
            }
        }
    }

    /// Brings the members of the closing object into canonical order and settles repeated names.
    fn permute(&mut self, frame: &Frame) {
        let Canonicalizer { rules, members, permuted, troubled, .. } = &mut *self.state;
        let out = &mut *self.out;
        let Some(members) = members.get_mut(frame.first as usize..) else { return };
        members.sort_by(|a, b| a.compare(b, rules.key_order, out));
        permuted.clear();
        permuted.extend_from_slice(out.get(frame.start as usize..).unwrap_or_default());
        out.truncate(frame.start as usize);
        let inside = |at: u32| (at - frame.start) as usize;
        let mut rest = &mut *members;
        while let Some((member, after)) = rest.split_first_mut() {
            // Equal names have equal canonical bytes.
            let bytes = |name: (u32, u32)| permuted.get(inside(name.0)..inside(name.1));
            let repeated = after
                .first()
                .is_some_and(|next| member.prefix == next.prefix && bytes(member.name) == bytes(next.name));
            if repeated {
                if let Some(next) = after.first_mut()
                    && rules.duplicates == Duplicates::Refused
                {
                    *troubled = true;
                    let duplicate = CanonRefusal { kind: CanonRefusalKind::Duplicate, offset: next.source as usize };
                    next.refusal =
                        CanonRefusal::worst(CanonRefusal::worst(next.refusal, member.refusal), Some(duplicate));
                }
                member.omitted = true;
            } else {
                if out.len() > frame.start as usize {
                    out.push(b',');
                }
                let moved = offset(out.len() + 1);
                let name_length = member.name.1 - member.name.0;
                let length = member.end - member.name.0;
                out.extend_from_slice(permuted.get(inside(member.name.0 - 1)..inside(member.end)).unwrap_or_default());
                member.name = (moved, moved + name_length);
                member.end = moved + length;
            }
            rest = after;
        }
    }
}

impl Sink for Pass<'_> {
    fn begin_object(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.begin(at, true);
        Ok(())
    }

    fn key(&mut self, text: &[u8], key: RawString<'_>) -> Result<(), JsonErrorKind> {
        let Some(frame) = self.state.frames.last() else { return Ok(()) };
        let first = frame.first as usize;
        self.end_member(first);
        let start = offset(self.out.len());
        let follows = self.state.members.len() > first;
        if follows {
            self.out.push(b',');
        }
        let name_start = offset(self.out.len() + 1);
        let (escaped, surrogate) = self.append_string(text, &key);
        let name = (name_start, offset(self.out.len() - 1));
        self.out.push(b':');
        let omitted = self.state.frames.len() == 1
            && self.state.omitted.is_some_and(|omitted| {
                if key.escaped { key.decode() == omitted } else { key.raw == omitted.as_bytes() }
            });
        let source = offset(key.start.saturating_sub(1));
        let bytes = slice(self.out, name);
        let order = self.state.rules.key_order;
        let indirect = escaped || (order == KeyOrder::Utf16 && !bytes.is_ascii());
        let prefix = prefix(bytes);
        let member = Member { start, name, prefix, indirect, omitted, end: 0, source, refusal: None };
        if follows
            && let (Some(previous), Some(frame)) = (self.state.members.last(), self.state.frames.last_mut())
            && frame.sorted
        {
            // Most names are told apart by their first bytes.
            let plain = !previous.indirect && !indirect && previous.prefix != prefix;
            frame.sorted =
                if plain { previous.prefix < prefix } else { previous.compare(&member, order, self.out).is_lt() };
        }
        self.state.members.push(member);
        if surrogate {
            self.state.note(CanonRefusalKind::LoneSurrogate, source as usize);
        }
        Ok(())
    }

    fn end_object(&mut self, _at: usize) -> Result<(), JsonErrorKind> {
        let Some(frame) = self.state.frames.last().copied() else { return Ok(()) };
        let first = frame.first as usize;
        self.end_member(first);
        if !frame.sorted {
            self.permute(&frame);
        }
        self.out.push(b'}');
        self.state.frames.pop();
        let tracked = self.state.tracked && self.state.frames.is_empty();
        let mut refusal = None;
        if tracked || self.state.troubled {
            for member in self.state.members.get(first..).unwrap_or_default().iter().filter(|member| !member.omitted) {
                refusal = CanonRefusal::worst(refusal, member.refusal);
                if tracked {
                    let value = (member.name.1 + 2, member.end);
                    self.state.outermost.push(MemberSpan { name: member.name, value });
                }
            }
        }
        self.state.members.truncate(first);
        self.state.merge(refusal);
        Ok(())
    }

    fn begin_array(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.begin(at, false);
        Ok(())
    }

    fn end_array(&mut self, _at: usize) -> Result<(), JsonErrorKind> {
        self.out.push(b']');
        let refusal = self.state.frames.pop().and_then(|frame| frame.refusal);
        self.state.merge(refusal);
        Ok(())
    }

    #[inline(always)]
    fn scalar(&mut self, text: &[u8], scalar: Scalar<'_>) -> Result<(), JsonErrorKind> {
        self.separate();
        match scalar {
            Scalar::String(string) => {
                let (_, surrogate) = self.append_string(text, &string);
                if surrogate {
                    self.state.note(CanonRefusalKind::LoneSurrogate, scalar.start());
                }
            }
            Scalar::Number(at, token) => {
                if let Err(kind) = (self.state.rules.number)(token, self.out) {
                    // Something has to stand here, so that separators and spans stay right.
                    self.out.push(b'0');
                    self.state.note(kind, at);
                }
            }
            Scalar::True(_) => self.out.extend_from_slice(b"true"),
            Scalar::False(_) => self.out.extend_from_slice(b"false"),
            Scalar::Null(_) => self.out.extend_from_slice(b"null"),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canon::{Profile, canonicalize, canonicalize_by};

    fn check(profile: Profile, text: &str, expected: Result<&str, CanonRefusalKind>) {
        let found = canonicalize(profile, text.as_bytes());
        let found = match &found {
            Ok(bytes) => Ok(std::str::from_utf8(bytes.as_slice()).expect("UTF-8")),
            Err(error) => Err(error.refusal().expect("readable")),
        };
        assert_eq!(found, expected, "{profile:?} {text}");
    }

    #[test]
    fn members_are_permuted_at_every_depth() {
        let text = r#" { "b" : {"z":1,"a":[{"d":1,"c":2}]} , "a\u0062": "\/" , "a": null } "#;
        for profile in Profile::ALL {
            check(profile, text, Ok(r#"{"a":null,"ab":"/","b":{"a":[{"c":2,"d":1}],"z":1}}"#));
        }
    }

    #[test]
    fn profiles_part_over_order_numbers_and_repeats() {
        let names = r#"{"😀":1,"｡":2}"#;
        check(Profile::Sovereign, names, Ok(r#"{"｡":2,"😀":1}"#));
        check(Profile::Episode, names, Ok(r#"{"😀":1,"｡":2}"#));
        check(Profile::Sovereign, "[1.0]", Err(CanonRefusalKind::Float));
        check(Profile::Episode, "[1.0,-0,1e21]", Ok("[1,0,1e+21]"));
        check(Profile::Authority, "[1.0,-0,-0.0,1e16]", Ok("[1.0,0,-0.0,1e+16]"));
        check(Profile::Episode, "9007199254740992", Err(CanonRefusalKind::UnsafeInteger));
        check(Profile::Rfc8785, names, Ok(r#"{"😀":1,"｡":2}"#));
        check(
            Profile::Rfc8785,
            "[-0,1e20,100000000000000000000]",
            Ok("[0,100000000000000000000,100000000000000000000]"),
        );
        check(
            Profile::Rfc8785,
            "[9007199254740993,-9223372036854775809]",
            Ok("[9007199254740992,-9223372036854776000]"),
        );
        check(Profile::Rfc8785, &"9".repeat(400), Err(CanonRefusalKind::NonFinite));
        check(Profile::Rfc8785, r#"{"a":null,"\u0061":1}"#, Err(CanonRefusalKind::Duplicate));
        check(Profile::Sovereign, "-0", Err(CanonRefusalKind::NegativeZero));
        let repeats = r#"{"b":2,"a":NaN,"\u0061":{"y":1,"x":[]}}"#;
        check(Profile::Sovereign, repeats, Err(CanonRefusalKind::NonFinite));
        check(Profile::Sovereign, r#"{"b":2,"a":1,"\u0061":3}"#, Err(CanonRefusalKind::Duplicate));
        check(Profile::Authority, repeats, Ok(r#"{"a":{"x":[],"y":1},"b":2}"#));
        check(Profile::Authority, r#"{"a":1,"a":NaN}"#, Err(CanonRefusalKind::NonFinite));
    }

    #[test]
    fn a_refusal_is_located() {
        let error = canonicalize(Profile::Sovereign, br#"{"b":[0,{"c":1.5}],"a":"\ud800"}"#).unwrap_err();
        let CanonError::Value { refusal, pointer } = error else { panic!("a value error") };
        assert_eq!((refusal.kind, pointer.as_str()), (CanonRefusalKind::Float, "/b/1/c"));
        let error = canonicalize(Profile::Episode, br#"{"b":1,"a":{"x":1,"x":1}}"#).unwrap_err();
        let CanonError::Value { pointer, .. } = error else { panic!("a value error") };
        assert_eq!(pointer.as_str(), "/a/x");
    }

    #[test]
    fn parity_checks_numbers_before_it_encodes() {
        let error = canonicalize_by(&Rules::PARITY, br#"["\ud800", {"x": 1.0}]"#).unwrap_err();
        assert_eq!(error.refusal(), Some(CanonRefusalKind::Float));
        assert_eq!(
            canonicalize_by(&Rules::PARITY, br#"{"x":1.0,"x":-0}"#).expect("last wins").as_slice(),
            br#"{"x":0}"#
        );
    }

    #[test]
    fn one_member_can_be_left_out_and_the_others_located() {
        for text in [
            r#"{"message":1.5,"z":"m","code":[1]}"#,
            r#"{"z":"m","message":{"message":1},"code":[1],"message":2}"#,
            r#"{"code":[1],"z":"m","messag\u0065":"\ud800"}"#,
        ] {
            let mut out = b"kept".to_vec();
            let mut canonicalizer = Canonicalizer::new(Rules::PARITY).tracking().omitting("message");
            let mut reader = Reader::new(text.as_bytes(), &Rules::PARITY.dialect).expect("UTF-8");
            assert_eq!(canonicalizer.append(&mut reader, &mut out), Ok(None), "{text}");
            assert_eq!(String::from_utf8(out.clone()).expect("UTF-8"), r#"kept{"code":[1],"z":"m"}"#, "{text}");
            let spans = canonicalizer.outermost_members();
            let found: Vec<_> = spans.iter().map(|m| (slice(&out, m.name), slice(&out, m.value))).collect();
            assert_eq!(found, [(&b"code"[..], &b"[1]"[..]), (b"z", b"\"m\"")], "{text}");
        }
    }
}
