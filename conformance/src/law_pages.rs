//! A page for each law, in Markdown: what is declared of it, what decides its cases, and what those catch.
//!
//! Everything follows from the contracts and the vectors of one store, so that no page is kept by hand. The pages link to each
//! other and to nothing else: wherever their folder is put, they hold together.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use assize_corpus::{
    lint::refusing,
    store::Store,
    vector::{
        Case, Corpus, Verdict, law_of,
        ruling::{Decision, Documents, RULINGS, Ruling, Rulings, named},
    },
};
use serde_json::Value;

use crate::{
    catalogue::{self, CatalogueError, LawEntry},
    clean::clean,
    mutation_score::MutationScore,
    words::counted,
    worlds::Searched,
};

/// The list of the pages as a table of contents, with their paths below the folder.
pub const CONTENTS: &str = "SUMMARY.md";
/// The page that lists the laws of all systems.
pub const OVERVIEW: &str = "README.md";

/// Every page by its path: `<system>/<law>.md`, [`OVERVIEW`] and [`CONTENTS`].
///
/// # Errors
/// A declaration, a ruling, a case or the mutation record cannot be read.
pub fn pages(store: &Store) -> Result<BTreeMap<String, String>, CatalogueError> {
    let laws = catalogue::laws(store)?;
    let (rulings, corpus) = catalogue::rulings_and_cases(store)?;
    let score = MutationScore::read(store)?;
    let places = places(store)?;
    let source = Source { rulings: &rulings, corpus: &corpus, score: &score, places: &places };
    let mut pages: BTreeMap<String, String> =
        laws.iter().map(|law| (format!("{}.md", law.slug), source.page(law))).collect();
    pages.insert(OVERVIEW.to_owned(), overview(&laws));
    pages.insert(CONTENTS.to_owned(), contents(&laws));
    Ok(pages)
}

/// What stands at each place that can be cited, by document and section.
fn places(store: &Store) -> Result<BTreeMap<(String, String), String>, CatalogueError> {
    let documents = Documents::load(store)?.into_iter().flat_map(|system| system.documents);
    let places = documents.flat_map(|document| {
        let title = document.title;
        document.places.into_iter().map(move |place| ((title.clone(), place.section), place.about))
    });
    Ok(places.collect())
}

/// What pages are made of.
struct Source<'a> {
    rulings: &'a Rulings,
    corpus: &'a Corpus,
    score: &'a MutationScore,
    places: &'a BTreeMap<(String, String), String>,
}

