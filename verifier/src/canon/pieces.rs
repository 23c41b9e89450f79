//! Canonical text as a list of pieces: stretches of the document that are canonical as they stand, and of what is spelled anew.
//!
//! Nothing is copied before the whole value has been read: putting members into order moves pieces of eight bytes, and the bytes
//! themselves are copied once, from a text that was not written a moment ago. What is written a moment before it is read is one whole
//! number each: a processor that has to put a number together from two it has just stored waits until both are in memory.

/// A stretch of bytes: of the document where its two offsets ascend, of what is spelled anew where they descend.
#[derive(Clone, Copy, Debug)]
struct Piece(u64);

/// Short pieces are copied as so many bytes at once, of which those that do not belong to them are written over.
const AT_ONCE: usize = 32;

/// Pieces that may gather before those that can no longer change places are written down: they shall not outgrow the document.
const MANY: usize = 4096;

/// Bytes of spellings up to which pieces are written there, and bytes of a document: their offsets have to fit 32 bits.
const ROOM: usize = 1 << 30;

impl Piece {
    /// A comma that is always spelled.
    const COMMA: Self = Self::respelled(0, 1);

    #[inline(always)]
    fn document(start: u32, end: u32) -> Self {
        Self(u64::from(end) << 32 | u64::from(start))
    }

    #[inline(always)]
    const fn respelled(start: u32, end: u32) -> Self {
        Self((start as u64) << 32 | end as u64)
    }

    /// The lower offset, the higher one, and whether they are of the document.
    #[inline(always)]
    fn parts(self) -> (u32, u32, bool) {
        let (low, high) = (self.0 as u32, (self.0 >> 32) as u32);
        if low < high { (low, high, true) } else { (high, low, false) }
    }

    #[inline(always)]
    fn len(self) -> usize {
        (self.0 as u32).abs_diff((self.0 >> 32) as u32) as usize
    }
}

/// A place in the canonical text while it grows: pieces before it, and the document offset that it belongs to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place(u64);

impl Place {
    #[inline(always)]
    fn of(piece: usize, offset: u32) -> Self {
        Self(u64::from(self::offset(piece)) << 32 | u64::from(offset))
    }

    #[inline(always)]
    pub(super) fn moved(self, piece: usize) -> Self {
        Self::of(piece, self.offset())
    }

    #[inline(always)]
    pub(super) fn piece(self) -> usize {
        (self.0 >> 32) as usize
    }

    #[inline(always)]
    pub(super) fn offset(self) -> u32 {
        self.0 as u32
    }
}

/// Offsets fit 32 bits: no dialect reads larger documents, and those in which numbers can grow are smaller still.
#[inline(always)]
pub(super) fn offset(at: usize) -> u32 {
    at as u32
}

/// The canonical text of what has been read of a document.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    list: Vec<Piece>,
    /// What the document spells otherwise, after a comma.
    respelled: Vec<u8>,
    /// Pieces on their way to other places.
    moving: Vec<Piece>,
    /// Document offsets of the stretch that may still grow.
    start: usize,
    end: usize,
    /// Pieces up to the last one that many have become: what is written down is not written again with what comes after it.
    gathered: usize,
    /// Pieces at which it is worth looking whether some can be written down.
    enough: usize,
}

impl Pieces {
    /// Room for usual records, so that one of them costs no growing.
    pub(super) fn new() -> Self {
        let (list, moving) = (Vec::with_capacity(64), Vec::with_capacity(64));
        Self { list, moving, respelled: Vec::with_capacity(64), ..Self::default() }
    }

    /// Entries that there is room for.
    pub(super) fn capacity(&self) -> usize {
        self.list.capacity().max(self.moving.capacity()).max(self.respelled.capacity())
    }

