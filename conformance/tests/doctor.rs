//! The doctor: healthy testees have no broken rule, and each wrong one of the bank shows the check that explains it.

use std::{ffi::OsString, process::Output, sync::OnceLock, time::Duration};

use assize::{doctor, protocol::Limits};
use assize_corpus::{store::Store, vector::Corpus};
use serde_json::Value;

use crate::support::{held_setup, program};

/// Milliseconds for a reply: long enough for any machine, however busy.
const PATIENT: &str = "1800000";

fn doctor(flags: &[&str], command: &[&str]) -> Output {
    let mut doctor = program(env!("CARGO_BIN_EXE_assize"));
    doctor
        .args(["doctor", "--readable", ".."])
        .args(flags)
        .arg("--")
        .args(command)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    doctor.output().unwrap()
}

/// The diagnosis of a testee that may hang, by a clock that it moves itself: CLOCK in its command is the file of that clock.
fn examine(command: &[&str]) -> (Value, i32) {
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    let folder = tempfile::tempdir().unwrap();
    let hand = folder.path().join("clock");
    let clock = hand.to_string_lossy().into_owned();
    let limits = Limits { case_ms: 60_000, start_ms: 60_000, cpu_s: None, memory_mb: None, ..Limits::default() };
    let argv = command.iter().map(|word| OsString::from(word.replace("CLOCK", &clock))).collect();
    let mut setup = held_setup(argv, limits, &hand);
    setup.launch.directory = Some(env!("CARGO_MANIFEST_DIR").into());
    setup.launch.timing.patience.look = Duration::from_millis(5);
    let corpus = CORPUS.get_or_init(|| Corpus::load(&Store::embedded()));
    let diagnosis = doctor::examine(&setup, corpus, &|_| {});
    (serde_json::to_value(&diagnosis).unwrap(), i32::from(diagnosis.exit.code()))
}

/// A testee of the bank.
fn bank(name: &str) -> (Value, i32) {
    examine(&["python3", "tests/wrong_testees/bank.py", name, "CLOCK"])
}

/// The diagnosis, and the exit code that it names.
fn diagnose(command: &[&str]) -> (Value, i32) {
    let output = doctor(&["--format", "json", "--timeout", PATIENT], command);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let diagnosis: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"));
    let code = output.status.code().unwrap();
    assert_eq!(diagnosis["exit_code"], code, "{diagnosis:#}");
    (diagnosis, code)
}

fn states<'d>(diagnosis: &'d Value, state: &str) -> Vec<&'d str> {
    let checks = diagnosis["checks"].as_array().unwrap().iter();
    checks.filter(|check| check["state"] == state).map(|check| check["name"].as_str().unwrap()).collect()
}

fn check<'d>(diagnosis: &'d Value, name: &str) -> &'d Value {
    let found = diagnosis["checks"].as_array().unwrap().iter().find(|check| check["name"] == name);
    found.unwrap_or_else(|| panic!("no check {name}: {diagnosis:#}"))
}

fn healthy(command: &[&str]) {
    let (diagnosis, code) = diagnose(command);
    assert_eq!(code, 0, "{diagnosis:#}");
    let checks = diagnosis["checks"].as_array().unwrap();
    assert!(checks.len() >= 20 && checks.iter().all(|check| check["state"] == "holds"), "{diagnosis:#}");
}

/// A testee of the bank breaks these checks and perhaps others, and the first of them says this.
#[track_caller]
fn broken(name: &str, checks: &[&str], says: &str) {
    let (diagnosis, code) = bank(name);
    assert_eq!(code, 1, "{name}: {diagnosis:#}");
    let found = states(&diagnosis, "broken");
    for wanted in checks {
        assert!(found.contains(wanted), "{name}: {wanted} is not among {found:?}: {diagnosis:#}");
        let check = check(&diagnosis, wanted);
        assert!(check["remedy"].as_array().is_some_and(|remedy| !remedy.is_empty()), "{check:#}");
    }
    let observed = check(&diagnosis, checks[0])["observed"].to_string();
    assert!(observed.contains(says), "{name}: {says:?} is not in {observed}");
}

/// A testee of the bank with which no conversation can begin.
#[track_caller]
fn unusable(name: &str, says: &str) {
    let (diagnosis, code) = bank(name);
    assert_eq!(code, 4, "{name}: {diagnosis:#}");
    assert_eq!(states(&diagnosis, "broken"), ["hello"], "{name}");
    let hello = check(&diagnosis, "hello");
    assert!(hello["observed"].to_string().contains(says), "{name}: {hello:#}");
    assert!(hello["remedy"][0].as_str().is_some_and(|remedy| !remedy.is_empty()), "{hello:#}");
    assert_eq!(states(&diagnosis, "skipped").len(), diagnosis["checks"].as_array().unwrap().len() - 1);
}

#[test]
fn the_built_in_testee_is_healthy() {
    healthy(&[env!("CARGO_BIN_EXE_assize"), "testee"]);
}

#[test]
fn the_comparator_s_shim_is_healthy() {
    healthy(&["python3", "shims/comparator.py"]);
}

#[test]
fn goodbyes_are_explained() {
    broken("wrong-chain", &["goodbye"], "begins as 64 times the digit 0");
    broken("wrong-served", &["goodbye"], "it counts one too many");
    broken("chains-accepts", &["goodbye"], "it chains every verdict as accept");
}

#[test]
fn receipts_are_compared() {
    broken("lies-about-receipts", &["receipts"], "the bytes that were sent have");
    broken("gives-no-receipts", &["receipts"], "seen.doc is absent");
}

