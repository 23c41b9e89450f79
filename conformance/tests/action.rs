//! The action of a code host, `.ci/action`: its steps are scripts, which are run here as a runner does.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::support::{PATIENT, program};

const ACTION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.ci/action");
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples");

/// What a runner gives to all steps.
struct Runner {
    folder: tempfile::TempDir,
}

impl Runner {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs a step in the folder of the examples: its exit code, and what it prints.
    fn step(&self, name: &str, variables: &[(&str, &str)]) -> (i32, String) {
        let ran = program(Path::new(ACTION).join(name))
            .current_dir(EXAMPLES)
            .env("RUNNER_TEMP", self.folder.path())
            .env("RESULTS", self.path("results"))
            .env("GITHUB_OUTPUT", self.path("output"))
            .env("GITHUB_STEP_SUMMARY", self.path("summary.md"))
            .env("ASSIZE", env!("CARGO_BIN_EXE_assize"))
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let said = [ran.stdout, ran.stderr].concat();
        (ran.status.code().unwrap(), String::from_utf8_lossy(&said).into_owned())
    }
}

#[test]
fn a_testee_is_certified_with_its_reports_beside() {
    let runner = Runner::new();
    fs::create_dir(runner.path("results")).unwrap();
    fs::write(runner.path("results/certify.xml"), "of an earlier use").unwrap();
    let (code, said) = runner.step("build", &[("COMMAND", "python3\n"), ("REGISTRY", "")]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(fs::read_dir(runner.path("results")).unwrap().count(), 0);
    assert_eq!(runner.text("output"), format!("assize={}\n", env!("CARGO_BIN_EXE_assize")));
    let arguments = format!("--config\n{PATIENT}\n--filter\nsovereign/path-selection\n--quick\n");
    for (testee, code, grade) in [("lawful", 0, "conforms strictly"), ("broken", 1, "violates")] {
        let command = format!("python3\ntestee/{testee}.py\n");
        let (ended, said) = runner.step("certify", &[("COMMAND", &command), ("ARGUMENTS", &arguments)]);
        assert_eq!(ended, code, "{said}");
        assert!(runner.text("summary.md").contains(grade), "{testee}");
        let junit = runner.text("results/certify.xml");
        assert!(junit.contains(&format!("failures=\"{code}\"")), "{testee}: {}", &junit[..200]);
        let report: Value = serde_json::from_str(&runner.text("results/certify.json")).unwrap();
        assert_eq!(report["result"]["grade"], grade.replace(' ', "-"), "{testee}");
    }
}

/// An implementation that nobody named is not certified, and assize by itself in its place neither.
#[test]
fn an_action_that_is_asked_for_nothing_fails() {
    for nothing in ["", "\n", "\n\n"] {
        let runner = Runner::new();
        let (code, said) = runner.step("build", &[("COMMAND", nothing), ("REGISTRY", "")]);
        assert_eq!(code, 64, "{said}");
        runner.step("build", &[("COMMAND", nothing), ("REGISTRY", "registry/lawful.json")]);
        let (code, said) = runner.step("certify", &[("COMMAND", nothing), ("ARGUMENTS", "--quick")]);
        assert_eq!(code, 64, "{said}");
        assert!(!runner.path("results/certify.xml").exists());
    }
}

#[test]
fn what_lint_finds_is_named_to_the_steps_behind() {
    let runner = Runner::new();
    runner.step("build", &[("COMMAND", ""), ("REGISTRY", "registry")]);
    let (code, said) = runner.step("lint", &[("REGISTRY", "registry/lawful.json"), ("SOURCE", "sources")]);
    assert_eq!(code, 1, "{said}");
    let sarif: Value = serde_json::from_str(&runner.text("results/replies.sarif")).unwrap();
    let found = sarif["runs"][0]["results"].as_array().unwrap();
    assert!(found.iter().any(|one| one["ruleId"] == "reply/terminal-return"), "{sarif}");
    let path = runner.path("results/replies.sarif");
    assert!(runner.text("output").ends_with(&format!("sarif={}\n", path.display())));
    // What cannot be read leaves nothing that would be uploaded.
    let runner = Runner::new();
    runner.step("build", &[("COMMAND", ""), ("REGISTRY", "registry")]);
    let (code, said) = runner.step("lint", &[("REGISTRY", "registry/none.json"), ("SOURCE", "sources")]);
    assert_eq!(code, 3, "{said}");
    assert!(!runner.text("output").contains("sarif=") && !runner.path("results/replies.sarif").exists());
}

#[test]
fn each_step_hands_over_what_its_script_reads() {
    let action = fs::read_to_string(Path::new(ACTION).join("action.yml")).unwrap();
    let mut steps: Vec<_> = action.lines().filter_map(|line| line.trim().strip_prefix("run: ")).collect();
    steps.sort_unstable();
    let entries = fs::read_dir(ACTION).unwrap().map(Result::unwrap);
    let scripts: BTreeSet<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    let scripts: Vec<_> = scripts.iter().filter(|name| *name != "action.yml").collect();
    let runs: Vec<_> = scripts.iter().map(|name| format!("'\"$GITHUB_ACTION_PATH/{name}\"'")).collect();
    assert_eq!(steps, runs);
    for name in scripts {
        let script = Path::new(ACTION).join(name);
        assert_ne!(script.metadata().unwrap().permissions().mode() & 0o111, 0, "{name} cannot be run");
        // What a script reads is what its step hands over, or the runner.
        let text = fs::read_to_string(&script).unwrap();
        let step = action.split("- id: ").find(|step| step.starts_with(&format!("{name}\n"))).unwrap();
        for variable in ["ARGUMENTS", "ASSIZE", "COMMAND", "REGISTRY", "RESULTS", "SOURCE"] {
            let read = text.lines().any(|line| !line.starts_with('#') && line.contains(&format!("${variable}")))
                || text.contains(&format!("${{{variable}-"));
            let step = step.split("- if: ").next().unwrap();
            assert_eq!(step.contains(&format!("        {variable}: ")), read, "{name}: {variable}");
        }
    }
    assert!(!action.contains("://"), "the action names a host");
    // What is handed over is there: an input, or an output of a step before.
    let mut named = 0;
    for expression in action.split("${{ ").skip(1).map(|rest| rest.split(" }}").next().unwrap()) {
        let is_there = match *expression.split('.').collect::<Vec<_>>() {
            ["inputs", name] => action.contains(&format!("\n  {name}:\n    description: ")),
            ["steps", step, "outputs", name] => {
                fs::read_to_string(Path::new(ACTION).join(step)).unwrap().contains(&format!("printf '{name}=%s\\n'"))
            }
            ["runner", "temp"] => true,
            _ => false,
        };
        assert!(is_there, "{expression}");
        named += 1;
    }
    assert!(named > 10, "{named}");
}
