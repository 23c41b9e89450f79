//! What is looked at before a question is read: its size, and how deep its documents are nested.

use thiserror::Error;

/// How much is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a frame, and of all that it asks to be made of it: contents, and for a path the paths of its folders.
    pub bytes: usize,
    /// Levels of arrays and objects in a document, as its brackets outside of strings say.
    pub depth: usize,
}

/// The usual limits: what a memory of four gibibytes has room for, with all that is made of a document, and far more levels
/// than any dialect takes that has a limit of its own.
pub const LIMITS: Limits = Limits { bytes: 256 << 20, depth: 100_000 };

/// Levels of a frame's own line. No argument needs more, and its reader recurses.
pub(crate) const LINE_DEPTH: usize = 100;

/// What is no question.
#[derive(Debug, Error)]
pub(crate) enum NotAsked {
    #[error("the frame has {found} bytes or asks for as many, and {limit} are taken; ask about less at a time")]
    Size { found: usize, limit: usize },
    #[error("{what} is nested deeper than {limit} levels")]
    Depth { what: String, limit: usize },
    #[error("no frame: {0}")]
    Frame(String),
}

impl NotAsked {
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Size { .. } => "size",
            Self::Depth { .. } => "depth",
            Self::Frame(_) => "frame",
        }
    }
}

/// Whether a text opens more than so many brackets outside of strings without closing them.
pub(crate) fn is_deeper(text: &[u8], limit: usize) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                if depth > limit {
                    return true;
                }
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_count_outside_of_strings_alone() {
        for (text, depth) in
            [("", 0), ("[]", 1), ("[[],{}]", 2), (r#"["[[[",{"\"[":[]}]"#, 3), ("]][", 1), (r#""\\"[["#, 2)]
        {
            assert!(!is_deeper(text.as_bytes(), depth), "{text}");
            assert!(depth == 0 || is_deeper(text.as_bytes(), depth - 1), "{text}");
        }
    }
}
