//! Vector packs: the resolved cases as plain files, for people with a runner of their own and for every emitted suite.
//!
//! Schema: `contracts/interface/resolved.schema.json`. One file a law, and a manifest that counts and digests them. The
//! four forms hold the same values; YAML quotes every string, so that no reader takes one for a number or a date.

mod yaml;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::{
    GENERATOR,
    collection::{Collection, Known, Law, LawCases},
    files::Files,
    resolve::{self, Resolved},
};

/// How a pack is spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// One JSON array a law, indented.
    Json,
    /// One JSON text a line.
    Jsonl,
    /// One YAML sequence a law.
    Yaml,
    /// One CBOR array a law.
    Cbor,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Json, Self::Jsonl, Self::Yaml, Self::Cbor];

    /// The name, which is the file extension too.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Yaml => "yaml",
            Self::Cbor => "cbor",
        }
    }

    fn write(self, cases: &[Resolved]) -> serde_json::Result<Vec<u8>> {
        Ok(match self {
            Self::Json => resolve::pretty(&cases)?.into_bytes(),
            Self::Jsonl => {
                let mut text = String::new();
                for case in cases {
                    text.push_str(&resolve::json(case)?);
                    text.push('\n');
                }
                text.into_bytes()
            }
            Self::Yaml => yaml::document(&serde_json::to_value(cases)?).into_bytes(),
            // By way of a value: its maps know their length, so that every head is definite.
            Self::Cbor => minicbor_serde::to_vec(serde_json::to_value(cases)?).map_err(serde::ser::Error::custom)?,
        })
    }
}

#[derive(Serialize)]
struct PackManifest<'c> {
    form: &'static str,
    generator: &'static str,
    revision: &'c str,
    total: usize,
    laws: Vec<PackLaw<'c>>,
    known: Vec<PackKnown<'c>>,
}

#[derive(Serialize)]
struct PackLaw<'c> {
    #[serde(flatten)]
    law: &'c Law,
    count: usize,
    file: String,
    sha256: String,
}

#[derive(Serialize)]
struct PackKnown<'c> {
    id: &'c str,
    #[serde(flatten)]
    known: &'c Known,
}

/// Writes a pack below `folder`: a file a law, and `manifest.json`.
///
/// # Errors
/// A value has no form in the spelling asked for.
pub fn write(collection: &Collection, form: Form, folder: &str, files: &mut Files) -> serde_json::Result<()> {
    let mut laws = Vec::new();
    for LawCases { law, cases } in &collection.laws {
        let bytes = form.write(cases)?;
        let file = format!("{folder}/{}.{}", law.slug, form.name());
        laws.push(PackLaw { law, count: cases.len(), sha256: sha256(&bytes), file: file.clone() });
        files.generated(file, bytes);
    }
    let known = collection.known.iter().map(|(id, known)| PackKnown { id, known }).collect();
    let manifest = PackManifest {
        form: "assize-pack/v2",
        generator: GENERATOR,
        revision: &collection.revision,
        total: collection.total(),
        laws,
        known,
    };
    files.generated(format!("{folder}/manifest.json"), resolve::pretty(&manifest)?.into_bytes());
    Ok(())
}

/// SHA-256 as 64 lower-case hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
