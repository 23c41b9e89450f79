//! What is whole is gathered, from every kind of archive alike.

use std::{fs, sync::atomic::AtomicBool};

use assize_archives::{Gather, Kind, Limits, list};

use crate::support::{GO_ON, Made, each_kind, file, folder, gather, gathered, lies_in, tar, written};

const MEMBERS: [Made<'_>; 7] = [
    ("runs/1/x/a.json", b"one"),
    ("runs/2/a.json", b"two"),
    ("runs/1/empty/", b""),
    ("shared.json", b"shared"),
    ("runs/1/b.json", b"last of 1"),
    ("runs/10/a.json", b"ten"),
    ("runs/2/b.json", b"last of 2"),
];

#[test]
fn artefacts_come_from_each_kind_as_soon_as_they_are_complete() {
    for (name, bytes) in each_kind(&MEMBERS) {
        let wanted = [
            vec![folder("runs/2"), file("shared.json")],
            vec![folder("runs/1")],
            vec![file("shared.json")],
            vec![folder("runs/2")],
            vec![file("runs/2/a.json"), file("shared.json")],
            vec![],
        ];
        let came = gathered(name, &bytes, &wanted);
        // What needs nothing is there at once, and what was asked for together comes together.
        let order: Vec<_> = came.iter().map(|(number, _)| *number).collect();
        assert_eq!(order, [5, 2, 4, 1, 0, 3], "{name}");
        let held = |wanted: usize| came.iter().find(|(number, _)| *number == wanted).unwrap().1.as_ref().unwrap();
        let two =
            [("a.json", &b"two"[..]), ("b.json", b"last of 2")].map(|(path, it)| (path.to_owned(), Some(it.to_vec())));
        assert_eq!(lies_in(held(0), "runs/2"), two, "{name}");
        assert_eq!(lies_in(held(3), "runs/2"), two, "{name}");
        assert_eq!(held(0).file("shared.json"), Some(&b"shared"[..]));
        assert_eq!(held(0).file("runs/2/a.json"), Some(&b"two"[..]));
        assert_eq!(held(4).file("runs/2/a.json"), Some(&b"two"[..]));
        assert!(held(0).file("runs/1/b.json").is_none() && held(4).folder("runs/2").is_none());
        assert!(held(0).file("runs/2").is_none() && held(0).file("runs/2/c.json").is_none());
        let one = [("b.json", Some(&b"last of 1"[..])), ("empty", None), ("x", None), ("x/a.json", Some(b"one"))];
        assert_eq!(
            lies_in(held(1), "runs/1"),
            one.map(|(path, it)| (path.to_owned(), it.map(<[u8]>::to_vec))),
            "{name}"
        );
    }
}

#[test]
fn the_whole_archive_is_a_folder_and_an_empty_one_is_empty() {
    for (name, bytes) in each_kind(&MEMBERS) {
        let came = gathered(name, &bytes, &[vec![folder("")]]);
        let held = came[0].1.as_ref().unwrap();
        assert_eq!(lies_in(held, "").iter().filter(|(_, bytes)| bytes.is_some()).count(), 6, "{name}");
        assert_eq!(held.file("runs/10/a.json"), Some(&b"ten"[..]));
    }
    for (name, bytes) in each_kind(&[]) {
        let came = gathered(name, &bytes, &[vec![folder("")], vec![folder("a")]]);
        let of = |wanted| &came.iter().find(|(number, _)| *number == wanted).unwrap().1;
        assert!(lies_in(of(0).as_ref().unwrap(), "").is_empty(), "{name}");
        assert!(of(1).as_ref().unwrap_err().message.contains("holds no \"a\""), "{name}");
    }
}

#[test]
fn what_is_not_there_or_is_something_else_is_refused_alone() {
    for (name, bytes) in each_kind(&MEMBERS) {
        let wanted = [
            (file("runs/3.json"), "holds no \"runs/3.json\""),
            (folder("runs/3"), "holds no \"runs/3\""),
            (file("runs/1/empty"), "a folder, not a file"),
            (folder("shared.json"), "a file, not a folder"),
            (folder("shared.json/x"), "a file, where a folder is wanted"),
            (folder("runs/10"), ""),
        ];
        let came = gathered(name, &bytes, &wanted.clone().map(|(scope, _)| vec![scope]));
        assert_eq!(came.len(), wanted.len());
        for (number, held) in came {
            match (wanted[number].1, held) {
                ("", held) => assert!(held.is_ok(), "{name}"),
                (due, held) => {
                    let message = held.unwrap_err().message;
                    assert!(message.contains(due) && message.contains(name), "{message}");
                }
            }
        }
    }
}

