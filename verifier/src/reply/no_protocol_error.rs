//! A listed tool with valid arguments answers with an envelope; other calls are outside the reply laws.
//!
//! Spec: ruling RE-36. Kits differ in how they refuse a call before the wrapper sees it.

use super::judgement::Judgement;
use crate::json::JsonPointer;
use crate::law::Law;

/// What the call was, as far as it decides whether the wrapper was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) listed: bool,
    pub(super) arguments_valid: bool,
}

impl Call {
    /// Why a response without an envelope says nothing about the tool, if it does not.
    pub(super) fn excuse(self) -> Option<&'static str> {
        if !self.listed {
            Some("the tool is not listed")
        } else if !self.arguments_valid {
            Some("the arguments are not valid by the tool's schema")
        } else {
            None
        }
    }
}

pub(super) fn judge(at: &JsonPointer, found: &mut Judgement) {
    let message = "a listed tool with valid arguments answers with an envelope, also when it crashes";
    found.meaning(Law::ReplyNoProtocolError, at.member("error"), message);
}