impl Source<'_> {
    fn page(&self, law: &LawEntry) -> String {
        let cases: Vec<&Case> = law.cases.iter().filter_map(|id| self.corpus.cases.get(id)).collect();
        let mut text = format!("# {}\n\n`{}`\n\n> {}\n", plain(&law.title), law.slug, plain(&law.statement));
        self.facts(law, &cases, &mut text);
        self.decided(law, &cases, &mut text);
        list("Open questions", &law.open, &mut text);
        self.caught(law, &cases, &mut text);
        searched(law, &mut text);
        listed(&cases, &mut text);
        text
    }

    /// Where the law stands and how it is asked.
    fn facts(&self, law: &LawEntry, cases: &[&Case], text: &mut String) {
        let mut facts = Vec::new();
        let about = self.places.get(&(law.document.clone(), law.section.clone()));
        let about = about.map(|about| format!(" ({})", plain(about))).unwrap_or_default();
        facts.push(("place", format!("{}, {}{about}", plain(&law.document), plain(&law.section))));
        facts.push(("stated in", law.origin.clone()));
        if let Some(why) = &law.unjudged {
            facts.push(("not judged", plain(why)));
        } else {
            let operations: Vec<_> = law.operations.iter().map(|operation| format!("`{operation}`")).collect();
            facts.push(("asked by", operations.join(", ")));
            let refused = cases.iter().filter(|case| refusing(case)).count();
            facts.push(("cases", format!("{}, of which {refused} have to be refused", cases.len())));
            facts.push(("run them", format!("`assize certify --filter {}`", law.slug)));
        }
        if !law.module.is_empty() {
            facts.push(("decided in", format!("`{}`", law.module)));
        }
        text.push_str("\n| | |\n|---|---|\n");
        for (name, fact) in facts {
            let _ = writeln!(text, "| {name} | {fact} |");
        }
    }

    /// The rulings on which cases of the law rest, or on which the law itself does.
    fn decided(&self, law: &LawEntry, cases: &[&Case], text: &mut String) {
        let mut rest: BTreeMap<&str, (&Ruling, usize)> = BTreeMap::new();
        let own = Some(law.section.as_str()).filter(|_| law.document == RULINGS);
        for ruling in own.into_iter().filter_map(|id| self.rulings.find(id)).map(|(_, ruling)| ruling) {
            rest.insert(&ruling.id, (ruling, 0));
        }
        for case in cases {
            let ids: BTreeSet<&str> =
                named(case).into_iter().filter_map(|id| Some(self.rulings.find(id)?.1.id.as_str())).collect();
            for ruling in ids.into_iter().filter_map(|id| self.rulings.find(id)).map(|(_, ruling)| ruling) {
                rest.entry(&ruling.id).or_insert((ruling, 0)).1 += 1;
            }
        }
        if rest.is_empty() {
            return;
        }
        text.push_str("\n## Rulings\n");
        for (ruling, count) in rest.into_values() {
            let _ = write!(text, "\n**{}: {}.** ", ruling.id, plain(&ruling.point));
            match &ruling.ruling {
                Decision::One(answer) => text.push_str(&plain(answer)),
                Decision::Modes { law, reference } => {
                    let _ = write!(text, "Law mode: {} Reference mode: {}", plain(law), plain(reference));
                }
            }
            let _ = writeln!(text, " *({}; {})*", ruling.stands.described(), counted(count, "case", "cases"));
        }
    }

    /// Which mistakes the cases look for, and how many changes of the verifier they notice.
    fn caught(&self, law: &LawEntry, cases: &[&Case], text: &mut String) {
        if cases.is_empty() {
            return;
        }
        text.push_str("\n## What the vectors catch\n");
        if let Some(row) = self.score.laws.iter().find(|row| row.law == law.slug) {
            let _ = writeln!(
                text,
                "\nOf the machine-made changes of the verifier (`assize laws {} --mutation-score`) they fail on {}; on {} of \
                 those no other law's vectors fail.",
                law.slug, row.kills, row.alone
            );
        }
        let mut flags: BTreeMap<&str, usize> = BTreeMap::new();
        for flag in cases.iter().flat_map(|case| &case.flags) {
            *flags.entry(flag).or_default() += 1;
        }
        if flags.is_empty() {
            return;
        }
        text.push_str("\n| mistake | cases | what goes wrong, and what comes of it |\n|---|---|---|\n");
        for (flag, count) in flags {
            let said = |member: &str| {
                let words = self.corpus.flags.get(flag).and_then(|known| known.get(member)).and_then(Value::as_str);
                plain(words.unwrap_or_default())
            };
            let _ = writeln!(text, "| {flag} | {count} | {} {} |", said("bug"), said("effect"));
        }
    }
}

/// The worlds of inputs that were searched whole for the law, and what lies outside of each.
fn searched(law: &LawEntry, text: &mut String) {
    if law.worlds.is_empty() {
        return;
    }
    text.push_str(
        "\n## Searched whole\n\nAll inputs of these worlds went to the verifier and to a second source; the law is one of those that decide \
         their answers.\n\n| world | made of | bound | inputs | lawful | second source | judged otherwise | outside |\n\
         |---|---|---|---:|---:|---|---:|---|\n",
    );
    for world in &law.worlds {
        let Searched { cases, lawful, differing, .. } = world.searched;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {cases} | {lawful} | {} | {differing} | {} |",
            plain(&world.name),
            plain(&world.alphabet),
            plain(&world.reach()),
            plain(&world.second),
            plain(&world.outside)
        );
    }
}

/// Every case with the answer that it demands and the mistake that it is there for.
fn listed(cases: &[&Case], text: &mut String) {
    if cases.is_empty() {
        return;
    }
    text.push_str("\n## Cases\n\n`assize explain CASE` shows one in full.\n\n");
    text.push_str("| case | asks | answer | binds by | catches |\n|---|---|---|---|---|\n");
    for case in cases {
        let answers: Vec<String> = case
            .answers()
            .map(|expect| match expect.is {
                Verdict::Accept => "accept".to_owned(),
                Verdict::Reject => {
                    let codes: Vec<_> = expect.codes.iter().map(|code| plain(code)).collect();
                    format!("reject {}", codes.join(", "))
                }
            })
            .collect();
        let _ = writeln!(
            text,
            "| `{}` | `{}` | {} | {} | {} |",
            case.id.strip_prefix(law_of(&case.id)).unwrap_or(&case.id).trim_start_matches('/'),
            case.op,
            answers.join(" or "),
            case.force.verdict.weight().name(),
            plain(&case.rationale)
        );
    }
}

fn list(title: &str, lines: &[String], text: &mut String) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n## {title}\n");
    for line in lines {
        let _ = writeln!(text, "- {}", plain(line));
    }
}

