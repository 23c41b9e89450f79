//! `assize reply lint`: what can be held to the law of replies without running anything.

mod collect;
mod locate;
mod replies;
mod row;
mod sarif;

use super::{CliError, input, output, refused};
pub(crate) use replies::{Args, run};
