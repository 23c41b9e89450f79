//! `assize reply lint`: what can be held to the law of replies without running anything.

mod baseline;
mod collect;
mod locate;
mod mend;
mod replies;
mod row;
mod sarif;
mod sources;

use super::{CliError, input, output, refused};
pub(crate) use replies::{Args, run};
