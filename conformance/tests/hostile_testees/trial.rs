//! One trial: run, sign, check.

use std::{
    fmt,
    io::{BufRead as _, BufReader},
    process::{Child, ChildStdin, Stdio},
    sync::OnceLock,
};

use serde_json::Value;

use super::{
    bank::{self, End, Row, With},
    scene::{Ran, Scene},
};

use crate::support::{PYTHON, program};

/// Which half of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The program with its trick.
    Trick,
    /// The program without it.
    Honest,
    /// The same, and the run is made again.
    HonestAgain,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Trick => "with its trick",
            Self::Honest => "without its trick",
            Self::HonestAgain => "without its trick, made again",
        })
    }
}

/// Makes a trial.
///
/// # Errors
/// What is not as the table says.
pub(super) fn make(row: &Row, part: Part) -> Result<(), String> {
    match part {
        Part::Trick => hostile(row),
        Part::Honest | Part::HonestAgain => honest(row, part == Part::HonestAgain),
    }
}

/// Whatever the testee does, nobody has a certificate of it that somebody takes; and the reason is the one that the table names.
fn hostile(row: &Row) -> Result<(), String> {
    let scene = Scene::new(row, "trick");
    let challenges = row.has(With::Challenges);
    let ran = scene.certify(challenges);
    if ran.code == 0 && row.end != End::StatementRefused {
        return Err(format!("the run ends with 0:\n{}", ran.said));
    }
    // Whoever wrote it: what lies there may be signed by somebody who does not look.
    let signed = scene.at("out/s.json").exists() && scene.sign().code == 0;
    let checked = signed.then(|| scene.verify(challenges, row.end != End::StatementRefused || row.sealed));
    if let Some(taken) = checked.as_ref().filter(|checked| checked.code == 0) {
        return Err(format!("a certificate is taken:\n{}\n{}", ran.said, taken.said));
    }
    match row.end {
        End::NoStatement | End::NoHarness => owed(row, &ran),
        End::StatementRefused if ran.code != 0 => Err(format!("there is no statement, {}:\n{}", ran.code, ran.said)),
        End::StatementRefused => owed(row, &checked.ok_or("the statement cannot be signed")?),
    }
}

/// The refusal is the one of the table.
fn owed(row: &Row, ran: &Ran) -> Result<(), String> {
    let lacks = row.says.iter().find(|part| !part.split('|').any(|words| ran.said.contains(words)));
    match lacks {
        Some(words) => Err(format!("it ends with {}, and {words:?} is not in what is said:\n{}", ran.code, ran.said)),
        None if ran.code != row.exit => {
            Err(format!("it ends with {} and not with {}:\n{}", ran.code, row.exit, ran.said))
        }
        None => Ok(()),
    }
}

/// The same program without its trick has a certificate that everybody takes.
fn honest(row: &Row, again: bool) -> Result<(), String> {
    let sealed = Row { sealed: true, limits: Default::default(), ..row.clone() };
    let scene = Scene::new(&sealed, "honest");
    let challenges = row.has(With::Challenges);
    for (step, ran) in [("certify", scene.certify(challenges)), ("sign", scene.sign())] {
        if ran.code != 0 {
            return Err(format!("{step} ends with {}:\n{}", ran.code, ran.said));
        }
    }
    let ran = scene.verify(challenges, again);
    if ran.code == 0 { Ok(()) } else { Err(format!("the check ends with {}:\n{}", ran.code, ran.said)) }
}

/// Where the helper listens that would answer for a testee which reaches it: started once, and ended with this program, whose
/// end closes its input.
pub(super) fn helper() -> Value {
    static HELPER: OnceLock<(Child, ChildStdin, Value)> = OnceLock::new();
    let started = HELPER.get_or_init(|| {
        let mut child = program(&*PYTHON)
            .arg("-B")
            .arg(bank::folder().join("helper.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let input = child.stdin.take().unwrap();
        (child, input, serde_json::from_str(&line).unwrap())
    });
    started.2.clone()
}
