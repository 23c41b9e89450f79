//! Other contents where the law says that nobody looks: messages, diagnostics, own ids, hints, what is not signed.

use std::collections::BTreeMap;

use super::{
    digests,
    draft::{Draft, Seat},
    random::Random,
    rename::edit,
    spelling::respell,
    tree::{Text, Tree},
};
use crate::vector::{Case, Document, Entry, Verdict};

/// Other messages, and further events, which are for people alone.
pub(super) fn message(base: &Case, random: &mut Random) -> Option<Case> {
    match base.op.as_str() {
        "kernel.issue_order" => of_issues(base, random),
        "reply.envelope" | "reply.action" => of_error(base, random),
        _ => of_turns(base, random),
    }
}

/// Other messages in a list that is sorted, the same for the same: they are in no key.
fn of_issues(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let mut new = BTreeMap::new();
    for (_, tree) in draft.trees.iter_mut().filter(|(seat, _)| !matches!(seat, Seat::Argument(_))) {
        let Tree::Array(issues) = tree else { return None };
        for issue in issues {
            if let Some(Tree::Text(text)) = issue.member_mut("message")
                && let Some(says) = text.says.clone()
            {
                text.say(new.entry(says).or_insert_with(|| random.word(9)));
            }
        }
    }
    if new.is_empty() { None } else { draft.case(base) }
}

/// Another message, or one where there is none, in the error of an envelope.
fn of_error(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let envelope = draft.document("envelope").filter(|envelope| envelope.is_plain())?;
    let says = Tree::text(&format!("{} {}", random.word(4), random.word(7)));
    let error = envelope.member_mut("error")?;
    if let Some(message) = error.member_mut("message") {
        *message = says;
    } else {
        let Tree::Object(members) = error else { return None };
        members.push((Text::new("message"), says));
    }
    draft.case(base)
}

/// Other messages of issues in turn results, and a further event where nothing but parity and digest is asked.
fn of_turns(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let audited = base.op == "sovereign.audit";
    let turn = Seat::Document("turn".to_owned());
    let mut changed = false;
    for (_, tree) in
        draft.trees.iter_mut().filter(|(seat, _)| if audited { **seat == turn } else { matches!(seat, Seat::File(_)) })
    {
        if let Some(Tree::Array(issues)) = tree.member_mut("issues") {
            for issue in issues {
                if let Some(Tree::Text(text)) = issue.member_mut("message")
                    && text.says.is_some()
                {
                    text.say(&random.word(8));
                    changed = true;
                }
            }
        }
        if let Some(Tree::Array(events)) = tree.member_mut("events")
            && !audited
        {
            events.push(Tree::text(&random.word(8)));
            changed = true;
        }
    }
    if changed { draft.case(base) } else { None }
}

/// Another id in what an id is derived from, other diagnostics in a report, and a member of a record that its id does not cover.
pub(super) fn own_id(base: &Case, random: &mut Random) -> Option<Case> {
    if base.expect.is != Verdict::Accept {
        return None;
    }
    let (document, name) = match base.op.as_str() {
        "sovereign.report_id" => ("report", "report_id"),
        _ => ("record", "decision_id"),
    };
    let mut draft = Draft::of(base)?;
    let tree = draft.document(document).filter(|tree| tree.is_plain())?;
    let digest = random.hex(64);
    put(tree, name, Tree::text(&digest))?;
    if document == "record" {
        put(tree, &format!("zz{}", random.word(5)), Tree::text(&random.word(6)))?;
    } else {
        let Tree::Array(rows) = tree.member_mut("mismatches")? else { return None };
        for row in rows {
            let told = [("law", random.word(5)), ("side", random.word(1))];
            let told = told.map(|(name, says)| (Text::new(name), Tree::text(&says)));
            put(row, "diagnostic", Tree::Object(told.into()))?;
        }
    }
    draft.case(base)
}

/// A member of an object, in the place of one of this name or behind the others.
fn put(object: &mut Tree, name: &str, value: Tree) -> Option<()> {
    if let Some(member) = object.member_mut(name) {
        *member = value;
        return Some(());
    }
    let Tree::Object(members) = object else { return None };
    members.push((Text::new(name), value));
    Some(())
}

/// Another hint of the model's version, which no hash of a contract covers.
pub(super) fn hint(base: &Case, random: &mut Random) -> Option<Case> {
    const HINT: &str = "model_version_hint";
    let says = random.word(7);
    edit(base, &[], &|draft| {
        let environment = draft.document("contract")?.member_mut("environment")?;
        match environment.members().iter().filter(|(name, _)| name.says() == HINT).count() {
            0 => put(environment, HINT, Tree::text(&says)),
            1 => match environment.member_mut(HINT)? {
                Tree::Text(text) => text.says.is_some().then(|| text.say(&says)),
                // One of another kind may be the fault.
                _ => None,
            },
            _ => None,
        }
    })
}

/// Other meanings of codes: equal ones stay equal, and different ones different.
pub(super) fn meanings(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let beginning = random.word(6);
    let Tree::Array(revisions) = draft.document("revisions").filter(|revisions| revisions.is_plain())? else {
        return None;
    };
    let mut changed = false;
    for revision in revisions {
        let Some(Tree::Object(codes)) = revision.member_mut("codes") else { continue };
        for (_, meaning) in codes {
            if let Tree::Text(text) = meaning {
                text.say(&format!("{beginning} {}", text.says()));
                changed = true;
            }
        }
    }
    if changed { draft.case(base) } else { None }
}

/// A file in the part of a pack that nobody signs.
pub(super) fn unsigned(base: &Case, random: &mut Random) -> Option<Case> {
    const FOLDER: &str = "_unsigned";
    if base.files.contains_key(FOLDER) || !base.files.contains_key("pack_manifest.json") {
        return None;
    }
    let mut case = base.clone();
    case.root = None;
    let text = format!("{} {}", random.word(5), random.word(4));
    case.files.insert(format!("{FOLDER}/{}.txt", random.word(6)), Entry::File(Document::Text(text)));
    Some(case)
}

const COMMITTED: &str = "index/committed/";

/// Records of a home laid out otherwise: they are read by their values. A snapshot would see their bytes.
pub(super) fn records(base: &Case, random: &mut Random) -> Option<Case> {
    if !base.inputs.is_empty() {
        return None;
    }
    let mut case = base.clone();
    case.root = None;
    let mut changed = false;
    for (path, entry) in &mut case.files {
        let record =
            path.strip_prefix(COMMITTED).is_some_and(|path| path.starts_with("triplets/") || path.starts_with("refs/"));
        let Entry::File(document) = entry else { continue };
        if !record {
            continue;
        }
        let text = String::from_utf8(document.bytes()).ok();
        let Some(tree) = text.as_deref().and_then(Tree::parse).filter(Tree::is_plain) else { continue };
        let spelled = respell(&tree, random);
        changed |= text.as_ref() != Some(&spelled);
        *document = Document::Text(spelled);
    }
    changed.then_some(case)
}

/// An object that no record names, in a home that nobody remembers otherwise.
pub(super) fn object(base: &Case, random: &mut Random) -> Option<Case> {
    let objects = format!("{COMMITTED}objects/");
    if !base.inputs.is_empty() || !base.files.keys().any(|path| path.starts_with(&objects)) {
        return None;
    }
    let text = format!("{{\"{}\":\"{}\"}}", random.word(4), random.word(8));
    let digest = digests::sha256(&text);
    let mut case = base.clone();
    case.root = None;
    let folder = digest.get(..2)?;
    case.files.insert(format!("{objects}{folder}/{digest}"), Entry::File(Document::Text(text)));
    Some(case)
}
