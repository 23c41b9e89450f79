//! The writer: puts canonical text together while a document is read.

mod pass;

use super::member::Member;
use super::order::Orders;
use super::pieces::{Pieces, Place};
use super::{CanonError, CanonRefusal, CanonRefusalKind, Duplicates, Rules};
use crate::json::{JsonError, JsonErrorKind, NodeRef, Reader};
use pass::Pass;

/// Writes canonical bytes of one value after the other, reusing its memory.
#[derive(Debug)]
pub struct Canonicalizer {
    rules: Rules,
    /// Containers that are open.
    depth: u32,
    /// Names of the innermost object have come in canonical order so far, each different from the one before.
    sorted: bool,
    /// Index of the innermost object's first entry in `members`.
    first: usize,
    frames: Vec<Frame>,
    members: Vec<Member>,
    pieces: Pieces,
    orders: Orders,
    /// Refusals in what has been read, as far as nothing left them out: those of an object come last while it is open.
    refusals: Vec<CanonRefusal>,
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

/// An open object.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The place after the opening bracket.
    start: Place,
    /// What `first` and, in the lowest bit, `sorted` were outside.
    outside: usize,
}

/// Entries of a list that is small.
const FEW: usize = 4096;

impl Canonicalizer {
    /// A writer for one set of rules.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            depth: 0,
            sorted: true,
            first: 0,
            // Room for usual records, so that one of them costs no growing.
            frames: Vec::with_capacity(8),
            members: Vec::with_capacity(32),
            pieces: Pieces::new(),
            orders: Orders::default(),
            refusals: Vec::new(),
            omitted: None,
            tracked: false,
            outermost: Vec::new(),
        }
    }

    /// Goes on under other rules.
    pub(super) fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Whether so little memory is held that it may be held for the next document, whenever that comes.
    pub(super) fn is_small(&self) -> bool {
        let lists = [self.members.capacity(), self.frames.capacity(), self.refusals.capacity()];
        lists.into_iter().chain([self.pieces.capacity(), self.orders.capacity()]).all(|capacity| capacity <= FEW)
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
        self.depth = 0;
        self.first = 0;
        self.frames.clear();
        self.members.clear();
        self.outermost.clear();
        self.refusals.clear();
        self.pieces.clear();
        let text = reader.text();
        reader.parse(&mut Pass { state: self, text, out })?;
        self.pieces.append_to(text, out);
        Ok(worst_of(&self.refusals))
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

    /// Whether the members of the innermost object are kept track of.
    #[inline(always)]
    fn tracks(&self) -> bool {
        self.tracked && self.depth == 1
    }

    #[cold]
    fn note(&mut self, kind: CanonRefusalKind, offset: usize) {
        self.refusals.push(CanonRefusal { kind, offset });
    }

    /// Takes the refusals that stand at or after a document offset.
    fn refusals_since(&mut self, start: u32) -> Vec<CanonRefusal> {
        let stay = self.refusals.iter().rposition(|refusal| refusal.offset < start as usize).map_or(0, |last| last + 1);
        self.refusals.split_off(stay)
    }

    /// Keeps of an object's refusals the one to report, none of them in a member that was left out.
    #[cold]
    fn settle(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let mut refusals = self.refusals_since(frame.start.offset());
        if refusals.is_empty() {
            return;
        }
        if self.rules.duplicates == Duplicates::LastWins {
            let own = self.members.get(self.first..).unwrap_or_default();
            let left_out = own.iter().filter(|member| member.is_repeated());
            let mut left_out: Vec<_> = left_out.map(|member| (member.start.offset(), member.end.offset())).collect();
            left_out.sort_unstable();
            refusals.retain(|refusal| {
                let before = left_out.partition_point(|(start, _)| *start as usize <= refusal.offset);
                let around = before.checked_sub(1).and_then(|last| left_out.get(last));
                around.is_none_or(|(_, end)| refusal.offset >= *end as usize)
            });
        }
        self.refusals.extend(worst_of(&refusals));
    }

    /// Makes one of what has gathered and will not be put into another order.
    #[cold]
    fn gather(&mut self, text: &[u8], out: &mut Vec<u8>) {
        let member = self.members.last().map(|member| member.start.piece().max(member.end.piece()) + 1);
        let frame = self.frames.last().map(|frame| frame.start.piece() + 1);
        self.pieces.gather(member.max(frame), text, out);
    }
}

fn worst_of(refusals: &[CanonRefusal]) -> Option<CanonRefusal> {
    refusals.iter().fold(None, |worst, refusal| CanonRefusal::worst(worst, Some(*refusal)))
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

    fn slice(bytes: &[u8], (start, end): (u32, u32)) -> &[u8] {
        &bytes[start as usize..end as usize]
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
