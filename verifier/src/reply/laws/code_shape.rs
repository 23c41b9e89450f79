//! The shape of a code: `LAYER-AREA-TYPE-NNN`, ASCII, as a whole.
//!
//! Spec: Canonical Reply System Architecture (Final), 6; ruling RE-26: nothing is trimmed or folded at either end.

use crate::json::{JsonPointer, JsonStr, NodeRef};
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::code::Segments;
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/code-shape");

/// Reads the segments of a code and objects to a text that has none.
pub(crate) fn judge<'c>(
    text: &'c [u8],
    at: impl FnOnce() -> JsonPointer,
    found: &mut Judgement,
) -> Option<Segments<'c>> {
    let segments = Segments::parse(text);
    if segments.is_none() {
        let message = format!("{} is not a code: write LAYER-AREA-TYPE-NNN, for instance WA-RES-I-001", quoted(text));
        found.meaning(LAW, at(), message);
    }
    segments
}

/// Objects to a code that is listed as used.
pub(crate) fn judge_use(code: &[u8], at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if Segments::parse(code).is_none() {
        let message = format!("{} is not a code: write LAYER-AREA-TYPE-NNN", quoted(code));
        found.meaning(LAW, at(), message);
    }
}

/// The text of a code in a document; objects to a value that is not a text at all.
pub(crate) fn judge_string<'d>(code: NodeRef<'d>, at: &JsonPointer, found: &mut Judgement) -> Option<JsonStr<'d>> {
    let text = code.as_string();
    if text.is_none() {
        found.meaning(LAW, at.clone(), "a code is a string");
    }
    text
}

impl<'c> Segments<'c> {
    pub(crate) fn parse(text: &'c [u8]) -> Option<Self> {
        let mut parts = std::str::from_utf8(text).ok()?.split('-');
        let segments = Self { layer: parts.next()?, area: parts.next()?, kind: parts.next()?, number: parts.next()? };
        let digits = segments.number.len() == 3 && segments.number.bytes().all(|byte| byte.is_ascii_digit());
        let sound = parts.next().is_none()
            && is_word(segments.layer)
            && is_word(segments.area)
            && is_word(segments.kind)
            && segments.kind.len() == 1
            && digits;
        sound.then_some(segments)
    }
}

/// One or more upper-case ASCII letters.
pub(crate) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_text_is_the_code() {
        assert!(Segments::parse(b"WA-RES-I-001").is_some());
        for text in [
            "",
            "WA-RES-I-001\n",
            " WA-RES-I-001",
            "WA-RES-I-0001",
            "WA-RES-I-01",
            "WA-RES-I-001-",
            "WA--I-001",
            "WA_RES_I_001",
            "wa-RES-I-001",
            "WA-R3S-I-001",
            "WA-RES-IE-001",
            "WA-RES-I-٠٠١",
            "WA\u{2010}RES-I-001",
            "\u{412}A-RES-I-001",
            "WA-RES-001",
        ] {
            assert_eq!(Segments::parse(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(Segments::parse(b"WA-RES-I-00\xff"), None);
    }
}
