//! The index of one home: every operation that reads or writes it, each with recovery in front.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2; rulings KE-32, KE-42.

mod view;

use super::execute_turn::{TurnResult, execute_turn};
use super::finish_run::{Ending, Summary, finish_run};
use super::laws::crash_recovery::recover;
use super::laws::deletion::stage_deletions;
use super::laws::link_visibility::validate_links;
use super::laws::record_shape;
use super::laws::run_envelope::start_run;
use super::laws::staging::{Triplet, stage_triplet};
use super::laws::trace_artifacts::{self, Artifacts};
use super::model::crash_point::CrashPoint;
use super::model::executed::Executed;
use super::model::home::{HomeFailure, Stop};
use super::model::issue::Issues;
use super::model::known::KnownHome;
use super::model::layout::Tree;
use super::model::record::{RefRecord, TripletRecord};
use super::model::token::{RunId, Stem, Turn};
use super::promote::{Promoted, crash, promote};
use super::replay_run::{Replay, replay_run};
use crate::files::HomeFiles;
use crate::json::NodeRef;
use view::view;

/// The index below a home folder. One process writes at a time, and while an index is used it alone does: that is the caller's
/// promise, for what it has read it remembers.
///
/// ```
/// use assize_verifier::kernel::path_safety::{RunId, Stem, Turn, TurnId};
/// use assize_verifier::kernel::{Index, MemoryHome, Triplet};
///
/// let mut home = MemoryHome::default();
/// let mut index = Index::new(&mut home);
/// let turn = Turn { run: RunId::parse("run-1").unwrap(), id: TurnId::parse("turn-0001").unwrap() };
///
/// let body = br#"{"dto_type": "skill", "id": "skill:a"}"#;
/// let triplet = Triplet::new(Stem::parse("skills/a").unwrap(), body, b"{}", b"{}").unwrap();
/// index.stage_triplet(&turn, &triplet).unwrap();
///
/// assert_eq!(index.promote(&turn).unwrap().stems, [Stem::parse("skills/a").unwrap()]);
/// assert!(index.promote(&turn).is_err(), "once");
/// ```
pub struct Index<'h> {
    home: KnownHome<'h>,
    executed: Executed,
}

impl<'h> Index<'h> {
    /// The index of a home.
    pub fn new(home: &'h mut dyn HomeFiles) -> Self {
        Self { home: KnownHome::new(home), executed: Executed::default() }
    }

