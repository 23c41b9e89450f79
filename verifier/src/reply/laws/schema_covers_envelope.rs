//! A declared output schema accepts the envelope of every type.
//!
//! Spec: ruling RE-36: JSON Schema 2020-12 unless `$schema` says otherwise, on a sample envelope of each
//! type. Some clients hold even flagged results to the schema and then hide the reply.

use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::reply_type::ReplyType;
use crate::reply::model::text;
use crate::schema::Schema;

pub(crate) const LAW: Law = Law::named("reply/schema-covers-envelope");

/// Objects to a schema that refuses a sample, or cannot be used; one finding names the first type that it refuses.
pub(crate) fn judge(schema: NodeRef<'_>, wrapped: bool, at: &JsonPointer, found: &mut Judgement) {
    if let Some(message) = refusal(schema, wrapped) {
        found.meaning(LAW, at.clone(), message);
    }
}

fn refusal(schema: NodeRef<'_>, wrapped: bool) -> Option<String> {
    if !schema.is_object() {
        return Some("an output schema is an object".to_owned());
    }
    let compiled = match Schema::compile_declared(schema.raw()) {
        Ok(compiled) => compiled,
        Err(why) => return Some(format!("the output schema cannot be used: {why}")),
    };
    ReplyType::ALL.into_iter().find_map(|kind| {
        let sample = sample(kind, wrapped);
        let breach = compiled.first_breach(text::read(sample.as_bytes()).ok()?.root())?;
        let place = if breach.pointer.is_root() { "the envelope" } else { breach.pointer.as_str() };
        Some(format!("an envelope of type {} does not pass, at {place}: {}", kind.letter(), breach.message))
    })
}

/// The smallest lawful envelope of a type, in the words of the specification's own examples (6 and 8): whoever wrote a
/// narrow schema wrote it for those.
fn sample(kind: ReplyType, wrapped: bool) -> String {
    let error = kind.example().map_or_else(|| "null".to_owned(), |code| format!(r#"{{"code":"{code}"}}"#));
    let envelope = format!(
        r#"{{"status":"{}","reply_type":"{}","data":{{}},"meta":{{"trace_id":"req-123","duration_ms":12}},"error":{error}}}"#,
        kind.name(),
        kind.letter()
    );
    if wrapped { format!(r#"{{"result":{envelope}}}"#) } else { envelope }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_lawful() {
        for kind in ReplyType::ALL {
            let found = crate::reply::envelope(sample(kind, false).as_bytes()).expect("JSON");
            assert_eq!((found.findings, found.advice), (vec![], vec![]), "{kind:?}");
        }
    }
}
