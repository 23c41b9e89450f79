//! Registries with their revisions, what is used of them, and call sites. First choices are lawful ones, for bytes that run
//! out.

use arbitrary::{Result, Unstructured};

use super::codes::{lawful, near};
use crate::pairs::draw::{index, int, odds, one_of, pick};
use crate::pairs::json::{Json, Text};
use crate::spoil::awkward;

const KEYS: &[&str] = &["k1", "k2", "k1", ""];
const LEGACY: &[&str] = &["DB-ERR-001", "GIT-EXEC-E-001", "DB-RES-S-001", "PARSE-OK-1", "db-err-001", "LEGACY"];
const DECLARED: &[&str] = &["GIT", "DIR", "GIT", "OPEN", "CLOSE", "READ", "git", "GIT-LOG", ""];
const TOOLS: &[&str] = &["search", "ck3_git", "Dir", "git", "open_", "read", "a_b_git", "", "_"];
const METHODS: &[&str] = &["success", "invalid", "denied", "error", "info", "warn", "fail", "Success", "make", ""];

/// A registry with its history and what uses it.
pub(super) fn registry(u: &mut Unstructured<'_>) -> Result<Json> {
    let codes = codes(u)?;
    let mut registries = vec![one(u, &codes)?];
    if odds(u, 1, 16)? {
        registries.push(one(u, &codes)?);
    }
    let mut document = Json::object([("registries", Json::List(registries))]);
    if odds(u, 1, 2)? {
        document.set("earlier", earlier(u, &codes)?);
    }
    if odds(u, 1, 3)? {
        document.set("used", listed(u, &codes, true)?);
    }
    if odds(u, 1, 3)? {
        let mut tools = Vec::new();
        for _ in 0..int(u, 3)? {
            tools.push(one_of(u, TOOLS)?);
        }
        document.set("tools", Json::List(tools));
    }
    some_null(u, &mut document, &["earlier", "used", "tools"])?;
    Ok(document)
}

/// Call sites as a linter found them.
pub(super) fn sites(u: &mut Unstructured<'_>) -> Result<Json> {
    let codes = codes(u)?;
    let mut sites = Vec::new();
    for _ in 0..int(u, 4)? {
        let among = if odds(u, 1, 4)? { METHODS } else { METHODS.get(..4).unwrap_or(METHODS) };
        let method = *pick(u, among)?;
        let kind = match method {
            "invalid" => "I",
            "denied" => "D",
            "error" => "E",
            _ => "S",
        };
        let code = match int(u, 3)? {
            0 if method == "success" => Json::NULL,
            0 => Json::text(&lawful(u, Some(kind))?),
            1 => Json::text(&near(u, Some(kind))?),
            _ => code_of(u, &codes, true)?,
        };
        let mut site = Json::object([
            ("file", Json::text(if odds(u, 1, 30)? { "" } else { "tools/search.py" })),
            ("line", Json::integer(int(u, 30)? as usize)),
            ("receiver", Json::text("rb")),
            ("method", Json::text(method)),
            ("code", code),
            ("returned", Json::token(if odds(u, 1, 8)? { "false" } else { "true" })),
        ]);
        if odds(u, 1, 8)? {
            site.set(pick(u, &["receiver", "method", "code"])?, Json::NULL);
        }
        if odds(u, 1, 24)? {
            site.remove(pick(u, &["receiver", "method", "code", "returned", "line"])?);
        }
        sites.push(site);
    }
    Ok(Json::List(sites))
}

