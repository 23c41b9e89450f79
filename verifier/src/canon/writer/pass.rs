//! One run over one value: what each token adds to canonical text.

use std::cmp::Ordering;

use super::super::member::{ANEW, INDIRECT, Member, REPEATED, ascend, compare_prefixes, prefix};
use super::super::order::Order;
use super::super::pieces::{Place, offset};
use super::super::{CanonRefusal, CanonRefusalKind, Duplicates, float};
use super::{Canonicalizer, Frame, MemberSpan};
use crate::json::{JsonErrorKind, JsonStr, NumberToken, RawString, Scalar, Sink, respell};

/// One run over one value.
pub(super) struct Pass<'c, 't> {
    pub(super) state: &'c mut Canonicalizer,
    pub(super) text: &'t [u8],
    pub(super) out: &'c mut Vec<u8>,
}

impl Pass<'_, '_> {
    #[inline(always)]
    fn begin(&mut self, at: usize) {
        if self.state.depth >= self.state.rules.depth {
            self.state.note(CanonRefusalKind::Depth, at);
        }
        self.state.depth += 1;
        self.state.pieces.keep(at, at + 1);
    }

    /// Adds a string that holds an escape.
    #[inline(never)]
    fn spell(&mut self, string: RawString<'_>) -> Spelled {
        let spelling = self.state.pieces.spelling();
        let from = spelling.len();
        spelling.push(b'"');
        let (escaped, surrogate) = respell(string.raw, spelling);
        spelling.push(b'"');
        let span = (string.start - 1, string.start + string.raw.len() + 1);
        Spelled { anew: self.state.pieces.respell(from, self.text, span), escaped, surrogate }
    }

    /// Adds a number that may have to be spelled anew.
    #[inline(never)]
    fn number(&mut self, at: usize, token: NumberToken<'_>) {
        let spelling = self.state.pieces.spelling();
        let from = spelling.len();
        let refused = (self.state.rules.number)(token, spelling).err();
        if refused.is_some() {
            // Something has to stand here, so that it is a value.
            spelling.truncate(from);
            spelling.push(b'0');
        }
        self.state.pieces.respell(from, self.text, (at, at + token.text.len()));
        if let Some(kind) = refused {
            self.state.note(kind, at);
        }
    }

    /// Begins a member of this name.
    #[inline(always)]
    fn begin_member(&mut self, prefix: u64, start: Place, name: u64) {
        let Canonicalizer { rules, first, sorted, members, pieces, .. } = &mut *self.state;
        let before = members.last().filter(|_| *sorted && members.len() > *first);
        let told = before.map(|before| compare_prefixes(rules.key_order, (before.prefix, before.name), (prefix, name)));
        members.push(Member { prefix, start, name, end: Place::default() });
        if let Some(told) = told {
            *sorted = told.map_or_else(|| ascend(members, rules.key_order, self.text, pieces), Ordering::is_lt);
        }
    }

    /// Begins a member whose name holds an escape.
    #[inline(never)]
    fn escaped_key(&mut self, key: RawString<'_>) {
        let spelled = self.spell(key);
        let pieces = &self.state.pieces;
        let start = pieces.place_before(key.start - 1, spelled.anew);
        let (prefix, length) = if spelled.anew {
            let name = pieces.name_at(start);
            (prefix(name, 0, name.len()), name.len())
        } else {
            (prefix(self.text, key.start, key.raw.len()), key.raw.len())
        };
        let mut name = u64::from(offset(length));
        if spelled.anew {
            name |= ANEW;
        }
        if spelled.escaped {
            name |= INDIRECT;
        }
        self.begin_member(prefix, start, name);
        if spelled.surrogate {
            self.state.note(CanonRefusalKind::LoneSurrogate, key.start - 1);
        }
    }

    /// Completes the member that is open.
    #[inline(always)]
    fn end_member(&mut self) {
        let place = self.state.pieces.place();
        if let Some(member) = self.state.members.last_mut() {
            member.end = place;
        }
        if self.state.omitted.is_some() && self.state.depth == 1 {
            self.omit();
        }
    }

    /// Leaves out the member that is complete, if it is the one to be left out.
    #[inline(never)]
    fn omit(&mut self) {
        let (Some(member), Some(omitted)) = (self.state.members.last().copied(), self.state.omitted) else { return };
        let name = member.name(self.text, &self.state.pieces);
        let named =
            if member.is_indirect() { JsonStr::from_escaped(name) == omitted } else { name == omitted.as_bytes() };
        if named {
            self.state.members.pop();
            // Whoever puts the others into order goes without it.
            self.state.sorted = false;
            self.state.refusals_since(member.start.offset());
        }
    }

