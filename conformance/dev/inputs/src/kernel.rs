//! Makes scenarios of the kernel: what turns stage, link, delete and promote, with stops and damage in between. And makes revisions of
//! a registry of codes.
//!
//! Names come out of few, so that stems shadow each other and links resolve. Most operations are lawful; of what is refused
//! each operation has one thing, and each scenario one piece of damage, since no ruling says which of several is told.

mod call;
mod revisions;
mod steps;
mod triplet;
mod turn;

use arbitrary::{Result, Unstructured};

use crate::pairs::damage::Damage;
use crate::pairs::draw::{index, int, odds, one_of, pick};
use crate::pairs::emit::{Style, emit};
use crate::pairs::json::Json;
use crate::spoil::spoil;

/// A scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// A JSON list of operations, or what has become of one.
    pub operations: Vec<u8>,
    /// The same in another spelling; the same bytes where they stand for no value.
    pub respelt: Vec<u8>,
    /// Whether rulings settle what is answered: nothing was spoiled.
    pub settled: bool,
    /// File operations that a promotion which is stopped gets done.
    pub stop: u32,
}

const RUNS: &[&str] = &["r", "r", "r", "r", "..", "s/1"];
const STEMS: &[&str] = &["a", "b", "a", "b", "a/b", "a/b.v1", "x/invocation"];
/// Spelt in another way, and the same.
const OTHER_STEMS: &[&str] = &["/a", "a/b/", "a\\b", "\\c"];
const BAD_STEMS: &[&str] = &["", "..", "a/../b", "./a", "a//b", "a\u{1}", "/", "a\0"];
const BAD_TURNS: &[&str] = &["turn-1", "turn-00001", "", "turn-0001 ", "Turn-0001", "turn-\u{661}001", "turn--001"];
/// Types and ids of bodies and of references.
const KINDS: &[&str] = &["skill", "skill", "skill", "invocation", "..", "a:b"];
const IDS: &[&str] = &["x", "x", "x", "x", "y", "a/b", "a%2Fb", ".", "\u{e9}"];
const POINTS: &[&str] = &["build", "before-switch", "between-renames", "after-switch", "before-cleanup"];

/// At most so many operations: enough for three turns that build on each other.
const MOST: u32 = 11;

/// What damage is done to: records and objects of the turn that is mostly there, the ledger, and a tree that a stop would leave.
const PLACES: &[&str] = &[
    "index/committed/triplets/a.json",
    "index/committed/refs/by_id/skill/x.json",
    "index/committed/index/run_ledger.json",
    "index/staging/r/turn-0001/triplets/a.json",
    "index/staging/r/turn-0002/triplets/a.json",
    "index/staging/r/turn-0001/refs/by_id/skill/x.json",
    "index/committed/objects/44/44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    "index/staging/r/turn-0001/objects/44/44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    "index/committed.__new/half",
    "trace/r/a.json",
];
/// What is not a record, in different ways, and ledgers and references that are nearly lawful.
const TEXTS: &[&str] = &[
    "{",
    "{}",
    "[]",
    "null",
    "",
    r#"{"lsi_version":"lsi/v1","runs":{}}"#,
    r#"{"lsi_version":"lsi/v1","runs":{"r":"turn-0001"}}"#,
    r#"{"lsi_version":"lsi/v1","runs":{"r":"turn-1"}}"#,
    r#"{"id":"x","lsi_version":"lsi/v1","sources":[],"type":"skill"}"#,
];
const TOMBSTONE: &str = "index/staging/r/turn-0001/triplets/b.tombstone.json";
/// A lawful tombstone, one of another turn, of another stem, with an empty text, and none.
const TOMBSTONES: &[&str] = &[
    r#"{"deleted_by_turn_id":"turn-0001","dto_type":"t","id":"i","kind":"tombstone","stem":"b"}"#,
    r#"{"deleted_by_turn_id":"turn-0002","dto_type":"t","id":"i","kind":"tombstone","stem":"b"}"#,
    r#"{"deleted_by_turn_id":"turn-0001","dto_type":"t","id":"i","kind":"tombstone","stem":"c"}"#,
    r#"{"deleted_by_turn_id":"turn-0001","dto_type":"","id":"i","kind":"tombstone","stem":"b"}"#,
    "{}",
];

