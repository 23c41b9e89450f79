//! What a case asks of whoever answers it, beside its operation: found in its content, never in its name.
//!
//! Contract: `contracts/interface/protocol.md`, Capabilities. A library that takes values stands behind the JSON parser of its
//! language, and is not charged with what that parser cannot hand on. Scanning is not a judgement: it uses no code of the verifier.

use std::collections::BTreeSet;

use serde_json::value::RawValue;

use crate::vector::{Case, Document};

/// What survives between a JSON text and a value only if the reader takes care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Survivor {
    /// A `\u` escape without its half.
    LoneSurrogate,
    /// A number beyond the largest double.
    Overflow,
    /// The token `-0`.
    MinusZero,
    /// An integral value written with a point or an exponent.
    FloatKind,
}

impl Survivor {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::LoneSurrogate, Self::Overflow, Self::MinusZero, Self::FloatKind];

    /// The word in a declaration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LoneSurrogate => "lone-surrogate",
            Self::Overflow => "overflow",
            Self::MinusZero => "minus-zero",
            Self::FloatKind => "float-kind",
        }
    }
}

/// What a case needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// A document is not JSON text of RFC 8259 in UTF-8 without a mark, or repeats a name: only a reader of texts can see it.
    pub text: bool,
    /// What a reader must not lose.
    pub survivors: BTreeSet<Survivor>,
    /// The top of the document is neither an object nor an array.
    pub scalar: bool,
    /// Deepest nesting of all documents; the outermost container is level 1.
    pub depth: usize,
    /// Digits of the largest integer token, without sign and leading zeros.
    pub integer: Option<String>,
    /// Kinds of the steps of a scenario.
    pub steps: BTreeSet<String>,
    /// A step names a path that leads out of the home: whoever joins names without a look writes, or removes, what is not its own.
    pub hostile_paths: bool,
}

impl Needs {
    /// What a case needs.
    #[must_use]
    pub fn of(case: &Case) -> Self {
        let mut needs = Self::default();
        let canonical = case.op == "canon.bytes";
        // Every profile but this one judges by the token: it writes -0 as 0 and 1.0 as 1 whatever they were written as.
        let by_token = case.args.get("profile").and_then(serde_json::Value::as_str) != Some("rfc8785");
        for document in case.inputs.values() {
            let bytes = document.bytes();
            let scanned = scan(&bytes);
            needs.depth = needs.depth.max(scanned.depth);
            if !canonical {
                continue;
            }
            needs.text |= scanned.broken || scanned.repeats;
            needs.scalar |= !scanned.broken && scanned.depth == 0;
            needs.survivors.extend(
                scanned
                    .survivors
                    .iter()
                    .filter(|survivor| by_token || matches!(survivor, Survivor::LoneSurrogate | Survivor::Overflow)),
            );
            needs.integer = larger(needs.integer.take(), scanned.integer);
        }
        if case.op == "kernel.scenario" {
            // A step that nobody knows is refused by everyone.
            let known = crate::operation::table()
                .find(&case.op)
                .map(|operation| operation.steps.as_slice())
                .unwrap_or_default();
            let steps = case.inputs.get("operations").map(steps).unwrap_or_default();
            let kind = |step: &serde_json::Value| step.get("op")?.as_str().map(str::to_owned);
            needs.steps = steps.iter().filter_map(kind).filter(|step| known.contains(step)).collect();
            let path = |step: &serde_json::Value| step.get("path")?.as_str().map(leads_out);
            needs.hostile_paths = steps.iter().filter_map(path).any(|leads_out| leads_out);
        }
        needs
    }
}

/// The steps of a scenario, as far as it has any.
fn steps(document: &Document) -> Vec<serde_json::Value> {
    serde_json::from_slice(&document.bytes()).unwrap_or_default()
}

/// Whether a path leads out of the folder that it starts from, taken as a system would take it.
fn leads_out(path: &str) -> bool {
    let mut depth = 0_usize;
    let mut above = |name: &str| match name {
        "" | "." => false,
        ".." => {
            let above = depth == 0;
            depth = depth.saturating_sub(1);
            above
        }
        _ => {
            depth += 1;
            false
        }
    };
    path.starts_with('/') || path.split('/').any(&mut above)
}