/// A few codes that everything else is made of, each once and lawful most of the time.
fn codes(u: &mut Unstructured<'_>) -> Result<Vec<String>> {
    let mut codes = Vec::new();
    let all_lawful = !odds(u, 1, 3)?;
    for _ in 0..=int(u, 4)? {
        let code = if all_lawful { lawful(u, None)? } else { near(u, None)? };
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    Ok(codes)
}

/// One of the codes; where `wild`, any other or a legacy one now and then.
fn code_of(u: &mut Unstructured<'_>, codes: &[String], wild: bool) -> Result<Json> {
    if wild && odds(u, 1, 6)? {
        return one_of(u, LEGACY);
    }
    if wild && odds(u, 1, 6)? {
        return Ok(Json::text(&near(u, None)?));
    }
    Ok(Json::text(index(u, codes.len())?.and_then(|at| codes.get(at)).map_or("WA-RES-S-001", String::as_str)))
}

fn listed(u: &mut Unstructured<'_>, codes: &[String], wild: bool) -> Result<Json> {
    let mut items = Vec::new();
    for _ in 0..int(u, 3)? {
        items.push(code_of(u, codes, wild)?);
    }
    Ok(Json::List(items))
}

fn one(u: &mut Unstructured<'_>, codes: &[String]) -> Result<Json> {
    let mut active = Vec::new();
    let mut retired = vec![Json::text("WA-RES-S-901")];
    for code in codes {
        match int(u, 9)? {
            8 => retired.push(Json::text(code)),
            9 => {}
            _ => active.push(row(u, code)?),
        }
    }
    if odds(u, 1, 16)? {
        let again = index(u, codes.len())?.and_then(|at| codes.get(at)).cloned().unwrap_or_default();
        active.push(row(u, &again)?);
    }
    if odds(u, 1, 8)? {
        retired.push(code_of(u, codes, true)?);
    }
    let mut registry = Json::object([("name", Json::text("canonical")), ("active", Json::List(active))]);
    if !odds(u, 1, 4)? {
        registry.set("retired", Json::List(retired));
    }
    if odds(u, 1, 4)? {
        registry.set("areas", areas(u)?);
    }
    if odds(u, 1, 4)? {
        let mut aliases: Vec<(Text, Json)> = Vec::new();
        for _ in 0..=int(u, 1)? {
            if let Json::Text(old) = code_of(u, codes, true)?
                && aliases.iter().all(|(name, _)| *name != old)
            {
                let wild = odds(u, 1, 4)?;
                aliases.push((old, code_of(u, codes, wild)?));
            }
        }
        registry.set("aliases", Json::Object(aliases));
    }
    some_null(u, &mut registry, &["retired", "areas", "aliases"])?;
    Ok(registry)
}

/// A row; some repeat the segments of their code, and some of these get one wrong.
fn row(u: &mut Unstructured<'_>, code: &str) -> Result<Json> {
    let mut row = Json::object([("code", Json::text(code))]);
    if !odds(u, 1, 16)? {
        row.set("message_key", one_of(u, KEYS)?);
    }
    if odds(u, 1, 3)? {
        let segments: Vec<&str> = code.split('-').collect();
        for (name, segment) in ["layer", "area", "type", "number"].into_iter().zip(segments) {
            let field = match int(u, 11)? {
                0..=6 if name == "number" => Json::token(segment.parse::<u16>().unwrap_or_default().to_string()),
                0..=8 => Json::text(segment),
                9 => one_of(u, &["WA", "RES", "S", "E", "001", "1"])?,
                10 => awkward(u)?,
                _ => continue,
            };
            row.set(name, field);
        }
    }
    some_null(u, &mut row, &["message_key", "layer", "type", "number"])?;
    Ok(row)
}

fn areas(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut areas = Vec::new();
    for _ in 0..=int(u, 1)? {
        let name = if odds(u, 1, 3)? { one_of(u, DECLARED)? } else { Json::text("GIT") };
        let mut area = Json::object([("area", name), ("meaning", Json::text("an added domain"))]);
        match int(u, 7)? {
            6 => area.set("document", Json::text("")),
            7 => area.set("document", awkward(u)?),
            5 => {}
            _ => area.set("document", Json::text("docs/areas.md")),
        }
        areas.push(area);
    }
    Ok(Json::List(areas))
}

/// Revisions, oldest first. Each has most of the codes.
fn earlier(u: &mut Unstructured<'_>, codes: &[String]) -> Result<Json> {
    let mut revisions = Vec::new();
    for _ in 0..int(u, 3)? {
        let mut held = Vec::new();
        for code in codes {
            if !odds(u, 1, 4)? {
                let key = if odds(u, 1, 24)? { Json::NULL } else { one_of(u, KEYS)? };
                held.push((code.as_str().into(), key));
            }
        }
        let mut revision = Json::object([("codes", Json::Object(held))]);
        if odds(u, 1, 3)? {
            revision.set("retired", listed(u, codes, false)?);
        }
        some_null(u, &mut revision, &["retired"])?;
        revisions.push(revision);
    }
    Ok(Json::List(revisions))
}

/// Writes null for an optional member now and then.
fn some_null(u: &mut Unstructured<'_>, holder: &mut Json, names: &[&str]) -> Result<()> {
    if odds(u, 1, 40)? {
        holder.set(pick(u, names)?, Json::NULL);
    }
    Ok(())
}
