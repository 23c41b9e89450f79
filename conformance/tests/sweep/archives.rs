//! Artefacts in archives: rows say what they say of the same files in a folder.

use std::{
    fs,
    io::{Cursor, Write as _},
    path::Path,
};

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};

use super::{
    copied, manifest, rows, sweep, timeless,
    verbs::{ASKED, line, scene},
};

/// A folder as a tar.
fn tar(folder: &Path) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_dir_all("", folder).unwrap();
    tar.into_inner().unwrap()
}

/// A tar of members that no folder could give.
fn odd(members: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, kind, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(bytes.len() as u64);
        header.set_cksum();
        tar.append(&header, *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

/// A folder as a zip.
fn zip(folder: &Path) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    pack(folder, folder, &mut zip);
    zip.finish().unwrap().into_inner()
}

fn pack(top: &Path, folder: &Path, zip: &mut zip::ZipWriter<Cursor<Vec<u8>>>) {
    let options = zip::write::SimpleFileOptions::default();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(top).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            zip.add_directory(name, options).unwrap();
            pack(top, &path, zip);
        } else {
            zip.start_file(name, options).unwrap();
            zip.write_all(&fs::read(path).unwrap()).unwrap();
        }
    }
}

/// The scene in an archive of its own in another folder.
fn archived(scene: &Path, name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let bytes = match name {
        name if name.ends_with(".zip") => zip(scene),
        name if name.ends_with(".zst") => compress_to_vec(tar(scene).as_slice(), CompressionLevel::Fastest),
        _ => tar(scene),
    };
    fs::write(folder.path().join(name), bytes).unwrap();
    folder
}

/// The same line with each path in an archive.
fn moved(line: &Value, archive: &str) -> Value {
    let mut line = line.clone();
    let inside = |path: &mut Value| *path = format!("{archive}!/{}", path.as_str().unwrap()).into();
    line["paths"].as_array_mut().unwrap().iter_mut().for_each(inside);
    for name in ["root", "registry", "before"] {
        if let Some(path) = line.get_mut("options").and_then(|options| options.get_mut(name)) {
            inside(path);
        }
    }
    line
}

/// Rows without what tells where files are, and how long it took.
fn bare(out: &Path) -> Vec<Value> {
    let mut rows = rows(out);
    for row in &mut rows {
        let members = row.as_object_mut().unwrap();
        for name in ["id", "paths", "options", "ms", "line", "row"] {
            members.remove(name);
        }
        // Words of an error name the file.
        let named = ["error", "help"].map(|name| members.remove(name).is_some());
        members.insert("unread".to_owned(), json!(named));
    }
    rows
}

