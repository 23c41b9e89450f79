//! Packs with random damage: never a panic, and always a judgement that agrees with itself.

use std::sync::LazyLock;

use assize_packs::{Pack, pack::RECEIPTS};
use assize_verifier::{
    episode::{Options, PackLabel, verify, verify_pack},
    threads::Threads,
};
use proptest::{prelude::*, sample::Index};
use serde_json::{Value, json};

use super::{
    bad_input::{REPORT, TRANSCRIPT},
    consistency::{OPTIONS, judge},
    memory::Memory,
    scenes::{self, relist},
};

/// One stroke of damage. Indices pick among whatever is there.
#[derive(Debug, Clone)]
enum Damage {
    /// A byte becomes another.
    Byte(Index, Index, u8),
    /// A stretch of a file is lost.
    Cut(Index, Index, u8),
    /// A stretch of a file stands twice.
    Repeat(Index, Index, u8),
    /// A file is lost.
    Remove(Index),
    /// A file has the content of another.
    Copy(Index, Index),
    /// In a JSON file, or a line of one, a value is treated so.
    Json(Index, Index, Treatment),
}

/// What becomes of a value inside a document.
#[derive(Debug, Clone)]
enum Treatment {
    /// It is lost, with its name.
    Remove,
    /// It is another.
    Replace(usize),
    /// It is a value from elsewhere in the document.
    Borrow(Index),
    /// Its name, or its string, gets a letter more.
    Lengthen,
}

/// Values of every kind, and those at the edges of what is lawful.
fn others() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(3.0),
        json!(9_007_199_254_740_992_u64),
        json!(""),
        json!("../x"),
        json!("sha256:0"),
        json!("PASS"),
        json!("SKIPPED"),
        json!([]),
        json!([null]),
        json!({}),
        json!({"a": 1}),
        json!("\u{0}"),
        json!("out"),
    ]
}

fn treatment() -> impl Strategy<Value = Treatment> {
    prop_oneof![
        Just(Treatment::Remove),
        (0..others().len()).prop_map(Treatment::Replace),
        any::<Index>().prop_map(Treatment::Borrow),
        Just(Treatment::Lengthen),
    ]
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        2 => (any::<Index>(), any::<Index>(), any::<u8>()).prop_map(|(file, at, byte)| Damage::Byte(file, at, byte)),
        1 => (any::<Index>(), any::<Index>(), any::<u8>()).prop_map(|(file, at, len)| Damage::Cut(file, at, len)),
        1 => (any::<Index>(), any::<Index>(), any::<u8>()).prop_map(|(file, at, len)| Damage::Repeat(file, at, len)),
        1 => any::<Index>().prop_map(Damage::Remove),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(file, other)| Damage::Copy(file, other)),
        6 => (any::<Index>(), any::<Index>(), treatment())
            .prop_map(|(file, place, treatment)| Damage::Json(file, place, treatment)),
    ]
}

/// Pointers to every value below the root, in the order of the document.
fn places(value: &Value, at: &str, into: &mut Vec<String>) {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), value))
            .collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, value)| (format!("{at}/{index}"), value)).collect()
        }
        _ => Vec::new(),
    };
    for (pointer, value) in below {
        into.push(pointer.clone());
        places(value, &pointer, into);
    }
}

fn treat(document: &mut Value, place: Index, treatment: &Treatment) {
    let mut pointers = Vec::new();
    places(document, "", &mut pointers);
    if pointers.is_empty() {
        return;
    }
    let pointer = pointers[place.index(pointers.len())].as_str();
    let (parent, last) = pointer.rsplit_once('/').unwrap();
    let name = last.replace("~1", "/").replace("~0", "~");
    match treatment {
        Treatment::Replace(which) => *document.pointer_mut(pointer).unwrap() = others().swap_remove(*which),
        Treatment::Borrow(other) => {
            *document.pointer_mut(pointer).unwrap() =
                document.pointer(&pointers[other.index(pointers.len())]).unwrap().clone();
        }
        Treatment::Lengthen => match document.pointer_mut(pointer).unwrap() {
            Value::String(text) => text.push('x'),
            _ => {
                if let Value::Object(members) = document.pointer_mut(parent).unwrap() {
                    let value = members.remove(&name).unwrap();
                    members.insert(name + "x", value);
                }
            }
        },
        Treatment::Remove => match document.pointer_mut(parent).unwrap() {
            Value::Object(members) => drop(members.remove(&name)),
            Value::Array(items) => drop(items.remove(name.parse().unwrap())),
            _ => {}
        },
    }
}

