//! Archives that are broken, or made to do harm: an error that says where and what, and never a file that nobody put there.

use std::fs;

use assize_archives::{Gather, Kind, Limits, Scope, list};
use tar::{Builder, EntryType};

use crate::support::{
    GO_ON, Made, each_kind, file, folder, gather, gathered, gzip, header, lies_in, refused, tar, written, zip,
};

/// A tar with one member of this kind among two files.
fn with(name: &str, kind: EntryType) -> Vec<u8> {
    let mut tar = Builder::new(Vec::new());
    tar.append(&header("runs/1/a", EntryType::Regular, 1), &b"1"[..]).unwrap();
    let mut odd = header(name, kind, 0);
    if matches!(kind, EntryType::Symlink | EntryType::Link) {
        odd.set_link_name("runs/1/a").unwrap();
        odd.set_cksum();
    }
    tar.append(&odd, &b""[..]).unwrap();
    tar.append(&header("runs/2/a", EntryType::Regular, 1), &b"2"[..]).unwrap();
    tar.into_inner().unwrap()
}

#[test]
fn links_and_devices_spoil_what_they_lie_in_or_above_and_nothing_else() {
    for (kind, what) in [
        (EntryType::Symlink, "a link"),
        (EntryType::Link, "a second name"),
        (EntryType::Fifo, "a pipe"),
        (EntryType::Char, "a device"),
        (EntryType::Block, "a device"),
        (EntryType::GNUSparse, "a sparse file"),
        (EntryType::new(b'V'), "no file and no folder"),
    ] {
        for (name, scope) in [
            ("runs/1/odd", folder("runs/1")),
            ("runs/1", folder("runs/1")),
            ("runs", folder("runs/1")),
            ("runs/1", file("runs/1/a")),
            ("runs/1/a", file("runs/1/a")),
        ] {
            let message = refused("a.tar", &with(name, kind), scope);
            let place = format!("member 2, {name:?}: {what}");
            assert!(message.contains(&place), "{message} {place}");
        }
        let came = gathered("a.tar", &with("runs/1/odd", kind), &[vec![folder("runs/2")]]);
        assert_eq!(came[0].1.as_ref().unwrap().file("runs/2/a"), Some(&b"2"[..]));
    }
}

#[test]
fn a_name_that_leads_out_makes_the_archive_useless() {
    for name in ["/runs/1/b", "../b", "runs/../../b", "runs/1/.."] {
        for (archive, bytes) in each_kind(&[("runs/1/a", b"1"), (name, b"2")]) {
            let message = refused(archive, &bytes, folder("runs/1"));
            assert!(message.contains("leads out of the archive") && message.contains("member 2"), "{message}");
        }
    }
    let message = refused("a.zip", &zip(&[("runs/1/a", b"1"), ("runs\\2", b"2")]), folder("runs/1"));
    assert!(message.contains("leads out of the archive"), "{message}");
}

/// A few bytes can name a path so long that whatever is done for each part of it takes memory and hours.
#[test]
fn a_member_whose_path_is_too_long_makes_the_archive_useless() {
    let within = |path: &str| Limits { path: path.len(), names: path.split('/').count(), ..Limits::default() };
    for (name, bytes) in each_kind(&[("a/b", b"1"), ("runs/1/2/3", b"2")]) {
        let (_folder, path) = written(name, &bytes);
        assert!(gather(&path, within("runs/1/2/3"), &[vec![file("a/b")]])[0].1.is_ok(), "{name}");
        for limits in [within("runs/1/2/"), within("runs/1/long")] {
            let message = gather(&path, limits, &[vec![file("a/b")]])[0].1.as_ref().unwrap_err().message.clone();
            assert!(message.contains("member 2, \"runs/1/2/3\"...: its path has more than"), "{name} {message}");
        }
    }
    for long in [format!("{}x", "pack/".repeat(13_000)), "x".repeat(5000)] {
        let mut tar = Builder::new(Vec::new());
        tar.append_pax_extensions([("path", long.as_bytes())]).unwrap();
        tar.append(&header("x", EntryType::Regular, 1), &b"1"[..]).unwrap();
        let bytes = gzip(&tar.into_inner().unwrap());
        assert!(bytes.len() < 2000);
        let (_folder, path) = written("a.tgz", &bytes);
        let message = list(&path, Kind::TarGz, &Limits::default(), |_, folder| folder).unwrap_err().message;
        assert!(message.contains("its path has more than 4096 bytes or 200 names") && message.len() < 300, "{message}");
        assert!(refused("a.tgz", &bytes, folder("pack")).contains("its path has more than"));
    }
    // Detours have no part in a path.
    let detour = format!("{}x", "./".repeat(45));
    assert!(
        gather(&written("a.tar", &tar(&[(&detour, b"1")])).1, Limits { names: 1, ..Limits::default() }, &[]).is_empty()
    );
}

