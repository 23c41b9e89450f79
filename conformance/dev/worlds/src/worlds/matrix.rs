//! Every cell of the matrix of layers and types, in every artefact that holds a code.
//!
//! Spec: Canonical Reply System Architecture (Final), 4. Decision Ownership (LAYER), and 6. Canonical Reply Code Format.

use std::ops::Range;

use serde_json::json;

use crate::{
    reply::judge,
    search::{Facts, Tally, World},
    sequences::Mixed,
};

/// Codes in artefacts.
#[derive(Debug)]
pub(crate) struct Matrix;

const LAYERS: [&str; 7] = ["WA", "EN", "CT", "MCP", "XX", "wa", ""];
const TYPES: [&str; 7] = ["S", "I", "D", "E", "X", "s", ""];
const AREAS: [&str; 18] = [
    "SYS", "RES", "VIS", "IO", "READ", "WRITE", "EXEC", "DB", "PARSE", "VAL", "GATE", "LOG", "CFG", "OPEN", "CLOSE",
    "PACK", "sys", "",
];
const NUMBERS: [&str; 5] = ["001", "000", "999", "1", "0001"];
const KINDS: [(&str, &str, &str); 4] =
    [("S", "success", "success"), ("I", "invalid", "invalid"), ("D", "denied", "denied"), ("E", "error", "error")];
/// The code alone; then, for each type that an artefact says of itself: an envelope, one whose status says the type alone, a registry
/// that repeats the segments, a trace of a builder, one of a callee, one of a crash, an answer of a tool, a call site, and a builder.
const ARTEFACTS: usize = 9;

impl World for Matrix {
    fn facts(&self) -> Facts {
        Facts {
            name: "matrix",
            alphabet: format!(
                "{} layers, {} types, {} areas and {} numbers, registered or not; each code alone and in {ARTEFACTS} artefacts, of each of \
                 the four types",
                LAYERS.len(),
                TYPES.len(),
                AREAS.len(),
                NUMBERS.len()
            ),
            bounds: [1, AREAS.len()],
        }
    }

    fn size(&self, bound: usize) -> u64 {
        let codes = LAYERS.len() * TYPES.len() * NUMBERS.len() * bound.min(AREAS.len());
        (codes * (1 + ARTEFACTS * KINDS.len())) as u64
    }

    fn check(&self, _bound: usize, places: Range<u64>, tally: &mut Tally) -> Result<(), String> {
        for place in places {
            let mut rest = Mixed(place);
            let artefact = rest.take(1 + ARTEFACTS * KINDS.len());
            let (layer, kind) = (rest.take(LAYERS.len()), rest.take(TYPES.len()));
            let (number, area) = (rest.take(NUMBERS.len()), rest.take(AREAS.len()));
            let [Some(layer), Some(kind)] = [LAYERS.get(layer), TYPES.get(kind)] else { continue };
            let [Some(area), Some(number)] = [AREAS.get(area), NUMBERS.get(number)] else { continue };
            tally.judge(place, ask(artefact, [layer, area, kind, number])?);
        }
        Ok(())
    }
}

/// Asks about a code in an artefact.
fn ask(artefact: usize, [layer, area, segment, number]: [&str; 4]) -> Result<Result<bool, String>, String> {
    let code = [layer, area, segment, number].join("-");
    let Some(artefact) = artefact.checked_sub(1) else { return judge("reply.code", "code", code.as_bytes()) };
    let mut rest = Mixed(artefact as u64);
    let (kind, status, method) = KINDS.get(rest.take(KINDS.len())).copied().unwrap_or_default();
    let error = if kind == "S" { json!(null) } else { json!({"code": code}) };
    let meta = json!({"trace_id": "t-1", "duration_ms": 1});
    let mut envelope = json!({"status": status, "reply_type": kind, "data": {}, "meta": meta, "error": error});
    if let Some(envelope) = envelope.as_object_mut().filter(|_| kind == "S") {
        envelope.insert("code".to_owned(), code.as_str().into());
    }
    let row = json!({"code": code, "message_key": "key", "layer": layer, "area": area, "type": kind, "number": number});
    let registry = json!({"registries": [{"name": "core", "active": [row.clone()]}]});
    let new = json!({"op": "new", "b": 0});
    let (op, name, document) = match rest.take(ARTEFACTS) {
        0 => ("reply.envelope", "envelope", envelope),
        1 => {
            let said = json!({"status": status, "reply_type": kind, "data": null, "meta": envelope.get("meta"), "error": {"code": code}});
            ("reply.envelope", "envelope", said)
        }
        2 => ("reply.registry", "registry", registry),
        3 => {
            let call = json!({"op": "call", "b": 0, "method": method, "code": code, "got": "reply"});
            (
                "reply.trace",
                "trace",
                json!({"steps": [new, call, {"op": "return", "of": 1}, {"op": "emit", "reply_type": kind, "code": code}]}),
            )
        }
        4 => {
            let callee = json!({"op": "return", "callee": {"reply_type": kind, "code": code}});
            ("reply.trace", "trace", json!({"steps": [callee, {"op": "emit", "reply_type": kind, "code": code}]}))
        }
        5 => {
            let crash = json!({"op": "emit", "reply_type": kind, "code": code});
            ("reply.trace", "trace", json!({"steps": [{"op": "throw"}, crash]}))
        }
        6 => {
            let text = json!({"type": "text", "text": envelope.to_string()});
            let result = json!({"content": [text], "structuredContent": envelope, "isError": kind != "S"});
            let response = json!({"jsonrpc": "2.0", "id": 1, "result": result});
            let asked = json!({"protocol_version": "2025-11-25", "tool": {"name": "search"}, "response": response});
            ("reply.tool_result", "result", asked)
        }
        7 => {
            let site =
                json!({"file": "a.py", "line": 1, "receiver": "b", "method": method, "code": code, "returned": true});
            ("reply.source", "source", json!({"call_sites": [site], "registry": registry}))
        }
        _ => ("reply.build", "script", json!({"calls": [{"method": method, "code": code}], "registry": null})),
    };
    judge(op, name, document.to_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_lawful_in_its_cell_and_in_no_other() {
        for artefact in 0..=ARTEFACTS * KINDS.len() {
            // Every artefact takes a code somewhere, and refuses a layer that there is not, but for a builder, which raises.
            assert!(ask(artefact, ["MCP", "SYS", "E", "001"]).unwrap().is_ok());
            assert!(ask(artefact, ["XX", "SYS", "E", "001"]).unwrap().is_ok());
        }
        assert_eq!(ask(0, ["EN", "WRITE", "D", "002"]), Ok(Ok(true)));
        assert_eq!(ask(0, ["WA", "WRITE", "D", "002"]), Ok(Ok(false)));
    }
}
