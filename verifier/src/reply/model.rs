//! Types of the reply system and readers of its documents, which know no law.

pub(crate) mod action;
pub(crate) mod code;
pub(crate) mod data;
pub(crate) mod equal;
pub(crate) mod forbidden;
pub(crate) mod member;
pub(crate) mod registry;
pub(crate) mod reply_type;
pub(crate) mod script;
pub(crate) mod source;
pub(crate) mod text;
pub(crate) mod tool_result;
pub(crate) mod trace;