#[test]
fn a_row_says_of_a_member_what_it_says_of_a_file() {
    let scene = scene();
    let lines: Vec<_> = ASKED.iter().map(|(kind, paths, options, _)| line(kind, paths, options)).collect();
    let more = [
        line("pair", "pair/expected.json pair/equal.json", "mode=reference"),
        line("pair", "pair/expected.json pair/divergent.json", "root=pair"),
        line("pack", "pack", ""),
        line("home", "pack/lawful", ""),
        line("envelope", "pack/lawful", ""),
        line("ledger", "ledger/none.jsonl", ""),
        line("envelope", "reply/lawful.json", "bad=1"),
    ];
    let lines = [lines, more.into()].concat();
    manifest(scene.path(), "m.jsonl", &lines);
    sweep(scene.path(), &["m.jsonl", "--out", "out"]).exits(3);
    let due = bare(&scene.path().join("out"));
    fs::remove_dir_all(scene.path().join("out")).unwrap();
    for name in ["day.tar", "day.tar.zst", "day.zip"] {
        let folder = archived(scene.path(), name);
        manifest(folder.path(), "m.jsonl", &lines.iter().map(|line| moved(line, name)).collect::<Vec<_>>());
        sweep(folder.path(), &["m.jsonl", "--out", "out", "--jobs", "3"]).exits(3);
        let found = bare(&folder.path().join("out"));
        for ((line, due), found) in lines.iter().zip(&due).zip(&found) {
            assert_eq!(found, due, "{name} {line}");
        }
        assert_eq!(found.len(), due.len());
        // Nothing came to lie beside the archive.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}

#[test]
fn a_pattern_looks_into_archives_and_an_archive_stands_for_a_folder() {
    let scene = scene();
    sweep(scene.path(), &["--folder", ".", "--kind", "pack", "--pattern", "pack/*", "--out", "out"]).exits(2);
    let due = bare(&scene.path().join("out"));
    let paths: Vec<_> = rows(&scene.path().join("out")).iter().map(|row| row["paths"][0].clone()).collect();
    fs::remove_dir_all(scene.path().join("out")).unwrap();
    let folder = archived(scene.path(), "day.tar");
    fs::create_dir(folder.path().join("other")).unwrap();
    fs::write(folder.path().join("other/broken.zip"), "no zip").unwrap();
    let args = |folder: &'static str, pattern: &'static str, out: &'static str| {
        ["--folder", folder, "--kind", "pack", "--pattern", pattern, "--out", out]
    };
    sweep(folder.path(), &args("day.tar", "pack/*", "one")).exits(2);
    sweep(folder.path(), &args(".", "day.tar!/pack/*", "two")).exits(2);
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    assert_eq!((bare(&one), bare(&two)), (due.clone(), due));
    let inside: Vec<_> = rows(&one).iter().map(|row| row["paths"][0].clone()).collect();
    assert_eq!(
        inside,
        paths.iter().map(|path| json!(format!("day.tar!/{}", path.as_str().unwrap()))).collect::<Vec<_>>()
    );
    // An archive that cannot be read is a row, and not passed over.
    sweep(folder.path(), &args(".", "*!/pack/*", "three")).exits(3);
    let three = rows(&folder.path().join("three"));
    assert_eq!((three.len(), &three[3]["paths"]), (4, &json!(["other/broken.zip!/"])));
    assert!(three[3]["error"].as_str().unwrap().contains("other/broken.zip: "));
}

/// A folder may be called as an archive is written; what lies in it is named like anything else.
#[test]
fn a_pattern_names_archives_below_a_folder_that_is_called_like_one() {
    let scene = scene();
    let folder = tempfile::tempdir().unwrap();
    for name in ["old.tar!/day.tar", "plain!/day.tar"] {
        fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        fs::write(folder.path().join(name), tar(&scene.path().join("pack"))).unwrap();
    }
    for (number, (pattern, due)) in
        [("old.tar!!/*.tar!/lawful", "old.tar!!/day.tar!/lawful"), ("plain!/*.tar!/lawful", "plain!/day.tar!/lawful")]
            .into_iter()
            .enumerate()
    {
        let out = format!("out{number}");
        sweep(folder.path(), &["--folder", ".", "--kind", "pack", "--pattern", pattern, "--out", &out]).exits(0);
        let rows = rows(&folder.path().join(out));
        assert_eq!((rows.len(), &rows[0]["paths"], &rows[0]["verdict"]), (1, &json!([due]), &json!("MATCH")));
    }
}

/// A path of thousands of folders, all of which match, fits into a few bytes.
#[test]
fn an_archive_with_a_path_without_end_is_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_pax_extensions([("path", format!("{}x", "pack/".repeat(13_000)).as_bytes())]).unwrap();
    let mut header = tar::Header::new_gnu();
    header.set_size(0);
    header.set_cksum();
    tar.append(&header, &b""[..]).unwrap();
    fs::write(folder.path().join("day.tar"), tar.into_inner().unwrap()).unwrap();
    let args = ["--folder", ".", "--kind", "pack", "--pattern", "*.tar!/*/pack", "--out", "out"];
    sweep(folder.path(), &args).exits(3);
    let rows = rows(&folder.path().join("out"));
    assert_eq!((rows.len(), &rows[0]["paths"]), (1, &json!(["day.tar!/"])));
    assert!(rows[0]["error"].as_str().unwrap().contains("its path has more than 4096 bytes or 200 names"));
}

