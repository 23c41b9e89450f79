//! A page of Markdown as the tests need it: fenced blocks with the note above them, and commands with what they print.

use std::{fs, path::Path};

use super::session::Ran;

/// One file.
pub(super) struct Page {
    /// From the top of the repository.
    pub(super) path: String,
    pub(super) text: String,
}

/// A fenced block.
pub(super) struct Fence {
    /// Of the opening fence; the first is 1.
    pub(super) line: usize,
    info: String,
    /// What stands inside, each line with its end.
    pub(super) body: String,
    /// The line above the block, where it is a comment.
    above: String,
}

/// A command with what it prints.
#[derive(Clone, Default)]
pub(super) struct Step {
    /// Of the command.
    pub(super) line: usize,
    /// How many lines it has.
    pub(super) lines: usize,
    pub(super) command: String,
    pub(super) code: i32,
    /// `...` alone on a line stands for any lines, `[..]` for anything within one.
    pub(super) output: String,
}

impl Page {
    pub(super) fn read(top: &Path, path: String) -> Self {
        let text = fs::read_to_string(top.join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        Self { path, text }
    }

    /// Its fenced blocks from top to bottom; a fence that is indented belongs to a list.
    pub(super) fn fences(&self) -> impl Iterator<Item = Fence> {
        let mut lines = self.text.lines().enumerate();
        let mut before = "";
        std::iter::from_fn(move || {
            loop {
                let (number, line) = lines.next()?;
                let above = std::mem::replace(&mut before, line);
                let Some(info) = line.trim_start().strip_prefix("```") else { continue };
                let mut body = String::new();
                for (_, line) in lines.by_ref() {
                    if line.trim() == "```" {
                        before = "";
                        return Some(Fence { line: number + 1, info: info.to_owned(), body, above: above.to_owned() });
                    }
                    body.push_str(line);
                    body.push('\n');
                }
                panic!("{}:{}: the block does not end", self.path, number + 1);
            }
        })
    }

    /// The text with what was printed in place of what was shown.
    pub(super) fn with(&self, printed: &[(Step, Ran)]) -> String {
        let lines: Vec<&str> = self.text.lines().collect();
        let (mut text, mut at) = (String::new(), 0);
        let keep = |from: usize, to: usize, text: &mut String| {
            for line in &lines[from..to] {
                text.push_str(line);
                text.push('\n');
            }
        };
        for (step, ran) in printed {
            let command = step.line - 1 + step.lines;
            keep(at, command, &mut text);
            if ran.code != 0 {
                text.push_str(&format!("? {}\n", ran.code));
            }
            text.push_str(&ran.output);
            if !ran.output.is_empty() && !ran.output.ends_with('\n') {
                text.push('\n');
            }
            at = command + usize::from(step.code != 0) + step.output.lines().count();
        }
        keep(at, lines.len(), &mut text);
        text
    }
}

impl Fence {
    pub(super) fn is_console(&self) -> bool {
        self.info == "console"
    }

    /// What a comment right above the block says: `<!-- NAME: text -->`.
    pub(super) fn note(&self, name: &str) -> Option<&str> {
        self.above.strip_prefix("<!-- ")?.strip_prefix(name)?.strip_prefix(": ")?.strip_suffix(" -->")
    }

    /// Its commands: `$ ` begins one, `> ` goes on with it, `? N` says how it ends if not with 0, and the rest is output.
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for (index, line) in self.body.lines().enumerate() {
            let number = self.line + 1 + index;
            if let Some(command) = line.strip_prefix("$ ") {
                let command = command.to_owned();
                steps.push(Step { line: number, lines: 1, command, code: 0, output: String::new() });
                continue;
            }
            let step = steps.last_mut().unwrap_or_else(|| panic!("line {number}: output without a command"));
            let fresh = step.output.is_empty() && step.code == 0;
            match (line.strip_prefix("> "), line.strip_prefix("? ").and_then(|code| code.parse().ok())) {
                (Some(more), _) if fresh => {
                    step.command.push('\n');
                    step.command.push_str(more);
                    step.lines += 1;
                }
                (_, Some(code)) if fresh => step.code = code,
                _ => {
                    step.output.push_str(line);
                    step.output.push('\n');
                }
            }
        }
        steps
    }
}

#[test]
fn blocks_and_commands_are_found() {
    let text =
        "a\n<!-- not run: because -->\n```sh\nx\n```\n```console\n$ one \\\n> two\n? 3\nout\n> more\n$ three\n```\n";
    let page = Page { path: "p".to_owned(), text: text.to_owned() };
    let fences: Vec<Fence> = page.fences().collect();
    assert_eq!((fences.len(), fences[0].note("not run"), fences[1].note("not run")), (2, Some("because"), None));
    let steps = fences[1].steps();
    assert_eq!(
        (steps[0].command.as_str(), steps[0].code, steps[0].output.as_str()),
        ("one \\\ntwo", 3, "out\n> more\n")
    );
    assert_eq!((steps[1].command.as_str(), steps[1].code, steps[1].line), ("three", 0, 12));
    let ran = |output: &str, code| Ran { output: output.to_owned(), code };
    let changed = page.with(&[(steps[0].clone(), ran("new", 0)), (steps[1].clone(), ran("end\n", 1))]);
    assert_eq!(
        changed,
        "a\n<!-- not run: because -->\n```sh\nx\n```\n```console\n$ one \\\n> two\nnew\n$ three\n? 1\nend\n```\n"
    );
}
