//! A listed tool with valid arguments answers with an envelope; other calls are outside the reply laws.
//!
//! Spec: ruling RE-36. Kits differ in how they refuse a call before the wrapper sees it.

use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::tool_result::{Asked, blocks, copies, structured};

pub(crate) const LAW: Law = Law::named("reply/no-protocol-error");

/// Why a response without an envelope says nothing about the tool, if it does not.
pub(crate) fn excuse(asked: &Asked<'_>) -> Option<&'static str> {
    let reason = if !asked.listed {
        "the tool is not listed"
    } else if !asked.arguments_valid {
        "the arguments are not valid by the tool's schema"
    } else {
        return None;
    };
    let judged = asked.response.get("result").is_some_and(holds_envelope);
    (!judged).then_some(reason)
}

/// Whether an envelope stands anywhere in a result.
fn holds_envelope(result: NodeRef<'_>) -> bool {
    let at = JsonPointer::root();
    let structured = result.get("structuredContent").and_then(|content| structured(content, &at));
    structured.is_some() || !copies(&blocks(result, &at)).is_empty()
}

/// Objects to a response that is an error alone.
pub(crate) fn judge(response: NodeRef<'_>, at: &JsonPointer, found: &mut Judgement) {
    if response.get("result").is_none() && response.get("error").is_some() {
        let message = "a listed tool with valid arguments answers with an envelope, also when it crashes";
        found.meaning(LAW, at.member("error"), message);
    }
}
