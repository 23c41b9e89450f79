//! What counts as JSON, and how much of it: the settings of one reading.

/// The rules and limits under which a document is read.
///
/// Every dialect is strict UTF-8 without a byte order mark, with exactly the four JSON white space characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Name for messages.
    pub name: &'static str,
    /// `NaN`, `Infinity` and `-Infinity` are read as number tokens.
    pub constants: bool,
    /// Containers that may be open at once; the outermost one is level 1.
    pub depth: u32,
    /// Digits that an integer token may have, the sign not counted.
    pub integer_digits: Option<u32>,
    /// Bytes that a document may have.
    pub bytes: u32,
}

/// Offsets are kept in 32 bits, so no document may be larger than this.
const ADDRESSABLE: u32 = u32::MAX - 1;

/// Where floats are printed canonical text can be longer than its document, four times at most (`1e15`), and its offsets are
/// kept in 32 bits too: 512 MiB.
const GROWING: u32 = 512 << 20;

/// Levels past which a text is refused although nothing forbids it. Nothing recurses; but where every level has its members out of
/// order, each is written once for every level around it, and the time for a text grows with its size times its depth.
const SANE_DEPTH: u32 = 10_000;

/// Law mode's limit on one document (ruling RES-06): 512 MiB.
const LAWFUL_SIZE: u32 = 512 << 20;

impl Dialect {
    /// RFC 8259 to 256 levels: contracts, operation inputs, the `sovereign` and `episode` profiles.
    pub const STRICT: Self =
        Self { name: "strict JSON", constants: false, depth: 256, integer_digits: None, bytes: LAWFUL_SIZE };

    /// Strict JSON that also reads the three constants, so that the float ban can name them (ruling OP).
    pub const LAW: Self = Self { name: "strict JSON with constants", constants: true, ..Self::STRICT };

    /// I-JSON as RFC 8785 takes it (RFC 7493): no limit that the texts have, only what keeps the process alive.
    pub const I_JSON: Self = Self { name: "I-JSON", depth: SANE_DEPTH, bytes: GROWING, ..Self::STRICT };

    /// I-JSON of the episode system (rulings EP-26 and EP-27): deeper than its public tool can write.
    pub const EPISODE: Self = Self { depth: 512, ..Self::STRICT };

    /// What CPython 3.11's `json` module reads: rulings NUM-07, NUM-14, RES-01.
    pub const PYTHON: Self =
        Self { name: "Python's json", constants: true, depth: 990, integer_digits: Some(4300), bytes: ADDRESSABLE };

    /// The value model of the `authority` system (rulings AU-44 and AU-46).
    pub const AUTHORITY: Self = Self {
        name: "Python's json without a digit limit",
        depth: 994,
        integer_digits: None,
        bytes: GROWING,
        ..Self::PYTHON
    };
}
