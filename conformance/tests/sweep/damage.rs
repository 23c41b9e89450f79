//! Damage of known kinds among many sound artefacts: exactly that is found.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Value, json};

use super::{copied, copy, manifest, rows, sweep};

/// Replaces a text that stands in a file.
#[track_caller]
fn replace(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from:?} is not in {}", path.display());
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn of_two_hundred_artefacts_the_seven_that_are_damaged_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: String| folder.path().join(path);
    let mut lines = Vec::new();
    for number in 0..200 {
        let (kind, name) = [
            ("pair", "pair"),
            ("pack", "pack/lawful"),
            ("ledger", "ledger/lawful.jsonl"),
            ("home", "home/lawful"),
            ("envelope", "reply/lawful.json"),
        ][number % 5];
        copy(name, &at(number.to_string()));
        let paths = match kind {
            "pair" => vec![format!("{number}/expected.json"), format!("{number}/equal.json")],
            _ => vec![number.to_string()],
        };
        lines.push(json!({"kind": kind, "paths": paths}));
    }
    manifest(folder.path(), "m.jsonl", &lines);
    sweep(folder.path(), &["m.jsonl", "--out", "sound"]).exits(0);

    // A pair that differs; another that lost a turn file of one side.
    replace(&at("35/turn-equal.json".into()), "/body/skill_id", "/body/skill_ib");
    fs::remove_file(at("40/turn-equal.json".into())).unwrap();
    // A file of a pack that is no longer what the manifest of the pack says.
    let listed = at("76/verify_report.json".into());
    fs::write(&listed, [fs::read(&listed).unwrap(), b" ".to_vec()].concat()).unwrap();
    // A ledger with another number in a payload, and one that ends in the middle of a record.
    let ledger = fs::read_to_string(at("82".into())).unwrap();
    let second = ledger.lines().nth(1).unwrap();
    let hash: Value = serde_json::from_str(second).unwrap();
    let hash = hash["payload_hash"].as_str().unwrap();
    let other = hash.replacen(&hash[..1], if &hash[..1] == "0" { "1" } else { "0" }, 1);
    replace(&at("82".into()), hash, &other);
    fs::write(at("87".into()), &ledger[..ledger.len() - 9]).unwrap();
    // A home with a link that no reference record has, and an envelope that is gone.
    copied(&Path::new(super::EXAMPLES).join("home/broken"), &at("113".into()));
    fs::remove_file(at("199".into())).unwrap();

    let due: BTreeMap<u64, (u64, Option<&str>)> = [
        (36, (1, None)),
        (41, (3, None)),
        (77, (2, Some("episode/pack-integrity"))),
        (83, (1, Some("authority/ledger-integrity"))),
        (88, (3, None)),
        (114, (1, Some("kernel/link-of-record"))),
        (200, (3, None)),
    ]
    .into();
    let summary = sweep(folder.path(), &["m.jsonl", "--out", "damaged", "--format", "json"]).exits(3).json();
    let rows = rows(&folder.path().join("damaged"));
    assert_eq!((rows.len(), &summary["rows"]), (200, &200.into()));
    let found: BTreeMap<_, _> = rows
        .iter()
        .filter(|row| row["exit_code"] != 0)
        .map(|row| (row["row"].as_u64().unwrap(), row["exit_code"].as_u64().unwrap()))
        .collect();
    let expected: BTreeMap<_, _> = due.iter().map(|(row, (exit, _))| (*row, *exit)).collect();
    assert_eq!(found, expected);
    for (row, law) in due.iter().filter_map(|(row, (_, law))| Some((row, (*law)?))) {
        let row = &rows[usize::try_from(*row).unwrap() - 1];
        assert_eq!(row["first"]["law"].as_str(), Some(law), "{row}");
    }
    // What is sound is said of it as before.
    let before = super::rows(&folder.path().join("sound"));
    for (now, before) in rows.iter().zip(&before).filter(|(now, _)| now["exit_code"] == 0) {
        assert_eq!((&now["verdict"], &now["digests"]), (&before["verdict"], &before["digests"]));
    }
}
