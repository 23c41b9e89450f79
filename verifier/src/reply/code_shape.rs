//! The shape of a code: `LAYER-AREA-TYPE-NNN`, ASCII, as a whole.
//!
//! Spec: Canonical Reply System Architecture (Final), 6; ruling RE-26: nothing is trimmed or folded at either end.

/// The segments of a code of sound shape; whether they are known is the business of other laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segments<'c> {
    pub(super) layer: &'c str,
    pub(super) area: &'c str,
    pub(super) kind: &'c str,
    pub(super) number: &'c str,
}

/// What is said of a value that is no text at all.
pub(super) const NO_STRING: &str = "a code is a string";

impl<'c> Segments<'c> {
    pub(super) fn parse(text: &'c [u8]) -> Option<Self> {
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

    pub(super) fn value(&self) -> u16 {
        // Three digits fit.
        self.number.parse().unwrap_or_default()
    }
}

/// One or more upper-case ASCII letters.
pub(super) fn is_word(text: &str) -> bool {
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