/// Artefacts whose files lie far apart take several passes where there is no room for all of them, and none is lost.
#[test]
fn what_has_no_room_waits_for_another_pass() {
    let names: Vec<_> = (0..2).flat_map(|half| (0..20).map(move |run| format!("runs/{run}/{half}"))).collect();
    let filler = [7; 1000];
    let members: Vec<Made<'_>> = names.iter().map(|name| (name.as_str(), &filler[..])).collect();
    let wanted: Vec<_> = (0..20).map(|run| vec![folder(&format!("runs/{run}"))]).collect();
    for (name, bytes) in each_kind(&members) {
        let (_folder, path) = written(name, &bytes);
        for room in [1, 4000, 9000, u64::MAX] {
            let mut came = gather(&path, Limits { room, ..Limits::default() }, &wanted);
            came.sort_by_key(|(number, _)| *number);
            assert_eq!(came.len(), 20);
            for (number, (due, held)) in came.into_iter().enumerate() {
                let held = held.unwrap();
                let found = lies_in(&held, &format!("runs/{number}"));
                assert_eq!((due, found.len()), (number, 2), "{name} {room}");
                assert!(found.iter().all(|(_, bytes)| bytes.as_deref() == Some(&filler[..])));
            }
        }
    }
}

/// What lies in many scopes at once, all of which end with it, is held once.
#[test]
fn scopes_around_a_file_share_its_bytes() {
    for (name, bytes) in each_kind(&[("a/b/c/x", b"of all of them")]) {
        let wanted = ["", "a", "a/b", "a/b/c"].map(|path| vec![folder(path)]);
        let came = gathered(name, &bytes, &[&wanted[..], &[vec![file("a/b/c/x")]]].concat());
        let held: Vec<_> = came.iter().map(|(_, held)| held.as_ref().unwrap().file("a/b/c/x").unwrap()).collect();
        assert_eq!(held.len(), 5);
        assert!(held.iter().all(|bytes| *bytes == b"of all of them" && bytes.as_ptr() == held[0].as_ptr()), "{name}");
    }
}

#[test]
fn an_archive_that_changes_between_passes_gives_nothing_more() {
    let members = tar(&[("a/1", b"1"), ("b/1", b"1"), ("b/2", b"2"), ("a/2", b"2")]);
    let (_folder, path) = written("a.tar", &members);
    let limits = Limits { room: 1, ..Limits::default() };
    let wanted = vec![(0, vec![folder("a")]), (1, vec![folder("b")])];
    let mut came = Gather::new(path.clone(), Kind::Tar, limits, &GO_ON, wanted);
    let (first, held) = came.next().unwrap();
    assert!(first == 1 && held.is_ok());
    fs::write(&path, [members, vec![0; 512]].concat()).unwrap();
    let (second, held) = came.next().unwrap();
    assert_eq!(second, 0);
    assert!(held.unwrap_err().message.contains("has changed"));
    assert!(came.next().is_none());
}

#[test]
fn nothing_comes_once_it_is_stopped() {
    let (_folder, path) = written("a.tar", &tar(&MEMBERS));
    let stop = AtomicBool::new(true);
    let wanted = vec![((), vec![folder("runs/1")])];
    assert!(Gather::new(path, Kind::Tar, Limits::default(), &stop, wanted).next().is_none());
}

#[test]
fn what_lies_in_an_archive_is_listed_name_by_name() {
    for (name, bytes) in each_kind(&MEMBERS) {
        let (_folder, path) = written(name, &bytes);
        let kind = Kind::of(name).unwrap();
        let listed = |folders: bool| list(&path, kind, &Limits::default(), |_, folder| folder == folders).unwrap();
        // In a folder that is wanted nothing more is looked for.
        assert_eq!(listed(true), ["runs"], "{name}");
        let below = |above: &str| {
            list(&path, kind, &Limits::default(), |path, folder| folder && path.len() > above.len()).unwrap()
        };
        assert_eq!(below("runs"), ["runs/1", "runs/10", "runs/2"], "{name}");
        assert_eq!(below("runs/10"), ["runs/1/empty", "runs/1/x"], "{name}");
        let files =
            ["runs/1/b.json", "runs/1/x/a.json", "runs/10/a.json", "runs/2/a.json", "runs/2/b.json", "shared.json"];
        assert_eq!(listed(false), files, "{name}");
    }
}