#[test]
fn what_is_wrong_with_an_archive_is_a_row_and_the_others_are_judged() {
    let scene = scene();
    let folder = archived(scene.path(), "day.tar");
    let path = folder.path();
    copied(&scene.path().join("reply"), &path.join("reply"));
    // A folder that is called as an archive is written.
    copied(&scene.path().join("reply"), &path.join("real.tar!"));
    let whole = fs::read(path.join("day.tar")).unwrap();
    fs::write(path.join("cut.tar"), &whole[..whole.len() / 2]).unwrap();
    fs::write(path.join("other.zip"), zip(scene.path())).unwrap();
    let lawful = fs::read(scene.path().join("reply/lawful.json")).unwrap();
    let file = |name: &'static str| (name, tar::EntryType::Regular, lawful.as_slice());
    fs::write(path.join("link.tar"), odd(&[file("b"), ("a", tar::EntryType::Symlink, b"")])).unwrap();
    fs::write(path.join("twice.tar"), odd(&[file("a"), file("b"), file("./a")])).unwrap();
    fs::write(path.join("out.tar"), odd(&[file("a"), file("../b")])).unwrap();
    let mut torn = zip(scene.path());
    // The name stands before the bytes of the member first, and in the list at the end again.
    let name = b"reply/lawful.json";
    let at = torn.windows(name.len()).position(|part| part == name).unwrap() + name.len();
    torn[at + 40] ^= 1;
    fs::write(path.join("torn.zip"), torn).unwrap();
    let envelope = |path: &str| json!({"kind": "envelope", "paths": [path]});
    let lines = [
        (envelope("reply/lawful.json"), "lawful", ""),
        (envelope("cut.tar!/reply/lawful.json"), "unreadable", "cut.tar: it was cut off"),
        (envelope("day.tar!/reply/lawful.json"), "lawful", ""),
        (envelope("day.tar!/reply/none.json"), "unreadable", "day.tar: holds no \"reply/none.json\""),
        (envelope("none.tar!/reply/lawful.json"), "unreadable", "none.tar: cannot be read"),
        (envelope("real.tar!!/lawful.json"), "lawful", ""),
        (envelope("real.tar!/lawful.json"), "unreadable", "real.tar: cannot be read"),
        (envelope("day.tar!/in.zip!/x"), "unreadable", "an archive in an archive"),
        (envelope("day.tar!/../reply/lawful.json"), "unreadable", "leads out"),
        (envelope("other.zip!/reply/lawful.json"), "lawful", ""),
        (
            json!({"kind": "pair", "paths": ["day.tar!/pair/expected.json", "other.zip!/pair/equal.json"]}),
            "unreadable",
            "another archive",
        ),
        (json!({"kind": "pack", "paths": ["day.tar!/"]}), "INTEGRITY_FAIL", ""),
        (envelope("link.tar!/a"), "unreadable", "link.tar: member 2, \"a\": a link"),
        (envelope("link.tar!/b"), "lawful", ""),
        (envelope("twice.tar!/a"), "unreadable", "twice.tar: member 3, \"a\": its name is repeated"),
        (envelope("twice.tar!/b"), "lawful", ""),
        (envelope("out.tar!/a"), "unreadable", "out.tar: member 2, \"../b\": leads out"),
        (envelope("torn.zip!/reply/lawful.json"), "unreadable", "torn.zip: member"),
        (envelope("torn.zip!/reply/broken.json"), "unlawful", ""),
    ];
    manifest(path, "m.jsonl", &lines.iter().map(|(line, ..)| line.clone()).collect::<Vec<_>>());
    sweep(path, &["m.jsonl", "--out", "out"]).exits(3);
    let rows = rows(&path.join("out"));
    for ((line, verdict, why), row) in lines.iter().zip(&rows) {
        assert_eq!(row["verdict"], *verdict, "{line} {row}");
        assert!(row.get("error").is_none_or(|error| error.as_str().unwrap().contains(why)), "{row}");
    }
}

#[test]
fn a_sweep_of_archives_goes_on_where_it_was() {
    let scene = scene();
    let folder = archived(scene.path(), "day.zip");
    let path = folder.path();
    let lines: Vec<_> =
        ASKED.iter().map(|(kind, paths, given, _)| moved(&line(kind, paths, given), "day.zip")).collect();
    manifest(path, "m.jsonl", &lines);
    sweep(path, &["m.jsonl", "--out", "out"]).exits(3);
    let due = timeless(&path.join("out"));
    let results = path.join("out/results.jsonl");
    let text = fs::read_to_string(&results).unwrap();
    for rest in [0, 7, text.len() / 3, text.len() - 9] {
        fs::write(&results, &text[..(0..=rest).rev().find(|end| text.is_char_boundary(*end)).unwrap()]).unwrap();
        let left = fs::read_to_string(&results).unwrap().matches('\n').count();
        let summary = sweep(path, &["m.jsonl", "--out", "out", "--format", "json"]).exits(3).json();
        assert_eq!(summary["judged"], json!(lines.len() - left));
        assert_eq!(timeless(&path.join("out")), due);
    }
    // Rows that are taken over need no archive any more, but those that had no verdict do.
    let unread = rows(&path.join("out")).iter().filter(|row| row.get("error").is_some()).count();
    let summary = sweep(path, &["m.jsonl", "--out", "two", "--since", "out", "--format", "json"]).exits(3).json();
    assert_eq!((&summary["judged"], &summary["earlier"]), (&json!(unread), &json!(lines.len() - unread)));
}
