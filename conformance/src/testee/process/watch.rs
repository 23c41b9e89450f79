//! Who tells the end of a testee: the system, for a child of this process; process 1 of its namespace for any other.

use std::process::{Child, ExitStatus};

use super::{descendants::Descendants, group};

/// Tells whether and how a testee has ended.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// Process 1 of its namespace.
    #[cfg(target_os = "linux")]
    init: Option<super::seal::Init>,
}

impl Watch {
    #[cfg(target_os = "linux")]
    pub(super) fn over(init: Option<super::seal::Init>) -> Self {
        Self { init }
    }

    /// Whether it has ended. A launcher that has ended tells that too.
    pub(super) fn has_ended(&mut self, child: &mut Child) -> bool {
        self.status().is_some() || group::has_ended(child)
    }

    /// How it ended, if somebody else than the system tells that.
    pub(super) fn status(&mut self) -> Option<ExitStatus> {
        #[cfg(target_os = "linux")]
        return self.init.as_mut()?.status();
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// What belongs to it.
    pub(super) fn descendants(&self, of: Descendants) -> Descendants {
        #[cfg(target_os = "linux")]
        if let Some(init) = &self.init {
            return of.behind(init.pid, init.testee);
        }
        of
    }
}
