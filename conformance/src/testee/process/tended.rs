//! A command beside the testees, such as the client of an ecosystem: it is ended with all that it has started.
//!
//! It is recognised as a session is, by its group, its mark in the environment and who started whom. What belongs to nobody
//! belongs to no command either: several of them run at a time, and a helper of one is not ended with another.

use std::{
    io,
    process::{Child, Command, ExitStatus},
    time::{Duration, Instant},
};

use super::{Patience, Stop, Watch, containment, descendants, descendants::Descendants, end, group};

/// The variable that marks what it starts.
const MARK: &str = "ASSIZE_COMMAND";
/// How often what it starts is looked for: while a parent lives, it shows where its child belongs.
const SWEEP: Duration = Duration::from_millis(200);

/// A running command. Dropped, it is killed with all that it has started.
#[derive(Debug)]
pub struct Tended {
    child: Child,
    /// Until the end.
    descendants: Option<Descendants>,
    swept: Instant,
}

impl Tended {
    /// Starts it, in a group of its own.
    ///
    /// # Errors
    /// The system refuses.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        containment::subreaper();
        let own = format!("{:032x}", fastrand::u128(..));
        let name = command.get_program().to_owned();
        group::prepare(command.env(MARK, &own), &name);
        let child = descendants::spawn(command)?;
        let descendants = Descendants::of(&child, format!("{MARK}={own}")).without_strays();
        Ok(Self { child, descendants: Some(descendants), swept: Instant::now() })
    }

    /// Whether it has ended by itself. What it has started may live on.
    pub fn has_ended(&mut self) -> bool {
        if self.swept.elapsed() >= SWEEP
            && let Some(descendants) = &mut self.descendants
        {
            descendants.sweep();
            self.swept = Instant::now();
        }
        group::has_ended(&mut self.child)
    }

    /// Asks it and its group to end.
    pub fn ask(&self) {
        group::interrupt(&self.child);
    }

    /// Ends all that is left of it, and says how it ended; nothing where it was killed here. What it has started may end by itself
    /// before, unless it rests.
    #[must_use]
    pub fn end(mut self) -> Option<ExitStatus> {
        self.finish(Stop::Never)
    }

    fn finish(&mut self, stop: Stop) -> Option<ExitStatus> {
        let alone = group::has_ended(&mut self.child);
        end(&mut self.child, &mut Watch::default(), self.descendants.take(), alone, Patience::default(), stop).0
    }
}

impl Drop for Tended {
    fn drop(&mut self) {
        if self.descendants.is_some() {
            self.finish(Stop::Now);
        }
    }
}