    /// Begins with no text.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.respelled.clear();
        self.respelled.push(b',');
        self.start = 0;
        self.end = 0;
        self.gathered = 0;
        self.enough = MANY;
    }

    /// Adds a token that is canonical as it stands in the document.
    #[inline(always)]
    pub(super) fn keep(&mut self, start: usize, end: usize) {
        if start != self.end {
            self.cut(start);
        }
        self.end = end;
    }

    /// Ends the open stretch and begins another one at a document offset.
    #[inline(always)]
    fn cut(&mut self, at: usize) {
        if self.end > self.start {
            self.list.push(Piece::document(offset(self.start), offset(self.end)));
        }
        self.start = at;
        self.end = at;
    }

    /// Ends the open stretch, so that what follows begins a piece of its own.
    #[inline(always)]
    pub(super) fn part(&mut self) {
        self.cut(self.end);
    }

    /// What is spelled anew goes here; [`Pieces::respell`] adds it.
    pub(super) fn spelling(&mut self) -> &mut Vec<u8> {
        &mut self.respelled
    }

    /// Adds what stands at the end of [`Pieces::spelling`], from `from` on, for a token of the document.
    ///
    /// Tells whether this is another spelling than the document's.
    pub(super) fn respell(&mut self, from: usize, text: &[u8], (start, end): (usize, usize)) -> bool {
        let spelled = self.respelled.get(from..).unwrap_or_default();
        if text.get(start..end) == Some(spelled) {
            self.respelled.truncate(from);
            self.keep(start, end);
            return false;
        }
        self.cut(end);
        self.list.push(Piece::respelled(offset(from), offset(self.respelled.len())));
        true
    }

    /// The place after the token that was added last.
    #[inline(always)]
    pub(super) fn place(&self) -> Place {
        Place::of(self.list.len(), offset(self.end))
    }

    /// The place before the token that was added last, which stands in the document from `start` on.
    #[inline(always)]
    pub(super) fn place_of_kept(&self, start: usize) -> Place {
        Place::of(self.list.len(), offset(start))
    }

    /// The place before the token that was added last, of which `anew` tells whether it was spelled anew.
    #[inline(always)]
    pub(super) fn place_before(&self, start: usize, anew: bool) -> Place {
        Place::of(self.list.len() - usize::from(anew), offset(start))
    }

    /// The inside of the string that was spelled anew at a place.
    pub(super) fn name_at(&self, place: Place) -> &[u8] {
        let Some((start, end, _)) = self.list.get(place.piece()).map(|piece| piece.parts()) else { return &[] };
        self.respelled.get(start as usize + 1..end as usize - 1).unwrap_or_default()
    }

    /// Begins to put what was added since `from` into another order.
    #[inline]
    pub(super) fn reorder(&mut self, from: Place) -> Reorder<'_> {
        self.part();
        self.moving.clear();
        Reorder { pieces: self, from }
    }

    /// Whether pieces have gathered.
    #[inline(always)]
    pub(super) fn are_many(&self) -> bool {
        self.list.len() >= self.enough
    }

    /// Writes down what will not be put into another order any more: all pieces after the first `kept`, or all that there are.
    #[cold]
    pub(super) fn gather(&mut self, kept: Option<usize>, text: &[u8], out: &mut Vec<u8>) {
        let before = self.list.len();
        if let Some(kept) = kept {
            self.gather_since(kept.max(self.gathered), text);
        } else {
            write(&self.list, text, &self.respelled, out);
            self.list.clear();
            self.respelled.truncate(1);
            self.gathered = 0;
        }
        // Where nothing could be written down, nothing will be soon: looking again and again would cost more than it saves.
        self.enough = if self.list.len() < before { self.list.len() + MANY } else { 2 * before };
    }

    /// Makes one piece of all pieces from this one on, if they are worth it.
    fn gather_since(&mut self, first: usize, text: &[u8]) {
        let settled = self.list.get(first..).unwrap_or_default();
        let from = self.respelled.len();
        if settled.len() >= MANY / 2 && text.len() <= ROOM && from + length_of(settled) <= ROOM {
            let mut gathered = Vec::new();
            write(settled, text, &self.respelled, &mut gathered);
            self.respelled.extend_from_slice(&gathered);
            self.list.truncate(first);
            self.list.push(Piece::respelled(offset(from), offset(self.respelled.len())));
            self.gathered = self.list.len();
        }
    }

    /// Length of the pieces between two places, which begin pieces.
    pub(super) fn measure(&self, from: usize, to: usize) -> u32 {
        offset(length_of(self.list.get(from..to).unwrap_or_default()))
    }

    /// Appends what has not been written down.
    pub(super) fn append_to(&mut self, text: &[u8], out: &mut Vec<u8>) {
        self.part();
        write(&self.list, text, &self.respelled, out);
    }
}

