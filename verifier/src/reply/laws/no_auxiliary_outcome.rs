//! No outcome beside the four: no info, warning, partial success or soft error.
//!
//! Spec: Canonical Reply System Architecture (Final), 2; ruling RE-27.

use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::forbidden;
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/no-auxiliary-outcome");

/// Whether a member of an envelope says a further outcome; names in other case are merely unlisted.
pub(crate) fn is_member(name: &[u8]) -> bool {
    forbidden::is("outcome", name)
}

/// Objects to a status, in any case, and to members of an envelope.
pub(crate) fn judge(envelope: NodeRef<'_>, status: Option<&[u8]>, at: &JsonPointer, found: &mut Judgement) {
    let is_word = |status: &&[u8]| forbidden::all("outcome").any(|word| status.eq_ignore_ascii_case(word.as_bytes()));
    if let Some(status) = status.filter(is_word) {
        let message = format!("{} is not an outcome: say it in the data of a success", quoted(status));
        found.meaning(LAW, at.member("status"), message);
    }
    for (name, _) in envelope.members() {
        let name = name.decode();
        if is_member(name.as_bytes()) {
            let name = name.to_text_lossy();
            let message = format!("{name} stands beside the outcome: say it in the data of a success");
            found.meaning(LAW, at.member(&name), message);
        }
    }
}
