use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt as _, symlink},
        net::UnixListener,
    },
};

use rustix::fs::{FileType, mknodat};

use super::*;

/// A pack with one of everything, beside a folder that is outside of it.
fn scene() -> tempfile::TempDir {
    let top = tempfile::tempdir().unwrap();
    let pack = top.path().join("pack");
    fs::create_dir_all(pack.join("sub/deep")).unwrap();
    fs::create_dir(top.path().join("out")).unwrap();
    fs::write(top.path().join("out/secret"), "secret").unwrap();
    fs::write(pack.join("a.json"), "{}").unwrap();
    fs::write(pack.join("empty"), "").unwrap();
    fs::write(pack.join("ten"), "0123456789").unwrap();
    fs::write(pack.join("big"), vec![b'x'; 300_000]).unwrap();
    fs::write(pack.join("sub/deep/b.json"), "[]").unwrap();
    symlink("a.json", pack.join("near")).unwrap();
    symlink("../out/secret", pack.join("far")).unwrap();
    symlink(top.path().join("out"), pack.join("absolute")).unwrap();
    symlink("sub", pack.join("folder")).unwrap();
    symlink("..", pack.join("up")).unwrap();
    symlink("loop", pack.join("loop")).unwrap();
    symlink("gone", pack.join("dangling")).unwrap();
    symlink("deep", pack.join("sub/linked")).unwrap();
    symlink("/proc/self/root", pack.join("magic")).unwrap();
    mknodat(CWD, pack.join("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    UnixListener::bind(pack.join("socket")).unwrap();
    top
}

/// The same pack, in every way that this system has.
fn ways(pack: &Path) -> Vec<PackFolder> {
    let open = || OwnedFd::from(File::open(pack).unwrap());
    let mut ways = vec![Way::Walk(open()), Way::Looked(pack.to_path_buf())];
    #[cfg(target_os = "linux")]
    if beneath::works(&open()) {
        ways.push(Way::Beneath(open()));
    } else {
        eprintln!("skipped in part: this kernel, or a sandbox, has no openat2");
    }
    ways.into_iter().map(|way| PackFolder { way }).collect()
}

fn read(pack: &PackFolder, path: &str, limit: u64) -> Result<Vec<u8>, PackFileError> {
    let mut into = b"left over".to_vec();
    let result = pack.read(path, limit, &mut into);
    assert!(result.is_ok() || into.is_empty(), "{path}: a failure leaves nothing");
    result.map(|()| into)
}

/// What every way says of these paths.
#[track_caller]
fn check(paths: &[&str], expected: Result<&str, PackFileError>, exists: bool) {
    let top = scene();
    for pack in ways(&top.path().join("pack")) {
        for path in paths {
            assert_eq!(read(&pack, path, 1 << 20), expected.map(|text| text.as_bytes().to_vec()), "{path:?} {pack:?}");
            assert_eq!(pack.exists(path), exists, "{path:?} {pack:?}");
        }
    }
}

#[test]
fn regular_files_are_read() {
    check(&["a.json"], Ok("{}"), true);
    check(&["empty"], Ok(""), true);
    check(&["sub/deep/b.json"], Ok("[]"), true);
    check(&["big"], Ok(&"x".repeat(300_000)), true);
}

#[test]
fn nothing_stands_there() {
    check(&["gone", "gone/a", "sub/gone", "a.json/x", "A.json"], Err(PackFileError::Absent), false);
}

#[test]
fn no_link_is_followed() {
    check(&["near", "far", "absolute", "folder", "up", "loop", "dangling", "magic"], Err(PackFileError::Symlink), true);
    let through =
        ["folder/deep/b.json", "sub/linked/b.json", "absolute/secret", "up/out/secret", "loop/a", "dangling/a"];
    check(&through, Err(PackFileError::Symlink), false);
    check(&["up/pack/a.json", "magic/etc/passwd"], Err(PackFileError::Symlink), false);
}

#[test]
fn only_regular_files_are_read() {
    check(&["sub", "sub/deep", "pipe", "socket"], Err(PackFileError::NotAFile), true);
}

#[test]
fn odd_names_are_no_files() {
    let top = scene();
    let inside = top.path().join("pack/a.json").display().to_string();
    let odd =
        ["", ".", "..", "/", "a.json/", "./a.json", "sub//deep", "sub/../a.json", "../out/secret", "a\0b", &inside];
    let no_name = PackFileError::Unreadable("no file can have this name");
    check(&odd, Err(no_name), false);
    check(&[&"n".repeat(5000), &format!("sub/{}", "n".repeat(300))], Err(no_name), false);
    for pack in ways(&top.path().join("pack")) {
        assert!(read(&pack, &"d/".repeat(5000), 10).is_err() && !pack.exists(&format!("{}d", "d/".repeat(5000))));
    }
}

#[test]
fn a_device_is_no_file() {
    for pack in ways(Path::new("/dev")) {
        for path in ["null", "zero", "tty"] {
            assert!(matches!(read(&pack, path, 10), Err(PackFileError::NotAFile | PackFileError::Absent)), "{path}");
        }
    }
}

#[test]
fn limits_are_kept_to_the_byte() {
    let top = scene();
    for pack in ways(&top.path().join("pack")) {
        assert_eq!(read(&pack, "ten", 10).unwrap(), b"0123456789");
        assert_eq!(read(&pack, "ten", 9), Err(PackFileError::TooLarge { limit: 9 }));
        assert_eq!(read(&pack, "empty", 0).unwrap(), b"");
        assert_eq!(read(&pack, "ten", u64::MAX).unwrap().len(), 10);
    }
}

#[test]
fn a_huge_file_is_refused_by_its_size() {
    let top = scene();
    fs::File::create(top.path().join("pack/huge")).unwrap().set_len(1 << 40).unwrap();
    for pack in ways(&top.path().join("pack")) {
        let mut into = Vec::new();
        assert_eq!(pack.read("huge", 1 << 30, &mut into), Err(PackFileError::TooLarge { limit: 1 << 30 }));
        assert_eq!(into.capacity(), 0);
    }
}

#[test]
fn a_file_that_grows_is_read_no_further_than_its_limit() {
    let top = scene();
    let file = File::open(top.path().join("pack/big")).unwrap();
    let mut into = Vec::new();
    fill(&file, 10, 5000, &mut into).unwrap();
    assert!(into.len() > 5000 && into.len() < 10_000, "{}", into.len());
    // Files of some systems say that they are empty, and are not.
    #[cfg(target_os = "linux")]
    for pack in ways(Path::new("/proc/self")) {
        assert!(!read(&pack, "status", 1 << 20).unwrap().is_empty());
        assert_eq!(read(&pack, "status", 10), Err(PackFileError::TooLarge { limit: 10 }));
    }
}

#[test]
fn permissions_hold() {
    let top = scene();
    let pack = top.path().join("pack");
    let set = |path: &str, mode| fs::set_permissions(pack.join(path), fs::Permissions::from_mode(mode)).unwrap();
    set("a.json", 0o000);
    set("sub", 0o111);
    if fs::read(pack.join("a.json")).is_ok() {
        eprintln!("skipped in part: this user reads files without permission");
    } else {
        for pack in ways(&pack) {
            assert_eq!(read(&pack, "a.json", 10), Err(PackFileError::Unreadable("no permission")), "{pack:?}");
        }
    }
    for pack in ways(&pack) {
        assert!(pack.exists("a.json"));
        assert_eq!(read(&pack, "sub/deep/b.json", 10).unwrap(), b"[]", "a folder need not be listed to be passed");
    }
    set("sub", 0o755);
}

#[test]
fn entries_are_the_names_at_the_root() {
    use std::os::unix::ffi::OsStrExt as _;
    let top = tempfile::tempdir().unwrap();
    fs::create_dir_all(top.path().join("sub/below")).unwrap();
    for name in [&b"b"[..], b"a", b".hidden", "\u{e9}".as_bytes(), b"\xff"] {
        fs::write(top.path().join(std::ffi::OsStr::from_bytes(name)), "").unwrap();
    }
    symlink("gone", top.path().join("link")).unwrap();
    for pack in ways(top.path()) {
        let expected = [".hidden", "a", "b", "link", "sub", "\u{e9}", "\u{fffd}"];
        assert_eq!(pack.entries().unwrap(), expected, "{pack:?}");
        assert_eq!(pack.entries().unwrap(), expected, "a second listing starts anew");
    }
}

#[test]
fn the_folder_itself_may_be_named_through_a_link() {
    let top = scene();
    symlink("pack", top.path().join("link")).unwrap();
    let pack = PackFolder::open(&top.path().join("link")).unwrap();
    assert_eq!(read(&pack, "a.json", 10).unwrap(), b"{}");
    for not_a_folder in ["gone", "pack/a.json", "pack/pipe"] {
        assert!(PackFolder::open(&top.path().join(not_a_folder)).is_err(), "{not_a_folder}");
    }
}

#[test]
fn a_buffer_is_reused() {
    let top = scene();
    for pack in ways(&top.path().join("pack")) {
        let mut into = Vec::new();
        pack.read("big", 1 << 20, &mut into).unwrap();
        let capacity = into.capacity();
        pack.read("a.json", 1 << 20, &mut into).unwrap();
        assert_eq!((into.as_slice(), into.capacity()), (&b"{}"[..], capacity));
    }
}

#[test]
fn threads_may_share_it() {
    fn shared<T: Sync + Send>() {}
    shared::<PackFolder>();
}