fn larger(one: Option<String>, other: Option<String>) -> Option<String> {
    let rank = |digits: &Option<String>| digits.as_ref().map(|digits| (digits.len(), digits.clone()));
    if rank(&one) < rank(&other) { other } else { one }
}

#[derive(Debug, Default)]
struct Scanned {
    broken: bool,
    repeats: bool,
    survivors: BTreeSet<Survivor>,
    depth: usize,
    integer: Option<String>,
}

/// Names of one object, as UTF-16 so that half of a pair is a name too; nothing for an array.
type Names = Option<BTreeSet<Vec<u16>>>;

fn scan(bytes: &[u8]) -> Scanned {
    let mut scanned = Scanned::default();
    let text = match serde_json::from_slice::<&RawValue>(bytes) {
        Ok(text) => text.get(),
        Err(_) => {
            // How deep it is nested shows without a parser, nearly enough: a limit on depth is met before the fault or after it.
            scanned.broken = true;
            scanned.depth = nesting(bytes);
            return scanned;
        }
    };
    let mut open: Vec<Names> = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        match letter {
            '{' => open.push(Some(BTreeSet::new())),
            '[' => open.push(None),
            '}' | ']' => drop(open.pop()),
            '"' => {
                let string = string(&mut letters);
                if lone(&string) {
                    scanned.survivors.insert(Survivor::LoneSurrogate);
                }
                while letters.next_if(|(_, letter)| letter.is_ascii_whitespace()).is_some() {}
                if letters.peek().is_some_and(|(_, letter)| *letter == ':')
                    && let Some(Some(names)) = open.last_mut()
                {
                    scanned.repeats |= !names.insert(string);
                }
            }
            '-' | '0'..='9' => {
                let mut end = start + 1;
                while let Some((at, _)) =
                    letters.next_if(|(_, letter)| matches!(letter, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'))
                {
                    end = at + 1;
                }
                number(text.get(start..end).unwrap_or_default(), &mut scanned);
            }
            _ => {}
        }
        scanned.depth = scanned.depth.max(open.len());
    }
    scanned
}

/// The deepest nesting by brackets outside strings.
fn nesting(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest, mut inside, mut escaped) = (0_usize, 0, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' => inside = !inside,
            b'[' | b'{' if !inside => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !inside => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The rest of a string whose first quote was read, decoded. The text is JSON, so that every escape is complete.
fn string(letters: &mut std::iter::Peekable<std::str::CharIndices<'_>>) -> Vec<u16> {
    let mut units = Vec::new();
    let mut next = || letters.next().map(|(_, letter)| letter);
    while let Some(letter) = next() {
        match letter {
            '"' => break,
            '\\' => match next() {
                Some('u') => {
                    let digits: String = (0..4).filter_map(|_| next()).collect();
                    units.push(u16::from_str_radix(&digits, 16).unwrap_or_default());
                }
                Some('b') => units.push(8),
                Some('f') => units.push(12),
                Some('n') => units.push(10),
                Some('r') => units.push(13),
                Some('t') => units.push(9),
                Some(other) => units.extend(other.encode_utf16(&mut [0; 2]).iter()),
                None => break,
            },
            other => units.extend(other.encode_utf16(&mut [0; 2]).iter()),
        }
    }
    units
}

fn lone(units: &[u16]) -> bool {
    char::decode_utf16(units.iter().copied()).any(|letter| letter.is_err())
}

fn number(token: &str, scanned: &mut Scanned) {
    if !token.contains(['.', 'e', 'E']) {
        if token == "-0" {
            scanned.survivors.insert(Survivor::MinusZero);
        }
        let digits = token.trim_start_matches('-').trim_start_matches('0');
        scanned.integer = larger(scanned.integer.take(), Some(if digits.is_empty() { "0" } else { digits }.to_owned()));
    }
    let Ok(value) = token.parse::<f64>() else { return };
    if value.is_infinite() {
        scanned.survivors.insert(Survivor::Overflow);
    } else if value.fract() == 0.0 && token.contains(['.', 'e', 'E']) {
        scanned.survivors.insert(Survivor::FloatKind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(op: &str, args: &str, name: &str, document: &str) -> Needs {
        let text = format!(
            r#"{{"id":"a/b/c","op":"{op}","args":{args},"spec":{{"document":"d","section":"s"}},"force":"spec","rationale":"r",
                "provenance":"hand","in":{{"{name}":{document}}},"expect":{{"is":"accept"}},"agreement":"verdict"}}"#
        );
        Needs::of(&Case::parse("c.json", text.as_bytes()).unwrap())
    }

    fn canon(profile: &str, text: &str) -> Needs {
        let document = serde_json::json!({ "text": text }).to_string();
        needs("canon.bytes", &format!(r#"{{"profile":"{profile}"}}"#), "doc", &document)
    }

    #[test]
    fn what_only_a_reader_can_see_needs_text() {
        for text in [
            r#"{"a":1,"a":1}"#,
            r#"{"a":1,"\u0061":2}"#,
            "[1,]",
            "",
            "\u{feff}1",
            "[01]",
            "nul",
            r#"{"b":{"x":1,"x":null}}"#,
        ] {
            assert!(canon("rfc8785", text).text, "{text}");
        }
        for text in
            [r#"{"a":{"a":1},"b":"a"}"#, r#"["a","a"]"#, r#"[{"a":1},{"a":1}]"#, r#"{"a":"b", "b" : "\"a\":"}"#, "null"]
        {
            assert!(!canon("rfc8785", text).text, "{text}");
        }
        let bytes = needs("canon.bytes", r#"{"profile":"rfc8785"}"#, "doc", r#"{"base64":"Iv8i"}"#);
        assert!(bytes.text);
        assert!(!needs("reply.envelope", "{}", "envelope", r#"{"text":"{"}"#).text);
    }

    #[test]
    fn what_a_reader_may_lose_is_named() {
        let survivors =
            |profile, text| canon(profile, text).survivors.into_iter().map(Survivor::name).collect::<Vec<_>>();
        assert_eq!(
            survivors("sovereign", r#"["\ud800",1e999,-0,1.0]"#),
            ["lone-surrogate", "overflow", "minus-zero", "float-kind"]
        );
        assert_eq!(survivors("rfc8785", r#"["\ud800",1e999,-0,1.0]"#), ["lone-surrogate", "overflow"]);
        assert_eq!(survivors("sovereign", r#"["\ud83d\ude00",-1,1.5,-0.5]"#), [""; 0]);
        assert_eq!(survivors("sovereign", r#"{"\udc00\ud800":1}"#), ["lone-surrogate"]);
    }

    #[test]
    fn shapes_and_sizes_are_those_of_the_document() {
        let sizes = |text| {
            let Needs { scalar, depth, integer, .. } = canon("rfc8785", text);
            (scalar, depth, integer)
        };
        let digits = |digits: &str| Some(digits.to_owned());
        assert_eq!(sizes("-12"), (true, 0, digits("12")));
        assert_eq!(sizes(r#"[[],{"a":[9,10]},-0]"#), (false, 3, digits("10")));
        assert_eq!(sizes(r#"["[[[", 1.5e3]"#), (false, 1, None));
        assert_eq!(sizes(r#"[[["\"]"#), (false, 3, None));
        assert_eq!(needs("sovereign.report_id", "{}", "report", r#"{"json":[[1]]}"#).depth, 2);
        assert!(!needs("sovereign.report_id", "{}", "report", r#"{"json":1}"#).scalar);
    }

    #[test]
    fn a_scenario_needs_its_steps() {
        let steps = r#"{"json":[{"op":"execute_turn"},{"op":"promote"},{"op":"execute_turn"},{"op":"dance"},7,{}]}"#;
        let found = needs("kernel.scenario", "{}", "operations", steps).steps;
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["execute_turn", "promote"]);
    }

    #[test]
    fn a_path_out_of_the_home_is_a_need() {
        for (path, out) in [
            ("/index/stray.txt", true),
            ("../stray.txt", true),
            ("index/../../stray", true),
            ("a/..", false),
            ("a/../b", false),
            ("./a//..b/...", false),
            ("", false),
        ] {
            let steps =
                serde_json::json!({"json": [{"op": "promote"}, {"op": "write_file", "path": path}]}).to_string();
            assert_eq!(needs("kernel.scenario", "{}", "operations", &steps).hostile_paths, out, "{path:?}");
            assert!(!needs("kernel.audit", "{}", "operations", &steps).hostile_paths);
        }
    }
}