    /// Brings the members of the closing object into canonical order and settles repeated names.
    #[inline(never)]
    fn permute(&mut self) {
        let tracked = self.state.tracks();
        let Canonicalizer { rules, first, frames, members, pieces, orders, refusals, .. } = &mut *self.state;
        let text = self.text;
        let (Some(frame), Some(members)) = (frames.last(), members.get_mut(*first..)) else { return };
        let mut reorder = pieces.reorder(frame.start);
        let Order { indices, strict } = orders.order(members.len(), |a, b| {
            let member = |index: u32| members.get(index as usize);
            let (Some(a), Some(b)) = (member(a), member(b)) else { return Ordering::Equal };
            a.compare(b, rules.key_order, text, reorder.pieces())
        });
        if !strict {
            for (index, next) in indices.iter().zip(indices.iter().skip(1)) {
                let Some(next) = members.get(*next as usize).copied() else { continue };
                let Some(member) = members.get_mut(*index as usize) else { continue };
                // Equal names have equal canonical bytes.
                let pieces = reorder.pieces();
                if member.prefix == next.prefix && member.name(text, pieces) == next.name(text, pieces) {
                    member.name |= REPEATED;
                    if rules.duplicates == Duplicates::Refused {
                        let offset = next.start.offset() as usize;
                        refusals.push(CanonRefusal { kind: CanonRefusalKind::Duplicate, offset });
                    }
                }
            }
        }
        for index in indices {
            let Some(member) = members.get_mut(*index as usize).filter(|member| !member.is_repeated()) else {
                continue;
            };
            let piece = reorder.take(member.start, member.end, text);
            member.start = member.start.moved(piece);
        }
        reorder.finish(!tracked, text);
        if tracked {
            // Whoever keeps track takes them as they stand now.
            members.sort_by_key(|member| member.start.piece());
        }
    }

    /// Keeps where the members of the outermost object stand, which are in order and begin pieces.
    fn track(&mut self) {
        let Canonicalizer { members, pieces, outermost, .. } = &mut *self.state;
        // An outermost object has not been written down in part.
        let (mut at, mut piece) = (offset(self.out.len()), 0);
        for member in members.iter().filter(|member| !member.is_repeated()) {
            at += pieces.measure(piece, member.start.piece());
            piece = member.start.piece();
            if let Some(last) = outermost.last_mut() {
                // A comma stands before this one.
                let last: &mut MemberSpan = last;
                last.value.1 = at - 1;
            }
            let name = (at + 1, at + 1 + member.length());
            outermost.push(MemberSpan { name, value: (name.1 + 2, 0) });
        }
        if let Some(last) = outermost.last_mut() {
            last.value.1 = at + pieces.measure(piece, pieces.place().piece());
        }
    }
}

/// What became of a string that holds an escape.
struct Spelled {
    /// It is not written as it stands in the document.
    anew: bool,
    /// An escape was written.
    escaped: bool,
    /// A surrogate stands alone.
    surrogate: bool,
}

impl Sink for Pass<'_, '_> {
    #[inline(always)]
    fn begin_object(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.begin(at);
        let outside = self.state.first << 1 | usize::from(self.state.sorted);
        self.state.frames.push(Frame { start: self.state.pieces.place(), outside });
        self.state.first = self.state.members.len();
        self.state.sorted = true;
        Ok(())
    }

    // Hosts of WebAssembly compile function by function, and some of them none that are long.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn key(&mut self, text: &[u8], key: RawString<'_>) -> Result<(), JsonErrorKind> {
        if self.state.tracks() {
            self.state.pieces.part();
        }
        if key.escaped {
            self.escaped_key(key);
            return Ok(());
        }
        let (start, length) = (key.start - 1, key.raw.len());
        self.state.pieces.keep(start, key.start + length + 1);
        let start = self.state.pieces.place_of_kept(start);
        self.begin_member(prefix(text, key.start, length), start, u64::from(offset(length)));
        Ok(())
    }

    #[inline(always)]
    fn colon(&mut self, at: usize) {
        self.state.pieces.keep(at, at + 1);
    }

    #[inline(always)]
    fn next_member(&mut self, at: usize) {
        self.end_member();
        self.state.pieces.keep(at, at + 1);
    }

    #[inline(always)]
    fn next_element(&mut self, at: usize) {
        self.state.pieces.keep(at, at + 1);
        if self.state.pieces.are_many() {
            self.state.gather(self.text, self.out);
        }
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn end_object(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        if self.state.members.len() > self.state.first {
            self.end_member();
        }
        if !self.state.sorted {
            self.permute();
        }
        if !self.state.refusals.is_empty() {
            self.state.settle();
        }
        if self.state.tracks() {
            self.state.pieces.part();
            self.track();
        }
        self.state.members.truncate(self.state.first);
        if let Some(frame) = self.state.frames.pop() {
            self.state.first = frame.outside >> 1;
            self.state.sorted = frame.outside & 1 == 1;
        }
        self.state.depth -= 1;
        self.state.pieces.keep(at, at + 1);
        Ok(())
    }

    #[inline(always)]
    fn begin_array(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.begin(at);
        Ok(())
    }

    #[inline(always)]
    fn end_array(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.state.depth -= 1;
        self.state.pieces.keep(at, at + 1);
        Ok(())
    }

    #[inline(always)]
    fn scalar(&mut self, _text: &[u8], scalar: Scalar<'_>) -> Result<(), JsonErrorKind> {
        match scalar {
            Scalar::String(string) if string.escaped => {
                if self.spell(string).surrogate {
                    self.state.note(CanonRefusalKind::LoneSurrogate, scalar.start());
                }
            }
            Scalar::String(string) => {
                self.state.pieces.keep(string.start - 1, string.start + string.raw.len() + 1);
            }
            Scalar::Number(at, token) if float::is_plain(token) => {
                self.state.pieces.keep(at, at + token.text.len());
            }
            Scalar::Number(at, token) => self.number(at, token),
            Scalar::True(at) | Scalar::Null(at) => self.state.pieces.keep(at, at + 4),
            Scalar::False(at) => self.state.pieces.keep(at, at + 5),
        }
        Ok(())
    }
}
