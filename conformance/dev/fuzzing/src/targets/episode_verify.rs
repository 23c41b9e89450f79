//! Proof packs: what their maker knows is found, another spelling changes nothing, and what was tampered with is not a MATCH.
//!
//! Spec: RCE Profile v0.1, Verification, Verdicts; ruling EP-14.

use arbitrary::Unstructured;
use assize::minimise::input::Question;
use assize_inputs::packs::{Change, ChangedPack, Facts};
use assize_verifier::episode::Verdict;
use serde_json::{Value, json};

use crate::documents::{DocumentError, Documents};
use crate::oracles::packs::{agrees, binding, judge, same};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct EpisodeVerify;

impl Target for EpisodeVerify {
    const NAME: &'static str = "episode_verify";
    const KIND: Kind = Kind::Property;
    const LAW: &'static str = "`episode/*`: a pack made lawfully matches, or diverges in the steps whose traces were replaced; the \
                               judgement is the same in another spelling of its JSON; a change of what is bound is not a MATCH";
    type Input = ChangedPack;

    fn decode(octets: &[u8]) -> Option<ChangedPack> {
        ChangedPack::draw(&mut Unstructured::new(octets)).ok()
    }

    fn documents(pack: &ChangedPack) -> Documents {
        let facts = pack.facts.as_ref().map(|facts| {
            json!({"order": facts.order, "skipped": facts.skipped, "all_passed": facts.all_passed, "divergent": facts.divergent})
        });
        let change = if pack.change == Change::Respelt { "respelt" } else { "tampered" };
        let mut documents =
            Documents::default().with("told", json!({"change": change, "told": facts}).to_string().as_bytes());
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
        let facts = document.get("told").filter(|facts| facts.is_object()).map(|facts| {
            let ids = |name: &str| {
                let ids = facts.get(name).and_then(Value::as_array).into_iter().flatten();
                ids.filter_map(Value::as_str).map(str::to_owned).collect()
            };
            Facts {
                order: ids("order"),
                skipped: ids("skipped"),
                all_passed: facts.get("all_passed") == Some(&Value::Bool(true)),
                divergent: ids("divergent"),
            }
        });
        let respelt = document.get("change").and_then(Value::as_str) == Some("respelt");
        Ok(ChangedPack {
            before: documents.below("before/")?,
            after: documents.below("after/")?,
            change: if respelt { Change::Respelt } else { Change::Tampered },
            facts,
        })
    }

    fn asks(_pack: &ChangedPack) -> Vec<Question> {
        let pack = |part: &str| Question::of("episode.verify").part(part).files(&format!("{part}/"));
        vec![pack("after"), pack("before")]
    }

    fn check(pack: &ChangedPack) -> Result<(), String> {
        let before = judge(&pack.before)?;
        if let Some(facts) = &pack.facts {
            agrees(&before, facts)?;
        }
        let after = judge(&pack.after)?;
        match (pack.change, &pack.facts) {
            (Change::Respelt, _) => same(&before, &after),
            (Change::Tampered, Some(facts)) if after.verdict == Verdict::Match => {
                let unnoticed = binding(&pack.before, &pack.after, facts);
                if unnoticed.is_empty() { Ok(()) } else { Err(format!("went unnoticed: {unnoticed:?}")) }
            }
            (Change::Tampered, _) => Ok(()),
        }
    }
}