/// A scenario, about one operation in eight of which is refused.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn scenario(u: &mut Unstructured<'_>) -> Result<Scenario> {
    let stop = int(u, 80)?;
    let mut course = Course { damage: odds(u, 1, 3)?, ..Course::default() };
    let mut operations = Vec::new();
    for _ in 0..=int(u, MOST)? {
        operations.push(course.operation(u)?);
    }
    let mut operations = Json::List(operations);
    let spoiled = odds(u, 1, 10)?;
    if spoiled {
        spoil(u, &mut operations)?;
    }
    let plain = emit(&operations, &Style::PLAIN);
    if odds(u, 1, 40)? {
        let mut damaged = plain;
        Damage::draw(u)?.apply(u, &mut damaged)?;
        return Ok(Scenario { respelt: damaged.clone(), operations: damaged, settled: false, stop });
    }
    let respelt = emit(&operations, &Style::draw(u)?);
    Ok(Scenario { operations: plain, respelt, settled: !spoiled, stop })
}

/// Revisions of a registry of codes, one text in forty damaged.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn code_revisions(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let revisions = revisions::revisions(u)?;
    let style = if odds(u, 1, 4)? { Style::draw(u)? } else { Style::PLAIN };
    let mut text = emit(&revisions, &style);
    if odds(u, 1, 40)? {
        Damage::draw(u)?.apply(u, &mut text)?;
    }
    Ok(text)
}

/// How far the runs have come, as far as one can tell without a kernel.
#[derive(Default)]
struct Course {
    /// Turns that were promoted, of each of the runs.
    promoted: [u32; RUNS.len()],
    /// Run, turn and stem of what was staged last.
    staged: Option<[Json; 3]>,
    /// Whether damage may still be done.
    damage: bool,
}

impl Course {
    fn operation(&mut self, u: &mut Unstructured<'_>) -> Result<Json> {
        let wrong = odds(u, 1, 16)?;
        Ok(match int(u, 35)? {
            0..=7 => self.stage_triplet(u, wrong)?,
            8 | 9 => {
                let mut operation = self.of_turn(u, "stage_deletions", wrong)?.0;
                let mut stems = Vec::new();
                for _ in 0..int(u, 2)? {
                    stems.push(stem(u, false)?);
                }
                operation.set("stems", Json::List(stems));
                operation
            }
            10 | 11 => {
                let mut operation = self.of_turn(u, "validate_links", false)?.0;
                operation.set("stem", stem(u, wrong)?);
                if let Some([run_id, turn_id, stem]) = self.staged.as_ref().filter(|_| !wrong)
                    && !odds(u, 1, 3)?
                {
                    operation.set("run_id", run_id.clone());
                    operation.set("turn_id", turn_id.clone());
                    operation.set("stem", stem.clone());
                }
                operation
            }
            12..=15 => {
                let (operation, run) = self.of_turn(u, "promote", wrong)?;
                self.came_further(run);
                operation
            }
            16 => self.finish_run(u, wrong)?,
            17 | 18 => {
                let (run_id, turn_id) = self.ids(u)?;
                turn::execute_turn(u, run_id, turn_id)?
            }
            19 => call::authorize(u)?,
            20 => call::compare_runs(u)?,
            21 | 22 => self.read(u, wrong)?,
            23 => {
                let (mut operation, run) = self.of_turn(u, "crash", wrong)?;
                operation.set("at", one_of(u, POINTS)?);
                self.came_further(run);
                operation
            }
            24 => steps::emit_event(u)?,
            25 => steps::validate_triplet(u)?,
            26 => steps::resolve_capability(u)?,
            27 | 28 => {
                let (run_id, _) = self.ids(u)?;
                steps::write_trace_artifacts(u, run_id)?
            }
            29 | 30 => {
                let (run_id, turn_id) = self.ids(u)?;
                turn::replay_run(u, run_id, [turn_id, Json::text("turn-0007")])?
            }
            31 => {
                let (run_id, _) = self.ids(u)?;
                turn::start_run(u, run_id)?
            }
            _ if self.damage => {
                self.damage = false;
                damaging(u)?
            }
            _ => self.stage_triplet(u, wrong)?,
        })
    }

    fn stage_triplet(&mut self, u: &mut Unstructured<'_>, wrong: bool) -> Result<Json> {
        // One thing that is refused: a token, or a value without canonical form.
        let of = int(u, 2)?;
        let mut operation = self.of_turn(u, "stage_triplet", wrong && of == 0)?.0;
        operation.set("stem", stem(u, wrong && of == 1)?);
        operation.set("body", triplet::body(u, wrong && of == 2)?);
        operation.set("links", triplet::links(u)?);
        operation.set("manifest", triplet::manifest(u)?);
        let member = |name| operation.member(name).cloned().unwrap_or(Json::NULL);
        self.staged = (!wrong).then(|| ["run_id", "turn_id", "stem"].map(member));
        Ok(operation)
    }

