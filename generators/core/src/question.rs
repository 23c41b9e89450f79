//! From a frame to a question.

use std::{borrow::Cow, collections::BTreeMap};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    limits::{LINE_DEPTH, Limits, NotAsked, is_deeper},
    tree::Tree,
};

/// A question that owns what it asks about.
pub(crate) struct Parsed {
    pub(crate) op: String,
    pub(crate) args: Map<String, Value>,
    pub(crate) docs: BTreeMap<String, Vec<u8>>,
    pub(crate) files: Option<Tree>,
    pub(crate) platform: &'static str,
}

/// The line of a frame.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'l> {
    #[serde(borrow)]
    op: Cow<'l, str>,
    #[serde(default)]
    args: Map<String, Value>,
    #[serde(borrow, default, rename = "in")]
    docs: BTreeMap<String, Content<'l>>,
    #[serde(borrow, default)]
    files: Option<BTreeMap<String, Entry<'l>>>,
    #[serde(borrow, default)]
    platform: Option<Cow<'l, str>>,
}

impl<'l> Line<'l> {
    #[inline(never)]
    fn read(text: &'l [u8]) -> Result<Self, NotAsked> {
        serde_json::from_slice(text).map_err(|error| NotAsked::Frame(error.to_string()))
    }
}

/// Bytes, in the line or behind it.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Content<'l> {
    Text {
        #[serde(borrow)]
        b64: Cow<'l, str>,
    },
    Behind {
        at: usize,
        len: usize,
    },
}

/// What stands at a path.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry<'l> {
    File(#[serde(borrow)] Content<'l>),
    Other {
        kind: Kind,
        /// Where a link leads.
        #[serde(borrow, default)]
        to: Option<Cow<'l, str>>,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Directory,
    Symlink,
}

/// The systems that a replay result may name, as Rust's standard library spells them.
const PLATFORMS: &[&str] = &["linux", "macos", "windows"];

impl Parsed {
    /// Reads a frame; its size and the depth of its line are looked at before anything of it is read, and the depth of a
    /// document before anything is made of that.
    // Functions of a module that are long are interpreted by some of its hosts: each part of an answer is one.
    #[inline(never)]
    pub(crate) fn read(frame: &[u8], limits: &Limits) -> Result<Self, NotAsked> {
        if frame.len() > limits.bytes {
            return Err(NotAsked::Size { found: frame.len(), limit: limits.bytes });
        }
        let end = frame.iter().position(|byte| *byte == b'\n').unwrap_or(frame.len());
        let (line, behind) = frame.split_at_checked(end).unwrap_or((frame, &[]));
        let behind = behind.get(1..).unwrap_or_default();
        if is_deeper(line, LINE_DEPTH) {
            return Err(NotAsked::Depth { what: "the frame's line".to_owned(), limit: LINE_DEPTH });
        }
        let line = Line::read(line)?;
        let mut docs = BTreeMap::new();
        let mut room = Room { left: limits.bytes, limit: limits.bytes };
        for (name, content) in &line.docs {
            let bytes =
                content.bytes(behind).ok_or_else(|| NotAsked::Frame(format!("document {name:?} has no bytes")))?;
            room.take(bytes.len())?;
            if is_deeper(&bytes, limits.depth) {
                return Err(NotAsked::Depth { what: format!("document {name:?}"), limit: limits.depth });
            }
            docs.insert(name.clone(), bytes.into_owned());
        }
        let files = line.files.as_ref().map(|files| tree(files, behind, &mut room)).transpose()?;
        let platform = match &line.platform {
            None => "unknown",
            Some(named) => PLATFORMS.iter().copied().find(|known| known == named).ok_or_else(|| {
                NotAsked::Frame(format!("no platform is called {named:?}; known are {}", PLATFORMS.join(", ")))
            })?,
        };
        Ok(Self { op: line.op.into_owned(), args: line.args, docs, files, platform })
    }
}

/// What may still be copied out of a frame: contents may lie over one another, and a path stands for every folder on it.
struct Room {
    left: usize,
    limit: usize,
}

impl Room {
    fn take(&mut self, bytes: usize) -> Result<(), NotAsked> {
        let all = || NotAsked::Size { found: (self.limit - self.left).saturating_add(bytes), limit: self.limit };
        self.left = self.left.checked_sub(bytes).ok_or_else(all)?;
        Ok(())
    }
}

#[inline(never)]
fn tree(files: &BTreeMap<String, Entry<'_>>, behind: &[u8], room: &mut Room) -> Result<Tree, NotAsked> {
    let mut tree = Tree::default();
    for (path, entry) in files {
        room.take(path.len().saturating_mul(1 + path.matches('/').count()))?;
        let put = match entry {
            Entry::File(content) => {
                let bytes =
                    content.bytes(behind).ok_or_else(|| NotAsked::Frame(format!("file {path:?} has no bytes")))?;
                room.take(bytes.len())?;
                tree.put_file(path, &bytes)
            }
            Entry::Other { kind: Kind::Directory, to: None } => tree.put_folder(path),
            Entry::Other { kind: Kind::Directory, to: Some(_) } => {
                return Err(NotAsked::Frame(format!("file {path:?}: a folder leads nowhere")));
            }
            Entry::Other { kind: Kind::Symlink, to } => tree.put_link(path, to.as_deref()),
        };
        put.map_err(|error| NotAsked::Frame(format!("file {path:?}: {error}")))?;
    }
    Ok(tree)
}

impl Content<'_> {
    /// The bytes; none where they are no base64, or lie elsewhere than behind the line.
    fn bytes<'b>(&self, behind: &'b [u8]) -> Option<Cow<'b, [u8]>> {
        match self {
            Self::Text { b64 } => STANDARD.decode(b64.as_bytes()).ok().map(Cow::Owned),
            Self::Behind { at, len } => behind.get(*at..at.checked_add(*len)?).map(Cow::Borrowed),
        }
    }
}
