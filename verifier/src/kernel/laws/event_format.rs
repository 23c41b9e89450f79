//! kernel/event-format: an event is one line of bracketed members, a text, and pairs after a bar.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.2; rulings KE-50, KE-54. A reader undoes no escapes in locations, texts
//! and values, so a line is taken apart at the first place that can end a member, and pairs are not split.

#[path = "event_format/emit.rs"]
mod emit;

use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::kernel::laws::code_registry;
use crate::kernel::model::issue::{Issue, Level};
use crate::law::Law;
use crate::rejection::Rejection;
pub(crate) use emit::emit;

pub(crate) const LAW: Law = Law::named("kernel/event-format");

/// The members of an event line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<'l> {
    /// Whether it tells of a failure.
    pub level: Level,
    /// Name of the stage; it may be one that no contract lists.
    pub stage: &'l str,
    /// The code; [`Event::findings`] says whether it is registered.
    pub code: &'l str,
    /// The place, unescaped as it stands in the line.
    pub location: &'l str,
    /// For people.
    pub text: &'l str,
    /// All that follows the bar.
    pub pairs: &'l str,
}

/// Characters that end a line somewhere.
const LINE_ENDS: [char; 5] = ['\r', '\n', '\u{85}', '\u{2028}', '\u{2029}'];

impl<'l> Event<'l> {
    /// Takes a line apart.
    ///
    /// ```
    /// use assize_verifier::kernel::Event;
    ///
    /// let line = b"[INFO] [STAGE:promotion] [CODE:I_PROMOTION_PASS] [LOC:/index/committed] Promoted | run_id=r stems=[]";
    /// let event = Event::parse(line)?;
    /// assert_eq!((event.code, event.location), ("I_PROMOTION_PASS", "/index/committed"));
    /// assert_eq!((event.text, event.pairs), ("Promoted", "run_id=r stems=[]"));
    /// assert!(Event::parse(b"[INFO] promoted").is_err());
    /// # Ok::<(), assize_verifier::kernel::Rejection>(())
    /// ```
    ///
    /// # Errors
    /// If the bytes are not one event line.
    pub fn parse(line: &'l [u8]) -> Result<Self, Rejection> {
        Self::take(line).map_err(|wrong| Rejection::Laws(vec![Finding::error(LAW, JsonPointer::root(), wrong)]))
    }

    fn take(line: &'l [u8]) -> Result<Self, &'static str> {
        let line = std::str::from_utf8(line).map_err(|_| "an event line is UTF-8")?;
        if line.contains(LINE_ENDS) {
            return Err("an event is one line, without an end of line");
        }
        const LEVEL: &str = "an event line begins with [INFO] or [FAIL] and a blank";
        let (level, rest) = bracketed(line, "[").ok_or(LEVEL)?;
        let level = [Level::Info, Level::Fail].into_iter().find(|known| known.name() == level).ok_or(LEVEL)?;
        let (stage, rest) = bracketed(rest, "[STAGE:")
            .filter(|(stage, _)| is_stage(stage))
            .ok_or("after the level stands [STAGE:name], in small letters, and a blank")?;
        let (code, rest) = bracketed(rest, "[CODE:")
            .filter(|(code, _)| is_code(code))
            .ok_or("after the stage stands [CODE:name] and a blank")?;
        let (location, rest) = bracketed(rest, "[LOC:").ok_or("after the code stands [LOC:pointer] and a blank")?;
        let (text, pairs) = match rest.split_once(" | ") {
            Some(parts) => parts,
            // Without pairs the line may end with the bar.
            None => (rest.strip_suffix(" |").ok_or("after the text stand a blank and a bar")?, ""),
        };
        Ok(Self { level, stage, code, location, text, pairs })
    }

    /// What is wrong with a line that could be taken apart.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        code_registry::check(self.code, JsonPointer::from_text("/code")).into_iter().collect()
    }
}

/// An issue as an event without pairs: one line, whatever its location holds.
pub(crate) fn line(issue: &Issue, text: &str) -> String {
    let location = without(issue.location.as_str(), &LINE_ENDS);
    let (level, stage, code) = (issue.level.name(), issue.stage.name(), issue.code);
    format!("[{level}] [STAGE:{stage}] [CODE:{code}] [LOC:{location}] {text} | ")
}

/// A text with these characters written as escapes, and nothing else changed.
fn without(text: &str, characters: &[char]) -> String {
    let written = |letter| match letter {
        '\r' => "\\r".to_owned(),
        '\n' => "\\n".to_owned(),
        other => format!("\\u{:04x}", u32::from(other)),
    };
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        if characters.contains(&letter) { line.push_str(&written(letter)) } else { line.push(letter) }
    }
    line
}

