use std::os::unix::fs::symlink;

use super::*;

/// A folder with a pack in it, another folder next to it, links in both, and the path of each.
fn scene() -> (tempfile::TempDir, impl Fn(&str) -> PathBuf) {
    let top = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(top.path()).unwrap();
    for folder in ["pack/inputs", "free", "packs/a b"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    symlink("../pack", root.join("free/into")).unwrap();
    symlink("../free", root.join("pack/away")).unwrap();
    symlink("pack", root.join("alias")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    (top, move |path: &str| root.join(path))
}

#[test]
fn nothing_is_written_into_a_pack() {
    let (_top, at) = scene();
    let inside =
        ["pack", "pack/", "pack/new/newer", "pack/inputs", "free/into", "free/into/x", "free/../pack", "alias/x"];
    // The link itself lies in the pack and would be replaced.
    for path in inside.into_iter().chain(["pack/away"]) {
        for pack in ["pack", "alias", "free/into"] {
            let error = outside(&at(path), &[at(pack)], "--out").unwrap_err();
            assert!(error.to_string().contains("lies in the pack"), "{path} of {pack}: {error}");
        }
    }
    for path in ["free", "free/new/newer", "packed", "new", "pack/away/x"] {
        outside(&at(path), &[at("gone"), at("pack")], "--out").unwrap();
    }
    // A path that does not exist and is not spelled plainly may lead anywhere.
    assert!(outside(&at("gone/../pack"), &[at("pack")], "--out").is_err());
}

#[test]
fn several_packs_have_folders_of_their_own() {
    let (_top, at) = scene();
    let packs = [at("pack"), at("packs/a b"), at("alias"), at("free/.."), at("gone")];
    let found = places(&at("out"), packs.get(..3).unwrap()).unwrap();
    assert_eq!(found, [Place(at("out/1-pack")), Place(at("out/2-a_b")), Place(at("out/3-pack"))]);
    assert_eq!(places(&at("out"), packs.get(4..).unwrap()).unwrap(), [Place(at("out"))]);
    // A folder that holds everything is the last pack, so that no place is free.
    assert!(places(&at("out"), packs.get(3..).unwrap()).is_err());
    // The folder of the second pack's files is a link into the first.
    fs::create_dir(at("out")).unwrap();
    symlink("../pack", at("out/2-a_b")).unwrap();
    assert!(places(&at("out"), packs.get(..2).unwrap()).unwrap_err().to_string().contains("lies in the pack"));
}

#[test]
fn only_an_earlier_result_is_replaced() {
    let (_top, at) = scene();
    let packs = [at("pack")];
    let result = at("free/rce_replay_result.json");
    let details = at("free/rce_replay_details.json");
    let refused = || places(&at("free"), &packs).unwrap_err().to_string();
    fs::write(&result, r#"{"type": "rce.replay_result/v0", "n": 1e400}"#).unwrap();
    fs::write(&details, r#"{"phase": 4, "errors": [], "divergent_steps": []}"#).unwrap();
    places(&at("free"), &packs).unwrap();
    for text in ["", "notes", "{}", "[]", r#"{"type": "other"}"#, r#"{"type": ["rce.replay_result/v0"]}"#] {
        fs::write(&result, text).unwrap();
        assert!(refused().ends_with("rce_replay_result.json: is there already, and no earlier result"), "{text}");
    }
    fs::remove_file(&result).unwrap();
    fs::write(&details, r#"{"phase": 4}"#).unwrap();
    assert!(refused().contains("rce_replay_details.json: is there"));
    fs::remove_file(&details).unwrap();
    symlink("elsewhere", &result).unwrap();
    assert!(refused().contains("rce_replay_result.json: is there"));
    assert!(places(&result, &packs).is_err(), "a link that leads nowhere is not a folder");
    fs::write(at("file"), "").unwrap();
    assert!(places(&at("file"), &packs).unwrap_err().to_string().contains("no folder"));
}
