use std::fs;

use assize_verifier::digest::Digest;

use super::*;

/// Archives by the letters of `order`, and a line into one for each.
fn scene(order: &str) -> (tempfile::TempDir, Vec<io::Result<Entry>>) {
    let folder = tempfile::tempdir().unwrap();
    let lines = order.chars().zip(1_u64..).map(|(name, row)| {
        let archive = folder.path().join(format!("{name}.tar"));
        let mut tar = tar::Builder::new(Vec::new());
        tar.append_dir("runs", folder.path()).unwrap();
        fs::write(&archive, tar.into_inner().unwrap()).unwrap();
        let paths = vec![archive.to_str().unwrap().to_owned()];
        let asked = Asked { kind: "k".to_owned(), paths, options: BTreeMap::new() };
        Ok(Entry { row, line: row, id: Digest::of(&row.to_be_bytes()), asked: Ok(asked) })
    });
    let lines = lines.collect();
    (folder, lines)
}

fn needs(entry: &Entry) -> Option<Needs> {
    let archive = PathBuf::from(&entry.asked.as_ref().ok()?.paths[0]);
    Some(Needs { archive, kind: Kind::Tar, scopes: vec![Scope::Folder("runs".to_owned())] })
}

/// The rows of all lines, in the order in which they come.
fn rows(order: &str, most: usize) -> Vec<u64> {
    let (_folder, lines) = scene(order);
    let stop = AtomicBool::new(false);
    let mut tasks = Tasks { most, ..Tasks::new(lines.into_iter(), &stop) };
    let mut rows = Vec::new();
    while let Some(task) = tasks.next(needs) {
        let task = task.unwrap();
        assert!(task.read.unwrap().1.unwrap().folder("runs").is_some());
        rows.push(task.entry.row);
    }
    assert!(tasks.ended());
    rows
}

#[test]
fn an_archive_after_the_other_is_read_once_for_all_its_lines() {
    let stop = AtomicBool::new(false);
    let (_folder, lines) = scene("aaabbbccc");
    let mut tasks = Tasks { most: 5, ..Tasks::new(lines.into_iter(), &stop) };
    // Five wait, and those of the second archive wait on.
    tasks.next(needs).unwrap().unwrap();
    assert_eq!((tasks.passes.len(), tasks.waiting.len()), (1, 2));
}

#[test]
fn whatever_order_lines_have_each_comes_once() {
    for order in ["abababab", "aaaaaaab", "baaaaaaa", "abcabcab", "a", "aaaaaaaa"] {
        for most in 1..=9 {
            let mut rows = rows(order, most);
            rows.sort_unstable();
            assert_eq!(rows, (1..=order.len() as u64).collect::<Vec<_>>(), "{order} {most}");
        }
    }
}