impl Damage {
    fn to(&self, pack: &mut Memory) {
        let paths: Vec<String> = pack.files.keys().cloned().collect();
        if paths.is_empty() {
            return;
        }
        let pick = |file: &Index| paths[file.index(paths.len())].as_str();
        let stretch = |content: &[u8], at: &Index, len: u8| {
            let start = at.index(content.len() + 1);
            start..(start + usize::from(len)).min(content.len())
        };
        match self {
            Self::Byte(file, at, byte) => {
                let content = pack.files.get_mut(pick(file)).unwrap();
                if !content.is_empty() {
                    let at = at.index(content.len());
                    content[at] = *byte;
                }
            }
            Self::Cut(file, at, len) => {
                let content = pack.files.get_mut(pick(file)).unwrap();
                content.drain(stretch(content, at, *len));
            }
            Self::Repeat(file, at, len) => {
                let content = pack.files.get_mut(pick(file)).unwrap();
                let stretch = stretch(content, at, *len);
                let again = content[stretch.clone()].to_vec();
                content.splice(stretch.start..stretch.start, again);
            }
            Self::Remove(file) => drop(pack.files.remove(pick(file))),
            Self::Copy(file, other) => {
                let content = pack.files[pick(other)].clone();
                pack.put(pick(file), content);
            }
            Self::Json(file, place, treatment) => {
                let path = pick(file);
                let Ok(text) = std::str::from_utf8(&pack.files[path]) else { return };
                let mut lines: Vec<String> =
                    if path == RECEIPTS { text.lines().map(str::to_owned).collect() } else { vec![text.to_owned()] };
                let count = lines.len();
                if count > 0 {
                    let line = &mut lines[place.index(count)];
                    let Ok(mut document) = serde_json::from_str(line) else { return };
                    treat(&mut document, *place, treatment);
                    *line = document.to_string();
                    pack.put(path, lines.join("\n") + "\n");
                }
            }
        }
    }
}

/// The same judgement with one thread and with several; the pack layer alone never panics either.
fn hold(pack: &Memory) {
    let found = judge(pack);
    let shared = verify(pack, &Options { threads: Threads::Pool, ..OPTIONS }).unwrap();
    assert_eq!(
        (shared.verdict, shared.replay_result, shared.details),
        (found.verdict, found.replay_result, found.details)
    );
    assert_eq!(shared.findings, found.findings);
    let alone = verify_pack(pack, &OPTIONS).unwrap();
    for require_claims in [false, true] {
        assert_eq!(alone.sound, alone.label(require_claims) != PackLabel::Tampered);
    }
}

static SCENES: LazyLock<[(&str, Pack); 4]> = LazyLock::new(scenes::all);

fn scene(which: Index) -> Pack {
    SCENES[which.index(SCENES.len())].1.clone()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whoever damages a pack has no key.
    #[test]
    fn damaged_packs_get_a_consistent_judgement(which: Index, strokes in prop::collection::vec(damage(), 1..5)) {
        let mut pack = Memory::from(scene(which));
        for stroke in &strokes {
            stroke.to(&mut pack);
        }
        hold(&pack);
    }

    /// Whoever made the pack signed it with what is wrong inside: the later phases see it.
    #[test]
    fn packs_made_wrong_get_a_consistent_judgement(
        which: Index,
        receipts in prop::collection::vec((any::<Index>(), any::<Index>(), treatment()), 0..3),
        strokes in prop::collection::vec(damage(), 0..3),
    ) {
        let mut pack = scene(which);
        for (receipt, place, treatment) in &receipts {
            let index = receipt.index(pack.receipts.len());
            let mut document = Value::Object(pack.receipts[index].clone());
            treat(&mut document, *place, treatment);
            if let Value::Object(members) = document {
                pack.receipts[index] = members;
            }
        }
        pack.seal();
        let mut damaged = Memory::from(pack.clone());
        for stroke in &strokes {
            stroke.to(&mut damaged);
        }
        pack.files = damaged.files;
        // Signed anew, so that damage to what no digest covers, and to what the receipts say, is all there is to find.
        let listed = pack.listed.iter().map(String::as_str).chain([RECEIPTS, REPORT, TRANSCRIPT]);
        if listed.into_iter().all(|path| pack.files.contains_key(path)) {
            relist(&mut pack);
        }
        hold(&Memory::from(pack));
    }
}

#[test]
fn undamaged_packs_hold() {
    for (_, pack) in SCENES.iter().cloned() {
        hold(&pack.into());
    }
}
