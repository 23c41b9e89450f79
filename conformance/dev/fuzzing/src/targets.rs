//! Every target: one module each, named like the program below `fuzz/fuzz_targets`.

use crate::target::Entry;

mod canon_idempotent;
mod canon_vs_python;
mod certificate;
mod compare_vs_comparator;
mod dag;
mod episode_verify;
mod json_reader_vs_python;
mod kernel_scenario;
mod law_mode_total;
mod ledger;
mod protocol_frames;
mod relations;
mod reply_envelope;
mod reply_registry;
mod reply_trace;

pub use canon_idempotent::{CanonIdempotent, Written};
pub use canon_vs_python::CanonVsPython;
pub use certificate::Certificate;
pub use compare_vs_comparator::CompareVsComparator;
pub use dag::{Dag, Graph};
pub use episode_verify::EpisodeVerify;
pub use json_reader_vs_python::JsonReaderVsPython;
pub use kernel_scenario::KernelScenario;
pub use law_mode_total::LawModeTotal;
pub use ledger::{Ledger, Records};
pub use protocol_frames::ProtocolFrames;
pub use relations::{Relations, Rewritten};
pub use reply_envelope::{Envelopes, ReplyEnvelope};
pub use reply_registry::{Registries, ReplyRegistry};
pub use reply_trace::ReplyTrace;

/// Every target, by name.
pub const ALL: &[Entry] = &[
    Entry::of::<CanonIdempotent>(),
    Entry::of::<CanonVsPython>(),
    Entry::of::<Certificate>(),
    Entry::of::<CompareVsComparator>(),
    Entry::of::<Dag>(),
    Entry::of::<EpisodeVerify>(),
    Entry::of::<JsonReaderVsPython>(),
    Entry::of::<KernelScenario>(),
    Entry::of::<LawModeTotal>(),
    Entry::of::<Ledger>(),
    Entry::of::<ProtocolFrames>(),
    Entry::of::<Relations>(),
    Entry::of::<ReplyEnvelope>(),
    Entry::of::<ReplyRegistry>(),
    Entry::of::<ReplyTrace>(),
];
