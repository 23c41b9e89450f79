//! Other contents where an operation asks nothing of them.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{
    draft::{Draft, Seat},
    random::Random,
    rename::edit,
    spelling::respell,
    tree::{Text, Tree},
};
use crate::vector::{Case, Document, Entry, Verdict};

/// Further members in the bodies of a scenario: a body is an open object, and no step looks for these.
pub(super) fn further_in_bodies(base: &Case, random: &mut Random) -> Option<Case> {
    let (name, says) = (format!("zz{}", random.word(5)), Tree::text(&random.word(9)));
    edit(base, &[], &|draft| {
        let mut found = false;
        draft.document("operations")?.each_mut("", &mut |place, value| {
            if let ("body", Tree::Object(members)) = (place, value) {
                members.push((Text::new(&name), says.clone()));
                found = true;
            }
        });
        found.then_some(())
    })
}

/// A further record at the end of a lawful ledger, linked as the law has it; its digests are computed here.
pub(super) fn further_record(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let records = draft.document("records")?;
    let last = records.items().last()?;
    // A fault before it is still the first; after a record without a hash no link could be made.
    let parent = last.member("record_hash")?.says().filter(|hash| super::digests::is_digest(hash))?.to_owned();
    let payload = serde_json::json!({ random.word(4): random.word(6), "n": random.below(1000) });
    let payload = Tree::parse(&payload.to_string())?;
    let payload_hash = super::digests::sha256(payload.canonical()?);
    let text = Tree::text;
    let mut record = vec![
        (Text::new("v"), Tree::Word("1".to_owned())),
        (Text::new("ts"), text(&format!("t-{}", random.word(5)))),
        (Text::new("kind"), text(&random.word(6))),
        (Text::new("parent"), text(&parent)),
        (Text::new("payload_hash"), text(&payload_hash)),
    ];
    let record_hash = super::digests::sha256(Tree::Object(record.clone()).canonical()?);
    record.push((Text::new("payload"), payload));
    record.push((Text::new("record_hash"), text(&record_hash)));
    let Tree::Array(records) = records else { return None };
    records.push(Tree::Object(record));
    draft.case(base)
}

/// A further code in a registry: what is lawful stays so, and nothing unlawful is cured by it.
pub(super) fn further_code(base: &Case, random: &mut Random) -> Option<Case> {
    const STAGES: [&str; 4] = ["policy", "determinism", "capability", "replay"];
    if base.op == "sovereign.contract" && base.args.get("contract")?.as_str()? != "error-codes" {
        return None;
    }
    let document = base.inputs.keys().next()?.clone();
    let code = format!("E_{}", random.word(8).to_ascii_uppercase());
    if base.op == "kernel.registry" {
        let meaning = Tree::text(&format!("{} {}", random.word(6), random.word(5)));
        return edit(base, &[], &|draft| {
            let Tree::Array(revisions) = draft.document(&document)? else { return None };
            for revision in revisions.iter_mut() {
                let Tree::Object(codes) = revision.member_mut("codes")? else { return None };
                codes.push((Text::new(&code), meaning.clone()));
            }
            (!revisions.is_empty()).then_some(())
        });
    }
    let stage = Tree::text(random.one(&STAGES)?);
    edit(base, &[], &|draft| {
        let Tree::Object(codes) = draft.document(&document)?.member_mut("codes")? else { return None };
        codes.push((Text::new(&code), Tree::Object(vec![(Text::new("stage"), stage.clone())])));
        Some(())
    })
}

/// Another digest in the place of one, the same for the same.
pub(super) fn renew(value: &mut Tree, new: &mut std::collections::BTreeMap<String, String>, random: &mut Random) {
    if let Tree::Text(text) = value
        && super::digests::is_digest(text.says())
    {
        let digest = new.entry(text.says().to_owned()).or_insert_with(|| random.hex(64)).clone();
        text.say(&digest);
    }
}

