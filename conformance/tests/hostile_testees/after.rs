//! Certificates after the fact: an honest statement is edited, and signed by somebody who has a key.

use std::{collections::BTreeMap, env, fs};

use assize::certificate::{Envelope, keys::PrivateKey};
use serde::Deserialize;
use serde_json::Value;

use super::{
    bank::{self, Row},
    scene::{Ran, Scene},
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    edit: Vec<Edit>,
}

/// One edit, and who refuses it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    trick: String,
    set: BTreeMap<String, Value>,
    by: By,
    /// How the check ends: 1, or 3 for what has not even the shape of a statement.
    #[serde(default = "one")]
    exit: i32,
    #[serde(default)]
    another: bool,
    says: Vec<String>,
}

fn one() -> i32 {
    1
}

/// Who refuses.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum By {
    Check,
    Replay,
    Nobody,
}

/// Sets members of a statement; one that is not there yet is added to its object.
fn edited(statement: &str, set: &BTreeMap<String, Value>) -> Vec<u8> {
    let mut statement: Value = serde_json::from_str(statement).unwrap();
    for (pointer, value) in set {
        let (above, name) = pointer.rsplit_once('/').unwrap();
        let place = statement.pointer_mut(above).unwrap_or_else(|| panic!("no {above} in a statement"));
        match place {
            Value::Object(members) => drop(members.insert(name.to_owned(), value.clone())),
            Value::Array(items) => items[name.parse::<usize>().unwrap()] = value.clone(),
            other => panic!("{above} is {other}"),
        }
    }
    serde_json::to_vec(&statement).unwrap()
}

/// Signs whatever it is.
fn sign(scene: &Scene, payload: &[u8]) {
    let key = PrivateKey::from_pem("bank.key", fs::read(scene.at("keys/bank.key")).unwrap()).unwrap();
    let envelope = Envelope::seal(payload, &key, key.public().unwrap().id());
    fs::write(scene.at("out/s.cert"), serde_json::to_vec(&envelope).unwrap()).unwrap();
}

fn row() -> Row {
    bank::listed().into_iter().find(|row| row.name() == "protocol/empty_lines").unwrap()
}

/// What is not as the table says.
fn trouble(edit: &Edit, ran: &Ran, code: i32) -> Option<String> {
    let lacks = edit.says.iter().find(|words| !ran.said.contains(*words));
    let otherwise = ran.code != code || lacks.is_some();
    otherwise.then(|| format!("{} It ends with {}, and lacks {lacks:?}:\n{}", edit.trick, ran.code, ran.said))
}

#[test]
fn no_edited_statement_is_taken_whoever_signed_it() {
    if !super::seals() {
        return;
    }
    let text = fs::read_to_string(bank::folder().join("after.toml")).unwrap();
    let table: Table = toml::from_str(&text).unwrap();
    let scene = Scene::new(&row(), "honest");
    let ran = scene.certify(false);
    assert_eq!(ran.code, 0, "{}", ran.said);
    let statement = fs::read_to_string(scene.at("out/s.json")).unwrap();
    // A run that is made again takes its time: without being asked for more, the last of these show that it is.
    let all = env::var_os("ASSIZE_BANK").is_some();
    let again = table.edit.iter().filter(|edit| edit.by != By::Check).count();
    let mut left = if all { 0 } else { again.saturating_sub(2) };
    let (skipped, mut troubles) = (left, Vec::new());
    for edit in &table.edit {
        if edit.by != By::Check && left > 0 {
            left -= 1;
            continue;
        }
        let payload = edited(&statement, &edit.set);
        sign(&scene, &payload);
        if edit.by == By::Check {
            troubles.extend(trouble(edit, &scene.verify(false, false), edit.exit));
            continue;
        }
        // What only a run shows cannot be seen by who does not make one.
        let ran = scene.verify(false, false);
        if ran.code != 0 {
            troubles.push(format!("{} Without another run it ends with {}:\n{}", edit.trick, ran.code, ran.said));
            continue;
        }
        let ran = if edit.another { scene.verify_another(false) } else { scene.verify(false, true) };
        troubles.extend(trouble(edit, &ran, if edit.by == By::Nobody { 0 } else { edit.exit }));
    }
    if skipped > 0 {
        eprintln!("{skipped} edits that only another run shows are left out: ASSIZE_BANK=all makes them");
    }
    assert!(troubles.is_empty(), "{} edits end otherwise:\n{}", troubles.len(), troubles.join("\n"));
}

#[test]
fn the_signer_refuses_what_cannot_be_true() {
    if !super::seals() {
        return;
    }
    let scene = Scene::new(&row(), "honest");
    assert_eq!(scene.certify(false).code, 0);
    let statement = fs::read_to_string(scene.at("out/s.json")).unwrap();
    let set = BTreeMap::from([("/predicate/assize/totals/pass".to_owned(), Value::from(71))]);
    fs::write(scene.at("out/s.json"), edited(&statement, &set)).unwrap();
    let ran = scene.sign();
    assert!(ran.code == 1 && ran.said.contains("do not add up"), "{ran:?}");
    fs::write(scene.at("out/s.json"), &statement).unwrap();
    assert_eq!(scene.sign().code, 0);
    // By another key, or with another payload in the same envelope, nobody vouches for it.
    let mut envelope: Value = serde_json::from_slice(&fs::read(scene.at("out/s.cert")).unwrap()).unwrap();
    let payload = envelope["payload"].as_str().unwrap().to_owned();
    let other = if payload.ends_with("fQ==") { "fSA=" } else { "fQ==" };
    envelope["payload"] = Value::from(payload.get(..payload.len() - 4).unwrap().to_owned() + other);
    fs::write(scene.at("out/s.cert"), envelope.to_string()).unwrap();
    let ran = scene.verify(false, false);
    assert!(ran.code == 1 && ran.said.contains("no signature holds"), "{ran:?}");
}
