//! From parts to a frame.

use std::collections::{BTreeMap, btree_map::Entry};

use serde_json::value::RawValue;

use crate::{
    Part, Refused,
    header::{
        ASSIZE_DOCUMENT, ASSIZE_FILE, ASSIZE_FOLDER, ASSIZE_JSON, ASSIZE_LINK, ASSIZE_LIST, ASSIZE_MISUSE, ASSIZE_TEXT,
    },
};

/// The system that a replay result may name.
const PLATFORM: Option<&str> = match std::env::consts::OS.as_bytes() {
    b"linux" => Some("linux"),
    b"macos" => Some("macos"),
    b"windows" => Some("windows"),
    _ => None,
};

/// Members of an object in the frame's line, as JSON.
type Members<'q> = BTreeMap<&'q str, String>;

/// The question as the core reads it: a line, and behind it all bytes.
pub(crate) fn frame(operation: &[u8], parts: &[Part<'_>], files: &[Part<'_>]) -> Result<Vec<u8>, Refused> {
    let all = parts.iter().chain(files);
    let held = |part: &Part<'_>| {
        let items = part.items.iter().map(|item| item.len());
        items.chain([part.name.len(), part.value.map_or(0, <[u8]>::len)]).fold(0, usize::saturating_add)
    };
    // Before anything is copied.
    if all.map(held).fold(operation.len(), usize::saturating_add) > assize_core::LIMITS.bytes {
        return Err(Refused::size());
    }
    let (mut args, mut docs, mut tree) = (Members::new(), Members::new(), Members::new());
    let mut behind = Behind::default();
    for part in parts {
        let name = text("a name", part.name)?;
        match part.kind {
            ASSIZE_TEXT => put(&mut args, name, quoted(text(name, value(part)?)?))?,
            ASSIZE_LIST => {
                let items = part.items.iter().map(|item| Ok(quoted(text(name, item)?)));
                put(&mut args, name, format!("[{}]", items.collect::<Result<Vec<_>, Refused>>()?.join(",")))?;
            }
            ASSIZE_JSON => put(&mut args, name, json(name, text(name, value(part)?)?)?)?,
            ASSIZE_DOCUMENT => put(&mut docs, name, behind.put(value(part)?))?,
            kind => return Err(misuse(format!("{name:?}: a part of the kind {kind} is no argument and no document"))),
        }
    }
    for part in files {
        let path = text("a path", part.name)?;
        let entry = match (part.kind, part.value) {
            (ASSIZE_FILE, _) => behind.put(value(part)?),
            (ASSIZE_FOLDER, _) => r#"{"kind":"directory"}"#.to_owned(),
            (ASSIZE_LINK, None) => r#"{"kind":"symlink"}"#.to_owned(),
            (ASSIZE_LINK, Some(to)) => format!(r#"{{"kind":"symlink","to":{}}}"#, quoted(text(path, to)?)),
            (kind, _) => return Err(misuse(format!("{path:?}: a part of the kind {kind} is no file"))),
        };
        put(&mut tree, path, entry)?;
    }
    let operation = quoted(text("the operation", operation)?);
    let platform = PLATFORM.map_or(String::new(), |platform| format!(r#","platform":"{platform}""#));
    // An operation without files does not look at them.
    let (args, docs, tree) = (object(&args), object(&docs), object(&tree));
    let line = format!(r#"{{"op":{operation},"args":{args},"in":{docs},"files":{tree}{platform}}}"#);
    Ok([line.as_bytes(), b"\n", &behind.0.concat()].concat())
}

/// What lies behind the line.
#[derive(Default)]
struct Behind<'q>(Vec<&'q [u8]>, usize);

impl<'q> Behind<'q> {
    /// Where bytes lie, as JSON.
    fn put(&mut self, bytes: &'q [u8]) -> String {
        let at = self.1;
        self.0.push(bytes);
        self.1 += bytes.len();
        format!(r#"{{"at":{at},"len":{}}}"#, bytes.len())
    }
}

fn misuse(message: String) -> Refused {
    Refused { status: ASSIZE_MISUSE, message }
}

/// The bytes of a part. Nobody is judged for what was not handed over.
fn value<'q>(part: &Part<'q>) -> Result<&'q [u8], Refused> {
    part.value.ok_or_else(|| {
        Refused::question(format!("{:?} has no bytes: a null pointer", String::from_utf8_lossy(part.name)))
    })
}

fn text<'q>(what: &str, bytes: &'q [u8]) -> Result<&'q str, Refused> {
    std::str::from_utf8(bytes).map_err(|error| Refused::question(format!("{what} is not UTF-8: {error}")))
}

fn put<'q>(into: &mut Members<'q>, name: &'q str, json: String) -> Result<(), Refused> {
    match into.entry(name) {
        Entry::Vacant(vacant) => drop(vacant.insert(json)),
        Entry::Occupied(_) => return Err(Refused::question(format!("{name:?} stands twice"))),
    }
    Ok(())
}

/// One JSON value in one line: a text might hold anything, and the line ends at its feed.
fn json(name: &str, text: &str) -> Result<String, Refused> {
    match serde_json::from_str::<&RawValue>(text) {
        Ok(raw) => Ok(raw.get().replace('\n', " ")),
        Err(error) => Err(Refused::question(format!("{name:?} is no JSON value: {error}"))),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn object(members: &Members<'_>) -> String {
    let members: Vec<String> = members.iter().map(|(name, json)| format!("{}:{json}", quoted(name))).collect();
    format!("{{{}}}", members.join(","))
}