#[test]
fn ids_are_counted() {
    broken("answers-twice", &["ids"], "a second time");
    broken("answers-unknown-ids", &["ids"], "no such case was sent");
}

#[test]
fn what_is_no_frame_is_quoted() {
    broken("prints-garbage", &["frames"], "processing document 17");
    broken("pongs-unasked", &["frames"], "a pong of 4");
    broken("says-maybe", &["frames", "pipelining"], "maybe");
    broken("speaks-another-language", &["frames"], "unknown t");
}

#[test]
fn ends_and_hangs_are_told_apart() {
    broken("dies-on-every-case", &["answers", "planted-panic", "stall"], "exit code 9");
    broken("hangs-on-a-document", &["pipelining"], "did not come in time");
    broken("crashes-mid-line", &["pipelining", "frames"], "exit code 9");
}

#[test]
fn promises_and_state_are_tested() {
    broken("breaks-its-promise", &["pipelining"], "BROKEN-PROMISE");
    broken("promises-everything", &["answers"], "BROKEN-PROMISE");
    broken("remembers-the-last", &["repeats"], "otherwise the second time");
}

#[cfg(target_os = "linux")]
#[test]
fn children_are_found() {
    broken("leaves-a-child", &["children"], "bank.py");
}

#[test]
fn nothing_begins_without_hello() {
    unusable("never-says-hello", "hello did not come in time");
    unusable("exits-at-once", "the process ended and hello did not come");
    unusable("refuses-the-version", "it refuses the version");
    unusable("takes-no-case", "in_flight 0");
    unusable("says-hello-wrongly", "no hello frame");
}

/// A shim in one line of Python, of which `body` reads each frame as `f` and says something with `say`.
fn python(body: &str) -> String {
    format!(
        "import sys,json\n\
         def say(**frame): print(json.dumps(frame),flush=True)\n\
         for line in sys.stdin:\n f=json.loads(line)\n{body}"
    )
}

#[test]
fn a_careless_shim_is_told_everything() {
    let shim = python(
        " if f['t']=='hello': print('ready'); say(t='hello',proto=1,testee={'name':'x','version':'1'},\
         ops={'canon.bytse':{},'canon.bytes':{'profile':['jcs','sovreign']}},in_flight=1)\n\
         \x20if f['t']=='ping': say(t='pong',n=0)\n\
         \x20if f['t']=='case': say(t='answer',id=f['id'],seen={n:d['sha256'] for n,d in f['in'].items()},\
         is_=0,**{'is':'accept'})\n\
         \x20if f['t']=='bye': say(t='bye',served=0,chain='')\n",
    );
    let (diagnosis, code) = diagnose(&["python3", "-c", &shim]);
    assert_eq!(code, 1, "{diagnosis:#}");
    let broken = states(&diagnosis, "broken");
    for wanted in [
        "other-versions",
        "ping",
        "answers",
        "computed-receipts",
        "planted-panic",
        "unknown-operation",
        "frames",
        "goodbye",
    ] {
        assert!(broken.contains(&wanted), "{wanted} is not among {broken:?}");
    }
    assert_eq!(states(&diagnosis, "warning"), ["declaration"]);
    let advice = check(&diagnosis, "declaration")["remedy"].to_string();
    assert!(advice.contains("canon.bytes") && advice.contains("sovereign"), "{advice}");
    assert!(check(&diagnosis, "frames")["observed"].to_string().contains("ready"));
    assert!(check(&diagnosis, "computed-receipts")["observed"].to_string().contains("repeats the false one"));
}

#[test]
fn a_shim_that_swallows_everything_is_told_so() {
    // It moves the clock once its hello was taken, or the hello of a busy machine would come late.
    let shim = "import sys,json,time\nhello={'t':'hello','proto':1,'testee':{'name':'x','version':'1'},'ops':{},\
                'in_flight':1}\nsys.stdin.readline()\nprint(json.dumps(hello),flush=True)\nsys.stdin.readline()\n\
                while True:\n time.sleep(0.01)\n with open(sys.argv[1], 'ab') as hand: hand.write(b'.' * 3600)\n";
    let (diagnosis, code) = examine(&["python3", "-c", shim, "CLOCK"]);
    assert_eq!(code, 1, "{diagnosis:#}");
    assert!(states(&diagnosis, "broken").contains(&"declaration"), "{diagnosis:#}");
    let skipped = check(&diagnosis, "end-of-input");
    assert!(skipped["observed"].to_string().contains("came to nothing already"), "{skipped:#}");
}

#[test]
fn a_program_that_is_not_there_is_exit_4() {
    let output = doctor(&[], &["no-such-program-anywhere"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4), "{text}");
    assert!(text.contains("no program \"no-such-program-anywhere\" is on the path"), "{text}");
    let missing = doctor(&[], &[]);
    assert_eq!(missing.status.code(), Some(64));
}

#[test]
fn people_get_a_line_a_check_and_the_remedy() {
    let output = doctor(&["--timeout", PATIENT], &["python3", "tests/wrong_testees/bank.py", "wrong-served"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("wrong-served 1\n\nholds    hello "), "{text}");
    let lines: Vec<_> = text.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("broken   goodbye ")).unwrap();
    assert!(lines[at + 1..].iter().any(|line| line.trim_start().starts_with("why ") && line.ends_with("(rule 3)")));
    assert!(lines[at + 1..].iter().any(|line| line.trim_start().starts_with("change ")));
    assert!(text.ends_with("1 rule is broken: 20 checks, 19 hold, 0 with a warning, 0 skipped\n"), "{text}");
}