/// What stands between an opening and the first `] `, and what follows.
fn bracketed<'l>(line: &'l str, opening: &str) -> Option<(&'l str, &'l str)> {
    line.strip_prefix(opening)?.split_once("] ")
}

fn is_stage(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// Which codes there are is the registry's business (ruling KE-50).
fn is_code(code: &str) -> bool {
    !code.is_empty() && !code.contains(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rest: &str) -> String {
        format!("[FAIL] [STAGE:lsi] [CODE:E_LSI_ORPHAN_REFERENCE] {rest}")
    }

    fn check(rest: &str, location: &str, text: &str, pairs: &str) {
        let line = line(rest);
        let event = Event::parse(line.as_bytes()).expect(rest);
        assert_eq!((event.level, event.stage, event.code), (Level::Fail, "lsi", "E_LSI_ORPHAN_REFERENCE"));
        assert_eq!((event.location, event.text, event.pairs), (location, text, pairs), "{rest}");
    }

    #[test]
    fn members_end_at_the_first_place_that_can_end_them() {
        check("[LOC:/links/a] missing | id=x type=y", "/links/a", "missing", "id=x type=y");
        check("[LOC:/a]b] c] text | k=v", "/a]b", "c] text", "k=v");
        check("[LOC:/a] one | two | three", "/a", "one", "two | three");
        check("[LOC:/a] a |b |c| d | k=v", "/a", "a |b |c| d", "k=v");
        check("[LOC:/a]  | k=v", "/a", "", "k=v");
        check("[LOC:] x | k=v", "", "x", "k=v");
    }

    #[test]
    fn a_line_without_pairs_ends_with_the_bar() {
        check("[LOC:/a] text | ", "/a", "text", "");
        check("[LOC:/a] text |", "/a", "text", "");
    }

    #[test]
    fn anything_else_is_refused() {
        let refused = |line: &[u8]| {
            let why = Event::parse(line).expect_err("refused");
            assert_eq!(why.codes(), ["kernel/event-format"], "{}", String::from_utf8_lossy(line));
        };
        let lawful = line("[LOC:/a] text | k=v");
        assert!(Event::parse(lawful.as_bytes()).is_ok());
        for end in ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"] {
            refused(format!("{lawful}{end}").as_bytes());
            refused(lawful.replace("text", &format!("te{end}xt")).as_bytes());
        }
        for (part, other) in [
            ("[FAIL]", "[WARN]"),
            ("[FAIL]", "[fail]"),
            ("[FAIL]", " [FAIL]"),
            ("[FAIL] ", "[FAIL]"),
            ("[STAGE:lsi] ", ""),
            ("[STAGE:lsi]", "[STAGE:]"),
            ("[STAGE:lsi]", "[STAGE:Lsi]"),
            ("[STAGE:lsi]", "[stage:lsi]"),
            ("[CODE:E_LSI_ORPHAN_REFERENCE]", "[CODE:]"),
            ("[CODE:E_LSI_ORPHAN_REFERENCE]", "[CODE:E_LSI]]"),
            ("[LOC:/a] ", ""),
            ("[LOC:/a]", "[LOC:/a"),
            (" | ", " "),
            (" | ", "|"),
        ] {
            refused(lawful.replacen(part, other, 1).as_bytes());
        }
        refused(b"");
        refused(b"\xFF");
        refused(&[lawful.as_bytes(), b"\xED\xA0\x80"].concat());
    }

    #[test]
    fn ends_of_lines_alone_are_written_out() {
        let kept = "/links/it's \"a\"~1\\n\t\u{301}";
        assert_eq!(without(kept, &LINE_ENDS), kept);
        assert_eq!(without("\r\n\u{85}\u{2028}\u{2029}", &LINE_ENDS), r"\r\n\u0085\u2028\u2029");
    }

    #[test]
    fn an_unregistered_code_is_found_and_not_refused() {
        let text = line("[LOC:/a] text | k=v");
        assert!(Event::parse(text.as_bytes()).expect("an event").findings().is_empty());
        for code in ["E_LSI_ORPHAN_LINK", "W_LSI", "E_lsi", "E_", "a code"] {
            let unknown = text.replace("E_LSI_ORPHAN_REFERENCE", code);
            let findings = Event::parse(unknown.as_bytes()).expect("an event").findings();
            assert_eq!(findings.iter().map(|found| found.law).collect::<Vec<_>>(), [code_registry::LAW], "{code}");
        }
    }
}
