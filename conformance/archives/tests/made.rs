//! Archives that other programs wrote: GNU tar, Zstandard's own, Info-ZIP, Python. `runs/1` has files and an empty folder, `runs/2` a name
//! longer than a header of a tar holds.

use std::path::Path;

use assize_archives::Limits;

use crate::support::{folder, gather, lies_in};

#[test]
fn archives_of_other_programs_are_read() {
    let long = "long-".repeat(30) + "name";
    for name in ["gnu.tar.gz", "pax.tar.zst", "frames.tar.zst", "info.zip", "streamed.zip"] {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/made")).join(name);
        let mut came = gather(&path, Limits::default(), &[vec![folder("runs/1")], vec![folder("runs/2")]]);
        came.sort_by_key(|(number, _)| *number);
        let [one, two] =
            [0, 1].map(|number| came[number].1.as_ref().unwrap_or_else(|damage| panic!("{name}: {damage}")));
        let file = |path: &str, bytes: &[u8]| (path.to_owned(), Some(bytes.to_vec()));
        let due = [file("a.json", b"one"), ("empty".to_owned(), None), file("nothing", b""), file("é.json", b"two")];
        assert_eq!(lies_in(one, "runs/1"), due, "{name}");
        let deep = two.file(&format!("runs/2/{long}/{long}/b.json"));
        assert_eq!(deep, Some(&br#"{"deep":true}"#[..]), "{name}");
    }
}
