//! Packs on disk: links, pipes, permissions, and files above a limit.

use std::{
    fs::{self, File, Permissions},
    os::unix::fs::{PermissionsExt as _, symlink},
    path::Path,
};

use assize_corpus::disk::PackFolder;
use assize_packs::{
    bulk,
    pack::{MANIFEST, RECEIPTS},
};
use assize_verifier::{
    episode::{Phase, Verdict, limits},
    law::Law,
};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

use super::{
    bad_input::{CONTRACT, INPUT, NEEDED, REPORT, TRACE, exceeds, fails, matches},
    consistency::judge,
    memory::Memory,
    scenes,
};

/// The folder `pack`, in a folder of its own.
fn laid() -> TempDir {
    let top = TempDir::with_prefix("assize-").unwrap();
    bulk::write(&scenes::tool_like(), &top.path().join("pack")).unwrap();
    top
}

fn open(top: &TempDir) -> PackFolder {
    PackFolder::open(&top.path().join("pack")).unwrap()
}

#[test]
fn disk_and_memory_are_judged_alike() {
    for (name, pack) in scenes::all() {
        let top = TempDir::with_prefix("assize-").unwrap();
        bulk::write(&pack, top.path()).unwrap();
        let from_disk = judge(&PackFolder::open(top.path()).unwrap());
        let from_memory = judge(&Memory::from(pack));
        assert_eq!(from_disk.verdict, Verdict::Match, "{name}");
        assert_eq!((from_disk.replay_result, from_disk.findings), (from_memory.replay_result, from_memory.findings));
    }
}

/// A link is refused wherever it leads: to the very file, out of the pack, or to nothing.
#[test]
fn a_link_in_place_of_a_file() {
    for (path, phase) in NEEDED {
        for inside in [true, false] {
            let top = laid();
            let place = top.path().join("pack").join(path);
            let moved = top.path().join(if inside { "pack/moved" } else { "moved" });
            fs::rename(&place, &moved).unwrap();
            symlink(&moved, &place).unwrap();
            fails(&open(&top), phase, path);
            fs::remove_file(&moved).unwrap();
            fails(&open(&top), phase, path);
        }
    }
}

#[test]
fn a_link_in_place_of_a_folder() {
    for (folder, file) in [("inputs", "inputs/nums.json"), ("inputs/texts", INPUT), ("recorded_traces", TRACE)] {
        let top = laid();
        let place = top.path().join("pack").join(folder);
        fs::rename(&place, top.path().join("moved")).unwrap();
        symlink(top.path().join("moved"), &place).unwrap();
        let found = fails(&open(&top), Phase::Completeness, file);
        assert!(
            found.findings.iter().any(|found| found.finding.law == Law::named("episode/path-safety")),
            "{:?}",
            found.findings
        );
    }
}

#[test]
fn a_link_that_nobody_reads_and_a_link_to_the_pack() {
    let top = laid();
    symlink("/etc", top.path().join("pack/extra")).unwrap();
    let found = matches(&open(&top));
    assert!(found.findings.iter().any(|found| found.file == "extra"), "{:?}", found.findings);
    symlink("pack", top.path().join("link")).unwrap();
    matches(&PackFolder::open(&top.path().join("link")).unwrap());
}

/// Neither a pipe nobody writes to nor an endless device holds the verifier up.
#[test]
fn a_pipe_in_place_of_a_file() {
    for (path, phase) in NEEDED {
        let top = laid();
        let place = top.path().join("pack").join(path);
        fs::remove_file(&place).unwrap();
        mknodat(CWD, &place, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        fails(&open(&top), phase, path);
    }
}

#[test]
fn a_file_without_permission() {
    for (path, phase) in NEEDED {
        let top = laid();
        let place = top.path().join("pack").join(path);
        fs::set_permissions(&place, Permissions::from_mode(0o000)).unwrap();
        if File::open(&place).is_ok() {
            println!("skipped: this user reads files without permission");
            return;
        }
        fails(&open(&top), phase, path);
    }
}

/// One byte above the limit, in files without content: their size alone decides.
#[test]
fn a_file_above_its_limit() {
    for (path, limit, phase) in [
        (CONTRACT, limits::CONTRACT_BYTES, Phase::Script),
        (MANIFEST, limits::MANIFEST_BYTES, Phase::Pack),
        (RECEIPTS, limits::RECEIPTS_BYTES, Phase::Pack),
        (REPORT, limits::FILE_BYTES, Phase::Pack),
        (INPUT, limits::FILE_BYTES, Phase::Completeness),
        (TRACE, limits::TRACE_BYTES, Phase::Completeness),
    ] {
        let top = laid();
        grow(&top.path().join("pack").join(path), limit + 1);
        exceeds(&open(&top), phase, path);
        grow(&top.path().join("pack").join(path), 1 << 40);
        exceeds(&open(&top), phase, path);
    }
}

fn grow(place: &Path, len: u64) {
    File::options().write(true).open(place).unwrap().set_len(len).unwrap();
}