/// Folders that a path alone tells of are held as others are.
#[test]
fn folders_that_only_paths_tell_of_are_counted() {
    for (name, bytes) in each_kind(&[("a/1/2/3/4/5", b"1"), ("a/6", b"2")]) {
        let (_folder, path) = written(name, &bytes);
        let asked = |members| gather(&path, Limits { members, ..Limits::default() }, &[vec![folder("a")]]).remove(0).1;
        assert!(asked(6).is_ok(), "{name}");
        let message = asked(5).unwrap_err().message;
        assert!(message.contains("\"a\" has more than 5 files and folders"), "{name} {message}");
    }
    // They take room as well: what waits for it is read in another pass, and an archive that has changed by then gives nothing more.
    let deep = format!("a/{}x", "d/".repeat(40));
    let members = tar(&[("a/1", b"1"), (&deep, b"2"), ("b/1", b"3"), ("b/2", b"4"), ("a/2", b"5")]);
    for (room, another_pass) in [(10_000, true), (100_000, false)] {
        let (_folder, path) = written("a.tar", &members);
        let wanted = vec![(0, vec![folder("a")]), (1, vec![folder("b")])];
        let mut came = Gather::new(path.clone(), Kind::Tar, Limits { room, ..Limits::default() }, &GO_ON, wanted);
        assert_eq!(came.next().map(|(number, held)| (number, held.is_ok())), Some((1, true)));
        fs::write(&path, [members.as_slice(), &[0; 512]].concat()).unwrap();
        assert_eq!(came.next().map(|(number, held)| (number, held.is_err())), Some((0, another_pass)));
    }
}

/// Who reads a tar by its kinds finds a header where one who believes the size finds bytes.
#[test]
fn what_has_no_bytes_and_says_it_has_makes_the_archive_useless() {
    let hidden = tar(&[("runs/1/hidden", b"1")]);
    for (name, kind, what) in [
        ("runs/2", EntryType::Directory, "a folder"),
        ("runs/2/", EntryType::Regular, "a folder"),
        ("runs/2", EntryType::Symlink, "a link"),
        ("runs/2", EntryType::Link, "a second name of another member"),
        ("runs/2", EntryType::Char, "a device"),
        ("runs/2", EntryType::Block, "a device"),
        ("runs/2", EntryType::Fifo, "a pipe"),
    ] {
        let mut odd = Builder::new(Vec::new());
        odd.append(&header("runs/1/a", EntryType::Regular, 1), &b"1"[..]).unwrap();
        odd.append(&header(name, kind, 1024), &hidden[..1024]).unwrap();
        let message = refused("a.tar", &odd.into_inner().unwrap(), folder("runs/1"));
        assert!(message.contains(&format!("member 2, {:?}: {what} with bytes of its own", "runs/2")), "{message}");
    }
}

