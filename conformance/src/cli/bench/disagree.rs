//! `assize bench --disagree`: generated questions to all of a table at once, and what divides them.

use std::{fmt::Write as _, fs, path::Path};

use assize::{
    bench::{
        Entry, Scratch,
        disagree::{Division, Group, SHOWN, Said, Sides, VERIFIER, asks},
    },
    catalogue,
    config::ENVIRONMENT,
    exit::Exit,
    minimise::skeleton::{self, Skeleton},
    protocol::Limits,
    testee::{Child, Launch, Seal, Setup, Subject, Timing},
};
use assize_corpus::{
    challenge::{Challenge, Count, challenges_of},
    vector::{Case, Corpus},
};
use assize_verifier::digest::Digest;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::{
    super::output::{self, counted},
    Bench, CliError, Format, STOP,
};

/// Questions to make one find smaller.
const MOST: usize = 2000;
/// Milliseconds for an answer where nothing else is said: what is slow divides nobody.
const PATIENCE_MS: u64 = 10_000;

impl Bench<'_> {
    /// Installs what was chosen, puts the same generated questions to all of them, and writes what divides them as candidates.
    pub(super) fn disagree(&self, chosen: &[&Entry], each: usize) -> Result<Exit, CliError> {
        let corpus = &catalogue::corpus(&self.store);
        let seed = match &self.args.seed {
            Some(seed) => seed.clone(),
            None => super::super::certify::random_seed()?.to_string(),
        };
        let children = self.children(chosen)?;
        let mut sides = Sides::new(&STOP);
        for (name, filter, child) in &children {
            if let Err(why) = sides.add(name.clone(), filter, child) {
                output::note(&format!("{name}: left out: {}", output::clean(&why.to_string())));
            }
        }
        if sides.count() < 2 {
            return Err(CliError::unreadable("nobody could be asked", "see the notes above for the reasons"));
        }
        let questions = questions(corpus, chosen, &seed, each);
        if questions.is_empty() {
            let help =
                "filters of the table that name a system or a law take its generated questions; single cases have none";
            return Err(CliError::unreadable("no question can be generated for what was chosen", help));
        }
        let cases: Vec<Case> = questions.iter().map(|question| question.case.clone()).collect();
        let line = ProgressBar::new_spinner();
        let watch = |place: usize| {
            line.set_message(format!("{place} of {}", counted(cases.len(), "question", "questions")));
        };
        let divisions = sides.divide(&cases, MOST, &watch);
        line.finish_and_clear();
        let folder = self.out.join("candidates");
        let mut finds = Vec::new();
        for division in divisions {
            let Some(question) = questions.get(division.place) else { continue };
            finds.push(find(&division, question, corpus, &folder)?);
        }
        let asked = (sides.count(), cases.len());
        match self.args.format {
            Format::Json => output::json(&json!({
                "seed": seed, "asked": asked.0, "questions": asked.1,
                "finds": finds.iter().map(Find::machine).collect::<Vec<_>>(),
            }))?,
            Format::Human => output::say(&text(&finds, asked, &seed))?,
        }
        Ok(if STOP.load(std::sync::atomic::Ordering::Relaxed) { Exit::NoAnswer } else { Exit::Conforms })
    }

    /// Those that could be installed, each as something to ask.
    fn children(&self, chosen: &[&Entry]) -> Result<Vec<(String, Vec<String>, Child)>, CliError> {
        let mut children = Vec::new();
        for entry in chosen {
            let label = entry.implementation.label();
            let scratch = Scratch::new(entry, &self.folder, &self.scratch);
            match self.child(&scratch) {
                Ok(child) => children.push((label, entry.filter.clone(), child)),
                Err(why) => output::note(&format!("{label}: left out: {}", output::clean(&why))),
            }
            if STOP.load(std::sync::atomic::Ordering::Relaxed) {
                return Err(CliError::unreadable("the bench was broken off", "nothing was asked"));
            }
        }
        Ok(children)
    }

    fn child(&self, scratch: &Scratch<'_>) -> Result<Child, String> {
        scratch.install(self.stop()).map_err(|ended| match ended {
            assize::bench::Ended::Stopped => "the bench was broken off".to_owned(),
            assize::bench::Ended::Failed(why) => why,
        })?;
        let limits = Limits {
            case_ms: self.args.timeout.unwrap_or(PATIENCE_MS),
            // Every question may end a process: what divides may be a crash.
            ends: usize::MAX,
            ..Limits::default()
        };
        let readable = scratch.readable()?.into_iter().map(Into::into).collect();
        let launch = Launch {
            argv: scratch.command()?,
            directory: Some(scratch.folder().to_owned()),
            environment: ENVIRONMENT.iter().map(|name| (*name).to_owned()).collect(),
            line: limits.line,
            cpu_s: limits.cpu_s,
            memory_mb: limits.memory_mb,
            timing: Timing::default(),
            seal: Seal::here(readable, Vec::new()),
            subject: Subject::default(),
        };
        let suite_sha256 = self.suite.sha256.clone();
        let setup = Setup { launch, limits, run: "r-bench".to_owned(), suite_sha256, stop: &STOP };
        Child::new(setup).map_err(|error| format!("no randomness: {error}"))
    }
}

