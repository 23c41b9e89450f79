//! Every target: one module each, named like the program below `fuzz/fuzz_targets`.

use crate::target::Entry;

mod canon_idempotent;
mod canon_vs_python;
mod certificate;
mod compare_vs_comparator;
mod dag;
mod episode_verify;
mod json_reader_vs_python;
mod law_mode_total;
mod ledger;
mod protocol_frames;

pub use canon_idempotent::{CanonIdempotent, Written};
pub use canon_vs_python::CanonVsPython;
pub use certificate::Certificate;
pub use compare_vs_comparator::CompareVsComparator;
pub use dag::{Dag, Graph};
pub use episode_verify::EpisodeVerify;
pub use json_reader_vs_python::JsonReaderVsPython;
pub use law_mode_total::LawModeTotal;
pub use ledger::{Ledger, Records};
pub use protocol_frames::ProtocolFrames;

/// Every target, by name.
pub const ALL: &[Entry] = &[
    Entry::of::<CanonIdempotent>(),
    Entry::of::<CanonVsPython>(),
    Entry::of::<Certificate>(),
    Entry::of::<CompareVsComparator>(),
    Entry::of::<Dag>(),
    Entry::of::<EpisodeVerify>(),
    Entry::of::<JsonReaderVsPython>(),
    Entry::of::<LawModeTotal>(),
    Entry::of::<Ledger>(),
    Entry::of::<ProtocolFrames>(),
];