#[test]
fn a_repeated_name_has_no_meaning() {
    let twice: [Made<'_>; 3] = [("runs/1/a", b"1"), ("runs/2/a", b"2"), ("runs/1/./a", b"3")];
    for scope in [folder("runs/1"), file("runs/1/a"), folder("")] {
        for bytes in [tar(&twice), gzip(&tar(&twice))] {
            let name = if bytes.starts_with(b"runs") { "a.tar" } else { "a.tgz" };
            let message = refused(name, &bytes, scope.clone());
            assert!(message.contains("member 3, \"runs/1/a\": its name is repeated"), "{message}");
        }
    }
    // In a zip one who reads it from its list may see the other one.
    let mut bytes = zip(&[("runs/1/a", b"1"), ("runs/1/b", b"2")]);
    while let Some(at) = bytes.windows(8).position(|name| name == b"runs/1/b") {
        bytes[at + 7] = b'a';
    }
    for scope in [folder("runs/1"), file("runs/1/a"), folder("runs/2")] {
        let message = refused("a.zip", &bytes, scope);
        assert!(message.contains("a name is repeated"), "{message}");
    }
    // A folder may be named again, and a file where a folder is may not.
    let again: [Made<'_>; 4] = [("a/", b""), ("a/b", b"1"), ("a/", b""), ("b/c", b"")];
    assert!(gathered("a.tar", &tar(&again), &[vec![folder("a")]])[0].1.is_ok());
    for members in [[("x/a", &b"1"[..]), ("x/a/b", b"2")], [("x/a/b", b"1"), ("x/a", b"2")]] {
        let message = refused("a.tar", &tar(&members), folder("x"));
        assert!(message.contains("member 2") && message.contains("below a file"), "{message}");
    }
}

#[test]
fn names_that_no_file_has_spoil_what_they_lie_in() {
    let mut bytes = tar(&[("runs/1/aXb", b"1"), ("runs/2/a", b"2")]);
    let at = bytes.windows(3).position(|part| part == b"aXb").unwrap() + 1;
    bytes[at] = 0xff;
    let mut odd = header("x", EntryType::Regular, 1);
    odd.as_mut_bytes()[..512].copy_from_slice(&bytes[..512]);
    odd.set_cksum();
    bytes[..512].copy_from_slice(odd.as_bytes());
    let message = refused("a.tar", &bytes, folder("runs/1"));
    assert!(message.contains("no file can have this name"), "{message}");
    assert!(gathered("a.tar", &bytes, &[vec![folder("runs/2")]])[0].1.is_ok());
    // The system's limit for one name.
    let long = "n".repeat(256);
    let message = refused("a.zip", &zip(&[(&format!("a/{long}"), b"1")]), folder("a"));
    assert!(message.contains("no file can have this name"), "{message}");
}

#[test]
fn what_is_too_large_is_refused_before_it_is_read() {
    let members: [Made<'_>; 4] = [("a/1", &[0; 600]), ("a/2", &[0; 600]), ("b/1", &[0; 600]), ("c", &[0; 1300])];
    for (name, bytes) in each_kind(&members) {
        let (_folder, path) = written(name, &bytes);
        let limits = Limits { artefact: 1200, members: 2, ..Limits::default() };
        let wanted = [vec![folder("a")], vec![file("c")], vec![folder("")], vec![folder("a"), file("b/1")]];
        let mut came = gather(&path, limits, &wanted);
        came.sort_by_key(|(number, _)| *number);
        let messages: Vec<_> = came.into_iter().map(|(_, held)| held.err().map(|damage| damage.message)).collect();
        assert_eq!(messages[0], None, "{name}");
        assert!(
            messages[1].as_ref().unwrap().contains("\"c\" has 1300 bytes in 1 members, and at most 1200"),
            "{name}"
        );
        assert!(messages[2].as_ref().unwrap().contains("3100 bytes in 4 members"), "{name}");
        assert!(messages[3].as_ref().unwrap().contains("the artefact has 1800 bytes"), "{name}");
    }
}

#[test]
fn a_bomb_is_put_down() {
    let zeros = vec![0; 1 << 20];
    for (name, bytes) in each_kind(&[("a", b"1"), ("bomb", &zeros)]) {
        let (_folder, path) = written(name, &bytes);
        let limits = Limits { plain: 1 << 10, expansion: 20, ..Limits::default() };
        let came = gather(&path, limits, &[vec![file("a")]]);
        match name {
            // What is not compressed is as large as it is.
            "a.tar" => assert!(came[0].1.is_ok()),
            name => {
                let message = came[0].1.as_ref().unwrap_err().message.clone();
                assert!(message.contains("bytes come out of it"), "{name}: {message}");
            }
        }
    }
    // One that says it is larger than it is.
    let mut large = header("a", EntryType::Regular, 0);
    large.set_size(1 << 40);
    large.set_cksum();
    let bytes = [large.as_bytes().as_slice(), &[0; 1024]].concat();
    assert!(refused("a.tar", &bytes, file("a")).contains("cut off"));
    assert!(refused("a.tgz", &gzip(&bytes), file("a")).contains("cut off"));
}

#[test]
fn members_of_a_zip_that_overlap_or_are_encrypted_are_refused() {
    let mut bytes = zip(&[("a", b"the same bytes"), ("b", b"the same bytes")]);
    // The list says of the second that it lies where the first does.
    let second = bytes.windows(4).rposition(|part| part == b"PK\x01\x02").unwrap();
    bytes[second + 42..second + 46].fill(0);
    assert!(refused("a.zip", &bytes, file("a")).contains("a.zip: "));
    let mut bytes = zip(&[("a", b"secret")]);
    for (at, signature) in [(6, b"PK\x03\x04"), (8, b"PK\x01\x02")] {
        let header = bytes.windows(4).position(|part| part == signature).unwrap();
        bytes[header + at] |= 1;
    }
    let message = refused("a.zip", &bytes, file("a"));
    assert!(message.contains("encrypted"), "{message}");
}

/// Whatever is cut off is missed, but for zeros behind the end of a tar.
#[test]
fn an_archive_that_was_cut_off_anywhere_gives_nothing() {
    let members: [Made<'_>; 2] = [("runs/1/a", b"one"), ("runs/1/b", b"two")];
    for (name, bytes) in each_kind(&members) {
        let (_folder, path) = written(name, &bytes);
        let whole = if name == "a.tar" { 4 * 512 + 512 } else { bytes.len() };
        // Of the long one ends of blocks are of interest, and some places between them.
        let cut = (0..bytes.len()).filter(|length| name != "a.tar" || length % 512 < 2 || length % 97 == 0);
        for length in cut {
            fs::write(&path, &bytes[..length]).unwrap();
            let held = gather(&path, Limits::default(), &[vec![folder("runs/1")]]).remove(0).1;
            assert_eq!(held.is_ok(), length >= whole, "{name} {length} {held:?}");
        }
    }
}

/// A changed byte is missed where there is a checksum, or changes nothing that is read.
#[test]
fn an_archive_with_a_changed_byte_gives_what_was_put_there_or_nothing() {
    let made = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/made");
    let zst = fs::read(format!("{made}/pax.tar.zst")).unwrap();
    let [_, gz, _, zip] = each_kind(&[("runs/1/a.json", b"one"), ("runs/1/b", b"two, and some more of two, and two")]);
    for (name, bytes) in [gz, zip, ("a.tar.zst", zst)] {
        let (_folder, path) = written(name, &bytes);
        let read = || {
            let mut came = gather(&path, Limits::default(), &[vec![folder("runs/1")] as Vec<Scope>]);
            came.pop().unwrap().1.map(|held| lies_in(&held, "runs/1"))
        };
        let (due, mut spoiled) = (read().unwrap(), 0);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x11;
            fs::write(&path, changed).unwrap();
            match read() {
                Ok(found) => assert_eq!(found, due, "{name} {at}"),
                Err(damage) => spoiled += usize::from(damage.message.contains(name)),
            }
        }
        assert!(spoiled > bytes.len() / 2, "{name}: {spoiled} of {}", bytes.len());
    }
    // A tar has a checksum for each header, and none for what is in a file.
    let bytes = tar(&[("runs/1/a", b"one")]);
    for at in 0..512 {
        let mut changed = bytes.clone();
        changed[at] ^= 0x11;
        assert!(gathered("a.tar", &changed, &[vec![folder("runs/1")]])[0].1.is_err(), "{at}");
    }
}

#[test]
fn what_stands_behind_the_end_is_not_passed_over() {
    let two = [tar(&[("a", b"1")]), tar(&[("a", b"2")])].concat();
    assert!(refused("a.tar", &two, file("a")).contains("behind the end of the tar"));
    assert!(refused("a.tgz", &gzip(&two), file("a")).contains("behind the end of the tar"));
    let behind = [gzip(&tar(&[("a", b"1")])), b"more".to_vec()].concat();
    assert!(refused("a.tgz", &behind, file("a")).contains("a.tgz: "));
}

#[test]
fn zeros_behind_a_gzip_fill_it_up_and_nothing_else_does() {
    let whole = gzip(&tar(&[("a", b"1")]));
    let plain = tar(&[("a", b"1")]);
    let (head, tail) = plain.split_at(700);
    let parts = [gzip(head), gzip(tail)].concat();
    for whole in [whole, parts] {
        for zeros in [0, 1, 511, 70_000] {
            let padded = [whole.as_slice(), &vec![0; zeros]].concat();
            assert!(gathered("a.tgz", &padded, &[vec![file("a")]])[0].1.is_ok(), "{zeros}");
            let more = [padded.as_slice(), b"more"].concat();
            assert!(refused("a.tgz", &more, file("a")).contains("a.tgz: "), "{zeros}");
        }
    }
}

/// What stands in the comment of a zip is no end of it, and an end has to be the last that there is.
#[test]
fn the_end_of_a_zip_is_the_one_whose_comment_reaches_to_the_last_byte() {
    let within = |bytes: &[u8], directory| {
        let (_folder, path) = written("a.zip", bytes);
        gather(&path, Limits { directory, ..Limits::default() }, &[vec![file("a")]]).remove(0).1
    };
    let whole = zip(&[("a", b"1")]);
    let commented = |comment: &[u8]| {
        let mut bytes = whole.clone();
        let length = u16::try_from(comment.len()).unwrap().to_le_bytes();
        let end = bytes.len();
        bytes[end - 2..].copy_from_slice(&length);
        [bytes.as_slice(), comment].concat()
    };
    // An end in the comment says that the list is huge, or tiny, where the true one says what it is.
    let claim = |list: u32| [&b"PK\x05\x06"[..], &[0; 8], &list.to_le_bytes(), &[0; 6], b"and more"].concat();
    assert!(within(&whole, 100).is_ok());
    assert_eq!(within(&commented(b"PK\x05\x06 and what no end has: some letters more"), 100).map(drop), Ok(()));
    let message = within(&commented(&claim(1)), 10).unwrap_err().message;
    assert!(message.contains("its list of members has"), "{message}");
    for behind in [&b"more"[..], &[0; 30]] {
        let message = within(&[whole.as_slice(), behind].concat(), 100).unwrap_err().message;
        assert!(message.contains("something behind it"), "{message}");
    }
}

/// A reader that breaks off takes one archive with it.
#[test]
fn a_panic_while_an_archive_is_listed_is_said_of_it() {
    let (_folder, path) = written("a.tar", &tar(&[("a", b"1")]));
    let damage = list(&path, Kind::Tar, &Limits::default(), |_, _| panic!("no wish for {}", "it")).unwrap_err();
    assert!(damage.broke_off && damage.message.ends_with("a.tar: assize broke off while it read it: no wish for it"));
}

#[test]
fn what_is_no_archive_is_named() {
    for name in ["a.tar", "a.tar.gz", "a.tar.zst", "a.zip"] {
        for bytes in [&b""[..], b"no archive at all", &[0xff; 2000]] {
            assert!(refused(name, bytes, file("a")).contains(name));
        }
        assert!(gather("/no/such/a.tar".as_ref(), Limits::default(), &[vec![file("a")]])[0].1.is_err());
    }
}
