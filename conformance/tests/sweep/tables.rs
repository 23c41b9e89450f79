//! Rows as Parquet, and a manifest out of it: the same as in lines.

use super::{sweep, verbs::scene};

#[cfg(not(feature = "parquet"))]
#[test]
fn a_command_without_the_feature_says_so_before_anything_is_judged() {
    let folder = scene();
    std::fs::write(folder.path().join("m.parquet"), "PAR1").unwrap();
    super::manifest(folder.path(), "m.jsonl", &[super::verbs::line("envelope", "reply/lawful.json", "")]);
    for args in [&["m.parquet"][..], &["m.jsonl", "--parquet", "rows.parquet"]] {
        let ran = sweep(folder.path(), &[args, &["--out", "out"]].concat()).exits(64);
        ran.complains(&["without the feature parquet"]);
        assert!(!folder.path().join("out").exists());
    }
}

#[cfg(feature = "parquet")]
mod built {
    use std::{
        fs::{self, File},
        path::Path,
    };

    use serde_json::{Value, json};

    use super::{
        super::{
            manifest, rows,
            verbs::{ASKED, line},
        },
        scene, sweep,
    };

    fn table(path: &Path) -> Vec<Value> {
        let mut rows = Vec::new();
        assize_tables::rows(File::open(path).unwrap(), &mut |row| rows.push(row)).unwrap();
        rows
    }

    #[test]
    fn rows_of_a_table_are_those_of_the_lines_also_of_a_sweep_that_went_on() {
        let folder = scene();
        let path = folder.path();
        let mut lines: Vec<_> = ASKED.iter().map(|(kind, paths, options, _)| line(kind, paths, options)).collect();
        lines.extend([json!({"kind": "none", "paths": []}), json!({"kind": "pack", "paths": ["none"]}), json!(7)]);
        manifest(path, "m.jsonl", &lines);
        let args = ["m.jsonl", "--out", "out", "--parquet", "rows.parquet"];
        sweep(path, &args).exits(3);
        let due = rows(&path.join("out"));
        assert_eq!(due.len(), ASKED.len() + 3);
        assert_eq!(table(&path.join("rows.parquet")), due);
        // One that was broken off has the times of both, and the table those of its lines.
        let results = path.join("out/results.jsonl");
        let text = fs::read_to_string(&results).unwrap();
        fs::write(&results, &text[..text.find("\"row\":9").unwrap()]).unwrap();
        fs::write(path.join("rows.parquet"), "of another day").unwrap();
        sweep(path, &args).exits(3);
        assert_eq!(table(&path.join("rows.parquet")), rows(&path.join("out")));
        // One that has ended writes its table again, and those that are taken over say so.
        fs::remove_file(path.join("rows.parquet")).unwrap();
        sweep(path, &args).exits(3);
        assert_eq!(table(&path.join("rows.parquet")), rows(&path.join("out")));
        let since = ["m.jsonl", "--out", "two", "--since", "out", "--parquet", "two.parquet"];
        sweep(path, &since).exits(3);
        let two = table(&path.join("two.parquet"));
        assert_eq!(two, rows(&path.join("two")));
        assert_eq!(two[0]["earlier"], json!(true));
        assert!(!path.join("two.parquet.new").exists());
    }

    #[test]
    fn a_table_that_cannot_be_written_is_told_of_before_anything_is_judged() {
        let folder = scene();
        manifest(folder.path(), "m.jsonl", &[line("envelope", "reply/lawful.json", "")]);
        for to in ["none/rows.parquet", "reply"] {
            let ran = sweep(folder.path(), &["m.jsonl", "--out", "out", "--parquet", to]).exits(3);
            ran.complains(&["no file can be written here"]);
            assert!(!folder.path().join("out").exists());
        }
    }

    /// What is asked for at the end takes the place of a file: not that of what was read, nor of what is kept.
    #[test]
    fn a_table_replaces_nothing_of_the_sweep() {
        let folder = scene();
        let path = folder.path();
        manifest(path, "m.jsonl", &[line("envelope", "reply/lawful.json", "")]);
        fs::copy(path.join("m.jsonl"), path.join("earlier.jsonl")).unwrap();
        sweep(path, &["earlier.jsonl", "--out", "earlier"]).exits(0);
        let left = |out: &str| fs::read_dir(path.join(out)).unwrap().count();
        let before = left("earlier");
        for (to, what) in [
            ("m.jsonl", "is the manifest"),
            ("./reply/../m.jsonl", "is the manifest"),
            ("out/results.jsonl", "is a file of the sweep"),
            ("./out/sweep.json", "is a file of the sweep"),
            ("out/manifest.jsonl", "is a file of the sweep"),
            ("out/results.sorted", "is a file of the sweep"),
            ("out/sweep.json.new", "is a file of the sweep"),
            ("earlier/results.jsonl", "is a file of the sweep"),
        ] {
            let args = ["m.jsonl", "--out", "out", "--since", "earlier", "--parquet", to];
            sweep(path, &args).exits(3).complains(&[what, "name another file with --parquet"]);
            assert!(!path.join("out").exists(), "{to}");
        }
        assert_eq!(left("earlier"), before);
        // The folder of results is made where need be, and holds the table after the first run as after the second.
        for _ in 0..2 {
            sweep(path, &["m.jsonl", "--out", "new", "--parquet", "./new/rows.parquet"]).exits(0);
            assert_eq!(table(&path.join("new/rows.parquet")), rows(&path.join("new")));
            assert_eq!(left("new"), 3);
        }
        // What is called as a file on its way was once is somebody's.
        fs::write(path.join("rows.parquet.new"), "mine").unwrap();
        sweep(path, &["m.jsonl", "--out", "new", "--parquet", "rows.parquet"]).exits(0);
        assert_eq!(fs::read_to_string(path.join("rows.parquet.new")).unwrap(), "mine");
    }

    /// The manifest was written by another library: paths as a list, options as JSON and in columns of their own.
    #[test]
    fn a_manifest_as_a_table_asks_what_its_lines_ask() {
        let folder = scene();
        let path = folder.path();
        let made = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/tests/made/manifest.parquet");
        fs::copy(made, path.join("m.parquet")).unwrap();
        let lines = [
            line("pair", "pair/expected.json pair/equal.json", "mode=reference root=pair"),
            line("pack", "pack/lawful", "now=2036-01-01T00:00:00Z"),
            line("envelope", "reply/broken.json", ""),
            line("envelope", "reply/none.json", ""),
        ];
        manifest(path, "m.jsonl", &lines);
        sweep(path, &["m.parquet", "--out", "of-table"]).exits(3);
        sweep(path, &["m.jsonl", "--out", "of-lines"]).exits(3);
        let bare = |out: &str| {
            let mut rows = rows(&path.join(out));
            for row in &mut rows {
                for name in ["id", "ms"] {
                    row.as_object_mut().unwrap().remove(name);
                }
            }
            rows
        };
        assert_eq!(bare("of-table"), bare("of-lines"));
        // The same table goes on, and another one does not.
        sweep(path, &["m.parquet", "--out", "of-table"]).exits(3);
        sweep(path, &["m.jsonl", "--out", "of-table"]).exits(3).complains(&["another manifest"]);
        for broken in [&b""[..], b"PAR1", b"no table at all"] {
            fs::write(path.join("broken.parquet"), broken).unwrap();
            let ran = sweep(path, &["broken.parquet", "--out", "broken"]).exits(3);
            ran.complains(&["broken.parquet: cannot be read as a manifest"]);
        }
    }
}
