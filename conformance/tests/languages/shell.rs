//! Runs the commands of an ecosystem, and says what is being done.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Instant,
};

use crate::support::program;

/// Commands for one language.
#[derive(Debug, Clone)]
pub(crate) struct Shell {
    language: String,
    /// What its commands see beside the environment of the tests.
    variables: Vec<(String, PathBuf)>,
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Whether it succeeded.
    pub(crate) passed: bool,
    /// Standard output and standard error.
    pub(crate) text: String,
}

impl Ran {
    /// The end of what it printed.
    pub(crate) fn end(&self) -> &str {
        let cut = self.text.char_indices().rev().nth(6_000).map_or(0, |(at, _)| at);
        self.text.get(cut..).unwrap_or_default()
    }
}

impl Shell {
    pub(crate) fn new(language: &str) -> Self {
        Self { language: language.to_owned(), variables: Vec::new() }
    }

    /// Sets a variable for every command from here on.
    pub(crate) fn set(&mut self, name: &str, value: &Path) {
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    pub(crate) fn name(&self) -> &str {
        &self.language
    }

    /// One line for the person who watches.
    pub(crate) fn say(&self, text: &str) {
        eprintln!("{:<12}{text}", self.language);
    }

    /// The first of these commands that does not succeed.
    pub(crate) fn missing(&self, probes: &[Vec<String>]) -> Option<String> {
        let works = |argv: &Vec<String>| {
            let status = prepared(argv).stdout(Stdio::null()).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        probes.iter().find(|argv| !works(argv)).map(|argv| argv.join(" "))
    }

    /// Runs a command in a folder.
    pub(crate) fn run(&self, folder: &Path, argv: &[String], environment: &[(&str, &str)]) -> Ran {
        let began = Instant::now();
        let mut command = prepared(argv);
        command.current_dir(folder).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.envs(environment.iter().copied());
        let ran = match command.output() {
            Ok(Output { status, stdout, stderr }) => {
                let text = [stdout, stderr].concat();
                Ran { passed: status.success(), text: String::from_utf8_lossy(&text).into_owned() }
            }
            Err(error) => Ran { passed: false, text: error.to_string() },
        };
        self.say(&format!("{:>6.1} s  {}", began.elapsed().as_secs_f64(), argv.join(" ")));
        ran
    }
}

fn prepared(argv: &[String]) -> Command {
    let mut command = program(&argv[0]);
    // What asks for something here must not reach a suite that is run from here.
    command.args(&argv[1..]).stdin(Stdio::null()).env_remove("ASSIZE_LANGUAGES").env_remove("ASSIZE_FAIL_ON");
    // Python takes what it compiled for what stands there when seconds and size are equal, as they are for a planted bug.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// Words as a command.
pub(crate) fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}