/// Fresh questions of each law that the chosen ones are asked about.
fn questions(corpus: &Corpus, chosen: &[&Entry], seed: &str, each: usize) -> Vec<Challenge> {
    let asked = |law: &str| chosen.iter().any(|entry| asks(&entry.filter, law));
    let laws = corpus.laws_with_cases().into_iter().filter(|law| asked(law));
    laws.flat_map(|law| challenges_of(corpus, law, seed, Count::Each(each))).collect()
}

/// A find with the file that was written for it.
struct Find {
    id: String,
    file: String,
    section: String,
    groups: Vec<Group>,
    input: String,
    questions: usize,
    sizes: (usize, usize),
}

fn find(division: &Division, question: &Challenge, corpus: &Corpus, folder: &Path) -> Result<Find, CliError> {
    let docs: Vec<u8> = division.case.inputs.values().flat_map(assize_corpus::vector::Document::bytes).collect();
    let name = format!("divides-{}", Digest::of(&docs).to_hex().get(..8).unwrap_or_default());
    let id = skeleton::id(question.case.law(), &name, corpus);
    let text = Skeleton::new(id.clone(), None, &division.case).text().map_err(CliError::bug)?;
    let file = folder.join(format!("{}.json", id.replace('/', "-")));
    fs::create_dir_all(folder).map_err(|error| {
        CliError::unreadable(format!("{}: cannot be made: {error}", folder.display()), "name another folder with --out")
    })?;
    output::atomically(&file, text.as_bytes())?;
    let spec = corpus.cases.get(&question.base).map(|base| &base.spec);
    Ok(Find {
        id,
        file: file.display().to_string(),
        section: spec.map_or_else(String::new, |spec| format!("{}, {}", spec.document, spec.section)),
        groups: division.groups.clone(),
        input: String::from_utf8_lossy(&docs).chars().take(SHOWN).collect(),
        questions: division.questions,
        sizes: division.sizes,
    })
}

impl Find {
    fn machine(&self) -> Value {
        let group = |group: &Group| json!({ "says": said(&group.said), "names": group.names });
        json!({
            "id": self.id, "file": self.file, "section": self.section, "input": self.input, "questions": self.questions,
            "bytes": { "before": self.sizes.0, "after": self.sizes.1 },
            "groups": self.groups.iter().map(group).collect::<Vec<_>>(),
        })
    }
}

fn said(said: &Said) -> String {
    match said {
        Said::Accepts(_, shown) => format!("accepts {shown}"),
        Said::Refuses => "refuses".to_owned(),
        Said::Fails => "fails".to_owned(),
    }
}

fn text(finds: &[Find], (sides, questions): (usize, usize), seed: &str) -> String {
    let mut text = String::new();
    for find in finds {
        let asked = counted(find.questions, "question divides", "questions divide");
        let _ = writeln!(text, "{} [{}]: {asked} them so", find.id, find.section);
        let _ = writeln!(text, "  input    {}", output::clean(&find.input));
        for group in &find.groups {
            let _ =
                writeln!(text, "  {} {}", output::clean(&said(&group.said)), output::clean(&group.names.join(", ")));
        }
        let _ = writeln!(text, "  file     {}\n", output::clean(&find.file));
    }
    let _ = writeln!(
        text,
        "{} from {questions} questions to {sides} ({VERIFIER} among them); seed {}",
        counted(finds.len(), "division", "divisions"),
        output::clean(seed)
    );
    text
}
