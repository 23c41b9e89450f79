//! Packs every file below `vectors/` and `contracts/` into a release build, so that an installed binary needs neither folder.

#[path = "src/store/listing.rs"]
mod listing;

use std::{
    env, fs,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use flate2::{Compression, write::DeflateEncoder};

/// Bytes after which a block is full. Small enough that one look-up unpacks little, large enough that like files lie together.
const BLOCK: usize = 256 << 10;

fn main() -> io::Result<()> {
    println!("cargo:rustc-check-cfg=cfg(built_in)");
    if env::var("PROFILE").as_deref() != Ok("release") {
        // A build for tests reads the repository's own files: a changed vector costs no build.
        println!("cargo:rerun-if-changed=build.rs");
        return Ok(());
    }
    println!("cargo:rustc-cfg=built_in");
    let (mut found, mut refused) = (Vec::new(), Vec::new());
    for (room, place) in listing::ROOMS {
        println!("cargo:rerun-if-changed=./{place}");
        listing::collect(&Path::new(".").join(place), room, &mut found, &mut |why| refused.push(why));
    }
    if let Some(why) = refused.into_iter().next() {
        return Err(io::Error::other(why));
    }
    found.sort();
    let target = env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    write(&found, &target)
}

/// Four files: the compressed blocks end to end, every path end to end, where each path and each content ends, and where each
/// block ends, compressed and not.
///
/// A block holds whole files, so that a file is one slice of it. A table of references would be relocated entry by entry
/// whenever the binary starts; offsets need nothing.
fn write(found: &[String], target: &Path) -> io::Result<()> {
    let (mut packed, mut paths) = (Vec::new(), String::new());
    let (mut files, mut blocks) = (Vec::new(), Vec::new());
    let (mut block, mut before) = (Vec::new(), 0);
    for (index, path) in found.iter().enumerate() {
        let place = listing::place(path).ok_or_else(|| io::Error::other(format!("{path} lies in no room")))?;
        fs::File::open(place)?.read_to_end(&mut block)?;
        paths.push_str(path);
        put(&mut files, [paths.len(), before + block.len()])?;
        if block.len() >= BLOCK || index + 1 == found.len() {
            let mut encoder = DeflateEncoder::new(&mut packed, Compression::best());
            encoder.write_all(&block)?;
            encoder.finish()?;
            before += block.len();
            put(&mut blocks, [packed.len(), before])?;
            block.clear();
        }
    }
    fs::write(target.join("packed"), packed)?;
    fs::write(target.join("paths"), paths)?;
    fs::write(target.join("files"), files)?;
    fs::write(target.join("blocks"), blocks)
}

/// Two offsets as little-endian numbers of 32 bits.
fn put(table: &mut Vec<u8>, ends: [usize; 2]) -> io::Result<()> {
    for end in ends {
        let end = u32::try_from(end).map_err(|_| io::Error::other("more than 4 GiB to build in"))?;
        table.extend(end.to_le_bytes());
    }
    Ok(())
}