fn overview(laws: &[LawEntry]) -> String {
    let judged = laws.iter().filter(|law| law.unjudged.is_none()).count();
    let cases: usize = laws.iter().map(|law| law.cases.len()).sum();
    let mut text = format!(
        "# The laws\n\n{}, {judged} of them judged by {}. Written by `assize laws --book` from the declarations.\n",
        counted(laws.len(), "law", "laws"),
        counted(cases, "case", "cases")
    );
    let mut system = "";
    for law in laws {
        let own = system_of(law);
        if own != system {
            system = own;
            let _ = writeln!(text, "\n## {system}\n\n| law | cases | statement |\n|---|---|---|");
        }
        let cases = if law.unjudged.is_some() { "not judged".to_owned() } else { law.cases.len().to_string() };
        let _ = writeln!(text, "| [{0}]({0}.md) | {cases} | {1} |", law.slug, plain(&law.statement));
    }
    text
}

fn contents(laws: &[LawEntry]) -> String {
    let mut text = format!("- [The laws]({OVERVIEW})\n");
    for law in laws {
        let _ = writeln!(text, "  - [{0}]({0}.md)", law.slug);
    }
    text
}

fn system_of(law: &LawEntry) -> &str {
    law.slug.split('/').next().unwrap_or_default()
}

/// Text as text: on one line, and nothing in it is Markdown or ends a cell of a table.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in clean(text).chars() {
        if matches!(letter, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '$' | '#') {
            plain.push('\\');
        }
        plain.push(letter);
    }
    plain
}

#[cfg(test)]
mod tests {
    use assize_verifier::law::Law;

    use super::*;

    #[test]
    fn every_law_has_a_page_with_all_of_its_cases() {
        let store = Store::embedded();
        let pages = pages(&store).unwrap();
        assert_eq!(pages.len(), Law::ALL.len() + 2);
        for law in catalogue::laws(&store).unwrap() {
            let page = &pages[&format!("{}.md", law.slug)];
            assert!(page.starts_with(&format!("# {}\n\n`{}`\n", plain(&law.title), law.slug)), "{}", law.slug);
            assert!(page.contains(&plain(&law.statement)) && page.contains(&plain(&law.section)), "{}", law.slug);
            assert_eq!(page.lines().filter(|line| line.starts_with("| `")).count(), law.cases.len(), "{}", law.slug);
            assert_eq!(page.contains("## What the vectors catch"), law.unjudged.is_none(), "{}", law.slug);
            for list in [OVERVIEW, CONTENTS] {
                assert!(pages[list].contains(&format!("[{0}]({0}.md)", law.slug)), "{list} lacks {}", law.slug);
            }
        }
    }

    #[test]
    fn a_page_tells_rulings_once_with_the_number_of_their_cases() {
        let pages = pages(&Store::embedded()).unwrap();
        let page = &pages["sovereign/float-ban.md"];
        assert_eq!(page.matches("**NUM-04: ").count(), 1);
        let (corpus, id) = (catalogue::corpus(&Store::embedded()), "NUM-04");
        let rest = corpus.cases.values().filter(|case| law_of(&case.id) == "sovereign/float-ban");
        let count = rest.filter(|case| named(case).contains(id)).count();
        let line = page.lines().find(|line| line.starts_with("**NUM-04: ")).unwrap();
        assert!(count > 1 && line.ends_with(&format!("; {count} cases)*")), "{line}");
    }

    #[test]
    fn a_page_tells_of_the_worlds_of_its_law_and_of_no_other() {
        let store = Store::embedded();
        let (pages, worlds) = (pages(&store).unwrap(), catalogue::worlds(&store).unwrap());
        assert!(!worlds.is_empty());
        for law in catalogue::laws(&store).unwrap() {
            let page = &pages[&format!("{}.md", law.slug)];
            let due: Vec<_> = worlds.iter().filter(|world| world.laws.contains(&law.slug)).collect();
            assert_eq!(page.contains("## Searched whole"), !due.is_empty(), "{}", law.slug);
            for world in due {
                let row = page.lines().find(|line| line.starts_with(&format!("| {} | ", world.name))).unwrap();
                let told = [world.searched.cases.to_string(), plain(&world.reach()), plain(&world.outside)];
                assert!(told.iter().all(|told| row.contains(told)), "{}: {row}", law.slug);
            }
        }
    }

    #[test]
    fn what_is_no_markdown_stays_as_it_is() {
        assert_eq!(plain("a_b|<c>\n`d`"), r"a\_b\|\<c\>\\n\`d\`");
    }
}