    /// The home, once what an earlier stop has left undone is done.
    pub(crate) fn recovered(&mut self) -> Result<&mut KnownHome<'h>, HomeFailure> {
        recover(&mut self.home)?;
        Ok(&mut self.home)
    }

    /// The home as it is, of which nothing is known any more.
    pub(crate) fn as_it_is(&mut self) -> &mut dyn HomeFiles {
        self.home.as_it_is()
    }

    /// Forgets which turns were executed, as whoever is stopped does (KE-51).
    pub(crate) fn forget(&mut self) {
        self.executed.forget_turns();
    }

    /// Ends what an earlier stop has left undone; every other operation does so too.
    ///
    /// # Errors
    /// If the home does not do what it is asked; trying again is safe.
    pub fn recover(&mut self) -> Result<(), HomeFailure> {
        recover(&mut self.home)
    }

    /// Stages a triplet in a turn; an earlier version of its stem in that turn makes way.
    ///
    /// # Errors
    /// If a reference record of the turn's staging is corrupt, and nothing is written then; or if the home fails.
    pub fn stage_triplet(&mut self, turn: &Turn, triplet: &Triplet) -> Result<TripletRecord, Stop> {
        stage_triplet(self.recovered()?, turn, triplet)
    }

    /// Stages the deletion of stems in a turn.
    ///
    /// # Errors
    /// If the record of such a stem is corrupt, and nothing is written then; or if the home fails.
    pub fn stage_deletions(&mut self, turn: &Turn, stems: &[Stem]) -> Result<(), Stop> {
        stage_deletions(self.recovered()?, turn, stems)
    }

    /// Checks the links of a staged triplet against everything that its turn sees.
    ///
    /// # Errors
    /// If a record that has to be read is corrupt, or the home fails. A reference without target is among the issues.
    pub fn validate_links(&mut self, turn: &Turn, stem: &Stem) -> Result<Issues, Stop> {
        validate_links(self.recovered()?, turn, stem)
    }

    /// Promotes a turn: all of it, or nothing.
    ///
    /// # Errors
    /// If the turn is not the next of its run, a record is corrupt, a tombstone is bad, or what changes could not be written;
    /// committed and the staging are as they were. If the home fails once that is decided, and recovery has to end it.
    pub fn promote(&mut self, turn: &Turn) -> Result<Promoted, Stop> {
        promote(self.recovered()?, turn)
    }

    /// Ends a run: promotes what it staged, or discards it.
    ///
    /// # Errors
    /// If the home fails. A promotion that is refused is part of the summary.
    pub fn finish_run(&mut self, run: &RunId, ending: Ending) -> Result<Summary, HomeFailure> {
        finish_run(self.recovered()?, run, ending)
    }

    /// Starts a run; its envelope, canonical. Nothing is written.
    ///
    /// # Errors
    /// If the request is not one, or there is a run of its name (KE-52); or if the home fails.
    pub fn start_run(&mut self, request: NodeRef<'_>) -> Result<Vec<u8>, Stop> {
        recover(&mut self.home)?;
        start_run(&self.home, request, &mut self.executed)
    }

    /// Executes one turn: capability, stages, staging, links. Committed stays as it is. A turn that this index has executed
    /// or that was promoted, or one below, fails (KE-51).
    ///
    /// # Errors
    /// If the home fails. What the turn fails for is part of its result.
    pub fn execute_turn(&mut self, request: NodeRef<'_>) -> Result<TurnResult, HomeFailure> {
        recover(&mut self.home)?;
        execute_turn(&mut self.home, request, &mut self.executed)
    }

    /// Writes the artifacts of a bundle, or none. Gives all artifacts of the run.
    ///
    /// # Errors
    /// If a name or a value is refused, or was written with other content (KE-53), and nothing is written then; or if the home
    /// fails.
    pub(crate) fn write_trace_artifacts(&mut self, run: &RunId, bundle: NodeRef<'_>) -> Result<Artifacts, Stop> {
        trace_artifacts::write(self.recovered()?, run, bundle)
    }

    /// Replays a run in a copy; the home stays as it is.
    ///
    /// # Errors
    /// If the home fails. Why a run is not replayed, or is another, is part of the replay.
    pub(crate) fn replay_run(&mut self, descriptor: NodeRef<'_>) -> Result<Replay, HomeFailure> {
        replay_run(self.recovered()?, descriptor)
    }

    /// The triplet record of a stem in a tree.
    ///
    /// # Errors
    /// If it is corrupt, or the home fails.
    pub fn read_triplet(&mut self, tree: &Tree, stem: &Stem) -> Result<Option<TripletRecord>, Stop> {
        record_shape::triplet(self.recovered()?, tree, stem)
    }

    /// The reference record of an identity in a tree.
    ///
    /// # Errors
    /// If it is corrupt, or the home fails.
    pub fn read_references(&mut self, tree: &Tree, kind: &str, id: &str) -> Result<Option<RefRecord>, Stop> {
        record_shape::references(self.recovered()?, tree, kind, id)
    }

    /// Promotes a turn and stops on the way.
    ///
    /// # Errors
    /// If the home fails.
    pub fn crash(&mut self, turn: &Turn, point: CrashPoint) -> Result<(), HomeFailure> {
        self.forget();
        crash(self.recovered()?, turn, point)
    }

    /// The committed state, and what is staged, as the canonical document that scenarios end with.
    ///
    /// # Errors
    /// If the home fails. Records that cannot be read are left out.
    pub fn view(&mut self) -> Result<Vec<u8>, HomeFailure> {
        let mut text = Vec::new();
        self.write_view::<HomeFailure>(&mut |piece| {
            text.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(text)
    }

    /// The same, piece by piece.
    ///
    /// # Errors
    /// If the home fails, or the first of `out`'s.
    pub fn write_view<E: From<HomeFailure>>(&mut self, out: &mut dyn FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        view(self.recovered()?, out)
    }
}