    fn finish_run(&mut self, u: &mut Unstructured<'_>, wrong: bool) -> Result<Json> {
        let run = run(u)?;
        let flag = |yes| Json::token(if yes { "true" } else { "false" });
        let mut operation = Json::object([
            ("op", Json::text("finish_run")),
            ("run_id", Json::text(if wrong { "" } else { RUNS.get(run).copied().unwrap_or_default() })),
            ("outcome", one_of(u, &["PASS", "PASS", "FAIL"])?),
            ("commit", flag(!odds(u, 1, 5)?)),
        ]);
        if odds(u, 1, 2)? {
            operation.set("keep_evidence", flag(odds(u, 1, 2)?));
        }
        Ok(operation)
    }

    fn read(&mut self, u: &mut Unstructured<'_>, wrong: bool) -> Result<Json> {
        let staging = odds(u, 1, 2)?;
        let mut operation = self.of_turn(u, "read_triplet", false)?.0;
        operation.set("scope", Json::text(if staging { "staging" } else { "committed" }));
        if odds(u, 1, 2)? {
            operation.set("op", Json::text("read_refs"));
            operation.set("ref_type", one_of(u, KINDS)?);
            operation.set("ref_id", one_of(u, IDS)?);
        } else {
            operation.set("stem", stem(u, wrong)?);
        }
        if !staging {
            operation.remove("run_id");
            operation.remove("turn_id");
        }
        Ok(operation)
    }

    /// An operation on a turn, and the place of its run; with a turn id that is refused, if asked for.
    fn of_turn(&mut self, u: &mut Unstructured<'_>, op: &str, wrong: bool) -> Result<(Json, usize)> {
        let run = run(u)?;
        let mut operation = Json::object([("op", Json::text(op))]);
        operation.set("run_id", Json::text(RUNS.get(run).copied().unwrap_or_default()));
        operation.set("turn_id", self.turn(u, run)?);
        if wrong && odds(u, 1, 4)? {
            operation.set("run_id", Json::text(""));
        } else if wrong {
            operation.set("turn_id", one_of(u, BAD_TURNS)?);
        }
        Ok((operation, run))
    }

    fn ids(&mut self, u: &mut Unstructured<'_>) -> Result<(Json, Json)> {
        let run = run(u)?;
        Ok((Json::text(RUNS.get(run).copied().unwrap_or_default()), self.turn(u, run)?))
    }

    /// Mostly the next turn of a run.
    fn turn(&self, u: &mut Unstructured<'_>, run: usize) -> Result<Json> {
        let next = self.promoted.get(run).copied().unwrap_or_default() + 1;
        let number = if odds(u, 1, 6)? { *pick(u, &[1, 2, 3, 0, 9_999])? } else { next };
        Ok(Json::text(&format!("turn-{number:04}")))
    }

    fn came_further(&mut self, run: usize) {
        if let Some(promoted) = self.promoted.get_mut(run) {
            *promoted += 1;
        }
    }
}

/// The place of a run; equal names stand at one place.
fn run(u: &mut Unstructured<'_>) -> Result<usize> {
    let place = index(u, RUNS.len())?.unwrap_or_default();
    let first = RUNS.iter().position(|name| RUNS.get(place) == Some(name));
    Ok(first.unwrap_or(place))
}

fn stem(u: &mut Unstructured<'_>, wrong: bool) -> Result<Json> {
    let among = if wrong {
        BAD_STEMS
    } else if odds(u, 1, 10)? {
        OTHER_STEMS
    } else {
        STEMS
    };
    one_of(u, among)
}

fn damaging(u: &mut Unstructured<'_>) -> Result<Json> {
    let path = one_of(u, PLACES)?;
    Ok(match int(u, 11)? {
        10 | 11 => Json::object([
            ("op", Json::text("write_file")),
            ("path", Json::text(TOMBSTONE)),
            ("text", one_of(u, TOMBSTONES)?),
        ]),
        0..=6 => Json::object([("op", Json::text("write_file")), ("path", path), ("text", one_of(u, TEXTS)?)]),
        7 => Json::object([("op", Json::text("make_dir")), ("path", Json::text("index/committed.__new/a"))]),
        8 => Json::object([
            ("op", Json::text("remove_path")),
            ("path", one_of(u, &["index/committed", "index/staging/r", "index", "index/committed/refs", "none"])?),
        ]),
        _ => Json::object([("op", Json::text("remove_path")), ("path", path)]),
    })
}
