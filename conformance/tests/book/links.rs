//! Links and paths lead somewhere, the table of contents has every chapter, and every law has its page.

use std::{
    collections::BTreeSet,
    fs,
    path::{Component, Path, PathBuf},
};

use assize_verifier::law::Law;
use regex_lite::Regex;

use super::{BOOK, markdown_below, session::copy, top};
use crate::support::run;

/// Where the pages of the laws belong in the book.
const LAWS: &str = "laws";

/// The book as it is built: the chapters, with the pages of the laws in their folder.
fn book() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&top().join(BOOK), folder.path());
    run(&["laws", "--book", folder.path().join(LAWS).to_str().unwrap()]).exits(0);
    folder
}

/// The text without fenced blocks and code spans, where nothing is a link.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let outside = line.split('`').step_by(2).collect::<Vec<_>>().join("``");
            prose.push_str(&outside);
            prose.push('\n');
        }
    }
    prose
}

/// What links point at, in prose.
fn targets(text: &str) -> Vec<String> {
    let link = Regex::new(r"\]\(([^()\s]+)\)").unwrap();
    link.captures_iter(&prose(text)).map(|found| found[1].to_owned()).collect()
}

/// The names by which the headings of a page can be linked to.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let headings = text.lines().filter(|line| {
        fenced ^= line.starts_with("```");
        !fenced && line.starts_with('#')
    });
    let name = |heading: &str| -> String {
        let heading = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        heading.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect()
    };
    headings.map(name).collect()
}

/// What is wrong with the links of a page that lies below a folder; links out of that folder lead nowhere.
fn broken(root: &Path, page: &str) -> Vec<String> {
    let text = fs::read_to_string(root.join(page)).unwrap();
    let wrong = targets(&text).into_iter().filter(|target| !leads_somewhere(root, page, &text, target));
    wrong.map(|target| format!("{page}: {target}")).collect()
}

fn leads_somewhere(root: &Path, page: &str, text: &str, target: &str) -> bool {
    let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    if file.is_empty() {
        return anchor.is_some_and(|anchor| anchors(text).contains(anchor));
    }
    let mut path = PathBuf::new();
    for part in Path::new(page).parent().unwrap().join(file).components() {
        match part {
            Component::ParentDir if !path.pop() => return false,
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    let path = root.join(path);
    path.exists() && anchor.is_none_or(|anchor| anchors(&fs::read_to_string(&path).unwrap()).contains(anchor))
}

#[test]
fn links_lead_somewhere() {
    let top = top();
    let mut wrong = Vec::new();
    let mut pages: Vec<String> =
        ["README.md", "DESIGN.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned).into();
    pages.extend(markdown_below("docs").into_iter().filter(|page| !page.starts_with(BOOK)));
    for page in &pages {
        wrong.extend(broken(&top, page));
    }
    let book = book();
    let chapters = markdown_below(BOOK);
    assert!(chapters.len() > 10);
    for chapter in &chapters {
        wrong.extend(broken(book.path(), chapter.strip_prefix(BOOK).unwrap().trim_start_matches('/')));
    }
    for law in Law::ALL {
        wrong.extend(broken(book.path(), &format!("{LAWS}/{}.md", law.slug())));
    }
    for list in ["README.md", "SUMMARY.md"] {
        wrong.extend(broken(book.path(), &format!("{LAWS}/{list}")));
    }
    assert!(wrong.is_empty(), "these links lead nowhere:\n{}", wrong.join("\n"));
}

#[test]
fn the_contents_have_every_chapter_once_and_every_law() {
    let summary = fs::read_to_string(top().join(BOOK).join("SUMMARY.md")).unwrap();
    let listed = targets(&summary);
    let mut chapters: Vec<String> = markdown_below(BOOK)
        .iter()
        .map(|chapter| chapter.strip_prefix(BOOK).unwrap().trim_start_matches('/').to_owned())
        .filter(|chapter| chapter != "SUMMARY.md")
        .collect();
    let mut once = listed.clone();
    once.sort();
    chapters.sort();
    assert_eq!(once, chapters);
    let laws = fs::read_to_string(book().path().join(LAWS).join("SUMMARY.md")).unwrap();
    let listed: BTreeSet<String> = targets(&laws).into_iter().collect();
    let mut owed: BTreeSet<String> = Law::ALL.into_iter().map(|law| format!("{}.md", law.slug())).collect();
    owed.insert("README.md".to_owned());
    assert_eq!(listed, owed);
}

/// A file of the repository that a page names as code is there.
#[test]
fn paths_in_the_text_are_there() {
    let path = Regex::new(r"^(\.ci|conformance|contracts|docs|fuzz|generators|vectors|verifier)/[\w./-]*$").unwrap();
    let mut pages = markdown_below("docs");
    // A decision may speak of what is no longer there.
    pages.retain(|page| !page.starts_with("docs/decisions/"));
    pages.push("README.md".to_owned());
    let mut seen = 0;
    for page in pages {
        let text = fs::read_to_string(top().join(&page)).unwrap();
        let mut fenced = false;
        for line in text.lines() {
            fenced ^= line.trim_start().starts_with("```");
            for span in line.split('`').skip(1).step_by(2).filter(|span| !fenced && path.is_match(span)) {
                assert!(top().join(span).exists(), "{page}: {span} is not there");
                seen += 1;
            }
        }
    }
    assert!(seen > 20);
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("a")).unwrap();
    fs::write(folder.path().join("b.md"), "# One two!\n```\n# three\n[x](gone)\n```\n`[y](gone)`\n").unwrap();
    for (target, leads) in [
        ("../b.md", true),
        ("../b.md#one-two", true),
        ("../b.md#three", false),
        ("../c.md", false),
        ("../../b.md", false),
        ("#here", true),
        ("#there", false),
        ("https://example.org", false),
    ] {
        fs::write(folder.path().join("a/p.md"), format!("# Here\n[x]({target})\n")).unwrap();
        assert_eq!(broken(folder.path(), "a/p.md").is_empty(), leads, "{target}");
    }
    assert!(broken(folder.path(), "b.md").is_empty());
}