/// Another workflow and other digests that a bundle is given: it repeats them, and nothing else of it hangs on them.
pub(super) fn envelope(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let mut new = std::collections::BTreeMap::new();
    let argument = |name: &str| Seat::Argument(name.to_owned());
    let digests = draft.trees.get_mut(&argument("digests"))?;
    digests.each_mut("", &mut |_, value| renew(value, &mut new, random));
    let Tree::Text(workflow) = draft.trees.get_mut(&argument("workflow_id"))? else { return None };
    let (known, other) = (workflow.says().to_owned(), format!("{}-{}", random.word(4), workflow.says()));
    if known.is_empty() || new.is_empty() {
        return None;
    }
    workflow.say(&other);
    for (_, tree) in
        draft.trees.iter_mut().filter(|(seat, _)| matches!(seat, Seat::Output(_, name) if name == "bundle"))
    {
        for (_, digest) in match tree.member_mut("digests") {
            Some(Tree::Object(members)) => members.iter_mut(),
            _ => return None,
        } {
            let Tree::Text(text) = digest else { return None };
            text.say(&new.get(text.says())?.clone());
        }
        let Tree::Text(workflow) = tree.member_mut("run_envelope")?.member_mut("workflow_id")? else { return None };
        (workflow.says() == known).then(|| workflow.say(&other))?;
    }
    draft.case(base)
}

/// Another description of the stages, which the contract only wants to be text.
pub(super) fn description(base: &Case, random: &mut Random) -> Option<Case> {
    if base.args.get("contract")?.as_str()? != "stage-order" {
        return None;
    }
    let says = format!("{} {}", random.word(6), random.word(7));
    edit(base, &[], &|draft| {
        let document = draft.document("doc")?;
        let known =
            matches!(document, Tree::Object(members) if members.iter().any(|(name, _)| name.says() == "description"));
        match document.member_mut("description") {
            Some(Tree::Text(text)) => text.say(&says),
            None if !known => match document {
                Tree::Object(members) => members.push((Text::new("description"), Tree::text(&says))),
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    })
}

/// Other digests where a contract asks for any digest, and where nobody looks at them.
pub(super) fn other_digests(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let mut new = std::collections::BTreeMap::new();
    let name = if base.op == "sovereign.select_path" { "entry" } else { "doc" };
    draft.document(name)?.each_mut("", &mut |_, value| renew(value, &mut new, random));
    if new.is_empty() { None } else { draft.case(base) }
}

/// Another objective, which no hash of a contract covers and no check asks about.
pub(super) fn objective(base: &Case, random: &mut Random) -> Option<Case> {
    let says = format!("{} {}", random.word(5), random.word(8));
    edit(base, &[], &|draft| {
        let Tree::Text(text) = draft.document("contract")?.member_mut("objective")? else { return None };
        text.says.as_ref()?;
        text.say(&says);
        Some(())
    })
}

/// Another handle of the run, which no hash of a contract covers.
pub(super) fn episode_id(base: &Case, random: &mut Random) -> Option<Case> {
    let says = format!("ep_{}", random.hex(24));
    edit(base, &[], &|draft| {
        let Tree::Text(text) = draft.document("contract")?.member_mut("episode_id")? else { return None };
        let digits = text.says().strip_prefix("ep_")?;
        (digits.len() == 24 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))).then_some(())?;
        text.say(&says);
        Some(())
    })
}

/// A receipt that says further things: its hash covers them.
pub(super) fn further_in_receipt(base: &Case, random: &mut Random) -> Option<Case> {
    if base.args.contains_key("public_key") {
        return None;
    }
    let (name, says) = (format!("zz{}", random.word(5)), Tree::text(&random.word(9)));
    edit(base, &[], &|draft| {
        let Tree::Object(members) = draft.document("receipt")? else { return None };
        members.push((Text::new(&name), says.clone()));
        Some(())
    })
}

/// An envelope that says further things: what an agent does follows from the type of the reply.
pub(super) fn further_in_envelope(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let Tree::Object(members) = draft.document("envelope").filter(|envelope| envelope.is_plain())? else { return None };
    members.push((Text::new(&format!("zz{}", random.word(5))), Tree::text(&random.word(9))));
    draft.case(base)
}

