//! Sources that are read again with what was kept of them: what is told is what a first look tells.

use std::{
    fs,
    path::{Path, PathBuf},
};

use assize_source::{Cache, Options, Tree, Unusable, read, read_again};

use crate::support::{breaches, planted};

const LANGUAGES: [&str; 4] = ["python", "typescript", "go", "java"];

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copied(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

/// All planted trees in one folder.
fn trees() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    for language in LANGUAGES {
        copied(&planted(language), &folder.path().join(language));
    }
    let root = folder.path().to_owned();
    (folder, root)
}

/// What is told of a tree by the cache that these bytes are, and the bytes of the next; both are the same as without.
fn again(root: &Path, options: &Options, bytes: Option<Vec<u8>>) -> (Tree, Cache) {
    let mut cache = bytes.map_or_else(Cache::default, |bytes| Cache::parse(bytes).unwrap());
    let tree = read_again(root, options, &mut cache).unwrap();
    let plain = read(root, options).unwrap();
    assert_eq!(format!("{tree:?}"), format!("{plain:?}"));
    (tree, cache)
}

fn kept(cache: &Cache) -> Vec<u8> {
    cache.to_write().unwrap().to_vec()
}

#[test]
fn a_source_that_is_the_same_is_not_parsed_again() {
    let (_folder, root) = trees();
    let options = Options::default();
    let (tree, first) = again(&root, &options, None);
    assert_eq!((first.taken(), first.damaged()), (0, 0));
    assert!(tree.uses_builder && tree.findings.len() > 20, "{}", tree.findings.len());
    let bytes = kept(&first);
    let (_, second) = again(&root, &options, Some(bytes.clone()));
    assert_eq!((second.taken(), second.to_write()), (tree.files, None));
    // A file that was only moved is the same source.
    fs::rename(root.join("python/tools/other.py"), root.join("python/tools/moved.py")).unwrap();
    let (_, third) = again(&root, &options, Some(bytes.clone()));
    assert_eq!(third.taken(), tree.files);
    // What has gone is not kept.
    fs::remove_dir_all(root.join("java")).unwrap();
    let (less, fourth) = again(&root, &options, Some(bytes.clone()));
    assert_eq!(fourth.taken(), less.files);
    assert!(kept(&fourth).len() < bytes.len());
}

/// What is found in a source follows what another says which it imports.
#[test]
fn a_change_is_seen_in_what_imports_it() {
    let registry = fs::read(planted("registry.json")).unwrap();
    for (language, codes, of) in [
        ("python", "reply/codes.py", "WA-READ-E-001"),
        ("typescript", "reply/codes.ts", "WA-READ-E-001"),
        ("go", "reply/codes.go", "WA-READ-E-001"),
        ("java", "org/planted/reply/Codes.java", "WA-READ-E-001"),
    ] {
        let (_folder, root) = trees();
        let options = Options::default();
        let (before, first) = again(&root, &options, None);
        let path = root.join(language).join(codes);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(of), "{language}");
        fs::write(&path, text.replace(of, "WA-READ-E-777")).unwrap();
        let (after, second) = again(&root, &options, Some(kept(&first)));
        assert_eq!(second.taken(), before.files - 1, "{language}");
        let elsewhere = |tree: &Tree| {
            let all = breaches(tree, &registry).into_iter();
            all.filter(|(file, ..)| !file.ends_with(codes)).collect::<Vec<_>>()
        };
        assert!(elsewhere(&after).len() > elsewhere(&before).len(), "{language}");
    }
}

#[test]
fn names_that_are_given_otherwise_need_no_other_cache() {
    let (_folder, root) = trees();
    let options = Options::default();
    let mut otherwise = Options::default();
    otherwise.names.builders = vec!["AnswerFactory".to_owned()];
    let (tree, first) = again(&root, &otherwise, None);
    assert!(!tree.uses_builder);
    let bytes = kept(&first);
    let (_, second) = again(&root, &options, Some(bytes.clone()));
    assert_eq!(second.taken(), tree.files);
    let (_, third) = again(&root, &otherwise, Some(bytes));
    assert_eq!(third.taken(), tree.files);
}

#[test]
fn what_is_no_cache_is_not_taken_for_one() {
    let (_folder, root) = trees();
    let bytes = kept(&again(&root, &Options::default(), None).1);
    let why = |bytes: &[u8]| Cache::parse(bytes.to_vec()).unwrap_err();
    assert_eq!(why(b""), Unusable::Foreign);
    assert_eq!(why(b"{}"), Unusable::Foreign);
    assert_eq!(why(&bytes[..30]), Unusable::Torn);
    assert_eq!(why(&bytes[..bytes.len() - 1]), Unusable::Torn);
    let mut another = bytes.clone();
    another[20] ^= 1;
    assert_eq!(why(&another), Unusable::Another);
    // The form of another version.
    another[15 - 1] = b'0';
    assert_eq!(why(&another), Unusable::Another);
    assert_eq!(why(b"assize-sources\n"), Unusable::Foreign);
    let mut endless = bytes;
    endless[16 + 32 + 64..][..8].fill(0xff);
    assert_eq!(why(&endless), Unusable::Torn);
}

#[test]
fn a_damaged_entry_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.py"), "from reply import ReplyBuilder\nrb = ReplyBuilder()\nrb.info('x')\n")
        .unwrap();
    let options = Options::default();
    let bytes = kept(&again(folder.path(), &options, None).1);
    // The source, the entry's own digest, its length, and the entry.
    let start = 16 + 32;
    for at in start..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let Ok(mut cache) = Cache::parse(damaged) else { continue };
        let tree = read_again(folder.path(), &options, &mut cache).unwrap();
        assert_eq!((cache.taken(), tree.sites.len()), (0, 1), "{at}");
        assert_eq!(cache.damaged(), usize::from(at >= start + 32), "{at}");
        assert_eq!(cache.to_write(), Some(bytes.as_slice()), "{at}");
    }
}

/// What nobody follows to its end is kept as far as it was read, or not at all.
#[test]
fn what_is_nested_deeply_is_told_alike() {
    let folder = tempfile::tempdir().unwrap();
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
    let head = "from reply import ReplyBuilder\nrb = ReplyBuilder()\n";
    for (name, text) in [
        ("brackets.py", format!("{head}x = {}\n", deep("(", ")"))),
        ("else.py", format!("{head}if a:\n  pass\n{}", "elif a:\n  pass\n".repeat(2_000))),
        ("blocks.ts", format!("class ReplyBuilder {{}}\n{}{}", "{".repeat(20_000), "}".repeat(20_000))),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let options = Options::default();
    let (tree, first) = again(folder.path(), &options, None);
    let (_, second) = again(folder.path(), &options, Some(kept(&first)));
    assert_eq!((second.taken(), tree.skipped.len()), (3, 2), "{:?}", tree.skipped);
}
