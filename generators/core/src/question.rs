//! From a frame to a question.

use std::{borrow::Cow, collections::BTreeMap};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer};
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
    docs: BTreeMap<String, Given<'l>>,
    #[serde(borrow, default)]
    files: Option<BTreeMap<String, Given<'l>>>,
    #[serde(borrow, default)]
    platform: Option<Cow<'l, str>>,
}

impl<'l> Line<'l> {
    #[inline(never)]
    fn read(text: &'l [u8]) -> Result<Self, NotAsked> {
        serde_json::from_slice(text).map_err(|error| NotAsked::Frame(error.to_string()))
    }
}

/// What a name or a path stands for. One plain shape for all of it: to try one shape after another would cost more than most questions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given<'l> {
    /// Bytes in the line.
    #[serde(borrow, default, deserialize_with = "present")]
    b64: Option<Text<'l>>,
    /// Bytes behind it.
    #[serde(default, deserialize_with = "present")]
    at: Option<usize>,
    #[serde(default, deserialize_with = "present")]
    len: Option<usize>,
    /// What is no file.
    #[serde(default, deserialize_with = "present")]
    kind: Option<Kind>,
    /// Where a link leads.
    #[serde(borrow, default, deserialize_with = "present")]
    to: Option<Text<'l>>,
}

#[derive(Deserialize)]
struct Text<'l>(#[serde(borrow)] Cow<'l, str>);

/// A member that may be absent, and is never null.
fn present<'l, D: Deserializer<'l>, T: Deserialize<'l>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
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
fn tree(files: &BTreeMap<String, Given<'_>>, behind: &[u8], room: &mut Room) -> Result<Tree, NotAsked> {
    let mut tree = Tree::default();
    for (path, given) in files {
        room.take(path.len().saturating_mul(1 + path.matches('/').count()))?;
        let put = match given {
            Given { kind: Some(kind), to, b64: None, at: None, len: None } => match (kind, to) {
                (Kind::Directory, None) => tree.put_folder(path),
                (Kind::Directory, Some(_)) => {
                    return Err(NotAsked::Frame(format!("file {path:?}: a folder leads nowhere")));
                }
                (Kind::Symlink, to) => tree.put_link(path, to.as_ref().map(|to| &*to.0)),
            },
            content => {
                let bytes =
                    content.bytes(behind).ok_or_else(|| NotAsked::Frame(format!("file {path:?} has no bytes")))?;
                room.take(bytes.len())?;
                tree.put_file(path, &bytes)
            }
        };
        put.map_err(|error| NotAsked::Frame(format!("file {path:?}: {error}")))?;
    }
    Ok(tree)
}

impl Given<'_> {
    /// The bytes; none where it is no content, where they are no base64, or lie elsewhere than behind the line.
    fn bytes<'b>(&self, behind: &'b [u8]) -> Option<Cow<'b, [u8]>> {
        match self {
            Self { b64: Some(b64), at: None, len: None, kind: None, to: None } => {
                STANDARD.decode(b64.0.as_bytes()).ok().map(Cow::Owned)
            }
            Self { b64: None, at: Some(at), len: Some(len), kind: None, to: None } => {
                behind.get(*at..at.checked_add(*len)?).map(Cow::Borrowed)
            }
            _ => None,
        }
    }
}