/// A pack whose contract and traces are laid out otherwise and whose contract has another hint of the model's version: neither is
/// listed in the manifest, and the hashes that bind them cover their values without the hint.
pub(super) fn pack(base: &Case, random: &mut Random) -> Option<Case> {
    const CONTRACT: &str = "episode_contract.json";
    let file = |path: &str| match base.files.get(path) {
        Some(Entry::File(document)) => Some(document.bytes()),
        _ => None,
    };
    let manifest = String::from_utf8(file("pack_manifest.json")?).ok()?;
    let mut case = base.clone();
    case.root = None;
    let mut changed = false;
    for (path, entry) in &mut case.files {
        let Entry::File(document) = entry else { continue };
        if (path != CONTRACT && !path.starts_with("recorded_traces/")) || manifest.contains(path.as_str()) {
            continue;
        }
        let text = String::from_utf8(document.bytes()).ok();
        let Some(mut tree) = text.as_deref().and_then(Tree::parse).filter(Tree::is_plain) else { continue };
        if path == CONTRACT {
            let Some(Tree::Object(environment)) = tree.member_mut("environment") else { continue };
            if environment.iter().any(|(name, _)| name.says() == "model_version_hint") {
                continue;
            }
            environment.push((Text::new("model_version_hint"), Tree::text(&random.word(8))));
            changed = true;
        }
        *document = Document::Text(respell(&tree, random));
    }
    changed.then_some(case)
}

/// Another text in the line of an event: it may be any.
pub(super) fn event(base: &Case, random: &mut Random) -> Option<Case> {
    let line = String::from_utf8(base.inputs.get("line")?.bytes()).ok()?;
    let word = ["Promoted.", "Text."].into_iter().find(|word| line.contains(word))?;
    let (before, after) = line.split_once(word)?;
    if after.contains(word) || !before.ends_with("] ") {
        return None;
    }
    let new = format!("{word} {}.", random.word(7));
    let mut case = base.clone();
    case.inputs.insert("line".to_owned(), Document::Text(format!("{before}{new}{after}")));
    for expect in std::iter::once(&mut case.expect).chain(&mut case.any_of) {
        if expect.is == Verdict::Accept {
            let text = expect.out.get("text")?.node.text()?.replacen(word, &new, 1);
            expect.out.insert("text".to_owned(), super::draft::expected(super::tree::quoted(&text))?);
        }
    }
    Some(case)
}

/// Another time and another key with which a pack is made: neither is in its hashes. A time or a key that is none stays.
pub(super) fn other_key(base: &Case, random: &mut Random) -> Option<Case> {
    const SEED: usize = 32;
    let mut case = base.clone();
    let argument = |name: &str| base.args.get(name).and_then(serde_json::Value::as_str);
    let key = argument("private_key").and_then(|key| STANDARD.decode(key).ok()).filter(|key| key.len() == SEED);
    let time = argument("now").filter(|now| is_sound_time(now));
    if key.is_some() {
        let key: Vec<u8> = (0..SEED).map(|_| random.below(256)).filter_map(|byte| byte.try_into().ok()).collect();
        case.args.insert("private_key".to_owned(), STANDARD.encode(key).into());
    }
    if time.is_some() {
        let day = format!("20{:02}-{:02}-{:02}", random.below(38), random.from(1, 12), random.from(1, 28));
        let time = format!("{day}T{:02}:{:02}:{:02}Z", random.below(24), random.below(60), random.below(60));
        case.args.insert("now".to_owned(), time.into());
    }
    (key.is_some() || time.is_some()).then_some(case)
}

/// Whether a text is a time of UTC to the second, as `2026-03-02T09:00:00Z`, on a day that every month has.
fn is_sound_time(text: &str) -> bool {
    let form = |(place, byte): (usize, u8)| match place {
        4 | 7 => byte == b'-',
        10 => byte == b'T',
        13 | 16 => byte == b':',
        19 => byte == b'Z',
        _ => byte.is_ascii_digit(),
    };
    let within = |place: usize, least: u8, most: u8| {
        text.get(place..place + 2)
            .and_then(|digits| digits.parse::<u8>().ok())
            .is_some_and(|it| (least..=most).contains(&it))
    };
    text.len() == 20
        && text.bytes().enumerate().all(form)
        && within(5, 1, 12)
        && within(8, 1, 28)
        && within(11, 0, 23)
        && within(14, 0, 59)
        && within(17, 0, 59)
}
