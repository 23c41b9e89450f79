//! A record as a line of the table.

use assize::report::Paint;
use assize_verifier::{
    authority::{LedgerError, RecordText},
    json::{Dialect, Document, Kind, NodeRef},
};
use serde::{Serialize, Serializer};

use super::output;

/// Letters of a value that are kept: a record may be long.
const KEPT: usize = 400;

/// What is shown of a record; a missing member has no value, and neither has the null that means no parent.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    index: u64,
    line: u64,
    offset: u64,
    bytes: usize,
    ts: Option<String>,
    kind: Option<String>,
    parent: Option<String>,
    payload_hash: Option<String>,
    record_hash: Option<String>,
    payload: Option<String>,
    chain: Link,
}

/// What the verdict on the chain says about a record.
#[derive(Debug)]
pub(super) enum Link {
    Ok,
    /// The member that breaks it.
    Broken(String),
    /// It stands after the one that breaks.
    NotJudged,
}

impl Serialize for Link {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Ok => "ok",
            Self::Broken(_) => "broken",
            Self::NotJudged => "not judged",
        })
    }
}

impl Row {
    pub(super) fn of(record: &RecordText<'_>, chain: Link) -> Result<Self, LedgerError> {
        let document = Document::parse(record.text, &Dialect::AUTHORITY).map_err(|error| record.locate(error))?;
        let root = document.root();
        let member = |name| root.get(name).map(shown);
        Ok(Self {
            index: record.index,
            line: record.line,
            offset: record.offset,
            bytes: record.text.len(),
            ts: member("ts"),
            kind: member("kind"),
            parent: root.get("parent").filter(|parent| parent.kind() != Kind::Null).map(shown),
            payload_hash: member("payload_hash"),
            record_hash: member("record_hash"),
            payload: root.get("payload").map(raw),
            chain,
        })
    }
}

/// A string as what it says, anything else as JSON.
fn shown(value: NodeRef<'_>) -> String {
    match value.as_string() {
        Some(text) if value.kind() == Kind::String => start(&text.to_text_lossy()),
        _ => raw(value),
    }
}

/// A value as it is written.
fn raw(value: NodeRef<'_>) -> String {
    // At most four bytes for each letter.
    let raw = value.raw();
    start(&String::from_utf8_lossy(raw.get(..4 * KEPT).unwrap_or(raw)))
}

fn start(text: &str) -> String {
    match text.char_indices().nth(KEPT) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Columns of a table that is never seen as a whole: only the last one varies.
pub(super) struct Widths {
    index: usize,
    payload: usize,
}

const TS: usize = 20;
const KIND: usize = 12;
/// Twelve digits, and the sign that there are more.
const HASH: usize = 13;
const BYTES: usize = 9;
const CHAIN: usize = 20;

impl Widths {
    pub(super) fn of(records: u64, terminal: Option<u16>) -> Self {
        const USUAL: usize = 60;
        const LEAST: usize = 16;
        let index = records.to_string().len().max("record".len());
        // Two blanks between columns.
        let others = index + TS + KIND + 2 * HASH + BYTES + CHAIN + 7 * 2;
        let payload = terminal.map_or(USUAL, |columns| usize::from(columns).saturating_sub(others).max(LEAST));
        Self { index, payload }
    }

    pub(super) fn header(&self) -> String {
        self.cells(
            ["record", "ts", "kind", "record_hash", "payload_hash", "bytes"],
            &format!("{:<CHAIN$}", "chain"),
            "payload",
        )
    }

    pub(super) fn line(&self, row: &Row, paint: Paint) -> String {
        let cell = |value: &Option<String>, wide| value.as_ref().map_or_else(|| "-".to_owned(), |text| cut(text, wide));
        // Widths are computed before colours are added, since colours take no room.
        let chain = match &row.chain {
            Link::Ok => paint.good(&format!("{:<CHAIN$}", "ok")),
            Link::Broken(member) => paint.bad(&format!("{:<CHAIN$}", cut(&format!("broken: {member}"), CHAIN))),
            Link::NotJudged => format!("{:<CHAIN$}", "not judged"),
        };
        let (ts, kind) = (cell(&row.ts, TS), cell(&row.kind, KIND));
        let (record_hash, payload_hash) = (cell(&row.record_hash, HASH), cell(&row.payload_hash, HASH));
        let payload = cell(&row.payload, self.payload);
        let (index, bytes) = (row.index.to_string(), row.bytes.to_string());
        self.cells([&index, &ts, &kind, &record_hash, &payload_hash, &bytes], &chain, &payload)
    }

    fn cells(&self, [index, ts, kind, record, payload_hash, bytes]: [&str; 6], chain: &str, payload: &str) -> String {
        let wide = self.index;
        let line = format!(
            "{index:>wide$}  {ts:<TS$}  {kind:<KIND$}  {record:<HASH$}  {payload_hash:<HASH$}  {bytes:>BYTES$}  {chain}  {payload}"
        );
        line.trim_end().to_owned()
    }
}

/// The text, clean and no longer than this.
fn cut(text: &str, wide: usize) -> String {
    let clean = output::clean(text);
    match clean.char_indices().nth(wide) {
        // The last letter says that there is more.
        Some(_) => clean.chars().take(wide.saturating_sub(1)).chain(['…']).collect(),
        None => clean.into_owned(),
    }
}
