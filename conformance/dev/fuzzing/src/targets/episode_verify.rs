//! Proof packs: what their maker knows is found, another spelling changes nothing, and what was tampered with is no MATCH.
//!
//! Spec: RCE Profile v0.1, Verification, Verdicts; ruling EP-14.

use arbitrary::Unstructured;
use assize_inputs::packs::{Change, ChangedPack, Told};
use assize_verifier::episode::Verdict;
use serde_json::{Value, json};

use crate::documents::{DocumentError, Documents};
use crate::oracles::packs::{as_told, judge, same, telling};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct EpisodeVerify;

impl Target for EpisodeVerify {
    const NAME: &'static str = "episode_verify";
    const KIND: Kind = Kind::Property;
    const LAW: &'static str = "`episode/*`: a pack made lawfully matches, or diverges in the steps whose traces were replaced; the \
                               judgement is the same in another spelling of its JSON; a change of what is bound is no MATCH";
    type Input = ChangedPack;

    fn decode(octets: &[u8]) -> Option<ChangedPack> {
        ChangedPack::draw(&mut Unstructured::new(octets)).ok()
    }

    fn documents(pack: &ChangedPack) -> Documents {
        let told = pack.told.as_ref().map(|told| {
            json!({"order": told.order, "skipped": told.skipped, "all_passed": told.all_passed, "divergent": told.divergent})
        });
        let change = if pack.change == Change::Respelt { "respelt" } else { "tampered" };
        let mut documents =
            Documents::default().with("told", json!({"change": change, "told": told}).to_string().as_bytes());
        for (folder, files) in [("before", &pack.before), ("after", &pack.after)] {
            for (path, content) in files {
                documents = documents.with(format!("{folder}/{path}"), content);
            }
        }
        documents
    }

    fn input(documents: &Documents) -> Result<ChangedPack, DocumentError> {
        let document: Value = serde_json::from_slice(&documents.octets("told")?)
            .map_err(|why| DocumentError::Unreadable { name: "told".to_owned(), reason: why.to_string() })?;
        let told = document.get("told").filter(|told| told.is_object()).map(|told| {
            let ids = |name: &str| {
                let ids = told.get(name).and_then(Value::as_array).into_iter().flatten();
                ids.filter_map(Value::as_str).map(str::to_owned).collect()
            };
            Told {
                order: ids("order"),
                skipped: ids("skipped"),
                all_passed: told.get("all_passed") == Some(&Value::Bool(true)),
                divergent: ids("divergent"),
            }
        });
        let respelt = document.get("change").and_then(Value::as_str) == Some("respelt");
        Ok(ChangedPack {
            before: documents.below("before/")?,
            after: documents.below("after/")?,
            change: if respelt { Change::Respelt } else { Change::Tampered },
            told,
        })
    }

    fn check(pack: &ChangedPack) -> Result<(), String> {
        let before = judge(&pack.before)?;
        if let Some(told) = &pack.told {
            as_told(&before, told)?;
        }
        let after = judge(&pack.after)?;
        match (pack.change, &pack.told) {
            (Change::Respelt, _) => same(&before, &after),
            (Change::Tampered, Some(told)) if after.verdict == Verdict::Match => {
                let unnoticed = telling(&pack.before, &pack.after, told);
                if unnoticed.is_empty() { Ok(()) } else { Err(format!("went unnoticed: {unnoticed:?}")) }
            }
            (Change::Tampered, _) => Ok(()),
        }
    }
}
