//! A proof pack, read into memory and judged by the name of the operation.
//!
//! `cargo run --example verify_pack -- FOLDER`; without a folder an empty pack is judged, which is not an episode.

use std::{collections::BTreeMap, env, error::Error, fs, path::Path};

use assize_verifier::files::HomeFiles;
use assize_verifier::operation::{Answer, MemoryRoot, Output, Question, answer};

fn main() -> Result<(), Box<dyn Error>> {
    let mut root = MemoryRoot::default();
    if let Some(folder) = env::args_os().nth(1) {
        read(Path::new(&folder), "", &mut root.files)?;
    }
    println!("{}", verdict(&mut root)?);
    Ok(())
}

/// Asks for the verdict. The answer has the findings, the steps that diverge and the replay result as well.
pub(crate) fn verdict(root: &mut MemoryRoot) -> Result<String, Box<dyn Error>> {
    let (args, docs) = (serde_json::Map::new(), BTreeMap::new());
    let mut question = Question { op: "episode.verify", args: &args, docs: &docs, root, platform: env::consts::OS };
    match answer(&mut question) {
        Answer::Accept { out } => match out.get("verdict") {
            Some(Output::Value(verdict)) => Ok(verdict.as_str().unwrap_or_default().to_owned()),
            _ => Err("the answer has no verdict".into()),
        },
        other => Err(format!("no verdict: {other:?}").into()),
    }
}

/// Copies what lies in a folder to a folder of the home.
pub(crate) fn read(folder: &Path, below: &str, home: &mut dyn HomeFiles) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().into_string().map_err(|_| "a name is not UTF-8")?;
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.file_type()?.is_dir() {
            home.create_folder(&path)?;
            read(&entry.path(), &path, home)?;
        } else {
            home.create(&path, &fs::read(entry.path())?)?;
        }
    }
    Ok(())
}