/// Their bytes, which are never so many that adding them up could go round.
fn length_of(pieces: &[Piece]) -> usize {
    pieces.iter().fold(0, |length, piece| length.wrapping_add(piece.len()))
}

/// Appends the bytes of pieces.
fn write(pieces: &[Piece], text: &[u8], respelled: &[u8], out: &mut Vec<u8>) {
    if let [piece] = pieces {
        let (start, end, document) = piece.parts();
        let source = if document { text } else { respelled };
        out.extend_from_slice(source.get(start as usize..end as usize).unwrap_or_default());
        return;
    }
    let total = length_of(pieces);
    let before = out.len();
    out.resize(before + total + AT_ONCE, 0);
    let mut rest = out.get_mut(before..).unwrap_or_default();
    for piece in pieces {
        // Each way has code of its own: which it is can be foretold.
        let (low, high) = (piece.0 as u32, (piece.0 >> 32) as u32);
        rest = if low < high { copy(text, low, high, rest) } else { copy(respelled, high, low, rest) };
    }
    out.truncate(before + total);
}

/// Copies a stretch to the beginning of what there is room for; gives the rest of that.
#[inline(always)]
fn copy<'r>(source: &[u8], start: u32, end: u32, room: &'r mut [u8]) -> &'r mut [u8] {
    let length = (end - start) as usize;
    let Some(from) = source.get(start as usize..) else { return room };
    if length <= AT_ONCE
        && let Some(from) = from.first_chunk::<AT_ONCE>()
        && let Some(to) = room.first_chunk_mut::<AT_ONCE>()
    {
        *to = *from;
    } else if let (Some(from), Some(to)) = (from.get(..length), room.get_mut(..length)) {
        to.copy_from_slice(from);
    }
    room.get_mut(length..).unwrap_or_default()
}

/// A container's pieces while they are put into order.
pub(super) struct Reorder<'p> {
    pieces: &'p mut Pieces,
    from: Place,
}

impl Reorder<'_> {
    #[inline(always)]
    pub(super) fn pieces(&self) -> &Pieces {
        self.pieces
    }

    /// Takes what stands between two places as the next member; tells how many pieces stand before it then.
    #[inline(always)]
    pub(super) fn take(&mut self, start: Place, end: Place, text: &[u8]) -> usize {
        let Pieces { list, moving, .. } = &mut *self.pieces;
        match moving.last_mut().map(|last| (last.parts(), last)) {
            None => {}
            // Mostly a comma stands behind the member in the document too.
            Some(((low, high, true), last)) if text.get(high as usize) == Some(&b',') => {
                *last = Piece::document(low, high + 1);
            }
            Some(_) => moving.push(Piece::COMMA),
        }
        let before = moving.len();
        let (first, last) = (start.piece(), end.piece());
        // The piece that was open at the start began earlier.
        let mut clip = start.offset();
        if let Some([piece, whole @ ..]) = list.get(first..last) {
            let (low, high, document) = piece.parts();
            moving.push(if document { Piece::document(low.max(clip), high) } else { *piece });
            match whole {
                [] => {}
                [one] => moving.push(*one),
                many => moving.extend_from_slice(many),
            }
            clip = 0;
        }
        // And the piece that was open at the end has grown since.
        if let Some((low, high, true)) = list.get(last).map(|piece| piece.parts())
            && low < end.offset()
        {
            moving.push(Piece::document(low.max(clip), high.min(end.offset())));
        }
        self.from.piece() + 1 + before
    }

    /// Puts back what was taken. Where that is much, and `settled`, the objects around move one piece.
    #[inline(always)]
    pub(super) fn finish(self, settled: bool, text: &[u8]) {
        let Pieces { list, moving, .. } = &mut *self.pieces;
        let first = self.from.piece() + 1;
        list.truncate(first);
        // What opened the container stays where it is.
        if let Some(piece) = list.last_mut() {
            let (start, ..) = piece.parts();
            *piece = Piece::document(start, self.from.offset());
        }
        list.extend_from_slice(moving);
        self.pieces.gathered = self.pieces.gathered.min(first);
        if settled && self.pieces.moving.len() >= MANY {
            self.pieces.gather_since(first, text);
        }
    }
}
