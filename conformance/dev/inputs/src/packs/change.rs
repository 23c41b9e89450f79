//! What is done to a pack: forged in the making, spelt anew, or tampered with.

use arbitrary::{Result, Unstructured};
use assize_packs::pack::{MANIFEST, RECEIPTS};
use assize_packs::{Episode, Pack};
use serde_json::{Map, Value};

use super::{Files, few, path};
use crate::pairs::draw::{index, int, odds, pick};
use crate::pairs::emit::{Style, emit};
use crate::pairs::json::Json;
use crate::spoil::spoil;

const CONTRACT: &str = "episode_contract.json";
const TRACES: &str = "recorded_traces/";

/// Bytes that mean something in JSON, in base64 or in text.
const TELLING: &[u8] = b" \t\n\r\",:[]{}\\/0123456789.eE+-abuAB_\x00\x7f\x80\xff";

/// A pack with something wrong inside that was hashed and signed like everything else.
pub(super) fn forged(u: &mut Unstructured<'_>, episode: &Episode) -> Result<Pack> {
    let mut pack = episode.pack();
    let (mut contract, mut attested) = (false, false);
    for _ in 0..few(u)? {
        match int(u, 5)? {
            0 => contract = true,
            1 => attested = true,
            _ => {
                if let Some(receipt) = index(u, pack.receipts.len())?.and_then(|at| pack.receipts.get_mut(at)) {
                    spoil_members(u, receipt)?;
                }
            }
        }
    }
    if contract && let Some(text) = pack.files.get_mut(CONTRACT) {
        spoil_text(u, text)?;
    }
    pack.link();
    pack.record();
    pack.list();
    if attested {
        let within = if odds(u, 1, 2)? { &mut pack.attestation } else { &mut pack.manifest };
        spoil_members(u, within)?;
    }
    pack.attest();
    pack.sign();
    Ok(pack)
}

/// Changes one place of some members, where the outcome is a value that a builder can hold.
fn spoil_members(u: &mut Unstructured<'_>, members: &mut Map<String, Value>) -> Result<()> {
    let mut text = Value::Object(members.clone()).to_string().into_bytes();
    spoil_text(u, &mut text)?;
    if let Ok(Value::Object(spoilt)) = serde_json::from_slice(&text) {
        *members = spoilt;
    }
    Ok(())
}

fn spoil_text(u: &mut Unstructured<'_>, text: &mut Vec<u8>) -> Result<()> {
    if let Some(mut document) = std::str::from_utf8(text).ok().and_then(Json::read) {
        spoil(u, &mut document)?;
        *text = emit(&document, &Style::PLAIN);
    }
    Ok(())
}

/// Writes contract, traces, receipts and manifest anew, some of them, with the values that they have.
///
/// What the manifest binds by its bytes is left alone where listing it again would mend what was forged.
pub(super) fn respell(u: &mut Unstructured<'_>, pack: &mut Pack) -> Result<()> {
    let mut again = pack.clone();
    relist(&mut again);
    let mends = again.files != pack.files;
    let paths: Vec<_> = pack.files.keys().cloned().collect();
    let mut bound = false;
    for path in &paths {
        let value = path == CONTRACT || path.starts_with(TRACES);
        let listed = path == RECEIPTS || pack.listed.contains(path);
        if !(value || path == RECEIPTS) || listed && mends || odds(u, 1, 3)? {
            continue;
        }
        let Some(text) = pack.files.get(path).and_then(|text| String::from_utf8(text.clone()).ok()) else { continue };
        let written = if value { document(u, &text, true)? } else { receipts(u, &text)? };
        bound |= listed;
        pack.put(path, written);
    }
    if bound {
        relist(pack);
    }
    if odds(u, 1, 2)?
        && let Some(text) = pack.files.get(MANIFEST).and_then(|text| String::from_utf8(text.clone()).ok())
    {
        let written = document(u, &text, false)?;
        pack.put(MANIFEST, written);
    }
    Ok(())
}

/// Lists the files as they lie there, attests and signs.
fn relist(pack: &mut Pack) {
    pack.list();
    pack.attest();
    pack.sign();
}

/// Each line by itself: none may hold a line break.
fn receipts(u: &mut Unstructured<'_>, text: &str) -> Result<Vec<u8>> {
    let mut written = Vec::new();
    for line in text.lines() {
        let line = document(u, line, false)?;
        written.extend(line.into_iter().map(|octet| if octet == b'\n' || octet == b'\r' { b' ' } else { octet }));
        written.push(b'\n');
    }
    Ok(written)
}

/// The document in another spelling; numbers too, where no member has to be an integer.
fn document(u: &mut Unstructured<'_>, text: &str, numbers: bool) -> Result<Vec<u8>> {
    let Some(mut document) = Json::read(text) else { return Ok(text.as_bytes().to_vec()) };
    if numbers && odds(u, 1, 2)? {
        respell_numbers(&mut document);
    }
    Ok(emit(&document, &Style::draw(u)?))
}

/// Integers get a fraction of zero. Fifteen digits are exact in a double, with or without one.
fn respell_numbers(document: &mut Json) {
    match document {
        Json::Token(token) => {
            let digits = token.strip_prefix('-').unwrap_or(token);
            if (1..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                token.to_mut().push_str(".0");
            }
        }
        Json::List(items) => items.iter_mut().for_each(respell_numbers),
        Json::Object(members) => members.iter_mut().for_each(|(_, member)| respell_numbers(member)),
        Json::Text(_) => {}
    }
}

/// Changes one file: a byte, a value inside it, or all of it.
pub(super) fn tamper(u: &mut Unstructured<'_>, files: &mut Files) -> Result<()> {
    let Some(at) = path(u, files)? else { return Ok(()) };
    match int(u, 9)? {
        0 => drop(files.remove(&at)),
        1 => {
            let other = path(u, files)?.and_then(|path| files.get(&path)).cloned();
            files.extend(other.map(|content| (at, content)));
        }
        choice => {
            if let Some(content) = files.get_mut(&at) {
                if choice < 5 { byte(u, content)? } else { member(u, at == RECEIPTS, content)? }
            }
        }
    }
    Ok(())
}

fn byte(u: &mut Unstructured<'_>, content: &mut [u8]) -> Result<()> {
    let flip = odds(u, 1, 2)?;
    let telling = *pick(u, TELLING)?;
    if let Some(octet) = index(u, content.len())?.and_then(|at| content.get_mut(at)) {
        *octet = if flip || *octet == telling { *octet ^ 1 } else { telling };
    }
    Ok(())
}

/// Changes a value in a document, or in a line of one.
fn member(u: &mut Unstructured<'_>, lines: bool, content: &mut Vec<u8>) -> Result<()> {
    if !lines {
        return spoil_text(u, content);
    }
    let mut all: Vec<Vec<u8>> = content.split(|octet| *octet == b'\n').map(<[u8]>::to_vec).collect();
    if let Some(line) = index(u, all.len())?.and_then(|at| all.get_mut(at)) {
        spoil_text(u, line)?;
    }
    *content = all.join(&b'\n');
    Ok(())
}
